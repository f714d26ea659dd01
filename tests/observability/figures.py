"""What a real answer of /metrics says, read by Prometheus' own parser."""

import re

from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from server.observability.merging import merged
from server.observability.metrics import Metrics
from server.observability.standing import MESSENGER, LedgerStanding, Standing

STANDING = Standing(
    sockets=3,
    outbox_frames=2,
    tables=5,
    seats_taken=7,
    connections=1,
    connections_max=10,
    lag_ms=250,
    is_overloaded=True,
    messenger=dict.fromkeys(MESSENGER, 4),
    ledger=LedgerStanding(holds=2, invariants={"all is well": True}, checked_at_s=9.0),
)
SUFFIX = re.compile(r"_(total|bucket|sum|count|created)$")


def families(text: str) -> dict[str, Metric]:
    """Read the figures by their families' names, a counter's without `_total`."""
    return {family.name: family for family in text_string_to_metric_families(text)}


def written(metrics: Metrics, standing: Standing = STANDING) -> dict[str, Metric]:
    """Write figures and read them again."""
    return families(merged({"this one": metrics.text(standing)}).decode())


def value(found: dict[str, Metric], name: str, **labels: str) -> float:
    """Give the one sample of that name with those labels; 0 for a counter that never counted."""
    family = found.get(name) or found[SUFFIX.sub("", name)]
    return sum(
        sample.value
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )
