"""What every game on the list must hold, played at random. A new game needs no line here."""

import random
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    Carry,
    Deal,
    Given,
    HandVoid,
    IllegalMove,
    Scored,
    Seat,
    SeatHandedOver,
    SeatTakenBack,
    TurnBegan,
)
from server.cards.options import options_text
from server.games import GAMES
from tests.games.match import HANDS_MAX, Hand, cards_in, exchanged, play_hand, random_hand

every_game = pytest.mark.parametrize("name", sorted(GAMES))
SEEDS = range(6)


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_match_ends(name: str, seed: int) -> None:
    chance = random.Random(f"match {name} {seed}")
    hand, carry = random_hand(name, chance), Carry()
    for _ in range(HANDS_MAX):
        last = hand.steps[-1].events[-1]
        assert isinstance(last, Scored | HandVoid)
        if isinstance(last, Scored) and last.match_over:
            return
        carry = last.carry if isinstance(last, Scored) else carry
        assert carry.memo.isascii()
        hand = play_hand(hand.game, hand.options, hand.seats, carry, chance)
    pytest.fail("the match does not end")


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_the_result_names_each_seat_once_and_at_most_one_winner(name: str, seed: int) -> None:
    hand = random_hand(name, random.Random(f"result {name} {seed}"))
    ends = [e for step in hand.steps for e in step.events if isinstance(e, Scored | HandVoid)]
    assert len(ends) == 1
    (end,) = ends
    assert hand.steps[-1].events[-1] is end
    if isinstance(end, HandVoid):
        return
    listed = [info.seat for info in hand.seats]
    assert [seat for seat, _ in end.points] == listed
    assert end.winner is None or end.winner in listed
    stake = hand.game.stake_points(hand.options)
    if stake is not None:
        points = dict(end.points)
        assert all(0 <= value <= stake for value in points.values())
        assert end.winner in listed
        assert points[end.winner] == 0


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_is_a_fold_of_its_journal_lines(name: str, seed: int) -> None:
    hand = random_hand(name, random.Random(f"journal {name} {seed}"))
    notation = hand.game.notation
    state = hand.start
    for step in hand.steps:
        seat, move = step.seat, step.move
        if seat != DEALER:
            line = notation.write(step.before, seat, move)
            assert line.isascii()
            assert line.strip() == line
            seat, move = notation.read(line)
            assert notation.write(step.before, seat, move) == line
        again = hand.game.apply(state, seat, move)
        assert again.state == step.after
        assert again.events == step.events
        state = again.state


@every_game
@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_can_be_replayed_from_its_transcript(name: str, seed: int) -> None:
    """A verifier has the lines, the orders and the options; one move makes one or more lines."""
    hand = random_hand(name, random.Random(f"transcript {name} {seed}"))
    game = hand.game
    lines = [line for step in hand.steps for e in step.events if (line := game.notation.line_of(e))]
    orders = [step.move for step in hand.steps if isinstance(step.move, Deal)]
    state, written = hand.start, 0
    while acting := game.to_act(state):
        if acting == {DEALER}:
            seat, move = DEALER, orders.pop(0)
        elif written < len(lines):
            seat, move = game.notation.read(lines[written])
        else:
            break
        step = game.apply(state, seat, move)
        made = [line for event in step.events if (line := game.notation.line_of(event))]
        assert lines[written : written + len(made)] == made
        state, written = step.state, written + len(made)
    assert written == len(lines)
    if isinstance(hand.steps[-1].events[-1], Scored):
        assert state == hand.steps[-1].after


@every_game
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_every_listed_move_applies(name: str, seed: int) -> None:
    hand = random_hand(name, random.Random(f"moves {name} {seed}"))
    for step in hand.steps[:120]:
        for seat in hand.game.to_act(step.before) - {DEALER}:
            moves = list(hand.game.legal_moves(step.before, seat))
            assert moves
            for move in moves:
                assert isinstance(move, hand.game.move_types)
                hand.game.apply(step.before, seat, move)
        for info in hand.seats:
            if info.seat not in hand.game.to_act(step.before):
                assert list(hand.game.legal_moves(step.before, info.seat)) == []


@every_game
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_a_move_out_of_turn_is_refused_and_changes_nothing(name: str, seed: int) -> None:
    hand = random_hand(name, random.Random(f"refused {name} {seed}"))
    for step in hand.steps[:120]:
        before = repr(step.before)
        for seat in {info.seat for info in hand.seats} - hand.game.to_act(step.before):
            for move in _moves_of(hand)[:20]:
                with pytest.raises(IllegalMove):
                    hand.game.apply(step.before, seat, move)
        assert repr(step.before) == before


@every_game
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_no_view_changes_when_unseen_cards_are_exchanged(name: str, seed: int) -> None:
    chance = random.Random(f"view {name} {seed}")
    hand = random_hand(name, chance)
    for number in sorted(chance.sample(range(1, len(hand.steps) + 1), min(25, len(hand.steps)))):
        state = hand.steps[number - 1].after
        for seat in (None, *(info.seat for info in hand.seats)):
            unseen = sorted(hand.pack - hand.seen_by(seat, number))
            other = chance.sample(unseen, len(unseen))
            swap = dict(zip(unseen, other, strict=True))
            seen = hand.game.view(state, seat)
            assert hand.game.view(exchanged(state, swap), seat) == seen
            assert not cards_in(seen, hand.pack) & set(unseen)


@every_game
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_a_spectator_sees_no_more_than_each_seat(name: str, seed: int) -> None:
    hand = random_hand(name, random.Random(f"spectator {name} {seed}"))
    for step in hand.steps:
        public = cards_in(hand.game.view(step.after, None), hand.pack)
        for info in hand.seats:
            assert public <= cards_in(hand.game.view(step.after, info.seat), hand.pack)


@every_game
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_views_and_events_are_plain_values(name: str, seed: int) -> None:
    hand = random_hand(name, random.Random(f"plain {name} {seed}"))
    for step in hand.steps:
        for event in step.events:
            _assert_plain(event)
        for seat in (None, *(info.seat for info in hand.seats)):
            _assert_plain(hand.game.view(step.after, seat))


@every_game
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_every_event_and_view_is_of_a_type_that_the_game_names(name: str, seed: int) -> None:
    hand = random_hand(name, random.Random(f"types {name} {seed}"))
    of_all_games = {Given, TurnBegan, SeatHandedOver, SeatTakenBack, Scored, HandVoid}
    for step in hand.steps:
        assert {type(event) for event in step.events} <= {*hand.game.event_types, *of_all_games}
        assert type(hand.game.view(step.after, None)) is hand.game.view_type


@every_game
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_a_given_follows_its_event_and_never_repeats_for_a_seat(name: str, seed: int) -> None:
    hand = random_hand(name, random.Random(f"given {name} {seed}"))
    given: set[tuple[Seat | None, int, int]] = set()
    for step in hand.steps:
        assert not step.events or not isinstance(step.events[0], Given)
        for before, event in pairwise(step.events):
            if isinstance(event, Given):
                assert not isinstance(before, TurnBegan | Scored | HandVoid)
                places = {(event.to, event.epoch, position) for position in event.positions}
                assert not places & given
                given |= places


@every_game
@pytest.mark.parametrize("seed", SEEDS[:6])
def test_a_turn_begins_for_those_who_may_move(name: str, seed: int) -> None:
    hand = random_hand(name, random.Random(f"turn {name} {seed}"))
    for step in hand.steps:
        began = [event for event in step.events if isinstance(event, TurnBegan)]
        if began:
            assert set(began[-1].seats) == hand.game.to_act(step.after)
            assert all(hand.game.clock_ms(step.after, seat) > 0 for seat in began[-1].seats)


@every_game
def test_a_game_says_what_it_is(name: str) -> None:
    game = GAMES[name]
    assert game.name == name
    assert name.isascii()
    assert game.rules_version
    assert all(2 <= seats <= 8 for seats in game.seats)
    assert (game.__doc__ or "").strip()
    for seats in game.seats:
        options = game.options_type(seats=seats)
        assert options.seats == seats
        assert options_text(options).isascii()
        assert len(game.pack(options).cards) == game.pack(options).size


@every_game
def test_the_names_of_moves_are_their_own(name: str) -> None:
    names = [move.name for move in GAMES[name].move_types]
    assert len(names) == len(set(names))


def _moves_of(hand: Hand) -> list[Any]:
    return [step.move for step in hand.steps if isinstance(step.move, hand.game.move_types)]


def _assert_plain(value: Any) -> None:
    if is_dataclass(value):
        for field in fields(value):
            _assert_plain(getattr(value, field.name))
    elif isinstance(value, tuple):
        for part in value:
            _assert_plain(part)
    else:
        assert value is None or type(value) in (str, int, bool), type(value)


def test_cards_are_found_and_exchanged_wherever_they_stand() -> None:
    swap = {Card("AS"): Card("2S"), Card("2S"): Card("AS")}
    event = Given(epoch=0, positions=(1,))
    assert exchanged((("AS", 1), frozenset({"2S"}), event), swap) == (
        ("2S", 1), frozenset({"AS"}), event,
    )  # fmt: skip
    assert cards_in({"a": ("AS", ("TD",))}, frozenset({Card("AS"), Card("TD")})) == {"AS", "TD"}
