"""A table watched from a process that doesn't run it, with nothing wrong but the way of packets."""

import pytest
from sqlalchemy import text

from server.database import Database, Transaction
from server.tables import service
from server.tables.host import TableHost
from server.tables.work import Parts
from tests.tables.company import Policy
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.mirroring import (
    Post,
    Watcher,
    arrive,
    come_to,
    mirrored,
    named_players,
    new_mirror,
    running,
    salts_of,
    seat_all,
    seq_of,
    until_turn,
    watched,
)
from tests.tables.mirroring import parts as parts
from tests.tables.mirroring import post as post
from tests.tables.policies import Turns, drop, first_legal, idle
from tests.tables.sessions import LONG, stop_all

pytestmark = pytest.mark.usefixtures("patient")

BAD = {"lost": 0.25, "doubled": 0.3, "held": 0.3}
TABLES = {"rummy": {"seats": 4, "turn_ms": 120_000}, "badam_satti": LONG}


def policy_of(game: str, turns: int) -> Policy:
    """Play a game; in rummy so many turns, and then drop."""
    return Turns(turns) if game == "rummy" else first_legal


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("read_max", [500, 3])
async def test_a_whole_hand_is_the_owners_frame_by_frame_however_the_packets_come(
    database: Database,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
    game: str,
    read_max: int,
) -> None:
    """With a small `read_max` the mirror is rebuilt instead of moved on, and nobody can tell."""
    table = await open_table(game, **TABLES[game])
    players = await named_players(database, new_player, int(TABLES[game]["seats"]))
    async with mirrored(database, parts, table, post, read_max=read_max) as mirror:
        there, here = watched(host, table, mirror, players)
        post.spoil(**BAD)
        programs = await seat_all(host, table, players, policy_of(game, 4))
        await programs[0].until("hand.closed", timeout_s=120)
        closed = seq_of(programs[0], "hand.closed")
        await come_to(database, mirror, closed)
        await stop_all(programs)
        for owners, mirrors in zip(there, here, strict=True):
            mirrors.assert_dense()
            assert mirrors.told(closed) == owners.told(closed)
            assert [frame["t"] for frame in mirrors.frames].count("snapshot") == 1
    assert min(post.losses, post.doubles, post.delays) > 0, "the packets had their troubles"
    assert mirror.reads > 0


async def test_while_nothing_is_lost_the_journal_is_not_read(
    database: Database,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
) -> None:
    table = await open_table(seats=4)
    players = await named_players(database, new_player, 4)
    async with mirrored(database, parts, table, post) as mirror:
        there, here = watched(host, table, mirror, players)
        post.spoil(doubled=0.5)
        programs = await seat_all(host, table, players, drop)
        await programs[0].until("hand.closed")
        closed = seq_of(programs[0], "hand.closed")
        await arrive(mirror, closed)
        await stop_all(programs)
        assert mirror.reads == 0
        for owners, mirrors in zip(there, here, strict=True):
            assert mirrors.told(closed) == owners.told(closed)
            times = [
                [one["now"] for one in side.frames[1:] if one["seq"] <= closed]
                for side in (owners, mirrors)
            ]
            assert times[0] == times[1], "the time too is the owner's"
    assert post.doubles > 0


@pytest.mark.parametrize("game", TABLES)
async def test_a_seat_sees_its_own_cards_in_a_mirror_and_nobody_elses(
    database: Database,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
    game: str,
) -> None:
    """What two seats have both been shown everybody has; packets show nobody anything."""
    table = await open_table(game, **TABLES[game])
    players = await named_players(database, new_player, int(TABLES[game]["seats"]))
    async with mirrored(database, parts, table, post) as mirror:
        _, here = watched(host, table, mirror, players)
        post.spoil(**BAD)
        programs = await seat_all(host, table, players, until_turn(6, policy_of(game, 99)))
        await programs[0].until("turn", 7)
        await come_to(database, mirror, host.state_of(table).seq)
        late = [Watcher(player) for player in (*players, None)]
        for watcher in late:
            mirror.watch(watcher, None)
        hand = host.state_of(table).hand
        assert hand is not None
        secrets = [one.salt.hex() for one in map(hand.heads[0].shoe.opening, range(40))]
        await stop_all(programs)
    for watchers in (here, late):
        *seats, public = [salts_of(watcher.frames) for watcher in watchers]
        for seat, seen in enumerate(seats):
            own = seen - public
            assert len(own) >= 13, "each seat was dealt its holding"
            assert all(own.isdisjoint(other) for at, other in enumerate(seats) if at != seat)
        assert [salts_of(watcher.frames) for watcher in late] == [*seats, public]
    packets = b"".join(post.bodies).decode()
    assert '"dealt"' in packets
    assert not [salt for salt in secrets if salt in packets]


@pytest.mark.parametrize("game", TABLES)
async def test_resume_and_snapshot_are_the_owners_of_a_mirror_new_or_old(
    database: Database,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
    game: str,
) -> None:
    table = await open_table(game, **TABLES[game])
    players = await named_players(database, new_player, int(TABLES[game]["seats"]))
    async with mirrored(database, parts, table, post) as old:
        post.spoil(**BAD)
        programs = await seat_all(host, table, players, until_turn(6, policy_of(game, 99)))
        await programs[0].until("turn", 7)
        await stop_all(programs)
        async with mirrored(database, parts, table, post) as new:
            seq, stream = host.state_of(table).seq, host.state_of(table).stream
            await come_to(database, old, seq)
            places = [None, *((at, stream) for at in (0, seq // 2, seq - 1, seq, seq + 1))]
            for place in [*places, (seq - 1, stream + 1), (-1, stream)]:
                for player in (*players, None):
                    owners, *mirrors = (Watcher(player) for _ in range(3))
                    host.watch(table, owners, place)
                    old.watch(mirrors[0], place)
                    new.watch(mirrors[1], place)
                    assert (old.state.seq, new.state.seq) == (seq, seq)
                    assert [one.told() for one in mirrors] == [owners.told()] * 2
                    assert owners.frames or place == (seq, stream)


async def test_a_table_that_nobody_runs_yet_is_mirrored_and_left_alone(
    database: Database, parts: Parts, post: Post, host: TableHost
) -> None:
    table = await database.run(
        lambda tx: service.open_table(tx, game="rummy", options={}, name="Test")
    )
    post.spoil(lost=1)
    async with mirrored(database, parts, table, post) as mirror:
        watcher = Watcher(None)
        mirror.watch(watcher, None)
        assert await database.run(_count_leases) == 0
        await host.tend_tables()
        owners = Watcher(None)
        host.watch(table, owners, (0, 1))
        await come_to(database, mirror, 1)
        assert watcher.frames[0]["seq"] == 0
        assert watcher.told()[1:] == owners.told()
        watcher.assert_dense()


async def test_a_mirror_that_can_not_keep_up_reads_the_journal(
    database: Database,
    parts: Parts,
    post: Post,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
) -> None:
    table = await open_table(seats=4)
    players = await named_players(database, new_player, 4)
    sleeper = await new_mirror(database, parts, table, heard_max=5)
    post.mirrors.append(sleeper)
    await sleeper.load()
    there, here = watched(host, table, sleeper, players)
    programs = await seat_all(host, table, players, idle)
    await programs[0].until("turn")
    await stop_all(programs)
    seq = host.state_of(table).seq
    assert len(sleeper._heard) <= 5
    async with running(sleeper):
        await arrive(sleeper, seq)
    assert sleeper.reads == 1
    assert [one.told(seq) for one in here] == [one.told(seq) for one in there]


async def _count_leases(tx: Transaction) -> int:
    return int((await tx.execute(text("select count(*) from tables.lease"))).scalar_one())
