"""The house's own secret: made once, for our eyes alone."""

import stat
from pathlib import Path

import pytest

from server.errors import Fault
from server.secret_files import (
    BOT_TOKEN_FILE,
    SECRET_MAX_BYTES,
    is_secret_name,
    read_or_make_token,
    read_secret,
    secret_names,
    write_secret,
)


def test_a_token_is_made_once_and_read_again(tmp_path: Path) -> None:
    first = read_or_make_token(tmp_path, BOT_TOKEN_FILE)
    assert read_or_make_token(tmp_path, BOT_TOKEN_FILE) == first
    assert len(first) >= 43
    assert stat.S_IMODE((tmp_path / BOT_TOKEN_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [BOT_TOKEN_FILE]
    assert read_or_make_token(tmp_path, "other") != first


def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    read_or_make_token(tmp_path, BOT_TOKEN_FILE)
    (tmp_path / BOT_TOKEN_FILE).chmod(0o644)
    with pytest.raises(Fault, match="0600"):
        read_or_make_token(tmp_path, BOT_TOKEN_FILE)


def test_a_file_without_a_token_is_refused(tmp_path: Path) -> None:
    path = tmp_path / BOT_TOKEN_FILE
    path.write_text("short\n", encoding="ascii")
    path.chmod(0o600)
    with pytest.raises(Fault, match="no token"):
        read_or_make_token(tmp_path, BOT_TOKEN_FILE)


def test_a_link_to_elsewhere_and_a_folder_that_is_not_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("x" * 50, encoding="ascii")
    (tmp_path / BOT_TOKEN_FILE).symlink_to(tmp_path / "real")
    with pytest.raises(Fault, match=BOT_TOKEN_FILE):
        read_or_make_token(tmp_path, BOT_TOKEN_FILE)
    with pytest.raises(Fault, match="nowhere"):
        read_or_make_token(tmp_path / "nowhere", BOT_TOKEN_FILE)


def test_a_secret_is_written_as_it_was_and_never_over_another(tmp_path: Path) -> None:
    write_secret(tmp_path, "log.key", b"\0" * 32)
    write_secret(tmp_path, "log.key", b"\0" * 32)
    with pytest.raises(Fault, match="is there already"):
        write_secret(tmp_path, "log.key", b"other")
    assert read_secret(tmp_path, "log.key") == b"\0" * 32
    assert stat.S_IMODE((tmp_path / "log.key").stat().st_mode) == 0o600
    write_secret(tmp_path, "large.key", b"x" * SECRET_MAX_BYTES)
    assert read_secret(tmp_path, "large.key") == b"x" * SECRET_MAX_BYTES
    (tmp_path / "large.key").write_bytes(b"x" * (SECRET_MAX_BYTES + 1))
    with pytest.raises(Fault, match="no key"):
        read_secret(tmp_path, "large.key")


def test_keys_are_known_by_their_names_replaced_ones_too(tmp_path: Path) -> None:
    ours = ("bot.token", "log.key", "signing.0123456789abcdef.key", "signing.key")
    others = (".log.key", ".key", "log.key.bak", "postgres.password", "a b.key", "../log.key", "k")
    for name in (*ours, *others[:4]):
        (tmp_path / name).touch()
    assert secret_names(tmp_path) == ours
    assert [name for name in (*ours, *others) if is_secret_name(name)] == list(ours)
    assert secret_names(tmp_path / "nowhere") == ()
