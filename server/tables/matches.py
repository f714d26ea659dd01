"""Matches that have ended: their results, and how often each person has played and won.

Kept at free tables alone: where tokens move, each hand is a match, and the ledger tells it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text

from server.database import PlayerId, TableId, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedSeat:
    """A seat of a match that ends. `by_substitute`: its owner does not play it any more."""

    seat: int
    player: PlayerId
    is_human: bool
    has_won: bool
    by_substitute: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSeatRow:
    """A seat of a match as it ended."""

    seat: int
    player: PlayerId
    points: int
    has_won: bool
    by_substitute: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRow:
    """A match as the list of a player's matches shows it."""

    match_id: int
    table_id: TableId
    table_name: str
    game: str
    match_no: int
    first_hand: int
    last_hand: int
    is_shared: bool
    ended_at: datetime
    seats: tuple[MatchSeatRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """A person's matches of one game together."""

    player: PlayerId
    matches: int
    finished: int
    wins: int
    shared: int
    points: int


async def end(
    tx: Transaction,
    table: TableId,
    *,
    game: str,
    match_no: int,
    hands: tuple[int, int],
    seats: Sequence[EndedSeat],
    is_shared: bool,
) -> None:
    """Keep a match's result, and add it to the standings of the people in it.

    Shape: `hands` are the numbers of its first and its last hand; the points of each are kept.
    """
    first, last = hands
    await tx.execute(
        _END,
        {
            "table": table,
            "game": game,
            "match_no": match_no,
            "first": first,
            "last": last,
            "is_shared": is_shared,
            "seats": [one.seat for one in seats],
            "players": [one.player for one in seats],
            "humans": [one.is_human for one in seats],
            "winners": [one.has_won for one in seats],
            "substituted": [one.by_substitute for one in seats],
        },
    )


async def finished_by(
    tx: Transaction, game: str, players: Iterable[PlayerId]
) -> Mapping[PlayerId, int]:
    """Count the matches of a game that each of these people has finished; 0 is left out."""
    found = await tx.execute(_FINISHED, {"game": game, "players": sorted(players)})
    return {PlayerId(row.player_id): row.finished for row in found}


async def matches_of(
    tx: Transaction, player: PlayerId, *, before: int | None, limit: int
) -> tuple[MatchRow, ...]:
    """List a player's matches, newest first, those with ids below `before`."""
    values = {"player": player, "before": before, "limit": limit}
    return tuple(_match_of(row) for row in await tx.execute(_MATCHES_OF, values))


async def standings(
    tx: Transaction, game: str, *, after: int, limit: int
) -> tuple[StandingRow, ...]:
    """List the standings of a game from place `after` on: most wins first, then shared ones."""
    found = await tx.execute(_STANDINGS, {"game": game, "after": after, "limit": limit})
    return tuple(
        StandingRow(
            player=PlayerId(row.player_id),
            matches=row.matches,
            finished=row.finished,
            wins=row.wins,
            shared=row.shared,
            points=row.points,
        )
        for row in found
    )


def _match_of(row: Row[Any]) -> MatchRow:
    return MatchRow(
        match_id=row.match_id,
        table_id=TableId(UUID(str(row.table_id))),
        table_name=row.name,
        game=row.game,
        match_no=row.match_no,
        first_hand=row.first_hand,
        last_hand=row.last_hand,
        is_shared=row.is_shared,
        ended_at=row.ended_at,
        seats=tuple(
            MatchSeatRow(
                seat=seat["seat"],
                player=PlayerId(seat["player_id"]),
                points=seat["points"],
                has_won=seat["has_won"],
                by_substitute=seat["by_substitute"],
            )
            for seat in row.seats
        ),
    )


# One statement: result, seats and standings come together. Standings are locked in the order of
# the players, as every match does it.
_END = text("""
    with ended as (
        insert into tables.match (table_id, match_no, first_hand, last_hand, is_shared)
        values (:table, :match_no, :first, :last, :is_shared) returning match_id),
    summed as (
        select s.seat, sum(s.points)::bigint as points
          from tables.hand h join tables.hand_seat s using (hand_id)
         where h.table_id = :table and h.hand_no between :first and :last group by s.seat),
    sat as (
        select p.seat, p.player, p.human, p.won, p.substituted, coalesce(d.points, 0) as points
          from unnest(cast(:seats as smallint[]), cast(:players as bigint[]),
                      cast(:humans as boolean[]), cast(:winners as boolean[]),
                      cast(:substituted as boolean[]))
               p (seat, player, human, won, substituted)
          left join summed d using (seat)),
    kept as (
        insert into tables.match_seat
               (match_id, seat, player_id, points, has_won, by_substitute)
        select e.match_id, p.seat, p.player, p.points, p.won, p.substituted from ended e, sat p)
    insert into tables.standing as s (game, player_id, matches, finished, wins, shared, points)
    select :game, p.player, 1, (not p.substituted)::int,
           (p.won and not p.substituted and not :is_shared)::int,
           (p.won and not p.substituted and :is_shared)::int, p.points
      from sat p where p.human order by p.player
    on conflict (game, player_id) do update
       set matches = s.matches + 1, finished = s.finished + excluded.finished,
           wins = s.wins + excluded.wins, shared = s.shared + excluded.shared,
           points = s.points + excluded.points
""")
_FINISHED = text("""
    select player_id, finished from tables.standing
     where game = :game and player_id = any(cast(:players as bigint[])) and finished > 0
""")
_MATCHES_OF = text("""
    select m.match_id, m.table_id, t.name, t.game, m.match_no, m.first_hand, m.last_hand,
           m.is_shared, m.ended_at,
           (select jsonb_agg(to_jsonb(s) order by s.seat) from tables.match_seat s
             where s.match_id = m.match_id) as seats
      from tables.match_seat mine join tables.match m using (match_id)
      join tables.game_table t using (table_id)
     where mine.player_id = :player
       and (cast(:before as bigint) is null or m.match_id < :before)
     order by m.match_id desc limit :limit
""")
_STANDINGS = text("""
    select player_id, matches, finished, wins, shared, points from tables.standing
     where game = :game order by wins desc, shared desc, matches, player_id
     limit :limit offset :after
""")
