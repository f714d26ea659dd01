"""Records, true and false, with what the Python verifier says of each."""

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from server.fairness.commitment import NO_KEY
from server.fairness.note import NoteKey
from server.fairness.record import Record, build, sign_record
from server.verify import verify_record
from server.verify.report import Report
from tests.verify.crooked import CROOKED, change
from tests.verify.free_house import FREE, FreeHouse, second_hand
from tests.verify.house import SERVER, STRANGER, House, signed
from tests.verify.promises import LOG_SIGNER
from tests.verify.resigned import RESIGNED, entry_with, size_0, swapped_places, two_roots
from tests.verify.test_checks import HOUSES
from tests.verify.test_hostile_records import altered, places, resigned

FLIPS = 30
HOSTILE = 12
FREE_LIES = 3
WORDS = ("0", "1", "3", "play", "pass", "7H", "KS", "12", "leave", "back", "take", "bid", "H")
SHORT_HOUSE: dict[str, Any] = {
    "size": 4, "players": (0, 1, 3), "absent": frozenset(), "reshuffles": 0,
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A file and the keys that are pinned while it is read."""

    name: str
    data: bytes
    server_key: bytes | None = SERVER.public
    log_key: NoteKey | None = None

    @property
    def report(self) -> Report:
        """What the Python verifier says."""
        return verify_record(self.data, self.server_key, log_key=self.log_key)


def cases() -> Iterator[Case]:
    """Give every case, honest ones first."""
    yield from _honest()
    yield from _lies()
    yield from _free()
    yield from _flipped()
    yield from _hostile()
    yield from _unread()


def _honest() -> Iterator[Case]:
    for name, house in HOUSES.items():
        for number in (1, 3):
            yield Case(f"honest: {name}, {number}", signed(House(number=number, **house).play()))
    record = signed(House().play())
    yield Case("honest, no pinned key", record, None)
    yield Case("honest, the log's key", record, log_key=LOG_SIGNER.key)
    yield Case("honest, another log's key", record, log_key=NoteKey("else", STRANGER.public))
    other = NoteKey(LOG_SIGNER.key.name, STRANGER.public)
    yield Case("honest, another key of the log", record, log_key=other)
    yield Case("honest, another pinned key", record, STRANGER.public)


def _lies() -> Iterator[Case]:
    for number, name, lie in CROOKED:
        yield Case(f"crooked: {number} {name}", signed(House(lies={name: lie}).play()))
    honest = House().play()
    for number, name, alter in RESIGNED:
        yield Case(f"resigned: {number} {name}", signed(alter(honest)))
    two = House(attempt=2).play()
    for name, record in {
        "another root": House(lies={"root1": change}).play(),
        "places swapped": swapped_places(two),
        "two roots": two_roots(two),
        "size 0": replace(entry_with(honest, 0, size_0), log_size=0),
        "a card kept out": _kept_out(honest),
        **_other_games(honest),
    }.items():
        yield Case(f"lie: {name}", signed(record))
    yield Case("another key signed", sign_record(honest, STRANGER.sign))
    zero = replace(honest, server_pub=NO_KEY)
    yield Case("a key of zeros", sign_record(zero, lambda _role, _digest: b"\x01" + bytes(63)))


def _kept_out(record: Record) -> Record:
    head = record.heads[1]
    assert head.discards is not None
    return replace(record, heads=(record.heads[0], replace(head, discards=head.discards[1:])))


def _other_games(record: Record) -> dict[str, Record]:
    options = dict(record.options)
    return {
        "options refused": replace(record, options={**options, "rate": 1}),
        "options left out": replace(record, options={"seats": 6}),
        "options unknown": replace(record, options={**options, "unknown": 1}),
        "an option of another kind": replace(record, options={**options, "practice": 0}),
        "a huge option": replace(record, options={**options, "rate": 10**18}),
        "eight seats": replace(record, options={**options, "seats": 8}),
        "a dealer from elsewhere": replace(record, dealer=17),
        "no jokers": replace(record, printed_jokers=0),
        "one pack": replace(record, packs=1),
        "a huge log": replace(record, log_size=2**64 - 1),
        "a huge place": entry_with(
            record, 1, lambda e: replace(e, index=2**63 + 1, size=2**64 - 1)
        ),
        "no checkpoint": replace(record, checkpoint=None),
        "a wrong checkpoint": replace(record, checkpoint="a\n1\nAA==\n\n\u2014 a AAAAAAA=\n"),
    }


def _free() -> Iterator[Case]:
    """Hands of the free games, the second of a match too, and lies about each."""
    for name in FREE:
        for number, house in enumerate((FreeHouse(name=name), second_hand(name, 5))):
            record = house.play()
            yield Case(f"free: {name}, {number}", signed(record))
            chance = random.Random(f"{name} {number}")
            for lie in range(FREE_LIES):
                value = copy.deepcopy(build(record))
                said = _told_wrong(value, chance)
                yield Case(f"free: {name}, {number}, lie {lie}: {said}", resigned(value))


def _told_wrong(value: Any, chance: random.Random) -> str:
    """Change one thing of a record that the rules judge; what."""
    lines = [event for event in value["events"] if event["line"] is not None]
    what = chance.choice(["word", "word", "auto", "points", "winner", "memo", "option", "rate"])
    if what in {"word", "auto"} and lines:
        event = chance.choice(lines)
        words = event["line"].split(" ")
        if what == "word":
            words[chance.randrange(len(words))] = chance.choice(WORDS)
        else:
            words = words[1:] if words[0] == "auto" else ["auto", *words]
        event["line"] = " ".join(words)
        return f"{what}, {event['line']}"
    match what:
        case "winner":
            value["settlement"]["winner"] = chance.choice([None, 0, 1, 2])
        case "memo":
            value["memo"] = chance.choice(["x", "#0:1 ", "#9:1 ", "2:1,2,3", value["memo"] + "0"])
        case "option":
            value["options"][chance.choice(list(value["options"]))] = chance.choice([1, 3, "x"])
        case "rate":
            value["settlement"]["rate"] = 1
        case _:
            chance.choice(value["result"])["points"] += 1
    return what


def _flipped() -> Iterator[Case]:
    """One byte is another; half of them stay within the form."""
    short, chance = signed(House(**SHORT_HOUSE).play()), random.Random(9)
    for at in chance.sample(range(len(short)), FLIPS):
        changed = bytearray(short)
        while changed == short:
            near = chance.random() < 0.5
            changed[at] = chance.choice(b"0123456789abcdef") if near else chance.randrange(256)
        yield Case(f"flipped at {at}", bytes(changed))


def _hostile() -> Iterator[Case]:
    """Signed over anything."""
    whole = build(House().play())
    for number in range(1000, 1000 + HOSTILE):
        chance, value = random.Random(number), copy.deepcopy(whole)
        for container, key in chance.sample(list(places(value)), chance.choice([1, 1, 3])):
            container[key] = altered(container[key], chance)
        yield Case(f"hostile {number}", resigned(value))


def _unread() -> Iterator[Case]:
    short = signed(House(**SHORT_HOUSE).play())
    tail = short[-146:]
    for name, data in {
        "empty": b"",
        "cut short": short[:-1],
        "more behind": short + b"\n",
        "zeros": bytes(50),
        "not JSON": b"{nonsense" + tail,
        "another format": short.replace(b'"format":"fairdeal/1"', b'"format":"fairdeal/2"'),
        "spaced": short.replace(b'":', b'": ', 1),
        "a key twice": b'{"C_S":1,' + short[1:],
        "a fraction": short.replace(b'"attempt":1', b'"attempt":1.0'),
        "a number too long": short.replace(b'"attempt":1', b'"attempt":' + b"1" * 21),
        "not a number": short.replace(b'"attempt":1', b'"attempt":NaN'),
        "minus zero": short.replace(b'"attempt":1', b'"attempt":-0'),
        "beyond ASCII": short.replace(b'"rummy"', '"रमी"'.encode()),
        "escaped": short.replace(b'"rummy"', b'"\\u0072ummy"'),
        "deep": b'{"a":' * 7 + b"1" + b"}" * 6 + tail,
        "nested 300000 deep": b'{"a":' * 300_000 + tail,
        "one long string": b'{"a":"' + b"a" * 1_900_000 + b'"' + tail,
        "one long escaped string": b'{"a":"' + b"\\n" * 900_000 + b'"' + tail,
        "one long hash": short.replace(b'"C_S":"', b'"C_S":"' + b"ab" * 900_000),
        "an empty object": b"{" + tail[1:],
        "3 MB": b"[" * 3_000_000,
    }.items():
        yield Case(f"unread: {name}", data)
