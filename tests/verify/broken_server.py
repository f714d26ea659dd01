"""A server whose answers are not what HTTP promises; the path says how they are broken."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Final

OK: Final = b"HTTP/1.1 200 OK\r\n"
MOVED: Final = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "

BROKEN: Final = {
    "no-http": b"garbage\r\n\r\n",
    "nothing": b"",
    "long-line": b"HTTP/1.1 200 " + b"A" * 70_000 + b"\r\n\r\n",
    "many-headers": OK + b"A: b\r\n" * 300 + b"\r\n",
    "broken-chunk": OK + b"Transfer-Encoding: chunked\r\n\r\nzzz\r\nabc\r\n",
    "cut-chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n100\r\nabc",
    "cut": OK + b"Content-Length: 1000\r\n\r\nabc",
    "cut-at-once": OK + b"Content-Length: 1000\r\n\r\n",
    "loop": MOVED + b"/loop\r\n\r\n",
    "to-a-file": MOVED + b"file:///etc/hostname\r\n\r\n",
    "to-no-port": MOVED + b"http://127.0.0.1:abc/\r\n\r\n",
    "to-controls": MOVED + b"http://127.0.0.1/a\x01\r\n\r\n",
    "to-no-host": MOVED + b"http://[/\r\n\r\n",
    "refused": b"HTTP/1.1 404 no\x1b[31m\x85such\r\nContent-Length: 0\r\n\r\n",
}


class _Handler(StreamRequestHandler):
    def handle(self) -> None:
        path = self.rfile.readline().split(b" ")[1].decode()
        while self.rfile.readline().strip():
            pass
        self.wfile.write(BROKEN[path.removeprefix("/")])


class _Server(ThreadingTCPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: whoever has read enough hangs up, and a test looks at what is said."""


@contextmanager
def broken_server() -> Iterator[str]:
    """Serve on a port of its own; gives the address."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()
