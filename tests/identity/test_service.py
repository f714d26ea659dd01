"""Players: guests, accounts, sign-ins, their end."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import asyncpg
import pytest
from argon2 import PasswordHasher
from sqlalchemy import text

from server.cards.game import SeatKind
from server.database import Database, PlayerId
from server.errors import Refusal
from server.identity import passwords, service, sign_ins

PASSWORD = "correct horse"


async def refused(work: Coroutine[Any, Any, Any]) -> str:
    """Run what must be refused and return the code."""
    with pytest.raises(Refusal) as caught:
        await work
    return caught.value.code


async def account(database: Database, name: str = "Asha") -> service.SignedIn:
    """Sign somebody up."""
    async with database.transaction() as tx:
        return await service.sign_up(tx, name=name, password=PASSWORD)


async def test_a_guest_has_a_number_behind_the_name_and_a_token(database: Database) -> None:
    async with database.transaction() as tx:
        one = await service.create_guest(tx, "Asha")
        two = await service.create_guest(tx, "Asha")
    assert one.player.name.startswith("Asha#")
    assert one.player.name != two.player.name
    assert one.player.is_guest
    assert one.player.kind is SeatKind.HUMAN
    async with database.transaction() as tx:
        assert await service.player_of_token(tx, one.token) == one.player


async def test_a_token_is_not_kept_as_such(database: Database, database_url: str) -> None:
    signed = await account(database)
    owner = await asyncpg.connect(database_url)
    for table in ("player", "credential", "session"):
        rows = await owner.fetch(f"select t::text from identity.{table} t")
        assert all(signed.token not in row[0] and PASSWORD not in row[0] for row in rows)
    await owner.close()
    assert len(signed.token) == 43


async def test_an_account_signs_in_by_its_name_in_any_case(database: Database) -> None:
    signed = await account(database)
    async with database.transaction() as tx:
        again = await service.sign_in(tx, name=" aSHA ", password=PASSWORD)
        assert again.player == signed.player
        assert again.token != signed.token
        assert len(await sign_ins.sessions(tx, signed.player.id)) == 2


async def test_a_name_is_taken_once_whatever_its_case(database: Database) -> None:
    await account(database)
    assert await refused(account(database, "ASHA")) == "name_taken"


async def test_two_at_once_do_not_get_the_same_name(database: Database) -> None:
    results = await asyncio.gather(
        *(account(database, "Asha") for _ in range(4)), return_exceptions=True
    )
    codes = [result.code for result in results if isinstance(result, Refusal)]
    assert codes == ["name_taken"] * 3


async def test_a_wrong_password_and_an_unknown_name_are_refused_alike(database: Database) -> None:
    await account(database)

    async def cost(name: str) -> tuple[str, float]:
        async with database.transaction() as tx:
            began = time.perf_counter()
            code = await refused(service.sign_in(tx, name=name, password="wrong password"))
            return code, time.perf_counter() - began

    known, unknown = [], []
    for _ in range(6):  # the shortest of them: a busy machine makes any one longer, none shorter
        known.append(await cost("Asha"))
        unknown.append(await cost("nobody at all"))
    assert {code for code, _ in known + unknown} == {"bad_credentials"}
    assert min(took for _, took in unknown) > min(took for _, took in known) / 4


@pytest.mark.parametrize("password", ["short", "x" * 129, "half \ud800 pair"])
async def test_a_bad_password_is_refused(database: Database, password: str) -> None:
    async with database.transaction() as tx:
        assert await refused(service.sign_up(tx, name="Asha", password=password)) == "bad_password"
        code = await refused(service.sign_in(tx, name="Asha", password=password))
        assert code == "bad_credentials"


async def test_a_longer_password_than_the_longest_is_not_cut(database: Database) -> None:
    async with database.transaction() as tx:
        await service.sign_up(tx, name="Asha", password="x" * 128)
        code = await refused(service.sign_in(tx, name="Asha", password="x" * 129))
    assert code == "bad_credentials"


async def test_an_old_hash_is_replaced_at_the_next_sign_in(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with monkeypatch.context() as patched:
        patched.setattr(passwords, "_hasher", cheap)
        await account(database)
    async with database.transaction() as tx:
        await service.sign_in(tx, name="Asha", password=PASSWORD)
        kept = (
            await tx.execute(text("select password_hash from identity.credential"))
        ).scalar_one()
    assert not passwords.is_outdated(kept)


async def test_a_guest_becomes_an_account_and_stays_the_same_player(database: Database) -> None:
    async with database.transaction() as tx:
        guest = await service.create_guest(tx, "Asha")
        signed = await service.sign_up(tx, name="Asha", password=PASSWORD, guest=guest.player.id)
        again = service.sign_up(tx, name="Bela", password=PASSWORD, guest=guest.player.id)
        assert await refused(again) == "not_a_guest"
    assert signed.player.id == guest.player.id
    assert signed.player.name == "Asha"
    assert not signed.player.is_guest


async def test_a_guest_can_not_take_a_taken_name(database: Database) -> None:
    await account(database)
    async with database.transaction() as tx:
        guest = await service.create_guest(tx, "Bela")

    async def promote() -> None:
        async with database.transaction() as tx:
            await service.sign_up(tx, name="ASHA", password=PASSWORD, guest=guest.player.id)

    assert await refused(promote()) == "name_taken"
    async with database.transaction() as tx:
        assert (await service.get_player(tx, guest.player.id)).is_guest


async def _sign_out(database: Database, signed: service.SignedIn) -> None:
    async with database.transaction() as tx:
        await service.sign_out(tx, signed.token)


async def _end_session(database: Database, signed: service.SignedIn) -> None:
    async with database.transaction() as tx:
        session = (await sign_ins.sessions(tx, signed.player.id))[0]
        await sign_ins.end_session(tx, signed.player.id, session.id)


async def _change_password(database: Database, signed: service.SignedIn) -> None:
    async with database.transaction() as tx:
        await service.change_password(tx, signed.player.id, old=PASSWORD, new="another one")
        await service.sign_in(tx, name="Asha", password="another one")


async def _delete(database: Database, signed: service.SignedIn) -> None:
    async with database.transaction() as tx:
        await service.delete_account(tx, signed.player.id)


async def _suspend(database: Database, signed: service.SignedIn) -> None:
    async with database.transaction() as tx:
        await service.suspend(tx, signed.player.id, suspended=True)


@pytest.mark.parametrize("end", [_sign_out, _end_session, _change_password, _delete, _suspend])
async def test_a_token_ends(
    database: Database,
    end: Callable[[Database, service.SignedIn], Coroutine[Any, Any, None]],
) -> None:
    signed = await account(database)
    await end(database, signed)
    async with database.transaction() as tx:
        assert await refused(service.player_of_token(tx, signed.token)) == "not_signed_in"


async def test_a_token_ends_by_itself(database: Database, database_url: str) -> None:
    signed = await account(database)
    owner = await asyncpg.connect(database_url)
    await owner.execute("update identity.session set expires_at = now() - interval '31 days'")
    await owner.close()
    async with database.transaction() as tx:
        assert await refused(service.player_of_token(tx, signed.token)) == "not_signed_in"
        assert await service.forget_old(tx, days=30) == 1


async def test_nobody_ends_another_s_session(database: Database) -> None:
    asha, bela = await account(database, "Asha"), await account(database, "Bela")
    async with database.transaction() as tx:
        session = (await sign_ins.sessions(tx, asha.player.id))[0]
        code = await refused(sign_ins.end_session(tx, bela.player.id, session.id))
        assert code == "unknown_session"
        assert await service.player_of_token(tx, asha.token) == asha.player


async def test_a_suspended_player_can_not_sign_in_until_it_is_over(database: Database) -> None:
    signed = await account(database)
    await _suspend(database, signed)
    async with database.transaction() as tx:
        assert await refused(service.sign_in(tx, name="Asha", password=PASSWORD)) == "suspended"
        await service.suspend(tx, signed.player.id, suspended=False)
        await service.sign_in(tx, name="Asha", password=PASSWORD)


async def test_a_deleted_account_leaves_no_name_and_keeps_its_number(
    database: Database, database_url: str
) -> None:
    signed = await account(database)
    await _delete(database, signed)
    async with database.transaction() as tx:
        gone = await service.get_player(tx, signed.player.id)
        assert gone.is_deleted
        code = await refused(service.sign_in(tx, name="Asha", password=PASSWORD))
        assert code == "bad_credentials"
    owner = await asyncpg.connect(database_url)
    rows = await owner.fetch("select p::text from identity.player p")
    assert all("asha" not in row[0].lower() for row in rows)
    await owner.close()
    assert (await account(database, "Asha")).player.id != signed.player.id


async def test_a_bot_is_found_again_by_its_name_and_is_marked(database: Database) -> None:
    await account(database, "Bot Asha")
    async with database.transaction() as tx:
        one = await service.bot_named(tx, "Bot Asha")
        two = await service.bot_named(tx, "bot asha")
        other = await service.bot_named(tx, "Bot Asha 2")
    assert one.player == two.player
    assert one.player.kind is SeatKind.BOT
    assert other.player.id != one.player.id


async def test_players_are_listed_in_pages_and_by_the_beginning_of_a_name(
    database: Database,
) -> None:
    made = [(await account(database, name)).player.id for name in ("Asha", "Bela", "A%a", "Asa")]
    async with database.transaction() as tx:
        first = await service.players(tx, limit=3)
        rest = await service.players(tx, after=first[-1].id, limit=3)
        assert [player.id for player in first + rest] == made
        assert [player.name for player in await service.players(tx, prefix="AS")] == ["Asha", "Asa"]
        assert [player.name for player in await service.players(tx, prefix="a%")] == ["A%a"]


async def test_an_unknown_player_is_refused(database: Database) -> None:
    nobody = PlayerId(999)
    async with database.transaction() as tx:
        for work in (
            service.get_player(tx, nobody),
            service.suspend(tx, nobody, suspended=True),
            service.delete_account(tx, nobody),
            service.sign_up(tx, name="Asha", password=PASSWORD, guest=nobody),
        ):
            assert await refused(work) == "unknown_player"
