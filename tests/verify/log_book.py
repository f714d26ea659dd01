"""A log as a house writes it, entry by entry, to be followed from outside; and its lies."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from server.fairness import entries
from server.fairness.commitment import deck_spec, hand_hash, server_commit
from server.fairness.encoding import digest, u8, u64
from server.fairness.entries import HANDOVER_ROLE, CancelReason, KeyRole, VoidReason
from server.fairness.logged import LogSealed, read_entry
from server.fairness.merkle import consistency_spans, leaf_hash, root
from server.fairness.signing import LogSigner, SigningKey

SERVER = SigningKey(digest("test", b"server"))
LOG_SIGNER = LogSigner(digest("test", b"log"), "test.example/fairdeal-1")
NEW_SERVER = SigningKey(digest("test", b"new server"))
NEW_LOG_SIGNER = LogSigner(digest("test", b"new log"), "test.example/fairdeal-1")
SPEC = deck_spec(2, 2)
LIST = digest("test", b"list")
TABLE, OTHER_TABLE = bytes(range(16)), bytes(16)


Sign = Callable[[bytes], bytes]


def by_server(digest32: bytes, signer: SigningKey = SERVER) -> bytes:
    """Hand over as the signing key does."""
    return signer.sign(HANDOVER_ROLE, digest32)


def hand_of(
    hand_no: int, attempt: int = 0, table: bytes = TABLE, server: SigningKey = SERVER
) -> bytes:
    """Name an attempt."""
    return hand_hash(
        server_pub=server.public, table=table, hand_no=hand_no, attempt=attempt, spec=SPEC
    )


def seed_of(hand_no: int, attempt: int = 0, table: bytes = TABLE) -> bytes:
    """Make a seed of the house's."""
    return digest("test-seed", table, u64(hand_no), u8(attempt))


@dataclass
class Book:
    """The entries so far; each method writes one."""

    entries: list[bytes] = field(default_factory=list)

    def open(self, hand_no: int, table: bytes = TABLE, server: SigningKey = SERVER) -> "Book":
        commits = [
            server_commit(hand_of(hand_no, at, table, server), seed_of(hand_no, at, table))
            for at in range(4)
        ]
        return self._add(entries.log_open(table=table, hand_no=hand_no, spec=SPEC, commits=commits))

    def deal(
        self,
        hand_no: int,
        *epochs: int,
        attempt: int = 0,
        listing: bytes = LIST,
        server: SigningKey = SERVER,
    ) -> "Book":
        for epoch in epochs or (0,):
            self._add(
                entries.log_deal(
                    hand=hand_of(hand_no, attempt, server=server),
                    epoch=epoch,
                    listing=listing,
                    entropy=digest("test-R", u64(hand_no), u8(epoch)),
                    size=106,
                    root=digest("test-root", u64(hand_no), u8(epoch)),
                )
            )
        return self

    def void(self, hand_no: int, *attempts: int, seed: bytes | None = None) -> "Book":
        for attempt in attempts or (0,):
            self._add(
                entries.log_void(
                    hand=hand_of(hand_no, attempt),
                    reason=VoidReason.NOT_REVEALED,
                    seed=seed or seed_of(hand_no, attempt),
                    seats=[(0, 1, LIST), (2, 1, None), (3, 0, None)],
                )
            )
        return self

    def close(
        self,
        hand_no: int,
        attempt: int = 0,
        seed: bytes | None = None,
        server: SigningKey = SERVER,
    ) -> "Book":
        return self._add(
            entries.log_close(
                hand=hand_of(hand_no, attempt, server=server),
                seed=seed or seed_of(hand_no, attempt),
                last=LIST,
                result=digest("test-result", u64(hand_no), u64(len(self.entries))),
            )
        )

    def cancel(self, hand_no: int, reason: CancelReason = CancelReason.TOO_FEW_SEATS) -> "Book":
        return self._add(entries.log_cancel(table=TABLE, hand_no=hand_no, reason=reason))

    def seal(self, seq: int, signer: SigningKey = SERVER, **changes: Any) -> "Book":
        """Seal ten transactions more than the seal before; `changes` are made before signing."""
        before = [one for one in map(read_entry, self.entries) if isinstance(one, LogSealed)]
        made: dict[str, Any] = {
            "seq": seq,
            "xid_from": before[-1].xid_to if before else 0,
            "xid_to": 10 * seq,
            "counts": (2, 5, 1, 1),
            "root": digest("test-seal", u64(seq)),
            "prev_hash": before[-1].hash if before else bytes(32),
        } | changes
        return self._add(
            entries.log_seal(
                **made,
                server_pub=signer.public,
                signature=signer.sign(entries.SEAL_ROLE, entries.seal_hash(**made)),
            )
        )

    def rotate(self, role: KeyRole, old: bytes, new: bytes, sign: Sign) -> "Book":
        """Hand a role over to another key."""
        stamp = sign(entries.handover(role=role, old=old, new=new))
        return self._add(entries.log_key(role=role, old=old, new=new, signature=stamp))

    def rotate_all(self) -> "Book":
        """Replace each of the three keys once, as a house does."""
        server, log = SERVER.public, LOG_SIGNER.key.public
        self.rotate(KeyRole.SEALING, LIST, digest("test", b"sealing"), by_server)
        self.rotate(KeyRole.SIGNING, server, NEW_SERVER.public, by_server)
        return self.rotate(KeyRole.LOG, log, NEW_LOG_SIGNER.key.public, LOG_SIGNER.hand_over)

    def raw(self, entry: bytes) -> "Book":
        return self._add(entry)

    def _add(self, entry: bytes) -> "Book":
        self.entries.append(entry)
        return self

    @property
    def leaves(self) -> list[bytes]:
        return [leaf_hash(entry) for entry in self.entries]

    def note(self, signer: LogSigner = LOG_SIGNER) -> str:
        """Sign the log as it is."""
        return signer.checkpoint(size=len(self.entries), root=root(self.leaves))

    def proof(self, old: int, new: int) -> list[bytes]:
        """Prove growth."""
        leaves = self.leaves
        return [root(leaves[first:last]) for first, last in consistency_spans(old, new)]


def honest() -> Book:
    """A log with every way that a hand may go, and seals between."""
    book = Book().open(1).open(1, OTHER_TABLE)
    book.deal(1, 0, 1, 2).close(1).seal(1)
    book.open(2).void(2, 0, 1).deal(2, 0, attempt=2).close(2, attempt=2)
    book.open(3).void(3, 0, 1, 2, 3).cancel(3, CancelReason.ATTEMPTS_USED_UP)
    book.open(4).deal(4, 0, 1).void(4).cancel(4, CancelReason.AFTER_VOID)
    book.open(5).seal(2).cancel(5)
    return book.open(6).deal(6)


def rotated() -> Book:
    """A log whose keys are all replaced while hand 1 is played, and one of them once more."""
    book = Book().open(1).deal(1).seal(1).rotate_all().deal(1, 1)
    book.seal(2, NEW_SERVER).close(1).open(2, server=NEW_SERVER)
    book.rotate(
        KeyRole.SEALING,
        digest("test", b"sealing"),
        digest("test", b"third"),
        lambda digest32: by_server(digest32, NEW_SERVER),
    )
    return book.deal(2, server=NEW_SERVER).close(2, server=NEW_SERVER)
