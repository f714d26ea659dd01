"""What operators move: issues, withdrawals, grants to bots, and their reversal."""

import pytest

from server.database import Database
from server.ledger import service
from tests.ledger.house import (
    HT,
    WELCOME,
    balance,
    broken,
    hold,
    issue,
    open_accounts,
    people,
    refused,
    reverse,
    settle,
    withdraw,
)

ASHA, BELA = people(2)


@pytest.fixture
async def house(database: Database) -> Database:
    """A ledger with two players."""
    await open_accounts(database, [ASHA, BELA])
    return database


async def test_an_operator_issues_and_withdraws(house: Database) -> None:
    first = await issue(house, ASHA, 5 * HT)
    assert await issue(house, ASHA, 5 * HT) == first
    second = await withdraw(house, ASHA, 2 * HT)
    assert await withdraw(house, ASHA, 2 * HT) == second
    assert (await balance(house, ASHA)).posted_micro == WELCOME + 3 * HT
    assert await broken(house) == []


async def test_a_key_means_one_transfer(house: Database) -> None:
    await issue(house, ASHA, 5 * HT)
    assert await refused(issue(house, ASHA, 6 * HT)) == "key_reused"
    assert await refused(issue(house, BELA, 5 * HT)) == "key_reused"


@pytest.mark.parametrize("amount", [0, -HT, 10**15 + 1])
async def test_an_operator_moves_whole_amounts_within_bounds(house: Database, amount: int) -> None:
    assert await refused(issue(house, ASHA, amount)) == "bad_amount"
    assert await refused(withdraw(house, ASHA, amount)) == "bad_amount"


async def test_a_transfer_has_a_reason_and_a_key(house: Database) -> None:
    async with house.transaction() as tx:
        for key, reason, code in [("k", " ", "bad_reason"), ("", "gift", "bad_key")]:
            given = service.issue(tx, ASHA, amount_micro=HT, key=key, reason=reason, actor="Meera")
            assert await refused(given) == code


async def test_a_practice_bot_is_funded_once_a_key(house: Database) -> None:
    async with house.transaction() as tx:
        first = await service.fund_bot(tx, ASHA, amount_micro=HT, key="day 1")
        assert await service.fund_bot(tx, ASHA, amount_micro=HT, key="day 1") == first
        await service.fund_bot(tx, ASHA, amount_micro=HT, key="day 2")
    assert (await balance(house, ASHA)).posted_micro == WELCOME + 2 * HT
    assert await broken(house) == []


async def test_a_settlement_is_reversed_once(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA])
    done = await settle(house, 1, ASHA, {BELA: 100 * HT})
    back = await reverse(house, done.journal_id)
    assert await reverse(house, done.journal_id) == back
    assert (await balance(house, ASHA)).posted_micro == WELCOME
    assert (await balance(house, BELA)).posted_micro == WELCOME
    assert await broken(house) == []


async def test_a_grant_is_reversed_whole(house: Database) -> None:
    async with house.transaction() as tx:
        entry = await service.fund_bot(tx, ASHA, amount_micro=HT, key="k")
    await reverse(house, entry)
    assert (await balance(house, ASHA)).posted_micro == WELCOME
    assert await broken(house) == []


async def test_what_cannot_be_reversed_is_refused(house: Database) -> None:
    entry = await issue(house, ASHA, HT)
    back = await reverse(house, entry)
    assert await refused(reverse(house, back)) == "not_reversible"
    assert await refused(reverse(house, 999)) == "unknown_entry"
    spent = await issue(house, BELA, HT, key="k2")
    await withdraw(house, BELA, WELCOME + HT)
    assert await refused(reverse(house, spent)) == "not_covered"
    assert await broken(house) == []
