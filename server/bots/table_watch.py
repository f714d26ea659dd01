"""One table as a client sees it: every frame checked, and what this client must answer.

No socket here: frames go in by `take`, the commands that are due come out of `due`, so that every
lie can be told to it in a test.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from server.bots.evidence import demand, found
from server.bots.form import number_of, part_of, text_of
from server.bots.hand_watch import HandWatch
from server.bots.own_part import OwnPart
from server.bots.seating import Seating
from server.bots.server_keys import KeyAt
from server.bots.snapshot import follow
from server.bots.vault import Vault
from server.games import GAMES

Part = Mapping[str, Any]
Command = dict[str, Any]

COMES_BACK: Final = frozenset({"no_commit", "no_reveal", "absent"})
"""Reasons for sitting out, or for being replaced, that end when the client says it is there."""


class Place(NamedTuple):
    """A decision: the hand, its turn, and the transcript's step that came before it."""

    hand: int
    turn: int
    k: int


class TableWatch:
    """Checks one table's frames for a player; raises `Cheated` at the first that breaks a rule."""

    def __init__(
        self, table: str, *, server_key_at: KeyAt, vault: Vault, with_seed: bool = True
    ) -> None:
        self.table = table
        self.seq = 0
        self.stream = 0
        self.needs_snapshot = True
        self.is_closed = False
        self.seating = Seating()
        self.hand = HandWatch(
            table,
            server_key_at=server_key_at,
            vault=vault,
            seating=self.seating,
            part=OwnPart(vault, with_seed=with_seed),
        )
        self._came_back_at: tuple[int, int] | None = None

    def take(self, frame: Part) -> None:
        """Take an event or a snapshot of this table; a gap makes it wait for a snapshot.

        Errors: Cheated.
        """
        seq, stream = number_of(frame, "seq"), number_of(frame, "stream")
        if frame["t"] == "snapshot":
            self.seq, self.stream = seq, stream
            self._snapshot(part_of(frame, "d"))
            self.needs_snapshot = False
            return
        if self.needs_snapshot or (stream == self.stream and seq <= self.seq):
            return
        if stream != self.stream or seq != self.seq + 1:
            self.needs_snapshot = True
            return
        self.seq = seq
        if frame.get("d") is not None:
            self._event(part_of(frame, "d"), frame)
        else:
            demand("T" not in frame, 18, "a step of the transcript is hidden from this seat")

    def due(self) -> list[Command]:
        """List the commands that are due now, each once; a move is the policy's to choose."""
        me = self.seating.me
        if me is None or self.needs_snapshot:
            return []
        frames = []
        at = (self.hand.opened.hand_no if self.hand.opened else 0, self.hand.attempt)
        # Who has asked to sit out is replaced as one who is absent, and yet stays out.
        why = {self.seating.my_absence, self.seating.replaced} - {None}
        if why and why <= COMES_BACK and self._came_back_at != at:
            self._came_back_at = at
            frames.append({"t": "table.back", "table": self.table})
        if not self.seating.is_pilot:
            return frames
        owed = self.hand.due(me)
        if owed is not None:
            frames.append({**owed, "table": self.table})
        return frames

    @property
    def place(self) -> Place | None:
        """Derive which decision this client's seat has to make now, None if none."""
        hand = self.hand
        deal = hand.deal
        if self.needs_snapshot or hand.opened is None or deal is None or deal.transcript is None:
            return None
        me = self.seating.me
        is_asked = hand.phase == "play" and me in hand.turn_seats and self.seating.is_pilot
        if me is None or not is_asked or not deal.public.may_act(me):
            return None
        return Place(hand.opened.hand_no, hand.turn, deal.transcript.k)

    def _event(self, part: Part, frame: Part) -> None:
        match text_of(part, "e"):
            case name if name.startswith("seat.") and name != "seat.gone":
                self.seating.take(part)
            case "table.closed":
                self.is_closed = True
            case "hand.opened":
                self.hand.open(part)
            case "deal.phase":
                self.hand.phase_began(part)
            case "deal.receipt":
                self.hand.receipt(part)
            case "hand.listed":
                self.hand.listed(part)
            case "turn":
                self.hand.turn_began(part)
            case "hand.closed" | "hand.voided" | "hand.cancelled":
                self.hand.over(part)
            case "match.abandoned":
                self.hand.abandoned()
            case "time.given_back" | "table.closing" | "table.moved":
                pass
            case name:
                self.hand.deal_event(name, part, frame)

    def _snapshot(self, part: Part) -> None:
        hand = self.hand
        self._table(part_of(part, "table"))
        self.seating.reset(part)
        last = part.get("last")
        if last is not None and hand.is_missed(number_of(last, "hand")):
            hand.deal = None  # lines are missing: its seeds can be checked, its record tells all
            hand.over({"e": "hand.closed", **last})
        if part.get("open") is not None:
            hand.open(part_of(part, "open"))
        if part.get("match") is None:
            hand.between_matches()
        dealt = part.get("hand")
        if dealt is not None:
            self._hand(part_of(part, "hand"), part.get("commit") or {})
        else:
            hand.deal = None
        hand.phase = text_of(part, "phase")
        hand.deadline_ms = part.get("deadline") or 0
        waiting = frozenset(part["waiting"])
        in_play = hand.phase == "play"
        hand.turn_seats = waiting if in_play else frozenset()
        hand.waiting = frozenset() if in_play else waiting
        if part.get("attempt") is not None:
            hand.attempt = number_of(part, "attempt")

    def _table(self, table: Part) -> None:
        game = found(GAMES.get(text_of(table, "game")), 17, "a game that this client doesn't know")
        options = part_of(table, "options")
        if self.hand.game is not None:
            same = (game, options) == (self.hand.game, self.hand.options)
            demand(same, 17, "the table's game or options have changed")
        demand(table.get("rules") == game.rules_version, 17, "other rules than this client knows")
        self.hand.game, self.hand.options = game, options

    def _hand(self, dealt: Part, commit: Part) -> None:
        hand = self.hand
        hand.attempt = number_of(dealt, "attempt")
        if self.seating.me is not None:
            hand.recall(self.seating.me, committed=bool(commit.get("committed")))
        if dealt.get("listed") is None:
            return
        listed = part_of(dealt, "listed")
        if hand.deal is None or hand.deal.signed.digest.hex() != listed.get("L"):
            hand.listed(listed, is_fresh=False)
        deal = found(hand.deal, 5, "a hand without a list")
        follow(deal, dealt)
        for head in deal.heads:
            hand.prove(head.log)
        hand.turn = dealt.get("turn") or 0
