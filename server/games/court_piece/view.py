"""What one seat, or a spectator, may see: built from nothing, the only exit of secrets."""

from dataclasses import dataclass

from server.cards.card import Card
from server.cards.game import DEALER, Seat
from server.cards.substitutes import Pilot, Why
from server.cards.tricks import PlayedCard, Trick, TrumpSuit
from server.games.court_piece.play import to_act
from server.games.court_piece.scoring import Court, Standing, team_of
from server.games.court_piece.state import Phase, State


@dataclass(frozen=True, slots=True)
class SeatView:
    """What all may see of a seat; teams are 0 (seats 0 and 2) and 1."""

    seat: Seat
    team: int
    card_count: int
    misses: int
    is_bot: bool
    handed_over: Why | None


@dataclass(frozen=True, slots=True)
class CourtPieceView:
    """The table from one seat, or from a spectator's place.

    Shape: `hand` is this hand's number in the match, played to `target` by `counting`. `drawn` are
           the cards of the first draw. `has_passed` once the choice of trump is the partner's;
           `namer` is None before it, and if the card of `luck` made trump. `team_tricks`, `score`
           are by team, `run` the hands that `run_team` has won in a row; score and run hold this
           hand once it is over. `trick` lies on the table, `tricks` were taken. `holding` is
           empty for a spectator; `may_name`, `may_pass`, `may_play` are the decisions that this
           seat has now. `court` and `points` come with the end, `winners` with the match's.
    """

    seat: Seat | None
    phase: Phase
    dealer: Seat | None
    chooser: Seat | None
    acting: Seat | None
    waits_for_dealer: bool
    hand: int
    counting: str
    target: int
    drawn: tuple[PlayedCard, ...]
    has_passed: bool
    trump: TrumpSuit | None
    namer: Seat | None
    luck: Card | None
    trick: tuple[PlayedCard, ...]
    tricks: tuple[Trick, ...]
    team_tricks: tuple[int, ...]
    score: tuple[int, ...]
    run_team: int
    run: int
    seats: tuple[SeatView, ...]
    holding: tuple[Card, ...]
    may_name: bool
    may_pass: bool
    may_play: tuple[Card, ...]
    court: Court
    points: tuple[tuple[Seat, int], ...]
    winners: tuple[Seat, ...]
    ended: bool


def view(state: State, seat: Seat | None) -> CourtPieceView:
    """Build what `seat` may see; None is a spectator.

    Source: rules.md 8.
    """
    phase, match = state.phase, _standing(state)
    decides = seat is not None and to_act(state) == {seat}
    return CourtPieceView(
        seat=seat,
        phase=phase,
        dealer=state.dealer,
        chooser=None if state.dealer is None else state.chooser,
        acting=state.acting,
        waits_for_dealer=DEALER in to_act(state),
        hand=state.standing.hands_played + 1,
        counting=state.options.counting,
        target=match.target,
        drawn=state.drawn,
        has_passed=state.has_passed,
        trump=state.trump,
        namer=state.namer,
        luck=state.luck,
        trick=state.trick,
        tricks=state.tricks,
        team_tricks=state.team_tricks,
        score=match.score,
        run_team=match.run_team,
        run=match.run,
        seats=tuple(_seat_view(state, pilot) for pilot in state.pilots),
        holding=() if seat is None else state.holdings[seat],
        may_name=decides and phase == "trump",
        may_pass=decides and phase == "trump" and not state.has_passed,
        may_play=_may_play(state, seat) if decides else (),
        court="none" if state.result is None else state.result.court,
        points=state.scored.points if state.scored is not None else (),
        winners=state.scored.champions if state.scored is not None else (),
        ended=state.ended,
    )


def _standing(state: State) -> Standing:
    result = state.result
    return (
        state.standing if result is None else state.standing.after(result, state.options.counting)
    )


def _may_play(state: State, seat: Seat | None) -> tuple[Card, ...]:
    return state.legal_cards(seat) if seat is not None and state.phase == "play" else ()


def _seat_view(state: State, pilot: Pilot) -> SeatView:
    return SeatView(
        seat=pilot.seat,
        team=team_of(pilot.seat),
        card_count=len(state.holdings[pilot.seat]),
        misses=pilot.misses,
        is_bot=pilot.is_bot,
        handed_over=pilot.handed_over,
    )
