"""The scripts by node's own test runner, and their types by the TypeScript compiler."""

import shutil
import subprocess
from pathlib import Path

import pytest

from server.web.assets import FOLDER

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OWN_COMPILER = ROOT / ".node/node_modules/.bin/tsc"
NODE = shutil.which("node")
COMPILER = str(OWN_COMPILER) if OWN_COMPILER.exists() else shutil.which("tsc")
OPTIONS = (
    *("--allowJs", "--checkJs", "--strict", "--noEmit", "--skipLibCheck"),
    *("--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"),
    *("--lib", "es2023,dom,dom.iterable"),
)
WHOLE_S = 300


@pytest.mark.skipif(NODE is None, reason="NO NODE HERE: the scripts were not tested")
@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_nodes_own_runner_passes(name: str) -> None:
    assert NODE is not None
    ran = subprocess.run(
        [NODE, "--test", str(HERE / name)], capture_output=True, text=True, timeout=WHOLE_S
    )
    assert ran.returncode == 0, ran.stdout[-3_000:] + ran.stderr[-1_000:]


@pytest.mark.skipif(COMPILER is None, reason="NO TYPESCRIPT HERE: the types were not checked")
def test_the_types_of_the_pages_hold() -> None:
    assert COMPILER is not None
    ran = subprocess.run(
        [COMPILER, *OPTIONS, "main.js", "operator/main.js"],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        timeout=WHOLE_S,
    )
    assert ran.returncode == 0, ran.stdout
