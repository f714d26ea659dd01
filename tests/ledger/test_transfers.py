"""Amounts: exact both ways, and a commission that never takes too much."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.errors import Refusal
from server.ledger.transfers import AMOUNT_MAX_MICRO, checked, commission_of, ht_text, micro_of


@pytest.mark.parametrize(
    ("micro", "text"),
    [
        (0, "0"),
        (50_000, "0.05"),
        (100_000, "0.1"),
        (1, "0.000001"),
        (1_000_000, "1"),
        (10_000_000_000, "10000"),
        (1_500_000, "1.5"),
        (100_000_000_000_001, "100000000.000001"),
    ],
)
def test_an_amount_is_written_exactly_and_read_back(micro: int, text: str) -> None:
    assert ht_text(micro) == text
    assert micro_of(text) == micro


@given(st.integers(0, AMOUNT_MAX_MICRO))
def test_every_amount_survives_its_text(micro: int) -> None:
    assert micro_of(ht_text(micro)) == micro
    assert not ht_text(micro).endswith(".")
    assert ht_text(-micro) in (f"-{ht_text(micro)}", "0")


@given(st.integers(-(10**24), 10**24))
def test_no_digit_is_lost_however_large_the_amount(micro: int) -> None:
    whole, _, decimals = ht_text(micro).lstrip("-").partition(".")
    assert int(whole) * 10**6 + int(decimals.ljust(6, "0")) == abs(micro)


def test_zeros_behind_the_point_may_be_typed() -> None:
    assert micro_of("10.50") == 10_500_000


@pytest.mark.parametrize(
    "text",
    ["", "-1", "+1", " 1", "1 ", "1.", ".5", "01", "1e3", "1,000", "0.0000001", "1.2.3", "१", "nan",
     "Infinity", "0x10", "1_000", "1\n", "10000000000", "1000000000.000001"],
)  # fmt: skip
def test_anything_vague_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        micro_of(text)
    assert (caught.value.code, caught.value.field) == ("bad_amount", "amount")


@pytest.mark.parametrize("amount", [0, -1, AMOUNT_MAX_MICRO + 1])
def test_only_an_amount_within_its_bounds_is_moved(amount: int) -> None:
    with pytest.raises(Refusal, match="bad_amount"):
        checked(amount)


@given(st.integers(0, 10**15), st.integers(0, 10_000))
def test_the_commission_is_rounded_down_and_never_negative(gross: int, bps: int) -> None:
    pot = commission_of(gross, bps)
    assert 0 <= pot.commission_micro <= gross
    assert pot.commission_micro + pot.net_micro == gross
    assert 0 <= gross * bps - pot.commission_micro * 10_000 < 10_000


@pytest.mark.parametrize(("gross", "bps"), [(-1, 0), (1, -1), (1, 10_001)])
def test_no_commission_of_nonsense(gross: int, bps: int) -> None:
    with pytest.raises(ValueError, match="rate"):
        commission_of(gross, bps)
