"""A log line is one line, in the asked form, and holds no secret."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Literal

import pytest
import structlog

from server.logs import STRUCK_OUT, set_up_logging


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    handlers, level = logging.root.handlers[:], logging.root.level
    yield
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)
    structlog.reset_defaults()


def written(form: Literal["text", "json"], capsys: pytest.CaptureFixture[str]) -> str:
    set_up_logging(level="info", form=form)
    log = structlog.get_logger("tests")
    log.info("sat_down", player=7, token="s3cret", cards=["7H"], seed=b"s3cret")
    log.debug("unseen")
    logging.getLogger("library").warning("from a library")
    logging.getLogger("httpx").info("unseen")
    return capsys.readouterr().err


def test_json_lines_are_json_and_secrets_are_struck_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = [json.loads(line) for line in io.StringIO(written("json", capsys))]
    assert [line["event"] for line in lines] == ["sat_down", "from a library"]
    assert lines[0]["player"] == 7
    assert lines[0]["level"] == "info"
    for name in ("token", "cards", "seed"):
        assert lines[0][name] == STRUCK_OUT


def test_text_lines_are_for_people_and_hold_no_secret_either(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = written("text", capsys)
    assert "sat_down" in text
    assert "from a library" in text
    assert "s3cret" not in text
    assert "7H" not in text
    assert "unseen" not in text


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_traceback_shows_no_variables(
    form: Literal["text", "json"], capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logging(level="info", form=form)
    holding = ["7H" + "#9"]
    try:
        assert not holding, "a mistake"
    except AssertionError:
        structlog.get_logger("tests").exception("failed")
    text = capsys.readouterr().err
    assert "a mistake" in text
    assert "7H#9" not in text
