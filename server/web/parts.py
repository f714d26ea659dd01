"""What the web floor is built from; `main` brings it all."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from server.cards.game import AnyGame
from server.database import Database, PlayerId
from server.fairness.note import NoteKey
from server.identity.two_step import SecretBox
from server.messenger import Counts
from server.observability.metrics import Metrics
from server.tables.host import TableHost
from server.tables.work import Parts as TableParts
from server.web.gateway import Gateway
from server.web.limits import Bounded, Bucket, Buckets, Limits, Rate, Turns
from server.web.moves import MoveReader
from server.web.strain import Strain

CHECKS: Final = Rate(1 / 60, 1)
"""How often operators may have the whole ledger checked: once a minute."""

CHECKS_AT_ONCE: Final = 1

Probe = Callable[[], Awaitable[object]]
"""Says something true when its part is ready; an exception says that it isn't."""


@dataclass(slots=True, kw_only=True)
class Parts:
    """The parts of one server.

    Shape: `origins` are those that browsers may come from; none: only the server's own.
           `table_parts` are the keys that sign hands, checkpoints and records;
           `probes` say by name whether a part is ready; `bot_secret` makes marked bots;
           `carried` are the messenger's counts;
           `two_step_of_all`: no operator signs in without a code;
           `time_zone` says when a day begins for the house.
    """

    database: Database
    host: TableHost
    table_parts: TableParts
    games: Mapping[str, AnyGame]
    limits: Limits
    bot_secret: str
    origins: tuple[str, ...] = ()
    session_days: int = 30
    two_step_of_all: bool = False
    welcome_micro: int = 10_000_000_000
    time_zone: str = "Asia/Kolkata"
    probes: Mapping[str, Probe] = field(default_factory=dict)
    carried: Counts = field(default_factory=Counts)
    gateway: Gateway = field(init=False)
    checking: Bounded = field(init=False)
    exports: Bounded = field(init=False)
    working: Bounded = field(init=False)
    passwords: Turns = field(init=False)
    strain: Strain = field(init=False)
    requests: Buckets[str] = field(init=False)
    requests_of: Buckets[PlayerId] = field(init=False)
    sign_ins: Buckets[str] = field(init=False)
    _readers: dict[str, MoveReader] = field(init=False)

    def __post_init__(self) -> None:
        self.gateway = Gateway(self.host, self.limits)
        self.checking = Bounded(CHECKS_AT_ONCE, Bucket(CHECKS))
        # Each keeps a connection for as long as somebody reads, and the tables need some.
        self.exports = Bounded(self.limits.exports_at_once)
        self.working = Bounded(self.limits.requests_at_once)
        self.passwords = Turns(self.limits.passwords_at_once, self.limits.passwords_waiting)
        self.strain = Strain(self.limits.lag_ms)
        self.requests = Buckets(self.limits.requests)
        self.requests_of = Buckets(self.limits.requests)
        self.sign_ins = Buckets(self.limits.sign_ins)
        self._readers = {name: MoveReader(game) for name, game in self.games.items()}

    @property
    def server_pub(self) -> bytes:
        """The public half of the key that signs hands."""
        return self.table_parts.signer.public

    @property
    def server_pubs(self) -> frozenset[bytes]:
        """The public halves of all keys that hands and seals were ever signed by."""
        return frozenset(signer.public for signer in self.table_parts.signers)

    @property
    def metrics(self) -> Metrics:
        """The figures of this server, the tables' own too."""
        return self.table_parts.metrics

    @property
    def log_key(self) -> NoteKey:
        """The public half of the log's own key, named by the log's origin."""
        return self.table_parts.log_signer.key

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach us by https alone."""
        return bool(self.origins) and all(one.startswith("https://") for one in self.origins)

    @property
    def secret_box(self) -> SecretBox:
        """What operators' secrets are sealed in."""
        return SecretBox.of(self.table_parts.sealer)

    def moves_of(self, game: AnyGame) -> MoveReader:
        """Give what reads the moves of a game."""
        return self._readers[game.name]
