"""Everything needed to go on with a hand of Court Piece."""

from dataclasses import dataclass, replace
from typing import Literal

from server.cards.card import Card
from server.cards.game import Scored, Seat
from server.cards.substitutes import Pilots
from server.cards.tricks import (
    HAND_CARDS,
    SEATS,
    PlayedCard,
    Trick,
    TrumpSuit,
    best_of,
    following,
    seat_after,
)
from server.games.court_piece.options import Options
from server.games.court_piece.scoring import Result, Standing, find_result, team_of

Phase = Literal["deal", "trump", "play", "over"]


@dataclass(frozen=True, slots=True)
class State:
    """A hand.

    Shape: `standing` is the match before this hand; `novices` are people in their very first match.
           `acting` is None before the deal and at the end. `holdings` are by seat, in the order
           dealt; `stock` is not dealt yet, top first. `drawn` are the cards of a first draw.
           `luck` is the card that made trump, `namer` who named it. `trick` lies on the table.
    """

    options: Options
    pilots: Pilots
    novices: tuple[Seat, ...]
    standing: Standing
    dealer: Seat | None
    acting: Seat | None = None
    is_dealt: bool = False
    drawn: tuple[PlayedCard, ...] = ()
    holdings: tuple[tuple[Card, ...], ...] = ((),) * SEATS
    stock: tuple[Card, ...] = ()
    has_passed: bool = False
    trump: TrumpSuit | None = None
    namer: Seat | None = None
    luck: Card | None = None
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
        return "trump" if self.trump is None else "play"

    @property
    def chooser(self) -> Seat:
        """Derive who chooses trump: the seat at the dealer's right. Source: rules.md 2.3."""
        assert self.dealer is not None
        return seat_after(self.dealer)

    @property
    def result(self) -> Result | None:
        """Derive who has won, None while the hand goes on."""
        if self.dealer is None:
            return None
        teams = [team_of(trick.winner) for trick in self.tricks]
        return find_result(team_of(self.chooser), teams)

    @property
    def team_tricks(self) -> tuple[int, ...]:
        """Count the tricks of each team."""
        teams = [team_of(trick.winner) for trick in self.tricks]
        return teams.count(0), teams.count(1)

    @property
    def finished_trick(self) -> Trick:
        """Derive the trick that the four cards on the table make. Source: rules.md 4.3."""
        assert len(self.trick) == SEATS
        assert self.trump is not None
        winner = best_of([one.card for one in self.trick], self.trump)
        return Trick(self.trick[winner].seat, self.trick)

    def legal_cards(self, seat: Seat) -> tuple[Card, ...]:
        """Choose the cards that a seat in turn may play. Source: rules.md 4.2."""
        return following(self.holdings[seat], [one.card for one in self.trick])

    def without(self, seat: Seat, card: Card) -> "State":
        """Make the state in which a seat has played a card to the trick."""
        holdings = list(self.holdings)
        holdings[seat] = tuple(held for held in holdings[seat] if held != card)
        trick = (*self.trick, PlayedCard(seat, card))
        return replace(self, holdings=tuple(holdings), trick=trick)

    def is_whole(self) -> bool:
        """Tell whether every card of the pack is in exactly one place, by their number."""
        held = sum(map(len, self.holdings)) + len(self.stock)
        cards = held + len(self.trick) + SEATS * len(self.tricks)
        return cards == (SEATS * HAND_CARDS if self.is_dealt else 0)
