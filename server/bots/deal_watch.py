"""One attempt at a hand as a client sees it, from the signed list to the last line."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.bots.evidence import demand, found
from server.bots.form import SIG_BYTES, bytes_of, find_bytes, list_of, number_of, text_of
from server.bots.head_checks import Call, Chains, Head, call_of, check_call, check_head
from server.bots.list_checks import SignedList, check_reveal
from server.bots.opening_checks import OpenHand, Place, check_opening
from server.bots.public import Gift, PublicHand
from server.bots.transcript_checks import Transcript
from server.cards.card import Card
from server.fairness.commitment import Reveals, entropy, entropy_again

Part = Mapping[str, Any]


class DealWatch:
    """Checks every step of a listed hand, for the seat `me` or for a spectator (None)."""

    def __init__(
        self, opened: OpenHand, signed: SignedList, public: PublicHand, me: int | None
    ) -> None:
        self.opened = opened
        self.signed = signed
        self.public = public
        self.me = me
        self.reveals: dict[int, bytes] = {}
        self.heads: list[Head] = []
        self.toss: tuple[int, ...] = ()
        self.call: Call | None = None
        self.cards: dict[Place, Card] = {}
        self.receipts: set[int] = set()
        self.transcript: Transcript | None = None
        self._given: set[Place] = set()
        self._owed: list[Gift] = []
        self._chains: Chains | None = None
        self._called: dict[int, bytes] = {}
        self._numbers: dict[int, Place] = {}

    @property
    def is_dealt(self) -> bool:
        """Tell whether the cards are out."""
        return self.transcript is not None

    def revealed(self, part: Part) -> None:
        """Check a relayed reveal, of the list or of a call. Errors: Cheated (4, 5, 7, 14, 19)."""
        if number_of(part, "epoch") == 0:
            seat, value = check_reveal(part, self.signed)
            text = f"seat {seat} reveals twice"
            demand(self.reveals.setdefault(seat, value) == value, 4, text)
            return
        call = found(self.call, 14, "a reveal for a reshuffle that was not called")
        chains = found(self._chains, 14, "a reveal for a reshuffle before the deal")
        seat, value = number_of(part, "seat"), bytes_of(part, "x")
        chains.check_link(seat, value, find_bytes(part, "sig", SIG_BYTES), call)
        self._called[seat] = value

    def dealt(self, part: Part, frame: Part) -> None:
        """Check the deal: HEAD, the first T, this seat's cards. `frame` bears T and its signature.

        Errors: Cheated (6, 7, 8, 9, 11, 12, 13, 17, 18, 19).
        """
        for one in self.signed.listed.seats:
            text = f"the deal lacks the reveal of seat {one.seat}"
            demand((one.seat in self.reveals) == (one.status == 1), 7, text)
        rows: Reveals = [(s.seat, self.reveals.get(s.seat)) for s in self.signed.listed.seats]
        numbers = range(self.opened.pack.size)
        gathered = entropy(self.signed.digest, rows)
        self._head(part, 0, gathered, numbers)
        self._chains = Chains(self.signed, self.reveals)
        self.toss = tuple(list_of(part, "toss"))
        head = self.heads[0].digest
        self.transcript = Transcript(
            hand=self.signed.hand, server_pub=self.opened.server_pub, head=head
        )
        self.transcript.check(frame)
        self._owed = self._mine(self.public.deal(self.toss))
        self.openings(part)

    def openings(self, part: Part) -> None:
        """Check every card that came with a frame. Errors: Cheated (11, 13, 19)."""
        roots = [(head.root, len(head.numbers)) for head in self.heads]
        for row in part.get("openings") or ():
            pack = self.opened.pack
            place, number = check_opening(row, hand=self.signed.hand, pack=pack, roots=roots)
            self._once(place, number)
            self.cards[place] = pack.card_of(number)
        still = [gift for gift in self._owed if not self._settle(gift)]
        self._owed = still

    def line(self, part: Part, frame: Part) -> None:
        """Check the next line: its number, its T, and the cards that it gives.

        They come with it, or with the events that follow before the next line or turn.

        Errors: Cheated (11, 12, 13, 15, 18, 19).
        """
        transcript = found(self.transcript, 18, "a line before the deal")
        self.nothing_owed()
        text = "the transcript skips or repeats a step"
        demand(number_of(part, "k") == transcript.k + 1, 18, text)
        line = text_of(part, "line")
        transcript.extend(line)
        transcript.check(frame)
        self._owed = self._mine(self.public.line(line))
        self.openings(part)

    def again_called(self, part: Part) -> Call:
        """Check a reshuffle's call: own T, own discards, closed pile exhausted.

        Errors: Cheated (14, 15, 19).
        """
        self.nothing_owed()
        own = self.own_call()
        self.call = check_call(
            part,
            hand=self.signed.hand,
            server_pub=self.opened.server_pub,
            epoch=own.epoch,
            before=own.before,
            numbers=own.numbers,
        )
        self._called = {}
        return self.call

    def own_call(self) -> Call:
        """Derive the call that must come now. Errors: Cheated (14, 15) if none may."""
        transcript = found(self.transcript, 14, "a reshuffle before the deal")
        return call_of(
            hand=self.signed.hand,
            epoch=len(self.heads),
            before=transcript.value,
            numbers=[self.opened.pack.number_of(card) for card in self.public.call()],
        )

    def reshuffled(self, part: Part, frame: Part) -> None:
        """Check the new epoch: chains, R_e, HEAD_e, T. Errors: Cheated (6 to 9, 14, 18, 19)."""
        call = found(self.call, 14, "a reshuffle that was not called")
        chains = found(self._chains, 14, "a reshuffle before the deal")
        transcript = found(self.transcript, 14, "a reshuffle before the deal")
        rows = chains.check(part, call)
        for seat, value in rows:
            left_out = value is None and (seat in self._called or self._has_receipt(seat, call))
            demand(not left_out, 14, f"seat {seat} answered the call and was left out")
        gathered = entropy_again(call.before, call.discards, rows)
        self._head(part, call.epoch, gathered, call.numbers)
        chains.learn(rows, call.epoch)
        transcript.reshuffled(self.heads[-1].digest)
        transcript.check(frame)
        self.public.reshuffled(call.epoch)
        self.call = None
        self.openings(part)

    def _has_receipt(self, seat: int, call: Call) -> bool:
        return seat == self.me and call.epoch + 1 in self.receipts

    def _head(self, part: Part, epoch: int, gathered: bytes, numbers: Sequence[int]) -> None:
        head = check_head(
            part,
            self.signed,
            server_pub=self.opened.server_pub,
            epoch=epoch,
            entropy=gathered,
            numbers=numbers,
        )
        self.heads.append(head)

    def _once(self, place: Place, number: int) -> None:
        """A card of the first shuffle lies at one place; later epochs only hold its discards."""
        known = self.cards.get(place)
        card = self.opened.pack.card_of(number)
        demand(known in (None, card), 13, f"{place} was opened as another card before")
        if place.epoch:
            text = f"{card} at {place} was not among the reshuffled cards"
            demand(number in self.heads[place.epoch].numbers, 13, text)
        before = self._numbers.get(number)
        twice = before is not None and before != place and before.epoch == place.epoch
        demand(not twice, 13, f"{card} was dealt twice, at {before} and {place}")
        self._numbers[number] = place

    def _mine(self, gifts: Sequence[Gift]) -> list[Gift]:
        return [one for one in gifts if one.seat is None or one.seat == self.me]

    def _settle(self, gift: Gift) -> bool:
        card = self.cards.get(gift.place)
        if card is None:
            return False
        self._given.add(gift.place)
        self.public.seen(gift, card)
        return True

    def nothing_owed(self) -> None:
        """Demand the openings of all that the rules gave to this client. Errors: Cheated(12)."""
        owed = ", ".join(str(gift.place) for gift in self._owed)
        demand(not owed, 12, f"cards that were due did not come: {owed}")

    def no_strays(self) -> None:
        """Demand that no card came that the rules don't give to this seat. Errors: Cheated(12)."""
        stray = set(self.cards) - self._given
        text = f"cards that the rules don't give to this seat: {sorted(map(str, stray))}"
        demand(not stray, 12, text)
