"""What a seat in turn may do, and how anything else is refused."""

from collections.abc import Iterator, Mapping
from typing import Final

from server.cards.card import Card
from server.cards.game import IllegalMove, Seat
from server.cards.tricks import TRUMP_SUITS
from server.games.batak.bids import LEAST, MOST, may_bid
from server.games.batak.duties import find_refusal
from server.games.batak.moves import Bid, Move, NameTrump, Pass, Play
from server.games.batak.state import Phase, State

PHASES: Final[Mapping[type[Move], Phase]] = {
    Bid: "auction",
    Pass: "auction",
    NameTrump: "trump",
    Play: "play",
}
CODES: Final[Mapping[Phase, str]] = {
    "auction": "no_bidding_now",
    "trump": "no_trump_now",
    "play": "no_card_now",
}
"""When a move may be made, and how it is refused at another time."""


def legal_moves(state: State, seat: Seat) -> Iterator[Move]:
    """List what the seat may do."""
    if state.acting != seat:
        return
    match state.phase:
        case "auction":
            yield from (Bid(tricks) for tricks in may_bid(state.calls))
            yield Pass()
        case "trump":
            yield from (NameTrump(suit) for suit in TRUMP_SUITS)
        case _:
            yield from (Play(card) for card in state.legal_cards(seat))


def check(state: State, seat: Seat, move: Move) -> None:
    """Check the move of the seat in turn. Errors: IllegalMove."""
    phase = PHASES[type(move)]
    if state.phase != phase:
        raise IllegalMove(CODES[phase], "not a move for this moment")
    match move:
        case Bid():
            _check_bid(state, move.tricks)
        case NameTrump() if move.suit not in TRUMP_SUITS:
            raise IllegalMove("unknown_move", "there is no such suit", "suit")
        case Play():
            _check_card(state, seat, move.card)
        case _:
            pass


def _check_bid(state: State, tricks: int) -> None:
    if not LEAST <= tricks <= MOST:
        raise IllegalMove("bad_bid", f"a bid is {LEAST} to {MOST} tricks", "tricks")
    if tricks not in may_bid(state.calls):
        raise IllegalMove("bid_not_higher", "a bid is higher than the last", "tricks")


def _check_card(state: State, seat: Seat, card: Card) -> None:
    assert state.trump is not None
    code = find_refusal(
        card,
        state.holdings[seat],
        [one.card for one in state.trick],
        state.trump,
        is_broken=state.is_broken,
        beat_trump_led=state.options.beat_trump_led,
    )
    if code is not None:
        raise IllegalMove(code, "that card may not be played now", "card")
