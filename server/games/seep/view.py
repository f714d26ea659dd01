"""What one seat, or a spectator, may see: built from nothing, the only exit of secrets."""

from dataclasses import dataclass
from typing import Literal

from server.cards.card import Card
from server.cards.game import DEALER, Seat
from server.cards.substitutes import Pilot, Why
from server.games.seep.captures import House, team_of, value_of
from server.games.seep.moves import Bid, Build, Move, Play, Raise, Take, Throw
from server.games.seep.play import legal_moves, to_act
from server.games.seep.scoring import LEAD_TO_WIN
from server.games.seep.state import FIRST_FOUR, State


@dataclass(frozen=True, slots=True)
class SeatView:
    """What all may see of a seat. `handed_over` says why a substitute plays it on."""

    seat: Seat
    team: int
    card_count: int
    misses: int
    handed_over: Why | None


@dataclass(frozen=True, slots=True)
class HouseView:
    """A house. Shape: `cards` in the order in which they came."""

    value: int
    cards: tuple[Card, ...]
    owners: tuple[Seat, ...]
    is_pakka: bool


@dataclass(frozen=True, slots=True)
class PlayView:
    """A play, made or open to the viewer: `move` is its name on the wire.

    Shape: `house` is the value of the house that is built, 0 if none; `raised` the one it was
           raised from, 0 if none; `cards` are those of the floor that are taken or that join.
    """

    move: Literal["throw", "take", "build", "raise"]
    card: Card
    cards: tuple[Card, ...]
    house: int
    raised: int


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair in this deal.

    Units: `seeps` the points of each one it made; `card_points` and `points` are 0 until the count.
    """

    team: int
    seats: tuple[Seat, ...]
    taken_count: int
    seeps: tuple[int, ...]
    card_points: int
    points: int


@dataclass(frozen=True, slots=True)
class SeepView:
    """The table as one seat sees it.

    Shape: `bid` is 0 before the bid; `hidden_floor` counts what lies face down until then. `bids`
           and `plays` are what the viewer may do now. `redealt` are the bidder's first four where
           he had nothing to bid. `winner` is the lower seat of the pair that is ahead.
    Units: points; `lead` is that of seats 0 and 2 over 1 and 3 before this deal's count, after it
           with it.
    """

    seat: Seat | None
    dealer: Seat | None
    bidder: Seat | None
    acting: Seat | None
    waits_for_dealer: bool
    bid: int
    hidden_floor: int
    loose: tuple[Card, ...]
    houses: tuple[HouseView, ...]
    seats: tuple[SeatView, ...]
    holding: tuple[Card, ...]
    bids: tuple[int, ...]
    plays: tuple[PlayView, ...]
    last_seat: Seat | None
    last_play: PlayView | None
    play_count: int
    pairs: tuple[PairView, ...]
    lead: int
    lead_to_win: int
    deals_counted: int
    redealt: tuple[Card, ...]
    points: tuple[tuple[Seat, int], ...]
    winner: Seat | None
    ended: bool
    match_over: bool


def view(state: State, seat: Seat | None) -> SeepView:
    """Build what `seat` may see; None is a spectator.

    Source: rules.md 11.
    """
    own = next((player for player in state.seats if player.seat == seat), None)
    moves: list[Move] = [] if own is None else list(legal_moves(state, own.seat))
    scored, counted = state.scored, state.counted
    return SeepView(
        seat=seat,
        dealer=state.dealer,
        bidder=state.bidder,
        acting=state.acting,
        waits_for_dealer=DEALER in to_act(state),
        bid=state.bid,
        hidden_floor=FIRST_FOUR if state.order and not state.bid else 0,
        loose=state.floor.loose,
        houses=tuple(_house_view(house) for house in state.floor.houses),
        seats=tuple(_seat_view(state, pilot) for pilot in state.pilots),
        holding=() if own is None else own.cards,
        bids=tuple(move.value for move in moves if isinstance(move, Bid)),
        plays=tuple(_play_view(move) for move in moves if not isinstance(move, Bid)),
        last_seat=None if state.last is None else state.last[0],
        last_play=None if state.last is None else _play_view(state.last[1]),
        play_count=state.plays,
        pairs=tuple(_pair_view(state, team) for team in (0, 1)),
        lead=state.account.lead + (0 if counted is None else _swing(state)),
        lead_to_win=LEAD_TO_WIN,
        deals_counted=state.account.deals + (counted is not None),
        redealt=state.redealt,
        points=() if scored is None else scored.points,
        winner=None if scored is None else scored.winner,
        ended=scored is not None,
        match_over=scored is not None and scored.match_over,
    )


def _swing(state: State) -> int:
    points = [_pair_view(state, team).points for team in (0, 1)]
    return points[0] - points[1]


def _seat_view(state: State, pilot: Pilot) -> SeatView:
    return SeatView(
        seat=pilot.seat,
        team=team_of(pilot.seat),
        card_count=len(state.player(pilot.seat).cards),
        misses=pilot.misses,
        handed_over=pilot.handed_over,
    )


def _house_view(house: House) -> HouseView:
    return HouseView(house.value, house.cards, house.owners, house.is_pakka)


def _play_view(play: Play) -> PlayView:
    match play:
        case Throw():
            return PlayView("throw", play.card, (), 0, 0)
        case Take():
            return PlayView("take", play.card, play.cards or (), 0, 0)
        case Build():
            return PlayView("build", play.card, play.cards or (), play.value, 0)
        case Raise():
            value = play.house + value_of(play.card)
            return PlayView("raise", play.card, play.cards or (), value, play.house)


def _pair_view(state: State, team: int) -> PairView:
    cards, seeps = state.counted or ((0, 0), (0, 0))
    return PairView(
        team=team,
        seats=tuple(player.seat for player in state.seats if team_of(player.seat) == team),
        taken_count=len(state.taken[team]),
        seeps=state.seeps[team],
        card_points=cards[team],
        points=cards[team] + seeps[team],
    )
