"""The first draw, the choice of trump, the tricks, and what is refused."""

from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import DEALER, Carry, Deal, Given, IllegalMove, Seat, TimedOut
from server.cards.pack import Pack
from server.cards.tricks import PlayedCard
from server.games.court_piece import GAME
from server.games.court_piece.batches import DRAWS, chooser_of, drawn_cards
from server.games.court_piece.moves import NameTrump, Pass, Play
from server.games.court_piece.options import Options
from tests.games import tricks
from tests.games.court_piece.table import Table
from tests.games.tricks import cards, humans

PACK = Pack(1, 0).cards


def refused(table: tricks.Table, seat: int, move: Any, code: str) -> None:
    """Demand that the move is refused with `code` and that nothing has changed."""
    before = table.state
    with pytest.raises(IllegalMove) as caught:
        table.move(Seat(seat), move)
    assert caught.value.code == code
    assert table.state == before


def first_hand(draws: tuple[int, ...]) -> tricks.Table:
    return tricks.Table(GAME, Options(), carry=Carry()).deal(PACK, draws)


def test_2_1_the_first_hand_draws_and_tells_all_who_drew_what() -> None:
    assert GAME.draws(GAME.start(Options(), humans(), Carry())) == DRAWS == (52, 51, 50, 49)
    table = first_hand((0, 0, 0, 0))
    drawn = table.event("first_draw")
    assert drawn.cards == ((0, "AS"), (1, "2S"), (2, "3S"), (3, "4S"))
    assert (drawn.chooser, drawn.dealer) == (0, 3)
    assert (table.state.dealer, table.state.acting) == (3, 0)


def test_2_2_the_cards_drawn_are_not_put_back() -> None:
    assert [one.card for one in drawn_cards(PACK, (51, 50, 49, 48))] == ["KC", "QC", "JC", "TC"]
    assert [one.card for one in drawn_cards(PACK, (1, 1, 0, 0))] == ["2S", "3S", "AS", "4S"]


def test_2_1_the_ace_is_high_and_equal_ranks_go_by_suit() -> None:
    for text, chooser in (("KS QH AC 2D", 2), ("9C 9S 9H 9D", 1), ("9C 9D 3H 9H", 3)):
        drawn = [PlayedCard(Seat(seat), card) for seat, card in enumerate(cards(text))]
        assert chooser_of(drawn) == chooser


def test_2_3_a_later_hand_draws_nothing() -> None:
    assert GAME.draws(GAME.start(Options(), humans(), Carry(dealer=Seat(2)))) == ()
    assert Table(dealer=2).state.acting == 3
    assert Table(dealer=2).state.drawn == ()


def test_2_4_five_cards_a_seat_from_the_dealers_right_on() -> None:
    table = Table(dealer=1)
    given = {event.to: event.positions for event in table.events if isinstance(event, Given)}
    assert given == {
        2: (0, 1, 2, 3, 4), 3: (5, 6, 7, 8, 9), 0: (10, 11, 12, 13, 14), 1: (15, 16, 17, 18, 19),
    }  # fmt: skip
    table.say("2 trump D")
    given_later = [event for event in table.events if isinstance(event, Given)]
    assert [(event.to, event.positions[0]) for event in given_later] == [
        (2, 20), (3, 24), (0, 28), (1, 32), (2, 36), (3, 40), (0, 44), (1, 48),
    ]  # fmt: skip


def test_2_5_no_card_of_the_second_batch_is_given_before_trump_is_fixed() -> None:
    table = Table().say("0 pass")
    assert not [event for event in table.events if isinstance(event, Given)]
    assert [len(holding) for holding in table.state.holdings] == [5, 5, 5, 5]
    assert len(table.state.stock) == 32


def test_3_the_choice_is_the_choosers_then_the_partners_and_nobody_elses() -> None:
    table = Table()
    refused(table, 2, NameTrump("S"), "partner_in_turn")
    refused(table, 1, NameTrump("S"), "not_your_turn")
    refused(table, 0, Play(Card("AS")), "no_card_now")
    refused(table, 0, NameTrump("X"), "unknown_move")  # type: ignore[arg-type]
    table.say("0 pass")
    refused(table, 0, NameTrump("S"), "partner_in_turn")
    refused(table, 2, Pass(), "partner_may_not_pass")
    table.say("2 trump D")
    assert (table.state.trump, table.state.namer) == ("D", 2)
    refused(table, 0, NameTrump("S"), "no_trump_now")
    refused(table, 0, Pass(), "no_trump_now")


def test_3_4_the_card_of_luck_is_shown_to_all_and_given_to_nobody_again() -> None:
    table = Table().say("0 pass").time_out(2)
    names = [event.name for event in table.events]
    assert names[:5] == ["auto_moved", "luck_turned", "given", "dealt", "given"]
    shown, chooser = (event for event in table.events[2:5] if isinstance(event, Given))
    assert (shown.to, shown.positions) == (None, (20,))
    assert (chooser.to, chooser.positions) == (0, (21, 22, 23))
    assert table.state.luck == "9S"
    assert Card("9S") in table.state.holdings[0]
    assert table.lines == ["0 pass", "auto 2 luck 9S"]
    assert (table.state.trump, table.state.namer, table.state.acting) == ("S", None, 0)


def test_3_5_the_callers_are_the_choosers_team_whoever_names_trump() -> None:
    table = Table().say("0 pass").time_out(2)
    while not table.state.ended:
        table.time_out(table.state.acting)
    assert table.event("counted").callers == 0


def test_4_1_with_namer_leads_the_partner_who_named_trump_leads() -> None:
    options = Options(namer_leads=True)
    assert Table(options=options).say("0 pass", "2 trump D").state.acting == 2
    assert Table(options=options).say("0 trump D").state.acting == 0
    assert Table(options=options).say("0 pass").time_out(2).state.acting == 0


def test_4_2_follow_suit_and_nothing_else_is_owed() -> None:
    """Report 30, rawhat/spades 13: a trump was taken from who held the suit that was led."""
    hands = ("9H 8H", "TH 2H AS 2S", "KH 3H", "3S 4S 5S 6S 7S 8S 9S TS JS QS KS 2C 3C")
    table = Table(hands).say("0 trump S").play(0, "9H")
    refused(table, 1, Play(Card("AS")), "must_follow")
    refused(table, 1, Play(Card("KH")), "not_held")
    refused(table, 2, Play(Card("KH")), "not_your_turn")
    refused(table, 3, Play(Card("2C")), "partner_in_turn")
    table.play(1, "2H 3H 2C")
    assert table.event("trick_taken").seat == 0
    refused(table, 2, Play(Card("KH")), "partner_in_turn")


def test_4_2_trump_may_be_led_at_once() -> None:
    table = Table().say("0 trump S").play(0, "2S 2H 2D 2C")
    taken = table.event("trick_taken")
    assert (taken.seat, taken.team, taken.tricks) == (0, 0, 1)


def test_4_4_the_hand_ends_at_the_seventh_trick() -> None:
    table = Table().finish("S")
    assert len(table.state.tricks) == 7
    assert [len(holding) for holding in table.state.holdings] == [6, 6, 6, 6]
    refused(table, 0, Play(Card("AS")), "hand_over")


def test_nobody_but_the_dealer_deals_and_the_dealer_only_deals() -> None:
    refused(Table(), 0, Deal(()), "unknown_move")
    fresh = tricks.Table(GAME, Options(), carry=Carry())
    refused(fresh, DEALER, TimedOut(DEALER), "unknown_move")
    refused(fresh, 0, Pass(), "dealer_acts")
