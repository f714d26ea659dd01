"""A whole database as text in mid-hand, and the rule that no row of it knows a hidden card."""

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg

from tests.acceptance.needles import SQL_AS, Leak, Needles, faces_in

ENDED = 4
"""`tables.hand.state` of a hand that closed; a cancelled one is 5."""

OF_A_HAND = frozenset({"tables.journal", "tables.record", "tables.hand_seat"})

PublicAt = Callable[[str, int, int], frozenset[str]]
"""The cards that are public at a table, in a hand, up to an event's number."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Dump:
    """Every row of every table in one snapshot, each as JSON; what the server's backends run."""

    at_s: float
    rows: tuple[tuple[str, Row], ...]
    activity: tuple[str, ...]

    def of(self, table: str) -> list[Row]:
        """List the rows of one table."""
        return [row for name, row in self.rows if name == table]


async def take_dump(url: str) -> Dump:
    """Read everything as the owner of the database; byte strings come as hex."""
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            names = await connection.fetch(
                """select schemaname || '.' || quote_ident(tablename) as name from pg_tables
                    where schemaname not in ('pg_catalog', 'information_schema') order by 1"""
            )
            rows = []
            for name in names:
                found = await connection.fetch(
                    f"select row_to_json(t)::text as row from {name[0]} t"
                )
                rows += [(name[0], json.loads(one["row"])) for one in found]
            activity = await connection.fetch(
                "select query from pg_stat_activity where pid <> pg_backend_pid()"
            )
        return Dump(time.time(), tuple(rows), tuple(one["query"] or "" for one in activity))
    finally:
        await connection.close()


def check_dump(dump: Dump, needles: Needles, public_at: PublicAt) -> int:
    """Judge every row; how many stood in a hand that was in play. Raises Leak."""
    hands = {row["hand_id"]: row for row in dump.of("tables.hand")}
    released = _released(dump, hands)
    judged = 0
    for name, row in dump.rows:
        text = json.dumps(row)
        for secret in needles.find(_without_escapes(text)):
            if secret.kind != "S" or (secret.table, secret.hand_no, secret.attempt) not in released:
                raise Leak(f"a row of {name} holds {secret}")
        hand = hands.get(row.get("hand_id")) if name in OF_A_HAND else None
        if hand is not None and hand["state"] >= ENDED:
            continue
        faces = faces_in(text)
        allowed: frozenset[str] = frozenset()
        if name == "tables.journal" and hand is not None:
            judged += 1
            allowed = public_at(row["table_id"], hand["hand_no"], row["last_seq"])
        if faces - allowed:
            raise Leak(f"a row of {name} names {sorted(faces - allowed)}: {text[:200]}")
    for query in dump.activity:
        if faces_in(SQL_AS.sub("", query)) or any(needles.find(query)):
            raise Leak(f"a statement holds a secret: {query[:80]}")
    return judged


def _released(dump: Dump, hands: Mapping[int, Row]) -> set[tuple[str, int, int]]:
    """Find whose seeds the dump's own facts have made public: only a final fact does."""
    found = set()
    attempt: dict[int, int] = {}
    for row in sorted(dump.of("tables.journal"), key=lambda row: (row["table_id"], row["seq"])):
        fact, hand = row["fact"], hands.get(row["hand_id"])
        if hand is None:
            continue
        place = (row["table_id"], hand["hand_no"])
        if fact["fact"] == "commits_called":
            attempt[row["hand_id"]] = fact["attempt"]
        elif fact["fact"] == "attempt_voided":
            found.add((*place, attempt[row["hand_id"]]))
            attempt[row["hand_id"]] += 1
        elif fact["fact"] == "hand_closed":
            found |= {(*place, number) for number in range(ENDED)}
    return found


def _without_escapes(text: str) -> str:
    """Write `\\x` of a byte string away, or its first digits would hide behind it."""
    return re.sub(r"\\+x", " ", text)


def guessed(
    reply: Row, *, player_turns: Iterable[int], hands: Iterable[int], cards: Iterable[str]
) -> str | None:
    """Guess which card a stored command named, as a thief of the dump would; None if he can't.

    All but the card is in the dump, so a plain hash of the command is as good as the card.
    """
    digest = reply["digest"].removeprefix("\\x")
    for card in cards:
        for turn in player_turns:
            for hand in hands:
                for d in ({"move": "discard", "card": card}, {"move": "declare", "finish": card}):
                    frame = {
                        "t": "play",
                        "id": reply["request_id"],
                        "table": reply["table_id"],
                        "hand": hand,
                        "turn": turn,
                        "d": d,
                    }
                    text = json.dumps(frame, sort_keys=True, separators=(",", ":"))
                    if hashlib.sha256(text.encode()).hexdigest() == digest:
                        return card
    return None
