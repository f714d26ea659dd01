"""Cards and lines that lie are caught at their frame (checks 11, 12, 13, 18, 19)."""

from typing import Any

import pytest

from tests.bots.dealer import Dealer, Frame
from tests.bots.lies import VICTIM, Change, caught, flipped, lie_in, tell_line


def swapped_card(dealer: Dealer, frame: Frame, d: Frame) -> None:
    first, second = d["openings"][0], d["openings"][1]
    first["card"], second["card"] = second["card"], first["card"]


def other_salt(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["openings"][0]["salt"] = flipped(d["openings"][0]["salt"])


def short_path(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["openings"][0]["path"].pop()


def withheld_card(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["openings"].pop()


def strange_card(dealer: Dealer, frame: Frame, d: Frame) -> None:
    d["openings"][0]["card"] = "7H#2"


CARDS: list[tuple[int, Change]] = [
    (11, swapped_card),
    (11, other_salt),
    (19, short_path),
    (12, withheld_card),
    (13, strange_card),
]


@pytest.mark.parametrize(("check", "change"), CARDS, ids=[f.__name__ for _, f in CARDS])
def test_a_card_that_was_not_dealt_so_is_caught(check: int, change: Change) -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="listed")
    dealer.give("deal.reveal")
    lie_in(dealer, "dealt", change)
    assert caught(dealer.deal) == check


def test_12_a_card_that_the_rules_give_to_another_seat_is_caught_though_its_proof_holds() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="dealt")
    client = dealer.clients[VICTIM]
    deal: Any = client.watch.hand.deal
    mine = {place.position for place in deal.cards}
    opening = dealer.hand.heads[0].shoe.opening(min(set(range(52)) - mine))
    shown = {
        "epoch": 0,
        "position": opening.position,
        "card": dealer.hand.heads[0].shoe.order[opening.position],
        "salt": opening.salt.hex(),
        "path": [node.hex() for node in opening.path],
    }
    frame = {"t": "event", "seq": client.watch.seq + 1, "stream": client.watch.stream}
    d = {"e": "dealt", "openings": [shown]}
    assert caught(lambda: client.watch.take({**frame, "d": d})) == 12


def until_turn_of(dealer: Dealer, seat: int) -> None:
    while True:
        acting = dealer.hand.state.acting
        if acting == seat and dealer.hand.state.drawn is None:
            return
        dealer.step()


def held_back(dealer: Dealer) -> list[Frame]:
    """Draw for the victim, and tell it the line without its card; that card's opening."""
    until_turn_of(dealer, VICTIM)
    kept: list[Frame] = []

    def lie(dealer: Dealer, frame: Frame, d: Frame) -> None:
        kept.extend(d.pop("openings"))

    lie_in(dealer, "drawn", lie)
    dealer.step()
    assert len(kept) == 1
    return kept


def test_a_card_may_come_with_an_event_that_follows_the_line_that_gives_it() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="dealt")
    kept = held_back(dealer)
    watch = dealer.clients[VICTIM].watch
    deal: Any = watch.hand.deal
    assert kept[0]["card"] not in deal.public.holding
    frame = {"t": "event", "seq": watch.seq + 1, "stream": watch.stream}
    watch.take({**frame, "d": {"e": "dealt_later", "openings": kept}})
    assert kept[0]["card"] in deal.public.holding


def test_12_a_card_that_has_not_come_before_the_next_line_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="dealt")
    held_back(dealer)
    assert caught(dealer.step) == 12


def test_12_a_skipped_position_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="dealt")

    def lie(dealer: Dealer, frame: Frame, d: Frame) -> None:
        assert d["line"].split(" ")[1:3] == ["draw", "closed"]
        tell_line(
            dealer, dealer.clients[VICTIM].watch, frame, d, d["line"].replace("@0.54", "@0.55")
        )

    lie_in(dealer, "drawn", lie)
    assert caught(dealer.step) == 12


def test_18_a_line_out_of_turn_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="dealt")

    def lie(dealer: Dealer, frame: Frame, d: Frame) -> None:
        seat = int(d["line"][0])
        tell_line(
            dealer, dealer.clients[VICTIM].watch, frame, d, f"{(seat + 1) % 4}{d['line'][1:]}"
        )

    lie_in(dealer, "drawn", lie)
    assert caught(dealer.step) == 18


def test_18_a_forged_move_shows_at_once_to_its_seat() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="dealt")
    until_turn_of(dealer, VICTIM)
    dealer.step()
    victim = dealer.clients[VICTIM]
    deal: Any = victim.watch.hand.deal
    missing = next(card for card in ("JK", "JK#1") if card not in deal.public.holding)
    frame = {**victim.frames[-1], "seq": victim.watch.seq + 1}
    frame["d"] = {"e": "discarded", "k": deal.transcript.k + 1}
    tell_line(dealer, victim.watch, frame, frame["d"], f"{VICTIM} discard {missing}")
    assert caught(lambda: victim.watch.take(frame)) == 18


def test_13_a_discard_of_a_card_that_lies_elsewhere_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="dealt")
    until_turn_of(dealer, 1)
    dealer.step()

    def lie(dealer: Dealer, frame: Frame, d: Frame) -> None:
        deal: Any = dealer.clients[VICTIM].watch.hand.deal
        tell_line(
            dealer, dealer.clients[VICTIM].watch, frame, d, f"1 discard {deal.public.holding[0]}"
        )

    lie_in(dealer, "discarded", lie)
    assert caught(dealer.step) == 13


@pytest.mark.parametrize("field", ["T", "sig"])
def test_18_a_transcript_that_differs_is_caught_at_its_line(field: str) -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="dealt")
    lie_in(dealer, "drawn", lambda dealer, frame, d: frame.update({field: flipped(frame[field])}))
    assert caught(dealer.step) == 18


def test_18_a_step_that_is_hidden_from_a_seat_is_caught() -> None:
    dealer = Dealer(4, seed=1)
    dealer.play(until="dealt")
    dealer.clients[VICTIM].lie = lambda frame: {**frame, "d": None}
    assert caught(dealer.step) == 18
