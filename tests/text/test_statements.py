"""What texts say of their own validity and of other documents."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.text.dates import parse_date
from ragclean.text.statements import find_marks


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
