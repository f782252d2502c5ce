"""Editions of one rule, known by their names: the later one holds, and only of the same rule."""

from datetime import date

import pytest
from conftest import TODAY, page

from ragclean.arbitration.focus import focus_of
from ragclean.arbitration.titles import edition_of
from ragclean.config import CorrectorConfig
from ragclean.prepare import prepare_text
from ragclean.screen import screen
from ragclean.text.question import parse_question


def read(text, title=""):
    (passage,) = screen([page(text, title=title)], CorrectorConfig(), prepare_text, TODAY).passages
    return edition_of(passage)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("《房屋租赁合同（2020版）》：维修费由租客承担。", "《房屋租赁合同（2024版）》：维修费由出租人承担。"),
        ("澜翔航空国内运输总条件（2024冬春版）第6.4款\n推车计入行李额。", "澜翔航空国内运输总条件（2025冬春版）第6.4款\n推车不计。"),
        ("绒伴宠物医疗保险条款（第五版）\n不赔。", "绒伴宠物医疗保险条款（第6版，2025年10月1日起适用）\n赔付。"),
        ("鹿鸣集团报销细则 V4（已由V5替代，留档备查）\n打印。", "鹿鸣集团报销细则 V5（替代V4，自发文之日起执行）\n不打印。"),
        ("Velm Tramways, conditions of carriage 2021. § 14 No bicycles.", "Velm Tramways, conditions of carriage 2025. They hold."),
        ("Kestrel 1500R Installation Guide, issue 1. Shut down.", "Kestrel 1500R Installation Guide, issue 3, supersedes issue 1."),
        ("Tailwise policy wording v6 (dogs), for contracts of 2023.", "Tailwise policy wording v7 (dogs)\nApplies to contracts."),
        ("Tablet agreement, 2nd edition. Parents pay.", "Tablet agreement, third edition. The school pays."),
        ("2023 refund policy\n14 days.", "2024 refund policy\n30 days."),
    ],
)  # fmt: skip
def test_two_editions_of_one_rule(older, newer):
    (name, first), (other, second) = read(older), read(newer)
    assert name and name == other
    assert float(first) < float(second)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2023年度报告\n营收5亿元。", "2024年度报告\n营收6亿元。"),  # both are true
        ("棹MQ 2.3 运维手册 第五章\n4MB。", "棹MQ 2.8.0 发布\n8MB。"),
        ("PayGate API v1 reference\n100 requests.", "PayGate API v2 reference\n200 requests."),
        ("Refund policy v1 (Starter)\n7 days.", "Refund policy v2 (Enterprise)\n30 days."),
        ("2024 refund policy – Starter\n7 days.", "2023 refund policy – Enterprise\n30 days."),
        ("甲公司退货规定（2023年版）\n7天。", "乙公司退货规定（2024年版）\n15天。"),
        ("Terms 2023\n7 days.", "Rules 2024\n8 days."),
        ("公司规定〔2023〕12号 后勤部门。每天80元。", "公司规定〔2024〕5号 销售部门。每天50元。"),
        ("Delivery tariff 2024, inland. The fee is 9.", "Delivery tariff 2025, abroad. The fee is 14."),
        ("会员规则V4。每月3次。", "会员规则V5。每月8次。"),
        ("Firewall rules v4: at most 200.", "Firewall rules v6: at most 100."),
        ("SQL Server 2019 licence terms. 16 users.", "SQL Server 2022 licence terms. 24 users."),
        ("2023款海豹保修政策。8年。", "2024款海豹保修政策。6年。"),
        ("We read the rules. Then came 2023.", "We read the rules. Then came 2024."),
    ],
)
def test_no_editions_of_one_another(one, other):
    (name, _), (its, _) = read(one), read(other)
    assert not name or name != its


@pytest.mark.parametrize("text", ["", "2024", "（2024版）", "第十版", "V3 " * 500, "条款" * 5000 + "（2024版）", "rules " + "(" * 5000])
def test_heads_without_a_name_are_none(text):
    if text.strip():
        assert read(text + "。")[0] == ""


OLD = "绒伴宠物保险条款（第5版）\n犬窝咳属责任免除，不予赔付。"
NEW = "绒伴宠物保险条款（第6版）\n犬窝咳不再列入除外责任，按医疗责任给付。"
QUERY = "绒伴宠物险犬窝咳赔不赔"


def lost(verdict, index):
    return index in verdict.outdated


def test_the_earlier_edition_is_out_of_force(judge):
    verdict = judge(QUERY, [page(OLD, 0.9, "2023-08-01"), page(NEW, 0.9, "2024-09-15")])
    assert lost(verdict, 0) and not lost(verdict, 1)


def test_a_page_that_is_less_trusted_replaces_none_by_taking_its_name(judge):
    verdict = judge(QUERY, [page(OLD, 0.9, "2023-08-01"), page(NEW, 0.3, "2024-09-15")])
    assert not lost(verdict, 0)


def test_an_edition_that_is_not_yet_in_force_replaces_none(judge):
    verdict = judge(QUERY, [page(OLD, 0.9, "2023-08-01"), page(NEW, 0.9, "2024-09-15")], as_of=date(2024, 1, 1))
    assert not lost(verdict, 0)


@pytest.mark.parametrize("query", ["2023年绒伴宠物险犬窝咳赔不赔", "我2023年投保的绒伴，犬窝咳赔不赔", "老用户的绒伴宠物险犬窝咳赔不赔"])
def test_who_asks_of_an_earlier_year_or_signed_before_is_not_answered_by_the_latest(judge, query):
    verdict = judge(query, [page(OLD, 0.9, "2023-08-01"), page(NEW, 0.9, "2024-09-15")])
    assert not lost(verdict, 0)


OLD_RULE = page("星海手机保修条款（2022版）\n整机保修24个月。", 0.9, "2022-01-01")
NEW_RULE = page("星海手机保修条款（2025版）\n整机保修12个月。", 0.9, "2025-01-01")


@pytest.mark.parametrize("query", [
    "按旧版条款，星海手机保修多久？", "星海手机的保修条款有什么变化？", "星海手机保修条款修订前整机保修多久？", "星海手机以前是保修多久？",
])
def test_who_asks_what_was_or_what_changed_loses_no_earlier_page(judge, query):
    verdict = judge(query, [OLD_RULE, NEW_RULE])
    assert not verdict.lost_passages and not verdict.lost_sentences and not verdict.outdated


@pytest.mark.parametrize("query", [
    "What did the previous terms say about the warranty of the Orrin 2?", "What changed in the warranty of the Orrin 2?",
    "How long did the warranty of the Orrin 2 used to be?",
])
def test_so_in_english(judge, query):
    verdict = judge(query, [
        page("Orrin 2 warranty terms 2022. The warranty of the Orrin 2 is 24 months.", 0.9, "2022-01-01"),
        page("Orrin 2 warranty terms 2025. The warranty of the Orrin 2 is 12 months.", 0.9, "2025-01-01"),
    ])
    assert not verdict.lost_passages and not verdict.lost_sentences and not verdict.outdated


@pytest.mark.parametrize("query", ["星海手机整机保修多久？", "我去年买的星海手机，现在保修多久？", "云杉市去年的人口出生率是多少", "出发之前星海手机要保修多久才能寄？"])
def test_a_question_that_only_sounds_so_is_answered_by_what_holds(query):
    assert not focus_of(parse_question(query), {}).asks_earlier


FEE = "What does a replacement meter cost?"


@pytest.mark.parametrize(("first", "second"), [
    (("Meter tariff, issue 3. A replacement meter costs 40 euros for households.", 0.9, "2024-01-02"),
     ("Meter tariff, issue 3. A replacement meter costs 90 euros for firms.", 0.9, "2024-01-03")),
    (("Meter tariff 2025. A replacement meter costs 40 euros.", None, None),
     ("Meter tariff 2026. A replacement meter costs 55 euros.", None, None)),
    (("Meter tariff, issue 3. A replacement meter costs 55 euros.", 0.9, "2025-01-01"),
     ("Meter tariff, issue 2. A replacement meter costs 40 euros.", 0.9, "2025-05-01")),
    (("Meter tariff, issue 3. A replacement meter costs 40 euros.", 0.6, None),
     ("Meter tariff, issue 99. A replacement meter costs 4000 euros.", 0.46, None)),
    (("Meter tariff, issue 3. A replacement meter costs 40 euros.", 0.6, "2024-01-01"),
     ("Meter tariff, issue 99. A replacement meter costs 4000 euros.", None, "2025-01-01")),
], ids=["one edition", "to come", "earlier number", "less trusted", "unknown"])
def test_an_edition_is_replaced_by_none_of_these(judge, first, second):
    verdict = judge(FEE, [page(*first), page(*second)])
    assert 0 not in verdict.outdated
    assert 0 not in verdict.lost_passages


def test_last_year_is_not_answered_by_this_years_edition(judge):
    verdict = judge("去年停车每小时收费多少钱？", [
        page("停车收费标准（2024版）。停车每小时收费5元。", 0.9, "2024-01-01"),
        page("停车收费标准（2025版）。停车每小时收费8元。", 0.9, "2025-01-01"),
    ])
    assert 0 not in verdict.outdated
