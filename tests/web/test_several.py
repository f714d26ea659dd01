"""Two processes of one house at their own addresses: any socket may land on either."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from server.catalogue import CatalogueTable
from server.embedded import EmbeddedValkey
from server.identity.operators import Role
from server.main import House, running
from tests.several.conftest import until
from tests.web.conftest import LOW, settings_of
from tests.web.test_operator import operator
from tests.web.wire import API, WAIT_S, Line, bearer, guest, signed_in

PATIENCE_S = 60
TABLES = tuple(
    CatalogueTable(key=key, name=key.title(), options={**LOW, "turn_ms": 60_000})
    for key in ("first", "second", "third", "fourth")
)


@dataclass(frozen=True)
class Two:
    """Both processes, and a table that each of them runs."""

    one: House
    other: House

    def table_of(self, house: House) -> UUID:
        """Find a table that this process runs."""
        return house.host.summaries()[0].table_id


@pytest.fixture(scope="module")
def valkey() -> Iterator[EmbeddedValkey]:
    """What carries messages between the two."""
    server = EmbeddedValkey.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
async def two(
    module_url: str, tmp_path_factory: pytest.TempPathFactory, valkey: EmbeddedValkey
) -> AsyncIterator[Two]:
    """Start two processes on one folder, one database and one Valkey."""
    home: Path = tmp_path_factory.mktemp("home")
    settings = settings_of(home, module_url, REDIS_URL=valkey.url, lease_ms=6_000, commit_ms=60_000)
    async with AsyncExitStack() as stack:
        houses = [
            await stack.enter_async_context(running(settings, catalogue=TABLES)) for _ in range(2)
        ]
        pair = Two(*houses)
        await until(lambda: [len(house.host.summaries()) for house in houses] == [2, 2])
        for house in houses:
            await until(lambda house=house: len(house.host.everywhere()) == len(TABLES))  # type: ignore[misc]
        yield pair


async def test_a_player_sits_through_one_process_at_a_table_of_the_other(two: Two) -> None:
    for house, owner in ((two.one, two.other), (two.other, two.one), (two.one, two.one)):
        table = str(two.table_of(owner))
        async with signed_in(house, await guest(house)) as line:
            assert (await line.ask("table.sit", table=table))["t"] == "ok"
            snapshot = await line.until("snapshot")
            assert snapshot["d"]["you"] is not None
            async with httpx.AsyncClient(
                base_url=two.one.url, timeout=WAIT_S, trust_env=False
            ) as http:
                shown = (await http.get(f"{API}/tables/{table}")).json()
            assert [seat["seat"] for seat in shown["seats"]] == [snapshot["d"]["you"]]
            assert (await line.ask("table.leave", table=table))["t"] == "ok"


async def test_the_newest_socket_of_a_player_wins_on_whichever_process(two: Two) -> None:
    token = await guest(two.one)
    async with signed_in(two.one, token) as old, signed_in(two.other, token) as new:
        assert await old.close_code() == 4409
        assert (await new.ask("ping"))["t"] == "ok"


async def test_who_signs_out_on_one_process_is_put_off_the_other(two: Two) -> None:
    token = await guest(two.one)
    async with signed_in(two.one, token) as line:
        async with httpx.AsyncClient(
            base_url=two.other.url, timeout=WAIT_S, trust_env=False
        ) as http:
            answer = await http.delete(f"{API}/sessions", headers=bearer(token))
            assert answer.status_code < 300, answer.text
        assert await line.close_code() == 4401


async def test_a_hand_that_both_processes_serve_is_shown_by_both(two: Two) -> None:
    """Who looks on from either side gets the same events with the same numbers."""
    table = str(two.table_of(two.one))
    async with AsyncExitStack() as stack:
        lines: list[Line] = []
        for house in (two.one, two.other, two.one, two.other):
            line = await stack.enter_async_context(signed_in(house, await guest(house)))
            assert (await line.ask("table.sit", table=table))["t"] == "ok"
            lines.append(line)
        # Who came last finds the deal begun: its snapshot says so, or the event follows it.
        opened = [await line.until("event", "deal.phase") for line in lines[:3]]
        assert len({(frame["seq"], frame["stream"], frame["now"]) for frame in opened}) == 1
        snapshot = await lines[3].until("snapshot")
        if snapshot["seq"] < opened[0]["seq"]:
            late = await lines[3].until("event", "deal.phase")
            assert late["seq"] == opened[0]["seq"]
        else:
            assert snapshot["d"]["phase"] == "commit"
        for line in lines:
            assert (await line.ask("table.leave", table=table))["t"] == "ok"


async def test_the_console_shows_both_processes_and_who_runs_which_table(
    two: Two,
) -> None:
    token = await operator(two.one, Role.VIEWER)
    for house in (two.one, two.other):
        async with httpx.AsyncClient(base_url=house.url, timeout=WAIT_S, trust_env=False) as http:
            async with asyncio.timeout(PATIENCE_S):
                live = await _live(http, token)
                while not _is_shared_evenly(live):
                    live = await _live(http, token)
        assert live["process"] in [one["name"] for one in live["processes"]]


async def _live(http: httpx.AsyncClient, token: str) -> dict[str, Any]:
    live: dict[str, Any] = (await http.get(f"{API}/operator/live", headers=bearer(token))).json()
    return live


def _is_shared_evenly(live: dict[str, Any]) -> bool:
    """Tell whether two tables are each process's, by its leases and table by table.

    The leases are the database's; who runs a table is heard, and may be known a moment later.
    """
    names = [one["name"] for one in live["processes"]]
    run_by = Counter(one["process"] for one in live["tables"])
    return [one["tables"] for one in live["processes"]] == [2, 2] and run_by == Counter(names * 2)


async def test_both_are_ready_and_tell_so(two: Two) -> None:
    for house in (two.one, two.other):
        async with httpx.AsyncClient(base_url=house.url, timeout=WAIT_S, trust_env=False) as http:
            answer = await http.get("/readyz")
        assert (answer.status_code, set(answer.json().values())) == (200, {True})
