"""A real answer of /metrics: it names nobody, and tells of the ledger and of a broken database."""

import httpx

from server import jobs
from server.ledger import audit
from server.ledger.audit import Invariant
from server.main import House
from tests.conftest import execute
from tests.observability.figures import SUFFIX, families, value
from tests.observability.test_names import METRIC, queries


async def test_every_figure_that_dashboard_and_alerts_name_is_in_a_real_answer(
    house: House, http: httpx.AsyncClient
) -> None:
    await jobs.check_ledger(house.database, house.parts.server_pubs)
    found = families((await http.get("/metrics")).text)
    asked = {name for _, query in queries() for name in METRIC.findall(query)}
    assert len(asked) > 25
    assert {
        name for name in asked if SUFFIX.sub("", name) not in found and name not in found
    } == set()
    assert value(found, "process_resident_memory_bytes") > 1_000_000
    assert value(found, "pakka_tables") == len(house.tables)
    assert value(found, "pakka_takeovers_total", why="new") == len(house.tables)
    assert value(found, "pakka_database_connections_max") == house.database.pool_size


async def test_the_last_check_of_the_ledger_is_told_invariant_by_invariant(
    house: House, http: httpx.AsyncClient
) -> None:
    await jobs.check_ledger(house.database, house.parts.server_pubs)
    now_s = await house.database.now_ms() / 1_000
    found = families((await http.get("/metrics")).text)
    samples = found["pakka_ledger_invariant_holds"].samples
    assert {sample.labels["invariant"] for sample in samples} >= audit.invariants().keys()
    assert {sample.value for sample in samples} == {1}
    checked_s = value(found, "pakka_ledger_checked_timestamp_seconds")
    assert now_s - 300 < checked_s <= now_s
    broken = [Invariant("all is well", False, {"wrong_rows": 1})]
    await house.database.run(lambda tx: audit.keep(tx, broken))
    found = families((await http.get("/metrics")).text)
    assert value(found, "pakka_ledger_invariant_holds", invariant="all is well") == 0
    assert len(found["pakka_ledger_invariant_holds"].samples) == 1


async def test_a_database_that_fails_is_a_figure_and_hides_no_other(
    house: House, http: httpx.AsyncClient, module_url: str
) -> None:
    execute(module_url, "alter table ledger.check_run rename to hidden")
    try:
        answer = await http.get("/metrics")
    finally:
        execute(module_url, "alter table ledger.hidden rename to check_run")
    assert answer.status_code == 200
    found = families(answer.text)
    assert value(found, "pakka_database_up") == 0
    assert "pakka_holds" not in found
    assert value(found, "pakka_tables") == len(house.tables)
    assert value(families((await http.get("/metrics")).text), "pakka_database_up") == 1
