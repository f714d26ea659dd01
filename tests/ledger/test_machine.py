"""A model and the database, side by side, through anything that may happen in any order."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from server.database import Database, PlayerId
from server.errors import Refusal
from server.ledger.service import Settlement, Voided
from server.ledger.transfers import commission_of
from tests.ledger import house

T = TypeVar("T")

SEATS = 4
WELCOME = 1_000
BPS = 700
amounts = st.integers(1, 600)

_hands = count(1)
_people = count(1, SEATS)


class Elsewhere:
    """An event loop in a thread of its own: hypothesis runs plain functions."""

    def __init__(self, url: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.database = Database(url)

    def do(self, work: Coroutine[Any, Any, T]) -> T | str:
        """Run work to its end; a refusal is its code."""
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)
        except Refusal as refusal:
            return refusal.code

    def close(self) -> None:
        """End loop and thread."""
        self.do(self.database.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def elsewhere(database_url: str) -> Iterator[Elsewhere]:
    """A database whose calls can be waited for."""
    started = Elsewhere(database_url)
    yield started
    started.close()


@dataclass
class Hand:
    """What the model knows of a hand."""

    number: int
    seats: tuple[PlayerId, ...]
    stake: int
    outcome: str = "open"
    settled: tuple[PlayerId, dict[PlayerId, int]] | None = None
    answer: Settlement | None = None


@dataclass
class Entry:
    """A journal entry and what it did to each player."""

    number: int
    moved: dict[PlayerId, int] = field(default_factory=dict)
    reversal: int | None = None


class LedgerMachine(RuleBasedStateMachine):
    """Each example has players and hands of its own; the database is the same for all."""

    hands: Bundle[Hand] = Bundle("hands")
    entries: Bundle[Entry] = Bundle("entries")

    elsewhere: Elsewhere

    @initialize()
    def newcomers(self) -> None:
        self.players = house.people(SEATS, first=next(_people))
        self.do(house.open_accounts(self.database, self.players, welcome=WELCOME))
        self.posted = dict.fromkeys(self.players, WELCOME)
        self.held = dict.fromkeys(self.players, 0)
        self.keys: dict[str, tuple[str, PlayerId, int, int]] = {}

    @property
    def database(self) -> Database:
        return self.elsewhere.database

    def do(self, work: Coroutine[Any, Any, T]) -> T | str:
        return self.elsewhere.do(work)

    def available(self, player: PlayerId) -> int:
        return self.posted[player] - self.held[player]

    @rule(target=entries, who=st.integers(0, SEATS - 1), amount=amounts, key=st.integers(0, 9))
    def issue(self, who: int, amount: int, key: int) -> Entry:
        return self._transfer("issue", self.players[who], amount, key)

    @rule(target=entries, who=st.integers(0, SEATS - 1), amount=amounts, key=st.integers(0, 9))
    def withdraw(self, who: int, amount: int, key: int) -> Entry:
        return self._transfer("withdraw", self.players[who], amount, key)

    @rule(target=hands, seats=st.integers(2, SEATS), stake=amounts)
    def hold(self, seats: int, stake: int) -> Hand:
        hand = Hand(next(_hands), tuple(self.players[:seats]), stake)
        said = self.do(house.hold(self.database, hand.number, hand.seats, stake, BPS))
        if any(self.available(player) < stake for player in hand.seats):
            assert said == "not_covered"
            hand.outcome = "refused"
            return hand
        assert said is True
        for player in hand.seats:
            self.held[player] += stake
        return hand

    @rule(hand=hands)
    def hold_again(self, hand: Hand) -> None:
        said = self.do(house.hold(self.database, hand.number, hand.seats, hand.stake, BPS))
        if hand.outcome == "refused":
            covered = all(self.available(player) >= hand.stake for player in hand.seats)
            assert said == (True if covered else "not_covered")
            if covered:
                hand.outcome = "open"
                for player in hand.seats:
                    self.held[player] += hand.stake
            return
        expected = {"open": False, "voided": "hand_voided", "settled": "hand_held_otherwise"}
        assert said == expected[hand.outcome]

    @rule(target=entries, hand=hands, winner=st.integers(0, SEATS - 1), parts=st.data())
    def settle(self, hand: Hand, winner: int, parts: st.DataObject) -> Entry:
        first = hand.seats[winner % len(hand.seats)]
        losers = [player for player in hand.seats if player != first]
        pays = {player: parts.draw(st.integers(0, hand.stake)) for player in losers}
        said = self.do(house.settle(self.database, hand.number, first, pays))
        if hand.outcome == "open":
            assert isinstance(said, Settlement)
            assert said.pot == commission_of(sum(pays.values()), BPS)
            hand.outcome, hand.settled, hand.answer = "settled", (first, pays), said
            for player in hand.seats:
                self.held[player] -= hand.stake
                self.posted[player] += said.net_micro[player]
            return Entry(said.journal_id, dict(said.net_micro))
        if hand.outcome == "settled" and (first, pays) == hand.settled:
            assert said == hand.answer
        else:
            expected = {"voided": "hand_voided", "refused": "unknown_hand"}
            assert said == expected.get(hand.outcome, "hand_settled_otherwise")
        return Entry(0)

    @rule(hand=hands)
    def settle_again(self, hand: Hand) -> None:
        if hand.settled is not None:
            said = self.do(house.settle(self.database, hand.number, *hand.settled))
            assert said == hand.answer

    @rule(hand=hands)
    def settle_too_dear(self, hand: Hand) -> None:
        if hand.outcome == "open":
            pays = dict.fromkeys(hand.seats[1:], hand.stake + 1)
            said = self.do(house.settle(self.database, hand.number, hand.seats[0], pays))
            assert said == "hold_mismatch"

    @rule(hand=hands)
    def void(self, hand: Hand) -> None:
        said = self.do(house.void(self.database, hand.number))
        expected = {
            "open": Voided.VOIDED,
            "voided": Voided.ALREADY_VOIDED,
            "settled": Voided.ALREADY_SETTLED,
            "refused": "unknown_hand",
        }
        assert said == expected[hand.outcome]
        if hand.outcome == "open":
            hand.outcome = "voided"
            for player in hand.seats:
                self.held[player] -= hand.stake

    @rule(entry=consumes(entries))
    def reverse(self, entry: Entry) -> None:
        if entry.number == 0:
            return
        said = self.do(house.reverse(self.database, entry.number))
        if any(self.available(player) < moved for player, moved in entry.moved.items()):
            assert said == "not_covered"
            return
        assert isinstance(said, int)
        for player, moved in entry.moved.items():
            self.posted[player] -= moved
        assert self.do(house.reverse(self.database, entry.number)) == said
        assert self.do(house.reverse(self.database, said)) == "not_reversible"

    @invariant()
    def balances_agree(self) -> None:
        for player in self.players:
            found = self.do(house.balance(self.database, player))
            assert not isinstance(found, str)
            assert found.posted_micro == self.posted[player]
            assert found.held_micro == self.held[player]

    def teardown(self) -> None:
        assert self.do(house.broken(self.database)) == []

    def _transfer(self, kind: str, player: PlayerId, amount: int, key: int) -> Entry:
        full_key = f"{self.players[0]}-{key}"
        work = house.issue if kind == "issue" else house.withdraw
        said = self.do(work(self.database, player, amount, full_key))
        known = self.keys.get(f"{kind} {full_key}")
        if known is not None:
            same = known[:3] == (kind, player, amount)
            assert said == (known[3] if same else "key_reused")
            return Entry(0)
        sign = 1 if kind == "issue" else -1
        if self.available(player) + sign * amount < 0:
            assert said == "not_covered"
            return Entry(0)
        assert isinstance(said, int)
        self.keys[f"{kind} {full_key}"] = (kind, player, amount, said)
        self.posted[player] += sign * amount
        return Entry(said, {player: sign * amount})


def test_the_ledger_and_its_model_agree_whatever_happens(elsewhere: Elsewhere) -> None:
    class Machine(LedgerMachine):
        pass

    Machine.elsewhere = elsewhere
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=15,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
