"""A server of nothing but a public log, which shows whatever a test has it show."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from server.fairness.logged import LogKeyed, read_entry
from server.fairness.merkle import path as path_of
from tests.verify.log_book import LOG_SIGNER, SERVER, Book


class FakeLog:
    """What is shown: change its parts between two looks.

    Shape: `busy` answers come before the first good one; `answers` stand in for paths.
    """

    def __init__(self, book: Book) -> None:
        self.book = book
        self.vkey = LOG_SIGNER.key.vkey
        self.server_key = SERVER.public.hex()
        self.note: str | None = None
        self.signer = LOG_SIGNER
        self.busy = 0
        self.answers: dict[str, tuple[int, Any]] = {}
        self.url = ""

    def answer(self, path: str, asked: dict[str, int]) -> tuple[int, Any]:
        """Answer as the real one does."""
        if self.busy:
            self.busy -= 1
            return 429, {"code": "slow_down"}
        name = path.removeprefix("/api/v1/log")
        if name in self.answers:
            return self.answers[name]
        size = len(self.book.entries)
        match name:
            case "/":
                return 200, {"server_key": self.server_key}
            case "":
                return 200, {"vkey": self.vkey}
            case "/keys":
                rows = [
                    {"index": index, "entry": entry.hex()}
                    for index, entry in enumerate(self.book.entries)
                    if isinstance(read_entry(entry), LogKeyed)
                ]
                return 200, {"keys": rows}
            case "/checkpoint" if self.note is None and not size:
                return 404, {"code": "no_such_checkpoint"}
            case "/checkpoint":
                return 200, self.book.note(self.signer) if self.note is None else self.note
            case "/consistency" if asked["new"] <= size:
                proof = self.book.proof(asked["old"], asked["new"])
                return 200, {"proof": [node.hex() for node in proof]}
            case "/inclusion" if asked["size"] <= size:
                way = path_of(self.book.leaves[: asked["size"]], asked["index"])
                return 200, {"path": [node.hex() for node in way]}
            case "/entries":
                first = asked.get("after", -1) + 1
                found = self.book.entries[first : first + asked["limit"]]
                rows = [
                    {"index": first + at, "entry": entry.hex()} for at, entry in enumerate(found)
                ]
                return 200, {"entries": rows, "next": None}
        return 404, {"code": "no_such_entry"}


@contextmanager
def shown(book: Book) -> Iterator[FakeLog]:
    """Serve a log on a port of its own."""
    fake = FakeLog(book)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            asked = {key: int(value[0]) for key, value in parse_qs(parts.query).items()}
            status, body = fake.answer(parts.path, asked)
            raw = (body if isinstance(body, str) else json.dumps(body)).encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        fake.url = f"http://127.0.0.1:{server.server_address[1]}"
        yield fake
        server.shutdown()
        thread.join()
