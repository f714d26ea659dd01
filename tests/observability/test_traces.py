"""Spans from a client's command to its commit arrive at a collector, and hold no card."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from server.bots.run import run_bots
from server.catalogue import CatalogueTable
from server.errors import Fault
from server.main import running
from server.observability import traces
from tests.acceptance.needles import faces_in
from tests.observability.collector import Collector, collector, upwards
from tests.web.conftest import settings_of

__all__ = ["collector"]

TABLE = CatalogueTable(
    key="traced",
    name="Traced",
    options={"seats": 4, "min_players": 4, "rate": 10_000, "practice": True, "turn_ms": 60_000},
)
ATTRIBUTES = {"pakka.table", "pakka.kind", "pakka.hand", "pakka.seq", "pakka.code"}


def attributes_of(span: Span) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


async def test_a_command_is_traced_to_its_commit_and_no_span_knows_a_card(
    collector: Collector, database_url: str, tmp_path: Path
) -> None:
    settings = settings_of(tmp_path / "home", database_url, traces_url=collector.url)
    async with running(settings, catalogue=[TABLE]) as house:
        async with asyncio.timeout(120):
            await run_bots(
                house.url,
                str(house.tables["traced"]),
                4,
                secret=house.bot_secret,
                hands=1,
                pace_ms=0,
            )
        token = house.bot_secret
    spans = collector.spans()
    by_id = {span.span_id: span for span in spans}
    commits = [span for span in spans if span.name == "commit"]
    chains = {tuple(one.name for one in upwards(span, by_id)) for span in commits}
    assert ("commit", "table", "command") in chains
    assert ("commit", "step") in chains
    played = [
        span
        for span in spans
        if span.name == "command" and attributes_of(span)["pakka.kind"] == "play"
    ]
    assert len(played) >= 2, "a hand has two moves at least: who begins draws and declares"
    assert {attributes_of(span)["pakka.table"] for span in played} == {str(house.tables["traced"])}
    assert all(attributes_of(span)["pakka.seq"] > 0 for span in played)
    acted = [span for span in spans if span.name == "table" and span.parent_span_id in by_id]
    assert any("pakka.hand" in attributes_of(span) for span in acted)
    for span in spans:
        assert attributes_of(span).keys() <= ATTRIBUTES
        assert not span.events, "an exception's text would be one"
        assert faces_in(f"{span.name} {span.status.message} {attributes_of(span)}") == set()
    for body in collector.bodies:
        assert token.encode() not in body
    assert traces.carried() is None, "what the house switched on, it switched off"


def _fail_within_spans() -> None:
    with traces.span("outer"):
        carried = traces.carried()
        assert carried is not None
        with traces.span("elsewhere", parent=carried), traces.part("inner"):
            raise ValueError("the holding was 7H#1 and 2S")


def test_an_error_in_a_span_is_named_and_not_quoted(collector: Collector) -> None:
    end = traces.switch_on(collector.url, process="test")
    try:
        with pytest.raises(ValueError, match="7H"):
            _fail_within_spans()
        with traces.part("alone"):
            assert traces.carried() is None
    finally:
        end()
    found = {span.name: span for span in collector.spans()}
    assert found.keys() == {"outer", "elsewhere", "inner"}
    assert found["elsewhere"].parent_span_id == found["outer"].span_id
    assert {span.status.message for span in found.values()} == {"ValueError"}
    assert b"7H" not in b"".join(collector.bodies)


def test_a_collector_that_is_not_there_holds_nobody_up(collector: Collector) -> None:
    end = traces.switch_on("http://127.0.0.1:1/v1/traces", process="test")
    with traces.span("lost"):
        pass
    end()
    assert traces.carried() is None


def test_without_the_setting_none_of_it_is_imported() -> None:
    """FastAPI looks into the SDK by itself where it is installed: without it all works as well."""
    program = (
        "import sys\n"
        "sys.modules['opentelemetry.sdk'] = sys.modules['opentelemetry.exporter'] = None\n"
        "import server.main, server.cli; from server.observability import traces\n"
        "with traces.span('x', table=1, kind='y') as span, traces.part('z'):\n"
        "    span.tell(seq=1)\n"
        "    print(traces.carried())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("None\n", "")


def test_where_it_is_not_installed_the_start_says_so_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    with pytest.raises(Fault, match=r"^PAKKA_TRACES_URL: .*\.\[otel\]'$"):
        traces.switch_on("http://127.0.0.1:1/v1/traces", process="test")
