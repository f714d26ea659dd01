"""Tables whose hand may not go on: it is given up when they are next taken up.

After a restore the seeds of an open hand may have been published by the house that was lost, so
nobody may be dealt from them. The numbering goes on in another stream: clients that resume with a
place in the old one have been told otherwise there, and get a snapshot.
"""

from sqlalchemy import text

from server.database import TableId, Transaction
from server.fairness.entries import CancelReason, VoidReason
from server.tables import play
from server.tables.opening import cancel
from server.tables.state import Playing, Reshuffling, Revealing
from server.tables.work import Work


async def mark_all(tx: Transaction) -> int:
    """Mark every table that is not closed, and tell how many; none may be in a process's hands.

    The streams go by the time, so that a backup that is restored twice has two.
    """
    await tx.execute(_END_LEASES)
    return (await tx.execute(_MARK_ALL)).rowcount


async def take_mark(tx: Transaction, table: TableId) -> bool:
    """Take a table's mark away, as its hand is being given up; tell whether it had one."""
    return (await tx.execute(_TAKE_MARK, {"table": table})).rowcount > 0


async def give_up_hand(work: Work) -> None:
    """Give the open hand up, whatever it has come to; what follows it has fresh seeds."""
    if isinstance(work.state.phase, Playing | Reshuffling | Revealing):
        await play.give_up(work, VoidReason.SERVER)
    else:
        await cancel(work, CancelReason.TOO_FEW_SEATS)  # nobody was listed for it


_MARK_ALL = text("""
    update tables.game_table
       set renew = true,
           stream = greatest(stream + 1, extract(epoch from clock_timestamp())::bigint)
     where state < 3
""")
_END_LEASES = text("""
    update tables.lease set expires_at = clock_timestamp() where expires_at > clock_timestamp()
""")
_TAKE_MARK = text("""
    update tables.game_table set renew = false where table_id = :table and renew
""")
