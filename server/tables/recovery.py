"""Rebuilding a table: the journal's facts since the last opening, folded once more."""

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
from server.tables.state import Reshuffling, Revealing, TableState
from server.tables.told import Numbered
from server.tables.work import Parts, Work


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A table as its journal tells it, with the events of its open hand."""

    state: TableState
    events: tuple[Numbered, ...]


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


async def rebuild(
    tx: Transaction, state: TableState, entries: tuple[journal.Entry, ...], parts: Parts
) -> Rebuilt:
    """Fold a table's entries over its blank state.

    Errors: Fault if a seed can't be unsealed; AssertionError if the journal contradicts itself.
    """
    names = await names_of(tx, _players_of(entries))
    before = replace(_before(state, entries), names=names)
    work = Work(within=tx, state=before, now_ms=0, parts=parts)
    events: list[Numbered] = []
    for entry in entries:
        work.now_ms = entry.at_ms
        told_before = len(work.told)
        work.add(entry.fact, await _shoe_of(work, entry.fact))
        assert work.entries[-1].last_seq == entry.last_seq, "the journal's numbering is broken"
        events.extend(
            Numbered(seq=entry.seq + i, stream=state.stream, now_ms=entry.at_ms, told=told)
            for i, told in enumerate(work.told[told_before:])
        )
    return Rebuilt(work.state, tuple(events))


def _players_of(entries: tuple[journal.Entry, ...]) -> frozenset[PlayerId]:
    players: set[int] = set()
    for entry in entries:
        match entry.fact:
            case SeatTaken(player=player) | SeatSubstituted(player=player):
                players.add(player)
            case HandOpened(chairs=chairs):
                players |= {sat.player for sat in chairs}
                players |= {sat.substitute.player for sat in chairs if sat.substitute}
            case _:
                pass
    return frozenset(map(PlayerId, players))


def _before(state: TableState, entries: tuple[journal.Entry, ...]) -> TableState:
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
