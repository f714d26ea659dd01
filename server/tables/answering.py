"""A command carried out, written and answered: in one statement if it needs nothing else.

Most commands are moves, and most moves read nothing of the database and pay nobody. Their facts and
their reply are written by one statement, which is a transaction by itself: one way to PostgreSQL
and back where `begin`, two statements and `commit` would take four.
"""

from collections.abc import Callable

from server.cards.game import IllegalMove
from server.database import Database, Transaction
from server.errors import Refusal
from server.tables import journal, steps
from server.tables.commands import Reply, Request
from server.tables.state import TableState
from server.tables.work import NeedsTransaction, Work

Begin = Callable[[Transaction | None], Work]
"""Starts a work from the table's state, in a transaction or in none yet."""

Answer = tuple[Work, Reply]


class _Answered(Exception):
    """The command has its answer already: this transaction is dropped."""


class _Refused(Exception):
    """The command is refused: what it has written so far is dropped with its transaction."""

    def __init__(self, why: Refusal | IllegalMove) -> None:
        super().__init__(why.code)
        self.why = why


async def answer(
    database: Database, begin: Begin, request: Request, *, fence: int
) -> Answer | None:
    """Carry a command out and commit; None if it had its answer before, and nothing is done now.

    Errors: Fenced; what `steps.obey` raises but for its refusals, which are answers.
    """
    try:
        alone = await _alone(database, begin, request, fence)
        if alone is not None:
            return alone
        try:
            return await database.run(lambda tx: _within(tx, begin, request, fence))
        except _Refused as refused:
            why = refused.why  # a name of its own: Python forgets `refused` after this block
        return await database.run(lambda tx: _refused(tx, begin, request, why))
    except _Answered:
        return None


async def _alone(database: Database, begin: Begin, request: Request, fence: int) -> Answer | None:
    """Do it in one statement; None if it takes more, and nothing is done then."""
    work = begin(None)
    try:
        await steps.obey(work, request.player, request.command)
    except (NeedsTransaction, Refusal, IllegalMove):
        return None
    if not request.id or not work.entries or work.figures:
        return None
    reply = Reply(True, work.state.seq)
    written = await journal.write_answered(
        database,
        work.table,
        work.entries,
        fence=fence,
        request=request,
        reply=reply,
    )
    if not written:
        raise _Answered
    return work, reply


async def _within(tx: Transaction, begin: Begin, request: Request, fence: int) -> Answer:
    work = begin(tx)
    try:
        await steps.obey(work, request.player, request.command)
    except (Refusal, IllegalMove) as refusal:
        raise _Refused(refusal) from None
    reply = Reply(True, work.state.seq)
    await _keep(work, request, reply)
    await work.write(fence=fence)
    return work, reply


async def _refused(
    tx: Transaction, begin: Begin, request: Request, why: Refusal | IllegalMove
) -> Answer:
    work = begin(tx)
    reply = Reply(False, work.state.seq, why.code, why.text, why.field)
    await _keep(work, request, reply)
    return work, reply


async def _keep(work: Work, request: Request, reply: Reply) -> None:
    """Keep the answer of a command that has an id. Errors: _Answered if it has one already."""
    if request.id and not await journal.keep_reply(
        work.tx, work.table, request.player, request.id, request.digest, reply
    ):
        raise _Answered


async def answer_without_a_seat(database: Database, state: TableState, request: Request) -> Reply:
    """Answer who has no seat beside the inbox: strangers must not fill it up.

    The same command gets the same answer all the same: a leaver's, sent again, is its `ok`.
    """
    stored = await database.run(
        lambda tx: journal.find_reply(tx, state.table, request.player, request.id, request.digests)
    )
    text = "the player has no seat at this table"
    return stored or Reply(False, state.seq, "not_seated", text)
