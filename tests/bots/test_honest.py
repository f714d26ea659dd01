"""A table that keeps to fairdeal/1 is never accused, whatever happens at it."""

from pathlib import Path
from typing import Any

import pytest

from server.bots.evidence import Cheated
from server.bots.table_watch import TableWatch
from server.bots.vault import Vault
from tests.bots.dealer import TABLE, Dealer, Seen

RESHUFFLES = 6
"""A seed with which six seats reach a reshuffle."""


def ends(watch: TableWatch) -> list[str]:
    return [over.end for over in watch.hand.overs]


def late(dealer: Dealer, player: int = 999, vault: Vault | None = None) -> Seen:
    """Let somebody look at the table who has seen nothing of it so far."""
    watch = TableWatch(str(TABLE), server_key_at=dealer.key_at, vault=vault or Vault())
    seen = Seen(player, watch)
    dealer.show(seen)
    return seen


@pytest.mark.parametrize("seats", [4, 6, 8])
def test_whole_hands_hold_for_every_client(seats: int) -> None:
    dealer = Dealer(seats, seed=1)
    dealer.play()
    dealer.play()
    for client in dealer.clients:
        assert ends(client.watch) == ["closed", "closed"]
        assert len(client.watch.hand.overs[0].shoes) >= 1


def test_every_client_knows_its_own_cards_by_their_proofs_alone() -> None:
    dealer = Dealer(4, seed=2)
    dealer.play(until="dealt")
    for number, client in enumerate(dealer.clients):
        deal: Any = client.watch.hand.deal
        assert sorted(deal.public.holding) == sorted(dealer.hand.state.seats[number].cards)
        assert len(deal.cards) == 15


def test_a_reshuffle_holds_and_the_hand_goes_on() -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    dealer.play(until="reshuffled")
    assert dealer.hand.epoch == 1
    while dealer.state.hand is not None:
        dealer.step()
    for client in dealer.clients:
        assert ends(client.watch) == ["closed"]
        assert len(client.watch.hand.overs[0].shoes) >= 2


def test_a_seat_that_does_not_answer_a_reshuffle_is_absent_and_nobody_is_accused() -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    dealer.silent_again = (2, 4)
    dealer.play()
    assert all(ends(client.watch) == ["closed"] for client in dealer.clients)


def test_a_seat_may_play_without_a_seed_of_its_own() -> None:
    dealer = Dealer(4, seed=3, without_seed=(1,))
    dealer.play()
    assert all(ends(client.watch) == ["closed"] for client in dealer.clients)


def test_a_seat_that_does_not_commit_sits_out_and_comes_back() -> None:
    dealer = Dealer(4, seed=3)
    dealer.call_commits(attempt=0)
    dealer.give("deal.commit", silent=(2,))
    dealer.list_seats()
    assert dealer.clients[2].watch.due() == [{"t": "table.back", "table": str(TABLE)}]
    dealer.give("deal.reveal")
    dealer.deal()
    while dealer.state.hand is not None:
        dealer.step()
    assert all(ends(client.watch) == ["closed"] for client in dealer.clients)


def test_a_void_attempt_is_checked_and_the_next_one_uses_a_fresh_chain() -> None:
    dealer = Dealer(4, seed=4)
    dealer.play(until="listed")
    dealer.give("deal.reveal", silent=(3,))
    first = dealer.state.phase
    dealer.void(0, sat_out=((3, "no_reveal"),))
    dealer.play()
    assert ends(dealer.clients[0].watch) == ["voided", "closed"]
    assert first != dealer.state.phase


def test_who_comes_back_while_a_later_attempt_asks_for_commits_commits_to_that_one() -> None:
    dealer = Dealer(4, seed=4)
    dealer.play(until="listed")
    dealer.give("deal.reveal", silent=(3,))
    dealer.void(0)
    dealer.call_commits(attempt=1)
    client = dealer.clients[0]
    client.watch = TableWatch(str(TABLE), server_key_at=dealer.key_at, vault=Vault())
    dealer.show(client)
    client.watch.hand.unproved.clear()
    (frame,) = client.watch.due()
    assert (frame["t"], frame["d"]["attempt"]) == ("deal.commit", 1)


def test_an_end_that_was_missed_is_checked_from_the_snapshot_once() -> None:
    dealer = Dealer(4, seed=5)
    dealer.play(until="dealt")
    seen = late(dealer)
    dealer.audience.unwatch(seen)
    while dealer.state.hand is not None:
        dealer.step()
    for _ in range(2):
        dealer.show(seen)
        assert ends(seen.watch) == ["closed"]
    dealer.play()
    assert ends(seen.watch) == ["closed", "closed"]


def test_a_spectator_follows_and_checks_without_a_seat() -> None:
    dealer = Dealer(4, seed=5)
    seen = late(dealer)
    dealer.play()
    assert ends(seen.watch) == ["closed"]


@pytest.mark.parametrize("moves", [0, 7, 30])
def test_who_comes_in_mid_hand_checks_all_of_it_from_the_snapshot(moves: int) -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    dealer.play(until="dealt")
    for _ in range(moves):
        dealer.step()
    seen = late(dealer)
    while dealer.state.hand is not None:
        dealer.step()
    assert ends(seen.watch) == ["closed"]
    assert len(seen.watch.hand.overs[0].lines) > moves


def test_a_snapshot_after_a_reshuffle_and_within_a_call_holds_too() -> None:
    dealer = Dealer(6, seed=RESHUFFLES)
    dealer.play(until="called")
    within = late(dealer)
    assert within.watch.hand.deal is not None
    assert within.watch.hand.deal.call is not None
    dealer.finish_reshuffle()
    after = late(dealer)
    while dealer.state.hand is not None:
        dealer.step()
    assert ends(within.watch) == ends(after.watch) == ["closed"]


def test_a_seat_that_lost_everything_in_memory_catches_up_and_plays_on() -> None:
    dealer = Dealer(4, seed=6)
    dealer.play(until="dealt")
    dealer.step()
    fresh = late(dealer, player=100)
    deal: Any = fresh.watch.hand.deal
    assert fresh.watch.seating.me == 0
    assert sorted(deal.public.holding) == sorted(dealer.hand.state.seats[0].cards)


def test_a_gap_makes_the_client_ask_for_a_snapshot_and_ignore_the_rest() -> None:
    dealer = Dealer(4, seed=7)
    dealer.play(until="dealt")
    client = dealer.clients[1]
    client.lie = lambda frame: {**frame, "seq": frame["seq"] + 1}
    dealer.step()
    assert client.watch.needs_snapshot
    assert client.watch.place is None
    client.lie = lambda frame: frame
    dealer.show(client)
    assert not client.watch.needs_snapshot
    while dealer.state.hand is not None:
        dealer.step()
    assert ends(client.watch) == ["closed"]


def test_an_event_that_comes_twice_is_taken_once() -> None:
    dealer = Dealer(4, seed=7)
    dealer.play(until="dealt")
    client = dealer.clients[1]
    before = client.watch.seq
    client.watch.take(client.frames[-1])
    assert client.watch.seq == before


def test_a_program_that_dies_after_its_commit_reveals_the_same_seed(tmp_path: Path) -> None:
    dealer = Dealer(4, seed=8)
    dealer.clients[0].watch = TableWatch(
        str(TABLE), server_key_at=dealer.key_at, vault=Vault(tmp_path)
    )
    dealer.show(dealer.clients[0])
    dealer.play(until="listed")
    dealer.clients[0].watch = TableWatch(
        str(TABLE), server_key_at=dealer.key_at, vault=Vault(tmp_path)
    )
    dealer.show(dealer.clients[0])
    dealer.play_on()
    assert ends(dealer.clients[0].watch) == ["closed"]


def test_4_a_seed_is_revealed_for_one_list_only(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    vault.make_seed(bytes(32))
    vault.mark_revealed(bytes(32), 0, b"L" * 32)
    Vault(tmp_path).mark_revealed(bytes(32), 0, b"L" * 32)
    with pytest.raises(Cheated) as caught:
        Vault(tmp_path).mark_revealed(bytes(32), 0, b"M" * 32)
    assert caught.value.check == 4


def test_what_a_vault_holds_is_for_its_owner_alone(tmp_path: Path) -> None:
    vault = Vault(tmp_path / "own")
    vault.key()
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in (tmp_path / "own").iterdir())
    assert Vault(tmp_path / "own").key() == vault.key()
