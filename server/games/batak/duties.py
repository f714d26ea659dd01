"""Which cards may be played to a trick, and why another may not."""

from collections.abc import Sequence

from server.cards.card import Card, suit_of
from server.cards.tricks import best_of, higher, in_suit


def legal_cards(
    holding: Sequence[Card],
    trick: Sequence[Card],
    trump: str,
    *,
    is_broken: bool,
    beat_trump_led: bool,
) -> tuple[Card, ...]:
    """Choose the cards that may be played; never none.

    Shape:  `trick` is what lies on the table, the led card first; `is_broken` if a trump was
            played in an earlier trick.
    Source: rules.md 4.1 to 4.6.
    """
    return tuple(
        card
        for card in holding
        if _why_not(card, holding, trick, trump, is_broken, beat_trump_led) is None
    )


def find_refusal(
    card: Card,
    holding: Sequence[Card],
    trick: Sequence[Card],
    trump: str,
    *,
    is_broken: bool,
    beat_trump_led: bool,
) -> str | None:
    """Find why a card may not be played, as a refusal's code; None if it may."""
    return _why_not(card, holding, trick, trump, is_broken, beat_trump_led)


def _why_not(
    card: Card,
    holding: Sequence[Card],
    trick: Sequence[Card],
    trump: str,
    is_broken: bool,
    beat_trump_led: bool,
) -> str | None:
    if card not in holding:
        return "not_held"
    if not trick:
        trumps_alone = len(in_suit(holding, trump)) == len(holding)
        barred = suit_of(card) == trump and not is_broken and not trumps_alone
        return "trump_not_broken" if barred else None
    led, best = suit_of(trick[0]), trick[best_of(trick, trump)]
    if suited := in_suit(holding, led):
        must_beat = suit_of(best) == led and (led != trump or beat_trump_led)
        return _why_not_of_suit(card, suited, best, must_beat)
    if trumps := in_suit(holding, trump):
        return _why_not_trump(card, trumps, best, must_beat=suit_of(best) == trump)
    return None


def _why_not_of_suit(card: Card, suited: Sequence[Card], best: Card, must_beat: bool) -> str | None:
    if card not in suited:
        return "must_follow"
    beating = higher(suited, best) if must_beat else ()
    return "must_beat" if beating and card not in beating else None


def _why_not_trump(
    card: Card, trumps: Sequence[Card], best: Card, *, must_beat: bool
) -> str | None:
    if card not in trumps:
        return "must_trump"
    beating = higher(trumps, best) if must_beat else ()
    return "must_overtrump" if beating and card not in beating else None
