"""A card's text."""

import pytest

from server.cards.card import (
    copy_of,
    face_of,
    is_printed_joker,
    parse_card,
    rank_of,
    suit_of,
)


@pytest.mark.parametrize("text", ["AS", "TD#1", "7H#2", "JK", "JK#2", "KC#9"])
def test_a_card_is_its_text(text: str) -> None:
    assert parse_card(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "SA",
        "1S",
        "10S",
        "as",
        "ASS",
        "AS#0",
        "AS#10",
        "AS#",
        "JK#0",
        "JKS",
        " AS",
        "AS\n",
        "KJ",
        "A♠",
    ],
)
def test_another_text_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        parse_card(text)


def test_the_parts_of_a_card() -> None:
    card = parse_card("TD#1")
    assert (face_of(card), rank_of(card), suit_of(card), copy_of(card)) == ("TD", "T", "D", 1)
    assert copy_of(parse_card("TD")) == 0


def test_a_printed_joker_has_neither_rank_nor_suit() -> None:
    joker = parse_card("JK#2")
    assert is_printed_joker(joker)
    assert (face_of(joker), copy_of(joker)) == ("JK", 2)
    assert not is_printed_joker(parse_card("JS"))
    for part in (rank_of, suit_of):
        with pytest.raises(ValueError, match="printed joker"):
            part(joker)
