"""Opens, receipts and voids that lie are caught (checks 2, 3, 4, 8, 16)."""

from typing import Any

import pytest

from server.bots.table_watch import TableWatch
from server.bots.vault import Vault
from server.fairness import entries
from tests.bots.dealer import TABLE, Dealer, Frame
from tests.bots.lies import VICTIM, caught, flipped, lie_in, log_anew


def test_2_an_open_that_was_not_signed_or_logged_as_it_says_is_caught() -> None:
    for field in ("sig", "commits", "entry"):
        dealer = Dealer(4, seed=1)
        dealer.play()

        def lie(dealer: Dealer, frame: Frame, d: Frame, field: str = field) -> None:
            if field == "commits":
                d["commits"][2] = flipped(d["commits"][2])
            elif field == "entry":
                d["log"]["entry"] = flipped(d["log"]["entry"])
            else:
                d["sig"] = flipped(d["sig"])

        lie_in(dealer, "hand.opened", lie)
        assert caught(dealer.open) == 2


def test_2_a_hand_number_that_was_seen_already_is_caught_also_by_a_new_process() -> None:
    dealer = Dealer(4, seed=1)
    vault = Vault()
    vault.keep(f"hand {TABLE}", [dealer.state.opened.hand_no, "00" * 32])  # type: ignore[union-attr]
    client = dealer.clients[VICTIM]
    client.watch = TableWatch(str(TABLE), server_key_at=dealer.key_at, vault=vault)
    assert caught(lambda: dealer.show(client)) == 2


def test_8_a_spec_of_other_packs_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    lie_in(dealer, "hand.opened", lambda dealer, frame, d: d.update(printed_jokers=3))
    assert caught(dealer.open) == 8


@pytest.mark.parametrize(("phase", "check"), [("deal.commit", 3), ("deal.reveal", 4)])
def test_a_receipt_for_something_else_or_forged_is_caught(phase: str, check: int) -> None:
    for field in ("value", "sig"):
        dealer = Dealer(4, seed=1)
        if phase == "deal.reveal":
            dealer.play(until="listed")
        else:
            dealer.call_commits(attempt=0)

        def lie(dealer: Dealer, frame: Frame, d: Frame, field: str = field) -> None:
            d[field] = flipped(d[field])

        lie_in(dealer, "deal.receipt", lie)
        assert caught(lambda dealer=dealer: dealer.give(phase)) == check  # type: ignore[misc]


def test_4_a_seat_that_revealed_and_is_accused_of_silence_catches_it() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    dealer.give("deal.reveal", silent=(3,))

    def lie(dealer: Dealer, frame: Frame, d: Frame) -> None:
        d["seats"][VICTIM] |= {"present": False, "x": None}
        opened: Any = dealer.state.opened
        rows = [
            (row["seat"], row["status"], None if row["x"] is None else bytes.fromhex(row["x"]))
            for row in d["seats"]
        ]
        entry = entries.log_void(
            hand=opened.hands[0],
            reason=entries.VoidReason.NOT_REVEALED,
            seed=bytes.fromhex(d["S"]),
            seats=rows,
        )
        log_anew(d, entry)

    lie_in(dealer, "hand.voided", lie)
    assert caught(lambda: dealer.void(0)) == 4


def test_16_a_void_with_another_seed_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    lie_in(dealer, "hand.voided", lambda dealer, frame, d: d.update(S=flipped(d["S"])))
    assert caught(lambda: dealer.void(1)) == 16
