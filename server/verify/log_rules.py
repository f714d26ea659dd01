"""What anyone can watch of the public log: hands (fairdeal/1 section 4), and seals."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final

from server.fairness.commitment import ATTEMPTS, EPOCHS_MAX, hand_hash, server_commit
from server.fairness.entries import CancelReason
from server.fairness.logged import (
    LogCancelled,
    LogClosed,
    LogDealt,
    LogKeyed,
    LogOpened,
    LogSealed,
    LogVoided,
    read_entry,
)
from server.fairness.record import Hash, Name
from server.fairness.shape import Whole
from server.verify.log_keys import KeysInForce
from server.verify.log_seals import NO_SEAL, LastSeal, last_of, why_not_next

HAND_NO_MAX: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Problem:
    """A rule that does not hold, by its name, and what was seen."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A hand that has an OPEN and no end yet.

    Shape: `server_pub` is the key that opened it and signs it to its end. `voids` of its attempts
           were given up, the first ones; `dealt` is the attempt whose cards went out over the list
           `listing`, None before, and `epochs` how often it was dealt.
    """

    server_pub: Hash
    table: Name
    hand_no: Annotated[int, Whole(0, HAND_NO_MAX)]
    spec: Hash
    commits: tuple[Hash, ...]
    voids: Annotated[int, Whole(0, ATTEMPTS)] = 0
    dealt: Annotated[int, Whole(0, ATTEMPTS - 1)] | None = None
    listing: Hash | None = None
    epochs: Annotated[int, Whole(0, EPOCHS_MAX + 1)] = 0

    def __str__(self) -> str:
        return _name_of(self.table, self.hand_no)


class LogRules:
    """Follows every hand through the log's entries, in order.

    Shape: `newest` has the last hand number of each table; `counts` how many entries of each kind.
           `keys` are those in force there, `log_keys` all that were the log's own.
           Rules: `form`, `dense`, `one end`, `voids`, `deals`, `seed`, `seals`, `rotation`.
    """

    def __init__(
        self,
        keys: KeysInForce,
        newest: Mapping[bytes, int] | None = None,
        unfinished: Iterable[Unfinished] = (),
        counts: Mapping[str, int] | None = None,
        seal: LastSeal = NO_SEAL,
    ) -> None:
        self.newest = dict(newest or {})
        self.counts = Counter(counts or {})
        self.problems: list[Problem] = []
        self.seal = seal
        self.keys = keys
        self.log_keys = {keys.log_pub}
        self._hands: dict[tuple[bytes, int], Unfinished] = {}
        self._attempts: dict[bytes, tuple[tuple[bytes, int], int]] = {}
        self._at = ""
        for hand in unfinished:
            self._keep(hand)

    @property
    def unfinished(self) -> tuple[Unfinished, ...]:
        """List the hands without an end."""
        return tuple(self._hands.values())

    def take(self, index: int, entry: bytes) -> None:
        """Follow one entry; what breaks a rule is added to `problems`."""
        self._at = f"entry {index}"
        try:
            logged = read_entry(entry)
        except ValueError as error:
            self._fails("form", f"can't be read: {error}")
            return
        match logged:
            case LogOpened():
                self._opened(logged)
            case LogDealt():
                self._dealt(logged)
            case LogVoided():
                self._voided(logged)
            case LogClosed():
                self._closed(logged)
            case LogCancelled():
                self._cancelled(logged)
            case LogSealed():
                self._sealed(logged)
            case LogKeyed():
                self._keyed(logged)

    def end(self) -> None:
        """Demand, where the log ends, that no table has an unfinished hand but its newest."""
        self._at = "at the end"
        for hand in self._hands.values():
            if hand.hand_no != self.newest[hand.table]:
                self._fails(
                    "one end", f"{hand} has neither CLOSE nor CANCEL, and is not the newest"
                )

    def _opened(self, logged: LogOpened) -> None:
        self.counts["opened"] += 1
        last, name = self.newest.get(logged.table, 0), _name_of(logged.table, logged.hand_no)
        if logged.hand_no != last + 1:
            self._fails("dense", f"{name} is opened after hand {last}")
        if logged.hand_no <= last:
            return
        self.newest[logged.table] = logged.hand_no
        self._keep(
            Unfinished(
                server_pub=self.keys.server_pub,
                table=logged.table,
                hand_no=logged.hand_no,
                spec=logged.spec,
                commits=logged.commits,
            )
        )

    def _dealt(self, logged: LogDealt) -> None:
        self.counts["dealt"] += 1
        found = self._attempt(logged.hand, "DEAL")
        if found is None:
            return
        hand, attempt = found
        if attempt != hand.voids or hand.dealt not in (None, attempt):
            self._fails("deals", f"{hand}: attempt {attempt} is not the one that may be dealt")
        elif logged.epoch != hand.epochs:
            self._fails("deals", f"{hand}: epoch {logged.epoch} comes after {hand.epochs} DEALs")
        elif hand.listing not in (None, logged.listing):
            self._fails("deals", f"{hand}: epoch {logged.epoch} is over another list")
        else:
            dealt = replace(hand, dealt=attempt, listing=logged.listing, epochs=hand.epochs + 1)
            self._keep(dealt)

    def _voided(self, logged: LogVoided) -> None:
        self.counts["voided"] += 1
        found = self._attempt(logged.hand, "VOID")
        if found is None:
            return
        hand, attempt = found
        self._check_seed(hand, attempt, logged.hand, logged.seed)
        if attempt != hand.voids or _is_given_up(hand):
            self._fails("voids", f"{hand}: attempt {attempt} is voided after {hand.voids} VOIDs")
        else:
            self._keep(replace(hand, voids=hand.voids + 1))

    def _closed(self, logged: LogClosed) -> None:
        self.counts["closed"] += 1
        found = self._attempt(logged.hand, "CLOSE")
        if found is None:
            return
        hand, attempt = found
        self._check_seed(hand, attempt, logged.hand, logged.seed)
        if attempt != hand.dealt or _is_given_up(hand):
            self._fails("deals", f"{hand}: attempt {attempt} is closed and has no DEAL that stands")
        self._end(hand)

    def _cancelled(self, logged: LogCancelled) -> None:
        self.counts["cancelled"] += 1
        hand = self._hands.get((logged.table, logged.hand_no))
        if hand is None:
            name = _name_of(logged.table, logged.hand_no)
            self._fails("one end", f"a CANCEL of {name}, which is not open")
            return
        if hand.dealt is not None and not _is_given_up(hand):
            self._fails("voids", f"{hand} is cancelled with its cards out, and without a VOID")
        if logged.reason is CancelReason.ATTEMPTS_USED_UP and hand.voids != ATTEMPTS:
            self._fails("voids", f"{hand}: attempts used up after {hand.voids} VOIDs")
        if logged.reason is CancelReason.AFTER_VOID and not hand.voids:
            self._fails("voids", f"{hand} is cancelled after a VOID that there is not")
        self._end(hand)

    def _sealed(self, logged: LogSealed) -> None:
        self.counts["sealed"] += 1
        for text in why_not_next(logged, self.seal, self.keys.server_pub):
            self._fails("seals", text)
        self.seal = last_of(logged)

    def _keyed(self, logged: LogKeyed) -> None:
        self.counts["rotated"] += 1
        problems = list(self.keys.why_not(logged))
        for text in problems:
            self._fails("rotation", text)
        if not problems:
            self.keys = self.keys.after(logged)
            self.log_keys.add(self.keys.log_pub)

    def _attempt(self, digest: bytes, kind: str) -> tuple[Unfinished, int] | None:
        found = self._attempts.get(digest)
        if found is None:
            self._fails("one end", f"a {kind} of {digest.hex()[:16]}, which is of no open hand")
            return None
        return self._hands[found[0]], found[1]

    def _check_seed(self, hand: Unfinished, attempt: int, digest: bytes, seed: bytes) -> None:
        if server_commit(digest, seed) != hand.commits[attempt]:
            self._fails("seed", f"{hand}: the seed of attempt {attempt} is not the committed one")

    def _keep(self, hand: Unfinished) -> None:
        key = (hand.table, hand.hand_no)
        if key not in self._hands:
            for attempt in range(ATTEMPTS):
                self._attempts[_hash_of(hand, attempt)] = (key, attempt)
        self._hands[key] = hand

    def _end(self, hand: Unfinished) -> None:
        del self._hands[hand.table, hand.hand_no]
        for attempt in range(ATTEMPTS):
            del self._attempts[_hash_of(hand, attempt)]

    def _fails(self, rule: str, text: str) -> None:
        self.problems.append(Problem(rule, f"{self._at}: {text}"))


def _hash_of(hand: Unfinished, attempt: int) -> bytes:
    return hand_hash(
        server_pub=hand.server_pub,
        table=hand.table,
        hand_no=hand.hand_no,
        attempt=attempt,
        spec=hand.spec,
    )


def _is_given_up(hand: Unfinished) -> bool:
    """Tell whether the attempt whose cards went out was voided: then only a CANCEL may come."""
    return hand.dealt is not None and hand.dealt < hand.voids


def _name_of(table: bytes, hand_no: int) -> str:
    return f"hand {hand_no} of table {table.hex()}"
