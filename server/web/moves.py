"""A game's moves as the wire has them, built from the game's own dataclasses.

A move is `{"move": name, ...}`: `name` is the class's, a field's trailing underscore is cut
(`from_` is `from`), tuples are lists, and everything is bounded here whatever the game says.
"""

import dataclasses
import typing
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic import create_model as make_model

from server.cards.game import AnyGame
from server.errors import Refusal
from server.web.messages import COUNTER_MAX
from server.web.reading import refusal_of

TEXT_LENGTH_MAX: Final = 32
LIST_LENGTH_MAX: Final = 64


class MoveReader:
    """Reads the moves of one game; build it once."""

    def __init__(self, game: AnyGame) -> None:
        """Build the models of `game.move_types`.

        Errors: TypeError if a move has a field that the wire can't hold: our mistake, at start.
        """
        self._types = {move.name: move for move in game.move_types}
        models = [_model_of(name, move) for name, move in self._types.items()]
        union: Any = Union[tuple(models)]  # noqa: UP007 - the members are known at run time only
        one: Any = Annotated[union, Field(discriminator="move")] if len(models) > 1 else union
        self._adapter: TypeAdapter[BaseModel] = TypeAdapter(one)
        self._tags = 1 if len(models) > 1 else 0

    def read(self, d: dict[str, Any]) -> object:
        """Read the `d` of a `play` frame as a move of the game.

        Errors: Refusal `unknown_move`, `unknown_field`, `missing_field` or `bad_field`.
        """
        name = d.get("move")
        if not isinstance(name, str) or name not in self._types:
            code = "missing_field" if name is None else "unknown_move"
            raise Refusal(code, "d.move: not a move of this game", "d.move")
        try:
            model = self._adapter.validate_python(d)
        except ValidationError as error:
            refusal = refusal_of(error, tags=self._tags)
            field = f"d.{refusal.field}"
            raise Refusal(refusal.code, f"d.{refusal.text}", field) from None
        return self._types[name](**_fields_of(model))

    def schema(self) -> dict[str, Any]:
        """Describe the moves as JSON Schema, for the generated documents."""
        return self._adapter.json_schema()


def _model_of(name: str, move: type[Any]) -> type[BaseModel]:
    hints = typing.get_type_hints(move)
    members: dict[str, Any] = {"move": (Literal[name], ...)}
    for field in dataclasses.fields(move):
        bounded = _bounded(hints[field.name])
        default = ... if field.default is dataclasses.MISSING else field.default
        members[field.name] = (bounded, Field(default, alias=field.name.rstrip("_")))
    config = ConfigDict(strict=True, extra="forbid", frozen=True)
    model: type[BaseModel] = make_model(move.__name__, __config__=config, **members)
    return model


def _bounded(hint: Any) -> Any:
    """Translate a field's type into one that is bounded and reads lists as tuples."""
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    origin, args = get_origin(hint), get_args(hint)
    if hint is str:
        return Annotated[str, StringConstraints(max_length=TEXT_LENGTH_MAX)]
    if hint is int:
        return Annotated[int, Field(ge=0, le=COUNTER_MAX)]
    if hint is bool or hint is NoneType or origin is Literal:
        return hint
    if origin in {Union, UnionType}:
        said = [part for part in args if not _is_a_record(part)]
        return Union[tuple(_bounded(part) for part in said)]  # noqa: UP007 - built at run time
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return Annotated[list[_bounded(args[0])], Field(max_length=LIST_LENGTH_MAX)]  # type: ignore[misc]  # built at run time
    raise TypeError(f"the wire has no form for {hint!r}")


def _is_a_record(hint: Any) -> bool:
    """Tell whether a choice is the journal's own form of a thing, which no client says."""
    return isinstance(hint, type) and issubclass(hint, tuple)


def _fields_of(model: BaseModel) -> dict[str, object]:
    names = type(model).model_fields
    return {name: _tuples(getattr(model, name)) for name in names if name != "move"}


def _tuples(value: object) -> object:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
