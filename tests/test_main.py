"""The whole house as a process: it starts, stops cleanly, and comes back after kill -9."""

import asyncio
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.acceptance.served import HTTP_S

ROOT = Path(__file__).parent.parent
START_MAX_S = 180
STOP_MAX_S = 90
PROGRAM = """
import sys
from server.errors import Fault
from server.main import serve
from server.settings import read_settings
try:
    serve(read_settings(), lambda url: print(url, flush=True))
except Fault as fault:
    sys.exit(f"{fault}")
"""


class Process:
    """A house of its own on an embedded PostgreSQL."""

    def __init__(self, home: Path, **settings: str) -> None:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "PYTHONPATH": str(ROOT),
            "PAKKA_HOME": str(home),
            "PAKKA_PORT": "0",
            "PAKKA_PRACTICE_BOTS": "0",
            **settings,
        }
        self.log = home.with_suffix(".log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )

    def url(self) -> str:
        """Wait until it says where it listens."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line.startswith("http://"), (line, self.said())
        return line

    def ready_url(self) -> str:
        """Wait until it serves every table, too: leases of a killed house must run out first."""
        url = self.url()
        deadline = time.monotonic() + START_MAX_S
        while got(f"{url}/readyz").status_code != 200:
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.1)
        return url

    def said(self) -> str:
        self.log.flush()
        return Path(self.log.name).read_text(encoding="utf-8")

    def end(self, number: signal.Signals) -> int:
        """Send a signal and wait for the exit code."""
        self.process.send_signal(number)
        return self.process.wait(STOP_MAX_S)


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    started: list[Process] = []
    yield started
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait(STOP_MAX_S)
        if one.process.stdout is not None:
            one.process.stdout.close()
        one.log.close()


async def sit(url: str, token: str, table: str, *, request: str = "s") -> dict[str, Any]:
    async with connect(
        url.replace("http", "ws", 1) + "/ws", subprotocols=[Subprotocol("pakka.v1")], proxy=None
    ) as line:
        await line.send(json.dumps({"t": "hello", "id": "h", "token": token}))
        await line.send(json.dumps({"t": "table.sit", "id": request, "table": table}))
        while True:
            frame: dict[str, Any] = json.loads(await line.recv())
            if frame.get("re") == request:
                return frame


def got(url: str, **asked: Any) -> httpx.Response:
    """Ask for something, and wait for as long as a busy machine may need."""
    return httpx.get(url, timeout=HTTP_S, trust_env=False, **asked)


def first_table(url: str) -> str:
    tables = got(f"{url}/api/v1/tables").json()["tables"]
    return str(next(table["id"] for table in tables if not table["practice"]))


def new_guest(url: str) -> str:
    answer = httpx.post(
        f"{url}/api/v1/guests", json={"name": "Anu"}, timeout=HTTP_S, trust_env=False
    )
    return str(answer.json()["token"])


def test_a_house_starts_keeps_its_secrets_stops_and_starts_again_as_it_was(
    tmp_path: Path, processes: list[Process]
) -> None:
    home = tmp_path / "home"
    first = Process(home)
    processes.append(first)
    url = first.ready_url()
    front = got(url).json()
    tables = got(f"{url}/api/v1/tables").json()
    token = new_guest(url)
    for name in ("bot.token", "signing.key", "sealing.key"):
        assert stat.S_IMODE((home / name).stat().st_mode) == 0o600
    lasting = asyncio.run(_closed_while(first, url, token))
    assert lasting == (1012, 0)
    assert token not in first.said()
    second = Process(home)
    processes.append(second)
    url = second.ready_url()
    assert got(url).json()["server_key"] == front["server_key"]
    assert got(f"{url}/api/v1/tables").json() == tables
    me = got(f"{url}/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert me.json()["balance"]["posted"]["ht"] == "10000"
    assert second.end(signal.SIGINT) == 0


def test_a_key_that_was_lost_stops_the_start_and_is_not_made_anew(
    tmp_path: Path, processes: list[Process]
) -> None:
    home = tmp_path / "home"
    first = Process(home, PAKKA_SEAL_MS="100")
    processes.append(first)
    url = first.ready_url()
    new_guest(url)  # whose welcome is sealed, which the public log has an entry of
    deadline = time.monotonic() + START_MAX_S
    while got(f"{url}/api/v1/log/checkpoint").status_code != 200:
        assert time.monotonic() < deadline, first.said()
        time.sleep(0.1)
    assert first.end(signal.SIGTERM) == 0
    for name in ("signing.key", "sealing.key", "log.key", "bot.token"):
        (home / name).unlink()
    second = Process(home)
    processes.append(second)
    assert second.process.wait(START_MAX_S) == 1
    assert "signing.key is missing" in second.said().strip().splitlines()[-1]
    assert list(home.glob("*.key")) == []
    assert not (home / "bot.token").exists()


async def _closed_while(house: Process, url: str, token: str) -> tuple[int, int]:
    """Keep a socket while SIGTERM comes; its close code and the exit code."""
    async with connect(
        url.replace("http", "ws", 1) + "/ws", subprotocols=[Subprotocol("pakka.v1")], proxy=None
    ) as line:
        await line.send(json.dumps({"t": "hello", "id": "h", "token": token}))
        assert json.loads(await line.recv())["t"] == "welcome"
        house.process.send_signal(signal.SIGTERM)
        with pytest.raises(ConnectionClosed) as closed:
            await line.recv()
    assert closed.value.rcvd is not None
    code = await asyncio.to_thread(house.process.wait, STOP_MAX_S)
    return closed.value.rcvd.code, code


def test_after_kill_9_nothing_is_left_running_and_the_next_start_has_every_seat(
    tmp_path: Path, processes: list[Process]
) -> None:
    home = tmp_path / "home"
    first = Process(home)
    processes.append(first)
    url = first.ready_url()
    token, table = new_guest(url), first_table(url)
    reply = asyncio.run(sit(url, token, table))
    assert reply["t"] == "ok"
    port = json.loads((home / "postgres.json").read_text(encoding="utf-8"))["url"]
    postgres = int(port.rsplit(":", 1)[1].split("/")[0])
    first.end(signal.SIGKILL)
    _wait_until_deaf(postgres)
    second = Process(home)
    processes.append(second)
    url = second.ready_url()
    seats = got(f"{url}/api/v1/tables/{table}").json()["seats"]
    assert [seat["seat"] for seat in seats] == [0]
    assert asyncio.run(sit(url, token, table)) == reply
    again = asyncio.run(sit(url, token, table, request="s2"))
    assert again["code"] == "already_seated"
    assert second.end(signal.SIGTERM) == 0


def _wait_until_deaf(port: int) -> None:
    deadline = time.monotonic() + STOP_MAX_S
    while time.monotonic() < deadline:
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) != 0:
                return
        time.sleep(0.1)
    raise AssertionError("PostgreSQL outlived its owner")


def test_a_port_in_use_is_said_in_one_line(
    tmp_path: Path, processes: list[Process], database_url: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        house = Process(tmp_path / "home", DATABASE_URL=database_url, PAKKA_PORT=port)
        processes.append(house)
        assert house.process.wait(START_MAX_S) == 1
    last = house.said().strip().splitlines()[-1]
    assert f"127.0.0.1:{port}" in last
    assert "PAKKA_PORT" in last
    assert "Traceback" not in house.said()


def test_a_house_whose_postgres_dies_ends_and_says_why(
    tmp_path: Path, processes: list[Process]
) -> None:
    home = tmp_path / "home"
    house = Process(home)
    processes.append(house)
    house.url()
    pid = int((home / "postgres" / "data" / "postmaster.pid").read_text().splitlines()[0])
    os.kill(pid, signal.SIGKILL)
    assert house.process.wait(STOP_MAX_S) == 1
    assert "PostgreSQL has ended" in house.said().strip().splitlines()[-1]
