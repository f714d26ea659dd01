"""Checks of a hand's end: seeds against commitments, packs against roots, result by the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.bots.deal_watch import DealWatch
from server.bots.evidence import demand, found
from server.bots.form import (
    SIG_BYTES,
    bytes_of,
    find_bytes,
    list_of,
    number_of,
    part_of,
    parts_of,
    text_of,
    whole_of,
)
from server.bots.keys import demand_signed
from server.bots.opening_checks import LogHead, OpenHand, check_logged
from server.fairness.commitment import ATTEMPTS, result_hash, server_commit
from server.fairness.entries import log_cancel, log_close, log_void
from server.fairness.shoe import Shoe, deal

Part = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MatchSaid:
    """The match that a closed hand belongs to; `winners` ascending, none while it goes on."""

    number: int
    is_over: bool
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver:
    """How a hand ended.

    Shape: `end` is `closed`, `voided` or `cancelled`; `result` has (seat, points, amount) rows;
           `shoes` are the packs as the published seed makes them, empty unless the deal was seen.
           `match` is None unless the hand closed.
    Units: points; micro-HT.
    """

    end: str
    hand_no: int
    hand_id: str
    log: LogHead
    result: tuple[tuple[int, int, int], ...] = ()
    winner: int | None = None
    commission: int = 0
    record: str | None = None
    shoes: tuple[Shoe, ...] = ()
    lines: tuple[str | None, ...] = ()
    match: MatchSaid | None = None


def check_close(part: Part, opened: OpenHand, watch: DealWatch | None) -> HandOver:
    """Check `hand.closed`. Errors: Cheated (16, 17, 18, 19)."""
    demand(number_of(part, "hand") == opened.hand_no, 16, "the close is of another hand")
    rows = parts_of(part, "S")
    said = [number_of(row, "attempt") for row in rows]
    demand(said == list(range(ATTEMPTS)), 16, "the close does not publish all four seeds")
    seeds = [bytes_of(row, "S") for row in rows]
    for attempt, seed in enumerate(seeds):
        _check_seed(opened, attempt, seed)
    attempt = number_of(part, "attempt")
    hand, last, result = opened.hand(attempt), bytes_of(part, "T"), _result_of(part)
    entry = log_close(hand=hand, seed=seeds[attempt], last=last, result=result_hash(hand, result))
    log = check_logged(part, entry, check=16)
    sig = bytes_of(part, "sig", SIG_BYTES)
    demand_signed(opened.server_pub, "close", log.leaf, sig, check=16, what="the close")
    shoes: tuple[Shoe, ...] = ()
    lines: tuple[str | None, ...] = ()
    if watch is not None:
        demand(hand == watch.signed.hand, 16, "the close is of another attempt")
        transcript = found(watch.transcript, 16, "the close of a hand that was not dealt")
        demand(last == transcript.value, 18, "the close's T is not the transcript's last value")
        shoes, lines = check_packs(watch, seeds[attempt]), tuple(transcript.lines)
    return HandOver(
        end="closed",
        hand_no=opened.hand_no,
        hand_id=opened.hand_id,
        log=log,
        result=result,
        winner=part.get("winner"),
        commission=_commission_of(part),
        record=text_of(part, "record"),
        shoes=shoes,
        lines=lines,
        match=_match_of(part_of(part, "match")),
    )


def check_packs(watch: DealWatch, seed: bytes) -> tuple[Shoe, ...]:
    """Build every epoch's pack again from the published seed. Errors: Cheated(16)."""
    shoes = []
    for head in watch.heads:
        shoe = deal(
            seed,
            hand=watch.signed.hand,
            listing=watch.signed.digest,
            entropy=head.entropy,
            epoch=head.epoch,
            numbers=head.numbers,
        )
        same = (shoe.root, shoe.head) == (head.root, head.digest)
        demand(same, 16, f"the seed does not make the pack of epoch {head.epoch}")
        shoes.append(shoe)
    return tuple(shoes)


def check_void(part: Part, opened: OpenHand, watch: DealWatch | None) -> HandOver:
    """Check `hand.voided`: the attempt's seed, and who is said not to have revealed.

    Errors: Cheated (4, 16, 19).
    """
    attempt, seed = number_of(part, "attempt"), bytes_of(part, "S")
    _check_seed(opened, attempt, seed)
    rows = [
        (number_of(row, "seat"), number_of(row, "status"), find_bytes(row, "x"))
        for row in parts_of(part, "seats")
    ]
    entry = log_void(
        hand=opened.hand(attempt), reason=number_of(part, "reason"), seed=seed, seats=rows
    )
    log = check_logged(part, entry, check=16)
    if watch is not None and watch.signed.attempt == attempt:
        for seat, _, value in rows:
            text = f"seat {seat} revealed and is said not to have"
            demand(value == watch.reveals.get(seat), 4, text)
            wronged = value is None and seat == watch.me and 1 in watch.receipts
            demand(not wronged, 4, text)
        if watch.is_dealt:
            check_packs(watch, seed)
    return HandOver(end="voided", hand_no=opened.hand_no, hand_id=opened.hand_id, log=log)


def check_cancel(part: Part, opened: OpenHand) -> HandOver:
    """Check `hand.cancelled`. Errors: Cheated (16, 19)."""
    reason = number_of(part, "reason")
    entry = log_cancel(table=opened.table, hand_no=opened.hand_no, reason=reason)
    log = check_logged(part, entry, check=16)
    return HandOver(end="cancelled", hand_no=opened.hand_no, hand_id=opened.hand_id, log=log)


def _check_seed(opened: OpenHand, attempt: int, seed: bytes) -> None:
    commit = server_commit(opened.hand(attempt), seed)
    text = f"the seed of attempt {attempt} is not the one that was committed to"
    demand(commit == opened.commits[attempt], 16, text)


def _result_of(part: Part) -> tuple[tuple[int, int, int], ...]:
    rows = parts_of(part, "result")
    return tuple((number_of(row, "seat"), whole_of(row, "points"), _amount_of(row)) for row in rows)


def _match_of(part: Part) -> MatchSaid:
    winners = tuple(list_of(part, "winners"))
    demand(all(type(seat) is int for seat in winners), 19, "a winner is no seat")
    return MatchSaid(number_of(part, "number"), part.get("over") is True, winners)


def _amount_of(row: Part) -> int:
    text = text_of(row, "amount")
    digits = text.removeprefix("-")
    well_formed = digits.isascii() and digits.isdigit() and len(digits) <= 24
    demand(well_formed, 19, "an amount is not a decimal number")
    return int(text)


def _commission_of(part: Part) -> int:
    settlement = part.get("settlement")
    if settlement is None:
        return 0
    return int(text_of(settlement, "commission"))
