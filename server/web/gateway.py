"""The sockets of this process: one for each player of the house, the newest."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final, Protocol

from server.database import PlayerId
from server.tables.audience import Viewer
from server.tables.host import TableHost
from server.web.addresses import TRUSTED_ADDRESSES
from server.web.closing import (
    CLOSE_PUT_OUT,
    CLOSE_REPLACED,
    CLOSE_RESTART,
    CLOSE_SIGNED_OUT,
)
from server.web.limits import Buckets, Limits
from server.web.news import News, PeopleNews, mark_of

RESERVE: Final = 10
"""One socket more for so many: in a crowded house, a line that broke in mid-hand comes back."""


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
        self._of_address: Counter[str] = Counter()
        self._at_door: set[asyncio.Timeout] = set()
        self._idle = asyncio.Event()
        self._idle.set()
        self.is_stopping = False
        self._news = PeopleNews(host.messenger)
        host.count_sockets(lambda: self._open)

    def start(self) -> None:
        """Hear from now on what becomes of players on other processes."""
        self._news.start(self._hear)

    def is_full(self, address: str) -> bool:
        """Tell whether no further socket of an address is taken, whoever it is."""
        if self._open >= self.limits.sockets + self.limits.sockets // RESERVE:
            return True
        is_many = self._of_address[address] >= self.limits.of_address
        return is_many and address not in TRUSTED_ADDRESSES

    @property
    def is_crowded(self) -> bool:
        """Tell whether only those are taken who have a seat: the rest of the room is theirs."""
        return self._open > self.limits.sockets

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
    def counted(self, address: str) -> Iterator[None]:
        """Count a socket while it is open."""
        self._open += 1
        self._of_address[address] += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._open -= 1
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]
            if self._open == 0:
                self._idle.set()

    @asynccontextmanager
    async def at_door(self) -> AsyncIterator[None]:
        """Wait for a `hello` in here.

        Errors: TimeoutError when it took too long, or at once when this process stops.
        """
        async with asyncio.timeout(self.limits.hello_ms / 1000) as wait:
            self._at_door.add(wait)
            try:
                yield
            finally:
                self._at_door.discard(wait)

    def join(self, player: PlayerId, line: Line) -> None:
        """Make this the player's socket; an older one hears nothing more and is closed."""
        older = self._of.get(player)
        self._of[player] = line
        self._since_ms[player] = at_ms = self.host.now_ms()
        if older is not None:
            self.host.forget(older)
            older.close(CLOSE_REPLACED)
        self.host.here(player)
        self._news.tell("joined", player, at_ms=at_ms)
        if self.is_stopping:  # its hello came before, and its end is the others'
            line.close(CLOSE_RESTART)

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
        self._rename(player, name)
        self._news.tell("renamed", player, name=name)

    def sign_out(self, player: PlayerId, token: str | None = None) -> None:
        """Close the player's socket if it came in by this token; None is any."""
        self.sign_out_marked(player, mark_of(token))

    def sign_out_marked(self, player: PlayerId, mark: str | None) -> None:
        """Close the player's socket if it came in by the token of that mark; None is any."""
        self._sign_out(player, mark)
        self._news.tell("signed_out", player, mark=mark)

    def put_out(self, player: PlayerId) -> None:
        """Close the socket of a player who may not play any more."""
        self._put_out(player)
        self._news.tell("put_out", player)

    def _rename(self, player: PlayerId, name: str) -> None:
        if (line := self._of.get(player)) is not None:
            line.rename(name)

    def _sign_out(self, player: PlayerId, mark: str | None) -> None:
        line = self._of.get(player)
        if line is not None and mark in (None, mark_of(line.token)):
            line.close(CLOSE_SIGNED_OUT)

    def _put_out(self, player: PlayerId) -> None:
        if (line := self._of.get(player)) is not None:
            line.close(CLOSE_PUT_OUT)

    def _replace(self, player: PlayerId, *, at_ms: int, owner: str) -> None:
        """Close a player's socket for one that came later to another process."""
        line, own_ms = self._of.get(player), self._since_ms.get(player, 0)
        if line is None or (own_ms, self._news.owner) > (at_ms, owner):
            return
        del self._of[player], self._since_ms[player]
        self.host.forget(line)
        self.host.passed_on(player)
        line.close(CLOSE_REPLACED)

    def _hear(self, news: News) -> None:
        player = PlayerId(news.player)
        match news.what:
            case "joined":
                self._replace(player, at_ms=news.at_ms, owner=news.owner)
            case "renamed":
                self._rename(player, news.name or "")
            case "signed_out":
                self._sign_out(player, news.mark)
            case "put_out":
                self._put_out(player)

    def shut(self) -> None:
        """Take no further socket."""
        self.is_stopping = True

    async def stop(self, wait_ms: int) -> None:
        """Close every socket with 1012 and wait until they are gone, at most so long."""
        self.shut()
        for line in tuple(self._of.values()):
            line.close(CLOSE_RESTART)
        for wait in self._at_door:
            if not wait.expired():
                wait.reschedule(0)  # long past: whoever waits there is told of the stop
        try:
            await asyncio.wait_for(self._idle.wait(), wait_ms / 1000)
        except TimeoutError:
            return
