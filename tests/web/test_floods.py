"""A peer that sends more frames than anybody plays: it is closed, and nobody else waits for it."""

import asyncio
import math
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from server.settings import Settings
from server.web.connections import SLICE_BYTES, SocketProtocol
from tests.web.conftest import MakeHouse, stop_refilling
from tests.web.wire import guest, signed_in

FLOOD = 40_000
ALLOWED = 500
SLOW_DOWNS = Settings.model_fields["slow_downs_burst"].default
SMALLEST = len(Frame(Opcode.PING, b"").serialize(mask=True))


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG, Opcode.TEXT])
async def test_a_flood_of_frames_is_closed_with_4429_after_a_bounded_number(
    house_with: MakeHouse, monkeypatch: pytest.MonkeyPatch, opcode: Opcode
) -> None:
    """All that a system hands over at once may be tens of thousands, and all others would wait."""
    read = 0
    handle = SocketProtocol.handle_events

    def counted(self: SocketProtocol) -> None:
        nonlocal read
        read += len(self.conn.events)
        self._second_ends = math.inf  # a second that lasts as long as this machine needs
        handle(self)

    monkeypatch.setattr(SocketProtocol, "handle_events", counted)
    frame = Frame(opcode, b"").serialize(mask=True)
    async with (
        house_with(frames_per_second_max=ALLOWED) as house,
        signed_in(house, await guest(house, "Bala")) as other,
        signed_in(house, await guest(house)) as line,
    ):
        line.socket.transport.write(frame * FLOOD)
        assert await line.close_code() == 4429
        assert read <= ALLOWED + SLICE_BYTES // SMALLEST + 10
        assert (await other.ask("ping"))["t"] == "ok"


async def test_as_many_frames_as_are_allowed_are_read_second_after_second(
    house_with: MakeHouse,
) -> None:
    frame = Frame(Opcode.PING, b"").serialize(mask=True)
    async with (
        house_with(frames_per_second_max=ALLOWED) as house,
        signed_in(house, await guest(house)) as line,
    ):
        for _ in range(3):
            line.socket.transport.write(frame * (ALLOWED - 10))
            assert (await line.ask("ping"))["t"] == "ok"  # all are read: this second began before
            await asyncio.sleep(1.1)
        assert (await line.ask("ping"))["t"] == "ok"


async def test_how_often_it_is_too_much_before_the_close_is_a_setting(
    house_with: MakeHouse,
) -> None:
    async with (
        house_with(
            messages_per_second=1, messages_burst=1, slow_downs_per_minute=1, slow_downs_burst=2
        ) as house,
        signed_in(house, await guest(house)) as line,
    ):
        stop_refilling(house.parts.gateway.rest)
        refused: list[str] = []
        with suppress(ConnectionClosed):
            for number in range(60):
                await line.say({"t": "ping", "id": f"p{number}"})
                frame = await line.hear()
                refused += [frame["code"]] if frame["t"] == "refused" else []
        assert await line.close_code() == 4429
        assert refused[:2] == ["slow_down"] * 2
        assert len(refused) < SLOW_DOWNS
