"""Pages that name the edition they take the place of."""

from __future__ import annotations

import time

import pytest
from conftest import TODAY, page

from ragclean.arbitration.succession import ended_by_another
from ragclean.config import CorrectorConfig
from ragclean.prepare import prepare_text
from ragclean.screen import screen


def ended(*texts):
    passages = screen([page(t) for t in texts], CorrectorConfig(), prepare_text, TODAY).passages
    return ended_by_another(passages, TODAY)


@pytest.mark.parametrize(("new", "old"), [
    ("沅芷大学本科生考试管理细则（2026年修订，2022年版同时废止）\n第二十一条 网上申请即可。", "沅芷大学本科生考试管理细则（2022年版）\n第十八条 由辅导员签字。"),
    ("鹿鸣集团费用报销细则 V5（替代V4，自发文之日起执行）", "鹿鸣集团费用报销细则 V4\n4.2 打印后粘贴。"),
    ("澄江市供水用水条例（2025年3月1日起施行，市政府令第37号同时废止）", "澄江市城市供水管理办法（市政府令第37号）\n第二十三条 由业主分摊。"),
    ("Kestrel 1500R Installation Guide, issue 3, supersedes issues 1 and 2. Swap it live.", "Kestrel 1500R Installation Guide, issue 1. Shut it down."),
    ("Kestrel 1500R Installation Guide, issue 3, supersedes issues 1 and 2. Swap it live.", "Kestrel 1500R Installation Guide, issue 2. Shut it down."),
    ("Velm Tramways, conditions of carriage 2025. They take the place of those of 2021 on 1 April 2025.", "Velm Tramways, conditions of carriage 2021. No bicycles."),
    ("Claim form HH-7, issue 2025 (please destroy stocks of issue 2020)", "Claim form HH-7, issue 2020. Original bills."),
    ("Owner's Handbook Estrel, 2nd issue. Rev. B replaces rev. A", "Owner's Handbook Estrel, rev. A. Oil 5.2 litres."),
], ids=["year", "version", "order", "issue 1", "issue 2", "those of", "stocks", "letters"])  # fmt: skip
def test_the_edition_that_is_named_is_out_of_force(new, old):
    assert ended(new, old) == {1}
    assert ended(old, new) == {0}


@pytest.mark.parametrize("copy", [
    "新生手册（学生会整理，内容依据2022年版细则）\n拿着病历找辅导员签名。",
    "考试问答，摘自2022年版细则：由辅导员签字。",
], ids=["rests on", "taken from"])  # fmt: skip
def test_so_is_what_rests_on_it(copy):
    assert ended("沅芷大学考试管理细则（2026年修订，2022年版同时废止）\n网上申请即可。", copy) == {1}


@pytest.mark.parametrize(("one", "other"), [
    ("沅芷大学考试管理细则（2026年修订，2022年版同时废止）", "青屏市停车收费标准（2022年版）每小时5元。"),
    ("沅芷大学考试管理细则（2026年修订）", "沅芷大学考试管理细则（2022年版）"),
    ("研学旅行管理办法（2025年修订）", "研学旅行管理办法（2018年试行，2025年修订后停止执行）"),
    ("Talus 2.x reference, version 2", "Talus 3.x reference, version 3"),
    ("The 2019 edition of the Almanac replaces the lost 2018 diary.", "Ferry timetable 2018. Boats at nine."),
], ids=["another document", "nothing said", "it ends itself", "versions", "another name"])  # fmt: skip
def test_others_are_left_alone(one, other):
    assert 0 not in ended(one, other) or 1 not in ended(one, other)
    assert ended(one, other) <= ({1} if "停止执行" in other else frozenset())


def test_a_draft_puts_nothing_out_of_force():
    assert ended("考试管理细则（2026年修订，征求意见稿，2022年版同时废止）", "考试管理细则（2022年版）由辅导员签字。") == frozenset()


@pytest.mark.parametrize("text", [
    "2022年版" * 4000, "第1号" * 5000, "issues 1 and " * 3000, "替代" * 8000, "a" * 30000, "is withdrawn " * 3000, "（" * 9000,
    "\ud800年版 V\x00 令第号",
], ids=["years", "orders", "issues", "verbs", "letters", "withdrawn", "brackets", "broken"])  # fmt: skip
def test_no_text_stalls_it(text):
    begun = time.process_time()
    ended(text, text[::-1], f"细则（2026年修订，2022年版同时废止）{text}")
    assert time.process_time() - begun < 20  # blow-up takes minutes, not seconds
