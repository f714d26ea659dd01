"""Are these the keys that the house was played with? Asked before a table is taken up."""

from sqlalchemy import text

from server.database import TableId, Transaction
from server.errors import Fault
from server.fairness import rotations
from server.fairness import service as fairness
from server.fairness.checkpoint import unproved_checkpoint
from server.fairness.commitment import server_commit
from server.fairness.entries import KeyRole
from server.ledger.seals import find_last
from server.tables.facts import HandOpened, from_json
from server.tables.signers import find_signer
from server.tables.work import Parts


async def demand_keys(tx: Transaction, parts: Parts) -> None:
    """Check the signing, the sealing and the log's key by all that they have left behind.

    That is the log's rotations, the ledger's last seal, and every open table's newest hand. With
    another key tables would be dealt that nobody could open, and tokens held for them.

    Errors: Fault that names the wrong key's file.
    """
    await _demand_in_force(tx, parts)
    seal = await find_last(tx)
    if seal is not None and seal.server_pub not in {key.public for key in parts.signers}:
        raise Fault(
            f"signing.key in PAKKA_HOME is not the key that signed seal {seal.seq} of the ledger:"
            " restore it from the backup"
        )
    for row in await tx.execute(_NEWEST):
        fact = from_json(row.fact)
        assert isinstance(fact, HandOpened), "the journal marks what opens a hand"
        table = TableId(row.table_id)
        if find_signer(parts.signers, table, fact) is None:
            raise Fault(
                f"signing.key in PAKKA_HOME is not the key that opened hand {fact.hand_no} of table"
                f" {table}: restore it from the backup"
            )
        await _demand_seal(tx, parts, table, fact)
        _demand_log(parts, fact)


async def _demand_in_force(tx: Transaction, parts: Parts) -> None:
    """The keys must be those that the public log has handed over to."""
    ours = {
        KeyRole.SIGNING: parts.signer.public,
        KeyRole.LOG: parts.log_signer.key.public,
        KeyRole.SEALING: parts.sealer.name,
    }
    for role, key in (await rotations.in_force(tx)).items():
        if ours[role] != key:
            raise Fault(
                f"{role}.key in PAKKA_HOME is not the key that the public log handed over to:"
                " restore it from the backup"
            )


def _demand_log(parts: Parts, fact: HandOpened) -> None:
    """Clients pin the log's name and key: under others it would be a forgery to them."""
    log = fact.log
    if log.checkpoint is None:
        return
    name = unproved_checkpoint(log.checkpoint).origin
    if name != parts.log_signer.key.name:
        raise Fault(f"the public log is named {name}, and pinned so: set PAKKA_LOG_ORIGIN to that")
    signers = (parts.log_signer, *parts.old_log_signers)
    made = {signer.checkpoint(size=log.size, root=log.root) for signer in signers}
    if log.checkpoint not in made:
        raise Fault(
            "log.key in PAKKA_HOME is not the key that signed the public log: restore it from the"
            " backup"
        )


async def _demand_seal(tx: Transaction, parts: Parts, table: TableId, fact: HandOpened) -> None:
    try:
        seed = await fairness.seed_of(tx, parts.sealer, table, fact.hand_no, 0)
    except Fault as fault:
        raise Fault(
            f"sealing.key in PAKKA_HOME is not the key of this database ({fault}): restore it from"
            " the backup"
        ) from None
    if server_commit(fact.hands[0], seed.expose()) != fact.commits[0]:
        raise Fault(
            f"the sealed seed of hand {fact.hand_no} of table {table} is not what was opened"
        )


_NEWEST = text("""
    select distinct on (j.table_id) j.table_id, j.fact::text as fact
      from tables.journal j join tables.game_table t using (table_id)
     where j.opens_hand and t.state < 3
     order by j.table_id, j.seq desc
""")
