"""Rows and clauses for another size, amount or time of day than the question's."""

import pytest
from conftest import page

from ragclean.arbitration.tiers import of_other_tier, sizes_asked
from ragclean.prepare import prepare_text
from ragclean.text.folding import fold

TABLE = """灭菌时间
| 装量 | 温度 | 时间 |
| --- | --- | --- |
| 100 mL及以下 | 121℃ | 18分钟 |
| 401–600 mL | 121℃ | 25分钟 |
| 1000 mL以上 | 121℃ | 40分钟 |
"""


def outside(query, text):
    """The written values of a text that are for another tier than the question's."""
    prepared, asked = prepare_text(text), sizes_asked(fold(query))
    return [
        prepared.text[v.start : v.end] for i, values in enumerate(prepared.sentence_values) for v in values
        if of_other_tier(prepared, i, v, asked)
    ]


def test_only_the_row_that_holds_the_size_answers():
    assert outside("500ml的瓶子要灭菌多少分钟", TABLE) == ["121℃", "18分钟", "121℃", "40分钟"]


@pytest.mark.parametrize(("query", "left"), [
    ("白天上门开锁多少钱", ["180元"]), ("半夜上门开锁多少钱", ["120元"]), ("上门开锁多少钱", []),
    ("what does it cost at night", ["120元"]),
])
def test_parts_of_the_day_choose_a_row(query, left):
    table = "| 项目 | 时段 | 费用 |\n| --- | --- | --- |\n| 开锁 | 8:00–20:00 | 120元 |\n| 开锁 | 20:00–次日8:00 | 180元 |"
    assert outside(query, table) == left


@pytest.mark.parametrize(("query", "text"), [
    ("用了3年的机器保修多久", "整机保修5年，压缩机保修10年。"),  # the same kind: which is which, no rule can tell
    ("买了两件能退多少钱", "退款50元，7天到账。"),
    ("500ml的瓶子要灭菌多少分钟", "所有瓶子灭菌20分钟。"),
])
def test_what_states_no_tier_of_that_kind_is_no_other_tier(query, text):
    assert outside(query, text) == []


def test_the_right_row_takes_part_in_the_conflict(judge):
    verdict = judge("500ml瓶装培养基要灭菌多少分钟？", [
        page("培养基灭菌规程\n" + TABLE.split("\n", 1)[1], 0.9, "2025-03-20"),
        page("500ml瓶装培养基灭菌15分钟就够了。", 0.3, "2021-10-08"),
    ])
    assert verdict.conflicts[0].winner.value == "25分钟"
