"""Every frame of a client is read strictly, and a refusal names the field."""

import json
from typing import Any

import pytest

from server.errors import Refusal
from server.web import messages
from server.web.reading import DEPTH_MAX, digest_of, id_of, read_frame, read_json

TABLE = "6f2d7c1e-58a4-4a43-9f0b-0c4c5b1f7a11"
HEX32 = "ab" * 32
HEX64 = "cd" * 64

GOOD: dict[str, dict[str, Any]] = {
    "hello": {"token": "t", "resume": [{"table": TABLE, "seq": 118, "stream": 7}]},
    "table.watch": {"table": TABLE},
    "table.unwatch": {"table": TABLE},
    "table.sit": {"table": TABLE, "d": {"seat": 2}},
    "table.leave": {"table": TABLE},
    "table.sit_out": {"table": TABLE},
    "table.back": {"table": TABLE},
    "deal.commit": {
        "table": TABLE,
        "hand": 1,
        "d": {"attempt": 0, "commit": HEX32, "pub": HEX32, "sig": HEX64},
    },
    "deal.reveal": {"table": TABLE, "hand": 1, "d": {"attempt": 3, "x": HEX32, "sig": None}},
    "deal.reveal_again": {"table": TABLE, "hand": 1, "d": {"epoch": 8, "x": HEX32, "sig": HEX64}},
    "play": {"table": TABLE, "hand": 1, "turn": 31, "d": {"move": "drop"}},
    "ping": {},
}


def refusal_of(frame: object) -> Refusal:
    with pytest.raises(Refusal) as refused:
        read_frame(read_json(json.dumps(frame)))
    return refused.value


def good(t: str) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(json.dumps(GOOD[t]))
    return {"t": t, "id": "c1", **frame}


@pytest.mark.parametrize("t", sorted(GOOD))
def test_a_good_frame_is_read(t: str) -> None:
    assert read_frame(read_json(json.dumps(good(t)))).t == t


@pytest.mark.parametrize("t", sorted(GOOD))
def test_an_unknown_field_is_refused_by_its_name_at_every_depth(t: str) -> None:
    refused = refusal_of({**good(t), "extra": 1})
    assert (refused.code, refused.field) == ("unknown_field", "extra")
    if t != "play" and isinstance(GOOD[t].get("d"), dict):
        frame = good(t)
        frame["d"]["extra"] = 1
        refused = refusal_of(frame)
        assert (refused.code, refused.field) == ("unknown_field", "d.extra")


@pytest.mark.parametrize("t", sorted(GOOD))
def test_every_field_refuses_a_wrong_type_by_its_name(t: str) -> None:
    for name, value in good(t).items():
        if name == "t":
            continue
        wrong: object = 1 if isinstance(value, str) else "1"
        refused = refusal_of({**good(t), name: wrong})
        assert (refused.code, refused.field) == ("bad_field", name)


@pytest.mark.parametrize(
    ("t", "field"),
    [
        (t, field)
        for t in sorted(GOOD)
        for field in ("id", *GOOD[t])
        if (t, field) not in {("hello", "token"), ("hello", "resume"), ("table.sit", "d")}
    ],
)
def test_a_missing_field_is_refused_by_its_name(t: str, field: str) -> None:
    frame = good(t)
    del frame[field]
    refused = refusal_of(frame)
    assert (refused.code, refused.field) == ("missing_field", field)


@pytest.mark.parametrize(
    ("t", "place", "wrong"),
    [
        ("hello", ("resume", 0, "seq"), 1.0),
        ("hello", ("resume", 0, "seq"), True),
        ("hello", ("resume", 0, "stream"), -1),
        ("hello", ("resume", 0, "table"), TABLE.upper()),
        ("hello", ("resume", 0, "table"), TABLE.replace("-", "")),
        ("hello", ("token",), ""),
        ("hello", ("token",), "t" * 257),
        ("table.sit", ("d", "seat"), 8),
        ("table.sit", ("d", "seat"), -1),
        ("table.sit", ("d", "seat"), "2"),
        ("deal.commit", ("hand",), 2**53),
        ("deal.commit", ("hand",), 10**300),
        ("deal.commit", ("d", "attempt"), 4),
        ("deal.commit", ("d", "commit"), HEX32.upper()),
        ("deal.commit", ("d", "commit"), HEX32 + "ab"),
        ("deal.commit", ("d", "commit"), HEX32[:-1]),
        ("deal.commit", ("d", "commit"), None),
        ("deal.commit", ("d", "sig"), HEX32),
        ("deal.reveal", ("d", "x"), "zz" * 32),
        ("deal.reveal_again", ("d", "epoch"), 0),
        ("deal.reveal_again", ("d", "epoch"), 9),
        ("play", ("turn",), -1),
        ("play", ("d",), []),
        ("ping", ("id",), ""),
        ("ping", ("id",), "x" * 65),
        ("ping", ("id",), "two words"),
        ("ping", ("id",), "ä"),
        ("ping", ("id",), "a\n"),
        ("ping", ("id",), "\ud800"),
    ],
)
def test_a_value_out_of_bounds_is_refused_by_its_name(
    t: str, place: tuple[str | int, ...], wrong: object
) -> None:
    frame = good(t)
    target: Any = frame
    for part in place[:-1]:
        target = target[part]
    target[place[-1]] = wrong
    refused = refusal_of(frame)
    assert (refused.code, refused.field) == ("bad_field", ".".join(map(str, place)))


def test_a_seat_may_be_left_to_the_table() -> None:
    given: list[dict[str, Any]] = [{}, {"d": {}}, {"d": {"seat": None}}]
    for d in given:
        frame = read_frame({"t": "table.sit", "id": "c1", "table": TABLE, **d})
        assert isinstance(frame, messages.SitDown)
        assert frame.d.seat is None


def test_a_resume_of_too_many_tables_is_refused() -> None:
    one = {"table": TABLE, "seq": 1, "stream": 1}
    refused = refusal_of({"t": "hello", "id": "c1", "resume": [one] * 17})
    assert (refused.code, refused.field) == ("bad_field", "resume")


def test_playing_without_a_seed_is_said_by_true_alone_and_by_nothing_else() -> None:
    frame = good("deal.commit")
    frame["d"] = {"attempt": 0, "without_seed": True}
    assert read_frame(frame).t == "deal.commit"
    for wrong in (1, False, "true", None):
        frame["d"] = {"attempt": 0, "without_seed": wrong}
        assert refusal_of(frame).field == "d.without_seed"
    frame["d"] = {"attempt": 0, "without_seed": True, "commit": HEX32}
    assert (refusal_of(frame).code, refusal_of(frame).field) == ("unknown_field", "d.commit")


@pytest.mark.parametrize("t", ["", "Play", "play ", "table", None, 1, ["play"], {"t": "play"}])
def test_an_unknown_type_is_refused(t: object) -> None:
    refused = refusal_of({"t": t, "id": "c1"})
    assert (refused.code, refused.field) == ("unknown_type", "t")


def test_a_missing_type_is_refused() -> None:
    refused = refusal_of({"id": "c1"})
    assert (refused.code, refused.field) == ("missing_field", "t")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        '"play"',
        "1",
        "{",
        '{"t":"ping","id":"c1"}}',
        '{"t":"ping","t":"pong","id":"c1"}',
        '{"t":"play","d":{"move":"drop","move":"draw"}}',
        '{"t":"ping","id":NaN}',
        '{"t":"ping","id":-Infinity}',
        '{"t":"play","turn":' + "9" * 5000 + "}",
        "[" * 8000,
        '{"a":' * 1600,
        '{"a":' * (DEPTH_MAX + 1) + "1" + "}" * (DEPTH_MAX + 1),
        '{"a":' + "[" * DEPTH_MAX + "]" * DEPTH_MAX + "}",
        "\ufeff{}",
        "{'t':'ping'}",
        '{"t":"ping","id":"a\tb"}',
    ],
    ids=range(19),
)
def test_what_is_no_json_object_is_a_bad_frame(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_json(text)
    assert (refused.value.code, refused.value.field) == ("bad_frame", None)


def test_nothing_of_the_client_is_repeated_but_a_field_in_plain_ascii() -> None:
    refused = refusal_of({"t": "ping", "id": "c1", "naïve<script>\n" + "x" * 500: 1})
    assert refused.code == "unknown_field"
    assert refused.field is not None
    assert refused.field.isascii()
    assert len(refused.field) == 64
    secret = refusal_of({"t": "hello", "id": "c1", "token": ["s3cret"]})
    assert "s3cret" not in f"{secret.text}{secret.field}{secret}"


def test_an_id_is_found_even_in_a_frame_that_is_refused() -> None:
    assert id_of({"t": "nope", "id": "c1"}) == "c1"
    for wrong in (None, 1, "", "x" * 65, "a b", "ä", "a\n", "\ud800", ["c1"]):
        assert id_of({"id": wrong}) is None


def test_a_digest_depends_on_every_value_and_not_on_the_order() -> None:
    frame = good("play")
    backwards = dict(reversed(list(frame.items())))
    assert digest_of(frame) == digest_of(backwards)
    for name, other in (("turn", 32), ("hand", 2), ("d", {"move": "draw"}), ("id", "c2")):
        assert digest_of({**frame, name: other}) != digest_of(frame)
    assert len(digest_of({"d": {"a": "\ud800"}})) == 32
