"""Figures are named as Prometheus asks, and what reads them finds each of them."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from typing import Any, get_args

import pytest

from server.observability.metrics import By, End, Metrics, Why
from server.observability.standing import MESSENGER
from tests.observability.figures import STANDING, SUFFIX, families, written

UNITS = re.compile(r"_(seconds|bytes|frames|ratio)(?:_max)?$")
TIMES = re.compile(r"(?:_ms|_s|_millis|_minutes|_time|_duration|_delay|_age)(?:_|$)")
METRIC = re.compile(r"\b((?:pakka|process|python)_[a-z_]+)\b")
LABEL = re.compile(r"([a-z_]+)=\"([^\"$]+)\"")
KNOWN = {
    "type": {"play", "table.sit", "table.leave", "deal.commit", "deal.reveal"},
    "by": set(get_args(By)),
    "end": set(get_args(End)),
    "why": set(get_args(Why)),
}
"""Values that a query may ask for, by label."""


def document(name: str) -> Any:
    return json.loads(files("server.observability").joinpath(name).read_text(encoding="utf-8"))


def queries() -> Iterator[tuple[str, str]]:
    """List what dashboard and alerts ask for, with the place of each."""
    for panel in document("dashboard.json")["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"]
    for variable in document("dashboard.json")["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["name"], variable["query"]["query"]
    for group in document("alerts.json")["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]


def test_every_figure_says_what_it_is_and_in_which_unit() -> None:
    found = written(Metrics())
    ours = {name: family for name, family in found.items() if name.startswith("pakka_")}
    assert len(ours) > 25
    for name, family in ours.items():
        assert len(family.documentation) > 5, name
        assert TIMES.search(name) is None, f"{name}: times are seconds, and say so"
        assert family.type in {"counter", "gauge", "histogram"}, name
        if family.type == "histogram":
            assert UNITS.search(name), f"{name} has no unit"
        if family.type != "counter":
            assert not name.endswith("_total"), name
    assert {f"pakka_messenger_{name}" for name in MESSENGER} <= ours.keys()


def test_counters_end_in_total_as_they_are_written() -> None:
    lines = Metrics().text(STANDING).decode().splitlines()
    types = [line.split()[2:] for line in lines if line.startswith("# TYPE pakka_")]
    counters = [name for name, kind in types if kind == "counter"]
    assert len(counters) > 10
    assert [name for name in counters if not name.endswith("_total")] == []


@pytest.mark.parametrize("place", sorted({place for place, _ in queries()}))
def test_what_is_drawn_and_warned_of_is_there(place: str) -> None:
    found = written(Metrics())
    for at, query in queries():
        if at != place:
            continue
        names = METRIC.findall(query)
        assert names, f"{at} asks for nothing of ours: {query}"
        for name in names:
            assert name in found or SUFFIX.sub("", name) in found, f"{at} asks for {name}"
        for label, wanted in LABEL.findall(query):
            assert wanted in KNOWN[label], f"{at} asks for {label}={wanted}"


def test_the_dashboard_is_one_that_grafana_can_read() -> None:
    dashboard = document("dashboard.json")
    panels = dashboard["panels"]
    ids = [panel["id"] for panel in panels]
    assert len(ids) == len(set(ids)) > 20
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    source = {"type": "prometheus", "uid": "${datasource}"}
    places = set()
    for panel in panels:
        place = panel["gridPos"]
        assert 0 <= place["x"] < place["x"] + place["w"] <= 24
        places |= {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        if panel["type"] != "row":
            assert panel["datasource"] == source
            assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])
            assert panel["fieldConfig"]["defaults"]["unit"]
            for target in panel["targets"]:
                asked = set(re.findall(r"\$(\w+)", target["expr"])) - {"__rate_interval"}
                assert asked == {"job", "process"} <= variables, panel["title"]
    area = sum(panel["gridPos"]["w"] * panel["gridPos"]["h"] for panel in panels)
    assert len(places) == area, "panels lie over each other"


def test_each_alert_says_what_to_do() -> None:
    rules = [rule for group in document("alerts.json")["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules) >= 10
    for rule in rules:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert re.fullmatch(r"\d+[smh]", rule["for"])
        assert len(rule["annotations"]["description"]) > 30


def test_a_figure_without_an_answer_of_the_database_is_left_out() -> None:
    found = families(Metrics().text(replace(STANDING, ledger=None)).decode())
    assert found["pakka_database_up"].samples[0].value == 0
    assert "pakka_holds" not in found
    assert "pakka_sockets" in found
