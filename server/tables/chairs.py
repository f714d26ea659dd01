"""The chairs of a table: who owns a seat, and who plays it now."""

from dataclasses import dataclass
from typing import Final

from server.cards.game import SeatKind
from server.database import PlayerId

ASKED: Final = "asked"
"""Why a seat sits out whose owner wants to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """Who plays a seat. `pseudonym` (16 bytes) is all that a record says of a player."""

    player: PlayerId
    name: str
    kind: SeatKind
    pseudonym: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitute(Pilot):
    """The bot that plays a seat; `why`: its owner has `left`, is `absent`, or had `misses`."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chair(Pilot):
    """A seat's owner, and who plays in its place.

    Shape: `handed` is the game's reason to have it substituted, until a substitute is named;
           `returning`: the owner takes it back as soon as the hand is dealt.
    """

    away: bool = False
    sits_out: str | None = None
    out_since_ms: int | None = None
    out_hands: int = 0
    leaving: bool = False
    hands_played: int = 0
    handed: str | None = None
    substitute: Substitute | None = None
    returning: bool = False

    @property
    def is_ready(self) -> bool:
        """Tell whether the next hand may be dealt to this seat's owner."""
        return not (self.away or self.sits_out or self.leaving)

    @property
    def has_gone(self) -> bool:
        """Tell whether the owner has said that it does not play: it comes back by saying so."""
        return self.leaving or self.sits_out == ASKED

    @property
    def pilot(self) -> Pilot:
        """Give who plays the seat now."""
        return self.substitute or self

    @property
    def eyes(self) -> frozenset[PlayerId]:
        """Give who sees what the seat sees: its owner, and who plays it."""
        return frozenset({self.player, self.pilot.player})
