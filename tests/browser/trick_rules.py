"""What Python's Batak and Court Piece answer, for the page's rules to answer again."""

from random import Random
from typing import Any

from server.cards.game import Seat, SeatInfo, SeatKind
from server.cards.pack import Pack
from server.games.batak import bids, duties
from server.games.batak import scoring as batak
from server.games.court_piece import batches
from server.games.court_piece import scoring as court
from server.games.court_piece.options import Options

PACK = Pack(1, 0).cards
SUITS = "SHDC"
ROWS = 1500
STREAKS = 40
STREAK = 20

Rows = list[Any]


def asked() -> dict[str, Rows]:
    """Ask each rule about many positions: what was asked, then the answer."""
    chance = Random(5)
    return {
        "legal": [_legal(chance) for _ in range(ROWS)],
        "calls": [row for _ in range(ROWS // 10) for row in _auction(chance)],
        "points": [
            [owed, taken, batak.points_of(owed=owed, taken=taken)]
            for owed in range(1, 14)
            for taken in range(14)
        ],
        "winners": [_winners(chance) for _ in range(ROWS // 10)],
        "draws": [_draw(chance) for _ in range(ROWS)],
        "results": [_result(chance) for _ in range(ROWS)],
        "streaks": [row for _ in range(STREAKS) for row in _streak(chance)],
        "targets": [_target(chance) for _ in range(ROWS)],
    }


def _legal(chance: Random) -> Rows:
    pack = chance.sample(PACK, 16)
    trick, holding = pack[: chance.randrange(4)], pack[3 : chance.randrange(4, 17)]
    trump, broken, beat = chance.choice(SUITS), chance.random() < 0.5, chance.random() < 0.5
    legal = duties.legal_cards(holding, trick, trump, is_broken=broken, beat_trump_led=beat)
    return [holding, trick, trump, broken, beat, legal]


def _auction(chance: Random) -> Rows:
    """Call until nobody calls any more; each row says who is next, what it may bid, what is won."""
    dealer, single = Seat(chance.randrange(4)), chance.random() < 0.4
    calls: list[bids.Call] = []
    rows: Rows = []
    while (seat := bids.find_caller(dealer, calls, single_round=single)) is not None:
        may = bids.may_bid(calls)
        rows.append([dealer, list(calls), single, seat, list(may), None])
        step = min(len(may) - 1, int(chance.expovariate(1)))
        calls.append(bids.Call(seat, bids.PASS if chance.random() < 0.55 else may[step]))
    return [*rows, [dealer, calls, single, None, None, bids.contract_of(dealer, calls)]]


def _winners(chance: Random) -> Rows:
    totals = tuple(chance.randrange(-2, 3) for _ in range(4))
    return [totals, batak.Standing(batak.DEALS, totals).winners]


def _draw(chance: Random) -> Rows:
    toss = [chance.randrange(modulus) for modulus in batches.DRAWS]
    drawn = batches.drawn_cards(PACK, toss)
    return [toss, [one.card for one in drawn], batches.chooser_of(drawn)]


def _result(chance: Random) -> Rows:
    """Give out tricks until a team has seven, or some tricks before that."""
    callers, likely, teams = chance.randrange(2), chance.random(), list[int]()
    until = chance.randrange(1, 20)
    while len(teams) < until and court.find_result(callers, teams) is None:
        teams.append(int(chance.random() < likely))
    return [callers, teams, court.find_result(callers, teams)]


def _streak(chance: Random) -> Rows:
    """Win hands in a row, mostly: a standing, a hand, what follows it."""
    standing, dealer = court.Standing(100), Seat(chance.randrange(4))
    counting, rows = chance.choice(("points", "courts")), list[Any]()
    for _ in range(STREAK):
        team, callers = int(chance.random() < 0.1), 1 - dealer % 2
        made: court.Court = "none"
        if chance.random() < 0.08:
            made = "court" if team == callers else "goon"
        result = court.Result(team, callers, made)
        after, following = standing.after(result, counting), court.next_dealer(dealer, result)
        before = court.memo_of(standing) if standing.hands_played else None
        gain, memo = court.gain_of(result, counting), court.memo_of(after)
        rows.append([before, result, counting, dealer, memo, following, gain])
        standing, dealer = after, following
    return rows


def _target(chance: Random) -> Rows:
    options = Options(
        counting=chance.choice(("points", "courts")),
        target=chance.choice((0, 1, 2, 3, 4, 50)),
        short_first_matches=chance.random() < 0.7,
    )
    most = chance.choice((3, 3, 5))
    seats = tuple(
        SeatInfo(Seat(seat), chance.choice((*SeatKind, SeatKind.HUMAN)), chance.randrange(most))
        for seat in range(4)
    )
    shown = {name: getattr(options, name) for name in ("counting", "target", "short_first_matches")}
    kinds, played = [one.kind for one in seats], [one.matches_played for one in seats]
    return [shown, kinds, played, court.target_of(options, seats)]
