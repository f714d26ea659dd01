"""The auction, the duties of a trick, and what is refused."""

from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import DEALER, Carry, Deal, Given, IllegalMove, Seat, TimedOut
from server.games.batak import GAME
from server.games.batak.moves import Bid, NameTrump, Pass, Play
from server.games.batak.options import Options
from tests.games import tricks
from tests.games.batak.table import SUITS_EACH, Table

HEARTS = (
    "9H JH AH 2S 5D 6D 7D 8D 9D TD JD QD KD",
    "TH 2H KS 3S 2D 3D 4D AD 2C 3C 4C 5C 6C",
    "QH KH 3H 4H 5H 4S 5S 6S 7S 7C 8C 9C TC",
    "6H 7H 8H",
)
"""Everybody has hearts."""

RUFFS = (
    "2H 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2S 9S 5D 6D 7D 8D 9D TD JD QD KD AD 2D",
    "KS 3S 4D 3D AS QS JS TS 8S 7S 6S 5S 4S",
)
"""Seats 1 and 2 have no hearts, seat 3 has the other twelve and a club."""


def refused(table: tricks.Table, seat: int, move: Any, code: str) -> None:
    """Demand that the move is refused with `code` and that nothing has changed."""
    before = table.state
    with pytest.raises(IllegalMove) as caught:
        table.move(Seat(seat), move)
    assert caught.value.code == code
    assert table.state == before


def test_2_2_the_cards_are_dealt_one_at_a_time_from_the_dealers_right() -> None:
    table = Table(dealer=1)
    given = {event.to: event.positions for event in table.events if isinstance(event, Given)}
    assert given[Seat(2)] == tuple(range(0, 52, 4))
    assert given[Seat(1)] == tuple(range(3, 52, 4))
    assert [" ".join(hand) for hand in table.state.holdings] == list(SUITS_EACH)
    assert table.state.acting == 2


def test_3_1_a_bid_is_higher_than_the_last_and_5_to_13() -> None:
    table = Table().say("0 bid 6")
    refused(table, 1, Bid(6), "bid_not_higher")
    refused(table, 1, Bid(5), "bid_not_higher")
    refused(table, 1, Bid(4), "bad_bid")
    refused(table, 1, Bid(14), "bad_bid")
    refused(table, 2, Bid(9), "not_your_turn")
    assert table.say("1 bid 7").state.acting == 2


def test_3_3_the_auction_goes_round_until_one_is_left() -> None:
    """Report 34, tobymao/18xx 68: who had passed came in again, or another was skipped."""
    table = Table().say("0 bid 5", "1 bid 6", "2 pass", "3 bid 7", "0 bid 8", "1 pass")
    assert table.state.acting == 3
    table.say("3 pass")
    won = table.event("auction_won")
    assert (won.seat, won.tricks, won.is_forced) == (0, 8, False)
    assert table.state.acting == 0


def test_3_3_with_a_single_round_each_speaks_once() -> None:
    table = Table(options=Options(single_round=True)).say("0 bid 5", "1 pass", "2 bid 6", "3 pass")
    assert table.event("auction_won").seat == 2


def test_3_3_who_alone_is_left_without_a_bid_still_speaks() -> None:
    table = Table().say("0 pass", "1 pass", "2 pass")
    assert table.state.acting == 3
    table.say("3 bid 5")
    assert table.event("auction_won").is_forced is False


def test_3_4_nothing_tops_thirteen() -> None:
    table = Table().say("0 pass", "1 bid 13")
    assert (table.state.contract.seat, table.state.contract.tricks) == (1, 13)


def test_3_5_if_all_pass_the_dealer_plays_for_four() -> None:
    table = Table(dealer=2).say("3 pass", "0 pass", "1 pass", "2 pass")
    won = table.event("auction_won")
    assert (won.seat, won.tricks, won.is_forced) == (2, 4, True)


def test_3_6_trump_may_be_a_suit_of_which_one_has_no_card() -> None:
    table = Table().bid(trump="C")
    assert table.state.trump == "C"
    assert table.state.acting == 0


def test_each_move_has_its_moment() -> None:
    table = Table()
    refused(table, 0, NameTrump("S"), "no_trump_now")
    refused(table, 0, Play(Card("AS")), "no_card_now")
    table.say("0 bid 13")
    refused(table, 0, Bid(13), "no_bidding_now")
    refused(table, 0, Pass(), "no_bidding_now")
    refused(table, 0, Play(Card("AS")), "no_card_now")
    refused(table, 0, NameTrump("X"), "unknown_move")  # type: ignore[arg-type]
    table.say("0 trump S")
    refused(table, 0, NameTrump("S"), "no_trump_now")
    refused(table, 0, Pass(), "no_bidding_now")


def test_4_1_trump_is_not_led_before_it_is_broken() -> None:
    table = Table(HEARTS).bid(trump="D")
    refused(table, 0, Play(Card("KD")), "trump_not_broken")
    table.play(0, "9H TH QH 6H")
    assert not table.state.is_broken
    refused(table, 2, Play(Card("AC")), "not_held")


def test_4_1_a_trump_breaks_it_for_the_next_trick() -> None:
    table = Table(RUFFS).bid(trump="S").play(0, "2H 9S")
    assert not table.state.is_broken
    table.play(2, "TS 3H")
    assert table.state.is_broken
    assert Card("KS") in table.state.legal_cards(Seat(2))


def test_4_1_who_has_nothing_else_leads_trump() -> None:
    table = Table().bid(trump="S").play(0, "4S 2H 2D 2C")
    assert table.state.is_broken


def test_4_2_and_4_3_follow_and_beat() -> None:
    """Report 30, rawhat/spades 13: a trump was taken from who held the suit that was led."""
    table = Table(HEARTS).bid(trump="S").play(0, "9H")
    refused(table, 1, Play(Card("2D")), "must_follow")
    refused(table, 1, Play(Card("2H")), "must_beat")
    refused(table, 1, Play(Card("9H")), "not_held")
    table.play(1, "TH")
    refused(table, 2, Play(Card("3H")), "must_beat")
    table.play(2, "KH").play(3, "6H")
    assert table.event("trick_taken").seat == 2


def test_4_3_a_trumped_trick_need_not_be_beaten_in_its_suit() -> None:
    """Report 33, NikolayIT/BelotGameEngine PR 9: the suit had to be beaten all the same."""
    hands = ("9H", "2S 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "KH 3H 2C")
    table = Table(hands).bid(trump="S").play(0, "9H 2S 3H")
    assert [one.card for one in table.state.trick] == ["9H", "2S", "3H"]


def test_4_4_trump_led_is_beaten_unless_the_table_says_otherwise() -> None:
    table = _trump_led(beats=True)
    refused(table, 1, Play(Card("3S")), "must_beat")
    table.play(1, "KS")
    assert _trump_led(beats=False).play(1, "3S").state.acting == 2


def _trump_led(*, beats: bool) -> Table:
    """Let seat 0, which holds nothing but trumps, lead one."""
    hands = ("AS QS JS TS 9S 8S 7S 6S 5S 4S 2S AH KH", "KS 3S 2H 3H", "4H 5H", "6H 7H")
    table = Table(hands, options=Options(beat_trump_led=beats)).bid(trump="S")
    table.play(0, "AH 2H 4H 6H").play(0, "KH 3H 5H 7H")
    return table.play(0, "9S")


def test_4_5_without_the_suit_one_must_trump_and_overtrump() -> None:
    table = Table(RUFFS).bid(trump="S").play(0, "2H")
    refused(table, 1, Play(Card("5D")), "must_trump")
    table.play(1, "9S")
    refused(table, 2, Play(Card("4D")), "must_trump")
    refused(table, 2, Play(Card("3S")), "must_overtrump")
    table.play(2, "TS 3H")
    assert table.event("trick_taken").seat == 2


def test_4_7_who_takes_a_trick_leads_the_next() -> None:
    table = Table(HEARTS).bid(trump="S").play(0, "9H TH KH 6H")
    assert table.event("trick_taken").seat == 2
    assert table.state.acting == 2
    assert table.state.tricks[0].winner == 2


def test_nobody_but_the_dealer_deals_and_the_dealer_only_deals() -> None:
    table = Table()
    refused(table, 0, Deal(()), "unknown_move")
    with pytest.raises(IllegalMove, match="not_your_turn"):
        table.move(DEALER, Pass())
    fresh = tricks.Table(GAME, Options(), carry=Carry())
    with pytest.raises(IllegalMove, match="unknown_move"):
        fresh.move(DEALER, TimedOut(DEALER))
    with pytest.raises(IllegalMove, match="dealer_acts"):
        fresh.say("0 pass")


def test_after_the_end_nothing_more_is_played() -> None:
    table = Table().bid()
    while not table.state.ended:
        table.time_out(table.state.acting)
    for move in (Pass(), TimedOut(Seat(0))):
        refused(table, 0, move, "hand_over")
