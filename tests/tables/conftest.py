"""A running host on a real database, with players who have tokens."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest
from sqlalchemy import text

from server.database import Database, PlayerId, TableId, Transaction
from server.fairness.seal import Sealer
from server.fairness.signing import LogSigner, SigningKey
from server.identity import service as identity
from server.ledger import service as ledger
from server.tables import service
from server.tables.actor import Actor
from server.tables.clock import Clocks
from server.tables.host import TableHost
from server.tables.work import Parts

WELCOME_MICRO = 10_000_000_000

QUICK = Clocks(
    commit_ms=5_000,
    reveal_ms=5_000,
    reshuffle_ms=500,
    result_ms=20,
    seat_out_max_ms=60_000,
    come_back_ms=500,
)


PATIENT = replace(QUICK, commit_ms=60_000, reveal_ms=60_000, reshuffle_ms=60_000)
"""Clocks of a deal that no slow machine runs into; for tests in which everybody answers."""


STEADY = replace(QUICK, commit_ms=8_000, reveal_ms=8_000, reshuffle_ms=8_000)
"""Clocks for tests in which one seat is silent, and the others need their time."""


@pytest.fixture
def patient() -> None:
    """Ask for patient clocks."""


@pytest.fixture
def steady() -> None:
    """Ask for steady clocks."""


@pytest.fixture
def parts(request: pytest.FixtureRequest) -> Parts:
    asked = {"patient": PATIENT, "steady": STEADY}
    clocks = next((asked[name] for name in asked if name in request.fixturenames), QUICK)
    return Parts(
        signer=SigningKey(secrets.token_bytes(32)),
        log_signer=LogSigner(secrets.token_bytes(32), "test.example/fairdeal-1"),
        sealer=Sealer(secrets.token_bytes(32)),
        clocks=clocks,
    )


def make_host(database: Database, parts: Parts, owner: str = "one") -> TableHost:
    """Make a process; a lease outlasts whatever keeps a busy machine from renewing it.

    Who was heard once is present for as long as any test takes: programs are not heard again.
    """
    return TableHost(
        database=database,
        parts=parts,
        owner=owner,
        lease_ms=20_000,
        presence_ms=600_000,
        patience_ms=1_000,
    )


def actor_of(host: TableHost, table: TableId) -> Actor:
    """Find the actor of a table that a process runs."""
    actor = host._own.find(table)
    assert actor is not None, "the table is run by this process"
    return actor


async def stop_rounds(host: TableHost) -> None:
    """Have a process renew nothing from now on."""
    rounds = host._keeping._rounds
    assert rounds is not None, "the process was started"
    rounds.cancel()
    await asyncio.gather(rounds, return_exceptions=True)


async def let_leases_run_out(database: Database) -> None:
    """Let the time pass that an owner who renews nothing has left."""
    await database.run(lambda tx: tx.execute(_RUN_OUT))


_RUN_OUT = text("update tables.lease set expires_at = clock_timestamp()")


@pytest.fixture
async def host(database: Database, parts: Parts) -> AsyncIterator[TableHost]:
    host = make_host(database, parts)
    await host.start()
    yield host
    await host.stop()


OpenTable = Callable[..., Awaitable[TableId]]
NewPlayer = Callable[[], Awaitable[PlayerId]]


@pytest.fixture
def open_table(database: Database, host: TableHost) -> OpenTable:
    """Open a table and have the host take it up."""

    async def make(game: str = "rummy", **options: int | bool | str) -> TableId:
        async def work(tx: Transaction) -> TableId:
            return await service.open_table(tx, game=game, options=options, name="Test")

        table = await database.run(work)
        await host.tend_tables()
        return table

    return make


@pytest.fixture
def new_player(database: Database) -> NewPlayer:
    """Make a guest with the welcome grant."""

    async def make() -> PlayerId:
        async def work(tx: Transaction) -> PlayerId:
            made = await identity.create_guest(tx, f"guest {secrets.token_hex(3)}")
            player = made.player.id
            await ledger.open_player_account(tx, player, welcome_micro=WELCOME_MICRO)
            return player

        return await database.run(work)

    return make
