"""What a hand is given besides its list, as its record says it; and who has won a match."""

import pytest

from server.cards.carry import brought_memo, read_brought
from server.cards.game import Carry, Scored, Seat, SeatInfo, SeatKind

NEW = SeatInfo(Seat(0), SeatKind.HUMAN)
OLD = SeatInfo(Seat(1), SeatKind.HUMAN, 12)
OLDER = SeatInfo(Seat(6), SeatKind.HUMAN, 300)


@pytest.mark.parametrize("memo", ["", "1 2 -3", "deals=4;0:17", "a #b"])
@pytest.mark.parametrize("seats", [(), (NEW,), (NEW, OLD), (OLD, OLDER)])
def test_what_was_written_is_read(memo: str, seats: tuple[SeatInfo, ...]) -> None:
    played = {one.seat: one.matches_played for one in seats if one.matches_played}
    assert read_brought(brought_memo(memo, seats)) == (memo, played)


def test_where_nobody_has_finished_a_match_the_line_is_the_games_own() -> None:
    assert brought_memo("1 2", (NEW,)) == "1 2"


@pytest.mark.parametrize(
    "line",
    [
        "#", "# 1 2", "#0:3", "#0:0 m", "#0:03 m", "#00:3 m", "#3:1,0:1 m", "#0:1,0:2 m",
        "#0:1, m", "#0:-1 m", "#0:1 #1:2 m", "#\u0660:1 m",
    ],
)  # fmt: skip
def test_any_other_line_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"memo|seats ascend"):
        read_brought(line)


def scored(winner: int | None, winners: tuple[int, ...], *, match_over: bool) -> Scored:
    return Scored(
        points=(),
        winner=None if winner is None else Seat(winner),
        carry=Carry(),
        match_over=match_over,
        winners=tuple(map(Seat, winners)),
    )


def test_a_match_is_won_by_one_by_a_team_or_by_those_who_share_it() -> None:
    assert scored(2, (), match_over=True).champions == (2,)
    assert scored(1, (3, 1), match_over=True).champions == (1, 3)
    assert scored(None, (2, 0), match_over=True).champions == (0, 2)
    assert scored(None, (), match_over=True).champions == ()
    assert scored(2, (), match_over=False).champions == ()
