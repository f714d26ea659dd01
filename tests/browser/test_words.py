"""Every word is there in both languages, is used, and needs the same values."""

import re
from collections.abc import Iterator

import pytest

from server.web.assets import FOLDER

PAIR = re.compile(r'^  (?:"([\w.]+)"|(\w+)): "((?:[^"\\]|\\.)*)",$', re.MULTILINE)
BOOKS = {"": ("t", "tn"), "games_": ("g", "gn"), "operator_": ("o", "on")}
"""How the files of words begin, and by which functions scripts take a word and a family's."""
VALUE = re.compile(r"\{(\w+)\}")
DEVANAGARI = re.compile(r"[\u0900-\u097f]")
SAME_IN_BOTH = {"times", "card_name"}  # in Hindi a card's "of" goes by its rank


def words_of(language: str) -> dict[str, str]:
    text = (FOLDER / "words" / f"{language}.js").read_text(encoding="utf-8")
    pairs = [(dotted or plain, words) for dotted, plain, words in PAIR.findall(text)]
    assert len(pairs) == len(dict(pairs)), "a key is there twice"
    assert len(pairs) == text.count('",\n'), "a line that this test can't read"
    return dict(pairs)


def scripts() -> Iterator[str]:
    for path in FOLDER.rglob("*.js"):
        if path.parent.name not in {"words", "vendor"}:
            yield path.read_text(encoding="utf-8")


@pytest.mark.parametrize("whose", BOOKS)
def test_both_languages_have_every_key(whose: str) -> None:
    assert words_of(f"{whose}en").keys() == words_of(f"{whose}hi").keys()


@pytest.mark.parametrize("whose", BOOKS)
def test_every_key_is_used_and_every_used_key_exists(whose: str) -> None:
    word, member = BOOKS[whose]
    used = {key for text in scripts() for key in re.findall(rf'\b{word}\("(\w+)"', text)}
    families = {key for text in scripts() for key in re.findall(rf'\b{member}\("(\w+)"', text)}
    known = words_of(f"{whose}en")
    plain = {key for key in known if "." not in key}
    assert used == plain, used ^ plain
    assert {key.split(".")[0] for key in known if "." in key} == families


@pytest.mark.parametrize(
    ("whose", "key"), [(book, key) for book in BOOKS for key in sorted(words_of(f"{book}en"))]
)
def test_a_text_says_the_same_values_in_both_languages(whose: str, key: str) -> None:
    english, hindi = words_of(f"{whose}en")[key], words_of(f"{whose}hi")[key]
    assert set(VALUE.findall(english)) == set(VALUE.findall(hindi))
    assert (
        key in SAME_IN_BOTH
        or not re.search(r"[A-Za-z]", VALUE.sub("", english))
        or (DEVANAGARI.search(hindi))
    ), hindi
    assert not DEVANAGARI.search(english)


FREE_GAMES = ("play/free.js", "play/tricks.js", *(f"games/{one}/drawing.js" for one in (
    "seep", "court_piece", "batak", "sevens",
)))  # fmt: skip
OF_THE_HOUSE = {"your_hand", "record_fails"}  # the cards held; what the verifier says everywhere
TRICKS_OF_COURT_PIECE = {
    "tricks_n", "team_tricks", "won_by.court", "won_by.goon", "last_trick.court_piece",
    "takes_trick.court_piece",
}  # fmt: skip


def test_a_free_game_calls_a_hand_what_its_source_calls_it() -> None:
    """All four say बाज़ी there; हाथ are the cards that one holds, and in Court Piece a trick."""
    hindi, games = words_of("hi"), words_of("games_hi")
    drawn = "".join((FOLDER / path).read_text(encoding="utf-8") for path in FREE_GAMES)
    used = set(re.findall(r'\bt\("(\w+)"', drawn))
    assert {key for key in used if "हाथ" in hindi[key]} == OF_THE_HOUSE
    assert {key for key in games if "हाथ" in games[key]} == TRICKS_OF_COURT_PIECE
    assert "बाज़ी" in games["hand_is_over"]
