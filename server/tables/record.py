"""The record of a closed hand: one more fold of its journal, written as fairdeal/1 has it."""

from sqlalchemy import text

from server.cards.carry import brought_memo
from server.cards.options import options_fields
from server.database import HandId, TableId, Transaction
from server.errors import Refusal
from server.fairness import log
from server.fairness.commitment import ATTEMPTS, result_hash
from server.fairness.merkle import leaf_hash
from server.fairness.record import (
    Record,
    RecordEntry,
    RecordEvent,
    RecordHead,
    RecordResult,
    RecordSeat,
    RecordSettlement,
    RecordVoid,
    UnusedSeed,
    VoidSeat,
    sign_record,
)
from server.fairness.signing import SigningKey
from server.tables import hands, journal, recovery, service
from server.tables.facts import HandClosed, LogPlace
from server.tables.listing import Contribution
from server.tables.state import Hand, Head, TableState, Voided
from server.tables.work import Parts


async def record_of(tx: Transaction, hand_id: HandId, parts: Parts) -> bytes:
    """Give the record of a closed hand; the first one that was made is kept.

    Errors: Refusal("no_such_hand"); Refusal("hand_not_over") while it is played;
            Refusal("hand_has_no_record") if it was cancelled.
    """
    kept = (await tx.execute(_FIND, {"hand": hand_id})).scalar_one_or_none()
    if kept is not None:
        return bytes(kept)
    about = await service.find_hand(tx, hand_id)
    if about is None:
        raise Refusal("no_such_hand", "there is no such hand", "hand")
    if about.state == hands.CANCELLED:
        raise Refusal("hand_has_no_record", "the hand was cancelled", "hand")
    if about.state != hands.CLOSED:
        raise Refusal("hand_not_over", "the hand is not over", "hand")
    body = await _made(tx, about.table_id, hand_id, parts)
    await tx.execute(_KEEP, {"hand": hand_id, "body": body})
    return bytes((await tx.execute(_FIND, {"hand": hand_id})).scalar_one())


async def _made(tx: Transaction, table: TableId, hand_id: HandId, parts: Parts) -> bytes:
    entries = await journal.read_hand(tx, table, hand_id)
    upto = next(i for i, entry in enumerate(entries) if isinstance(entry.fact, HandClosed))
    closed = entries[upto].fact
    assert isinstance(closed, HandClosed), "the entry that ends the hand"
    about = await service.get_table(tx, table)
    blank = recovery.blank(table=table, name=about.name, game=about.game, options=about.options)
    state = (await recovery.rebuild(tx, blank, entries[:upto], parts)).state
    signer = parts.signer_of(state)
    record = await _record(tx, state, closed, signer)
    return sign_record(record, signer.sign)


async def _record(
    tx: Transaction, state: TableState, closed: HandClosed, signer: SigningKey
) -> Record:
    hand, opened = state.hand, state.opened
    assert hand is not None and opened is not None, "a hand that closed was played"  # noqa: PT018 - one invariant
    pack = state.game.pack(state.options)
    listing = hand.listing
    epochs = len(hand.heads)
    hand_hash = opened.hands[hand.attempt]
    return Record(
        game=state.game.name,
        rules=state.game.rules_version,
        options=options_fields(state.options),
        dealer=listing.dealer,
        memo=brought_memo(state.carry.memo, listing.infos),
        server_pub=signer.public,
        table=state.table.bytes,
        hand_no=opened.hand_no,
        attempt=hand.attempt,
        packs=pack.packs,
        printed_jokers=pack.printed_jokers,
        spec=opened.spec,
        S=closed.seeds[hand.attempt],
        C_S=opened.commits[hand.attempt],
        commits=opened.commits,
        unused=tuple(
            UnusedSeed(attempt=attempt, S=closed.seeds[attempt])
            for attempt in range(hand.attempt + 1, ATTEMPTS)
        ),
        log_size=opened.log.size,
        log_root=opened.log.root,
        seats=tuple(_seat(one, epochs) for one in listing.seats),
        L=listing.digest,
        L_sig=listing.sig,
        heads=tuple(_head(head, listing.seats) for head in hand.heads),
        events=tuple(
            RecordEvent(k=line.k, line=line.line, T=line.value, sig=line.sig) for line in hand.lines
        ),
        result=tuple(
            RecordResult(seat=seat, points=points, amount=amount)
            for seat, points, amount in closed.result
        ),
        result_hash=result_hash(hand_hash, closed.result),
        settlement=_settlement(state, closed),
        voids=tuple(_void(voided) for voided in state.voids),
        log=await _log(tx, state, hand, closed, signer),
        checkpoint=closed.log.checkpoint,
    )


def _seat(one: Contribution, epochs: int) -> RecordSeat:
    x = tuple(one.x_of(epoch) for epoch in range(epochs)) if one.status else ()
    return RecordSeat(
        seat=one.seat,
        kind=int(one.kind),
        player=one.pseudonym,
        pub=one.pub,
        status=one.status,
        commit=one.commit,
        commit_sig=one.commit_sig,
        x=x,
        reveal_sig=one.x_sigs[0] if one.x_sigs else None,
    )


def _head(head: Head, seats: tuple[Contribution, ...]) -> RecordHead:
    epoch = head.shoe.epoch
    return RecordHead(
        epoch=epoch,
        R=head.shoe.entropy,
        n=len(head.shoe.order),
        root=head.shoe.root,
        sig=head.sig,
        discards=head.numbers,
        call_sig=head.call_sig,
        present=tuple(int(one.x_of(epoch) is not None) for one in seats),
        again_sigs=tuple(_again_sig(one, epoch) for one in seats),
    )


def _again_sig(one: Contribution, epoch: int) -> bytes | None:
    return one.x_sigs[epoch] if 0 < epoch < len(one.x_sigs) else None


def _settlement(state: TableState, closed: HandClosed) -> RecordSettlement:
    return RecordSettlement(
        rate=state.options.rate,
        commission_bps=state.options.commission_bps,
        gross=closed.gross,
        commission=closed.commission,
        winner=closed.winner,
        journal=closed.journal,
    )


def _void(voided: Voided) -> RecordVoid:
    return RecordVoid(
        attempt=voided.attempt,
        reason=voided.reason,
        S=voided.seed,
        seats=tuple(
            VoidSeat(seat=one.seat, status=one.status, x=one.x_of(0))
            for one in voided.listing.seats
        ),
    )


async def _log(
    tx: Transaction, state: TableState, hand: Hand, closed: HandClosed, signer: SigningKey
) -> tuple[RecordEntry, ...]:
    assert state.opened is not None, "a hand is played in an open one"
    places: list[tuple[LogPlace, str | None]] = [
        (state.opened.log, "open"),
        *((voided.log, None) for voided in state.voids),
        *((head.log, None) for head in hand.heads),
        (closed.log, "close"),
    ]
    return tuple(
        [
            RecordEntry(
                index=place.index,
                entry=place.entry,
                size=place.size,
                root=place.root,
                path=place.path or await log.inclusion(tx, place.index, place.size),
                sig=None if role is None else signer.sign(role, leaf_hash(place.entry)),
            )
            for place, role in places
        ]
    )


_FIND = text("select body from tables.record where hand_id = :hand")
_KEEP = text(
    "insert into tables.record (hand_id, body) values (:hand, :body) on conflict do nothing"
)
