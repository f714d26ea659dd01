"""The house's own secret: made once, for our eyes alone."""

import stat
from pathlib import Path

import pytest

from server.errors import Fault
from server.secret_files import BOT_TOKEN_FILE, read_or_make_token


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
