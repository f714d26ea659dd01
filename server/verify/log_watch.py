"""A server's public log, followed from outside: its tree grown again entry by entry, and its rules.

What is kept between two looks is small: the tree's complete subtrees, the numbers that tables have
come to, the hands without an end, the last seal. Whoever keeps it notices if its past changes.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from server.fairness.canonical import RefusedRecord
from server.fairness.checkpoint import SIZE_MAX, Checkpoint, read_checkpoint
from server.fairness.commitment import ATTEMPTS
from server.fairness.encoding import ZERO_HASH
from server.fairness.merkle import is_consistent, joined, leaf_hash, node_hash
from server.fairness.note import NoteKey, RefusedNote, key_of
from server.fairness.record import Hash, Name
from server.fairness.shape import AtMost, Text, Whole, plain, shaped
from server.verify.log_keys import KeysInForce
from server.verify.log_rules import HAND_NO_MAX, LogRules, Problem, Unfinished
from server.verify.log_seals import NO_SEAL, LastSeal

VERSION: Final = "pakka log 2"
TABLES_MAX: Final = 1_000_000
PEAKS_MAX: Final = 64
PROBLEMS_MAX: Final = 100
"""A look ends there: the log is bad enough."""

Count = Annotated[int, Whole(0, SIZE_MAX)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewestHand:
    """A table, and the last number that it opened a hand with."""

    table: Name
    hand_no: Annotated[int, Whole(0, HAND_NO_MAX)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many entries of each kind there were."""

    opened: Count = 0
    dealt: Count = 0
    voided: Count = 0
    closed: Count = 0
    cancelled: Count = 0
    sealed: Count = 0
    rotated: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LogState:
    """What is kept of a log between two looks: both keys, and how far it had come.

    Shape: `pinned` is the log's key that was trusted at first; `vkey` and `server_pub` are the
           keys in force there; `sealing` names the sealing key, zeros before its first rotation.
    """

    version: Annotated[str, Text(32)] = VERSION
    pinned: Annotated[str, Text(400)]
    vkey: Annotated[str, Text(400)]
    server_pub: Hash
    size: Count = 0
    peaks: Annotated[tuple[Hash, ...], AtMost(PEAKS_MAX)] = ()
    tables: Annotated[tuple[NewestHand, ...], AtMost(TABLES_MAX)] = ()
    unfinished: Annotated[tuple[Unfinished, ...], AtMost(TABLES_MAX)] = ()
    counts: Counts = Counts()
    seal: LastSeal = NO_SEAL
    sealing: Hash = ZERO_HASH

    def text(self) -> str:
        """Write the state as a file holds it."""
        return json.dumps(plain(self), indent=1) + "\n"


def state_of(text: str) -> LogState:
    """Read a state that was kept. Errors: ValueError that names the place."""
    try:
        document = json.loads(text)
        if isinstance(document, dict) and document.get("version", VERSION) != VERSION:
            raise ValueError("another version of pakka kept it; begin a new one")
        state = shaped(LogState, document, "")
    except RefusedRecord as refused:
        raise ValueError(refused.text) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if len(state.peaks) != state.size.bit_count():
        raise ValueError("the kept state is broken")
    newest = {row.table: row.hand_no for row in state.tables}
    if any(
        len(hand.commits) != ATTEMPTS or hand.hand_no > newest.get(hand.table, 0)
        for hand in state.unfinished
    ):
        raise ValueError("the kept state is broken")
    if key_of(state.vkey).name != key_of(state.pinned).name:
        raise ValueError("the kept state is broken")
    return state


class LogWatch:
    """One look at a log: from what was kept to a new checkpoint.

    Shape: `problems` are what failed; while there are any, `state` must not be kept. Rules: `key`,
           `checkpoint`, `grows`, `root`, `form`, and those of `LogRules`.
    """

    def __init__(self, kept: LogState) -> None:
        self.kept = kept
        self.size = kept.size
        self.problems: list[Problem] = []
        self._peaks = list(kept.peaks)
        self._shown = kept.vkey, kept.server_pub
        self._rules = LogRules(
            KeysInForce(
                server_pub=kept.server_pub,
                log_pub=key_of(kept.vkey).public,
                sealing=kept.sealing,
            ),
            {row.table: row.hand_no for row in kept.tables},
            kept.unfinished,
            Counter(plain(kept.counts)),
            kept.seal,
        )

    @property
    def is_bad_enough(self) -> bool:
        """Tell whether so much has failed that looking further tells nothing."""
        return len(self.problems) + len(self._rules.problems) >= PROBLEMS_MAX

    def fails(self, rule: str, text: str) -> None:
        """Note that a rule does not hold."""
        self.problems.append(Problem(rule, text))

    def keys(self, *, vkey: str, server_pub: bytes) -> None:
        """Hear what the server says its keys are; `keys_hold` says whether they may be."""
        self._shown = vkey, server_pub

    def keys_hold(self) -> None:
        """Demand that the keys shown are the pinned ones, or that the log hands over to them."""
        vkey, server_pub = self._shown
        if vkey != self.vkey:
            self.fails("key", f"the log's key is {vkey}, not {self.vkey}, which is in force")
        if server_pub != self._rules.keys.server_pub:
            known = self._rules.keys.server_pub.hex()
            text = f"the server's key is {server_pub.hex()}, not {known}, which is in force"
            self.fails("key", text)
        pinned = key_of(self.kept.pinned)
        is_new = self.kept.size == 0
        if is_new and (self._named(pinned.public) != pinned or not self._was(pinned.public)):
            self.fails("key", f"the log's key is {self.vkey}, and {pinned.vkey} never was")

    @property
    def vkey(self) -> str:
        """The log's key that is in force, as far as the log was followed."""
        public = self._rules.keys.log_pub
        assert public is not None, "the log's own key is followed"
        return self._named(public).vkey

    def _named(self, public: bytes) -> NoteKey:
        return NoteKey(key_of(self.kept.vkey).name, public)

    def _was(self, public: bytes) -> bool:
        return public in self._rules.log_keys

    def checkpoint(self, note: str) -> Checkpoint | None:
        """Read the log's checkpoint; None if it is no good, or older than what was kept."""
        try:
            found = self._read(note)
        except RefusedNote as refused:
            self.fails("checkpoint", refused.text)
            return None
        if found.size < self.size:
            self.fails("grows", f"the log has gone back from {self.size} to {found.size} entries")
            return None
        if found.size == self.size and found.root != joined(self._peaks):
            self.fails("grows", f"the log of {self.size} entries has another root than before")
            return None
        return found

    def _read(self, note: str) -> Checkpoint:
        """Read a checkpoint by the pinned key, or else by the shown one.

        The log that is read now must then hand over from the one to the other: `keys_hold`.
        """
        try:
            return read_checkpoint(note, key_of(self.kept.vkey))
        except RefusedNote as refused:
            if refused.code != "not_signed" or self._shown[0] == self.kept.vkey:
                raise
            return read_checkpoint(note, key_of(self._shown[0]))

    def grew(self, new: Checkpoint, proof: Sequence[bytes]) -> bool:
        """Check the proof that the log up to `new` begins with what was kept."""
        holds = is_consistent(
            old=self.size,
            old_root=joined(self._peaks),
            new=new.size,
            new_root=new.root,
            proof=proof,
        )
        if not holds:
            text = f"the log of {new.size} entries does not begin with the {self.size} from before"
            self.fails("grows", text)
        return holds

    def take(self, entry: bytes) -> None:
        """Take the next entry: grow the tree by it, and follow what it says."""
        node, at = leaf_hash(entry), self.size
        while at & 1:
            node, at = node_hash(self._peaks.pop(), node), at >> 1
        self._peaks.append(node)
        self._rules.take(self.size, entry)
        self.size += 1

    def end(self, new: Checkpoint) -> None:
        """Demand that the entries make up the checkpoint, and that every hand has its end."""
        if not self.is_bad_enough:
            if (self.size, joined(self._peaks)) != (new.size, new.root):
                self.fails("root", f"the entries do not make the root of the {new.size} signed for")
            self._rules.end()
        self.problems += self._rules.problems

    @property
    def state(self) -> LogState:
        """What is to be kept for the next look."""
        newest = sorted(self._rules.newest.items())
        return LogState(
            pinned=self.kept.pinned,
            vkey=self.vkey,
            server_pub=self._rules.keys.server_pub,
            size=self.size,
            peaks=tuple(self._peaks),
            tables=tuple(NewestHand(table=table, hand_no=number) for table, number in newest),
            unfinished=self._rules.unfinished,
            counts=Counts(**self._rules.counts),
            seal=self._rules.seal,
            sealing=self._rules.keys.sealing,
        )
