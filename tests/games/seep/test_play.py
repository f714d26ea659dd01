"""The deal, the bid, the first play, taking and throwing."""

import pytest

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    Carry,
    Deal,
    Given,
    IllegalMove,
    Scored,
    Seat,
    TurnBegan,
)
from server.games.seep import GAME
from server.games.seep.events import BidMade, CardsTaken, CardThrown, FirstFourDealt, FloorOpened
from server.games.seep.moves import Bid, Build, Take, Throw
from server.games.seep.options import PACK, Options
from server.games.seep.play import rest_of
from tests.games.seep.table import HUMANS, Table, cards, house


@pytest.mark.parametrize("dealer", range(4))
def test_2_2_the_seat_on_the_dealers_right_gets_the_first_four(dealer: int) -> None:
    bidder = (dealer + 1) % 4
    table = Table({bidder: "9H 3S KD 5C"}, dealer=dealer)
    assert table.events == (
        FirstFourDealt(dealer=Seat(dealer), bidder=Seat(bidder)),
        Given(to=Seat(bidder), epoch=0, positions=(0, 1, 2, 3)),
        TurnBegan(seats=(Seat(bidder),)),
    )
    assert [len(table.held(seat)) for seat in range(4)] == [4 * (s == bidder) for s in range(4)]
    assert table.acting == bidder


@pytest.mark.parametrize("index", range(4))
def test_2_1_the_toss_names_the_first_dealer(index: int) -> None:
    state = GAME.start(Options(), HUMANS, Carry())
    assert GAME.draws(state) == (4,)
    assert GAME.undealt(state) == PACK.cards
    order = tuple(reversed(PACK.cards))
    state = GAME.apply(state, DEALER, Deal(order, (index,))).state
    assert (state.dealer, state.bidder) == (index, (index + 1) % 4)
    assert GAME.draws(Table().state) == ()


@pytest.mark.parametrize("bidder", range(4))
def test_2_4_the_rest_is_dealt_to_twelve_cards_one_at_a_time(bidder: int) -> None:
    rest = rest_of(Seat(bidder))
    order = [(bidder + step) % 4 for step in range(4)]
    owner = {position: seat for seat, positions in rest.items() for position in positions}
    assert sorted(owner) == list(range(8, 52))
    assert [owner[p] for p in range(8, 20)] == order[1:] * 4
    assert [owner[p] for p in range(20, 52)] == order * 8


def test_3_3_after_the_bid_the_floor_is_opened_and_the_rest_dealt() -> None:
    table = Table({0: "9H 3S KD 5C"}, "2C 2D 2H QD").bid(0, 13)
    assert table.events[:2] == (
        BidMade(seat=Seat(0), value=13, auto=False),
        Given(epoch=0, positions=(4, 5, 6, 7)),
    )
    given = [event for event in table.events if isinstance(event, Given)][1:]
    assert [(event.to, len(event.positions)) for event in given] == [
        (0, 8),
        (1, 12),
        (2, 12),
        (3, 12),
    ]
    assert table.events[-2:] == (
        FloorOpened(cards=cards("2C 2D 2H QD")),
        TurnBegan(seats=(Seat(0),)),
    )
    assert [len(table.held(seat)) for seat in range(4)] == [12] * 4
    assert table.held(0)[:4] == cards("9H 3S KD 5C")
    assert table.loose == "2C 2D 2H QD"


def test_3_2_without_a_nine_the_hand_ends_and_the_same_seat_deals_again() -> None:
    table = Table({1: "AH 4S 7D 8C"}, dealer=0, memo="lead=-12 deals=3")
    assert table.names == ["dealt", "given", "redeal", "scored"]
    scored = table.events[-1]
    assert scored == Scored(
        points=tuple((Seat(seat), 0) for seat in range(4)),
        winner=None,
        carry=Carry(dealer=Seat(0), memo="lead=-12 deals=3"),
        match_over=False,
    )
    assert GAME.to_act(table.state) == frozenset()
    assert table.lines == []
    with pytest.raises(IllegalMove, match="hand_over"):
        table.bid(1, 9)


def test_3_4_the_first_play_serves_the_bid_with_any_card() -> None:
    hand = "JC 9H 2H KS JD 5C"
    table = Table({0: hand}, "AC 9D 9S 8C").bid(0, 11)
    served = {(type(move), move.value) for move in table.legal() if isinstance(move, Build)}
    assert served == {(Build, 11)}
    assert not [move for move in table.legal() if not isinstance(move, Build)]
    assert {move.card for move in table.legal() if isinstance(move, Build)} >= {"2H"}


def test_3_4_the_bids_value_is_taken_by_a_card_of_it() -> None:
    table = Table({0: "JC 3H 4H KS"}, "JD QD KH 6C").bid(0, 11)
    assert Take(Card("JC"), cards("JD")) in table.legal()
    assert not any(isinstance(move, Throw) for move in table.legal())
    table.take(0, "JC")
    assert table.acting == 1


def test_3_5_only_where_nothing_serves_the_bid_its_card_is_thrown() -> None:
    hand = "TC TH QC QH JC JH JD KC KH KD QD 9C"
    table = Table({0: hand}, "9D 9S 9H 8C").bid(0, 10)
    assert table.legal() == [Throw(Card("TC")), Throw(Card("TH"))]
    with pytest.raises(IllegalMove, match="bid_first"):
        table.throw(0, "QC")
    table.throw(0, "TC")
    assert table.loose == "9D 9S 9H 8C TC"


def test_3_4_with_one_card_of_the_bid_no_house_takes_it_away() -> None:
    """The only ten may not be laid into the house that it would have to take."""
    hand = "TC 3H QC QH JC JH JD KC KH KD QD 9C"
    table = Table({0: hand}, "7D 9S 9H 8C").bid(0, 10)
    assert table.legal() == [Build(10, Card("3H"), cards("7D"))]


def test_4_1_turns_go_round_and_each_plays_one_card() -> None:
    table = Table.midway({0: "KS 2S", 1: "QS 3S", 2: "JS 4S", 3: "TS 5S"}, "")
    for seat, card in enumerate(("KS", "QS", "JS", "TS")):
        assert GAME.to_act(table.state) == {seat}
        table.throw(seat, card)
        assert CardThrown(seat=Seat(seat), card=Card(card), auto=False) == table.events[0]
    assert table.acting == 0
    assert table.loose == "KS QS JS TS"


def test_4_2_a_card_takes_its_house_the_loose_ones_and_the_sums() -> None:
    table = Table.midway(
        {0: "9D AD"}, "9H 5D KC 4C", [house(9, "6S 3D", 1), house(12, "QS QD", 2)]
    ).take(0, "9D")
    assert table.events[0] == CardsTaken(
        seat=Seat(0), card=Card("9D"), cards=cards("6S 3D 9H 5D 4C"), house=9, auto=False
    )
    assert table.loose == "KC"
    assert [one.value for one in table.state.floor.houses] == [12]
    assert set(table.state.taken[0]) == set(cards("6S 3D 9H 5D 4C 9D"))
    assert table.state.last_taker == 0


def test_4_2_a_partner_and_an_opponent_take_a_house_alike() -> None:
    for seat in range(4):
        table = Table.midway({seat: "9D AD"}, "KC", [house(9, "6S 3D", 1)], acting=seat)
        table.take(seat, "9D")
        assert table.state.floor.houses == ()


def test_4_3_the_player_names_one_of_two_choices() -> None:
    table = Table.midway({0: "JS AD"}, "2H 3D 5C 6S")
    with pytest.raises(IllegalMove, match="which_cards"):
        table.take(0, "JS")
    table.take(0, "JS", "6S 5C")
    assert table.loose == "2H 3D"
    assert table.lines == ["0 take JS 5C,6S"]


def test_4_5_a_card_that_could_take_may_build_instead() -> None:
    table = Table.midway({0: "9D KS AD"}, "9H 4C").build(0, 13, "9D")
    assert table.house(13).cards == cards("9D 4C")
    assert table.loose == "9H"


def test_4_5_nobody_must_choose_a_card_that_takes() -> None:
    table = Table.midway({0: "9D KS AD"}, "9H").throw(0, "KS")
    assert table.loose == "9H KS"


def test_the_bid_is_a_value_of_the_first_four() -> None:
    table = Table({0: "9H 3S KD 5C"})
    assert table.legal() == [Bid(9), Bid(13)]
    assert table.legal(1) == []
