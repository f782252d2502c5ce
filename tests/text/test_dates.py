"""Dates of documents."""

from __future__ import annotations

from datetime import date

import pytest

from ragclean.text.dates import parse_date


@pytest.mark.parametrize(("text", "first", "last"), [
    ("2024-07-01", date(2024, 7, 1), date(2024, 7, 1)),
    ("2024-07-01T08:00:00+08:00", date(2024, 7, 1), date(2024, 7, 1)),
    ("2024.12.05", date(2024, 12, 5), date(2024, 12, 5)),
    ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
    ("2025年4月1日", date(2025, 4, 1), date(2025, 4, 1)),
    ("二〇二五年四月", date(2025, 4, 1), date(2025, 4, 30)),
    ("April 2025", date(2025, 4, 1), date(2025, 4, 30)),
    ("Sept. 3, 2024", date(2024, 9, 3), date(2024, 9, 3)),
    ("12/02/2024", date(2024, 12, 2), date(2024, 12, 2)),
    ("25/02/2024", date(2024, 2, 25), date(2024, 2, 25)),
    ("12.02.2024", date(2024, 2, 12), date(2024, 2, 12)),
    ("114年6月2日", date(2025, 6, 2), date(2025, 6, 2)),
    ("民国114年6月2日", date(2025, 6, 2), date(2025, 6, 2)),
    ("Week 19, 2025", date(2025, 5, 5), date(2025, 5, 11)),
    ("Rev. B / 05-2019", date(2019, 5, 1), date(2019, 5, 31)),
    ("更新于２０２５/９/１５", date(2025, 9, 15), date(2025, 9, 15)),
    ("2023Q2", date(2023, 4, 1), date(2023, 6, 30)),
    ("20240701", date(2024, 7, 1), date(2024, 7, 1)),
    ("2024", date(2024, 1, 1), date(2024, 12, 31)),
    ("2026年元旦", date(2026, 1, 1), date(2026, 1, 1)),
    ("二〇二五年五一劳动节", date(2025, 5, 1), date(2025, 5, 1)),
    ("2025年国庆", date(2025, 10, 1), date(2025, 10, 1)),
    ("1er juillet 2024", date(2024, 7, 1), date(2024, 7, 1)),
    ("Mon, 01 Jul 2024 08:00:00 GMT", date(2024, 7, 1), date(2024, 7, 1)),
])
def test_reads_metadata(text: str, first: date, last: date) -> None:
    assert parse_date(text) == first
    assert parse_date(text, end_of_period=True) == last


@pytest.mark.parametrize("text", [
    "", "12个月", "2", "昨天", "3 days ago", "v2.4", "1719800000", "7月1日", "2024-13-45", "unknown", "\x00",
    "\ud800",
])
def test_what_is_no_date_is_none(text: str) -> None:
    assert parse_date(text) is None
