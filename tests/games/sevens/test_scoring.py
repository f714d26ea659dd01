"""Points, chips and the match, by the numbers of rules.md."""

import pytest

from server.cards.card import Card
from server.games.sevens.options import BadamSattiOptions, Options, SevensOptions
from server.games.sevens.scoring import (
    Match,
    card_points,
    chips_of,
    match_of,
    memo_of,
    penalty,
    winners_of,
)
from tests.games.sevens.table import Table


def test_4_3_ace_one_face_cards_ten() -> None:
    ranks = "A23456789TJQK"
    assert [card_points(Card(rank + "C")) for rank in ranks] == [*range(1, 11), 10, 10, 10]
    assert penalty([Card("KC"), Card("9D"), Card("AS")]) == 20


@pytest.mark.parametrize("winner", [0, 1, 2, 3])
def test_5_3_what_the_winner_takes_the_others_pay(winner: int) -> None:
    left = [0 if seat == winner else seat + 1 for seat in range(4)]
    chips = chips_of(winner=winner, passes=[2, 0, 1, 0], cards_left=left)
    assert sum(chips) == 0
    assert [chips[seat] for seat in range(4) if seat != winner] == [
        -(1 + passes + left[seat]) for seat, passes in enumerate([2, 0, 1, 0]) if seat != winner
    ]


def test_5_1_everybody_antes_before_each_hand() -> None:
    table = Table(options=SevensOptions(seats=5))
    assert (table.event("dealt").ante, table.event("dealt").pool) == (1, 5)
    assert table.state.pool == 5
    free = Table(options=BadamSattiOptions(seats=5))
    assert (free.event("dealt").ante, free.event("dealt").pool, free.state.pool) == (0, 0, 0)


def test_5_3_the_pool_is_told_when_it_is_taken() -> None:
    table = played_out(Table(options=SevensOptions(seats=3)))
    taken = table.event("pool_taken")
    assert taken.seat == table.scored.winner
    assert taken.pool == 3 + sum("pass" in line for line in table.lines)
    assert taken.cards == sum(len(table.held(seat)) for seat in range(3))
    own = 1 + table.state.player(taken.seat).passes
    assert table.points[taken.seat] == taken.pool + taken.cards - own


def test_4_5_and_5_5_the_fewest_points_or_the_most_chips_win_and_equal_ones_share() -> None:
    assert winners_of([40, 35, 35, 60], has_chips=False) == (1, 2)
    assert winners_of([-4, 9, -5], has_chips=True) == (1,)
    assert winners_of([0, 0, 0], has_chips=True) == (0, 1, 2)


@pytest.mark.parametrize("hands", [3, 5])
@pytest.mark.parametrize("kind", [BadamSattiOptions, SevensOptions])
def test_4_4_a_match_is_that_many_hands_and_the_scores_are_carried(
    hands: int, kind: type[Options]
) -> None:
    options, memo, dealer, totals = kind(seats=3, hands=hands), "", 1, [0, 0, 0]
    for number in range(1, hands + 1):
        table = played_out(Table(options=options, memo=memo, dealer=dealer))
        totals = [total + table.points[seat] for seat, total in enumerate(totals)]
        standing = table.event("standing")
        assert (standing.number, standing.hands) == (number, hands)
        assert [score for _, score in standing.scores] == totals == list(table.state.scores)
        assert table.scored.match_over == (number == hands)
        assert bool(standing.winners) == (number == hands)
        assert table.scored.carry.dealer == (dealer + 1) % 3
        memo, dealer = table.scored.carry.memo, (dealer + 1) % 3
    assert memo == ""
    assert standing.winners == table.scored.champions
    assert standing.winners == winners_of(totals, has_chips=options.has_chips)


def test_4_5_a_shared_match_names_no_single_winner() -> None:
    alone = played_out(Table(memo="4:0,0,0"))
    points = alone.points
    best = max(points.values())
    shared = played_out(Table(memo="4:" + ",".join(str(best - points[s]) for s in range(3))))
    assert shared.scored.winner is None
    assert shared.scored.champions == (0, 1, 2)
    assert alone.scored.winner == alone.scored.champions[0]


def test_the_memo_says_hands_and_scores() -> None:
    for match in (Match(1, (0, 7, 12)), Match(4, (-12, 99_999, 0))):
        assert match_of(memo_of(match), seats=3, hands=5) == match
    assert memo_of(Match(2, (15, 0, -3))) == "2:15,0,-3"
    assert memo_of(Match(0, (0, 0, 0))) == ""
    assert match_of("", seats=3, hands=5) == Match(0, (0, 0, 0))


@pytest.mark.parametrize(
    "memo",
    [
        "1", "1:", "0:1,2,3", "5:1,2,3", "1:1,2", "1:1,2,3,4", "1:01,2,3", "1:-0,2,3", "1:+1,2,3",
        "1:1, 2,3", "1:1,2,3\n", " 1:1,2,3", "1:1,2,3,", "12:1,2,3", "1:1,2,123456", "1:१,2,3",
        "x",
    ],
)  # fmt: skip
def test_another_memo_is_refused(memo: str) -> None:
    with pytest.raises(ValueError, match="memo"):
        match_of(memo, seats=3, hands=5)


def played_out(table: Table) -> Table:
    """Let the clock play to the end."""
    while table.state.scored is None:
        table.time_out(table.acting)
    return table
