"""A table in this process whose frames come from the real fold, and which can be made to lie.

The facts are those that the server would journal; who hears them are `TableWatch`es, whose answers
are folded in turn. `lie` may change any frame on its way to one watch; `signer` signs its lies.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from server.bots.games import policy_of
from server.bots.table_watch import TableWatch
from server.bots.vault import Vault
from server.cards.game import DEALER, Scored, SeatKind
from server.database import PlayerId
from server.fairness import entries
from server.fairness.commitment import (
    deck_spec,
    result_hash,
    server_commit,
)
from server.fairness.shoe import Shoe
from server.fairness.signing import SigningKey
from server.games.rummy import GAME
from server.games.rummy.options import Options
from server.tables import facts
from server.tables.audience import Audience
from server.tables.fold import advance
from server.tables.fold_seats import sat_of
from server.tables.state import Committing, Playing, Reshuffling, Revealing, TableState, Waiting
from server.tables.told import Numbered
from tests.bots.seen import NOW_MS, Frame, Seen, fact_of
from tests.bots.shoes import TABLE, PublicLog, again_shoe, first_shoe, hashes_of

__all__ = ["NOW_MS", "TABLE", "Dealer", "Frame", "Seen"]


class Dealer:
    """A table of rummy with `seats` clients; `play` plays whole hands."""

    def __init__(self, seats: int = 4, *, seed: int = 0, without_seed: Sequence[int] = ()) -> None:
        self.random = Random(seed)
        self.signer = SigningKey(self.random.randbytes(32))
        self.options = Options(seats=max(seats, 4), practice=True)
        self.silent_again: Sequence[int] = ()
        self.log = PublicLog()
        self.seeds: list[bytes] = []
        self.state = TableState(
            table=TABLE,
            name="Test",
            game=GAME,
            options=self.options,
            chairs=(None,) * self.options.seats,
            names={PlayerId(100 + number): f"P{number}" for number in range(seats)},
        )
        self.audience = Audience(self.signer)
        self.clients = [self._client(number, number not in without_seed) for number in range(seats)]
        self.policies = [Random(seed * 10 + number) for number in range(seats)]
        self.open()
        for number, client in enumerate(self.clients):
            self.show(client)
            self.add(
                facts.SeatTaken(
                    seat=number,
                    player=client.player,
                    kind=int(SeatKind.BOT if number else SeatKind.HUMAN),
                    pseudonym=self.random.randbytes(16),
                )
            )
            self.show(client)

    def key_at(self, index: int) -> bytes:
        """Give the key in force at an index of the log: there is one alone."""
        return self.signer.public

    def _client(self, number: int, with_seed: bool) -> Seen:
        vault = Vault(fresh=self.random.randbytes)
        watch = TableWatch(str(TABLE), server_key_at=self.key_at, vault=vault, with_seed=with_seed)
        return Seen(100 + number, watch)

    # --- facts

    def add(self, fact: facts.Fact, shoe: Shoe | None = None) -> None:
        """Fold a fact and tell everybody what it tells."""
        before = self.state.seq
        folded = advance(self.state, fact, self.signer, shoe)
        self.state = folded.state
        self.audience.publish(
            self.state,
            [
                Numbered(seq=before + number, stream=self.state.stream, now_ms=NOW_MS, told=told)
                for number, told in enumerate(folded.told, 1)
            ],
        )
        for client in self.clients:
            if client.caught is not None:
                raise client.caught

    def show(self, client: Seen) -> None:
        """Let a client look at the table anew, from a snapshot."""
        self.audience.watch(self.state, client, None, NOW_MS)
        if client.caught is not None:
            raise client.caught

    def open(self) -> None:
        """Open the next hand."""
        state = self.state
        pack = GAME.pack(self.options)
        spec = deck_spec(pack.packs, pack.printed_jokers)
        hand_no = 1 if state.opened is None else state.opened.hand_no + 1
        hands = hashes_of(self.signer.public, hand_no, spec)
        self.seeds = [self.random.randbytes(32) for _ in range(4)]
        commits = tuple(map(server_commit, hands, self.seeds))
        entry = entries.log_open(table=TABLE.bytes, hand_no=hand_no, spec=spec, commits=commits)
        self.add(
            facts.HandOpened(
                hand_id=1000 + hand_no,
                hand_no=hand_no,
                hands=hands,
                commits=commits,
                spec=spec,
                log=self.log.append(entry),
                chairs=tuple(sat_of(seat, chair) for seat, chair in state.taken()),
                dealer=state.carry.dealer,
                memo=state.carry.memo,
                fresh=state.fresh,
                closing=None,
                not_before_ms=0,
            )
        )

    # --- a hand

    def play(self, until: str = "closed") -> None:
        """Play from the open to `until`: commit, listed, dealt, reshuffled, closed."""
        self.call_commits(attempt=len(self.state.voids))
        self.give("deal.commit")
        if until == "commit":
            return
        self.list_seats()
        if until != "listed":
            self.play_on(until)

    def play_on(self, until: str = "closed") -> None:
        """Play a listed hand on."""
        self.give("deal.reveal")
        self.deal()
        while until != "dealt" and isinstance(self.state.phase, Playing):
            if GAME.to_act(self.hand.state) == {DEALER}:
                self.call_again()
                if until == "called":
                    return
                self.finish_reshuffle()
                if until == "reshuffled":
                    return
            else:
                self.step()

    def step(self) -> None:
        """Do the next thing in a dealt hand: a move, a reshuffle or the close."""
        if GAME.to_act(self.hand.state) == {DEALER}:
            self.call_again()
            self.finish_reshuffle()
        elif GAME.to_act(self.hand.state):
            self.move()
        else:
            self.close()

    @property
    def hand(self) -> Any:
        """Give the dealt hand."""
        hand = self.state.hand
        assert hand is not None
        return hand

    def call_commits(self, attempt: int) -> None:
        """Ask all seats to commit."""
        invited = tuple(seat for seat, _ in self.state.taken())
        self.add(facts.CommitsCalled(attempt=attempt, invited=invited, deadline_ms=NOW_MS + 5_000))

    def give(self, kind: str, silent: Sequence[int] = ()) -> None:
        """Fold what the clients answer to a call, a frame of `kind` each."""
        for number, client in enumerate(self.clients):
            for head in tuple(client.watch.hand.unproved):
                self.log.prove(head)
                client.watch.hand.unproved.remove(head)
            for frame in client.watch.due() if number not in silent else ():
                assert frame["t"] in {kind, "table.back"}
                self.add(fact_of(frame, number))

    def list_seats(self) -> None:
        """Sign the list of those who committed."""
        phase = self.state.phase
        assert isinstance(phase, Committing)
        seats = tuple(one.seat for one in phase.gave)
        out = tuple((int(seat), "no_commit") for seat in phase.waiting)
        self.add(facts.Listed(seats=seats, sat_out=out, deadline_ms=NOW_MS + 5_000, at_ms=NOW_MS))

    def deal(self) -> None:
        """Derive the pack and deal."""
        phase, opened = self.state.phase, self.state.opened
        assert isinstance(phase, Revealing)
        assert opened is not None
        seed, hand = self.seeds[phase.attempt], opened.hands[phase.attempt]
        listing = phase.listing
        shoe = first_shoe(seed, hand, listing, GAME.pack(self.options).size)
        self.add(facts.Dealt(root=shoe.root, log=self.log.deal(shoe, listing), at_ms=NOW_MS), shoe)

    def move(self) -> None:
        """Let the seat in turn choose by its own client's eyes."""
        seat = next(iter(GAME.to_act(self.hand.state)))
        deal = self.clients[seat].watch.hand.deal
        assert deal is not None
        assert self.clients[seat].watch.place is not None
        move = policy_of(GAME)(deal.public, self.policies[seat], False)
        line = GAME.notation.write(self.hand.state, seat, move)
        self.add(facts.Moved(line=line, at_ms=NOW_MS))

    def call_again(self) -> None:
        """Call for fresh entropy."""
        self.add(
            facts.AgainCalled(
                epoch=self.hand.epoch + 1,
                waiting=tuple(one.seat for one in self.hand.listing.seats if one.status),
                deadline_ms=NOW_MS + 3_000,
                at_ms=NOW_MS,
            )
        )

    def finish_reshuffle(self) -> None:
        """Gather what the call asks for and shuffle the discards."""
        self.give("deal.reveal_again", self.silent_again)
        phase = self.state.phase
        assert isinstance(phase, Reshuffling)
        opened = self.state.opened
        assert opened is not None
        attempt = phase.hand.attempt
        shoe = again_shoe(self.seeds[attempt], opened.hands[attempt], phase)
        listing = phase.hand.listing
        self.add(
            facts.Reshuffled(root=shoe.root, log=self.log.deal(shoe, listing), at_ms=NOW_MS), shoe
        )

    def close(self) -> None:
        """Settle, publish the seeds, open the next hand."""
        hand, opened = self.hand, self.state.opened
        assert opened is not None
        scored = hand.last
        assert isinstance(scored, Scored)
        rate = self.options.rate
        gross = sum(points for seat, points in scored.points if seat != scored.winner) * rate
        commission = gross * self.options.commission_bps // 10_000
        result = tuple(
            (int(seat), points, gross - commission if seat == scored.winner else -points * rate)
            for seat, points in scored.points
        )
        hash_of_hand = opened.hands[hand.attempt]
        entry = entries.log_close(
            hand=hash_of_hand,
            seed=self.seeds[hand.attempt],
            last=hand.transcript,
            result=result_hash(hash_of_hand, result),
        )
        self.add(
            facts.HandClosed(
                seeds=tuple(self.seeds),
                result=result,
                winner=scored.winner,
                gross=gross,
                commission=commission,
                journal=1,
                log=self.log.append(entry),
                shown_until_ms=NOW_MS,
            )
        )
        assert isinstance(self.state.phase, Waiting)
        self.open()

    def void(self, reason: int, sat_out: Sequence[tuple[int, str]] = ()) -> None:
        """Void the listed attempt."""
        phase, opened = self.state.phase, self.state.opened
        assert isinstance(phase, Revealing)
        assert opened is not None
        entry = entries.log_void(
            hand=opened.hands[phase.attempt],
            reason=entries.VoidReason(reason),
            seed=self.seeds[phase.attempt],
            seats=[(one.seat, one.status, one.x_of(0)) for one in phase.listing.seats],
        )
        self.add(
            facts.AttemptVoided(
                reason=reason,
                seed=self.seeds[phase.attempt],
                log=self.log.append(entry),
                sat_out=tuple(sat_out),
                at_ms=NOW_MS,
            )
        )
