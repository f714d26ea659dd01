"""The phases of a deal, as the table's own steps: open, call, list, deal, reshuffle, give up.

Each function adds facts to a `Work`; the caller writes and commits them. S stays in the seal until
the attempt is over: it is read here to derive a shoe, and published only with a final fact.
"""

from collections.abc import Sequence

from server.cards.game import Seat, SeatKind
from server.database import HandId, PlayerId
from server.fairness import entries
from server.fairness import service as fairness
from server.fairness.commitment import (
    ATTEMPTS,
    discards_hash,
    entropy,
    entropy_again,
)
from server.fairness.entries import CancelReason, VoidReason
from server.fairness.shoe import Shoe
from server.fairness.shoe import deal as derive
from server.ledger import service as ledger
from server.tables import hands, matches, substitutes
from server.tables.facts import (
    AgainCalled,
    CommitsCalled,
    Dealt,
    Listed,
    LogPlace,
    Reshuffled,
)
from server.tables.fold_hand import contributors
from server.tables.listing import Listing
from server.tables.opening import cancel, logged, release, stake_micro, void_attempt
from server.tables.state import (
    Committing,
    Playing,
    Reshuffling,
    Revealing,
)
from server.tables.work import Work


async def call_first_commits(work: Work, seats: Sequence[Seat]) -> None:
    """Ask seats to commit; in a match, substitutes in the place of owners who are not there."""
    if work.state.match is not None:
        await substitutes.engage_absent(work)
    _call_commits(work, seats, attempt=0)


def _call_commits(work: Work, seats: Sequence[Seat], attempt: int) -> None:
    deadline_ms = work.now_ms + work.parts.clocks.commit_ms
    work.add(CommitsCalled(attempt=attempt, invited=tuple(seats), deadline_ms=deadline_ms))


async def list_seats(work: Work) -> None:
    """Sign the list of those who answered, and hold their tokens; or give the hand up."""
    state = work.state
    phase = state.phase
    assert isinstance(phase, Committing), "a list follows the commits"
    missing = [seat for seat in phase.waiting if state.chair(seat).substitute is None]
    sat_out = dict.fromkeys(missing, "no_commit")
    seats = [one.seat for one in phase.gave]
    absent = await _absent_in_match(work, seats)
    seats = sorted([*seats, *absent])
    if not state.is_held:
        for seat in await _uncovered(work, seats):
            sat_out[seat] = "no_cover"
            seats.remove(seat)
    out = tuple(sorted(sat_out.items()))
    if len(seats) < state.options.min_players:
        await cancel(work, CancelReason.TOO_FEW_SEATS, sat_out=out)
        return
    if not state.is_held:
        await _hold(work, seats)
    await hands.set_state(work.tx, work.opened.hand_id, hands.LISTED)
    work.add(
        Listed(
            seats=tuple(seats),
            sat_out=out,
            matches=await _finished_matches(work, seats),
            absent=tuple(absent),
            deadline_ms=work.now_ms + work.parts.clocks.reveal_ms,
            at_ms=work.now_ms,
        )
    )


async def deal_cards(work: Work) -> None:
    """Derive the pack from S and every reveal, log its root, and deal."""
    phase = work.state.phase
    assert isinstance(phase, Revealing), "a deal follows the reveals"
    listing = phase.listing
    shoe = await shoe_of_deal(work, listing)
    place = await _log_deal(work, listing, shoe)
    await hands.set_state(work.tx, work.opened.hand_id, hands.DEALT)
    work.add(Dealt(root=shoe.root, log=place, at_ms=work.now_ms), shoe)


async def void_unrevealed(work: Work) -> None:
    """Give up an attempt in which somebody did not reveal, and try the next one without them."""
    phase = work.state.phase
    assert isinstance(phase, Revealing), "an attempt is voided in its reveals"
    missing = phase.waiting
    remaining = [
        one.seat
        for one in phase.listing.seats
        if one.seat not in missing and _stays(work, one.seat)
    ]
    # In a match the seats that are missing are substituted, and listed without entropy.
    count = len(remaining) if work.state.match is None else len(work.state.match.seats)
    reason = None
    if phase.attempt + 1 >= ATTEMPTS:
        reason = CancelReason.ATTEMPTS_USED_UP
    elif count < work.state.options.min_players:
        reason = CancelReason.TOO_FEW_SEATS
    if reason is not None:
        await release(work, reason)
    owned = [seat for seat in missing if work.state.chair(seat).substitute is None]
    sat_out = tuple((seat, "no_reveal") for seat in owned)
    await void_attempt(work, VoidReason.NOT_REVEALED, sat_out=sat_out)
    if reason is not None:
        await cancel(work, reason)
    else:
        _call_commits(work, remaining, phase.attempt + 1)


def call_again(work: Work) -> None:
    """Call for fresh entropy: the game needs its discards shuffled."""
    state = work.state
    phase = state.phase
    assert isinstance(phase, Playing), "a reshuffle is called in play"
    hand = phase.hand
    waiting = tuple(seat for seat in contributors(hand) if state.seat_is_here(seat, hand))
    work.add(
        AgainCalled(
            epoch=hand.epoch + 1,
            waiting=waiting,
            deadline_ms=work.now_ms + work.parts.clocks.reshuffle_ms,
            at_ms=work.now_ms,
        )
    )


async def reshuffle(work: Work) -> None:
    """Shuffle the discards with the entropy that came; who did not answer is absent."""
    phase = work.state.phase
    assert isinstance(phase, Reshuffling), "a reshuffle follows its call"
    shoe = await shoe_of_reshuffle(work, phase)
    place = await _log_deal(work, phase.hand.listing, shoe)
    work.add(Reshuffled(root=shoe.root, log=place, at_ms=work.now_ms), shoe)


async def shoe_of_deal(work: Work, listing: Listing) -> Shoe:
    """Derive the first shoe of an attempt from the sealed seed and the reveals."""
    opened = work.opened
    seed = await fairness.seed_of(
        work.tx, work.parts.sealer, work.table, opened.hand_no, listing.attempt
    )
    reveals = [(one.seat, one.x_of(0)) for one in listing.seats]
    return derive(
        seed.expose(),
        hand=opened.hands[listing.attempt],
        listing=listing.digest,
        entropy=entropy(listing.digest, reveals),
        epoch=0,
        numbers=range(work.state.game.pack(work.state.options).size),
    )


async def shoe_of_reshuffle(work: Work, phase: Reshuffling) -> Shoe:
    """Derive the shoe of a reshuffle from the sealed seed and the entropy that came."""
    opened = work.opened
    hand = phase.hand
    hand_hash = opened.hands[hand.attempt]
    epoch = hand.epoch + 1
    seed = await fairness.seed_of(
        work.tx, work.parts.sealer, work.table, opened.hand_no, hand.attempt
    )
    discards = discards_hash(hand=hand_hash, epoch=epoch, numbers=phase.numbers)
    reveals = [(one.seat, one.x_of(epoch)) for one in hand.listing.seats]
    return derive(
        seed.expose(),
        hand=hand_hash,
        listing=hand.listing.digest,
        entropy=entropy_again(hand.transcript, discards, reveals),
        epoch=epoch,
        numbers=phase.numbers,
    )


def _stays(work: Work, seat: Seat) -> bool:
    chair = work.state.chair(seat)
    return chair.substitute is not None or not chair.leaving


async def _absent_in_match(work: Work, gave: Sequence[Seat]) -> tuple[Seat, ...]:
    """Name the seats of the match in progress that are listed without entropy of their own.

    Each is a substitute's: also that of an owner who has just not committed, or not revealed.
    """
    match = work.state.match
    if match is None:
        return ()
    absent = tuple(Seat(seat) for seat in match.seats if seat not in gave)
    for seat in absent:
        if work.state.chair(seat).substitute is None:
            why = substitutes.LEFT if work.state.chair(seat).leaving else substitutes.ABSENT
            await substitutes.engage(work, seat, why)
    return absent


async def _finished_matches(work: Work, seats: Sequence[Seat]) -> tuple[int, ...]:
    """Count the matches that each seat's player has finished; at a free table, people's alone."""
    state = work.state
    if stake_micro(state) is not None:
        return ()
    people = {
        seat: state.chair(seat).player
        for seat in seats
        if state.chair(seat).pilot.kind is SeatKind.HUMAN
    }
    found = await matches.finished_by(work.tx, state.game.name, people.values())
    return tuple(found.get(people[seat], 0) if seat in people else 0 for seat in seats)


async def _log_deal(work: Work, listing: Listing, shoe: Shoe) -> LogPlace:
    entry = entries.log_deal(
        hand=shoe.hand,
        epoch=shoe.epoch,
        listing=listing.digest,
        entropy=shoe.entropy,
        size=len(shoe.order),
        root=shoe.root,
    )
    return await logged(work, entry)


async def _uncovered(work: Work, seats: Sequence[Seat]) -> list[Seat]:
    """Find the seats that can't cover the dearest hand; `hold_hand` alone decides."""
    stake = stake_micro(work.state)
    if stake is None:
        return []
    players = {seat: work.state.chair(seat).player for seat in seats}
    available = await ledger.available_of(work.tx, list(players.values()))
    return [seat for seat, player in players.items() if available[player] < stake]


async def _hold(work: Work, seats: Sequence[Seat]) -> None:
    """Hold every seat's dearest hand, in the transaction that stores the signed list."""
    stake = stake_micro(work.state)
    if stake is None:
        return
    holds: dict[PlayerId, int] = {work.state.chair(seat).player: stake for seat in seats}
    await ledger.hold_hand(
        work.tx,
        hand_id=HandId(work.opened.hand_id),
        table_id=work.table,
        seats=holds,
        commission_bps=work.state.options.commission_bps,
        practice=work.state.options.practice,
    )
