"""What can be asked of a table: a closed catalogue, read by `match`."""

from dataclasses import dataclass

from server.cards.game import Seat, SeatKind
from server.database import HandId, PlayerId


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a free seat; None is the first free one."""

    seat: Seat | None
    name: str
    kind: SeatKind


@dataclass(frozen=True, slots=True)
class Leave:
    """Get up; in mid-hand the game says what that costs."""


@dataclass(frozen=True, slots=True)
class SitOut:
    """Stay in the seat, but out of the next hands."""


@dataclass(frozen=True, slots=True)
class Back:
    """Be dealt in again."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Commit to this seat's entropy (fairdeal/1, Seat commit); None is "play without my seed"."""

    hand_no: int
    attempt: int
    commit: bytes | None
    pub: bytes | None = None
    sig: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """Reveal `x[0]` for the signed list."""

    hand_no: int
    attempt: int
    x: bytes
    sig: bytes | None


@dataclass(frozen=True, slots=True)
class RevealAgain:
    """Reveal `x[epoch]` for a reshuffle's call."""

    hand_no: int
    epoch: int
    x: bytes
    sig: bytes | None


@dataclass(frozen=True, slots=True)
class Play:
    """A move of the game, meant for one turn of one hand."""

    hand_no: int
    turn: int
    move: object


@dataclass(frozen=True, slots=True)
class CloseTable:
    """Close the table: after the hand (`drain`), or now, voiding it. An operator's act."""

    drain: bool


@dataclass(frozen=True, slots=True)
class VoidHand:
    """Void that hand, if it is in play; nobody pays. An operator's act, audited by the name."""

    hand_id: HandId
    operator: str
    reason: str


@dataclass(frozen=True, slots=True)
class Presence:
    """A player's traffic began or ceased; sent by the gateway, never by a player."""

    is_here: bool


PlayerCommand = Sit | Leave | SitOut | Back | Commit | Reveal | RevealAgain | Play
SEATED = (Leave, SitOut, Back, Commit, Reveal, RevealAgain, Play)
"""Commands that only a seat's owner may send."""

OperatorCommand = CloseTable | VoidHand
Command = PlayerCommand | OperatorCommand | Presence


@dataclass(frozen=True, slots=True)
class Request:
    """A command, who sends it, and the sender's own id for it.

    Shape: `digest` is the SHA-256 of the command as it was sent: the same `id` with another
    digest is refused; `old_digests` are what older keys made of it. `player` 0 with an
    id of the operator's is the house itself. `trace` is the span that it came from elsewhere in.
    """

    player: PlayerId
    id: str
    digest: bytes
    command: Command
    old_digests: tuple[bytes, ...] = ()
    trace: str | None = None

    @property
    def digests(self) -> tuple[bytes, ...]:
        """Give what may have been stored of the command."""
        return self.digest, *self.old_digests


@dataclass(frozen=True, slots=True)
class Reply:
    """The one terminal answer to a request; `seq` is the table's number when it was given."""

    ok: bool
    seq: int
    code: str | None = None
    text: str | None = None
    field: str | None = None
