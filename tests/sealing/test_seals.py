"""Seals: all that was written, once, in the order of transactions, chained, signed and logged."""

import secrets
from contextlib import suppress

import asyncpg
import pytest
from sqlalchemy import text

from server.database import Database
from server.fairness import log
from server.fairness.encoding import ZERO_HASH
from server.fairness.entries import SEAL_ROLE, seal_hash
from server.fairness.merkle import root
from server.fairness.signing import SigningKey, is_signed
from server.ledger import seals
from server.ledger.audit import Invariant
from server.ledger.seals import Seal
from server.sealing.check import CHAIN, LOGGED, RECOMPUTES, SIGNED, check_seals
from server.sealing.leaves import fields_of, leaves_of
from server.sealing.sealer import entry_of_seal, seal_all, seal_next
from tests.ledger.house import HT, as_owner, hold, issue, open_accounts, people, settle, void

ASHA, BELA, CHAND = people(3)


@pytest.fixture
def signer() -> SigningKey:
    return SigningKey(secrets.token_bytes(32))


@pytest.fixture
async def sealed(database: Database, signer: SigningKey) -> Database:
    """Three seals: newcomers with a hand; a void and an issue; a hand that is held."""
    await open_accounts(database, [ASHA, BELA, CHAND])
    await hold(database, 1, [ASHA, BELA, CHAND])
    await settle(database, 1, ASHA, {BELA: 80 * HT, CHAND: 20 * HT})
    assert await seal_all(database, signer) == 1
    await hold(database, 2, [ASHA, BELA])
    await void(database, 2)
    await issue(database, CHAND, 5 * HT)
    assert await seal_all(database, signer) == 1
    await hold(database, 3, [ASHA, BELA])
    assert await seal_all(database, signer) == 1
    return database


async def all_seals(database: Database) -> list[Seal]:
    async with database.transaction() as tx:
        return await seals.seals_after(tx, 0, 100)


async def wrong(database: Database, signer: SigningKey) -> dict[str, dict[str, int]]:
    """Name the invariants of seals that don't hold, with the figures that say so."""
    async with database.transaction() as tx:
        return wrong_of(await check_seals(tx, [signer.public]))


def wrong_of(found: list[Invariant]) -> dict[str, dict[str, int]]:
    """As `wrong`, of invariants that were checked."""
    return {
        one.name: {key: figure for key, figure in one.figures.items() if figure and "wrong" in key}
        for one in found
        if not one.holds
    }


async def test_seals_are_a_chain_over_everything_that_was_written(
    sealed: Database, signer: SigningKey
) -> None:
    found = await all_seals(sealed)
    assert [seal.counts for seal in found] == [(4, 16, 1, 1), (1, 2, 1, 1), (0, 0, 1, 0)]
    before = None
    for seal in found:
        assert seal.xid_from == (0 if before is None else before.xid_to)
        assert seal.prev_hash == (ZERO_HASH if before is None else before.seal_hash)
        assert seal.seal_hash == seal_hash(**fields_of(seal))
        assert is_signed(signer.public, SEAL_ROLE, seal.seal_hash, seal.signature)
        async with sealed.transaction() as tx:
            written = await seals.written(tx, seal.xid_from, seal.xid_to)
            assert await log.find(tx, entry_of_seal(seal)) is not None
        assert root(leaves_of(written)) == seal.root
        before = seal
    assert await wrong(sealed, signer) == {}


async def test_nothing_new_makes_no_seal(sealed: Database, signer: SigningKey) -> None:
    assert await seal_all(sealed, signer) == 0
    assert len(await all_seals(sealed)) == 3


async def test_what_commits_late_is_sealed_later_and_never_missed(
    database: Database, database_url: str, signer: SigningKey
) -> None:
    """The entry with the lower id commits after the higher one was written."""
    await open_accounts(database, [ASHA, BELA])
    late = await asyncpg.connect(database_url)
    work = late.transaction()
    await work.start()
    await late.execute(
        "select ledger.transfer('late', 2::smallint, 3, 1000, 7, 'late', 'Meera', null)"
    )
    await issue(database, BELA, 5 * HT)
    await seal_all(database, signer)
    assert [seal.entries for seal in await all_seals(database)] == [2]
    await work.commit()
    await late.close()
    await seal_all(database, signer)
    assert [seal.entries for seal in await all_seals(database)] == [2, 2]
    assert await wrong(database, signer) == {}


async def test_a_long_tail_takes_several_seals_of_whole_transactions(
    database: Database, signer: SigningKey
) -> None:
    await open_accounts(database, [ASHA, BELA, CHAND])
    for number in range(7):
        await issue(database, ASHA, HT, key=str(number))
    assert await seal_all(database, signer, limit=2) == 5
    assert [seal.entries for seal in await all_seals(database)] == [3, 2, 2, 2, 1]
    assert await wrong(database, signer) == {}


async def test_only_one_seals_at_a_time(database: Database, signer: SigningKey) -> None:
    await open_accounts(database, [ASHA])
    async with database.transaction() as one, database.transaction() as two:
        assert await seal_next(one, signer) is not None
        assert await seal_next(two, signer) is None


async def test_a_seal_that_does_not_go_on_is_refused_by_the_database(
    sealed: Database, signer: SigningKey
) -> None:
    """Another ledger had a hash chain that forked, and was never verified."""
    last = (await all_seals(sealed))[-1]
    for change in (
        {"seq": last.seq},
        {"seq": last.seq + 2},
        {"xid_from": last.xid_from},
        {"prev_hash": last.prev_hash},
        {"xid_to": 2**60},
    ):
        fork = {
            "seq": last.seq + 1,
            "xid_from": last.xid_to,
            "xid_to": last.xid_to + 1,
            "entries": 1,
            "postings": 2,
            "holds": 0,
            "outcomes": 0,
            "root": bytes(32),
            "prev_hash": last.seal_hash,
            "seal_hash": secrets.token_bytes(32),
            "server_pub": signer.public,
            "signature": bytes(64),
        } | change
        with pytest.raises(Exception, match="does not go on"):
            async with sealed.transaction() as tx:
                await seals.append(tx, Seal(**fork))  # type: ignore[arg-type]


async def test_ids_go_on_where_another_cluster_counts_from_the_beginning(
    sealed: Database, database_url: str, signer: SigningKey
) -> None:
    """As after a restore: everything was written by transactions that are far ahead of ours."""
    await as_owner(database_url, "update ledger.xid_base set base = 1000000000")
    await issue(sealed, ASHA, HT, key="far ahead")
    await seal_all(sealed, signer)
    await as_owner(database_url, "update ledger.xid_base set base = 0")
    async with sealed.transaction() as tx:
        await seals.continue_xids(tx)
    await issue(sealed, ASHA, HT, key="after it")
    assert await seal_all(sealed, signer) == 1
    assert [seal.entries for seal in await all_seals(sealed)] == [4, 1, 0, 1, 1]
    assert await wrong(sealed, signer) == {}


async def test_ids_that_go_on_anyway_are_left_alone(sealed: Database, database_url: str) -> None:
    async with sealed.transaction() as tx:
        await seals.continue_xids(tx)
    assert (await as_owner(database_url, "select base from ledger.xid_base"))[0]["base"] == 0


# as its owner, with the triggers switched off; which invariant, and the first seal that it names
NEVER = ("-5", "4611686018427387904")
"""Ids that no transaction has: what bears one lies under no seal, and in no tail."""

TAMPERING = [
    *((f"update ledger.{table} set xid = {xid}", RECOMPUTES, 1)
      for table in ("journal", "hand_hold", "hold_resolution") for xid in NEVER),
    *((f"insert into ledger.journal (id, kind, n_postings, reason, actor, xid)"
       f" values (99, 2, 2, 'x', 'x', {xid})", RECOMPUTES, 0) for xid in NEVER),
    *((f"insert into ledger.hand_hold (hand_id, table_id, practice, n_seats, total, commission_bps,"
       f" house_id, request_hash, expires_at, created_at, xid) select 99, table_id, practice,"
       f" n_seats, total, commission_bps, house_id, request_hash, expires_at, created_at, {xid}"
       f" from ledger.hand_hold limit 1", RECOMPUTES, 0) for xid in NEVER),
    ("update ledger.journal set reason = 'x' where id = 1", RECOMPUTES, 1),
    ("update ledger.journal set actor = 'x' where id = 1", RECOMPUTES, 1),
    ("update ledger.journal set created_at = created_at + interval '1 us' where id = 4",
     RECOMPUTES, 1),
    ("update ledger.journal set gross = gross + 1 where id = 4", RECOMPUTES, 1),
    ("delete from ledger.journal where id = 5", RECOMPUTES, 2),
    ("insert into ledger.journal (id, kind, n_postings, reason, actor, xid)"
     " select 99, 2, 2, 'x', 'x', xid_from from ledger.seal where seq = 2", RECOMPUTES, 2),
    ("update ledger.journal set xid = (select xid from ledger.journal where id = 5) where id = 4",
     RECOMPUTES, 1),
    ("update ledger.posting set amount = amount + 1 where journal_id = 5 and line = 1",
     RECOMPUTES, 2),
    ("update ledger.posting set balance_after = 1 where journal_id = 5 and line = 2",
     RECOMPUTES, 2),
    ("update ledger.posting set account_id = 1001 where journal_id = 5 and line = 2",
     RECOMPUTES, 2),
    ("delete from ledger.posting where journal_id = 4 and line = 1", RECOMPUTES, 1),
    ("insert into ledger.posting values (4, 9, 1000, 0)", RECOMPUTES, 1),
    ("update ledger.hold set amount = 1 where hand_id = 3 and account_id = 1000", RECOMPUTES, 3),
    ("delete from ledger.hold where hand_id = 2", RECOMPUTES, 2),
    ("insert into ledger.hold values (2, 1002, 1)", RECOMPUTES, 2),
    ("update ledger.hand_hold set commission_bps = 1 where hand_id = 3", RECOMPUTES, 3),
    ("delete from ledger.hand_hold where hand_id = 1", RECOMPUTES, 1),
    ("update ledger.hold_resolution set reason = 'x' where hand_id = 2", RECOMPUTES, 2),
    ("delete from ledger.hold_resolution where hand_id = 1", RECOMPUTES, 1),
    ("update ledger.seal set root = prev_hash where seq = 2", RECOMPUTES, 2),
    ("update ledger.seal set entries = entries + 1 where seq = 2", RECOMPUTES, 2),
    ("update ledger.seal set postings = postings + 1 where seq = 2", CHAIN, 2),
    ("update ledger.seal set xid_to = xid_to + 1 where seq = 3", CHAIN, 3),
    ("update ledger.seal set prev_hash = root where seq = 2", CHAIN, 2),
    ("update ledger.seal set seal_hash = root where seq = 1", CHAIN, 1),
    ("delete from ledger.seal where seq = 1", CHAIN, 2),
    ("delete from ledger.seal where seq = 2", CHAIN, 3),
    ("update ledger.seal set seq = 7 where seq = 3", CHAIN, 7),
    ("update ledger.seal set signature = decode(repeat('07', 64), 'hex') where seq = 2", SIGNED, 2),
    ("update ledger.seal set server_pub = root where seq = 3", SIGNED, 3),
    ("update ledger.seal set signature = decode(repeat('07', 64), 'hex') where seq = 2", LOGGED, 2),
    ("delete from fairness.log_entry where index = 1", LOGGED, 2),
    ("update fairness.log_entry set entry = entry || '\\x00' where index = 2", LOGGED, 3),
    # the newest seals taken away, with all that they were made over: the log still knows of them
    ("delete from ledger.seal where seq = 3", LOGGED, 0),
]  # fmt: skip


class _Back(Exception):
    """Ends a transaction without a trace."""


async def test_tampering_is_named_with_its_seal(
    sealed: Database, database_url: str, signer: SigningKey
) -> None:
    owner = Database(database_url, pool_size=1, role=None)
    for statement, sentence, first in TAMPERING:
        with suppress(_Back):
            async with owner.transaction() as tx:
                await tx.execute(text("set local session_replication_role = replica"))
                await tx.execute(text(statement))
                found = wrong_of(await check_seals(tx, [signer.public]))
                assert sentence in found, statement
                assert found[sentence].get("first_wrong_seal", 0) == first, statement
                raise _Back
    await owner.close()
    assert await wrong(sealed, signer) == {}


async def test_without_a_key_no_seal_is_known_to_be_this_houses(sealed: Database) -> None:
    async with sealed.transaction() as tx:
        assert SIGNED in wrong_of(await check_seals(tx, []))


async def test_a_chain_that_was_made_again_is_signed_by_a_stranger_and_not_in_the_log(
    sealed: Database, database_url: str, signer: SigningKey
) -> None:
    """Who owns the database can make all seals anew, but has not our key, nor the log's past."""
    await as_owner(
        database_url,
        "set session_replication_role = replica",
        "update ledger.posting set amount = amount * 2 where journal_id = 5",
        "truncate ledger.seal",
        "reset session_replication_role",
    )
    await seal_all(sealed, SigningKey(secrets.token_bytes(32)))
    assert set(await wrong(sealed, signer)) == {SIGNED, LOGGED}
