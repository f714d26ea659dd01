"""How a program plays Seep: it takes points and seeps, and leaves the next seat little to take.

Pure but for the generator it is given: the same sight and the same generator give the same move.
What a hand has seen is counted: how likely an opponent takes something is how many cards of that
value are still out, and an owner of a house is known to hold one.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from server.cards.card import Card
from server.games.seep.captures import Floor, team_of, value_of
from server.games.seep.moves import Bid, Build, Move, Play, Raise, Take, Throw
from server.games.seep.scoring import card_points, points_of, seep_points
from server.games.seep.state import PLAYS
from server.games.seep.turns import Position, laid, plays

WHIM: Final = 1.0
CARELESS_WHIM: Final = 12.0
"""How many points a play may seem better than it is: nobody wants to play with an oracle."""

NEXT_SEAT: Final = 0.9
PARTNER: Final = 0.35
SEAT_AFTER: Final = 0.25
OWN_LATER: Final = 0.3
"""How much of what the next seats, and oneself in the next round, may take counts."""

LAST_TAKER_PLAYS: Final = 6
"""So near the end the pair that took last counts what lies on the floor as half its own."""

CHOICES_WEIGHED: Final = 3
"""Of more choices that a card has with one house, or in taking, only the dearest are weighed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What a seat sees when it must act.

    Shape: `bids` are the values that it may bid, empty once the bid is made; `unseen` are the cards
           that others hold; `counts` how many each seat holds; `play_no` counts from 1.
    """

    position: Position
    bids: tuple[int, ...]
    unseen: frozenset[Card]
    counts: Mapping[int, int]
    play_no: int


def choose(sight: Sight, random: Random, *, is_careless: bool = False) -> Move:
    """Choose a legal move; a careless player sees little difference between them."""
    if sight.bids:
        return Bid(_bid(sight.position.hand, sight.bids))
    whim = CARELESS_WHIM if is_careless else WHIM
    legal = worth_weighing(list(plays(sight.position)))
    if len(legal) == 1:
        return legal[0]
    return max(legal, key=lambda play: _worth(sight, play) + whim * random.random())


def worth_weighing(legal: Sequence[Play]) -> list[Play]:
    """Leave out what differs only in its loose cards and brings less: floors may be crowded.

    Shape: in the order of `legal`, and all of it where few choices are.
    """
    ways: defaultdict[tuple[str, Card, int], list[Play]] = defaultdict(list)
    for play in legal:
        ways[play.name, play.card, _house_of(play)].append(play)
    kept = {
        play
        for choices in ways.values()
        for play in sorted(choices, key=_brought, reverse=True)[:CHOICES_WEIGHED]
    }
    return [play for play in legal if play in kept]


def _house_of(play: Play) -> int:
    match play:
        case Build():
            return play.value
        case Raise():
            return play.house
        case _:
            return 0


def _brought(play: Play) -> tuple[int, int]:
    cards = () if isinstance(play, Throw) else play.cards or ()
    return (card_points(cards), len(cards))


def _bid(hand: Collection[Card], bids: Collection[int]) -> int:
    """Bid what is held most often, of equals the highest: it can't be raised far."""
    held = Counter(map(value_of, hand))
    return max(bids, key=lambda value: (held[value], value))


def _worth(sight: Sight, play: Play) -> float:
    """Weigh a play: what it brings now, less what it leaves to the others."""
    position = sight.position
    floor = laid(position.floor, position.seat, play)
    seats = [(position.seat + step) % 4 for step in (1, 2, 3)]
    hand = [card for card in position.hand if card != play.card]
    gains = _gains(floor, sight.play_no + 1)
    worth = _gained(sight, play, floor)
    worth -= NEXT_SEAT * _expected(sight, gains, seats[0])
    if sight.play_no + 2 <= PLAYS:
        worth += PARTNER * _expected(sight, gains, seats[1])
    if sight.play_no + 3 <= PLAYS:
        worth -= SEAT_AFTER * _expected(sight, gains, seats[2])
    own = [gains[value] for value in {value_of(card) for card in hand} if value in gains]
    return worth + OWN_LATER * max(own, default=0) + _kept(sight, play, floor)


def _gained(sight: Sight, play: Play, floor: Floor) -> float:
    if not isinstance(play, Take):
        return 0
    worth: float = card_points((play.card, *(play.cards or ())))
    if floor.is_clear:
        worth += seep_points(sight.play_no, PLAYS)
    if PLAYS - sight.play_no < LAST_TAKER_PLAYS:
        worth += card_points(floor.cards) / 2
    return worth + len(play.cards or ()) / 8


def _kept(sight: Sight, play: Play, floor: Floor) -> float:
    """Value what a play keeps: spades in the hand, and houses that nobody else can take."""
    match play:
        case Throw():
            return -points_of(play.card) / 4 - value_of(play.card) / 40
        case Build() | Raise():
            value = play.value if isinstance(play, Build) else play.house + value_of(play.card)
            house = floor.find_house(value)
            assert house is not None
            others_left = sum(value_of(card) == value for card in sight.unseen)
            is_ours = team_of(sight.position.seat) in map(team_of, house.owners)
            worth = card_points(house.cards) if is_ours and not others_left else 0
            return worth / 2 + (1 if house.is_pakka else 0)
        case Take():
            return 0


def _gains(floor: Floor, play_no: int) -> dict[int, int]:
    """Count what each value would take from a floor, at best."""
    gains = {}
    for value in range(1, 14):
        if taking := floor.takes(value):
            best = max(taking, key=card_points)
            clears = len(best) == len(floor.cards)
            gains[value] = card_points(best) + (seep_points(play_no, PLAYS) if clears else 0)
    return gains


def _expected(sight: Sight, gains: Mapping[int, int], seat: int) -> float:
    """Guess what a seat takes: the dearest value that it holds, by how many cards are out."""
    owned = {house.value for house in sight.position.floor.houses if seat in house.owners}
    out = Counter(map(value_of, sight.unseen))
    share = sight.counts[seat] / max(1, len(sight.unseen))
    expected, lacks_dearer = 0.0, 1.0
    for value in sorted(gains, key=lambda each: -gains[each]):
        holds = 1.0 if value in owned else 1 - (1 - share) ** out[value]
        expected += lacks_dearer * holds * gains[value]
        lacks_dearer *= 1 - holds
    return expected
