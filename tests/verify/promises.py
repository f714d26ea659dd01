"""What a house fixes before the cards, and its log: seeds, keys, commits, entries."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from server.cards.game import AnyGame
from server.fairness import commitment, entries, merkle
from server.fairness.encoding import digest
from server.fairness.record import RecordEntry
from server.fairness.signing import LogSigner, SigningKey
from server.games.rummy import GAME
from server.games.rummy.options import Options

TABLE = bytes(range(16))
HAND_NO = 7
SERVER = SigningKey(digest("test", b"server"))
STRANGER = SigningKey(digest("test", b"stranger"))
LOG_SIGNER = LogSigner(digest("test", b"log"), "test.example/fairdeal-1")
OTHER = digest("test", b"another value")
FORGED = STRANGER.sign("event", OTHER)
Lie = Callable[[Any], Any]
T = TypeVar("T")


@dataclass
class Promises:
    """What is fixed before the cards, and what has been logged.

    Shape: `players` sit at a table of `size`; `keyless` and `absent` are seats; `absences` are
           (seat, epoch) that don't answer a reshuffle; `reshuffles` are played, then all drop;
           `memo` is what a match has brought.
    """

    number: int = 1
    size: int = 6
    players: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    keyless: frozenset[int] = frozenset({3})
    absent: frozenset[int] = frozenset({4})
    absences: frozenset[tuple[int, int]] = frozenset({(0, 1)})
    attempt: int = 1
    dealer: int | None = None
    reshuffles: int = 1
    game: AnyGame = GAME
    memo: str = ""
    lies: Mapping[str, Lie] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.number)
        self.options = self.options_of()
        self.leaves = [merkle.leaf_hash(b"older %d" % n) for n in range(self.number % 40 + 5)]
        self.places: list[tuple[bytes, int, int, bytes | None]] = []
        self.told_lies: set[str] = set()

    def options_of(self) -> Any:
        return Options(seats=self.size, rate=1_000_003, commission_bps=999)

    def told(self, name: str, value: T) -> T:
        """Pass a value on, or the lie about it."""
        if name not in self.lies:
            return value
        self.told_lies.add(name)
        lie: T = self.lies[name](value)
        return lie

    # --- what is fixed before the cards

    @property
    def committed(self) -> list[int]:
        return [seat for seat in self.players if seat not in self.absent]

    @cached_property
    def pack(self) -> Any:
        return self.game.pack(self.options)

    @cached_property
    def spec(self) -> bytes:
        return self.told("spec", commitment.deck_spec(self.pack.packs, self.pack.printed_jokers))

    def hand_of(self, attempt: int) -> bytes:
        return commitment.hand_hash(
            server_pub=SERVER.public, table=TABLE, hand_no=HAND_NO, attempt=attempt, spec=self.spec
        )

    @cached_property
    def hand(self) -> bytes:
        return self.hand_of(self.attempt)

    def seed_of(self, attempt: int) -> bytes:
        return digest("test-seed", bytes([attempt, self.number % 256]))

    @cached_property
    def commits(self) -> tuple[bytes, ...]:
        made = [commitment.server_commit(self.hand_of(a), self.seed_of(a)) for a in range(4)]
        return tuple(self.told("commits", made))

    @cached_property
    def server_commit(self) -> bytes:
        return commitment.server_commit(self.hand, self.seed_of(self.attempt))

    @cached_property
    def seed(self) -> bytes:
        """The seed that is used and shown."""
        return self.told("S", self.seed_of(self.attempt))

    def key_of(self, seat: int) -> SigningKey | None:
        return None if seat in self.keyless else SigningKey(digest("test-seat", bytes([seat])))

    def pub_of(self, seat: int) -> bytes:
        key = self.key_of(seat)
        return commitment.NO_KEY if key is None else key.public

    def signed_by(self, seat: int, role: str, digest32: bytes) -> bytes | None:
        key = self.key_of(seat)
        return None if key is None else key.sign(role, digest32)

    def chain_of(self, seat: int) -> tuple[bytes, ...]:
        z = digest("test-z", bytes([seat, self.number % 256]))
        return commitment.chain(z, hand=self.hand, seat=seat)

    def commit_of(self, seat: int) -> bytes:
        made = commitment.seat_commit(
            hand=self.hand,
            server_commit=self.server_commit,
            seat=seat,
            pub=self.pub_of(seat),
            first=self.chain_of(seat)[0],
        )
        return self.told(f"commit {seat}", made)

    # --- the log

    def log(self, name: str, entry: bytes, role: str | None = None) -> int:
        """Append an entry among those of others; its index."""
        entry = self.told(f"{name} entry", entry)
        signature = None if role is None else SERVER.sign(role, merkle.leaf_hash(entry))
        self.leaves.append(merkle.leaf_hash(entry))
        size = len(self.leaves)
        self.places.append((entry, size - 1, size, self.told(f"{name} sig", signature)))
        self.leaves.append(merkle.leaf_hash(b"another table's %d" % size))
        return size - 1

    def log_open(self) -> None:
        """Append the OPEN; keep the size and root that L will name."""
        opened = entries.log_open(
            table=TABLE, hand_no=HAND_NO, spec=self.spec, commits=self.commits
        )
        self.log("open", opened, "open")
        self.log_size = len(self.leaves) - 1
        self.log_root = self.told("log_root", merkle.root(self.leaves[: self.log_size]))

    def proved(self) -> tuple[RecordEntry, ...]:
        rows = []
        for entry, index, size, signature in self.places:
            leaves = self.leaves[:size]
            rows.append(
                RecordEntry(
                    index=index,
                    entry=entry,
                    size=size,
                    root=merkle.root(leaves),
                    path=merkle.path(leaves, index),
                    sig=signature,
                )
            )
        return tuple(rows)
