"""A mirror beside the table's owner, what carries packets to it, and viewers on both sides."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from server.database import Database, PlayerId, TableId
from server.tables.audience import Audience
from server.tables.host import TableHost
from server.tables.mirror import Mirror, look_after
from server.tables.moment import Moment
from server.tables.published import Published, decode, encode, to_nobody
from server.tables.state import TableState
from server.tables.work import Parts
from tests.tables.company import Frame, Policy, Program
from tests.tables.conftest import NewPlayer


class Post:
    """Carries what the owner publishes as bytes, and as badly as it is told to.

    Shape: `lost`, `doubled` and `held` are chances; what was held comes later, in any order.
    """

    def __init__(self) -> None:
        self.lost = self.doubled = self.held = 0.0
        self.random = Random(7)
        self.mirrors: list[Mirror] = []
        self.bodies: list[bytes] = []
        self.losses = self.doubles = self.delays = 0
        self._waiting: list[bytes] = []

    def spoil(self, *, lost: float = 0.0, doubled: float = 0.0, held: float = 0.0) -> None:
        """Be as bad as that from now on."""
        self.lost, self.doubled, self.held = lost, doubled, held

    def __call__(self, published: Published) -> None:
        body = encode(published)
        self.bodies.append(body)
        if self.random.random() < self.lost:
            self.losses += 1
            return
        copies = [body]
        if self.random.random() < self.doubled:
            self.doubles += 1
            copies.append(body)
        for copy in copies:
            if self.random.random() < self.held:
                self.delays += 1
                self._waiting.append(copy)
            else:
                self._deliver(copy)
        if self.random.random() < 0.4:
            self.random.shuffle(self._waiting)
            waiting, self._waiting = self._waiting, []
            for body in waiting:
                self._deliver(body)

    def _deliver(self, body: bytes) -> None:
        for mirror in self.mirrors:
            mirror.hear(decode(body))


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def parts(parts: Parts, post: Post) -> Parts:
    """The house's parts, whose owners publish by the post."""
    return replace(parts, publish=post)


class CountingMirror(Mirror):
    """A mirror that counts how often it went to the journal."""

    reads = 0

    async def _catch_up(self) -> None:
        self.reads += 1
        await super()._catch_up()


class Watcher:
    """Looks at a table and keeps what it is sent."""

    def __init__(self, player: PlayerId | None) -> None:
        self.player = player
        self.frames: list[Frame] = []

    def take(self, frame: Frame) -> None:
        """Hear a frame."""
        self.frames.append(frame)

    def told(self, upto: int | None = None) -> list[Frame]:
        """List what was heard up to a number, without the time of each frame."""
        return [
            {key: value for key, value in frame.items() if key != "now"}
            for frame in self.frames
            if upto is None or frame["seq"] <= upto
        ]

    def events(self, name: str) -> list[Frame]:
        """List the events of a name that were heard."""
        return [f["d"] for f in self.frames if f["t"] == "event" and f["d"] and f["d"]["e"] == name]

    def assert_dense(self) -> None:
        """Demand that after each snapshot every number comes once, in order."""
        place: tuple[int, int] | None = None
        for frame in self.frames:
            if frame["t"] != "snapshot":
                assert place is not None, "first comes a snapshot"
                assert (frame["stream"], frame["seq"]) == (place[0], place[1] + 1)
            place = (frame["stream"], frame["seq"])


@asynccontextmanager
async def mirrored(
    database: Database, parts: Parts, table: TableId, post: Post, **limits: Any
) -> AsyncIterator[CountingMirror]:
    """Mirror a table as another process would, which hears the post."""
    mirror = await new_mirror(database, parts, table, **limits)
    post.mirrors.append(mirror)
    await mirror.load()
    async with running(mirror):
        yield mirror
    post.mirrors.remove(mirror)


@asynccontextmanager
async def running(mirror: Mirror) -> AsyncIterator[None]:
    """Let a mirror follow its table; nothing ends it but its process."""
    task = asyncio.create_task(mirror.run())
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def new_mirror(
    database: Database, parts: Parts, table: TableId, **limits: Any
) -> CountingMirror:
    """Make a mirror that is not loaded yet."""
    moment = Moment()
    await moment.set_by(database)
    return CountingMirror(
        table,
        database=database,
        parts=replace(parts, publish=to_nobody),
        moment=moment,
        audience=Audience(*parts.signers),
        **limits,
    )


async def arrive(mirror: Mirror, seq: int) -> None:
    """Wait for a mirror that is told everything."""
    async with asyncio.timeout(60):
        while mirror.state.seq < seq:
            await asyncio.sleep(0.02)


async def come_to(database: Database, mirror: Mirror, seq: int) -> None:
    """Wait for a mirror, whose process looks now and then whether it lacks anything."""
    async with asyncio.timeout(60):
        while mirror.state.seq < seq:
            await look_after(database, [mirror])
            await asyncio.sleep(0.05)


async def level_with(database: Database, mirror: Mirror, host: TableHost) -> None:
    """Wait until a mirror is where the owner is, neither before nor after."""
    async with asyncio.timeout(60):
        while _place(mirror.state) != _place(host.state_of(mirror.table)):
            await look_after(database, [mirror])
            await asyncio.sleep(0.05)


def _place(state: TableState) -> tuple[int, int]:
    return state.stream, state.seq


async def named_players(database: Database, new_player: NewPlayer, count: int) -> list[PlayerId]:
    """Make players who are called in the database what their programs call themselves."""
    players = [await new_player() for _ in range(count)]
    await database.run(lambda tx: tx.execute(_NAME, {"players": players}))
    return players


_NAME = text("""
    update identity.player set name = 'player ' || id where id = any(cast(:players as bigint[]))
""")


def watched(
    host: TableHost, table: TableId, mirror: Mirror, players: Iterable[PlayerId | None]
) -> tuple[list[Watcher], list[Watcher]]:
    """Let players, and somebody without a name, look from both sides; gives owner's, mirror's."""
    everybody = [*players, None]
    there, here = ([Watcher(player) for player in everybody] for _ in range(2))
    for one, other in zip(there, here, strict=True):
        host.watch(table, one, None)
        mirror.watch(other, None)
    return there, here


async def seat_all(
    host: TableHost, table: TableId, players: Sequence[PlayerId], policy: Policy
) -> list[Program]:
    """Seat players in order; they live on."""
    programs = [Program(host, table, player, policy) for player in players]
    for seat, program in enumerate(programs):
        assert (await program.sit(seat)).ok
    return programs


def until_turn(last: int, policy: Policy) -> Policy:
    """Play so up to a turn of the hand, and then do nothing."""

    async def play(program: Program) -> None:
        if program.turn <= last:
            await policy(program)

    return play


def seq_of(program: Program, name: str, count: int = 1) -> int:
    """Find the number of the event of that name that was heard as the `count`-th."""
    told = [frame for frame in program.frames if frame["t"] == "event" and frame["d"]]
    return int([frame["seq"] for frame in told if frame["d"]["e"] == name][count - 1])


def salts_of(frames: Iterable[Frame]) -> frozenset[str]:
    """Find the salts of all openings in frames: each tells one card, and who has it saw that."""
    return frozenset(re.findall(r'"salt": "([0-9a-f]+)"', json.dumps(list(frames))))
