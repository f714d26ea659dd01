"""Where people read the documents: the page, its style, the types and the example client."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Final

from fastapi import APIRouter, Request, Response

from server.web.auth import Anybody
from server.web.documents.asyncapi import asyncapi
from server.web.documents.page import POLICY, page
from server.web.documents.typescript import typescript
from server.web.parts import Parts

STATIC: Final = files("server.web") / "static"
SCRIPT: Final = "text/plain; charset=utf-8"
FILES: Final = {
    "documents.css": ("documents.css", "text/css; charset=utf-8"),
    **{
        f"{name}.ts": (f"example/{name}.ts", SCRIPT)
        for name in ("client", "fairdeal", "seat", "play")
    },
}
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

router = APIRouter(prefix="/docs", dependencies=[Anybody], include_in_schema=False)


@router.get("")
async def get_page(request: Request) -> Response:
    """Show both documents."""
    text = _made(request, "page", _page_of)
    return Response(text, media_type="text/html; charset=utf-8", headers=HEADERS)


@router.get("/pakka.d.ts")
async def get_types(request: Request) -> Response:
    """Give the types of all bodies and frames."""
    return Response(_made(request, "types", _types_of), media_type=SCRIPT, headers=HEADERS)


def _add(name: str, place: str, kind: str) -> None:
    async def get_file() -> Response:
        return Response(read(place), media_type=kind, headers=HEADERS)

    router.add_api_route(f"/{name}", get_file)


@cache
def read(place: str) -> str:
    """Read a file of `static`."""
    return STATIC.joinpath(place).read_text(encoding="utf-8")


for _name, (_place, _kind) in FILES.items():
    _add(_name, _place, _kind)


def _made(request: Request, name: str, make: Callable[[Request], str]) -> str:
    """Make a text at the first call; it is the same as long as the server runs."""
    texts: dict[str, str] = request.app.state.texts
    if name not in texts:
        texts[name] = make(request)
    return texts[name]


def _types_of(request: Request) -> str:
    parts: Parts = request.app.state.parts
    return typescript(request.app.openapi(), asyncapi(parts.games.values()))


def _page_of(request: Request) -> str:
    parts: Parts = request.app.state.parts
    types = _made(request, "types", _types_of)
    return page(request.app.openapi(), asyncapi(parts.games.values()), types)
