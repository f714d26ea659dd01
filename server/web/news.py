"""What the processes tell each other of people: a newer socket, a sign-out, a name.

Who misses such a message is none the worse for long: a socket asks again every little while whether
its token is still good.
"""

from collections.abc import Callable
from typing import Final, Literal

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

from server.database import PlayerId
from server.identity.passwords import hash_of_token
from server.messenger import Lost, Messenger

TOPIC: Final = "people"
What = Literal["joined", "signed_out", "put_out", "renamed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Something that concerns a player's socket, wherever it is.

    Shape: `mark` is the hash, in hex, of the one token that is signed out, None for all of them;
           `name` is the new one; `at_ms` is when the newer socket came, by the database's clock.
    """

    owner: str
    what: What
    player: int
    mark: str | None = None
    name: str | None = None
    at_ms: int = 0


_NEWS: Final = TypeAdapter(News)


def mark_of(token: str | None) -> str | None:
    """Mark a token, which itself is told to nobody."""
    return None if token is None else hash_of_token(token).hex()


class PeopleNews:
    """One process's ear and voice."""

    def __init__(self, messenger: Messenger) -> None:
        self.owner = messenger.owner
        self._messenger = messenger

    def start(self, hear: Callable[[News], None]) -> None:
        """Have `hear` told what the other processes say."""

        async def take(heard: bytes | Lost) -> None:
            if isinstance(heard, Lost):
                return
            news = _NEWS.validate_json(heard)
            if news.owner != self.owner:
                hear(news)

        self._messenger.subscribe(TOPIC, take)

    def tell(
        self,
        what: What,
        player: PlayerId,
        *,
        mark: str | None = None,
        name: str | None = None,
        at_ms: int = 0,
    ) -> None:
        """Tell the other processes; nobody waits."""
        news = News(owner=self.owner, what=what, player=player, mark=mark, name=name, at_ms=at_ms)
        self._messenger.publish(TOPIC, _NEWS.dump_json(news))
