"""The signed list of a hand: who is dealt in, with what commitment (fairdeal/1, List)."""

from dataclasses import dataclass, replace

from server.cards.game import Seat, SeatInfo, SeatKind

NO_KEY = bytes(32)
"""A seat's key that means "no key": its signatures are absent."""
NO_COMMIT = bytes(32)
COMMITTED = 1
ABSENT = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What one seat brought to the shuffle.

    Shape: `x` and `x_sigs` are by epoch; None where the seat was absent. `status` is `COMMITTED`,
    or `ABSENT` by the player's own choice, with `NO_COMMIT`; `matches` has the player finished.
    """

    seat: Seat
    kind: SeatKind
    pseudonym: bytes
    pub: bytes
    status: int
    commit: bytes
    commit_sig: bytes | None
    matches: int = 0
    x: tuple[bytes | None, ...] = ()
    x_sigs: tuple[bytes | None, ...] = ()

    def x_of(self, epoch: int) -> bytes | None:
        """Find the value revealed for an epoch."""
        return self.x[epoch] if epoch < len(self.x) else None

    def revealing(self, epoch: int, x: bytes | None, sig: bytes | None) -> "Contribution":
        """Derive this contribution with the value of an epoch, absent ones before it filled."""
        gap = (None,) * (epoch - len(self.x))
        return replace(self, x=(*self.x, *gap, x), x_sigs=(*self.x_sigs, *gap, sig))


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The list L with the server's signature."""

    attempt: int
    dealer: Seat | None
    seats: tuple[Contribution, ...]
    digest: bytes
    sig: bytes

    @property
    def infos(self) -> tuple[SeatInfo, ...]:
        """Give the seats as the game begins with them."""
        return tuple(SeatInfo(one.seat, one.kind, one.matches) for one in self.seats)

    @property
    def is_server_only(self) -> bool:
        """Tell whether no human seat brought entropy."""
        return not any(s.kind is SeatKind.HUMAN and s.status == COMMITTED for s in self.seats)

    def of(self, seat: Seat) -> Contribution | None:
        """Find a seat's contribution."""
        return next((one for one in self.seats if one.seat == seat), None)

    def with_x(self, seat: Seat, epoch: int, x: bytes, sig: bytes | None) -> "Listing":
        """Derive the list with a seat's revealed value."""
        seats = tuple(
            one.revealing(epoch, x, sig) if one.seat == seat else one for one in self.seats
        )
        return replace(self, seats=seats)
