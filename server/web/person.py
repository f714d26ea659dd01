"""Who is asking."""

from dataclasses import dataclass, field

from server.cards.game import SeatKind
from server.database import PlayerId
from server.identity.service import Player
from server.tables.seat_tokens import SeatPass


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A signed-in player, and the token that says so; no text of a Person shows it.

    Shape: `seat` is all that the token of a substitute opens, None for a player's own.
    """

    player: PlayerId
    name: str
    kind: SeatKind
    token: str = field(repr=False)
    seat: SeatPass | None = None


def person_of(player: Player, token: str, seat: SeatPass | None = None) -> Person:
    """Derive who is asking from the player that a token belongs to."""
    return Person(player=player.id, name=player.name, kind=player.kind, token=token, seat=seat)
