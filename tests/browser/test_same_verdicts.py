"""Every lie that a program's checks are told is told to the page's checks too (tests/bots)."""

from collections.abc import Iterator

import pytest

from tests.bots import (
    test_lies_of_cards,
    test_lies_of_closes,
    test_lies_of_deals,
    test_lies_of_lists,
    test_lies_of_opens,
    test_lies_of_reshuffles,
)
from tests.bots.dealer import Dealer
from tests.browser.twin import NODE, Twin

pytestmark = pytest.mark.skipif(
    NODE is None, reason="NO NODE HERE: the page's checks weren't lied to"
)

LIES = (
    test_lies_of_cards,
    test_lies_of_closes,
    test_lies_of_deals,
    test_lies_of_lists,
    test_lies_of_opens,
    test_lies_of_reshuffles,
)
PROGRAMS_OWN = ("also_by_a_new_process", "nobody_was_called")
"""Lies to what a program alone has: its folder, and a field that the test itself takes away."""

for _module in LIES:
    _room = _module.__name__.rsplit("_", 1)[-1]
    for _name, _test in vars(_module).items():
        if _name.startswith("test_") and not any(own in _name for own in PROGRAMS_OWN):
            globals()[f"{_name}__{_room}"] = _test


@pytest.fixture(autouse=True)
def twins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give every dealer's victim its twin."""
    monkeypatch.setattr("tests.bots.dealer.Seen", Twin)
    monkeypatch.setattr(Twin, "scripts", [])
    yield
    for script in Twin.scripts:
        script.end()


@pytest.mark.parametrize(("seats", "seed"), [(2, 3), (4, 1), (6, 6)])
def test_honest_hands_are_the_same_to_both(seats: int, seed: int) -> None:
    dealer = Dealer(seats, seed=seed)
    dealer.play()
    dealer.show(dealer.clients[0])
    dealer.play()
    assert Twin.scripts
