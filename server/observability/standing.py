"""How things stand at the moment somebody asks: looked up then, and written as figures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerStanding:
    """What the database says of the tokens.

    Shape: `invariants` are those of the last check, by their sentences, none if there was none.
    Units: `checked_at_s` seconds since 1970, when that check was made.
    """

    holds: int
    invariants: Mapping[str, bool]
    checked_at_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What this process is doing just now.

    Shape: `outbox_frames` wait in the fullest outbox; `connections` of the pool are in use, of at
           most `connections_max`; `is_overloaded` sends new sockets away; `ledger` is None if the
           database could not be asked; `messenger` are the messenger's counts by the names of
           `MESSENGER`.
    Units: `lag_ms` is how late the loop, or the quickest command, was at the last look.
    """

    sockets: int
    outbox_frames: int
    tables: int
    seats_taken: int
    connections: int
    connections_max: int
    lag_ms: int
    is_overloaded: bool
    messenger: Mapping[str, int]
    ledger: LedgerStanding | None


MESSENGER: Final[Mapping[str, str]] = {
    "published": "Messages published for other processes",
    "heard": "Messages that subscribers here were told",
    "lost": "Times that a subscriber was told that messages may be missing",
    "reconnects": "Connections to Redis that were opened again",
    "calls": "Calls to a process, this one too",
    "calls_timed_out": "Calls that had no answer in time",
    "calls_answered": "Calls that this process took to answer",
    "unreadable": "Messages that were not sealed for where they came, or were changed",
    "unknown": "Answers that nobody awaited any more",
}
"""The messenger's counts, and what each says."""


def families_of(standing: Standing) -> Iterator[Metric]:
    """Write how things stand as Prometheus' figures; what is not known is left out."""
    yield _gauge("sockets", "Open sockets", standing.sockets)
    yield _gauge("outbox_frames", "Frames in the fullest outbox", standing.outbox_frames)
    yield _gauge("tables", "Tables that this process runs", standing.tables)
    yield _gauge("seats_taken", "Taken seats at them", standing.seats_taken)
    yield _gauge("database_connections", "Database connections in use", standing.connections)
    yield _gauge("database_connections_max", "Size of the pool", standing.connections_max)
    yield _gauge("lag_seconds", "Lateness of the loop and of every command", standing.lag_ms / 1000)
    yield _gauge("overloaded", "Whether new sockets are sent away", int(standing.is_overloaded))
    for name, about in MESSENGER.items():
        count = standing.messenger[name]
        yield CounterMetricFamily(f"pakka_messenger_{name}", about, value=count)
    ledger = standing.ledger
    yield _gauge("database_up", "Whether the database answered just now", int(ledger is not None))
    if ledger is not None:
        yield from _of_ledger(ledger)


def _of_ledger(ledger: LedgerStanding) -> Iterator[Metric]:
    yield _gauge("holds", "Hands with tokens on hold", ledger.holds)
    if ledger.checked_at_s is None:
        return
    yield _gauge(
        "ledger_checked_timestamp_seconds",
        "When the ledger was checked last, in seconds since 1970",
        ledger.checked_at_s,
    )
    holds = GaugeMetricFamily(
        "pakka_ledger_invariant_holds",
        "Whether an invariant held when the ledger was checked last",
        labels=["invariant"],
    )
    for sentence, is_true in ledger.invariants.items():
        holds.add_metric([sentence], int(is_true))
    yield holds


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(f"pakka_{name}", about, value=value)
