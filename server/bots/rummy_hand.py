"""Rummy as its public lines tell it: piles, turns and one's own holding (checks 12, 13, 15)."""

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.evidence import Cheated, demand
from server.bots.opening_checks import Place
from server.bots.public import Begun, Gift, Program
from server.bots.rummy import Move, Sight, choose
from server.cards.card import Card
from server.games.rummy.moves import Declare, Draw
from server.games.rummy.notation import read
from server.games.rummy.options import Options
from server.games.rummy.scoring import HAND_CARDS, wild_rank_of

RULES: Final = 18
POSITION: Final = 12


class RummyHand:
    """One hand, from the seat `me` or from a spectator's place (None)."""

    def __init__(
        self,
        options: Options,
        pack_size: int,
        seats: Sequence[int],
        first: int | None,
        me: int | None,
    ) -> None:
        self.options = options
        self.seats = tuple(seats)
        self.first = first
        self.me = me
        self.acting: int | None = None
        self.in_play = list(seats)
        self.drawn: str | None = None
        self.turned: Card | None = None
        self.open_pile: list[Card] = []
        self.holding: list[Card] = []
        self.known: set[Card] = set()
        self.draws = 0
        self.closed_count = pack_size
        self._epoch = 0
        self._next = 0
        self._opened_at: Place | None = None
        self._taken: Card | None = None
        self._waits = False

    # --- what the deal's checks ask (PublicHand)

    def deal(self, toss: tuple[int, ...]) -> tuple[Gift, ...]:
        """Deal one card at a time from the first seat on. Errors: Cheated(17) for a wrong toss."""
        count = len(self.seats)
        if self.first is None:
            fits = len(toss) == 1 and isinstance(toss[0], int) and 0 <= toss[0] < count
            demand(fits, 17, "the toss is not one listed seat")
            self.first = self.seats[toss[0]]
        else:
            demand(toss == (), 17, "a toss where the first seat was fixed")
        self.acting = self.first
        at = self.seats.index(self.first)
        order = self.seats[at:] + self.seats[:at]
        gifts = [
            Gift(order[position % count], Place(0, position))
            for position in range(HAND_CARDS * count)
        ]
        turned = Place(0, HAND_CARDS * count)
        self._opened_at = Place(0, turned.position + 1)
        self._next = turned.position + 2
        self.closed_count -= self._next
        return (*gifts, Gift(None, turned), Gift(None, self._opened_at))

    def seen(self, gift: Gift, card: Card) -> None:
        """Learn a card that was turned up, or given to this seat."""
        if gift.seat is not None:
            self.holding.append(card)
        elif gift.place == self._opened_at:
            self.open_pile.append(card)
        else:
            self.turned = card

    def line(self, line: str) -> tuple[Gift, ...]:
        """Follow a line. Errors: Cheated (12, 13, 18)."""
        try:
            seat, move = read(line)
        except ValueError:
            raise Cheated(RULES, f"not a line of rummy: {line[:40]!r}") from None
        words = line.removeprefix("auto ").split(" ")[1:]
        if words[:1] == ["leave"]:
            return self._out(seat)
        self._in_turn(seat, line)
        match words[:2], move:
            case ["draw", "closed"], _:
                return self._draw_closed(seat, words[2:])
            case _, Draw():
                return self._draw_open(seat, words[2:])
            case ["discard", text], _:
                return self._discard(seat, Card(text))
            case ["drop"], _:
                demand(self.drawn is None or line.startswith("auto"), RULES, "a drop after a draw")
                return self._out(seat)
            case _, Declare():
                return self._declare(seat)
        raise Cheated(RULES, f"a line that says nothing: {line!r}")

    def may_act(self, seat: int) -> bool:
        """Tell whether the seat has a decision to make, by what is public."""
        return self.acting == seat and not self._waits

    def call(self) -> tuple[Card, ...]:
        """List the open pile bottom to top without its top card. Errors: Cheated(14)."""
        text = "a reshuffle while the closed pile has cards"
        demand(self.closed_count == 0 and self.drawn is None, 14, text)
        self._waits = True
        return tuple(self.open_pile[:-1])

    def reshuffled(self, epoch: int) -> None:
        """Take the called cards as the new closed pile; the draw that asked for them follows."""
        self._epoch, self._next = epoch, 0
        self.closed_count = len(self.open_pile) - 1
        self.open_pile = self.open_pile[-1:]
        self._waits = True

    # --- what the policy asks

    def sight(self) -> Sight:
        """Describe the decision that this seat has to make."""
        wild_rank = None if self.turned is None else wild_rank_of(self.turned)
        first_turn = len(self.open_pile) == 1 and self.draws == 0
        return Sight(
            hand=tuple(self.holding),
            known=frozenset(self.known),
            wild_rank=wild_rank,
            open_top=self.open_pile[-1] if self.open_pile else None,
            may_take_joker=self.options.open_joker_pick or first_turn,
            refused=None if self.options.return_open_card else self._taken,
            has_drawn=self.drawn is not None,
            draws=self.draws,
        )

    # --- moves

    def _in_turn(self, seat: int, line: str) -> None:
        demand(seat == self.acting, RULES, f"out of turn: {line!r}")

    def _draw_closed(self, seat: int, words: list[str]) -> tuple[Gift, ...]:
        place = Place(self._epoch, self._next)
        demand(self.drawn is None, RULES, f"seat {seat} draws twice")
        demand(words == [str(place)], POSITION, f"seat {seat} draws {words}, due is {place}")
        demand(self.closed_count > 0, POSITION, "a draw from an empty pile")
        self._next += 1
        self.closed_count -= 1
        self._has_drawn(seat, "closed")
        return (Gift(seat, place),)

    def _draw_open(self, seat: int, words: list[str]) -> tuple[Gift, ...]:
        demand(self.drawn is None, RULES, f"seat {seat} draws twice")
        top = self.open_pile[-1] if self.open_pile else None
        demand(words == [top], RULES, f"seat {seat} takes {words}, on top lies {top}")
        card = self.open_pile.pop()
        self._has_drawn(seat, "open")
        if seat == self.me:
            self.holding.append(card)
            self.known.add(card)
            self._taken = card
        return ()

    def _has_drawn(self, seat: int, source: str) -> None:
        self.drawn = source
        self._waits = False
        if seat == self.me:
            self.draws += 1

    def _discard(self, seat: int, card: Card) -> tuple[Gift, ...]:
        demand(self.drawn is not None, RULES, f"seat {seat} discards before it draws")
        if seat == self.me:
            demand(
                card in self.holding, RULES, f"this seat discards {card}, which it does not hold"
            )
            self.holding.remove(card)
            self.known.discard(card)
        else:
            elsewhere = card in self.holding or card in self.open_pile or card == self.turned
            demand(not elsewhere, 13, f"seat {seat} discards {card}, which lies elsewhere")
        self.open_pile.append(card)
        return self._next_turn()

    def _declare(self, seat: int) -> tuple[Gift, ...]:
        demand(self.drawn is not None, RULES, f"seat {seat} declares before it draws")
        return self._out(seat)

    def _out(self, seat: int) -> tuple[Gift, ...]:
        """Put a seat out. A right declare ends the hand, so who is left then has no next turn."""
        demand(seat in self.in_play, RULES, f"seat {seat} goes out twice, or was not dealt in")
        following = self._after(seat)
        self.in_play.remove(seat)
        if seat == self.me:
            self.holding.clear()
            self.known.clear()
        if seat == self.acting:
            self.acting, self.drawn, self._taken = following, None, None
        return ()

    def _next_turn(self) -> tuple[Gift, ...]:
        assert self.acting is not None
        self.acting, self.drawn, self._taken = self._after(self.acting), None, None
        return ()

    def _after(self, seat: int) -> int | None:
        others = [other for other in self.in_play if other != seat]
        later = [other for other in others if other > seat]
        return next(iter(later or others), None)


def _follow(begun: Begun) -> RummyHand:
    return RummyHand(begun.options, begun.pack_size, begun.seats, begun.dealer, begun.me)


def _play(public: RummyHand, random: Random, is_careless: bool) -> Move:
    return choose(public.sight(), random, is_careless=is_careless)


RUMMY: Final = Program(_follow, _play)
