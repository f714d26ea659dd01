"""Two serving processes behind a real proxy, which is set up as docker-compose.yml says."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from server.embedded import EmbeddedValkey
from tests.acceptance.served import WIDE, held_port
from tests.conftest import application_of

NGINX = shutil.which("nginx")
ROOT = Path(__file__).parents[2]
START_S = 60
API = "/api/v1"

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


def proxy_settings(port: int, upstreams: list[int]) -> str:
    """Take the proxy's configuration out of the compose file; only addresses are put in."""
    written = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    content = dedent(written.split("      PROXY: |\n")[1].split("\n    command:")[0])
    for old, new in {
        "$$": "$",
        "listen 80;": f"listen 127.0.0.1:{port};",
        '"server:8000"': '"pakka"',
        "resolver 127.0.0.11 valid=2s;": "",
    }.items():
        assert old in content, old
        content = content.replace(old, new)
    servers = "".join(f"server 127.0.0.1:{one};" for one in upstreams)
    return f"""
        daemon off; master_process off; pid nginx.pid; error_log stderr warn;
        events {{ worker_connections 512; }}
        http {{ access_log off; upstream pakka {{ {servers} }}
        {content} }}
    """


class Servers:
    """Serving processes on ports of their own; they share a folder, a database and a Valkey."""

    def __init__(self, home: Path, database_url: str, redis_url: str) -> None:
        self.home = home
        self.held = [held_port() for _ in range(2)]
        self.ports = [int(held.getsockname()[1]) for held in self.held]
        self._environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("PAKKA_")},
            **WIDE,
            "PAKKA_HOME": str(home),
            "PAKKA_LEASE_MS": "3000",
            "PAKKA_PRACTICE_BOTS": "0",
            "PAKKA_TRUSTED_PROXIES": "127.0.0.1",
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
        }
        self.processes: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, port: int) -> None:
        """Start one and wait until it listens."""
        command = [sys.executable, "-m", "server.cli", "serve", "--port", str(port), "--json"]
        with (self.home / f"{port}.log").open("ab") as log:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, env=self._environment
            )
        self.processes[port] = process
        assert process.stdout is not None
        assert process.stdout.readline(), (self.home / f"{port}.log").read_text()[-2_000:]

    def end(self, port: int, number: signal.Signals) -> None:
        """End one by a signal and wait for it."""
        process = self.processes.pop(port)
        process.send_signal(number)
        process.wait(START_S)
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture
def servers(tmp_path: Path, database_url: str, valkey: EmbeddedValkey) -> Iterator[Servers]:
    servers = Servers(tmp_path, application_of(database_url), valkey.url)
    try:
        for port in servers.ports:
            servers.start(port)
        yield servers
    finally:
        for port in tuple(servers.processes):
            servers.end(port, signal.SIGKILL)
        for held in servers.held:
            held.close()


@pytest.fixture
def proxy(tmp_path: Path, servers: Servers) -> Iterator[str]:
    """Start the proxy; its address."""
    assert NGINX is not None
    settings = tmp_path / "nginx.conf"
    with held_port() as held:
        port = held.getsockname()[1]
        settings.write_text(proxy_settings(port, servers.ports), encoding="utf-8")
        process = subprocess.Popen([NGINX, "-p", str(tmp_path), "-c", str(settings)])
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(START_S)


@asynccontextmanager
async def signed_in(url: str, token: str) -> AsyncIterator[ClientConnection]:
    async with connect(
        url.replace("http", "ws", 1) + "/ws", subprotocols=[Subprotocol("pakka.v1")], proxy=None
    ) as line:
        await line.send(json.dumps({"t": "hello", "id": "h", "token": token}))
        assert json.loads(await line.recv())["t"] == "welcome"
        yield line


async def ask(line: ClientConnection, **frame: str) -> dict[str, object]:
    await line.send(json.dumps(frame))
    while True:
        heard: dict[str, object] = json.loads(await line.recv())
        if heard.get("re") == frame["id"]:
            return heard


async def _guest(http: httpx.AsyncClient) -> str:
    answer = await http.post(f"{API}/guests", json={"name": "Anu"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


async def _until_ready(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(START_S):
        while (await http.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.2)


async def test_a_seat_is_kept_while_the_servers_behind_a_proxy_are_renewed_in_turn(
    servers: Servers, proxy: str
) -> None:
    async with httpx.AsyncClient(base_url=proxy, timeout=20, trust_env=False) as http:
        await _until_ready(http)
        token = await _guest(http)
        tables = (await http.get(f"{API}/tables")).json()["tables"]
        table = next(one["id"] for one in tables if not one["practice"])
        async with signed_in(proxy, token) as line:
            assert (await ask(line, t="table.sit", id="s", table=table))["t"] == "ok"
        for port in servers.ports:
            async with signed_in(proxy, token) as line:
                await asyncio.to_thread(servers.end, port, signal.SIGTERM)
                again = await ask_until_told(line, table)
                if again is None:  # its own server has stopped: it was told to come again
                    assert line.close_code == 1012
            await asyncio.to_thread(servers.start, port)
            async with signed_in(proxy, token) as line:
                again = await ask(line, t="table.sit", id=f"s{port}", table=table)
                assert again.get("code") == "already_seated", again
        await _until_ready(http)


async def ask_until_told(line: ClientConnection, table: str) -> dict[str, object] | None:
    """Ask for a seat once more; None if the line is closed."""
    try:
        again = await ask(line, t="table.sit", id="again", table=table)
    except ConnectionClosed:
        return None
    assert again.get("code") == "already_seated", again
    return again
