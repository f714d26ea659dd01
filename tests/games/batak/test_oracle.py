"""Whole random matches against the plain reading: each legal move, each refusal, each count."""

from random import Random
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import DEALER, Carry, Scored, Seat, TimedOut
from server.cards.pack import Pack
from server.games.batak import GAME
from server.games.batak.moves import Bid, NameTrump, Pass, Play
from server.games.batak.options import Options
from tests.games.batak.oracle import may_play, points, rank, taker
from tests.games.tricks import Table, refusal_of

PACK = list(Pack(1, 0).cards)
SUITS = "SHDC"
DEALS = 8


class Deal:
    """One hand: what is known of it by the plain reading, beside the game's own table."""

    def __init__(self, carry: Carry, dealer: int | None, chance: Random) -> None:
        self.chance = chance
        self.table = Table(GAME, Options(miss_limit=20), carry=carry)
        draws = tuple(chance.randrange(modulus) for modulus in GAME.draws(self.table.state))
        assert len(draws) == (dealer is None)
        self.dealer = draws[0] if dealer is None else dealer
        order = chance.sample(PACK, len(PACK))
        self.table.deal(order, draws)
        self.hands: list[set[Card]] = [set(), set(), set(), set()]
        for place, card in enumerate(order):
            self.hands[(self.dealer + 1 + place) % 4].add(card)
        self.bidder, self.bid = -1, 0
        self.trump = ""
        self.taken = [0, 0, 0, 0]

    def auction(self) -> None:
        """Let all call until one is left, or thirteen are bid, or all have passed."""
        in_auction, turn = [0, 1, 2, 3], (self.dealer + 1) % 4
        passes = self.chance.choice((0.5, 0.9))
        while self.bid < 13 and in_auction not in ([self.bidder], []):
            if turn in in_auction:
                assert (self.table.state.phase, self.table.state.acting) == ("auction", turn)
                self._try_bids(turn)
                if self.chance.random() < passes:
                    in_auction.remove(turn)
                    self._move(turn, self.chance.choice((Pass(), TimedOut(Seat(turn)))))
                else:
                    more = 1 + int(self.chance.expovariate(1))
                    self.bidder, self.bid = turn, min(13, max(4, self.bid) + more)
                    self._move(turn, Bid(self.bid))
            turn = (turn + 1) % 4
        if not self.bid:
            self.bidder, self.bid = self.dealer, 4

    def _try_bids(self, turn: int) -> None:
        for tricks in range(-1, 16):
            code = refusal_of(self.table, turn, Bid(tricks))
            if not 5 <= tricks <= 13:
                assert code == "bad_bid"
            else:
                assert code == (None if tricks > self.bid else "bid_not_higher")
        others = {refusal_of(self.table, seat, Pass()) for seat in range(4) if seat != turn}
        assert others == {"not_your_turn"}

    def name_trump(self) -> None:
        """Let the bidder, or the clock, name trump."""
        state, hand = self.table.state, self.hands[self.bidder]
        assert (state.phase, state.acting, state.contract.tricks) == (
            "trump", self.bidder, self.bid,
        )  # fmt: skip
        if self.chance.random() < 0.3:
            self.trump = max(SUITS, key=lambda suit: sum(card[1] == suit for card in hand))
            self._move(self.bidder, TimedOut(Seat(self.bidder)))
        else:
            self.trump = self.chance.choice(SUITS)
            self._move(self.bidder, NameTrump(self.trump))  # type: ignore[arg-type]
        assert self.table.state.trump == self.trump

    def play(self) -> None:
        """Play all thirteen tricks."""
        leader, played = self.bidder, list[Card]()
        for _ in range(13):
            trick: list[tuple[int, Card]] = []
            for step in range(4):
                seat = (leader + step) % 4
                is_broken = any(card[1] == self.trump for card in played)
                lying = [card for _, card in trick]
                legal = may_play(list(self.hands[seat]), lying, self.trump, is_broken=is_broken)
                trick.append((seat, self._lay(seat, legal)))
            leader = taker(trick, self.trump)
            self.taken[leader] += 1
            played += [card for _, card in trick]

    def _lay(self, seat: int, legal: set[Card]) -> Card:
        assert self.table.state.acting == seat
        assert set(GAME.view(self.table.state, Seat(seat)).may_play) == legal
        for card in PACK:
            code = refusal_of(self.table, seat, Play(card))
            assert (code is None) == (card in legal), (card, code)
            assert (code == "not_held") == (card not in self.hands[seat])
        if self.chance.random() < 0.2:
            lowest = min(legal, key=lambda c: (c[1] == self.trump, rank(c), SUITS.index(c[1])))
            self._move(seat, TimedOut(Seat(seat)))
            assert self.table.lines[-1] == f"auto {seat} play {lowest}"
            self.hands[seat].remove(lowest)
            return lowest
        card = self.chance.choice(sorted(legal))
        self._move(seat, Play(card))
        self.hands[seat].remove(card)
        return card

    def _move(self, seat: int, move: Any) -> None:
        self.table.move(Seat(seat), move)


@pytest.mark.parametrize("seed", range(4))
def test_a_match_goes_as_the_plain_reading_has_it(seed: int) -> None:
    chance, carry, dealer = Random(seed), Carry(), None
    totals = [0, 0, 0, 0]
    for number in range(1, DEALS + 1):
        deal = Deal(carry, dealer, chance)
        deal.auction()
        deal.name_trump()
        deal.play()
        counted = points(deal.bidder, deal.bid, deal.taken)
        assert list(deal.table.points) == counted
        totals = [total + more for total, more in zip(totals, counted, strict=True)]
        scored: Scored = deal.table.state.scored
        assert scored.match_over == (number == DEALS)
        assert refusal_of(deal.table, DEALER, Pass()) == "hand_over"
        carry, dealer = scored.carry, (deal.dealer + 1) % 4
        assert carry.dealer == (None if number == DEALS else dealer)
    best = [seat for seat, total in enumerate(totals) if total == max(totals)]
    assert list(scored.champions) == best
    assert scored.winner == (best[0] if len(best) == 1 else None)
