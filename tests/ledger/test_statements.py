"""Statements: every page opens with the right balance."""

import csv
import io
from datetime import datetime
from itertools import pairwise

import pytest

from server.database import Database
from server.ledger import service, statements
from server.ledger.transfers import EntryKind
from tests.ledger.house import (
    HT,
    TABLE,
    WELCOME,
    balance,
    hold,
    issue,
    open_accounts,
    people,
    refused,
    reverse,
    settle,
)

ASHA, BELA = people(2)


@pytest.fixture
async def history(database: Database) -> Database:
    """Asha: the welcome grant, ten prizes of 1 to 10 HT, a hand won."""
    await open_accounts(database, [ASHA, BELA])
    for number in range(1, 11):
        await issue(database, ASHA, number * HT, key=str(number))
    await hold(database, 1, [ASHA, BELA])
    await settle(database, 1, ASHA, {BELA: 10 * HT})
    return database


async def test_every_page_opens_where_the_last_one_closed(history: Database) -> None:
    """Another ledger opened page two of a statement with a wrong balance."""
    pages, after = [], 0
    async with history.transaction() as tx:
        while True:
            page = await statements.statement(tx, ASHA, after=after, limit=5)
            pages.append(page)
            if page.next_after is None:
                break
            after = page.next_after
    assert [len(page.lines) for page in pages] == [5, 5, 2]
    assert pages[0].opening_micro == 0
    for before, page in pairwise(pages):
        assert page.opening_micro == before.closing_micro
    for page in pages:
        moved = sum(line.amount_micro for line in page.lines)
        assert page.opening_micro + moved == page.closing_micro
    assert pages[1].opening_micro == WELCOME + (1 + 2 + 3 + 4) * HT
    assert pages[-1].closing_micro == (await balance(history, ASHA)).posted_micro


async def test_a_line_says_what_it_was(history: Database) -> None:
    async with history.transaction() as tx:
        lines = (await statements.statement(tx, ASHA)).lines
    assert [line.number for line in lines] == list(range(1, 13))
    assert (lines[0].kind, lines[0].reason) == (EntryKind.GRANT, "welcome")
    assert (lines[1].kind, lines[1].reason) == (EntryKind.ISSUE, "prize")
    assert (lines[-1].kind, lines[-1].hand_id, lines[-1].table_id) == (EntryKind.SETTLE, 1, TABLE)
    assert lines[-1].amount_micro == 9 * HT


async def test_an_empty_page_still_has_its_balance(history: Database) -> None:
    async with history.transaction() as tx:
        page = await statements.statement(tx, ASHA, after=12)
    assert page.lines == ()
    assert page.opening_micro == page.closing_micro == WELCOME + 64 * HT
    assert page.next_after is None


async def test_a_page_has_its_limit(history: Database) -> None:
    async with history.transaction() as tx:
        page = await statements.statement(tx, ASHA, limit=10**9)
    assert len(page.lines) <= statements.PAGE_MAX


async def test_the_spreadsheet_is_exact_and_harmless(
    history: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "CSV_PAGE", 5)
    async with history.transaction() as tx:
        await service.issue(
            tx, ASHA, amount_micro=50_000, key="k", reason='=cmd("x"), 1', actor="Meera"
        )
        written = "".join([part async for part in statements.statement_csv(tx, ASHA)])
    rows = list(csv.reader(io.StringIO(written)))
    assert tuple(rows[0]) == statements.CSV_HEAD
    assert len(rows) == 14
    last = dict(zip(rows[0], rows[-1], strict=True))
    assert (last["amount"], last["balance"]) == ("0.05", "10064.05")
    assert last["reason"] == '\'=cmd("x"), 1'
    assert last["time"].endswith("Z")
    assert datetime.fromisoformat(last["time"]).tzinfo is not None


async def test_the_house_s_pages_go_on_too(history: Database) -> None:
    entries = []
    for hand in (2, 3, 4):
        await hold(history, hand, [ASHA, BELA])
        entries.append((await settle(history, hand, ASHA, {BELA: hand * HT})).journal_id)
    await reverse(history, entries[-1])
    async with history.transaction() as tx:
        first = await statements.house_statement(tx, limit=2)
        assert first.next_after is not None
        second = await statements.house_statement(tx, after=first.next_after)
    assert (first.opening_micro, first.closing_micro) == (0, 1_200_000)
    assert (second.opening_micro, second.closing_micro) == (1_200_000, 1_500_000)
    assert [line.amount_micro for line in second.lines] == [300_000, 400_000, -400_000]
    assert [line.balance_micro for line in second.lines] == [1_500_000, 1_900_000, 1_500_000]


async def test_somebody_without_an_account_has_no_statement(history: Database) -> None:
    async with history.transaction() as tx:
        nobody = statements.statement(tx, people(1, first=9)[0])
        assert await refused(nobody) == "unknown_account"


async def test_a_page_beyond_the_last_line_opens_with_the_balance(history: Database) -> None:
    async with history.transaction() as tx:
        page = await statements.statement(tx, ASHA, after=1_000)
    whole = await balance(history, ASHA)
    assert page.lines == ()
    assert page.opening_micro == page.closing_micro == whole.posted_micro
