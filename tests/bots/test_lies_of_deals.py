"""Reveals and deals that lie are caught (checks 5 to 9, 17 to 19)."""

import pytest

from tests.bots.dealer import Dealer, Frame
from tests.bots.lies import Change, caught, flipped, lie_in


def test_7_a_relayed_reveal_that_does_not_open_its_commit_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    lie_in(dealer, "deal.revealed", lambda dealer, frame, d: d.update(x=flipped(d["x"])))
    assert caught(lambda: dealer.give("deal.reveal")) == 7


def test_5_a_reveal_signed_for_another_list_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    lie_in(dealer, "deal.revealed", lambda dealer, frame, d: d.update(sig=flipped(d["sig"])))
    assert caught(lambda: dealer.give("deal.reveal")) == 5


def test_7_a_deal_without_the_reveal_of_a_committed_seat_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    dealer.give("deal.reveal", silent=(3,))
    assert caught(dealer.deal) == 7


def other_entropy(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["R"] = flipped(d["R"])


def other_size(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["n"] -= 1


def other_root(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["root"] = flipped(d["root"])


def forged_head(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["sig_head"] = flipped(d["sig_head"])


def unlogged(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["log"]["entry"] = flipped(d["log"]["entry"])


def forged_transcript(dealer: Dealer, frame: Frame, d: Frame) -> None:
    frame["sig"] = flipped(frame["sig"])


DEALS: list[tuple[int, Change]] = [
    (7, other_entropy),
    (8, other_size),
    (6, other_root),
    (6, forged_head),
    (9, unlogged),
    (18, forged_transcript),
]


@pytest.mark.parametrize(("check", "change"), DEALS, ids=[f.__name__ for _, f in DEALS])
def test_a_deal_that_lies_is_caught(check: int, change: Change) -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    dealer.give("deal.reveal")
    lie_in(dealer, "hand.dealt", change)
    assert caught(dealer.deal) == check


def test_17_a_toss_of_no_seat_is_caught_at_the_deal() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    dealer.give("deal.reveal")
    lie_in(dealer, "hand.dealt", lambda dealer, frame, d: d.update(toss=[4]))
    assert caught(dealer.deal) == 17


@pytest.mark.parametrize("value", ["", "ab" * 31, "ab" * 33, "AB" * 32, "zz" * 32, 7, None])
def test_19_a_hash_that_is_not_exactly_32_bytes_is_caught(value: object) -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    dealer.give("deal.reveal")
    lie_in(dealer, "hand.dealt", lambda dealer, frame, d: d.update(root=value))
    assert caught(dealer.deal) == 19
