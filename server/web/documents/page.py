"""The page `/docs`: both documents on one page, without a script and without another address."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from server.web.documents.routes import encoded
from server.web.documents.schemas import PLACE, Schema

POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What the page may load: its own style. Nothing of it runs, and nothing comes from elsewhere."""

WHO: Final = {
    "player": ("a signed-in player", "साइन इन किया हुआ खिलाड़ी"),
    "perhaps": ("anybody, or a signed-in guest", "कोई भी, या साइन इन किया हुआ मेहमान"),
    "anybody": ("anybody", "कोई भी"),
    "viewer": ("an operator: viewer", "ऑपरेटर: viewer"),
    "operator": ("an operator: operator", "ऑपरेटर: operator"),
    "treasurer": ("an operator: treasurer", "ऑपरेटर: treasurer"),
    "admin": ("an operator: admin", "ऑपरेटर: admin"),
}


class Route(NamedTuple):
    """A route as the page shows it."""

    method: str
    path: str
    summary: str
    about: str
    who: tuple[str, str]
    body: str
    answer: str
    refusals: list[tuple[str, str]]


class Message(NamedTuple):
    """A frame as the page shows it; `examples` are JSON."""

    name: str
    about: str
    type: str
    examples: list[str]


def page(openapi: Mapping[str, Any], asyncapi: Mapping[str, Any], types: str) -> str:
    """Write the page of both documents."""
    loader = PackageLoader("server.web", "templates")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    environment.filters["code"] = _coded
    messages = asyncapi["components"]["messages"]
    operations = asyncapi["operations"].values()
    heard = {_name_of(one) for one in operations if one["action"] == "receive"}
    return environment.get_template("documents.html").render(
        about=openapi["info"]["description"],
        groups=_groups(openapi),
        socket=asyncapi["info"]["description"].split("\n\n")[0],
        heard=[_message(one) for name, one in messages.items() if name in heard],
        said=[_message(one) for name, one in messages.items() if name not in heard],
        events=_events(asyncapi["components"]["schemas"]),
        closes=asyncapi["x-close-codes"],
        refusals=asyncapi["x-refusals"],
        types=types,
    )


def _coded(text: str) -> Markup:
    """Write what stands between backticks as code; all else is escaped."""
    plain, *rest = (escape(part) for part in text.split("`"))
    marks = (Markup("<code>"), Markup("</code>"))
    return plain + Markup("").join(marks[n % 2] + part for n, part in enumerate(rest))


def _groups(openapi: Mapping[str, Any]) -> dict[str, list[Route]]:
    groups: dict[str, list[Route]] = {}
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            route = _route(method.upper(), path, operation)
            groups.setdefault(operation["tags"][0], []).append(route)
    return groups


def _route(method: str, path: str, operation: Schema) -> Route:
    responses = operation["responses"].items()
    done = next(one for status, one in responses if status < "3")
    return Route(
        method=method,
        path=path,
        summary=operation["summary"],
        about=operation.get("description", ""),
        who=WHO[_who(operation)],
        body=_type_in(operation.get("requestBody", {})),
        answer=_type_in(done),
        refusals=[
            (status, code) for status, one in responses for code in one.get("x-refusals", ())
        ],
    )


def _who(operation: Schema) -> str:
    if "x-role" in operation:
        return str(operation["x-role"])
    security = operation["security"]
    if not security:
        return "anybody"
    return "perhaps" if security[0] == {} else "player"


def _type_in(described: Schema) -> str:
    for kind, content in described.get("content", {}).items():
        name = content.get("schema", {}).get("$ref", "").removeprefix(PLACE)
        return str(name) or str(kind)
    return ""


def _name_of(operation: Schema) -> str:
    return str(operation["messages"][0]["$ref"]).rpartition("/")[2]


def _message(message: Schema) -> Message:
    examples = [encoded(one["payload"]).decode() for one in message["examples"]]
    return Message(message["name"], message.get("summary", ""), message["title"], examples)


def _events(schemas: Mapping[str, Schema]) -> list[tuple[str, str]]:
    """List every event by its name, with what it says."""
    choices = [*schemas["TableEvent"]["anyOf"], *_game_events(schemas)]
    events = []
    for choice in choices:
        schema = schemas[choice["$ref"].removeprefix(PLACE)]
        named = schema["properties"]["e"]
        about = str(schema.get("description", "")).split("\n")[0]
        events += [(name, about) for name in named.get("enum", [named.get("const")])]
    return events


def _game_events(schemas: Mapping[str, Schema]) -> list[Schema]:
    games = [schemas[one["$ref"].removeprefix(PLACE)] for one in schemas["GameEvent"]["anyOf"]]
    return [choice for game in games for choice in game["anyOf"]]
