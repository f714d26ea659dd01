"""A server's public log over HTTP, asked slowly enough for the server's limits."""

import time
from collections.abc import Mapping
from typing import Any, Final

import httpx

from server.cli.http import ASK_S
from server.cli.output import Wrong

TOO_MANY: Final = 429
TRIES: Final = 60
WAIT_S: Final = 1.0


class BadAnswer(Exception):
    """The server answers what an honest log would not; the rule that fails by it."""

    def __init__(self, rule: str, text: str) -> None:
        super().__init__(text)
        self.rule = rule
        self.text = text


class Source:
    """One server. Shape: a context; it closes its connections."""

    def __init__(self, url: str) -> None:
        self._url = url
        try:
            self._http = httpx.Client(base_url=url, timeout=ASK_S, trust_env=False)
        except httpx.InvalidURL as error:
            raise Wrong(f"no server answers at {url}: {error}") from None

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str, wanted: Mapping[str, int] | None = None) -> httpx.Response:
        """Ask, and wait while the server says that it is too fast. Errors: Wrong."""
        for _ in range(TRIES):
            try:
                answer = self._http.get(path, params=dict(wanted or {}))
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise Wrong(f"no server answers at {self._url}: {error}") from None
            if answer.is_server_error:
                raise Wrong(f"{self._url} can't answer now: {answer.status_code}")
            if answer.status_code != TOO_MANY:
                return answer
            time.sleep(WAIT_S)
        raise Wrong(f"{self._url} does not let so many questions through")

    def json(self, path: str) -> Any:
        """Ask for a document that every server has. Errors: Wrong."""
        answer = self.get(path)
        try:
            return answer.raise_for_status().json()
        except (httpx.HTTPStatusError, ValueError, RecursionError):
            raise Wrong(f"there is no public log at {self._url}") from None

    def proved(self, path: str, wanted: Mapping[str, int]) -> Any:
        """Ask for what an honest log can always show. Errors: BadAnswer, Wrong."""
        answer = self.get(path, wanted)
        try:
            return answer.raise_for_status().json()
        except (httpx.HTTPStatusError, ValueError, RecursionError):
            rule = "grows" if path.endswith("consistency") else "root"
            raise BadAnswer(rule, f"the log refuses {path} {dict(wanted)}") from None
