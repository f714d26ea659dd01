"""The policy of Seep takes points and leaves little, and its follower notices a lie."""

from random import Random

import pytest

from server.bots.evidence import Cheated
from server.bots.opening_checks import Place
from server.bots.public import Gift
from server.bots.seep import Sight, choose, worth_weighing
from server.bots.seep_hand import SeepHand
from server.cards.card import Card
from server.cards.game import Seat
from server.games import GAMES
from server.games.seep.captures import Floor, House
from server.games.seep.moves import Bid, Build, Move, Play, Raise, Take, Throw
from server.games.seep.options import PACK, Options
from server.games.seep.scoring import card_points
from server.games.seep.turns import Position, plays
from tests.bots.matches import Company
from tests.games.seep.table import cards, house, order_of

CROWDED = "6S 6H 6D 6C KS QS JS TS 9S 8S 7S 5S 4S 3S 2S AS"
"""As many loose cards as can come together, and more than a thousand ways to play on them."""


def sight(
    hand: str, loose: str = "", *houses: House, seen: str = "", due: int = 0, play_no: int = 10
) -> Sight:
    """Describe a decision of seat 0; what it has not seen the others hold."""
    own, floor = cards(hand), Floor(cards(loose), houses)
    out = {*own, *floor.cards, *cards(seen)}
    unseen = frozenset(card for card in PACK.cards if card not in out)
    return Sight(
        position=Position(Seat(0), own, floor, due=due),
        bids=(),
        unseen=unseen,
        counts=dict.fromkeys(range(4), len(own)),
        play_no=play_no,
    )


def chosen(seen: Sight, *, careless: bool = False) -> set[Move]:
    """Choose with several generators."""
    return {choose(seen, Random(seed), is_careless=careless) for seed in range(12)}


def test_programs_beat_random_players_clearly() -> None:
    game, won, lead, hands, matches = GAMES["seep"], 0, 0, 0, 10
    for seed in range(matches):
        ours = {0, 2} if seed % 2 == 0 else {1, 3}
        company = Company(game, Options(), seed, random_seats=set(range(4)) - ours)
        played = company.play()
        won += set(played.hands[-1].champions) == ours
        lead += played.points_of(min(ours)) - played.points_of(1 - min(ours))
        hands += len(played.hands)
    assert won >= 8
    assert lead > 50 * hands


def test_the_bid_is_the_value_held_most_often_else_the_highest() -> None:
    bidding = SeepHand(Options(), range(4), 3, 0)
    gifts = bidding.deal(())
    for gift, card in zip(gifts, ["9H", "9D", "KD", "5C"], strict=True):
        bidding.seen(gift, Card(card))
    assert chosen(bidding.sight()) == {Bid(9)}
    bidding.holding[1] = Card("TD")
    assert chosen(bidding.sight()) == {Bid(13)}


def test_points_are_taken_rather_than_left() -> None:
    assert chosen(sight("KH 2C 4D", "KS 7C")) == {Take(Card("KH"), cards("KS"))}
    assert chosen(sight("9H 9S 2C", "9D QC")) <= {
        Take(Card("9S"), cards("9D")),
        Build(9, Card("9S"), cards("9D")),
    }


def test_a_seep_is_taken() -> None:
    assert chosen(sight("9H 2C KS", "5D 4C")) == {Take(Card("9H"), cards("5D 4C"))}


def test_a_dear_spade_is_not_thrown_where_a_poor_card_will_do() -> None:
    assert not {Throw(Card("JS")), Throw(Card("TD"))} & chosen(sight("JS TD 6C 4D", "QH KD"))


def test_nothing_is_laid_that_a_house_owner_would_take_along() -> None:
    """Seat 1 keeps a nine for its house: 5 and 4 would go with it; sixes and jacks are gone."""
    theirs, gone = house(9, "6C 3C", 1), "6H 6D JS JH JD JC"
    assert chosen(sight("4S 6S", "5C KD", theirs, seen=gone)) == {Throw(Card("6S"))}
    assert Throw(Card("4S")) in chosen(sight("4S 6S", "5C KD", seen=gone + " 9S 9H 9D 9C"))


def test_the_first_play_serves_the_bid() -> None:
    for move in chosen(sight("TC 3H QC", "7D 9S", due=10, play_no=1)):
        assert move == Build(10, Card("3H"), cards("7D"))


def test_a_careless_player_makes_other_plays_too() -> None:
    assert len(chosen(sight("KH 2C 4D 6H 8H QD", "KC 7C"), careless=True)) > 1


# --- what the follower refuses

HANDS = {
    0: "QC QS 3C 9H 5S 5C 8S 9C 6D AH 6S 9S",
    1: "KD QH 7D TS 6C 7H TD TH 4C JD 4D 3S",
    2: "JH AD 7S 8H 2D 2C AS 8C JC 2S 3H 7C",
    3: "KS JS 8D 5D 4S 4H 9D AC QD KH TC 2H",
}
FLOOR = "3D KC 6H 5H"


def following(me: int | None = 0, toss: tuple[int, ...] = ()) -> SeepHand:
    """Follow a hand whose dealer is seat 3, up to the four cards of seat 0."""
    hand = SeepHand(Options(), range(4), None if toss else 3, me)
    _give(hand, hand.deal(toss))
    return hand


def _give(hand: SeepHand, gifts: tuple[Gift, ...]) -> None:
    order = order_of(HANDS, FLOOR, 3)
    for gift in gifts:
        if gift.seat in (None, hand.me):
            hand.seen(gift, order[gift.place.position])


def follow(hand: SeepHand, *lines: str) -> SeepHand:
    for line in lines:
        _give(hand, hand.line(line))
    return hand


def test_the_bid_gives_the_floor_to_all_and_the_rest_to_its_seats() -> None:
    hand = following()
    gifts = hand.line("0 bid 12")
    assert gifts[:4] == tuple(Gift(None, Place(0, position)) for position in range(4, 8))
    assert sorted(gift.place.position for gift in gifts[4:]) == list(range(8, 52))
    assert [sum(gift.seat == seat for gift in gifts) for seat in range(4)] == [8, 12, 12, 12]


@pytest.mark.parametrize("me", [0, 1, 2, 3, None])
def test_a_hand_is_followed_from_every_place(me: int | None) -> None:
    hand = follow(
        following(me),
        "0 bid 12",
        "2 leave",
        "0 build 12 3C 3D,6H",
        "1 build 12 7D 5H",
        "2 back",
        "2 throw JH",
        "auto 3 take KS KC",
        "0 take QS 3C,3D,6H,7D,5H",
    )
    assert [hand.may_act(seat) for seat in range(4)] == [False, True, False, False]
    assert hand.floor.loose == cards("JH")
    assert hand.counts == {0: 10, 1: 11, 2: 11, 3: 11}


BEFORE = ("0 bid 12", "0 build 12 3C 3D,6H")


@pytest.mark.parametrize(
    ("lines", "check"),
    [
        (["1 bid 12"], 18),
        (["0 bid 13"], 18),  # it holds no king
        (["0 throw QC"], 18),
        (["0 bid 12", "0 bid 12"], 18),
        (["0 bid 12", "0 throw QC"], 18),  # a house can be built
        (["0 bid 12", "0 build 12 3H 3D,6H"], 18),  # it does not hold that card
        (["0 bid 12", "0 build 9 3C 6H"], 18),
        (["0 bid 12", "0 build 12 3C"], 18),  # the cards are not named
        ([*BEFORE, "2 throw JH"], 18),
        ([*BEFORE, "1 throw 3C"], 13),
        ([*BEFORE, "1 throw 9S"], 13),
        ([*BEFORE, "1 throw QH"], 18),  # it could take
        ([*BEFORE, "1 throw KD"], 18),
        ([*BEFORE, "1 take QH 3C,3D"], 18),
        ([*BEFORE, "1 take TS 5H"], 18),
        ([*BEFORE, "1 raise 12 2C"], 18),
        ([*BEFORE, "1 raise 11 2C"], 18),
        ([*BEFORE, "1 build 13 7D 5H"], 18),
        ([*BEFORE, "auto 1"], 18),
        ([*BEFORE, "1 draw closed"], 18),
        (["2 leave", "2 leave"], 18),
        (["4 leave"], 18),
    ],
)
def test_a_line_that_can_not_be_is_noticed_at_once(lines: list[str], check: int) -> None:
    hand = follow(following(), *lines[:-1])
    with pytest.raises(Cheated) as caught:
        hand.line(lines[-1])
    assert caught.value.check == check


def test_another_seats_first_throw_is_a_card_of_the_bid() -> None:
    hand = follow(following(1), "0 bid 12")
    with pytest.raises(Cheated, match="first play throws"):
        hand.line("0 throw 9S")


@pytest.mark.parametrize("toss", [(4,), (-1,), (0, 1), ("0",), (1.0,), (True,), ()])
def test_a_wrong_toss_is_noticed(toss: tuple[int, ...]) -> None:
    with pytest.raises(Cheated) as caught:
        SeepHand(Options(), range(4), None, 0).deal(toss)
    assert caught.value.check == 17
    with pytest.raises(Cheated) as caught:
        SeepHand(Options(), range(4), 3, 0).deal((0,))
    assert caught.value.check == 17


def test_the_toss_names_the_dealer() -> None:
    hand = following(0, (3,))
    assert (hand.dealer, hand.acting) == (3, 0)


def test_a_hand_of_three_seats_is_none() -> None:
    with pytest.raises(Cheated) as caught:
        SeepHand(Options(), range(3), 0, 0).deal(())
    assert caught.value.check == 17


def test_a_reshuffle_is_noticed() -> None:
    for step in (lambda: following().call(), lambda: following().reshuffled(1)):
        with pytest.raises(Cheated) as caught:
            step()
        assert caught.value.check == 14


def test_of_many_choices_a_program_weighs_the_dearest_few() -> None:
    asked = sight("AH 2H 3H 4H KH QH JH TH 9H 5H", CROWDED).position
    legal = list(plays(asked))
    few = worth_weighing(legal)
    assert len(legal) > 1_000
    assert len(few) < 150
    assert set(few) <= set(legal)
    assert {_way(play) for play in few} == {_way(play) for play in legal}
    for way in {_way(play) for play in legal}:
        dearest = max(_points(play) for play in legal if _way(play) == way)
        assert dearest in {_points(play) for play in few if _way(play) == way}


def test_where_few_choices_are_all_are_weighed_in_their_order() -> None:
    asked = sight("JS KS 9D QC", "2H 3D 5C 6S", house(9, "5H 4C", 1)).position
    legal = list(plays(asked))
    assert worth_weighing(legal) == legal


def _way(play: Play) -> tuple[str, str, int]:
    house_of = play.value if isinstance(play, Build) else 0
    return (play.name, play.card, play.house if isinstance(play, Raise) else house_of)


def _points(play: Play) -> int:
    return card_points(getattr(play, "cards", None) or ())
