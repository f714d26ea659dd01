"""Everything needed to go on with a hand of Batak."""

from dataclasses import dataclass, replace
from typing import Literal

from server.cards.card import Card, suit_of
from server.cards.game import Scored, Seat
from server.cards.substitutes import Pilots
from server.cards.tricks import (
    HAND_CARDS,
    SEATS,
    PlayedCard,
    Trick,
    TrumpSuit,
    best_of,
)
from server.games.batak.bids import Call, Contract
from server.games.batak.duties import legal_cards
from server.games.batak.options import Options
from server.games.batak.scoring import Standing

Phase = Literal["deal", "auction", "trump", "play", "over"]


@dataclass(frozen=True, slots=True)
class State:
    """A hand.

    Shape: `standing` is the match before this hand. `holdings` are by seat, in the order dealt.
           `acting` is None before the deal and at the end. `trick` lies on the table, `tricks`
           were taken.
    """

    options: Options
    pilots: Pilots
    standing: Standing
    dealer: Seat | None
    acting: Seat | None = None
    is_dealt: bool = False
    holdings: tuple[tuple[Card, ...], ...] = ((),) * SEATS
    calls: tuple[Call, ...] = ()
    contract: Contract | None = None
    trump: TrumpSuit | None = None
    trick: tuple[PlayedCard, ...] = ()
    tricks: tuple[Trick, ...] = ()
    scored: Scored | None = None

    @property
    def ended(self) -> bool:
        """Tell whether the hand is over."""
        return self.scored is not None

    @property
    def phase(self) -> Phase:
        """Derive what is decided now."""
        if self.ended:
            return "over"
        if not self.is_dealt:
            return "deal"
        if self.contract is None:
            return "auction"
        return "trump" if self.trump is None else "play"

    @property
    def is_broken(self) -> bool:
        """Tell whether a trump was played in an earlier trick. Source: rules.md 4.1."""
        played = (one.card for trick in self.tricks for one in trick.cards)
        return any(suit_of(card) == self.trump for card in played)

    def legal_cards(self, seat: Seat) -> tuple[Card, ...]:
        """Choose the cards that a seat in turn may play. Source: rules.md 4."""
        assert self.trump is not None
        return legal_cards(
            self.holdings[seat],
            [one.card for one in self.trick],
            self.trump,
            is_broken=self.is_broken,
            beat_trump_led=self.options.beat_trump_led,
        )

    @property
    def finished_trick(self) -> Trick:
        """Derive the trick that the four cards on the table make. Source: rules.md 4.7."""
        assert len(self.trick) == SEATS
        assert self.trump is not None
        winner = best_of([one.card for one in self.trick], self.trump)
        return Trick(self.trick[winner].seat, self.trick)

    def taken(self, seat: Seat) -> int:
        """Count the tricks of a seat."""
        return sum(trick.winner == seat for trick in self.tricks)

    def without(self, seat: Seat, card: Card) -> "State":
        """Make the state in which a seat has played a card to the trick."""
        holdings = list(self.holdings)
        holdings[seat] = tuple(held for held in holdings[seat] if held != card)
        trick = (*self.trick, PlayedCard(seat, card))
        return replace(self, holdings=tuple(holdings), trick=trick)

    def is_whole(self) -> bool:
        """Tell whether every card of the pack is in exactly one place, by their number."""
        held = sum(map(len, self.holdings))
        cards = held + len(self.trick) + SEATS * len(self.tricks)
        return cards == (SEATS * HAND_CARDS if self.is_dealt else 0)
