"""`pakka score`: the points of hands, one JSON object a line."""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer

from server.cards.card import Card, copy_of, face_of, parse_card
from server.cli.output import Json, Wrong, emit
from server.games.rummy.scoring import count, wild_rank_of

HAND_CARDS: Final = 13
LINE_BYTES_MAX: Final = 4_096
DECKS_MAX: Final = 3
FIELDS: Final = {"hand", "turned"}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("score")(score)


def score(
    decks: Annotated[
        int | None,
        typer.Option(min=1, max=DECKS_MAX, help="Packs in play; as many as a hand needs."),
    ] = None,
    json_: Json = False,
) -> None:
    """Count hands at their best arrangement: JSON lines in, JSON lines out.

    Each line is {"hand": [13 cards], "turned": "9D"}; a repeated code is the copy of another pack.
    """
    number = 0
    while line := sys.stdin.buffer.readline(LINE_BYTES_MAX + 1):
        number += 1
        if not line.strip() and len(line) <= LINE_BYTES_MAX:
            continue
        try:
            hand, turned = _read(line, DECKS_MAX if decks is None else decks)
        except ValueError as error:
            raise Wrong(f"line {number}: {error}") from None
        found = count(hand, wild_rank_of(turned))
        emit(
            {
                "points": found.points,
                "case": found.case,
                "can_declare": found.can_declare,
                "groups": found.groups,
                "loose": found.loose,
            }
        )


def _read(line: bytes, decks: int) -> tuple[list[Card], Card]:
    if len(line) > LINE_BYTES_MAX:
        raise ValueError(f"longer than {LINE_BYTES_MAX} bytes")
    try:
        document: Any = json.loads(line)
    except UnicodeDecodeError:
        raise ValueError("not UTF-8 text") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(document, dict) or set(document) != FIELDS:
        raise ValueError('must be {"hand": [...], "turned": "..."} and nothing else')
    hand = document["hand"]
    if not isinstance(hand, list) or len(hand) != HAND_CARDS:
        raise ValueError(f"hand must be a list of {HAND_CARDS} cards")
    cards = [_card_of(card, "hand", decks) for card in hand]
    turned = _card_of(document["turned"], "turned", decks)
    _demand_in_pack([*cards, turned], decks)
    return cards, turned


def _card_of(value: Any, field: str, decks: int) -> Card:
    if not isinstance(value, str):
        raise ValueError(f"{field}: {json.dumps(value)[:40]} is not a card")
    try:
        card = parse_card(value)
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None
    if copy_of(card) >= decks:
        raise ValueError(f"{field}: {card} is not in {decks} packs")
    return card


def _demand_in_pack(cards: Sequence[Card], decks: int) -> None:
    """A face lies in each pack once; so do the printed jokers, one for each pack."""
    for face, times in Counter(face_of(card) for card in cards).items():
        if times > decks:
            raise ValueError(f"{face} comes {times} times, from {decks} packs")
