"""A shoe: one epoch's ordered cards, with a proof for each."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.fairness.commitment import header
from server.fairness.merkle import Levels, card_leaf, levels_of, path_in
from server.fairness.shuffle import prk_of, salts, shuffled, toss


@dataclass(frozen=True, slots=True)
class Opening:
    """A card, with the proof that it lay there before the deal.

    Shape: `number` is the card's number in the pack; `path` leads from its leaf to HEAD's root.
    """

    epoch: int
    position: int
    number: int
    salt: bytes
    path: tuple[bytes, ...]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Shoe:
    """The cards of one epoch in their order; everything but `root` and `head` is secret.

    Shape: `order` holds card numbers by position; `head` is HEAD_e, to be signed and logged
           before any card is opened.
    """

    hand: bytes
    epoch: int
    entropy: bytes
    order: tuple[int, ...]
    root: bytes
    head: bytes
    _prk: bytes = field(kw_only=True)
    _salts: tuple[bytes, ...] = field(kw_only=True)
    _levels: Levels = field(kw_only=True)

    def opening(self, position: int) -> Opening:
        """Open the card at a position. Errors: IndexError if there is no such position."""
        path = path_in(self._levels, position)
        return Opening(self.epoch, position, self.order[position], self._salts[position], path)

    def toss(self, moduli: Sequence[int]) -> tuple[int, ...]:
        """Draw the toss's numbers, one below each modulus."""
        return toss(self._prk, moduli)

    def __repr__(self) -> str:
        return f"<Shoe epoch {self.epoch}, {len(self.order)} cards, root {self.root.hex()[:16]}>"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a shoe is not to be pickled")


def deal(
    seed: bytes,
    *,
    hand: bytes,
    listing: bytes,
    entropy: bytes,
    epoch: int,
    numbers: Sequence[int],
) -> Shoe:
    """Order the cards of an epoch: the pack 0..n-1 at first, the discards in public order later.

    Shape:  `listing` is L; `entropy` is R for epoch 0, R_e for a reshuffle.
    Errors: ValueError if there is no card.
    Source: fairdeal/1 section 3 ("Derive", "Reshuffle").
    """
    prk = prk_of(seed, hand=hand, epoch=epoch, entropy=entropy)
    order = tuple(shuffled(numbers, prk))
    hiding = salts(prk, range(len(order)))
    levels = levels_of(
        [
            card_leaf(hand=hand, epoch=epoch, position=position, number=number, salt=salt)
            for position, (number, salt) in enumerate(zip(order, hiding, strict=True))
        ]
    )
    root = levels[-1][0]
    head = header(
        hand=hand, listing=listing, entropy=entropy, epoch=epoch, size=len(order), root=root
    )
    return Shoe(hand, epoch, entropy, order, root, head, _prk=prk, _salts=hiding, _levels=levels)
