"""A substitute in the deal: whose entropy a hand has when an owner of the match is not there."""

from collections.abc import Awaitable, Callable

import pytest

from server.cards.game import SeatKind
from server.database import HandId
from server.tables.commands import Back, Leave, Request, SitOut, VoidHand
from server.tables.host import TableHost
from server.tables.state import HOUSE
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.policies import first_legal, idle
from tests.tables.sessions import LONG, of_seat, seated, stand_in, stop_all

pytestmark = pytest.mark.usefixtures("steady")

GAMES = pytest.mark.parametrize("game", ["badam_satti", "sevens"])


Change = Callable[[list[Program]], Awaitable[object]]


async def after_a_hand(
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
    change: Change,
    game: str = "badam_satti",
) -> list[Program]:
    """Seat three; when their first hand is dealt, and before anybody moves, change something.

    Then the first hand is played to its end, and the second is opened.
    """
    table = await open_table(game, **LONG)
    programs = await seated(host, table, new_player, *[idle] * 3)
    await programs[0].until("turn")
    await change(programs)
    for program in programs:
        program.policy = first_legal
    for program in programs:
        if program.seat in programs[0].heard("turn")[0]["seats"] and program.is_live:
            await first_legal(program)
    await programs[0].until("hand.closed", timeout_s=120)
    return programs


@GAMES
async def test_between_hands_nobody_waits_for_who_is_away_and_hearing_of_it_is_its_return(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer, game: str
) -> None:
    async def go_away(programs: list[Program]) -> None:
        """Fall silent: what the seat still plays in this hand is no traffic of its socket."""
        host.gone(programs[1].id)
        await programs[0].until("seat.away")

    programs = await after_a_hand(host, open_table, new_player, go_away, game)
    absent = programs[1]
    absent.policy = idle
    told = await programs[0].until("seat.substituted")
    assert (told["seat"], told["substitute"]["why"]) == (1, "absent")
    listed = await programs[0].until("hand.listed", 2)
    assert of_seat(listed, 1)["kind"] == SeatKind.BOT
    assert of_seat(listed, 1)["status"] == 0, "nobody came for it: it has no entropy"
    assert not programs[0].heard("hand.cancelled")
    await programs[0].until("hand.dealt", 2)
    host.here(absent.id)
    await programs[0].until("seat.returned")
    assert programs[0].heard("taken_back")
    await stop_all(programs)


async def test_who_does_not_commit_in_a_match_is_listed_by_its_substitute_at_once(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    async def fall_silent(programs: list[Program]) -> None:
        programs[1].commits = False

    programs = await after_a_hand(host, open_table, new_player, fall_silent)
    await programs[0].until("seat.substituted")
    listed = await programs[0].until("hand.listed", 2)
    assert (of_seat(listed, 1)["kind"], of_seat(listed, 1)["status"]) == (SeatKind.BOT, 0)
    assert listed["attempt"] == 0
    assert (await programs[1].send(Back())).ok
    await programs[0].until("seat.returned")
    await programs[0].until("hand.closed", 2, timeout_s=120)
    await stop_all(programs)


async def test_who_does_not_reveal_in_a_match_is_substituted_in_the_next_attempt(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    async def keep_it(programs: list[Program]) -> None:
        programs[1].reveals = False

    programs = await after_a_hand(host, open_table, new_player, keep_it)
    await programs[0].until("hand.voided")
    await programs[0].until("hand.dealt", 2)
    listed = programs[0].heard("hand.listed")[2]
    assert listed["attempt"] == 1
    assert (of_seat(listed, 1)["kind"], of_seat(listed, 1)["status"]) == (SeatKind.BOT, 0)
    await stop_all(programs)


async def test_a_substitute_that_does_not_reveal_is_listed_without_entropy(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    bots = []

    async def leave(programs: list[Program]) -> None:
        assert (await programs[1].send(Leave())).ok
        await programs[0].until("seat.substituted")
        await programs[1].stop()
        bots.append(stand_in(host, programs[0].table, 1, first_legal))
        bots[0].reveals = False

    programs = await after_a_hand(host, open_table, new_player, leave)
    await programs[0].until("hand.voided")
    await programs[0].until("hand.closed", 2, timeout_s=120)
    await stop_all([*programs, *bots])
    first, second = programs[0].heard("hand.listed")[1:3]
    assert (of_seat(first, 1)["status"], of_seat(second, 1)["status"]) == (1, 0)
    assert {of_seat(one, 1)["kind"] for one in (first, second)} == {SeatKind.BOT}


async def test_sitting_out_in_a_match_is_being_substituted(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    async def sit_out(programs: list[Program]) -> None:
        assert (await programs[1].send(SitOut())).ok

    programs = await after_a_hand(host, open_table, new_player, sit_out)
    told = await programs[0].until("seat.substituted")
    assert (told["seat"], told["substitute"]["why"]) == (1, "absent")
    await stop_all(programs)


async def test_who_sat_out_and_is_heard_again_still_sits_out(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    async def sit_out(programs: list[Program]) -> None:
        assert (await programs[1].send(SitOut())).ok

    programs = await after_a_hand(host, open_table, new_player, sit_out)
    programs[1].policy = idle
    await programs[0].until("seat.substituted")
    await programs[0].until("turn", len(programs[0].heard("turn")) + 1)
    host.gone(programs[1].id)
    await programs[0].until("seat.away")
    host.here(programs[1].id)
    await programs[0].until("seat.back")
    assert not programs[0].heard("seat.returned")
    assert (await programs[1].send(Back())).ok
    await programs[0].until("seat.returned")
    await stop_all(programs)


async def test_what_a_substitute_has_committed_stands_if_its_owner_gets_up_then(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    """Its receipt is signed: a list without that commitment would prove a cheat."""

    async def go_away(programs: list[Program]) -> None:
        host.gone(programs[1].id)
        await programs[0].until("seat.away")
        programs[2].commits = False

    programs = await after_a_hand(host, open_table, new_player, go_away)
    await programs[0].until("seat.substituted")
    bot = stand_in(host, programs[0].table, 1, first_legal)
    await bot.until("deal.receipt")
    assert (await programs[1].send(Leave())).ok
    listed = await programs[0].until("hand.listed", 2)
    assert (of_seat(listed, 1)["kind"], of_seat(listed, 1)["status"]) == (SeatKind.BOT, 1)
    await stop_all([*programs, bot])


async def test_a_hand_that_is_void_while_somebody_gets_up_has_a_next_one(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    """The game has not heard of the leaver yet: between the hands its substitute is named."""

    async def keep_it(programs: list[Program]) -> None:
        programs[2].reveals = False

    programs = await after_a_hand(host, open_table, new_player, keep_it)
    table = programs[0].table
    await programs[0].until("hand.listed", 2)
    await programs[1].until("deal.receipt", 4)  # both of the first hand, both of this one
    assert (await programs[1].send(Leave())).ok
    programs[2].reveals = True
    void = VoidHand(HandId(int(programs[0].heard("hand.opened")[-1]["hand_id"])), "op", "a test")
    assert (await host.send(table, Request(HOUSE, "void", b"", void))).ok
    told = await programs[0].until("seat.substituted")
    assert (told["seat"], told["substitute"]["why"]) == (1, "left")
    listed = await programs[0].until("hand.listed", 3)
    assert of_seat(listed, 1)["kind"] == SeatKind.BOT
    await programs[0].until("hand.dealt", 2)
    await stop_all(programs)
