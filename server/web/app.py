"""The application: its routes, its socket, its bounds, joined from the parts that main brings."""

from typing import Final

from fastapi import APIRouter, FastAPI, WebSocket

from server.web import (
    errors,
    health,
    lobby,
    me,
    operator,
    operator_tables,
    player,
    public_log,
    records,
    treasury,
)
from server.web.auth import TheParts
from server.web.bounds import Bounds
from server.web.errors import RefusalBody
from server.web.parts import Parts
from server.web.socket import serve_socket

API: Final = "/api/v1"
ABOUT: Final = (
    "A rummy server for house tokens (HT) whose every deal can be checked. "
    "House tokens can be neither bought nor cashed in."
)

root = APIRouter()


@root.get("/", summary="What this is, and where its documents are")
async def home(parts: TheParts) -> dict[str, str]:
    """Say what this is."""
    return {
        "name": "Pakka",
        "about": ABOUT,
        "docs": "/docs",
        "openapi": "/openapi.json",
        "socket": "/ws",
        "server_key": parts.server_pub.hex(),
        "log_key": parts.log_key.vkey,
    }


@root.websocket("/ws")
async def socket(socket: WebSocket) -> None:
    """Serve a player's socket."""
    await serve_socket(socket, socket.app.state.parts)


def build_app(parts: Parts) -> FastAPI:
    """Join the parts to an application."""
    app = FastAPI(
        title="Pakka",
        version="1",
        description=ABOUT,
        redoc_url=None,
        responses={"4XX": {"model": RefusalBody}, "5XX": {"model": RefusalBody}},
    )
    app.state.parts = parts
    for part in (player, me, lobby, records, public_log, operator, operator_tables, treasury):
        app.include_router(part.router, prefix=API)
    app.include_router(health.router)
    app.include_router(root)
    errors.install(app)
    app.add_middleware(Bounds, requests=parts.requests, metrics=parts.metrics)
    return app
