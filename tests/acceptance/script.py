"""Players with a script for each hand: they pass, drop, fall silent, declare wrongly or rightly."""

import asyncio
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from server.bots.client import Client, Move
from server.bots.games import wire_of
from server.bots.rummy import choose
from server.bots.rummy_hand import RummyHand
from server.bots.table_watch import TableWatch
from server.errors import Refusal
from server.games.rummy.moves import Declare, Discard, Draw, Drop

Frame = Mapping[str, Any]
Plan = Callable[[RummyHand, Random], Any]
"""Chooses a move; None is silence until the clock plays."""


def drops(hand: RummyHand, random: Random) -> Any:
    """Give up at once."""
    return Drop() if hand.drawn is None else Discard(hand.holding[-1])


def passes(hand: RummyHand, random: Random) -> Any:
    """Draw from the closed pile and discard what was drawn, so that it runs out."""
    return Draw("closed") if hand.drawn is None else Discard(hand.holding[-1])


def declares_wrongly(hand: RummyHand, random: Random) -> Any:
    """Declare with whatever is held."""
    return Draw("closed") if hand.drawn is None else Declare(hand.holding[0])


def plays(hand: RummyHand, random: Random) -> Any:
    """Play to win, and never drop."""
    move = choose(hand.sight(), random)
    return Draw("closed") if isinstance(move, Drop) else move


def passes_until(draws: int, then: Plan) -> Plan:
    """Pass for so many turns."""
    return lambda hand, random: (passes if _is_before(hand, draws) else then)(hand, random)


def sleeps_until(draws: int, then: Plan) -> Plan:
    """Say nothing for so many turns."""
    return lambda hand, random: None if _is_before(hand, draws) else then(hand, random)


def _is_before(hand: RummyHand, draws: int) -> bool:
    return hand.draws < draws or (hand.draws == draws and hand.drawn is not None)


class Scripted:
    """A chooser that follows its plan for each hand number, and the last plan ever after."""

    def __init__(self, random: Random, *plans: Plan) -> None:
        self._random = random
        self._plans = plans
        self.refusals: list[Refusal] = []
        self.lines = 0

    async def choose(self, watch: TableWatch) -> Move:
        """Choose by the hand's plan."""
        opened, deal = watch.hand.opened, watch.hand.deal
        if opened is None or deal is None or not self._plans:
            raise asyncio.CancelledError
        assert isinstance(deal.public, RummyHand)
        plan = self._plans[min(opened.hand_no, len(self._plans)) - 1]
        move = plan(deal.public, self._random)
        if move is None:
            await asyncio.Event().wait()
        return wire_of(move)

    def told(self, watch: TableWatch, frame: Frame) -> None:
        """Count the lines of all hands."""
        self.lines += "T" in frame

    def refused(self, watch: TableWatch, refusal: Refusal) -> None:
        """Write a refusal down."""
        self.refusals.append(refusal)


class Unrevealing(Client):
    """A client that commits, and for one hand keeps its first reveal to itself."""

    silent_in = 2

    async def _say(self, watch: TableWatch, frame: Frame) -> bool:
        is_withheld = frame["t"] == "deal.reveal" and frame["hand"] == self.silent_in
        if is_withheld and frame["d"]["attempt"] == 0:
            return True
        return await super()._say(watch, frame)
