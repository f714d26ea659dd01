"""Mistakes that other ledgers made, each one here as a test (design: "Known mistakes of others").

Others are tested where they belong: a negative balance, deadlocks and a hot house row in
`test_races.py`, cancelled tasks there and in `tests/test_cancellation.py`, deleted rows in
`test_audit.py`, the second page in `test_statements.py`, a chain that forks in
`tests/sealing/test_seals.py`.
"""

import asyncio
import os
import signal
import time
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text

from server.database import Database, HandId, PlayerId, Transaction
from server.embedded import EmbeddedPostgres
from server.errors import Refusal
from server.ledger import service
from server.schema import migrate
from tests.ledger.house import (
    BPS,
    HT,
    STAKE,
    TABLE,
    WELCOME,
    as_owner,
    balance,
    broken,
    hold,
    issue,
    open_accounts,
    people,
    refused,
    reverse,
    settle,
    void,
    withdraw,
)

ASHA, BELA, CHAND = people(3)


@pytest.fixture
async def house(database: Database) -> Database:
    """A ledger with three players."""
    await open_accounts(database, [ASHA, BELA, CHAND])
    return database


async def test_what_was_answered_survives_a_crash_of_the_database(open_folder: Path) -> None:
    """Answered 201, then lost after a restart of the database."""
    home = open_folder / "home"
    with EmbeddedPostgres.start(home) as server:
        await asyncio.to_thread(migrate, server.url)
        database = Database(server.url)
        await open_accounts(database, [ASHA, BELA])
        await hold(database, 1, [ASHA, BELA])
        done = await settle(database, 1, ASHA, {BELA: HT})
        os.kill(server.pid, signal.SIGKILL)
        await database.close()
    with EmbeddedPostgres.start(home) as server:
        database = Database(server.url)
        assert await settle(database, 1, ASHA, {BELA: HT}) == done
        assert (await balance(database, ASHA)).posted_micro == WELCOME + done.pot.net_micro
        assert await broken(database) == []
        await database.close()


async def test_a_repeated_reversal_moves_nothing_and_says_the_same(house: Database) -> None:
    """A repeated refund that answers "conflict" and moves money all the same."""
    entry = await issue(house, ASHA, HT)
    first = await reverse(house, entry)
    before = await balance(house, ASHA)
    assert await reverse(house, entry) == first
    assert await balance(house, ASHA) == before


async def test_a_refused_hold_can_not_be_committed(house: Database) -> None:
    """A refused hold that could still be committed."""
    async with house.transaction() as tx:
        with pytest.raises(Refusal, match="not_covered"):
            await service.hold_hand(
                tx,
                hand_id=HandId(1),
                table_id=TABLE,
                seats={ASHA: STAKE, BELA: WELCOME + 1},
                commission_bps=BPS,
            )
        await tx.commit()
    assert (await balance(house, ASHA)).held_micro == 0
    async with house.transaction() as tx:
        assert await service.held_of(tx, HandId(1)) == {}
    assert await broken(house) == []


async def test_a_balance_version_is_never_stale(house: Database) -> None:
    """A stale balance version: an open snapshot must not be what the next version is made from."""
    async with house.transaction() as tx:
        before = await service.balance_of(tx, ASHA)
        await issue(house, ASHA, HT, key="other")
        await service.issue(tx, ASHA, amount_micro=HT, key="k", reason="prize", actor="Meera")
        after = await service.balance_of(tx, ASHA)
    assert (before.version, after.version) == (1, 3)
    assert await broken(house) == []


async def test_a_foreign_key_s_share_lock_keeps_nobody_waiting(
    house: Database, database_url: str
) -> None:
    """`FOR UPDATE` against a foreign key's share lock."""
    connection = await asyncpg.connect(database_url)
    async with connection.transaction():
        await connection.execute("select 1 from ledger.account where kind = 1 for key share")
        # Whoever waited for this lock would be refused: it ends only after them.
        await hold(house, 1, [ASHA, BELA])
        await settle(house, 1, ASHA, {BELA: HT})
    await connection.close()


@pytest.mark.parametrize("gross", [0, 1, 9, 10, 11, 19])
async def test_a_commission_of_crumbs_is_rounded_down(house: Database, gross: int) -> None:
    """Rounding that made a negative commission."""
    await hold(house, 1, [ASHA, BELA], stake=100)
    done = await settle(house, 1, ASHA, {BELA: gross})
    assert done.pot.commission_micro == gross // 10
    assert await broken(house) == []


async def test_a_conflict_is_tried_again_and_never_the_answer(house: Database) -> None:
    """A serialization failure stored as the final answer."""
    calls = 0

    async def work(tx: Transaction) -> int:
        nonlocal calls
        calls += 1
        entry = await service.issue(
            tx, ASHA, amount_micro=HT, key="k", reason="prize", actor="Meera"
        )
        if calls == 1:
            await tx.execute(
                text("do $$ begin raise exception 'conflict' using errcode = '40001'; end $$")
            )
        return entry

    entry = await house.run(work)
    assert calls == 2
    assert await issue(house, ASHA, HT) == entry
    assert (await balance(house, ASHA)).posted_micro == WELCOME + HT


async def test_a_hand_is_settled_and_paid_in_one_step_or_not_at_all(house: Database) -> None:
    """A round marked as settled before it was paid."""
    await hold(house, 1, [ASHA, BELA])

    async def crash() -> None:
        async with house.transaction() as tx:
            await service.settle_hand(tx, hand_id=HandId(1), winner=ASHA, payments={BELA: HT})
            raise ConnectionError("the process died here")

    with pytest.raises(ConnectionError):
        await crash()
    async with house.transaction() as tx:
        assert await service.find_outcome(tx, HandId(1)) is None
    assert (await balance(house, BELA)).held_micro == STAKE
    await settle(house, 1, ASHA, {BELA: HT})
    assert await broken(house) == []


async def test_a_settlement_later_is_the_same_settlement(
    house: Database, database_url: str
) -> None:
    """A settlement repeated because its key held a timestamp."""
    await hold(house, 1, [ASHA, BELA])
    first = await settle(house, 1, ASHA, {BELA: HT})
    time.sleep(0.01)
    assert await settle(house, 1, ASHA, {BELA: HT}) == first
    rows = await as_owner(database_url, "select count(*) from ledger.journal where kind = 1")
    assert rows[0][0] == 1


async def test_a_withdrawal_that_was_reversed_can_be_made_again_by_another_key(
    house: Database,
) -> None:
    """A refund that did not release the key of its debit: here a key stays with its entry."""
    entry = await withdraw(house, ASHA, HT, key="k")
    await reverse(house, entry)
    assert await withdraw(house, ASHA, HT, key="k") == entry
    assert (await balance(house, ASHA)).posted_micro == WELCOME
    assert await withdraw(house, ASHA, HT, key="k2") != entry
    assert (await balance(house, ASHA)).posted_micro == WELCOME - HT


async def test_a_voided_hand_is_over_and_its_players_play_the_next(house: Database) -> None:
    """A refund that did not release: nothing of a voided hand stays held."""
    await hold(house, 1, [ASHA, BELA], stake=WELCOME)
    assert await refused(hold(house, 2, [ASHA, BELA])) == "not_covered"
    await void(house, 1)
    assert await hold(house, 2, [ASHA, BELA], stake=WELCOME)
    assert (await balance(house, PlayerId(ASHA))).available_micro == 0
