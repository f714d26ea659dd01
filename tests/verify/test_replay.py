"""A recorded hand as text: what all saw, and what one seat saw."""

import re
from dataclasses import replace

import pytest

from server.verify import replay_lines
from tests.verify.house import House

HOUSE = House(number=5)
RECORD = HOUSE.play()


def test_all_events_are_told_in_order_and_the_result_last() -> None:
    lines = list(replay_lines(RECORD))
    told = [line.split(maxsplit=1) for line in lines if re.match(r" *\d+  ", line)]
    assert [int(k) for k, _ in told] == [event.k for event in RECORD.events]
    for (_, text), event in zip(told, RECORD.events, strict=True):
        assert text == event.line or (event.line is None and text.startswith("deal of epoch"))
    assert lines[0] == "rummy 1, hand 7, attempt 1"
    assert len([line for line in lines if line.startswith("seat ")]) == len(RECORD.seats)


def test_without_a_seat_no_hidden_card_is_told() -> None:
    text = "\n".join(replay_lines(RECORD))
    assert "given" not in text
    assert "holding" not in text


def cards_told(seat: int) -> set[str]:
    lines = [line for line in replay_lines(RECORD, seat) if line.startswith("      given: ")]
    return {card for line in lines for card in line.split()[1:]}


def test_a_seat_is_told_its_own_cards_and_no_others() -> None:
    hands = {seat: cards_told(seat) for seat in HOUSE.players}
    assert all(len(hand) >= 13 + 2 for hand in hands.values())
    turned_up = set.intersection(*hands.values())
    assert len(turned_up) == 2
    dealt = [hand - turned_up for hand in hands.values()]
    assert sum(len(hand) for hand in dealt) >= 13 * 6
    assert any(one != other for one in dealt for other in dealt)


def test_a_seat_that_is_not_in_the_hand_is_refused() -> None:
    with pytest.raises(ValueError, match="seat 7 is not in this hand"):
        replay_lines(RECORD, 7)


def test_where_record_and_rules_part_the_last_line_says_so() -> None:
    at = next(e.k for e in RECORD.events if e.line and "discard" in e.line)
    events = list(RECORD.events)
    events[at] = replace(events[at], line="0 drop")
    lines = list(replay_lines(replace(RECORD, events=tuple(events))))
    assert lines[-1].startswith("check 18 fails: ")
