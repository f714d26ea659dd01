"""Checks 12, 15, 17 and 18: the hand by its rules, from the list to the tokens."""

from collections.abc import Iterator

from server.fairness import transcript
from server.fairness.commitment import list_hash, options_text, result_hash
from server.verify.evidence import Evidence
from server.verify.fold import DISCARDS_CHECK, OPTIONS_CHECK, POSITIONS_CHECK, RULES_CHECK

FULL_BPS = 10_000


def positions(e: Evidence) -> Iterator[str]:
    """Check 12: the positions that lines name are those that the rules bring next."""
    yield from _faults(e, POSITIONS_CHECK)


def discards(e: Evidence) -> Iterator[str]:
    """Check 15: D of every reshuffle is the public discards, in their order."""
    yield from _faults(e, DISCARDS_CHECK)


def seats_and_game(e: Evidence) -> Iterator[str]:
    """Check 17: L is over these seats, this game, its options and its dealer."""
    record = e.record
    if list_hash(e.listed) != record.L:
        yield "L is not over these seats, game, options, dealer and log"
    numbers = [seat.seat for seat in record.seats]
    if record.dealer is not None and record.dealer not in numbers:
        yield f"the dealer {record.dealer} is no listed seat"
    yield from _faults(e, OPTIONS_CHECK)
    if e.game is None:
        return
    if record.rules != e.game.rules_version:
        yield f"the rules are version {record.rules}, known is {e.game.rules_version}"
    try:
        options = e.game.options_type(**record.options)
        written = options_text({name: getattr(options, name) for name in record.options})
        if written != options_text(record.options):
            yield "the options are not as the game writes them"
        if numbers[-1] >= options.seats:
            yield f"seat {numbers[-1]} is not at a table of {options.seats}"
    except Exception as error:  # whatever the game raises, these are no options of it
        yield f"the game has no such options: {error}"


def moves_and_result(e: Evidence) -> Iterator[str]:
    """Check 18: the transcript is whole and signed, the moves legal, result and tokens right."""
    yield from _transcript(e)
    yield from _faults(e, RULES_CHECK)
    if not e.replay.is_whole and not any(_faults(e, RULES_CHECK)):
        yield "the moves can't be judged, for what the other checks say"
    yield from _result(e)


def _faults(e: Evidence, number: int) -> Iterator[str]:
    return (text for check, text in e.replay.faults if check == number)


def _transcript(e: Evidence) -> Iterator[str]:
    heads = iter(e.record.heads)
    before = b""
    for event in e.record.events:
        if event.line is not None:
            wanted = transcript.extend(before, event.k, event.line)
        elif event.k == 0:
            wanted = transcript.begin(e.hand, e.head_hash(next(heads)))
        else:
            wanted = transcript.reshuffled(before, event.k, e.head_hash(next(heads)))
        if wanted != event.T:
            yield f"T of event {event.k} does not follow from the one before"
        digest = transcript.digest_to_sign(e.hand, event.k, event.T)
        if not e.is_server_signed("event", digest, event.sig):
            yield f"event {event.k} is not signed by the server"
        before = event.T


def _result(e: Evidence) -> Iterator[str]:
    record = e.record
    rows = [(row.seat, row.points, row.amount) for row in record.result]
    if result_hash(e.hand, rows) != record.result_hash:
        yield "result_hash is not over the result"
    scored = e.replay.scored
    if scored is None or e.game is None:
        return
    if [(seat, points) for seat, points, _ in rows] != list(scored.points):
        yield f"the points are {dict(scored.points)} by the rules"
    settlement = record.settlement
    if settlement.winner != scored.winner:
        yield f"the winner is {scored.winner} by the rules"
    options = e.game.options_type(**record.options)
    if (settlement.rate, settlement.commission_bps) != (options.rate, options.commission_bps):
        yield "rate and commission are not those of the options"
    is_free = e.game.stake_points(options) is None or scored.winner is None
    rate = 0 if is_free else options.rate
    paid = {seat: points * rate for seat, points in scored.points if seat != scored.winner}
    gross = sum(paid.values())
    commission = gross * options.commission_bps // FULL_BPS
    if (settlement.gross, settlement.commission) != (gross, commission):
        yield f"gross is {gross} and commission {commission} by the rules"
    amounts = {seat: -amount for seat, amount in paid.items()}
    if scored.winner is not None:
        amounts[scored.winner] = gross - commission
    if {seat: amount for seat, _, amount in rows} != amounts:
        yield f"the amounts are {dict(sorted(amounts.items()))} by the rules"
