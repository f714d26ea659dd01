"""What a seat and a spectator may see."""

from dataclasses import replace

from server.cards.card import Card
from server.cards.game import Carry, Seat
from server.games.seep import GAME
from server.games.seep.options import PACK, Options
from server.games.seep.view import HouseView, PlayView, SeepView
from tests.games.match import cards_in
from tests.games.seep.table import HUMANS, Table, cards, house

WHOLE = frozenset(PACK.cards)


def _view(table: Table, seat: int | None) -> SeepView:
    seen = GAME.view(table.state, None if seat is None else Seat(seat))
    assert isinstance(seen, SeepView)
    return seen


def test_11_1_before_the_deal_all_wait_for_the_dealer() -> None:
    state = GAME.start(Options(), HUMANS, Carry(dealer=Seat(1), memo="lead=-7 deals=2"))
    seen = GAME.view(state, Seat(2))
    assert (seen.dealer, seen.bidder, seen.acting, seen.waits_for_dealer) == (1, 2, None, True)
    assert (seen.lead, seen.deals_counted, seen.hidden_floor) == (-7, 2, 0)


def test_11_2_before_the_bid_the_bidder_alone_sees_four_cards_and_nobody_the_floor() -> None:
    table = Table({0: "9H 3S KD 5C"}, "2C 2D 2H QD")
    assert _view(table, 0).holding == cards("9H 3S KD 5C")
    assert _view(table, 0).bids == (9, 13)
    assert cards_in(_view(table, 0), WHOLE) == set(cards("9H 3S KD 5C"))
    for seat in (None, 1, 2, 3):
        seen = _view(table, seat)
        assert not cards_in(seen, WHOLE)
        assert (seen.hidden_floor, seen.bid, seen.bids, seen.plays) == (4, 0, (), ())
        assert [one.card_count for one in seen.seats] == [4, 0, 0, 0]


def test_11_1_all_see_the_floor_the_houses_and_the_latest_play() -> None:
    houses = [house(9, "5H 4C 9S", 0, 1), house(12, "7H 5D", 2)]
    table = Table.midway({0: "KS 9D", 1: "2H"}, "JC 3C", houses).throw(0, "KS")
    for seat in (None, 0, 1):
        seen = _view(table, seat)
        assert seen.loose == cards("JC 3C KS")
        assert seen.houses == (
            HouseView(9, cards("5H 4C 9S"), (Seat(0), Seat(1)), True),
            HouseView(12, cards("7H 5D"), (Seat(2),), False),
        )
        assert (seen.last_seat, seen.last_play) == (0, PlayView("throw", Card("KS"), (), 0, 0))
        assert (seen.acting, seen.play_count, seen.hidden_floor) == (1, 21, 0)


def test_11_2_a_seat_sees_what_it_may_do_and_the_others_do_not() -> None:
    table = Table.midway({0: "3D QS QD"}, "QC", [house(9, "5H 4C", 1)])
    seen = _view(table, 0)
    assert seen.plays == (
        PlayView("throw", Card("3D"), (), 0, 0),
        PlayView("raise", Card("3D"), cards("QC"), 12, 9),
        PlayView("take", Card("QS"), cards("QC"), 0, 0),
        PlayView("build", Card("QS"), cards("QC"), 12, 0),
        PlayView("take", Card("QD"), cards("QC"), 0, 0),
        PlayView("build", Card("QD"), cards("QC"), 12, 0),
    )
    assert _view(table, 1).plays == ()
    assert _view(table, None).plays == ()
    assert _view(table, None).holding == ()


def test_11_2_taken_cards_lie_face_down() -> None:
    table = Table.midway({0: "9D AD", 1: "2H", 2: "2C", 3: "2D"}, "9H KC").take(0, "9D")
    table.throw(1, "2H")
    seen = _view(table, 0)
    assert not cards_in(seen, frozenset(cards("9H 9D")))
    assert [pair.taken_count for pair in seen.pairs] == [2, 45]
    assert [pair.seats for pair in seen.pairs] == [(0, 2), (1, 3)]


def test_11_1_a_seep_is_seen_at_once_and_the_points_at_the_end() -> None:
    table = Table.midway({0: "9D AD"}, "9H").take(0, "9D")
    assert [pair.seeps for pair in _view(table, None).pairs] == [(50,), ()]
    assert [pair.points for pair in _view(table, None).pairs] == [0, 0]
    memo = "lead=5 deals=1"
    last = Table.midway({3: "2H"}, "7C", acting=3, plays=47, taken="KS QS TD", memo=memo)
    last.state = replace(last.state, seeps=((50,), ()))
    seen = _view(last.throw(3, "2H"), None)
    assert [(pair.card_points, pair.points) for pair in seen.pairs] == [(31, 81), (69, 69)]
    assert (seen.lead, seen.deals_counted, seen.ended, seen.match_over) == (17, 2, True, False)
    assert (dict(seen.points), seen.winner) == ({0: 81, 1: 69, 2: 81, 3: 69}, 0)


def test_3_2_the_four_cards_of_a_redeal_are_shown() -> None:
    seen = _view(Table({0: "AH 4S 7D 8C"}), 2)
    assert seen.redealt == cards("AH 4S 7D 8C")
    assert (seen.ended, seen.winner, seen.match_over) == (True, None, False)


def test_11_1_all_see_who_is_played_by_a_substitute() -> None:
    seen = _view(Table({0: "9H"}).leave(2), 0)
    assert [one.handed_over for one in seen.seats] == [None, None, "left", None]
    assert [one.team for one in seen.seats] == [0, 1, 0, 1]
