"""The composition root: builds each part once, joins them, and ends them in the right order.

Nothing else reads the settings. `running` is a whole house in this process, for `serve`, for the
demo and for tests; `serve` is that until a signal comes.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import structlog
import uvloop

from server import jobs
from server.catalogue import CATALOGUE, CatalogueTable
from server.database import Addresses, Database, TableId, Transaction
from server.embedded import EmbeddedPostgres
from server.errors import Fault
from server.fairness.keyring import Keyring, old_log_signers
from server.fairness.seal import Sealer
from server.fairness.signing import LogSigner
from server.games import GAMES
from server.garbage import looked_for_seldom
from server.ledger.seals import continue_xids
from server.logs import set_up_logging
from server.messenger import KEY_PURPOSE, Messenger, fresh_owner, open_messenger
from server.observability import traces
from server.practice import PracticeBots
from server.schema import prepare
from server.secret_files import BOT_TOKEN_FILE, read_or_make_token
from server.settings import Settings
from server.substitutes import Substitutes
from server.tables.host import TableHost
from server.tables.service import open_table, open_tables
from server.tables.work import Parts as TableParts
from server.tuning import addresses_of, clocks_of, limits_of, periods_of, replay_of, staff_of
from server.upkeep.premises import hold_keys, make_home
from server.web.app import build_app
from server.web.draining import drain
from server.web.figures import answer_for_figures
from server.web.listening import Listener, address_of, bound, inherited
from server.web.parts import Parts

WATCH_POSTGRES_S: Final = 1

log = structlog.get_logger("main")


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """A running server.

    Shape: `tables` are the catalogue's, by key; `ended` completes only if a part of it breaks.
    """

    url: str
    home: Path
    database_url: str
    database: Database
    host: TableHost
    parts: Parts
    server_pub: bytes
    bot_secret: str
    tables: dict[str, TableId]
    ended: asyncio.Event


def serve(settings: Settings, announce: Callable[[str], None], *, fd: int | None = None) -> None:
    """Run the server until SIGTERM or SIGINT; `announce` is told its address when it is ready.

    Shape:  `fd` is a socket that listens already, instead of the settings' address.
    Errors: Fault in one line if it can't start, or if a part of it breaks.
    """
    set_up_logging(level=settings.log_level, form=settings.log_format)
    with looked_for_seldom(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings, announce, fd))


async def _serve(settings: Settings, announce: Callable[[str], None], fd: int | None) -> None:
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked.set)
    async with running(settings, fd=fd) as house:
        announce(house.url)
        waits = [asyncio.create_task(event.wait()) for event in (asked, house.ended)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        log.info("stopping", asked=asked.is_set())
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)  # a second signal ends us at once
    if house.ended.is_set():
        raise Fault("PostgreSQL has ended; see its log in PAKKA_HOME")


@asynccontextmanager
async def running(
    settings: Settings,
    *,
    catalogue: Sequence[CatalogueTable] = CATALOGUE,
    fd: int | None = None,
) -> AsyncIterator[House]:
    """Start everything, in the order in which parts need each other; end it the other way round.

    Errors: Fault in one line if a part can't start.
    """
    home, ended = settings.home, asyncio.Event()
    async with AsyncExitStack() as stack:
        addresses = addresses_of(settings) or await _own_postgres(stack, home, ended)
        make_home(home)
        await asyncio.to_thread(prepare, addresses)
        database = Database(addresses.application, pool_size=settings.pool_size)
        stack.push_async_callback(database.close)
        await database.run(continue_xids)
        await hold_keys(stack, database, home)
        messenger = await _open_messenger(stack, settings)
        _trace(stack, settings, messenger.owner)
        tables = await database.run(lambda tx: _open_catalogue(tx, catalogue))
        keys = Keyring.from_folder(home)
        parts = _parts_of(settings, database, messenger, keys)
        await parts.host.start()
        stack.push_async_callback(parts.host.stop)
        _keep_running(stack, "strain", parts.strain.watch())
        url = await _open_web(stack, settings, parts, fd)
        bots = PracticeBots(staff_of(settings, url, parts.bot_secret), parts.host)
        _keep_running(stack, "practice", bots.run())
        substitutes = Substitutes(staff_of(settings, url, parts.bot_secret), parts.host)
        _keep_running(stack, "substitutes", substitutes.run())
        work = jobs.run(database, periods_of(settings), keys.current, keys.publics)
        _keep_running(stack, "jobs", work)
        yield House(
            url=url,
            home=home,
            database_url=addresses.application,
            database=database,
            host=parts.host,
            parts=parts,
            server_pub=parts.server_pub,
            bot_secret=parts.bot_secret,
            tables=tables,
            ended=ended,
        )


async def _open_messenger(stack: AsyncExitStack, settings: Settings) -> Messenger:
    """Connect to the house's other processes, if there may be any."""
    messenger = open_messenger(
        settings.redis_url,
        owner=fresh_owner(),
        key=Sealer.from_file(settings.home).derive(KEY_PURPOSE),
    )
    stack.push_async_callback(messenger.close)
    await messenger.connect()
    return messenger


def _trace(stack: AsyncExitStack, settings: Settings, process: str) -> None:
    """Send traces, if that is wanted; what waits at the end is sent for a short time."""
    if settings.traces_url is not None:
        end = traces.switch_on(settings.traces_url, process=process)
        stack.push_async_callback(asyncio.to_thread, end)


def _parts_of(settings: Settings, database: Database, messenger: Messenger, keys: Keyring) -> Parts:
    """Build the tables' host and, around it, what the web floor needs."""
    home = settings.home
    table_parts = TableParts(
        signer=keys.current,
        old_signers=tuple(keys.old.values()),
        old_log_signers=old_log_signers(home, settings.log_name),
        log_signer=LogSigner.from_file(home, settings.log_name),
        sealer=Sealer.from_file(home),
        clocks=clocks_of(settings),
    )
    host = _host_of(settings, database, table_parts, messenger)
    return Parts(
        database=database,
        host=host,
        table_parts=table_parts,
        games=GAMES,
        limits=limits_of(settings),
        bot_secret=read_or_make_token(home, BOT_TOKEN_FILE),
        origins=settings.public_origins,
        session_days=settings.session_days,
        two_step_of_all=settings.two_step == "all",
        welcome_micro=settings.welcome_micro,
        time_zone=settings.time_zone,
        carried=messenger.counts,
        probes={
            "database": database.now_ms,
            "messenger": messenger.is_ready,
            "leases": lambda: _are_served(database),
        },
    )


async def _open_web(stack: AsyncExitStack, settings: Settings, parts: Parts, fd: int | None) -> str:
    """Listen; the address under which we are found."""
    parts.gateway.start()
    answer_for_figures(parts)
    sock = bound(settings.host, settings.port) if fd is None else inherited(fd)
    listener = await Listener.start(build_app(parts), sock, limits=parts.limits)
    stack.push_async_callback(drain, parts, listener, settings.drain_ms)
    return address_of(settings.host, listener.port)


async def _own_postgres(stack: AsyncExitStack, home: Path, ended: asyncio.Event) -> Addresses:
    """Start the embedded server; if it ends before us, so does the house."""
    postgres = await asyncio.to_thread(EmbeddedPostgres.start, home)
    stack.push_async_callback(asyncio.to_thread, postgres.stop)

    async def watch() -> None:
        while postgres.is_running():  # noqa: ASYNC110 - a process tells nobody that it ended
            await asyncio.sleep(WATCH_POSTGRES_S)
        log.error("postgres_ended")
        ended.set()

    _keep_running(stack, "postgres", watch())
    return Addresses(owner=postgres.url, application=postgres.application_url)


async def _open_catalogue(tx: Transaction, rows: Sequence[CatalogueTable]) -> dict[str, TableId]:
    return {
        one.key: await open_table(
            tx, game=one.game, options=one.options, name=one.name, catalogue_key=one.key
        )
        for one in rows
    }


def _host_of(
    settings: Settings, database: Database, parts: TableParts, messenger: Messenger
) -> TableHost:
    return TableHost(
        database=database,
        parts=parts,
        owner=messenger.owner,
        messenger=messenger,
        lease_ms=settings.lease_ms,
        presence_ms=settings.presence_ms,
        inbox_max=settings.inbox_max,
        replay_max=replay_of(settings),
    )


def _keep_running(stack: AsyncExitStack, name: str, work: Coroutine[Any, Any, None]) -> None:
    """Run `work` beside everything else until the stack unwinds; its failure is logged."""
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_log_failure)

    async def end() -> None:
        task.cancel()
        await asyncio.wait([task])

    stack.push_async_callback(end)


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("task_failed", task=task.get_name(), exc_info=error)


async def _are_served(database: Database) -> bool:
    """Tell whether a process of the house holds the lease of every open table."""
    return all(table.owner is not None for table in await database.run(open_tables))
