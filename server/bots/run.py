"""Bots: marked players that sit down at a table, play it, and come back after a restart."""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import structlog

from server.bots.client import Client, Move
from server.bots.close_checks import HandOver
from server.bots.games import policy_of, wire_of
from server.bots.table_watch import TableWatch
from server.cancellation import end_all
from server.errors import Fault, Refusal
from server.logs import at_table

GUESTS: Final = "/api/v1/guests"
HTTP_S: Final = 10
SIT_AGAIN_S: Final = 2
NAMES: Final = ("Asha", "Bimal", "Chitra", "Dev", "Esha", "Farid", "Gita", "Hari")

log = structlog.get_logger("bots")


class Bot:
    """A policy in a seat: chooses after a pause, and writes down what the server refused."""

    def __init__(
        self,
        random: Random,
        pace_ms: int,
        on_over: Callable[[HandOver], None] | None = None,
        *,
        is_careless: bool = False,
    ) -> None:
        self._random = random
        self._is_careless = is_careless
        self._pace_ms = pace_ms
        self._on_over = on_over
        self._overs = 0
        self.refusals: list[Refusal] = []

    async def choose(self, watch: TableWatch) -> Move | None:
        """Choose by the game's policy, after a pause about as long as the pace."""
        await asyncio.sleep(self._pace_ms * self._random.uniform(0.6, 1.4) / 1000)
        game, deal = watch.hand.game, watch.hand.deal
        if watch.place is None or game is None or deal is None:
            return None
        return wire_of(policy_of(game)(deal.public, self._random, self._is_careless))

    def told(self, watch: TableWatch, frame: Mapping[str, Any]) -> None:
        """Hear of a frame; a policy looks when it must choose, only ends are passed on."""
        fresh = watch.hand.overs[self._overs :]
        self._overs += len(fresh)
        if self._on_over is not None:
            for over in fresh:
                self._on_over(over)

    def refused(self, watch: TableWatch, refusal: Refusal) -> None:
        """Write a refusal down."""
        self.refusals.append(refusal)
        log.warning("bot_refused", **at_table(watch.table), code=refusal.code)


async def make_bot(url: str, name: str, *, secret: str) -> str:
    """Make, or find again, the marked bot of that name; give a token for it.

    Errors: Refusal if the server says no; Fault if it can't be reached.
    """
    headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": secrets.token_hex(16)}
    try:
        async with httpx.AsyncClient(base_url=url, timeout=HTTP_S, trust_env=False) as http:
            answer = await http.post(GUESTS, json={"name": name, "kind": "bot"}, headers=headers)
            body = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as error:
        raise Fault(f"no server answers at {url}: {error}") from None
    if answer.is_error:
        raise Refusal(str(body.get("code")), str(body.get("text")), body.get("field"))
    token: str = body["token"]
    return token


def name_of(number: int, names: Sequence[str] = NAMES) -> str:
    """Name the bots of `run_bots`, from number 0 on."""
    return f"{names[number % len(names)]}{number // len(names) or ''} bot"


async def run_bots(
    url: str,
    table: str,
    count: int,
    *,
    secret: str,
    hands: int | None = None,
    matches: int | None = None,
    pace_ms: int = 0,
    seed: int | None = None,
    names: Sequence[str] = NAMES,
    folder: Path | None = None,
    on_over: Callable[[HandOver], None] | None = None,
    is_careless: bool = False,
) -> list[list[HandOver]]:
    """Seat `count` bots at a table; play `hands` hands or `matches` matches, or until cancelled.

    Shape:  `seed` makes their choices repeatable, not the cards; with a `folder`, each bot's seeds
            and evidence are kept in a folder of its own. `on_over` hears of every end that the
            first bot sees; the answer is what each bot saw end.
    Errors: Cheated by the first bot that finds a check failing; Refusal; Fault.
    """
    random = Random(seed)  # noqa: S311 - it chooses among moves; the cards are the deal's
    tasks = []
    for number in range(count):
        name = name_of(number, names)
        token = await make_bot(url, name, secret=secret)
        hears = on_over if number == 0 else None
        own_random = Random(random.random())  # noqa: S311 - as above
        bot = Bot(own_random, pace_ms, hears, is_careless=is_careless)
        own = None if folder is None else folder / name.replace(" ", "-")
        client = Client(url, token, bot, folder=own)
        tasks.append(asyncio.create_task(_play(client, table, hands, matches), name=name))
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        await end_all(*tasks)


async def _play(
    client: Client, table: str, hands: int | None, matches: int | None
) -> list[HandOver]:
    """Run one client until it has seen `hands` hands or `matches` matches close."""
    running = asyncio.create_task(client.run())
    seated = asyncio.create_task(_stay(client, table, hands, matches))
    try:
        await asyncio.wait([running, seated], return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        return seated.result()
    finally:
        await end_all(seated, running)


async def _stay(
    client: Client, table: str, hands: int | None, matches: int | None
) -> list[HandOver]:
    """Sit, and sit again when the seat was lost, until the hands or the matches are played."""
    watch = await client.sit(table)
    overs = watch.hand.overs

    def is_done() -> bool:
        closed = sum(over.end == "closed" for over in overs)
        ended = sum(over.match is not None and over.match.is_over for over in overs)
        all_hands = hands is not None and closed >= hands
        return watch.is_closed or all_hands or (matches is not None and ended >= matches)

    while not is_done():
        await client.until(lambda: is_done() or not _plays(watch))
        if is_done():
            break
        if watch.seating.me is None:
            await asyncio.sleep(SIT_AGAIN_S)
            await client.sit(table)
        else:
            await client.back(table)
            await client.until(lambda: is_done() or _plays(watch))
    return list(overs)


def _plays(watch: TableWatch) -> bool:
    """Tell whether the seat is there and nobody plays in its place."""
    seating = watch.seating
    return watch.needs_snapshot or (seating.me is not None and seating.replaced is None)
