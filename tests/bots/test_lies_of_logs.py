"""A frame's proof of its log entry that lies is caught at once (checks 2, 9, 16, 19)."""

from typing import Any

import pytest

from tests.bots.dealer import Dealer, Frame
from tests.bots.lies import RESHUFFLES, VICTIM, caught, flipped, lie_in

CHECK_OF = {"hand.opened": 2, "hand.dealt": 9, "hand.reshuffled": 9, "hand.closed": 16}
EVENTS = pytest.mark.parametrize("name", CHECK_OF)


def first_of_path(log: Frame) -> None:
    log["path"][0] = flipped(log["path"][0])


def root(log: Frame) -> None:
    log["root"] = flipped(log["root"])


def shorter(log: Frame) -> None:
    log["path"].pop()


def longer(log: Frame) -> None:
    log["path"].append("00" * 32)


def a_short_hash(log: Frame) -> None:
    log["path"][0] = log["path"][0][2:]


def size_0(log: Frame) -> None:
    log.update(index=0, size=0, path=[])


def check_of_a_lie(name: str, lie: Any) -> int:
    """Play until the frame that lies about the log; the number of the check that catches it."""
    dealer = Dealer(6, seed=RESHUFFLES) if name == "hand.reshuffled" else Dealer(4, seed=1)
    if name == "hand.opened":
        dealer.play()
    lie_in(dealer, name, lambda dealer, frame, d: lie(d["log"]))
    return caught(dealer.open if name == "hand.opened" else dealer.play)


@EVENTS
@pytest.mark.parametrize("lie", [first_of_path, root])
def test_2_9_16_an_entry_that_its_proof_does_not_lead_to_is_caught(name: str, lie: Any) -> None:
    assert check_of_a_lie(name, lie) == CHECK_OF[name]


@EVENTS
@pytest.mark.parametrize("lie", [shorter, longer, a_short_hash])
def test_19_a_proof_of_another_length_is_caught(name: str, lie: Any) -> None:
    assert check_of_a_lie(name, lie) == 19


@EVENTS
def test_19_a_log_of_size_0_is_refused(name: str) -> None:
    assert check_of_a_lie(name, size_0) == CHECK_OF[name]


def test_10_every_frame_of_the_log_brings_its_proof_and_its_checkpoint_along() -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    dealer.play()
    told = [frame["d"] for frame in dealer.clients[VICTIM].frames if frame.get("d")]
    for name in CHECK_OF:
        logs = [d["log"] for d in told if d.get("e") == name]
        assert logs, name
        for log in logs:
            assert log["checkpoint"].startswith(f"test.example/fairdeal-1\n{log['size']}\n")
            assert log["path"] is not None
    for head in dealer.clients[VICTIM].watch.hand.unproved:
        dealer.log.prove(head)
