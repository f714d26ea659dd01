"""The search against the slow count, on holdings of every awkward kind."""

import random
from collections.abc import Callable

import pytest

from server.cards.card import RANKS, SUITS, Card, is_printed_joker
from server.cards.pack import Pack
from server.games.rummy.melds import best, points_of_rank
from server.games.rummy.scoring import count, kinds_of
from tests.games.rummy.oracle import is_pure, is_run, is_set, slow_points

Deal = Callable[[random.Random, tuple[Card, ...]], list[Card]]


def _any(chance: random.Random, cards: tuple[Card, ...]) -> list[Card]:
    return list(cards)


def _few_ranks(chance: random.Random, cards: tuple[Card, ...]) -> list[Card]:
    lowest = chance.randrange(-1, 10)
    ranks = {RANKS[rank % 13] for rank in range(lowest, lowest + 5)}
    return [card for card in cards if is_printed_joker(card) or card[0] in ranks]


def _two_suits(chance: random.Random, cards: tuple[Card, ...]) -> list[Card]:
    suits = chance.sample(SUITS, 2)
    return [card for card in cards if is_printed_joker(card) or card[1] in suits]


def _holding(
    chance: random.Random, packs: int, size: int, pool: Deal
) -> tuple[list[Card], str | None]:
    cards = Pack(packs, packs).cards
    turned = chance.choice(cards)
    wild = None if is_printed_joker(turned) else turned[0]
    hand = chance.sample(pool(chance, cards), size)
    if chance.random() < 0.3:
        jokers = [c for c in cards if (is_printed_joker(c) or c[0] == wild) and c not in hand]
        extra = chance.sample(jokers, min(len(jokers), chance.randrange(1, 5)))
        hand[: len(extra)] = extra
    return hand, wild


@pytest.mark.parametrize("pool", [_any, _few_ranks, _two_suits])
@pytest.mark.parametrize(
    ("packs", "size", "hands"),
    [(2, 7, 300), (3, 8, 250), (2, 9, 150), (3, 10, 60), (2, 13, 25), (3, 13, 25)],
)
def test_6_6_the_search_counts_as_the_definition_does(
    packs: int, size: int, hands: int, pool: Deal
) -> None:
    chance = random.Random(f"{packs} {size} {pool.__name__}")
    for _ in range(hands):
        hand, wild = _holding(chance, packs, size, pool)
        counted = count(hand, wild)
        assert (counted.points, counted.can_declare) == slow_points(hand, wild), (hand, wild)


@pytest.mark.parametrize("pool", [_any, _few_ranks, _two_suits])
@pytest.mark.parametrize("packs", [2, 3])
def test_6_7_an_arrangement_shown_is_one_by_the_rules(packs: int, pool: Deal) -> None:
    chance = random.Random(f"arrangement {packs} {pool.__name__}")
    for _ in range(1500):
        hand, wild = _holding(chance, packs, 13, pool)
        counted = count(hand, wild)
        faces = [[card[:2] for card in group] for group in counted.groups]
        assert sorted([c for group in counted.groups for c in group] + [*counted.loose]) == sorted(
            hand
        )
        assert all(is_run(group, wild) or is_set(group, wild) for group in faces), (hand, wild)
        runs = sum(is_run(group, wild) for group in faces)
        if counted.case == "two_sequences":
            assert is_pure(faces[0])
            assert runs >= 2
        else:
            assert [is_pure(group) for group in faces] == [True] * (counted.case == "pure_only")
        if counted.can_declare:
            assert counted.loose == ()


def test_6_6_the_kinds_of_a_group_are_those_of_the_definition() -> None:
    chance = random.Random("kinds")
    for _ in range(6000):
        pool = chance.choice([_few_ranks, _two_suits])
        hand, wild = _holding(chance, 3, chance.randrange(2, 6), pool)
        faces = [card[:2] for card in hand]
        run = len(faces) > 2 and is_run(faces, wild)
        expected = {
            "seq": run,
            "set": is_set(faces, wild),
            "pure": len(faces) > 2 and is_pure(faces),
        }
        assert kinds_of(hand, wild) == {kind for kind, holds in expected.items() if holds}


def test_6_6_one_card_more_never_costs_more_than_itself() -> None:
    chance = random.Random("fourteen")
    for _ in range(1000):
        hand, wild = _holding(chance, 2, 14, _any)
        without = min(best(hand[:i] + hand[i + 1 :], wild).points for i in range(14))
        assert without <= best(hand, wild).points


def test_6_6_the_order_of_the_cards_does_not_matter() -> None:
    chance = random.Random("order")
    for _ in range(500):
        hand, wild = _holding(chance, 3, 13, _two_suits)
        assert best(hand, wild).points == best(chance.sample(hand, 13), wild).points


def test_6_1_values() -> None:
    assert [points_of_rank(rank) for rank in RANKS] == [10, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_5_2_thirteen_jokers_cost_nothing_and_are_no_declare() -> None:
    hand = [Card(f"9{suit}{copy}") for suit in SUITS for copy in ("", "#1", "#2")][1:]
    hand += [Card("JK"), Card("JK#1")]
    counted = count(hand, "9")
    assert len(hand) == 13
    assert (counted.points, counted.case, counted.can_declare) == (0, "none", False)


def test_4_5_three_jokers_alone_are_the_second_sequence() -> None:
    nines = [Card(f"9{suit}{copy}") for suit in SUITS for copy in ("", "#1", "#2")]
    hand = [Card("4S"), Card("5S"), Card("6S"), *nines[2:]]
    counted = count(hand, "9")
    assert (counted.points, counted.case, counted.can_declare) == (0, "two_sequences", True)
    assert [len(group) for group in counted.groups] == [3, 10]


def test_2_high_aces_reach_down_to_the_ten() -> None:
    """T-J and the ace, two jokers for Q and K: nothing else can take these three."""
    text = "4S 5S 6S TH JH AH JK JK#1 2D 2D#1 7C 7C#1 9S"
    hand = [Card(card) for card in text.split()]
    counted = count(hand, "3")
    assert counted.points == 2 + 2 + 7 + 7 + 9
    assert ("TH", "JH", "JK", "JK#1", "AH") in counted.groups


def test_a_text_that_is_no_card_is_an_error() -> None:
    with pytest.raises(KeyError):
        best([Card("1S")], None)


def test_a_face_that_no_table_has_so_often_is_an_error() -> None:
    with pytest.raises(ValueError, match="4 packs"):
        count([Card("7S")] * 4, None)
