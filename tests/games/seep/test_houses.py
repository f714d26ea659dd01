"""Houses: built, added to, raised, owned, kept."""

import pytest

from server.cards.card import Card
from server.cards.game import IllegalMove, Seat
from server.games.seep.events import HouseBuilt, HouseRaised
from server.games.seep.moves import Build, Raise, Take
from server.games.seep.options import Options
from tests.games.seep.table import Table, cards, house


def test_5_2_a_card_and_loose_cards_make_a_house() -> None:
    table = Table.midway({0: "5C QD 4H"}, "7S KD").build(0, 12, "5C", "7S")
    assert table.events[0] == HouseBuilt(
        seat=Seat(0),
        value=12,
        card=Card("5C"),
        cards=cards("7S"),
        added=False,
        house_cards=cards("5C 7S"),
        owners=(Seat(0),),
        is_pakka=False,
        auto=False,
    )
    assert table.loose == "KD"


def test_5_2_a_card_of_the_value_makes_a_house_with_another_set() -> None:
    table = Table.midway({0: "9C 9D 2H"}, "9H KD").build(0, 9, "9C")
    assert table.house(9) == house(9, "9C 9H", 0)
    assert table.house(9).is_pakka
    table = Table.midway({0: "9C 9D 2H"}, "5H 4D KD").build(0, 9, "9C")
    assert table.house(9).is_pakka


def test_5_3_another_card_of_the_value_must_stay() -> None:
    for hand in ("5C QD", "5C 2H QS"):
        assert Build(12, Card("5C"), cards("7S")) in Table.midway({0: hand}, "7S").legal()
    table = Table.midway({0: "5C JD"}, "7S")
    assert not [move for move in table.legal() if isinstance(move, Build)]
    with pytest.raises(IllegalMove, match="house_not_held"):
        table.build(0, 12, "5C")
    with pytest.raises(IllegalMove, match="house_not_held"):
        Table.midway({0: "9C 2H"}, "9H KD").build(0, 9, "9C")


def test_5_3_a_partners_card_is_no_card_of_ones_own() -> None:
    with pytest.raises(IllegalMove, match="house_not_held"):
        Table.midway({0: "5C JD", 2: "QD QS"}, "7S").build(0, 12, "5C")


def test_5_4_the_last_card_of_the_value_is_played_nowhere_else() -> None:
    own = house(9, "5H 4C", 0)
    table = Table.midway({0: "9D KS"}, "4D", [own])
    assert table.plays("9D") == [Take(Card("9D"), cards("5H 4C"))]
    with pytest.raises(IllegalMove, match="house_kept"):
        table.build(0, 13, "9D")
    second = Table.midway({0: "9D 9C KS"}, "4D", [own]).build(0, 13, "9D")
    assert second.house(13).owners == (0,)


def test_5_4_it_is_free_once_the_house_is_gone() -> None:
    hands = {0: "9D KS", 1: "9C QS", 2: "JS 2D", 3: "TS 2C"}
    table = Table.midway(hands, "4D", [house(9, "5H 4C", 0)], acting=1)
    table.take(1, "9C").throw(2, "JS").throw(3, "TS").build(0, 13, "9D")
    assert table.house(13).owners == (0,)


def test_5_5_all_sets_join_a_new_house() -> None:
    table = Table.midway({0: "5C 9D"}, "4D 9H 6S 3H KD").build(0, 9, "5C")
    assert set(table.house(9).cards) == set(cards("5C 4D 9H 6S 3H"))
    assert table.house(9).is_pakka


def test_5_5_the_player_chooses_where_sets_overlap() -> None:
    """5 with either four; the other four then has no five left."""
    table = Table.midway({0: "5C 9D"}, "4D 4H KD")
    with pytest.raises(IllegalMove, match="which_cards"):
        table.build(0, 9, "5C")
    table.build(0, 9, "5C", "4H")
    assert table.loose == "4D KD"


def test_5_5_a_part_that_is_clear_will_do_and_one_that_is_not_will_not() -> None:
    floor = "4D 4H 6S 3H"
    with pytest.raises(IllegalMove, match="which_cards"):
        Table.midway({0: "5C 9D"}, floor).build(0, 9, "5C", "6S 3H")
    table = Table.midway({0: "5C 9D"}, floor).build(0, 9, "5C", "4D")
    assert table.lines == ["0 build 9 5C 4D,6S,3H"]
    assert table.loose == "4H"


def test_5_5_sets_join_a_house_that_is_added_to_as_well() -> None:
    table = Table.midway({0: "9C 9D"}, "6S 3H KD", [house(9, "5H 4C", 0)]).build(0, 9, "9C")
    assert table.house(9) == house(9, "5H 4C 9C 6S 3H", 0)
    assert table.loose == "KD"


def test_5_5_sets_join_a_raised_house_as_well() -> None:
    table = Table.midway({1: "3D QS"}, "QH 8C 4S KD", [house(9, "5H 4C", 0)], acting=1)
    table.raise_(1, 9, "3D")
    assert table.house(12) == house(12, "5H 4C 3D QH 8C 4S", 1)
    assert table.house(12).is_pakka
    assert table.loose == "KD"


def test_5_7_a_second_set_of_the_value_goes_into_the_house() -> None:
    table = Table.midway({0: "5C 9D"}, "4D KD", [house(9, "6H 3C", 0)]).build(0, 9, "5C")
    assert table.house(9) == house(9, "6H 3C 5C 4D", 0)
    assert len(table.state.floor.houses) == 1


def test_6_1_a_house_is_pakka_once_its_value_is_there_twice() -> None:
    assert not house(9, "5H 4C", 0).is_pakka
    assert house(9, "5H 4C 9S", 0).is_pakka
    assert house(13, "6H 6C AS 7D 6D", 0).is_pakka


def test_6_2_an_opponent_raises_and_owns_and_the_owner_is_free() -> None:
    table = Table.midway({0: "9D KS", 1: "3D QS"}, "4D", [house(9, "5H 4C", 0)], acting=1)
    table.raise_(1, 9, "3D")
    assert table.events[0] == HouseRaised(
        seat=Seat(1),
        house=9,
        value=12,
        card=Card("3D"),
        cards=(),
        house_cards=cards("5H 4C 3D"),
        owners=(Seat(1),),
        is_pakka=False,
    )
    assert table.state.floor.find_house(9) is None


@pytest.mark.parametrize(("seat", "may"), [(0, False), (1, True), (2, False), (3, True)])
def test_6_2_only_opponents_raise(seat: int, may: bool) -> None:
    table = Table.midway({seat: "3D QS 9D"}, "KD", [house(9, "5H 4C", 0)], acting=seat)
    assert (Raise(9, Card("3D"), ()) in table.legal()) is may
    if not may:
        with pytest.raises(IllegalMove, match="own_house" if seat == 0 else "partners_house"):
            table.raise_(seat, 9, "3D")


def test_6_2_the_option_lets_the_partner_raise_and_never_the_owner() -> None:
    options = Options(partner_may_raise=True)
    own = house(9, "5H 4C", 0)
    table = Table.midway({2: "3D QS"}, "KD", [own], acting=2, options=options)
    assert Raise(9, Card("3D"), ()) in table.legal()
    assert table.raise_(2, 9, "3D").house(12).owners == (2,)
    table = Table.midway({0: "3D QS 9D"}, "KD", [own], options=options)
    assert not [move for move in table.legal() if isinstance(move, Raise)]
    with pytest.raises(IllegalMove, match="own_house"):
        table.raise_(0, 9, "3D")


def test_6_3_a_house_raised_to_the_value_of_another_goes_into_it() -> None:
    houses = [house(9, "5H 4C", 0), house(12, "7S 5D", 2)]
    table = Table.midway({1: "3D QS"}, "KD", houses, acting=1).raise_(1, 9, "3D")
    assert table.state.floor.houses == (house(12, "7S 5D 5H 4C 3D", 1, 2),)
    assert table.house(12).is_pakka


def test_6_3_a_raiser_into_the_partners_house_must_hold_the_value_too() -> None:
    houses = [house(9, "5H 4C", 0), house(12, "7S 5D", 3)]
    with pytest.raises(IllegalMove, match="house_not_held"):
        Table.midway({1: "3D JS"}, "KD", houses, acting=1).raise_(1, 9, "3D")


@pytest.mark.parametrize("cards_in", ["5H 4C", "5H 4C 9S"])
def test_6_4_the_partner_adds_without_a_card_of_the_value(cards_in: str) -> None:
    table = Table.midway({2: "9C 2H"}, "KD", [house(9, cards_in, 0)], acting=2).build(2, 9, "9C")
    assert table.house(9) == house(9, f"{cards_in} 9C", 0)
    table = Table.midway({2: "5C 2H"}, "4D", [house(9, cards_in, 0)], acting=2).build(2, 9, "5C")
    assert table.house(9).owners == (0,)


@pytest.mark.parametrize("cards_in", ["5H 4C", "5H 4C 9S"])
def test_6_4_an_opponent_adds_only_with_another_card_and_owns_too(cards_in: str) -> None:
    """Report 36, "Add-to-Fixed": a house got cards that nobody of the side could take."""
    target = house(9, cards_in, 0)
    with pytest.raises(IllegalMove, match="house_not_held"):
        Table.midway({1: "9C 2H"}, "KD", [target], acting=1).build(1, 9, "9C")
    with pytest.raises(IllegalMove, match="house_not_held"):
        Table.midway({1: "5C 2H"}, "4D", [target], acting=1).build(1, 9, "5C")
    table = Table.midway({1: "9C 9D"}, "KD", [target], acting=1).build(1, 9, "9C")
    assert table.house(9).owners == (0, 1)
    assert isinstance(table.events[0], HouseBuilt)
    assert table.events[0].added


def test_6_4_the_partner_of_a_second_owner_needs_no_card_either() -> None:
    table = Table.midway({3: "9C 2H"}, "KD", [house(9, "5H 4C 9S", 0, 1)], acting=3)
    assert table.build(3, 9, "9C").house(9).owners == (0, 1)


def test_6_4_the_owner_keeps_a_card_when_he_adds() -> None:
    with pytest.raises(IllegalMove, match="house_not_held"):
        Table.midway({0: "9C 2H"}, "KD", [house(9, "5H 4C", 0)]).build(0, 9, "9C")


def test_6_5_a_card_whose_house_is_there_is_never_thrown() -> None:
    table = Table.midway({2: "9C 2H"}, "KD", [house(9, "5H 4C", 0)], acting=2)
    with pytest.raises(IllegalMove, match="must_take"):
        table.throw(2, "9C")
