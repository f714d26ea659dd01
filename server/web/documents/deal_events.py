"""The events of a hand's deal and end, as the socket has them (fairdeal/1)."""

from enum import IntEnum
from typing import Annotated, Literal

from pydantic import Field

from server.fairness.entries import CancelReason, VoidReason
from server.web.documents.values import (
    Amount,
    AttemptIndex,
    CardOpening,
    EpochIndex,
    HandMatch,
    Hash,
    Id,
    LogEntry,
    Ms,
    Number,
    Pseudonym,
    Said,
    SeatIndex,
    Signature,
)
from server.web.documents.words import GameOptions


def _words_of(reasons: type[IntEnum]) -> str:
    return ", ".join(f"{one.value} {one.name.lower()}" for one in reasons)


class OpenBody(Said):
    """A hand's opening: what a client checks before it commits."""

    hand: Number
    hand_id: Id
    packs: Number
    printed_jokers: Number
    spec: Hash
    commits: Annotated[list[Hash], Field(min_length=4, max_length=4)]
    log: LogEntry
    sig: Signature


class HandOpened(OpenBody):
    """A hand is open: the commitments to its four seeds."""

    e: Literal["hand.opened"]


class DealPhase(Said):
    """A phase of the deal began; the seats in `waiting` have until `deadline`."""

    e: Literal["deal.phase"]
    phase: Literal["commit", "reveal", "reshuffle"]
    hand: Number
    attempt: AttemptIndex
    epoch: EpochIndex
    deadline: Ms
    waiting: list[SeatIndex]


class DealReceipt(Said):
    """For one seat alone: its commit (kind 0) or its reveal of epoch kind - 1 was received."""

    e: Literal["deal.receipt"]
    seat: SeatIndex
    hand: Number
    attempt: AttemptIndex
    kind: Annotated[int, Field(ge=0, le=9)]
    value: Hash
    ms: Ms
    sig: Signature


class ListedSeat(Said):
    """A seat on the list; `pub` of zeros is a seat without a key, status 0 one without a seed."""

    seat: SeatIndex
    kind: Literal[1, 2]
    player: Pseudonym
    pub: Hash
    status: Literal[0, 1]
    commit: Hash
    commit_sig: Signature | None


class ListBody(Said):
    """The whole list, as the server signed it.

    Shape: `memo` is what the hand is given besides: the game's own text of the match so far, with
           the matches that seats have finished before it (`#0:3,2:1 `) where there are any.
    """

    hand: Number
    attempt: AttemptIndex
    game: str
    rules: str
    options: GameOptions
    dealer: SeatIndex | None
    memo: str
    seats: list[ListedSeat]
    log_size: Number
    log_root: Hash
    L: Hash
    sig: Signature
    server_only: bool


class HandListed(ListBody):
    """Who is dealt in, by which options: tokens are held from here on."""

    e: Literal["hand.listed"]


class DealRevealed(Said):
    """A seat's reveal, relayed to all."""

    e: Literal["deal.revealed"]
    seat: SeatIndex
    attempt: AttemptIndex
    epoch: EpochIndex
    x: Hash
    sig: Signature | None


class InHand(Said):
    """What an event of a dealt hand may bring along.

    Shape: `k` and `line` are its place and text in the transcript, for events that have a line;
           a shuffle's line is null. `openings` are the cards that this viewer may see from now on.
    """

    k: Number | None = None
    line: str | None = None
    openings: list[CardOpening] | None = None


class HeadBody(Said):
    """What a shuffle is bound to before a card of it is seen."""

    hand: Number
    R: Hash
    n: Number
    root: Hash
    head: Hash
    sig_head: Signature
    log: LogEntry


class DealtBody(HeadBody):
    """A deal's HEAD; `toss` are the numbers that the toss brought."""

    attempt: AttemptIndex
    toss: list[Number]


class HandDealt(DealtBody, InHand):
    """The cards are dealt."""

    e: Literal["hand.dealt"]
    k: Number
    line: None


class AgainReveal(Said):
    """What a seat gave to a reshuffle."""

    seat: SeatIndex
    present: bool
    x: Hash | None
    sig: Signature | None


class ReshuffledBody(HeadBody):
    """A reshuffle's HEAD, and who contributed to it."""

    epoch: EpochIndex
    present: list[AgainReveal]


class HandReshuffled(ReshuffledBody, InHand):
    """The discards are shuffled."""

    e: Literal["hand.reshuffled"]
    k: Number
    line: None


class CallBody(Said):
    """A reshuffle's call: the cards in public order, by number, and what it is signed over."""

    hand: Number
    epoch: EpochIndex
    numbers: list[Number]
    T: Hash
    call: Hash
    sig_call: Signature


class HandAgainCalled(CallBody):
    """A reshuffle is called: seats with a seed give its next link."""

    e: Literal["hand.again_called"]


class VoidedSeat(Said):
    """What a seat gave to an attempt that was given up."""

    seat: SeatIndex
    status: Literal[0, 1]
    present: bool
    x: Hash | None


class HandVoided(Said):
    """An attempt is given up; its seed is public, nobody pays."""

    e: Literal["hand.voided"]
    hand: Number
    attempt: AttemptIndex
    reason: Annotated[int, Field(ge=0, le=max(VoidReason), description=_words_of(VoidReason))]
    S: Hash
    seats: list[VoidedSeat]
    log: LogEntry


class HandCancelled(Said):
    """A hand number is given up."""

    e: Literal["hand.cancelled"]
    hand: Number
    reason: Annotated[int, Field(ge=0, le=max(CancelReason), description=_words_of(CancelReason))]
    log: LogEntry


class AttemptSeed(Said):
    """The server's seed of an attempt."""

    attempt: AttemptIndex
    S: Hash


class SeatResult(Said):
    """What a seat won or lost; `amount` in micro-HT, commission taken."""

    seat: SeatIndex
    points: int
    amount: Amount


class Settlement(Said):
    """How the tokens moved; amounts in micro-HT."""

    rate: Amount
    gross: Amount
    commission_bps: Number
    commission: Amount
    journal: Id


class ClosedBody(Said):
    """The end of a hand: seeds, result, tokens, and where its record is."""

    hand: Number
    hand_id: Id
    attempt: AttemptIndex
    S: list[AttemptSeed]
    T: Hash
    result: list[SeatResult]
    winner: SeatIndex | None
    match: HandMatch
    settlement: Settlement | None
    log: LogEntry
    sig: Signature
    record: str
    shown_until: Ms


class HandClosed(ClosedBody):
    """The hand is over and settled."""

    e: Literal["hand.closed"]


DEAL_EVENTS = (
    HandOpened,
    DealPhase,
    DealReceipt,
    HandListed,
    DealRevealed,
    HandDealt,
    HandAgainCalled,
    HandReshuffled,
    HandVoided,
    HandCancelled,
    HandClosed,
)
