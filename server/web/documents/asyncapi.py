"""AsyncAPI 3.0 of the player's socket, made from the models of its frames.

Its schemas are JSON Schema draft 7, as that standard has them; the same are checked in the tests
against the frames that were really sent.
"""

import inspect
from collections.abc import Iterable
from typing import Any, Final

from server.cards.game import AnyGame
from server.web import closing
from server.web.documents.examples import EXAMPLES
from server.web.documents.schemas import CLIENT_FRAMES, Schema, frame_schemas, ref
from server.web.socket import SUBPROTOCOL

VERSION: Final = "1"

HOUSE_TOKENS: Final = "House tokens (HT) can be neither bought nor cashed in."
ABOUT: Final = (
    "One WebSocket at `/ws` for all tables that a player looks at. The first frame is `hello`, "
    "its answer `welcome`. Each command gets exactly one reply, `ok` or `refused`, under the id "
    "that the client gave it; `ok` is sent after the commit, and the same command sent again gets "
    "the same reply and moves nothing. A table's events are numbered by `seq` without gaps: after "
    "a lost line say `hello` with `resume`, and the missing events come, or a snapshot. "
    "Every `heartbeat_ms` the server says `ping`; answer `pong`, for a seat that is silent "
    "for 40 s is away. Seen from the server: `receive` is what clients say, `send` what they hear."
    f"\n\n{HOUSE_TOKENS}"
)
CLOSE_CODES: Final = {
    closing.CLOSE_ABUSE: "too many frames that can't be read",
    1009: "a frame is too large",
    closing.CLOSE_RESTART: "the server restarts: come back, with jitter",
    closing.CLOSE_OVERLOAD: "overload, or frames are not read: come back and resume",
    closing.CLOSE_SIGNED_OUT: "not signed in, or signed out",
    closing.CLOSE_PUT_OUT: "put out by an operator",
    closing.CLOSE_REPLACED: "the player has a newer socket: do not come back",
    closing.CLOSE_VERSION: "the subprotocol is not pakka.v1",
    closing.CLOSE_RATE: "far too fast: wait before coming back",
}
SAID: Final = {
    "welcome": "Welcome",
    "ok": "Ok",
    "refused": "Refused",
    "heartbeat": "Beat",
    "event": "EventFrame",
    "snapshot": "SnapshotFrame",
}
"""The server's messages, and the schema of each."""

ANSWERS: Final = {"hello": ("welcome", "refused"), "pong": ()}
"""What answers a frame, where it isn't `ok` or `refused`."""


def asyncapi(games: Iterable[AnyGame]) -> Schema:
    """Make the document."""
    heard = {frame.model_fields["t"].annotation.__args__[0]: frame for frame in CLIENT_FRAMES}  # type: ignore[union-attr]  # each `t` is a Literal
    messages = {t: _message(t, frame.__name__, _about(frame)) for t, frame in heard.items()} | {
        name: _message(name, schema, None) for name, schema in SAID.items()
    }
    schemas = {name: _draft_7(one) for name, one in frame_schemas(games).items()}
    for name, schema in SAID.items():
        messages[name]["summary"] = schemas[schema]["description"].split("\n")[0]
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Pakka's socket", "version": VERSION, "description": ABOUT},
        "defaultContentType": "application/json",
        "servers": {
            "house": {
                "host": "{host}",
                "protocol": "wss",
                "description": "Where this document came from; `ws` where that is plain HTTP.",
                "variables": {"host": {"default": "127.0.0.1:8000"}},
            }
        },
        "channels": {"socket": _channel(messages)},
        "operations": {
            **{f"hear.{t}": _hearing(t) for t in heard},
            **{f"say.{name}": _saying(name) for name in ("heartbeat", "event", "snapshot")},
        },
        "components": {"messages": messages, "schemas": schemas},
        "x-close-codes": {str(code): text for code, text in CLOSE_CODES.items()},
        "x-refusals": schemas["RefusalCode"]["x-refusals"],
    }


def _about(frame: type[object]) -> str | None:
    return inspect.cleandoc(frame.__doc__).split("\n")[0] if frame.__doc__ else None


def _message(name: str, schema: str, summary: str | None) -> Schema:
    message: Schema = {
        "name": name,
        "title": schema,
        "contentType": "application/json",
        "payload": ref(schema),
        "examples": [{"payload": example} for example in EXAMPLES[name]],
    }
    return message if summary is None else {**message, "summary": summary}


def _channel(messages: Iterable[str]) -> Schema:
    return {
        "address": "/ws",
        "title": "The player's socket",
        "description": f"Upgrade with `Sec-WebSocket-Protocol: {SUBPROTOCOL}`; frames are text.",
        "servers": [{"$ref": "#/servers/house"}],
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
        "bindings": {
            "ws": {
                "method": "GET",
                "headers": {
                    "type": "object",
                    "required": ["Sec-WebSocket-Protocol"],
                    "properties": {
                        "Sec-WebSocket-Protocol": {"type": "string", "const": SUBPROTOCOL}
                    },
                },
                "bindingVersion": "0.1.0",
            }
        },
    }


def _hearing(t: str) -> Schema:
    operation: Schema = {"action": "receive", "channel": _SOCKET, "messages": [_in_channel(t)]}
    answers = ANSWERS.get(t, ("ok", "refused"))
    if answers:
        operation["reply"] = {
            "channel": _SOCKET,
            "messages": [_in_channel(answer) for answer in answers],
        }
    return operation


def _saying(name: str) -> Schema:
    operation: Schema = {"action": "send", "channel": _SOCKET, "messages": [_in_channel(name)]}
    if name == "heartbeat":
        operation["reply"] = {"channel": _SOCKET, "messages": [_in_channel("pong")]}
    return operation


_SOCKET: Final = {"$ref": "#/channels/socket"}


def _in_channel(name: str) -> Schema:
    return {"$ref": f"#/channels/socket/messages/{name}"}


def _draft_7(schema: Any) -> Any:
    """Write a schema in draft 7: a tuple is a list of items, a reference stands alone."""
    if isinstance(schema, list):
        return [_draft_7(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    older = {key: _draft_7(value) for key, value in schema.items()}
    if "prefixItems" in older:
        older |= {"items": older.pop("prefixItems"), "additionalItems": False}
    if "$ref" in older and len(older) > 1:
        older["allOf"] = [{"$ref": older.pop("$ref")}]
    return older
