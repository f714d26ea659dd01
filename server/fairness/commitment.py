"""What server and seats bind themselves to, from the open to the result (fairdeal/1 section 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from server.fairness.encoding import ZERO_HASH, digest, hash32, u8, u16, u64

ATTEMPTS = 4
"""A hand has four seeds; each is used by one attempt, or published unused."""

EPOCHS_MAX = 8
"""Reshuffles of a hand; a ninth is not dealt."""

NO_KEY = ZERO_HASH
NO_DEALER = 255
PLAYER_BYTES = 16
TABLE_BYTES = 16


@dataclass(frozen=True, slots=True)
class ListedSeat:
    """A seat on the list.

    Shape: `kind` 1 human, 2 bot; `player` 16 bytes, the pseudonym at that table; `pub` the key,
           `NO_KEY` for none; `status` 1 committed, 0 absent by its own choice; `commit` is c_i, 32
           zero bytes for status 0.
    """

    seat: int
    kind: int
    player: bytes
    pub: bytes
    status: int
    commit: bytes = ZERO_HASH


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The list as the server signs it.

    Shape: `options` is the text of `key=value` lines; `dealer` a seat or None for the toss; the log
           is that of the checkpoint that came with the open; `seats` ascend.
    """

    hand: bytes
    server_commit: bytes
    game: str
    rules: str
    options: str
    dealer: int | None
    log_size: int
    log_root: bytes
    seats: tuple[ListedSeat, ...]


# --- open


def deck_spec(packs: int, printed_jokers: int) -> bytes:
    """Hash which cards are used (`spec`): packs, printed jokers and their number in all."""
    return digest("deck-spec", u8(packs), u8(printed_jokers), u16(52 * packs + printed_jokers))


def hand_hash(*, server_pub: bytes, table: bytes, hand_no: int, attempt: int, spec: bytes) -> bytes:
    """Name an attempt at a hand (`hand`): every other digest holds this one.

    Errors: ValueError if a part has the wrong length or the attempt is not 0..3.
    """
    if len(table) != TABLE_BYTES or not 0 <= attempt < ATTEMPTS:
        raise ValueError("a table is 16 bytes and an attempt 0..3")
    return digest("hand", hash32(server_pub), table, u64(hand_no), u8(attempt), hash32(spec))


def server_commit(hand: bytes, seed: bytes) -> bytes:
    """Commit to the server's seed (`C_S`)."""
    return digest("server-commit", hash32(hand), hash32(seed))


# --- a seat's chain and commitment


def chain(last: bytes, *, hand: bytes, seat: int) -> tuple[bytes, ...]:
    """Derive a seat's chain from its last link z.

    Shape: nine values; the index is the epoch that reveals it, [8] is z itself.
    """
    values = [hash32(last)]
    for epoch in range(EPOCHS_MAX, 0, -1):
        values.append(link(values[-1], hand=hand, seat=seat, epoch=epoch))
    return tuple(reversed(values))


def link(value: bytes, *, hand: bytes, seat: int, epoch: int) -> bytes:
    """Derive x[epoch - 1] from x[epoch]."""
    return digest("seat-chain", hash32(hand), u8(seat), u8(epoch), hash32(value))


def seat_commit(*, hand: bytes, server_commit: bytes, seat: int, pub: bytes, first: bytes) -> bytes:
    """Commit to a seat's chain (`c_i`); `first` is x[0], `server_commit` the C_S it answers."""
    return digest(
        "seat-commit", hash32(hand), hash32(server_commit), u8(seat), hash32(pub), hash32(first)
    )


def receipt(*, hand: bytes, seat: int, kind: int, value: bytes, ms: int) -> bytes:
    """Hash the server's answer to a seat (role `receipt`).

    Shape: kind 0 is a commit and value c_i; kind e + 1 the reveal of epoch e and value x_i[e].
    Units: `ms` is the server's clock in milliseconds.
    """
    return digest("receipt", hash32(hand), u8(seat), u8(kind), hash32(value), u64(ms))


def phrase_seed(phrase: str, fresh: bytes) -> bytes:
    """Derive z from a phrase that a player typed, already in NFC, and 32 fresh random bytes."""
    return digest("phrase", phrase.encode("utf-8"), hash32(fresh))


# --- list


def options_text(options: Mapping[str, int | bool | str]) -> str:
    r"""Write options as they are hashed: `key=value` lines by byte value, "\n" after each.

    Errors: ValueError if a key or a value could be read as two lines.
    """
    lines = []
    for key, value in options.items():
        plain = ("false", "true")[value] if isinstance(value, bool) else str(value)
        if "\n" in key + plain or "=" in key:
            raise ValueError(f"option {key[:32]!r} can't be written on one line")
        lines.append(f"{key}={plain}\n")
    return "".join(sorted(lines))


def game_hash(*, game: str, rules: str, options: str, dealer: int | None) -> bytes:
    """Hash what is played and by which rules; `options` is their text.

    Errors: UnicodeEncodeError if a part is not ASCII.
    """
    texts = (text.encode("ascii") for text in (game, rules, options))
    return digest("game", *texts, u8(NO_DEALER if dealer is None else dealer))


def seats_hash(*, hand: bytes, server_commit: bytes, seats: Sequence[ListedSeat]) -> bytes:
    """Hash who sits where. Errors: ValueError if seats don't ascend or a length is wrong."""
    numbers = [listed.seat for listed in seats]
    if numbers != sorted(set(numbers)) or any(len(s.player) != PLAYER_BYTES for s in seats):
        raise ValueError("seats must ascend, and a pseudonym is 16 bytes")
    fields = (u8(s.seat) + u8(s.kind) + s.player + hash32(s.pub) for s in seats)
    return digest("seats", hash32(hand), hash32(server_commit), *fields)


def list_hash(listed: Listed) -> bytes:
    """Hash the whole list (`L`)."""
    seats = seats_hash(hand=listed.hand, server_commit=listed.server_commit, seats=listed.seats)
    game = game_hash(
        game=listed.game, rules=listed.rules, options=listed.options, dealer=listed.dealer
    )
    fields = (u8(s.seat) + u8(s.status) + hash32(s.commit) for s in listed.seats)
    return digest(
        "commit-list", seats, game, u64(listed.log_size), hash32(listed.log_root), *fields
    )


def reveal(listing: bytes, value: bytes) -> bytes:
    """Hash what a seat signs with its reveal of x[0] (role `reveal`)."""
    return digest("reveal", hash32(listing), hash32(value))


# --- derive


Reveals = Sequence[tuple[int, bytes | None]]
"""One (seat, revealed value) for each listed seat, ascending; None where it is absent."""


def entropy(listing: bytes, reveals: Reveals) -> bytes:
    """Gather the first deal's entropy (`R`)."""
    return digest("entropy", hash32(listing), *map(_revealed, reveals))


def entropy_again(before: bytes, discards: bytes, reveals: Reveals) -> bytes:
    """Gather a reshuffle's entropy (`R_e`) from T_k, the discards' hash and the reveals."""
    return digest("entropy-again", hash32(before), hash32(discards), *map(_revealed, reveals))


def header(
    *, hand: bytes, listing: bytes, entropy: bytes, epoch: int, size: int, root: bytes
) -> bytes:
    """Hash what a deal is (`HEAD`); `size` is its number of cards."""
    fixed = (hash32(hand), hash32(listing), hash32(entropy))
    return digest("header", *fixed, u8(epoch), u16(size), hash32(root))


# --- reshuffle


def discards_hash(*, hand: bytes, epoch: int, numbers: Sequence[int]) -> bytes:
    """Hash the cards to be shuffled, in public order (`dh`)."""
    return digest("discards", hash32(hand), u8(epoch), b"".join(map(u16, numbers)))


def again_call(*, hand: bytes, epoch: int, before: bytes, discards: bytes) -> bytes:
    """Hash the server's call for a reshuffle (role `call`); `before` is T_k."""
    return digest("again-call", hash32(hand), u8(epoch), hash32(before), hash32(discards))


def again(call: bytes, value: bytes) -> bytes:
    """Hash what a seat signs with its reveal of x[e] (role `again`)."""
    return digest("again", hash32(call), hash32(value))


# --- close


def result_hash(hand: bytes, rows: Sequence[tuple[int, int, int]]) -> bytes:
    """Hash the result.

    Shape: one (seat, points, amount) for each listed seat, ascending.
    Units: points; net micro-HT.
    """
    lines = (f"{seat} {points} {amount}".encode("ascii") for seat, points, amount in rows)
    return digest("result", hash32(hand), *lines)


def _revealed(row: tuple[int, bytes | None]) -> bytes:
    seat, value = row
    return u8(seat) + (u8(0) + ZERO_HASH if value is None else u8(1) + hash32(value))
