"""The journal: facts in, facts out; and the replies that are kept with them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Row, text

from server.database import Database, HandId, PlayerId, TableId, Transaction
from server.tables.commands import Reply, Request
from server.tables.facts import Fact, from_json, to_json


class Fenced(Exception):
    """Another process owns the table now: nothing was written, and nothing may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A fact with its place in the table's numbering."""

    seq: int
    last_seq: int
    fact: Fact
    hand: HandId | None
    opens_hand: bool
    at_ms: int = 0


class Reached(NamedTuple):
    """How far a table's journal has come: the last number of its stream."""

    stream: int
    seq: int


async def write(tx: Transaction, table: TableId, entries: Sequence[Entry], *, fence: int) -> None:
    """Write facts, if the lease with that fence still holds by the database's clock.

    Errors: Fenced if it doesn't; IntegrityError if the numbers were used already.
    """
    result = await tx.execute(_WRITE, _values_of(table, entries, fence))
    if result.rowcount != len(entries):
        raise Fenced(f"table {table} is not ours by fence {fence}")


async def write_answered(
    database: Database,
    table: TableId,
    entries: Sequence[Entry],
    *,
    fence: int,
    request: Request,
    reply: Reply,
) -> bool:
    """Write facts and the reply to the command that made them, all or nothing, in one statement.

    False if the command has a reply already: nothing is written then.

    Errors: as `write`.
    """
    answer = {
        "player": request.player,
        "request": request.id,
        "digest": request.digest,
        "ok": reply.ok,
        "reply_seq": reply.seq,
    }
    row = await database.run_alone(_WRITE_ANSWERED, _values_of(table, entries, fence) | answer)
    if not row.held:
        raise Fenced(f"table {table} is not ours by fence {fence}")
    assert row.written == (len(entries) if row.kept else 0), "facts and reply go together"
    return bool(row.kept)


def _values_of(table: TableId, entries: Sequence[Entry], fence: int) -> dict[str, object]:
    return {
        "table": table,
        "fence": fence,
        "hands": [entry.hand for entry in entries],
        "seqs": [entry.seq for entry in entries],
        "lasts": [entry.last_seq for entry in entries],
        "opens": [entry.opens_hand for entry in entries],
        "facts": [to_json(entry.fact) for entry in entries],
    }


async def read_since_opening(tx: Transaction, table: TableId) -> tuple[Entry, ...]:
    """Read the facts of the last two hands that were opened: what a table is rebuilt from.

    The newest opening would do for the state; the hand before it is read so that its end, which
    was committed with that opening, reaches those who were cut off at that moment.
    """
    found = await tx.execute(_SINCE_OPENING, {"table": table})
    return tuple(_row_of(row) for row in found)


async def read_from(tx: Transaction, table: TableId, seq: int, *, limit: int) -> tuple[Entry, ...]:
    """Read the facts from the one that begins at `seq` on, at most so many."""
    found = await tx.execute(_FROM, {"table": table, "seq": seq, "limit": limit})
    return tuple(_row_of(row) for row in found)


async def reached(tx: Transaction, tables: Collection[TableId]) -> dict[TableId, Reached]:
    """Tell how far the journals of tables have come, by one query; none for an unknown table."""
    found = await tx.execute(_REACHED, {"tables": list(tables)})
    return {TableId(row.table_id): Reached(row.stream, row.seq) for row in found}


async def read_hand(tx: Transaction, table: TableId, hand: HandId) -> tuple[Entry, ...]:
    """Read the facts of one hand, from its opening to its end."""
    found = await tx.execute(_OF_HAND, {"table": table, "hand": hand})
    return tuple(_row_of(row) for row in found)


async def keep_reply(
    tx: Transaction, table: TableId, player: PlayerId, request_id: str, digest: bytes, reply: Reply
) -> bool:
    """Keep the answer to a command; False if the command has one already."""
    result = await tx.execute(
        _KEEP,
        {
            "table": table,
            "player": player,
            "request": request_id,
            "digest": digest,
            "ok": reply.ok,
            "seq": reply.seq,
            "code": reply.code,
            "text": reply.text,
            "field": reply.field,
        },
    )
    return result.rowcount == 1


async def find_reply(
    tx: Transaction, table: TableId, player: PlayerId, request_id: str, digests: Sequence[bytes]
) -> Reply | None:
    """Find the answer that a command got; the same id with another content is refused.

    Shape: `digests` are what may have been stored of the command, under old keys too.
    """
    found = await tx.execute(_FIND, {"table": table, "player": player, "request": request_id})
    row = found.one_or_none()
    if row is None:
        return None
    if bytes(row.digest) not in digests:
        return Reply(False, row.seq, "id_reused", "this id was used for another command", "id")
    return Reply(row.ok, row.seq, row.code, row.text, row.field)


async def forget_replies(tx: Transaction, *, days: int) -> int:
    """Forget replies older than that many days; gives their number."""
    result = await tx.execute(_FORGET, {"days": days})
    return result.rowcount


def _row_of(found: Row[Any]) -> Entry:
    return Entry(
        seq=found.seq,
        last_seq=found.last_seq,
        hand=found.hand_id,
        opens_hand=found.opens_hand,
        at_ms=found.at_ms,
        fact=from_json(found.fact),
    )


# The lease's row is locked against a takeover until the commit: either these facts are in before
# the next owner reads the journal, or they are refused.
_WRITE = text("""
    insert into tables.journal (table_id, seq, last_seq, hand_id, opens_hand, fence, fact)
    select l.table_id, r.seq, r.last_seq, r.hand_id, r.opens_hand, l.fence, r.fact::jsonb
      from (select table_id, fence from tables.lease
             where table_id = :table and fence = :fence and expires_at > clock_timestamp()
               for share) l,
           unnest(cast(:seqs as bigint[]), cast(:lasts as bigint[]), cast(:opens as boolean[]),
                  cast(:hands as bigint[]), cast(:facts as text[]))
           r (seq, last_seq, opens_hand, hand_id, fact)
""")

# The same in one statement with the reply. Every part depends on the one before it: without the
# lease no reply is kept, and without a new reply no fact is written.
_WRITE_ANSWERED = text("""
    with held as (
        select table_id, fence from tables.lease
         where table_id = :table and fence = :fence and expires_at > clock_timestamp()
           for share),
    kept as (
        insert into tables.reply (table_id, player_id, request_id, digest, ok, seq)
        select table_id, :player, :request, :digest, :ok, :reply_seq from held
        on conflict do nothing returning table_id),
    written as (
        insert into tables.journal (table_id, seq, last_seq, hand_id, opens_hand, fence, fact)
        select h.table_id, r.seq, r.last_seq, r.hand_id, r.opens_hand, h.fence, r.fact::jsonb
          from held h join kept using (table_id),
               unnest(cast(:seqs as bigint[]), cast(:lasts as bigint[]), cast(:opens as boolean[]),
                      cast(:hands as bigint[]), cast(:facts as text[]))
               r (seq, last_seq, opens_hand, hand_id, fact)
        returning seq)
    select (select count(*) from held) as held, (select count(*) from kept) as kept,
           (select count(*) from written) as written
""")

_COLUMNS = """seq, last_seq, hand_id, opens_hand,
    (extract(epoch from at) * 1000)::bigint as at_ms, fact::text as fact"""

_SINCE_OPENING = text(f"""
    select {_COLUMNS} from tables.journal
     where table_id = :table and seq >=
           (select min(seq) from (select seq from tables.journal
                                   where table_id = :table and opens_hand
                                   order by seq desc limit 2) o)
     order by seq
""")  # noqa: S608 - the columns are our own constant

_FROM = text(f"""
    select {_COLUMNS} from tables.journal
     where table_id = :table and seq >= :seq order by seq limit :limit
""")  # noqa: S608 - the columns are our own constant

_REACHED = text("""
    select t.table_id, t.stream,
           coalesce((select j.last_seq from tables.journal j where j.table_id = t.table_id
                      order by j.seq desc limit 1), 0) as seq
      from tables.game_table t where t.table_id = any(cast(:tables as uuid[]))
""")

_OF_HAND = text(f"""
    select {_COLUMNS} from tables.journal
     where table_id = :table and hand_id = :hand order by seq
""")  # noqa: S608 - the columns are our own constant

_KEEP = text("""
    insert into tables.reply (table_id, player_id, request_id, digest, ok, seq, code, text, field)
    values (:table, :player, :request, :digest, :ok, :seq, :code, :text, :field)
    on conflict do nothing
""")

_FIND = text("""
    select digest, ok, seq, code, text, field from tables.reply
     where table_id = :table and player_id = :player and request_id = :request
""")

_FORGET = text("delete from tables.reply where at < now() - make_interval(days => :days)")
