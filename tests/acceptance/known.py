"""What one receiver may know of a hand at each moment: the public lines say it, nothing else."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from server.cards.pack import Pack
from tests.acceptance.needles import Leak

Part = Mapping[str, Any]
Place = tuple[int, int]
CardAt = Callable[[int, int], str]
"""The true card at (epoch, position), from the server's own seed."""

HAND_CARDS = 13


class Known:
    """A hand as the receiver in seat `me` (None: a spectator) may know it.

    Shape: `due` maps each opened place to its seat, None for all; `cards` may be named to it.
    """

    def __init__(self, listed: Part, me: int | None, pack: Pack, card_at: CardAt) -> None:
        self.hand_no = listed["hand"]
        self.attempt = listed["attempt"]
        self.due: dict[Place, int | None] = {}
        self.cards: set[str] = set()
        self._seats: list[int] = [row["seat"] for row in listed["seats"]]
        self._dealer: int | None = listed["dealer"]
        self._me = me
        self._pack = pack
        self._card_at = card_at
        self._pile: list[str] = []
        self._opened: set[Place] = set()
        self._finish: dict[int, Place] = {}
        self._is_over = False

    def dealt(self, toss: Sequence[int]) -> None:
        """Work out who is given which place (rules of rummy, 2.4)."""
        count = len(self._seats)
        first = self._seats[toss[0]] if self._dealer is None else self._dealer
        at = self._seats.index(first)
        order = self._seats[at:] + self._seats[:at]
        self.due = {(0, p): order[p % count] for p in range(HAND_CARDS * count)}
        self.due |= {(0, HAND_CARDS * count): None, (0, HAND_CARDS * count + 1): None}

    def opening(self, row: Part) -> None:
        """Take a card that is shown to this receiver with its proof."""
        place = (row["epoch"], row["position"])
        if place in self._opened:
            return
        if self.due.get(place, -1) not in (None, self._me):
            raise Leak(f"place {place} was shown to {self._me}, it is due to {self.due.get(place)}")
        if row["card"] != self._card_at(*place):
            raise Leak(f"{row['card']} does not lie at {place}")
        self._opened.add(place)
        self.cards.add(row["card"])
        if place == (0, HAND_CARDS * len(self._seats) + 1):
            self._pile = [row["card"]]

    def line(self, line: str) -> None:
        """Follow a public line."""
        if self._is_over:
            raise Leak("the holdings were shown and the hand goes on")
        words = line.removeprefix("auto ").split(" ")
        seat = int(words[0])
        match words[1:]:
            case ["draw", "closed", place]:
                self.due[_place_of(place)] = seat
            case ["draw", "open", card]:
                if not self._pile or self._pile.pop() != card:
                    raise Leak(f"{card} is drawn and did not lie on top")
            case ["discard", card]:
                self._pile.append(card)
                self.cards.add(card)
            case ["declare", place, *groups]:
                self._finish[seat] = _place_of(place)
                if groups:
                    self.laid_down(seat, groups[0].replace("/", ",").split(","))
            case ["drop"] | ["leave"]:
                pass
            case _:
                raise Leak(f"a line that nobody knows: {line!r}")

    def told(self, about: Part) -> None:
        """Take what an event or a view says of a hand beside its lines: nothing here."""

    def laid_down(self, seat: int, cards: Sequence[str]) -> None:
        """Take the thirteen cards of a declare; its finish card stays hidden."""
        finish = self._finish.get(seat)
        if finish is None or len(set(cards)) != HAND_CARDS:
            raise Leak(f"{len(cards)} cards of seat {seat} are shown")
        hidden = self._card_at(*finish)
        if hidden in cards and hidden not in self.cards:
            raise Leak(f"the finish card of seat {seat} is shown")
        self.cards.update(cards)

    def shown(self, cards: Sequence[str]) -> None:
        """Take a holding at the hand's end; no line may follow."""
        self.cards.update(cards)
        self._is_over = True

    def called(self, numbers: Sequence[int]) -> None:
        """Check a reshuffle's call: the public pile without its top card, in its order."""
        cards = [self._pack.card_of(number) for number in numbers]
        if cards != self._pile[:-1]:
            raise Leak("a call names other cards than the public discards")

    def reshuffled(self) -> None:
        """Only the top card still lies open."""
        self._pile = self._pile[-1:]

    def may_have_salt(self, attempt: int, epoch: int, position: int) -> bool:
        """Tell whether the salt of a place is due to this receiver by now."""
        due = self.due.get((epoch, position), -1)
        return attempt == self.attempt and (due is None or due == self._me)


def _place_of(text: str) -> Place:
    epoch, position = text.removeprefix("@").split(".")
    return int(epoch), int(position)
