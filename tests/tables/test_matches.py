"""Matches of several hands at free tables: each dealt and proved, one after the other, and kept."""

from functools import partial

import pytest
from sqlalchemy import text

from server.cards.carry import read_brought
from server.cards.game import SeatKind
from server.database import Database, HandId, TableId, Transaction
from server.fairness.record import read_record
from server.tables import matches, opening
from server.tables.commands import CloseTable, Request, Sit, VoidHand
from server.tables.host import TableHost
from server.tables.state import HOUSE
from server.tables.work import Parts, Work
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable, actor_of
from tests.tables.policies import InHands, first_legal, idle
from tests.tables.sessions import (
    assert_ledger_holds,
    assert_record_holds,
    balances,
    seated,
    stop_all,
)
from tests.tables.test_recovery import die, take_over

pytestmark = pytest.mark.usefixtures("patient")

SHORT = {
    "badam_satti": {"seats": 3, "hands": 3},
    "sevens": {"seats": 3, "hands": 3},
}
"""The shortest match of each game."""


async def played(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer, game: str, hands: int
) -> list[Program]:
    """Play `hands` hands by the first legal move; in a later one nobody moves."""
    table = await open_table(game, **SHORT[game])
    policy = InHands(*range(1, hands + 1))
    programs = await seated(host, table, new_player, *[policy] * SHORT[game]["seats"])
    await programs[0].until("hand.closed", hands, timeout_s=300)
    return programs


@pytest.mark.parametrize("game", ["badam_satti", "sevens"])
async def test_each_hand_of_a_match_carries_on_from_the_one_before(
    host: TableHost,
    database: Database,
    open_table: OpenTable,
    new_player: NewPlayer,
    parts: Parts,
    game: str,
) -> None:
    programs = await played(host, open_table, new_player, game, 3)
    closed = programs[0].heard("hand.closed")[:3]
    await stop_all(programs)
    assert [one["match"]["over"] for one in closed] == [False, False, True]
    assert [one["match"]["number"] for one in closed] == [1, 1, 1]
    assert closed[-1]["match"]["winners"]
    records = [
        read_record(await assert_record_holds(database, parts, one)).record for one in closed
    ]
    memos = [record.memo for record in records]
    assert memos[0] == ""
    assert memos[1] != memos[2]
    assert "" not in memos[1:]
    dealers = [record.dealer for record in records]
    assert dealers[0] is None, "the first dealer is the toss's"
    assert dealers[2] == ((dealers[1] or 0) + 1) % 3
    assert await balances(database, programs) == [(0, 0)] * 3
    assert {row["amount"] for one in closed for row in one["result"]} == {"0"}
    assert [one["settlement"] for one in closed] == [None] * 3
    await assert_ledger_holds(database)


@pytest.mark.parametrize("game", ["badam_satti", "sevens"])
async def test_a_match_is_kept_with_the_points_of_all_its_hands(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, game: str
) -> None:
    programs = await played(host, open_table, new_player, game, 3)
    closed = programs[0].heard("hand.closed")[:3]
    await stop_all(programs)
    sums = [sum(one["result"][seat]["points"] for one in closed) for seat in range(3)]
    winners = closed[-1]["match"]["winners"]
    best = max(sums) if game == "sevens" else min(sums)
    assert winners == [seat for seat in range(3) if sums[seat] == best]
    for player in [program.id for program in programs]:
        (row,) = await database.run(
            partial(matches.matches_of, player=player, before=None, limit=5)
        )
        assert (row.game, row.match_no, row.first_hand, row.last_hand) == (game, 1, 1, 3)
        assert [seat.points for seat in row.seats] == sums
        assert [seat.seat for seat in row.seats if seat.has_won] == winners
        assert row.is_shared == (len(winners) > 1)
    standings = await database.run(lambda tx: matches.standings(tx, game, after=0, limit=9))
    assert {one.player for one in standings} == {program.id for program in programs}
    assert {(one.matches, one.finished) for one in standings} == {(1, 1)}
    assert sum(one.wins + one.shared for one in standings) == len(winners)
    assert {one.player: one.points for one in standings} == {
        program.id: sums[program.seat or 0] for program in programs
    }


async def test_matches_that_a_player_has_finished_are_in_the_next_ones_records(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer, parts: Parts
) -> None:
    programs = await played(host, open_table, new_player, "badam_satti", 4)
    closed = await programs[0].until("hand.closed", 4)
    record = read_record(await assert_record_holds(database, parts, closed)).record
    state = host.state_of(programs[0].table)
    await stop_all(programs)
    assert read_brought(record.memo) == ("", {0: 1, 1: 1, 2: 1})
    assert programs[0].heard("hand.listed")[3]["memo"] == record.memo
    assert state.match is not None
    assert (state.match.number, state.match.first_hand) == (2, 4)


@pytest.mark.parametrize("game", ["badam_satti", "sevens"])
async def test_a_hand_that_is_void_is_played_again_with_what_the_match_had_brought(
    host: TableHost,
    database: Database,
    open_table: OpenTable,
    new_player: NewPlayer,
    parts: Parts,
    game: str,
) -> None:
    programs = await played(host, open_table, new_player, game, 1)
    await programs[0].until("hand.dealt", 2, timeout_s=60)
    opened = programs[0].heard("hand.opened")[-1]
    void = VoidHand(HandId(int(opened["hand_id"])), "op", "a test")
    for program in programs:
        program.policy = InHands(3)
    assert (await host.send(programs[0].table, Request(HOUSE, "void", b"", void))).ok
    await programs[0].until("hand.closed", 2, timeout_s=60)
    await stop_all(programs)
    before, after = programs[0].heard("hand.listed")[1:3]
    assert (after["memo"], after["dealer"]) == (before["memo"], before["dealer"])
    assert after["memo"] != ""
    await assert_record_holds(database, parts, programs[0].heard("hand.closed")[1])


@pytest.mark.parametrize("game", ["badam_satti", "sevens"])
@pytest.mark.parametrize("moves", [1, 60, 75])
async def test_a_match_goes_on_after_sudden_death(
    database: Database,
    parts: Parts,
    open_table: OpenTable,
    host: TableHost,
    new_player: NewPlayer,
    game: str,
    moves: int,
) -> None:
    """Killed in its first hand, between or in its later ones; it ends with one result."""
    table = await open_table(game, **SHORT[game])
    programs = await seated(host, table, new_player, *[InHands(1, 2, 3)] * 3)
    await programs[0].until("turn", moves, timeout_s=120)
    await die(host)
    again = await take_over(database, parts, programs)
    await programs[0].until("hand.closed", 3, timeout_s=300)
    state = again.state_of(table)
    await stop_all(programs)
    closed = programs[0].heard("hand.closed")
    assert [one["match"]["over"] for one in closed[:3]] == [False, False, True]
    assert state.matches == 1
    for one in closed[:3]:
        await assert_record_holds(database, parts, one)
    rows = await database.run(_count_matches)
    assert rows == 1
    await again.stop()


@pytest.mark.parametrize("error", [OSError("the network"), AssertionError("our own fault")])
async def test_a_match_whose_end_fails_half_way_is_kept_once_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
    host: TableHost,
    database: Database,
    open_table: OpenTable,
    new_player: NewPlayer,
    error: Exception,
) -> None:
    """The result is written, and then the next hand can't be opened: nothing of it was."""
    opens = opening.open_hand
    failed: list[TableId] = []

    async def fail_once(work: Work) -> None:
        if work.state.matches == 1 and not failed:
            failed.append(work.table)
            raise error
        await opens(work)

    monkeypatch.setattr(opening, "open_hand", fail_once)
    table = await open_table("sevens", turn_ms=5_000, **SHORT["sevens"])
    programs = await seated(host, table, new_player, *[first_legal] * 3)
    await programs[0].until("hand.closed", 4, timeout_s=120)
    await stop_all(programs)
    assert failed
    ends = [one["match"]["number"] for one in programs[0].heard("hand.closed")]
    assert ends == [1, 1, 1, 2]
    assert await database.run(_count_matches) == 1
    standings = await database.run(lambda tx: matches.standings(tx, "sevens", after=0, limit=9))
    assert {(one.matches, one.finished) for one in standings} == {(1, 1)}


async def _count_matches(tx: Transaction) -> int:
    return int((await tx.execute(text("select count(*) from tables.match"))).scalar_one())


async def test_nobody_new_sits_down_while_a_match_runs(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs = await played(host, open_table, new_player, "badam_satti", 1)
    newcomer = Program(host, programs[0].table, await new_player(), idle)
    refused = await newcomer.send(Sit(None, "new", SeatKind.HUMAN))
    assert (refused.ok, refused.code) == (False, "match_running")
    refused = await programs[0].send(Sit(None, "again", SeatKind.HUMAN))
    assert (refused.ok, refused.code) == (False, "already_seated")
    await stop_all(programs)


async def test_a_table_that_closes_in_a_match_keeps_no_result_of_it(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs = await played(host, open_table, new_player, "badam_satti", 1)
    actor_of(host, programs[0].table).tell(HOUSE, CloseTable(drain=False))
    await programs[0].until("table.closed")
    await stop_all(programs)
    assert await database.run(_count_matches) == 0
