"""A record with what follows from it; each check reads the part that it judges.

Where a later fact rests on an earlier one, the recorded value is taken, not the recomputed one: so
a lie is named by the check whose lie it is, and not by all that follow from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from server.cards.game import AnyGame
from server.cards.pack import Pack
from server.fairness import ed25519
from server.fairness.commitment import (
    NO_KEY,
    Listed,
    ListedSeat,
    discards_hash,
    hand_hash,
    header,
    options_text,
)
from server.fairness.encoding import signed_bytes
from server.fairness.merkle import leaf_hash, path_length, root_from_path
from server.fairness.note import NoteKey
from server.fairness.record import Record, RecordEntry, RecordHead, SignedRecord
from server.fairness.shoe import Shoe, deal
from server.verify.fold import Replay, replay


@dataclass(frozen=True)
class Evidence:
    """What the checks look at."""

    signed: SignedRecord
    games: Mapping[str, AnyGame]
    server_key: bytes | None
    log_key: NoteKey | None = None

    @property
    def record(self) -> Record:
        """The record itself."""
        return self.signed.record

    @property
    def game(self) -> AnyGame | None:
        """The game by its name, None if there is no such game."""
        return self.games.get(self.record.game)

    @property
    def pack(self) -> Pack:
        """The cards that the record says are used."""
        return Pack(self.record.packs, self.record.printed_jokers)

    def hand_of(self, attempt: int) -> bytes:
        """Derive `hand` of an attempt."""
        r = self.record
        return hand_hash(
            server_pub=r.server_pub,
            table=r.table,
            hand_no=r.hand_no,
            attempt=attempt,
            spec=r.spec,
        )

    @cached_property
    def hand(self) -> bytes:
        """`hand` of the attempt that was played."""
        return self.hand_of(self.record.attempt)

    @cached_property
    def listed(self) -> Listed:
        """The list as its parts stand in the record."""
        r = self.record
        return Listed(
            hand=self.hand,
            server_commit=r.C_S,
            game=r.game,
            rules=r.rules,
            options=options_text(r.options),
            dealer=r.dealer,
            log_size=r.log_size,
            log_root=r.log_root,
            seats=tuple(
                ListedSeat(s.seat, s.kind, s.player, s.pub, s.status, s.commit) for s in r.seats
            ),
        )

    def head_hash(self, head: RecordHead) -> bytes:
        """Derive HEAD_e over the recorded values."""
        return header(
            hand=self.hand,
            listing=self.record.L,
            entropy=head.R,
            epoch=head.epoch,
            size=head.n,
            root=head.root,
        )

    def discards_hash(self, head: RecordHead) -> bytes:
        """Derive dh over the recorded discards."""
        return discards_hash(hand=self.hand, epoch=head.epoch, numbers=head.discards or ())

    def reveals(self, epoch: int) -> list[tuple[int, bytes | None]]:
        """List what the seats revealed for an epoch."""
        return [(s.seat, s.x[epoch] if s.status else None) for s in self.record.seats]

    def before(self, epoch: int) -> bytes:
        """The recorded T_k that a reshuffle follows."""
        at = [event.k for event in self.record.events if event.line is None][epoch]
        return self.record.events[at - 1].T

    @cached_property
    def shoes(self) -> tuple[Shoe, ...]:
        """The shoes, derived from the shown seed and the recorded entropy."""
        r = self.record
        return tuple(
            deal(
                r.S,
                hand=self.hand,
                listing=r.L,
                entropy=head.R,
                epoch=head.epoch,
                numbers=range(self.pack.size) if head.discards is None else head.discards,
            )
            for head in r.heads
        )

    @cached_property
    def replay(self) -> Replay:
        """The hand, played again."""
        return replay(self.record, self.game, [shoe.order for shoe in self.shoes], self._toss)

    def _toss(self, epoch: int, moduli: tuple[int, ...]) -> tuple[int, ...]:
        return self.shoes[epoch].toss(moduli)

    # --- the log

    @property
    def opened(self) -> RecordEntry:
        """The log's OPEN."""
        return self.record.log[0]

    @property
    def voided(self) -> tuple[RecordEntry, ...]:
        """The log's VOIDs."""
        return self.record.log[1 : 1 + len(self.record.voids)]

    @property
    def dealt(self) -> tuple[RecordEntry, ...]:
        """The log's DEALs."""
        return self.record.log[1 + len(self.record.voids) : -1]

    @property
    def closed(self) -> RecordEntry:
        """The log's CLOSE."""
        return self.record.log[-1]

    # --- signatures

    def is_server_signed(self, role: str, digest32: bytes, signature: bytes | None) -> bool:
        """Tell whether the record's own server key signed a digest."""
        return signature is not None and ed25519.verify(
            self.record.server_pub, signed_bytes(role, digest32), signature
        )

    def seat_signature_problem(
        self, pub: bytes, role: str, digest32: bytes, signature: bytes | None
    ) -> str | None:
        """Say what is wrong with a seat's signature; a seat without a key must have none."""
        if pub == NO_KEY:
            return None if signature is None else "a signature without a key"
        if signature is None:
            return "no signature"
        if not ed25519.verify(pub, signed_bytes(role, digest32), signature):
            return "a signature that is not its own"
        return None


def has_exact_path(entry: RecordEntry) -> bool:
    """Tell whether an inclusion proof has the length that its place demands (check 19)."""
    return entry.index < entry.size and len(entry.path) == path_length(entry.index, entry.size)


def is_included(entry: RecordEntry) -> bool:
    """Tell whether the proof leads to the root; one of a wrong length is check 19's to name."""
    if not has_exact_path(entry):
        return True
    leaf = leaf_hash(entry.entry)
    return root_from_path(leaf, entry.index, entry.size, entry.path) == entry.root
