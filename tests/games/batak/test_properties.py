"""What holds for any holding, any trick, any auction."""

from hypothesis import given, settings
from hypothesis import strategies as st

from server.cards.card import Card, suit_of
from server.cards.game import Seat
from server.cards.pack import Pack
from server.cards.tricks import best_of, in_suit
from server.games.batak.bids import (
    FORCED,
    LEAST,
    MOST,
    PASS,
    Call,
    contract_of,
    find_caller,
    may_bid,
)
from server.games.batak.duties import find_refusal, legal_cards

CARDS = st.permutations(Pack(1, 0).cards)
SUITS = st.sampled_from("SHDC")


def _beats(card: Card, trick: list[Card], trump: str) -> bool:
    return best_of([*trick, card], trump) == len(trick)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(CARDS, SUITS, st.integers(1, 3), st.integers(1, 13), st.booleans())
def test_legal_cards_beat_all_or_none_and_no_beating_card_is_refused_beside_them(
    pack: list[Card], trump: str, lying: int, held: int, is_broken: bool
) -> None:
    """With the suit or a trump: never both a legal beat and a refused one."""
    trick, holding = pack[:lying], pack[lying : lying + held]
    legal = legal_cards(holding, trick, trump, is_broken=is_broken, beat_trump_led=True)
    assert legal
    beating = {card for card in legal if _beats(card, trick, trump)}
    assert beating in (set(), set(legal))
    if beating and len(legal) < held:
        same = in_suit(holding, suit_of(legal[0]))
        assert {card for card in same if _beats(card, trick, trump)} == beating


@settings(derandomize=True, max_examples=150, deadline=None)
@given(CARDS, SUITS, st.integers(0, 3), st.integers(1, 13), st.booleans(), st.booleans())
def test_a_card_is_legal_or_has_a_refusal(
    pack: list[Card], trump: str, lying: int, held: int, is_broken: bool, beats: bool
) -> None:
    trick, holding = pack[:lying], pack[lying : lying + held]
    rules = {"is_broken": is_broken, "beat_trump_led": beats}
    legal = legal_cards(holding, trick, trump, **rules)
    for card in pack:
        refusal = find_refusal(card, holding, trick, trump, **rules)
        assert (refusal is None) == (card in legal)
        assert (refusal == "not_held") == (card not in holding)
    suits = {suit_of(card) for card in legal}
    if trick and in_suit(holding, suit_of(trick[0])):
        assert suits == {suit_of(trick[0])}
    elif trick and in_suit(holding, trump):
        assert suits == {trump}
    elif not trick and not is_broken and len(suits) > 1:
        assert trump not in suits


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.integers(0, 3), st.booleans(), st.lists(st.integers(0, 8), min_size=60, max_size=60))
def test_every_auction_ends_with_one_who_must_play(
    dealer: int, single_round: bool, wishes: list[int]
) -> None:
    """A wish picks from what may be called: mostly a pass, else a bid by its place."""
    calls: list[Call] = []
    passed: set[Seat] = set()
    while (seat := find_caller(Seat(dealer), calls, single_round=single_round)) is not None:
        assert seat not in passed
        bids = may_bid(calls)
        wish = wishes[len(calls)]
        tricks = bids[wish % len(bids)] if wish < 4 else PASS
        passed |= {seat} if tricks == PASS else set()
        calls.append(Call(seat, tricks))
    won = contract_of(Seat(dealer), calls)
    bids_made = [call.tricks for call in calls if call.tricks != PASS]
    assert bids_made == sorted(set(bids_made))
    if won.is_forced:
        assert (won.seat, won.tricks) == (dealer, FORCED)
        assert not bids_made
    else:
        assert won.tricks == bids_made[-1]
        assert LEAST <= won.tricks <= MOST
        assert won.seat not in passed
