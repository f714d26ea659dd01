"""Bad input: each mistake has its code, and the state is equal afterwards."""

from collections.abc import Callable

import pytest

from server.cards.card import Card
from server.cards.game import DEALER, Carry, Deal, IllegalMove, Left, Returned, Seat, TimedOut
from server.games.seep import GAME
from server.games.seep.captures import Floor
from server.games.seep.moves import Bid, Build, Move, Raise, Take, Throw
from server.games.seep.options import PACK, Options
from server.refusal_texts import REFUSALS
from tests.games.seep.table import HUMANS, Table, cards, house

OWN, PARTNERS, OTHERS = house(9, "5H 4C", 0), house(10, "6H 4S", 2), house(11, "7H 4H", 1)
PAKKA = house(12, "QS QH", 3)


def bidding() -> Table:
    return Table({0: "9H 3S KD 5C"})


def playing() -> Table:
    hand = "9D TD JD 2S 5S 8S 3D KC"
    return Table.midway({0: hand, 1: "KS"}, "3C 2D 6D QC", [OWN, PARTNERS, OTHERS])


def with_pakka() -> Table:
    return Table.midway({0: "AH KC 2S"}, "3C", [PAKKA])


def overlapping() -> Table:
    return Table.midway({0: "JS JD 5S"}, "2H 3D 5C 6S 8H")


def serving() -> Table:
    return Table.midway({0: "JC JD 2H 4S"}, "9D 4C", [], bid=11, plays=0)


@pytest.mark.parametrize(
    ("make", "move", "code"),
    [
        (bidding, Throw(Card("9H")), "must_bid"),
        (bidding, Bid(12), "bid_not_held"),
        (bidding, Bid(5), "bid_not_held"),
        (bidding, Bid(-9), "bid_not_held"),
        (playing, Bid(9), "already_bid"),
        (playing, Throw(Card("KS")), "not_held"),
        (playing, Throw(Card("no card")), "not_held"),
        (playing, Take(Card("AS")), "not_held"),
        (playing, Build(9, Card("4D")), "not_held"),
        (playing, Raise(11, Card("AS")), "not_held"),
        (playing, Throw(Card("JD")), "must_take"),
        (playing, Throw(Card("5S")), "must_take"),
        (playing, Throw(Card("9D")), "must_take"),
        (playing, Take(Card("KC")), "nothing_to_take"),
        (playing, Take(Card("9D"), cards("5H 4C")), "leaves_something"),
        (playing, Take(Card("JD"), cards("3C 2D 6D")), "leaves_something"),
        (playing, Take(Card("9D"), cards("3C 6D")), "leaves_something"),
        (playing, Take(Card("9D"), cards("5H 4C 3C 6D 2C")), "not_on_floor"),
        (playing, Take(Card("9D"), cards("5H 4C 3C 6D 6D")), "not_on_floor"),
        (playing, Take(Card("9D"), cards("5H 4C 3C 6D 9D")), "not_on_floor"),
        (playing, Take(Card("9D"), (Card("what"),)), "not_on_floor"),
        (playing, Take(Card("9D"), cards("5H 4C 3C 6D 7H")), "in_a_house"),
        (playing, Take(Card("9D"), cards("5H 4C 3C 6D QC")), "not_a_sum"),
        (overlapping, Take(Card("JS")), "which_cards"),
        (overlapping, Take(Card("JS"), cards("5C")), "leaves_something"),
        (overlapping, Take(Card("JS"), cards("2H 3D 5C 6S")), "not_a_sum"),
        (overlapping, Build(13, Card("5S")), "which_cards"),
        (playing, Build(8, Card("2S"), cards("6D")), "house_value"),
        (playing, Build(14, Card("2S"), cards("QC")), "house_value"),
        (playing, Build(13, Card("5S"), cards("QC")), "not_a_sum"),
        (playing, Build(13, Card("TD"), cards("2D")), "not_a_sum"),
        (playing, Build(13, Card("TD"), cards("3C QC")), "not_a_sum"),
        (playing, Build(13, Card("TD"), cards("3S")), "not_on_floor"),
        (playing, Build(13, Card("8S"), cards("5H")), "in_a_house"),
        (playing, Build(12, Card("TD"), cards("2D")), "house_not_held"),
        (playing, Build(9, Card("9D")), "house_not_held"),
        (playing, Raise(12, Card("2S")), "no_such_house"),
        (playing, Raise(0, Card("2S")), "no_such_house"),
        (playing, Raise(9, Card("2S")), "own_house"),
        (playing, Raise(10, Card("2S")), "partners_house"),
        (playing, Raise(11, Card("3D")), "house_value"),
        (playing, Raise(11, Card("2S"), cards("QC")), "not_a_sum"),
        (playing, Raise(11, Card("2S"), cards("JS")), "not_on_floor"),
        (with_pakka, Raise(12, Card("AH")), "house_pakka"),
        (serving, Throw(Card("4S")), "must_take"),
        (serving, Take(Card("4S")), "bid_first"),
        (serving, Build(13, Card("4S"), cards("9D")), "bid_first"),
        (serving, Throw(Card("JC")), "bid_first"),
        (serving, Raise(9, Card("2H")), "bid_first"),
        (playing, Deal(PACK.cards), "unknown_move"),
    ],
)
def test_a_mistake_has_its_code_and_changes_nothing(
    make: Callable[[], Table], move: Move | Deal, code: str
) -> None:
    table = make()
    before, text = table.state, repr(table.state)
    with pytest.raises(IllegalMove) as caught:
        table.move(Seat(0), move)
    assert caught.value.code == code
    assert code in REFUSALS
    assert table.state is before
    assert repr(table.state) == text


def test_the_last_card_of_a_house_is_kept() -> None:
    table = Table.midway({0: "9D KC"}, "4D", [OWN])
    with pytest.raises(IllegalMove) as caught:
        table.build(0, 13, "9D")
    assert caught.value.code == "house_kept"
    table = Table.midway({0: "9D QC"}, "", [OWN, house(11, "7H 4H", 1)])
    with pytest.raises(IllegalMove) as caught:
        table.raise_(0, 11, "9D")
    assert caught.value.code == "house_value"


@pytest.mark.parametrize("seat", [1, 2, 3, 4, 7])
def test_nobody_moves_out_of_turn_not_even_the_partner(seat: int) -> None:
    table = playing()
    text = repr(table.state)
    for move in (Throw(Card("KC")), Bid(9), TimedOut(Seat(seat))):
        with pytest.raises(IllegalMove, match="not_your_turn"):
            table.move(Seat(seat), move)
    assert repr(table.state) == text


def test_players_wait_for_the_dealer() -> None:
    state = GAME.start(Options(), HUMANS, Carry(dealer=Seat(3)))
    for move in (Bid(9), Throw(Card("9H")), TimedOut(Seat(0)), Left(Seat(0)), Returned(Seat(0))):
        with pytest.raises(IllegalMove, match="dealer_acts"):
            GAME.apply(state, Seat(0), move)
    with pytest.raises(IllegalMove, match="unknown_move"):
        GAME.apply(state, DEALER, Bid(9))
    assert list(GAME.legal_moves(state, Seat(0))) == []
    assert list(GAME.legal_moves(state, DEALER)) == []


def test_a_deal_that_is_none_is_our_own_mistake() -> None:
    state = GAME.start(Options(), HUMANS, Carry(dealer=Seat(3)))
    for deal in (Deal(PACK.cards[1:]), Deal(PACK.cards, (1,))):
        with pytest.raises(AssertionError):
            GAME.apply(state, DEALER, deal)


def test_nothing_is_played_after_the_end() -> None:
    table = Table.midway({3: "5D"}, "7C", acting=3, plays=47).throw(3, "5D")
    for move in (Throw(Card("5D")), TimedOut(Seat(3)), Left(Seat(3)), Returned(Seat(3))):
        with pytest.raises(IllegalMove, match="hand_over"):
            table.move(Seat(3), move)


def test_a_hand_needs_all_four_seats_and_a_memo_of_ours() -> None:
    with pytest.raises(AssertionError):
        GAME.start(Options(), HUMANS[:3], Carry())
    with pytest.raises(ValueError, match="not an account"):
        GAME.start(Options(), HUMANS, Carry(memo="lead=5"))
    assert GAME.start(Options(), HUMANS, Carry()).floor == Floor()
