"""The open hand of a table as a client follows it: from its opening to its close."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from server.bots.close_checks import HandOver, check_cancel, check_close, check_void
from server.bots.deal_watch import DealWatch
from server.bots.evidence import demand, found
from server.bots.form import number_of, text_of
from server.bots.games import public_hand
from server.bots.list_checks import UNKNOWN, Expected, OwnCommit, check_list
from server.bots.opening_checks import LogHead, OpenHand, check_open
from server.bots.own_part import OwnPart
from server.bots.replayed import check_result
from server.bots.seating import Seating
from server.bots.server_keys import KeyAt
from server.bots.vault import Vault
from server.cards.game import AnyGame, Carry, Seat, dealer_of

Part = Mapping[str, Any]
Command = dict[str, Any]


class HandWatch:
    """Checks the hand that is open, and says what this client's seat owes to its deal."""

    def __init__(
        self, table: str, *, server_key_at: KeyAt, vault: Vault, seating: Seating, part: OwnPart
    ) -> None:
        self.game: AnyGame | None = None
        self.options: Mapping[str, Any] = {}
        self.phase = "waiting"
        self.waiting: frozenset[int] = frozenset()
        self.attempt = 0
        self.turn = 0
        self.turn_seats: frozenset[int] = frozenset()
        self.deadline_ms = 0
        self.opened: OpenHand | None = None
        self.deal: DealWatch | None = None
        self.overs: list[HandOver] = []
        self.unproved: list[LogHead] = []
        self._carry: Carry | None = None
        self._own: OwnCommit | None = None
        self._sent: set[tuple[object, ...]] = set()
        self._asked: set[tuple[int, int]] = set()
        self._table = table
        self._server_key_at = server_key_at
        self._vault = vault
        self._seating = seating
        self._part = part

    # --- what this seat owes

    def due(self, seat: int) -> Command | None:
        """Find the deal's command that is due from `seat`; each is given out once."""
        opened, deal = self.opened, self.deal
        if opened is None or seat not in self.waiting:
            return None
        key = (opened.hand_no, self.attempt)
        if self.phase == "commit":
            if self.unproved or not self._once("commit", *key):
                return None
            self._own, frame = self._part.commit(opened, self.attempt, seat)
            return frame
        if deal is None or not self._part.can_reveal(deal.signed, seat):
            return None
        if self.phase == "reveal" and self._once("reveal", *key):
            return self._part.reveal(opened, deal.signed, seat)
        if deal.call is not None and self._once("again", *key, deal.call.epoch):
            return self._part.reveal_again(opened, deal.signed, seat, deal.call)
        return None

    def _was_asked(self, attempt: int) -> bool:
        return self.opened is not None and (self.opened.hand_no, attempt) in self._asked

    def _is_late(self, part: Part) -> bool:
        """Tell whether a substitute's seat is listed without its entropy: for it no hand waits."""
        seats = [row for row in part["seats"] if row["seat"] == self._seating.me]
        is_absent = any(row["status"] == 0 for row in seats)
        is_owed = self._own is not None and self._own.must_be_listed
        return self._seating.is_substitute and is_absent and not is_owed

    def _once(self, *key: object) -> bool:
        if key in self._sent:
            return False
        self._sent.add(key)
        return True

    # --- the hand's events, each checked

    def open(self, part: Part) -> None:
        """Check an opening and that its number is fresh at this table. Errors: Cheated (2, 8)."""
        opened = check_open(part, table=self._table, server_key_at=self._server_key_at)
        pin, seen = f"hand {self._table}", [opened.hand_no, opened.log.leaf.hex()]
        last = self._vault.find(pin)
        is_fresh = last is None or opened.hand_no > last[0] or seen == last
        demand(is_fresh, 2, f"hand {opened.hand_no} is opened again, or out of order")
        if seen != last:
            self._vault.keep(pin, seen)
        if self.opened is None or self.opened.hand_no != opened.hand_no:
            if self.opened is None or self.opened.hand_no + 1 != opened.hand_no:
                self._carry = None
            self.opened, self.deal, self._own, self.attempt = opened, None, None, 0
            self.prove(opened.log)

    def prove(self, head: LogHead) -> None:
        """Note a log entry: before this seat commits again, the log must be proved to have it."""
        if head not in self.unproved:
            self.unproved.append(head)

    def phase_began(self, part: Part) -> None:
        """Follow `deal.phase`. Errors: Cheated(2) if an attempt comes again."""
        attempt = number_of(part, "attempt")
        demand(attempt >= self.attempt, 2, f"attempt {attempt} comes after {self.attempt}")
        if attempt != self.attempt:
            self.attempt, self.deal, self._own = attempt, None, None
        self.phase = text_of(part, "phase")
        self.waiting = frozenset(part["waiting"])
        if self.phase == "commit":
            self.turn_seats = frozenset()
            self._asked.add((number_of(part, "hand"), attempt))

    def turn_began(self, part: Part) -> None:
        """Follow `turn`; what was given before it must be here. Errors: Cheated(12)."""
        if self.deal is not None:
            self.deal.nothing_owed()
        self.phase, self.waiting = "play", frozenset()
        self.turn, self.deadline_ms = number_of(part, "turn"), number_of(part, "deadline")
        self.turn_seats = frozenset(part["seats"])

    def receipt(self, part: Part) -> None:
        """Check a receipt for what this client sent. Errors: Cheated (3, 4, 14, 19)."""
        if self.opened is None or self._own is None:
            return
        kind = self._part.receipt(part, self.opened, self._own)
        if self.deal is not None:
            self.deal.receipts.add(kind)
        elif kind == 0:
            self._own = replace(self._own, must_be_listed=True)

    def listed(self, part: Part, *, is_fresh: bool = True) -> None:
        """Check the signed list, and begin to watch its deal; one of a snapshot isn't fresh.

        Errors: Cheated (2, 3, 5, 17).
        """
        opened = found(self.opened, 2, "a list before any open")
        game = found(self.game, 17, "a list at a table without a game")
        own, me = self._own, self._seating.me
        plays = self._seating.is_pilot and not self._is_late(part)
        if own is not None and (not plays or self._seating.my_absence):
            own = None
        signed = check_list(
            part, opened, own=own, expected=self._expected(game, part, is_fresh=is_fresh)
        )
        if own is None and plays and me is not None and self._was_asked(signed.attempt):
            text = "this seat is listed and has not committed"
            demand(signed.find(me) is None, 3, text)
        public = public_hand(game, self.options, signed, me)
        self.deal = DealWatch(opened, signed, public, me)
        self.attempt = signed.attempt

    def deal_event(self, name: str, part: Part, frame: Part) -> None:
        """Check an event of a listed hand. Errors: Cheated."""
        if self.deal is None and name == "deal.revealed":
            return
        deal = found(self.deal, 5, f"{name} before any list")
        match name:
            case "deal.revealed":
                deal.revealed(part)
            case "hand.dealt":
                deal.dealt(part, frame)
                self.prove(deal.heads[-1].log)
            case "hand.again_called":
                deal.again_called(part)
            case "hand.reshuffled":
                deal.reshuffled(part, frame)
                self.phase, self.waiting = "play", frozenset()
                self.prove(deal.heads[-1].log)
            case _ if part.get("line") is not None:
                deal.line(part, frame)
            case _:
                demand("T" not in frame, 18, f"{name} has a T and no line")
                deal.openings(part)
        deal.no_strays()

    def over(self, part: Part) -> None:
        """Check an end: of the hand, or of an attempt at it. Errors: Cheated (4, 16, 17, 18)."""
        opened = found(self.opened, 16, "an end before any open")
        demand(number_of(part, "hand") == opened.hand_no, 16, "the end is of another hand")
        match part["e"]:
            case "hand.closed":
                over = check_close(part, opened, self.deal)
                self._carry = None  # what was not followed brings nothing that is known
                if self.deal is not None:
                    game = found(self.game, 17, "a hand at a table without a game")
                    self._carry = check_result(over, self.deal, game, self.options)
            case "hand.voided":
                over = check_void(part, opened, self.deal)
            case _:
                over = check_cancel(part, opened)
        self.prove(over.log)
        self.overs.append(over)
        self.deal, self._own = None, None
        self.phase, self.waiting, self.turn_seats = "waiting", frozenset(), frozenset()

    def abandoned(self) -> None:
        """Follow `match.abandoned`: the next hand is a match's first. Errors: Cheated(17)."""
        demand(self._seating.have_all_left, 17, "a match is given up that somebody plays")
        self._carry = Carry()

    def between_matches(self) -> None:
        """Learn from a snapshot that no match runs: one that was running has been abandoned."""
        closed = (over.match for over in reversed(self.overs) if over.match is not None)
        last = next(closed, None)
        if self._carry is not None and last is not None and not last.is_over:
            self._carry = Carry()

    def is_missed(self, hand_no: int) -> bool:
        """Tell whether the open hand has closed without this client hearing of it."""
        heard = any(over.end == "closed" and over.hand_no == hand_no for over in self.overs)
        return self.opened is not None and self.opened.hand_no == hand_no and not heard

    def recall(self, seat: int, *, committed: bool) -> None:
        """Take up what an earlier process of this player did for the attempt."""
        if self._own is None and committed and self.opened is not None:
            own = self._part.find(self.opened, self.attempt, seat)
            if own is not None:
                self._own = replace(own, must_be_listed=True)
                self._sent.add(("commit", self.opened.hand_no, self.attempt))

    def _expected(self, game: AnyGame, part: Part, *, is_fresh: bool) -> Expected:
        now = {seat: (pilot,) for seat, pilot in self._seating.known.items()}
        dealer: int | str | None = UNKNOWN
        memo = None if self._carry is None else self._carry.memo
        if self._carry is not None:
            dealer = dealer_of(self._carry, [Seat(row["seat"]) for row in part["seats"]])
        return Expected(
            game=game.name,
            rules=game.rules_version,
            options=self.options,
            seats=now if is_fresh else self._seating.known_before,
            dealer=dealer,
            memo=memo,
        )
