"""What happened to an account, page by page, and as a table for a spreadsheet."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.database import HandId, PlayerId, TableId, Transaction
from server.ledger import repository
from server.ledger.accounts import HOUSE, AccountId
from server.ledger.service import account_of
from server.ledger.sheets import cell, csv_of, harmless, time_text
from server.ledger.transfers import EntryKind, ht_text

PAGE_MAX: Final = 100
CSV_PAGE: Final = 1_000
CSV_HEAD: Final = (
    "number", "time", "entry", "kind", "amount", "balance", "hand", "reason", "seal",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """One posting.

    Units: micro-HT; `number` is the account's version, for the house the entry's id. `seal` is the
    number of the seal that the entry is under, None for the few seconds until it is sealed.
    """

    number: int
    entry_id: int
    kind: EntryKind
    amount_micro: int
    balance_micro: int
    at: datetime
    hand_id: HandId | None
    table_id: TableId | None
    reason: str
    seal: int | None


@dataclass(frozen=True, slots=True)
class Statement:
    """A page: it opens with the balance before its first line and closes with the last one's.

    `next_after` is where the next page begins, None if there is none yet.
    """

    opening_micro: int
    lines: tuple[Line, ...]
    closing_micro: int
    next_after: int | None


async def statement(
    tx: Transaction, player_id: PlayerId, *, after: int = 0, limit: int = PAGE_MAX
) -> Statement:
    """Read the page of a player's statement that begins after the version `after`.

    Errors: Refusal `unknown_account`.
    """
    account = await account_of(tx, player_id)
    return await _page(tx, account, after=after, limit=min(limit, PAGE_MAX))


async def statement_csv(tx: Transaction, player_id: PlayerId) -> AsyncIterator[str]:
    """Write a player's whole statement as CSV, in pieces; amounts in HT, times in UTC.

    Errors: Refusal `unknown_account`.
    """
    account = await account_of(tx, player_id)
    yield csv_of([CSV_HEAD])
    after: int | None = 0
    while after is not None:
        page = await _page(tx, account, after=after, limit=CSV_PAGE)
        yield csv_of([_cells(line) for line in page.lines])
        after = page.next_after


async def find_posting(
    tx: Transaction, player_id: PlayerId, number: int
) -> repository.AnyRow | None:
    """Find the line of a player's statement with that number: (journal_id, line, xid).

    Errors: Refusal `unknown_account`.
    """
    return await repository.find_posting(tx, await account_of(tx, player_id), number)


async def house_statement(tx: Transaction, *, after: int = 0, limit: int = PAGE_MAX) -> Statement:
    """Read the page of the house's statement (commission) that begins after the entry `after`."""
    balance = opening = await repository.sum_until(tx, HOUSE, entry_id=after)
    limit = min(limit, PAGE_MAX)
    rows = await repository.house_lines_after(tx, HOUSE, after=after, limit=limit + 1)
    lines = []
    for row in rows[:limit]:
        balance += row.amount
        lines.append(_line(row, number=row.id, balance_micro=balance))
    following = lines[-1].number if len(rows) > limit else None
    return Statement(opening, tuple(lines), balance, following)


async def _page(tx: Transaction, account: AccountId, *, after: int, limit: int) -> Statement:
    rows = await repository.lines_after(tx, account, after=after, limit=limit + 1)
    opening = await repository.balance_at(tx, account, after)
    lines = tuple(
        _line(row, number=row.account_version, balance_micro=row.balance_after)
        for row in rows[:limit]
    )
    closing = lines[-1].balance_micro if lines else opening
    following = lines[-1].number if len(rows) > limit else None
    return Statement(opening, lines, closing, following)


def _line(row: repository.AnyRow, *, number: int, balance_micro: int) -> Line:
    return Line(
        number=number,
        entry_id=row.id,
        kind=EntryKind(row.kind),
        amount_micro=row.amount,
        balance_micro=balance_micro,
        at=row.created_at,
        hand_id=row.hand_id,
        table_id=row.table_id,
        reason=row.reason,
        seal=row.seal,
    )


def _cells(line: Line) -> Sequence[object]:
    return (
        line.number,
        time_text(line.at),
        line.entry_id,
        line.kind.name.lower(),
        ht_text(line.amount_micro),
        ht_text(line.balance_micro),
        cell(line.hand_id),
        harmless(line.reason),
        cell(line.seal),
    )
