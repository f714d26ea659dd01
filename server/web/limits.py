"""How much a client may say: token buckets, on a clock that tests can bring."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a client may do, and when it must.

    Units: milliseconds, frames or requests a second. `moves` are `play` frames, `rest` all other
           frames; `requests` and `sign_ins` are of an address.
    """

    hello_ms: int = 5_000
    heartbeat_ms: int = 15_000
    presence_ms: int = 40_000
    here_every_ms: int = 5_000
    recheck_ms: int = 300_000
    command_ms: int = 20_000
    sockets: int = 4_000
    outbox: int = 256
    replay: int = 200
    tables: int = 16
    bad_frames: int = 8
    moves: Rate = Rate(20, 40)
    rest: Rate = Rate(10, 60)
    strikes: Rate = Rate(0.5, 20)
    requests: Rate = Rate(10, 100)
    sign_ins: Rate = Rate(10 / 60, 10)
