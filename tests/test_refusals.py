"""The list of refusals is closed: each code that the server can say is on it, in both languages."""

import ast
from collections.abc import Iterator
from pathlib import Path

import server
from server.refusal_texts import REFUSALS
from tests.test_architecture import tree_of

SERVER = Path(server.__file__).parent
CODE_AT = {"Refusal": 0, "IllegalMove": 0, "refuse": 0, "Reply": 2}
"""Where a call has its code."""


def codes_in(tree: ast.AST) -> Iterator[str]:
    """Every code that a file can say: in a call, in a table `CODES`, from a `_why_not...`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=args) if name in CODE_AT:
                for argument in args[CODE_AT[name] : CODE_AT[name] + 1]:
                    yield from literals_of(argument)
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"))), args=[first, *_]
            ) if literals_of(first):
                yield from (text for text in literals_of(first) if text.replace("_", "").isalpha())
            case ast.AnnAssign(target=ast.Name(id="CODES"), value=ast.Dict(values=values)):
                for value in values:
                    yield from literals_of(value)
            case ast.Assign(targets=[ast.Name(id="code")], value=value):
                yield from literals_of(value)
            case ast.FunctionDef(name=name) if name.startswith("_why_not"):
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return) and inner.value is not None:
                        yield from literals_of(inner.value)
            case _:
                pass


def literals_of(node: ast.expr) -> set[str]:
    """All texts that an expression may give: a constant, or a choice of constants."""
    match node:
        case ast.Constant(value=str() as text):
            return {text}
        case ast.IfExp(body=body, orelse=other):
            return literals_of(body) | literals_of(other)
        case ast.BoolOp(values=values):
            return {text for part in values for text in literals_of(part)}
        case ast.Call(func=ast.Attribute(value=ast.Dict(values=values), attr="get"), args=args):
            return {text for part in (*values, *args[1:]) for text in literals_of(part)}
        case _:
            return set()


def said_codes() -> dict[str, set[str]]:
    """Every code in the source, and the files that say it."""
    said: dict[str, set[str]] = {}
    for path in sorted(SERVER.rglob("*.py")):
        for code in codes_in(tree_of(path)):
            said.setdefault(code, set()).add(str(path.relative_to(SERVER)))
    return said


def test_every_code_that_is_said_is_on_the_list() -> None:
    missing = {code: places for code, places in said_codes().items() if code not in REFUSALS}
    assert not missing


def test_no_code_on_the_list_is_unused() -> None:
    assert not set(REFUSALS) - set(said_codes())


def test_each_code_has_an_english_and_a_hindi_text() -> None:
    for code, texts in REFUSALS.items():
        assert code.isascii()
        assert code == code.lower()
        assert texts.en.isascii(), code
        assert texts.en.endswith("."), code
        assert any("\u0900" <= letter <= "\u097f" for letter in texts.hi), code
        assert texts.hi.endswith(("।", "?")), code
