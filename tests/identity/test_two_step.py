"""The operators' second step: codes are good once, at their time, for their operator alone."""

import asyncio
import secrets

import pyotp
import pytest
from sqlalchemy import text

from server.database import Database, Transaction, now_ms
from server.errors import Fault, Refusal
from server.fairness.seal import Sealer
from server.identity import operators, two_step
from server.identity.operators import Operator, Role
from server.identity.two_step import SecretBox
from tests.identity.test_service import refused

STEP_S = 30
ACTOR = "cli:test"
SEALER = Sealer(secrets.token_bytes(32))
BOX = SecretBox.of(SEALER)


async def code_of(tx: Transaction, secret: str, *, steps: int = 0) -> str:
    """Show what the app shows, `steps` steps of time from now by the database's clock."""
    return pyotp.TOTP(secret).at(await now_ms(tx) // 1_000 + steps * STEP_S)


async def codes_around(tx: Transaction, secret: str, steps: int = 5) -> set[str]:
    """List what the app shows a while before and after now: more than what is good."""
    return {await code_of(tx, secret, steps=step) for step in range(-steps, steps + 1)}


async def secret_for(tx: Transaction) -> str:
    """Make a secret of which no code comes twice in these tests, as one in a million does."""
    far = (-101, -100, -99, 99, 100, 101)
    while True:
        secret = two_step.new_secret()
        codes = await codes_around(tx, secret)
        codes |= {await code_of(tx, secret, steps=step) for step in far}
        if len(codes) == 11 + len(far):
            return secret


async def made(tx: Transaction, name: str = "Meera") -> Operator:
    return (await operators.create_operator(tx, name=name, role=Role.ADMIN))[0]


async def enrolled(tx: Transaction, name: str = "Meera") -> tuple[Operator, str, list[str]]:
    """Make an operator who has enrolled long ago: (it, secret, recovery codes)."""
    operator, secret = await made(tx, name), await secret_for(tx)
    code = await code_of(tx, secret)
    codes = await two_step.enrol(tx, operator, secret, code, box=BOX, actor=ACTOR)
    await tx.execute(text("update identity.second_step set last_step = 0"))
    return operator, secret, codes


async def let_in(tx: Transaction, who: Operator, code: str | None, *, of_all: bool = False) -> None:
    await two_step.demand_code(tx, who, code, box=BOX, of_all=of_all)


async def test_who_has_not_enrolled_needs_no_code_unless_all_do(database: Database) -> None:
    async with database.transaction() as tx:
        operator = await made(tx)
        await let_in(tx, operator, None)
        await let_in(tx, operator, "123456")
        assert await refused(let_in(tx, operator, None, of_all=True)) == "two_step_needed"


async def test_a_code_lets_in_once_and_none_before_it_does_any_more(database: Database) -> None:
    async with database.transaction() as tx:
        operator, secret, _ = await enrolled(tx)
        assert await refused(let_in(tx, operator, None)) == "code_needed"
        later, now = await code_of(tx, secret, steps=1), await code_of(tx, secret)
        await let_in(tx, operator, f"{later[:3]} {later[3:]}")
        for code in (later, now):
            assert await refused(let_in(tx, operator, code)) == "bad_code"


async def test_the_code_of_the_enrolment_does_not_sign_in(database: Database) -> None:
    async with database.transaction() as tx:
        operator, secret = await made(tx), await secret_for(tx)
        code = await code_of(tx, secret)
        await two_step.enrol(tx, operator, secret, code, box=BOX, actor=ACTOR)
        assert await refused(let_in(tx, operator, code)) == "bad_code"


@pytest.mark.parametrize("steps", [-100, -3, 3, 100])
async def test_a_code_of_another_time_is_refused(database: Database, steps: int) -> None:
    async with database.transaction() as tx:
        operator, secret, _ = await enrolled(tx)
        code = await code_of(tx, secret, steps=steps)
        assert await refused(let_in(tx, operator, code)) == "bad_code"


@pytest.mark.parametrize(
    "code", ["", "000", "0000000", "١٢٣٤٥٦", "ABCDEF", "x" * 40, "\x00", "²²²²²²"]
)
async def test_what_is_no_code_is_refused(database: Database, code: str) -> None:
    async with database.transaction() as tx:
        operator, _, _ = await enrolled(tx)
        assert await refused(let_in(tx, operator, code)) == "bad_code"


async def test_one_of_many_who_use_a_code_at_once_gets_in(database: Database) -> None:
    async with database.transaction() as tx:
        operator, secret, _ = await enrolled(tx)
        code = await code_of(tx, secret, steps=1)

    async def use() -> str:
        try:
            async with database.transaction() as tx:
                await let_in(tx, operator, code)
        except Refusal as refusal:
            return refusal.code
        return "in"

    assert sorted(await asyncio.gather(*(use() for _ in range(5)))) == ["bad_code"] * 4 + ["in"]


async def test_a_recovery_code_lets_in_once_and_only_its_operator(database: Database) -> None:
    async with database.transaction() as tx:
        operator, _, codes = await enrolled(tx)
        other, _, _ = await enrolled(tx, "Ravi")
        assert len(set(codes)) == two_step.RECOVERY_CODES
        assert await refused(let_in(tx, other, codes[0])) == "bad_code"
        await let_in(tx, operator, codes[0])
        await let_in(tx, operator, codes[1].upper().replace("-", " "))
        for code in codes[:2]:
            assert await refused(let_in(tx, operator, code)) == "bad_code"
        acts = await operators.acts(tx, subject=f"operator:{operator.id}")
        assert [(act.operator, act.reason) for act in acts] == [
            ("Meera", "signed in by a recovery code"),
            ("Meera", "signed in by a recovery code"),
            (ACTOR, "second step enrolled"),
        ]


async def test_who_enrols_again_or_is_let_off_loses_the_old_codes_and_every_sign_in(
    database: Database,
) -> None:
    async with database.transaction() as tx:
        operator, secret, codes = await enrolled(tx)
        _, link = await operators.create_operator(tx, name="Meera", role=Role.ADMIN)
        _, token = await operators.operator_sign_in_by_link(tx, link)
        _, fresh, _ = await enrolled(tx)
        old = await codes_around(tx, secret, 1) - await codes_around(tx, fresh)
        assert await refused(operators.operator_of_token(tx, token)) == "not_signed_in"
        for code in (codes[0], *old):
            assert await refused(let_in(tx, operator, code)) == "bad_code"
        assert await two_step.disable(tx, operator, actor=ACTOR, reason="the phone is lost")
        assert not await two_step.disable(tx, operator, actor=ACTOR, reason="again")
        await let_in(tx, operator, None)
        acts = await operators.acts(tx, subject=f"operator:{operator.id}")
        assert (acts[0].act, acts[0].reason) == ("operator.two_step_off", "the phone is lost")
        assert len(acts) == 3


async def test_a_wrong_code_enrols_nobody(database: Database) -> None:
    async with database.transaction() as tx:
        operator, secret = await made(tx), await secret_for(tx)
        others = await codes_around(tx, two_step.new_secret()) - await codes_around(tx, secret)
        for code in (await code_of(tx, secret, steps=-5), "x", *others):
            work = two_step.enrol(tx, operator, secret, code, box=BOX, actor=ACTOR)
            assert await refused(work) == "bad_code"
        await let_in(tx, operator, None)


async def test_five_codes_end_a_link_whether_or_not_the_tries_were_rolled_back(
    database: Database,
) -> None:
    async with database.transaction() as tx:
        _, link = await operators.create_operator(tx, name="Meera", role=Role.ADMIN)
    for _ in range(operators.TRIES_MAX):
        async with database.transaction() as tx:
            await two_step.count_try(tx, link)
    async with database.transaction() as tx:
        await operators.operator_sign_in_by_link(tx, link)
        await tx.rollback()
    async with database.transaction() as tx:
        for _ in range(2):
            await two_step.count_try(tx, link)
        assert await refused(operators.operator_sign_in_by_link(tx, link)) == "bad_link"


async def test_neither_secret_nor_recovery_code_is_in_the_database(database: Database) -> None:
    async with database.transaction() as tx:
        _, secret, codes = await enrolled(tx)
        rows = [
            str(row)
            for table in ("second_step", "recovery_code", "act", "sign_in_link")
            for row in await tx.execute(text(f"select * from identity.{table}"))
        ]
    assert len(rows) >= two_step.RECOVERY_CODES + 3
    for hidden in (secret, *codes, *(code.replace("-", "") for code in codes)):
        assert not any(hidden in row for row in rows)


async def test_a_sealed_secret_opens_for_its_operator_and_by_the_houses_keys_alone() -> None:
    sealed = BOX.seal("SECRET", operator_id=1)
    assert BOX.open(sealed, operator_id=1) == "SECRET"
    assert sealed != BOX.seal("SECRET", operator_id=1)
    for box, operator_id in ((BOX, 2), (SecretBox.of(Sealer(bytes(32))), 1)):
        with pytest.raises(Fault, match="does not open"):
            box.open(sealed, operator_id=operator_id)
    assert "key" not in repr(BOX)


async def test_a_rotated_sealing_key_seals_every_secret_anew(database: Database) -> None:
    fresh = secrets.token_bytes(32)
    async with database.transaction() as tx:
        operator, secret, _ = await enrolled(tx)
        await enrolled(tx, "Ravi")
        rotated = SecretBox.of(SEALER.with_new(fresh))
        await two_step.demand_code(
            tx, operator, await code_of(tx, secret), box=rotated, of_all=False
        )
        assert await two_step.seal_anew(tx, rotated) == 2
        alone = SecretBox.of(Sealer(fresh))
        code = await code_of(tx, secret, steps=1)
        await two_step.demand_code(tx, operator, code, box=alone, of_all=False)
        with pytest.raises(Fault, match="does not open"):
            await let_in(tx, operator, code)
