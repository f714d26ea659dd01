"""A receiver of OTLP over HTTP on a socket of its own."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class Collector:
    """A receiver of OTLP over HTTP, with all that came."""

    url: str = ""
    bodies: list[bytes] = field(default_factory=list)

    def spans(self) -> list[Span]:
        """Read every span that came."""
        return [
            span
            for body in self.bodies
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.bodies.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    collector.url = f"http://127.0.0.1:{server.server_port}/v1/traces"
    yield collector
    server.shutdown()
    server.server_close()
    thread.join()


def upwards(span: Span, by_id: dict[bytes, Span]) -> Iterator[Span]:
    """Follow a span to the one that everything began with."""
    found: Span | None = span
    while found is not None:
        assert found.trace_id == span.trace_id
        yield found
        found = by_id.get(found.parent_span_id)
