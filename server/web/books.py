"""The operator's view of the ledger: entries by filters, accounts, statements, what the house took.

Everything here reads; tokens are moved in `treasury.py`.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Response
from pydantic import AwareDatetime, BaseModel

from server.database import HandId, PlayerId, TableId, Transaction
from server.identity import service as identity
from server.identity.operators import REASON_MAX
from server.ledger.search import Entry, Posting, Wanted, find_entries
from server.ledger.sheets import entries_csv
from server.ledger.statements import house_statement, statement, statement_csv
from server.ledger.transfers import EntryKind
from server.web.amounts import AmountBody, amount_of
from server.web.auth import TheParts, ViewerRole
from server.web.errors import refuses
from server.web.me import StatementBody, statement_body
from server.web.pages import ID_MAX, LIST_MAX, After, Id, Limit
from server.web.sheet import CSV_ANSWER, sheet

KINDS = {kind.name.lower(): kind for kind in EntryKind}

router = APIRouter(prefix="/operator", tags=["books"])


def wanted_of(
    kind: Literal["settle", "issue", "withdraw", "adjust", "reversal", "grant"] | None = None,
    reason: Annotated[
        str | None,
        Query(
            max_length=REASON_MAX, pattern=r"^[^\x00]*$", description="how it begins, in any case"
        ),
    ] = None,
    player: Annotated[int | None, Query(ge=1, le=ID_MAX)] = None,
    table: UUID | None = None,
    hand: Annotated[int | None, Query(ge=1, le=ID_MAX)] = None,
    since: Annotated[AwareDatetime | None, Query(description="from then on")] = None,
    until: Annotated[AwareDatetime | None, Query(description="before then")] = None,
) -> Wanted:
    """Read the filters of a request; each that is there narrows down."""
    return Wanted(
        kind=None if kind is None else KINDS[kind],
        reason=reason,
        player_id=None if player is None else PlayerId(player),
        table_id=None if table is None else TableId(table),
        hand_id=None if hand is None else HandId(hand),
        since=since,
        until=until,
    )


TheWanted = Annotated[Wanted, Depends(wanted_of)]


class PostingBody(BaseModel):
    """A line of an entry; `player` is None where the account is the house's own."""

    account: str
    player: str | None
    name: str | None
    amount: AmountBody
    balance: AmountBody | None


class EntryBody(BaseModel):
    """A journal entry with its lines, which sum to 0; `moved` is what it credited."""

    entry: str
    kind: str
    hand: str | None
    table: UUID | None
    reverses: str | None
    reason: str
    actor: str
    at: datetime
    moved: AmountBody
    postings: list[PostingBody]


class EntryPage(BaseModel):
    entries: list[EntryBody]
    next: int | None


@router.get("/entries")
async def list_entries(
    operator: ViewerRole,
    parts: TheParts,
    wanted: TheWanted,
    limit: Limit = LIST_MAX,
    after: After = None,
) -> EntryPage:
    """List journal entries that fit the filters, the newest first."""
    async with parts.database.transaction() as tx:
        found = await find_entries(tx, wanted, before=after, limit=limit + 1)
        names = await names_in(tx, found)
    page = [entry_body(one, names) for one in found[:limit]]
    return EntryPage(entries=page, next=int(page[-1].entry) if len(found) > limit else None)


@router.get("/entries.csv", response_class=Response, responses=CSV_ANSWER)
async def get_entries_csv(operator: ViewerRole, parts: TheParts, wanted: TheWanted) -> Response:
    """Give all entries that fit the filters as CSV, a row for each line, the newest first.

    It is one snapshot of the ledger; what breaks on the way is a transfer that breaks, no end.
    """
    return await sheet(parts, lambda tx: entries_csv(tx, wanted), "pakka-entries.csv")


@router.get("/players/{player}/statement", openapi_extra=refuses("unknown_account"))
async def get_statement(
    operator: ViewerRole,
    parts: TheParts,
    player: Id,
    limit: Limit = LIST_MAX,
    after: After = None,
) -> StatementBody:
    """Show a player's statement, oldest first."""
    async with parts.database.transaction() as tx:
        page = await statement(tx, PlayerId(player), after=after or 0, limit=limit)
    return statement_body(page)


@router.get(
    "/players/{player}/statement.csv",
    response_class=Response,
    responses=CSV_ANSWER,
    openapi_extra=refuses("unknown_account"),
)
async def get_statement_csv(operator: ViewerRole, parts: TheParts, player: Id) -> Response:
    """Give a player's whole statement as CSV."""
    name = f"pakka-statement-{player}.csv"
    return await sheet(parts, lambda tx: statement_csv(tx, PlayerId(player)), name)


@router.get("/house")
async def get_house(
    operator: ViewerRole, parts: TheParts, limit: Limit = LIST_MAX, after: After = None
) -> StatementBody:
    """Show the house's commission account, oldest first."""
    async with parts.database.transaction() as tx:
        return statement_body(await house_statement(tx, after=after or 0, limit=limit))


async def names_in(tx: Transaction, entries: Sequence[Entry]) -> Mapping[PlayerId, str]:
    """Map the players of some entries to their names."""
    players = {line.player_id for one in entries for line in one.postings}
    return await names_of(tx, players)


async def names_of(tx: Transaction, players: Collection[PlayerId | None]) -> Mapping[PlayerId, str]:
    """Map those who are players to their names."""
    return await identity.names_of(tx, {one for one in players if one is not None})


def entry_body(one: Entry, names: Mapping[PlayerId, str]) -> EntryBody:
    """Write an entry with its lines."""
    return EntryBody(
        entry=str(one.id),
        kind=one.kind.name.lower(),
        hand=None if one.hand_id is None else str(one.hand_id),
        table=one.table_id,
        reverses=None if one.reverses is None else str(one.reverses),
        reason=one.reason,
        actor=one.actor,
        at=one.at,
        moved=amount_of(one.moved_micro),
        postings=[_posting_body(line, names) for line in one.postings],
    )


def _posting_body(line: Posting, names: Mapping[PlayerId, str]) -> PostingBody:
    player = line.player_id
    return PostingBody(
        account=line.kind.name.lower(),
        player=None if player is None else str(player),
        name=None if player is None else names.get(player),
        amount=amount_of(line.amount_micro),
        balance=None if line.balance_micro is None else amount_of(line.balance_micro),
    )
