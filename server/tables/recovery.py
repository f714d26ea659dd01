"""Rebuilding a table: the journal's facts since the last opening, folded once more.

And moving one on whose state is known, by the facts that followed it.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from server.cards.game import AnyGame, TableOptions
from server.database import PlayerId, TableId, Transaction
from server.fairness.shoe import Shoe
from server.identity.service import names_of
from server.tables import deal, journal
from server.tables.facts import (
    Dealt,
    Fact,
    HandOpened,
    Reshuffled,
    SeatSubstituted,
    SeatTaken,
)
from server.tables.service import OpenTable
from server.tables.state import Reshuffling, Revealing, TableState
from server.tables.told import Numbered
from server.tables.work import Parts, Work

Dated = tuple[Fact, int]
"""A fact, and when it was written, in milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A table as its journal tells it, with the facts that were folded and their events."""

    state: TableState
    events: tuple[Numbered, ...]
    entries: tuple[journal.Entry, ...]


def blank(
    *, table: TableId, name: str, game: AnyGame, options: TableOptions, stream: int = 1
) -> TableState:
    """Make the state of a table before its first fact."""
    return TableState(
        table=table,
        name=name,
        game=game,
        options=options,
        chairs=(None,) * options.seats,
        stream=stream,
    )


def blank_of(found: OpenTable) -> TableState:
    """Make the blank state of a table as its row says."""
    return blank(
        table=found.table_id,
        name=found.name,
        game=found.game,
        options=found.options,
        stream=found.stream,
    )


async def rebuild(
    tx: Transaction, state: TableState, entries: Sequence[journal.Entry], parts: Parts
) -> Rebuilt:
    """Fold a table's entries over its blank state.

    Errors: Fault if a seed can't be unsealed; AssertionError if the journal contradicts itself.
    """
    return await go_on(tx, _before(state, entries), entries, parts)


async def go_on(
    tx: Transaction, state: TableState, entries: Sequence[journal.Entry], parts: Parts
) -> Rebuilt:
    """Fold the journal's entries that follow a state. Errors: as `rebuild`."""
    rebuilt = await follow(tx, state, [(one.fact, one.at_ms) for one in entries], parts)
    numbers = [(one.seq, one.last_seq) for one in rebuilt.entries]
    assert numbers == [(one.seq, one.last_seq) for one in entries], "its numbering is broken"
    return rebuilt


async def follow(
    within: Transaction | None, state: TableState, facts: Sequence[Dated], parts: Parts
) -> Rebuilt:
    """Fold facts that follow a state; how they are numbered is found here.

    Errors: as `rebuild`; NeedsTransaction if there is none, and a name or a seed is to be read.
    """
    work = Work(within=within, state=state, now_ms=0, parts=parts)
    asked = _players_of(facts, state.names.keys())
    if asked:
        work.state = replace(state, names={**state.names, **await names_of(work.tx, asked)})
    events: list[Numbered] = []
    for fact, at_ms in facts:
        work.now_ms = at_ms
        first, told_before = work.state.seq + 1, len(work.told)
        work.add(fact, await _shoe_of(work, fact))
        events.extend(
            Numbered(seq=first + i, stream=state.stream, now_ms=at_ms, told=told)
            for i, told in enumerate(work.told[told_before:])
        )
    return Rebuilt(work.state, tuple(events), tuple(work.entries))


def _players_of(facts: Sequence[Dated], known: Set[PlayerId]) -> frozenset[PlayerId]:
    """Name the players whose names are to be read: who sits down may have another than before."""
    sat_down: set[PlayerId] = set()
    opened: set[PlayerId] = set()
    for fact, _ in facts:
        match fact:
            case SeatTaken(player=player) | SeatSubstituted(player=player):
                sat_down.add(PlayerId(player))
            case HandOpened(chairs=chairs):
                opened |= {PlayerId(sat.player) for sat in chairs}
                opened |= {PlayerId(sat.substitute.player) for sat in chairs if sat.substitute}
            case _:
                pass
    return frozenset(sat_down | (opened - known))


def _before(state: TableState, entries: Sequence[journal.Entry]) -> TableState:
    return replace(state, seq=entries[0].seq - 1) if entries else state


async def _shoe_of(work: Work, fact: Fact) -> Shoe | None:
    phase = work.state.phase
    if isinstance(fact, Dealt):
        assert isinstance(phase, Revealing), "a deal follows the reveals"
        return await deal.shoe_of_deal(work, phase.listing)
    if isinstance(fact, Reshuffled):
        assert isinstance(phase, Reshuffling), "a reshuffle follows its call"
        return await deal.shoe_of_reshuffle(work, phase)
    return None
