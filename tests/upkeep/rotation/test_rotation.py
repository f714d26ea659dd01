"""New keys for a house: hands go on, records hold, and a broken rotation stops no start."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.database import Database, HandId, Transaction
from server.errors import Fault
from server.fairness import log, rotations
from server.fairness.entries import KeyRole
from server.fairness.seal import Sealer
from server.tables.host import TableHost
from server.tables.record import record_of
from server.tables.work import Parts
from server.upkeep import holding, rotation
from server.upkeep.key_files import FILES, demand_files
from server.upkeep.rotation import NEW, rotate, settle
from server.verify import verify_record
from server.verify.log_keys import KeysInForce
from server.verify.log_rules import LogRules
from tests.conftest import execute
from tests.tables.conftest import NewPlayer, OpenTable, make_host
from tests.tables.policies import Turns
from tests.tables.sessions import assert_ledger_holds, seated, stop_all
from tests.tables.test_recovery import take_over
from tests.upkeep.rotation.conftest import ORIGIN, parts_of

ROLES = list(KeyRole)


async def rotate_all(database: Database, home: Path) -> None:
    for role in ROLES:
        await rotate(database, home, role, origin=ORIGIN)


async def rules_over(database: Database, first: Parts) -> LogRules:
    """Follow the whole log from the keys that it began with."""
    rules = LogRules(
        KeysInForce(server_pub=first.signer.public, log_pub=first.log_signer.key.public)
    )

    async def work(tx: Transaction) -> list[bytes]:
        return await log.entries(tx, 0, 10_000)

    for index, entry in enumerate(await database.run(work)):
        rules.take(index, entry)
    rules.end()
    return rules


async def test_a_hand_goes_on_over_the_rotation_of_all_three_keys_and_so_does_the_next(
    database: Database,
    home: Path,
    parts: Parts,
    host: TableHost,
    open_table: OpenTable,
    new_player: NewPlayer,
) -> None:
    table = await open_table(seats=4)
    programs = await seated(host, table, new_player, *(Turns(2) for _ in range(4)))
    await programs[0].until("drawn", 3, timeout_s=30)
    await host.stop()
    await rotate_all(database, home)
    now = parts_of(home)
    assert now.signer.public != parts.signer.public
    again = await take_over(database, now, programs)
    closed = [await programs[0].until("hand.closed", count, timeout_s=90) for count in (1, 2)]
    await stop_all(programs)
    await again.stop()
    for end, signer in zip(closed, (parts.signer, now.signer), strict=True):
        hand = HandId(int(end["hand_id"]))
        async with database.transaction() as tx:
            body = await record_of(tx, hand, now)
        report = verify_record(body, signer.public, log_key=now.log_signer.key)
        assert report.exit_code == 0, report.text()
    rules = await rules_over(database, parts)
    assert rules.problems == []
    assert rules.counts["rotated"] == 3
    assert rules.keys.server_pub == now.signer.public
    assert rules.keys.log_pub == now.log_signer.key.public
    assert rules.keys.sealing == now.sealer.name
    await assert_ledger_holds(database)


async def test_open_seeds_are_sealed_anew_and_open_without_the_old_key(
    database: Database, home: Path, host: TableHost, open_table: OpenTable
) -> None:
    await open_table(seats=4)
    await host.stop()
    rotated = await rotate(database, home, KeyRole.SEALING, origin=ORIGIN)
    assert rotated.seeds == 4
    for path in home.glob("sealing.*.key"):
        path.unlink()
    again = make_host(database, parts_of(home), owner="two")
    await again.start()
    assert len(again.summaries()) == 1
    await again.stop()


async def test_nothing_else_of_a_seed_can_be_changed(
    database: Database, database_url: str, host: TableHost, open_table: OpenTable
) -> None:
    await open_table(seats=4)
    for change in ("set commit = sealed", "set hand_no = 7"):
        with pytest.raises(Exception, match="append-only"):
            execute(database_url, f"update fairness.seed {change}")


async def test_keys_are_not_changed_while_a_server_holds_tables(
    database: Database, home: Path, host: TableHost, open_table: OpenTable
) -> None:
    await open_table(seats=4)
    before = sorted(path.name for path in home.iterdir())
    with pytest.raises(Fault, match="stop it"):
        await rotate(database, home, KeyRole.LOG, origin=ORIGIN)
    await host.stop()
    await database.run(lambda tx: settle(tx, home))
    assert sorted(path.name for path in home.iterdir()) == before


def test_a_house_is_held_by_servers_or_by_one_who_changes_its_keys(home: Path) -> None:
    with holding.beside_others(home), holding.beside_others(home):
        with pytest.raises(Fault, match="server runs"), holding.alone(home):
            pass
        with holding.alone_if_free(home) as is_ours:
            assert not is_ours
    with holding.alone(home), pytest.raises(Fault), holding.beside_others(home):
        pass
    with holding.alone(home):
        pass


# --- interrupted


class Killed(BaseException):
    """The process ends here."""


def dies(*_: object, **__: object) -> None:
    raise Killed


def before_the_commit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rotation, "_hand_over", dies)


def within_the_transaction(patch: pytest.MonkeyPatch) -> None:
    real = rotations.append

    async def append(*given: Any, **named: Any) -> None:
        await real(*given, **named)
        raise Killed

    patch.setattr(rotations, "append", append)


def after_the_commit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rotation, "_put_in_place", dies)


def between_the_files(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Path, "replace", dies)


STEPS: dict[Callable[[pytest.MonkeyPatch], None], bool] = {
    before_the_commit: False,
    within_the_transaction: False,
    after_the_commit: True,
    between_the_files: True,
}
"""Where it dies, and whether the new key is then in force."""


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
async def test_a_rotation_that_dies_leaves_a_house_that_starts_and_can_be_rotated_again(
    database: Database,
    home: Path,
    parts: Parts,
    host: TableHost,
    open_table: OpenTable,
    monkeypatch: pytest.MonkeyPatch,
    role: KeyRole,
    step: Callable[[pytest.MonkeyPatch], None],
) -> None:
    await open_table(seats=4)
    await host.stop()
    old = (home / FILES[role]).read_bytes()
    with monkeypatch.context() as patch:
        step(patch)
        with pytest.raises(Killed):
            await rotate(database, home, role, origin=ORIGIN)
    fresh = (home / (FILES[role] + NEW)).read_bytes()
    await database.run(lambda tx: settle(tx, home))
    assert (home / FILES[role]).read_bytes() == (fresh if STEPS[step] else old)
    assert not (home / (FILES[role] + NEW)).exists()
    again = make_host(database, parts_of(home), owner="two")
    await again.start()
    assert len(again.summaries()) == 1
    await again.stop()
    await rotate(database, home, role, origin=ORIGIN)
    rules = await rules_over(database, parts)
    assert (rules.problems, rules.counts["rotated"]) == ([], 2 if STEPS[step] else 1)


@pytest.mark.parametrize("role", ROLES)
async def test_a_key_that_the_log_did_not_hand_over_to_stops_the_start(
    database: Database, home: Path, host: TableHost, open_table: OpenTable, role: KeyRole
) -> None:
    await open_table(seats=4)
    await host.stop()
    old = (home / FILES[role]).read_bytes()
    await rotate(database, home, role, origin=ORIGIN)
    for wrong in (old, bytes(range(32))):  # an old backup; a key that was made anew
        (home / FILES[role]).write_bytes(wrong)
        with pytest.raises(Fault, match=rf"{role}\.key .* handed over"):
            await make_host(database, parts_of(home), owner="two").start()
        with pytest.raises(Fault, match=rf"{role}\.key .* handed over"):
            await rotate(database, home, role, origin=ORIGIN)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("wrong", ROLES)
async def test_a_key_that_was_never_the_house_s_own_is_not_handed_over_from(
    database: Database,
    home: Path,
    host: TableHost,
    open_table: OpenTable,
    role: KeyRole,
    wrong: KeyRole,
) -> None:
    await open_table(seats=4)
    await host.stop()
    size = await database.run(log.size)
    (home / FILES[wrong]).write_bytes(bytes(range(32)))
    before = sorted(path.name for path in home.iterdir())
    with pytest.raises(Fault, match=rf"{wrong}\.key in PAKKA_HOME is not the key"):
        await rotate(database, home, role, origin=ORIGIN)
    assert sorted(path.name for path in home.iterdir()) == before
    assert await database.run(log.size) == size


async def test_a_signing_key_that_signed_seals_alone_is_known_by_the_last_of_them(
    database: Database, database_url: str, home: Path, parts: Parts
) -> None:
    with_another = parts_of(home).signer.public[::-1].hex()
    execute(
        database_url,
        "insert into ledger.seal (seq, xid_from, xid_to, entries, postings, holds, outcomes, root,"
        " prev_hash, seal_hash, server_pub, signature) select 1, 0, 1, 1, 2, 0, 0, z, z, z,"
        f" decode('{with_another}', 'hex'), z || z"
        " from (select decode(repeat('00', 32), 'hex') as z) t",
    )
    with pytest.raises(Fault, match=r"signing\.key .* seal 1"):
        await rotate(database, home, KeyRole.SIGNING, origin=ORIGIN)
    assert await database.run(log.size) == 0


@pytest.mark.parametrize("role", ROLES)
async def test_a_key_that_a_played_house_misses_is_named_and_never_made(
    database: Database, home: Path, host: TableHost, open_table: OpenTable, role: KeyRole
) -> None:
    await open_table(seats=4)
    await host.stop()
    (home / FILES[role]).unlink()
    before = sorted(path.name for path in home.iterdir())
    for other in ROLES:
        with pytest.raises(Fault, match=rf"{role}\.key is missing"):
            await rotate(database, home, other, origin=ORIGIN)
    with pytest.raises(Fault, match=rf"{role}\.key is missing"):
        await database.run(lambda tx: demand_files(tx, home))
    assert sorted(path.name for path in home.iterdir()) == before


async def test_a_house_without_its_keys_has_none_to_replace(
    database: Database, tmp_path: Path
) -> None:
    with pytest.raises(Fault, match="made at the first start"):
        await rotate(database, tmp_path, KeyRole.LOG, origin=ORIGIN)
    assert list(tmp_path.iterdir()) == []


def test_what_a_command_was_marked_by_is_found_under_the_old_keys_too() -> None:
    old, digest = Sealer(bytes(32)), bytes(range(32))
    new = old.with_new(bytes(range(1, 33)))
    assert new.mark(digest) != old.mark(digest)
    assert new.old_marks(digest) == (old.mark(digest),)
    assert new.name != old.name
