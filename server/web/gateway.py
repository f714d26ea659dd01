"""The sockets of this process: one for each player, the newest."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from server.database import PlayerId
from server.tables.audience import Viewer
from server.tables.host import TableHost
from server.web.closing import (
    CLOSE_PUT_OUT,
    CLOSE_REPLACED,
    CLOSE_RESTART,
    CLOSE_SIGNED_OUT,
)
from server.web.limits import Buckets, Limits


class Line(Viewer, Protocol):
    """What the gateway knows of a socket: a viewer with its token; it can be closed."""

    token: str

    def close(self, code: int) -> None:
        """Close after the frames that are waiting."""

    def depth(self) -> int:
        """Count the frames that are waiting."""

    def rename(self, name: str) -> None:
        """Take the player's new name."""


class Gateway:
    """Who is connected; presence goes from here to the tables."""

    def __init__(self, host: TableHost, limits: Limits) -> None:
        self.host = host
        self.limits = limits
        self.moves: Buckets[PlayerId] = Buckets(limits.moves)
        self.rest: Buckets[PlayerId] = Buckets(limits.rest)
        self._of: dict[PlayerId, Line] = {}
        self._since_ms: dict[PlayerId, int] = {}
        self._open = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._is_stopping = False

    @property
    def is_full(self) -> bool:
        """Tell whether no further socket is taken."""
        return self._is_stopping or self._open >= self.limits.sockets

    @property
    def open_count(self) -> int:
        """Count the open sockets, signed in or not."""
        return self._open

    @property
    def player_count(self) -> int:
        """Count the players who are signed in on a socket."""
        return len(self._of)

    @property
    def depth(self) -> int:
        """Count the frames that wait in the fullest outbox."""
        return max((line.depth() for line in self._of.values()), default=0)

    def since_ms(self, player: PlayerId) -> int | None:
        """Tell since when a player's socket is open, by the database's clock; None: it has none."""
        return self._since_ms.get(player)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count a socket while it is open."""
        self._open += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._open -= 1
            if self._open == 0:
                self._idle.set()

    def join(self, player: PlayerId, line: Line) -> None:
        """Make this the player's socket; an older one hears nothing more and is closed."""
        older = self._of.get(player)
        self._of[player] = line
        self._since_ms[player] = self.host.now_ms()
        if older is not None:
            self.host.forget(older)
            older.close(CLOSE_REPLACED)
        self.host.here(player)

    def leave(self, player: PlayerId, line: Line) -> None:
        """Forget a socket; only the player's newest one takes the presence with it."""
        self.host.forget(line)
        if self._of.get(player) is line:
            del self._of[player], self._since_ms[player]
            self.host.gone(player)

    def heard(self, player: PlayerId, line: Line) -> None:
        """Tell the tables of the traffic of a player's newest socket."""
        if self._of.get(player) is line:
            self.host.here(player)

    def quiet(self, player: PlayerId, line: Line) -> None:
        """Tell the tables that a player's newest socket has fallen silent."""
        if self._of.get(player) is line:
            self.host.gone(player)

    def rename(self, player: PlayerId, name: str) -> None:
        """Tell a player's socket that the guest has become an account."""
        line = self._of.get(player)
        if line is not None:
            line.rename(name)

    def sign_out(self, player: PlayerId, token: str | None = None) -> None:
        """Close the player's socket if it came in by this token; None is any."""
        line = self._of.get(player)
        if line is not None and token in (None, line.token):
            line.close(CLOSE_SIGNED_OUT)

    def put_out(self, player: PlayerId) -> None:
        """Close the socket of a player who may not play any more."""
        line = self._of.get(player)
        if line is not None:
            line.close(CLOSE_PUT_OUT)

    def shut(self) -> None:
        """Take no further socket."""
        self._is_stopping = True

    async def stop(self, wait_ms: int) -> None:
        """Close every socket with 1012 and wait until they are gone, at most so long."""
        self.shut()
        for line in tuple(self._of.values()):
            line.close(CLOSE_RESTART)
        try:
            await asyncio.wait_for(self._idle.wait(), wait_ms / 1000)
        except TimeoutError:
            return
