"""How to lie to a client: a change of one frame, signed as the server would sign it."""

from collections.abc import Callable
from typing import Any

import pytest

from server.bots.evidence import Cheated
from server.bots.table_watch import TableWatch
from server.fairness import transcript
from server.fairness.merkle import leaf_hash, root_from_path
from tests.bots.dealer import Dealer, Frame

VICTIM = 0
RESHUFFLES = 6
"""A seed with which six seats reach a reshuffle."""

Change = Callable[[Dealer, Frame, Frame], None]
"""Changes a frame and its `d` in place."""


def flipped(text: str) -> str:
    """Flip one bit of a byte string."""
    return f"{int(text[0], 16) ^ 1:x}{text[1:]}"


def lie_in(dealer: Dealer, name: str, change: Change, *, to: int = VICTIM) -> None:
    """Change the next event of that name on its way to one client."""
    done: list[str] = []

    def lie(frame: Frame) -> Frame:
        d = frame.get("d")
        if d is not None and d.get("e") == name and not done:
            done.append(name)
            change(dealer, frame, d)
        return frame

    dealer.clients[to].lie = lie


def caught(act: Callable[[], Any]) -> int:
    """Let a client catch something; the answer is the number of the check."""
    with pytest.raises(Cheated) as cheated:
        act()
    assert cheated.value.text
    return cheated.value.check


def sign_anew(dealer: Dealer, d: Frame, field: str, role: str, digest: bytes) -> None:
    """Sign a changed frame with the server's own key."""
    d[field] = dealer.signer.sign(role, digest).hex()


def log_anew(d: Frame, entry: bytes) -> None:
    """Log another entry in the place of the true one: its proof leads to a root of its own."""
    log = d["log"]
    nodes = [bytes.fromhex(node) for node in log["path"]]
    root = root_from_path(leaf_hash(entry), log["index"], log["size"], nodes)
    log.update(entry=entry.hex(), root=root.hex())


def tell_line(dealer: Dealer, watch: TableWatch, frame: Frame, d: Frame, line: str) -> None:
    """Tell another line, with the T and the signature that go with it."""
    deal: Any = watch.hand.deal
    before = deal.transcript
    value = transcript.extend(before.value, before.k + 1, line)
    opened: Any = dealer.state.opened
    digest = transcript.digest_to_sign(opened.hands[0], before.k + 1, value)
    d["line"], frame["T"] = line, value.hex()
    frame["sig"] = dealer.signer.sign("event", digest).hex()
