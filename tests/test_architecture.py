"""What the house promises of its own code and import-linter can't say."""

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from server.games import GAMES

ROOT = Path(__file__).parent.parent
SERVER = ROOT / "server"
FILE_LINES_MAX = 300
FUNCTION_LINES_MAX = 50
ROOMS_OF_A_GAME = {
    "__init__.py", "rules.md", "options.py", "state.py", "moves.py", "events.py", "play.py",
    "scoring.py", "view.py", "notation.py",
}  # fmt: skip
VAGUE = {"utils", "util", "helpers", "helper", "manager", "misc", "common", "info", "data"}


def sources(*folders: str) -> list[Path]:
    found = [p for folder in folders for p in sorted((ROOT / folder).rglob("*.py"))]
    assert found, folders
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    """Parse a file, without a collection in between: one that ends another test's greenlets
    confuses the parser's count of its depth (CPython 3.11).
    """
    gc.disable()
    try:
        return ast.parse(path.read_text())
    finally:
        gc.enable()


def trees(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    for path in sources(*folders):
        yield path, tree_of(path)


def imports_of(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def bare_calls_of(tree: ast.Module) -> set[str]:
    """Names of the methods that are called without an argument."""
    return {
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args
    }


def test_no_file_is_longer_than_300_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in sources("server", "tests", "migrations")
        if (lines := len(path.read_text().splitlines())) > FILE_LINES_MAX
    }
    assert not long


def test_no_function_is_longer_than_50_lines() -> None:
    long = {
        f"{path.relative_to(ROOT)}:{node.name}": node.end_lineno - node.lineno + 1
        for path, tree in trees("server", "migrations")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION_LINES_MAX
    }
    assert not long


def test_no_room_has_a_vague_name() -> None:
    vague = [p for p in sources("server") if p.stem in VAGUE or p.parent.name in VAGUE]
    assert not vague


def test_every_module_says_what_it_is() -> None:
    silent = [p for p, tree in trees("server", "migrations") if not ast.get_docstring(tree)]
    assert [p for p in silent if p.read_text().strip()] == []


def test_only_the_database_says_commit() -> None:
    committing = {
        str(path.relative_to(SERVER))
        for path, tree in trees("server")
        if "commit" in bare_calls_of(tree)
    }
    assert committing == {"database.py"}


def test_no_chance_below_fairness() -> None:
    chancy = [
        path
        for path, tree in trees("server/cards", "server/games", "server/tables", "server/ledger")
        if "random" in imports_of(tree)
    ]
    assert not chancy


def test_a_log_line_about_a_table_is_written_with_its_place() -> None:
    """`**at_table(...)` or `**place_of(...)`, so that none lacks the hand or the number."""
    lines = [
        (path.relative_to(ROOT), node.lineno, {word.arg for word in node.keywords})
        for path, tree in trees("server")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and getattr(node.func.value, "id", None) in ("log", "_log")
    ]
    assert len(lines) > 30
    assert [line for line in lines if line[2] & {"table", "hand", "seq"}] == []


def test_only_main_and_the_commands_read_the_settings() -> None:
    readers = {
        path.relative_to(SERVER).parts[0]
        for path, tree in trees("server")
        if "server.settings" in imports_of(tree)
        and any(getattr(n, "id", None) == "read_settings" for n in ast.walk(tree))
    }
    assert readers <= {"main.py", "cli", "cli.py"}


def test_no_float_where_tokens_are_counted() -> None:
    floating = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, tree in trees("server/ledger", "server/games")
        for node in ast.walk(tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
        or (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            and "path" not in ast.dump(node)
        )
    ]
    assert not floating


FOLDERS_OF_GAMES = sorted({type(game).__module__.split(".")[2] for game in GAMES.values()})
"""A folder may hold two games that share their rules."""


@pytest.mark.parametrize("name", FOLDERS_OF_GAMES)
def test_every_game_has_the_same_rooms(name: str) -> None:
    rooms = {path.name for path in (SERVER / "games" / name).iterdir() if path.is_file()}
    assert rooms >= ROOMS_OF_A_GAME


def test_every_folder_of_games_is_on_the_list() -> None:
    folders = sorted(path.parent.name for path in (SERVER / "games").glob("*/__init__.py"))
    assert folders == FOLDERS_OF_GAMES


CLOCKS = {
    "time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.ctime", "datetime.now",
    "datetime.utcnow", "datetime.today", "date.today",
}  # fmt: skip
READS_A_CLOCK = {
    "server/bots/evidence.py": "a client notes when it saw a frame",
    "server/jobs.py": "the nightly check begins at night; at another hour it finds the same",
}


def test_the_house_reads_no_wall_clock_of_its_own() -> None:
    """The database's clock judges: a process whose clock is wrong does no harm."""
    found = {
        str(path.relative_to(ROOT))
        for path, tree in trees("server")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node) in CLOCKS
    }
    assert found == set(READS_A_CLOCK)
