"""Traces by OpenTelemetry: from a client's command to its commit, if an operator wants them.

Switched off, as it is by default, a span is nothing and we import none of OpenTelemetry. A span
holds what `span` and `Span.tell` have a parameter for and nothing else: no card, no name, no token;
of an error its kind alone, as its text may quote what was at hand. The parent goes along as a W3C
`traceparent`, through a table's inbox and to another process alike.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final

from server.errors import Fault

EXPORT_MAX_S: Final = 5
"""The longest that spans are tried to be sent; then they are dropped."""

_MISSING: Final = "PAKKA_TRACES_URL: traces need more installed: pip install -e '.[otel]'"


class Span:
    """A span that is open; it does nothing while traces are off."""

    def __init__(self, within: Any = None) -> None:
        self._within = within

    def tell(
        self, *, hand: int | None = None, seq: int | None = None, code: str | None = None
    ) -> None:
        """Add what has become known: the hand, the table's last number, a refusal's code."""
        if self._within is None:
            return
        for key, value in (("hand", hand), ("seq", seq), ("code", code)):
            if value is not None:
                self._within.set_attribute(f"pakka.{key}", value)


@dataclass(slots=True)
class _Switch:
    """Traces are a process's own, as its log is: the tracer while they are on."""

    tracer: Any = None


_NOTHING: Final = Span()
_switch: Final = _Switch()


def switch_on(url: str, *, process: str) -> Callable[[], None]:
    """Send spans to an address of OTLP over HTTP from now on; gives what ends that.

    Shape:  `url` is the collector's whole address, like `http://localhost:4318/v1/traces`;
            `process` names this one. The end sends what waits, for a short time, and blocks.
    Errors: Fault if OpenTelemetry is not installed.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise Fault(_MISSING) from None
    about = {"service.name": "pakka", "service.version": version("pakka")}
    resource = Resource.create({**about, "service.instance.id": process})
    # A provider of our own, not the world's: libraries that trace by themselves, as FastAPI does,
    # would write addresses and errors into their spans.
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(url, timeout=EXPORT_MAX_S)))
    _switch.tracer = provider.get_tracer("pakka")
    return lambda: _switch_off(provider.shutdown)


def _switch_off(shut_down: Callable[[], None]) -> None:
    _switch.tracer = None
    ending = threading.Thread(target=shut_down, daemon=True)
    ending.start()
    ending.join(2 * EXPORT_MAX_S)


@contextmanager
def span(
    name: str, *, parent: str | None = None, table: object = None, kind: str | None = None
) -> Iterator[Span]:
    """Trace what happens meanwhile, as a part of `parent`, or else of the span around it.

    Shape: `parent` as `carried` gave it; `kind` is the name of a command or of a step.
    """
    if _switch.tracer is None:
        yield _NOTHING
        return
    from opentelemetry.trace import Status, StatusCode

    known = {"pakka.table": str(table or ""), "pakka.kind": kind or ""}
    with _switch.tracer.start_as_current_span(
        name,
        context=_context_of(parent),
        attributes={key: value for key, value in known.items() if value},
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield Span(current)
        except BaseException as error:
            current.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


@contextmanager
def part(name: str) -> Iterator[None]:
    """Trace a part of the span around it; outside of any nothing is traced."""
    if _switch.tracer is None or carried() is None:
        yield
        return
    with span(name):
        yield


def carried() -> str | None:
    """Write the span around us for whoever goes on elsewhere; None if there is none."""
    if _switch.tracer is None:
        return None
    carrier: dict[str, str] = {}
    _propagator().inject(carrier)
    return carrier.get("traceparent")


def _context_of(parent: str | None) -> Any:
    return None if parent is None else _propagator().extract({"traceparent": parent})


def _propagator() -> Any:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator()
