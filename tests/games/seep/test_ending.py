"""Seeps, leftovers, the count, the match."""

from dataclasses import replace

import pytest

from server.cards.card import Card
from server.cards.game import Carry, Scored, Seat
from server.games.seep.events import LeftoversTaken, PointsCounted, SeepMade
from server.games.seep.options import PACK
from server.games.seep.scoring import (
    Account,
    account_of,
    card_points,
    next_dealer,
    points_of,
    seep_points,
    settled,
)
from tests.games.seep.table import Table, cards, house

HUNDRED = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH AD AC TD"


def last_play(
    *, taken: str, memo: str = "", dealer: int = 3, loose: str = "", card: str = "2H", seat: int = 3
) -> Table:
    """Make a table before its last play; seats 0 and 2 have taken `taken`."""
    return Table.midway(
        {seat: card}, loose, acting=seat, plays=47, taken=taken, memo=memo, dealer=dealer
    )


def scored_of(table: Table) -> Scored:
    scored = table.events[-1]
    assert isinstance(scored, Scored)
    return scored


def test_7_1_a_seep_in_the_middle_is_fifty() -> None:
    table = Table.midway({0: "9D 2C"}, "9H 5D 4C 6S 3D").take(0, "9D")
    assert table.names == ["taken", "seep", "turn"]
    assert table.event("seep") == SeepMade(seat=Seat(0), points=50)
    assert table.state.seeps == ((50,), ())


def test_7_1_houses_are_part_of_the_floor() -> None:
    own = house(9, "5H 4C", 0)
    assert Table.midway({0: "9D 2C"}, "", [own]).take(0, "9D").state.seeps == ((50,), ())
    other = house(12, "7H 5D", 0)
    table = Table.midway({0: "9D QC"}, "9H", [other]).take(0, "9D")
    assert "seep" not in table.names


def test_7_1_with_the_first_play_it_is_twenty_five() -> None:
    table = Table({0: "JC 3H 4H KS"}, "JD 8D 3C JH").bid(0, 11).take(0, "JC")
    assert table.event("seep") == SeepMade(seat=Seat(0), points=25)


def test_7_1_with_the_last_card_it_is_nothing() -> None:
    table = last_play(taken=HUNDRED, loose="7H", card="7D").take(3, "7D")
    assert table.names == ["taken", "seep", "counted", "scored"]
    assert table.event("seep") == SeepMade(seat=Seat(3), points=0)


def test_7_1_the_second_play_is_worth_fifty_again() -> None:
    assert [seep_points(play, 48) for play in (1, 2, 47, 48)] == [25, 50, 50, 0]


def test_7_2_leftovers_are_no_seep_and_go_to_the_last_taker() -> None:
    table = last_play(taken=HUNDRED, loose="7C 3D").throw(3, "2H")
    assert table.names == ["thrown", "leftovers", "counted", "scored"]
    assert table.event("leftovers") == LeftoversTaken(team=1, cards=cards("7C 3D 2H"))


def test_8_1_seventeen_cards_make_a_hundred_points() -> None:
    assert sum(map(points_of, PACK.cards)) == 100
    assert {card for card in PACK.cards if points_of(card)} == set(HUNDRED.split())
    assert card_points(card for card in PACK.cards if card.endswith("S")) == 91
    assert [points_of(Card(card)) for card in ("AH", "AD", "AC", "TD", "TH")] == [1, 1, 1, 6, 0]


def test_8_3_the_count_tells_both_pairs_points_and_the_lead() -> None:
    table = last_play(taken="KS QS TD AH", memo="lead=-8 deals=2").throw(3, "2H")
    assert table.event("counted") == PointsCounted(
        card_points=(32, 68), seep_points=(0, 0), lead=-44, under_nine=-1
    )
    assert scored_of(table) == Scored(
        points=((Seat(0), 32), (Seat(1), 68), (Seat(2), 32), (Seat(3), 68)),
        winner=Seat(1),
        carry=Carry(dealer=Seat(0), memo="lead=-44 deals=3"),
        match_over=False,
    )


def test_8_3_a_level_deal_has_no_winner() -> None:
    table = last_play(taken="KS QS JS TS 3S AH").throw(3, "2H")
    assert table.points == {0: 50, 1: 50, 2: 50, 3: 50}
    assert scored_of(table).winner is None


@pytest.mark.parametrize(
    ("lead", "points", "winner", "after"),
    [
        (60, (70, 30), 0, 100),
        (59, (70, 30), None, 99),
        (-60, (30, 70), 1, -100),
        (-59, (30, 70), None, -99),
        (0, (150, 50), 0, 100),
        (99, (40, 60), None, 79),
        (99, (8, 92), 1, 15),
        (-99, (92, 8), 0, -15),
        (0, (9, 91), None, -82),
        (0, (8, 92), 1, -84),
        (50, (58, 92), None, 16),
    ],
)
def test_8_4_and_8_5_who_wins_the_match(
    lead: int, points: tuple[int, int], winner: int | None, after: int
) -> None:
    outcome = settled(Account(lead, 4), Seat(0), points)
    assert (outcome.match_winner, outcome.lead) == (winner, after)
    assert outcome.carry.memo == ("" if winner is not None else f"lead={after} deals=5")


def test_8_5_seeps_count_for_the_nine() -> None:
    table = last_play(taken="7S")
    table.state = replace(table.state, seeps=((25,), ()))
    assert not scored_of(table.throw(3, "2H")).match_over


def test_8_5_under_nine_loses_the_match_whatever_the_account() -> None:
    table = last_play(taken="3S 4S AC", memo="lead=80 deals=6").throw(3, "2H")
    assert table.event("counted") == PointsCounted(
        card_points=(8, 92), seep_points=(0, 0), lead=-4, under_nine=0
    )
    scored = scored_of(table)
    assert scored.match_over
    assert scored.winner == 1
    assert scored.champions == (1, 3)


def test_8_4_both_partners_are_named_and_the_next_match_begins_level() -> None:
    table = last_play(taken=HUNDRED.replace("9S ", ""), memo="lead=50 deals=1").throw(3, "2H")
    scored = scored_of(table)
    assert (scored.match_over, scored.winner, scored.champions) == (True, 0, (0, 2))
    assert scored.carry.memo == ""


@pytest.mark.parametrize(
    ("dealer", "lead", "following"),
    [
        (0, -5, 0),
        (0, 0, 0),
        (0, 5, 1),
        (1, 5, 1),
        (1, 0, 1),
        (1, -5, 2),
        (3, -5, 0),
        (2, 99, 3),
    ],
)
def test_8_6_the_side_that_is_behind_or_level_deals_again(
    dealer: int, lead: int, following: int
) -> None:
    assert next_dealer(Seat(dealer), lead) == following


def test_8_6_after_a_match_the_partner_of_who_would_have_dealt() -> None:
    assert settled(Account(60, 1), Seat(0), (70, 30)).carry.dealer == 3
    assert settled(Account(60, 1), Seat(1), (70, 30)).carry.dealer == 3
    assert settled(Account(60, 1), Seat(1), (5, 95)).carry.dealer == 0


@pytest.mark.parametrize("account", [Account(), Account(-99, 1), Account(0, 7), Account(12, 300)])
def test_8_7_an_account_is_read_as_it_is_written(account: Account) -> None:
    assert account_of(account.memo) == account


@pytest.mark.parametrize(
    "memo",
    [
        " ", "lead=0", "lead=0 deals=0", "lead=00 deals=1", "lead=-0 deals=1", "lead=100 deals=1",
        "lead=+5 deals=1", "lead=5 deals=01", "lead=5  deals=1", "lead=5 deals=1\n",
        "lead=٥ deals=1", "deals=1 lead=5",
    ],
)  # fmt: skip
def test_8_7_nothing_else_is_an_account(memo: str) -> None:
    with pytest.raises(ValueError, match="not an account"):
        account_of(memo)


def test_5_4_an_owner_can_always_take_his_house_with_his_last_card() -> None:
    table = Table.midway(
        {3: "9D"}, "", [house(9, "5H 4C", 3)], acting=3, plays=47, taken=HUNDRED
    ).take(3, "9D")
    assert table.state.scored is not None
