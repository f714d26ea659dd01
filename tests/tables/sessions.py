"""What the tests of whole tables share: seating programs, balances, the ledger's own check."""

import asyncio

from server.cards.game import Seat
from server.database import Database, HandId, TableId, Transaction
from server.ledger import audit
from server.ledger import service as ledger
from server.tables.host import TableHost
from server.tables.record import record_of
from server.tables.work import Parts
from server.verify import verify_record
from tests.tables.company import Frame, Policy, Program
from tests.tables.conftest import WELCOME_MICRO, NewPlayer

HT = 1_000_000

LONG = {"seats": 3, "hands": 3, "turn_ms": 120_000}
"""A short match, by a clock that plays for nobody while a test runs."""


async def seated(
    host: TableHost, table: TableId, new_player: NewPlayer, *policies: Policy
) -> list[Program]:
    programs = []
    for seat, policy in enumerate(policies):
        program = Program(host, table, await new_player(), policy)
        assert (await program.sit(seat)).ok
        programs.append(program)
    return programs


async def stop_all(programs: list[Program]) -> None:
    await asyncio.gather(*(program.stop() for program in programs))


async def balances(database: Database, programs: list[Program]) -> list[tuple[int, int]]:
    async def work(tx: Transaction) -> list[tuple[int, int]]:
        found = [await ledger.balance_of(tx, program.id) for program in programs]
        return [(one.posted_micro - WELCOME_MICRO, one.held_micro) for one in found]

    return await database.run(work)


async def assert_ledger_holds(database: Database) -> None:
    found = await database.run(audit.check)
    assert [one for one in found if not one.holds] == []


async def assert_record_holds(database: Database, parts: Parts, closed: dict[str, str]) -> bytes:
    """Make the record of a closed hand and demand that no check fails, with both keys pinned."""
    hand_id = HandId(int(closed["hand_id"]))
    body = await database.run(lambda tx: record_of(tx, hand_id, parts))
    report = verify_record(body, parts.signer.public, log_key=parts.log_signer.key)
    assert report.exit_code == 0, report.text()
    return body


def stand_in(host: TableHost, table: TableId, seat: int, policy: Policy) -> Program:
    """Let a seat's substitute live, as the bot that the house would send."""
    substitute = host.state_of(table).chair(Seat(seat)).substitute
    assert substitute is not None, f"seat {seat} is played by its owner"
    program = Program(host, table, substitute.player, policy)
    program.begin()
    return program


def of_seat(listed: Frame, seat: int) -> Frame:
    return next(row for row in listed["seats"] if row["seat"] == seat)
