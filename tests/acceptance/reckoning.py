"""What must be true of a house after any number of deaths, read from its tables alone."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text

from server.cards.pack import Pack
from server.database import Database, HandId, Transaction
from server.fairness.commitment import ATTEMPTS, deck_spec, hand_hash
from server.fairness.encoding import PREFIX, u8
from server.games import GAMES
from server.ledger import service as ledger
from server.sealing.check import check_all
from server.tables import hands
from server.tables.record import record_of
from server.tables.service import read_options
from server.tables.work import Parts
from server.verify import verify_record
from tests.acceptance.survivors import Recorder

ENDED = (hands.CLOSED, hands.CANCELLED)


async def rows(database: Database, query: str) -> Sequence[Row[Any]]:
    """Read rows in a transaction of their own."""

    async def work(tx: Transaction) -> Sequence[Row[Any]]:
        return (await tx.execute(text(query))).all()

    return await database.run(work)


def entry_of(raw: bytes) -> tuple[str, list[bytes]]:
    """Split an entry of the public log into its label and its fields (fairdeal/1 section 2)."""
    size = int.from_bytes(raw[:2], "big")
    label, at = raw[2 : 2 + size].decode("ascii").removeprefix(PREFIX), 2 + size
    fields, at = int.from_bytes(raw[at : at + 2], "big"), at + 2
    found = []
    for _ in range(fields):
        length, at = int.from_bytes(raw[at : at + 4], "big"), at + 4
        found.append(raw[at : at + length])
        at += length
    assert at == len(raw), "an entry with something behind it"
    return label, found


async def assert_every_promise_was_kept(database: Database, recorder: Recorder) -> None:
    """Each acknowledged command is stored once, with its number, and what it did is written."""
    stored = await rows(database, "select table_id, request_id, ok, seq from tables.reply")
    replies = {(str(row.table_id), row.request_id): row for row in stored}
    assert len(replies) == len(stored), "two players with one id"
    journal = await rows(database, "select table_id, last_seq from tables.journal")
    ends = {(str(row.table_id), row.last_seq) for row in journal}
    for acked in recorder.acked.values():
        row = replies.get((acked.table, acked.id))
        assert row is not None, f"{acked} is forgotten"
        assert row.ok, f"{acked} was done and is refused"
        assert row.seq == acked.seq, f"{acked} is now at {row.seq}"
        assert (acked.table, acked.seq) in ends, f"what {acked} did is not in the journal"


async def assert_each_move_was_made_once(
    database: Database, recorder: Recorder, table: str
) -> None:
    """As many own moves in the journal of a table as its players' moves were answered with ok."""
    stored = await rows(database, "select table_id, request_id, ok from tables.reply")
    own = [row for row in stored if str(row.table_id) == table and row.ok]
    played = {row.request_id for row in own} & recorder.plays
    facts = await rows(
        database, "select table_id, fact->>'line' as line from tables.journal where fact ? 'line'"
    )
    lines = [row.line for row in facts if str(row.table_id) == table]
    moves = [line for line in lines if not line.startswith("auto") and "leave" not in line]
    assert len(moves) == len(played) > 0


async def assert_journals_are_dense(database: Database) -> None:
    """Each row of a table goes on where the one before it ended."""
    found = await rows(
        database, "select table_id, seq, last_seq, fence from tables.journal order by table_id, seq"
    )
    after: dict[UUID, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for row in found:
        last, fence = after[row.table_id]
        assert row.seq == last + 1, f"table {row.table_id} has a gap after {last}"
        assert row.last_seq >= row.seq - 1
        assert row.fence >= fence, f"table {row.table_id} was written to by an owner of the past"
        after[row.table_id] = (row.last_seq, row.fence)


async def assert_each_hand_ended_once(database: Database) -> None:
    """Every hand but a table's newest has its one end, its holds are gone, its tokens balance."""
    found = await rows(
        database,
        """select h.table_id, h.hand_id, h.hand_no, h.state,
                  h.hand_no = max(h.hand_no) over (partition by h.table_id) as is_newest,
                  (select count(*) from ledger.hand_hold x where x.hand_id = h.hand_id) as holds,
                  (select count(*) from ledger.hold_resolution x
                    where x.hand_id = h.hand_id) as ends,
                  (select count(*) from ledger.journal x where x.hand_id = h.hand_id) as entries
             from tables.hand h order by h.table_id, h.hand_no""",
    )
    numbers: dict[UUID, int] = defaultdict(int)
    for row in found:
        assert row.hand_no == numbers[row.table_id] + 1, "a hand's number was left out"
        numbers[row.table_id] = row.hand_no
        assert row.is_newest or row.state in ENDED, f"hand {row.hand_id} has no end"
        if row.state in ENDED:
            assert row.ends == row.holds, f"hand {row.hand_id}: {row.holds} holds, {row.ends} ends"
            is_paid = row.state == hands.CLOSED and row.holds > 0  # free tables move no tokens
            assert row.entries == is_paid, f"hand {row.hand_id} is paid wrongly"
    still = await database.run(lambda tx: ledger.open_holds(tx, since_ever=True))
    running = {row.hand_id for row in found if row.state not in ENDED}
    assert {one.hand_id for one in still} <= running


async def assert_tokens_only_moved(database: Database, keys: Collection[bytes]) -> None:
    """No token was made or lost, and every invariant of the ledger holds, its seals by our keys."""
    sums = await rows(
        database,
        """select journal_id, sum(amount) as total from ledger.posting
            group by journal_id having sum(amount) <> 0""",
    )
    assert sums == []
    found = await database.run(lambda tx: check_all(tx, keys))
    wrong = [one for one in found if not one.holds]
    assert wrong == [], f"{wrong}"


async def assert_every_record_verifies(database: Database, parts: Parts) -> int:
    """Make each closed hand's record and check it as anybody could; how many there are."""
    found = await rows(
        database, f"select hand_id from tables.hand where state = {hands.CLOSED} order by hand_id"
    )
    for row in found:
        body = await _record(database, HandId(row.hand_id), parts)
        report = verify_record(body, parts.signer.public)
        assert report.failed == (), report.text()
        assert report.refused is None, report.text()
    return len(found)


async def _record(database: Database, hand: HandId, parts: Parts) -> bytes:
    return await database.run(lambda tx: record_of(tx, hand, parts))


class PublicLog:
    """The public log, read entry by entry: what was opened, dealt and ended."""

    def __init__(self, entries: Sequence[bytes]) -> None:
        self.opens: Counter[tuple[bytes, int]] = Counter()
        self.newest: Counter[bytes] = Counter()
        self.cancels: Counter[tuple[bytes, int]] = Counter()
        self.closes: Counter[bytes] = Counter()
        self.deals: dict[tuple[bytes, bytes], bytes] = {}
        for raw in entries:
            label, fields = entry_of(raw)
            if label == "log-open":
                table, hand_no = fields[0], int.from_bytes(fields[1], "big")
                self.opens[table, hand_no] += 1
                self.newest[table] = max(self.newest[table], hand_no)
            elif label == "log-deal":
                assert (fields[0], fields[1]) not in self.deals, "an epoch was dealt twice"
                self.deals[fields[0], fields[1]] = fields[5]
            elif label == "log-close":
                self.closes[fields[0]] += 1
            elif label == "log-cancel":
                self.cancels[fields[0], int.from_bytes(fields[1], "big")] += 1


def _pack_of(game: str, options: Mapping[str, Any]) -> Pack:
    return GAMES[game].pack(read_options(game, options))


async def assert_the_log_tells_the_same(
    database: Database, recorder: Recorder, server_pub: bytes
) -> None:
    """One end for each OPEN, and the roots that the clients saw, whatever died in between."""
    found = await rows(
        database, "select index as place, entry from fairness.log_entry order by index"
    )
    assert [row.place for row in found] == list(range(len(found)))
    log = PublicLog([bytes(row.entry) for row in found])
    packs = {
        row.table_id.bytes: _pack_of(row.game, row.options)
        for row in await rows(database, "select table_id, game, options from tables.game_table")
    }

    def hand_of(table: bytes, hand_no: int, attempt: int) -> bytes:
        pack = packs[table]
        return hand_hash(
            server_pub=server_pub,
            table=table,
            hand_no=hand_no,
            attempt=attempt,
            spec=deck_spec(pack.packs, pack.printed_jokers),
        )

    for (table, hand_no), count in log.opens.items():
        assert count == 1, f"hand {hand_no} was opened {count} times"
        closes = sum(log.closes[hand_of(table, hand_no, attempt)] for attempt in range(ATTEMPTS))
        ends = closes + log.cancels[table, hand_no]
        assert ends == 1 or (ends == 0 and hand_no == log.newest[table])
    assert recorder.roots, "nobody saw a deal"
    for place, roots in recorder.roots.items():
        hand = hand_of(UUID(place.table).bytes, place.hand_no, place.attempt)
        assert roots == {log.deals[hand, u8(place.epoch)].hex()}, f"{place}: another pack"
