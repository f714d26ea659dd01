"""A house that plays a whole hand of rummy and writes its record; it can lie about one thing.

Every value goes through `told(name, value)`: a lie changes it there, and everything that follows is
signed and logged over the lie. What is left is a record that is wrong in exactly one way.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from server.cards.game import (
    DEALER,
    AnyGame,
    Carry,
    Deal,
    Left,
    Scored,
    Seat,
    SeatInfo,
    SeatKind,
    TimedOut,
    options_fields,
)
from server.fairness import commitment, entries, merkle, transcript
from server.fairness.encoding import ZERO_HASH, digest
from server.fairness.record import (
    Record,
    RecordEntry,
    RecordEvent,
    RecordHead,
    RecordResult,
    RecordSeat,
    RecordSettlement,
    RecordVoid,
    UnusedSeed,
    VoidSeat,
    sign_record,
)
from server.fairness.shoe import Shoe, deal
from server.fairness.signing import SigningKey
from server.games.rummy import GAME
from server.games.rummy.moves import Declare, Draw, Drop
from server.games.rummy.options import Options

TABLE = bytes(range(16))
HAND_NO = 7
SERVER = SigningKey(digest("test", b"server"))
STRANGER = SigningKey(digest("test", b"stranger"))
Lie = Callable[[Any], Any]
T = TypeVar("T")


@dataclass
class House:
    """One hand.

    Shape: `players` sit at a table of `size`; `keyless` and `absent` are seats; `absences` are
           (seat, epoch) that don't answer a reshuffle; `reshuffles` are played, then all drop.
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
    lies: Mapping[str, Lie] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.number)
        self.options = Options(seats=self.size, rate=1_000_003, commission_bps=999)
        self.leaves = [merkle.leaf_hash(b"older %d" % n) for n in range(self.number % 40 + 5)]
        self.places: list[tuple[bytes, int, int, bytes | None]] = []
        self.events: list[RecordEvent] = []
        self.heads: list[RecordHead] = []
        self.x: dict[int, list[bytes | None]] = {seat: [] for seat in self.committed}
        self.value = b""
        self.scored: Scored | None = None
        self.told_lies: set[str] = set()

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

    # --- the hand

    def play(self) -> Record:
        """Play the hand to its end; its record, not yet signed."""
        opened = entries.log_open(
            table=TABLE, hand_no=HAND_NO, spec=self.spec, commits=self.commits
        )
        self.log("open", opened, "open")
        self.log_size = len(self.leaves) - 1
        self.log_root = self.told("log_root", merkle.root(self.leaves[: self.log_size]))
        self.voids = tuple(self.voided(attempt) for attempt in range(self.attempt))
        self.list_seats()
        state = self.fold()
        assert not self.game.to_act(state)
        assert self.scored is not None
        record = self.closed()
        assert self.told_lies == set(self.lies), "a lie was never told"
        return record

    def voided(self, attempt: int) -> RecordVoid:
        """Give an attempt up: the last seat did not reveal."""
        seats = []
        for seat in self.players:
            z = digest("test-void", bytes([seat, attempt]))
            first = commitment.chain(z, hand=self.hand_of(attempt), seat=seat)[0]
            shown = None if seat in self.absent or seat == self.players[-1] else first
            shown = self.told("void x", shown) if seat == self.players[0] else shown
            seats.append(VoidSeat(seat=seat, status=int(seat not in self.absent), x=shown))
        seed = self.told("void S", self.seed_of(attempt))
        rows = [(seat.seat, seat.status, seat.x) for seat in seats]
        self.log(
            "void",
            entries.log_void(hand=self.hand_of(attempt), reason=0, seed=seed, seats=rows),
        )
        return RecordVoid(attempt=attempt, reason=0, S=seed, seats=tuple(seats))

    def list_seats(self) -> None:
        self.rules = self.told("rules", self.game.rules_version)
        self.listed = commitment.Listed(
            hand=self.hand,
            server_commit=self.server_commit,
            game=self.game.name,
            rules=self.rules,
            options=commitment.options_text(options_fields(self.options)),
            dealer=self.told("listed dealer", self.dealer),
            log_size=self.log_size,
            log_root=self.log_root,
            seats=tuple(
                commitment.ListedSeat(
                    seat=seat,
                    kind=1 + seat % 2,
                    player=bytes([seat]) * 16,
                    pub=self.pub_of(seat),
                    status=int(seat in self.committed),
                    commit=self.commit_of(seat) if seat in self.committed else ZERO_HASH,
                )
                for seat in self.players
            ),
        )
        self.listing = commitment.list_hash(self.listed)

    def fold(self) -> Any:
        game = self.game
        seats = tuple(SeatInfo(Seat(row.seat), SeatKind(row.kind)) for row in self.listed.seats)
        dealer = None if self.dealer is None else Seat(self.dealer)
        state = game.start(self.options, seats, Carry(dealer=dealer))
        while acting := game.to_act(state):
            if acting == {DEALER}:
                shoe = self.shoe(game.undealt(state))
                order = tuple(map(self.pack.card_of, shoe.order))
                step = game.apply(state, DEALER, Deal(order, shoe.toss(game.draws(state))))
            else:
                (seat,) = acting
                step = game.apply(state, *self.move(state, seat))
            for event in step.events:
                line = game.notation.line_of(event)
                if line is not None:
                    self.tell(self.told(f"line {len(self.events)}", line))
                if isinstance(event, Scored):
                    self.scored = event
            state = step.state
        return state

    def move(self, state: Any, seat: Seat) -> tuple[Seat, Any]:
        """Choose a move: closed draws until the reshuffles are done, then everybody goes."""
        others = [player.seat for player in state.in_play if player.seat != seat]
        roll = self.chance.random()
        moves = list(self.game.legal_moves(state, seat))
        if len(self.heads) <= self.reshuffles and len(others) > 2:
            if roll < 0.02:
                return others[0], Left(others[0])
            if roll < 0.1:
                return seat, TimedOut(seat)
        if len(self.heads) <= self.reshuffles:
            if Draw("closed") in moves:
                return seat, Draw("open" if Draw("open") in moves and roll > 0.9 else "closed")
            return seat, self.chance.choice([m for m in moves if not isinstance(m, Declare)])
        if Drop() in moves:
            return seat, Draw("closed") if roll < 0.2 else Drop()
        return seat, self.chance.choice(moves)

    def shoe(self, cards: tuple[Any, ...]) -> Shoe:
        """Order cards: reveals, entropy, the shoe, HEAD, DEAL and the transcript's next value."""
        epoch = len(self.heads)
        before = self.value
        numbers = tuple(self.pack.number_of(card) for card in cards)
        if epoch:
            numbers = tuple(self.told("D", numbers))
        dh = commitment.discards_hash(hand=self.hand, epoch=epoch, numbers=numbers)
        call = (
            commitment.again_call(hand=self.hand, epoch=epoch, before=before, discards=dh)
            if (epoch)
            else b""
        )
        for seat in self.committed:
            value: bytes | None = self.chain_of(seat)[epoch]
            if (seat, epoch) in self.absences:
                value = None
            self.x[seat].append(self.told(f"x{epoch} {seat}", value))
        reveals = [
            (seat, self.x[seat][epoch] if seat in self.committed else None) for seat in self.players
        ]
        made = (
            commitment.entropy_again(before, dh, reveals)
            if epoch
            else commitment.entropy(self.listing, reveals)
        )
        entropy = self.told(f"R{epoch}", made)
        shoe = deal(
            self.seed,
            hand=self.hand,
            listing=self.listing,
            entropy=entropy,
            epoch=epoch,
            numbers=numbers,
        )
        size = self.told(f"n{epoch}", len(numbers))
        root = self.told(f"root{epoch}", shoe.root)
        head = commitment.header(
            hand=self.hand, listing=self.listing, entropy=entropy, epoch=epoch, size=size, root=root
        )
        self.log(
            f"deal{epoch}",
            entries.log_deal(
                hand=self.hand,
                epoch=epoch,
                listing=self.listing,
                entropy=entropy,
                size=size,
                root=root,
            ),
        )
        self.heads.append(
            RecordHead(
                epoch=epoch,
                R=entropy,
                n=size,
                root=root,
                sig=SERVER.sign("head", head),
                discards=numbers if epoch else None,
                call_sig=SERVER.sign("call", call) if epoch else None,
                present=tuple(int(value is not None) for _, value in reveals),
                again_sigs=tuple(
                    self.signed_by(seat, "again", commitment.again(call, value))
                    if epoch and value is not None
                    else None
                    for seat, value in reveals
                ),
            )
        )
        self.tell(None, head)
        return shoe

    def tell(self, line: str | None, head: bytes = b"") -> None:
        """Append to the transcript."""
        k = len(self.events)
        if line is not None:
            value = transcript.extend(self.value, k, line)
        elif k == 0:
            value = transcript.begin(self.hand, head)
        else:
            value = transcript.reshuffled(self.value, k, head)
        self.value = self.told(f"T {k}", value)
        signature = SERVER.sign("event", transcript.digest_to_sign(self.hand, k, self.value))
        self.events.append(RecordEvent(k=k, line=line, T=self.value, sig=signature))

    # --- the close

    def settlement(self) -> tuple[RecordSettlement, dict[int, int]]:
        assert self.scored is not None
        assert self.scored.winner is not None
        rate, bps = self.options.rate, self.options.commission_bps
        amounts = {int(seat): -points * rate for seat, points in self.scored.points}
        gross = -sum(amounts.values())
        commission = gross * bps // 10_000
        amounts[self.scored.winner] = gross - commission
        return RecordSettlement(
            rate=rate,
            commission_bps=bps,
            gross=gross,
            commission=commission,
            winner=self.scored.winner,
            journal=12,
        ), amounts

    def closed(self) -> Record:
        assert self.scored is not None
        settlement, amounts = self.settlement()
        rows = [(int(seat), points, amounts[seat]) for seat, points in self.scored.points]
        rows = self.told("result", rows)
        result = self.told("result_hash", commitment.result_hash(self.hand, rows))
        closing = entries.log_close(hand=self.hand, seed=self.seed, last=self.value, result=result)
        self.log("close", closing, "close")
        return Record(
            game=self.game.name,
            rules=self.rules,
            options=options_fields(self.options),
            dealer=self.dealer,
            memo="",
            server_pub=SERVER.public,
            table=TABLE,
            hand_no=HAND_NO,
            attempt=self.attempt,
            packs=self.pack.packs,
            printed_jokers=self.pack.printed_jokers,
            spec=self.spec,
            S=self.seed,
            C_S=self.server_commit,
            commits=self.commits,
            unused=tuple(
                UnusedSeed(attempt=a, S=self.told(f"unused {a}", self.seed_of(a)))
                for a in range(self.attempt + 1, 4)
            ),
            log_size=self.log_size,
            log_root=self.log_root,
            seats=tuple(map(self.record_seat, self.listed.seats)),
            L=self.listing,
            L_sig=SERVER.sign("list", self.listing),
            heads=tuple(self.heads),
            events=tuple(self.events),
            result=tuple(RecordResult(seat=s, points=p, amount=a) for s, p, a in rows),
            result_hash=result,
            settlement=settlement,
            voids=self.voids,
            log=self.proved(),
            checkpoint=None,
        )

    def record_seat(self, row: commitment.ListedSeat) -> RecordSeat:
        x = tuple(self.x.get(row.seat, ()))
        first = x[0] if x else None
        return RecordSeat(
            seat=row.seat,
            kind=row.kind,
            player=row.player,
            pub=row.pub,
            status=row.status,
            commit=row.commit,
            commit_sig=self.signed_by(row.seat, "commit", row.commit) if row.status else None,
            x=x,
            reveal_sig=None
            if first is None
            else self.signed_by(row.seat, "reveal", commitment.reveal(self.listing, first)),
        )


def signed(record: Record) -> bytes:
    """Sign a record as the house does."""
    return sign_record(record, SERVER.sign)
