"""The plain reading of the seed: the first draw, a trick, what a hand brings, who deals next.

Written from the source document alone; it shares no line with the game. A team is a seat's number
modulo 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.cards.card import Card

RANKS = "23456789TJQKA"
SUITS = "SHDC"
BATCHES = (5, 4, 4)


def rank(card: Card) -> int:
    """Rank a card, the ace highest."""
    return RANKS.index(card[0])


def drawers(pack: Sequence[Card], draws: Sequence[int]) -> list[int]:
    """Order the seats by the cards that they draw, the highest first; no two cards are equal."""
    left = list(pack)
    cards = [left.pop(place) for place in draws]
    return sorted(range(4), key=lambda s: (-rank(cards[s]), SUITS.index(cards[s][1])))


def batches_of(order: Sequence[Card], chooser: int) -> list[list[list[Card]]]:
    """Deal five, four and four: the cards of each batch by seat."""
    cards, batches = list(order), []
    for size in BATCHES:
        batch: list[list[Card]] = [[], [], [], []]
        for step in range(4):
            batch[(chooser + step) % 4] = [cards.pop(0) for _ in range(size)]
        batches.append(batch)
    return batches


def may_play(holding: set[Card], trick: Sequence[Card]) -> set[Card]:
    """List what the rules allow: the suit led, or else anything."""
    suited = {card for card in holding if trick and card[1] == trick[0][1]}
    return suited or holding


def taker(trick: Sequence[tuple[int, Card]], trump: str) -> int:
    """Find the seat whose card takes the trick."""
    trumps = [(rank(card), seat) for seat, card in trick if card[1] == trump]
    suited = [(rank(card), seat) for seat, card in trick if card[1] == trick[0][1][1]]
    return max(trumps or suited)[1]


@dataclass
class Session:
    """A session's score, and the hands that a team has won in a row."""

    counting: str
    target: int
    score: list[int] = field(default_factory=lambda: [0, 0])
    row: list[int] = field(default_factory=list)

    def add(self, winner: int, callers: int, *, is_court: bool) -> int:
        """Add a hand, and say what it brought its winners."""
        table = {
            ("points", True, False): 1,
            ("points", False, False): 2,
            ("points", True, True): 3,
            ("points", False, True): 4,
            ("courts", True, True): 1,
            ("courts", False, True): 3,
        }
        gained = table.get((self.counting, winner == callers, is_court), 0)
        self.row = [] if is_court else [*self.row, winner]
        if self.row[-7:] == [winner] * 7:
            gained += 2 if self.counting == "points" else 1
            self.row = []
        self.score[winner] += gained
        return gained

    @property
    def is_over(self) -> bool:
        """Tell whether a team has reached the target."""
        return max(self.score) >= self.target


def next_dealer(dealer: int, winner: int, *, is_court: bool) -> int:
    """Derive who deals next by the table of the source."""
    if winner == dealer % 2:
        return (dealer + 1) % 4
    return (dealer + 2) % 4 if is_court else dealer
