"""Moves, the clock's and the leaver's among them, and the end of a hand with its settlement."""

from contextlib import suppress

from server.cards.game import DEALER, HandVoid, Left, Scored, Seat, SeatKind, TimedOut
from server.database import HandId, PlayerId
from server.errors import Fault
from server.fairness import entries
from server.fairness import service as fairness
from server.fairness.commitment import result_hash
from server.fairness.entries import CancelReason, VoidReason
from server.ledger import service as ledger
from server.tables import hands, matches, substitutes
from server.tables.commands import Play
from server.tables.facts import HandClosed, Moved
from server.tables.opening import (
    cancel,
    logged,
    next_hand_or_close,
    release,
    stake_micro,
    void_attempt,
)
from server.tables.seating import seat_to_play
from server.tables.settlement import Settlement, nothing_moves, settle
from server.tables.state import Hand, Playing, Reshuffling, Revealing
from server.tables.work import Work, refuse


async def play(work: Work, player: PlayerId, command: Play) -> None:
    """Play a seat's move, if it is meant for this turn of this hand."""
    state = work.state
    seat = seat_to_play(state, player)
    hand = state.hand
    if hand is None or command.hand_no != work.opened.hand_no:
        refuse("stale_hand", "that hand is not in play", "hand")
    if seat not in hand.seats:
        refuse("not_in_hand", "the seat is not dealt in")
    if isinstance(state.phase, Reshuffling) or state.game.to_act(hand.state) == {DEALER}:
        refuse("dealer_acts", "the cards are being shuffled")
    if command.turn != hand.turn:
        refuse("stale_turn", f"the turn is {hand.turn}", "turn")
    await move(work, seat, command.move)


async def time_out(work: Work, turn: int) -> None:
    """Let the clock play for the seats to act, unless that turn is over."""
    hand = work.state.hand
    if hand is None or hand.turn != turn or not isinstance(work.state.phase, Playing):
        return
    for seat in sorted(work.state.game.to_act(hand.state)):
        await move(work, seat, TimedOut(seat))


async def play_leaver(work: Work, seat: Seat) -> None:
    """Let the game say what leaving in mid-hand costs."""
    await move(work, seat, Left(seat))


async def move(work: Work, seat: Seat, what: object) -> None:
    """Add a move, and end the hand if it was the last.

    Errors: IllegalMove if the game refuses it; nothing was added.
    """
    hand = work.state.hand
    assert hand is not None, "a move needs a hand"
    line = _line_of(work, hand, seat, what)
    work.add(Moved(line=line, at_ms=work.now_ms))
    await substitutes.engage_handed(work)
    await finish_if_over(work)


def _line_of(work: Work, hand: Hand, seat: Seat, what: object) -> str:
    """Write the journal's line of a move, and make sure that it can be read again.

    Text that a player made up may be written and not be a line: the rules then say why they
    refuse it, before anything rests on it.
    """
    game = work.state.game
    try:
        line = game.notation.write(hand.state, seat, what)
        game.notation.read(line)
    except (ValueError, KeyError, TypeError):
        game.apply(hand.state, seat, what)
        raise AssertionError("the rules accept a move that the journal can't hold") from None
    return line


async def finish_if_over(work: Work) -> None:
    """Settle and close a hand that has ended, in the transaction of its last event."""
    hand = work.state.hand
    if hand is None:
        return
    match hand.last:
        case Scored() as scored:
            await _close(work, hand, scored)
        case HandVoid():
            await give_up(work, VoidReason.RESHUFFLE_CAP)
        case _:
            pass


async def give_up(work: Work, reason: VoidReason) -> None:
    """Void the hand in play or in its reveals; nobody pays, every hold is released."""
    await release(work, CancelReason.AFTER_VOID)
    if isinstance(work.state.phase, Playing | Reshuffling | Revealing):
        with suppress(Fault):  # without its seed an attempt can't be voided, the hand still can
            await void_attempt(work, reason)
    await cancel(work, CancelReason.AFTER_VOID)


async def close_down(work: Work) -> None:
    """Close the table between hands: its open hand is cancelled."""
    await cancel(work, CancelReason.TABLE_CLOSED)


async def _close(work: Work, hand: Hand, scored: Scored) -> None:
    opened = work.opened
    settlement, journal = await _settle(work, scored)
    amounts = dict(settlement.amounts)
    result = tuple((seat, points, amounts[seat]) for seat, points in scored.points)
    await _keep_result(work, scored, result)
    before = work.state
    sealed = await fairness.seeds_of(work.tx, work.parts.sealer, work.table, opened.hand_no)
    seeds = tuple(seed.expose() for seed in sealed)
    hand_hash = opened.hands[hand.attempt]
    entry = entries.log_close(
        hand=hand_hash,
        seed=seeds[hand.attempt],
        last=hand.transcript,
        result=result_hash(hand_hash, result),
    )
    place = await logged(work, entry)
    await hands.end(
        work.tx,
        opened.hand_id,
        hands.CLOSED,
        gross=settlement.gross,
        commission=settlement.commission,
    )
    work.add(
        HandClosed(
            seeds=seeds,
            result=result,
            winner=scored.winner,
            gross=settlement.gross,
            commission=settlement.commission,
            journal=journal,
            log=place,
            shown_until_ms=work.now_ms + work.parts.clocks.result_ms,
        )
    )
    await substitutes.dismiss_all(work, before)
    await next_hand_or_close(work)


async def _keep_result(
    work: Work, scored: Scored, result: tuple[tuple[int, int, int], ...]
) -> None:
    """Keep what the seats got; with the last hand of a match at a free table, the match's too.

    Before the public log is locked: a standing is locked by every table that its player is at.
    """
    state, opened = work.state, work.opened
    owners = {seat: state.chair(Seat(seat)) for seat, _, _ in result}
    rows = [(seat, owners[seat].player, points, amount) for seat, points, amount in result]
    await hands.insert_seats(work.tx, opened.hand_id, rows)
    if not scored.match_over or stake_micro(state) is not None:
        return
    running = state.match
    await matches.end(
        work.tx,
        work.table,
        game=state.game.name,
        match_no=state.matches + 1,
        hands=(opened.hand_no if running is None else running.first_hand, opened.hand_no),
        is_shared=scored.winner is None and bool(scored.champions),
        seats=[
            matches.EndedSeat(
                seat=seat,
                player=owner.player,
                is_human=owner.kind is SeatKind.HUMAN,
                has_won=seat in scored.champions,
                by_substitute=owner.substitute is not None,
            )
            for seat, owner in owners.items()
        ],
    )


async def _settle(work: Work, scored: Scored) -> tuple[Settlement, int | None]:
    state = work.state
    if stake_micro(state) is None:
        return nothing_moves(scored.points), None
    options = state.options
    settlement = settle(
        scored,
        rate=options.rate,
        commission_bps=options.commission_bps,
    )
    assert scored.winner is not None, "tokens move only where somebody has won"
    hand_id = HandId(work.opened.hand_id)
    winner = state.chair(scored.winner).player
    # Who was held and sat out after a void attempt pays nothing, and is released with the rest.
    held = await ledger.held_of(work.tx, hand_id)
    payments = {player: 0 for player in held if player != winner} | {
        state.chair(seat).player: -amount
        for seat, amount in settlement.amounts
        if seat != scored.winner
    }
    posted = await ledger.settle_hand(work.tx, hand_id=hand_id, winner=winner, payments=payments)
    assert posted.pot.commission_micro == settlement.commission, "ledger and table disagree"
    return settlement, posted.journal_id
