"""The packs of a hand and the public log as an honest server makes them."""

from uuid import UUID

from server.bots.opening_checks import LogHead, check_inclusion
from server.database import TableId
from server.fairness.checkpoint import read_checkpoint
from server.fairness.commitment import discards_hash, entropy, entropy_again, hand_hash
from server.fairness.entries import log_deal
from server.fairness.merkle import leaf_hash, path, root
from server.fairness.shoe import Shoe, deal
from server.fairness.signing import LogSigner
from server.tables.facts import LogPlace
from server.tables.listing import Listing
from server.tables.state import Reshuffling

TABLE = TableId(UUID(int=7))
LOG_SIGNER = LogSigner(bytes(range(32)), "test.example/fairdeal-1")


def hashes_of(server_pub: bytes, hand_no: int, spec: bytes) -> tuple[bytes, ...]:
    """Name the four attempts at a hand."""
    return tuple(
        hand_hash(
            server_pub=server_pub, table=TABLE.bytes, hand_no=hand_no, attempt=attempt, spec=spec
        )
        for attempt in range(4)
    )


def first_shoe(seed: bytes, hand: bytes, listing: Listing, size: int) -> Shoe:
    """Derive the first deal from the list's reveals."""
    rows = [(one.seat, one.x_of(0)) for one in listing.seats]
    return deal(
        seed,
        hand=hand,
        listing=listing.digest,
        entropy=entropy(listing.digest, rows),
        epoch=0,
        numbers=range(size),
    )


def again_shoe(seed: bytes, hand: bytes, phase: Reshuffling) -> Shoe:
    """Derive a reshuffle from the reveals for its call."""
    played, epoch = phase.hand, phase.hand.epoch + 1
    rows = [(one.seat, one.x_of(epoch)) for one in played.listing.seats]
    discards = discards_hash(hand=hand, epoch=epoch, numbers=phase.numbers)
    return deal(
        seed,
        hand=hand,
        listing=played.listing.digest,
        entropy=entropy_again(played.transcript, discards, rows),
        epoch=epoch,
        numbers=phase.numbers,
    )


class PublicLog:
    """The public log, in memory."""

    def __init__(self) -> None:
        self._leaves: list[bytes] = []

    def append(self, entry: bytes) -> LogPlace:
        """Append an entry."""
        self._leaves.append(leaf_hash(entry))
        size, head = len(self._leaves), root(self._leaves)
        return LogPlace(
            index=size - 1,
            size=size,
            root=head,
            entry=entry,
            path=path(self._leaves, size - 1),
            checkpoint=LOG_SIGNER.checkpoint(size=size, root=head),
        )

    def deal(self, shoe: Shoe, listing: Listing) -> LogPlace:
        """Append the DEAL of an epoch."""
        return self.append(
            log_deal(
                hand=shoe.hand,
                epoch=shoe.epoch,
                listing=listing.digest,
                entropy=shoe.entropy,
                size=len(shoe.order),
                root=shoe.root,
            )
        )

    def prove(self, head: LogHead) -> None:
        """Prove an entry to a client, as the server's HTTP does; and look at its checkpoint."""
        check_inclusion(head, path(self._leaves[: head.size], head.index))
        assert head.note is not None
        signed = read_checkpoint(head.note, LOG_SIGNER.key)
        assert (signed.size, signed.root) == (head.size, head.root)
