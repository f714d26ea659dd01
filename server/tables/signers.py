"""Whose hand is it? A hand is signed to its end by the key that opened it."""

from collections.abc import Sequence

from server.database import TableId
from server.errors import Fault
from server.fairness.commitment import hand_hash
from server.fairness.signing import SigningKey
from server.tables.facts import HandOpened
from server.tables.state import Opened


def find_signer(
    keys: Sequence[SigningKey], table: TableId, opened: Opened | HandOpened
) -> SigningKey | None:
    """Find which of the keys a hand was opened by: its hash has the key's public half in it."""
    for key in keys:
        made = hand_hash(
            server_pub=key.public,
            table=table.bytes,
            hand_no=opened.hand_no,
            attempt=0,
            spec=opened.spec,
        )
        if made == opened.hands[0]:
            return key
    return None


def signer_of(
    keys: Sequence[SigningKey], table: TableId, opened: Opened | HandOpened
) -> SigningKey:
    """Get the key that a hand was opened by. Errors: Fault if it is none of these."""
    found = find_signer(keys, table, opened)
    if found is None:
        raise Fault(f"no signing key in PAKKA_HOME opened hand {opened.hand_no} of table {table}")
    return found
