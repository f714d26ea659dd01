"""What the operator's monitoring reads: counts and durations, never a name or a card."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

from server.observability.merging import written
from server.observability.standing import Standing, families_of

COMMAND_BUCKETS_S: Final = (
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20,
)  # fmt: skip
IDLE_BUCKETS_S: Final = (0.1, 0.5, 1, 2, 5, 10, 20, 60, 300, 3_600)

By = Literal["command", "clock"]
"""Who made a table take a step: somebody who asked, or the time."""

End = Literal["closed", "voided", "cancelled"]

Why = Literal["new", "given_up", "left_behind"]
"""Why nobody ran a table: it never had an owner, or a process stopped, or it just fell silent."""


class Metrics:
    """The figures of one server; each has a registry of its own, so that tests can have many."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._commands = self._counter("commands", "Commands that a table answered", "type")
        self._command_s = self._histogram(
            "command_seconds", "From a command's arrival to its answer, waiting included", "type"
        )
        self._commit_s = self._histogram(
            "commit_seconds", "From the begin of a table's step to its commit", "by"
        )
        self._moves = self._counter("moves", "Moves that were committed, the clock's too", "game")
        self._hands = self._counter("hands", "Ends of hands, and of attempts to deal one", "end")
        self._takeovers = self._counter(
            "takeovers", "Tables taken up: new, given up by another process, or left behind", "why"
        )
        self._idle_s = Histogram(
            "pakka_takeover_idle_seconds",
            "Time for which nobody had run a table that was left behind",
            buckets=IDLE_BUCKETS_S,
            registry=self._registry,
        )
        self._lost = self._counter("leases_lost", "Tables that another process took from this one")
        self._mirrors = Gauge(
            "pakka_mirrors", "Tables of other processes shown by this one", registry=self._registry
        )
        self._reads = self._counter(
            "mirror_reads", "Times that a mirror read the journal to catch up"
        )
        self._refusals = self._counter("refusals", "Refusals by their code", "code")
        self._requests = self._counter("requests", "HTTP requests by status", "status")

    def answered(self, kind: str, seconds: float) -> None:
        """Count a command that a table answered; `play` are the moves that were asked for."""
        self._commands.labels(kind).inc()
        self._command_s.labels(kind).observe(seconds)

    def committed(self, by: By, seconds: float) -> None:
        """Note how long a table's step took until it was committed."""
        self._commit_s.labels(by).observe(seconds)

    def moved(self, game: str) -> None:
        """Count a move that was committed."""
        self._moves.labels(game).inc()

    def ended(self, end: End) -> None:
        """Count the end of a hand; `voided` are attempts too, of which a hand has four."""
        self._hands.labels(end).inc()

    def taken_up(self, why: Why, *, idle_ms: int) -> None:
        """Count a table that this process runs from now on; `idle_ms` is how long nobody did."""
        self._takeovers.labels(why).inc()
        if why == "left_behind":
            self._idle_s.observe(idle_ms / 1000)

    def lease_lost(self) -> None:
        """Count a table whose lease is another process's now."""
        self._lost.inc()

    @contextmanager
    def mirroring(self) -> Iterator[None]:
        """Count a mirror while it follows its table."""
        with self._mirrors.track_inprogress():
            yield

    def mirror_read(self) -> None:
        """Count a look of a mirror into the journal."""
        self._reads.inc()

    def refused(self, code: str) -> None:
        """Count a refusal."""
        self._refusals.labels(code).inc()

    def requested(self, status: int) -> None:
        """Count an HTTP request by its status."""
        self._requests.labels(str(status)).inc()

    def text(self, standing: Standing) -> bytes:
        """Write all figures in Prometheus' text form, those of `standing` as of now."""
        return generate_latest(self._registry) + written(families_of(standing))

    def _counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"pakka_{name}", about, labels, registry=self._registry)

    def _histogram(self, name: str, about: str, label: str) -> Histogram:
        return Histogram(
            f"pakka_{name}", about, [label], buckets=COMMAND_BUCKETS_S, registry=self._registry
        )
