"""What an operator may set, read once, by `main` alone.

Owns:     the names, units, bounds and defaults of every environment variable.
Promises: a wrong or unknown one stops the start with one line that names it.
Imports:  pydantic-settings; `errors`.
"""

import difflib
import os
import re
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from server.errors import Fault

PREFIX: Final = "PAKKA_"
MICRO_PER_HT: Final = 1_000_000
HOST: Final = r"[A-Za-z0-9.:\[\]_-]{1,180}"
"""A host, with its port if that is not the scheme's, as a browser writes it."""

LOG_SUFFIX: Final = "/fairdeal-1"


def _ms(default: int, low: int, high: int, description: str) -> Any:
    return Field(default, ge=low, le=high, description=f"{description}, in milliseconds")


def _count(default: int, low: int, high: int, description: str) -> Any:
    return Field(default, ge=low, le=high, description=description)


class Settings(BaseSettings):
    """Every setting; its variable is `PAKKA_` and the name, but for the two addresses."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="forbid", env_ignore_empty=True
    )

    # where
    home: Path = Field(Path("~/.local/share/pakka"), description="folder of keys and of the data")
    host: str = Field("127.0.0.1", description="address to listen on")
    port: int = _count(8_000, 0, 65_535, "port to listen on; 0 takes a free one")
    public_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="origins that browsers come from, by commas; none: this host and port"
    )
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="addresses or networks of proxies, by commas, whose `X-Forwarded-For` is"
        " believed; none: limits go by who connects",
    )
    log_origin: str | None = Field(
        None,
        description="name of the public log, `<host>/fairdeal-1`; none: by the first public origin,"
        " or localhost",
    )
    database_url: str | None = Field(
        None,
        validation_alias="DATABASE_URL",
        description="address of PostgreSQL; none: an embedded one in PAKKA_HOME",
    )
    owner_database_url: str | None = Field(
        None,
        description="the same database as its owner, for migrations and backups; none: as"
        " `DATABASE_URL`",
    )
    redis_url: str | None = Field(
        None,
        validation_alias="REDIS_URL",
        description="address of Redis; none: one process, or an embedded one for several",
    )
    pool_size: int = _count(10, 2, 100, "database connections of a process")
    time_zone: str = Field("Asia/Kolkata", description="time zone of reports by day")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="least level that is logged"
    )
    log_format: Literal["text", "json"] = Field("text", description="how a log line is written")
    traces_url: str | None = Field(
        None,
        pattern=r"^https?://[^\s]+$",
        description="address that traces are sent to, OTLP over HTTP; none: no traces",
    )

    # tokens and people
    welcome_ht: int = _count(10_000, 0, 1_000_000_000, "HT given once to a new player")
    session_days: int = _count(30, 1, 365, "days until a sign-in ends")
    sign_in_link_ms: int = _ms(900_000, 60_000, 86_400_000, "life of an operator's sign-in link")
    two_step: Literal["enrolled", "all"] = Field(
        "enrolled", description="operators who need a code to sign in: those who enrolled, or all"
    )
    stored_reply_days: int = _count(7, 1, 90, "days that a stored reply is kept")
    practice_bots: int = _count(5, 0, 100, "bots that `serve` seats at practice tables")
    bot_pace_ms: int = _ms(600, 0, 30_000, "time that a bot seems to think")

    # clocks of a table
    commit_ms: int = _ms(5_000, 100, 60_000, "time for the seats' commitments")
    reveal_ms: int = _ms(5_000, 100, 60_000, "time for the seats' reveals")
    reshuffle_ms: int = _ms(3_000, 100, 60_000, "time for the reveals of a reshuffle")
    result_ms: int = _ms(8_000, 0, 120_000, "time that a result is shown before the next hand")
    lease_ms: int = _ms(5_000, 500, 60_000, "life of a table's lease without renewal")
    drain_ms: int = _ms(10_000, 0, 300_000, "time that a stopping process gives its sockets")
    seat_out_max_ms: int = _ms(180_000, 1_000, 86_400_000, "time a seat may sit out and be kept")
    seal_ms: int = _ms(5_000, 100, 600_000, "time between two seals over the ledger")
    sweep_ms: int = _ms(10_000, 500, 600_000, "time between two looks for holds without a hand")

    # limits
    inbox_max: int = _count(64, 1, 10_000, "commands that wait at a table")
    outbox_max: int = _count(256, 16, 10_000, "messages that wait for a slow reader")
    frame_max_bytes: int = _count(8_192, 1_024, 1_048_576, "bytes of a client's frame")
    pieces_max: int = _count(64, 1, 10_000, "pieces of a client's frame")
    frames_per_second_max: int = _count(
        1_000, 10, 100_000, "frames of any kind in a second, pings too, then a socket is closed"
    )
    bad_frames_max: int = _count(8, 1, 1_000, "frames of a socket that can't be read")
    hello_ms: int = _ms(5_000, 100, 60_000, "time for a socket's first frame")
    command_ms: int = _ms(20_000, 1_000, 120_000, "time for a command, then its socket is closed")
    heartbeat_ms: int = _ms(15_000, 100, 300_000, "time between two pings")
    presence_ms: int = _ms(40_000, 100, 600_000, "silence after which a seat is away")
    replay_max: int = _count(200, 1, 10_000, "events that are replayed instead of a snapshot")
    watched_max: int = _count(16, 1, 1_000, "tables that a socket watches")
    sockets_max: int = _count(2_000, 1, 100_000, "sockets of a process; a tenth more for seats")
    connections_max: int = _count(1_000, 8, 100_000, "connections of a process that are no sockets")
    address_max: int = _count(200, 1, 100_000, "sockets, and other connections, of an address")
    lag_ms: int = _ms(1_000, 20, 60_000, "lateness that is an overload if it lasts")
    head_ms: int = _ms(10_000, 100, 120_000, "time for the head of a request")
    body_ms: int = _ms(10_000, 100, 120_000, "time for the body of a request")
    body_max_bytes: int = _count(16_384, 1_024, 1_048_576, "bytes of a request's body")
    reader_ms: int = _ms(
        30_000, 100, 600_000, "time in which a slow reader takes some of an answer"
    )
    requests_max: int = _count(64, 1, 10_000, "requests that are worked on at once")
    exports_max: int = _count(2, 1, 50, "sheets that are read at once")
    passwords_max: int = _count(2, 1, 64, "passwords that are checked at once")
    passwords_waiting_max: int = _count(16, 0, 10_000, "passwords that wait to be checked")

    # rates: a bucket holds `burst` and is filled by `per_second`
    moves_per_second: int = _count(5, 1, 1_000, "moves a second of a socket and of a player")
    moves_burst: int = _count(20, 1, 10_000, "moves at once")
    messages_per_second: int = _count(10, 1, 1_000, "other messages a second")
    messages_burst: int = _count(60, 1, 10_000, "other messages at once")
    slow_downs_per_minute: int = _count(
        30, 1, 10_000, "frames of a socket that are too many, a minute, before it is closed"
    )
    slow_downs_burst: int = _count(20, 1, 10_000, "frames that are too many at once")
    requests_per_second: int = _count(
        10, 1, 10_000, "HTTP requests a second of an address, and of a player"
    )
    requests_burst: int = _count(100, 1, 100_000, "HTTP requests at once")
    sign_ins_per_minute: int = _count(10, 1, 10_000, "sign-ins and new guests of an address")

    @property
    def welcome_micro(self) -> int:
        """The welcome grant in micro-HT."""
        return self.welcome_ht * MICRO_PER_HT

    @property
    def log_name(self) -> str:
        """The origin that the log's checkpoints and its key are named by."""
        if self.log_origin is not None:
            return self.log_origin
        host = self.public_origins[0].split("//")[1] if self.public_origins else "localhost"
        return host + LOG_SUFFIX

    @field_validator("log_origin")
    @classmethod
    def _may_name_a_log(cls, name: str | None) -> str | None:
        if name is not None and re.fullmatch(HOST + LOG_SUFFIX, name) is None:
            raise ValueError(f"{name[:40]!r} is not a name like pakka.example/fairdeal-1")
        return name

    @field_validator("home")
    @classmethod
    def _whole_path(cls, home: Path) -> Path:
        return home.expanduser().absolute()

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _split_proxies(cls, written: Any) -> Any:
        if not isinstance(written, str):
            return written
        proxies = tuple(one.strip() for one in written.split(",") if one.strip())
        for proxy in proxies:
            try:
                ip_network(proxy)
            except ValueError:
                raise ValueError(f"{proxy[:40]!r} is no address or network") from None
        return proxies

    @field_validator("public_origins", mode="before")
    @classmethod
    def _split(cls, written: Any) -> Any:
        if not isinstance(written, str):
            return written
        origins = tuple(
            origin.strip().rstrip("/") for origin in written.split(",") if origin.strip()
        )
        for origin in origins:
            if re.fullmatch(f"https?://{HOST}", origin) is None:
                raise ValueError(f"{origin} is not an origin like https://pakka.example")
        return origins

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            raise ValueError(f"{name} is not a time zone") from None
        return name


def variable_of(field: str) -> str:
    """Derive the environment variable of a setting: `PAKKA_PORT` of `port`."""
    alias = Settings.model_fields[field].validation_alias
    return alias if isinstance(alias, str) else PREFIX + field.upper()


def read_settings() -> Settings:
    """Read the environment.

    Errors: Fault with one line that names the first wrong or unknown variable.
    """
    known = {variable_of(field) for field in Settings.model_fields}
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, sorted(known), n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise Fault(f"{name} is not a setting{hint}")
    try:
        return Settings()
    except ValidationError as error:
        raise Fault(_line_of(error)) from None


def settings_table() -> list[tuple[str, str, str]]:
    """List (variable, default, description) of every setting, as the README shows them."""
    rows = []
    for field, about in Settings.model_fields.items():
        default = "" if about.default in (None, ()) else str(about.default)
        rows.append((variable_of(field), default, about.description or ""))
    return rows


def _line_of(error: ValidationError) -> str:
    """Write the first mistake in one line; values aren't repeated, an address holds a password."""
    first = error.errors()[0]
    place = str(first["loc"][0]) if first["loc"] else ""
    name = variable_of(place) if place in Settings.model_fields else place
    return f"{name}: {' '.join(first['msg'].split())}"
