"""The result of a hand, and the score of a match. Teams are 0 (seats 0 and 2) and 1."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from server.cards.game import Seat, SeatInfo, SeatKind
from server.cards.tricks import SEATS
from server.games.court_piece.options import Options

Court = Literal["none", "court", "goon"]
"""Who took the first seven tricks in a row: nobody, the callers, the others."""

TRICKS_TO_WIN: Final = 7
RUN: Final = 7
"""Hands in a row that bring a bonus. Source: rules.md 5.3."""

BONUS: Final[Mapping[str, int]] = {"points": 2, "courts": 1}
SHORT_TARGET: Final = 3
SHORT_MATCHES: Final = 3
"""A player's first matches are short. Source: rules.md 5.7."""

_MEMO = re.compile(
    r"hands=([1-9][0-9]{0,3}) score=([0-9]{1,3}),([0-9]{1,3}) run=([01]):([0-6]) "
    r"target=([1-9][0-9]{0,2})",
    re.ASCII,
)


class Result(NamedTuple):
    """Who has won a hand, and how."""

    team: int
    callers: int
    court: Court


def team_of(seat: Seat) -> int:
    """Derive a seat's team."""
    return seat % 2


def partner_of(seat: Seat) -> Seat:
    """Derive who sits opposite."""
    return Seat((seat + 2) % SEATS)


def find_result(callers: int, trick_teams: Sequence[int]) -> Result | None:
    """Judge a hand by who took its tricks, in order; None if it goes on.

    Source: rules.md 4.4, 5.1.
    """
    for team in (0, 1):
        if list(trick_teams).count(team) == TRICKS_TO_WIN:
            is_court = set(trick_teams) == {team}
            made: Court = "court" if team == callers else "goon"
            return Result(team, callers, made if is_court else "none")
    return None


def gain_of(result: Result, counting: str) -> int:
    """Count what the winning team gets, without a bonus. Source: rules.md 5.2."""
    by_callers = result.team == result.callers
    if counting == "courts":
        return {"none": 0, "court": 1, "goon": 3}[result.court]
    return {"none": 1 if by_callers else 2, "court": 3, "goon": 4}[result.court]


def next_dealer(dealer: Seat, result: Result) -> Seat:
    """Derive who deals next: the winners choose trump again. Source: rules.md 5.6."""
    if result.team == team_of(dealer):
        return Seat((dealer + 1) % SEATS)
    return dealer if result.court == "none" else partner_of(dealer)


@dataclass(frozen=True, slots=True)
class Standing:
    """A match so far; `score` is by team, `run` the hands that `run_team` has won in a row."""

    target: int
    hands_played: int = 0
    score: tuple[int, ...] = (0, 0)
    run_team: int = 0
    run: int = 0

    @property
    def winner(self) -> int | None:
        """Find the team that has reached the target."""
        return next((team for team in (0, 1) if self.score[team] >= self.target), None)

    def after(self, result: Result, counting: str) -> "Standing":
        """Add a hand. Source: rules.md 5.2 to 5.4."""
        won_before = self.run if self.run_team == result.team else 0
        run = won_before + 1 if result.court == "none" else 0
        bonus = BONUS[counting] if run == RUN else 0
        score = list(self.score)
        score[result.team] += gain_of(result, counting) + bonus
        run %= RUN
        return Standing(
            self.target,
            self.hands_played + 1,
            tuple(score),
            run_team=result.team if run else 0,
            run=run,
        )


def target_of(options: Options, seats: Sequence[SeatInfo]) -> int:
    """Derive what a match that begins now is played to. Source: rules.md 5.5, 5.7."""
    humans = [info for info in seats if info.kind is SeatKind.HUMAN]
    are_new = all(info.matches_played < SHORT_MATCHES for info in humans) and bool(humans)
    if options.short_first_matches and options.counting == "points" and are_new:
        return min(SHORT_TARGET, options.target)
    return options.target


def memo_of(standing: Standing) -> str:
    """Write what a match carries: `hands=3 score=4,2 run=1:2 target=10`."""
    score = ",".join(map(str, standing.score))
    run = f"{standing.run_team}:{standing.run}"
    return f"hands={standing.hands_played} score={score} run={run} target={standing.target}"


def standing_of(memo: str) -> Standing:
    """Read what a match carries. Errors: ValueError if `memo_of` wrote no such text."""
    found = _MEMO.fullmatch(memo)
    if found is None:
        raise ValueError(f"not a memo of court piece: {memo[:40]!r}")
    hands, one, other, team, run, target = map(int, found.groups())
    standing = Standing(target, hands, (one, other), team, run)
    if memo_of(standing) != memo or standing.winner is not None or (run == 0 and team != 0):
        raise ValueError(f"not a memo of court piece: {memo[:40]!r}")
    return standing
