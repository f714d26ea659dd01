"""The commands: `pakka` and its groups.

Owns:     reading the command line, what is printed where, exit codes.
Promises: 0 done, 1 the answer is no, 2 the call or its input is wrong with one line that says what
          and where; with `--json` nothing but JSON on standard output; no traceback for a mistake.
Imports:  typer and rich; with `main` the highest floor, so everything below.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn

import typer

from server.cli.output import Wrong, complain
from server.errors import Fault, Refusal

WRONG: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141
"""What a shell reports of a program that writes to a reader which has gone."""

MODULES: Final = {
    "serve": "serve",
    "migrate": "serve",
    "demo": "demo",
    "bots": "bots",
    "play": "play",
    "verify": "records",
    "replay": "records",
    "score": "score",
    "ledger": "ledger",
    "tokens": "tokens",
    "operator": "operators",
    "table": "tables",
    "log": "log",
    "backup": "upkeep",
    "restore": "upkeep",
    "keys": "keys",
}
"""Which file of this package has a command."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit with its code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run a command and give its exit code."""
    try:
        _demand_text(arguments)
        app = _app_of(arguments)
        code = app(list(arguments), prog_name="pakka", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except Refusal as refusal:
        where = f" ({refusal.field})" if refusal.field else ""
        return complain(f"{refusal.code}{where}: {refusal.text}")
    except (Wrong, Fault) as error:
        return complain(str(error))
    except typer.TyperException as error:
        return complain(f"{error.format_message()} (see {_help_of(error)})")
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):  # typer ends the program itself for a closed pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        if error.filename is None:
            raise
        return complain(f"{error.filename}: {error.strerror}")


def _app_of(arguments: Sequence[str]) -> typer.Typer:
    """Build the program; a known command loads its own file alone, and so starts quickly."""
    app = typer.Typer(
        name="pakka",
        help="A rummy server for house tokens (HT) whose every deal can be checked.",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_whole)
    asked = MODULES.get(arguments[0]) if arguments else None
    for name in dict.fromkeys(MODULES.values()) if asked is None else (asked,):
        import_module(f"server.cli.{name}").add_to(app)
    return app


def _demand_text(arguments: Sequence[str]) -> None:
    """Refuse bytes that are no text: they would break a page that has to show them."""
    for place, argument in enumerate(arguments, start=1):
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise Wrong(f"argument {place} is not UTF-8 text") from None


def _whole() -> None:
    """A rummy server for house tokens (HT) whose every deal can be checked."""


def _help_of(error: typer.TyperException) -> str:
    context: typer.Context | None = getattr(error, "ctx", None)
    return f"{context.command_path if context is not None else 'pakka'} --help"
