"""The pages' JavaScript is checked by its types, as strictly as the compiler can."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "server" / "web" / "static"
OWN_COMPILER = ROOT / ".node" / "node_modules" / ".bin" / "tsc"
STRICT = (
    "--allowJs", "--checkJs", "--strict", "--noUncheckedIndexedAccess", "--noEmit",
    "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler",
    "--lib", "es2023,dom,dom.iterable", "--types", "",
)  # fmt: skip


def test_every_module_is_right_by_its_types() -> None:
    tsc = str(OWN_COMPILER) if OWN_COMPILER.exists() else shutil.which("tsc")
    if tsc is None:
        pytest.skip("TSC IS MISSING: the pages' JavaScript was not type-checked")
    modules = [
        path
        for path in sorted(STATIC.rglob("*.js"))
        if path.parent.name != "vendor" and path.read_text().startswith("// @ts-check")
    ]
    assert len(modules) > 20
    done = subprocess.run(
        [tsc, *STRICT, *map(str, modules)], capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
