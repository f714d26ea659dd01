"""The fold of a dealt hand: the deal, moves, reshuffles, and every way it ends."""

from dataclasses import replace

from server.cards.game import (
    DEALER,
    Deal,
    Event,
    Given,
    HandVoid,
    Left,
    Scored,
    Seat,
    SeatHandedOver,
    SeatTakenBack,
    TurnBegan,
)
from server.fairness import transcript
from server.fairness.commitment import again_call, discards_hash
from server.fairness.shoe import Shoe
from server.fairness.signing import SigningKey
from server.tables.bodies import dealt_body, phase_body, reshuffled_body
from server.tables.facts import (
    AgainCalled,
    Dealt,
    Moved,
    Reshuffled,
)
from server.tables.fold_seats import with_chair
from server.tables.listing import COMMITTED
from server.tables.state import (
    Hand,
    Head,
    Line,
    Opened,
    Playing,
    Reshuffling,
    Revealing,
    TableState,
    cards_of,
)
from server.tables.told import Shown, Told, event_body, opening_body

HandFact = Moved | AgainCalled
Folded = tuple[TableState, tuple[Told, ...]]


def fold(state: TableState, fact: HandFact, signer: SigningKey) -> Folded:
    """Fold a fact of a hand that needs no shoe."""
    opened = state.opened
    assert opened is not None, "a hand is played in an open one"
    match fact:
        case Moved():
            return _moved(state, fact, opened, signer)
        case AgainCalled():
            return _again_called(state, fact, opened, signer)


def fold_shoe(
    state: TableState, fact: Dealt | Reshuffled, signer: SigningKey, shoe: Shoe
) -> Folded:
    """Fold the dealer's move, with the order that the seed and the seats have made.

    Errors: AssertionError if the shoe isn't the one whose root was published.
    """
    opened = state.opened
    assert opened is not None, "a hand is dealt in an open one"
    assert shoe.root == fact.root, "the shoe differs from its published root"
    if isinstance(fact, Dealt):
        return _dealt(state, fact, opened, signer, shoe)
    return _reshuffled(state, fact, opened, signer, shoe)


def _dealt(
    state: TableState, fact: Dealt, opened: Opened, signer: SigningKey, shoe: Shoe
) -> Folded:
    phase = state.phase
    assert isinstance(phase, Revealing), "a deal follows the reveals"
    listing = phase.listing
    carry = replace(state.carry, dealer=listing.dealer)
    start = state.game.start(state.options, listing.infos, carry)
    toss = shoe.toss(state.game.draws(start))
    step = state.game.apply(start, DEALER, Deal(cards_of(state, shoe.order), toss))
    hand_hash = opened.hands[phase.attempt]
    head = Head(shoe=shoe, sig=signer.sign("head", shoe.head), log=fact.log)
    line = _line(hand_hash, 0, None, transcript.begin(hand_hash, shoe.head), signer)
    hand = Hand(
        attempt=phase.attempt,
        listing=listing,
        heads=(head,),
        state=step.state,
        lines=(line,),
        own=frozenset(
            one.seat for one in listing.seats if one.pseudonym == state.chair(one.seat).pseudonym
        ),
        toss=toss,
    )
    body = dealt_body(opened, phase.attempt, head, toss)
    first = Told(name="hand.dealt", body=body, line=line)
    return _happened(
        state, hand, (first,), step.events, opened=opened, signer=signer, at_ms=fact.at_ms,
        deadline_ms=fact.at_ms,
    )  # fmt: skip


def _reshuffled(
    state: TableState, fact: Reshuffled, opened: Opened, signer: SigningKey, shoe: Shoe
) -> Folded:
    phase = state.phase
    assert isinstance(phase, Reshuffling), "a reshuffle follows its call"
    hand = phase.hand
    step = state.game.apply(hand.state, DEALER, Deal(cards_of(state, shoe.order)))
    head = Head(
        shoe=shoe,
        sig=signer.sign("head", shoe.head),
        log=fact.log,
        numbers=phase.numbers,
        call_sig=phase.call_sig,
    )
    hand_hash = opened.hands[hand.attempt]
    value = transcript.reshuffled(hand.transcript, hand.k + 1, shoe.head)
    line = _line(hand_hash, hand.k + 1, None, value, signer)
    hand = replace(hand, heads=(*hand.heads, head), state=step.state, lines=(*hand.lines, line))
    first = Told(
        name="hand.reshuffled", body=reshuffled_body(opened, hand.listing, head), line=line
    )
    return _happened(
        state, hand, (first,), step.events, opened=opened, signer=signer, at_ms=fact.at_ms,
        deadline_ms=fact.at_ms + phase.remaining_ms,
    )  # fmt: skip


def _moved(state: TableState, fact: Moved, opened: Opened, signer: SigningKey) -> Folded:
    phase = state.phase
    assert isinstance(phase, Playing), "a move is made in play"
    hand = phase.hand
    seat, move = state.game.notation.read(fact.line)
    step = state.game.apply(hand.state, seat, move)
    first: tuple[Told, ...] = ()
    if isinstance(move, Left):
        # A seat that was out already leaves without an event of the game's own.
        first = (Told(name="seat.gone", body={"seat": seat}),)
        hand = replace(hand, gone=hand.gone | {seat})
    hand = replace(hand, state=step.state)
    return _happened(
        state, hand, first, step.events, opened=opened, signer=signer, at_ms=fact.at_ms,
        deadline_ms=phase.deadline_ms,
    )  # fmt: skip


def _happened(
    state: TableState,
    hand: Hand,
    told: tuple[Told, ...],
    events: tuple[Event, ...],
    *,
    opened: Opened,
    signer: SigningKey,
    at_ms: int,
    deadline_ms: int,
) -> Folded:
    """Tell a step's events in order, advance the transcript, and find the turn's deadline."""
    out = list(told)
    hand_hash = opened.hands[hand.attempt]
    for event in events:
        if isinstance(event, Given):
            shown = _shown(state, hand, event)
            out[-1] = replace(out[-1], shown=(*out[-1].shown, shown))
            continue
        if isinstance(event, Scored | HandVoid):
            hand = replace(hand, last=event)
        if isinstance(event, SeatHandedOver | SeatTakenBack):
            state, hand = _handed(state, hand, event)
        if isinstance(event, Scored):
            continue  # `hand.closed` tells it, with the tokens
        line = None
        text = state.game.notation.line_of(event)
        if text is not None:
            value = transcript.extend(hand.transcript, hand.k + 1, text)
            line = _line(hand_hash, hand.k + 1, text, value, signer)
            hand = replace(hand, lines=(*hand.lines, line))
        body = event_body(event)
        if isinstance(event, TurnBegan):
            clock_ms = max(state.game.clock_ms(hand.state, seat) for seat in event.seats)
            deadline_ms = at_ms + clock_ms
            hand = replace(hand, turn=hand.turn + 1)
            body |= {"turn": hand.turn, "deadline": deadline_ms}
        to = None if event.to is None else state.chair(event.to).eyes
        out.append(Told(name=event.name, body=body, to=to, line=line))
    phase = Playing(hand=hand, deadline_ms=deadline_ms)
    return replace(state, phase=phase), tuple(out)


def _handed(
    state: TableState, hand: Hand, event: SeatHandedOver | SeatTakenBack
) -> tuple[TableState, Hand]:
    """Note whose a seat is by the game; the table then names a substitute, or revokes it."""
    seat = event.seat
    if isinstance(event, SeatTakenBack):
        returns = (*hand.returns, seat)
        own, gone = hand.own | {seat}, hand.gone - {seat}
        return state, replace(hand, own=own, gone=gone, returns=returns)
    state = with_chair(state, seat, replace(state.chair(seat), handed=event.why))
    return state, replace(hand, own=hand.own - {seat})


def _shown(state: TableState, hand: Hand, event: Given) -> Shown:
    shoe = hand.heads[event.epoch].shoe
    pack = state.game.pack(state.options)
    openings = tuple(opening_body(shoe.opening(p), pack) for p in event.positions)
    return Shown(to=None if event.to is None else state.chair(event.to).eyes, openings=openings)


def _line(hand_hash: bytes, k: int, text: str | None, value: bytes, signer: SigningKey) -> Line:
    sig = signer.sign("event", transcript.digest_to_sign(hand_hash, k, value))
    return Line(k=k, line=text, value=value, sig=sig)


def _again_called(
    state: TableState, fact: AgainCalled, opened: Opened, signer: SigningKey
) -> Folded:
    phase = state.phase
    assert isinstance(phase, Playing), "a reshuffle is called in play"
    hand = phase.hand
    hand_hash = opened.hands[hand.attempt]
    pack = state.game.pack(state.options)
    numbers = tuple(pack.number_of(card) for card in state.game.undealt(hand.state))
    discards = discards_hash(hand=hand_hash, epoch=fact.epoch, numbers=numbers)
    call = again_call(hand=hand_hash, epoch=fact.epoch, before=hand.transcript, discards=discards)
    call_sig = signer.sign("call", call)
    waiting = tuple(Seat(seat) for seat in fact.waiting)
    reshuffling = Reshuffling(
        hand=hand,
        deadline_ms=fact.deadline_ms,
        remaining_ms=max(0, phase.deadline_ms - fact.at_ms),
        numbers=numbers,
        call=call,
        call_sig=call_sig,
        waiting=waiting,
    )
    after = replace(state, phase=reshuffling)
    deal_phase = phase_body(
        phase="reshuffle",
        hand_no=opened.hand_no,
        attempt=hand.attempt,
        epoch=fact.epoch,
        deadline_ms=fact.deadline_ms,
        waiting=waiting,
    )
    return after, (
        Told(name="hand.again_called", body=call_body(opened, reshuffling)),
        Told(name="deal.phase", body=deal_phase),
    )


def call_body(opened: Opened, phase: Reshuffling) -> dict[str, object]:
    """Write a reshuffle's call: the cards in public order and what it is signed over."""
    return {
        "hand": opened.hand_no,
        "epoch": phase.hand.epoch + 1,
        "numbers": list(phase.numbers),
        "T": phase.hand.transcript.hex(),
        "call": phase.call.hex(),
        "sig_call": phase.call_sig.hex(),
    }


def contributors(hand: Hand) -> tuple[Seat, ...]:
    """List the seats that have a chain, and so may answer a reshuffle's call."""
    return tuple(one.seat for one in hand.listing.seats if one.status == COMMITTED)
