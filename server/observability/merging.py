"""The figures of several processes as one text: each sample says which process it is of."""

from collections.abc import Iterable, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

PROCESS: Final = "process"
"""The label; Prometheus' own `instance` is the one address that it asks."""


class Given(Collector):
    """Figures that were just looked up."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = tuple(families)

    def collect(self) -> Iterable[Metric]:
        """Give them."""
        return self._families


def written(families: Iterable[Metric]) -> bytes:
    """Write figures in Prometheus' text form."""
    registry = CollectorRegistry()
    registry.register(Given(families))
    return generate_latest(registry)


def merged(texts: Mapping[str, bytes | None]) -> bytes:
    """Join the figures of the house's processes, by their names; None did not answer in time.

    Errors: ValueError if a text is no figures.
    """
    up = GaugeMetricFamily(
        "pakka_process_up", "Whether a living process told its figures", labels=[PROCESS]
    )
    families: dict[str, Metric] = {}
    for process, text in texts.items():
        up.add_metric([process], int(text is not None))
        for family in text_string_to_metric_families((text or b"").decode()):
            known = families.setdefault(
                family.name, Metric(family.name, family.documentation, family.type)
            )
            known.samples += [_of(process, sample) for sample in family.samples]
    return written([up, *families.values()])


def _of(process: str, sample: Sample) -> Sample:
    return sample._replace(labels={**sample.labels, PROCESS: process})
