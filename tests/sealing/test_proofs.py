"""The proof of a statement's line: it holds, tells nothing of others, and no change passes."""

import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from server.database import Database
from server.fairness.canonical import RefusedRecord
from server.fairness.signing import SigningKey
from server.sealing.proofs import Proof, problems_of, prove, read_proof
from server.sealing.sealer import seal_all
from tests.ledger.house import HT, hold, issue, open_accounts, people, refused, settle

ASHA, BELA, CHAND = people(3)


@pytest.fixture
def signer() -> SigningKey:
    return SigningKey(secrets.token_bytes(32))


async def proved(database: Database, signer: SigningKey) -> Proof:
    """Prove the hand that Asha won, between two others' entries."""
    await open_accounts(database, [ASHA, BELA, CHAND])
    await hold(database, 1, [ASHA, BELA, CHAND])
    await settle(database, 1, ASHA, {BELA: 80 * HT, CHAND: 20 * HT})
    await issue(database, BELA, 5 * HT)
    await seal_all(database, signer)
    await issue(database, CHAND, 5 * HT, key="other")
    await seal_all(database, signer)
    async with database.transaction() as tx:
        return await prove(tx, ASHA, 2)


async def test_a_proof_holds_and_is_what_the_statement_says(
    database: Database, signer: SigningKey
) -> None:
    proof = read_proof(json.loads(json.dumps((await proved(database, signer)).document())))
    assert problems_of(proof) == problems_of(proof, [signer.public]) == []
    assert (proof.line.amount, proof.line.version, proof.entry.hand) == (90 * HT, 2, 1)
    assert (proof.entry.gross, proof.entry.commission) == (100 * HT, 10 * HT)
    assert (proof.seal.seq, proof.log.size) == (1, 2)
    assert problems_of(proof, [bytes(32)]) == ["the seal is signed by another key"]


async def test_every_line_of_everybody_has_its_proof(
    database: Database, signer: SigningKey
) -> None:
    await proved(database, signer)
    async with database.transaction() as tx:
        for player, count in ((ASHA, 2), (BELA, 3), (CHAND, 3)):
            for number in range(1, count + 1):
                assert problems_of(await prove(tx, player, number)) == []
            assert await refused(prove(tx, player, count + 1)) == "unknown_entry"


async def test_what_is_not_sealed_yet_says_so(database: Database) -> None:
    await open_accounts(database, [ASHA])
    async with database.transaction() as tx:
        assert await refused(prove(tx, ASHA, 1)) == "not_sealed"


async def test_a_proof_tells_nothing_of_the_others(database: Database, signer: SigningKey) -> None:
    """Accounts are 1000, 1001, 1002: the proof names the first alone, and no amount of the rest."""
    said = set(re.findall(r"[\w-]+", json.dumps((await proved(database, signer)).document())))
    assert "1000" in said
    assert not said & {"1001", "1002", str(-80 * HT), str(-20 * HT), "Meera", "house"}


async def test_whatever_is_changed_in_a_proof_it_no_longer_holds(
    database: Database, signer: SigningKey
) -> None:
    document = (await proved(database, signer)).document()
    tried = 0
    for changed in _changed(document):
        try:
            assert problems_of(read_proof(changed)), changed
        except RefusedRecord:
            continue
        tried += 1
    assert tried > 40


async def test_a_proof_of_another_form_is_refused(database: Database, signer: SigningKey) -> None:
    document = (await proved(database, signer)).document()
    for part in (field.name for field in fields(Proof)):
        with pytest.raises(RefusedRecord):
            read_proof({key: value for key, value in document.items() if key != part})


def _changed(value: Any) -> Iterator[Any]:
    """Give copies of a document, each with one value that is another."""
    match value:
        case dict():
            for key in value:
                yield from ({**value, key: one} for one in _changed(value[key]))
        case list():
            for place, member in enumerate(value):
                yield from ([*value[:place], one, *value[place + 1 :]] for one in _changed(member))
            yield [*value, "00" * 32]
        case str() if value and value.strip("0123456789abcdef") == "":
            yield ("1" if value[0] == "0" else "0") + value[1:]
        case str():
            yield value + "x"
        case int():
            yield value + 1
        case None:
            yield 1
