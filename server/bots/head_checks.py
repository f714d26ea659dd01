"""Checks of a deal and of a reshuffle (fairdeal/1 checks 6 to 9, 14, 15)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.bots.evidence import demand, found
from server.bots.form import NO_KEY, SIG_BYTES, bytes_of, find_bytes, number_of, parts_of
from server.bots.keys import demand_signed
from server.bots.list_checks import SignedList
from server.bots.opening_checks import LogHead, check_logged
from server.fairness.commitment import (
    EPOCHS_MAX,
    Reveals,
    again,
    again_call,
    discards_hash,
    header,
    link,
)
from server.fairness.entries import log_deal


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A shuffle that was published and holds.

    Shape: `numbers` are the cards in the order before the shuffle; `entropy` is R or R_e.
    """

    epoch: int
    entropy: bytes
    numbers: tuple[int, ...]
    root: bytes
    digest: bytes
    log: LogHead


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A reshuffle's call that holds, and the hash that a seat signs for it."""

    epoch: int
    numbers: tuple[int, ...]
    before: bytes
    discards: bytes
    digest: bytes


def check_head(
    part: Mapping[str, Any],
    signed: SignedList,
    *,
    server_pub: bytes,
    epoch: int,
    entropy: bytes,
    numbers: Sequence[int],
) -> Head:
    """Check HEAD_e: over this list, this entropy and this many cards; signed and logged.

    Errors: Cheated (6, 7, 8, 9, 19).
    """
    demand(bytes_of(part, "R") == entropy, 7, f"R of epoch {epoch} is not of the reveals relayed")
    demand(number_of(part, "n") == len(numbers), 8, f"epoch {epoch} has another number of cards")
    root, size = bytes_of(part, "root"), len(numbers)
    digest = header(
        hand=signed.hand,
        listing=signed.digest,
        entropy=entropy,
        epoch=epoch,
        size=size,
        root=root,
    )
    demand(bytes_of(part, "head") == digest, 6, f"HEAD of epoch {epoch} is not over this list")
    sig = bytes_of(part, "sig_head", SIG_BYTES)
    demand_signed(server_pub, "head", digest, sig, check=6, what=f"HEAD of epoch {epoch}")
    entry = log_deal(
        hand=signed.hand,
        epoch=epoch,
        listing=signed.digest,
        entropy=entropy,
        size=size,
        root=root,
    )
    log = check_logged(part, entry, check=9)
    return Head(
        epoch=epoch,
        entropy=entropy,
        numbers=tuple(numbers),
        root=root,
        digest=digest,
        log=log,
    )


def check_call(
    part: Mapping[str, Any],
    *,
    hand: bytes,
    server_pub: bytes,
    epoch: int,
    before: bytes,
    numbers: Sequence[int],
) -> Call:
    """Check `hand.again_called` against the own transcript and the own list of discards.

    Errors: Cheated (14, 15, 19).
    """
    demand(number_of(part, "epoch") == epoch, 14, f"the call is not for epoch {epoch}")
    demand(epoch <= EPOCHS_MAX, 14, "a ninth reshuffle is never dealt")
    demand(bytes_of(part, "T") == before, 14, "the call is over another transcript")
    said = part.get("numbers")
    demand(said == list(numbers), 15, "the call's cards are not the public discards in their order")
    call = call_of(hand=hand, epoch=epoch, before=before, numbers=numbers)
    demand(bytes_of(part, "call") == call.digest, 14, "the call's hash is not of what it says")
    sig = bytes_of(part, "sig_call", SIG_BYTES)
    demand_signed(server_pub, "call", call.digest, sig, check=14, what="the call")
    return call


def call_of(*, hand: bytes, epoch: int, before: bytes, numbers: Sequence[int]) -> Call:
    """Derive the call that there must be for these cards after this transcript."""
    discards = discards_hash(hand=hand, epoch=epoch, numbers=numbers)
    digest = again_call(hand=hand, epoch=epoch, before=before, discards=discards)
    return Call(
        epoch=epoch, numbers=tuple(numbers), before=before, discards=discards, digest=digest
    )


class Chains:
    """The last known link of every seat's chain."""

    def __init__(self, signed: SignedList, first: Mapping[int, bytes]) -> None:
        self._signed = signed
        self._last = {seat: (0, value) for seat, value in first.items()}

    def check(self, part: Mapping[str, Any], call: Call) -> Reveals:
        """Check who contributed to a reshuffle; list (seat, value or None) in the list's order.

        Errors: Cheated (14, 19).
        """
        rows = parts_of(part, "present")
        seats = [one.seat for one in self._signed.listed.seats]
        said = [number_of(row, "seat") for row in rows]
        demand(said == seats, 14, "the reshuffle's seats are not the listed ones")
        return [(number_of(row, "seat"), self._value_of(row, call)) for row in rows]

    def check_link(self, seat: int, value: bytes, sig: bytes | None, call: Call) -> None:
        """Check one seat's reveal for a call. Errors: Cheated(14)."""
        text = f"seat {seat} has no chain and reveals for a reshuffle"
        one = found(self._signed.find(seat), 14, text)
        known, expected = found(self._last.get(seat), 14, text)
        value_at = value
        for epoch in range(call.epoch, known, -1):
            value_at = link(value_at, hand=self._signed.hand, seat=seat, epoch=epoch)
        demand(value_at == expected, 14, f"the chain of seat {seat} does not lead to its last link")
        demand((sig is not None) == (one.pub != NO_KEY), 14, f"seat {seat}: a call's signature")
        if sig is not None:
            digest, what = again(call.digest, value), f"seat {seat}'s reveal for the reshuffle"
            demand_signed(one.pub, "again", digest, sig, check=14, what=what)

    def learn(self, reveals: Reveals, epoch: int) -> None:
        """Keep the links of an epoch that was dealt."""
        for seat, value in reveals:
            if value is not None:
                self._last[seat] = (epoch, value)

    def _value_of(self, row: Mapping[str, Any], call: Call) -> bytes | None:
        seat, value = number_of(row, "seat"), find_bytes(row, "x")
        demand(bool(row.get("present")) == (value is not None), 14, f"seat {seat}: present or not")
        if value is not None:
            self.check_link(seat, value, find_bytes(row, "sig", SIG_BYTES), call)
        return value
