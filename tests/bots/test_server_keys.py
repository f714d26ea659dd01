"""A client follows its pinned keys over rotations that the log holds, and over nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.bots.evidence import Cheated
from server.bots.proofs import Proofs
from server.bots.server_keys import ServerKeys
from server.bots.vault import Vault
from server.fairness.encoding import digest
from server.fairness.entries import KeyRole
from server.fairness.signing import SigningKey
from tests.cli.fake_log import FakeLog, shown
from tests.verify.log_book import (
    LOG_SIGNER,
    NEW_LOG_SIGNER,
    NEW_SERVER,
    SERVER,
    Book,
    by_server,
    rotated,
)

OLD = (SERVER.public, LOG_SIGNER.key.vkey)
NEW = (NEW_SERVER.public, NEW_LOG_SIGNER.key.vkey)
ROTATED_AT = 4
"""The index of the signing key's rotation in `rotated()`."""


@pytest.fixture
def fake() -> Iterator[FakeLog]:
    with shown(Book(rotated().entries[:3])) as log:
        yield log


async def welcomed(fake: FakeLog, folder: Path, said: tuple[bytes, str]) -> ServerKeys:
    """Come back as a process with that folder would."""
    vault = Vault(folder)
    proofs = Proofs(fake.url, vault)
    keys = ServerKeys(fake.url, vault, proofs)
    try:
        await keys.welcome(*said)
    finally:
        await proofs.close()
    return keys


async def caught(fake: FakeLog, folder: Path, said: tuple[bytes, str]) -> int:
    with pytest.raises(Cheated) as cheated:
        await welcomed(fake, folder, said)
    return cheated.value.check


def hand_over(fake: FakeLog) -> None:
    fake.book, fake.signer = rotated(), NEW_LOG_SIGNER


async def test_keys_are_followed_once_and_pinned_anew(fake: FakeLog, tmp_path: Path) -> None:
    assert (await welcomed(fake, tmp_path, OLD)).at(10**6) == SERVER.public
    hand_over(fake)
    for _ in range(2):
        keys = await welcomed(fake, tmp_path, NEW)
        assert keys.current == NEW_SERVER.public
        assert keys.at(ROTATED_AT - 1) == SERVER.public  # a hand that is still open
        assert keys.at(ROTATED_AT) == keys.at(ROTATED_AT + 1) == NEW_SERVER.public
    assert await caught(fake, tmp_path, OLD) == 1
    assert await caught(fake, tmp_path, (NEW[0], OLD[1])) == 10


async def test_who_comes_for_the_first_time_knows_the_keys_of_open_hands_too(
    fake: FakeLog, tmp_path: Path
) -> None:
    hand_over(fake)
    keys = await welcomed(fake, tmp_path, NEW)
    assert (keys.at(0), keys.at(ROTATED_AT)) == (SERVER.public, NEW_SERVER.public)


async def test_a_key_that_the_log_says_nothing_of_is_caught(fake: FakeLog, tmp_path: Path) -> None:
    await welcomed(fake, tmp_path, OLD)
    assert await caught(fake, tmp_path, (NEW[0], OLD[1])) == 1
    assert await caught(fake, tmp_path, (OLD[0], NEW[1])) == 10


async def test_a_rotation_that_the_old_key_did_not_sign_is_caught(
    fake: FakeLog, tmp_path: Path
) -> None:
    await welcomed(fake, tmp_path, OLD)
    stranger = SigningKey(digest("test", b"stranger"))
    fake.book.rotate(
        KeyRole.SIGNING, SERVER.public, NEW_SERVER.public, lambda one: by_server(one, stranger)
    )
    log, new_log = LOG_SIGNER.key.public, NEW_LOG_SIGNER.key.public
    fake.book.rotate(KeyRole.LOG, log, new_log, NEW_LOG_SIGNER.hand_over)
    assert await caught(fake, tmp_path, (NEW[0], OLD[1])) == 1
    assert await caught(fake, tmp_path, (OLD[0], NEW[1])) == 10


async def test_a_rotation_that_is_not_in_the_log_is_caught(fake: FakeLog, tmp_path: Path) -> None:
    await welcomed(fake, tmp_path, OLD)
    entry = rotated().entries[ROTATED_AT]
    for index in (1, 99):
        fake.answers["/keys"] = (200, {"keys": [{"index": index, "entry": entry.hex()}]})
        assert await caught(fake, tmp_path, (NEW[0], OLD[1])) == 10
    fake.answers["/keys"] = (200, {"keys": [{"index": 1, "entry": "00"}]})
    assert await caught(fake, tmp_path, (NEW[0], OLD[1])) == 19


async def test_who_can_not_ask_where_a_key_is_from_comes_again(
    fake: FakeLog, tmp_path: Path
) -> None:
    await welcomed(fake, tmp_path, OLD)
    hand_over(fake)
    fake.busy = 1
    with pytest.raises(ConnectionError):
        await welcomed(fake, tmp_path, NEW)
    fake.busy = 0
    assert (await welcomed(fake, tmp_path, NEW)).current == NEW_SERVER.public
    fake.busy = 1  # nothing is new: nobody has to be asked
    assert (await welcomed(fake, tmp_path, NEW)).at(0) == SERVER.public
