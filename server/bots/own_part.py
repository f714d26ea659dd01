"""This client's part in a deal: its commit, its reveals, and the frames that bring them."""

from collections.abc import Mapping
from typing import Any

from server.bots.form import NO_KEY, number_of
from server.bots.head_checks import Call
from server.bots.list_checks import OwnCommit, SignedList, check_receipt
from server.bots.opening_checks import OpenHand
from server.bots.vault import Vault
from server.fairness.commitment import again, chain, reveal, seat_commit
from server.fairness.signing import SigningKey

Frame = dict[str, Any]


class OwnPart:
    """One seat's entropy. Nothing is sent before the vault has it."""

    def __init__(self, vault: Vault, *, with_seed: bool) -> None:
        self._vault = vault
        self._key = SigningKey(vault.key())
        self._with_seed = with_seed

    def commit(self, opened: OpenHand, attempt: int, seat: int) -> tuple[OwnCommit, Frame]:
        """Make a fresh chain, store it, and write the frame that commits to it."""
        if not self._with_seed:
            frame = {"t": "deal.commit", "hand": opened.hand_no}
            frame["d"] = {"attempt": attempt, "without_seed": True}
            return OwnCommit(attempt=attempt, seat=seat, pub=NO_KEY, commit=None), frame
        own = self.recall(opened, attempt, seat, self._vault.make_seed(opened.hand(attempt)))
        assert own.commit is not None
        body = {
            "attempt": attempt,
            "commit": own.commit.hex(),
            "pub": own.pub.hex(),
            "sig": self._key.sign("commit", own.commit).hex(),
        }
        return own, {"t": "deal.commit", "hand": opened.hand_no, "d": body}

    def recall(self, opened: OpenHand, attempt: int, seat: int, seed: bytes) -> OwnCommit:
        """Derive again what was committed with a stored seed."""
        hand = opened.hand(attempt)
        commit = seat_commit(
            hand=hand,
            server_commit=opened.commits[attempt],
            seat=seat,
            pub=self._key.public,
            first=chain(seed, hand=hand, seat=seat)[0],
        )
        return OwnCommit(attempt=attempt, seat=seat, pub=self._key.public, commit=commit)

    def find(self, opened: OpenHand, attempt: int, seat: int) -> OwnCommit | None:
        """Find what an earlier process of this player committed; None if nothing is stored."""
        seed = self._vault.find_seed(opened.hand(attempt))
        return None if seed is None else self.recall(opened, attempt, seat, seed)

    def reveal(self, opened: OpenHand, signed: SignedList, seat: int) -> Frame:
        """Write the reveal of x[0] for a list that holds; once for each attempt.

        Errors: Cheated(4) if it was revealed for another list.
        """
        x = self._link(signed.hand, seat, 0, why=signed.digest)
        sig = self._key.sign("reveal", reveal(signed.digest, x))
        body = {"attempt": signed.attempt, "x": x.hex(), "sig": sig.hex()}
        return {"t": "deal.reveal", "hand": opened.hand_no, "d": body}

    def reveal_again(self, opened: OpenHand, signed: SignedList, seat: int, call: Call) -> Frame:
        """Write the reveal of x[epoch] for a call that holds; once for each epoch.

        Errors: Cheated(14) if it was revealed for another call.
        """
        x = self._link(signed.hand, seat, call.epoch, why=call.digest)
        sig = self._key.sign("again", again(call.digest, x))
        body = {"epoch": call.epoch, "x": x.hex(), "sig": sig.hex()}
        return {"t": "deal.reveal_again", "hand": opened.hand_no, "d": body}

    def can_reveal(self, signed: SignedList, seat: int) -> bool:
        """Tell whether the seat is listed as committed and its seed is here."""
        one = signed.find(seat)
        listed = one is not None and one.status == 1
        return listed and self._vault.find_seed(signed.hand) is not None

    def receipt(self, part: Mapping[str, Any], opened: OpenHand, own: OwnCommit) -> int:
        """Check a receipt against what was sent; give its kind. Errors: Cheated (3, 4, 14, 19)."""
        kind = number_of(part, "kind")
        if kind == 0:
            value, check = own.commit or bytes(32), 3
        else:
            hand = opened.hand(own.attempt)
            seed = self._vault.find_seed(hand) or bytes(32)
            value = chain(seed, hand=hand, seat=own.seat)[min(kind, 9) - 1]
            check = 4 if kind == 1 else 14
        check_receipt(part, opened, seat=own.seat, kind=kind, value=value, check=check)
        return kind

    def _link(self, hand: bytes, seat: int, epoch: int, *, why: bytes) -> bytes:
        self._vault.mark_revealed(hand, epoch, why)
        seed = self._vault.find_seed(hand)
        assert seed is not None, "only a stored seed is revealed"
        return chain(seed, hand=hand, seat=seat)[epoch]
