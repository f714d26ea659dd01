"""Each check finds its own lie, in a record that is whole and signed in every other way."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import Deal
from server.fairness.commitment import NO_KEY
from server.fairness.record import Record, sign_record
from server.games.rummy import GAME, Rummy
from server.verify import Verdict, verify_record
from server.verify.checks import CHECKS, LIVE_ONLY
from tests.verify.crooked import CROOKED, change
from tests.verify.house import SERVER, STRANGER, House, signed
from tests.verify.resigned import RESIGNED, entry_with, size_0, swapped_places, two_roots


def failed(record: Record) -> set[int]:
    report = verify_record(signed(record), SERVER.public)
    assert report.exit_code == (1 if report.failed else 0)
    return set(report.failed)


HOUSES: dict[str, dict[str, Any]] = {
    "a reshuffle, a seat without a key, one absent, one void": {},
    "two at a table of four, no reshuffle, a fixed dealer": {
        "size": 4, "players": (1, 3), "absent": frozenset(), "attempt": 0, "dealer": 3,
        "reshuffles": 0,
    },
    "three reshuffles with seats that don't answer": {
        "reshuffles": 3, "absences": frozenset({(0, 1), (1, 1), (1, 2), (2, 3)}),
    },
    "three packs, all four attempts": {
        "size": 8, "players": tuple(range(8)), "attempt": 3, "reshuffles": 1,
    },
    "nobody committed": {"absent": frozenset(range(6)), "absences": frozenset()},
}  # fmt: skip


@pytest.mark.parametrize("house", HOUSES.values(), ids=HOUSES.keys())
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_an_honest_hand_holds(house: dict[str, Any], number: int) -> None:
    report = verify_record(signed(House(number=number, **house).play()), SERVER.public)
    assert report.exit_code == 0, report.text()
    assert [line.number for line in report.lines] == list(range(1, 20))
    for line in report.lines:
        live = line.number in LIVE_ONLY
        assert line.verdict is (Verdict.LIVE_ONLY if live else Verdict.HOLDS)


def test_the_honest_hands_hold_every_kind_of_line() -> None:
    records = [House(number=n, **house).play() for house in HOUSES.values() for n in (1, 2, 3, 4)]
    lines = [event.line for record in records for event in record.events if event.line]
    for kind in (
        r"\d draw closed @0\.\d+", r"\d draw closed @1\.\d+", r"\d draw open .+",
        r"\d discard .+", r"auto \d draw closed @\d\.\d+", r"auto \d discard .+",
        r"\d drop", r"\d leave", r"\d declare @.+",
    ):  # fmt: skip
        assert any(re.fullmatch(kind, line) for line in lines), kind


def test_1_without_the_pinned_key_check_1_is_live_only() -> None:
    report = verify_record(signed(House().play()))
    assert report.exit_code == 0
    assert report.lines[0].verdict is Verdict.LIVE_ONLY


def test_1_another_key_than_the_pinned_one_fails() -> None:
    report = verify_record(signed(House().play()), STRANGER.public)
    assert report.failed == (1,)


def test_1_a_record_that_another_key_signed_fails() -> None:
    file = sign_record(House().play(), STRANGER.sign)
    assert verify_record(file, SERVER.public).failed == (1,)
    assert verify_record(file).failed == (1,)


def test_8_a_server_key_of_zeros_signs_nothing() -> None:
    record = replace(House().play(), server_pub=NO_KEY)
    forged = sign_record(record, lambda _role, _digest: b"\x01" + bytes(63))
    assert 1 in verify_record(forged).failed


# --- lies that everything after them is honest about


@pytest.mark.parametrize(
    ("number", "name", "lie"), CROOKED, ids=[f"{n} {name}" for n, name, _ in CROOKED]
)
def test_a_lie_that_is_signed_and_logged_fails_its_own_check_alone(
    number: int, name: str, lie: Callable[[Any], Any]
) -> None:
    assert failed(House(lies={name: lie}).play()) == {number}


def test_11_and_16_are_one_fact_in_a_record() -> None:
    """Openings are made from S, not recorded: a root that S does not give fails both."""
    assert failed(House(lies={"root0": change}).play()) == {11, 16}
    assert failed(House(lies={"root1": change}).play()) == {11, 16}


def test_15_a_card_kept_out_of_the_reshuffle_stops_the_replay_too() -> None:
    assert failed(House(lies={"D": lambda numbers: numbers}).play()) == set()
    record = House().play()
    head = record.heads[1]
    assert head.discards is not None
    kept = replace(head, discards=head.discards[1:])
    assert {15, 18} <= failed(replace(record, heads=(record.heads[0], kept)))


class Doubling(Rummy):
    """A rummy whose reshuffles bring one card twice; the cards that it plays with are right."""

    @staticmethod
    def undealt(state: Any) -> tuple[Card, ...]:
        cards = GAME.undealt(state)
        return (*cards, cards[0]) if state.orders else cards

    @staticmethod
    def apply(state: Any, seat: Any, move: Any) -> Any:
        if isinstance(move, Deal):
            move = Deal(tuple(dict.fromkeys(move.order)), move.draws)
        return GAME.apply(state, seat, move)


def test_13_a_card_that_is_there_twice_fails_by_the_rules_even() -> None:
    record = House(game=Doubling()).play()
    report = verify_record(signed(record), SERVER.public, {"rummy": Doubling()})
    assert report.failed == (13,)


# --- lies about a value that nothing else rests on


@pytest.mark.parametrize(
    ("number", "name", "alter"), RESIGNED, ids=[f"{n} {name}" for n, name, _ in RESIGNED]
)
def test_a_value_that_was_changed_and_signed_again_fails_its_own_check_alone(
    number: int, name: str, alter: Callable[[Record], Record]
) -> None:
    assert failed(alter(House().play())) == {number}


def test_10_entries_out_of_order_or_two_roots_at_one_size_fail() -> None:
    record = House(attempt=2).play()
    assert 10 in failed(swapped_places(record))
    assert 10 in failed(two_roots(record))


def test_19_size_0_is_refused() -> None:
    record = replace(entry_with(House().play(), 0, size_0), log_size=0)
    assert 19 in failed(record)


def test_17_a_game_that_is_not_known_or_refuses_its_options_fails() -> None:
    record = House().play()
    for changed in (
        replace(record, game="bridge"),
        replace(record, options={**record.options, "rate": 1}),
        replace(record, options={"seats": 6}),
        replace(record, options={**record.options, "unknown": 1}),
        replace(record, dealer=17),
    ):
        assert 17 in failed(changed)


def test_8_cards_that_the_pack_has_not_are_a_fault_and_no_crash() -> None:
    record = House().play()
    seats = {**record.options, "seats": 8}
    for changed in (
        replace(record, printed_jokers=0),
        replace(record, packs=1),
        replace(record, options=seats),
    ):
        assert 8 in failed(changed)


def test_every_check_has_a_lie_that_it_finds() -> None:
    found = {1, 11, 13} | {n for n, _, _ in CROOKED} | {n for n, _, _ in RESIGNED}
    assert found == CHECKS.keys()
