"""The strict reader of one receiver's frames: each card and secret must be due to it by then."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from server.cards.pack import Pack
from tests.acceptance.known import CardAt, Known
from tests.acceptance.needles import (
    Leak,
    Needles,
    Secret,
    demand_no_long_numbers,
    faces_in,
    texts_in,
)

Part = Mapping[str, Any]
CardsOf = Callable[[str, int, int], CardAt]
"""Finds the true cards of (table, hand number, attempt)."""

Knows = Callable[[Part, int | None, Pack, CardAt], Known]
"""Begins what a receiver may know of a hand, by the rules of the game that is played."""


class Receiver:
    """One socket's receiver.

    Shape: `seats` has its seat at each table where it sits; `history` the cards that it may know
           after each event, by table: the spectator's are the public ones. `due` counts the
           secrets that were found and rightly told.
    """

    def __init__(
        self,
        name: str,
        seats: Mapping[str, int],
        *,
        pack: Pack,
        cards_of: CardsOf,
        needles: Needles,
        knows: Knows = Known,
    ) -> None:
        self.name = name
        self.history: dict[str, list[tuple[int, int, frozenset[str]]]] = defaultdict(list)
        self.seen: set[str] = set()
        self.due: Counter[str] = Counter()
        self._seats = seats
        self._pack = pack
        self._cards_of = cards_of
        self._needles = needles
        self._knows = knows
        self._known: dict[str, Known] = {}
        self._released: set[tuple[str, int, int]] = set()

    def take(self, frame: Part, text: str | None = None) -> None:
        """Judge the next frame. Raises Leak."""
        try:
            self._take(frame, json.dumps(frame) if text is None else text)
        except Leak as leak:
            said = (frame.get("d") or {}).get("e", frame["t"])
            raise Leak(f"{self.name}, {said}: {leak}") from None

    def _take(self, frame: Part, text: str) -> None:
        table, d = str(frame.get("table")), frame.get("d")
        if frame["t"] == "event" and d is not None:
            self._event(table, d)
        elif frame["t"] == "snapshot":
            self._snapshot(table, d or {})
        demand_no_long_numbers(frame)
        known = self._known.get(table)
        cards = known.cards if known is not None else set()
        for word in texts_in(frame):
            if strange := faces_in(word) - cards:
                raise Leak(f"{sorted(strange)} can't be known to it")
            if not word.isascii():  # bytes that were escaped one by one
                for secret in self._needles.find(word):
                    self._demand_due(secret)
        for secret in self._needles.find(text):
            self._demand_due(secret)
        if known is not None and "seq" in frame:
            self.history[table].append((frame["seq"], known.hand_no, frozenset(cards)))

    def _demand_due(self, secret: Secret) -> None:
        self.due[secret.kind] += 1
        if (secret.table, secret.hand_no, secret.attempt) in self._released:
            return
        known = self._known.get(secret.table)
        is_due = (
            secret.kind == "salt"
            and known is not None
            and known.hand_no == secret.hand_no
            and known.may_have_salt(secret.attempt, secret.epoch, secret.position)
        )
        if not is_due:
            raise Leak(f"{secret} is sent")

    def _event(self, table: str, d: Part) -> None:
        name = d["e"]
        self.seen.add(name)
        if name == "hand.listed":
            self._known[table] = self._fresh(table, d)
            return
        if name in {"hand.closed", "hand.voided", "hand.cancelled"}:
            self._over(table, d)
            return
        known = self._known.get(table)
        if known is None:
            return
        if name == "hand.dealt":
            known.dealt(d["toss"])
        elif name == "hand.again_called":
            known.called(d["numbers"])
        elif name == "hand.reshuffled":
            known.reshuffled()
        if d.get("line") is not None:
            known.line(d["line"])
        known.told(d)
        for row in d.get("openings", ()):
            known.opening(row)
        if name == "wrong_declare":
            known.laid_down(d["seat"], d["cards"])
        elif name == "shown":
            known.shown(d["cards"])

    def _over(self, table: str, d: Part) -> None:
        """After the close all seeds are public; after a void its own; no card needs to be named."""
        self._known.pop(table, None)
        if d["e"] == "hand.closed":
            self._released |= {(table, d["hand"], attempt) for attempt in range(4)}
        elif d["e"] == "hand.voided":
            self._released.add((table, d["hand"], d["attempt"]))

    def _snapshot(self, table: str, d: Part) -> None:
        if d["last"] is not None:
            self._released |= {(table, d["last"]["hand"], attempt) for attempt in range(4)}
        self._known.pop(table, None)
        hand = d["hand"]
        if hand is None:
            return
        known = self._known[table] = self._fresh(table, hand["listed"])
        if "heads" not in hand:
            return
        known.dealt(hand["heads"][0]["toss"])
        known.told(hand["view"])
        early = [row for row in hand["openings"] if known.may_have_salt(known.attempt, *_at(row))]
        for row in early:
            known.opening(row)
        for row in hand["lines"][1:]:
            if row["line"] is None:
                known.reshuffled()
            else:
                known.line(row["line"])
        for row in hand["openings"]:
            known.opening(row)
        for row in hand["view"]["seats"]:
            if row.get("shown"):
                known.laid_down(row["seat"], row["shown"])
        if hand["call"] is not None:
            known.called(hand["call"]["numbers"])

    def _fresh(self, table: str, listed: Part) -> Known:
        card_at = self._cards_of(table, listed["hand"], listed["attempt"])
        return self._knows(listed, self._seats.get(table), self._pack, card_at)


def _at(row: Part) -> tuple[int, int]:
    return row["epoch"], row["position"]
