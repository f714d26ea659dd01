"""Deal, lines and passes, by the numbers of rules.md; every refusal leaves the state as it was."""

import pytest

from server.cards.card import Card
from server.cards.game import DEALER, Carry, Deal, Given, IllegalMove, Seat, SeatInfo, SeatKind
from server.games.sevens import BADAM_SATTI, SEVENS
from server.games.sevens.lines import Line, fitting, lowest, with_card
from server.games.sevens.moves import Pass, Play
from server.games.sevens.options import PACK, BadamSattiOptions, SevensOptions
from tests.games.sevens.table import Table

# all other hearts but the king are at seat 1, which holds the opening seven; the low clubs at 2
HANDS = (
    "3S 4S 5S 6S 7S 8S 9S TS JS QS KS KC QC JC TC 9C 8C",
    "7H 6H 8H 7D 8D 9D AS AH AD AC 5C",
    "7C 6C 2S 2H",
)


def line(text: str) -> Line:
    low, high = text.split("-")
    return Line(Card(low), Card(high))


def cards(text: str) -> list[Card]:
    return [Card(card) for card in text.split()]


def refused(table: Table, said: str) -> str:
    """Play a line that is refused; the code, and the state is the same."""
    before, text = table.state, repr(table.state)
    with pytest.raises(IllegalMove) as caught:
        table.say(said)
    assert table.state is before
    assert repr(table.state) == text
    return caught.value.code


@pytest.mark.parametrize(
    ("seats", "sizes"),
    [
        (3, [18, 17, 17]),
        (4, [13, 13, 13, 13]),
        (5, [11, 11, 10, 10, 10]),
        (6, [9, 9, 9, 9, 8, 8]),
        (7, [8, 8, 8, 7, 7, 7, 7]),
    ],
)
def test_2_3_the_first_at_the_dealers_left_hold_one_more(seats: int, sizes: list[int]) -> None:
    for dealer in range(seats):
        table = Table(options=BadamSattiOptions(seats=seats), dealer=dealer)
        left = [(dealer + 1 + offset) % seats for offset in range(seats)]
        assert [len(table.held(seat)) for seat in left] == sizes
        assert dict(table.event("dealt").counts) == {s: len(table.held(s)) for s in range(seats)}


def test_2_2_one_card_at_a_time_from_the_dealers_left() -> None:
    table = Table(options=BadamSattiOptions(seats=5), dealer=3)
    given = [event for event in table.events if isinstance(event, Given)]
    assert [event.to for event in given] == [4, 0, 1, 2, 3]
    assert given[0].positions[:3] == (0, 5, 10)
    assert given[4].positions[-1] == 49


def test_2_1_the_first_dealer_is_by_the_toss() -> None:
    seats = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in range(4))
    state = BADAM_SATTI.start(BadamSattiOptions(), seats, Carry())
    assert BADAM_SATTI.draws(state) == (4,)
    state = BADAM_SATTI.apply(state, DEALER, Deal(PACK.cards, (2,))).state
    assert state.dealer == 2
    fixed = BADAM_SATTI.start(BadamSattiOptions(), seats, Carry(Seat(1)))
    assert BADAM_SATTI.draws(fixed) == ()


def test_2_1_the_deal_moves_to_the_left_from_match_to_match_too() -> None:
    table = Table(dealer=2, memo="4:9,9,9")
    while table.state.scored is None:
        table.time_out(table.acting)
    assert table.scored.match_over
    assert table.scored.carry == Carry(Seat(0), "")


@pytest.mark.parametrize(("options", "opener"), [(BadamSattiOptions, "7H"), (SevensOptions, "7D")])
def test_3_1_the_holder_of_the_opening_seven_lays_it_first(
    options: type[BadamSattiOptions | SevensOptions], opener: str
) -> None:
    table = Table(("", f"{opener} 7S 7C 6H 8D"), options=options(seats=3), dealer=1)
    assert table.acting == 1
    assert table.may_play() == {opener}
    assert refused(table, "1 play 7S") == "must_open"
    assert refused(table, "1 pass") == "must_play"
    assert refused(table, "0 pass") == "not_your_turn"
    assert table.say(f"1 play {opener}").acting == 2


def test_3_2_a_seven_opens_a_line_and_the_next_card_goes_below_or_above() -> None:
    table = Table(HANDS).say("1 play 7H", "2 play 7C")
    assert table.state.lines == (line("7H-7H"), line("7C-7C"))
    assert table.may_play() == {"7S", "8C"}
    table.say("0 play 8C", "1 play 6H", "2 play 6C", "0 play 9C", "1 play 8H")
    assert table.state.lines == (line("6H-8H"), line("6C-9C"))
    assert table.may_play() == {"pass"}


def test_3_3_a_line_ends_at_the_ace_and_at_the_king() -> None:
    lines = (line("AS-KS"), line("AH-7H"))
    assert fitting(lines) == {"8H", "7C", "7D"}
    for card in ("KS", "AS", "KH"):
        with pytest.raises(AssertionError):
            with_card(lines, Card(card))


def test_3_4_what_fits_nowhere_is_refused() -> None:
    table = Table(HANDS).say("1 play 7H")
    assert refused(table, "2 play 2H") == "does_not_fit"
    assert refused(table, "2 play 6C") == "does_not_fit"  # the seven of clubs is not yet laid
    assert refused(table, "2 play 8H") == "not_held"
    assert refused(table, "2 play 7H") == "not_held"
    table.say("2 play 7C")
    assert refused(table, "0 play 6S") == "does_not_fit"
    assert refused(table, "0 play 9C") == "does_not_fit"


def test_3_5_a_pass_is_refused_while_a_card_fits() -> None:
    table = Table(HANDS).say("1 play 7H")
    assert refused(table, "2 pass") == "must_play"
    table.say("2 play 7C", "0 play 8C", "1 play 6H", "2 play 6C", "0 play 9C", "1 play 8H")
    assert table.may_play() == {"pass"}
    assert table.say("2 pass").event("passed").seat == 2


def test_3_5_among_cards_that_fit_the_choice_is_free() -> None:
    start = Table(HANDS).say("1 play 7H", "2 play 7C").state
    for card in ("7S", "8C"):
        step = BADAM_SATTI.apply(start, Seat(0), Play(Card(card)))
        assert step.state.acting == 1


def test_3_7_the_hand_ends_with_the_last_card_and_the_next_is_named() -> None:
    table = Table()
    while table.state.scored is None:
        table.time_out(table.acting)
    assert table.names()[-5:] == ["played", "shown", "shown", "standing", "scored"]
    assert BADAM_SATTI.to_act(table.state) == frozenset()
    for said in ("0 pass", "1 play KS", "auto 2", "0 leave", "0 back"):
        assert refused(table, said) == "hand_over"


def test_nobody_moves_before_the_cards_and_only_the_dealer_deals() -> None:
    seats = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in range(3))
    fresh = SEVENS.start(SevensOptions(seats=3), seats, Carry())
    for move in (Pass(), Play(Card("7D"))):
        with pytest.raises(IllegalMove, match="dealer_acts"):
            SEVENS.apply(fresh, Seat(0), move)
        with pytest.raises(IllegalMove, match="unknown_move"):
            SEVENS.apply(fresh, DEALER, move)
    table = Table()
    with pytest.raises(IllegalMove, match="unknown_move"):
        table.move(Seat(table.acting), Deal(PACK.cards))
    with pytest.raises(IllegalMove, match="not_your_turn"):
        table.move(DEALER, Deal(PACK.cards))


def test_a_wrong_order_is_our_fault() -> None:
    seats = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in range(3))
    fresh = SEVENS.start(SevensOptions(seats=3), seats, Carry(Seat(0)))
    for deal in (
        Deal(PACK.cards[1:]),
        Deal(PACK.cards[:-1] + PACK.cards[:1]),
        Deal(PACK.cards, (1,)),
    ):
        with pytest.raises(AssertionError):
            SEVENS.apply(fresh, DEALER, deal)


@pytest.mark.parametrize("count", [0, 2, 4])
def test_1_1_every_seat_is_filled(count: int) -> None:
    seats = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in range(count))
    with pytest.raises(AssertionError):
        BADAM_SATTI.start(BadamSattiOptions(seats=3), seats, Carry())


def test_6_2_the_order_of_the_suits_is_that_of_the_source() -> None:
    assert lowest(cards("AD AC KH 2H KS QS")) == "QS"
    assert lowest(cards("AD AC KH 2H")) == "2H"
    assert lowest(cards("AD KC")) == "KC"
