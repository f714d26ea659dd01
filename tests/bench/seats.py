"""Six seats that cost little: they commit without a seed, draw, and discard what they drew.

They check nothing and keep nothing, so that what is measured is the server and not its clients.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

SEATS = 6
ANSWER_S = 30


@dataclass(slots=True)
class Traffic:
    """What went over one seat's line. Units: bytes of text, without the frames of the socket."""

    sent: int = 0
    received: int = 0
    frames: int = 0
    texts: list[str] = field(default_factory=list)


class Seat:
    """One socket at the table; `at` is when each event came, by its number."""

    def __init__(
        self, socket: ClientConnection, table: str, news: asyncio.Condition, *, keeps: bool = True
    ) -> None:
        self.at: dict[int, float] = {}
        self.clock_moves = 0
        self._keeps = keeps
        self.traffic = Traffic()
        self.place: int | None = None
        self.hand = self.turn = 0
        self.to_act: Sequence[int] = ()
        self.drawn: str | None = None
        self.is_drawing = False
        self._socket = socket
        self._table = table
        self._news = news
        self._count = 0
        self._replies: dict[str, asyncio.Future[tuple[dict[str, Any], float]]] = {}

    async def say(self, t: str, **rest: object) -> tuple[dict[str, Any], float, float]:
        """Send a command; its reply, when it was sent and when the reply came.

        Errors: AssertionError if it was refused.
        """
        self._count += 1
        name = f"c{self._count}"
        text = json.dumps({"t": t, "id": name, "table": self._table, **rest})
        answer = self._replies[name] = asyncio.get_running_loop().create_future()
        self.traffic.sent += len(text)
        sent = perf_counter()
        await self._socket.send(text)
        frame, came = await asyncio.wait_for(answer, ANSWER_S)
        assert frame["t"] == "ok", frame
        return frame, sent, came

    async def play(self) -> tuple[dict[str, Any], float, float]:
        """Draw from the closed pile, or discard what was drawn."""
        move: dict[str, object] = {"move": "draw", "from": "closed"}
        self.is_drawing = self.drawn is None  # a reshuffle may come before the card
        if self.drawn is not None:
            move = {"move": "discard", "card": self.drawn}
        return await self.say("play", hand=self.hand, turn=self.turn, d=move)

    async def listen(self) -> None:
        """Read until the line ends."""
        async for text in self._socket:
            came = perf_counter()
            assert isinstance(text, str)
            self.traffic.received += len(text)
            self.traffic.frames += 1
            if self._keeps:
                self.traffic.texts.append(text)
            frame = json.loads(text)
            if "re" in frame and frame["re"] in self._replies:
                self._replies.pop(frame["re"]).set_result((frame, came))
            elif frame["t"] == "snapshot":
                self.place = frame["d"]["you"]
            elif frame["t"] == "event":
                self.at[frame["seq"]] = came
                if frame["d"] is not None:
                    self._take(frame["d"])
                async with self._news:
                    self._news.notify_all()

    def _take(self, d: dict[str, Any]) -> None:
        self.clock_moves += str(d.get("line")).startswith("auto")
        match d["e"]:
            case "deal.phase" if d["phase"] == "commit" and self.place in d["waiting"]:
                self.hand, wish = d["hand"], {"attempt": d["attempt"], "without_seed": True}
                commit = self.say("deal.commit", hand=self.hand, d=wish)
                self._committing = asyncio.ensure_future(commit)
            case "turn":
                self.to_act, self.turn, self.drawn = d["seats"], d["turn"], None
                self.is_drawing = False
            case "drawn" if d["seat"] == self.place:
                self.drawn, self.is_drawing = d["openings"][0]["card"], False
            case "hand.closed" | "hand.cancelled" | "hand.voided":
                self.to_act = ()


@dataclass(frozen=True, slots=True)
class Move:
    """One move. Units: seconds from the command to its `ok`, and to the last seat's last event."""

    ok_s: float
    all_s: float


class Company:
    """A table of six."""

    def __init__(self, seats: Sequence[Seat], news: asyncio.Condition) -> None:
        self.seats = seats
        self._news = news

    async def move(self) -> Move:
        """Make the next move, whoever's it is, and wait until all six have heard of it."""
        async with self._news:
            await asyncio.wait_for(self._news.wait_for(self._actor), ANSWER_S)
        actor = self._actor()
        assert actor is not None, "somebody is to act"
        reply, sent, came = await actor.play()
        seq = reply["seq"]
        async with self._news:
            heard = self._news.wait_for(lambda: all(seq in seat.at for seat in self.seats))
            await asyncio.wait_for(heard, ANSWER_S)
        last = max(seat.at[seq] for seat in self.seats)
        return Move(came - sent, last - sent)

    def _actor(self) -> Seat | None:
        to_act = self.seats[0].to_act
        known = {(seat.turn, tuple(seat.to_act)) for seat in self.seats}
        if not to_act or len(known) != 1:
            return None
        actor = next(seat for seat in self.seats if seat.place == to_act[0])
        return None if actor.is_drawing else actor


@asynccontextmanager
async def seated(
    url: str, table: str, tokens: Sequence[str], *, keeps: bool = True
) -> AsyncIterator[Company]:
    """Seat a player for each token, and keep them listening, and what they heard if it `keeps`."""
    news = asyncio.Condition()
    seats: list[Seat] = []
    tasks: list[asyncio.Task[None]] = []
    lines: list[ClientConnection] = []
    try:
        for token in tokens:
            line = await connect(
                url.replace("http", "ws", 1) + "/ws",
                subprotocols=[Subprotocol("pakka.v1")],
                compression=None,
                max_size=None,
            )
            lines.append(line)
            await line.send(json.dumps({"t": "hello", "id": "hello", "token": token}))
            seat = Seat(line, table, news, keeps=keeps)
            seats.append(seat)
            tasks.append(asyncio.create_task(seat.listen()))
            await seat.say("table.sit")
        yield Company(seats, news)
    finally:
        for line in lines:
            await line.close()
        await asyncio.gather(*tasks, return_exceptions=True)
