"""A card is its text: face, then `#d` for the copy from pack d >= 1."""

import re
from typing import NewType

Card = NewType("Card", str)
"""`7H`, `TD#1`, `JK`, `JK#2`: rank, suit, copy; on the wire and in the journal the same text."""

RANKS = "A23456789TJQK"
SUITS = "SHDC"
PRINTED_JOKER = "JK"

_CARD = re.compile(r"(?:[A23456789TJQK][SHDC]|JK)(?:#[1-9])?")


def parse_card(text: str) -> Card:
    """Read a card's text.

    Errors:  ValueError if `text` is not a card's text.
    Example: parse_card("7H#1") is the second pack's seven of hearts.
    """
    if _CARD.fullmatch(text) is None:
        raise ValueError(f"not a card: {text[:16]!r}")
    return Card(text)


def is_printed_joker(card: Card) -> bool:
    """Tell whether the card is one of the pack's printed jokers (wild ranks are not)."""
    return card.startswith(PRINTED_JOKER)


def face_of(card: Card) -> str:
    """Derive what is printed on the card: `7H` for `7H#1`, `JK` for `JK#2`."""
    return card[:2]


def rank_of(card: Card) -> str:
    """Derive the rank, one of `RANKS`.

    Errors: ValueError for a printed joker, which has none.
    """
    if is_printed_joker(card):
        raise ValueError("a printed joker has no rank")
    return card[0]


def suit_of(card: Card) -> str:
    """Derive the suit, one of `SUITS`.

    Errors: ValueError for a printed joker, which has none.
    """
    if is_printed_joker(card):
        raise ValueError("a printed joker has no suit")
    return card[1]


def copy_of(card: Card) -> int:
    """Derive the number of the pack that the card is from, 0 for the first."""
    return int(card[3:]) if len(card) > 2 else 0
