"""Checks of a hand's open, of log entries and of single cards (fairdeal/1 checks 2, 8, 9, 11)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from server.bots.evidence import Cheated, demand
from server.bots.form import SIG_BYTES, bytes_of, exact, list_of, number_of, part_of, text_of
from server.bots.keys import demand_signed
from server.cards.pack import Pack
from server.fairness.commitment import ATTEMPTS, deck_spec, hand_hash
from server.fairness.encoding import HASH_BYTES
from server.fairness.entries import log_open
from server.fairness.merkle import card_leaf, leaf_hash, root_from_path


@dataclass(frozen=True, slots=True, kw_only=True)
class LogHead:
    """A place in the public log as the server named it, and the log's root with it.

    Shape: `path` is None if the server did not send the proof along; it can be asked for. `check`
           is the one that fails if there is none. `note` is the head as the log's key signed it,
           None if that did not come along either.
    """

    check: int
    leaf: bytes
    index: int
    size: int
    root: bytes
    path: tuple[bytes, ...] | None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand:
    """A hand that the server opened, with its four commitments."""

    server_pub: bytes
    table: bytes
    hand_no: int
    hand_id: str
    pack: Pack
    spec: bytes
    commits: tuple[bytes, ...]
    log: LogHead

    def hand(self, attempt: int) -> bytes:
        """Derive the hash that names an attempt.

        Errors: Cheated(2) for an attempt that there can't be.
        """
        demand(0 <= attempt < ATTEMPTS, 2, f"attempt {attempt} is not one of the four")
        return hand_hash(
            server_pub=self.server_pub,
            table=self.table,
            hand_no=self.hand_no,
            attempt=attempt,
            spec=self.spec,
        )


def check_open(
    part: Mapping[str, Any], *, table: str, server_key_at: Callable[[int], bytes]
) -> OpenHand:
    """Check `hand.opened`: what was committed to is signed and is what was logged.

    Errors: Cheated (2, 8, 19).
    """
    pack = Pack(number_of(part, "packs"), number_of(part, "printed_jokers"))
    commits = tuple(exact(value, "commits") for value in list_of(part, "commits"))
    demand(len(commits) == ATTEMPTS, 2, "a hand must open with four commitments")
    spec = bytes_of(part, "spec")
    demand(spec == deck_spec(pack.packs, pack.printed_jokers), 8, "spec is not of these packs")
    hand_no, table16 = number_of(part, "hand"), UUID(table).bytes
    entry = log_open(table=table16, hand_no=hand_no, spec=spec, commits=commits)
    log = check_logged(part, entry, check=2)
    sig, server_pub = bytes_of(part, "sig", SIG_BYTES), server_key_at(log.index)
    demand_signed(server_pub, "open", log.leaf, sig, check=2, what="the open")
    return OpenHand(
        server_pub=server_pub,
        table=table16,
        hand_no=hand_no,
        hand_id=text_of(part, "hand_id"),
        pack=pack,
        spec=spec,
        commits=commits,
        log=log,
    )


def check_logged(part: Mapping[str, Any], entry: bytes, *, check: int) -> LogHead:
    """Check that a frame's log entry is `entry`, and its proof if it came along.

    Who signed the log's head, and whether the log has only grown, is for `Proofs` to say.

    Errors: Cheated(check).
    """
    log = part_of(part, "log")
    demand(
        text_of(log, "entry") == entry.hex(), check, "the log's entry is not of what the frame says"
    )
    index, size = number_of(log, "index"), number_of(log, "size")
    demand(index < size, check, "the log's entry lies beyond the log")
    path = None
    if log.get("path") is not None:
        path = tuple(exact(node, "path") for node in list_of(log, "path"))
    head = LogHead(
        check=check,
        leaf=leaf_hash(entry),
        index=index,
        size=size,
        root=bytes_of(log, "root"),
        path=path,
        note=None if log.get("checkpoint") is None else text_of(log, "checkpoint"),
    )
    if path is not None:
        check_inclusion(head, path)
    return head


def check_inclusion(head: LogHead, path: Sequence[bytes]) -> None:
    """Check that an entry is in the log whose root was named. Errors: Cheated(head.check, 19)."""
    try:
        root = root_from_path(head.leaf, head.index, head.size, path)
    except ValueError as error:
        raise Cheated(19, f"a log proof has a wrong form: {error}") from None
    demand(root == head.root, head.check, "the log's proof does not lead to its root")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies: a position of an epoch's shuffle."""

    epoch: int
    position: int

    def __str__(self) -> str:
        return f"@{self.epoch}.{self.position}"


def check_opening(
    part: Mapping[str, Any], *, hand: bytes, pack: Pack, roots: Sequence[tuple[bytes, int]]
) -> tuple[Place, int]:
    """Check a card that was opened against the root of its epoch.

    Shape:  `roots` has (root, number of cards) for each epoch; the answer is the card's number.
    Errors: Cheated (11, 19).
    """
    place = Place(number_of(part, "epoch"), number_of(part, "position"))
    demand(place.epoch < len(roots), 11, f"a card of {place}, an epoch that was not dealt")
    root, size = roots[place.epoch]
    number = _number_of(part, pack)
    leaf = card_leaf(
        hand=hand,
        epoch=place.epoch,
        position=place.position,
        number=number,
        salt=bytes_of(part, "salt", HASH_BYTES),
    )
    path = [exact(node, "path") for node in list_of(part, "path")]
    try:
        found = root_from_path(leaf, place.position, size, path)
    except ValueError as error:
        raise Cheated(19, f"the proof of {place} has a wrong form: {error}") from None
    demand(found == root, 11, f"the card of {place} is not the one that was dealt")
    return place, number


def _number_of(part: Mapping[str, Any], pack: Pack) -> int:
    """Read a card's number; the wire may name the card by its text or its number."""
    value = part.get("card")
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < pack.size:
        return value
    for number, card in enumerate(pack.cards):
        if card == value:
            return number
    raise Cheated(13, f"{value!r} is not a card of this pack")
