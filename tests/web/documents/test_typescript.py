"""Types and example of TypeScript: the compiler takes them, and the example plays a real hand."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from server.catalogue import CATALOGUE
from server.main import House, running
from server.verify import verify_record
from server.web.documents.served import FILES
from server.web.documents.typescript import typescript
from tests.web.conftest import settings_of
from tests.web.wire import WAIT_S

NODE = shutil.which("node")
OWN_COMPILER = Path(__file__).parents[3] / ".node/node_modules/.bin/tsc"
COMPILER = str(OWN_COMPILER) if OWN_COMPILER.exists() else shutil.which("tsc")
EXAMPLE = [name for name in FILES if name.endswith(".ts")]
STRICT = [
    *("--strict", "--noUncheckedIndexedAccess", "--noImplicitReturns", "--noUnusedLocals"),
    *("--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler"),
    *("--lib", "es2022,dom", "--types", ""),
]
HAND_S = 120
PATIENT = {"commit_ms": 60_000, "reveal_ms": 60_000}
"""The example's seat is never too late for its hand, however slow the machine."""

HANDS_MAX = 8

with_compiler = pytest.mark.skipif(
    COMPILER is None, reason="no TypeScript here: npm install --prefix .node typescript"
)


@pytest.fixture
async def source(http: httpx.AsyncClient, tmp_path: Path) -> Path:
    """The types and the example, as this server gives them."""
    for name in (*EXAMPLE, "pakka.d.ts"):
        answer = await http.get(f"/docs/{name}")
        assert answer.status_code == 200
        (tmp_path / name).write_text(answer.text, encoding="utf-8")
    return tmp_path


def compiled(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run the compiler over the folder's files."""
    assert COMPILER is not None
    files = [path.name for path in sorted(folder.glob("*.ts"))]
    command = [COMPILER, *STRICT, *more, *files]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@with_compiler
async def test_the_types_and_the_example_are_right_by_the_strict_compiler(source: Path) -> None:
    checked = compiled(source, "--noEmit")
    assert checked.returncode == 0, checked.stdout


@with_compiler
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('const one: RummyMove = { move: "draw", from: "sleeve" };', "sleeve"),
        (
            'const one: Refused = { t: "refused", re: null, code: "bad_luck", text: "" };',
            "bad_luck",
        ),
        ('const one: ClientFrame = { t: "table.sit", id: "1" };', "table"),
        ('const one: Routes["POST /api/v1/guests"]["body"] = {};', "name"),
        ("const one = (frame: EventFrame): string => frame.d.e;", "null"),
    ],
)
async def test_the_types_object_to_what_the_server_would_not_take(
    source: Path, line: str, why: str
) -> None:
    names = "ClientFrame, EventFrame, Refused, Routes, RummyMove"
    text = f'import type {{ {names} }} from "./pakka.js";\nexport {line}\n'
    (source / "wrong.ts").write_text(text, encoding="utf-8")
    checked = compiled(source, "--noEmit")
    assert checked.returncode != 0
    assert "wrong.ts(2" in checked.stdout
    assert why in checked.stdout


def test_two_schemas_of_one_name_are_objected_to() -> None:
    openapi = {"paths": {}, "components": {"schemas": {"Seat": {"type": "integer"}}}}
    asyncapi = {"components": {"schemas": {"Seat": {"type": "string"}}}}
    with pytest.raises(AssertionError, match="two schemas are Seat"):
        typescript(openapi, asyncapi)


@pytest.fixture
async def practice_house(
    database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[House]:
    """A house whose bots sit down with whoever comes."""
    home = tmp_path_factory.mktemp("practice")
    settings = settings_of(home, database_url, practice_bots=5, bot_pace_ms=0, **PATIENT)
    tables = tuple(one for one in CATALOGUE if one.options.get("practice"))
    async with running(settings, catalogue=tables) as house:
        yield house


def socket_flags() -> list[str] | None:
    """Find with which flags Node has a WebSocket: newer ones need none; None if it has not."""
    test = "process.exit(typeof WebSocket === 'function' ? 0 : 1)"
    for flags in ([], ["--experimental-websocket"]):
        run = [NODE or "node", *flags, "-e", test]
        if NODE and subprocess.run(run, capture_output=True, check=False).returncode == 0:
            return flags
    return None


async def played(source: Path, flags: list[str], url: str) -> list[str]:
    """Run the example for one hand; the lines that it writes."""
    player = await asyncio.create_subprocess_exec(
        *(str(NODE), *flags, "built/play.js", url),
        cwd=source,
        env={"PATH": os.environ["PATH"]},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(HAND_S):
            said, complained = await player.communicate()
    finally:
        if player.returncode is None:
            player.kill()
    assert player.returncode == 0, complained.decode()
    return said.decode().splitlines()


@with_compiler
async def test_the_example_plays_a_hand_with_bots_over_a_line_that_breaks(
    source: Path, practice_house: House
) -> None:
    flags = socket_flags()
    if flags is None:
        pytest.skip("no Node with a WebSocket here")
    built = await asyncio.to_thread(compiled, source, "--outDir", "built")  # the house lives on
    assert built.returncode == 0
    (source / "built/package.json").write_text('{"type":"module"}', encoding="utf-8")
    for _ in range(HANDS_MAX):
        lines = await played(source, flags, practice_house.url)
        if lines[0].endswith(", line broken once"):
            break  # else a bot had its hand complete before the second turn
    assert lines[0].endswith(", line broken once"), lines
    assert int(lines[0].split()[1].strip(",")) >= 2, lines
    assert sum(line.startswith("seat ") for line in lines) == 4
    assert lines[-1].startswith("pakka verify http"), lines
    async with httpx.AsyncClient(timeout=WAIT_S, trust_env=False) as http:
        answer = await http.get(lines[-1].removeprefix("pakka verify "))
    assert verify_record(answer.content, practice_house.server_pub).exit_code == 0
    human = [seat for seat in answer.json()["seats"] if seat["kind"] == 1]
    assert [seat["status"] for seat in human] == [1], "it committed, and revealed"
    assert human[0]["reveal_sig"] is not None
