"""What the program of every game must do: play whole matches legally, by the public lines alone."""

import pytest

from server.bots.games import PROGRAMS
from server.games import GAMES
from tests.bots.matches import Company, Match

every_program = pytest.mark.parametrize("name", sorted(PROGRAMS))
SEEDS = range(3)


def match(name: str, seed: int) -> Match:
    """Play a match at the game's smallest table, every seat a program's."""
    game = GAMES[name]
    return Company(game, game.options_type(seats=min(game.seats)), seed).play()


@every_program
@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_of_programs_ends_and_every_seat_could_follow(name: str, seed: int) -> None:
    played = match(name, seed)
    assert played.hands[-1].match_over
    assert not any(hand.match_over for hand in played.hands[:-1])
    for lines, hand in zip(played.lines, played.hands, strict=True):
        assert lines or not any(points for _, points in hand.points), "only a redeal has no lines"


@every_program
def test_the_same_seed_plays_the_same_match(name: str) -> None:
    assert match(name, 7).lines == match(name, 7).lines
    assert match(name, 7).lines != match(name, 8).lines
