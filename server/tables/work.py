"""One transaction of a table: facts are folded as they are found, and written at the end."""

from dataclasses import dataclass, field, replace
from typing import NoReturn

from server.database import HandId, TableId, Transaction
from server.errors import Refusal
from server.fairness.seal import Sealer
from server.fairness.shoe import Shoe
from server.fairness.signing import LogSigner, SigningKey
from server.observability.metrics import Metrics
from server.tables import figures, journal
from server.tables.clock import Clocks
from server.tables.facts import Fact, HandOpened
from server.tables.fold import advance
from server.tables.published import Publish, Published, to_nobody
from server.tables.signers import signer_of
from server.tables.state import Opened, TableState
from server.tables.told import Told


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What every table needs: keys and clocks, made once by the composition root.

    Shape: the keys that were replaced go on to sign and to vouch for what they began; `publish`
           carries what was committed to the processes that mirror a table; `metrics` counts.
    """

    signer: SigningKey
    log_signer: LogSigner
    sealer: Sealer
    clocks: Clocks
    old_signers: tuple[SigningKey, ...] = ()
    old_log_signers: tuple[LogSigner, ...] = ()
    publish: Publish = to_nobody
    metrics: Metrics = field(default_factory=Metrics)

    @property
    def signers(self) -> tuple[SigningKey, ...]:
        """Give the signing keys: the one in force, then those that it replaced."""
        return self.signer, *self.old_signers

    def publishing(self, publish: Publish) -> "Parts":
        """Give the same parts, that publish there too."""
        also = self.publish

        def both(published: Published) -> None:
            also(published)
            publish(published)

        return replace(self, publish=both)

    def signer_of(self, state: TableState, fact: Fact | None = None) -> SigningKey:
        """Get the key that signs a table's open hand, or the one that `fact` opens.

        Errors: Fault if it is none of ours.
        """
        opened = fact if isinstance(fact, HandOpened) else state.opened
        return self.signer if opened is None else signer_of(self.signers, state.table, opened)


class NeedsTransaction(Exception):
    """A work without a transaction came to where one is needed: it is to be done again in one."""


@dataclass(slots=True, kw_only=True)
class Work:
    """A transaction in the making: the state that it would lead to, and what it would write.

    Nothing of it is believed before the commit; a failure drops it whole.
    """

    within: Transaction | None
    state: TableState
    now_ms: int
    parts: Parts
    entries: list[journal.Entry] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    is_released: bool = False

    def add(self, fact: Fact, shoe: Shoe | None = None) -> None:
        """Fold a fact. Errors: IllegalMove if the game refuses it; nothing was added."""
        folded = advance(self.state, fact, self.parts.signer_of(self.state, fact), shoe)
        self.entries.append(
            journal.Entry(
                seq=self.state.seq + 1,
                last_seq=folded.state.seq,
                fact=fact,
                hand=self._hand_of(fact),
                opens_hand=isinstance(fact, HandOpened),
                at_ms=self.now_ms,
            )
        )
        self.told.extend(folded.told)
        self.figures.extend(figures.counted(self.state, fact))
        self.state = folded.state

    async def write(self, *, fence: int) -> None:
        """Write what was found. Errors: as `journal.write`."""
        if self.entries:
            await journal.write(self.tx, self.table, self.entries, fence=fence)
            await figures.add(self.tx, self.table, self.figures)

    def _hand_of(self, fact: Fact) -> HandId | None:
        if isinstance(fact, HandOpened):
            return HandId(fact.hand_id)
        return None if self.state.opened is None else self.state.opened.hand_id

    @property
    def tx(self) -> Transaction:
        """Give the transaction. Errors: NeedsTransaction if there is none yet."""
        if self.within is None:
            raise NeedsTransaction
        return self.within

    @property
    def opened(self) -> Opened:
        """Give the open hand."""
        assert self.state.opened is not None, "no hand is open"
        return self.state.opened

    @property
    def table(self) -> TableId:
        """Give the table's id."""
        return self.state.table


def refuse(code: str, text: str, field_name: str | None = None) -> NoReturn:
    """Refuse a command with a stable code."""
    raise Refusal(code, text, field_name)
