"""Tables for a spreadsheet, streamed from one snapshot of the database: whole, or visibly broken.

A file is never cut in silence: where the database or the reader fails, the transfer breaks off
without its end, and a browser says that the download failed.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, Final

from fastapi import Response
from fastapi.responses import StreamingResponse
from sqlalchemy import text
from starlette.types import Message, Receive, Scope, Send

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
    """Streams the pieces, and lets go of the database whichever way that ends.

    A reader who has gone is noticed between two pieces: nothing is cancelled in mid-statement.
    """

    def __init__(
        self, first: str, stream: AsyncGenerator[str, None], headers: dict[str, str]
    ) -> None:
        self._first = first
        self._stream = stream
        super().__init__(stream, media_type=CSV, headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with aclosing(self._stream):
            gone = asyncio.create_task(self.listen_for_disconnect(receive))
            try:
                await self._send_while(lambda: not gone.done(), send)
            finally:
                gone.cancel()
                await asyncio.wait([gone])

    async def _send_while(self, is_read: Callable[[], bool], send: Send) -> None:
        head = {"type": "http.response.start", "status": self.status_code}
        await send({**head, "headers": self.raw_headers})
        await send(_piece(self._first))
        async for piece in self._stream:
            if not is_read():
                return
            await send(_piece(piece))
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _piece(text: str) -> Message:
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}


async def _within_one_snapshot(parts: Parts, pieces: Pieces) -> AsyncGenerator[str, None]:
    with parts.exports.begun():
        async with parts.database.transaction() as tx:
            await one_snapshot(tx)
            await tx.execute(
                text(f"set local idle_in_transaction_session_timeout = {READER_MAX_MS}")
            )
            async for piece in pieces(tx):
                yield piece
