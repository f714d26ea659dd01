"""The operator's figures: accounts, trial balance, invariants, commission."""

from datetime import date, datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from server import jobs
from server.ledger import audit, search
from server.tables.ended import names_of_tables
from server.web.amounts import AmountBody, amount_of
from server.web.auth import OperatorRole, TheParts, ViewerRole
from server.web.books import names_of
from server.web.operator import record
from server.web.pages import LIST_MAX, After, Limit

DAYS_MAX: Final = 366
DAYS: Final = 30

router = APIRouter(prefix="/operator", tags=["figures"])


class AccountBody(BaseModel):
    """An account as it stands; `kind` is `player`, or which of the house's own it is."""

    account: str
    kind: str
    player: str | None
    name: str | None
    posted: AmountBody
    held: AmountBody
    frozen: bool


class AccountPage(BaseModel):
    accounts: list[AccountBody]
    next: int | None


class KindBody(BaseModel):
    """All accounts of a kind together."""

    kind: str
    accounts: int
    posted: AmountBody
    held: AmountBody


class InvariantBody(BaseModel):
    """A sentence about the ledger, whether it was true, and the figures that said so."""

    name: str
    holds: bool
    figures: dict[str, int]


class CheckBody(BaseModel):
    """The last check of all invariants: every night, by `pakka ledger check`, or asked for here."""

    at: datetime
    holds: bool
    invariants: list[InvariantBody]


class TrialBody(BaseModel):
    """The trial balance as of now, whose `sum` is 0, and the last check, None before the first."""

    kinds: list[KindBody]
    sum: AmountBody
    check: CheckBody | None


class DayBody(BaseModel):
    """What the house took on a day of its own calendar."""

    day: date
    hands: int
    amount: AmountBody


class TableTaken(BaseModel):
    """What the house took at a table."""

    table: UUID
    name: str
    hands: int
    amount: AmountBody


class CommissionBody(BaseModel):
    """Commission of the last days, by day without a gap, and by table, the most first."""

    time_zone: str
    days: list[DayBody]
    tables: list[TableTaken]


@router.get("/accounts")
async def list_accounts(
    operator: ViewerRole, parts: TheParts, limit: Limit = LIST_MAX, after: After = None
) -> AccountPage:
    """List the accounts that keep a balance, by their number."""
    async with parts.database.transaction() as tx:
        found = await search.accounts(tx, after=after or 0, limit=limit)
        names = await names_of(tx, {one.player_id for one in found})
    rows = [
        AccountBody(
            account=str(one.id),
            kind=one.kind.name.lower(),
            player=None if one.player_id is None else str(one.player_id),
            name=None if one.player_id is None else names.get(one.player_id),
            posted=amount_of(one.posted_micro),
            held=amount_of(one.held_micro),
            frozen=one.is_frozen,
        )
        for one in found
    ]
    return AccountPage(accounts=rows, next=found[-1].id if len(found) == limit else None)


@router.get("/trial-balance")
async def get_trial_balance(operator: ViewerRole, parts: TheParts) -> TrialBody:
    """Sum the accounts by kind, and tell what the last check of the invariants found."""
    async with parts.database.transaction() as tx:
        kinds = await search.trial_balance(tx)
        last = await audit.find_last(tx)
    return TrialBody(
        kinds=[
            KindBody(
                kind=one.kind.name.lower(),
                accounts=one.accounts,
                posted=amount_of(one.posted_micro),
                held=amount_of(one.held_micro),
            )
            for one in kinds
        ],
        sum=amount_of(sum(one.posted_micro for one in kinds)),
        check=None if last is None else _check_body(last),
    )


@router.post("/ledger/check")
async def check_ledger(operator: OperatorRole, parts: TheParts) -> CheckBody:
    """State every invariant now, as `pakka ledger check` does; once a minute, and kept."""
    with parts.checking.begun():
        await jobs.check_ledger(parts.database, parts.server_pubs)
    async with parts.database.transaction() as tx:
        await record(tx, operator, "ledger.check", "ledger", "asked for in the console")
        last = await audit.find_last(tx)
    assert last is not None, "a check is kept"
    return _check_body(last)


@router.get("/commission")
async def get_commission(
    operator: ViewerRole,
    parts: TheParts,
    days: Annotated[int, Query(ge=1, le=DAYS_MAX, description="how many, today included")] = DAYS,
) -> CommissionBody:
    """Sum the house's commission by day and by table."""
    zone = parts.time_zone
    async with parts.database.transaction() as tx:
        by_day = await search.commission_by_day(tx, days=days, time_zone=zone)
        by_table = await search.commission_by_table(tx, days=days, time_zone=zone)
        names = await names_of_tables(tx, [one.table_id for one in by_table])
    return CommissionBody(
        time_zone=zone,
        days=[
            DayBody(day=one.day, hands=one.hands, amount=amount_of(one.amount_micro))
            for one in by_day
        ],
        tables=[
            TableTaken(
                table=one.table_id,
                name=names.get(one.table_id, ""),
                hands=one.hands,
                amount=amount_of(one.amount_micro),
            )
            for one in by_table
        ],
    )


def _check_body(last: audit.CheckRun) -> CheckBody:
    return CheckBody(
        at=last.at,
        holds=last.holds,
        invariants=[
            InvariantBody(name=one.name, holds=one.holds, figures=dict(one.figures))
            for one in last.invariants
        ],
    )
