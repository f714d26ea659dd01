"""Somebody who asks for every page that there is, again and again: operator, player, passer-by."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from server.database import Database, Transaction
from server.identity.operators import Role, create_operator
from tests.acceptance.served import HTTP_S

EVERY_S = 1.2
API = "/api/v1"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: who asked for what, when it was there, every byte of it."""

    asker: str
    path: str
    at_s: float
    status: int
    data: bytes


@dataclass(slots=True)
class Poller:
    """Asks for each GET route of the server's own list, with every token that there is.

    Shape: `places` gives the values of the paths' parameters as they are just now.
    """

    url: str
    tokens: Mapping[str, str]
    places: Callable[[], Mapping[str, str]]
    answers: list[Answer] = field(default_factory=list)

    async def run(self) -> None:
        """Ask until cancelled."""
        async with httpx.AsyncClient(base_url=self.url, timeout=HTTP_S, trust_env=False) as http:
            routes = list(_routes(await self._get(http, "anybody", "/openapi.json", {})))
            while True:
                for asker, token in self.tokens.items():
                    for path, query in routes:
                        await self._ask(http, asker, token, path, query)
                await asyncio.sleep(EVERY_S)

    async def _ask(
        self, http: httpx.AsyncClient, asker: str, token: str, path: str, query: dict[str, str]
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        await self._get(http, asker, path.format_map(dict(self.places())), headers, query)

    async def _get(
        self,
        http: httpx.AsyncClient,
        asker: str,
        path: str,
        headers: Mapping[str, str],
        query: Mapping[str, str] | None = None,
    ) -> Any:
        answer = await http.get(path, headers=dict(headers), params=dict(query or {}))
        head = b"\n".join(name + b": " + value for name, value in answer.headers.raw)
        data = head + b"\n\n" + answer.content
        self.answers.append(Answer(asker, path, time.time(), answer.status_code, data))
        return answer.json() if "json" in answer.headers.get("content-type", "") else None


def _routes(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """List the GET routes with the least that each must be asked with."""
    for path, about in document["paths"].items():
        if "get" in about:
            wanted = about["get"].get("parameters", [])
            yield (
                path,
                {
                    one["name"]: _least(one["schema"])
                    for one in wanted
                    if one["in"] == "query" and one.get("required")
                },
            )


def _least(schema: Mapping[str, Any]) -> str:
    return str(schema.get("minimum", 1)) if schema.get("type") == "integer" else "a"


async def new_operator(database: Database, url: str) -> tuple[str, str]:
    """Make an operator who may do all; the link's token and the session's."""

    async def work(tx: Transaction) -> str:
        return (await create_operator(tx, name="watcher", role=Role.ADMIN))[1]

    link = await database.run(work)
    async with httpx.AsyncClient(base_url=url, timeout=HTTP_S, trust_env=False) as http:
        answer = await http.post(
            f"{API}/operator/session",
            json={"link": link},
            headers={"Idempotency-Key": "first-of-the-watcher"},
        )
        assert answer.status_code == 201, answer.text
        return link, str(answer.json()["token"])
