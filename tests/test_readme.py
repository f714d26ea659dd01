"""The README is true where a program can tell."""

import re
from pathlib import Path

from server.settings import settings_table
from server.tables.clock import HAND_LINES_MAX

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def table_of_settings() -> str:
    rows = [f"| `{name}` | {default} | {about} |" for name, default, about in settings_table()]
    return "\n".join(["| variable | default | what it is |", "|---|---|---|", *rows])


def test_the_settings_table_is_the_settings() -> None:
    written = re.search(r"<!-- settings -->\n(.*?)\n<!-- /settings -->", README, re.DOTALL)
    assert written is not None
    assert written[1] == table_of_settings()


def test_ci_runs_the_test_command_of_the_readme() -> None:
    commands = [
        line.strip() for line in README.splitlines() if line.startswith("    python3 -m venv")
    ]
    assert len(commands) == 2
    serve, test = commands
    assert serve.endswith("pakka serve")
    assert "pytest" in test
    assert "README.md" in (ROOT / ".ci" / "run").read_text()


def test_house_tokens_are_said_to_be_no_money() -> None:
    assert "can be neither bought nor cashed in" in README


def test_the_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
    for path in re.findall(r"`((?:server|tests)/[\w/.]+)`", README):
        assert (ROOT / path).exists(), path


def test_the_figures_are_those_of_the_code() -> None:
    assert f"{HAND_LINES_MAX:,}".replace(",", " ") in README
