"""Numbers as words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragclean.text.numerals import han_between, parse_english, parse_han

_DIGITS = "零一二三四五六七八九"


def spell(n: int) -> str:
    """The standard Chinese numeral of 1..99,999,999, written here independently of the reader."""
    if n >= 10_000:
        head, rest = divmod(n, 10_000)
        return spell(head) + "万" + ("" if not rest else ("零" if rest < 1000 else "") + spell(rest))
    out, zero = "", False
    for size, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, n = divmod(n, size)
        if digit:
            out += ("零" if zero and out else "") + _DIGITS[digit] + name
            zero = False
        else:
            zero = True
    return out


@given(st.integers(1, 99_999_999))
def test_reads_every_spelt_number(n: int) -> None:
    if n >= 11:  # a single digit and 一十 have rules of their own below
        assert parse_han(spell(n)) == n


@pytest.mark.parametrize(("run", "value"), [
    ("十", 10), ("十五", 15), ("廿四", 24), ("两", 2), ("一百二", 120), ("三万五", 35_000), ("一百零二", 102),
    ("两千", 2000),
    ("三点五", 3.5), ("二〇二四", 2024), ("十亿", 1e9), ("一亿二千万", 1.2e8), ("壹仟贰佰", 1200), ("零", 0),
])
def test_reads_what_people_write(run: str, value: float) -> None:
    assert parse_han(run) == pytest.approx(value)


@pytest.mark.parametrize("run", ["万一", "千万", "百十", "七八", "一二", "十百", "万", "一" * 40])
def test_refuses_what_is_no_numeral(run: str) -> None:
    assert parse_han(run) is None


def test_two_digits_side_by_side_are_a_span() -> None:
    assert han_between("三五") == (3, 5)
    assert han_between("五三") is None
    assert han_between("一九") is None


@pytest.mark.parametrize(("words", "value"), [
    ("fourteen", 14), ("twenty-four", 24), ("one and a half", 1.5), ("half a", 0.5), ("a dozen", 12),
    ("half a dozen", 6),
    ("one hundred and fifty", 150), ("two thousand", 2000), ("three million two hundred thousand", 3.2e6),
])
def test_reads_english(words: str, value: float) -> None:
    assert parse_english(words) == value


@pytest.mark.parametrize("words", ["one two", "twenty thirty", "five twelve", "thousand million"])
def test_refuses_words_that_make_no_number(words: str) -> None:
    assert parse_english(words) is None
