"""What one seat, or a spectator, may see: built from nothing, the only exit of secrets."""

from dataclasses import dataclass

from server.cards.card import Card
from server.cards.game import DEALER, Seat
from server.games.rummy.events import HandShown, WhyOut
from server.games.rummy.moves import Place, Source
from server.games.rummy.play import to_act
from server.games.rummy.state import SeatState, State


@dataclass(frozen=True, slots=True)
class SeatView:
    """What all may see of a seat.

    Shape: `known` are cards of its holding that it took from the open pile; `shown` the cards of a
           wrong declare; `finish` the place of its finish card. `points` are 0 while it is in.
    """

    seat: Seat
    card_count: int
    has_drawn: bool
    misses: int
    out: WhyOut | None
    points: int
    known: tuple[Card, ...]
    shown: tuple[Card, ...]
    finish: Place | None


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of one's own; `place` is None if it was taken from the open pile."""

    card: Card
    place: Place | None


@dataclass(frozen=True, slots=True)
class RummyView:
    """The table from one seat, or from a spectator's place.

    Shape: `open_pile` lies bottom to top, `discards` are all of the hand in order. `holding` is
           empty for a spectator and for a seat that is out; `drawn_card` is the seat's own, or
           one drawn from the open pile. `wild_rank` is empty if only printed jokers are wild.
           `shown`, `points` and `winner` come with the end; a void hand ends without them.
    """

    seat: Seat | None
    first: Seat | None
    acting: Seat | None
    drawn_from: Source | None
    drawn_card: Card | None
    waits_for_dealer: bool
    epoch: int
    turned: Card | None
    wild_rank: str
    closed_count: int
    open_pile: tuple[Card, ...]
    discards: tuple[tuple[Seat, Card], ...]
    seats: tuple[SeatView, ...]
    holding: tuple[HeldCard, ...]
    shown: tuple[HandShown, ...]
    points: tuple[tuple[Seat, int], ...]
    winner: Seat | None
    ended: bool


def view(state: State, seat: Seat | None) -> RummyView:
    """Build what `seat` may see; None is a spectator.

    Source: rules.md 10.
    """
    own = next((player for player in state.seats if player.seat == seat), None)
    drawn = state.drawn
    sees_drawn = drawn is not None and (drawn.source == "open" or state.acting == seat)
    return RummyView(
        seat=seat,
        first=state.first,
        acting=state.acting,
        drawn_from=drawn.source if drawn is not None else None,
        drawn_card=drawn.card if drawn is not None and sees_drawn else None,
        waits_for_dealer=DEALER in to_act(state),
        epoch=max(0, state.epoch),
        turned=state.turned,
        wild_rank=state.wild_rank or "",
        closed_count=len(state.closed_pile),
        open_pile=state.open_pile,
        discards=state.discards,
        seats=tuple(_seat_view(player) for player in state.seats),
        holding=_holding(state, own) if own is not None else (),
        shown=state.shown,
        points=state.scored.points if state.scored is not None else (),
        winner=state.scored.winner if state.scored is not None else None,
        ended=state.ended,
    )


def _seat_view(player: SeatState) -> SeatView:
    return SeatView(
        seat=player.seat,
        card_count=len(player.cards),
        has_drawn=player.has_drawn,
        misses=player.misses,
        out=player.out,
        points=player.points,
        known=tuple(card for card in player.cards if card in player.known),
        shown=player.laid_down if player.out == "wrong_declare" else (),
        finish=player.finish,
    )


def _holding(state: State, player: SeatState) -> tuple[HeldCard, ...]:
    """List the own cards; where a card lay that others had drawn is theirs to know."""
    return tuple(
        HeldCard(card, None if card in player.known else state.place_of(card))
        for card in player.cards
    )
