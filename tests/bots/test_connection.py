"""The socket: one reply a command, resume after a loss, and the codes after which it is over."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest

from server.bots.connection import Connection, Stopped
from server.errors import Fault, Refusal
from tests.bots.sockets import Frame, Line, Server, serving

WAIT_S = 10


class Heard:
    def __init__(self) -> None:
        self.frames: list[Mapping[str, Any]] = []
        self.welcomes = 0
        self.places: list[dict[str, Any]] = []

    async def welcome(self, frame: Mapping[str, Any]) -> None:
        self.welcomes += 1


def connection_to(server: Server, heard: Heard) -> Connection:
    return Connection(
        f"{server.url.replace('http', 'ws')}/ws",
        "the-token",
        on_frame=heard.frames.append,
        on_welcome=heard.welcome,
        resume=lambda: heard.places,
    )


@asynccontextmanager
async def connected(server: Server) -> AsyncIterator[tuple[Connection, Heard]]:
    heard = Heard()
    connection = connection_to(server, heard)
    running = asyncio.create_task(connection.run())
    try:
        async with asyncio.timeout(WAIT_S):
            yield connection, heard
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def answer(line: Line, frame: Frame, **more: Any) -> None:
    await line.say({"t": "ok", "re": frame["id"], **more})


async def test_hello_brings_the_token_and_the_places_to_resume_from() -> None:
    async def handler(line: Line) -> None:
        await line.welcome()
        await answer(line, await line.hear())

    async with serving(handler) as server, connected(server) as (connection, heard):
        heard.places.append({"table": "t", "seq": 7, "stream": 1})
        await connection.command({"t": "ping"})
        hello = server.lines[0].heard[0]
        assert hello["token"] == "the-token"
        assert hello["resume"] == heard.places


async def test_a_refusal_carries_the_servers_code() -> None:
    async def handler(line: Line) -> None:
        await line.welcome()
        frame = await line.hear()
        await line.say(
            {"t": "refused", "re": frame["id"], "code": "not_your_turn", "text": "no", "seq": 3}
        )

    async with serving(handler) as server, connected(server) as (connection, _):
        with pytest.raises(Refusal) as refused:
            await connection.command({"t": "play"})
        assert refused.value.code == "not_your_turn"


async def test_slow_down_is_tried_again_under_a_new_id() -> None:
    async def handler(line: Line) -> None:
        await line.welcome()
        frame = await line.hear()
        await line.say({"t": "refused", "re": frame["id"], "code": "slow_down", "text": ""})
        await answer(line, await line.hear(), seq=4)

    async with serving(handler) as server, connected(server) as (connection, _):
        assert (await connection.command({"t": "play"}))["seq"] == 4
        first, second = server.lines[0].heard[1:]
        assert first["id"] != second["id"]


@pytest.mark.parametrize("code", [1001, 1011, 1012, 1013, 4429, None])
async def test_a_lost_line_brings_the_same_command_again_under_the_same_id(
    code: int | None,
) -> None:
    async def first(line: Line) -> None:
        await line.welcome()
        await line.hear()
        await (line.cut() if code is None else line.close(code))

    async def second(line: Line) -> None:
        await line.welcome()
        await answer(line, await line.hear(), seq=9)

    async with serving(first, second) as server, connected(server) as (connection, heard):
        assert (await connection.command({"t": "play", "hand": 1}))["seq"] == 9
        assert server.lines[0].heard[1] == server.lines[1].heard[1]
        assert heard.welcomes == 2


@pytest.mark.parametrize("code", [1000, 1008, 1009, 4401, 4403, 4409, 4412])
async def test_a_code_that_means_the_end_stops_it(code: int) -> None:
    async def handler(line: Line) -> None:
        await line.welcome()
        await line.close(code)

    async with serving(handler) as server, asyncio.timeout(WAIT_S):
        with pytest.raises(Stopped) as stopped:
            await connection_to(server, Heard()).run()
        assert stopped.value.code == code
        assert len(server.lines) == 1


async def test_a_hello_that_is_refused_stops_it() -> None:
    async def handler(line: Line) -> None:
        hello = await line.hear()
        await line.say({"t": "refused", "re": hello["id"], "code": "not_signed_in", "text": ""})

    async with serving(handler) as server, asyncio.timeout(WAIT_S):
        with pytest.raises(Stopped, match="not_signed_in"):
            await connection_to(server, Heard()).run()


async def test_an_address_without_a_socket_is_a_fault() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    plain = await asyncio.start_server(refuse, "127.0.0.1", 0)
    server = Server()
    server.url = f"http://127.0.0.1:{plain.sockets[0].getsockname()[1]}"
    async with plain, asyncio.timeout(WAIT_S):
        with pytest.raises(Fault, match="404"):
            await connection_to(server, Heard()).run()


async def test_a_server_that_is_not_there_yet_is_waited_for() -> None:
    server = Server()
    server.url = "http://127.0.0.1:9"
    connection = connection_to(server, Heard())
    running = asyncio.create_task(connection.run())
    await asyncio.sleep(0.3)
    assert not running.done()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_line_that_is_lost_in_the_handshake_is_tried_again() -> None:
    """A fault drawn by the chaos tests: the client took it for a server that speaks no protocol."""

    async def handler(line: Line) -> None:
        await line.welcome()
        await answer(line, await line.hear(), seq=2)

    losses = 0

    async def lose(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal losses
        losses += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 101 Switch"[: 19 * (losses - 1)])
        writer.close()

    lossy = await asyncio.start_server(lose, "127.0.0.1", 0)
    async with serving(handler) as server, lossy:
        url = server.url
        server.url = f"http://127.0.0.1:{lossy.sockets[0].getsockname()[1]}"
        async with connected(server) as (connection, heard):
            while losses < 2:
                await asyncio.sleep(0.01)
            connection._url = f"{url.replace('http', 'ws')}/ws"
            assert (await connection.command({"t": "play"}))["seq"] == 2
            assert heard.welcomes == 1


async def test_a_ping_is_answered_and_events_come_in_order() -> None:
    async def handler(line: Line) -> None:
        await line.welcome()
        for seq in range(3):
            await line.say({"t": "event", "table": "t", "seq": seq})
        command = await line.hear()
        await line.say({"t": "ping", "now": 1})
        assert await line.hear() == {"t": "pong"}
        await answer(line, command)

    async with serving(handler) as server, connected(server) as (connection, heard):
        await connection.command({"t": "ping"})
        assert [frame["seq"] for frame in heard.frames] == [0, 1, 2]


async def test_what_is_no_frame_is_a_fault() -> None:
    async def handler(line: Line) -> None:
        await line.welcome()
        await line._socket.send("[1, 2]")

    async with serving(handler) as server, asyncio.timeout(WAIT_S):
        with pytest.raises(Fault, match="not a frame"):
            await connection_to(server, Heard()).run()


async def test_ids_never_come_twice_also_not_from_another_process() -> None:
    ids = [
        Connection("ws://x", "", on_frame=print, on_welcome=Heard().welcome, resume=list).next_id()
        for _ in range(50)
    ]
    assert len(set(ids)) == 50
