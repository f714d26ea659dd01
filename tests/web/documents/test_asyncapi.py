"""AsyncAPI: valid by its own standard, whole, and what frames are really held to."""

import json
from pathlib import Path
from typing import Any, get_args

import httpx
import jsonschema_rs
import pytest

from server.games import GAMES
from server.refusal_texts import REFUSALS
from server.web import closing
from server.web.documents.schemas import CLIENT_FRAMES
from server.web.messages import CLIENT_FRAME
from tests.tap import socket_document, unlike_frame

STANDARD = Path(__file__).parents[2] / "vectors/asyncapi/3.0.0.json"
MESSAGES: dict[str, Any] = socket_document()["components"]["messages"]
SAID_BY_SERVER = {"welcome", "ok", "refused", "heartbeat", "event", "snapshot"}
EXAMPLES = [
    pytest.param(name, example["payload"], id=f"{name}-{number}")
    for name, message in MESSAGES.items()
    for number, example in enumerate(message["examples"])
]


def test_the_document_is_asyncapi_3_by_its_own_schema() -> None:
    standard = jsonschema_rs.validator_for(json.loads(STANDARD.read_text(encoding="utf-8")))
    assert [error.message for error in standard.iter_errors(socket_document())] == []
    assert not standard.is_valid({**socket_document(), "channels": 1}), "it can object"


async def test_the_server_gives_the_document_that_the_frames_are_held_to(
    http: httpx.AsyncClient,
) -> None:
    assert (await http.get("/asyncapi.json")).json() == socket_document()


def test_every_reference_leads_somewhere() -> None:
    document = socket_document()
    for reference in _references(document):
        place: Any = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]


def test_every_frame_of_the_code_is_a_message_and_an_operation() -> None:
    heard = {get_args(frame.model_fields["t"].annotation)[0] for frame in CLIENT_FRAMES}
    assert set(MESSAGES) == heard | SAID_BY_SERVER
    operations = socket_document()["operations"]
    received = {name.removeprefix("hear.") for name in operations if name.startswith("hear.")}
    assert received == heard
    commands = heard - {"hello", "pong"}
    for t in commands:
        answers = [
            one["$ref"].rpartition("/")[2] for one in operations[f"hear.{t}"]["reply"]["messages"]
        ]
        assert answers == ["ok", "refused"], t
    sent = {name.removeprefix("say.") for name in operations if name.startswith("say.")}
    assert sent == {"heartbeat", "event", "snapshot"}


def test_each_event_of_each_game_is_in_the_document() -> None:
    for game in GAMES.values():
        prefix = game.name.title().replace("_", "")
        schema = socket_document()["components"]["schemas"][f"{prefix}Event"]
        told = {ref["$ref"].rpartition("/")[2] for ref in schema["anyOf"]}
        assert told == {f"{prefix}{one.__name__}Event" for one in game.event_types}


def test_every_close_code_of_the_code_has_its_reason() -> None:
    ours = {value for name, value in vars(closing).items() if name.startswith("CLOSE_")}
    assert set(socket_document()["x-close-codes"]) == {str(code) for code in {*ours, 1009}}


def test_every_refusal_stands_there_in_both_languages() -> None:
    texts = {code: {"en": one.en, "hi": one.hi} for code, one in REFUSALS.items()}
    assert socket_document()["x-refusals"] == texts
    assert socket_document()["components"]["schemas"]["RefusalCode"]["enum"] == list(REFUSALS)


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_every_example_is_as_its_message_says(name: str, example: dict[str, Any]) -> None:
    side = "ServerFrame" if name in SAID_BY_SERVER else "ClientFrame"
    assert unlike_frame(json.dumps(example), side) is None
    assert unlike_frame(json.dumps({**example, "more": 1}), side) is not None
    if side == "ClientFrame":
        CLIENT_FRAME.validate_python(example)


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        ({"t": "ok", "re": "c1", "note": "hi"}, "note"),
        ({"t": "refused", "re": "c1", "code": "bad_luck", "text": ""}, "bad_luck"),
        ({"t": "news"}, "no such ServerFrame"),
        ({**MESSAGES["event"]["examples"][0]["payload"], "d": {"e": "cards"}}, "no such"),
        (
            {**MESSAGES["event"]["examples"][0]["payload"], "d": {"e": "discarded", "seat": 1}},
            "card",
        ),
        (
            {**MESSAGES["event"]["examples"][0]["payload"], "d": {"e": "table.closed", "x": 1}},
            "x",
        ),
    ],
)
def test_the_check_objects_to_what_is_not_in_the_document(frame: dict[str, Any], why: str) -> None:
    objection = unlike_frame(json.dumps(frame))
    assert objection is not None
    assert why in objection


def _references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*(_references(one) for one in value.values()))
    if isinstance(value, list):
        return set().union(*(_references(one) for one in value))
    return set()
