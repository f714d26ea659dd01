"""What a socket may do in a time, and what the server does in a time: each with its own house."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol

from server.catalogue import CatalogueTable
from server.main import House
from server.web.connections import SocketProtocol
from server.web.limits import Limits
from tests.web.conftest import MakeHouse, stop_refilling
from tests.web.wire import WAIT_S, guest, line_to, signed_in, socket_url


async def test_too_many_messages_are_refused_with_slow_down_then_closed_with_4429(
    house_with: MakeHouse,
) -> None:
    async with (
        house_with(messages_per_second=1, messages_burst=5) as house,
        signed_in(house, await guest(house)) as line,
    ):
        stop_refilling(house.parts.gateway.rest)
        codes: list[str | None] = []
        with suppress(ConnectionClosed):
            for number in range(60):
                await line.say({"t": "ping", "id": f"p{number}"})
                codes.append((await line.hear()).get("code"))
        assert await line.close_code() == 4429
        assert codes[:5] == [None] * 5
        assert codes.count("slow_down") >= 20
        assert len(codes) < 40


async def test_moves_have_a_bucket_of_their_own(house_with: MakeHouse) -> None:
    async with (
        house_with(moves_per_second=1, moves_burst=3) as house,
        signed_in(house, await guest(house)) as line,
    ):
        stop_refilling(house.parts.gateway.moves)
        table = str(house.tables["open"])
        move = {"table": table, "hand": 1, "turn": 1, "d": {"move": "drop"}}
        codes = [(await line.ask("play", **move))["code"] for _ in range(5)]
        assert codes == ["not_seated"] * 3 + ["slow_down"] * 2
        assert (await line.ask("ping"))["t"] == "ok"


async def test_coming_back_does_not_fill_a_players_bucket(house_with: MakeHouse) -> None:
    async with house_with(messages_per_second=1, messages_burst=4) as house:
        stop_refilling(house.parts.gateway.rest)
        token = await guest(house)
        async with signed_in(house, token) as line:
            replies = [(await line.ask("ping"))["t"] for _ in range(4)]
            assert replies == ["ok"] * 4
        async with signed_in(house, token) as line:
            assert (await line.ask("ping")).get("code") == "slow_down"
        async with signed_in(house, await guest(house)) as line:
            assert (await line.ask("ping"))["t"] == "ok"


async def test_the_server_pings_and_silence_makes_a_seat_away_and_a_word_brings_it_back(
    house_with: MakeHouse,
) -> None:
    async with house_with(heartbeat_ms=200, presence_ms=1_000) as house:
        table = str(house.tables["open"])
        async with (
            signed_in(house, await guest(house)) as other,
            signed_in(house, await guest(house)) as line,
        ):
            assert (await other.ask("table.watch", table=table))["t"] == "ok"
            assert (await line.ask("table.sit", table=table, d={"seat": 2}))["t"] == "ok"
            ping = json.loads(await line.socket.recv())
            while ping["t"] != "ping":
                ping = json.loads(await line.socket.recv())
            assert set(ping) == {"t", "now"}
            keeping = asyncio.create_task(_pong(other.socket))
            away = await _event(other, "seat.away")
            assert away["seat"] == 2
            await line.say({"t": "pong"})
            back = await _event(other, "seat.back")
            assert back["seat"] == 2
            keeping.cancel()


async def _pong(socket: Any) -> None:
    while True:
        await socket.send('{"t":"pong"}')
        await asyncio.sleep(0.2)


async def _event(line: Any, name: str) -> dict[str, Any]:
    frame = await line.until("event", name)
    body: dict[str, Any] = frame["d"]
    return body


async def test_a_socket_that_closes_makes_its_seat_away_at_once(house_with: MakeHouse) -> None:
    async with house_with() as house:
        table = str(house.tables["open"])
        async with signed_in(house, await guest(house)) as other:
            await other.ask("table.watch", table=table)
            async with signed_in(house, await guest(house)) as line:
                assert (await line.ask("table.sit", table=table))["t"] == "ok"
            assert (await _event(other, "seat.away"))["seat"] == 0


async def test_one_socket_watches_sixteen_tables_and_no_more(house_with: MakeHouse) -> None:
    tables = [CatalogueTable(key=f"t{number}", name=f"Table {number}") for number in range(17)]
    async with (
        house_with(tables) as house,
        signed_in(house, await guest(house)) as line,
    ):
        *most, last = [str(table) for table in house.tables.values()]
        for table in (*most, most[0]):
            assert (await line.ask("table.watch", table=table))["t"] == "ok"
        refusal = await line.ask("table.watch", table=last)
        assert (refusal["code"], refusal["field"]) == ("too_many_tables", "table")
        assert (await line.ask("table.unwatch", table=most[0]))["t"] == "ok"
        assert (await line.ask("table.watch", table=last))["t"] == "ok"


async def test_one_more_socket_than_the_house_takes_is_closed_with_1013(
    house_with: MakeHouse,
) -> None:
    async with (
        house_with(sockets_max=2) as house,
        signed_in(house, await guest(house)),
        line_to(house),
        line_to(house) as third,
    ):
        assert await third.close_code() == 1013


async def test_a_stopping_house_answers_the_command_in_hand_and_closes_with_1012(
    house_with: MakeHouse,
) -> None:
    async with AsyncExitStack() as stack:
        async with house_with() as house:
            line = await stack.enter_async_context(signed_in(house, await guest(house)))
            idle = await stack.enter_async_context(signed_in(house, await guest(house)))
            closed = asyncio.create_task(idle.close_code())
            sit = {"t": "table.sit", "id": "s", "table": str(house.tables["open"])}
            await line.say(sit)
            reply = asyncio.create_task(line.reply_to("s"))
            async with asyncio.timeout(WAIT_S):
                while not (house.parts.strain._begun_s or reply.done()):
                    await asyncio.sleep(0)
        assert (await reply)["t"] == "ok"
        assert await line.close_code() == 1012
        assert await closed == 1012


async def test_who_comes_while_a_house_stops_is_sent_to_another_process_with_1012(
    house_with: MakeHouse,
) -> None:
    async with house_with() as house, line_to(house) as line:
        hello = {"t": "hello", "id": "h", "token": await guest(house)}
        house.parts.gateway.shut()  # as every stop begins
        await line.say(hello)
        assert await line.close_code() == 1012
        async with line_to(house) as late:
            assert await late.close_code() == 1012


async def test_who_has_not_said_hello_yet_is_closed_with_1012_when_a_house_stops(
    house_with: MakeHouse,
) -> None:
    async with AsyncExitStack() as stack:
        async with house_with(drain_ms=300_000, hello_ms=60_000) as house:
            line = await stack.enter_async_context(line_to(house))
            async with asyncio.timeout(30):
                while house.parts.gateway.open_count == 0:
                    await asyncio.sleep(0.02)
        assert await line.close_code() == 1012


async def test_a_burst_in_one_piece_is_answered_whole(house_with: MakeHouse) -> None:
    async with (
        house_with(outbox_max=16) as house,
        signed_in(house, await guest(house)) as line,
    ):
        pings = [{"t": "ping", "id": f"p{number}"} for number in range(300)]
        _send_at_once(line.socket, [json.dumps(ping) for ping in pings])
        assert [(await line.hear())["re"] for _ in pings] == [ping["id"] for ping in pings]


def _send_at_once(socket: Any, texts: list[str]) -> None:
    """Write many frames before the loop runs again."""
    for text in texts:
        socket.protocol.send_text(text.encode())
    socket.transport.write(b"".join(socket.protocol.data_to_send()))


async def test_a_reader_that_reads_nothing_is_closed_by_its_full_outbox_and_cut_off(
    house_with: MakeHouse,
) -> None:
    async with house_with(outbox_max=32) as house:
        table = str(house.tables["open"])
        async with _stalled(house, table), signed_in(house, await guest(house)) as line:
            for _ in range(20):
                assert (await line.ask("table.sit", table=table))["t"] == "ok"
                assert (await line.ask("table.leave", table=table))["t"] == "ok"
            await _until_alone(house)


async def test_a_reader_that_reads_nothing_is_cut_off_though_nothing_happens(
    house_with: MakeHouse,
) -> None:
    async with house_with(presence_ms=3_000) as house:
        table = str(house.tables["open"])
        async with _stalled(house, table):
            assert house.parts.gateway.open_count == 1  # at once: it is not there for long
            async with signed_in(house, await guest(house)) as line:
                assert (await line.ask("ping"))["t"] == "ok"
                await _until_alone(house)


async def test_the_pings_of_a_peer_that_reads_nothing_are_answered_up_to_a_bound(
    house_with: MakeHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers: list[SocketProtocol] = []
    made = SocketProtocol.connection_made

    def noted(self: SocketProtocol, transport: asyncio.BaseTransport) -> None:
        peers.append(self)
        narrow = transport.get_extra_info("socket")
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
        made(self, transport)

    monkeypatch.setattr(SocketProtocol, "connection_made", noted)
    async with (
        house_with() as house,
        _stalled(house, str(house.tables["open"]), asks=0) as stalled,
    ):
        (peer,) = peers
        await _ping_for_two_seconds(stalled)
        assert not peer.writable.is_set()
        waiting = peer.transport.get_write_buffer_size()
        await _ping_for_two_seconds(stalled)
        assert not peer.transport.is_closing()
        assert peer.transport.get_write_buffer_size() <= waiting + 1_000


async def _ping_for_two_seconds(stalled: ClientConnection) -> None:
    """Send as many pings as there may be, and as large ones."""
    ping = Frame(Opcode.PING, bytes(125)).serialize(mask=True)
    for _ in range(4):
        stalled.transport.write(ping * (Limits().frames // 4))
        await asyncio.sleep(0.6)


@asynccontextmanager
async def _stalled(house: House, table: str, *, asks: int = 800) -> AsyncIterator[ClientConnection]:
    """Keep a socket whose peer reads nothing, with everything between full to the brim."""
    token = await guest(house)
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    narrow.connect(("127.0.0.1", int(house.url.rsplit(":", 1)[1])))
    connecting = connect(
        socket_url(house),
        sock=narrow,
        subprotocols=[Subprotocol("pakka.v1")],
        proxy=None,
        ping_interval=None,
        max_queue=1,
        close_timeout=0.1,
    )
    async with connecting as stalled:
        stalled.transport.pause_reading()
        await stalled.send(json.dumps({"t": "hello", "id": "h", "token": token}))
        for number in range(asks):
            watch = {"t": "table.watch", "id": f"w{number}", "table": table}
            _send_at_once(stalled, [json.dumps(watch)])
            await asyncio.sleep(0)
        await asyncio.sleep(0.5)
        yield stalled
        stalled.transport.abort()


async def _until_alone(house: House) -> None:
    async with asyncio.timeout(120):
        while await _sockets(house) > 1:
            await asyncio.sleep(0.2)


async def _sockets(house: House) -> int:
    async with httpx.AsyncClient(base_url=house.url, timeout=WAIT_S, trust_env=False) as http:
        lines = (await http.get("/metrics")).text.splitlines()
    found = next(line for line in lines if line.startswith("pakka_sockets{"))
    return int(float(found.split()[1]))
