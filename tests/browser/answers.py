"""What Python answers, for JavaScript to answer again: holdings, whole hands, signatures."""

import hashlib
import random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from server.cards.card import Card
from server.cards.game import (
    DEALER,
    Carry,
    Deal,
    IllegalMove,
    Left,
    Scored,
    Seat,
    SeatInfo,
    SeatKind,
)
from server.fairness import ed25519
from server.games.rummy import GAME
from server.games.rummy.moves import Declare, Discard, Draw, Drop
from server.games.rummy.options import Options
from server.games.rummy.scoring import count, kinds_of
from tests.bench.hands import KINDS, PACKS, hands_of
from tests.fairness.test_ed25519 import ORDER, RFC_8032_7_1, SMALL_ORDER_KEYS, P
from tests.games.match import Hand, play_hand

HANDS_OF_A_KIND = 70
WHOLE_HANDS = 40
SIGNATURES = 60


def holdings() -> list[dict[str, Any]]:
    """Count holdings of every kind, and say what some of their cards are as a group."""
    chance = random.Random(6)
    rows = []
    for kind in KINDS:
        for packs in PACKS:
            for cards, wild in hands_of(kind, packs, HANDS_OF_A_KIND):
                counted = count(cards, wild)
                some = chance.sample(cards, chance.randrange(2, 6))
                rows.append(
                    {
                        "cards": cards, "wild": wild, "points": counted.points,
                        "kind": counted.case, "canDeclare": counted.can_declare,
                        "groups": counted.groups, "loose": counted.loose,
                        "some": some, "kinds": sorted(kinds_of(some, wild)),
                    }
                )  # fmt: skip
    return rows


def whole_hands() -> list[dict[str, Any]]:
    """Play hands at random, under other options each; what every move makes, or its refusal."""
    return [_whole_hand(random.Random(f"whole {number}")) for number in range(WHOLE_HANDS)]


def _whole_hand(chance: random.Random) -> dict[str, Any]:
    options = Options(
        seats=chance.choice((4, 6, 8)),
        miss_limit=chance.choice((1, 2, 3)),
        open_joker_pick=chance.random() < 0.5,
        return_open_card=chance.random() < 0.5,
        reshuffle_cap=chance.choice((1, 2, 8)),
    )
    players = chance.sample(range(options.seats), chance.randrange(2, options.seats + 1))
    seats = tuple(SeatInfo(Seat(seat), SeatKind.HUMAN) for seat in sorted(players))
    dealer = chance.choice([None, *(info.seat for info in seats)])
    hand = play_hand(GAME, options, seats, Carry(dealer=dealer), chance)
    return {
        "options": {name: getattr(options, name) for name in options.__dataclass_fields__},
        "seats": sorted(players),
        "dealer": dealer,
        "steps": [_step(hand, at, chance) for at in range(len(hand.steps))],
    }


def _step(hand: Hand, at: int, chance: random.Random) -> dict[str, Any]:
    step = hand.steps[at]
    after = step.after
    if isinstance(step.move, Deal):
        move: Any = {"order": step.move.order, "draws": step.move.draws}
    else:
        move = GAME.notation.write(step.before, step.seat, step.move)
    lines = map(GAME.notation.line_of, step.events)
    scored = next((event for event in step.events if isinstance(event, Scored)), None)
    return {
        "move": move,
        "lines": [line for line in lines if line is not None],
        "refused": _refusal(step.before, chance),
        "acting": None
        if after.ended
        else DEALER
        if GAME.to_act(after) == {DEALER}
        else after.acting,
        "open": after.open_pile,
        "closed": after.closed_pile,
        "holdings": [player.cards for player in after.seats],
        "points": [player.points for player in after.seats],
        "winner": scored and scored.winner,
    }


def _refusal(state: Any, chance: random.Random) -> list[str | None]:
    """Try a move that may well be none: its line, and the code of its refusal if it is refused."""
    if not state.orders:
        return []
    seat = chance.choice(state.seats).seat
    card: Card = chance.choice(state.orders[0])
    move = chance.choice(
        [Draw("open"), Draw("closed"), Discard(card), Drop(), Declare(card), Left(seat)]
    )
    line = GAME.notation.write(state, seat, move)
    try:
        GAME.apply(state, *GAME.notation.read(line))
    except IllegalMove as refusal:
        return [line, refusal.code]
    return [line, None]


def signatures() -> list[dict[str, Any]]:
    """Judge signatures: known, changed, malleable, of keys that are none, and of mixed order."""
    rows = [tuple(map(bytes.fromhex, row)) for row in RFC_8032_7_1]
    chance = random.Random(25519)
    for _ in range(SIGNATURES):
        key = Ed25519PrivateKey.from_private_bytes(chance.randbytes(32))
        parts = [bytearray(key.public_key().public_bytes_raw()), bytearray(chance.randbytes(20))]
        parts.append(bytearray(key.sign(bytes(parts[1]))))
        if chance.random() < 0.7:
            part = chance.choice(parts)
            part[chance.randrange(len(part))] ^= 1 << chance.randrange(8)
        rows.append(tuple(map(bytes, parts)))
    public, message, signature = rows[2]
    scalar = int.from_bytes(signature[32:], "little") + ORDER
    rows.append((public, message, signature[:32] + scalar.to_bytes(32, "little")))
    beyond = [(P + more).to_bytes(32, "little") for more in range(19)]
    rows += [(public, b"", b"\x01" + bytes(63)) for public in beyond]
    for small in SMALL_ORDER_KEYS:
        rows += [(small, bytes([n]), b"\x01" + bytes(63)) for n in range(4)]
        rows += [_of_mixed_order(small, bytes([n])) for n in range(4)]
    rows += [(public[:-1], message, signature), (public, message, signature[:-1])]
    return [
        {
            "pub": pub.hex(), "message": text.hex(), "signature": signed.hex(),
            "isKey": ed25519.is_acceptable_key(pub), "holds": ed25519.verify(pub, text, signed),
        }
        for pub, text, signed in rows
    ]  # fmt: skip


def _of_mixed_order(small: bytes, message: bytes) -> tuple[bytes, bytes, bytes]:
    """Sign with a key that has a part of small order: it holds for those who clear the cofactor."""
    base_y = 4 * pow(5, -1, P) % P
    base = ed25519._decode(base_y.to_bytes(32, "little"))
    torsion = ed25519._decode(small)
    if base is None or torsion is None:
        return small, message, bytes(64)
    secret, nonce = 1234567, 7654321
    table = ed25519._table(base)
    public = ed25519._encode(ed25519._add(ed25519._multiple(table, secret), torsion))
    made = ed25519._encode(ed25519._multiple(table, nonce))
    hashed = hashlib.sha512(made + public + message).digest()
    scalar = (nonce + int.from_bytes(hashed, "little") * secret) % ORDER
    return public, message, made + scalar.to_bytes(32, "little")
