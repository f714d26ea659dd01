"""A record of every free game holds: its deal, its moves and its result, in mid-match too."""

from dataclasses import replace

import pytest

from server.fairness.record import Record
from server.verify import verify_record
from server.verify.replay import replay_lines
from tests.verify.free_house import FREE, FreeHouse, second_hand
from tests.verify.house import SERVER, signed

every_free_game = pytest.mark.parametrize("name", FREE)


def failed(record: Record) -> tuple[int, ...]:
    report = verify_record(signed(record), SERVER.public)
    assert report.refused is None
    return report.failed


@every_free_game
@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_honest_record_holds(name: str, number: int) -> None:
    assert failed(FreeHouse(name=name, number=number).play()) == ()


@every_free_game
@pytest.mark.parametrize("number", [1, 2])
def test_a_hand_in_mid_match_holds_with_what_the_match_has_brought(name: str, number: int) -> None:
    house = second_hand(name, number)
    record = house.play()
    assert record.memo == house.memo
    assert failed(record) == ()
    assert failed(replace(record, memo="nonsense of another game")) == (17, 18)


@every_free_game
def test_a_hand_can_be_read_move_by_move_as_a_seat_saw_it(name: str) -> None:
    record = FreeHouse(name=name).play()
    whole, seen = list(replay_lines(record)), list(replay_lines(record, seat=0))
    told = [event.line for event in record.events if event.line]
    assert [line[6:] for line in whole if line[:4].strip().isdigit()][1:] == told
    assert not any("fails" in line for line in seen)
    assert any(line.strip().startswith("given: ") for line in seen)
    assert not any("given: " in line for line in whole)
    with pytest.raises(ValueError, match="not in this hand"):
        list(replay_lines(record, seat=7))


@every_free_game
def test_another_result_fails(name: str) -> None:
    record = FreeHouse(name=name).play()
    first = record.result[0]
    rows = (replace(first, points=first.points + 1), *record.result[1:])
    assert 18 in failed(replace(record, result=rows))


@every_free_game
def test_a_move_that_the_rules_refuse_fails(name: str) -> None:
    """The last line is left out: the hand is not over, whatever the result says."""
    record = FreeHouse(name=name).play()
    assert 18 in failed(replace(record, events=record.events[:-1]))
