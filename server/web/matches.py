"""Matches of several hands: a player's own, with their results, and the standings of a game."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from server.database import PlayerId
from server.errors import Refusal
from server.identity import service as identity
from server.tables import matches
from server.tables.matches import MatchRow, StandingRow
from server.web.auth import Anybody, Caller, TheParts
from server.web.errors import refuses
from server.web.pages import LIST_MAX, After, Limit

PLACE_MAX: Final = 100_000
"""The last place that the standings are listed to: each page counts up to its first."""

router = APIRouter(tags=["matches"])

Place = Annotated[
    int | None,
    Query(ge=0, le=PLACE_MAX, description="`next` of the page before: where this one goes on"),
]


class MatchSeat(BaseModel):
    """A seat of a match; `substituted`: a bot played it to the end in its owner's place."""

    seat: int
    name: str
    points: int
    won: bool
    substituted: bool


class MatchLine(BaseModel):
    """A match that the player's seat was in, with the points of all its hands together.

    Shape: `shared`: several have won, and no side alone; `seat` is the player's own.
    """

    match: str
    table: UUID
    table_name: str
    game: str
    number: int
    first_hand: int
    last_hand: int
    seat: int
    shared: bool
    seats: list[MatchSeat]
    ended_at: datetime


class MatchList(BaseModel):
    """A page of matches, the newest first."""

    matches: list[MatchLine]
    next: int | None


class StandingLine(BaseModel):
    """A person's matches of a game; those that a substitute ended are in `matches` alone.

    Shape: `place` counts from 1; `finished`, `wins` and `shared` are matches that the person
           played to the end, `points` those of all its hands, as the game counts them.
    """

    place: int
    name: str
    matches: int
    finished: int
    wins: int
    shared: int
    points: int


class Standings(BaseModel):
    """A page of standings: most wins first, then most shared, then fewest matches."""

    game: str
    standings: list[StandingLine]
    next: int | None


@router.get("/me/matches", summary="My matches")
async def get_matches(
    caller: Caller, parts: TheParts, limit: Limit = LIST_MAX, after: After = None
) -> MatchList:
    """List the caller's matches at free tables, newest first."""
    async with parts.database.transaction() as tx:
        rows = await matches.matches_of(tx, caller.player, before=after, limit=limit + 1)
        people = {seat.player for row in rows for seat in row.seats}
        names = await identity.names_of(tx, people)
    page = [_line_of(row, own=caller.player, names=names) for row in rows[:limit]]
    return MatchList(matches=page, next=int(page[-1].match) if len(rows) > limit else None)


@router.get(
    "/games/{game}/standings",
    summary="Who has won how often",
    dependencies=[Anybody],
    openapi_extra=refuses("no_such_game"),
)
async def get_standings(
    parts: TheParts, game: str, limit: Limit = LIST_MAX, after: Place = None
) -> Standings:
    """List the people who have played matches of a game; bots have no standing."""
    if game not in parts.games:
        raise Refusal("no_such_game", f"there is no game {game[:32]!r}", "game")
    before = after or 0
    async with parts.database.transaction() as tx:
        rows = await matches.standings(tx, game, after=before, limit=limit + 1)
        names = await identity.names_of(tx, {row.player for row in rows})
    return Standings(
        game=game,
        standings=_places(rows[:limit], before, names),
        next=before + limit if len(rows) > limit else None,
    )


def _line_of(row: MatchRow, *, own: int, names: Mapping[PlayerId, str]) -> MatchLine:
    seats = [
        MatchSeat(
            seat=one.seat,
            name=names[one.player],
            points=one.points,
            won=one.has_won,
            substituted=one.by_substitute,
        )
        for one in row.seats
    ]
    return MatchLine(
        match=str(row.match_id),
        table=row.table_id,
        table_name=row.table_name,
        game=row.game,
        number=row.match_no,
        first_hand=row.first_hand,
        last_hand=row.last_hand,
        seat=next(one.seat for one in row.seats if one.player == own),
        shared=row.is_shared,
        seats=seats,
        ended_at=row.ended_at,
    )


def _places(
    rows: Sequence[StandingRow], before: int, names: Mapping[PlayerId, str]
) -> list[StandingLine]:
    return [
        StandingLine(
            place=place,
            name=names[row.player],
            matches=row.matches,
            finished=row.finished,
            wins=row.wins,
            shared=row.shared,
            points=row.points,
        )
        for place, row in enumerate(rows, before + 1)
    ]
