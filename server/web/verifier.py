"""The verifier's page: one file that also works when it is saved and opened without a network.

Its modules are those that the table's page loads. Modules don't load from `file:`, so here they
are joined: each becomes a function that gives its exports, in the order of who needs whom.
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Annotated, Final

from fastapi import APIRouter, Header, Response
from starlette.status import HTTP_304_NOT_MODIFIED

from server.web.auth import Anybody

STATIC: Final = Path(__file__).parent / "static"
ENTRY: Final = "verify/page.js"

router = APIRouter(dependencies=[Anybody], include_in_schema=False)

_IMPORT = re.compile(
    r'^import (?:\* as (?P<whole>\w+)|\{(?P<names>[^}]*)\}) from "(?P<path>[^"]+)";$',
    re.MULTILINE,
)
_DECLARED = re.compile(
    r"^export (?=(?:const|class|(?:async )?function) (?P<name>\w+))", re.MULTILINE
)
_LISTED = re.compile(r"\bexport ?\{(?P<names>[^}]*)\};?$", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """A page, its tag, and the policy that lets its own script and style run, and no others."""

    body: bytes
    etag: str
    policy: str


@router.get("/verify")
async def get_page(if_none_match: Annotated[str | None, Header()] = None) -> Response:
    """Give the page; a hand is named by `?hand=7` or `#hand=7`, and read by the page itself."""
    page = verifier_page()
    headers = {
        "ETag": page.etag,
        "Cache-Control": "no-cache",
        "Content-Security-Policy": page.policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    if if_none_match == page.etag:
        return Response(status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(page.body, media_type="text/html", headers=headers)


@cache
def verifier_page() -> Page:
    """Make the page."""
    licence = (STATIC / "vendor/LICENSE.md").read_text("utf-8")
    script = f"/*!\n{licence}*/\n{joined(ENTRY)}"
    style = (STATIC / "verify/style.css").read_text("utf-8")
    template = (STATIC / "verify/page.html").read_text("utf-8")
    body = template.replace("@style@", style).replace("@script@", script).encode("utf-8")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return Page(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', policy)


def joined(entry: str) -> str:
    """Join a module and all that it imports into one script.

    Errors: ValueError if a module imports or exports in a way that is not known here, or holds
            what would end the script in a page.
    """
    parts = [_as_function(path) for path in _in_order(entry, ())]
    script = '"use strict";\n(() => {\n' + "".join(parts) + "})();\n"
    if re.search(r"</script|<!--|\r", script, re.IGNORECASE):
        raise ValueError(f"{entry} can't stand in a page")
    return script


def _in_order(path: str, above: tuple[str, ...]) -> Iterator[str]:
    """List the modules, each after all that it imports, each once."""
    if path in above:
        raise ValueError(f"{path} imports itself by way of {above[-1]}")
    found: dict[str, None] = {}
    for match in _IMPORT.finditer(_source(path)):
        found |= dict.fromkeys(_in_order(_target(path, match["path"]), (*above, path)))
    yield from (*found, path)


def _as_function(path: str) -> str:
    source = _source(path)
    names: list[str] = []

    def imported(match: re.Match[str]) -> str:
        wanted = match["whole"] or f"{{{match['names'].replace(' as ', ': ')}}}"
        return f"const {wanted} = {_name(_target(path, match['path']))};"

    def declared(match: re.Match[str]) -> str:
        names.append(match["name"])
        return ""

    def listed(match: re.Match[str]) -> str:
        for name in match["names"].split(","):
            inside, _, outside = name.strip().partition(" as ")
            names.append(f"{outside}: {inside}" if outside else inside)
        return ""

    source = _LISTED.sub(listed, _DECLARED.sub(declared, _IMPORT.sub(imported, source)))
    if _LEFT.search(source):
        raise ValueError(f"{path} imports or exports in an unknown way")
    given = f"return {{ {', '.join(names)} }};\n" if names else ""
    return f"// --- {path}\nconst {_name(path)} = (() => {{\n{source.strip()}\n{given}}})();\n"


@cache
def _source(path: str) -> str:
    return (STATIC / path).read_text("utf-8")


def _target(path: str, relative: str) -> str:
    return normpath(join(dirname(path), relative))


def _name(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
