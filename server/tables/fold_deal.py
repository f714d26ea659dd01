"""The fold of a deal's phases: commits called, given, listed, revealed."""

from dataclasses import replace

from server.cards.game import Seat, dealer_of
from server.cards.options import options_text
from server.fairness.commitment import Listed as ListToHash
from server.fairness.commitment import ListedSeat, list_hash, receipt
from server.fairness.signing import SigningKey
from server.tables.bodies import listed_body, phase_body, revealed_body, seat_body
from server.tables.chairs import Pilot
from server.tables.facts import CommitsCalled, Committed, Listed, Revealed
from server.tables.listing import ABSENT, NO_COMMIT, NO_KEY, Contribution, Listing
from server.tables.state import Committing, Opened, Reshuffling, Revealing, TableState
from server.tables.told import Told

DealFact = CommitsCalled | Committed | Listed | Revealed


def fold(
    state: TableState, fact: DealFact, signer: SigningKey
) -> tuple[TableState, tuple[Told, ...]]:
    """Fold a fact of the deal's phases."""
    opened = state.opened
    assert opened is not None, "a deal needs an open hand"
    match fact:
        case CommitsCalled():
            return _called(state, fact, opened)
        case Committed():
            return _committed(state, fact, opened, signer)
        case Listed():
            return _listed(state, fact, opened, signer)
        case Revealed():
            return _revealed(state, fact, opened, signer)


def _called(
    state: TableState, fact: CommitsCalled, opened: Opened
) -> tuple[TableState, tuple[Told, ...]]:
    invited = tuple(Seat(seat) for seat in fact.invited)
    phase = Committing(attempt=fact.attempt, deadline_ms=fact.deadline_ms, invited=invited)
    body = phase_body(
        phase="commit",
        hand_no=opened.hand_no,
        attempt=fact.attempt,
        epoch=0,
        deadline_ms=fact.deadline_ms,
        waiting=invited,
    )
    return replace(state, phase=phase), (Told(name="deal.phase", body=body),)


def _committed(
    state: TableState, fact: Committed, opened: Opened, signer: SigningKey
) -> tuple[TableState, tuple[Told, ...]]:
    phase = state.phase
    assert isinstance(phase, Committing), "a commit belongs into the commit phase"
    pilot = state.chair(Seat(fact.seat)).pilot
    gave = Contribution(
        seat=Seat(fact.seat),
        kind=pilot.kind,
        pseudonym=pilot.pseudonym,
        pub=fact.pub,
        status=fact.status,
        commit=fact.commit,
        commit_sig=fact.sig,
    )
    after = replace(state, phase=replace(phase, gave=(*phase.gave, gave)))
    told = receipt_told(
        after, fact.seat, opened=opened, attempt=phase.attempt, kind=0, value=fact.commit,
        ms=fact.at_ms, signer=signer,
    )  # fmt: skip
    return after, (told,)


def receipt_told(
    state: TableState,
    seat: int,
    *,
    opened: Opened,
    attempt: int,
    kind: int,
    value: bytes,
    ms: int,
    signer: SigningKey,
) -> Told:
    """Tell a seat, and nobody else, that its commit or reveal was received."""
    digest = receipt(hand=opened.hands[attempt], seat=seat, kind=kind, value=value, ms=ms)
    body: dict[str, object] = {
        "seat": seat,
        "hand": opened.hand_no,
        "attempt": attempt,
        "kind": kind,
        "value": value.hex(),
        "ms": ms,
        "sig": signer.sign("receipt", digest).hex(),
    }
    return Told(
        name="deal.receipt", body=body, to=frozenset({state.chair(Seat(seat)).pilot.player})
    )


def sitting_out(
    state: TableState, sat_out: tuple[tuple[int, str], ...], at_ms: int
) -> tuple[TableState, tuple[Told, ...]]:
    """Derive the state with seats that did not do their part sitting out, and tell it."""
    chairs = list(state.chairs)
    told = []
    for seat, why in sat_out:
        chair = chairs[seat]
        if chair is None:
            continue
        since = chair.out_since_ms or at_ms
        chairs[seat] = chair = replace(chair, sits_out=why, out_since_ms=since)
        told.append(Told(name="seat.sits_out", body=seat_body(seat, chair, why)))
    return replace(state, chairs=tuple(chairs)), tuple(told)


def _listed(
    state: TableState, fact: Listed, opened: Opened, signer: SigningKey
) -> tuple[TableState, tuple[Told, ...]]:
    phase = state.phase
    assert isinstance(phase, Committing), "a list follows the commits"
    state, told = sitting_out(state, fact.sat_out, fact.at_ms)
    seats = _seats_of(state, fact, phase)
    dealer = dealer_of(state.carry, [one.seat for one in seats])
    digest = list_hash(
        ListToHash(
            hand=opened.hands[phase.attempt],
            server_commit=opened.commits[phase.attempt],
            game=state.game.name,
            rules=state.game.rules_version,
            options=options_text(state.options),
            dealer=dealer,
            log_size=opened.log.size,
            log_root=opened.log.root,
            seats=tuple(
                ListedSeat(one.seat, one.kind, one.pseudonym, one.pub, one.status, one.commit)
                for one in seats
            ),
        )
    )
    listing = Listing(
        attempt=phase.attempt,
        dealer=dealer,
        seats=seats,
        digest=digest,
        sig=signer.sign("list", digest),
    )
    revealing = Revealing(attempt=phase.attempt, deadline_ms=fact.deadline_ms, listing=listing)
    after = replace(state, phase=revealing, is_held=True)
    body = phase_body(
        phase="reveal",
        hand_no=opened.hand_no,
        attempt=phase.attempt,
        epoch=0,
        deadline_ms=fact.deadline_ms,
        waiting=revealing.waiting,
    )
    return after, (
        *told,
        Told(name="hand.listed", body=listed_body(after, opened, listing)),
        Told(name="deal.phase", body=body),
    )


def _seats_of(state: TableState, fact: Listed, phase: Committing) -> tuple[Contribution, ...]:
    gave = {one.seat: one for one in phase.gave}
    gave |= {Seat(seat): _absent(state.chair(Seat(seat)).pilot, seat) for seat in fact.absent}
    played = dict(zip(fact.seats, fact.matches, strict=True)) if fact.matches else {}
    return tuple(
        replace(gave[Seat(seat)], matches=played.get(seat, 0)) for seat in sorted(fact.seats)
    )


def _absent(pilot: Pilot, seat: int) -> Contribution:
    """Derive the place on the list of a substitute that did not commit."""
    return Contribution(
        seat=Seat(seat),
        kind=pilot.kind,
        pseudonym=pilot.pseudonym,
        pub=NO_KEY,
        status=ABSENT,
        commit=NO_COMMIT,
        commit_sig=None,
    )


def _revealed(
    state: TableState, fact: Revealed, opened: Opened, signer: SigningKey
) -> tuple[TableState, tuple[Told, ...]]:
    phase = state.phase
    seat = Seat(fact.seat)
    match phase:
        case Revealing(listing=listing, attempt=attempt):
            listing = listing.with_x(seat, fact.epoch, fact.x, fact.sig)
            phase = replace(phase, listing=listing)
        case Reshuffling(hand=hand):
            attempt = hand.attempt
            listing = hand.listing.with_x(seat, fact.epoch, fact.x, fact.sig)
            waiting = tuple(one for one in phase.waiting if one != seat)
            phase = replace(phase, hand=replace(hand, listing=listing), waiting=waiting)
        case _:
            raise AssertionError("a reveal belongs to a list or to a call")
    after = replace(state, phase=phase)
    receipt_event = receipt_told(
        after, seat, opened=opened, attempt=attempt, kind=fact.epoch + 1, value=fact.x,
        ms=fact.at_ms, signer=signer,
    )  # fmt: skip
    body = revealed_body(seat=seat, attempt=attempt, epoch=fact.epoch, x=fact.x, sig=fact.sig)
    return after, (receipt_event, Told(name="deal.revealed", body=body))
