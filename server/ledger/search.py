"""What the operator's console asks of the ledger: entries by filters, accounts, commission.

It only reads. A page goes on below the last id, so what is written meanwhile moves nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import text

from server.database import HandId, PlayerId, TableId, Transaction
from server.ledger.accounts import HOUSE, PROMO, AccountKind
from server.ledger.transfers import EntryKind

PAGE_MAX: Final = 100
CSV_PAGE: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which entries; None is any.

    Shape: `reason` is how it begins, in any case; `since` is included, `until` is not.
    """

    kind: EntryKind | None = None
    reason: str | None = None
    player_id: PlayerId | None = None
    table_id: TableId | None = None
    hand_id: HandId | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Posting:
    """One line of an entry. Units: micro-HT; an account of the house has no player."""

    kind: AccountKind
    player_id: PlayerId | None
    amount_micro: int
    balance_micro: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A journal entry with its lines; `moved_micro` is what was credited."""

    id: int
    kind: EntryKind
    hand_id: HandId | None
    table_id: TableId | None
    reverses: int | None
    reason: str
    actor: str
    at: datetime
    moved_micro: int
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account as it stands. Units: micro-HT."""

    id: int
    kind: AccountKind
    player_id: PlayerId | None
    posted_micro: int
    held_micro: int
    is_frozen: bool


@dataclass(frozen=True, slots=True)
class KindTotal:
    """All accounts of a kind together, one line of the trial balance. Units: micro-HT."""

    kind: AccountKind
    accounts: int
    posted_micro: int
    held_micro: int


@dataclass(frozen=True, slots=True)
class DayTaken:
    """The house's commission of a day. Units: micro-HT."""

    day: date
    hands: int
    amount_micro: int


@dataclass(frozen=True, slots=True)
class TableTaken:
    """The house's commission of a table. Units: micro-HT."""

    table_id: TableId
    hands: int
    amount_micro: int


async def find_entries(
    tx: Transaction, wanted: Wanted, *, before: int | None = None, limit: int = PAGE_MAX
) -> list[Entry]:
    """List entries that fit, the newest first, those with ids below `before`."""
    values = {
        "kind": wanted.kind,
        "reason": wanted.reason,
        "player": wanted.player_id,
        "table": wanted.table_id,
        "hand": wanted.hand_id,
        "since": wanted.since,
        "until": wanted.until,
        "before": before,
    }
    asked = {name: value for name, value in values.items() if value is not None}
    conditions = " and ".join(_CONDITIONS[name] for name in asked) or "true"
    query = text(_ENTRIES.format(conditions=conditions))
    rows = (await tx.execute(query, {**asked, "limit": limit})).all()
    postings = await _postings(tx, [row.id for row in rows])
    return [_entry(row, postings.get(row.id, ())) for row in rows]


async def accounts(tx: Transaction, *, after: int = 0, limit: int = PAGE_MAX) -> list[Account]:
    """List the accounts that keep a balance by their id, those above `after`."""
    rows = await tx.execute(_ACCOUNTS, {"after": after, "limit": min(limit, PAGE_MAX)})
    return [
        Account(
            id=row.id,
            kind=AccountKind(row.kind),
            player_id=None if row.player_id is None else PlayerId(row.player_id),
            posted_micro=row.posted,
            held_micro=row.held,
            is_frozen=row.frozen,
        )
        for row in rows
    ]


async def trial_balance(tx: Transaction) -> list[KindTotal]:
    """Sum the accounts by kind; all kinds together make 0."""
    return [
        KindTotal(AccountKind(row.kind), row.accounts, int(row.posted), int(row.held))
        for row in await tx.execute(_TRIAL)
    ]


async def commission_by_day(tx: Transaction, *, days: int, time_zone: str) -> list[DayTaken]:
    """Sum what the house took on each of the last days, by its own calendar; idle days are 0."""
    values = {"house": HOUSE, "back": days - 1, "zone": time_zone}
    return [
        DayTaken(row.day, row.hands, int(row.amount)) for row in await tx.execute(_BY_DAY, values)
    ]


async def commission_by_table(
    tx: Transaction, *, days: int, time_zone: str, limit: int = PAGE_MAX
) -> list[TableTaken]:
    """Sum what the house took at each table over the last days, the most first."""
    values = {
        "house": HOUSE, "back": days - 1, "zone": time_zone, "limit": limit,
    }  # fmt: skip
    return [
        TableTaken(TableId(row.table_id), row.hands, int(row.amount))
        for row in await tx.execute(_BY_TABLE, values)
    ]


async def _postings(tx: Transaction, entries: Sequence[int]) -> Mapping[int, Sequence[Posting]]:
    found: dict[int, list[Posting]] = {}
    for row in await tx.execute(_POSTINGS, {"entries": list(entries)}):
        player = None if row.player_id is None else PlayerId(row.player_id)
        line = Posting(AccountKind(row.kind), player, row.amount, row.balance_after)
        found.setdefault(row.journal_id, []).append(line)
    return found


def _entry(row: Any, postings: Sequence[Posting]) -> Entry:
    """Write an entry; what only passes through the house's gifts isn't moved twice."""
    credited = (
        line.amount_micro
        for line in postings
        if line.amount_micro > 0 and line.kind is not AccountKind(PROMO)
    )
    return Entry(
        id=row.id,
        kind=EntryKind(row.kind),
        hand_id=None if row.hand_id is None else HandId(row.hand_id),
        table_id=None if row.table_id is None else TableId(row.table_id),
        reverses=row.reverses,
        reason=row.reason,
        actor=row.actor,
        at=row.created_at,
        moved_micro=sum(credited),
        postings=tuple(postings),
    )


_CONDITIONS: Final[Mapping[str, str]] = {
    "kind": "j.kind = :kind",
    "reason": "starts_with(lower(j.reason), lower(:reason))",
    "player": (
        "j.id in (select p.journal_id from ledger.posting p where p.account_id ="
        " (select a.id from ledger.account a where a.kind = 1 and a.player_id = :player))"
    ),
    "table": "h.table_id = :table",
    "hand": "coalesce(j.hand_id, r.hand_id) = :hand",
    "since": "j.created_at >= :since",
    "until": "j.created_at < :until",
    "before": "j.id < :before",
}
_JOURNAL: Final = """
    ledger.journal j left join ledger.journal r on r.id = j.reverses
      left join ledger.hand_hold h on h.hand_id = coalesce(j.hand_id, r.hand_id)
"""
_ENTRIES: Final = f"""
    select j.id, j.kind, coalesce(j.hand_id, r.hand_id) as hand_id, h.table_id, j.reverses,
           j.reason, j.actor, j.created_at
      from {_JOURNAL} where {{conditions}} order by j.id desc limit :limit
"""  # noqa: S608 - constants of this file, values are bound
_POSTINGS = text("""
    select p.journal_id, a.kind, a.player_id, p.amount, p.balance_after
      from ledger.posting p join ledger.account a on a.id = p.account_id
     where p.journal_id = any(:entries) order by p.journal_id, p.line
""")
_ACCOUNTS = text("""
    select id, kind, player_id, posted, held, frozen from ledger.account
     where keeps_balance and id > :after order by id limit :limit
""")
_TRIAL = text("""
    select a.kind, count(*) as accounts, sum(a.held) as held,
           sum(case when a.keeps_balance then a.posted else
                 (select coalesce(sum(p.amount), 0) from ledger.posting p
                   where p.account_id = a.id and p.account_version is null) end) as posted
      from ledger.account a group by a.kind order by a.kind
""")
_ZONE: Final = "time zone cast(:zone as text)"
_TODAY: Final = f"(now() at {_ZONE})::date"
_SINCE: Final = f"({_TODAY} - cast(:back as integer))::timestamp"
_OF_THE_HOUSE: Final = f"""
    select (j.created_at at {_ZONE})::date as day, p.amount, h.table_id, j.kind
      from {_JOURNAL} join ledger.posting p on p.journal_id = j.id
     where p.account_id = :house and p.account_version is null
       and j.created_at >= {_SINCE} at {_ZONE}
"""  # noqa: S608 - constants of this file, values are bound
_BY_DAY = text(f"""
    with taken as ({_OF_THE_HOUSE})
    select d::date as day, count(t.day) filter (where t.kind = 1) as hands,
           coalesce(sum(t.amount), 0) as amount
      from generate_series({_SINCE}, {_TODAY}::timestamp, interval '1 day') d
      left join taken t on t.day = d::date
     group by 1 order by 1
""")  # noqa: S608 - constants of this file, values are bound
_BY_TABLE = text(f"""
    with taken as ({_OF_THE_HOUSE})
    select table_id, count(*) filter (where kind = 1) as hands, sum(amount) as amount
      from taken where table_id is not null
     group by 1 order by amount desc, table_id limit :limit
""")  # noqa: S608 - constants of this file, values are bound
