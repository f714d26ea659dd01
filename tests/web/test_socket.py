"""The socket's own rules: who is let in, what closes it, and with which code."""

import asyncio
import json
from contextlib import suppress

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from server.fairness.note import key_of
from server.main import House
from tests.web.conftest import MakeHouse
from tests.web.wire import API, guest, line_to, signed_in

HELLO = {"t": "hello", "id": "h"}


async def test_hello_is_answered_by_a_welcome_that_names_player_clock_and_key(
    house: House,
) -> None:
    token = await guest(house, "Bela")
    async with line_to(house) as line:
        assert line.socket.subprotocol == "pakka.v1"
        assert "Sec-WebSocket-Extensions" not in line.socket.response.headers  # type: ignore[union-attr]
        await line.say({**HELLO, "token": token, "resume": []})
        welcome = await line.hear()
    assert welcome["re"] == "h"
    assert welcome["player"]["kind"] == "human"
    assert welcome["player"]["name"].startswith("Bela#")
    assert welcome["player"]["id"].isdigit()
    assert welcome["heartbeat_ms"] == 15_000
    assert welcome["server_key"] == house.server_pub.hex()
    assert key_of(welcome["log_key"]).name == "localhost/fairdeal-1"
    assert abs(welcome["now"] - await house.database.now_ms()) < 5_000


@pytest.mark.parametrize("protocols", [("pakka.v2",), ("chat", "pakka.v0"), ()])
async def test_another_version_is_closed_with_4412(
    house: House, protocols: tuple[str, ...]
) -> None:
    async with line_to(house, protocols=protocols) as line:
        assert await line.close_code() == 4412


@pytest.mark.parametrize(
    "first",
    [
        "nonsense",
        "[]",
        b'{"t":"hello","id":"h"}',
        {"t": "hello"},
        {**HELLO, "token": 1},
        {**HELLO, "token": "wrong"},
        {**HELLO, "token": "x" * 257},
        {**HELLO, "token": "a\u0000b"},
        {**HELLO, "extra": 1},
        {"t": "ping", "id": "p"},
        {"t": "play", "id": "p"},
        HELLO,
    ],
    ids=range(12),
)
async def test_a_first_frame_that_signs_nobody_in_is_refused_then_closed_with_4401(
    house: House, first: dict[str, object] | str | bytes
) -> None:
    async with line_to(house) as line:
        await line.say(first)
        refusal = await line.hear()
        assert refusal["t"] == "refused"
        assert await line.close_code() == 4401


async def test_silence_at_the_door_is_closed_with_4401(house_with: MakeHouse) -> None:
    async with house_with(hello_ms=400) as house, line_to(house) as line:
        assert await line.close_code() == 4401


@pytest.mark.parametrize("pieces", [1, 64])
async def test_an_empty_piece_too_many_is_closed_with_1009(
    house_with: MakeHouse, pieces: int
) -> None:
    async with (
        house_with(pieces_max=pieces) as house,
        signed_in(house, await guest(house)) as line,
    ):
        protocol = line.socket.protocol
        protocol.send_text(b"{", fin=False)
        for _ in range(pieces):
            protocol.send_continuation(b"", fin=False)
        line.socket.transport.write(b"".join(protocol.data_to_send()))
        assert await line.close_code() == 1009


async def test_a_token_that_has_ended_lets_nobody_in(house: House, http: httpx.AsyncClient) -> None:
    token = await guest(house)
    answer = await http.delete(f"{API}/sessions", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    async with line_to(house) as line:
        await line.say({**HELLO, "token": token})
        assert (await line.hear())["code"] == "not_signed_in"
        assert await line.close_code() == 4401


async def test_signing_out_closes_the_socket_of_that_sign_in_with_4401(
    house: House, http: httpx.AsyncClient
) -> None:
    token = await guest(house)
    async with signed_in(house, token) as line:
        await http.delete(f"{API}/sessions", headers={"Authorization": f"Bearer {token}"})
        assert await line.close_code() == 4401


async def test_the_newest_socket_of_a_player_wins_and_the_older_is_closed_with_4409(
    house: House,
) -> None:
    token, table = await guest(house), str(house.tables["other"])
    async with signed_in(house, token) as old:
        assert (await old.ask("table.sit", table=table))["t"] == "ok"
        async with signed_in(house, token) as new:
            assert await old.close_code() == 4409
            assert (await new.ask("table.watch", table=table))["t"] == "ok"
            snapshot = await new.until("snapshot")
            await asyncio.sleep(0.3)
            seat = snapshot["d"]["seats"][snapshot["d"]["you"]]
            assert seat["away"] is False
            assert not [f for f in new.frames if (f.get("d") or {}).get("e") == "seat.away"]
            assert (await new.ask("table.leave", table=table))["t"] == "ok"


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "null",
        "[1]",
        '"hi"',
        "12",
        b"\x00\x01",
        b'{"t":"ping","id":"p"}',
        "[" * 8_000,
        '{"a":' * 1_500,
        '{"t":"ping","t":"ping","id":"p"}',
        '{"t":"ping","id":NaN}',
        '{"n":' + "9" * 7_000 + "}",
        '{"a":"\\',
    ],
    ids=range(14),
)
async def test_a_frame_that_is_none_is_refused_and_the_socket_lives_on(
    house: House, frame: str | bytes
) -> None:
    async with signed_in(house, await guest(house)) as line:
        await line.say(frame)
        refusal = await line.hear()
        assert refusal == {"t": "refused", "re": None, "code": "bad_frame", "text": refusal["text"]}
        assert await line.ask("ping") == {"t": "ok", "re": "c1"}


async def test_a_client_that_goes_on_with_bad_frames_is_closed_with_1008(house: House) -> None:
    async with signed_in(house, await guest(house)) as line:
        for _ in range(8):
            await line.say("{")
        assert await line.close_code() == 1008


async def test_a_frame_over_8_kib_is_closed_with_1009(house: House) -> None:
    async with signed_in(house, await guest(house)) as line:
        await line.say(json.dumps({"t": "ping", "id": "p", "x": "y" * 8_192}))
        assert await line.close_code() == 1009


async def test_fragments_that_add_up_to_over_8_kib_are_closed_with_1009(house: House) -> None:
    async def parts() -> object:
        for _ in range(9):
            yield "x" * 1_024

    async with signed_in(house, await guest(house)) as line:
        with suppress(ConnectionClosed):  # the close may come before the last, empty piece
            await line.socket.send(parts())  # type: ignore[arg-type]
        assert await line.close_code() == 1009


async def test_text_that_is_no_utf_8_is_closed(house: House) -> None:
    async with signed_in(house, await guest(house)) as line:
        await line.socket.send(b"\xff\xfe{}", text=True)
        assert await line.close_code() == 1007


@pytest.mark.parametrize(
    ("frame", "code", "field"),
    [
        ({"t": "nope", "id": "p"}, "unknown_type", "t"),
        ({"id": "p"}, "missing_field", "t"),
        ({"t": "ping", "id": "p", "extra": 1}, "unknown_field", "extra"),
        ({"t": "table.watch", "id": "p"}, "missing_field", "table"),
        ({"t": "table.watch", "id": "p", "table": "x"}, "bad_field", "table"),
        ({"t": "welcome", "id": "p"}, "unknown_type", "t"),
        ({"t": "hello", "id": "p", "token": "t"}, "already_signed_in", "t"),
    ],
)
async def test_a_wrong_command_gets_one_refusal_that_names_the_field(
    house: House, frame: dict[str, object], code: str, field: str
) -> None:
    async with signed_in(house, await guest(house)) as line:
        await line.say(frame)
        refusal = await line.hear()
        assert (refusal["re"], refusal["code"], refusal["field"]) == ("p", code, field)
        assert (await line.ask("ping"))["t"] == "ok"


async def test_an_id_that_can_not_be_repeated_is_answered_without_it(house: House) -> None:
    async with signed_in(house, await guest(house)) as line:
        for wrong in ("", "x" * 65, 7, None, "a b", "\ud800"):
            await line.say({"t": "ping", "id": wrong})
            refusal = await line.hear()
            assert (refusal["re"], refusal["code"]) == (None, "bad_field")


async def test_replies_come_in_the_order_of_the_commands(house: House) -> None:
    table = str(house.tables["open"])
    async with signed_in(house, await guest(house)) as line:
        for number in range(40):
            kind = ("ping", "table.watch", "table.leave", "table.unwatch")[number % 4]
            frame = {"t": kind, "id": f"n{number}"}
            await line.say(frame if kind == "ping" else {**frame, "table": table})
        heard: list[str] = []
        while len(heard) < 40:
            frame = await line.hear()
            if frame["t"] in {"ok", "refused"}:
                heard.append(frame["re"])
        assert heard == [f"n{number}" for number in range(40)]


async def test_a_pong_is_answered_by_nothing(house: House) -> None:
    async with signed_in(house, await guest(house)) as line:
        await line.say({"t": "pong"})
        await line.say({"t": "pong", "extra": 1})
        refusal = await line.hear()
        assert (refusal["re"], refusal["code"], refusal["field"]) == (
            None,
            "unknown_field",
            "extra",
        )
        assert (await line.ask("ping"))["t"] == "ok"
