"""The plain reading of the seed: which cards may be played, who takes a trick, what a hand counts.

Written from the source document alone; it shares no line with the game.
"""

from collections.abc import Sequence

from server.cards.card import Card

RANKS = "23456789TJQKA"


def rank(card: Card) -> int:
    """Rank a card, the ace highest."""
    return RANKS.index(card[0])


def may_play(
    holding: Sequence[Card], trick: Sequence[Card], trump: str, *, is_broken: bool
) -> set[Card]:
    """List what the rules allow, as the source's bullets say it one after another."""
    trumps = {card for card in holding if card[1] == trump}
    others = set(holding) - trumps
    if not trick:
        return set(holding) if is_broken or not others else others
    led = trick[0][1]
    suited = {card for card in holding if card[1] == led}
    lying = [rank(card) for card in trick if card[1] == led]
    lying_trumps = [rank(card) for card in trick if card[1] == trump]
    if suited:
        was_trumped = led != trump and bool(lying_trumps)
        higher = {card for card in suited if rank(card) > max(lying)}
        return suited if was_trumped or not higher else higher
    if trumps:
        return {card for card in trumps if rank(card) > max(lying_trumps, default=-1)} or trumps
    return others


def taker(trick: Sequence[tuple[int, Card]], trump: str) -> int:
    """Find the seat whose card takes the trick."""
    trumps = [(rank(card), seat) for seat, card in trick if card[1] == trump]
    suited = [(rank(card), seat) for seat, card in trick if card[1] == trick[0][1][1]]
    return max(trumps or suited)[1]


def points(bidder: int, bid: int, taken: Sequence[int]) -> list[int]:
    """Count a hand: who meets its duty has ten times that and one for each trick more."""
    duties = [bid if seat == bidder else 1 for seat in range(4)]
    return [
        10 * duty + (tricks - duty) if tricks >= duty else -10 * duty
        for duty, tricks in zip(duties, taken, strict=True)
    ]
