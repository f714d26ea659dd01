"""What the verifier says: a line for each check, and an exit code."""

import json
from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """What a check came to; `LIVE_ONLY`: the record's part of it holds, the rest needs a client."""

    HOLDS = "holds"
    FAILS = "fails"
    LIVE_ONLY = "live-only"


@dataclass(frozen=True, slots=True)
class Line:
    """A check by its number in fairdeal/1 section 6; `problems` say what fails, or is missing."""

    number: int
    title: str
    verdict: Verdict
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """All lines, in order; or `refused`, a code and a text, when the file is no record at all."""

    lines: tuple[Line, ...]
    refused: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[int, ...]:
        """List the numbers of the checks that fail."""
        return tuple(line.number for line in self.lines if line.verdict is Verdict.FAILS)

    @property
    def exit_code(self) -> int:
        """Derive the exit code: 0 only if the form is right and no check fails, else 1."""
        return 1 if self.refused or self.failed else 0

    def text(self) -> str:
        """Write the report for people: a line per check, what fails below it, the outcome."""
        rows = []
        for line in self.lines:
            rows.append(f"{line.number:>2}  {line.verdict.value:<9}  {line.title}")
            rows += [f"               {problem}" for problem in line.problems]
        rows += [f"note: {note}" for note in self.notes]
        if self.refused:
            rows.append("refused: {}: {}".format(*self.refused))
        elif self.failed:
            rows.append(f"fails: {', '.join(map(str, self.failed))}")
        else:
            rows.append("holds: no check fails")
        return "\n".join(rows)

    def json(self) -> str:
        """Write the report as one JSON document."""
        checks = [
            {
                "number": line.number,
                "title": line.title,
                "verdict": line.verdict.value,
                "problems": list(line.problems),
            }
            for line in self.lines
        ]
        refused = dict(zip(("code", "text"), self.refused, strict=True)) if self.refused else None
        document = {
            "ok": self.exit_code == 0,
            "checks": checks,
            "refused": refused,
            "notes": list(self.notes),
        }
        return json.dumps(document, ensure_ascii=True)
