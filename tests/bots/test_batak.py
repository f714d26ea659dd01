"""The policy of Batak counts its tricks and wastes none; its follower notices a lie."""

from random import Random

import pytest

from server.bots.batak import BidSight, call, play
from server.bots.batak_hand import BatakHand
from server.bots.evidence import Cheated
from server.bots.opening_checks import Place
from server.bots.public import Gift
from server.bots.tricks import TrickSight
from server.cards.card import Card
from server.games import GAMES
from server.games.batak.moves import Bid, NameTrump, Pass
from server.games.batak.options import Options
from tests.bots.matches import Company
from tests.games.batak.table import SUITS_EACH
from tests.games.tricks import cards

STRONG = "AS KS QS JS TS 9S AH KH 2H AD 3D 4C 2C"
WEAK = "9S 8S 7S TH 8H 6H 5H JD 9D 7D 8C 6C 4C"


def bid(hand: str, *, least: int = 5, naming: bool = False) -> Bid | Pass | NameTrump:
    may_bid = () if naming else tuple(range(least, 14))
    sight = BidSight(hand=cards(hand), may_bid=may_bid, is_naming=naming)
    return call(sight, Random(1))


def test_a_program_beats_random_players_clearly() -> None:
    game, won, matches = GAMES["batak"], 0, 4
    for seed in range(matches):
        played = Company(game, Options(), seed, random_seats=(1, 2, 3)).play()
        won += played.hands[-1].champions == (0,)
    assert won >= matches - 1


def test_programs_make_most_of_what_they_bid() -> None:
    game, made, bids = GAMES["batak"], 0, 0
    for seed in range(2):
        for hand in Company(game, Options(), seed).play().hands:
            best = max(points for _, points in hand.points)
            bids += 1
            made += best >= 40
    assert made >= bids * 3 // 4


def test_a_strong_hand_is_bid_as_far_as_it_goes_and_a_weak_one_passed() -> None:
    assert bid(STRONG) == Bid(5)
    assert bid(STRONG, least=8) == Bid(8)
    assert bid(STRONG, least=13) == Pass()
    assert bid(WEAK) == Pass()


def test_the_best_suit_is_named() -> None:
    assert bid(STRONG, naming=True) == NameTrump("S")
    assert bid("2C 3C 4C 5C 6C AS AH KD 2D 3D 4H 5H 6S", naming=True) == NameTrump("C")


def sight_of(follower: BatakHand) -> TrickSight:
    sight = follower.sight()
    assert isinstance(sight, TrickSight)
    return sight


def following(hand: str, *lines: str, me: int | None = 0, dealer: int = 3) -> BatakHand:
    """Follow a hand from seat `me`, which holds `hand`."""
    follower = BatakHand(Options(), range(4), dealer, me)
    gifts = [gift for gift in follower.deal(()) if gift.seat == me]
    if me is not None:
        for gift, card in zip(gifts, cards(hand), strict=True):
            follower.seen(gift, card)
    for line in lines:
        follower.line(line)
    return follower


OWN = "AS KS 2S 3S AH KH 2H AD QD 2D 5C 6C 7C"
WON = ("0 bid 5", "1 pass", "2 pass", "auto 3 pass", "0 trump S")


def test_a_boss_is_led_that_nobody_can_trump() -> None:
    follower = following(OWN, *WON)
    assert play(sight_of(follower), Random(1)).card in cards("AH AD")


def test_a_trick_is_won_with_the_cheapest_card_that_holds_it() -> None:
    hand = "QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S TS JS"
    lines = ("1 bid 5", "2 pass", "3 pass", "0 pass", "1 trump D", "1 play 3H", "2 play 4H")
    follower = following(hand, *lines, "3 play 5H", me=0, dealer=0)
    assert play(sight_of(follower), Random(1)).card == "QH"


def test_a_small_trump_is_enough_where_the_others_may_have_the_suit() -> None:
    hand = "AS KS 2S 2D 3D 4D 5D 6D 7D 8D 9D TD JD"
    lines = ("1 bid 5", "2 pass", "3 pass", "0 pass", "1 trump S", "1 play 3H", "2 play 4H")
    assert play(sight_of(following(hand, *lines, "3 play 5H", dealer=0)), Random(1)).card == "2S"
    second = ("3 bid 5", "0 pass", "1 pass", "2 pass", "3 trump S", "3 play 3H")
    assert play(sight_of(following(hand, *second, dealer=2)), Random(1)).card == "2S"


def test_a_careless_player_plays_other_cards_too() -> None:
    sight = sight_of(following(OWN, *WON))
    assert len({play(sight, Random(seed), is_careless=True).card for seed in range(30)}) > 2


# --- what the follower refuses


@pytest.mark.parametrize(
    ("lines", "check"),
    [
        (["1 bid 5"], 18),
        (["0 play AS"], 18),
        (["0 trump S"], 18),
        (["0 bid 6", "1 bid 6"], 18),
        (["0 bid 13", "1 pass"], 18),
        (["hello"], 18),
        (["auto 0"], 18),
        ([*WON, "0 pass"], 18),
        ([*WON, "0 trump H"], 18),
        ([*WON, "0 play AS"], 18),  # trump is not broken
        ([*WON, "0 play 9H"], 18),  # not held
        ([*WON, "0 play 2H", "1 play AS"], 13),  # this seat holds it
        ([*WON, "0 play 2H", "1 play 2H"], 13),
        ([*WON, "0 play 2H", "2 play 3H"], 18),
        # seat 1 did not beat the deuce, so it has no higher heart
        ([*WON, "0 play 2H", "1 play 3D", "2 play 3H", "3 play 4H", "3 play 5H", "0 play KH",
          "1 play 6H"], 18),
        (["1 leave", "1 leave"], 18),
    ],
)  # fmt: skip
def test_a_line_that_may_not_be_is_noticed(lines: list[str], check: int) -> None:
    with pytest.raises(Cheated) as caught:
        following(OWN, *lines)
    assert caught.value.check == check


def test_a_leaver_and_a_return_change_nothing() -> None:
    follower = following(OWN, "1 leave", "0 bid 5", "1 back", "1 leave")
    assert follower.may_act(1)


def test_the_toss_is_one_seat_and_only_where_no_dealer_is_fixed() -> None:
    for dealer, toss in ((None, ()), (None, (4,)), (None, (1.0,)), (None, (1, 2)), (2, (1,))):
        with pytest.raises(Cheated) as caught:
            BatakHand(Options(), range(4), dealer, None).deal(toss)  # type: ignore[arg-type]  # hostile
        assert caught.value.check == 17
    with pytest.raises(Cheated):
        BatakHand(Options(), range(3), 1, None).deal(())
    gifts = BatakHand(Options(), range(4), None, None).deal((2,))
    assert gifts[0] == Gift(3, Place(0, 0))
    assert len(gifts) == 52


def test_nothing_is_shuffled_again() -> None:
    follower = following(OWN)
    for asked in (follower.call, lambda: follower.reshuffled(1)):
        with pytest.raises(Cheated) as caught:
            asked()
        assert caught.value.check == 14


def test_a_spectator_follows_a_whole_hand_and_nothing_after_it() -> None:
    follower = following("", *WON, me=None)
    rows = [hand.split()[::-1] for hand in SUITS_EACH]
    for played in zip(*rows, strict=True):
        for seat, card in enumerate(played):
            follower.line(f"{seat} play {card}")
    assert not any(follower.may_act(seat) for seat in range(4))
    assert follower.table.taken(0) == 13
    with pytest.raises(Cheated):
        follower.line("0 leave")
    assert Card("AS") in follower.table.played
