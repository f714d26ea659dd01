"""The floor: what a card takes from it, what joins a house, and how it lies after a play.

A choice is the cards of disjoint sets, each adding up to the value, after which no set of that
value is left among the loose cards (rules.md 4.3). The cards are the bits of a whole number, in
the order in which they lie.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from server.cards.card import RANKS, Card, rank_of
from server.cards.game import Seat
from server.games.seep.options import PACK

HOUSE_VALUES = range(9, 14)
"""What a house may be worth. Source: rules.md 5.1."""

REMEMBERED = 256
"""How many enumerations of a floor are kept: a hand asks for fewer than 80 of each."""

Choices = tuple[tuple[Card, ...], ...]

_VALUES = {card: RANKS.index(rank_of(card)) + 1 for card in PACK.cards}


def value_of(card: Card) -> int:
    """Derive what a card of the pack takes: an ace 1, a king 13. Source: rules.md 1.3."""
    return _VALUES[card]


def team_of(seat: int) -> int:
    """Derive the pair that a seat plays for: partners sit opposite. Source: rules.md 1.1."""
    return seat % 2


@dataclass(frozen=True, slots=True)
class House:
    """A pile that only its own value takes.

    Shape: `owners` ascend; each of them keeps a card of `value` in hand.
    """

    value: int
    cards: tuple[Card, ...]
    owners: tuple[Seat, ...]

    @property
    def is_pakka(self) -> bool:
        """Tell whether the value is there more than once. Source: rules.md 6.1."""
        return sum(map(value_of, self.cards)) > self.value


@dataclass(frozen=True, slots=True)
class Floor:
    """What lies open. Shape: `loose` in the order in which they came, `houses` by their value."""

    loose: tuple[Card, ...] = ()
    houses: tuple[House, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Tell whether nothing lies here."""
        return not self.loose and not self.houses

    @property
    def cards(self) -> tuple[Card, ...]:
        """List every card, those of the houses first."""
        return (*(card for house in self.houses for card in house.cards), *self.loose)

    def find_house(self, value: int) -> House | None:
        """Find the house of that value; there is one at most."""
        return next((house for house in self.houses if house.value == value), None)

    def takes(self, value: int) -> Choices:
        """List what a card of that value may take, whole: none if it can take nothing."""
        house = self.find_house(value)
        held = () if house is None else house.cards
        return tuple((*held, *more) for more in complete_sets(self.loose, value) if held or more)

    def joins(self, card: Card, value: int) -> Choices:
        """List which loose cards may go with a played card into the house of that value.

        The played card makes a set with some of them, or is one by itself; all other sets of the
        value join. By itself it is no new house.
        """
        lack = value - value_of(card)
        if lack < 0:
            return ()
        found = complete_sets(self.loose, value, lack)
        if lack or self.find_house(value) is not None:
            return found
        return tuple(choice for choice in found if choice)

    def with_thrown(self, card: Card) -> "Floor":
        """Lay a card loose."""
        return replace(self, loose=(*self.loose, card))

    def without(self, cards: Sequence[Card]) -> "Floor":
        """Take cards away; a house of which a card goes is gone as a whole."""
        gone = set(cards)
        return Floor(
            tuple(card for card in self.loose if card not in gone),
            tuple(house for house in self.houses if gone.isdisjoint(house.cards)),
        )

    def with_built(self, seat: Seat, value: int, cards: Sequence[Card]) -> "Floor":
        """Lay cards, from the hand and of the loose ones, into the house of that value.

        Source: rules.md 5.2 (a new house's owner), 6.4 (who adds to one becomes an owner where his
        pair has none).
        """
        house = self.find_house(value)
        owners = () if house is None else house.owners
        if team_of(seat) not in map(team_of, owners):
            owners = (*owners, seat)
        return self._with_house(value, cards, owners)

    def with_raised(self, seat: Seat, house: House, card: Card, more: Sequence[Card]) -> "Floor":
        """Raise a house by a card; `more` are the loose cards that join. Source: rules.md 6.2."""
        value = house.value + value_of(card)
        target = self.find_house(value)
        owners = () if target is None else target.owners
        left = replace(self, houses=tuple(other for other in self.houses if other != house))
        return left._with_house(value, (*house.cards, card, *more), {*owners, seat})

    def _with_house(
        self, value: int, cards: Sequence[Card], owners: set[Seat] | tuple[Seat, ...]
    ) -> "Floor":
        old = self.find_house(value)
        made = House(
            value, (*(() if old is None else old.cards), *cards), tuple(sorted(set(owners)))
        )
        houses = (*(house for house in self.houses if house != old), made)
        return Floor(
            tuple(card for card in self.loose if card not in set(cards)),
            tuple(sorted(houses, key=lambda house: house.value)),
        )


def complete_sets(loose: Sequence[Card], value: int, lack: int = 0) -> Choices:
    """List every complete choice of loose cards for a value.

    Shape:  the choice with most cards first, then as they lie; one empty choice if nothing adds
            up. With `lack`, one set adds up to that instead (a played card makes up the rest):
            no choice at all if there is none.
    Source: rules.md 4.2, 4.3, 5.5.
    """
    taken = complete_values(tuple(map(value_of, loose)), value, lack)
    return tuple(tuple(card for at, card in enumerate(loose) if t >> at & 1) for t in taken)


@lru_cache(maxsize=REMEMBERED)
def complete_values(values: tuple[int, ...], value: int, lack: int) -> tuple[int, ...]:
    """Find the choices among cards of these values, as bits.

    They are kept: each card of a value asks for them, and the check of the play does again.
    """
    sets = list(_sums(values, value))
    if not sets and not lack:
        return (0,)
    everything = (1 << len(values)) - 1
    known: dict[int, frozenset[int]] = {}
    rests: set[int] = set()
    for own in _sums(values, lack) if lack else (0,):
        rests |= _rests(everything & ~own, sets, known)
    return tuple(sorted((everything & ~rest for rest in rests), key=lambda t: (-t.bit_count(), t)))


def _rests(cards: int, sets: list[int], known: dict[int, frozenset[int]]) -> frozenset[int]:
    """Find what may be left of `cards` when no set is left in it.

    The first set that is still there can't stay, so one that shares a card with it is taken.
    """
    if (found := known.get(cards)) is not None:
        return found
    still = [one for one in sets if one & cards == one]
    if not still:
        rests = frozenset({cards})
    else:
        ways = (_rests(cards & ~one, still, known) for one in still if one & still[0])
        rests = frozenset().union(*ways)
    known[cards] = rests
    return rests


def _sums(values: Sequence[int], total: int) -> Iterator[int]:
    """List the sets of cards, as bits, that add up to `total`."""
    ways: list[list[int]] = [[] for _ in range(total + 1)]
    ways[0].append(0)
    for at, value in enumerate(values):
        for least in range(total - value, -1, -1):
            ways[least + value] += [one | 1 << at for one in ways[least]]
    return iter(ways[total])
