"""What is done to a house. Each fault mends what it broke before it returns."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final

from server.errors import Refusal
from tests.chaos.company import Company
from tests.chaos.house import House, Process
from tests.chaos.players import Player

HURT_S: Final = (0.3, 3.0)
"""How long a line is cut, delayed, or a server away."""

REPEATS: Final = 3
BEGUN_S: Final = 60
"""The wait for what needs a move, a deadline or a hand's end; times the machine's slowness."""


@dataclass
class Scene:
    """Whom a fault may hurt. Units: `freeze_s` is the least time that a process is stopped for."""

    house: House
    company: Company
    random: Random
    freeze_s: float
    seen: Counter[str] = field(default_factory=Counter)

    @property
    def patience_s(self) -> float:
        """How long something that must come is waited for on this machine."""
        return BEGUN_S + 20 * self.house.slowest_start_s

    async def owner(self) -> tuple[Process, list[str]]:
        """Choose a process that runs some of the tables; which."""
        tables = list(self.company.tables)
        while True:
            for process in self.random.sample(self.house.processes, len(self.house.processes)):
                if owned := await self.house.owned_by(process, tables):
                    return process, owned
            self.company.raise_what_ended()
            await asyncio.sleep(0.2)

    async def pause(self) -> None:
        """Leave things broken for a while."""
        await asyncio.sleep(self.random.uniform(*HURT_S))

    def player(self, game: str | None = None) -> Player:
        """Choose a player, at a table of that game if one is named."""
        tables = self.company.tables if game is None else self.company.tables_of(game)
        return self.random.choice(self.company.players[self.random.choice(list(tables))])


async def kill_server(scene: Scene) -> None:
    """SIGKILL a process that runs tables; the others take them over, then it starts anew."""
    process, owned = await scene.owner()
    pid = process.pid
    process.kill()
    await scene.house.until_taken_over(owned, pid)
    scene.seen["tables taken over"] += len(owned)
    await asyncio.to_thread(process.start)


async def kill_server_and_start_it_at_once(scene: Scene) -> None:
    """SIGKILL a process and start it before its leases have run out."""
    process, _ = await scene.owner()
    process.kill()
    await asyncio.to_thread(process.start)


async def freeze_server(scene: Scene) -> None:
    """SIGSTOP a process for longer than its leases last; what it then believes to own is not its.

    That it wrote nothing later is seen in the journal, whose fences only rise.
    """
    process, owned = await scene.owner()
    process.freeze()
    try:
        await asyncio.sleep(max(scene.freeze_s, 1.5 * scene.house.lease_s))
        await scene.house.until_taken_over(owned, process.pid)
        scene.seen["tables fenced"] += len(owned)
    finally:
        process.thaw()


async def restart_redis(scene: Scene) -> None:
    """Kill Valkey, and start it with nothing in it."""
    scene.house.kill_valkey()
    await scene.pause()
    await asyncio.to_thread(scene.house.valkey.start_again)


async def cut_redis(scene: Scene) -> None:
    """Cut one process off Redis; the others hear each other all the while."""
    relay = scene.random.choice(scene.house.processes).relay
    relay.cut()
    try:
        await scene.pause()
    finally:
        relay.mend()


async def silence_redis(scene: Scene) -> None:
    """Let one process's lines to Redis fall silent, none of them closed."""
    relay = scene.random.choice(scene.house.processes).relay
    relay.freeze()
    try:
        await scene.pause()
    finally:
        relay.thaw()


async def restart_postgres(scene: Scene) -> None:
    """Stop PostgreSQL as its owner does, and start it."""
    await asyncio.to_thread(lambda: scene.house.restart_postgres(suddenly=False))


async def kill_postgres(scene: Scene) -> None:
    """SIGKILL PostgreSQL, and start it: it recovers by its own log."""
    await asyncio.to_thread(lambda: scene.house.restart_postgres(suddenly=True))


async def kill_connections(scene: Scene) -> None:
    """Have PostgreSQL end connections of all processes, whatever they were doing."""
    for share in (1.0, scene.random.random(), 1.0):
        scene.seen["database connections ended"] += await scene.house.kill_connections(share)
        await asyncio.sleep(scene.random.uniform(0, 0.3))


async def delay_sockets(scene: Scene) -> None:
    """Delay all that half of the clients hear and say."""
    lines = scene.random.sample(scene.company.lines, len(scene.company.lines) // 2)
    for line in lines:
        line.delay_s = scene.random.uniform(0.05, 0.5)
    await scene.pause()
    for line in lines:
        line.delay_s = 0


async def drop_sockets(scene: Scene) -> None:
    """Lose half of the clients' lines, again and again, in mid-frame too."""
    for _ in range(3):
        for line in scene.random.sample(scene.company.lines, len(scene.company.lines) // 2):
            line.drop()
        await asyncio.sleep(scene.random.uniform(0.05, 0.6))


async def repeat_commands(scene: Scene) -> None:
    """Send moves again, with the same id and with new ones."""
    book = scene.company.book
    wanted = book.made_anew + REPEATS
    for player in scene.company.everybody:
        player.repeats = 1
    await scene.company.until(
        lambda: book.made_anew >= wanted, scene.patience_s, "no move was repeated"
    )


async def meet_deadline(scene: Scene) -> None:
    """Have a move sent when its time runs out: it counts, or the clock's does, never both."""
    book = scene.company.book
    wanted = book.met_deadlines + 1
    scene.player().plays_late = True
    await scene.company.until(
        lambda: book.met_deadlines >= wanted, scene.patience_s, "no move met its deadline"
    )


async def leave_and_join(scene: Scene) -> None:
    """Get up where one hand ends or the next begins, and sit down again."""
    player = scene.player("rummy")
    boundary = scene.random.choice((player.hand_ended, player.hand_began))
    boundary.clear()
    await scene.company.until(boundary.is_set, 10 * scene.patience_s, "no hand ended")
    (table,) = player.client.tables
    try:
        await player.client.leave(table)
        scene.seen["seats left at a boundary"] += 1
    except (Refusal, TimeoutError):
        scene.seen["leaves refused"] += 1
    watch = player.client.tables[table]
    await scene.company.until(
        lambda: watch.seating.me is not None, 10 * scene.patience_s, "nobody sat down again"
    )


async def restart_in_turn(scene: Scene) -> None:
    """End and start every process, one after the other, as a new version is rolled out.

    No hand may be void for it.
    """
    voided = await scene.house.voided()
    for process in scene.house.processes:
        await asyncio.to_thread(process.stop)
        await asyncio.to_thread(process.start)
    await scene.pause()
    assert await scene.house.voided() == voided, "a restart in turn made a hand void"
    scene.seen["processes renewed without a void hand"] += len(scene.house.processes)


Fault = Callable[[Scene], Awaitable[None]]

FAULTS: Final[Mapping[Fault, int]] = {
    kill_server: 12,
    kill_server_and_start_it_at_once: 6,
    freeze_server: 6,
    restart_redis: 10,
    cut_redis: 10,
    silence_redis: 5,
    restart_postgres: 5,
    kill_postgres: 5,
    kill_connections: 10,
    delay_sockets: 8,
    drop_sockets: 10,
    repeat_commands: 8,
    meet_deadline: 6,
    leave_and_join: 8,
    restart_in_turn: 3,
}
"""Every fault, and how often it is drawn."""


def name_of(fault: Fault) -> str:
    """Name a fault as people read it."""
    return fault.__name__.replace("_", " ")
