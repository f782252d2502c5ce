"""Pages about another of the kind that is asked about take nothing away and second nobody."""

import pytest
from conftest import page

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


@pytest.mark.parametrize(("titles", "query"), [
    (("Austria", "Germany"), "What is the VAT rate in Austria?"), (("Plan 100", "Plan 200"), "What is the VAT rate of Plan 100?"),
])
def test_a_page_under_the_title_of_another_has_no_say(judge, titles, query):
    pages = [page(f"The VAT rate is {n}%.", 0.95, f"202{y}-01-01", title=t) for t, n, y in zip(titles, (20, 19), (2, 5), strict=True)]
    assert not any(c.winner for c in judge(query, pages).conflicts)


def test_the_attribute_asked_for_is_no_name_of_a_thing(judge):
    pages = [page("岚桥净水器保修12个月。", 0.95, "2025-01-01", title="保修"), page("岚桥净水器质保24个月。", 0.3, "2022-01-01", title="论坛")]
    assert judge("岚桥净水器保修多久？", pages).conflicts[0].winner.value == "12个月"


def test_another_place_of_the_kind_takes_nothing_away(judge):
    verdict = judge("威澜郡实际管辖几个非都市区？", [
        page("威澜郡是非都市郡，实际管辖4个非都市区。"), page("森澜郡是非都市郡，实际管辖5个非都市区，人口较少。"),
    ])
    assert not any(c.winner for c in verdict.conflicts)


def test_a_number_before_a_noun_is_no_kind_of_it(judge):
    query = "How many tools can I borrow from the Fettle Street tool library?"
    verdict = judge(query, [
        page("Fettle Street tool library: members borrow five tools at once.", 0.3, "2025-06-30"),
        page("Rules of lending. You may borrow three tools at once.", 0.9, "2025-01-15"),
    ])
    assert verdict.conflicts[0].winner.value == "three tools"
