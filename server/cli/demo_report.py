"""What a demo found: each hand with its verdict, and whether everything holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from rich.table import Table

from server.bots.close_checks import HandOver
from server.cli.demo_house import DemoHouse, Plan
from server.cli.demo_log import InLog, find_in_log, log_key_of
from server.cli.demo_match import Standing, is_kept
from server.cli.output import table_of
from server.fairness.keyring import public_keys
from server.fairness.signing import SigningKey
from server.ledger.audit import Invariant
from server.ledger.transfers import ht_text
from server.sealing.check import check_all
from server.verify import verify_record

NOT_CLOSED = "not closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReport:
    """A hand of the demo and what its record is worth. Units: micro-HT.

    Shape: `standing` is its match's with this hand, None at a table where each hand is a match.
    """

    over: HandOver
    seats: int
    standing: Standing | None
    moves: int
    reshuffles: int
    failed: tuple[int, ...]
    verdict: str
    in_log: InLog

    @property
    def holds(self) -> bool:
        """Tell whether the record passes every check."""
        return self.verdict == "holds"

    @property
    def ends_match(self) -> bool:
        """Tell whether the hand has closed and was its match's last."""
        return self.over.match is not None and self.over.match.is_over


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The whole demo."""

    reports: Sequence[HandReport]
    plan: Plan
    matches: Sequence[Standing]
    is_kept: bool
    invariants: Sequence[Invariant]

    @property
    def ledger_holds(self) -> bool:
        """Tell whether every invariant of the ledger holds."""
        return all(one.holds for one in self.invariants)

    @property
    def closed(self) -> Sequence[HandReport]:
        """List the hands that were played to their end."""
        return [report for report in self.reports if report.over.end == "closed"]

    @property
    def holds(self) -> bool:
        """Tell whether all was played that was asked for, all verified, kept, the ledger whole."""
        played = self.plan.is_played([report.over for report in self.reports])
        verified = all(report.holds for report in self.closed)
        logged = all(report.in_log.is_proved for report in self.reports)
        return played and verified and logged and self.is_kept and self.ledger_holds

    def document(self) -> dict[str, Any]:
        """Write the summary as JSON has it."""
        return {
            "summary": True,
            "ok": self.holds,
            "hands": len(self.closed),
            **({"matches": len(self.matches), "kept": self.is_kept} if self.plan.is_free else {}),
            "verified": sum(report.holds for report in self.closed),
            "logged": sum(report.in_log.is_proved for report in self.reports),
            "moves": sum(report.moves for report in self.closed),
            "reshuffles": sum(report.reshuffles for report in self.closed),
            "commission": str(sum(report.over.commission for report in self.closed)),
            "not_closed": len(self.reports) - len(self.closed),
            "ledger": self.ledger_holds,
            "broken": [one.name for one in self.invariants if not one.holds],
        }

    def table(self) -> Table:
        """Write the summary for people."""
        said = self.document()
        ledger = "holds" if self.ledger_holds else f"FAILS: {'; '.join(said['broken'])}"
        kept = "kept as they ended" if self.is_kept else "NOT KEPT AS THEY ENDED"
        played = (
            [
                ("matches played to the end", f"{len(self.matches)} of {self.plan.matches}"),
                ("their results", kept),
                ("hands played to the end", said["hands"]),
            ]
            if self.plan.is_free
            else [("hands played to the end", f"{said['hands']} of {self.plan.hands}")]
        )
        rows = [
            *played,
            ("records that hold", f"{said['verified']} of {said['hands']}"),
            ("ends proved in the public log", f"{said['logged']} of {len(self.reports)}"),
            ("moves", said["moves"]),
            ("reshuffles", said["reshuffles"]),
            ("commission", f"{ht_text(int(said['commission']))} HT"),
            ("hands voided or cancelled", said["not_closed"]),
            (f"ledger, {len(self.invariants)} invariants", ledger),
            ("everything", "holds" if self.holds else "DOES NOT HOLD"),
        ]
        return table_of("Demo", ("", ""), rows)


async def judge(
    house: DemoHouse, over: HandOver, plan: Plan, standing: Standing | None
) -> HandReport:
    """Fetch a hand's record over HTTP, make every check on it, and find its end in the log."""
    failed: tuple[int, ...] = ()
    verdict = NOT_CLOSED
    async with httpx.AsyncClient(base_url=house.url, trust_env=False) as http:
        log_key = await log_key_of(house, http)
        in_log = await find_in_log(http, over.log, log_key)
        if over.record is not None:
            answer = await http.get(over.record)
            server_pub = SigningKey.from_file(house.home).public
            report = verify_record(answer.content, server_pub, log_key=log_key)
            failed = report.failed
            verdict = "holds" if report.exit_code == 0 else _why(report.refused, failed)
    return HandReport(
        over=over,
        seats=plan.seats,
        standing=standing if plan.is_free else None,
        moves=sum(line is not None for line in over.lines),
        reshuffles=max(0, len(over.shoes) - 1),
        failed=failed,
        verdict=verdict,
        in_log=in_log,
    )


def _why(refused: tuple[str, str] | None, failed: tuple[int, ...]) -> str:
    if refused is not None:
        return f"refused: {refused[1]}"
    return f"fails {', '.join(map(str, failed))}"


async def summary_of(house: DemoHouse, reports: Sequence[HandReport], plan: Plan) -> Summary:
    """Check the ledger and the kept matches, and sum everything up."""
    keys = public_keys(house.home)
    ended = [one.standing for one in reports if one.ends_match and one.standing is not None]
    return Summary(
        reports=reports,
        plan=plan,
        matches=ended,
        is_kept=await is_kept(house, ended),
        invariants=await house.run(lambda tx: check_all(tx, keys)),
    )


def told(report: HandReport) -> Iterator[tuple[dict[str, Any], str]]:
    """Write a hand, and its match if that is over: as JSON has it, and as a line for people."""
    yield hand_document(report), hand_line(report)
    if report.ends_match and report.standing is not None:
        yield report.standing.document(), report.standing.line()


def hand_document(report: HandReport) -> dict[str, Any]:
    """Write a hand as JSON has it."""
    over, standing = report.over, report.standing
    match = {} if standing is None else {"match": standing.match, "standing": _sums(standing)}
    return {
        "hand": over.hand_no,
        "id": over.hand_id,
        "end": over.end,
        "seats": report.seats,
        **match,
        "winner": over.winner,
        "points": [points for _, points, _ in over.result],
        "amounts": [str(amount) for _, _, amount in over.result],
        "moves": report.moves,
        "reshuffles": report.reshuffles,
        "commission": str(over.commission),
        "verdict": report.verdict,
        "failed": list(report.failed),
        "log": report.in_log.document(),
    }


def hand_line(report: HandReport) -> str:
    """Write a hand as one line for people."""
    over, standing = report.over, report.standing
    if over.end != "closed":
        return f"hand {over.hand_no}: {over.end}, {report.in_log}"
    points = " ".join(str(points) for _, points, _ in over.result)
    if standing is not None:
        return (
            f"hand {over.hand_no} of match {standing.match}: {report.seats} seats, "
            f"points {points}, standing {standing}, {report.moves} moves, "
            f"record {report.verdict}, {report.in_log}"
        )
    return (
        f"hand {over.hand_no}: {report.seats} seats, seat {over.winner} wins, points {points}, "
        f"{report.moves} moves, {report.reshuffles} reshuffles, "
        f"commission {ht_text(over.commission)} HT, record {report.verdict}, "
        f"{report.in_log}"
    )


def _sums(standing: Standing) -> list[int]:
    return [points for _, points in standing.points]
