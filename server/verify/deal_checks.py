"""Checks 7, 8, 11, 13, 14 and 16: from the reveals to the order of the cards."""

from collections.abc import Iterator

from server.cards.pack import Pack
from server.fairness.commitment import (
    again,
    again_call,
    deck_spec,
    entropy,
    entropy_again,
    link,
    server_commit,
)
from server.fairness.merkle import card_leaf, root_from_path
from server.fairness.record import RecordHead, RecordSeat
from server.verify.evidence import Evidence


def entropy_recomputes(e: Evidence) -> Iterator[str]:
    """Check 7: R of every epoch follows from the reveals, and nobody's was left out."""
    for head in e.record.heads:
        reveals = e.reveals(head.epoch)
        if [int(value is not None) for _, value in reveals] != list(head.present):
            yield f"epoch {head.epoch} marks other seats as present than revealed"
        if head.epoch == 0:
            wanted = entropy(e.record.L, reveals)
        else:
            wanted = entropy_again(e.before(head.epoch), e.discards_hash(head), reveals)
        if wanted != head.R:
            yield f"R of epoch {head.epoch} does not follow from the reveals"


def deck(e: Evidence) -> Iterator[str]:
    """Check 8: the cards are those of the game at this table, and all of them."""
    record = e.record
    if record.spec != deck_spec(record.packs, record.printed_jokers):
        yield "spec is not the hash of packs and printed jokers"
    if e.game is not None:
        try:
            wanted: Pack | None = e.game.pack(e.game.options_type(**record.options))
        except Exception:  # options that the game refuses are check 17's to name
            wanted = None
        if wanted is not None and wanted != e.pack:
            yield f"the game uses {wanted.packs} packs and {wanted.printed_jokers} printed jokers"
    for head in record.heads:
        size = e.pack.size if head.discards is None else len(head.discards)
        if head.n != size:
            yield f"n of epoch {head.epoch} is {head.n}, there are {size} cards"


def openings(e: Evidence) -> Iterator[str]:
    """Check 11: the opening of every position, made from the shown seed, leads to HEAD's root."""
    for head, shoe in zip(e.record.heads, e.shoes, strict=True):
        size = len(shoe.order)
        for position in range(size):
            o = shoe.opening(position)
            leaf = card_leaf(
                hand=e.hand, epoch=o.epoch, position=position, number=o.number, salt=o.salt
            )
            if root_from_path(leaf, position, size, o.path) != head.root:
                yield f"the opening of @{head.epoch}.{position} does not lead to HEAD's root"
                break


def no_card_twice(e: Evidence) -> Iterator[str]:
    """Check 13: no epoch has a card twice, or one that is not in the pack."""
    for head in e.record.heads:
        numbers = head.discards or ()
        if len(set(numbers)) != len(numbers):
            yield f"epoch {head.epoch} shuffles a card twice"
        if any(number >= e.pack.size for number in numbers):
            yield f"epoch {head.epoch} shuffles a card that is not in the pack"


def chains_and_calls(e: Evidence) -> Iterator[str]:
    """Check 14: every link goes down to the last known one, every call is signed and answered."""
    for seat in e.record.seats:
        yield from _chain(e, seat)
    for head in e.record.heads[1:]:
        yield from _call(e, head)


def seeds_and_roots(e: Evidence) -> Iterator[str]:
    """Check 16: all four seeds match their commitments, every root follows from S."""
    record = e.record
    seeds = {void.attempt: void.S for void in record.voids}
    seeds |= {record.attempt: record.S, **{row.attempt: row.S for row in record.unused}}
    for attempt, seed in sorted(seeds.items()):
        published = record.C_S if attempt == record.attempt else record.commits[attempt]
        if server_commit(e.hand_of(attempt), seed) != published:
            yield f"the seed of attempt {attempt} is not the one that was committed to"
    for head, shoe in zip(record.heads, e.shoes, strict=True):
        if shoe.root != head.root:
            yield f"the cards that follow from S don't match HEAD of epoch {head.epoch}"


def _chain(e: Evidence, seat: RecordSeat) -> Iterator[str]:
    known = 0
    for epoch, value in enumerate(seat.x):
        # without x[0] there is nothing to go down to: that is check 4's to name
        if epoch == 0 or value is None or seat.x[0] is None:
            continue
        down = value
        for at in range(epoch, known, -1):
            down = link(down, hand=e.hand, seat=seat.seat, epoch=at)
        if down != seat.x[known]:
            yield f"seat {seat.seat}'s reveal of epoch {epoch} is not of its chain"
        known = epoch


def _call(e: Evidence, head: RecordHead) -> Iterator[str]:
    call = again_call(
        hand=e.hand,
        epoch=head.epoch,
        before=e.before(head.epoch),
        discards=e.discards_hash(head),
    )
    if not e.is_server_signed("call", call, head.call_sig):
        yield f"the call of epoch {head.epoch} is not signed by the server"
    reveals = e.reveals(head.epoch)
    for seat, (_, value), signature in zip(e.record.seats, reveals, head.again_sigs, strict=True):
        if value is None:
            if signature is not None:
                yield f"seat {seat.seat} signed a reveal of epoch {head.epoch} that is not there"
            continue
        problem = e.seat_signature_problem(seat.pub, "again", again(call, value), signature)
        if problem:
            yield f"seat {seat.seat}'s reveal of epoch {head.epoch} has {problem}"
