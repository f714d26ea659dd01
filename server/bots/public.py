"""What a client must know of a game to check its deal: who gets which position, and when."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from server.bots.opening_checks import Place
from server.cards.card import Card


@dataclass(frozen=True, slots=True)
class Gift:
    """The card at `place` is given to `seat`, or turned up for all (None)."""

    seat: int | None
    place: Place


class PublicHand(Protocol):
    """A hand as its public lines tell it to one seat, or to a spectator.

    Every method raises `Cheated` (12, 15 or 18) for what the rules don't allow.
    """

    def deal(self, toss: tuple[int, ...]) -> tuple[Gift, ...]:
        """Say which positions the first deal gives, and to whom, in the order of dealing."""

    def line(self, line: str) -> tuple[Gift, ...]:
        """Follow one line of the transcript and say what it gives."""

    def seen(self, gift: Gift, card: Card) -> None:
        """Learn a card that was turned up for all, or given to the seat that watches."""

    def may_act(self, seat: int) -> bool:
        """Tell whether the seat has a decision to make, by what is public."""

    def call(self) -> tuple[Card, ...]:
        """List the cards of a reshuffle, in public order; none may be due now: then Cheated."""

    def reshuffled(self, epoch: int) -> None:
        """Take the called cards as the new closed pile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """What is known of a hand when its list is signed.

    Shape: `options` are the game's, `pack_size` cards, `seats` those listed, ascending; `dealer`
           is None if the toss decides; `me` is the seat that watches, None for a spectator;
           `memo` is the game's own text of the match so far.
    """

    options: Any
    pack_size: int
    seats: tuple[int, ...]
    dealer: int | None
    me: int | None
    memo: str = ""


@dataclass(frozen=True, slots=True)
class Program:
    """How a client follows a game and how a program plays it; each game's hand file has one.

    Shape: `play` chooses a move by what a seat has followed of a hand; carelessly, if True.
    """

    follow: Callable[[Begun], PublicHand]
    play: Callable[[Any, Random, bool], Any]
