"""What one seat, or a spectator, may see: built from nothing, the only exit of secrets."""

from dataclasses import dataclass

from server.cards.card import Card
from server.cards.game import DEALER, Seat
from server.cards.substitutes import Why, pilot_of
from server.games.sevens.events import HandShown
from server.games.sevens.lines import Line
from server.games.sevens.play import playable, to_act
from server.games.sevens.state import SeatState, State


@dataclass(frozen=True, slots=True)
class SeatView:
    """What all may see of a seat; `score` is its match's, with this hand once it is scored."""

    seat: Seat
    card_count: int
    passes: int
    misses: int
    handed_over: Why | None
    score: int


@dataclass(frozen=True, slots=True)
class SevensView:
    """The table from one seat, or from a spectator's place.

    Shape: `number` is the hand's in a match of `hands`. `lines` are the open suits, each by its
           lowest and highest card. `holding` is empty for a spectator; `playable` are those of it
           that may be laid now, and `may_pass` tells that it is the seat's turn and there is
           none. `shown`, `points` and `winner` come with the end of the hand, `match_winners`
           with that of the match.
    Units: `pool` chips, 0 where no chips are played for.
    """

    seat: Seat | None
    number: int
    hands: int
    dealer: Seat | None
    acting: Seat | None
    waits_for_dealer: bool
    lines: tuple[Line, ...]
    pool: int
    seats: tuple[SeatView, ...]
    holding: tuple[Card, ...]
    playable: tuple[Card, ...]
    may_pass: bool
    shown: tuple[HandShown, ...]
    points: tuple[tuple[Seat, int], ...]
    winner: Seat | None
    match_winners: tuple[Seat, ...]
    ended: bool


def view(state: State, seat: Seat | None) -> SevensView:
    """Build what `seat` may see; None is a spectator.

    Source: rules.md 8.
    """
    scored = state.scored
    is_turn = seat is not None and state.acting == seat
    fits = playable(state, seat) if seat is not None and is_turn else ()
    return SevensView(
        seat=seat,
        number=state.number,
        hands=state.options.hands,
        dealer=state.dealer,
        acting=state.acting,
        waits_for_dealer=DEALER in to_act(state),
        lines=state.lines,
        pool=state.pool,
        seats=tuple(_seat_view(state, player) for player in state.seats),
        holding=state.player(seat).cards if seat is not None else (),
        playable=fits,
        may_pass=is_turn and not fits,
        shown=state.shown,
        points=scored.points if scored is not None else (),
        winner=scored.winner if scored is not None else None,
        match_winners=scored.champions if scored is not None else (),
        ended=scored is not None,
    )


def _seat_view(state: State, player: SeatState) -> SeatView:
    pilot = pilot_of(state.pilots, player.seat)
    return SeatView(
        seat=player.seat,
        card_count=len(player.cards),
        passes=player.passes,
        misses=pilot.misses,
        handed_over=pilot.handed_over,
        score=state.scores[player.seat],
    )
