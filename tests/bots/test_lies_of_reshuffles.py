"""A reshuffle that lies is caught, its call before anything is revealed (checks 6 to 9, 14, 15)."""

from typing import Any

import pytest

from server.fairness import commitment
from tests.bots.dealer import Dealer, Frame
from tests.bots.lies import RESHUFFLES, VICTIM, Change, caught, flipped, lie_in, sign_anew


def called(dealer: Dealer) -> None:
    """Play until the next step calls for a reshuffle."""
    dealer.play(until="dealt")
    while dealer.hand.state.pending is None:
        dealer.step()


def recalled(dealer: Dealer, d: Frame) -> None:
    """Sign a changed call anew."""
    opened: Any = dealer.state.opened
    hand = opened.hands[0]
    discards = commitment.discards_hash(hand=hand, epoch=d["epoch"], numbers=d["numbers"])
    call = commitment.again_call(
        hand=hand, epoch=d["epoch"], before=bytes.fromhex(d["T"]), discards=discards
    )
    d["call"] = call.hex()
    sign_anew(dealer, d, "sig_call", "call", call)


def dropped_discard(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["numbers"].pop()
    recalled(dealer, d)


def reordered_discards(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["numbers"].reverse()
    recalled(dealer, d)


def other_past(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["T"] = flipped(d["T"])
    recalled(dealer, d)


def other_epoch(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["epoch"] = 2
    recalled(dealer, d)


def forged_call(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["sig_call"] = flipped(d["sig_call"])


CALLS: list[tuple[int, Change]] = [
    (15, dropped_discard),
    (15, reordered_discards),
    (14, other_past),
    (14, other_epoch),
    (14, forged_call),
]


@pytest.mark.parametrize(("check", "change"), CALLS, ids=[f.__name__ for _, f in CALLS])
def test_a_call_that_lies_is_caught_before_anything_is_revealed(check: int, change: Change) -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    called(dealer)
    lie_in(dealer, "hand.again_called", change)
    assert caught(dealer.call_again) == check
    hand = dealer.clients[VICTIM].watch.hand
    assert hand.due(VICTIM) is None


def test_14_a_call_while_the_closed_pile_has_cards_is_caught() -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    called(dealer)
    deal: Any = dealer.clients[VICTIM].watch.hand.deal
    deal.public.closed_count = 1
    assert caught(dealer.call_again) == 14


def test_14_a_link_that_is_not_of_its_chain_is_caught() -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    called(dealer)
    dealer.call_again()
    lie_in(dealer, "deal.revealed", lambda dealer, frame, d: d.update(x=flipped(d["x"])))
    assert caught(lambda: dealer.give("deal.reveal_again")) == 14


def left_out_of_reshuffle(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["present"][VICTIM] |= {"present": False, "x": None, "sig": None}


def other_entropy_again(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["R"] = flipped(d["R"])


def other_link(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["present"][1]["x"] = flipped(d["present"][1]["x"])


def forged_head_again(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["sig_head"] = flipped(d["sig_head"])


def other_root_again(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["root"] = flipped(d["root"])


def unlogged_again(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["log"]["entry"] = flipped(d["log"]["entry"])


def forged_transcript_again(dealer: Dealer, frame: Frame, d: Frame) -> None:
    frame["sig"] = flipped(frame["sig"])


RESHUFFLED: list[tuple[int, Change]] = [
    (14, left_out_of_reshuffle),
    (7, other_entropy_again),
    (14, other_link),
    (6, forged_head_again),
    (6, other_root_again),
    (9, unlogged_again),
    (18, forged_transcript_again),
]


@pytest.mark.parametrize(("check", "change"), RESHUFFLED, ids=[f.__name__ for _, f in RESHUFFLED])
def test_a_reshuffle_that_lies_is_caught(check: int, change: Change) -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    called(dealer)
    dealer.call_again()
    lie_in(dealer, "hand.reshuffled", change)
    assert caught(dealer.finish_reshuffle) == check


def test_14_a_reshuffle_that_nobody_was_called_for_is_caught() -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    called(dealer)
    dealer.call_again()
    deal: Any = dealer.clients[VICTIM].watch.hand.deal
    deal.call = None
    lie_in(dealer, "deal.revealed", lambda dealer, frame, d: None)
    assert caught(dealer.finish_reshuffle) == 14
