"""The audit finds what somebody with every right did to the tables."""

import pytest

from server.database import Database
from server.ledger import audit
from tests.ledger.house import (
    HT,
    as_owner,
    broken,
    hold,
    issue,
    open_accounts,
    people,
    reverse,
    settle,
    void,
)

ASHA, BELA, CHAND = people(3)
SUM = "the sum of all postings is 0"
ENTRY = "each entry is balanced and complete"
BALANCE = "each balance is the sum of its postings, each version their count"
RUNNING = "running balances and versions go on without a gap"
KEEPS = "accounts keep a balance, or none, as they say"
RISE = "ids and times rise with the versions of each account"
HELD = "what is held is the sum of the open holds"
HOLD = "each hold has the seats and the sum of its hand"
AVAILABLE = "nobody has less than nothing available"
OWNED = "each account belongs to the player that its first entry names"
ONE_TO_ONE = "settled hands and settlements are one to one"
AGREED = (
    "each settlement keeps to its hold: the seats, the most they pay, the commission, one winner"
)
COMMISSION = "the house has the sum of all commissions, less those that were reversed"
ISSUER = "the issuer is below zero by what all others hold"
PROMO = "promo has nothing of its own"
KEYS = "every transfer has its key, and every key its transfer"
REVERSAL = "every reversal is the opposite of its entry"


@pytest.fixture
async def history(database: Database) -> Database:
    """A ledger in which everything has happened once; hand 3 is still open."""
    await open_accounts(database, [ASHA, BELA, CHAND])
    await hold(database, 1, [ASHA, BELA, CHAND])
    await settle(database, 1, ASHA, {BELA: 80 * HT, CHAND: 20 * HT})
    await hold(database, 2, [ASHA, BELA])
    await void(database, 2)
    await hold(database, 3, [ASHA, BELA])
    entry = await issue(database, CHAND, 5 * HT)
    await reverse(database, entry)
    return database


async def test_every_invariant_holds_with_its_figures(history: Database) -> None:
    async with history.transaction() as tx:
        found = await audit.check(tx)
    assert [invariant.name for invariant in found if not invariant.holds] == []
    figures = {invariant.name: invariant.figures for invariant in found}
    assert figures[HELD]["held_micro"] == 260 * HT
    assert figures[COMMISSION]["house_micro"] == 10 * HT
    assert figures[ISSUER]["circulating_micro"] == 30_000 * HT
    assert figures[ENTRY]["entries"] == 6
    assert len(found) == 17


# as its owner, with the triggers switched off
TAMPERING = [
    ("update ledger.posting set amount = amount + 1 where journal_id = 4 and line = 1", SUM),
    ("update ledger.posting set amount = amount + 1 where journal_id = 4 and line = 1", ENTRY),
    ("delete from ledger.posting where journal_id = 4 and line = 1", ENTRY),
    ("delete from ledger.journal where id = 5", ENTRY),
    ("update ledger.posting set account_id = 777 where journal_id = 4 and line = 1", ENTRY),
    ("update ledger.account set posted = posted + 1 where player_id = 1", BALANCE),
    ("update ledger.account set version = version + 1 where player_id = 1", BALANCE),
    ("delete from ledger.posting where journal_id = 4; delete from ledger.journal where id = 4;"
     "delete from ledger.hold_resolution where hand_id = 1", BALANCE),
    ("delete from ledger.posting where journal_id = 1; delete from ledger.journal where id = 1",
     RUNNING),
    ("update ledger.posting set balance_after = balance_after + 1 where journal_id = 4"
     " and line = 1", RUNNING),
    ("update ledger.account set keeps_balance = false, posted = 0, held = 0, version = 0"
     " where player_id = 3", KEEPS),
    ("update ledger.journal set created_at = '2001-01-01' where id = 4", RISE),
    ("update ledger.account set held = held - 1 where player_id = 1", HELD),
    ("delete from ledger.hold_resolution where hand_id = 2", HELD),
    ("update ledger.hold set amount = amount + 1 where hand_id = 2 and account_id = 1000", HOLD),
    ("delete from ledger.hold where hand_id = 2 and account_id = 1000", HOLD),
    ("delete from ledger.hand_hold where hand_id = 2", HOLD),
    ("alter table ledger.account drop constraint account_no_overdraft;"
     "update ledger.account set posted = -1 where player_id = 3", AVAILABLE),
    ("update ledger.account set min_available = -100 where player_id = 3", AVAILABLE),
    ("update ledger.account set player_id = 99 where player_id = 3;"
     "update ledger.account set player_id = 3 where player_id = 1;"
     "update ledger.account set player_id = 1 where player_id = 99", OWNED),
    ("delete from ledger.hold_resolution where hand_id = 1", ONE_TO_ONE),
    ("update ledger.hold_resolution set journal_id = 99 where hand_id = 1", ONE_TO_ONE),
    ("update ledger.hand_hold set commission_bps = 1 where hand_id = 1", AGREED),
    ("update ledger.hold set amount = 1 where hand_id = 1", AGREED),
    ("update ledger.journal set gross = gross + 1 where hand_id = 1", AGREED),
    ("update ledger.posting set amount = amount + 1 where journal_id = 4 and line = 3", AGREED),
    ("update ledger.posting set account_id = 5 where journal_id = 4 and account_id = 2",
     COMMISSION),
    ("update ledger.account set posted = posted - 1 where player_id = 1", ISSUER),
    ("update ledger.posting set amount = amount - 1 where journal_id = 1 and line = 3", PROMO),
    ("delete from ledger.command where key = 'issue:k'", KEYS),
    ("update ledger.command set journal_id = 99 where key = 'issue:k'", KEYS),
    ("update ledger.posting set account_id = 1001 where journal_id = 6 and line = 2", REVERSAL),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "sentence"), TAMPERING)
async def test_tampering_shows(
    history: Database, database_url: str, statement: str, sentence: str
) -> None:
    """Deleted rows that nothing noticed are among it."""
    await as_owner(database_url, "set session_replication_role = replica", *statement.split(";"))
    assert sentence in await broken(history)


def test_every_invariant_is_tampered_with() -> None:
    assert set(audit.invariants()) == {sentence for _, sentence in TAMPERING}


async def test_the_audit_reads_one_snapshot(history: Database) -> None:
    """A hand that is settled while the audit runs does not look like a broken ledger."""
    async with history.transaction() as tx:
        before = await audit.check(tx)
        await settle(history, 3, ASHA, {BELA: HT})
        for name, query in audit.invariants().items():
            again = await audit._invariant(tx, name, query)
            assert again in before
    assert await broken(history) == []
