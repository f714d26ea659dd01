"""The policy of Badam Satti and Sevens keeps others waiting, and its follower notices a lie."""

from collections.abc import Mapping
from random import Random

import pytest

from server.bots.evidence import Cheated
from server.bots.opening_checks import Place
from server.bots.public import Gift
from server.bots.sevens import Sight, choose
from server.bots.sevens_hand import SevensHand
from server.cards.card import Card
from server.games import GAMES
from server.games.sevens.lines import Line, fitting
from server.games.sevens.moves import Pass, Play
from server.games.sevens.options import BadamSattiOptions, SevensOptions
from tests.bots.matches import Company


def chosen(
    hand: str, *lines: str, counts: Mapping[int, int] | None = None, careless: bool = False
) -> set[str]:
    """Choose with several generators; `lines` are like `5H-9H`."""
    table = tuple(Line(Card(line[:2]), Card(line[3:])) for line in lines)
    cards = tuple(Card(card) for card in hand.split())
    sight = Sight(
        hand=cards,
        may_play=tuple(card for card in cards if card in fitting(table)),
        lines=table,
        counts=counts or {1: 9, 2: 9},
        lacking={},
        has_chips=False,
    )
    moves = [choose(sight, Random(seed), is_careless=careless) for seed in range(20)]
    return {move.card if isinstance(move, Play) else "pass" for move in moves}


@pytest.mark.parametrize(("name", "seats"), [("badam_satti", 4), ("badam_satti", 6), ("sevens", 4)])
def test_a_program_beats_random_players_clearly(name: str, seats: int) -> None:
    game = GAMES[name]
    won, matches = 0.0, 24
    for seed in range(matches):
        me = seed % seats
        others = set(range(seats)) - {me}
        company = Company(game, game.options_type(seats=seats), seed, random_seats=others)
        champions = company.play().hands[-1].champions
        won += (me in champions) / len(champions)
    assert won >= 1.8 * matches / seats


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 7])
def test_tables_of_every_size_play_to_the_end(seats: int) -> None:
    for options in (BadamSattiOptions(seats=seats, hands=3), SevensOptions(seats=seats, hands=3)):
        name = "sevens" if options.has_chips else "badam_satti"
        played = Company(GAMES[name], options, seats).play()
        assert len(played.hands) == 3
        if options.has_chips:
            assert sum(played.points_of(seat) for seat in range(seats)) == 0


def test_a_card_is_laid_that_opens_the_way_to_own_cards() -> None:
    assert chosen("8S 9S JS 6C", "7S-7S", "7C-7C") == {"8S"}


def test_an_end_that_only_others_wait_for_is_kept() -> None:
    assert chosen("6D AC", "7D-7D", "2C-7C") == {"AC"}


def test_a_seven_without_company_is_kept() -> None:
    assert chosen("7S KH", "7H-QH") == {"KH"}


def test_dear_cards_go_first_when_another_seat_is_nearly_out() -> None:
    hand, lines = "KS 2H AH", ("7S-QS", "3H-7H")
    assert chosen(hand, *lines, counts={1: 2, 2: 9}) == {"KS"}


def test_nothing_fits_so_it_passes() -> None:
    assert chosen("2S 3S", "7H-7H") == {"pass"}


def test_a_careless_player_lays_other_cards_too() -> None:
    assert len(chosen("8S 9S 6C AC", "7S-7S", "2C-7C", careless=True)) > 1


# --- what the follower refuses


OWN = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS 9H TH JH QH KH"


def following(me: int | None = 0, dealer: int = 2) -> SevensHand:
    """Follow a hand of three seats; seat 0 holds the spades and the hearts from 9 on."""
    hand = SevensHand(BadamSattiOptions(seats=3), (0, 1, 2), dealer, me)
    gifts = [gift for gift in hand.deal(()) if gift.seat == 0]
    for gift, card in zip(gifts, OWN.split(), strict=True):
        if me is not None:
            hand.seen(gift, Card(card))
    return hand


def test_the_first_at_the_dealers_left_are_dealt_one_more() -> None:
    hand = SevensHand(BadamSattiOptions(seats=5), range(5), 3, None)
    gifts = hand.deal(())
    assert gifts[0] == Gift(4, Place(0, 0))
    assert gifts[-1] == Gift(0, Place(0, 51))
    assert hand.counts == {4: 11, 0: 11, 1: 10, 2: 10, 3: 10}


@pytest.mark.parametrize(
    ("lines", "check"),
    [
        (["0 play 7H"], 18),  # it does not hold the seven of hearts
        (["1 play 8H"], 18),
        (["1 pass"], 18),
        (["1 play 7H", "1 play 8H"], 18),
        (["1 play 7H", "2 play 5H"], 18),
        (["1 play 7H", "2 play 7S"], 13),
        (["1 play 7H", "2 play 8H", "0 pass"], 18),
        (["1 play 7H", "2 play 8H", "0 play 6H"], 18),
        (["1 play 7H", "2 pass", "0 play 7S", "1 play 7D", "2 play 8H"], 18),
        (["1 play 7H", "auto 2"], 18),
        (["2 leave", "2 leave"], 18),
        (["3 leave"], 18),
        (["1 draw closed"], 18),
    ],
)
def test_a_line_that_can_not_be_is_noticed_at_once(lines: list[str], check: int) -> None:
    hand = following()
    for line in lines[:-1]:
        hand.line(line)
    with pytest.raises(Cheated) as caught:
        hand.line(lines[-1])
    assert caught.value.check == check


def test_a_leaver_may_come_back_and_leave_again() -> None:
    hand = following()
    for line in ("2 leave", "2 back", "1 play 7H", "2 leave", "auto 2 play 8H"):
        hand.line(line)
    assert hand.may_act(0)


def test_a_spectator_follows_without_cards() -> None:
    hand = following(None)
    assert [hand.may_act(seat) for seat in range(3)] == [True, True, True]
    hand.line("1 play 7H")
    assert [hand.may_act(seat) for seat in range(3)] == [False, False, True]


@pytest.mark.parametrize("toss", [(), (3,), (0, 1), (-1,)])
def test_a_wrong_toss_is_noticed(toss: tuple[int, ...]) -> None:
    with pytest.raises(Cheated) as caught:
        SevensHand(BadamSattiOptions(seats=3), (0, 1, 2), None, None).deal(toss)
    assert caught.value.check == 17


def test_a_reshuffle_is_noticed() -> None:
    for step in (lambda: following().call(), lambda: following().reshuffled(1)):
        with pytest.raises(Cheated) as caught:
            step()
        assert caught.value.check == 14


def test_nothing_fits_is_a_pass_by_the_follower_too() -> None:
    hand = following()
    hand.line("1 play 7H")
    hand.line("2 play 6H")
    assert hand.sight().may_play == (Card("7S"),)
    assert choose(hand.sight(), Random(1)) == Play(Card("7S"))
    hand.holding.remove(Card("7S"))
    assert choose(hand.sight(), Random(1)) == Pass()
