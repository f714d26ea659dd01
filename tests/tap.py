"""A tap on every house that runs in a test's own process: what is really sent is held to the
documents, frame by frame and answer by answer.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import jsonschema_rs
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.games import GAMES
from server.refusal_texts import REFUSALS
from server.web.documents.asyncapi import asyncapi

Schema = dict[str, Any]


class Answer(NamedTuple):
    """What a request was answered over HTTP; `asked` is the request's own body."""

    method: str
    path: str
    status: int
    kind: str
    body: bytes
    asked: bytes = b""


@dataclass(slots=True)
class Tap:
    """All that was sent since the last look; `openapi` describes the newest house's HTTP.

    Shape: `taken` are the clients' frames that were answered `ok` or `welcome`.
    """

    openapi: Callable[[], Schema] | None = None
    said: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    closes: set[int] = field(default_factory=set)

    def take(self) -> list[str]:
        """Name what was sent and isn't in the documents, and forget it all."""
        said, taken, answers, closes = self.said, self.taken, self.answers, self.closes
        self.said, self.taken, self.answers, self.closes = [], [], [], set()
        known = {int(code) for code in socket_document()["x-close-codes"]} | {1000, 1001}
        wrong = [why for text in said if (why := unlike_frame(text))]
        wrong += [why for text in taken if (why := unlike_frame(text, "ClientFrame"))]
        wrong += [f"closed with {code}" for code in closes - known]
        if answers:
            assert self.openapi is not None
            document = self.openapi()
            wrong += [why for answer in answers if (why := unlike_answer(document, answer))]
        return wrong


class Tapped:
    """An application whose every message is heard on its way out."""

    def __init__(self, app: Any, tap: Tap) -> None:
        self._app: ASGIApp = app
        self._tap = tap
        tap.openapi = app.openapi

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts: list[bytes] = []
        asked: list[bytes] = []
        commands: dict[str, str] = {}
        head: Message = {}

        async def received() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                asked.append(message.get("body", b""))
            elif message["type"] == "websocket.receive":
                commands.update(_command_in(message.get("text")))
            return message

        async def heard(message: Message) -> None:
            nonlocal head
            match message["type"]:
                case "websocket.send":
                    self._tap.said.append(message["text"])
                    frame = json.loads(message["text"])
                    if frame["t"] in {"ok", "welcome"}:
                        self._tap.taken.append(commands[frame["re"]])
                case "websocket.close":
                    self._tap.closes.add(message.get("code") or 1000)
                case "http.response.start":
                    head = message
                case "http.response.body":
                    parts.append(message.get("body", b""))
                    if not message.get("more_body"):
                        answer = _answer_of(scope, head, b"".join(parts), b"".join(asked))
                        self._tap.answers.append(answer)
            await send(message)

        await self._app(scope, received, heard)


def _command_in(text: str | None) -> dict[str, str]:
    """Read a client's frame by its id, if it has one."""
    try:
        frame = json.loads(text or "")
        return {frame["id"]: text or ""}
    except (ValueError, RecursionError, TypeError, KeyError):
        return {}


def _answer_of(scope: Scope, head: Message, body: bytes, asked: bytes) -> Answer:
    kinds = [value for name, value in head["headers"] if name.lower() == b"content-type"]
    kind = kinds[0].decode().partition(";")[0] if kinds else ""
    return Answer(scope["method"], scope["path"], head["status"], kind, body, asked)


@cache
def socket_document() -> Schema:
    """Make the AsyncAPI document as a server of ours publishes it."""
    return asyncapi(GAMES.values())


@cache
def _frames(schema: str) -> Any:
    place = {"$ref": f"#/components/schemas/{schema}"}
    return jsonschema_rs.Draft7Validator({**place, "components": socket_document()["components"]})


def unlike_frame(text: str, schema: str = "ServerFrame") -> str | None:
    """Say why a frame isn't as the document has it; None if it is."""
    frame = json.loads(text)
    if _frames(schema).is_valid(frame):
        return None
    nearest = _schema_by("t", frame.get("t"))
    if nearest == "EventFrame" and _frames("EventFrame").is_valid({**frame, "d": None}):
        nearest, frame = _schema_by("e", frame["d"].get("e")), frame["d"]
    if nearest is None:
        return f"no such {schema}: {text[:300]}"
    errors = [error.message[:300] for error in _frames(nearest).iter_errors(frame)]
    return f"{nearest}: {'; '.join(errors)} in {text[:600]}"


def _schema_by(name: str, value: object) -> str | None:
    """Find the server's schema of a frame by its `t`, or of an event by its `e`."""
    for schema, body in socket_document()["components"]["schemas"].items():
        says = body.get("properties", {}).get(name, {})
        if value in says.get("enum", [says.get("const")]) and schema != "Ping":
            return str(schema)
    return None


def unlike_answer(document: Schema, answer: Answer) -> str | None:
    """Say why an answer isn't as the document has it; None if it is."""
    where = f"{answer.method} {answer.path} {answer.status}: {answer.body[:300]!r}"
    operation = _operation_at(document, answer.method, answer.path)
    if operation is None:
        return _unlike_refusal(answer, where)
    described = operation["responses"].get(str(answer.status))
    if described is None:
        return f"no such status: {where}"
    content = described.get("content", {}).get(answer.kind)
    if content is None:
        return f"no such content {answer.kind}: {where}"
    if answer.kind != "application/json" or "schema" not in content:
        return None
    objection = _objection(content["schema"], document, answer.body)
    if objection is None and answer.status < 300 and "requestBody" in operation:
        form = operation["requestBody"]["content"]["application/json"]["schema"]
        objection = _objection(form, document, answer.asked)
    return None if objection is None else f"{objection} in {where}"


def _objection(schema: Schema, document: Schema, body: bytes) -> str | None:
    whole = {**schema, "components": document["components"]}
    validator = jsonschema_rs.Draft202012Validator(whole)
    error = next(iter(validator.iter_errors(json.loads(body))), None)
    return None if error is None else error.message[:300]


def _unlike_refusal(answer: Answer, where: str) -> str | None:
    """An address or method that isn't there answers a refusal of the list all the same."""
    if answer.path.startswith(UNDESCRIBED) and answer.status == 200:
        return None
    body = json.loads(answer.body) if answer.kind == "application/json" else {}
    is_refused = set(body) == {"code", "text", "field"} and body["code"] in REFUSALS
    return None if is_refused else f"no such route: {where}"


UNDESCRIBED = ("/openapi.json", "/docs", "/static/", "/favicon.ico", "/operator")
"""What describes, and the files of the pages: they are not described themselves."""


def _operation_at(document: Schema, method: str, path: str) -> Schema | None:
    for template, operations in sorted(document["paths"].items()):
        pattern = re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(template))
        if re.fullmatch(pattern, path) and method.lower() in operations:
            found: Schema = operations[method.lower()]
            return found
    return None
