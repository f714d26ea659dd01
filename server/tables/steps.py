"""From what is asked or due to the facts that it makes: the one place that reads the catalogues."""

from typing import assert_never

from server.database import PlayerId
from server.fairness.entries import CancelReason, VoidReason
from server.identity.operators import record_act
from server.tables import deal, entropy, hands, play, returning, seating, substitutes
from server.tables.clock import (
    AbandonMatch,
    CallAgain,
    CallCommits,
    CloseDown,
    DealCards,
    FreeSeat,
    GiveBack,
    ListSeats,
    OwnStep,
    PlayLeaver,
    Reshuffle,
    StopEndlessHand,
    TimeOut,
    VoidUnrevealed,
)
from server.tables.commands import (
    Back,
    CloseTable,
    Command,
    Commit,
    Leave,
    Play,
    Presence,
    Reveal,
    RevealAgain,
    Sit,
    SitOut,
    VoidHand,
)
from server.tables.facts import MatchAbandoned, SeatLeft, TableClosing
from server.tables.opening import cancel
from server.tables.state import HOUSE, Closed, Playing, Reshuffling, Revealing
from server.tables.work import Work, refuse


async def obey(work: Work, player: PlayerId, command: Command) -> None:
    """Do what a player, an operator or the gateway asks.

    Errors: Refusal or IllegalMove; the work is then to be dropped.
    """
    if isinstance(work.state.phase, Closed):
        refuse("table_closed", "the table is closed")
    if await returning.come_back(work, player, command):
        return
    match command:
        case Sit():
            await seating.sit(work, player, command)
        case Leave():
            await seating.leave(work, player)
        case SitOut():
            seating.sit_out(work, player)
        case Back():
            seating.back(work, player)
        case Commit() | Reveal() | RevealAgain():
            entropy.give(work, player, command)
        case Play():
            await play.play(work, player, command)
        case Presence(is_here=is_here):
            seating.presence(work, player, is_here)
        case CloseTable() | VoidHand():
            await _operate(work, player, command)
        case _:
            assert_never(command)


async def do(work: Work, step: OwnStep) -> None:
    """Do what the clock says is due."""
    match step:
        case (
            CallCommits() | ListSeats() | DealCards() | VoidUnrevealed() | CallAgain() | Reshuffle()
        ):
            await _deal(work, step)
        case TimeOut(turn=turn):
            await play.time_out(work, turn)
        case PlayLeaver(seat=seat):
            await play.play_leaver(work, seat)
        case GiveBack(seat=seat):
            await returning.take_back(work, seat)
        case AbandonMatch():
            before = work.state
            work.add(MatchAbandoned(at_ms=work.now_ms))
            await substitutes.dismiss_all(work, before)
        case FreeSeat(seat=seat, why=why):
            work.add(SeatLeft(seat=seat, why=why))
        case StopEndlessHand():
            await play.give_up(work, VoidReason.SERVER)
        case CloseDown():
            await play.close_down(work)
        case _:
            assert_never(step)


async def _deal(
    work: Work,
    step: CallCommits | ListSeats | DealCards | VoidUnrevealed | CallAgain | Reshuffle,
) -> None:
    match step:
        case CallCommits(seats=seats):
            await deal.call_first_commits(work, seats)
        case ListSeats():
            await deal.list_seats(work)
        case DealCards():
            await deal.deal_cards(work)
            await play.finish_if_over(work)
        case VoidUnrevealed():
            await deal.void_unrevealed(work)
        case CallAgain():
            deal.call_again(work)
        case Reshuffle():
            await deal.reshuffle(work)
            await play.finish_if_over(work)


async def _operate(work: Work, player: PlayerId, command: CloseTable | VoidHand) -> None:
    if player != HOUSE:
        refuse("not_allowed", "only an operator may do that")
    is_held = isinstance(work.state.phase, Playing | Reshuffling | Revealing)
    match command:
        case VoidHand(hand_id=hand_id):
            if not is_held or work.opened.hand_id != hand_id:
                refuse("no_hand", "that hand is not in play", "hand")
            await record_act(
                work.tx,
                operator=command.operator,
                act="hand.void",
                subject=f"hand:{hand_id}",
                reason=command.reason,
            )
            await play.give_up(work, VoidReason.OPERATOR)
        case CloseTable(drain=drain):
            if work.state.closing == "now" or (drain and work.state.closing is not None):
                refuse("table_closing", "the table is closing")
            work.add(TableClosing(drain=drain))
            await hands.set_table_state(work.tx, work.table, hands.TABLE_CLOSING)
            if not drain:
                await _close_now(work, is_held=is_held)


async def _close_now(work: Work, *, is_held: bool) -> None:
    """Close at once: the hand in play is void, or the open one is cancelled."""
    if is_held:
        await play.give_up(work, VoidReason.OPERATOR)
    else:
        await cancel(work, CancelReason.TABLE_CLOSED)
