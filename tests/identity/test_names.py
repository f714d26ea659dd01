"""Which names are allowed, and when two are the same."""

import pytest

from server.errors import Refusal
from server.identity.names import clean_name, guest_name, key_of, name_of_nobody


@pytest.mark.parametrize("name", ["Al", "आशा देवी", "Zoë", "x" * 24, "7 of 9", "O'Neil"])
def test_a_name_is_kept_as_it_was_written(name: str) -> None:
    assert clean_name(name) == name


def test_spaces_at_the_ends_go_and_composition_is_nfc() -> None:
    assert clean_name("  Zoe\u0308 ") == "Zo\u00eb"


@pytest.mark.parametrize(
    "name",
    ["", "a", " a ", "x" * 25, "a\tb", "a\u200bb", "a\x00b", "Asha#1", "a  b", "--", "\ud800a"],
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        clean_name(name)
    assert (caught.value.code, caught.value.field) == ("bad_name", "name")


@pytest.mark.parametrize(
    ("one", "other"), [("Asha", "aSHA"), ("Straße", "STRASSE"), ("Ａｓｈａ", "asha"), ("ﬁn", "FIN")]
)
def test_case_and_width_do_not_part_names(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


def test_no_account_can_take_a_guest_s_name_or_nobody_s() -> None:
    for name in (guest_name("Asha", 1234), name_of_nobody(7)):
        with pytest.raises(Refusal):
            clean_name(name)
