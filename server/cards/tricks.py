"""Tricks: who wins one, and which cards may be played to it. The ace is high.

Known to the games where a card is led and the others follow; each game says which duties it has.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from server.cards.card import SUITS, Card, rank_of, suit_of
from server.cards.game import Seat

TrumpSuit = Literal["S", "H", "D", "C"]

TRUMP_SUITS: Final[tuple[TrumpSuit, ...]] = ("S", "H", "D", "C")
SEATS: Final = 4
HAND_CARDS: Final = 13

_RANKS: Final = "23456789TJQKA"


class PlayedCard(NamedTuple):
    """A card on the table and who played it."""

    seat: Seat
    card: Card


class Trick(NamedTuple):
    """A trick that was taken."""

    winner: Seat
    cards: tuple[PlayedCard, ...]


def strength(card: Card) -> int:
    """Rank a card within its suit, 0 for the two and 12 for the ace."""
    return _RANKS.index(rank_of(card))


def in_suit(cards: Iterable[Card], suit: str) -> tuple[Card, ...]:
    """Choose the cards of a suit."""
    return tuple(card for card in cards if suit_of(card) == suit)


def higher(cards: Iterable[Card], least: Card) -> tuple[Card, ...]:
    """Choose the cards that are higher than `least` in rank."""
    return tuple(card for card in cards if strength(card) > strength(least))


def best_of(trick: Sequence[Card], trump: str) -> int:
    """Find which card of a trick is winning it, by its place.

    Shape:   at least one card; the first was led.
    Example: best_of(["TH", "KH", "2S", "AH"], "S") == 2
    """
    led = suit_of(trick[0])
    return max(range(len(trick)), key=lambda place: _worth(trick[place], led, trump))


def seat_after(seat: Seat) -> Seat:
    """Derive the next of four seats in playing order."""
    return Seat((seat + 1) % SEATS)


def seats_from(seat: Seat) -> tuple[Seat, ...]:
    """List the four seats in playing order, beginning with one."""
    return tuple(Seat((seat + step) % SEATS) for step in range(SEATS))


def following(holding: Sequence[Card], trick: Sequence[Card]) -> tuple[Card, ...]:
    """Choose what may be played where one follows suit and has no other duty."""
    return (in_suit(holding, suit_of(trick[0])) if trick else ()) or tuple(holding)


def lowest(cards: Iterable[Card], trump: str) -> Card:
    """Choose the card that gives least away: no trump, then the rank, then the suit S H D C."""
    return min(cards, key=lambda c: (suit_of(c) == trump, strength(c), SUITS.index(suit_of(c))))


def longest_suit(cards: Iterable[Card]) -> TrumpSuit:
    """Choose the suit with most cards, of equal ones the first of S H D C."""
    held = list(cards)
    return max(TRUMP_SUITS, key=lambda suit: len(in_suit(held, suit)))


def suit_named(name: str) -> TrumpSuit:
    """Take a suit's letter as a trump suit. Errors: ValueError if there is no such suit."""
    return TRUMP_SUITS[TRUMP_SUITS.index(name)]


def _worth(card: Card, led: str, trump: str) -> tuple[bool, bool, int]:
    return suit_of(card) == trump, suit_of(card) == led, strength(card)
