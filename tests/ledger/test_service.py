"""The house's use cases: what moves, what is held, what is refused."""

from datetime import timedelta

import pytest

from server.database import Database, HandId, PlayerId
from server.ledger import service
from server.ledger.refusals import NotCovered
from server.ledger.service import Voided
from server.ledger.transfers import commission_of
from tests.ledger.house import (
    BPS,
    HT,
    STAKE,
    TABLE,
    WELCOME,
    balance,
    broken,
    hold,
    issue,
    open_accounts,
    people,
    refused,
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


async def test_a_newcomer_gets_the_welcome_grant_once(house: Database) -> None:
    await open_accounts(house, [ASHA])
    await open_accounts(house, [ASHA], welcome=5 * HT)
    found = await balance(house, ASHA)
    assert (found.posted_micro, found.held_micro, found.version) == (WELCOME, 0, 1)
    assert await broken(house) == []


async def test_a_newcomer_may_get_nothing(house: Database) -> None:
    await open_accounts(house, [PlayerId(9)], welcome=0)
    assert (await balance(house, PlayerId(9))).posted_micro == 0


async def test_a_hand_of_three_is_held_and_settled(house: Database) -> None:
    assert await hold(house, 1, [ASHA, BELA, CHAND])
    held = await balance(house, ASHA)
    assert (held.posted_micro, held.available_micro) == (WELCOME, WELCOME - STAKE)
    done = await settle(house, 1, ASHA, {BELA: 80 * HT, CHAND: 25 * HT + 5})
    assert done.pot == commission_of(105 * HT + 5, BPS)
    assert done.net_micro == {ASHA: done.pot.net_micro, BELA: -80 * HT, CHAND: -25 * HT - 5}
    for player, net in done.net_micro.items():
        found = await balance(house, player)
        assert (found.posted_micro, found.held_micro) == (WELCOME + net, 0)
    assert await broken(house) == []


async def test_a_seat_that_sat_out_after_a_void_attempt_pays_nothing(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA, CHAND])
    await settle(house, 1, ASHA, {BELA: 80 * HT, CHAND: 0})
    found = await balance(house, CHAND)
    assert (found.posted_micro, found.held_micro) == (WELCOME, 0)
    assert await broken(house) == []


async def test_a_hand_may_end_without_a_payment(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA])
    done = await settle(house, 1, ASHA, {BELA: 0})
    assert (done.pot.gross_micro, done.pot.commission_micro) == (0, 0)
    assert (await balance(house, ASHA)).held_micro == 0
    assert await broken(house) == []


async def test_a_voided_hand_gives_everything_back(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA])
    assert await void(house, 1) is Voided.VOIDED
    assert await void(house, 1, "another reason") is Voided.ALREADY_VOIDED
    assert (await balance(house, ASHA)).available_micro == WELCOME
    async with house.transaction() as tx:
        assert await service.find_outcome(tx, HandId(1)) == service.Outcome(None, "lost")
    assert await broken(house) == []


async def test_the_first_outcome_stays(house: Database) -> None:
    for hand in (1, 2):
        await hold(house, hand, [ASHA, BELA])
    await void(house, 1)
    assert await refused(settle(house, 1, ASHA, {BELA: HT})) == "hand_voided"
    done = await settle(house, 2, ASHA, {BELA: HT})
    assert await void(house, 2) is Voided.ALREADY_SETTLED
    async with house.transaction() as tx:
        assert await service.find_outcome(tx, HandId(2)) == service.Outcome(done.journal_id, None)
        assert await service.find_outcome(tx, HandId(3)) is None


async def test_the_same_settlement_again_is_the_same_answer(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA, CHAND])
    first = await settle(house, 1, ASHA, {BELA: HT, CHAND: 2 * HT})
    assert await settle(house, 1, ASHA, {CHAND: 2 * HT, BELA: HT}) == first
    for winner, payments in [(ASHA, {BELA: HT, CHAND: HT}), (BELA, {ASHA: HT, CHAND: 2 * HT})]:
        assert await refused(settle(house, 1, winner, payments)) == "hand_settled_otherwise"
    assert await broken(house) == []


@pytest.mark.parametrize(
    ("winner", "payments"),
    [
        (ASHA, {BELA: STAKE + 1, CHAND: 0}),
        (ASHA, {BELA: HT}),
        (ASHA, {BELA: HT, CHAND: HT, PlayerId(4): HT}),
        (ASHA, {ASHA: HT, BELA: HT, CHAND: HT}),
        (ASHA, {ASHA: HT, BELA: HT}),
        (PlayerId(4), {BELA: HT, CHAND: HT}),
        (PlayerId(4), {ASHA: HT, BELA: HT, CHAND: HT}),
    ],
)
async def test_a_settlement_keeps_to_its_hold(
    house: Database, winner: PlayerId, payments: dict[PlayerId, int]
) -> None:
    """Nobody pays more than was held, nobody is left out, nobody else comes in or pays twice."""
    await open_accounts(house, [PlayerId(4)])
    await hold(house, 1, [ASHA, BELA, CHAND])
    assert await refused(settle(house, 1, winner, payments)) == "hold_mismatch"
    assert (await balance(house, BELA)).held_micro == STAKE
    assert await broken(house) == []


async def test_a_payment_is_never_negative(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA, CHAND])
    assert await refused(settle(house, 1, ASHA, {BELA: -HT, CHAND: 2 * HT})) == "bad_amount"


async def test_the_commission_is_the_one_that_was_agreed_on(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA], bps=250)
    done = await settle(house, 1, ASHA, {BELA: 100 * HT})
    assert done.pot.commission_micro == 100 * HT * 250 // 10_000


async def test_the_same_hold_again_holds_nothing_more(house: Database) -> None:
    assert await hold(house, 1, [ASHA, BELA])
    assert not await hold(house, 1, [BELA, ASHA])
    assert (await balance(house, ASHA)).held_micro == STAKE
    for again in (
        hold(house, 1, [ASHA, BELA, CHAND]),
        hold(house, 1, [ASHA, BELA], stake=STAKE - 1),
        hold(house, 1, [ASHA, BELA], bps=BPS + 1),
    ):
        assert await refused(again) == "hand_held_otherwise"


async def test_a_hand_that_is_over_is_not_held_again(house: Database) -> None:
    for hand in (1, 2):
        await hold(house, hand, [ASHA, BELA])
    await void(house, 1)
    await settle(house, 2, ASHA, {BELA: HT})
    assert await refused(hold(house, 1, [ASHA, BELA])) == "hand_voided"
    assert await refused(hold(house, 2, [ASHA, BELA])) == "hand_held_otherwise"


async def test_a_hold_names_who_cannot_cover_it(house: Database) -> None:
    poor = [PlayerId(4), PlayerId(5)]
    await open_accounts(house, poor, welcome=STAKE - 1)
    with pytest.raises(NotCovered) as caught:
        await hold(house, 1, [ASHA, *poor])
    assert caught.value.code == "not_covered"
    assert caught.value.players == frozenset(poor)
    assert (await balance(house, ASHA)).held_micro == 0
    assert await hold(house, 1, [ASHA, BELA])


async def test_what_is_held_can_be_held_no_second_time(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA], stake=WELCOME)
    assert await refused(hold(house, 2, [BELA, CHAND], stake=1)) == "not_covered"
    assert await refused(withdraw(house, ASHA, 1)) == "not_covered"


@pytest.mark.parametrize("stake", [0, -1])
async def test_a_hold_is_above_zero(house: Database, stake: int) -> None:
    assert await refused(hold(house, 1, [ASHA, BELA], stake=stake)) == "bad_amount"


async def test_somebody_without_an_account_is_refused(house: Database) -> None:
    nobody = PlayerId(9)
    for work in (
        hold(house, 1, [ASHA, nobody]),
        issue(house, nobody, HT),
        withdraw(house, nobody, HT),
        balance(house, nobody),
    ):
        assert await refused(work) == "unknown_account"


async def test_a_hand_that_was_never_held_is_refused(house: Database) -> None:
    assert await refused(settle(house, 9, ASHA, {BELA: HT})) == "unknown_hand"
    assert await refused(void(house, 9)) == "unknown_hand"


async def test_a_frozen_account_rests_but_its_hand_is_settled(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA])
    async with house.transaction() as tx:
        await service.freeze_account(tx, BELA, frozen=True)
        assert await service.available_of(tx, [ASHA, BELA, PlayerId(9)]) == {
            ASHA: WELCOME - STAKE,
            BELA: 0,
            PlayerId(9): 0,
        }
    for work in (hold(house, 2, [ASHA, BELA]), issue(house, BELA, HT), withdraw(house, BELA, HT)):
        assert await refused(work) == "account_frozen"
    await settle(house, 1, ASHA, {BELA: HT})
    assert (await balance(house, BELA)).is_frozen
    async with house.transaction() as tx:
        await service.freeze_account(tx, BELA, frozen=False)
    assert await hold(house, 2, [ASHA, BELA])


async def test_the_sweeper_finds_what_has_no_outcome(house: Database) -> None:
    await hold(house, 1, [ASHA, BELA])
    await hold(house, 2, [ASHA, BELA])
    await void(house, 1)
    async with house.transaction() as tx:
        for hand, life in ((3, timedelta(seconds=-1)), (4, timedelta(days=-4))):
            await service.hold_hand(
                tx,
                hand_id=HandId(hand),
                table_id=TABLE,
                seats={ASHA: HT, BELA: HT},
                commission_bps=BPS,
                life=life,
            )
        found = await service.open_holds(tx)
        assert [(hold.hand_id, hold.table_id, hold.is_expired) for hold in found] == [
            (2, TABLE, False),
            (3, TABLE, True),
        ]
        assert [hold.hand_id for hold in await service.open_holds(tx, since_ever=True)] == [2, 3, 4]
        assert await service.held_of(tx, HandId(3)) == {ASHA: HT, BELA: HT}
