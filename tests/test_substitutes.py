"""Substitutes by the house: real sockets, real bots, a token for one seat and nothing else."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from server.bots.client import Client
from server.bots.run import Bot
from server.bots.table_watch import TableWatch
from server.cards.game import Seat
from server.catalogue import CatalogueTable
from server.database import TableId
from server.main import House, running
from server.substitutes import Substitutes
from server.verify import verify_record
from tests.web.conftest import settings_of
from tests.web.wire import API, bearer, guest, line_to, signed_in

OPTIONS = {"seats": 3, "hands": 3, "turn_ms": 120_000}
"""A clock that plays for nobody while a test runs: who waited for it would wait too long."""

TABLES = tuple(
    CatalogueTable(key=game, name=game, game=game, options=OPTIONS)
    for game in ("badam_satti", "sevens")
)
GAMES = pytest.mark.parametrize("game", ["badam_satti", "sevens"])
WAIT_S = 240


@pytest.fixture
async def house(database_url: str, tmp_path: Path) -> AsyncIterator[House]:
    settings = settings_of(
        tmp_path, database_url, bot_pace_ms=0, commit_ms=20_000, reveal_ms=20_000
    )
    async with running(settings, catalogue=TABLES) as house:
        yield house


@asynccontextmanager
async def player(house: House, *, pace_ms: int = 0) -> AsyncIterator[Client]:
    """A person who plays by the policy of its game."""
    client = Client(house.url, await guest(house), Bot(Random(7), pace_ms))
    task = asyncio.create_task(client.run())
    try:
        yield client
        assert not task.done(), task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(client: Client, holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        await client.until(holds)


def closed(watch: TableWatch) -> int:
    return sum(over.end == "closed" for over in watch.hand.overs)


async def until_closed(client: Client, watch: TableWatch, hands: int) -> None:
    await until(client, lambda: closed(watch) >= hands)


async def until_free(client: Client, watch: TableWatch) -> None:
    """Wait until the client's seat is its own no more."""
    await until(client, lambda: watch.seating.me is None)


async def in_mid_hand(
    house: House, game: str, stack: AsyncExitStack
) -> tuple[list[Client], list[TableWatch]]:
    """Seat three people and wait until seat 2, who does not play, is to play."""
    table = str(house.tables[game])
    clients = [await stack.enter_async_context(player(house)) for _ in range(2)]
    clients.append(await stack.enter_async_context(player(house, pace_ms=600_000)))
    watches = [await client.sit(table, seat) for seat, client in enumerate(clients)]
    await until(clients[0], lambda: 2 in watches[0].hand.turn_seats)
    return clients, watches


async def lobby_of(house: House, game: str) -> dict[str, Any]:
    async with httpx.AsyncClient(base_url=house.url, trust_env=False) as http:
        answer: dict[str, Any] = (await http.get(f"{API}/tables/{house.tables[game]}")).json()
    return answer


@GAMES
async def test_the_others_finish_their_match_with_a_substitute_and_every_check_holds(
    house: House, game: str
) -> None:
    async with AsyncExitStack() as stack:
        clients, watches = await in_mid_hand(house, game, stack)
        await clients[2].leave(str(house.tables[game]))
        await until(clients[0], lambda: closed(watches[0]) >= 2)
        lobby = await lobby_of(house, game)
        await until(clients[0], lambda: closed(watches[0]) >= 3)
        await until(clients[0], lambda: 2 not in watches[0].seating.by_seat)
    assert (lobby["free"], lobby["match"], "rate" in lobby["options"]) == (True, 1, False)
    assert [seat["substituted"] for seat in lobby["seats"]] == [False, False, True]
    overs = [over for over in watches[0].hand.overs if over.end == "closed"]
    for over in overs[:3]:
        await verified(house, over.hand_id)


async def verified(house: House, hand: str) -> None:
    async with httpx.AsyncClient(base_url=house.url, trust_env=False) as http:
        body = (await http.get(f"{API}/hands/{hand}/record")).content
    report = verify_record(body, house.server_pub)
    assert report.exit_code == 0, report.text()


@GAMES
async def test_an_owner_comes_back_in_mid_match_and_plays_its_own_cards(
    house: House, game: str
) -> None:
    table = str(house.tables[game])
    async with AsyncExitStack() as stack:
        clients, watches = await in_mid_hand(house, game, stack)
        await clients[2].leave(table)
        await until(clients[2], lambda: watches[2].seating.replaced == "left")
        await until(clients[0], lambda: closed(watches[0]) >= 1)
        clients[2]._chooser = Bot(Random(3), 0)
        await clients[2].back(table)
        await until(clients[2], lambda: watches[2].seating.is_pilot)
        await until(clients[0], lambda: closed(watches[0]) >= 3)
        await until(clients[2], lambda: closed(watches[2]) >= 3)
    assert not house.host.substituted()


async def test_who_sits_out_in_a_match_is_replaced_until_it_says_that_it_is_back(
    house: House,
) -> None:
    """It then commits like everybody, and finds nothing wrong with the next list."""
    table = str(house.tables["badam_satti"])
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(player(house)) for _ in range(3)]
        watches = [await client.sit(table, seat) for seat, client in enumerate(clients)]
        await until(clients[2], lambda: watches[2].hand.phase == "play")
        await clients[2]._connection.command({"t": "table.sit_out", "table": table})
        await until(clients[2], lambda: closed(watches[2]) >= 2)
        assert watches[2].seating.replaced == "absent"
        await clients[2].back(table)
        await until(clients[2], lambda: watches[2].seating.is_pilot)
        assert watches[2].seating.my_absence is None
        await until(clients[2], lambda: closed(watches[2]) >= 3)
        assert watches[2].seating.is_pilot


@GAMES
async def test_a_company_that_left_its_match_begins_another_and_accuses_nobody(
    house: House, game: str
) -> None:
    table = str(house.tables[game])
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(player(house)) for _ in range(3)]
        watches = [await client.sit(table, seat) for seat, client in enumerate(clients)]
        await until(clients[0], lambda: closed(watches[0]) >= 1)
        for client in clients:
            await client.leave(table)
        for client, watch in zip(clients, watches, strict=True):
            await until_free(client, watch)
        before = closed(watches[0])
        for seat, client in enumerate(clients):
            await client.sit(table, seat)
        for client, watch in zip(clients, watches, strict=True):
            await until_closed(client, watch, before + 1)
        match = watches[0].hand.overs[-1].match
        assert match is not None
        assert (match.number, match.is_over) == (2, False)


@pytest.fixture
def nobody_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the house's own bots away: the test is the substitute."""
    monkeypatch.setattr(Substitutes, "_look", lambda self, wanted: None)


@pytest.mark.usefixtures("nobody_comes")
async def test_a_substitutes_token_opens_its_seat_and_nothing_else(house: House) -> None:
    table = str(house.tables["badam_satti"])
    async with AsyncExitStack() as stack:
        clients, _ = await in_mid_hand(house, "badam_satti", stack)
        await clients[2].leave(table)
        await until(clients[0], lambda: bool(house.host.substituted()))
        (seat,) = house.host.substituted()
        token = await house.host.issue_seat_token(seat)
        async with httpx.AsyncClient(base_url=house.url, trust_env=False) as http:
            answers = [await http.get(f"{API}{path}", headers=bearer(token)) for path in MINE]
        assert {answer.status_code for answer in answers} == {401}
        line = await stack.enter_async_context(signed_in(house, token))
        other = str(house.tables["sevens"])
        for ask, fields in (
            ("table.sit", {"table": table}),
            ("table.leave", {"table": table}),
            ("table.back", {"table": table}),
            ("table.watch", {"table": other}),
        ):
            refused = await line.ask(ask, **fields)
            assert (refused["t"], refused.get("code")) == ("refused", "one_seat_only"), ask
        assert (await line.ask("table.watch", table=table))["t"] == "ok"
        snapshot = (await line.until("snapshot"))["d"]
        assert (snapshot["you"], snapshot["pilot"]) == (2, True)
        await clients[2].back(table)
        assert await line.close_code() == 4401
        async with line_to(house) as late:
            await late.say({"t": "hello", "id": "h", "token": token})
            assert (await late.hear())["code"] == "not_signed_in"


MINE = ("/me", "/me/hands", "/me/matches")


@pytest.mark.usefixtures("nobody_comes")
async def test_a_substitute_that_did_not_watch_the_return_is_put_out_all_the_same(
    house: House,
) -> None:
    table = str(house.tables["sevens"])
    async with AsyncExitStack() as stack:
        clients, _ = await in_mid_hand(house, "sevens", stack)
        await clients[2].leave(table)
        await until(clients[0], lambda: bool(house.host.substituted()))
        (seat,) = house.host.substituted()
        token = await house.host.issue_seat_token(seat)
        line = await stack.enter_async_context(signed_in(house, token))
        assert (await line.ask("ping"))["t"] == "ok"
        await clients[2].back(table)
        await until(clients[0], lambda: not house.host.substituted())
        await line.say({"t": "table.watch", "id": "w", "table": table})
        assert await line.close_code() == 4401


@pytest.mark.usefixtures("nobody_comes")
async def test_a_newer_token_of_a_seat_makes_the_older_one_worthless(house: House) -> None:
    async with AsyncExitStack() as stack:
        clients, _ = await in_mid_hand(house, "sevens", stack)
        await clients[2].leave(str(house.tables["sevens"]))
        await until(clients[0], lambda: bool(house.host.substituted()))
        (seat,) = house.host.substituted()
        first = await house.host.issue_seat_token(seat)
        second = await house.host.issue_seat_token(seat)
        assert first != second
        async with line_to(house) as old:
            await old.say({"t": "hello", "id": "h", "token": first})
            assert (await old.hear())["code"] == "not_signed_in"
    assert (seat.table, seat.seat) == (TableId(house.tables["sevens"]), Seat(2))
