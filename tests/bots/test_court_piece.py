"""The policy of Court Piece plays with its partner; its follower notices a lie."""

from random import Random

import pytest

from server.bots.court_piece import TrumpSight, choose_trump, play
from server.bots.court_piece_hand import CourtPieceHand
from server.bots.evidence import Cheated
from server.bots.opening_checks import Place
from server.bots.public import Gift
from server.bots.tricks import TrickSight
from server.cards.card import Card
from server.games import GAMES
from server.games.court_piece.moves import NameTrump, Pass
from server.games.court_piece.options import Options
from tests.bots.matches import Company
from tests.games.tricks import cards

OWN = "AH KH 2H 3S 4S 9D TD JD 2C 3C 4C 5C 6C"


def test_a_team_of_programs_beats_random_players_clearly() -> None:
    game, won, matches = GAMES["court_piece"], 0, 10
    for seed in range(matches):
        mine = (seed % 2, seed % 2 + 2)
        others = set(range(4)) - set(mine)
        played = Company(game, Options(), seed, random_seats=others).play()
        won += played.hands[-1].champions == mine
    assert won >= matches - 1


def test_a_match_in_courts_ends_too() -> None:
    options = Options(counting="courts", target=1)
    played = Company(GAMES["court_piece"], options, 3, random_seats=(1, 3)).play()
    assert played.hands[-1].champions == (0, 2)


def trump(hand: str, *, may_pass: bool = True) -> NameTrump | Pass:
    return choose_trump(TrumpSight(hand=cards(hand), may_pass=may_pass), Random(1))


def test_four_small_cards_make_a_better_trump_than_an_ace_alone() -> None:
    assert trump("2C 3C 4C 5C AS") == NameTrump("C")


def test_a_hand_without_a_long_suit_is_passed_and_the_partner_names_its_best() -> None:
    weak = "2C 3C 4D 5D 6H"
    assert trump(weak) == Pass()
    assert trump(weak, may_pass=False) == NameTrump("D")


def following(
    *lines: str,
    hand: str = OWN,
    me: int | None = 0,
    dealer: int = 3,
    options: Options | None = None,
) -> CourtPieceHand:
    """Follow a hand from seat `me`, which holds `hand`; a card of luck is not its own."""
    follower = CourtPieceHand(options or Options(), range(4), dealer, me)
    left = list(cards(hand))
    gifts = follower.deal(())
    for line in (None, *lines):
        if line is not None:
            gifts = follower.line(line)
        for gift in gifts:
            if gift.seat == me and me is not None:
                follower.seen(gift, left.pop(0))
            elif gift.seat is None:
                assert follower.luck is not None
                follower.seen(gift, follower.luck)
    return follower


def chosen(follower: CourtPieceHand) -> Card:
    sight = follower.sight()
    assert isinstance(sight, TrickSight)
    return play(sight, Random(1)).card


def test_the_partners_trick_is_not_trumped() -> None:
    hand = "2S 3S 4S 2D 3D 4D 5D 6D 7D 8D 9D TD JD"
    lines = ("1 trump S", "1 play 3H", "2 play AH", "3 play 4H")
    assert chosen(following(*lines, hand=hand, dealer=0)) == "2D"


def test_a_trick_that_is_lost_otherwise_is_trumped_with_the_lowest() -> None:
    hand = "2S 3S 4S 2D 3D 4D 5D 6D 7D 8D 9D TD JD"
    lines = ("1 trump S", "1 play AH", "2 play 3H", "3 play 4H")
    assert chosen(following(*lines, hand=hand, dealer=0)) == "2S"


def test_a_small_trump_is_enough_unless_who_plays_yet_is_known_to_trump_as_well() -> None:
    hand = "AS 2S 3S 2D 3D 4D 5D 6D 7D 8D 9D TD JD"
    begin = ("2 trump S", "2 play 5H", "3 play 9H")
    assert chosen(following(*begin, hand=hand, dealer=1)) == "2S"
    # Seat 1 has shown that it has no hearts: now the ace alone is safe.
    shown = ("2 trump S", "2 play AH", "3 play 9H", "0 play 2D", "1 play 3C")
    assert chosen(following(*shown, "2 play 5H", "3 play 8H", hand=hand, dealer=1)) == "AS"


def test_the_last_seat_wins_as_cheaply_as_it_can() -> None:
    hand = "QH KH AH 2D 3D 4D 5D 6D 7D 8D 9D TD JD"
    lines = ("1 trump S", "1 play JH", "2 play 3H", "3 play 4H")
    assert chosen(following(*lines, hand=hand, dealer=0)) == "QH"


def test_a_boss_is_led_that_nobody_is_known_to_trump() -> None:
    assert chosen(following("0 trump S")) == "AH"


# --- what the follower refuses

DEALT = ("0 trump S",)


@pytest.mark.parametrize(
    ("lines", "check"),
    [
        (["1 trump S"], 18),
        (["2 trump S"], 18),
        (["0 play AH"], 18),
        (["0 pass", "2 pass"], 18),
        (["auto 0 luck 4D"], 18),
        (["0 pass", "auto 2 luck AH"], 13),  # this seat holds it
        (["hello"], 18),
        (["auto 0"], 18),
        ([*DEALT, "0 pass"], 18),
        ([*DEALT, "0 trump H"], 18),
        ([*DEALT, "0 play 9H"], 18),
        ([*DEALT, "0 play 2H", "1 play KH"], 13),
        ([*DEALT, "0 play 2H", "1 play 2H"], 13),
        ([*DEALT, "0 play 2H", "2 play 3H"], 18),
        ([*DEALT, "0 play 2H", "1 play 2D", "2 play 3H", "3 play 4H", "3 play 5H", "0 play AH",
          "1 play 6H"], 18),
        (["1 leave", "1 leave"], 18),
    ],
)  # fmt: skip
def test_a_line_that_may_not_be_is_noticed(lines: list[str], check: int) -> None:
    with pytest.raises(Cheated) as caught:
        following(*lines)
    assert caught.value.check == check


def test_the_cards_come_five_four_and_four() -> None:
    follower = CourtPieceHand(Options(), range(4), 3, 0)
    first = follower.deal(())
    assert first[:6] == tuple(Gift(seat, Place(0, p)) for p, seat in enumerate((0, 0, 0, 0, 0, 1)))
    assert len(first) == 20
    later = follower.line("0 trump S")
    assert [gift.place.position for gift in later] == list(range(20, 52))
    assert [gift.seat for gift in later[:5]] == [0, 0, 0, 0, 1]


def test_the_card_of_luck_is_everybodys_to_see_and_the_choosers_to_hold() -> None:
    follower = following("0 pass", "auto 2 luck 7D", hand=OWN.replace(" 6C", ""))
    assert Card("7D") in follower.table.holding
    assert len(follower.table.holding) == 13
    assert follower.table.trump == "D"
    other = following("1 pass", "auto 3 luck 7D", dealer=0)
    other.line("1 play 8H")
    with pytest.raises(Cheated) as caught:
        other.line("2 play 7D")
    assert caught.value.check == 18


def test_another_card_of_luck_than_the_line_named_is_noticed() -> None:
    follower = CourtPieceHand(Options(), range(4), 3, None)
    follower.deal(())
    follower.line("0 pass")
    turned, *_ = follower.line("auto 2 luck 7D")
    assert turned == Gift(None, Place(0, 20))
    with pytest.raises(Cheated) as caught:
        follower.seen(turned, Card("8D"))
    assert caught.value.check == 18


def test_the_namer_leads_where_the_table_has_it_so() -> None:
    assert following("0 pass", "2 trump S").acting == 0
    assert following("0 pass", "2 trump S", options=Options(namer_leads=True)).acting == 2


def test_the_toss_is_four_cards_and_fixes_the_dealer() -> None:
    bad: list[tuple[int | None, tuple[int, ...]]] = [
        (None, ()),
        (None, (52, 0, 0, 0)),
        (None, (1.0, 0, 0, 0)),  # type: ignore[list-item]  # a hostile server's number
        (None, (0, 0, 0, 49)),
        (None, (0, 0, 0)),
        (2, (1, 2, 3, 4)),
    ]
    for dealer, toss in bad:
        with pytest.raises(Cheated) as caught:
            CourtPieceHand(Options(), range(4), dealer, None).deal(toss)
        assert caught.value.check == 17
    follower = CourtPieceHand(Options(), range(4), None, None)
    follower.deal((21, 37, 2, 47))
    assert (follower.dealer, follower.acting) == (0, 1)


def test_the_seventh_trick_ends_it() -> None:
    rows = ["AS KS QS JS TS 9S 8S", "AH KH QH JH TH 9H 8H", "AD KD QD JD TD 9D 8D"]
    rows.append("AC KC QC JC TC 9C 8C")
    follower = following("0 trump S", me=None)
    for played in zip(*(row.split() for row in rows), strict=True):
        for seat, card in enumerate(played):
            follower.line(f"{seat} play {card}")
    assert not any(follower.may_act(seat) for seat in range(4))
    with pytest.raises(Cheated):
        follower.line("0 play 7S")


def test_nothing_is_shuffled_again() -> None:
    follower = following()
    for asked in (follower.call, lambda: follower.reshuffled(1)):
        with pytest.raises(Cheated) as caught:
            asked()
        assert caught.value.check == 14
