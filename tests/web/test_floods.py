"""A peer that sends more frames than anybody plays: it is closed, and nobody else waits for it."""

import asyncio
import math

import pytest
from websockets.frames import Frame, Opcode

from server.main import House
from server.web.connections import FRAMES_PER_S_MAX, SLICE_BYTES, SocketProtocol
from tests.web.wire import guest, signed_in

FLOOD = 40_000
SMALLEST = len(Frame(Opcode.PING, b"").serialize(mask=True))


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG, Opcode.TEXT])
async def test_a_flood_of_frames_is_closed_with_4429_after_a_bounded_number(
    house: House, monkeypatch: pytest.MonkeyPatch, opcode: Opcode
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
        signed_in(house, await guest(house, "Bala")) as other,
        signed_in(house, await guest(house)) as line,
    ):
        line.socket.transport.write(frame * FLOOD)
        assert await line.close_code() == 4429
        assert read <= FRAMES_PER_S_MAX + SLICE_BYTES // SMALLEST + 10
        assert (await other.ask("ping"))["t"] == "ok"


async def test_as_many_frames_as_are_allowed_are_read_second_after_second(house: House) -> None:
    frame = Frame(Opcode.PING, b"").serialize(mask=True)
    async with signed_in(house, await guest(house)) as line:
        for _ in range(3):
            line.socket.transport.write(frame * (FRAMES_PER_S_MAX - 10))
            assert (await line.ask("ping"))["t"] == "ok"  # all are read: this second began before
            await asyncio.sleep(1.1)
        assert (await line.ask("ping"))["t"] == "ok"
