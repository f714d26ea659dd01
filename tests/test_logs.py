"""No log line holds what an exception or a caller had in hand."""

import asyncio
import logging

import pytest
import structlog

from server.logs import set_up_logging

SECRET = "7H of seat 2 and seed 00ff00ff"


@pytest.fixture
def restored_logging() -> object:
    root = logging.getLogger()
    kept = list(root.handlers), root.level
    yield
    root.handlers[:], root.level = kept[0], kept[1]
    structlog.reset_defaults()


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.usefixtures("restored_logging")
def test_an_exception_is_logged_without_message_and_values(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logging(level="info", form=form)  # type: ignore[arg-type]
    holding = [SECRET]
    try:
        raise AssertionError(holding[0])
    except AssertionError:
        structlog.get_logger("ours").error("went_wrong", exc_info=True, seed=SECRET)
        logging.getLogger("theirs").exception("went wrong too")
    said = capsys.readouterr().err
    assert SECRET not in said
    assert said.count("AssertionError\\n") + said.count("AssertionError\n") >= 2
    assert "went_wrong" in said
    assert "went wrong too" in said
    assert "test_logs.py" in said


@pytest.mark.usefixtures("restored_logging")
async def test_the_event_loops_own_complaint_holds_no_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up_logging(level="info", form="json")
    loop = asyncio.get_running_loop()
    loop.call_exception_handler({"message": "unhandled", "exception": ValueError(SECRET)})
    assert SECRET not in capsys.readouterr().err
