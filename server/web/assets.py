"""The browser's files: packed once, addressed by what they hold, kept by browsers for good.

All lie under one address that names the whole set, `/static/<build>/`, so that the modules of a
page always fit each other: their imports are relative, and no step builds anything.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

from fastapi import APIRouter, Request, Response

from server.errors import Refusal
from server.web.auth import Anybody

FOLDER: Final = Path(__file__).parent / "static"
MAIN: Final = "main.js"
OPERATOR: Final = "operator/main.js"
SHELLS: Final[Mapping[str, str]] = {MAIN: "index.html", OPERATOR: "operator.html"}
"""Which page loads a module: the players' own, and the operators' console."""

TYPES: Final[Mapping[str, str]] = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
FOREVER: Final = "public, max-age=31536000, immutable"
BUILD_CHARS: Final = 16
PACKED_BYTES_MIN: Final = 256
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
PAGE_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept, Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
}

_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*["'](\.{1,2}/[^"']+)["']""")

router = APIRouter(include_in_schema=False, dependencies=[Anybody])


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent; `packed` is None where packing does not pay."""

    body: bytes
    packed: bytes | None
    kind: str

    @property
    def sent_bytes(self) -> int:
        """Count what a browser that takes gzip has to load."""
        return len(self.body if self.packed is None else self.packed)


@dataclass(frozen=True, slots=True)
class Assets:
    """All files by their path, the name of the set, and the pages by the module they run."""

    build: str
    files: Mapping[str, Asset]
    pages: Mapping[str, Asset]

    def modules(self, main: str = MAIN) -> list[str]:
        """List every module that a page runs, in the order in which they are asked for."""
        found = [main]
        for path in found:
            found += [one for one in self._imports(path) if one not in found]
        return found

    def _imports(self, path: str) -> Iterator[str]:
        text = self.files[path].body.decode()
        for target in dict.fromkeys(_IMPORT.findall(text)):
            yield _joined(PurePosixPath(path).parent, target)


@cache
def assets() -> Assets:
    """Read and pack the files, once for each process."""
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in TYPES)
    files = {
        path.relative_to(FOLDER).as_posix(): _asset(path.read_bytes(), TYPES[path.suffix])
        for path in paths
    }
    shells = {main: (FOLDER / name).read_text(encoding="utf-8") for main, name in SHELLS.items()}
    digest = hashlib.sha256("\n".join(shells.values()).encode())
    for name, file in files.items():
        digest.update(f"\n{name} {len(file.body)}\n".encode() + file.body)
    bare = Assets(digest.hexdigest()[:BUILD_CHARS], files, {})
    pages = {main: _page(bare, main, shell) for main, shell in shells.items()}
    return Assets(bare.build, files, pages)


def wants_page(request: Request) -> bool:
    """Tell whether a browser asks, not a program: it says that it reads HTML."""
    return "text/html" in request.headers.get("accept", "")


def page(request: Request) -> Response:
    """Give the players' page."""
    return _response(request, assets().pages[MAIN], PAGE_HEADERS)


@router.get("/operator")
async def get_console(request: Request) -> Response:
    """Give the operators' page; it shows nothing to who has not signed in."""
    return _response(request, assets().pages[OPERATOR], PAGE_HEADERS)


@router.get("/static/{build}/{path:path}")
async def get_asset(request: Request, build: str, path: str) -> Response:
    """Give a file of the set that runs now. Errors: Refusal `no_such_route`."""
    found = assets().files.get(path)
    if found is None or build != assets().build:
        raise Refusal("no_such_route", "there is no such file in what runs now")
    fixed = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
    return _response(request, found, {**fixed, "X-Content-Type-Options": "nosniff"})


@router.get("/favicon.ico")
async def get_icon(request: Request) -> Response:
    """Give the icon at the address where browsers look for it."""
    headers = {"Cache-Control": "public, max-age=86400"}
    return _response(request, assets().files["icon.svg"], headers)


def _page(bare: Assets, main: str, shell: str) -> Asset:
    """Write a page with the address of the set, and of each module that it will ask for."""
    lines = [
        f'<link rel="modulepreload" href="/static/{bare.build}/{name}">'
        for name in bare.modules(main)
    ]
    html = shell.replace("<!-- modules -->", "\n".join(lines)).replace("{build}", bare.build)
    return _asset(html.encode(), "text/html; charset=utf-8")


def _asset(body: bytes, kind: str) -> Asset:
    packed = None
    if not kind.startswith("font/") and len(body) >= PACKED_BYTES_MIN:
        packed = gzip.compress(body, mtime=0)
    return Asset(body, packed, kind)


def _response(request: Request, asset: Asset, headers: Mapping[str, str]) -> Response:
    takes_gzip = "gzip" in request.headers.get("accept-encoding", "")
    if asset.packed is not None and takes_gzip:
        headers = {**headers, "Content-Encoding": "gzip"}
        return Response(asset.packed, media_type=asset.kind, headers=headers)
    return Response(asset.body, media_type=asset.kind, headers=dict(headers))


def _joined(folder: PurePosixPath, target: str) -> str:
    parts: list[str] = list(folder.parts)
    for part in target.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
