"""Every field of every known answer, made by a separate program, comes out again."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.fairness import commitment, entries, merkle, transcript
from server.fairness.encoding import signed_bytes
from server.fairness.shoe import Shoe, deal
from server.fairness.shuffle import deck_stream, prk_of, salt, shuffled, toss

FILE = Path(__file__).parents[1] / "vectors" / "fairdeal-1-vectors.json"
VECTORS: list[dict[str, Any]] = json.loads(FILE.read_text())
INPUTS = {
    "packs", "printed_jokers", "server_pub", "table", "hand_no", "attempt", "server_seed",
    "log_size", "log_root", "game", "rules", "options", "dealer", "receipt_ms", "void_reason",
    "cancel_reason", "result_lines",
}  # fmt: skip
SEAT_INPUTS = {"seat", "kind", "player", "pub", "status", "z"}

each_vector = pytest.mark.parametrize(
    "vector", VECTORS, ids=lambda v: f"{v['game']}-{v['cards']}-{v['attempt']}"
)


def h(text: str) -> bytes:
    return bytes.fromhex(text)


class Answer:
    """A vector's inputs, and every other field of it computed anew."""

    def __init__(self, v: dict[str, Any]) -> None:
        self.v = v
        self.seed = h(v["server_seed"])
        self.spec = commitment.deck_spec(v["packs"], v["printed_jokers"])
        self.commits = [
            commitment.server_commit(self.hand_of(attempt), self.seed_of(attempt))
            for attempt in range(commitment.ATTEMPTS)
        ]
        self.hand = self.hand_of(v["attempt"])
        self.commit = self.commits[v["attempt"]]
        self.seats = [self.seat(row) for row in v["seats"]]
        self.listed = commitment.Listed(
            hand=self.hand,
            server_commit=self.commit,
            game=v["game"],
            rules=v["rules"],
            options=commitment.options_text(v["options"]),
            dealer=v["dealer"],
            log_size=v["log_size"],
            log_root=h(v["log_root"]),
            seats=tuple(
                commitment.ListedSeat(
                    row["seat"], row["kind"], h(row["player"]), h(row["pub"]), row["status"],
                    h(seat["commit"]) if row["status"] else bytes(32),
                )
                for row, seat in zip(v["seats"], self.seats, strict=True)
            ),
        )  # fmt: skip
        self.listing = commitment.list_hash(self.listed)
        self.entropy = commitment.entropy(self.listing, self.reveals(0))
        self.prk = prk_of(self.seed, hand=self.hand, epoch=0, entropy=self.entropy)
        self.shoe = self.deal(0, self.entropy, range(v["cards"]))
        self.rows = [(int(a), int(b), int(c)) for a, b, c in map(str.split, v["result_lines"])]
        self.result = commitment.result_hash(self.hand, self.rows)

    def seed_of(self, attempt: int) -> bytes:
        """The vectors' program made the seeds of unused attempts from the one it shows."""
        if attempt == self.v["attempt"]:
            return self.seed
        return hashlib.sha256(self.seed + bytes([attempt])).digest()

    def hand_of(self, attempt: int) -> bytes:
        return commitment.hand_hash(
            server_pub=h(self.v["server_pub"]),
            table=h(self.v["table"]),
            hand_no=self.v["hand_no"],
            attempt=attempt,
            spec=self.spec,
        )

    def seat(self, row: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, Any] = {key: row[key] for key in SEAT_INPUTS & row.keys()}
        chain = commitment.chain(h(row["z"]), hand=self.hand, seat=row["seat"])
        made["x"] = [value.hex() for value in chain]
        made["commit"] = commitment.seat_commit(
            hand=self.hand,
            server_commit=self.commit,
            seat=row["seat"],
            pub=h(row["pub"]),
            first=chain[0],
        ).hex()
        return made

    def reveals(self, epoch: int) -> list[tuple[int, bytes | None]]:
        return [(s["seat"], h(s["x"][epoch]) if s["status"] else None) for s in self.seats]

    def deal(self, epoch: int, entropy: bytes, numbers: Any) -> Shoe:
        return deal(
            self.seed,
            hand=self.hand,
            listing=self.listing,
            entropy=entropy,
            epoch=epoch,
            numbers=numbers,
        )


def streams(a: Answer) -> tuple[int, int]:
    stream = deck_stream(a.prk)
    for place in range(a.v["cards"] - 1, 0, -1):
        stream.below(place + 1)
    return stream.rejected, stream.blocks


def leaf_0(a: Answer) -> str:
    return merkle.card_leaf(
        hand=a.hand, epoch=0, position=0, number=a.shoe.order[0], salt=salt(a.prk, 0)
    ).hex()


def opening(a: Answer) -> dict[str, Any]:
    o = a.shoe.opening(17)
    return {
        "position": o.position,
        "card": o.number,
        "salt": o.salt.hex(),
        "path": [node.hex() for node in o.path],
    }


def events(a: Answer) -> list[dict[str, Any]]:
    value, made = b"", []
    for row in a.v["transcript"]:
        k, line = row["k"], row["line"]
        value = (
            transcript.begin(a.hand, a.shoe.head)
            if line is None
            else transcript.extend(value, k, line)
        )
        signed = signed_bytes("event", transcript.digest_to_sign(a.hand, k, value)).hex()
        made.append({"k": k, "line": line, "T": value.hex(), "signed_bytes": signed})
    return made


def last_t(a: Answer) -> bytes:
    return h(events(a)[-1]["T"])


def reshuffles(a: Answer) -> list[dict[str, Any]]:
    value, made = last_t(a), []
    for row in a.v["reshuffles"]:
        epoch, k, before = row["epoch"], row["k"], value
        dh = commitment.discards_hash(hand=a.hand, epoch=epoch, numbers=row["discards"])
        call = commitment.again_call(hand=a.hand, epoch=epoch, before=before, discards=dh)
        entropy = commitment.entropy_again(before, dh, a.reveals(epoch))
        shoe = a.deal(epoch, entropy, row["discards"])
        value = transcript.reshuffled(before, k, shoe.head)
        first = next(x for _, x in a.reveals(epoch) if x is not None)
        made.append(
            {
                "epoch": epoch,
                "discards": row["discards"],
                "discards_hash": dh.hex(),
                "call": call.hex(),
                "T_before": before.hex(),
                "again_digest": commitment.again(call, first).hex(),
                "entropy": entropy.hex(),
                "prk": prk_of(a.seed, hand=a.hand, epoch=epoch, entropy=entropy).hex(),
                "deck": list(shoe.order),
                "root": shoe.root.hex(),
                "header": shoe.head.hex(),
                "k": k,
                "T_after": value.hex(),
            }
        )
    return made


def receipt(a: Answer) -> bytes:
    first = a.seats[0]
    return commitment.receipt(
        hand=a.hand, seat=first["seat"], kind=0, value=h(first["commit"]), ms=a.v["receipt_ms"]
    )


def void(a: Answer) -> bytes:
    rows = [
        (seat, row["status"], value)
        for (seat, value), row in zip(a.reveals(0), a.seats, strict=True)
    ]
    return entries.log_void(hand=a.hand, reason=a.v["void_reason"], seed=a.seed, seats=rows)


ANSWERS: dict[str, Callable[[Answer], Any]] = {
    "cards": lambda a: len(a.shoe.order),
    "seats": lambda a: a.seats,
    "deck_spec": lambda a: a.spec.hex(),
    "hand": lambda a: a.hand.hex(),
    "server_commits": lambda a: [commit.hex() for commit in a.commits],
    "seats_hash": lambda a: commitment.seats_hash(
        hand=a.hand, server_commit=a.commit, seats=a.listed.seats
    ).hex(),
    "game_hash": lambda a: commitment.game_hash(
        game=a.listed.game, rules=a.listed.rules, options=a.listed.options, dealer=a.listed.dealer
    ).hex(),
    "list_hash": lambda a: a.listing.hex(),
    "entropy": lambda a: a.entropy.hex(),
    "prk": lambda a: a.prk.hex(),
    "rejected_words": lambda a: streams(a)[0],
    "stream_blocks": lambda a: streams(a)[1],
    "deck": lambda a: shuffled(range(a.v["cards"]), a.prk),
    "toss_of_listed_seats": lambda a: toss(a.prk, (len(a.seats),))[0],
    "salt_0": lambda a: salt(a.prk, 0).hex(),
    "leaf_0": leaf_0,
    "root": lambda a: a.shoe.root.hex(),
    "header": lambda a: a.shoe.head.hex(),
    "opening_17": opening,
    "transcript": events,
    "reshuffles": reshuffles,
    "receipt_commit": lambda a: receipt(a).hex(),
    "receipt_signed_bytes": lambda a: signed_bytes("receipt", receipt(a)).hex(),
    "reveal_digest": lambda a: commitment.reveal(a.listing, h(a.seats[0]["x"][0])).hex(),
    "result": lambda a: a.result.hex(),
    "log_open": lambda a: entries.log_open(
        table=h(a.v["table"]), hand_no=a.v["hand_no"], spec=a.spec, commits=a.commits
    ).hex(),
    "log_deal": lambda a: entries.log_deal(
        hand=a.hand, epoch=0, listing=a.listing, entropy=a.entropy, size=a.v["cards"],
        root=a.shoe.root,
    ).hex(),
    "log_void": lambda a: void(a).hex(),
    "log_close": lambda a: entries.log_close(
        hand=a.hand, seed=a.seed, last=last_t(a), result=a.result
    ).hex(),
    "log_cancel": lambda a: entries.log_cancel(
        table=h(a.v["table"]), hand_no=a.v["hand_no"], reason=a.v["cancel_reason"]
    ).hex(),
}  # fmt: skip


@each_vector
def test_every_field_of_the_vector_is_an_input_or_is_answered(vector: dict[str, Any]) -> None:
    assert vector.keys() == INPUTS | ANSWERS.keys()


@each_vector
@pytest.mark.parametrize("field", ANSWERS)
def test_the_known_answer_comes_out_again(vector: dict[str, Any], field: str) -> None:
    assert ANSWERS[field](Answer(vector)) == vector[field]


def test_the_vectors_reach_the_rejection_and_a_seat_that_is_absent() -> None:
    assert any(vector["rejected_words"] for vector in VECTORS)
    assert any(seat["status"] == 0 for vector in VECTORS for seat in vector["seats"])
