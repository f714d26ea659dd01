"""The application: its routes, its socket, its bounds, joined from the parts that main brings."""

from typing import Final

from fastapi import APIRouter, FastAPI, Request, Response, WebSocket
from pydantic import BaseModel

from server.web import (
    assets,
    books,
    complaints,
    errors,
    fairness,
    health,
    live,
    lobby,
    matches,
    me,
    operator,
    operator_tables,
    player,
    public_log,
    records,
    sign_ins,
    standing,
    treasury,
    verifier,
)
from server.web.auth import Anybody, TheParts
from server.web.bounds import Bounds
from server.web.documents import openapi, routes, served
from server.web.errors import RefusalBody
from server.web.headers import Headers
from server.web.parts import Parts
from server.web.socket import serve_socket

API: Final = "/api/v1"
ABOUT: Final = (
    "A rummy server for house tokens (HT) whose every deal can be checked. "
    "House tokens can be neither bought nor cashed in."
)

root = APIRouter(tags=["about"])


class HomeBody(BaseModel):
    """What this is; the two keys are to be pinned when they are first seen."""

    name: str = "Pakka"
    about: str = ABOUT
    docs: str = "/docs"
    openapi: str = "/openapi.json"
    asyncapi: str = "/asyncapi.json"
    socket: str = "/ws"
    server_key: str
    log_key: str


@root.get(
    "/",
    summary="What this is, and where its documents are",
    dependencies=[Anybody],
    response_model=HomeBody,
    responses={200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
)
async def home(request: Request, parts: TheParts) -> HomeBody | Response:
    """Say what this is; a browser gets the page."""
    if assets.wants_page(request):
        return assets.page(request)
    return HomeBody(server_key=parts.server_pub.hex(), log_key=parts.log_key.vkey)


@root.websocket("/ws")
async def socket(socket: WebSocket) -> None:
    """Serve a player's socket."""
    await serve_socket(socket, socket.app.state.parts)


ROUTERS: Final = (
    *(
        (API, part.router)
        for part in (
            player,
            me,
            sign_ins,
            matches,
            lobby,
            records,
            fairness,
            public_log,
            operator,
            operator_tables,
            treasury,
            books,
            standing,
            live,
            complaints,
        )
    ),
    (API, routes.refusals),
    ("", routes.documents),
    ("", served.router),
    ("", verifier.router),
    ("", health.router),
    ("", assets.router),
    ("", root),
)


def build_app(parts: Parts) -> FastAPI:
    """Join the parts to an application."""
    app = FastAPI(
        title="Pakka",
        version="1",
        description=ABOUT,
        redoc_url=None,
        docs_url=None,
        responses={"4XX": {"model": RefusalBody}, "5XX": {"model": RefusalBody}},
    )
    app.state.parts = parts
    app.state.texts = {}
    for prefix, router in ROUTERS:
        app.include_router(router, prefix=prefix)
    errors.install(app)
    openapi.install(app, ROUTERS)
    app.add_middleware(Bounds, parts=parts)
    app.add_middleware(Headers, api=API, is_secure=parts.is_secure)
    return app
