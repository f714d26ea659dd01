"""A list that lies is caught at once, though the server signs it (checks 2, 3, 5, 17)."""

from collections.abc import Callable
from typing import Any

import pytest

from server.fairness import commitment
from server.fairness.signing import SigningKey
from tests.bots.dealer import Dealer, Frame
from tests.bots.lies import VICTIM, caught, flipped, lie_in, sign_anew


def relisted(dealer: Dealer, d: Frame) -> None:
    """Make L and its signature fit a changed list: the lie of a server that holds its own key."""
    opened: Any = dealer.state.opened
    digest = commitment.list_hash(
        commitment.Listed(
            hand=opened.hands[d["attempt"]],
            server_commit=opened.commits[d["attempt"]],
            game=d["game"],
            rules=d["rules"],
            options=commitment.options_text(d["options"]),
            dealer=d["dealer"],
            log_size=d["log_size"],
            log_root=bytes.fromhex(d["log_root"]),
            seats=tuple(
                commitment.ListedSeat(
                    seat=one["seat"],
                    kind=one["kind"],
                    player=bytes.fromhex(one["player"]),
                    pub=bytes.fromhex(one["pub"]),
                    status=one["status"],
                    commit=bytes.fromhex(one["commit"]),
                )
                for one in d["seats"]
            ),
        )
    )
    d["L"] = digest.hex()
    sign_anew(dealer, d, "sig", "list", digest)


def other_commit(dealer: Dealer, d: Frame) -> None:
    d["seats"][VICTIM] |= {"commit": "11" * 32, "commit_sig": None}


def absent(dealer: Dealer, d: Frame) -> None:
    d["seats"][VICTIM] |= {"status": 0, "commit": "00" * 32, "commit_sig": None}


def left_out(dealer: Dealer, d: Frame) -> None:
    del d["seats"][VICTIM]


def other_key(dealer: Dealer, d: Frame) -> None:
    d["seats"][VICTIM]["pub"] = SigningKey(b"k" * 32).public.hex()


def unsigned_neighbour(dealer: Dealer, d: Frame) -> None:
    d["seats"][1]["commit"] = "22" * 32


def other_options(dealer: Dealer, d: Frame) -> None:
    d["options"]["rate"] = 2_000_000


def other_rules(dealer: Dealer, d: Frame) -> None:
    d["rules"] = "2"


def other_player(dealer: Dealer, d: Frame) -> None:
    d["seats"][2]["player"] = "ab" * 16


def bot_as_human(dealer: Dealer, d: Frame) -> None:
    d["seats"][2]["kind"] = 1


def invented_seat(dealer: Dealer, d: Frame) -> None:
    ghost = {"seat": 5, "kind": 2, "player": "ab" * 16, "pub": "00" * 32, "status": 0}
    d["seats"].append({**ghost, "commit": "00" * 32, "commit_sig": None})


def other_log(dealer: Dealer, d: Frame) -> None:
    d["log_size"] += 1


LISTS: list[tuple[int, Callable[[Dealer, Frame], None]]] = [
    (3, other_commit),
    (3, absent),
    (3, left_out),
    (3, other_key),
    (5, unsigned_neighbour),
    (17, other_options),
    (17, other_rules),
    (17, other_player),
    (17, bot_as_human),
    (17, invented_seat),
    (2, other_log),
]


@pytest.mark.parametrize(("check", "change"), LISTS, ids=[f.__name__ for _, f in LISTS])
def test_a_list_that_lies_is_caught_though_it_is_signed(
    check: int, change: Callable[[Dealer, Frame], None]
) -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="commit")

    def lie(dealer: Dealer, frame: Frame, d: Frame) -> None:
        change(dealer, d)
        relisted(dealer, d)

    lie_in(dealer, "hand.listed", lie)
    assert caught(dealer.list_seats) == check


@pytest.mark.parametrize("field", ["L", "sig"])
def test_5_another_l_or_a_forged_signature_of_the_list_is_caught(field: str) -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="commit")
    lie_in(dealer, "hand.listed", lambda dealer, frame, d: d.update({field: flipped(d[field])}))
    assert caught(dealer.list_seats) == 5


def test_3_a_seat_that_never_committed_is_not_to_be_listed_as_absent_by_choice() -> None:
    dealer = Dealer(4, seed=1)
    dealer.call_commits(attempt=0)
    dealer.give("deal.commit", silent=(VICTIM,))

    def lie(dealer: Dealer, frame: Frame, d: Frame) -> None:
        seat = dealer.state.chair(dealer.state.taken()[VICTIM][0])
        mine = {"seat": VICTIM, "kind": 1, "player": seat.pseudonym.hex(), "pub": "00" * 32}
        d["seats"].insert(0, {**mine, "status": 0, "commit": "00" * 32, "commit_sig": None})
        relisted(dealer, d)

    lie_in(dealer, "hand.listed", lie)
    assert caught(dealer.list_seats) == 3


def test_17_a_dealer_that_does_not_follow_the_last_hand_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play()
    dealer.play(until="commit")

    def lie(dealer: Dealer, frame: Frame, d: Frame) -> None:
        d["dealer"] = (d["dealer"] + 1) % 4
        relisted(dealer, d)

    lie_in(dealer, "hand.listed", lie)
    assert caught(dealer.list_seats) == 17
