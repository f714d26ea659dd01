"""The short form: a house of two processes is hurt as the long form hurts it, once in each way."""

import json
from io import StringIO
from pathlib import Path

from rich.console import Console

from tests.chaos import faults
from tests.chaos.report import Done, Report
from tests.chaos.run import Form, play

LEFT_OUT = {
    faults.kill_server_and_start_it_at_once,
    faults.restart_in_turn,
    faults.restart_postgres,
    faults.silence_redis,
}
"""Milder forms of others, left to the long form for the time they take."""

SHORT = Form(
    processes=2,
    turn_ms=5_000,
    lease_ms=1_500,
    pace_ms=150,
    freeze_s=0,
    games=("rummy", "court_piece"),
    faults=tuple(fault for fault in faults.FAULTS if fault not in LEFT_OUT),
)


async def test_a_house_that_is_hurt_in_every_way_loses_nothing(tmp_path: Path) -> None:
    report = await play(SHORT, seed=7, folder=tmp_path, tell=print)
    assert [done.name for done in report.faults] == [faults.name_of(one) for one in SHORT.faults]
    assert report.seen["tables taken over"] >= 1
    assert report.seen["tables fenced"] >= 1
    assert report.seen["database connections ended"] >= 1
    for figure in (
        "hand closed",
        "records verified",
        "commands repeated with their id",
        "moves made anew with another id and refused",
        "moves that met their deadline",
        "lines dropped",
        "frames searched",
    ):
        assert report.figures[figure] >= 1, figure


def test_a_report_is_written_for_people_and_for_programs() -> None:
    done = [Done("kill server", 2.0, 1.5), Done("kill server", 4.0, 0.5), Done("cut redis", 1, 0)]
    report = Report(seed=3, processes=2, games=["seep"], faults=done, seen={"tables fenced": 2})
    told = json.loads(json.dumps(report.document()))
    assert told["kinds"]["kill server"] == {
        "times": 2,
        "broken_s": 3.0,
        "back_s": 1.5,
        "back_most_s": 1.5,
    }
    assert told["seen"] == {"tables fenced": 2}
    console = Console(record=True, width=100, file=StringIO())
    report.show(console)
    said = console.export_text()
    assert "3 faults" in said
    assert "2 tables fenced" in said
    assert "seed 3" in said
