"""The journal alone rebuilds a table: restarts, takeovers, repeated commands."""

import asyncio

import pytest

from server.cards.card import Card
from server.cards.game import SeatKind
from server.database import Database
from server.errors import Refusal
from server.fairness.checkpoint import read_checkpoint
from server.fairness.merkle import leaf_hash, root_from_path
from server.games.rummy.moves import Discard, Draw, Drop
from server.tables.commands import Play, Sit
from server.tables.host import TableHost
from server.tables.state import Playing
from server.tables.work import Parts
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable, let_leases_run_out, make_host, stop_rounds
from tests.tables.policies import Turns, drop, idle
from tests.tables.sessions import assert_ledger_holds, assert_record_holds, seated, stop_all

pytestmark = pytest.mark.usefixtures("patient")


async def die(host: TableHost) -> None:
    """End a host as SIGKILL would: nothing is finished, no lease is given up."""
    await stop_rounds(host)
    await host._mirrors.stop()
    tasks = [served.task for served in host._own._served.values()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def take_over(database: Database, parts: Parts, programs: list[Program]) -> TableHost:
    """Start another process and have the programs come back to it by resume."""
    await let_leases_run_out(database)
    host = make_host(database, parts, owner="two")
    await host.start()
    async with asyncio.timeout(60):
        while not host.summaries():
            await asyncio.sleep(0.05)
    for program in programs:
        last = program.frames[-1]
        program.host = host
        host.here(program.id)
        host.watch(program.table, program, (last["seq"], last["stream"]))
    return host


@pytest.mark.parametrize("moves", [3, 20, 61])
async def test_a_hand_goes_on_after_sudden_death(
    database: Database,
    parts: Parts,
    open_table: OpenTable,
    host: TableHost,
    new_player: NewPlayer,
    moves: int,
) -> None:
    table = await open_table(seats=6)
    programs = await seated(host, table, new_player, *(Turns(7) for _ in range(6)))
    await programs[0].until("drawn", moves, timeout_s=60)
    await die(host)
    before = max(reply.seq for p in programs for _, reply in p.replies if reply.ok)
    again = await take_over(database, parts, programs)
    closed = await programs[0].until("hand.closed", timeout_s=120)
    await stop_all(programs)
    given_back = programs[0].heard("time.given_back")
    assert given_back
    assert given_back[0]["ms"] > 0
    seqs = [f["seq"] for f in programs[0].frames if f["t"] == "event"]
    assert seqs == list(range(seqs[0], seqs[0] + len(seqs))), "numbers have no gap"
    assert seqs[-1] > before
    await assert_record_holds(database, parts, closed)
    await assert_ledger_holds(database)
    await again.stop()


async def test_an_owner_that_slept_can_write_nothing(
    database: Database, parts: Parts, open_table: OpenTable, host: TableHost, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    turn = (await programs[0].until("turn"))["seats"][0]
    sleeper = programs[turn]
    await stop_rounds(host)
    again = await take_over(database, parts, [p for p in programs if p is not sleeper])
    with pytest.raises(Refusal) as refused:  # these two processes can't hear each other
        await host.send(table, sleeper.request(Play(1, 1, Draw("closed"))))
    assert refused.value.code == "busy"
    state = again.state_of(table)
    assert isinstance(state.phase, Playing)
    assert state.phase.hand.k == 0
    await stop_all(programs)
    await again.stop()


async def test_the_same_command_gets_the_same_answer_and_moves_nothing(
    open_table: OpenTable, host: TableHost, new_player: NewPlayer
) -> None:
    """Report 20, dnsbty/level10 97: repeated clicks laid one card several times."""
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    seat = (await programs[0].until("turn"))["seats"][0]
    actor = programs[seat]
    actor.discards = False
    first = await actor.play_as("same", Draw("closed"))
    seq = host.state_of(table).seq
    again = await actor.play_as("same", Draw("closed"))
    other = await actor.play_as("same", Draw("open"))
    assert first.ok
    assert again == first
    assert (other.ok, other.code, other.field) == (False, "id_reused", "id")
    refused = await actor.play_as("refused", Drop())
    assert (refused.ok, refused.code) == (False, "must_discard")
    await actor.play_as("go on", Discard(Card(min(actor.holding))))
    assert await actor.play_as("refused", Drop()) == refused
    assert host.state_of(table).seq > seq
    await stop_all(programs)


async def test_a_graceful_stop_gives_the_lease_up_at_once(
    database: Database, parts: Parts, open_table: OpenTable, host: TableHost, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    await programs[0].until("turn")
    await host.stop()
    again = make_host(database, parts, owner="two")
    await again.start()
    assert [one.table_id for one in again.summaries()] == [table]
    with pytest.raises(Refusal) as refused:
        await host.send(table, programs[0].request(Sit(None, "late", SeatKind.HUMAN)))
    assert refused.value.code == "busy"
    await stop_all(programs)
    await again.stop()


async def test_4_the_logs_proofs_and_checkpoints_are_the_same_after_a_takeover(
    database: Database, parts: Parts, open_table: OpenTable, host: TableHost, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, idle, idle, idle, idle)
    await programs[0].until("turn")
    before = programs[0].heard("hand.opened") + programs[0].heard("hand.dealt")
    await host.stop()
    again = make_host(database, parts, owner="two")
    await again.start()
    late = Program(again, table, await new_player(), idle)
    again.watch(table, late, None)
    snapshot = late.frames[0]["d"]
    await stop_all(programs)
    await again.stop()
    assert snapshot["hand"]["heads"][0]["log"] == before[-1]["log"]
    for log in (snapshot["open"]["log"], snapshot["hand"]["heads"][0]["log"]):
        signed = read_checkpoint(log["checkpoint"], parts.log_signer.key)
        assert (signed.size, signed.root.hex()) == (log["size"], log["root"])
        path = [bytes.fromhex(node) for node in log["path"]]
        leaf = leaf_hash(bytes.fromhex(log["entry"]))
        assert root_from_path(leaf, log["index"], log["size"], path) == signed.root


async def test_the_end_of_a_hand_is_not_lost_with_the_house_that_settled_it(
    database: Database, parts: Parts, open_table: OpenTable, host: TableHost, new_player: NewPlayer
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, drop, drop, drop, drop)
    await programs[0].until("turn")
    before = programs[0].frames[-1]
    closed = await programs[0].until("hand.closed")
    for program in programs:
        program.policy = idle
        program.commits = False
    await die(host)
    again = await take_over(database, parts, [])
    late = Program(again, table, programs[0].id, idle)
    again.watch(table, late, (before["seq"], before["stream"]))
    newcomer = Program(again, table, await new_player(), idle)
    again.watch(table, newcomer, None)
    await stop_all(programs)
    assert [one["hand_id"] for one in late.heard("hand.closed")] == [closed["hand_id"]]
    assert newcomer.frames[0]["d"]["last"]["hand_id"] == closed["hand_id"]
    await again.stop()
