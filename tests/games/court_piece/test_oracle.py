"""Whole random sessions against the plain reading: each legal move, each refusal, each count."""

from itertools import takewhile
from random import Random
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import DEALER, Carry, Scored, Seat, TimedOut
from server.cards.pack import Pack
from server.games.court_piece import GAME
from server.games.court_piece.moves import NameTrump, Pass, Play
from server.games.court_piece.options import Options
from server.games.court_piece.scoring import Result, Standing
from tests.games.court_piece.oracle import (
    BATCHES,
    Session,
    batches_of,
    drawers,
    may_play,
    next_dealer,
    rank,
    taker,
)
from tests.games.tricks import Table, humans, refusal_of

PACK = list(Pack(1, 0).cards)
SUITS = "SHDC"


class Hand:
    """One hand: what is known of it by the plain reading, beside the game's own table."""

    def __init__(
        self, options: Options, played: int, carry: Carry, dealer: int | None, chance: Random
    ) -> None:
        self.chance, self.played = chance, played
        self.table = Table(GAME, options, carry=carry, seats=humans(played))
        draws = tuple(chance.randrange(modulus) for modulus in GAME.draws(self.table.state))
        assert len(draws) == (0 if dealer is not None else 4)
        self.dealer = (drawers(PACK, draws)[0] - 1) % 4 if dealer is None else dealer
        self.chooser = (self.dealer + 1) % 4
        self.order = self._order(chance)
        self.table.deal(self.order, draws)
        self.batches = batches_of(self.order, self.chooser)
        self.hands = [set(cards) for cards in self.batches[0]]
        self.trump = ""
        self.taken = [0, 0]

    def _order(self, chance: Random) -> list[Card]:
        """Shuffle; at times one team gets the higher half, so that there are courts."""
        order = chance.sample(PACK, len(PACK))
        if chance.random() < 0.5:
            return order
        team = chance.randrange(2)
        by_rank = sorted(order, key=rank, reverse=True)
        halves = by_rank[:26], by_rank[26:]
        places = [
            (self.chooser + step) % 4 for size in BATCHES for step in range(4) for _ in range(size)
        ]
        for half in halves:
            chance.shuffle(half)
        return [halves[(seat - team) % 2].pop() for seat in places]

    def choose(self) -> None:
        """Let the chooser or the partner name trump, or the dealer turn the card of luck."""
        chooser, partner = self.chooser, (self.chooser + 2) % 4
        self._demand_turn(chooser, 10_000 if self.played == 0 else 20_000)
        by_luck, seat = False, chooser
        if self.chance.random() < 0.6:
            self._move(chooser, self.chance.choice((Pass(), TimedOut(Seat(chooser)))))
            seat, by_luck = partner, self.chance.random() < 0.5
            self._demand_turn(partner, 20_000)
            assert refusal_of(self.table, partner, Pass()) == "partner_may_not_pass"
        if by_luck:
            self.trump = self.order[20][1]
            self._move(seat, TimedOut(Seat(seat)))
            assert self.table.state.luck == self.order[20]
        else:
            self.trump = self.chance.choice(SUITS)
            self._move(seat, NameTrump(self.trump))  # type: ignore[arg-type]
        assert self.table.state.trump == self.trump
        for batch in self.batches[1:]:
            self.hands = [hand | set(cards) for hand, cards in zip(self.hands, batch, strict=True)]

    def _demand_turn(self, seat: int, clock_ms: int) -> None:
        """Demand that the seat alone chooses now, and that all see their own five and no more."""
        assert GAME.to_act(self.table.state) == {seat}
        assert GAME.clock_ms(self.table.state, Seat(seat)) == clock_ms
        for other in range(4):
            assert set(GAME.view(self.table.state, Seat(other)).holding) == self.hands[other]
            wanted = "partner_in_turn" if (other - seat) % 4 == 2 else "not_your_turn"
            if other != seat:
                assert refusal_of(self.table, other, NameTrump("S")) == wanted
        assert refusal_of(self.table, seat, Play(min(self.hands[seat]))) == "no_card_now"

    def play(self) -> None:
        """Play until a team has seven tricks."""
        leader = self.chooser
        while max(self.taken) < 7:
            trick: list[tuple[int, Card]] = []
            for step in range(4):
                seat = (leader + step) % 4
                trick.append((seat, self._lay(seat, [card for _, card in trick])))
            leader = taker(trick, self.trump)
            self.taken[leader % 2] += 1

    def _lay(self, seat: int, trick: list[Card]) -> Card:
        hand, state = self.hands[seat], self.table.state
        legal = may_play(hand, trick)
        assert state.acting == seat
        assert set(GAME.view(state, Seat(seat)).may_play) == legal
        for card in PACK:
            wanted = None if card in legal else "must_follow" if card in hand else "not_held"
            assert refusal_of(self.table, seat, Play(card)) == wanted
        if self.chance.random() < 0.2:
            card = min(legal, key=lambda c: (c[1] == self.trump, rank(c), SUITS.index(c[1])))
            self._move(seat, TimedOut(Seat(seat)))
            assert self.table.state.holdings[seat].count(card) == 0
        else:
            card = max(self.chance.sample(sorted(legal), min(2, len(legal))), key=rank)
            self._move(seat, Play(card))
        hand.remove(card)
        return card

    def _move(self, seat: int, move: Any) -> None:
        self.table.move(Seat(seat), move)


@pytest.mark.parametrize("counting", ["points", "courts"])
@pytest.mark.parametrize("played", [0, 2, 3])
def test_a_session_goes_as_the_plain_reading_has_it(counting: str, played: int) -> None:
    chance, carry, dealer = Random(f"{counting} {played}"), Carry(), None
    session = Session(counting, 3 if counting == "courts" or played < 3 else 10)
    while not session.is_over:
        hand = Hand(Options(counting=counting, miss_limit=20), played, carry, dealer, chance)
        hand.choose()
        hand.play()
        winner, is_court = hand.taken.index(7), 0 in hand.taken
        gained = session.add(winner, hand.chooser % 2, is_court=is_court)
        assert list(hand.table.points) == [gained if seat % 2 == winner else 0 for seat in range(4)]
        assert hand.table.event("counted").score == tuple(session.score)
        assert refusal_of(hand.table, DEALER, Pass()) == "hand_over"
        scored: Scored = hand.table.state.scored
        assert scored.match_over == session.is_over
        dealer = next_dealer(hand.dealer, winner, is_court=is_court)
        assert (dealer + 1) % 2 == winner  # the winners always call next
        carry = scored.carry
        assert carry.dealer == (None if session.is_over else dealer)
    assert scored.champions == (winner, winner + 2)


@pytest.mark.parametrize("counting", ["points", "courts"])
def test_runs_and_courts_are_counted_as_the_plain_reading_has_it(counting: str) -> None:
    chance, session, standing = Random(counting), Session(counting, 10_000), Standing(10_000)
    bonuses = 0
    for _ in range(600):
        winner, callers = int(chance.random() < 0.1), chance.randrange(2)
        is_court = chance.random() < 0.05
        gained = session.add(winner, callers, is_court=is_court)
        made = "none" if not is_court else "court" if winner == callers else "goon"
        result = Result(winner, callers, made)  # type: ignore[arg-type]
        standing = standing.after(result, counting)
        assert list(standing.score) == session.score
        in_a_row = takewhile(lambda team: team == session.row[-1], reversed(session.row))
        assert standing.run == len(list(in_a_row))
        bonuses += gained > {"points": 2, "courts": 0}[counting] and not is_court
    assert bonuses > 5
