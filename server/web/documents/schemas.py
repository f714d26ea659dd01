"""The JSON schemas of all frames: of the models, of each game, of the list of refusals."""

import dataclasses
import typing
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final, Literal

from pydantic import BaseModel, TypeAdapter
from pydantic import create_model as make_model
from pydantic.json_schema import models_json_schema

from server.cards.game import AnyGame, Event
from server.refusal_texts import REFUSALS
from server.web import messages
from server.web.documents.deal_events import InHand
from server.web.documents.frames import SERVER_FRAMES
from server.web.documents.table_events import TABLE_EVENTS
from server.web.documents.words import GameEvent, GameMove
from server.web.moves import MoveReader

Schema = dict[str, Any]
PLACE: Final = "#/components/schemas/"
CLIENT_FRAMES: Final[tuple[type[messages.Frame], ...]] = typing.get_args(messages.ClientFrame)
EMPTY_PLACES: Final = ("GameOptions", "GameMove", "GameEvent", "GameView")


def ref(name: str) -> Schema:
    """Write a reference to a schema of the components."""
    return {"$ref": f"{PLACE}{name}"}


def refusal_schema() -> Schema:
    """Describe the closed list of refusals: the codes, and what people are told."""
    return {
        "type": "string",
        "description": "Why a request is refused; show people the text of their language.",
        "enum": list(REFUSALS),
        "x-refusals": {code: {"en": text.en, "hi": text.hi} for code, text in REFUSALS.items()},
    }


def frame_schemas(games: Iterable[AnyGame]) -> dict[str, Schema]:
    """Make every schema of the socket, by name; all objects are closed."""
    heard = _schemas_of(CLIENT_FRAMES)
    said = _schemas_of((*SERVER_FRAMES, *TABLE_EVENTS, GameEvent, GameMove))
    schemas = heard | {name: _without_null(one) for name, one in said.items()}
    about = {place: str(schemas[place]["description"]) for place in EMPTY_PLACES}
    choices: dict[str, list[Schema]] = {place: [] for place in EMPTY_PLACES}
    for game in games:
        for place, (name, parts) in _rooms_of(game).items():
            choices[place].append(ref(name))
            schemas |= parts
    for place in EMPTY_PLACES:
        schemas[place] = {"description": about[place], "anyOf": choices[place]}
    _fill(schemas)
    del schemas["JsonValue"]  # of the move's empty place, which is filled now
    return dict(sorted(schemas.items()))


def _schemas_of(models: Iterable[type[BaseModel]]) -> dict[str, Schema]:
    wanted: list[tuple[type[BaseModel], Literal["validation"]]] = [
        (model, "validation") for model in models
    ]
    _, made = models_json_schema(wanted, ref_template=f"{PLACE}{{model}}")
    return {name: _tidy(one) for name, one in made["$defs"].items()}


def _fill(schemas: dict[str, Schema]) -> None:
    """Put into the frames what the models leave open."""
    schemas["RefusalCode"] = refusal_schema()
    schemas["TableEvent"] = {
        "description": "An event that is told at any game's table.",
        "anyOf": [ref(event.__name__) for event in TABLE_EVENTS],
    }
    schemas["EventFrame"]["properties"]["d"] = {
        "anyOf": [ref("TableEvent"), ref("GameEvent"), {"type": "null"}]
    }
    schemas["PlayMove"]["properties"]["d"] = ref("GameMove")
    schemas["ClientFrame"] = {
        "description": "Whatever a client may say.",
        "anyOf": [ref(frame.__name__) for frame in CLIENT_FRAMES],
    }
    schemas["ServerFrame"] = {
        "description": "Whatever the server may say.",
        "anyOf": [ref(frame.__name__) for frame in SERVER_FRAMES],
    }


def _rooms_of(game: AnyGame) -> dict[str, tuple[str, dict[str, Schema]]]:
    """Describe a game's rooms: which place each fills, its name, and the schemas it needs."""
    prefix = game.name.title().replace("_", "")
    events: Any = reduce(or_, (_event_model(one) for one in game.event_types))
    options = TypeAdapter(game.options_type).json_schema()
    view = TypeAdapter(game.view_type).json_schema()
    event = TypeAdapter(events).json_schema()
    rooms = {
        "GameOptions": ("Options", options, _whole),
        "GameMove": ("Move", MoveReader(game).schema(), _as_it_is),
        "GameEvent": ("Event", event, _without_null),
        "GameView": ("View", view, _whole),
    }
    return {
        place: (
            f"{prefix}{word}",
            {name: form(_tidy(one)) for name, one in _named(schema, prefix, word).items()},
        )
        for place, (word, schema, form) in rooms.items()
    }


def _as_it_is(schema: Schema) -> Schema:
    return schema


def _whole(schema: Schema) -> Schema:
    """Demand every field: a frozen value of a game is always written whole."""
    return {**schema, "required": list(schema["properties"])} if "properties" in schema else schema


def _without_null(schema: Schema) -> Schema:
    """Let a field that may be missing be missing alone: the server never writes it as null."""
    needed = schema.get("required", ())
    fields = {
        name: one if name in needed or "anyOf" not in one else one["anyOf"][0]
        for name, one in schema.get("properties", {}).items()
    }
    return {**schema, "properties": fields} if fields else schema


def _event_model(event: type[Event]) -> type[BaseModel]:
    """Make the model of a game's event as `told.py` writes it: `e`, its fields, its line."""
    hints = typing.get_type_hints(event)
    members: dict[str, Any] = {"e": (Literal[event.name], ...)}
    for field in dataclasses.fields(event):
        if field.name != "to":
            members[field.name] = (hints[field.name], ...)
    model: type[BaseModel] = make_model(
        f"{event.__name__}Event", __base__=InHand, __doc__=event.__doc__, **members
    )
    return model


def _named(schema: Schema, prefix: str, word: str) -> dict[str, Schema]:
    """Give a schema and its parts names of their own among the components."""
    parts = dict(schema.pop("$defs", {}))
    names = {part: part if part in _SHARED else f"{prefix}{part}" for part in parts}

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: renamed(one) for key, one in value.items() if key != "discriminator"}
        if isinstance(value, list):
            return [renamed(one) for one in value]
        if isinstance(value, str) and value.startswith("#/$defs/"):
            return PLACE + names[value.removeprefix("#/$defs/")]
        return value

    return {
        f"{prefix}{word}": renamed(schema),
        **{names[part]: renamed(one) for part, one in parts.items()},
    }


_SHARED: Final = frozenset({"CardOpening"})


def _tidy(schema: Mapping[str, Any]) -> Schema:
    """Close every object, and drop the titles that only repeat a name."""
    tidied: Schema = {}
    for key, value in schema.items():
        if key == "properties":
            tidied[key] = {name: _tidy(one) for name, one in value.items()}
        elif key in {"title", "discriminator", "default"}:
            continue
        elif isinstance(value, dict):
            tidied[key] = _tidy(value)
        elif isinstance(value, list):
            tidied[key] = [_tidy(one) if isinstance(one, dict) else one for one in value]
        else:
            tidied[key] = value
    if "properties" in tidied:
        tidied.setdefault("additionalProperties", False)
    return tidied
