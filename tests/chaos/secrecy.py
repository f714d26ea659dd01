"""Every frame that a player was sent, searched for what was not yet due to it."""

import hashlib
import json
from collections import ChainMap
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from server.bots.seating import Seating
from server.cards.pack import Pack
from server.fairness.seal import Sealer
from server.fairness.signing import SigningKey
from server.games.rummy.options import PACKS
from tests.acceptance.known import Known
from tests.acceptance.known_free import KnownCourtPiece, KnownSeep
from tests.acceptance.needles import Leak, Needles, faces_in
from tests.acceptance.receiver import Knows, Receiver
from tests.acceptance.truth import Truth, seeds_of
from tests.chaos.company import SEATS, Company
from tests.chaos.house import House
from tests.chaos.line import Line

Part = Mapping[str, Any]
KNOWS: Final[Mapping[str, Knows]] = {
    "rummy": Known,
    "seep": KnownSeep,
    "court_piece": KnownCourtPiece,
}
"""The games whose frames can be judged: what may be known of each is written down by its rules."""


class Told:
    """What all frames together tell of one table's lists, packs and calls."""

    def __init__(self) -> None:
        self._lists: dict[tuple[int, int], Part] = {}
        self._heads: dict[tuple[int, int, int], Part] = {}
        self._calls: dict[tuple[int, int], Part] = {}
        self._attempt: dict[int, int] = {}

    def hear(self, frame: Part) -> None:
        """Take an event or a snapshot of the table."""
        d = frame["d"]
        if d is None:
            return
        if frame["t"] == "snapshot":
            self._snapshot(d["hand"])
        elif d["e"] == "hand.listed":
            self._lists[d["hand"], d["attempt"]] = d
        elif d["e"] == "hand.dealt":
            self._attempt[d["hand"]] = d["attempt"]
            self._heads[d["hand"], d["attempt"], 0] = d
        elif d["e"] == "hand.again_called":
            self._calls[d["hand"], d["epoch"]] = d
        elif d["e"] == "hand.reshuffled":
            self._heads[d["hand"], self._attempt[d["hand"]], d["epoch"]] = d

    def _snapshot(self, hand: Part | None) -> None:
        if hand is None:
            return
        self._lists[hand["hand"], hand["attempt"]] = hand["listed"]
        self._attempt[hand["hand"]] = hand["attempt"]
        for epoch, head in enumerate(hand.get("heads", ())):
            self._heads[hand["hand"], hand["attempt"], epoch] = head
        if hand.get("call") is not None:
            self._calls[hand["hand"], hand["call"]["epoch"]] = hand["call"]

    def derive(self, truth: Truth, table: str) -> None:
        """Let the truth derive every pack, in the order in which they were dealt."""
        for (hand, attempt), listed in sorted(self._lists.items(), key=lambda row: row[0]):
            truth.hear(_event(table, "hand.listed", listed))
            heads = sorted(place for place in self._heads if place[:2] == (hand, attempt))
            for place in heads:
                if place[2]:
                    truth.hear(_event(table, "hand.again_called", self._calls[hand, place[2]]))
                name = "hand.reshuffled" if place[2] else "hand.dealt"
                truth.hear(_event(table, name, self._heads[place]))


def _event(table: str, name: str, d: Part) -> dict[str, Any]:
    return {"t": "event", "table": table, "d": {**d, "e": name}}


class Follower(Receiver):
    """The strict reader of one table's frames to one player, over all its sockets.

    What it is told twice must be the same; its seat is its own only in hands that list it there.
    """

    def __init__(self, name: str, game: str, truth: Truth, needles: Needles) -> None:
        super().__init__(
            name,
            {},
            pack=truth.pack,
            cards_of=lambda *of: partial(truth.card_at, *of),
            needles=needles,
            knows=KNOWS[game],
        )
        self._seating = Seating()
        self._stream, self._seq = 0, 0
        self._said: dict[tuple[int, int], bytes] = {}

    def hear(self, frame: Part, text: str) -> None:
        """Judge the next frame that came. Raises Leak."""
        place, d = (frame["stream"], frame["seq"]), frame["d"]
        if frame["t"] == "snapshot":
            self._seating.reset(d)
        else:
            said = hashlib.sha256(json.dumps(d, sort_keys=True).encode()).digest()
            if frame["stream"] == self._stream and frame["seq"] <= self._seq:
                if self._said.get(place, said) != said:
                    raise Leak(f"{self.name}: number {place} is told twice, and not alike")
                return
            if frame["stream"] == self._stream and frame["seq"] > self._seq + 1 and self._seq:
                raise Leak(f"{self.name}: numbers are missing before {place}")
            self._said[place] = said
            if d is not None and d["e"].startswith("seat.") and d["e"] != "seat.gone":
                self._seating.take(d)
        self._stream, self._seq = place
        self.take(frame, text)

    def _fresh(self, table: str, listed: Part) -> Known:
        me = self._seating.me
        known = self._seating.known_before.get(me, ()) if me is not None else ()
        pseudonyms = {pseudonym.hex() for _, pseudonym in known}
        mine = [row for row in listed["seats"] if row["seat"] == me]
        is_listed = bool(mine) and mine[0]["player"] in pseudonyms
        self._seats = {table: me} if is_listed and me is not None else {}
        return super()._fresh(table, listed)


async def search(house: House, company: Company) -> dict[str, int]:
    """Judge all that came over every line; counts for the report. Raises Leak."""
    told = {table: Told() for table in company.tables}
    for line in company.lines:
        for _, frame in line.frames():
            if frame.get("table") in told and frame["t"] in ("event", "snapshot"):
                told[frame["table"]].hear(frame)
    truths = await _truths(house, company, told)
    secrets = [truth.secrets() for truth in truths.values()]
    needles = Needles(dict(ChainMap(*secrets)))
    searched = sum(_search_line(line, company, truths, needles) for line in company.lines)
    return {"frames searched": searched, "secrets searched for": len(needles)}


async def _truths(house: House, company: Company, told: Mapping[str, Told]) -> Mapping[str, Truth]:
    database = house.database()
    try:
        seeds = await seeds_of(database, Sealer.from_file(house.home))
    finally:
        await database.close()
    public = SigningKey.from_file(house.home).public
    truths = {}
    for table, game in company.tables.items():
        truths[table] = Truth(_pack_of(game), public, seeds)
        told[table].derive(truths[table], table)
        assert truths[table].shoes, f"nothing was dealt at a table of {game}"
    return truths


def _pack_of(game: str) -> Pack:
    return PACKS[SEATS] if game == "rummy" else Pack(1, 0)


def _search_line(
    line: Line, company: Company, truths: Mapping[str, Truth], needles: Needles
) -> int:
    followers = {
        table: Follower(line.name, game, truths[table], needles)
        for table, game in company.tables.items()
    }
    count = 0
    for text, frame in line.frames():
        count += 1
        if frame.get("table") in followers and frame["t"] in ("event", "snapshot"):
            followers[frame["table"]].hear(frame, text)
        else:
            _demand_nothing(line.name, text.encode(), needles)
    for data in line.answers():
        _demand_nothing(line.name, data, needles)
    return count


def _demand_nothing(name: str, data: bytes, needles: Needles) -> None:
    if faces := faces_in(data.decode("utf-8", "replace")):
        raise Leak(f"{name}: an answer names {sorted(faces)}")
    for secret in needles.find_anywhere(data):
        raise Leak(f"{name}: an answer holds {secret}")
