"""Which plays a seat has: by its hand and the floor alone, so that a client can use it too."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from server.cards.card import SUITS, Card, suit_of
from server.cards.game import IllegalMove, Seat
from server.games.seep.captures import (
    HOUSE_VALUES,
    Choices,
    Floor,
    House,
    complete_sets,
    team_of,
    value_of,
)
from server.games.seep.moves import Build, Play, Raise, Take, Throw


@dataclass(frozen=True, slots=True)
class Position:
    """What a play is judged by.

    Shape: `due` is the bid that the deal's first play must serve, 0 for every other play.
    """

    seat: Seat
    hand: tuple[Card, ...]
    floor: Floor
    due: int = 0
    partner_may_raise: bool = False


def laid(floor: Floor, seat: Seat, play: Play) -> Floor:
    """Derive the floor after a play whose cards are named.

    Errors: KeyError if the house that is raised isn't there.
    """
    cards = () if isinstance(play, Throw) else play.cards or ()
    match play:
        case Throw():
            return floor.with_thrown(play.card)
        case Take():
            return floor.without(cards)
        case Build():
            return floor.with_built(seat, play.value, (play.card, *cards))
        case Raise():
            house = floor.find_house(play.house)
            if house is None:
                raise KeyError(play.house)
            return floor.with_raised(seat, house, play.card, cards)


def plays(position: Position) -> Iterator[Play]:
    """List every legal play, its cards named. Source: rules.md 3.4 to 6."""
    if position.due:
        serving = list(_serving(position))
        yield from serving or (Throw(card) for card in _of_value(position.hand, position.due))
        return
    for card in position.hand:
        taking = position.floor.takes(value_of(card))
        yield from (Take(card, cards) for cards in taking)
        if not taking:
            yield Throw(card)
        for value in HOUSE_VALUES:
            yield from _builds(position, card, value)
        yield from _raises(position, card)


def clock_play(position: Position) -> Play:
    """Choose what the clock plays. Source: rules.md 9.2."""
    lowest = sorted(position.hand, key=lambda card: (value_of(card), SUITS.index(suit_of(card))))
    legal = list(plays(replace(position, hand=tuple(lowest))))
    taking = (play for play in legal if isinstance(play, Take))
    throwing = (play for play in legal if isinstance(play, Throw))
    return next(taking, None) or next(throwing, None) or legal[0]


def resolved(position: Position, play: Play) -> Play:
    """Check a play, and name its cards where it leaves them out.

    Errors: IllegalMove.
    Source: rules.md 3.4 to 6.
    """
    if play.card not in position.hand:
        raise IllegalMove("not_held", "that card is not in the holding", "card")
    match play:
        case Throw():
            checked: Play = _throw(position, play)
        case Take():
            checked = _take(position, play)
        case Build():
            checked = _build(position, play)
        case Raise():
            checked = _raise(position, play)
    made = _value_made(checked)
    lacking = _lacking(position, checked)
    if lacking == made and lacking is not None:
        raise IllegalMove("house_not_held", f"another {lacking} must stay in the hand", "card")
    if lacking is not None:
        raise IllegalMove("house_kept", f"the last {lacking} is kept for the house", "card")
    return checked


def _throw(position: Position, play: Throw) -> Throw:
    if position.floor.takes(value_of(play.card)):
        raise IllegalMove("must_take", "a card that can take is not thrown", "card")
    if position.due and play not in plays(position):
        raise IllegalMove("bid_first", f"the first play serves the bid of {position.due}", "card")
    return play


def _take(position: Position, play: Take) -> Take:
    value = value_of(play.card)
    _serve(position, value)
    choices = position.floor.takes(value)
    if not choices:
        raise IllegalMove("nothing_to_take", "nothing on the floor adds up to the card", "card")
    house = position.floor.find_house(value)
    open_cards = (*position.floor.loose, *(() if house is None else house.cards))
    _on_the_floor(position.floor, play.cards, open_cards)
    chosen = _chosen(choices, play.cards)
    if chosen is None and _parts(choices, play.cards):
        raise IllegalMove("leaves_something", "all that the card takes is taken", "cards")
    if chosen is None:
        raise IllegalMove("not_a_sum", "the cards are not whole sets of the value", "cards")
    return Take(play.card, chosen)


def _build(position: Position, play: Build) -> Build:
    if play.value not in HOUSE_VALUES:
        raise IllegalMove("house_value", "a house is worth 9 to 13", "value")
    _serve(position, play.value)
    choices = position.floor.joins(play.card, play.value)
    return Build(play.value, play.card, _joined(position, choices, play.cards))


def _raise(position: Position, play: Raise) -> Raise:
    _serve(position, 0)
    house = position.floor.find_house(play.house)
    if house is None:
        raise IllegalMove("no_such_house", f"no house of {play.house} lies here", "house")
    if house.is_pakka:
        raise IllegalMove("house_pakka", "a pakka house is never raised", "house")
    if position.seat in house.owners:
        raise IllegalMove("own_house", "nobody raises a house of his own", "house")
    if not _may_raise(position, house):
        raise IllegalMove("partners_house", "only an opponent raises a house", "house")
    value = house.value + value_of(play.card)
    if value not in HOUSE_VALUES:
        raise IllegalMove("house_value", f"a house is worth 9 to 13, not {value}", "card")
    return Raise(play.house, play.card, _joined(position, _merging(position, value), play.cards))


def _serve(position: Position, value: int) -> None:
    """Demand that the deal's first play serves the bid. Source: rules.md 3.4."""
    if position.due not in (0, value):
        raise IllegalMove("bid_first", f"the first play serves the bid of {position.due}")


def _joined(
    position: Position, choices: Choices, named: tuple[Card, ...] | None
) -> tuple[Card, ...]:
    """Find the loose cards that go into a house: named as a whole, or in part if that is clear."""
    _on_the_floor(position.floor, named, position.floor.loose)
    if not choices:
        raise IllegalMove("not_a_sum", "the cards are not whole sets of the value", "cards")
    chosen = _chosen(choices, named)
    if chosen is not None:
        return chosen
    fitting = _parts(choices, named)
    if not fitting:
        raise IllegalMove("not_a_sum", "the cards are not whole sets of the value", "cards")
    if len(fitting) > 1:
        raise IllegalMove("which_cards", "more than one choice has these cards", "cards")
    return fitting[0]


def _on_the_floor(floor: Floor, named: tuple[Card, ...] | None, open_cards: Sequence[Card]) -> None:
    """Demand that the named cards lie open, each named once, and not in another house."""
    named = named or ()
    if len(set(named)) != len(named) or not set(named) <= set(floor.cards):
        raise IllegalMove("not_on_floor", "a named card is not on the floor", "cards")
    if not set(named) <= set(open_cards):
        raise IllegalMove("in_a_house", "a house's cards are in no other sum", "cards")


def _chosen(choices: Choices, named: tuple[Card, ...] | None) -> tuple[Card, ...] | None:
    """Find the choice that is named in full, or the only one if none is named."""
    if not named:
        if len(choices) > 1:
            raise IllegalMove("which_cards", "there is more than one choice", "cards")
        return choices[0]
    return next((choice for choice in choices if set(choice) == set(named)), None)


def _parts(choices: Choices, named: tuple[Card, ...] | None) -> list[tuple[Card, ...]]:
    return [choice for choice in choices if set(named or ()) <= set(choice)]


def _serving(position: Position) -> Iterator[Play]:
    for card in position.hand:
        if value_of(card) == position.due:
            yield from (Take(card, cards) for cards in position.floor.takes(position.due))
        yield from _builds(position, card, position.due)


def _builds(position: Position, card: Card, value: int) -> Iterator[Build]:
    if _lacking(position, Build(value, card)) is None:
        yield from (Build(value, card, cards) for cards in position.floor.joins(card, value))


def _raises(position: Position, card: Card) -> Iterator[Raise]:
    for house in position.floor.houses:
        value = house.value + value_of(card)
        if value not in HOUSE_VALUES or house.is_pakka or not _may_raise(position, house):
            continue
        if _lacking(position, Raise(house.value, card)) is None:
            choices = _merging(position, value)
            yield from (Raise(house.value, card, cards) for cards in choices)


def _may_raise(position: Position, house: House) -> bool:
    if position.partner_may_raise:
        return position.seat not in house.owners
    return team_of(position.seat) not in map(team_of, house.owners)


def _merging(position: Position, value: int) -> Choices:
    return complete_sets(position.floor.loose, value)


def _value_made(play: Play) -> int | None:
    match play:
        case Build():
            return play.value
        case Raise():
            return play.house + value_of(play.card)
        case _:
            return None


def _lacking(position: Position, play: Play) -> int | None:
    """Find the value of an own house for which no card would be left.

    Which loose cards join makes no difference: a play may be asked for before they are chosen.
    Source: rules.md 5.3, 5.4.
    """
    kept = {value_of(card) for card in position.hand if card != play.card}
    floor = laid(position.floor, position.seat, play)
    own = (house.value for house in floor.houses if position.seat in house.owners)
    return next((value for value in own if value not in kept), None)


def _of_value(cards: Sequence[Card], value: int) -> list[Card]:
    return [card for card in cards if value_of(card) == value]
