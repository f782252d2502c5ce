"""Sentences of one frame about different things are no contradiction."""

from __future__ import annotations

import pytest
from conftest import page

#: (question that names its case, page that answers it, page of the same frame about another case)
PAIRS = [
    ("寄到新疆运费多少？", "新疆西藏运费20元。", "江浙沪运费6元。"),
    ("How long is the warranty on the battery?", "The battery has a 6-month warranty.", "The phone has a 2-year warranty."),
    ("电池保修多久？", "电池保修6个月。", "手机整机保修2年。"),
    ("What does shipping to Switzerland cost?", "Shipping to Switzerland costs 15 euros.", "Shipping within Germany costs 5 euros."),
    ("How many days may doctoral students borrow books?", "Doctoral students may borrow books for 90 days.",
     "Undergraduates may borrow books for 30 days."),
    ("Can I smoke in the room?", "You cannot smoke in the room.", "You can smoke on the terrace."),
    ("实习生的差旅费谁承担？", "实习生的差旅费由本人承担。", "员工的差旅费由公司承担。"),
]  # fmt: skip
#: The same frame and another answer to the same thing.
DISPUTES = [
    ("寄到新疆运费多少？", "新疆运费20元。", "新疆运费6元。"),
    ("How long is the warranty on the battery?", "The battery has a 6-month warranty.", "The battery has a 1-year warranty."),
    ("Can I smoke in the room?", "You cannot smoke in the room.", "You can smoke in the room."),
    ("实习生的差旅费谁承担？", "实习生的差旅费由本人承担。", "实习生的差旅费由公司承担。"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "fits", "other"), PAIRS, ids=[p[0] for p in PAIRS])
def test_a_newer_trusted_page_about_another_case_does_not_take_the_answer_away(judge, query, fits, other):
    verdict = judge(query, [page(fits, 0.3, "2021-02-01"), page(other, 0.95, "2025-06-01")])
    assert verdict.conflicts == ()
    assert not verdict.lost_passages


@pytest.mark.parametrize(("query", "old", "new"), DISPUTES, ids=[p[0] for p in DISPUTES])
def test_two_answers_to_one_case_are_a_contradiction(judge, query, old, new):
    verdict = judge(query, [page(old, 0.3, "2021-02-01"), page(new, 0.95, "2025-06-01")])
    assert [c.winner is not None for c in verdict.conflicts] == [True]


OTHERS = [
    # (question, what answers, a newer and trusted page about another of the kind)
    ("孕妇可以打流感疫苗吗？", "孕妇可以接种流感疫苗。", "孕妇不可以接种水痘疫苗。"),
    ("华东大区的售后负责人是谁？", "华东大区售后负责人是张国强。", "华北大区售后负责人是陈立。"),
    ("经济舱可以带几公斤行李？", "经济舱旅客可携带行李20公斤。", "公务舱旅客可携带行李30公斤。"),
    ("商铺(非住宅)的物业费每平米多少?", "商铺(非住宅)的物业费为每平米6.5元。", "本小区住宅的物业费为每平米2.8元。"),
    ("How far apart should I plant dwarf beans?", "Plant dwarf beans 15 cm apart.", "Plant runner beans 30 cm apart."),
    ("What is the late cancellation fee for a dental appointment?",
     "A late cancellation fee of $50 applies to dental appointments.", "Dermatology appointments: the late cancellation fee is $120."),
    ("城东店几点关门？", "## 城东店\n每天晚上21:00关门。", "## 城西店\n每天晚上22:00关门。"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "fits", "other"), OTHERS, ids=[o[0] for o in OTHERS])
def test_another_of_the_kind_takes_nothing_away(judge, query, fits, other):
    verdict = judge(query, [page(fits, 0.6, "2023-02-01"), page(other, 0.95, "2025-06-01")])
    assert not any(c.winner for c in verdict.conflicts)


def test_a_page_about_another_of_the_kind_seconds_nobody(judge):
    verdict = judge("电动自行车的电池可以带上高铁吗？", [
        page("电动自行车电池禁止带上高铁。", 0.9, "2024-06-01"), page("电动自行车的电池可以带上高铁。", 0.3, "2024-09-01"),
        page("折叠自行车可以带上高铁。", 0.95, "2025-05-01"),
    ])
    (conflict,) = verdict.conflicts
    assert conflict.winner.value == "电动自行车电池禁止带上高铁。"
    assert sum(len(s.witnesses) for s in conflict.sides) == 2


def test_a_page_need_not_name_the_thing_in_every_chunk(judge):
    verdict = judge("How often do I descale the Barista One?", [
        page("Once a year is plenty for descaling the Barista One, whatever people say.", 0.4, "2017-03-11"),
        page("Run the descaling cycle every two months.", 0.95, "2025-08-19"),
    ])
    assert verdict.conflicts[0].winner.value in ("two months", "every two months")


@pytest.mark.parametrize(("titles", "query"), [
    (("Austria", "Germany"), "What is the VAT rate in Austria?"), (("Plan 100", "Plan 200"), "What is the VAT rate of Plan 100?"),
])
def test_a_page_under_the_title_of_another_has_no_say(judge, titles, query):
    pages = [page(f"The VAT rate is {n}%.", 0.95, f"202{y}-01-01", title=t) for t, n, y in zip(titles, (20, 19), (2, 5), strict=True)]
    assert not any(c.winner for c in judge(query, pages).conflicts)
