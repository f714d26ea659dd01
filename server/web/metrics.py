"""What the operator's monitoring reads: counts and durations, never a name or a card."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

COMMAND_BUCKETS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)


class Metrics:
    """The figures of one server; each has a registry of its own, so that tests can have many."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._commands = Counter(
            "pakka_commands", "Commands that a table answered", ["type"], registry=self._registry
        )
        self._seconds = Histogram(
            "pakka_command_seconds",
            "From a command's arrival to its commit",
            ["type"],
            buckets=COMMAND_BUCKETS_S,
            registry=self._registry,
        )
        self._refusals = Counter(
            "pakka_refusals", "Refusals by their code", ["code"], registry=self._registry
        )
        self._requests = Counter(
            "pakka_requests", "HTTP requests by status", ["status"], registry=self._registry
        )
        self._sockets = Gauge("pakka_sockets", "Open sockets", registry=self._registry)
        self._depth = Gauge(
            "pakka_outbox_depth", "Frames in the fullest outbox", registry=self._registry
        )
        self._tables = Gauge("pakka_tables", "Open tables", registry=self._registry)
        self._seated = Gauge("pakka_seats_taken", "Taken seats", registry=self._registry)
        self._holds = Gauge("pakka_holds", "Hands with tokens on hold", registry=self._registry)

    def answered(self, kind: str, seconds: float) -> None:
        """Count a command that a table answered; `play` are the moves."""
        self._commands.labels(kind).inc()
        self._seconds.labels(kind).observe(seconds)

    def refused(self, code: str) -> None:
        """Count a refusal."""
        self._refusals.labels(code).inc()

    def requested(self, status: int) -> None:
        """Count an HTTP request by its status."""
        self._requests.labels(str(status)).inc()

    def text(self, *, sockets: int, depth: int, tables: int, seated: int, holds: int) -> bytes:
        """Write all figures in Prometheus' text form, the given ones as of now."""
        self._sockets.set(sockets)
        self._depth.set(depth)
        self._tables.set(tables)
        self._seated.set(seated)
        self._holds.set(holds)
        return generate_latest(self._registry)
