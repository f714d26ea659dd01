"""Who is asking."""

from dataclasses import dataclass, field

from server.cards.game import SeatKind
from server.database import PlayerId
from server.identity.service import Player


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A signed-in player, and the token that says so; no text of a Person shows it."""

    player: PlayerId
    name: str
    kind: SeatKind
    token: str = field(repr=False)


def person_of(player: Player, token: str) -> Person:
    """Derive who is asking from the player that a token belongs to."""
    return Person(player=player.id, name=player.name, kind=player.kind, token=token)
