"""Many at once: no deadlock, no overdraft, one outcome, nothing left open."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from server.database import Database, HandId, PlayerId
from server.errors import Refusal
from server.ledger import service
from server.ledger.service import Settlement, Voided
from tests.ledger.house import (
    HT,
    STAKE,
    WELCOME,
    as_owner,
    balance,
    broken,
    hold,
    issue,
    open_accounts,
    people,
    settle,
    void,
    withdraw,
)

PLAYERS = people(8)
ASHA, BELA, CHAND = PLAYERS[:3]


@pytest.fixture
async def house(database_url: str) -> AsyncIterator[Database]:
    """A ledger with eight players and connections for everybody at once."""
    database = Database(database_url, pool_size=16)
    await open_accounts(database, PLAYERS)
    yield database
    await database.close()


def _kinds(results: list[object]) -> Counter[object]:
    """Count what happened; anything but an answer or a refusal is a failure of the test."""
    for result in results:
        if isinstance(result, BaseException) and not isinstance(result, Refusal):
            raise result
    return Counter(r.code if isinstance(r, Refusal) else type(r) for r in results)


async def test_settle_and_void_racing_end_in_one_outcome(house: Database) -> None:
    won: Counter[object] = Counter()
    for hand in range(1, 16):
        await hold(house, hand, [ASHA, BELA])
        racing = [settle(house, hand, ASHA, {BELA: HT}) for _ in range(3)]
        results = await asyncio.gather(
            *racing, *(void(house, hand) for _ in range(3)), return_exceptions=True
        )
        settled = [result for result in results if isinstance(result, Settlement)]
        voided = [result for result in results if isinstance(result, Voided)]
        refusals = [result.code for result in results if isinstance(result, Refusal)]
        assert len(settled) + len(voided) + len(refusals) == 6
        if settled:
            assert settled == [settled[0]] * 3
            assert set(voided) == {Voided.ALREADY_SETTLED}
        else:
            assert sorted(answer.value for answer in voided) == ["already voided"] * 2 + ["voided"]
            assert refusals == ["hand_voided"] * 3
        won[bool(settled)] += 1
    found = await balance(house, ASHA)
    assert found.held_micro == 0
    assert found.posted_micro == WELCOME + won[True] * HT * 9 // 10
    assert await broken(house) == []


async def test_the_same_hold_at_once_is_taken_once(house: Database) -> None:
    results = await asyncio.gather(*(hold(house, 1, [ASHA, BELA]) for _ in range(12)))
    assert Counter(results) == {True: 1, False: 11}
    assert (await balance(house, ASHA)).held_micro == STAKE


async def test_nobody_falls_below_zero_however_many_take(house: Database) -> None:
    """Each of twelve takes a tenth: ten succeed, whatever takes it and in whatever order.

    Another ledger went below zero when two took at once.
    """
    tenth = WELCOME // 10
    results = await asyncio.gather(
        *(withdraw(house, ASHA, tenth, key=str(number)) for number in range(6)),
        *(hold(house, hand, [ASHA, PLAYERS[hand]], stake=tenth) for hand in range(1, 7)),
        return_exceptions=True,
    )
    assert _kinds(list(results))["not_covered"] == 2
    found = await balance(house, ASHA)
    assert found.available_micro == 0
    assert await broken(house) == []


async def test_the_same_key_at_once_moves_once(house: Database) -> None:
    entries = await asyncio.gather(*(issue(house, ASHA, HT) for _ in range(12)))
    assert len(set(entries)) == 1
    assert (await balance(house, ASHA)).posted_micro == WELCOME + HT


async def test_an_account_is_opened_and_welcomed_once(house: Database) -> None:
    newcomer = PlayerId(99)
    await asyncio.gather(*(open_accounts(house, [newcomer]) for _ in range(12)))
    assert (await balance(house, newcomer)).posted_micro == WELCOME


async def test_locks_are_taken_in_one_order_whatever_the_order_of_the_seats(
    house: Database,
) -> None:
    """Everybody at eight tables at once, with issues and withdrawals between: no deadlock.

    Others took locks without an order.
    """
    chance = random.Random(3)

    async def table(first: int) -> int:
        hands = 0
        for hand in range(first, first + 12):
            seats = chance.sample(PLAYERS, chance.randint(2, 8))
            await hold(house, hand, seats)
            winner, *losers = chance.sample(seats, len(seats))
            payments = {player: chance.randint(0, STAKE) for player in losers}
            if chance.random() < 0.2:
                await void(house, hand)
            else:
                await settle(house, hand, winner, payments)
            await issue(house, winner, HT, key=str(hand))
            await withdraw(house, winner, HT, key=str(hand))
            hands += 1
        return hands

    assert sum(await asyncio.gather(*(table(100 * n) for n in range(1, 9)))) == 96
    assert sum([(await balance(house, player)).held_micro for player in PLAYERS]) == 0
    assert await broken(house) == []


async def test_the_house_s_account_is_nobody_s_queue(house: Database) -> None:
    """A settlement that has not committed yet doesn't keep one with other players waiting.

    Others had a hot house row.
    """
    await hold(house, 1, [ASHA, BELA])
    await hold(house, 2, PLAYERS[2:4])
    async with house.transaction() as tx:
        await service.settle_hand(tx, hand_id=HandId(1), winner=ASHA, payments={BELA: HT})
        # Whoever waited for this transaction would be refused: it ends only after them.
        await settle(house, 2, CHAND, {PLAYERS[3]: HT})
        await open_accounts(house, people(1, first=50))
    assert await broken(house) == []


async def test_cancelled_tasks_leave_no_transaction_and_no_lock(
    house: Database, database_url: str
) -> None:
    chance = random.Random(5)

    async def hand(number: int) -> None:
        seats = chance.sample(PLAYERS, 4)
        await hold(house, number, seats)
        await settle(house, number, seats[0], dict.fromkeys(seats[1:], HT))

    tasks = []
    for number in range(1, 61):
        tasks.append(asyncio.create_task(hand(number)))
        await asyncio.sleep(chance.random() / 100)
        at_work = [task for task in tasks if not task.done()]  # on a fast machine few of them
        if at_work and chance.random() < 0.6:
            chance.choice(at_work).cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    kinds = Counter(type(result) for result in results)
    assert set(kinds) <= {type(None), asyncio.CancelledError}
    assert kinds[asyncio.CancelledError] > 5
    async with asyncio.timeout(10):
        while await as_owner(database_url, _STILL_OPEN):
            await asyncio.sleep(0.05)
    assert await broken(house) == []


_STILL_OPEN = """
select 1 from pg_stat_activity
 where datname = current_database() and pid <> pg_backend_pid()
   and backend_type = 'client backend' and (xact_start is not null or state <> 'idle')
union all
select 1 from pg_locks l join pg_database d on d.oid = l.database
 where d.datname = current_database() and l.pid <> pg_backend_pid() and l.relation is not null
"""
