"""What every answer over HTTP tells a browser, unless its route says it better."""

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OF_EVERY_ANSWER: Final[Mapping[str, str]] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
OF_THE_API: Final[Mapping[str, str]] = {"Cache-Control": "no-store"}
"""Answers hold tokens and what is somebody's own; what may be kept says so itself."""

SECURE: Final[Mapping[str, str]] = {"Strict-Transport-Security": "max-age=31536000"}


class Headers:
    """Adds to the headers of each answer those that its route did not set."""

    def __init__(self, app: ASGIApp, *, api: str, is_secure: bool) -> None:
        self._app = app
        self._api = f"{api}/"
        self._fixed = {**OF_EVERY_ANSWER, **(SECURE if is_secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request of ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        wanted = self._fixed
        if scope["path"].startswith(self._api):
            wanted = {**wanted, **OF_THE_API}

        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in wanted.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, completed)
