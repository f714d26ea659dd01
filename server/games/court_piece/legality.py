"""What a seat in turn may do, and how anything else is refused."""

from collections.abc import Iterator, Mapping
from typing import Final

from server.cards.game import IllegalMove, Seat
from server.cards.tricks import TRUMP_SUITS
from server.games.court_piece.moves import Move, NameTrump, Pass, Play
from server.games.court_piece.state import Phase, State

PHASES: Final[Mapping[type[Move], Phase]] = {NameTrump: "trump", Pass: "trump", Play: "play"}
CODES: Final[Mapping[Phase, str]] = {"trump": "no_trump_now", "play": "no_card_now"}
"""When a move may be made, and how it is refused at another time."""


def legal_moves(state: State, seat: Seat) -> Iterator[Move]:
    """List what the seat may do."""
    if state.acting != seat:
        return
    if state.phase == "trump":
        yield from (NameTrump(suit) for suit in TRUMP_SUITS)
        if not state.has_passed:
            yield Pass()
        return
    yield from (Play(card) for card in state.legal_cards(seat))


def check(state: State, seat: Seat, move: Move) -> None:
    """Check the move of the seat in turn. Errors: IllegalMove."""
    phase = PHASES[type(move)]
    if state.phase != phase:
        raise IllegalMove(CODES[phase], "not a move for this moment")
    match move:
        case NameTrump() if move.suit not in TRUMP_SUITS:
            raise IllegalMove("unknown_move", "there is no such suit", "suit")
        case Pass() if state.has_passed:
            raise IllegalMove("partner_may_not_pass", "the choice was passed once already")
        case Play() if move.card not in state.holdings[seat]:
            raise IllegalMove("not_held", "that card is not in the holding", "card")
        case Play() if move.card not in state.legal_cards(seat):
            raise IllegalMove("must_follow", "follow the suit led", "card")
        case _:
            pass
