"""The HTTP server itself: one address, one uvicorn, its end in our hands."""

import asyncio
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Self

import structlog
import uvicorn
from fastapi import FastAPI

from server.errors import Fault
from server.web.connections import FLUSH_MAX_S, http_protocol, socket_protocol
from server.web.gateway import RESERVE
from server.web.limits import Limits

BACKLOG: Final = 1_024
LINE_PING_S: Final = 30
"""The protocol's own ping, which finds dead lines; a player's presence is our `ping` and `pong`."""

KEEP_ALIVE_S: Final = 15
SEND_BUFFER_BYTES: Final = 131_072
"""What the kernel keeps for a slow reader, inherited by every connection: else it is megabytes."""

FILES_BESIDE: Final = 256
"""Open files of a process that are no players' connections: database, messenger, logs."""

HEAD_MAX_BYTES: Final = 16_384
START_MAX_S: Final = 10

log = structlog.get_logger("web.listening")


class _Server(uvicorn.Server):
    """uvicorn's, without its signal handlers: `main` decides in which order things end."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_up.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Listener:
    """A running HTTP server; `port` is the one that it listens on."""

    def __init__(self, server: uvicorn.Server, task: asyncio.Task[None], port: int) -> None:
        self._server = server
        self._task = task
        self.port = port

    @classmethod
    async def start(cls, app: FastAPI, sock: socket.socket, *, limits: Limits) -> Self:
        """Serve on a socket that listens.

        Shape:  what `limits.proxies`, addresses or networks, say of a client's address and scheme
                is believed; of several addresses it is the last that is none of theirs.
        Errors: TimeoutError if that takes too long.
        """
        _allow_files(limits)
        config = uvicorn.Config(
            app,
            loop="none",
            http=http_protocol(limits),
            ws=socket_protocol(limits),
            ws_max_size=limits.frame_bytes,
            ws_per_message_deflate=False,
            ws_ping_interval=LINE_PING_S,
            ws_ping_timeout=LINE_PING_S,
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=bool(limits.proxies),
            forwarded_allow_ips=list(limits.proxies),
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=FLUSH_MAX_S,
            h11_max_incomplete_event_size=HEAD_MAX_BYTES,
        )
        server = _Server(config)
        task = asyncio.create_task(server.serve(sockets=[sock]), name="http")
        async with asyncio.timeout(START_MAX_S):
            await server.is_up.wait()
        return cls(server, task, sock.getsockname()[1])

    async def stop(self) -> None:
        """Take no more connections, let the running requests end, and stop."""
        self._server.should_exit = True
        await self._task


def _allow_files(limits: Limits) -> None:
    """Raise the number of files this process may open to what its limits let in, if it may."""
    sockets = limits.sockets + limits.sockets // RESERVE
    wanted = sockets + limits.connections + FILES_BESIDE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        log.warning("too_few_files", wanted=wanted, allowed=allowed)


def bound(host: str, port: int) -> socket.socket:
    """Listen on an address; port 0 takes a free one.

    Errors: Fault in one line if the address can't be taken.
    """
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        sock = socket.socket(family, kind, number)
    except OSError as error:
        raise Fault(f"PAKKA_HOST: {host} is no address of this machine: {error.strerror}") from None
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        sock.bind(address)
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except OSError as error:
        sock.close()
        raise Fault(f"PAKKA_PORT: can't listen on {host}:{port}: {error.strerror}") from None
    return sock


def inherited(fd: int) -> socket.socket:
    """Take over a socket that whoever started us listens on.

    Errors: Fault if it is none.
    """
    try:
        sock = socket.socket(fileno=fd)
        is_listening = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError as error:
        raise Fault(f"--fd: {fd} is no socket: {error.strerror}") from None
    if not is_listening:
        raise Fault(f"--fd: {fd} does not listen")
    sock.setblocking(False)
    return sock


def address_of(host: str, port: int) -> str:
    """Write where a server is found that listens there."""
    return f"http://{_shown(host)}:{port}"


def _shown(host: str) -> str:
    """Write an address as it stands in a URL; one that means all of them is shown as our own."""
    if host in {"0.0.0.0", "::", ""}:  # noqa: S104 - compared, not listened on
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
