"""`pakka log`: a server's public log, followed from outside like anybody could."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import httpx
import typer
from rich.console import Console
from rich.progress import Progress

from server.cli.http import URL_HELP
from server.cli.log_source import BadAnswer, Source
from server.cli.output import Json, Wrong, console, emit, table_of
from server.fairness.checkpoint import Checkpoint
from server.fairness.encoding import hash32
from server.fairness.entries import KeyRole
from server.fairness.logged import LogKeyed, read_entry
from server.fairness.note import NoteKey, RefusedNote, key_of
from server.verify.log_watch import LogState, LogWatch, state_of

API: Final = "/api/v1/log"
PAGE: Final = 100
NOT_FOUND: Final = 404
STATE_MODE: Final = 0o600

app = typer.Typer(help="The public log.")


def add_to(parent: typer.Typer) -> None:
    """Add the group."""
    parent.add_typer(app, name="log")


@app.callback()
def _group() -> None:
    """The public log."""


@app.command("check")
def check(
    url: Annotated[str, typer.Option(help=URL_HELP)] = "http://127.0.0.1:8000",
    state: Annotated[
        Path | None, typer.Option(help="A file that keeps how far the log had come.")
    ] = None,
    log_key: Annotated[
        str | None, typer.Option(metavar="VKEY", help="The log's pinned key, name+id+key.")
    ] = None,
    json_: Json = False,
) -> int:
    """Follow a server's log: signature, growth, and the life of every hand; exit 1 if it fails."""
    with Source(url) as source:
        about, front = source.json(API), source.json("/")
        try:
            vkey, server_pub = key_of(_text(about["vkey"])).vkey, _key(front["server_key"])
            kept = _kept(state, _beginning(source, vkey, server_pub), log_key)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise Wrong(f"{url} says nothing of a log that can be read: {error}") from None
        watch = LogWatch(kept)
        watch.keys(vkey=vkey, server_pub=server_pub)
        try:
            _look(watch, source, is_shown=sys.stderr.isatty() and not json_)
        except BadAnswer as bad:
            watch.fails(bad.rule, bad.text)
        watch.keys_hold()
    if state is not None and not watch.problems:
        _keep(state, watch.state)
    is_pinned = log_key is not None or kept.size > 0
    emit(_document(watch, is_pinned)) if json_ else _show(watch, is_pinned)
    return 1 if watch.problems else 0


def _beginning(source: Source, vkey: str, server_pub: bytes) -> LogState:
    """Find the keys that a log began with: those before its rotations, if it shows some.

    What it shows is believed for nothing: the entries must hand over from these to those of today.
    """
    answer = source.get(f"{API}/keys")
    rows = [] if answer.status_code == NOT_FOUND else answer.json()["keys"]
    first: dict[KeyRole, bytes] = {}
    for row in rows:
        rotation = read_entry(bytes.fromhex(row["entry"]))
        if isinstance(rotation, LogKeyed):
            first.setdefault(rotation.role, rotation.old)
    key = key_of(vkey)
    at_first = NoteKey(key.name, first.get(KeyRole.LOG, key.public)).vkey
    return LogState(pinned=vkey, vkey=at_first, server_pub=first.get(KeyRole.SIGNING, server_pub))


def _look(watch: LogWatch, source: Source, *, is_shown: bool) -> None:
    """Ask for the checkpoint, for the proof that the log grew into it, and for what is new."""
    answer = source.get(f"{API}/checkpoint")
    if answer.status_code == NOT_FOUND and watch.size == 0:
        return
    new = watch.checkpoint(_text_of(answer, "checkpoint"))
    if new is None:
        return
    if 0 < watch.size < new.size:
        wanted = {"old": watch.size, "new": new.size}
        body = source.proved(f"{API}/consistency", wanted)
        if not watch.grew(new, _hashes_of(body)):
            return
    with _progress(new.size - watch.size, is_shown=is_shown) as advance:
        for entry in _entries(source, watch.size, new):
            watch.take(entry)
            advance()
            if watch.is_bad_enough:
                break
    watch.end(new)


def _entries(source: Source, first: int, new: Checkpoint) -> Iterator[bytes]:
    """Give the entries from `first` to before the checkpoint's size, asked for in pages."""
    while first < new.size:
        wanted = {"limit": min(PAGE, new.size - first)}
        body = source.proved(f"{API}/entries", wanted | ({"after": first - 1} if first else {}))
        try:
            rows = [(row["index"], bytes.fromhex(row["entry"])) for row in body["entries"]]
        except (KeyError, TypeError, ValueError):
            raise BadAnswer("form", "a page of entries can't be read") from None
        if not rows or [index for index, _ in rows] != list(range(first, first + len(rows))):
            raise BadAnswer("root", f"the log does not show the entries from {first} on")
        for _, entry in rows[: new.size - first]:
            yield entry
        first += len(rows)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a key is a text")
    return value


def _key(text: str) -> bytes:
    return hash32(bytes.fromhex(text))


def _hashes_of(body: Any) -> list[bytes]:
    try:
        return [bytes.fromhex(node) for node in body["proof"]]
    except (KeyError, TypeError, ValueError):
        raise BadAnswer("grows", "a proof of the log can't be read") from None


def _text_of(answer: httpx.Response, rule: str) -> str:
    if answer.is_error:
        raise BadAnswer(rule, f"the log refuses: {answer.status_code} {answer.url.path}")
    return answer.text


# --- what is kept


def _kept(path: Path | None, fresh: LogState, log_key: str | None) -> LogState:
    """Take up what was kept, or begin with the keys that the server shows, or the pinned one."""
    try:
        pinned = None if log_key is None else key_of(log_key).vkey
    except RefusedNote as refused:
        raise Wrong(f"--log-key: {refused.text}") from None
    kept = None if path is None else _read(path)
    if kept is not None and pinned is not None and pinned not in (kept.pinned, kept.vkey):
        raise Wrong(f"--log-key is not the key that {path} keeps")
    if kept is not None:
        return kept
    return fresh if pinned is None else replace(fresh, pinned=pinned)


def _read(path: Path) -> LogState | None:
    try:
        return state_of(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Wrong(f"{path} can't be read: {error.strerror}") from None
    except ValueError as error:
        raise Wrong(f"{path} is not the state of a log: {error}") from None


def _keep(path: Path, state: LogState) -> None:
    """Write the state whole, or leave the old one."""
    fresh = path.with_name(f".{path.name}.new")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, STATE_MODE)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(state.text())
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise Wrong(f"{path} can't be written: {error.strerror}") from None


# --- what is told


@contextmanager
def _progress(total: int, *, is_shown: bool) -> Iterator[Any]:
    with Progress(console=Console(stderr=True), transient=True, disable=not is_shown) as progress:
        task = progress.add_task("entries", total=total)
        yield lambda: progress.advance(task)


def _document(watch: LogWatch, is_pinned: bool) -> dict[str, Any]:
    state = watch.state
    return {
        "ok": not watch.problems,
        "vkey": state.vkey,
        "pinned": is_pinned,
        "before": watch.kept.size,
        "size": watch.size,
        "tables": len(state.tables),
        "unfinished": len(state.unfinished),
        **_counts(watch),
        "problems": [{"rule": one.rule, "text": one.text} for one in watch.problems],
    }


def _counts(watch: LogWatch) -> dict[str, int]:
    counts = watch.state.counts
    return {
        "opened": counts.opened,
        "dealt": counts.dealt,
        "voided": counts.voided,
        "closed": counts.closed,
        "cancelled": counts.cancelled,
        "sealed": counts.sealed,
        "rotated": counts.rotated,
    }


def _show(watch: LogWatch, is_pinned: bool) -> None:
    state, shown = watch.state, console()
    rows = [
        ("entries", watch.size, f"{watch.size - watch.kept.size} new"),
        ("tables", len(state.tables), f"{len(state.unfinished)} hands not over"),
        *((name, count, "") for name, count in _counts(watch).items()),
    ]
    shown.print(table_of("The log", ("what", "count", "of it"), rows, "count"))
    shown.print(f"key: {state.vkey}", markup=False)
    if not is_pinned:
        shown.print("note: this key was seen here for the first time; pin it with --log-key")
    for one in watch.problems:
        shown.print(f"FAILS {one.rule}: {one.text}", markup=False)
    shown.print(f"fails: {len(watch.problems)}" if watch.problems else "holds: the log only grew")
