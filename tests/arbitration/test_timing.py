"""What a page says of itself and of other pages: replaced, corrected, from when it holds."""

from __future__ import annotations

from datetime import date

import pytest
from conftest import TODAY, page
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.arbitration.cohort import Cohort
from ragclean.arbitration.timing import notices, standing
from ragclean.config import CorrectorConfig
from ragclean.prepare import prepare_text
from ragclean.screen import screen

FILLER_ZH = "门店早九点开门。停车在楼后。请带好证件。前台可以借伞。"
FILLER_EN = "The shop opens at nine. Park behind the house. Bring a card. Umbrellas are lent."


def stands(text, wanted, *, when=None, cohort=None, as_of=TODAY, changes=True, **fields):
    """The standing of the sentence that holds ``wanted``."""
    config = CorrectorConfig()
    (passage,) = screen([page(text, 0.9, when, **fields)], config, prepare_text, as_of).passages
    sentence = next(i for i, s in enumerate(passage.prepared.sentence_texts) if wanted in s)
    return standing(passage, sentence, as_of, changes, frozenset(), config, cohort)


@pytest.mark.parametrize("text", [
    f"滤芯每6个月换一次。{FILLER_ZH}本办法发布后，原换芯办法同时废止。",
    f"本手册第七条自2025年5月1日起废止。滤芯每6个月换一次。{FILLER_ZH}",
    f"滤芯每6个月换一次。{FILLER_ZH}2022版换芯说明作废。",
    f"Replace the filter every 6 months. {FILLER_EN} This notice replaces all previous editions.",
])
def test_a_page_may_say_anywhere_that_it_takes_the_place_of_another(text):
    told = stands(text, "6")
    assert told.replaces == "supersedes"
    assert told.in_force
    assert told.factor == stands(text, "6").factor


@pytest.mark.parametrize("text", [
    "手册所印的周期有误。滤芯每6个月换一次。", "滤芯每6个月换一次，手册误写为12个月。",
    "更正\n门店告知。请留意。各位住户。\n滤芯每6个月换一次。",
    "The figure printed in the Tavro booklet was wrong. Replace the filter every 6 months.",
    "Erratum for the spring leaflet. Thank you all. Have a good day. See you soon. Replace the filter every 6 months.",
])
def test_a_correction_counts_beside_the_value_and_at_the_head_of_the_page(text):
    assert stands(text, "6").replaces == "corrects"


@pytest.mark.parametrize("text", [
    f"滤芯每6个月换一次。{FILLER_ZH}更正：地图第4页的街名有误。",
    f"Replace the filter every 6 months. {FILLER_EN} Erratum: the map shows the old street.",
    "滤芯每6个月换一次。如有误请联系前台。",
])
def test_a_correction_of_something_else_says_nothing_of_the_value(text):
    assert stands(text, "6").replaces == ""


@pytest.mark.parametrize(("text", "day"), [
    ("自2025年4月1日起，滤芯每6个月换一次。", date(2025, 4, 1)),
    ("自2025年4月1日起施行。\n滤芯每6个月换一次。", date(2025, 4, 1)),
    ("Effective from 1 April 2025, replace the filter every 6 months.", date(2025, 4, 1)),
])
def test_a_page_may_name_the_day_from_which_it_holds(text, day):
    told = stands(text, "6")
    assert told.replaces == "effective"
    assert told.in_force
    assert told.dated == day
    before = stands(text, "6", as_of=date(2025, 3, 31))
    assert before.replaces == ""
    assert before.notes == ("not_yet_in_force",)


@pytest.mark.parametrize("text", ["自2025年4月1日起，滤芯每6个月换一次。", "Effective from 1 April 2025, replace the filter every 6 months."])
def test_a_sentence_in_force_since_a_day_is_no_older_than_that_day(text):
    assert stands(text, "6", when="2025-01-10").dated == date(2025, 4, 1)
    assert stands(text, "6", when="2025-05-10").dated == date(2025, 5, 10)


def test_a_day_published_before_and_in_force_the_year_after():
    text = "2024年12月20日公布，次年1月1日起施行。\n滤芯每6个月换一次。"
    assert stands(text, "6", as_of=date(2024, 12, 25)).notes == ("not_yet_in_force",)
    assert stands(text, "6", as_of=date(2025, 1, 2)).in_force


@pytest.mark.parametrize(("text", "other"), [
    ("镇上办了年会。大家都来了。根据换芯协定，滤芯每6个月换一次。晚宴不错。换芯协定将于2026年3月1日生效。", "停车方案"),
    ("The fair was in July. Many came. Under the protocol the filter is replaced every 6 months. Dinner was good."
     " The protocol takes effect on 1 March 2026.", "amendment"),
])
def test_a_statement_about_the_same_document_counts_wherever_it_stands(text, other):
    assert stands(text, "6").notes[0] == "not_yet_in_force"
    name = "换芯协定将" if "换芯" in text else "protocol takes"
    elsewhere = text.replace(name, other + name[-1] if "换芯" in text else f"{other} takes")
    assert stands(elsewhere, "6").in_force


def test_a_rule_that_holds_for_who_came_then_says_so():
    text = "2024年3月1日前购买的设备，滤芯仍每6个月换一次。"
    early, late = (Cohort(d, d) for d in (date(2023, 5, 1), date(2025, 2, 1)))
    assert stands(text, "6", cohort=early).replaces == "applies"
    assert stands(text, "6", cohort=early).in_force
    assert "other_customers" in stands(text, "6", cohort=late).notes
    assert stands(text, "6", cohort=late).factor < 0.05


@pytest.mark.parametrize("text", ["滤芯每6个月换一次。", "Replace the filter every 6 months."])
def test_plain_pages_replace_nothing(text):
    assert stands(text, "6").replaces == ""
    assert stands(text, "6", when="2025-03-01").notes == ()


@pytest.mark.parametrize(("text", "note"), [
    ("旧版\n滤芯每6个月换一次。", "withdrawn"),
    ("滤芯说明（意见征求稿）\n滤芯每6个月换一次。", "draft"),
    ("Status: proposed\nReplace the filter every 6 months.", "draft"),
    ("听说滤芯每6个月换一次。", "hearsay"),
])
def test_old_editions_drafts_and_hearsay_keep_next_to_nothing(text, note):
    told = stands(text, "6", when="2025-08-01")
    assert told.notes == (note,)
    assert told.factor <= 0.05


def test_hearsay_in_another_sentence_is_not_about_the_value():
    assert stands("滤芯每6个月换一次。听说门店要搬家。", "6", when="2025-08-01").notes == ()


@pytest.mark.parametrize(("text", "wanted", "told"), [
    ("滤芯每6个月换一次。门店九点开门。原换芯办法同时废止。", "6个月", ["原换芯办法同时废止。"]),
    ("听说门店要搬。滤芯每6个月换一次。门店九点开门。原换芯办法同时废止。", "6个月", ["原换芯办法同时废止。"]),
    ("手册所印的周期有误。滤芯每6个月换一次。", "6个月", ["手册所印的周期有误。"]),
    ("The figure in the booklet was wrong. Replace the filter every 6 months.", "6 months", ["The figure in the booklet was wrong."]),
    ("自2025年4月1日起施行。\n滤芯每6个月换一次。", "6个月", ["自2025年4月1日起施行。"]),
    ("滤芯每6个月换一次。", "6个月", []),
])
def test_the_sentences_that_say_so_can_be_told(text, wanted, told):
    prepared = prepare_text(text)
    found = notices(prepared, stands(text, wanted))
    assert [prepared.sentence_texts[i].strip() for i in found] == told


def test_terms_of_a_group_of_customers_are_no_notice():
    text = "本办法发布后，原办法同时废止。2024年3月1日前购买的设备，滤芯仍每6个月换一次。"
    early = Cohort(date(2023, 5, 1), date(2023, 5, 1))
    told = stands(text, "6", cohort=early)
    assert told.replaces == "applies"
    assert notices(prepare_text(text), told) == ()


_PIECES = st.sampled_from((
    "更正", "有误", "废止", "原办法", "同时", "自2025年4月1日起", "施行", "2026年1月1日生效", "滤芯", "6个月", "协定", "本办法", "旧版", "草案", "听说",
    "erratum", "replaces all previous ", "effective from 1 may 2025", "before 1 march 2024", "。", "\n", "\x00", "\ud800",
))


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=12).map("".join), st.booleans(), st.sampled_from((None, "2024-05-01", "2030-01-01")))
def test_any_text_has_a_standing(text, changes, when):
    config = CorrectorConfig()
    (passage,) = screen([page(f"甲。{text}", None, when)], config, prepare_text, TODAY).passages
    for number in range(len(passage.prepared.sentences)):
        told = standing(passage, number, TODAY, changes, frozenset(), config)
        assert 0.0 < told.factor <= 1.0
        assert told.replaces in ("", "applies", "corrects", "supersedes", "effective")
        assert all(0 <= i < len(passage.prepared.sentences) for i in notices(passage.prepared, told))
        assert not {"draft", "withdrawn", "hearsay"} & set(told.notes) or told.factor <= 0.05


@pytest.mark.parametrize("piece", ["听说", "更正：有误", "本办法已废止。", "erratum. ", "supersedes ", "\x00", "\ud800"])
def test_a_page_full_of_statements_costs_its_length(no_blow_up, piece):
    config = CorrectorConfig()
    (passage,) = screen([page("甲。" + piece * (200_000 // len(piece)))], config, prepare_text, TODAY).passages
    with no_blow_up():
        told = standing(passage, len(passage.prepared.sentences) - 1, TODAY, True, frozenset(), config)
        notices(passage.prepared, told)


@pytest.mark.parametrize("text", [
    "从明年起会更贵：自助餐将调整为每位98元，2025年12月1日起执行。", "At terminal 2 cars will be able to stop for 5 minutes. The change is made on 1 February 2026.",
])
def test_what_is_announced_for_a_later_day_is_not_in_force(text):
    assert "not_yet_in_force" in stands(text, "98" if "98" in text else "5 minutes").notes


@pytest.mark.parametrize("text", [
    "自助餐每位98元，2024年12月1日起执行。", "The pool will be open. It costs 98 euros since 1 February 2024.",
])
def test_what_holds_since_is_in_force(text):
    assert stands(text, "98").in_force


@pytest.mark.parametrize("text", [
    "Units that arrive up to and including 30 November 2025 will be exchanged within 98 days.",
    "Members will have the 98 euro rate until 31 December 2025.", "Claims sent by 1 November 2025 will be paid within 98 days.",
    "自助餐每位98元的优惠将在2025年12月31日前有效。", "安装向导提醒：98版的支持将于2026年3月31日结束。", "将自动续期98天，至2025年12月31日。",
])
def test_what_holds_until_a_later_day_is_in_force(text):
    """The day is the last one, not the first: a deadline to come says nothing against the value."""
    assert "not_yet_in_force" not in stands(text, "98").notes


def test_what_was_published_after_the_question_is_no_vote(judge):
    chunks = [page("整机保修期24个月。", 0.9, "2025-03-01"), page("整机保修期12个月。", 0.9, "2021-03-01")]
    verdict = judge("整机保修期是多久？", chunks, as_of=date(2022, 1, 1))
    assert not any(c.winner and c.winner.value == "24个月" for c in verdict.conflicts)
    assert 1 not in verdict.lost_passages
    verdict = judge("2012年奥运会在哪里举办？", [page("2012年奥运会在伦敦举办。", 0.9, "2019-03-01")])
    assert verdict.out_of_scope_sentences == {}


def test_editions_that_a_text_names_itself_replace_each_other(judge):
    verdict = judge("热水器的维修费谁出？", [
        page("《房屋租赁合同（2024版）》：热水器的维修费由出租人承担。", 0.9),
        page("《房屋租赁合同（2020版）》：热水器的维修费由租客承担。", 0.9),
    ])
    assert verdict.conflicts[0].winner.value.startswith("《房屋租赁合同（2024版）")
