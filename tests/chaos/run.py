"""One run: a house, its tables, fault after fault, a look after each, and the reckoning."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final
from unittest.mock import patch

from server.bots import connection
from tests.chaos import checks, secrecy
from tests.chaos.company import Company, Wanted
from tests.chaos.faults import FAULTS, Fault, Scene, name_of
from tests.chaos.house import House, house_of
from tests.chaos.report import Done, Report

STEPS: Final = 4
"""Numbers by which each table must have gone on after a fault."""

SLOWNESS: Final = 4
"""Starts of a process that an outage may last beside its own time: how slow this machine is."""

SETTINGS: Final = {
    "PAKKA_COMMIT_MS": "4000",
    "PAKKA_REVEAL_MS": "4000",
    "PAKKA_RESHUFFLE_MS": "3000",
    "PAKKA_RESULT_MS": "200",
    "PAKKA_DRAIN_MS": "2000",
    "PAKKA_PRACTICE_BOTS": "0",
    "PAKKA_BOT_PACE_MS": "50",
    "PAKKA_LOG_FORMAT": "json",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a run is made.

    Units: `turn_ms` and `lease_ms` milliseconds; `freeze_s` and `minutes` as they say.
    """

    processes: int
    turn_ms: int
    lease_ms: int
    pace_ms: int
    freeze_s: float
    games: Sequence[str]
    faults: Sequence[Fault]
    minutes: float = 0.0

    @property
    def settings(self) -> Mapping[str, str]:
        """The processes' settings."""
        return {**SETTINGS, "PAKKA_LEASE_MS": str(self.lease_ms)}

    @property
    def wanted(self) -> list[Wanted]:
        """The tables."""
        return [Wanted(game, self._options(game)) for game in self.games]

    @property
    def deadline_s(self) -> float:
        """The longest time that anybody has at these tables."""
        longest = max(int(ms) for name, ms in SETTINGS.items() if name.endswith("_MS"))
        return max(self.turn_ms, longest) / 1000

    def _options(self, game: str) -> dict[str, int | bool]:
        common: dict[str, int | bool] = {"seats": 4, "turn_ms": self.turn_ms}
        return {**common, "min_players": 2, "rate": 10_000} if game == "rummy" else common


def long_form(*, minutes: float, faults: int, random: Random) -> Form:
    """Draw the faults of a long run; each kind comes at least once if there are enough."""
    kinds = list(FAULTS)
    drawn = random.sample(kinds, min(faults, len(kinds)))
    drawn += random.choices(kinds, list(FAULTS.values()), k=faults - len(drawn))
    random.shuffle(drawn)
    return Form(
        processes=3,
        turn_ms=10_000,
        lease_ms=5_000,
        pace_ms=300,
        freeze_s=30,
        games=("rummy", "rummy", "seep", "court_piece"),
        faults=drawn,
        minutes=minutes,
    )


async def play(
    form: Form, *, seed: int, folder: Path, tell: Callable[[Done], None] = lambda done: None
) -> Report:
    """Make a run; `tell` hears of each fault when the house has come back from it.

    Errors: AssertionError, `Leak` or `Cheated` at the first thing that is not as it must be.
    """
    random, began = Random(seed), monotonic()
    report = Report(seed=seed, processes=form.processes, games=list(form.games))
    with _quick_to_come_back():
        async with house_of(form.processes, form.settings) as house, AsyncExitStack() as stack:
            company = Company(house, folder, random, pace_ms=form.pace_ms)
            await company.sit_down(stack, form.wanted)
            scene = Scene(house, company, random, form.freeze_s)
            await company.until_moved_on(STEPS, scene.patience_s)
            for number, fault in enumerate(form.faults):
                done = await _one(scene, form, fault)
                report.faults.append(done)
                tell(done)
                due_s = (number + 1) * form.minutes * 60 / len(form.faults)
                await company.rest(due_s - (monotonic() - began))
            await company.close_tables(scene.patience_s)
            await company.go_home()
            await _reckon(report, house, company, form)
            report.seen = dict(scene.seen)
            _count(report, company)
    report.minutes = (monotonic() - began) / 60
    return report


async def _one(scene: Scene, form: Form, fault: Fault) -> Done:
    """Do one thing to the house, wait until every table goes on, and look at everything."""
    began = monotonic()
    try:
        await fault(scene)
        broken_s = monotonic() - began
        wait_s = 3 * form.deadline_s + scene.patience_s
        back_s = await scene.company.until_moved_on(STEPS, wait_s)
        scene.company.raise_what_ended()
        await checks.demand_now(scene.house, scene.company.book)
    except BaseException as error:
        error.add_note(f"after: {name_of(fault)}")
        raise
    return Done(name_of(fault), broken_s, back_s)


async def _reckon(report: Report, house: House, company: Company, form: Form) -> None:
    """Look at a house in which nobody plays any more; the processes end first."""
    for process in house.processes:
        await asyncio.to_thread(process.stop)
    report.figures = await checks.demand_at_the_end(house, company)
    report.figures |= await secrecy.search(house, company)
    assert list(house.home.glob("bots/**/evidence-*.json")) == [], "a bot was cheated"
    database = house.database()
    try:
        rests = await checks.longest_rests_s(database, list(company.tables))
    finally:
        await database.close()
    come_back_s = house.longest_outage_s + SLOWNESS * house.slowest_start_s
    report.allowed_rest_s = form.deadline_s + form.lease_ms / 1000 + come_back_s
    report.longest_rest_s = max(rests.values())
    assert report.longest_rest_s <= report.allowed_rest_s, f"a table stood still: {rests}"


def _count(report: Report, company: Company) -> None:
    book = company.book
    report.figures |= {
        "commands acknowledged": len(book.acked),
        "moves acknowledged": sum(one.t == "play" for one in book.acked.values()),
        "commands repeated with their id": book.repeated,
        "moves made anew with another id and refused": book.made_anew,
        "moves that met their deadline": book.met_deadlines,
        "lines dropped": sum(line.drops for line in company.lines),
    }
    report.refusals = dict(sorted(book.refusals.items()))


@contextmanager
def _quick_to_come_back() -> Iterator[None]:
    """Clients wait a second at most before they come back: a run shall not be all waiting."""
    with patch.object(connection, "BACK_OFF_MAX_MS", 1_000):
        yield
