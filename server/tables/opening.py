"""Opening a hand, and giving one up: the two ends that every hand number has in the public log."""

from server.cards.game import Seat
from server.database import TableId
from server.fairness import entries, log
from server.fairness import service as fairness
from server.fairness.commitment import deck_spec
from server.fairness.entries import CancelReason, VoidReason
from server.ledger import service as ledger
from server.tables import hands, substitutes
from server.tables.facts import AttemptVoided, HandCancelled, HandOpened, LogPlace, TableClosed
from server.tables.fold_seats import sat_of
from server.tables.listing import Listing
from server.tables.state import Playing, Reshuffling, Revealing, TableState, Waiting
from server.tables.work import Work


async def open_hand(work: Work) -> None:
    """Open the next hand: four seeds are sealed, their commitments signed and logged."""
    state = work.state
    pack = state.game.pack(state.options)
    spec = deck_spec(pack.packs, pack.printed_jokers)
    hand_no = 1 if state.opened is None else state.opened.hand_no + 1
    made = await fairness.open_seeds(
        work.tx,
        work.parts.sealer,
        table_id=state.table,
        hand_no=hand_no,
        server_pub=work.parts.signer.public,
        spec=spec,
    )
    commits = tuple(seed.commit for seed in made)
    entry = entries.log_open(table=state.table.bytes, hand_no=hand_no, spec=spec, commits=commits)
    place = await logged(work, entry)
    hand_id = await hands.insert(work.tx, TableId(state.table), hand_no)
    not_before = state.phase.not_before_ms if isinstance(state.phase, Waiting) else 0
    work.add(
        HandOpened(
            hand_id=hand_id,
            hand_no=hand_no,
            hands=tuple(seed.hand for seed in made),
            commits=commits,
            spec=spec,
            log=place,
            chairs=tuple(sat_of(seat, chair) for seat, chair in state.taken()),
            dealer=state.carry.dealer,
            memo=state.carry.memo,
            matches=state.matches,
            match=state.match,
            fresh=state.fresh,
            closing=state.closing,
            not_before_ms=not_before,
        )
    )


async def logged(work: Work, entry: bytes) -> LogPlace:
    """Append an entry to the public log, and sign the log's head with it."""
    place = await log.append(work.tx, entry)
    return LogPlace(
        index=place.index,
        size=place.size,
        root=place.root,
        entry=entry,
        path=place.path,
        checkpoint=work.parts.log_signer.checkpoint(size=place.size, root=place.root),
    )


async def void_attempt(
    work: Work, reason: VoidReason, *, sat_out: tuple[tuple[Seat, str], ...] = ()
) -> None:
    """Void the listed attempt: its seed and the reveals received become public."""
    listing = listing_of(work.state)
    opened = work.opened
    seed = await fairness.seed_of(
        work.tx, work.parts.sealer, work.table, opened.hand_no, listing.attempt
    )
    entry = entries.log_void(
        hand=opened.hands[listing.attempt],
        reason=reason,
        seed=seed.expose(),
        seats=[(one.seat, one.status, one.x_of(0)) for one in listing.seats],
    )
    place = await logged(work, entry)
    work.add(
        AttemptVoided(
            reason=reason, seed=seed.expose(), log=place, sat_out=sat_out, at_ms=work.now_ms
        )
    )


async def cancel(
    work: Work, reason: CancelReason, *, sat_out: tuple[tuple[Seat, str], ...] = ()
) -> None:
    """Give the hand up, release its holds, and open the next one or close the table."""
    opened, before = work.opened, work.state
    await release(work, reason)
    entry = entries.log_cancel(table=work.table.bytes, hand_no=opened.hand_no, reason=reason)
    place = await logged(work, entry)
    await hands.end(work.tx, opened.hand_id, hands.CANCELLED)
    work.add(HandCancelled(reason=reason, log=place, sat_out=sat_out, at_ms=work.now_ms))
    await substitutes.dismiss_all(work, before)
    await next_hand_or_close(work)


async def next_hand_or_close(work: Work) -> None:
    """After a hand's one end in the log: open the next, or close a table that is to close."""
    if work.state.closing is None:
        if work.state.match is not None:
            await substitutes.engage_leavers(work)
        await open_hand(work)
    else:
        await hands.set_table_state(work.tx, work.table, hands.TABLE_CLOSED)
        work.add(TableClosed())


async def release(work: Work, reason: CancelReason) -> None:
    """Release the hand's holds, before anything is logged.

    The log is one for all tables and is locked last: who held it and waited for an account could
    wait for a hand that holds the account and waits for the log.
    """
    if stake_micro(work.state) is None:
        return
    if work.state.is_held and not work.is_released:
        name = f"cancelled: {reason.name.lower()}"
        await ledger.void_hand(work.tx, hand_id=work.opened.hand_id, reason=name)
        work.is_released = True


def listing_of(state: TableState) -> Listing:
    """Give the list of the attempt that is being revealed or played."""
    match state.phase:
        case Revealing(listing=listing):
            return listing
        case Playing(hand=hand) | Reshuffling(hand=hand):
            return hand.listing
        case _:
            raise AssertionError("no attempt is listed")


def stake_micro(state: TableState) -> int | None:
    """Derive what a seat must cover: the dearest hand, in micro-HT; None at a free table."""
    points = state.game.stake_points(state.options)
    if points is None:
        return None
    stake: int = points * state.options.rate
    return stake
