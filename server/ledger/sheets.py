"""Tables for a spreadsheet: amounts in HT, times in UTC, and words that stay words."""

import csv
import io
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from server.database import Transaction
from server.ledger.search import CSV_PAGE, Entry, Wanted, find_entries
from server.ledger.transfers import ht_text

ENTRY_HEAD: Final = (
    "entry", "time", "kind", "hand", "table", "account", "player", "amount", "balance", "reverses",
    "actor", "reason",
)  # fmt: skip
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_of(rows: Sequence[Sequence[object]]) -> str:
    """Write rows as RFC 4180 has them."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(rows)
    return out.getvalue()


def harmless(text: str) -> str:
    """Keep a spreadsheet from taking an operator's words for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def time_text(at: datetime) -> str:
    """Write a time as ISO 8601 in UTC."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def cell(value: object | None) -> object:
    """Write what may be missing."""
    return "" if value is None else value


def entry_rows(entries: Sequence[Entry]) -> Iterator[Sequence[object]]:
    """Write entries, a row for each line of an entry."""
    for one in entries:
        for line in one.postings:
            balance = line.balance_micro
            yield (
                one.id,
                time_text(one.at),
                one.kind.name.lower(),
                cell(one.hand_id),
                cell(one.table_id),
                line.kind.name.lower(),
                cell(line.player_id),
                ht_text(line.amount_micro),
                "" if balance is None else ht_text(balance),
                cell(one.reverses),
                harmless(one.actor),
                harmless(one.reason),
            )


async def entries_csv(tx: Transaction, wanted: Wanted) -> AsyncIterator[str]:
    """Write all entries that fit as CSV, in pieces, the newest first; however many they are."""
    yield csv_of([ENTRY_HEAD])
    before: int | None = None
    while page := await find_entries(tx, wanted, before=before, limit=CSV_PAGE):
        yield csv_of(list(entry_rows(page)))
        before = page[-1].id
