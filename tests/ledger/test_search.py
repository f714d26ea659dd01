"""Entries by their filters, accounts, the trial balance, and what the house took."""

import csv
import io
from datetime import timedelta
from uuid import UUID

import pytest

from server.database import Database, HandId, TableId, one_snapshot
from server.ledger import service, sheets
from server.ledger.accounts import AccountKind
from server.ledger.search import (
    Wanted,
    accounts,
    commission_by_day,
    commission_by_table,
    find_entries,
    trial_balance,
)
from server.ledger.sheets import ENTRY_HEAD, csv_of, entries_csv, entry_rows
from server.ledger.transfers import EntryKind
from tests.ledger.house import (
    HT,
    TABLE,
    WELCOME,
    hold,
    issue,
    open_accounts,
    people,
    reverse,
    settle,
)

ASHA, BELA = people(2)
ZONE = "Asia/Kolkata"


@pytest.fixture
async def history(database: Database) -> Database:
    """Asha: the welcome grant, ten prizes of 1 to 10 HT, a hand won, a hand won and undone."""
    await open_accounts(database, [ASHA, BELA])
    for number in range(1, 11):
        await issue(database, ASHA, number * HT, key=str(number))
    for hand in (1, 2):
        await hold(database, hand, [ASHA, BELA])
    await settle(database, 1, ASHA, {BELA: 10 * HT})
    undone = await settle(database, 2, ASHA, {BELA: 20 * HT})
    await reverse(database, undone.journal_id)
    return database


async def test_entries_are_found_by_kind_and_by_how_the_reason_begins(history: Database) -> None:
    async with history.transaction() as tx:
        prizes = await find_entries(tx, Wanted(reason="prize"), limit=3)
        assert [entry.moved_micro for entry in prizes] == [10 * HT, 9 * HT, 8 * HT]
        more = await find_entries(tx, Wanted(reason="prize"), before=prizes[-1].id)
        assert len(more) == 7
        assert len(await find_entries(tx, Wanted(reason="PRI"))) == 10
        assert await find_entries(tx, Wanted(reason="rize")) == []
        assert await find_entries(tx, Wanted(reason="pr%")) == []
        grants = await find_entries(tx, Wanted(kind=EntryKind.GRANT))
        assert [entry.moved_micro for entry in grants] == [WELCOME, WELCOME]
        assert len(await find_entries(tx, Wanted())) == 15


async def test_a_hand_and_a_table_bring_what_was_undone_and_its_reversal(
    history: Database,
) -> None:
    async with history.transaction() as tx:
        found = await find_entries(tx, Wanted(hand_id=HandId(2)))
        assert [one.kind for one in found] == [EntryKind.REVERSAL, EntryKind.SETTLE]
        assert {(one.hand_id, one.table_id) for one in found} == {(2, TABLE)}
        assert len(await find_entries(tx, Wanted(table_id=TABLE))) == 3
        assert await find_entries(tx, Wanted(table_id=TableId(UUID(int=9)))) == []


async def test_a_player_and_a_time_narrow_down(history: Database) -> None:
    async with history.transaction() as tx:
        found = await find_entries(tx, Wanted(player_id=BELA))
        assert len(found) == 4
        middle = found[1].at
        since = await find_entries(tx, Wanted(player_id=BELA, since=middle))
        until = await find_entries(tx, Wanted(player_id=BELA, until=middle))
        assert (len(since), len(until)) == (2, 2)
        assert await find_entries(tx, Wanted(since=found[0].at + timedelta(days=1))) == []


async def test_every_entry_comes_with_its_lines_which_sum_to_zero(history: Database) -> None:
    async with history.transaction() as tx:
        for one in await find_entries(tx, Wanted()):
            assert sum(line.amount_micro for line in one.postings) == 0
        (won,) = await find_entries(tx, Wanted(hand_id=HandId(1)))
    assert {(line.kind, line.player_id, line.amount_micro) for line in won.postings} == {
        (AccountKind.PLAYER, ASHA, 9 * HT),
        (AccountKind.PLAYER, BELA, -10 * HT),
        (AccountKind.HOUSE, None, HT),
    }


async def test_the_sheet_has_a_row_for_each_line_and_no_formula(history: Database) -> None:
    async with history.transaction() as tx:
        await service.issue(
            tx, ASHA, amount_micro=HT, key="evil", reason='=HYPERLINK("x")', actor="Meera"
        )
        found = await find_entries(tx, Wanted(), limit=5)
    rows = list(csv.reader(io.StringIO(csv_of([ENTRY_HEAD, *entry_rows(found)]))))
    assert len(rows) == 1 + sum(len(one.postings) for one in found)
    assert {len(row) for row in rows} == {len(ENTRY_HEAD)}
    assert rows[1][-1] == '\'=HYPERLINK("x")'


async def test_a_sheet_has_every_entry_however_many_pages_as_they_stood_when_it_began(
    history: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheets, "CSV_PAGE", 2)
    async with history.transaction() as late:
        # It has its number before the sheet begins, and is written while the sheet is read.
        await service.issue(late, BELA, amount_micro=HT, key="late", reason="late", actor="Meera")
        async with history.transaction() as tx:
            await one_snapshot(tx)
            pieces = entries_csv(tx, Wanted())
            written = [await anext(pieces), await anext(pieces)]
            await late.commit()
            written += [piece async for piece in pieces]
    rows = list(csv.DictReader(io.StringIO("".join(written))))
    async with history.transaction() as tx:
        found = await find_entries(tx, Wanted())
    assert [int(row["entry"]) for row in rows] == [
        one.id for one in found if one.reason != "late" for _ in one.postings
    ]
    assert len(found) == 16


async def test_the_trial_balance_sums_to_zero(history: Database) -> None:
    async with history.transaction() as tx:
        kinds = {one.kind: one for one in await trial_balance(tx)}
        listed = [one for one in await accounts(tx) if one.kind is AccountKind.PLAYER]
    assert sum(one.posted_micro for one in kinds.values()) == 0
    assert kinds[AccountKind.HOUSE].posted_micro == HT
    assert kinds[AccountKind.PLAYER].accounts == 2
    assert [one.player_id for one in listed] == [ASHA, BELA]
    assert listed[1].posted_micro == WELCOME - 10 * HT


async def test_commission_is_summed_by_day_and_by_table_less_what_was_undone(
    history: Database,
) -> None:
    async with history.transaction() as tx:
        days = await commission_by_day(tx, days=7, time_zone=ZONE)
        tables = await commission_by_table(tx, days=7, time_zone=ZONE)
    assert len(days) == 7
    assert [one.day - days[0].day for one in days] == [timedelta(days=n) for n in range(7)]
    assert (sum(one.amount_micro for one in days), sum(one.hands for one in days)) == (HT, 2)
    assert [(one.table_id, one.amount_micro, one.hands) for one in tables] == [(TABLE, HT, 2)]
