"""Whole random matches against the plain reading of the source: cards, passes, clock, count."""

import random
from collections.abc import Iterator

import pytest

from server.cards.card import Card
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
    TimedOut,
)
from server.games.sevens import BADAM_SATTI, SEVENS
from server.games.sevens.moves import Pass, Play
from server.games.sevens.options import PACK
from tests.games.sevens import oracle

OPENERS = {"badam_satti": "7H", "sevens": "7D"}
TABLES = [(seats, hands) for seats in (3, 4, 5, 6, 7) for hands in (3, 5)]


class Match:
    """A match that both play: the game, and the plain reading beside it."""

    def __init__(self, game: AnyGame, seats: int, hands: int) -> None:
        self.game = game
        self.size = seats
        self.chance = random.Random(f"{game.name} {seats} {hands}")
        self.options = game.options_type(seats=seats, hands=hands, miss_limit=20)
        self.opener = OPENERS[game.name]
        self.totals = [0] * seats

    def play(self) -> Iterator[Scored]:
        """Play hand after hand; each is compared when it ends."""
        carry = Carry()
        dealer = self.chance.randrange(self.size)
        while True:
            scored = self._hand(carry, dealer)
            yield scored
            if scored.match_over:
                return
            carry = scored.carry
            dealer = (dealer + 1) % self.size
            assert carry.dealer == dealer

    def _hand(self, carry: Carry, dealer: int) -> Scored:
        infos = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in range(self.size))
        state = self.game.start(self.options, infos, carry)
        order = list(PACK.cards)
        self.chance.shuffle(order)
        toss = (dealer,) if self.game.draws(state) else ()
        step = self.game.apply(state, DEALER, Deal(tuple(order), toss))
        held = oracle.deal(order, self.size, dealer)
        chips = oracle.Chips(self.size)
        for seat in range(self.size):
            chips.pay(seat)
        table: set[str] = set()
        at = next(seat for seat in range(self.size) if self.opener in held[seat])
        while all(held):
            assert self.game.to_act(step.state) == {at}
            fits = {card for card in held[at] if oracle.may_lay(card, table, self.opener)}
            self._compare(step.state, at, held, fits)
            move, laid = self._chosen(at, fits)
            step = self.game.apply(step.state, Seat(at), move)
            if laid is None:
                chips.pay(at)
            else:
                table.add(laid)
                held[at].remove(laid)
            at = at if not held[at] else (at + 1) % self.size
        chips.win(at, [len(cards) for cards in held])
        points = chips.own if self.game is SEVENS else [oracle.count(cards) for cards in held]
        self.totals = [sum(pair) for pair in zip(self.totals, points, strict=True)]
        scored = step.events[-1]
        assert isinstance(scored, Scored)
        assert scored.points == tuple(enumerate(points))
        assert scored.match_over or scored.winner == at
        return scored

    def _compare(self, state: object, at: int, held: list[list[str]], fits: set[str]) -> None:
        """Demand the same moves of the seat in turn, a refusal of all else, and of all others'."""
        legal = list(self.game.legal_moves(state, Seat(at)))
        cards: list[Play | Pass] = [Play(Card(card)) for card in held[at] if card in fits]
        assert legal == (cards or [Pass()])
        refused: list[Play | Pass] = [Play(card) for card in PACK.cards if card not in fits]
        refused += [Pass()] if fits else []
        for move in refused:
            with pytest.raises(IllegalMove):
                self.game.apply(state, Seat(at), move)
        other = Seat((at + 1) % self.size)
        for move in (Pass(), Play(Card(held[other][0]))):
            with pytest.raises(IllegalMove, match="not_your_turn"):
                self.game.apply(state, other, move)

    def _chosen(self, at: int, fits: set[str]) -> tuple[Play | Pass | TimedOut, str | None]:
        by_clock = self.chance.random() < 0.2
        if not fits:
            return (TimedOut(Seat(at)) if by_clock else Pass()), None
        card = oracle.by_clock(fits) if by_clock else self.chance.choice(sorted(fits))
        return (TimedOut(Seat(at)) if by_clock else Play(Card(card))), card


@pytest.mark.parametrize("game", [BADAM_SATTI, SEVENS], ids=lambda game: game.name)
@pytest.mark.parametrize(("seats", "hands"), TABLES)
def test_whole_matches_are_played_as_the_source_says(game: AnyGame, seats: int, hands: int) -> None:
    match = Match(game, seats, hands)
    played = list(match.play())
    assert len(played) == hands
    best = max(match.totals) if game is SEVENS else min(match.totals)
    winners = tuple(seat for seat in range(seats) if match.totals[seat] == best)
    assert played[-1].winners == winners
    assert played[-1].winner == (winners[0] if len(winners) == 1 else None)
    assert played[-1].carry.memo == ""
