"""Tables for a spreadsheet, streamed from one snapshot of the database: whole, or visibly broken.

A file is never cut in silence: where the database or the reader fails, the transfer breaks off
without its end, and a browser says that the download failed.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, Final

from fastapi import Response
from fastapi.responses import StreamingResponse
from sqlalchemy import text
from starlette.types import Send

from server.database import Transaction, one_snapshot
from server.web.parts import Parts

CSV: Final = "text/csv"
CSV_ANSWER: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {CSV: {"schema": {"type": "string"}}}}
}
READER_MAX_MS: Final = 60_000
"""How long a slow reader may leave the snapshot idle between two pieces."""

Pieces = Callable[[Transaction], AsyncIterator[str]]


async def sheet(parts: Parts, pieces: Pieces, name: str) -> Response:
    """Answer with a file that is written while it is read.

    Errors: Refusal of `pieces` before its first one; `slow_down` if too many are being read.
    """
    stream = _within_one_snapshot(parts, pieces)
    first = await anext(stream)
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
    }
    return _Sheet(first, stream, headers)


class _Sheet(StreamingResponse):
    """Streams the pieces, and lets go of the database whichever way that ends."""

    def __init__(self, first: str, stream: AsyncIterator[str], headers: dict[str, str]) -> None:
        self._whole = _joined(first, stream)
        super().__init__(self._whole, media_type=CSV, headers=headers)

    async def stream_response(self, send: Send) -> None:
        async with aclosing(self._whole):
            await super().stream_response(send)


async def _joined(first: str, stream: Any) -> Any:
    async with aclosing(stream):
        yield first
        async for piece in stream:
            yield piece


async def _within_one_snapshot(parts: Parts, pieces: Pieces) -> AsyncIterator[str]:
    with parts.exports.begun():
        async with parts.database.transaction() as tx:
            await one_snapshot(tx)
            await tx.execute(
                text(f"set local idle_in_transaction_session_timeout = {READER_MAX_MS}")
            )
            async for piece in pieces(tx):
                yield piece
