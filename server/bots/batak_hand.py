"""Batak as its public lines tell it: auction, trump, tricks, one's own holding."""

from collections.abc import Sequence
from random import Random
from typing import Final

from server.bots.batak import BidSight, call, play
from server.bots.evidence import Cheated, demand
from server.bots.opening_checks import Place
from server.bots.public import Begun, Gift, Program
from server.bots.trick_table import TrickTable
from server.bots.tricks import TrickSight
from server.cards.card import Card, suit_of
from server.cards.game import Seat
from server.cards.tricks import HAND_CARDS, SEATS, seat_after
from server.games.batak.bids import PASS, Call, Contract, contract_of, find_caller, may_bid
from server.games.batak.duties import legal_cards
from server.games.batak.moves import Bid, Move
from server.games.batak.notation import read
from server.games.batak.options import Options

TOSS: Final = 17
RULES: Final = 18


class BatakHand:
    """One hand, from the seat `me` or from a spectator's place (None)."""

    def __init__(
        self, options: Options, seats: Sequence[int], dealer: int | None, me: int | None
    ) -> None:
        self.options = options
        self.seats = tuple(seats)
        self.dealer = dealer
        self.me = me
        self.table = TrickTable(me)
        self.calls: list[Call] = []
        self.contract: Contract | None = None
        self.acting: int | None = None
        self._is_broken = False

    # --- what the deal's checks ask (PublicHand)

    def deal(self, toss: tuple[int, ...]) -> tuple[Gift, ...]:
        """Deal one card at a time from the dealer's right on. Errors: Cheated(17)."""
        demand(self.seats == tuple(range(SEATS)), TOSS, "not every seat is dealt in")
        if self.dealer is None:
            fits = len(toss) == 1 and type(toss[0]) is int and toss[0] in range(SEATS)
            demand(fits, TOSS, "the toss is not one listed seat")
            self.dealer = toss[0]
        else:
            demand(toss == (), TOSS, "a toss where the dealer was fixed")
        self.acting = seat_after(Seat(self.dealer))
        return tuple(
            Gift((self.acting + position) % SEATS, Place(0, position))
            for position in range(SEATS * HAND_CARDS)
        )

    def seen(self, gift: Gift, card: Card) -> None:
        """Learn a card that was given to this seat."""
        self.table.holding.append(card)

    def line(self, line: str) -> tuple[Gift, ...]:
        """Follow a line. Errors: Cheated (13, 18)."""
        try:
            seat, move = read(line)
        except ValueError:
            raise Cheated(RULES, f"not a line of batak: {line[:40]!r}") from None
        words = line.removeprefix("auto ").split(" ")[1:]
        if words in (["leave"], ["back"]):
            demand(self.acting is not None, RULES, f"a line after the last card: {line!r}")
            self.table.comes_or_goes(seat, words[0])
            return ()
        demand(seat == self.acting, RULES, f"out of turn: {line!r}")
        match words:
            case ["pass"]:
                self._call(Call(seat, PASS), line)
            case ["bid", _] if isinstance(move, Bid):
                text = f"not a bid higher than the last: {line!r}"
                demand(move.tricks in may_bid(self.calls), RULES, text)
                self._call(Call(seat, move.tricks), line)
            case ["trump", suit]:
                now = self.contract is not None and not self.table.trump
                demand(now, RULES, f"trump is not named now: {line!r}")
                self.table.trump = suit
            case ["play", text]:
                demand(bool(self.table.trump), RULES, f"a card before trump: {line!r}")
                following = self.table.play(seat, Card(text), self._legal)
                self._note_trumps()
                over = len(self.table.tricks) == HAND_CARDS
                self.acting = None if over else following
            case _:
                raise Cheated(RULES, f"a line that says nothing: {line!r}")
        return ()

    def may_act(self, seat: int) -> bool:
        """Tell whether the seat has a decision to make, by what is public."""
        return self.acting == seat

    def call(self) -> tuple[Card, ...]:
        """Refuse a reshuffle: nothing is ever shuffled again. Errors: Cheated(14)."""
        raise Cheated(14, "a reshuffle in a game without one")

    def reshuffled(self, epoch: int) -> None:
        """Refuse a reshuffle. Errors: Cheated(14)."""
        self.call()

    # --- what the policy asks

    def sight(self) -> BidSight | TrickSight:
        """Describe the decision that this seat has to make."""
        if self.table.trump:
            return self.table.sight(self._legal)
        return BidSight(
            hand=tuple(self.table.holding),
            may_bid=() if self.contract is not None else tuple(may_bid(self.calls)),
            is_naming=self.contract is not None,
        )

    # --- moves

    def _call(self, made: Call, line: str) -> None:
        assert self.dealer is not None
        demand(self.contract is None, RULES, f"the auction is over: {line!r}")
        self.calls.append(made)
        dealer = Seat(self.dealer)
        self.acting = find_caller(dealer, self.calls, single_round=self.options.single_round)
        if self.acting is None:
            self.contract = contract_of(dealer, self.calls)
            self.acting = self.contract.seat

    def _note_trumps(self) -> None:
        """Once a trick with a trump is taken, trump may be led."""
        if not self.table.trick:
            last = self.table.tricks[-1].cards
            self._is_broken |= any(suit_of(one.card) == self.table.trump for one in last)

    def _legal(self, holding: Sequence[Card], trick: Sequence[Card]) -> tuple[Card, ...]:
        return legal_cards(
            holding,
            trick,
            self.table.trump,
            is_broken=self._is_broken,
            beat_trump_led=self.options.beat_trump_led,
        )


def _follow(begun: Begun) -> BatakHand:
    return BatakHand(begun.options, begun.seats, begun.dealer, begun.me)


def _play(public: BatakHand, random: Random, is_careless: bool) -> Move:
    sight = public.sight()
    if isinstance(sight, TrickSight):
        return play(sight, random, is_careless=is_careless)
    return call(sight, random, is_careless=is_careless)


BATAK: Final = Program(_follow, _play)
