"""Examples of frames, as a client would see them in its first minute; the tests validate each."""

from typing import Any, Final

Example = dict[str, Any]

TABLE: Final = "5f0c7c1e-6f0b-4b43-9a53-0f1b8f6c2d11"
NOW: Final = 1_796_000_000_123
SEAT_KEY: Final = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
HASH: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
SIGNATURE: Final = HASH + SEAT_KEY
TO_TABLE: Final = {"table": TABLE}
TO_HAND: Final = {"table": TABLE, "hand": 12}
PLACE: Final = {"table": TABLE, "seq": 119, "stream": 7, "now": NOW}

EXAMPLES: Final[dict[str, list[Example]]] = {
    "hello": [
        {"t": "hello", "id": "c1", "token": "the token of your sign-in"},
        {
            "t": "hello",
            "id": "c1",
            "token": "the token of your sign-in",
            "resume": [{"table": TABLE, "seq": 118, "stream": 7}],
        },
    ],
    "table.watch": [{"t": "table.watch", "id": "c2", **TO_TABLE}],
    "table.unwatch": [{"t": "table.unwatch", "id": "c3", **TO_TABLE}],
    "table.sit": [
        {"t": "table.sit", "id": "c4", **TO_TABLE},
        {"t": "table.sit", "id": "c4", **TO_TABLE, "d": {"seat": 2}},
    ],
    "table.leave": [{"t": "table.leave", "id": "c5", **TO_TABLE}],
    "table.sit_out": [{"t": "table.sit_out", "id": "c6", **TO_TABLE}],
    "table.back": [{"t": "table.back", "id": "c7", **TO_TABLE}],
    "deal.commit": [
        {
            "t": "deal.commit",
            "id": "c8",
            **TO_HAND,
            "d": {"attempt": 0, "commit": HASH, "pub": SEAT_KEY, "sig": SIGNATURE},
        },
        {"t": "deal.commit", "id": "c8", **TO_HAND, "d": {"attempt": 0, "without_seed": True}},
    ],
    "deal.reveal": [
        {
            "t": "deal.reveal",
            "id": "c9",
            **TO_HAND,
            "d": {"attempt": 0, "x": HASH, "sig": SIGNATURE},
        }
    ],
    "deal.reveal_again": [
        {
            "t": "deal.reveal_again",
            "id": "c10",
            **TO_HAND,
            "d": {"epoch": 1, "x": HASH, "sig": SIGNATURE},
        }
    ],
    "play": [
        {"t": "play", "id": "c11", **TO_HAND, "turn": 31, "d": move}
        for move in (
            {"move": "draw", "from": "closed"},
            {"move": "discard", "card": "7H#1"},
            {"move": "declare", "finish": "KS"},
            {"move": "drop"},
        )
    ],
    "ping": [{"t": "ping", "id": "c12"}],
    "pong": [{"t": "pong"}],
    "welcome": [
        {
            "t": "welcome",
            "re": "c1",
            "player": {"id": "42", "name": "Asha", "kind": "human"},
            "now": NOW,
            "heartbeat_ms": 15_000,
            "server_key": SEAT_KEY,
            "log_key": "pakka.example/log+1f2e3d4c+AT1AF8PoQ4laSncKp00bfrycmCzPLsSWjMDNVfEq9GYM",
        }
    ],
    "ok": [{"t": "ok", "re": "c11", "seq": 119}],
    "refused": [
        {
            "t": "refused",
            "re": "c11",
            "code": "not_your_turn",
            "text": "another seat is in turn",
            "seq": 118,
        }
    ],
    "heartbeat": [{"t": "ping", "now": NOW}],
    "event": [
        {
            "t": "event",
            **PLACE,
            "d": {"e": "turn", "seats": [2], "turn": 31, "deadline": NOW + 30_000},
        },
        {
            "t": "event",
            **PLACE,
            "d": {
                "e": "discarded",
                "seat": 2,
                "card": "7H#1",
                "auto": False,
                "k": 14,
                "line": "2 discard 7H#1",
            },
            "T": HASH,
            "sig": SIGNATURE,
        },
        {"t": "event", **PLACE, "d": None},
    ],
    "snapshot": [
        {
            "t": "snapshot",
            **PLACE,
            "d": {
                "table": {
                    "id": TABLE,
                    "name": "Four, 1 HT",
                    "game": "rummy",
                    "rules": "1",
                    "options": {
                        "seats": 4,
                        "rate": 1_000_000,
                        "commission_bps": 1_000,
                        "turn_ms": 30_000,
                        "miss_limit": 3,
                        "min_players": 2,
                        "open_joker_pick": True,
                        "return_open_card": True,
                        "reshuffle_cap": 8,
                        "practice": False,
                    },
                    "closing": None,
                    "practice": False,
                },
                "seats": [None, None, None, None],
                "you": None,
                "pilot": False,
                "match": None,
                "phase": "waiting",
                "deadline": None,
                "waiting": [],
                "attempt": None,
                "open": None,
                "hand": None,
                "last": None,
                "commit": {"committed": False, "revealed": False, "revealed_again": False},
            },
        }
    ],
}
"""By the message's name in the document; the tests say that none is left out."""
