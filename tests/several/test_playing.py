"""Hands that are played from two processes, at a table that one of them runs."""

import asyncio

from sqlalchemy import text

from server.database import Database, TableId
from server.embedded import EmbeddedValkey
from server.games.rummy.moves import Discard, Draw
from server.tables.commands import Leave, Play
from server.tables.host import TableHost
from server.tables.state import Playing
from server.tables.work import Parts
from tests.messenger.test_secrecy import monitored
from tests.several.conftest import LEASE_MS, StartHost, open_tables, run_by, until
from tests.tables.company import Policy, Program
from tests.tables.conftest import NewPlayer, stop_rounds
from tests.tables.mirroring import named_players
from tests.tables.policies import Turns, drop, idle
from tests.tables.sessions import assert_ledger_holds, assert_record_holds, stop_all

WORDS = tuple(
    rf"\"{word}\"".encode()
    for word in ("hand_opened", "seat_taken", "commits", "turn", "digest", "moved", "facts")
)
"""As MONITOR shows them in JSON; four letters alone may come up in what is sealed by luck."""


async def sit_apart(
    hosts: list[TableHost],
    table: TableId,
    database: Database,
    new_player: NewPlayer,
    *policies: Policy,
) -> list[Program]:
    """Seat players at one table, in turn through each process."""
    programs = []
    players = await named_players(database, new_player, len(policies))
    for seat, (player, policy) in enumerate(zip(players, policies, strict=True)):
        host = hosts[seat % len(hosts)]
        await host.settle(table)
        program = Program(host, table, player, policy)
        assert (await program.sit(seat)).ok
        programs.append(program)
    return programs


async def test_a_hand_is_played_from_two_processes_and_all_see_the_same(
    database: Database,
    parts: Parts,
    patient: None,
    start_host: StartHost,
    new_player: NewPlayer,
    valkey: EmbeddedValkey,
) -> None:
    tables = await open_tables(database, 2)
    one, two = await start_host("one"), await start_host("two")
    await until(lambda: run_by([one, two]) == [1, 1])
    async with monitored(valkey.url) as said:
        programs = await sit_apart([one, two], tables[0], database, new_player, *(Turns(3),) * 4)
        closed = [await program.until("hand.closed", timeout_s=60) for program in programs]
        assert len({frozenset(each) for each in closed}) == 1
        await stop_all(programs)
    for program in programs:
        seqs = [f["seq"] for f in program.frames if f["t"] == "event"]
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
    await assert_record_holds(database, parts, closed[0])
    await assert_ledger_holds(database)
    # What crossed Redis meanwhile: all of the hand, and nothing that can be read.
    heard = bytes(said)
    assert heard.count(b"PUBLISH") + heard.count(b"publish") > 20
    names = [f"player {program.id}".encode() for program in programs]
    found = [word for word in (*WORDS, *names, str(tables[0]).encode()) if word in heard]
    assert found == []


async def test_what_was_answered_has_been_told_to_whoever_asked(
    database: Database, patient: None, start_host: StartHost, new_player: NewPlayer
) -> None:
    tables = await open_tables(database, 2)
    one, two = await start_host("one"), await start_host("two")
    await until(lambda: run_by([one, two]) == [1, 1])
    for table in tables:
        for host in (one, two):
            for _ in range(2):
                program = Program(host, table, await new_player(), idle)
                reply = await program.sit()
                assert program.frames[-1]["seq"] >= reply.seq
                assert host.state_of(table).seat_of(program.id) is not None
                reply = await program.send(Leave())
                assert reply.ok
                assert program.frames[-1]["seq"] >= reply.seq
                assert host.state_of(table).seat_of(program.id) is None
                await program.stop()


async def test_who_comes_from_another_process_is_not_shown_less_than_it_saw_there(
    database: Database, patient: None, start_host: StartHost, new_player: NewPlayer
) -> None:
    """Found by the chaos tests: a client that changed processes took an older state for a lie."""
    tables = await open_tables(database, 2)
    one, two = await start_host("one"), await start_host("two")
    await until(lambda: {one.owner_of(table) for table in tables} == {"one", "two"})
    (table,) = [table for table in tables if one.owner_of(table) == "one"]
    await stop_rounds(two)
    await two.messenger.close()  # no word of the other process comes any more
    (there,) = await sit_apart([one], table, database, new_player, idle)
    seen = there.frames[-1]["seq"]
    assert two.state_of(table).seq < seen
    await two.settle_at_head(table)
    assert two.state_of(table).seq >= seen
    await there.stop()


async def test_a_move_waits_for_the_next_owner_and_is_made_once(
    database: Database, parts: Parts, patient: None, start_host: StartHost, new_player: NewPlayer
) -> None:
    tables = await open_tables(database, 2)
    one, two = await start_host("one"), await start_host("two")
    await until(lambda: {one.owner_of(table) for table in tables} == {"one", "two"})
    (table,) = [table for table in tables if one.owner_of(table) == "one"]
    programs = await sit_apart([two], table, database, new_player, *(idle,) * 4)
    turn = (await programs[0].until("turn", timeout_s=60))["seats"][0]
    actor = programs[turn]
    actor.discards = False
    await _die(one)
    # It is sent into nothing: its owner is dead, and nobody knows that yet.
    first = await actor.play_as("once", Draw("closed"))
    assert first.ok, first
    again = await actor.play_as("once", Draw("closed"))
    assert again == first
    assert two.owner_of(table) == "two"
    state = two.state_of(table)
    assert isinstance(state.phase, Playing)
    made = "select count(*) from tables.journal where table_id = :table and fact->>'fact' = 'moved'"
    async with database.transaction() as tx:
        assert (await tx.execute(text(made), {"table": table})).scalar_one() == 1
    for program in programs:
        program.policy = drop
    actor.discards = True
    await actor.play(_discard_of(actor))
    closed = await programs[0].until("hand.closed", timeout_s=60)
    await stop_all(programs)
    await assert_record_holds(database, parts, closed)
    await assert_ledger_holds(database)


def _discard_of(program: Program) -> Discard:
    drawn = program.heard("drawn")[-1]
    return Discard(drawn["openings"][0]["card"])


async def _die(host: TableHost) -> None:
    """End a process as SIGKILL would: it renews nothing, answers nothing, gives nothing up."""
    await stop_rounds(host)
    tasks = [served.task for served in host._own._served.values()]
    await host._mirrors.stop()
    await host.messenger.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_process_that_slept_through_its_lease_writes_nothing_and_hands_commands_on(
    database: Database, patient: None, start_host: StartHost, new_player: NewPlayer
) -> None:
    tables = await open_tables(database, 2)
    one, two = await start_host("one"), await start_host("two")
    await until(lambda: {one.owner_of(table) for table in tables} == {"one", "two"})
    (table,) = [table for table in tables if one.owner_of(table) == "one"]
    programs = await sit_apart([one, two], table, database, new_player, *(idle,) * 4)
    turn = (await programs[0].until("turn", timeout_s=60))["seats"][0]
    await stop_rounds(one)
    await until(lambda: two.owner_of(table) == "two", timeout_s=10 * LEASE_MS / 1000)
    sleeper = one._own.find(table)
    assert sleeper is not None, "it believes that it runs the table"
    actor = Program(one, table, programs[turn].id, idle)  # its door is the sleeper's
    actor.opened, actor.turn = programs[turn].opened, programs[turn].heard("turn")[-1]["turn"]
    reply = await actor.send(Play(1, actor.turn, Draw("closed")))
    assert reply.ok, "the new owner has carried it out"
    assert two.state_of(table).seq >= reply.seq
    assert sleeper.state.seq < reply.seq
    await stop_all(programs)


async def test_who_goes_on_one_process_is_away_at_a_table_of_another(
    database: Database, patient: None, start_host: StartHost, new_player: NewPlayer
) -> None:
    tables = await open_tables(database, 2)
    one, two = await start_host("one"), await start_host("two")
    await until(lambda: {one.owner_of(table) for table in tables} == {"one", "two"})
    (table,) = [table for table in tables if one.owner_of(table) == "one"]
    (there,) = await sit_apart([two], table, database, new_player, idle)
    await until(lambda: one.heard_by(there.id) == "two")

    def is_away() -> bool:
        return any(chair.away for _, chair in one.state_of(table).taken())

    assert not is_away()
    two.gone(there.id)
    await until(is_away)
    await until(lambda: any(chair.away for _, chair in two.state_of(table).taken()))
    two.here(there.id)
    await until(lambda: not is_away())
    # A newer socket elsewhere: that the older one closes is no news.
    one.here(there.id)
    await until(lambda: two.heard_by(there.id) == "one")
    two.gone(there.id)
    await asyncio.sleep(0.5)
    assert not is_away()
    await there.stop()
