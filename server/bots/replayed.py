"""The hand played again at its close, by the game's own rules (checks 17 and 18)."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.bots.close_checks import HandOver
from server.bots.deal_watch import DealWatch
from server.bots.evidence import Cheated, demand, found
from server.cards.game import (
    DEALER,
    AnyGame,
    Carry,
    Deal,
    IllegalMove,
    Scored,
    Seat,
    SeatInfo,
    SeatKind,
    Step,
)

RULES = 18


def check_result(
    over: HandOver, watch: DealWatch, game: AnyGame, options: Mapping[str, Any]
) -> Carry:
    """Play the transcript again on the published packs and compare the result.

    Shape:  the answer is what the next hand gets.
    Errors: Cheated (17, 18).
    """
    scored = _Replay(over, watch, game, options).run()
    points = tuple((seat, points) for seat, points, _ in over.result)
    demand(points == scored.points, RULES, "the result's points are not those of the rules")
    demand(over.winner == scored.winner, RULES, "the result names another winner")
    match = found(over.match, RULES, "a hand that closed without its match")
    said_of_match = (match.is_over, match.winners)
    text = "the match is not over, or is won by others"
    demand(said_of_match == (scored.match_over, scored.champions), RULES, text)
    chosen = game.options_type(**options)
    rate = chosen.rate if game.stake_points(chosen) else 0
    amounts = amounts_of(scored, rate=rate, commission_bps=chosen.commission_bps)
    said = {seat: amount for seat, _, amount in over.result}
    demand(said == amounts, RULES, "the result's tokens are not points times the rate")
    return scored.carry


def amounts_of(scored: Scored, *, rate: int, commission_bps: int) -> dict[Seat, int]:
    """Derive each seat's net amount: losers pay, the winner gets it less the commission.

    Units: `rate` micro-HT a point; micro-HT, the commission rounded down.
    """
    amounts = {seat: -points * rate for seat, points in scored.points}
    gross = -sum(amount for seat, amount in amounts.items() if seat != scored.winner)
    if scored.winner is not None:
        amounts[scored.winner] = gross - gross * commission_bps // 10_000
    return amounts


class _Replay:
    def __init__(
        self,
        over: HandOver,
        watch: DealWatch,
        game: AnyGame,
        options: Mapping[str, Any],
    ) -> None:
        signed, listed = watch.signed, watch.signed.listed
        dealer = None if listed.dealer is None else Seat(listed.dealer)
        seats = tuple(
            SeatInfo(Seat(one.seat), SeatKind(one.kind), signed.played.get(Seat(one.seat), 0))
            for one in listed.seats
        )
        carry = Carry(dealer=dealer, memo=signed.memo)
        self.game = game
        self.pack = watch.opened.pack
        self.shoes = over.shoes
        self.lines = over.lines
        self.told_toss = watch.toss
        self.state = self._started(options, seats, carry)
        self.at = 0
        self.epoch = 0
        self.scored: Scored | None = None

    def _started(
        self, options: Mapping[str, Any], seats: tuple[SeatInfo, ...], carry: Carry
    ) -> Any:
        try:
            return self.game.start(self.game.options_type(**options), seats, carry)
        except (ValueError, AssertionError) as error:
            raise Cheated(17, f"the game can't begin with what it was given: {error}") from None

    def run(self) -> Scored:
        """Fold all lines; the last event is the result."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line is None:
                self.at += 1
                self._deal()
            else:
                self._apply(*self._read(line))
        return found(self.scored, RULES, "the hand closed before it was over")

    def _deal(self) -> None:
        if self.epoch > 0:
            asking = self.lines[self.at] if self.at < len(self.lines) else None
            seat, move = self._read(found(asking, RULES, "a reshuffle that nobody asked for"))
            self.state = self._step(seat, move).state
        shoe = self.shoes[self.epoch]
        draws = shoe.toss(self.game.draws(self.state))
        if self.epoch == 0:
            demand(draws == self.told_toss, 17, "the toss is not what the seed makes it")
        order = tuple(self.pack.card_of(number) for number in shoe.order)
        self.epoch += 1
        self._apply(DEALER, Deal(order, draws))

    def _apply(self, seat: Seat, move: Any) -> None:
        step = self._step(seat, move)
        at = self.at
        for event in step.events:
            line = self.game.notation.line_of(event)
            if line is not None:
                self._match(line)
            if isinstance(event, Scored):
                self.scored = event
        demand(self.at > at or seat == DEALER, RULES, "a line that the rules do not make")
        self.state = step.state

    def _match(self, line: str) -> None:
        told: Sequence[str | None] = self.lines[self.at : self.at + 1]
        text = f"by the rules step {self.at} is {line!r}, not {told!r}"
        demand(list(told) == [line], RULES, text)
        self.at += 1

    def _read(self, line: str) -> tuple[Seat, Any]:
        try:
            return self.game.notation.read(line)
        except ValueError:
            raise Cheated(RULES, f"step {self.at} is no move: {line[:40]!r}") from None

    def _step(self, seat: Seat, move: Any) -> Step[Any]:
        try:
            return self.game.apply(self.state, seat, move)
        except IllegalMove as refusal:
            raise Cheated(RULES, f"step {self.at} breaks the rules: {refusal}") from None
        except (AssertionError, KeyError) as error:
            text = f"step {self.at} can't be played: {type(error).__name__}"
            raise Cheated(RULES, text) from None
