"""A mirror through all that breaks: takeovers, restores, other databases, lies, no database."""

import asyncio
from dataclasses import replace

import pytest

from server.database import Database
from server.tables import renewal
from server.tables.facts import Moved, TableClosing
from server.tables.host import TableHost
from server.tables.journal import Reached
from server.tables.mirror import Mirror
from server.tables.published import Published, decode
from server.tables.work import Parts
from tests.conftest import execute
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable, let_leases_run_out, make_host
from tests.tables.mirroring import (
    Post,
    Watcher,
    arrive,
    come_to,
    level_with,
    mirrored,
    named_players,
    seat_all,
    seq_of,
    until_turn,
    watched,
)
from tests.tables.mirroring import parts as parts
from tests.tables.mirroring import post as post
from tests.tables.policies import Turns, idle
from tests.tables.sessions import stop_all
from tests.tables.test_recovery import die, take_over

pytestmark = pytest.mark.usefixtures("patient")

SLOW = {"seats": 4, "turn_ms": 120_000}


def assert_same_view(host: TableHost, mirror: Mirror, program: Program) -> None:
    """Demand that who comes anew is shown the same on both sides."""
    for player in (program.id, None):
        owners, mirrors = Watcher(player), Watcher(player)
        host.watch(program.table, owners, None)
        mirror.watch(mirrors, None)
        host.forget(owners)
        mirror.audience.unwatch(mirrors)
        assert mirrors.told() == owners.told()


@pytest.mark.parametrize("lost", [0.0, 0.3, 1.0])
async def test_a_takeover_goes_on_in_the_same_stream_and_every_number_comes_once(
    database: Database,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
    lost: float,
) -> None:
    table = await open_table(**SLOW)
    players = await named_players(database, new_player, 4)
    async with mirrored(database, parts, table, post) as mirror:
        _, here = watched(host, table, mirror, players)
        post.spoil(lost=lost)
        programs = await seat_all(host, table, players, Turns(4))
        await programs[0].until("drawn", 6, timeout_s=60)
        await die(host)
        again = await take_over(database, parts, programs)
        await programs[0].until("hand.closed", timeout_s=120)
        closed = seq_of(programs[0], "hand.closed")
        await come_to(database, mirror, closed)
        await stop_all(programs)
        for program, watcher in zip(programs, here, strict=False):
            watcher.assert_dense()
            assert len(watcher.events("time.given_back")) == 1
            heard = {f["seq"]: f["d"] for f in program.frames if f["t"] == "event"}
            seen = {f["seq"]: f["d"] for f in watcher.told(closed) if f["t"] == "event"}
            assert {seq: seen[seq] for seq in heard if seq <= closed} == {
                seq: body for seq, body in heard.items() if seq <= closed
            }
    await again.stop()


@pytest.mark.parametrize("lost", [0.0, 1.0])
async def test_a_restore_is_another_stream_which_begins_with_a_snapshot(
    database: Database,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
    lost: float,
) -> None:
    table = await open_table(**SLOW)
    players = await named_players(database, new_player, 4)
    async with mirrored(database, parts, table, post) as mirror:
        _, here = watched(host, table, mirror, players)
        programs = await seat_all(host, table, players, until_turn(3, Turns(9)))
        await programs[0].until("turn", 4)
        await stop_all(programs)
        await die(host)
        assert await database.run(renewal.mark_all) == 1
        old = decode(post.bodies[-1])
        post.spoil(lost=lost)
        again = make_host(database, parts, owner="two")
        await again.start()
        state = again.state_of(table)
        assert state.stream > 1
        await come_to(database, mirror, state.seq)
        assert mirror.state.stream == state.stream
        for watcher in here:
            watcher.assert_dense()
            streams = [frame["stream"] for frame in watcher.frames]
            assert streams == sorted(streams)
            anew = [f for f in watcher.frames if f["stream"] == state.stream]
            assert anew[0]["t"] == "snapshot"
            assert anew[0]["d"]["open"]["hand"] == 2
        mirror.hear(old)  # a straggler of the house that was
        later = Program(again, table, await new_player(), idle)
        again.here(players[0])
        again.gone(players[0])
        await level_with(database, mirror, again)
        assert_same_view(again, mirror, later)
        here[0].assert_dense()
    await again.stop()


async def test_a_database_that_lost_its_last_facts_is_the_truth_all_the_same(
    database: Database,
    database_url: str,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
) -> None:
    """Not by our restore, which begins another stream: by a standby that had not all of it."""
    table = await open_table(**SLOW)
    players = await named_players(database, new_player, 4)
    async with mirrored(database, parts, table, post) as mirror:
        _, here = watched(host, table, mirror, players)
        programs = await seat_all(host, table, players, until_turn(6, Turns(9)))
        await programs[0].until("turn", 7)
        await stop_all(programs)
        ahead = host.state_of(table).seq
        await arrive(mirror, ahead)
        await die(host)
        execute(
            database_url,
            "alter table tables.journal disable trigger user",
            "delete from tables.journal where seq in"
            " (select seq from tables.journal order by seq desc limit 3)",
            "alter table tables.journal enable trigger user",
        )
        await let_leases_run_out(database)
        again = make_host(database, parts, owner="two")
        await again.start()
        assert again.state_of(table).seq < ahead
        await level_with(database, mirror, again)
        assert_same_view(again, mirror, programs[0])
        for watcher in here:
            watcher.assert_dense()
            assert [f["t"] for f in watcher.frames].count("snapshot") == 2
    await again.stop()


async def test_a_packet_that_no_owner_sent_is_outdone_by_the_journal(
    database: Database,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
) -> None:
    """One that can't be folded is told to nobody; what one that can has told is taken back."""
    table = await open_table(**SLOW)
    players = await named_players(database, new_player, 4)
    async with mirrored(database, parts, table, post) as mirror:
        _, here = watched(host, table, mirror, players)
        programs = await seat_all(host, table, players, until_turn(3, Turns(9)))
        await programs[0].until("turn", 4)
        await stop_all(programs)
        seq = host.state_of(table).seq
        await arrive(mirror, seq)
        lie = Published(
            table=table,
            stream=1,
            first_seq=seq + 1,
            last_seq=seq + 1,
            at_ms=1,
            facts=(Moved(line="nonsense", at_ms=1),),
        )
        mirror.hear(lie)
        mirror.hear(replace(lie, facts=(TableClosing(drain=True),), last_seq=seq + 2))
        await until_quiet(mirror)
        assert (mirror.state.seq, here[0].events("table.closing")) == (seq, [])
        assert [f["t"] for f in here[0].frames].count("snapshot") == 1
        mirror.hear(replace(lie, facts=(TableClosing(drain=True),)))
        await arrive(mirror, seq + 1)
        await level_with(database, mirror, host)
        assert mirror.state.seq == seq
        assert_same_view(host, mirror, programs[0])
        assert (here[0].frames[-1]["t"], here[0].frames[-1]["seq"]) == ("snapshot", seq)


async def test_a_mirror_waits_for_a_journal_that_can_not_be_read(
    database: Database,
    database_url: str,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
) -> None:
    table = await open_table(**SLOW)
    players = await named_players(database, new_player, 4)
    async with mirrored(database, parts, table, post) as mirror:
        there, here = watched(host, table, mirror, players)
        post.spoil(lost=1)
        programs = await seat_all(host, table, players, until_turn(3, Turns(9)))
        await programs[0].until("turn", 4)
        await stop_all(programs)
        seq, before = host.state_of(table).seq, mirror.state.seq
        execute(database_url, "alter table tables.journal rename to elsewhere")
        mirror.check(Reached(1, seq))
        async with asyncio.timeout(60):
            while mirror.reads < 2:
                await asyncio.sleep(0.02)
        assert mirror.state.seq == before
        execute(database_url, "alter table tables.elsewhere rename to journal")
        await arrive(mirror, seq)
        assert [one.told(seq) for one in here] == [one.told(seq) for one in there]


async def until_quiet(mirror: Mirror) -> None:
    """Wait until a mirror has nothing left to do."""
    async with asyncio.timeout(60):
        await asyncio.sleep(0.05)
        while mirror._heard or mirror._is_behind or mirror._is_doubtful:
            await asyncio.sleep(0.02)
