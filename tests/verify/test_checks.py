"""Each check finds its own lie, in a record that is whole and signed in every other way."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import Deal
from server.fairness.commitment import NO_KEY
from server.fairness.encoding import digest
from server.fairness.record import Record, RecordEntry, sign_record
from server.games.rummy import GAME, Rummy
from server.verify import Verdict, verify_record
from server.verify.checks import CHECKS, LIVE_ONLY
from tests.verify.house import SERVER, STRANGER, House, signed

OTHER = digest("test", b"another value")
FORGED = STRANGER.sign("event", OTHER)


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


def change(value: Any) -> Any:
    return OTHER


def first_of_pair(values: Any) -> Any:
    return [OTHER, *values[1:]]


def this_attempt(values: Any) -> Any:
    return [values[0], OTHER, *values[2:]]


def swapped(numbers: Any) -> Any:
    return (numbers[1], numbers[0], *numbers[2:])


def next_position(line: str) -> str:
    place = line.rpartition(".")
    return f"{place[0]}.{int(place[2]) + 1}"


def other_card(line: str) -> str:
    """Discard what the seat can't hold: the card that lies turned up."""
    return line.replace(line.split()[-1], "QH#1")


def more(rows: Any) -> Any:
    """Take a micro-HT from the first seat that pays nothing beside it."""
    seat, points, amount = rows[0]
    return [(seat, points, amount - 1), *rows[1:]]


def more_points(rows: Any) -> Any:
    seat, points, amount = rows[0]
    return [(seat, points + 1, amount), *rows[1:]]


def of_this_attempt(_: Any) -> Any:
    return House().chain_of(0)[0]


def changed_end(entry: bytes) -> bytes:
    return entry[:-1] + bytes([entry[-1] ^ 1])


CROOKED: list[tuple[int, str, Callable[[Any], Any]]] = [
    (2, "commits", this_attempt),
    (2, "open entry", changed_end),
    (2, "open sig", lambda _: FORGED),
    (2, "open sig", lambda _: None),
    (2, "log_root", change),
    (3, "commit 1", change),
    (4, "void x", of_this_attempt),
    (4, "x0 1", lambda _: None),
    (7, "R0", change),
    (7, "R1", change),
    (8, "n0", lambda n: n - 1),
    (8, "n1", lambda n: n + 1),
    (8, "spec", change),
    (9, "deal0 entry", changed_end),
    (9, "deal1 entry", changed_end),
    (10, "void entry", changed_end),
    (10, "close entry", changed_end),
    (10, "close sig", lambda _: FORGED),
    (12, "line 1", next_position),
    (14, "x1 1", change),
    (15, "D", swapped),
    (16, "S", change),
    (16, "unused 3", change),
    (16, "void S", change),
    (16, "commits", first_of_pair),
    (17, "listed dealer", lambda _: 3),
    (17, "rules", lambda _: "2"),
    (18, "line 2", other_card),
    (18, "T 3", change),
    (18, "result", more),
    (18, "result", more_points),
    (18, "result_hash", change),
]


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


def seat_with(record: Record, at: int, **changes: Any) -> Record:
    seats = list(record.seats)
    seats[at] = replace(seats[at], **changes)
    return replace(record, seats=tuple(seats))


def head_with(record: Record, at: int, **changes: Any) -> Record:
    heads = list(record.heads)
    heads[at] = replace(heads[at], **changes)
    return replace(record, heads=tuple(heads))


def entry_with(record: Record, at: int, alter: Callable[[RecordEntry], RecordEntry]) -> Record:
    log = list(record.log)
    log[at] = alter(log[at])
    return replace(record, log=tuple(log))


def other_path(entry: RecordEntry) -> RecordEntry:
    return replace(entry, path=(OTHER, *entry.path[1:]))


def longer_path(entry: RecordEntry) -> RecordEntry:
    return replace(entry, path=(*entry.path, OTHER))


def shorter_path(entry: RecordEntry) -> RecordEntry:
    return replace(entry, path=entry.path[:-1])


def size_0(entry: RecordEntry) -> RecordEntry:
    return replace(entry, index=0, size=0, path=())


def two_roots(record: Record) -> Record:
    """Show the DEAL at the CLOSE's size in a tree of its own."""
    at_close, deal = record.log[-1], record.log[-2]
    alone = replace(deal, size=at_close.size)
    return replace(record, log=(*record.log[:-2], alone, at_close))


def swapped_places(record: Record) -> Record:
    """Show the second attempt's VOID before the first."""
    one, two = record.log[1:3]
    return replace(record, log=(record.log[0], two, one, *record.log[3:]))


def present_with(record: Record, at: int, value: int) -> Record:
    present = list(record.heads[1].present)
    present[at] = value
    return head_with(record, 1, present=tuple(present))


def again_with(record: Record, at: int, value: bytes | None) -> Record:
    signatures = list(record.heads[1].again_sigs)
    signatures[at] = value
    return head_with(record, 1, again_sigs=tuple(signatures))


RESIGNED: list[tuple[int, str, Callable[[Record], Record]]] = [
    (2, "the OPEN is not in the log", lambda r: entry_with(r, 0, other_path)),
    (3, "a commit signed by another", lambda r: seat_with(r, 1, commit_sig=FORGED)),
    (3, "a commit that nobody signed", lambda r: seat_with(r, 1, commit_sig=None)),
    (3, "a signature without a key", lambda r: seat_with(r, 3, commit_sig=FORGED)),
    (3, "an absent seat's signature", lambda r: seat_with(r, 4, commit_sig=FORGED)),
    (5, "a reveal signed by another", lambda r: seat_with(r, 1, reveal_sig=FORGED)),
    (5, "a reveal that nobody signed", lambda r: seat_with(r, 1, reveal_sig=None)),
    (5, "a reveal without a key", lambda r: seat_with(r, 3, reveal_sig=FORGED)),
    (5, "an absent seat's reveal", lambda r: seat_with(r, 4, reveal_sig=FORGED)),
    (6, "L signed by another", lambda r: replace(r, L_sig=FORGED)),
    (6, "HEAD signed by another", lambda r: head_with(r, 0, sig=FORGED)),
    (6, "a later HEAD signed by another", lambda r: head_with(r, 1, sig=FORGED)),
    (7, "a seat left out of a reshuffle", lambda r: present_with(r, 1, 0)),
    (7, "a seat put into a reshuffle", lambda r: present_with(r, 0, 1)),
    (9, "the DEAL is not in the log", lambda r: entry_with(r, 2, other_path)),
    (10, "the VOID is not in the log", lambda r: entry_with(r, 1, other_path)),
    (10, "the CLOSE is not in the log", lambda r: entry_with(r, -1, other_path)),
    (10, "another reason", lambda r: replace(r, voids=(replace(r.voids[0], reason=2),))),
    (14, "a call signed by another", lambda r: head_with(r, 1, call_sig=FORGED)),
    (14, "an answer signed by another", lambda r: again_with(r, 1, FORGED)),
    (14, "an answer that nobody signed", lambda r: again_with(r, 1, None)),
    (14, "an answer without a key", lambda r: again_with(r, 3, FORGED)),
    (14, "an answer of an absent seat", lambda r: again_with(r, 0, FORGED)),
    (17, "another player", lambda r: seat_with(r, 0, player=bytes([9]) * 16)),
    (17, "another kind", lambda r: seat_with(r, 0, kind=2)),
    (17, "another option", lambda r: replace(r, options={**r.options, "turn_ms": 5_000})),
    (18, "an event signed by another", lambda r: replace(
        r, events=(*r.events[:-1], replace(r.events[-1], sig=FORGED)))),
    (18, "another winner", lambda r: replace(r, settlement=replace(r.settlement, winner=None))),
    (18, "another gross", lambda r: replace(r, settlement=replace(r.settlement, gross=1))),
    (18, "another fee", lambda r: replace(r, settlement=replace(r.settlement, commission=1))),
    (18, "another rate", lambda r: replace(r, settlement=replace(r.settlement, rate=1))),
    (19, "a proof too long", lambda r: entry_with(r, 2, longer_path)),
    (19, "a proof too short", lambda r: entry_with(r, 2, shorter_path)),
    (19, "the CLOSE in a log of size 0", lambda r: entry_with(r, 2, lambda e: replace(
        e, size=e.index))),
]  # fmt: skip


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


def test_every_check_has_a_lie_that_it_finds() -> None:
    found = {1, 11, 13} | {n for n, _, _ in CROOKED} | {n for n, _, _ in RESIGNED}
    assert found == CHECKS.keys()
