"""Badam Satti and Sevens as their public lines tell them: the lines, turns, one's own holding."""

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.evidence import Cheated, demand
from server.bots.opening_checks import Place
from server.bots.public import Begun, Gift, Program
from server.bots.sevens import Sight, choose
from server.cards.card import Card
from server.games.sevens.lines import Lines, fitting, with_card
from server.games.sevens.moves import Move
from server.games.sevens.notation import read
from server.games.sevens.options import PACK, Options

HELD_ELSEWHERE: Final = 13
RULES: Final = 18


class SevensHand:
    """One hand, from the seat `me` or from a spectator's place (None)."""

    def __init__(
        self, options: Options, seats: Sequence[int], dealer: int | None, me: int | None
    ) -> None:
        self.options = options
        self.seats = tuple(seats)
        self.dealer = dealer
        self.me = me
        self.acting: int | None = None
        self.lines: Lines = ()
        self.holding: list[Card] = []
        self.counts: dict[int, int] = {}
        self.lacking: dict[int, set[Card]] = {seat: set() for seat in seats}
        self.is_over = False
        self._left: set[int] = set()

    # --- what the deal's checks ask (PublicHand)

    def deal(self, toss: tuple[int, ...]) -> tuple[Gift, ...]:
        """Deal one card at a time from the dealer's left on. Errors: Cheated(17)."""
        count = len(self.seats)
        demand(self.seats == tuple(range(self.options.seats)), 17, "not every seat is dealt in")
        if self.dealer is None:
            fits = len(toss) == 1 and isinstance(toss[0], int) and 0 <= toss[0] < count
            demand(fits, 17, "the toss is not one listed seat")
            self.dealer = self.seats[toss[0]]
        else:
            demand(toss == (), 17, "a toss where the dealer was fixed")
        gifts = tuple(
            Gift((self.dealer + 1 + position) % count, Place(0, position))
            for position in range(PACK.size)
        )
        self.counts = {seat: sum(gift.seat == seat for gift in gifts) for seat in self.seats}
        return gifts

    def seen(self, gift: Gift, card: Card) -> None:
        """Learn a card that was given to this seat."""
        self.holding.append(card)

    def line(self, line: str) -> tuple[Gift, ...]:
        """Follow a line. Errors: Cheated (13, 18)."""
        try:
            seat, _ = read(line)
        except ValueError:
            raise Cheated(RULES, f"not a line of sevens: {line[:40]!r}") from None
        demand(seat in self.seats, RULES, f"seat {seat} is not in this hand")
        demand(not self.is_over, RULES, f"a line after the last card: {line!r}")
        match line.removeprefix("auto ").split(" ")[1:]:
            case ["leave"]:
                demand(seat not in self._left, RULES, f"seat {seat} leaves twice")
                self._left.add(seat)
            case ["back"]:
                self._left.discard(seat)
            case ["play", text]:
                self._play(seat, Card(text))
            case ["pass"]:
                self._pass(seat)
            case _:
                raise Cheated(RULES, f"a line that says nothing: {line!r}")
        return ()

    def may_act(self, seat: int) -> bool:
        """Tell whether the seat may have a decision to make, by what this seat knows."""
        if self.is_over:
            return False
        return self.acting == seat if self.lines else self._may_open(seat)

    def call(self) -> tuple[Card, ...]:
        """Refuse a reshuffle: nothing is ever shuffled again. Errors: Cheated(14)."""
        raise Cheated(14, "a reshuffle in a game without one")

    def reshuffled(self, epoch: int) -> None:
        """Refuse a reshuffle. Errors: Cheated(14)."""
        self.call()

    # --- what the policy asks

    def sight(self) -> Sight:
        """Describe the decision that this seat has to make."""
        return Sight(
            hand=tuple(self.holding),
            may_play=tuple(card for card in self.holding if card in self._fitting()),
            lines=self.lines,
            counts={seat: count for seat, count in self.counts.items() if seat != self.me},
            lacking={s: frozenset(cards) for s, cards in self.lacking.items() if s != self.me},
            has_chips=self.options.has_chips,
        )

    # --- moves

    def _fitting(self) -> frozenset[Card]:
        return fitting(self.lines) if self.lines else frozenset({self.options.opener})

    def _may_open(self, seat: int) -> bool:
        """Tell whether a seat may hold the opening seven."""
        return self.me is None or (seat == self.me) == (self.options.opener in self.holding)

    def _play(self, seat: int, card: Card) -> None:
        demand(self.may_act(seat), RULES, f"seat {seat} plays {card} out of turn")
        demand(card in self._fitting(), RULES, f"seat {seat} plays {card}, which does not fit")
        if seat == self.me:
            demand(card in self.holding, RULES, f"this seat plays {card}, which it does not hold")
            self.holding.remove(card)
        else:
            text = f"seat {seat} plays {card}, which this seat holds"
            demand(card not in self.holding, HELD_ELSEWHERE, text)
            text = f"seat {seat} plays {card}, and passed when it could have"
            demand(card not in self.lacking[seat], RULES, text)
        self.lines = with_card(self.lines, card)
        self.counts[seat] -= 1
        self.is_over = self.counts[seat] == 0
        self._next(seat)

    def _pass(self, seat: int) -> None:
        demand(bool(self.lines), RULES, f"seat {seat} passes before the opening seven")
        demand(self.acting == seat, RULES, f"seat {seat} passes out of turn")
        if seat == self.me:
            fits = [card for card in self.holding if card in self._fitting()]
            demand(not fits, RULES, f"this seat passes, though it can play {fits}")
        self.lacking[seat] |= self._fitting()
        self._next(seat)

    def _next(self, seat: int) -> None:
        self.acting = None if self.is_over else (seat + 1) % len(self.seats)


def _follow(begun: Begun) -> SevensHand:
    return SevensHand(begun.options, begun.seats, begun.dealer, begun.me)


def _play(public: SevensHand, random: Random, is_careless: bool) -> Move:
    return choose(public.sight(), random, is_careless=is_careless)


SEVENS: Final = Program(_follow, _play)
"""Both games: what differs is in the options."""
