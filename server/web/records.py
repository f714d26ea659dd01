"""Hands and their records, for everybody; and which games there are, by which options."""

from typing import Any
from uuid import UUID

from fastapi import APIRouter, Response
from pydantic import BaseModel, TypeAdapter

from server.cards.game import AnyGame
from server.database import HandId
from server.errors import Refusal
from server.tables import hands, record
from server.tables import service as tables
from server.web.auth import Anybody, TheParts
from server.web.errors import refuses
from server.web.pages import Id

router = APIRouter(tags=["hands"], dependencies=[Anybody])

RECORD = {"$ref": "#/components/schemas/HandRecord"}
STATES = {
    hands.OPEN: "open",
    hands.LISTED: "listed",
    hands.DEALT: "dealt",
    hands.CLOSED: "closed",
    hands.CANCELLED: "cancelled",
}


class HandBody(BaseModel):
    """What is public of a hand; its record is there once it is closed."""

    hand: str
    table: UUID
    table_name: str
    number: int
    game: str
    state: str
    record: str | None


class GameBody(BaseModel):
    """A game: its seats, the schema of a table's options and of its moves."""

    name: str
    rules: str
    seats: list[int]
    direction: str
    options: dict[str, Any]
    moves: dict[str, Any]


class GameList(BaseModel):
    """Every game."""

    games: list[GameBody]


@router.get("/hands/{hand}", summary="One hand", openapi_extra=refuses("no_such_hand"))
async def get_hand(parts: TheParts, hand: Id) -> HandBody:
    """Say what is public of a hand."""
    async with parts.database.transaction() as tx:
        about = await tables.find_hand(tx, HandId(hand))
    if about is None:
        raise Refusal("no_such_hand", "there is no such hand", "hand")
    is_closed = about.state == hands.CLOSED
    return HandBody(
        hand=str(about.hand_id),
        table=about.table_id,
        table_name=about.table_name,
        number=about.hand_no,
        game=about.game,
        state=STATES[about.state],
        record=f"/api/v1/hands/{about.hand_id}/record" if is_closed else None,
    )


@router.get(
    "/hands/{hand}/record",
    summary="The record of a closed hand, to be verified",
    response_class=Response,
    responses={200: {"content": {"application/json": {"schema": RECORD}}}},
    openapi_extra=refuses("no_such_hand", "hand_not_over", "hand_has_no_record"),
)
async def get_record(parts: TheParts, hand: Id) -> Response:
    """Give the record, byte for byte as it was signed."""

    body = await parts.database.run(
        lambda tx: record.record_of(tx, HandId(hand), parts.table_parts)
    )
    name = f"pakka-hand-{hand}.json"
    return Response(
        body,
        media_type="application/json",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "public, max-age=31536000, immutable",
        },
    )


@router.get("/games", summary="The games")
async def get_games(parts: TheParts) -> GameList:
    """List the games."""
    return GameList(
        games=[_game_body(game, parts.moves_of(game).schema()) for game in parts.games.values()]
    )


def _game_body(game: AnyGame, moves: dict[str, Any]) -> GameBody:
    return GameBody(
        name=game.name,
        rules=game.rules_version,
        seats=list(game.seats),
        direction=game.direction.value,
        options=TypeAdapter(game.options_type).json_schema(),
        moves=moves,
    )
