"""Amounts: whole micro-HT, the text that people read and write, the commission. Pure."""

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from server.errors import Refusal

MICRO_PER_HT: Final = 1_000_000
BPS: Final = 10_000
AMOUNT_MAX_MICRO: Final = 10**15
"""The largest transfer, 1 000 000 000 HT; it also keeps every product within 64 bits' reach."""

_HT = re.compile(r"(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,6}))?")


class EntryKind(IntEnum):
    """What a journal entry is."""

    SETTLE = 1
    ISSUE = 2
    WITHDRAW = 3
    ADJUST = 4
    REVERSAL = 5
    GRANT = 6


@dataclass(frozen=True, slots=True)
class Commission:
    """How the pot of a hand is parted.

    Units: micro-HT; `net_micro` is the winner's, by subtraction.
    """

    gross_micro: int
    commission_micro: int

    @property
    def net_micro(self) -> int:
        """What the winner gets."""
        return self.gross_micro - self.commission_micro


def commission_of(gross_micro: int, commission_bps: int) -> Commission:
    """Take the commission, once, on the winner's gross, rounded down.

    Errors:  ValueError if the gross is below zero or the rate not within 0 to 10 000.
    Example: commission_of(105, 1_000) keeps 10 micro-HT and leaves 95.
    """
    if gross_micro < 0 or not 0 <= commission_bps <= BPS:
        raise ValueError("a gross is zero or above, a rate 0 to 10 000")
    return Commission(gross_micro, gross_micro * commission_bps // BPS)


def ht_text(amount_micro: int) -> str:
    """Write an amount in HT as people read it: exact, trailing zeros cut, never rounded.

    Example: ht_text(50_000) is "0.05", ht_text(-1_500_000) is "-1.5".
    """
    sign = "-" if amount_micro < 0 else ""
    whole, micro = divmod(abs(amount_micro), MICRO_PER_HT)
    decimals = f".{micro:06d}".rstrip("0").rstrip(".")
    return f"{sign}{whole}{decimals}"


def micro_of(written: str) -> int:
    """Read an amount of HT as people write it; exactly what `ht_text` writes and nothing vague.

    Shape:   ASCII digits, at most six decimals after a point; no sign, space, comma or exponent.
    Errors:  Refusal `bad_amount`, also above `AMOUNT_MAX_MICRO`.
    Example: micro_of("0.05") is 50_000.
    """
    match = _HT.fullmatch(written)
    if match is None:
        raise Refusal("bad_amount", "an amount is digits with at most six decimals", "amount")
    amount = int(match[1]) * MICRO_PER_HT + int((match[2] or "").ljust(6, "0"))
    return checked(amount, least=0)


def checked(amount_micro: int, *, least: int = 1) -> int:
    """Return an amount that can be moved.

    Errors: Refusal `bad_amount` if it isn't within `least` and `AMOUNT_MAX_MICRO`.
    """
    if not least <= amount_micro <= AMOUNT_MAX_MICRO:
        raise Refusal("bad_amount", f"an amount is {least} to {AMOUNT_MAX_MICRO} micro", "amount")
    return amount_micro
