"""A house that plays a whole hand of rummy and writes its record; it can lie about one thing.

Every value goes through `told(name, value)`: a lie changes it there, and everything that follows is
signed and logged over the lie. What is left is a record that is wrong in exactly one way.
"""

from server.cards.options import options_fields
from server.fairness import commitment, entries
from server.fairness.encoding import digest
from server.fairness.record import (
    Record,
    RecordResult,
    RecordSeat,
    RecordSettlement,
    RecordVoid,
    UnusedSeed,
    VoidSeat,
    sign_record,
)
from tests.verify.hand import Hand
from tests.verify.promises import HAND_NO, LOG_SIGNER, SERVER, STRANGER, TABLE

__all__ = ["SERVER", "STRANGER", "House", "signed"]


class House(Hand):
    """One hand, from the OPEN to the CLOSE. Shape: as `Promises`."""

    def play(self) -> Record:
        """Play the hand to its end; its record, not yet signed."""
        self.log_open()
        self.voids = tuple(self.voided(attempt) for attempt in range(self.attempt))
        self.list_seats()
        state = self.fold()
        assert not self.game.to_act(state)
        assert self.scored is not None
        record = self.closed()
        assert self.told_lies == set(self.lies), "a lie was never told"
        return record

    def voided(self, attempt: int) -> RecordVoid:
        """Give an attempt up: the last seat did not reveal."""
        seats = []
        for seat in self.players:
            z = digest("test-void", bytes([seat, attempt]))
            first = commitment.chain(z, hand=self.hand_of(attempt), seat=seat)[0]
            shown = None if seat in self.absent or seat == self.players[-1] else first
            shown = self.told("void x", shown) if seat == self.players[0] else shown
            seats.append(VoidSeat(seat=seat, status=int(seat not in self.absent), x=shown))
        seed = self.told("void S", self.seed_of(attempt))
        rows = [(seat.seat, seat.status, seat.x) for seat in seats]
        self.log(
            "void",
            entries.log_void(hand=self.hand_of(attempt), reason=0, seed=seed, seats=rows),
        )
        return RecordVoid(attempt=attempt, reason=0, S=seed, seats=tuple(seats))

    def settlement(self) -> tuple[RecordSettlement, dict[int, int]]:
        assert self.scored is not None
        assert self.scored.winner is not None
        rate, bps = self.options.rate, self.options.commission_bps
        amounts = {int(seat): -points * rate for seat, points in self.scored.points}
        gross = -sum(amounts.values())
        commission = gross * bps // 10_000
        amounts[self.scored.winner] = gross - commission
        return RecordSettlement(
            rate=rate,
            commission_bps=bps,
            gross=gross,
            commission=commission,
            winner=self.scored.winner,
            journal=12,
        ), amounts

    def closed(self) -> Record:
        assert self.scored is not None
        settlement, amounts = self.settlement()
        rows = [(int(seat), points, amounts[seat]) for seat, points in self.scored.points]
        rows = self.told("result", rows)
        result = self.told("result_hash", commitment.result_hash(self.hand, rows))
        closing = entries.log_close(hand=self.hand, seed=self.seed, last=self.value, result=result)
        self.log("close", closing, "close")
        log = self.proved()
        return Record(
            game=self.game.name,
            rules=self.rules,
            options=options_fields(self.options),
            dealer=self.dealer,
            memo=self.memo,
            server_pub=SERVER.public,
            table=TABLE,
            hand_no=HAND_NO,
            attempt=self.attempt,
            packs=self.pack.packs,
            printed_jokers=self.pack.printed_jokers,
            spec=self.spec,
            S=self.seed,
            C_S=self.server_commit,
            commits=self.commits,
            unused=tuple(
                UnusedSeed(attempt=a, S=self.told(f"unused {a}", self.seed_of(a)))
                for a in range(self.attempt + 1, 4)
            ),
            log_size=self.log_size,
            log_root=self.log_root,
            seats=tuple(map(self.record_seat, self.listed.seats)),
            L=self.listing,
            L_sig=SERVER.sign("list", self.listing),
            heads=tuple(self.heads),
            events=tuple(self.events),
            result=tuple(RecordResult(seat=s, points=p, amount=a) for s, p, a in rows),
            result_hash=result,
            settlement=settlement,
            voids=self.voids,
            log=log,
            checkpoint=LOG_SIGNER.checkpoint(size=log[-1].size, root=log[-1].root),
        )

    def record_seat(self, row: commitment.ListedSeat) -> RecordSeat:
        x = tuple(self.x.get(row.seat, ()))
        first = x[0] if x else None
        return RecordSeat(
            seat=row.seat,
            kind=row.kind,
            player=row.player,
            pub=row.pub,
            status=row.status,
            commit=row.commit,
            commit_sig=self.signed_by(row.seat, "commit", row.commit) if row.status else None,
            x=x,
            reveal_sig=None
            if first is None
            else self.signed_by(row.seat, "reveal", commitment.reveal(self.listing, first)),
        )


def signed(record: Record) -> bytes:
    """Sign a record as the house does."""
    return sign_record(record, SERVER.sign)
