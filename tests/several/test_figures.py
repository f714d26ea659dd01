"""One answer of /metrics tells of every process; a trace goes on where the table is run."""

from pathlib import Path

import httpx

from server.cards.game import SeatKind
from server.database import Database
from server.embedded import EmbeddedValkey
from server.main import House, running
from server.observability import traces
from server.tables.commands import Sit
from tests.observability.collector import Collector, collector, upwards
from tests.observability.figures import families, value
from tests.several.conftest import StartHost, open_tables, run_by, until
from tests.tables.company import Program
from tests.tables.conftest import NewPlayer
from tests.tables.policies import idle
from tests.web.conftest import TABLES, settings_of

__all__ = ["collector"]


async def _tables_told(house: House) -> dict[str, float]:
    """Ask one process how many tables each of the house's runs; -1 for one that did not answer."""
    async with httpx.AsyncClient(base_url=house.url, timeout=30, trust_env=False) as http:
        found = families((await http.get("/metrics")).text)
    ups = {one.labels["process"]: one.value for one in found["pakka_process_up"].samples}
    return {
        name: value(found, "pakka_tables", process=name) if up else -1 for name, up in ups.items()
    }


async def test_whichever_process_is_asked_tells_the_figures_of_all(
    database_url: str, valkey: EmbeddedValkey, tmp_path: Path
) -> None:
    settings = settings_of(tmp_path / "home", database_url, REDIS_URL=valkey.url)
    async with (
        running(settings, catalogue=TABLES) as one,
        running(settings, catalogue=TABLES) as two,
    ):
        hosts = [one.host, two.host]
        await until(lambda: run_by(hosts) == [2, 2])
        await until(lambda: all(len(host.processes()) == 2 for host in hosts))
        names = [host.messenger.owner for host in hosts]
        for asked in (one, two):
            assert await _tables_told(asked) == {names[0]: 2, names[1]: 2}
        await two.host.messenger.close()
        assert (await _tables_told(one))[names[1]] == -1


async def test_a_trace_goes_on_in_the_process_that_runs_the_table(
    database: Database, start_host: StartHost, new_player: NewPlayer, collector: Collector
) -> None:
    (table,) = await open_tables(database, 1)
    one, two = await start_host("one"), await start_host("two")
    await until(lambda: two.owner_of(table) == "one" and len(two.everywhere()) == 1)
    program = Program(two, table, await new_player(), idle)
    end = traces.switch_on(collector.url, process="both")
    try:
        with traces.span("command"):
            assert (await program.send(Sit(None, "somebody", SeatKind.HUMAN))).ok
    finally:
        end()
    assert one.state_of(table).seat_of(program.id) is not None
    spans = {span.span_id: span for span in collector.spans()}
    chains = {tuple(step.name for step in upwards(span, spans)) for span in spans.values()}
    assert ("commit", "table", "command") in chains
