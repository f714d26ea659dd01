"""The answers to HTTP requests that carry an `Idempotency-Key`.

The place of an answer is made first, in the transaction that does the work: a second request with
the same key waits for it, finds the answer and moves nothing. A failure rolls the place back too,
so nothing but a final answer is ever stored.
"""

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from server.database import Transaction
from server.errors import Refusal
from server.identity import repository

KEY_MAX: Final = 200


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """What was answered the first time."""

    status: int
    body: str


async def stored_answer(
    tx: Transaction, *, actor: str, key: str, request: bytes
) -> StoredAnswer | None:
    """Find the answer of an earlier request, or make its place and return None.

    Shape:  `request` is method, path and body: the same key must mean the same request.
    Errors: Refusal `bad_key`, `key_reused`.
    """
    if not 1 <= len(key) <= KEY_MAX or not key.isascii() or not key.isprintable():
        raise Refusal("bad_key", f"a key is 1 to {KEY_MAX} ASCII characters", "Idempotency-Key")
    wanted = hashlib.sha256(request).digest()
    if await repository.claim_answer(tx, actor=actor, key=key, request_hash=wanted):
        return None
    row = await repository.find_answer(tx, actor=actor, key=key)
    assert row is not None
    if bytes(row.request_hash) != wanted:
        raise Refusal("key_reused", "that key was used for another request", "Idempotency-Key")
    assert row.status is not None, "a place is committed only with its answer"
    return StoredAnswer(row.status, row.body)


async def store_answer(tx: Transaction, *, actor: str, key: str, status: int, body: str) -> None:
    """Fill the place that `stored_answer` made in this transaction."""
    filled = await repository.put_answer(tx, actor=actor, key=key, status=status, body=body)
    assert filled == 1, "an answer is stored once, after its place was made"


async def forget_old_answers(tx: Transaction, *, days: int) -> int:
    """Drop answers older than `days`; returns how many."""
    return await repository.drop_answers(tx, older_than=timedelta(days=days))
