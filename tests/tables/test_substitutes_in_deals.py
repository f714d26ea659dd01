"""A substitute in the deal: whose entropy a hand has when an owner of the match is not there."""

import pytest

from server.cards.game import SeatKind
from server.tables.commands import Back, Leave, SitOut
from server.tables.host import TableHost
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.policies import first_legal
from tests.tables.sessions import LONG, of_seat, seated, stand_in, stop_all

pytestmark = pytest.mark.usefixtures("steady")

GAMES = pytest.mark.parametrize("game", ["badam_satti", "sevens"])


async def after_a_hand(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer, game: str = "badam_satti"
) -> list[Program]:
    """Seat three, and play the first hand of their match."""
    table = await open_table(game, **LONG)
    programs = await seated(host, table, new_player, *[first_legal] * 3)
    await programs[0].until("hand.closed", timeout_s=120)
    return programs


@GAMES
async def test_between_hands_nobody_waits_for_who_is_away_and_hearing_of_it_is_its_return(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer, game: str
) -> None:
    programs = await after_a_hand(host, open_table, new_player, game)
    absent = programs[1]
    await absent.stop()
    host.gone(absent.id)
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
    absent.begin()
    await programs[0].until("hand.closed", 2, timeout_s=120)
    await stop_all(programs)


async def test_who_does_not_commit_in_a_match_is_listed_by_its_substitute_at_once(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs = await after_a_hand(host, open_table, new_player)
    programs[1].commits = False
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
    programs = await after_a_hand(host, open_table, new_player)
    programs[1].reveals = False
    await programs[0].until("hand.voided")
    await programs[0].until("hand.dealt", 2)
    listed = programs[0].heard("hand.listed")[2]
    assert listed["attempt"] == 1
    assert (of_seat(listed, 1)["kind"], of_seat(listed, 1)["status"]) == (SeatKind.BOT, 0)
    await stop_all(programs)


async def test_a_substitute_that_does_not_reveal_is_listed_without_entropy(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs = await after_a_hand(host, open_table, new_player)
    assert (await programs[1].send(Leave())).ok
    bot = stand_in(host, programs[0].table, 1, first_legal)
    bot.reveals = False
    await programs[0].until("hand.voided")
    await programs[0].until("hand.closed", 2, timeout_s=120)
    await stop_all([*programs, bot])
    first, second = programs[0].heard("hand.listed")[1:3]
    assert (of_seat(first, 1)["status"], of_seat(second, 1)["status"]) == (1, 0)
    assert {of_seat(one, 1)["kind"] for one in (first, second)} == {SeatKind.BOT}


async def test_sitting_out_in_a_match_is_being_substituted(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs = await after_a_hand(host, open_table, new_player)
    assert (await programs[1].send(SitOut())).ok
    told = await programs[0].until("seat.substituted")
    assert (told["seat"], told["substitute"]["why"]) == (1, "absent")
    await stop_all(programs)
