"""Dates of documents and what texts say of their own validity."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.text.dates import find_marks, parse_date


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


@pytest.mark.parametrize(("text", "kind", "when"), [
    ("本细则自2024年7月1日起施行。", "effective", date(2024, 7, 1)),
    ("新价格于2025年1月1日生效。", "effective", date(2025, 1, 1)),
    ("these terms are effective from 1 july 2024.", "effective", date(2024, 7, 1)),
    ("试点至2025年12月31日止。", "expires", date(2025, 12, 31)),
    ("本通知有效期至2025年6月。", "expires", date(2025, 6, 30)),
    ("offer valid until december 31, 2025", "expires", date(2025, 12, 31)),
    ("该规定已废止。", "withdrawn", None),
    ("上述标准不再适用。", "withdrawn", None),
    ("this page has been superseded by the 2025 edition.", "withdrawn", None),
    ("these limits no longer apply.", "withdrawn", None),
    ("原暂行办法同时废止。", "supersedes", None),
    ("this policy replaces all previous versions.", "supersedes", None),
    ("收费标准(征求意见稿)", "draft", None),
    ("draft: proposed changes to the fee table", "draft", None),
    ("听说下个月要涨价。", "hearsay", None),
    ("apparently they changed it.", "hearsay", None),
    ("更新于2025/9/15", "updated", date(2025, 9, 15)),
    ("last updated: march 3, 2024", "updated", date(2024, 3, 3)),
    ("发布日期：2024-03-01", "published", date(2024, 3, 1)),
    ("jan 21, 2019 ... how to descale", "published", date(2019, 1, 21)),
    ("2021年12月19日 - 如何除垢", "published", date(2021, 12, 19)),
])
def test_marks(text: str, kind: str, when: date | None) -> None:
    assert (kind, when) in [(m.kind, m.when) for m in find_marks(text)]


@pytest.mark.parametrize("text", [
    "如何更新固件?", "请发布前检查。", "the rumble was loud", "we issued 30 tickets", "把水加至200毫升",
    "从2楼到3楼", "draftsman",
])
def test_no_marks(text: str) -> None:
    assert find_marks(text) == ()


_PIECES = st.sampled_from((
    "自", "至", "起施行", "2024年7月1日", "2024-07-01", "止", "有效期至", "已", "被", "代替", "废止", "原", "同时",
    "截至", "更新于", "发布", "july", "1,", "2024", "last", "updated", "effective", "draft", "听说", "1", "月",
    "日", "。", "\n", "\x00", "\ud800",
))


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=50), st.lists(_PIECES, max_size=14).map("".join)))
def test_any_text_gives_marks_in_order(text: str) -> None:
    marks = find_marks(text)
    assert list(marks) == sorted(marks, key=lambda m: (m.start, m.end))
    assert all(0 <= m.start < m.end <= len(text) for m in marks)
    parse_date(text)
