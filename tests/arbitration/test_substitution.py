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


def test_a_page_need_not_name_the_thing_in_every_chunk(judge):
    verdict = judge("How often do I descale the Barista One?", [
        page("Once a year is plenty for descaling the Barista One, whatever people say.", 0.4, "2017-03-11"),
        page("Run the descaling cycle every two months.", 0.95, "2025-08-19"),
    ])
    assert verdict.conflicts[0].winner.value in ("two months", "every two months")
