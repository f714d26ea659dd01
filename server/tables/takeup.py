"""Taking a table up: its lease is claimed, it is rebuilt, and lost time is given back.

The hand of a table that is marked for renewal is given up instead, in the same transaction.
"""

from dataclasses import dataclass

from server.database import Transaction
from server.tables import journal, lease, recovery, renewal
from server.tables.facts import TimeGivenBack
from server.tables.opening import open_hand
from server.tables.service import OpenTable
from server.tables.state import Committing, Playing, Reshuffling, Revealing, TableState
from server.tables.told import Numbered
from server.tables.work import Parts, Work


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenUp:
    """A table that is ours by a lease, as its journal tells it, with its open hand's events.

    Shape: `written` is what taking it up has added to the journal.
    """

    won: lease.Claim
    state: TableState
    events: tuple[Numbered, ...]
    written: tuple[journal.Entry, ...]


async def take_up(
    tx: Transaction, found: OpenTable, *, owner: str, lease_ms: int, now_ms: int, parts: Parts
) -> TakenUp | None:
    """Claim a table and rebuild it; None if somebody holds it.

    Errors: as `recovery.rebuild`; the claim is then given up with the transaction.
    """
    won = await lease.claim(tx, found.table_id, owner=owner, lease_ms=lease_ms)
    if won is None:
        return None
    is_marked = await renewal.take_mark(tx, found.table_id)
    entries = await journal.read_since_opening(tx, found.table_id)
    rebuilt = await recovery.rebuild(tx, recovery.blank_of(found), entries, parts)
    work = Work(within=tx, state=rebuilt.state, now_ms=now_ms, parts=parts)
    if not entries:
        await open_hand(work)
    elif is_marked:
        await renewal.give_up_hand(work)
    elif won.idle_ms > 0:
        _give_time_back(work, won.idle_ms)
    await work.write(fence=won.fence)
    first = rebuilt.state.seq + 1
    fresh = tuple(
        Numbered(seq=first + i, stream=found.stream, now_ms=now_ms, told=told)
        for i, told in enumerate(work.told)
    )
    return TakenUp(
        won=won,
        state=work.state,
        events=rebuilt.events + fresh,
        written=tuple(work.entries),
    )


def _give_time_back(work: Work, idle_ms: int) -> None:
    """Move the deadline; the deal's phases begin anew, as clients take a while to come back."""
    clocks = work.parts.clocks
    match work.state.phase:
        case Committing(deadline_ms=deadline_ms):
            least_ms = clocks.come_back_ms + clocks.commit_ms
        case Revealing(deadline_ms=deadline_ms):
            least_ms = clocks.come_back_ms + clocks.reveal_ms
        case Reshuffling(deadline_ms=deadline_ms):
            least_ms = clocks.come_back_ms + clocks.reshuffle_ms
        case Playing(deadline_ms=deadline_ms):
            least_ms = 0
        case _:
            return
    again_ms = max(deadline_ms + idle_ms, work.now_ms + least_ms)
    work.add(TimeGivenBack(ms=again_ms - deadline_ms, deadline_ms=again_ms, why="house_restarted"))
