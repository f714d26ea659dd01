"""What is due, and when: the table's clock is pure."""

import secrets
from dataclasses import replace
from uuid import uuid4

from server.cards.game import Seat, SeatKind
from server.database import PlayerId, TableId
from server.games import GAMES
from server.tables.clock import (
    CallCommits,
    Clocks,
    CloseDown,
    DealCards,
    FreeSeat,
    ListSeats,
    VoidUnrevealed,
    due,
    wake_ms,
)
from server.tables.listing import Contribution, Listing
from server.tables.recovery import blank
from server.tables.state import Chair, Closed, Committing, Revealing, TableState, Waiting

CLOCKS = Clocks()
NOW = 1_000_000


def table(taken: int, **options: int | bool) -> TableState:
    game = GAMES["rummy"]
    state = blank(table=TableId(uuid4()), name="t", game=game, options=game.options_type(**options))
    chairs = [chair(i) if i < taken else None for i in range(state.options.seats)]
    return replace(state, chairs=tuple(chairs))


def chair(player: int) -> Chair:
    return Chair(
        player=PlayerId(player + 1),
        name=f"p{player}",
        kind=SeatKind.HUMAN,
        pseudonym=secrets.token_bytes(16),
    )


def with_chair(state: TableState, seat: int, **changes: object) -> TableState:
    owner = replace(state.chair(Seat(seat)), **changes)  # type: ignore[arg-type]
    chairs = tuple(owner if i == seat else c for i, c in enumerate(state.chairs))
    return replace(state, chairs=chairs)


def test_1_the_first_hand_of_a_company_needs_every_seat() -> None:
    assert due(table(3, seats=4), NOW, CLOCKS) is None
    assert due(table(4, seats=4), NOW, CLOCKS) == CallCommits(tuple(map(Seat, range(4))))


def test_1_a_later_hand_needs_min_players() -> None:
    state = replace(table(2, seats=4), fresh=False)
    assert due(state, NOW, CLOCKS) == CallCommits((Seat(0), Seat(1)))
    assert due(replace(table(1, seats=4), fresh=False), NOW, CLOCKS) is None


def test_1_a_practice_table_needs_min_players_for_the_first_hand_too() -> None:
    state = table(2, seats=4, practice=True, min_players=2)
    assert due(state, NOW, CLOCKS) == CallCommits((Seat(0), Seat(1)))


def test_a_result_is_shown_before_the_next_hand() -> None:
    state = replace(table(4, seats=4), phase=Waiting(not_before_ms=NOW + 5))
    assert due(state, NOW, CLOCKS) is None
    assert wake_ms(state, CLOCKS) == NOW + 5
    assert isinstance(due(state, NOW + 5, CLOCKS), CallCommits)


def test_seats_that_are_away_out_or_leaving_are_not_asked() -> None:
    state = replace(table(4, seats=4), fresh=False)
    state = with_chair(state, 0, away=True, out_since_ms=NOW)
    state = with_chair(state, 1, sits_out="asked", out_since_ms=NOW)
    assert due(state, NOW, CLOCKS) == CallCommits((Seat(2), Seat(3)))
    leaving = with_chair(state, 2, leaving=True)
    assert due(leaving, NOW, CLOCKS) == FreeSeat(Seat(2), "left")


def test_1_a_seat_is_freed_after_three_minutes_or_two_hands_out() -> None:
    state = with_chair(table(4, seats=4), 1, sits_out="asked", out_since_ms=NOW)
    assert due(state, NOW + 179_999, CLOCKS) is None
    assert wake_ms(state, CLOCKS) == NOW + 180_000
    assert due(state, NOW + 180_000, CLOCKS) == FreeSeat(Seat(1), "out_too_long")
    assert due(with_chair(state, 1, out_hands=2), NOW, CLOCKS) == FreeSeat(Seat(1), "out_too_long")


def test_a_closing_table_closes_between_hands() -> None:
    assert due(replace(table(4, seats=4), closing="drain"), NOW, CLOCKS) == CloseDown()
    closed = replace(table(4, seats=4), phase=Closed())
    assert due(closed, NOW, CLOCKS) is None
    assert wake_ms(closed, CLOCKS) is None


def contribution(seat: int, x: bytes | None = None) -> Contribution:
    return Contribution(
        seat=Seat(seat),
        kind=SeatKind.HUMAN,
        pseudonym=bytes(16),
        pub=bytes(32),
        status=1,
        commit=b"c" * 32,
        commit_sig=None,
        x=() if x is None else (x,),
        x_sigs=() if x is None else (None,),
    )


def test_the_list_is_due_when_all_have_answered_or_the_time_is_up() -> None:
    invited = (Seat(0), Seat(1))
    phase = Committing(attempt=0, deadline_ms=NOW + 10, invited=invited)
    state = replace(table(4, seats=4), phase=phase)
    assert due(state, NOW + 9, CLOCKS) is None
    assert due(state, NOW + 10, CLOCKS) == ListSeats()
    both = replace(phase, gave=(contribution(0), contribution(1)))
    assert due(replace(state, phase=both), NOW, CLOCKS) == ListSeats()


def test_the_deal_is_due_when_all_have_revealed_and_the_attempt_void_when_one_has_not() -> None:
    listing = Listing(
        attempt=0,
        dealer=None,
        seats=(contribution(0, b"x" * 32), contribution(1)),
        digest=bytes(32),
        sig=bytes(64),
    )
    phase = Revealing(attempt=0, deadline_ms=NOW + 10, listing=listing)
    state = replace(table(4, seats=4), phase=phase)
    assert due(state, NOW, CLOCKS) is None
    assert due(state, NOW + 10, CLOCKS) == VoidUnrevealed()
    assert due(with_chair(state, 1, leaving=True), NOW, CLOCKS) == VoidUnrevealed()
    done = replace(phase, listing=listing.with_x(Seat(1), 0, b"y" * 32, None))
    assert due(replace(state, phase=done), NOW, CLOCKS) == DealCards()


def test_a_table_that_waits_for_seats_does_not_wake_for_what_is_past() -> None:
    state = replace(table(1, seats=4), fresh=False, phase=Waiting(not_before_ms=NOW))
    assert due(state, NOW + 5, CLOCKS) is None
    assert wake_ms(state, CLOCKS, after_ms=NOW + 5) is None
    out = with_chair(state, 0, sits_out="asked", out_since_ms=NOW)
    assert wake_ms(out, CLOCKS, after_ms=NOW + 5) == NOW + CLOCKS.seat_out_max_ms
