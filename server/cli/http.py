"""Asking a server over HTTP, as a command does."""

from typing import Any, Final
from uuid import UUID

import httpx

from server.cli.output import Wrong
from server.errors import Refusal
from server.settings import read_settings

ASK_S: Final = 10
URL_HELP: Final = "The server's address; else this machine, at PAKKA_PORT."


def url_or_own(url: str | None) -> str:
    """Give the address that was named, or that of a server here by the same settings."""
    return url or f"http://127.0.0.1:{read_settings().port}"


async def ask(url: str, path: str, **parameters: Any) -> Any:
    """Get a JSON document.

    Errors: Wrong if no server answers there; Refusal if it says no.
    """
    try:
        async with httpx.AsyncClient(base_url=url, timeout=ASK_S, trust_env=False) as http:
            answer = await http.get(path, params=parameters)
            body = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as error:
        raise Wrong(f"no server answers at {url}: {error}") from None
    if answer.is_error:
        raise Refusal(str(body.get("code")), str(body.get("text")), body.get("field"))
    return body


async def table_named(url: str, text: str) -> str:
    """Find an open table by its id or its exact name; its id.

    Errors: Wrong if there is no such table, or more than one of that name.
    """
    try:
        return str(UUID(text))
    except ValueError:
        pass
    named = [table for table in await tables(url) if table["name"] == text]
    if len(named) != 1:
        problem = "there is no open table" if not named else "there are several tables"
        raise Wrong(f"{problem} named {text[:40]!r} at {url}")
    return str(named[0]["id"])


async def tables(url: str) -> list[dict[str, Any]]:
    """List the open tables of a server."""
    found: list[dict[str, Any]] = []
    after: dict[str, str] = {}
    while True:
        page = await ask(url, "/api/v1/tables", **after)
        found += page["tables"]
        if page["next"] is None:
            return found
        after = {"after": page["next"]}
