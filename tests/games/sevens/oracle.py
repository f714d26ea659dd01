"""Badam Satti and Sevens read plainly from their source, sharing nothing with the game but text.

What lies on the table is a set of cards; everything else is asked of it anew each time.
"""

from collections.abc import Collection, Sequence

ORDER = "A23456789TJQK"
SUITS = "SHCD"


def deal(pack: Sequence[str], players: int, dealer: int) -> list[list[str]]:
    """Deal one card at a time, first to the player at the dealer's left, until none is left."""
    hands: list[list[str]] = [[] for _ in range(players)]
    at = dealer
    for card in pack:
        at = (at + 1) % players
        hands[at].append(card)
    return hands


def may_lay(card: str, table: Collection[str], opener: str) -> bool:
    """Say whether a card may be laid.

    A seven opens its suit; any other lies next to a card of its suit that is on the side of the
    seven. The opener comes before all else.
    """
    if not table:
        return card == opener
    place, suit = ORDER.index(card[0]), card[1]
    seven = ORDER.index("7")
    if place == seven:
        return True
    beside = place - 1 if place > seven else place + 1
    return ORDER[beside] + suit in table


def by_clock(cards: Collection[str]) -> str:
    """Choose the lowest card: spades, hearts, clubs, diamonds, and then by rank."""
    return next(rank + suit for suit in SUITS for rank in ORDER if rank + suit in cards)


def count(cards: Collection[str]) -> int:
    """Count cards left over: ace 1, numbers their own, pictures 10."""
    return sum({"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(c[0]) or int(c[0]) for c in cards)


class Chips:
    """Chips as they change hands: into the middle, and out of it to the winner."""

    def __init__(self, players: int) -> None:
        self.own = [0] * players
        self.middle = 0

    def pay(self, player: int) -> None:
        """Put one chip into the middle."""
        self.own[player] -= 1
        self.middle += 1

    def win(self, winner: int, left: Sequence[int]) -> None:
        """Give the winner the middle, and a chip of each player for each card it has left."""
        for player, cards in enumerate(left):
            self.own[player] -= cards
            self.own[winner] += cards
        self.own[winner] += self.middle
        self.middle = 0
