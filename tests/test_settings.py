"""What an operator may set, and how a mistake is told."""

import os
from pathlib import Path

import pytest

from server.errors import Fault
from server.settings import Settings, read_settings, settings_table, variable_of


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("PAKKA_") or name in ("DATABASE_URL", "REDIS_URL"):
            monkeypatch.delenv(name)


def test_the_clocks_of_rules_8_are_the_defaults() -> None:
    settings = read_settings()
    assert (settings.commit_ms, settings.reveal_ms, settings.reshuffle_ms) == (5_000, 5_000, 3_000)
    assert (settings.result_ms, settings.lease_ms, settings.drain_ms) == (8_000, 5_000, 10_000)


def test_the_limits_of_the_wire_are_the_defaults() -> None:
    settings = read_settings()
    assert (settings.heartbeat_ms, settings.presence_ms) == (15_000, 40_000)
    assert (settings.outbox_max, settings.frame_max_bytes, settings.replay_max) == (256, 8_192, 200)
    assert settings.time_zone == "Asia/Kolkata"


def test_the_welcome_grant_is_ten_thousand_ht() -> None:
    assert read_settings().welcome_micro == 10_000 * 1_000_000


def test_the_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAKKA_PORT", "9000")
    monkeypatch.setenv("DATABASE_URL", "postgresql://h/d")
    monkeypatch.setenv("PAKKA_HOME", "~/x")
    monkeypatch.setenv("PAKKA_PUBLIC_ORIGINS", "https://a.example, http://b.example:8000/")
    monkeypatch.setenv("PAKKA_TRUSTED_PROXIES", "10.0.0.0/8, fd00::1")
    settings = read_settings()
    assert settings.trusted_proxies == ("10.0.0.0/8", "fd00::1")
    assert settings.port == 9_000
    assert settings.database_url == "postgresql://h/d"
    assert settings.home == Path.home() / "x"
    assert settings.public_origins == ("https://a.example", "http://b.example:8000")


def test_the_log_is_named_by_its_setting_or_by_the_first_origin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert read_settings().log_name == "localhost/fairdeal-1"
    monkeypatch.setenv("PAKKA_PUBLIC_ORIGINS", "https://a.example:8443,https://b.example")
    assert read_settings().log_name == "a.example:8443/fairdeal-1"
    monkeypatch.setenv("PAKKA_LOG_ORIGIN", "log.example/fairdeal-1")
    assert read_settings().log_name == "log.example/fairdeal-1"


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "")
    assert read_settings().redis_url is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PAKKA_PORT", "eighty"),
        ("PAKKA_PORT", "65536"),
        ("PAKKA_COMMIT_MS", "5.5"),
        ("PAKKA_WELCOME_HT", "-1"),
        ("PAKKA_TIME_ZONE", "Asia/Nowhere"),
        ("PAKKA_TIME_ZONE", "../../etc/passwd"),
        ("PAKKA_LOG_LEVEL", "loud"),
        ("PAKKA_PUBLIC_ORIGINS", "pakka.example"),
        ("PAKKA_PUBLIC_ORIGINS", "https://pakka.example/path"),
        ("PAKKA_PUBLIC_ORIGINS", "https://pak+ka.example"),
        ("PAKKA_TRUSTED_PROXIES", "10.0.0.0/8, proxy"),
        ("PAKKA_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("PAKKA_LOG_ORIGIN", "pakka.example"),
        ("PAKKA_LOG_ORIGIN", "https://pakka.example/fairdeal-1"),
        ("PAKKA_LOG_ORIGIN", "pakka example/fairdeal-1"),
        ("PAKKA_LOG_ORIGIN", "pak+ka.example/fairdeal-1"),
    ],
)
def test_a_wrong_one_is_named_in_one_line(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Fault, match=name) as caught:
        read_settings()
    assert "\n" not in str(caught.value)


def test_an_unknown_one_is_named_with_its_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAKKA_PROT", "80")
    with pytest.raises(Fault, match=r"PAKKA_PROT is not a setting; did you mean PAKKA_PORT\?"):
        read_settings()


def test_settings_do_not_change() -> None:
    settings = read_settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.port = 1  # type: ignore[misc]


def test_every_setting_is_described_and_times_say_their_unit() -> None:
    rows = settings_table()
    assert len(rows) == len(Settings.model_fields)
    assert all(description for _, _, description in rows)
    assert all(
        "milliseconds" in description for name, _, description in rows if name.endswith("_MS")
    )
    assert variable_of("database_url") == "DATABASE_URL"
