"""What one seat, or a spectator, may see: built from nothing, the only exit of secrets."""

from dataclasses import dataclass

from server.cards.card import Card
from server.cards.game import DEALER, Seat
from server.cards.substitutes import Pilot, Why
from server.cards.tricks import PlayedCard, Trick, TrumpSuit
from server.games.batak.bids import PASS, Call, may_bid
from server.games.batak.play import to_act
from server.games.batak.scoring import DEALS, owed_by
from server.games.batak.state import Phase, State


@dataclass(frozen=True, slots=True)
class SeatView:
    """What all may see of a seat.

    Shape: `bid` is its highest, 0 if none; `owed` are the tricks it must take, 0 before the auction
           is won; `total` is the match's, with this hand once it is over.
    """

    seat: Seat
    card_count: int
    bid: int
    has_passed: bool
    owed: int
    tricks: int
    total: int
    misses: int
    is_bot: bool
    handed_over: Why | None


@dataclass(frozen=True, slots=True)
class BatakView:
    """The table from one seat, or from a spectator's place.

    Shape: `deal` of `deals` in this match. `calls` have 0 tricks for a pass. `contract` is 0 until
           the auction is won. `trick` lies on the table, `tricks` were taken, in order. `holding`
           and what follows of it are empty for a spectator: `may_bid`, `may_play` are the
           decisions that this seat has now. `points` come with the end, `winners` with that of
           the match.
    """

    seat: Seat | None
    phase: Phase
    dealer: Seat | None
    acting: Seat | None
    waits_for_dealer: bool
    deal: int
    deals: int
    calls: tuple[Call, ...]
    bidder: Seat | None
    contract: int
    is_forced: bool
    trump: TrumpSuit | None
    is_broken: bool
    trick: tuple[PlayedCard, ...]
    tricks: tuple[Trick, ...]
    seats: tuple[SeatView, ...]
    holding: tuple[Card, ...]
    may_bid: tuple[int, ...]
    may_play: tuple[Card, ...]
    points: tuple[tuple[Seat, int], ...]
    winners: tuple[Seat, ...]
    ended: bool


def view(state: State, seat: Seat | None) -> BatakView:
    """Build what `seat` may see; None is a spectator.

    Source: rules.md 8.
    """
    contract = state.contract
    decides = seat is not None and to_act(state) == {seat}
    return BatakView(
        seat=seat,
        phase=state.phase,
        dealer=state.dealer,
        acting=state.acting,
        waits_for_dealer=DEALER in to_act(state),
        deal=state.standing.deals_played + 1,
        deals=DEALS,
        calls=state.calls,
        bidder=None if contract is None else contract.seat,
        contract=0 if contract is None else contract.tricks,
        is_forced=contract is not None and contract.is_forced,
        trump=state.trump,
        is_broken=state.is_broken,
        trick=state.trick,
        tricks=state.tricks,
        seats=tuple(_seat_view(state, pilot) for pilot in state.pilots),
        holding=() if seat is None else state.holdings[seat],
        may_bid=tuple(may_bid(state.calls)) if decides and state.phase == "auction" else (),
        may_play=_may_play(state, seat) if decides else (),
        points=state.scored.points if state.scored is not None else (),
        winners=state.scored.champions if state.scored is not None else (),
        ended=state.ended,
    )


def _may_play(state: State, seat: Seat | None) -> tuple[Card, ...]:
    return state.legal_cards(seat) if seat is not None and state.phase == "play" else ()


def _seat_view(state: State, pilot: Pilot) -> SeatView:
    seat = pilot.seat
    calls = [call.tricks for call in state.calls if call.seat == seat]
    points = dict(state.scored.points) if state.scored is not None else {}
    return SeatView(
        seat=seat,
        card_count=len(state.holdings[seat]),
        bid=max(calls, default=PASS),
        has_passed=PASS in calls,
        owed=0 if state.contract is None else owed_by(state.contract)[seat],
        tricks=state.taken(seat),
        total=state.standing.totals[seat] + points.get(seat, 0),
        misses=pilot.misses,
        is_bot=pilot.is_bot,
        handed_over=pilot.handed_over,
    )
