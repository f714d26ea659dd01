"""How a log line is written: as text for people or as JSON for programs, to standard error.

No line holds a card, a seed or a token: nothing logs them, and the last step below strikes out
whatever would be called so.
"""

import logging
import sys
import traceback
from collections.abc import Mapping
from typing import Final, Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

SECRET_KEYS: Final = frozenset(
    {
        "authorization",
        "card",
        "cards",
        "cookie",
        "frame",
        "hand_cards",
        "password",
        "salt",
        "secret",
        "seed",
        "token",
        "x",
    }
)
STRUCK_OUT: Final = "(not logged)"

_LEVELS: Final[Mapping[str, int]] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
_QUIET: Final = ("uvicorn.error", "httpx", "httpcore", "websockets", "alembic", "asyncio")
"""Libraries that are heard from warnings up alone."""


def set_up_logging(*, level: str, form: Literal["text", "json"]) -> None:
    """Write our own lines and the libraries' alike, from `level` up."""
    shared: list[Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        only_where,
        strike_out,
    ]
    last: list[Processor] = (
        [structlog.processors.JSONRenderer()]
        if form == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(),
                # the default one shows every local variable: tokens, seeds, holdings
                exception_formatter=structlog.dev.plain_traceback,
            )
        ]
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(handlers=[handler], level=_LEVELS[level], force=True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(_LEVELS[level], logging.WARNING))


def at_table(
    table: object, *, hand: int | None = None, seq: int | None = None
) -> dict[str, object]:
    """Say what table a line is about, and how far it had come; None where that isn't known.

    Every line about a table is written with these three, so that one search finds a hand's story.
    """
    return {"table": str(table), "hand": hand, "seq": seq}


def only_where(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Say of an exception its kind and where it was raised; message and values may hold cards."""
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        frames = "".join(traceback.format_tb(error.__traceback__))
        event["where"] = f"{type(error).__name__}\n{frames}".rstrip()
    return event


def strike_out(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Strike out the values whose names say that they are secret."""
    for key in SECRET_KEYS & set(event):
        event[key] = STRUCK_OUT
    return event
