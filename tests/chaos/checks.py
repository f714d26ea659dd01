"""What must be true of a house at every moment, and of one in which nothing runs any more."""

import json
from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import Row

from server.database import Database
from server.fairness.keyring import Keyring
from server.fairness.seal import Sealer
from server.fairness.signing import LogSigner, SigningKey
from server.tables import hands
from server.tables.clock import Clocks
from server.tables.work import Parts
from tests.acceptance import reckoning
from tests.chaos.company import Company
from tests.chaos.house import House
from tests.chaos.players import Book

FAULTS: Final = {
    "bot_ended",
    "socket_fault",
    "table_broken",
    "table_fault",
    "task_failed",
    "viewer_fault",
    "mirror_broken",
}
"""Lines of a log that nothing which we did explains."""

EXPLAINED: Final = {"Fenced"}


async def demand_now(house: House, book: Book) -> None:
    """Look at a house that runs: each look is one statement, so that it sees one moment."""
    so_far = book.so_far()
    database = house.database()
    try:
        await reckoning.assert_every_promise_was_kept(database, so_far)
        await _demand_each_move_once(database, so_far)
        await reckoning.assert_journals_are_dense(database)
        await _demand_one_end(database)
        public = SigningKey.from_file(house.home).public
        await reckoning.assert_tokens_only_moved(database, {public})
        await reckoning.assert_the_log_tells_the_same(database, so_far, public)
    finally:
        await database.close()


async def demand_at_the_end(house: House, company: Company) -> dict[str, int]:
    """Look at a house whose tables are closed; counts for the report."""
    await demand_now(house, company.book)
    database = house.database()
    try:
        for table in company.tables_of("rummy"):
            await reckoning.assert_each_move_was_made_once(database, company.book, table)
        await reckoning.assert_each_hand_ended_once(database)
        await _demand_nothing_is_open(database, company.tables)
        records = await reckoning.assert_every_record_verifies(database, _parts_of(house))
        figures = await _figures(database)
    finally:
        await database.close()
    _demand_quiet_logs(house)
    return {**figures, "records verified": records}


async def _demand_each_move_once(database: Database, book: Book) -> None:
    """Each acknowledged move is one line of the journal, written together with its answer."""
    found = await reckoning.rows(
        database,
        """select r.table_id, r.request_id, array_agg(j.fact->>'line') as lines,
                  min(j.seq) as seq, max(j.seq) as last
             from tables.reply r join tables.journal j
               on j.table_id = r.table_id and j.xmin::text = r.xmin::text and j.fact ? 'line'
            where r.ok group by r.table_id, r.request_id""",
    )
    written = {(str(row.table_id), row.request_id): row for row in found}
    places = set()
    for one in book.acked.values():
        if one.t != "play":
            continue
        row = written.get((one.table, one.id))
        assert row is not None, f"{one} is no line of the journal"
        assert row.seq == row.last, f"{one} is in the journal twice: {row.lines}"
        assert not row.lines[0].startswith("auto"), f"{one} was made by the clock: {row.lines}"
        assert (one.table, row.seq) not in places, f"{one} is another move's line"
        places.add((one.table, row.seq))


async def _demand_one_end(database: Database) -> None:
    """Every hand but a table's newest has ended; ended hands have settled or released once."""
    found = await reckoning.rows(
        database,
        f"""select h.hand_id, h.hand_no, h.state, h.state in ({hands.CLOSED}, {hands.CANCELLED})
                     as ended,
                   h.hand_no < max(h.hand_no) over (partition by h.table_id) as is_past,
                   row_number() over (partition by h.table_id order by h.hand_no) as place,
                   (select count(*) from tables.journal j where j.hand_id = h.hand_id
                     and j.fact->>'fact' in ('hand_closed', 'hand_cancelled')) as told,
                   (select count(*) from ledger.hand_hold x where x.hand_id = h.hand_id) as holds,
                   (select count(*) from ledger.hold_resolution x
                     where x.hand_id = h.hand_id) as ends,
                   (select count(*) from ledger.journal x where x.hand_id = h.hand_id) as entries
              from tables.hand h""",
    )
    for row in found:
        assert row.hand_no == row.place, f"hand {row.hand_id}: a number was left out"
        assert row.ended or not row.is_past, f"hand {row.hand_id} has no end"
        assert row.told == row.ended, f"hand {row.hand_id} has {row.told} ends in the journal"
        assert row.ends == (row.holds if row.ended else 0), f"hand {row.hand_id}: holds are left"
        is_paid = row.state == hands.CLOSED and row.holds > 0
        assert row.entries == is_paid, f"hand {row.hand_id} is paid {row.entries} times"


async def _demand_nothing_is_open(database: Database, tables: Collection[str]) -> None:
    """No hand of these tables is open, though those of the empty ones are, and no hold is left."""
    ended = (hands.CLOSED, hands.CANCELLED)
    found = await reckoning.rows(
        database, f"select hand_id, table_id, state from tables.hand where state not in {ended}"
    )
    left = [row for row in found if str(row.table_id) in tables]
    assert left == [], f"hands are open at tables that are closed: {left}"
    held = await reckoning.rows(
        database,
        """select hand_id from ledger.hand_hold h where not exists
             (select from ledger.hold_resolution r where r.hand_id = h.hand_id)""",
    )
    assert held == [], f"holds are left: {held}"


async def _figures(database: Database) -> dict[str, int]:
    found = await reckoning.rows(
        database,
        """select fact->>'fact' as name, count(*) as times from tables.journal
            where fact->>'fact' in ('hand_closed', 'hand_cancelled', 'attempt_voided', 'moved',
                                    'time_given_back', 'seat_substituted')
            group by 1 order by 1""",
    )
    fences = await reckoning.rows(database, "select sum(fence)::bigint as fences from tables.lease")
    figures = {row.name.replace("_", " "): int(row.times) for row in found}
    return {**figures, "leases taken": int(fences[0].fences)}


async def longest_rests_s(database: Database, tables: Sequence[str]) -> dict[str, float]:
    """Find the longest time between two rows of each table's journal, by the database's clock."""
    found: Sequence[Row[Any]] = await reckoning.rows(
        database,
        """select table_id, max(rest)::float as rest_s from
             (select table_id, extract(epoch from at - lag(at) over
                (partition by table_id order by seq)) as rest from tables.journal) r
            group by table_id""",
    )
    return {
        str(row.table_id): row.rest_s or 0.0 for row in found if str(row.table_id) in set(tables)
    }


def _parts_of(house: House) -> Parts:
    keys = Keyring.from_folder(house.home)
    return Parts(
        signer=keys.current,
        log_signer=LogSigner.from_file(house.home, "localhost/fairdeal-1"),
        sealer=Sealer.from_file(house.home),
        clocks=Clocks(),
    )


def _demand_quiet_logs(house: House) -> None:
    bad = []
    for process in house.processes:
        lines = process.log.read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines if line.startswith("{")]
        bad += [one for one in events if one["event"] in FAULTS and one.get("why") not in EXPLAINED]
        bad += [{"event": line} for line in lines if line.startswith("Traceback")]
    assert bad == []
