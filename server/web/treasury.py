"""The treasurer's door to the ledger: tokens in and out, and what is put right.

Tokens are issued and withdrawn by a treasurer with a reason; they can be neither bought nor cashed
in, so there is no third way.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from server.database import PlayerId, Transaction
from server.identity.operators import Operator
from server.ledger import service as ledger
from server.web.amounts import PositiveMicro
from server.web.auth import TreasurerRole
from server.web.errors import refuses
from server.web.operator import Reason, actor_of, record
from server.web.pages import Id
from server.web.player import CREATED
from server.web.writing import TheWriting, Writing

router = APIRouter(prefix="/operator", tags=["treasury"])

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
