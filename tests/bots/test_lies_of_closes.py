"""A close that lies is caught, though it is signed and logged (checks 16, 17, 18)."""

from typing import Any

import pytest

from server.fairness import commitment, entries
from server.fairness.merkle import leaf_hash
from tests.bots.dealer import Dealer, Frame
from tests.bots.lies import VICTIM, Change, caught, flipped, lie_in, log_anew, sign_anew


def to_close(dealer: Dealer) -> None:
    dealer.play(until="dealt")
    while not dealer.hand.state.ended:
        dealer.step()


def reclosed(dealer: Dealer, d: Frame) -> None:
    """Log and sign a changed close."""
    opened: Any = dealer.state.opened
    rows = [(row["seat"], row["points"], int(row["amount"])) for row in d["result"]]
    hand = opened.hands[d["attempt"]]
    entry = entries.log_close(
        hand=hand,
        seed=bytes.fromhex(d["S"][d["attempt"]]["S"]),
        last=bytes.fromhex(d["T"]),
        result=commitment.result_hash(hand, rows),
    )
    log_anew(d, entry)
    sign_anew(dealer, d, "sig", "close", leaf_hash(entry))


def other_seed(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["S"][0]["S"] = flipped(d["S"][0]["S"])


def other_unused_seed(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["S"][3]["S"] = flipped(d["S"][3]["S"])


def missing_seed(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["S"].pop()


def other_last(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["T"] = flipped(d["T"])


def other_points(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["result"][1]["points"] += 1


def other_amount(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["result"][0]["amount"] = str(int(d["result"][0]["amount"]) - 1)


def other_winner(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["winner"] = (d["winner"] + 1) % 4


def goes_on(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["match"]["over"] = False


def other_winners(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["match"]["winners"] = [(d["winner"] + 1) % 4]


def winners_of_no_form(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["match"]["winners"] = ["0"]


CLOSES: list[tuple[int, Change]] = [
    (16, other_seed),
    (16, other_unused_seed),
    (16, missing_seed),
    (18, other_last),
    (18, other_points),
    (18, other_amount),
    (18, other_winner),
    (18, goes_on),
    (18, other_winners),
    (19, winners_of_no_form),
]


@pytest.mark.parametrize(("check", "change"), CLOSES, ids=[f.__name__ for _, f in CLOSES])
def test_a_close_that_lies_is_caught_though_it_is_signed(check: int, change: Change) -> None:
    dealer = Dealer(4, seed=1)
    to_close(dealer)

    def lie(dealer: Dealer, frame: Frame, d: Frame) -> None:
        change(dealer, frame, d)
        reclosed(dealer, d)

    lie_in(dealer, "hand.closed", lie)
    assert caught(dealer.close) == check


def test_16_a_forged_close_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    to_close(dealer)
    lie_in(dealer, "hand.closed", lambda dealer, frame, d: d.update(sig=flipped(d["sig"])))
    assert caught(dealer.close) == 16


def test_16_a_pack_that_the_seed_does_not_make_is_caught() -> None:
    """The server deals a pack of its choice, well committed to, signed and logged."""
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    dealer.give("deal.reveal")
    honest, dealer.seeds[0] = dealer.seeds[0], b"\x07" * 32
    dealer.deal()
    while not dealer.hand.state.ended:
        dealer.step()
    dealer.seeds[0] = honest
    assert caught(dealer.close) == 16


def test_17_a_toss_that_the_seed_does_not_make_is_caught_at_the_close() -> None:
    dealer = Dealer(4, seed=1)
    to_close(dealer)
    deal: Any = dealer.clients[VICTIM].watch.hand.deal
    deal.toss = ((deal.toss[0] + 1) % 4,)
    lie_in(dealer, "hand.closed", lambda dealer, frame, d: None)
    assert caught(dealer.close) == 17


def test_17_a_match_that_somebody_still_plays_may_not_be_given_up() -> None:
    """Else a server could drop a match that goes the wrong way for it."""
    dealer = Dealer(4, seed=1)
    watch = dealer.clients[VICTIM].watch
    told = {"t": "event", "seq": watch.seq + 1, "stream": watch.stream}
    given_up = {**told, "d": {"e": "match.abandoned", "number": 1}}
    assert caught(lambda: watch.take(given_up)) == 17
