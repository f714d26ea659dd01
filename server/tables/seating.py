"""Sitting down, getting up, sitting out, coming back."""

from dataclasses import replace

from server.cards.game import Seat, SeatKind
from server.database import PlayerId
from server.ledger import service as ledger
from server.tables import substitutes
from server.tables.chairs import ASKED
from server.tables.commands import Sit
from server.tables.facts import SeatChanged, SeatLeft, SeatTaken
from server.tables.opening import stake_micro
from server.tables.pseudonyms import pseudonym_of
from server.tables.state import Closed, Committing, TableState, Waiting
from server.tables.work import Work, refuse


async def sit(work: Work, player: PlayerId, command: Sit) -> None:
    """Take a seat, if the player can cover the dearest hand."""
    state = work.state
    if isinstance(state.phase, Closed) or state.closing is not None:
        refuse("table_closing", "the table takes nobody any more")
    if state.seat_of(player) is not None:
        refuse("already_seated", "the player sits at this table")
    if state.match is not None or any(chair.substitute for _, chair in state.taken()):
        refuse("match_running", "a match is being played: its seats are kept for their owners")
    if command.kind is SeatKind.BOT and not state.options.practice:
        refuse("no_bots", "bots sit at practice tables only")
    seat = _free_seat(state, command.seat)
    stake = stake_micro(state)
    if stake is not None:
        available = await ledger.available_of(work.tx, [player])
        if available[player] < stake:
            refuse("not_covered", "the balance does not cover the dearest hand")
    pseudonym = await pseudonym_of(work, player)
    work.state = replace(state, names={**state.names, player: command.name})
    work.add(
        SeatTaken(
            seat=seat,
            player=player,
            kind=command.kind,
            pseudonym=pseudonym,
        )
    )


async def leave(work: Work, player: PlayerId) -> None:
    """Get up: at once between hands, after the game has had its say in mid-hand.

    In a match the seat stays its owner's to the end; a substitute plays it on.
    """
    seat = my_seat(work.state, player)
    if work.state.chair(seat).leaving:
        refuse("already_leaving", "the seat is freed when the hand is over")
    is_free = isinstance(work.state.phase, Waiting | Committing)
    if is_free and work.state.match is None:
        work.add(SeatLeft(seat=seat, why="left"))
        return
    change(work, seat, leaving=True, why="leaving")
    if is_free or work.state.chair(seat).substitute is not None:
        await substitutes.engage(work, seat, substitutes.LEFT)


def sit_out(work: Work, player: PlayerId) -> None:
    """Sit out from the next hand on."""
    seat = my_seat(work.state, player)
    if work.state.chair(seat).sits_out is not None:
        refuse("already_out", "the seat sits out")
    change(work, seat, sits_out=ASKED, why=ASKED)


def back(work: Work, player: PlayerId) -> None:
    """Be dealt in again from the next hand on."""
    seat = my_seat(work.state, player)
    chair = work.state.chair(seat)
    if chair.sits_out is None:
        refuse("not_out", "the seat does not sit out")
    if chair.leaving:
        refuse("already_leaving", "the seat is freed when the hand is over")
    change(work, seat, sits_out=None, why="back")


def presence(work: Work, player: PlayerId, is_here: bool) -> None:
    """Note that a player's traffic began or ceased; nothing if that is known."""
    seat = work.state.seat_of(player)
    if seat is None or work.state.chair(seat).away == (not is_here):
        return
    change(work, seat, away=not is_here, why="here" if is_here else "silent")


def my_seat(state: TableState, player: PlayerId) -> Seat:
    """Find the player's seat, or refuse."""
    seat = state.seat_of(player)
    if seat is None:
        refuse("not_seated", "the player has no seat at this table")
    return seat


def seat_to_play(state: TableState, player: PlayerId) -> Seat:
    """Find the seat that the player plays now, as its owner or in its owner's place, or refuse."""
    seat = state.seat_for(player)
    if seat is None:
        refuse("not_seated", "the player has no seat at this table")
    if state.chair(seat).pilot.player != player:
        refuse("substituted", "a substitute plays the seat: come back first")
    return seat


_SAME = object()


def change(
    work: Work,
    seat: Seat,
    *,
    why: str,
    away: bool | None = None,
    sits_out: object = _SAME,
    leaving: bool | None = None,
) -> None:
    """Change one thing about a seat and keep the rest."""
    chair = work.state.chair(seat)
    out = chair.sits_out if sits_out is _SAME else sits_out
    assert out is None or isinstance(out, str), "sits_out is a reason or nothing"
    work.add(
        SeatChanged(
            seat=seat,
            away=chair.away if away is None else away,
            sits_out=out,
            leaving=chair.leaving if leaving is None else leaving,
            returning=chair.returning and not leaving,
            why=why,
            at_ms=work.now_ms,
        )
    )


def _free_seat(state: TableState, wanted: Seat | None) -> Seat:
    if wanted is None:
        for index, chair in enumerate(state.chairs):
            if chair is None:
                return Seat(index)
        refuse("table_full", "every seat is taken")
    if not 0 <= wanted < len(state.chairs):
        refuse("no_such_seat", f"the table has seats 0 to {len(state.chairs) - 1}", "seat")
    if state.chairs[wanted] is not None:
        refuse("seat_taken", "the seat is taken", "seat")
    return wanted
