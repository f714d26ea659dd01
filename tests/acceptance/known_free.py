"""What one receiver may know of a hand of Seep or Court Piece, where most is dealt after a choice.

The places are written down here once more, from the rules: nothing of the games is asked.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.acceptance.known import Known
from tests.acceptance.needles import Leak, faces_in

Part = Mapping[str, Any]
SEATS = 4


class KnownFree(Known):
    """A hand in which a part of the pack is given after a public line."""

    def dealt(self, toss: Sequence[int]) -> None:
        """Wait: who is first is public, and told beside the toss."""

    def line(self, line: str) -> None:
        """Follow a public line: a card in it must be somebody's by then, and is public."""
        words = line.removeprefix("auto ").split(" ")
        if words[1] in self.choices:
            self.chosen()
        held = {self._card_at(*place) for place in self.due}
        if strange := faces_in(line) - held:
            raise Leak(f"{sorted(strange)} are played and were dealt to nobody")
        self.cards |= faces_in(line)

    choices: frozenset[str]
    """The words of the line after which the rest is dealt."""

    def chosen(self) -> None:
        """Note to whom the rest of the pack goes."""
        raise NotImplementedError

    def order(self, first: int) -> list[int]:
        """List the seats from one on."""
        return [(first + step) % SEATS for step in range(SEATS)]


class KnownSeep(KnownFree):
    """Four cards to the bidder, four face down; after the bid all the rest (2.2 to 3.3)."""

    choices = frozenset({"bid"})
    _bidder: int

    def told(self, about: Part) -> None:
        """Learn the bidder, and that its first four were shown and are dealt again."""
        if about.get("bidder") is not None and not self.due:
            self._bidder = about["bidder"]
            self.due = {(0, place): self._bidder for place in range(4)}
        if about.get("e") == "redeal":
            self.cards |= {self._card_at(0, place) for place in range(4)}

    def chosen(self) -> None:
        """Open the floor; the others are dealt up to four, then all to twelve, one by one."""
        order = self.order(self._bidder)
        self.due |= {(0, place): None for place in range(4, 8)}
        self.due |= {(0, 8 + dealt): order[1 + dealt % 3] for dealt in range(12)}
        self.due |= {(0, 20 + dealt): order[dealt % 4] for dealt in range(32)}


class KnownCourtPiece(KnownFree):
    """Five cards each; after the trump four and four more, batch by batch (2.3 to 2.5)."""

    choices = frozenset({"trump"})
    _chooser: int

    def told(self, about: Part) -> None:
        """Learn who chooses; the cards of the first draw are of another pack, and public."""
        drawn = about["cards"] if about.get("e") == "first_draw" else about.get("drawn", ())
        self.cards |= {card for _, card in drawn}
        if about.get("chooser") is not None and not self.due:
            self._chooser = about["chooser"]
            self._give(0, 5)

    def chosen(self) -> None:
        """Give the second and the third batch."""
        self._give(20, 4)
        self._give(36, 4)

    def _give(self, begin: int, count: int) -> None:
        for turn, seat in enumerate(self.order(self._chooser)):
            first = begin + turn * count
            self.due |= {(0, place): seat for place in range(first, first + count)}
