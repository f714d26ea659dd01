"""The checker itself: each kind of leak, put where it was not, is objected to."""

import base64
import json
import re
from typing import Any

import pytest

from server.cards.card import Card
from server.cards.pack import Pack
from server.web.reading import digest_of
from tests.acceptance.dumps import Dump, check_dump, guessed
from tests.acceptance.needles import Leak, Needles, Secret, demand_nothing_secret, faces_in
from tests.acceptance.receiver import Receiver

PACK = Pack(2, 2)
TABLE = "11111111-2222-3333-4444-555555555555"
S = bytes(range(107, 139))
PRK = bytes(range(200, 232))
SALTS = {position: bytes([position]) * 31 + b"\xaa" for position in range(70)}
SEATS = [1, 3]
LISTED = {
    "e": "hand.listed",
    "hand": 5,
    "attempt": 0,
    "dealer": 1,
    "seats": [{"seat": seat} for seat in SEATS],
}
Frame = dict[str, Any]


def card_at(epoch: int, position: int) -> str:
    """In these tests the pack is not shuffled."""
    return PACK.card_of(position)


@pytest.fixture
def needles() -> Needles:
    secrets = {S: Secret("S", TABLE, 5, 0), PRK: Secret("key", TABLE, 5, 0)}
    salts = {salt: Secret("salt", TABLE, 5, 0, 0, p) for p, salt in SALTS.items()}
    return Needles(secrets | salts)


def event(seq: int, **d: Any) -> Frame:
    return {"t": "event", "table": TABLE, "seq": seq, "stream": 1, "now": 1, "d": d}


def opening(position: int) -> Frame:
    salt = SALTS[position].hex()
    return {"epoch": 0, "position": position, "card": card_at(0, position), "salt": salt}


@pytest.fixture
def receiver(needles: Needles) -> Receiver:
    """The first seat, which has its thirteen cards: the places 0, 2 .. 24."""
    receiver = Receiver(
        "first", {TABLE: 1}, pack=PACK, cards_of=lambda *of: card_at, needles=needles
    )
    own = [opening(position) for position in range(0, 26, 2)]
    receiver.take(event(1, **LISTED))
    receiver.take(event(2, e="hand.dealt", hand=5, toss=[], line=None))
    receiver.take(event(3, e="dealt", first=1, openings=own))
    receiver.take(event(4, e="turned", card=card_at(0, 26), openings=[opening(26)]))
    receiver.take(event(5, e="opened", card=card_at(0, 27), openings=[opening(27)]))
    return receiver


def test_an_honest_hand_passes(receiver: Receiver) -> None:
    receiver.take(event(6, e="drawn", line="1 draw closed @0.28", openings=[opening(28)]))
    receiver.take(event(7, e="discarded", card="AS", line="1 discard AS"))
    receiver.take(event(8, e="drawn", line="3 draw open AS", card="AS"))
    receiver.take(event(9, e="discarded", card="2S", line="3 discard 2S"))
    opened = card_at(0, 27)
    receiver.take(event(10, e="hand.again_called", numbers=[PACK.number_of(Card(opened))]))


@pytest.mark.parametrize(
    "leaking",
    [
        event(6, e="note", text="seat 3 holds 2S"),
        event(6, e="note", cards=["2S"]),
        event(6, e="2S"),
        event(6, e="note", inner={"2S": [1]}),
        event(6, e="drawn", line="3 draw closed @0.28", openings=[opening(28)]),
        event(6, e="drawn", line="1 draw closed @0.28", openings=[opening(29)]),
        event(6, e="drawn", line="1 draw closed @0.28", openings=[{**opening(28), "card": "2S"}]),
        event(6, e="drawn", line="3 draw closed @0.28", card=card_at(0, 28)),
        event(6, e="note", salt=SALTS[1].hex()),
        event(6, e="note", salt=SALTS[28].hex().upper()),
        event(6, e="note", salt=base64.b64encode(SALTS[28]).decode()),
        event(6, e="note", S=S.hex()),
        event(6, e="note", entry="00" + S.hex() + "ff"),
        event(6, e="note", S=base64.b64encode(b"x" + S + b"yz").decode()),
        event(6, e="note", S=base64.urlsafe_b64encode(b"xy" + S).decode()),
        event(6, e="note", S=S.decode("latin-1")),
        event(6, e="note", S=list(S)),
        event(6, e="note", S=int.from_bytes(S, "big")),
        event(6, e="note", key=PRK.hex()),
        event(6, e="note", order=list(range(106))),
        event(6, e="hand.again_called", numbers=[40, 41]),
        event(6, e="hand.voided", hand=5, attempt=1, S=S.hex()),
        event(6, e="hand.closed", hand=4, S=S.hex()),
        event(6, e="wrong_declare", seat=3, cards=[card_at(0, p) for p in range(1, 27, 2)]),
    ],
    ids=lambda frame: re.sub(r"[^a-zA-Z0-9_.]+", "-", json.dumps(frame["d"]))[:60],
)
def test_a_frame_that_says_too_much_is_objected_to(receiver: Receiver, leaking: Frame) -> None:
    with pytest.raises(Leak):
        receiver.take(leaking)


def test_the_finish_card_of_a_wrong_declare_is_not_among_the_thirteen(receiver: Receiver) -> None:
    receiver.take(event(6, e="drawn", line="1 draw closed @0.28", openings=[opening(28)]))
    receiver.take(event(7, e="discarded", card="AS", line="1 discard AS"))
    receiver.take(event(8, e="drawn", line="3 draw closed @0.29"))
    receiver.take(event(9, e="declared", seat=3, line="3 declare @0.29"))
    own = [card_at(0, position) for position in range(1, 26, 2)]
    with pytest.raises(Leak, match="finish card"):
        receiver.take(event(10, e="wrong_declare", seat=3, cards=[*own[1:], card_at(0, 29)]))


def test_holdings_are_shown_at_the_end_alone(receiver: Receiver) -> None:
    receiver.take(event(6, e="shown", seat=3, cards=["2S"]))
    with pytest.raises(Leak, match="goes on"):
        receiver.take(event(7, e="discarded", card="AS", line="1 discard AS"))


def test_a_snapshot_holds_no_more_than_its_lines_explain(receiver: Receiver) -> None:
    view: Frame = {"seats": [{"seat": 3, "shown": []}], "holding": [{"card": "AS"}]}
    hand: Frame = {
        "listed": LISTED,
        "heads": [{"toss": []}],
        "openings": [opening(position) for position in (*range(0, 28, 2), 27)],
        "lines": [{"line": None}],
        "view": view,
        "call": None,
    }
    frame = {"t": "snapshot", "table": TABLE, "seq": 6, "d": {"last": None, "hand": hand}}
    receiver.take(frame)
    view["holding"].append({"card": "2S"})
    with pytest.raises(Leak, match="2S"):
        receiver.take(frame)
    view["holding"].pop()
    hand["openings"] = [*hand["openings"], opening(1)]
    with pytest.raises(Leak):
        receiver.take(frame)


def test_after_the_close_the_seeds_are_public(receiver: Receiver) -> None:
    receiver.take(event(6, e="hand.closed", hand=5, S=S.hex()))
    receiver.take(event(7, e="note", entry=S.hex() + PRK.hex()))


def test_letters_of_a_signature_are_no_card_and_a_long_list_of_cards_is() -> None:
    signature = "Az3mJ0bq/TH+kq8wYl2nX5cVt7RdUe9sGhPfLoMiKaQyZ1="
    assert faces_in(f'{{"note": "{signature}"}}') == set()
    for joint in ("/", "-", "_", "+"):
        cards = joint.join(PACK.cards[:30])
        assert faces_in(cards) == set(PACK.cards[:30])
        for behind in ("=", "=="):
            assert faces_in(cards + behind) == set(PACK.cards[:30])


def test_a_root_of_the_log_is_no_card_however_few_of_its_letters_stand_together() -> None:
    root = "OhHCo+VwWijRjdKutZol+9H+GZho1+gCh+MROPDSKMY="
    for text in (root, f"log\n7\n{root}\n", json.dumps(f"log\n7\n{root}\n")):
        assert faces_in(text) == set()
    assert faces_in(root[:-1]) == {"9H"}, "without its end it could be anything"


def test_a_card_in_a_path_or_a_name_is_a_card() -> None:
    assert faces_in("GET /api/v1/pictures/of/cards/QH/in-the-drawer") == {"QH"}
    assert faces_in("closed_pile_with-the-top-card-7S-and-another") == {"7S"}


@pytest.mark.parametrize(
    "said",
    ["seat 3 drew 7H#1", f"S={S.hex()}", base64.b64encode(PRK).decode(), "token abcdef", "JK"],
)
def test_a_log_that_says_too_much_is_objected_to(needles: Needles, said: str) -> None:
    demand_nothing_secret("the log", "2026-01-01 info request 200 AS x", needles, ["abcdef"])
    with pytest.raises(Leak):
        demand_nothing_secret("the log", f"2026-01-01 info {said}", needles, ["abcdef"])


def _dump(*rows: tuple[str, Frame], activity: str = "commit") -> Dump:
    hand = {"hand_id": 9, "table_id": TABLE, "hand_no": 5, "state": 3}
    return Dump(0.0, (("tables.hand", hand), *rows), (activity,))


def _moved(line: str) -> tuple[str, Frame]:
    fact = {"fact": "moved", "line": line}
    row = {"hand_id": 9, "table_id": TABLE, "seq": 7, "last_seq": 8, "fact": fact}
    return "tables.journal", row


@pytest.mark.parametrize(
    "leaking",
    [
        _dump(_moved("3 discard 2S")),
        _dump(("tables.reply", {"text": "you hold AS"})),
        _dump(("fairness.seed", {"sealed": "\\x" + S.hex()})),
        _dump(("fairness.log_entry", {"entry": "\\x00ff" + S.hex() + "00"})),
        _dump(("identity.answer", {"body": base64.b64encode(SALTS[3]).decode()})),
        _dump(("tables.record", {"hand_id": 9, "body": "\\x" + PRK.hex()})),
        _dump(("tables.record", {"hand_id": 9, "body": "AS"})),
        _dump(activity="select 'AS'"),
    ],
    ids=range(8),
)
def test_a_row_that_knows_too_much_is_objected_to(needles: Needles, leaking: Dump) -> None:
    def public_at(table: str, hand_no: int, seq: int) -> frozenset[str]:
        return frozenset({"AS"} if (table, hand_no) == (TABLE, 5) and seq >= 8 else ())

    assert check_dump(_dump(_moved("1 discard AS")), needles, public_at) == 1
    with pytest.raises(Leak):
        check_dump(leaking, needles, public_at)


def test_a_plain_hash_of_a_command_is_as_good_as_its_card() -> None:
    frame = {"t": "play", "id": "c7", "table": TABLE, "hand": 5, "turn": 3}
    digest = digest_of({**frame, "d": {"move": "declare", "finish": "9C#1"}})
    row = {"table_id": TABLE, "request_id": "c7", "digest": f"\\x{digest.hex()}"}
    ways = {"player_turns": range(5), "hands": (5,)}
    assert guessed(row, cards=PACK.cards, **ways) == "9C#1"
    assert guessed({**row, "request_id": "c8"}, cards=PACK.cards, **ways) is None
