"""How much a client may say: token buckets, on a clock that tests can bring."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Final, Generic, TypeVar

from server.errors import Refusal

BUCKETS_MAX: Final = 10_000
"""How many keys (players, addresses) are remembered; the longest unused is forgotten first."""

Clock = Callable[[], float]
KeyT = TypeVar("KeyT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Rate:
    """Units: `per_second` tokens come back each second, up to `burst`."""

    per_second: float
    burst: int


class Bucket:
    """Tokens that are taken one by one and come back with time."""

    __slots__ = ("_clock", "_rate", "_seen", "_tokens")

    def __init__(self, rate: Rate, clock: Clock = monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._tokens = float(rate.burst)
        self._seen = clock()

    def take(self) -> bool:
        """Take a token; False if there is none."""
        now = self._clock()
        refilled = self._tokens + (now - self._seen) * self._rate.per_second
        self._tokens, self._seen = min(refilled, float(self._rate.burst)), now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Buckets(Generic[KeyT]):
    """A bucket for each key, a bounded number of them."""

    def __init__(self, rate: Rate, clock: Clock = monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._of: OrderedDict[KeyT, Bucket] = OrderedDict()

    def take(self, key: KeyT) -> bool:
        """Take a token of that key's bucket; False if there is none."""
        bucket = self._of.get(key)
        if bucket is None:
            bucket = self._of[key] = Bucket(self._rate, self._clock)
            if len(self._of) > BUCKETS_MAX:
                self._of.popitem(last=False)
        self._of.move_to_end(key)
        return bucket.take()


class Bounded:
    """Dear work: so much of it at once, and begun at a rate."""

    def __init__(self, at_once: int, bucket: Bucket | None = None) -> None:
        self.free = at_once
        self._bucket = bucket

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Count a piece of work while it is done. Errors: Refusal `slow_down`."""
        if self.free == 0 or not (self._bucket is None or self._bucket.take()):
            raise Refusal("slow_down", "there is enough of this for now: try again later")
        self.free -= 1
        try:
            yield
        finally:
            self.free += 1


class Turns:
    """Slow work: so much of it at once, and so much more that waits for its turn."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._turns = asyncio.Semaphore(at_once)
        self.room = at_once + waiting

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[None]:
        """Wait for a turn and keep it. Errors: Refusal `slow_down` if too many wait already."""
        if self.room == 0:
            raise Refusal("slow_down", "too many wait for this already: try again later")
        self.room -= 1
        try:
            async with self._turns:
                yield
        finally:
            self.room += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a client may do, and when it must.

    Units: `.._ms` milliseconds, `.._bytes` bytes, a `Rate` in frames or requests a second, else
           counts. `frames` are those of any kind in a second, pings too, `pieces` those of one
           frame; `moves` are `play` frames, `rest` all other frames, `strikes` the frames that
           were too many for those two; `requests` are of an
           address and of a player, `sign_ins` of an address; `proxies` are networks whose word
           about addresses is believed.
    """

    hello_ms: int = 5_000
    heartbeat_ms: int = 15_000
    presence_ms: int = 40_000
    here_every_ms: int = 5_000
    recheck_ms: int = 300_000
    command_ms: int = 20_000
    sockets: int = 4_000
    connections: int = 1_000
    of_address: int = 200
    proxies: tuple[str, ...] = ()
    lag_ms: int = 1_000
    head_ms: int = 10_000
    body_ms: int = 10_000
    body_bytes: int = 16_384
    reader_ms: int = 30_000
    frame_bytes: int = 8_192
    pieces: int = 64
    frames: int = 1_000
    outbox: int = 256
    replay: int = 200
    tables: int = 16
    bad_frames: int = 8
    requests_at_once: int = 64
    exports_at_once: int = 2
    passwords_at_once: int = 2
    passwords_waiting: int = 16
    moves: Rate = Rate(20, 40)
    rest: Rate = Rate(10, 60)
    strikes: Rate = Rate(0.5, 20)
    requests: Rate = Rate(10, 100)
    sign_ins: Rate = Rate(10 / 60, 10)
