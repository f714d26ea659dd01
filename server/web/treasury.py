"""The operator's door to the ledger: the journal, the house's account, tokens in and out.

Tokens are issued and withdrawn by a treasurer with a reason; they can be neither bought nor cashed
in, so there is no third way.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from server.database import PlayerId, Transaction
from server.identity.operators import REASON_MAX, Operator
from server.ledger import service as ledger
from server.ledger.statements import entries, house_statement
from server.ledger.transfers import EntryKind
from server.web.amounts import AmountBody, PositiveMicro, amount_of
from server.web.auth import TheParts, TreasurerRole, ViewerRole
from server.web.errors import refuses
from server.web.me import StatementBody, statement_body
from server.web.operator import Reason, actor_of, record
from server.web.pages import LIST_MAX, After, Id, Limit
from server.web.player import CREATED
from server.web.writing import TheWriting, Writing

router = APIRouter(prefix="/operator", tags=["treasury"])

KINDS = {kind.name.lower(): kind for kind in EntryKind}
KindText = Annotated[
    Literal["settle", "issue", "withdraw", "adjust", "reversal", "grant"] | None, Query()
]


OF_A_TRANSFER: Final = (
    "unknown_account", "bad_amount", "account_frozen", "not_covered", "key_reused", "bad_key",
    "bad_reason",
)  # fmt: skip
"""What the ledger may say to a movement of tokens."""


class Transfer(Reason):
    """Units: micro-HT, as a decimal string."""

    player: Annotated[str, Query(pattern=r"^[1-9][0-9]{0,17}$")]
    amount: PositiveMicro


class EntryMade(BaseModel):
    """The journal entry that was written."""

    entry: str


class EntryBody(BaseModel):
    """A journal entry; `moved` is what it credited."""

    entry: str
    kind: str
    hand: str | None
    reverses: str | None
    reason: str
    actor: str
    at: datetime
    moved: AmountBody


class EntryPage(BaseModel):
    entries: list[EntryBody]
    next: int | None


@router.post(
    "/tokens/issue",
    status_code=CREATED,
    response_model=EntryMade,
    openapi_extra=refuses(*OF_A_TRANSFER),
)
async def issue(operator: TreasurerRole, writing: TheWriting, body: Transfer) -> Response:
    """Give new tokens to a player."""
    return await _transferred(operator, writing, body, ledger.issue, "tokens.issue")


@router.post(
    "/tokens/withdraw",
    status_code=CREATED,
    response_model=EntryMade,
    openapi_extra=refuses(*OF_A_TRANSFER),
)
async def withdraw(operator: TreasurerRole, writing: TheWriting, body: Transfer) -> Response:
    """Take tokens of a player out of circulation."""
    return await _transferred(operator, writing, body, ledger.withdraw, "tokens.withdraw")


@router.post(
    "/entries/{entry}/reversal",
    status_code=CREATED,
    response_model=EntryMade,
    openapi_extra=refuses("unknown_entry", "not_reversible", *OF_A_TRANSFER),
)
async def reverse(
    operator: TreasurerRole, writing: TheWriting, entry: Id, body: Reason
) -> Response:
    """Undo an entry by its opposite, once."""

    async def work(tx: Transaction) -> int:
        return await ledger.reverse(tx, entry, reason=body.reason, actor=operator.name)

    return await _booked(operator, writing, work, "entry.reverse", f"entry:{entry}", body.reason)


@router.get("/entries")
async def list_entries(
    operator: ViewerRole,
    parts: TheParts,
    kind: KindText = None,
    reason: Annotated[str | None, Query(max_length=REASON_MAX, pattern=r"^[^\x00]*$")] = None,
    limit: Limit = LIST_MAX,
    after: After = None,
) -> EntryPage:
    """List journal entries, the newest first."""
    wanted = None if kind is None else KINDS[kind]
    async with parts.database.transaction() as tx:
        found = await entries(tx, kind=wanted, reason=reason, before=after, limit=limit)
    rows = [
        EntryBody(
            entry=str(one.id),
            kind=one.kind.name.lower(),
            hand=None if one.hand_id is None else str(one.hand_id),
            reverses=None if one.reverses is None else str(one.reverses),
            reason=one.reason,
            actor=one.actor,
            at=one.at,
            moved=amount_of(one.moved_micro),
        )
        for one in found
    ]
    return EntryPage(entries=rows, next=int(rows[-1].entry) if len(rows) == limit else None)


@router.get("/house")
async def get_house(
    operator: ViewerRole, parts: TheParts, limit: Limit = LIST_MAX, after: After = None
) -> StatementBody:
    """Show the house's commission account, oldest first."""
    async with parts.database.transaction() as tx:
        return statement_body(await house_statement(tx, after=after or 0, limit=limit))


async def _transferred(
    operator: Operator,
    writing: Writing,
    body: Transfer,
    move: Callable[..., Awaitable[int]],
    act: str,
) -> Response:
    """Move tokens of a player by `ledger.issue` or `ledger.withdraw`, once for each key."""

    async def work(tx: Transaction) -> int:
        return await move(
            tx,
            PlayerId(int(body.player)),
            amount_micro=int(body.amount),
            key=writing.once(actor_of(operator)),
            reason=body.reason,
            actor=operator.name,
        )

    return await _booked(operator, writing, work, act, f"player:{body.player}", body.reason)


async def _booked(
    operator: Operator,
    writing: Writing,
    move: Callable[[Transaction], Awaitable[int]],
    act: str,
    subject: str,
    reason: str,
) -> Response:
    """Move tokens and record who did it, in one transaction."""

    async def work(tx: Transaction) -> EntryMade:
        entry = await move(tx)
        await record(tx, operator, act, subject, reason)
        return EntryMade(entry=str(entry))

    return (await writing.do(actor_of(operator), work, status=CREATED)).response()
