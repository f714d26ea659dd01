"""Checks 2, 9, 10 and 19: what stands in the public log."""

from collections.abc import Iterator
from itertools import pairwise

from server.fairness.checkpoint import read_checkpoint, unproved_checkpoint
from server.fairness.entries import log_close, log_deal, log_open, log_void
from server.fairness.merkle import leaf_hash
from server.fairness.note import RefusedNote
from server.verify.evidence import Evidence, has_exact_path, is_included


def opening(e: Evidence) -> Iterator[str]:
    """Check 2: the OPEN with this C_S is signed, and in the log that came with it."""
    record, entry = e.record, e.opened
    if record.commits[record.attempt] != record.C_S:
        yield "C_S is not the one that was opened for this attempt"
    wanted = log_open(
        table=record.table, hand_no=record.hand_no, spec=record.spec, commits=record.commits
    )
    if entry.entry != wanted:
        yield "the log's OPEN is not of this hand and these commitments"
    if not e.is_server_signed("open", leaf_hash(entry.entry), entry.sig):
        yield "the OPEN is not signed by the server"
    if (entry.size, entry.root) != (record.log_size, record.log_root):
        yield "the OPEN is not proved in the log that the list names"
    if not is_included(entry):
        yield "the OPEN is not in the log"


def deals(e: Evidence) -> Iterator[str]:
    """Check 9: each HEAD's entry is in the log."""
    for head, entry in zip(e.record.heads, e.dealt, strict=True):
        wanted = log_deal(
            hand=e.hand,
            epoch=head.epoch,
            listing=e.record.L,
            entropy=head.R,
            size=head.n,
            root=head.root,
        )
        if entry.entry != wanted:
            yield f"the log's DEAL of epoch {head.epoch} is of another HEAD"
        if not is_included(entry):
            yield f"the DEAL of epoch {head.epoch} is not in the log"


def consistency(e: Evidence) -> Iterator[str]:
    """Check 10: VOIDs and CLOSE are this hand's, entries in order, one signed root for one size."""
    record = e.record
    for void, entry in zip(record.voids, e.voided, strict=True):
        wanted = log_void(
            hand=e.hand_of(void.attempt),
            reason=void.reason,
            seed=void.S,
            seats=[(seat.seat, seat.status, seat.x) for seat in void.seats],
        )
        if entry.entry != wanted:
            yield f"the log's VOID of attempt {void.attempt} is another"
        if not is_included(entry):
            yield f"the VOID of attempt {void.attempt} is not in the log"
    last = record.events[-1].T
    if e.closed.entry != log_close(
        hand=e.hand, seed=record.S, last=last, result=record.result_hash
    ):
        yield "the log's CLOSE is of another seed, transcript or result"
    if not e.is_server_signed("close", leaf_hash(e.closed.entry), e.closed.sig):
        yield "the CLOSE is not signed by the server"
    if not is_included(e.closed):
        yield "the CLOSE is not in the log"
    places = [entry.index for entry in record.log]
    if any(one >= other for one, other in pairwise(places)):
        yield "the entries are not in the order of what happened"
    if len({(entry.size, entry.root) for entry in record.log}) != len(
        {entry.size for entry in record.log}
    ):
        yield "the log had two roots at one size"
    yield from _checkpoint(e)


def _checkpoint(e: Evidence) -> Iterator[str]:
    """The checkpoint is of the log that the CLOSE is proved in, and its key's if that is known."""
    note = e.record.checkpoint
    if note is None:
        if e.log_key is not None:
            yield "there is no checkpoint that the log's key could have signed"
        return
    try:
        signed = unproved_checkpoint(note)
        if (signed.size, signed.root) != (e.closed.size, e.closed.root):
            yield "the checkpoint is not of the log that the CLOSE is proved in"
        if e.log_key is not None:
            read_checkpoint(note, e.log_key)
    except RefusedNote as refused:
        yield f"the checkpoint is refused: {refused.text}"


def notes(e: Evidence) -> Iterator[str]:
    """Say what of the log could not be checked."""
    if e.record.checkpoint is None and e.log_key is None:
        yield "the record has no checkpoint: nobody has signed what the log was"
    elif e.log_key is None:
        yield "the checkpoint's signature was not checked: no pinned key of the log was given"


def lengths(e: Evidence) -> Iterator[str]:
    """Check 19: proofs have their exact lengths; that hashes have, the reading has seen to."""
    if e.record.log_size == 0:
        yield "log_size is 0"
    for at, entry in enumerate(e.record.log):
        if not has_exact_path(entry):
            yield f"log[{at}] has a proof that does not fit leaf {entry.index} of {entry.size}"
