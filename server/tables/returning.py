"""An owner whose seat a substitute plays comes back: it says so, sits down, plays, or is here."""

from typing import Final

from server.cards.game import Returned, Seat
from server.database import PlayerId
from server.tables import play, substitutes
from server.tables.commands import Back, Command, Play, Presence, Sit
from server.tables.facts import SeatChanged
from server.tables.state import Committing, Playing, Reshuffling, Revealing, TableState, Waiting
from server.tables.work import Work, refuse

RETURNS_MAX: Final = 5
"""How often a seat may be taken back in one hand.

Each return is a line of the transcript, and a hand of too many lines is void: who loses could
leave and come back until it is.
"""


def substituted_seat(state: TableState, player: PlayerId) -> Seat | None:
    """Find the seat that a player owns and a substitute plays."""
    seat = state.seat_of(player)
    return None if seat is None or state.chair(seat).substitute is None else seat


async def come_back(work: Work, player: PlayerId, command: Command) -> bool:
    """Give an owner its seat back if the command means that; True if nothing else is to be done.

    Who has left or asked to sit out says so by a command; who was only silent is back as soon as
    it is heard.
    """
    seat = substituted_seat(work.state, player)
    if seat is None:
        return False
    chair = work.state.chair(seat)
    match command:
        case Back() | Sit():
            _demand_few_returns(work, seat)
            await take_back(work, seat)
            return True
        case Play(hand_no=hand_no) if isinstance(work.state.phase, Playing):
            if hand_no == work.opened.hand_no:
                _demand_few_returns(work, seat)
                await take_back(work, seat)
        case Presence(is_here=True) if chair.away and not chair.has_gone:
            _demand_few_returns(work, seat)
            await take_back(work, seat)
        case _:
            pass
    return False


async def take_back(work: Work, seat: Seat) -> None:
    """Give a seat back to its owner, now or, while the cards are being shuffled, right after."""
    state = work.state
    match state.phase:
        case Playing(hand=hand) if seat in hand.seats:
            if seat not in hand.own:
                await play.move(work, seat, Returned(seat))
            if work.state.chair(seat).substitute is not None:
                await substitutes.dismiss(work, seat)
        case Reshuffling() | Revealing():
            _promise(work, seat)
        case Committing(gave=gave) if any(one.seat == seat for one in gave):
            _promise(work, seat)
        case Playing() | Committing() | Waiting():
            await substitutes.dismiss(work, seat)
        case _:
            raise AssertionError("a closed table has no substitutes")


def _demand_few_returns(work: Work, seat: Seat) -> None:
    hand = work.state.hand
    if hand is not None and hand.returns.count(seat) >= RETURNS_MAX:
        refuse("returned_too_often", "the seat was taken back too often in this hand")


def _promise(work: Work, seat: Seat) -> None:
    """Note that the owner is back; the substitute brings its entropy, and the hand is dealt."""
    chair = work.state.chair(seat)
    if not chair.returning:
        work.add(
            SeatChanged(
                seat=seat,
                away=chair.away,
                sits_out=chair.sits_out,
                leaving=False,
                why="back",
                at_ms=work.now_ms,
                returning=True,
            )
        )
