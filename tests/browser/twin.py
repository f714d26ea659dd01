"""A client with a twin: the page's own checks hear every frame that the program's checks hear.

Both have the same secrets, so what they send must be the same to the byte; and every lie that the
one catches the other must catch too, by the number of the same check.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from server.bots.table_watch import TableWatch
from tests.bots.seen import Frame, Seen
from tests.bots.shoes import TABLE

NODE = shutil.which("node")
SCRIPT = Path(__file__).parent / "watch_process.mjs"
VICTIM = 100

Answer = dict[str, Any]


class Script:
    """The page's table watch, in a process of its own."""

    def __init__(self) -> None:
        assert NODE is not None
        self._process = subprocess.Popen(
            [NODE, str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, act: str, **values: Any) -> Answer:
        """Let it do something; its answer, a failed check among them."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"act": act, **values}) + "\n")
        self._process.stdin.flush()
        answer: Answer = json.loads(self._process.stdout.readline())
        assert "fault" not in answer, answer["fault"]
        return answer

    def end(self) -> None:
        """End the process."""
        self._process.communicate()


class Twin(Seen):
    """The victim of lies, twice; every other client is only a program."""

    scripts: list[Script] = []  # noqa: RUF012 - those of one test, ended by its fixture

    def __init__(self, player: int, watch: TableWatch) -> None:
        super().__init__(player, watch)
        self._script: Script | None = None
        self._own_due = watch.due
        if player == VICTIM:
            watch.due = self._due  # type: ignore[method-assign]  # to compare what is due

    def take(self, frame: dict[str, object]) -> None:
        """Hear a frame by both, and compare what they make of it."""
        super().take(frame)
        if self.player != VICTIM:
            return
        if self._script is None:
            self._begin()
        assert self._script is not None
        answer = self._script.ask("take", frame=self.frames[-1])
        check = None if self.caught is None else self.caught.check
        assert answer.get("check") == check, (answer, self.caught)
        if check is None:
            self._compare(answer["value"])

    def _begin(self) -> None:
        self._script = Script()
        self.scripts.append(self._script)
        key = self.watch.hand._server_key_at(0).hex()
        self._script.ask("begin", table=str(TABLE), serverKey=key, secrets=self._secrets())

    def _compare(self, value: Answer) -> None:
        deal = self.watch.hand.deal
        holding = [] if deal is None else list(getattr(deal.public, "holding", []))
        assert value["holding"] == holding
        assert (value["seq"], value["phase"]) == (self.watch.seq, self.watch.hand.phase)

    def _due(self) -> list[Frame]:
        frames = self._own_due()
        assert self._script is not None
        self._script.ask("proved")
        answer = self._script.ask("due", secrets=self._secrets())
        assert answer["value"] == frames
        return frames

    def _secrets(self) -> Answer:
        vault = self.watch.hand._vault
        seeds = {hand: entry["z"] for hand, entry in vault._seeds.items()}
        return {"key": vault.key().hex(), "seeds": seeds}
