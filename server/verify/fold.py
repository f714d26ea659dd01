"""The hand played again by its game's rules, from the shown seed and the recorded lines."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.cards.carry import brought_memo, read_brought
from server.cards.game import (
    DEALER,
    AnyGame,
    Carry,
    Deal,
    Event,
    IllegalMove,
    Scored,
    Seat,
    SeatInfo,
    SeatKind,
)
from server.cards.pack import Pack
from server.fairness.record import Record, RecordEvent

POSITIONS_CHECK = 12
DISCARDS_CHECK = 15
OPTIONS_CHECK = 17
RULES_CHECK = 18

_POSITION = re.compile(r"@\d+\.\d+")

Toss = Callable[[int, tuple[int, ...]], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Moment:
    """What one move has made.

    Shape: `first` and `last` are the events of the record, from k to before k, that tell of it;
           `epoch` is the epoch that the dealer has just dealt, None for a seat's move.
    """

    first: int
    last: int
    epoch: int | None
    state: Any
    events: tuple[Event, ...]


@dataclass(slots=True)
class Replay:
    """A hand as far as it could be played again.

    Shape: `is_whole` if it was played to its end; `faults` are (number of the check,
           what is wrong); `scored` is the hand's last event.
    """

    moments: list[Moment] = field(default_factory=list)
    is_whole: bool = False
    faults: list[tuple[int, str]] = field(default_factory=list)
    scored: Scored | None = None


class _Deviation(Exception):
    """The record and the rules part here; nothing after it can be judged."""

    def __init__(self, check: int, text: str) -> None:
        super().__init__(text)
        self.check = check


def replay(
    record: Record, game: AnyGame | None, orders: Sequence[Sequence[int]], toss: Toss
) -> Replay:
    """Play the hand of a record again.

    Shape:  `orders` are card numbers for each epoch, `toss(epoch, moduli)` the toss's numbers.
            Whatever the record holds, the answer is a `Replay`.
    Source: fairdeal/1 section 6, checks 12, 15, 17 and 18.
    """
    found = Replay()
    try:
        if game is None:
            raise _Deviation(OPTIONS_CHECK, f"there is no game {record.game!r}")
        _Fold(record, game, orders, toss, found).run()
        found.is_whole = True
    except _Deviation as deviation:
        found.faults.append((deviation.check, str(deviation)))
    return found


class _Fold:
    def __init__(
        self,
        record: Record,
        game: AnyGame,
        orders: Sequence[Sequence[int]],
        toss: Toss,
        found: Replay,
    ) -> None:
        self.record, self.game, self.orders, self.toss = record, game, orders, toss
        self.found = found
        self.pack = Pack(record.packs, record.printed_jokers)
        self.epoch = 0
        self.at = 0

    def run(self) -> None:
        """Fold the events over the first state, each checked against what the rules make."""
        state = self._started()
        while self.at < len(self.record.events):
            event = self.record.events[self.at]
            state = self._deal(state) if event.line is None else self._move(state, event)
        if self._asked("end of the hand", self.game.to_act, state):
            raise _Deviation(RULES_CHECK, "the events end before the hand is over")
        if self.found.scored is None:
            raise _Deviation(RULES_CHECK, "the hand ends without a result")

    def _started(self) -> Any:
        """Make the first state; options that the game refuses are check 17's to name."""
        record = self.record
        dealer = None if record.dealer is None else Seat(record.dealer)
        try:
            memo, played = read_brought(record.memo)
            seats = tuple(
                SeatInfo(Seat(s.seat), SeatKind(s.kind), played.get(Seat(s.seat), 0))
                for s in record.seats
            )
            if brought_memo(memo, seats) != record.memo:
                raise ValueError("the memo names seats that are not listed")
            options = self.game.options_type(**record.options)
            return self.game.start(options, seats, Carry(dealer=dealer, memo=memo))
        except Exception as error:  # the record is hostile input: whatever the game says, it is no
            raise _Deviation(OPTIONS_CHECK, f"the game refuses to start: {error}") from None

    def _deal(self, state: Any) -> Any:
        """Order the cards that the state waits for; before a reshuffle, play the move that asks."""
        first, epoch = self.at, self.epoch
        self.at, self.epoch = self.at + 1, self.epoch + 1
        if epoch > 0:
            state = self._asking_move(state, first)
        asked = self._asked(f"deal {epoch}", self.game.undealt, state)
        if not set(asked) <= set(self.pack.cards):
            raise _Deviation(RULES_CHECK, f"epoch {epoch} asks for cards that the pack has not")
        wanted = tuple(self.pack.number_of(card) for card in asked)
        if epoch > 0:
            self._compare_discards(epoch, wanted)
        numbers = self.orders[epoch]
        if sorted(numbers) != sorted(wanted):
            raise _Deviation(RULES_CHECK, f"epoch {epoch} deals other cards than the rules order")
        draws = self.toss(epoch, self._asked("toss", self.game.draws, state))
        order = tuple(map(self.pack.card_of, numbers))
        return self._applied(state, DEALER, Deal(order, draws), first, epoch)

    def _asking_move(self, state: Any, at: int) -> Any:
        """Play the move that found no card: its line is told after the reshuffle."""
        event = self.record.events[at + 1] if at + 1 < len(self.record.events) else None
        if event is None or event.line is None:
            raise _Deviation(RULES_CHECK, f"event {at} reshuffles for nobody")
        seat, move = self._read(event)
        step = self._stepped(event.line, state, seat, move)
        asked = self._asked(event.line, self.game.to_act, step.state) == {DEALER}
        if not asked or self._lines(step.events):
            raise _Deviation(RULES_CHECK, f"event {at} reshuffles, the rules do not")
        return step.state

    def _move(self, state: Any, event: RecordEvent) -> Any:
        seat, move = self._read(event)
        return self._applied(state, seat, move, self.at, None)

    def _applied(self, state: Any, seat: Seat, move: Any, first: int, epoch: int | None) -> Any:
        """Apply a move and match its lines with those that the record has next."""
        step = self._stepped(f"event {first}", state, seat, move)
        for line in self._lines(step.events):
            self._match(line)
        if self.at == first or (epoch and self.at == first + 1):
            raise _Deviation(RULES_CHECK, f"event {first} has no line by the rules")
        self.found.moments.append(Moment(first, self.at, epoch, step.state, step.events))
        for event in step.events:
            if isinstance(event, Scored):
                self.found.scored = event
        return step.state

    def _match(self, line: str) -> None:
        k = self.at
        told = self.record.events[k].line if k < len(self.record.events) else None
        if told != line:
            what = f"event {k} is {told!r}, by the rules {line!r}"
            if told is None or _POSITION.sub("@", told) != _POSITION.sub("@", line):
                raise _Deviation(RULES_CHECK, what)
            self.found.faults.append((POSITIONS_CHECK, what))
        self.at += 1

    def _compare_discards(self, epoch: int, wanted: tuple[int, ...]) -> None:
        told = self.record.heads[epoch].discards or ()
        # a card that is listed twice is check 13's to name
        if tuple(dict.fromkeys(told)) != tuple(dict.fromkeys(wanted)):
            text = f"epoch {epoch} does not shuffle exactly the public discards, in their order"
            self.found.faults.append((DISCARDS_CHECK, text))

    def _read(self, event: RecordEvent) -> tuple[Seat, Any]:
        assert event.line is not None
        try:
            return self.game.notation.read(event.line)
        except ValueError:
            text = f"event {event.k} is no move: {event.line!r}"
            raise _Deviation(RULES_CHECK, text) from None

    def _stepped(self, what: str, state: Any, seat: Seat, move: Any) -> Any:
        return self._asked(what, self.game.apply, state, seat, move)

    def _asked(self, what: str, question: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return question(*arguments)
        except IllegalMove as refusal:
            raise _Deviation(RULES_CHECK, f"{what}: the rules refuse it: {refusal}") from None
        except Exception as error:  # a hostile record may reach any assert of a game
            name = type(error).__name__
            raise _Deviation(RULES_CHECK, f"{what}: the rules can't go on: {name}") from None

    def _lines(self, events: Iterable[Event]) -> list[str]:
        lines = map(self.game.notation.line_of, events)
        return [line for line in lines if line is not None]
