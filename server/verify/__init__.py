"""The verifier: a record in, a verdict out (fairdeal/1 sections 6 and 9).

Owns:     the checks by their numbers, the replay of a hand by its game's rules, the report.
Promises: hostile input ends in a report, quickly; nothing is fetched, written or guessed.
Imports:  the standard library, `cards`, `games` and the pure part of `fairness`, so that
          `python -m server.verify` runs where nothing is installed.
"""

from server.verify.checks import verify_record
from server.verify.replay import replay_lines
from server.verify.report import Line, Report, Verdict

__all__ = ["Line", "Report", "Verdict", "replay_lines", "verify_record"]
