"""How a command and its answer cross from one process to another: as JSON, byte strings as hex.

Both sides are ours and run the same version, so this is no protocol: `spec` has no word of it. It
is read strictly all the same, for a process of another version may be there in a rolling restart.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, TypeAdapter

from server.cards.game import AnyGame, SeatKind
from server.database import PlayerId, TableId
from server.observability import traces
from server.tables import commands
from server.tables.commands import Command, Play, Reply, Request

GameOf = Callable[[TableId], AnyGame]
"""Tells which game is played at a table. It may raise Refusal."""

_COMMANDS: Final = {
    kind.__name__: kind
    for kind in (
        commands.Sit,
        commands.Leave,
        commands.SitOut,
        commands.Back,
        commands.Commit,
        commands.Reveal,
        commands.RevealAgain,
        commands.Play,
        commands.CloseTable,
        commands.VoidHand,
    )
}


class _Carried(BaseModel):
    model_config = ConfigDict(ser_json_bytes="hex", val_json_bytes="hex", extra="forbid")

    table: TableId
    player: int
    id: str
    digest: bytes
    old_digests: tuple[bytes, ...]
    kind: str
    command: dict[str, Any]
    trace: str | None = None


_REPLY: Final = TypeAdapter(Reply)


def encode_request(table: TableId, request: Request) -> bytes:
    """Write a command for the process that runs its table.

    Shape: `request` has an id: without one nobody waits for an answer, and it is not carried.
    """
    kind = type(request.command).__name__
    assert request.id, "a command that is carried has an id"
    assert kind in _COMMANDS, f"{kind} is not carried"
    carried = _Carried(
        table=table,
        player=request.player,
        id=request.id,
        digest=request.digest,
        old_digests=request.old_digests,
        kind=kind,
        command=_fields_of(request.command),
        trace=traces.carried(),
    )
    return carried.model_dump_json().encode()


def decode_request(body: bytes, game_of: GameOf) -> tuple[TableId, Request]:
    """Read a command, and the table that it is for.

    Errors: ValueError, LookupError or TypeError if the bytes are nothing of the kind; as `game_of`.
    """
    carried = _Carried.model_validate_json(body)
    request = Request(
        PlayerId(carried.player),
        carried.id,
        carried.digest,
        _command_of(carried, game_of),
        carried.old_digests,
        carried.trace,
    )
    return carried.table, request


def encode_reply(reply: Reply) -> bytes:
    """Write a table's answer."""
    return _REPLY.dump_json(reply)


def decode_reply(body: bytes) -> Reply:
    """Read a table's answer. Errors: ValueError."""
    return _REPLY.validate_json(body)


def _fields_of(command: Command) -> dict[str, Any]:
    found = {one.name: _out(getattr(command, one.name)) for one in fields(command)}
    if isinstance(command, Play):
        move: Any = command.move
        said = {one.name: _out(getattr(move, one.name)) for one in fields(move)}
        found["move"] = {"name": type(move).name, "fields": said}
    return found


def _command_of(carried: _Carried, game_of: GameOf) -> Command:
    said: Mapping[str, Any] = {name: _in(value) for name, value in carried.command.items()}
    if carried.kind == Play.__name__:
        moves: Mapping[str, Any] = {one.name: one for one in game_of(carried.table).move_types}
        move = said["move"]
        said = {**said, "move": moves[move["name"]](**move["fields"])}
    if carried.kind == commands.Sit.__name__:
        said = {**said, "kind": SeatKind(said["kind"])}
    made: Command = _COMMANDS[carried.kind](**said)
    return made


def _out(value: Any) -> Any:
    """Write a field: byte strings are marked, tuples become lists."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    return [_out(part) for part in value] if isinstance(value, tuple) else value


def _in(value: Any) -> Any:
    """Read a field: lists become tuples."""
    if isinstance(value, list):
        return tuple(_in(part) for part in value)
    if isinstance(value, dict):
        if value.keys() == {"hex"}:
            return bytes.fromhex(value["hex"])
        return {name: _in(part) for name, part in value.items()}
    return value
