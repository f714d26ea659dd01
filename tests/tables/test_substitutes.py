"""A substitute plays on for an owner who is not there: who sees what, who waits, who comes back."""

import pytest

from server.cards.game import Seat, SeatKind
from server.database import Database
from server.errors import Refusal
from server.games.sevens.moves import Pass
from server.tables import matches
from server.tables.commands import Back, Leave, Play, Sit
from server.tables.host import TableHost
from server.tables.returning import RETURNS_MAX
from server.tables.seat_tokens import SeatPass, pass_of
from server.tables.work import Parts
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer, OpenTable
from tests.tables.policies import first_legal, idle
from tests.tables.sessions import LONG, assert_record_holds, of_seat, seated, stand_in, stop_all
from tests.tables.test_recovery import die, take_over

pytestmark = pytest.mark.usefixtures("patient")

GAMES = pytest.mark.parametrize("game", ["badam_satti", "sevens"])


async def in_mid_hand(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer, game: str
) -> list[Program]:
    """Seat three, and stop when the seat 2 is to play."""
    table = await open_table(game, **LONG)
    programs = await seated(host, table, new_player, first_legal, first_legal, idle)
    while not any(2 in turn["seats"] for turn in programs[0].heard("turn")):
        await programs[0].until("turn", len(programs[0].heard("turn")) + 1)
    return programs


@GAMES
async def test_a_leavers_seat_is_played_on_to_the_end_of_the_match_and_then_freed(
    host: TableHost,
    database: Database,
    open_table: OpenTable,
    new_player: NewPlayer,
    parts: Parts,
    game: str,
) -> None:
    programs = await in_mid_hand(host, open_table, new_player, game)
    table, leaver = programs[0].table, programs[2]
    assert (await leaver.send(Leave())).ok
    told = await programs[0].until("seat.substituted")
    assert programs[0].heard("handed_over") == [
        {**programs[0].heard("handed_over")[0], "seat": 2, "why": "left"}
    ]
    assert (told["seat"], told["substitute"]["kind"], told["substitute"]["why"]) == (
        2,
        "bot",
        "left",
    )
    assert (await leaver.send(Leave())).code == "already_leaving"
    bot = stand_in(host, table, 2, first_legal)
    await programs[0].until("hand.closed", timeout_s=120)
    assert host.state_of(table).seat_of(leaver.id) == 2, "the owner may come back"
    await programs[0].until("hand.closed", 3, timeout_s=120)
    left = await programs[0].until("seat.left")
    assert (left["seat"], host.state_of(table).seat_of(leaver.id)) == (2, None)
    await stop_all([*programs, bot])
    first, second = programs[0].heard("hand.listed")[:2]
    pseudonym = told["substitute"]["pseudonym"]
    assert of_seat(first, 2)["kind"] == SeatKind.HUMAN
    assert (of_seat(second, 2)["kind"], of_seat(second, 2)["player"]) == (SeatKind.BOT, pseudonym)
    assert of_seat(second, 2)["status"] == 1, "the substitute brings entropy of its own"
    for closed in programs[0].heard("hand.closed")[:3]:
        await assert_record_holds(database, parts, closed)
    (row,) = await database.run(lambda tx: matches.matches_of(tx, leaver.id, before=None, limit=9))
    assert [seat.by_substitute for seat in row.seats] == [False, False, True]
    standings = await database.run(lambda tx: matches.standings(tx, game, after=0, limit=9))
    mine = next(one for one in standings if one.player == leaver.id)
    assert (mine.matches, mine.finished, mine.wins, mine.shared) == (1, 0, 0, 0)
    assert len(standings) == 3, "a substitute has no standing"


@GAMES
async def test_the_substitute_sees_what_its_seat_sees_and_nobody_else_does(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer, game: str
) -> None:
    programs = await in_mid_hand(host, open_table, new_player, game)
    table, leaver = programs[0].table, programs[2]
    held = own_cards(leaver)
    await leaver.send(Leave())
    await programs[0].until("seat.substituted")
    bot = stand_in(host, table, 2, idle)
    stranger = Program(host, table, await new_player(), idle)
    stranger.begin()
    await stop_all([*programs, bot, stranger])
    snapshot = bot.frames[0]["d"]
    assert (snapshot["you"], snapshot["pilot"]) == (2, True)
    assert {one["card"] for one in snapshot["hand"]["openings"]} == held
    assert snapshot["seats"][2]["substitute"]["why"] == "left"
    seen = stranger.frames[0]["d"]
    assert (seen["you"], seen["pilot"], seen["hand"]["openings"]) == (None, False, [])
    for other in programs[:2]:
        assert not own_cards(other) & held


def own_cards(program: Program) -> set[str]:
    """Collect the cards that were opened to a program in its first hand."""
    told = [f["d"] for f in program.frames if f["t"] == "event" and f["d"]]
    return {one["card"] for d in told for one in d.get("openings", ())}


async def test_an_owners_move_that_is_refused_takes_nothing_from_the_substitute(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs = await in_mid_hand(host, open_table, new_player, "sevens")
    owner = programs[2]
    await owner.send(Leave())
    await programs[0].until("seat.substituted")
    (seat,) = host.substituted()
    token = await host.issue_seat_token(seat)
    late = Play(owner.opened["hand"], owner.turn - 1, Pass())
    assert (await owner.send(late)).code == "stale_turn"
    assert host.substituted() == {seat}
    assert await database.run(lambda tx: pass_of(tx, token)) == seat
    await stop_all(programs)


@GAMES
async def test_an_owner_who_is_back_plays_itself_and_the_substitutes_token_is_worthless(
    host: TableHost,
    database: Database,
    open_table: OpenTable,
    new_player: NewPlayer,
    parts: Parts,
    game: str,
) -> None:
    programs = await in_mid_hand(host, open_table, new_player, game)
    table, owner = programs[0].table, programs[2]
    await owner.send(Leave())
    await programs[0].until("seat.substituted")
    (seat,) = host.substituted()
    token = await host.issue_seat_token(seat)
    assert await database.run(lambda tx: pass_of(tx, token)) == seat
    bot = stand_in(host, table, 2, idle)
    owner.policy = first_legal
    assert (await owner.send(Back())).ok
    returned = await programs[0].until("seat.returned")
    assert (returned["seat"], returned["substitute"]) == (2, None)
    assert await database.run(lambda tx: pass_of(tx, token)) is None
    assert not host.substituted()
    assert (await bot.send(Leave())).code == "not_seated"
    await first_legal(owner)
    await programs[0].until("hand.closed", 2, timeout_s=120)
    await stop_all([*programs, bot])
    assert of_seat(programs[0].heard("hand.listed")[1], 2)["kind"] == SeatKind.HUMAN
    lines = [f["d"]["line"] for f in programs[0].frames if f["d"] and f["d"].get("line")]
    assert lines.index("2 leave") + 1 == lines.index("2 back")
    await assert_record_holds(database, parts, programs[0].heard("hand.closed")[0])


async def test_sitting_at_the_table_again_is_a_return_and_nobody_else_may_sit(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs = await in_mid_hand(host, open_table, new_player, "badam_satti")
    table, owner = programs[0].table, programs[2]
    await owner.send(Leave())
    await programs[0].until("seat.substituted")
    stranger = Program(host, table, await new_player(), idle)
    for seat in (None, Seat(2)):
        assert (await stranger.send(Sit(seat, "new", SeatKind.HUMAN))).code == "match_running"
    assert (await owner.send(Sit(None, "again", SeatKind.HUMAN))).ok
    await programs[0].until("seat.returned")
    await stop_all(programs)


async def test_a_seat_that_missed_too_often_is_taken_back_by_its_owners_next_move(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    table = await open_table("sevens", seats=3, hands=3, turn_ms=5_000, miss_limit=1)
    programs = await seated(host, table, new_player, first_legal, first_legal, idle)
    told = await programs[0].until("seat.substituted", timeout_s=60)
    assert (told["seat"], told["substitute"]["why"]) == (2, "misses")
    programs[2].policy = first_legal
    while host.state_of(table).chair(Seat(2)).substitute is not None:
        await programs[2].until("turn", len(programs[2].heard("turn")) + 1)
    await programs[0].until("seat.returned", timeout_s=60)
    await stop_all(programs)
    refused = [reply.code for command, reply in programs[2].replies if isinstance(command, Play)]
    assert None in refused, "its own move was played"


@GAMES
async def test_a_substituted_seat_and_its_match_outlive_sudden_death(
    host: TableHost,
    database: Database,
    open_table: OpenTable,
    new_player: NewPlayer,
    parts: Parts,
    game: str,
) -> None:
    programs = await in_mid_hand(host, open_table, new_player, game)
    table = programs[0].table
    await programs[2].send(Leave())
    told = await programs[0].until("seat.substituted")
    await die(host)
    again = await take_over(database, parts, programs)
    (seat,) = again.substituted()
    assert (seat.table, seat.seat) == (table, 2)
    bot = stand_in(again, table, 2, first_legal)
    await programs[0].until("hand.closed", 3, timeout_s=200)
    assert again.state_of(table).seat_of(programs[2].id) is None
    await stop_all([*programs, bot])
    listed = programs[0].heard("hand.listed")[1]
    assert of_seat(listed, 2)["player"] == told["substitute"]["pseudonym"]
    await assert_record_holds(database, parts, programs[0].heard("hand.closed")[2])
    await again.stop()


async def test_a_match_that_everybody_has_left_is_abandoned(
    host: TableHost, database: Database, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs = await in_mid_hand(host, open_table, new_player, "badam_satti")
    watcher = Program(host, programs[0].table, await new_player(), idle)
    watcher.begin()
    for program in programs:
        program.policy = idle
        assert (await program.send(Leave())).ok
    await watcher.until("seat.substituted", 3)
    bots = [stand_in(host, programs[0].table, seat, first_legal) for seat in range(3)]
    await watcher.until("match.abandoned", timeout_s=120)
    assert await watcher.until("seat.left", 3)
    state = host.state_of(programs[0].table)
    assert (state.chairs, state.match, state.carry.memo) == ((None,) * 3, None, "")
    newcomer = await new_player()
    fresh = Program(host, programs[0].table, newcomer, idle)
    assert (await fresh.sit()).ok
    await stop_all([*programs, *bots, watcher, fresh])
    assert (
        await database.run(lambda tx: matches.standings(tx, state.game.name, after=0, limit=9))
        == ()
    )


async def test_a_token_is_issued_for_a_substituted_seat_alone(
    host: TableHost, open_table: OpenTable, new_player: NewPlayer
) -> None:
    programs = await in_mid_hand(host, open_table, new_player, "badam_satti")
    own = SeatPass(programs[0].table, Seat(2), programs[2].id)
    with pytest.raises(Refusal, match="not_seated"):
        await host.issue_seat_token(own)
    await stop_all(programs)


@GAMES
async def test_a_hand_is_not_made_void_by_leaving_and_coming_back_again_and_again(
    host: TableHost,
    database: Database,
    open_table: OpenTable,
    new_player: NewPlayer,
    parts: Parts,
    game: str,
) -> None:
    programs = await in_mid_hand(host, open_table, new_player, game)
    table, owner = programs[0].table, programs[2]
    for _ in range(RETURNS_MAX):
        assert (await owner.send(Leave())).ok
        assert (await owner.send(Back())).ok
    assert (await owner.send(Leave())).ok
    await programs[0].until("seat.substituted", RETURNS_MAX + 1)
    before = host.state_of(table)
    turn = before.hand.turn if before.hand is not None else 0
    again = (Back(), Sit(None, "again", SeatKind.HUMAN), Play(1, turn, Pass()))
    assert {(await owner.send(command)).code for command in again} == {"returned_too_often"}
    assert host.state_of(table) is before
    bot = stand_in(host, table, 2, first_legal)
    await programs[0].until("hand.closed", timeout_s=120)
    owner.policy = first_legal
    assert (await owner.send(Back())).ok, "after the hand it is the owner's to take"
    await programs[0].until("hand.closed", 2, timeout_s=120)
    await stop_all([*programs, bot])
    await assert_record_holds(database, parts, programs[0].heard("hand.closed")[0])
