"""Siblings of what is asked for, pages of unknown origin, tables, yes and no."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import TODAY, page, rank

from ragclean.arbitration import arbitrate, siblings
from ragclean.arbitration.focus import focus_of
from ragclean.arbitration.siblings import SiblingReader, is_sibling, named_kinds
from ragclean.arbitration.terms import code_key
from ragclean.config import CorrectorConfig
from ragclean.prepare import prepare_text
from ragclean.screen import screen
from ragclean.text.question import parse_question

OFFICIAL, FORUM = 0.95, 0.3

#: (question, page that fits, page about a sibling)
SIBLINGS = [
    ("How many seats come with the Maple plan of Ostrel?",
     "The Ostrel Maple plan comes with 25 seats.", "Ostrel Willow plan. It comes with 5 seats for one team."),
    ("How many days of notice do I owe in the Porto office of Veltham?",
     "Veltham handbook, Porto office. You owe 45 days of notice.",
     "Veltham handbook, Gdansk office. You owe 90 days of notice."),
    ("云梯家庭宽带的安装费是多少？", "云梯家庭宽带安装费100元。", "云梯校园宽带说明：安装费30元，凭学生证办理。"),
    ("岚舟汽车燃油版的首保里程是多少公里？",
     "岚舟汽车燃油版首保里程5000公里。", "岚舟汽车纯电版手册：首保里程10000公里。"),
    ("What does the season pass for adults cost at Hollin pool?",
     "At Hollin pool the season pass for adults costs 90 euros.",
     "At Hollin pool the season pass for children costs 40 euros."),
    ("远帆租车 异地还车要多收多少钱", "远帆租车异地还车加收300元。", "云途租车（另一家）体验：异地还车加收200元。"),
    ("how much does fellrigg charge for a new sleeping bag zip",
     "Fellrigg repair prices: a new sleeping bag zip costs £46.",
     "The Cairnholm workshop mends sleeping bags of all brands. A new sleeping bag zip costs £52."),
    ("堤能T8固件2.x最多扩几个IO模块", "堤能T8固件2.x：最多扩12个IO模块。", "堤能T8固件1.x维护分支：最多扩7个IO模块。"),
    ("灶语压力锅的密封圈几个月换一次？", "灶语压力锅：家庭日常使用的，密封圈每12个月换一次。", "灶语压力锅：营业场所的，密封圈每4个月换一次。"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "fits", "sibling"), SIBLINGS, ids=[s[0] for s in SIBLINGS])
def test_a_page_about_a_sibling_disputes_nothing(judge, query, fits, sibling):
    verdict = judge(query, [page(fits, OFFICIAL, "2024-01-01"), page(sibling, OFFICIAL, "2025-06-01")])
    assert verdict.conflicts == ()
    assert not verdict.lost_passages


def test_another_season_is_another_thing(judge):
    verdict = judge(
        "How many episodes does season 4 of Larkhill have?",
        [page("Season 4 of Larkhill has 12 episodes.", OFFICIAL), page("Season 2 of Larkhill has 8 episodes.", OFFICIAL)],
    )
    assert verdict.conflicts == ()


UNKNOWN_ORIGIN = [
    # a figure of another measure, of another noun, of another work, the date of the page
    ("青禾咖啡节的观众人数是多少？", "青禾咖啡节观众人数达8万人。", "青禾咖啡节志愿者人数200人，观众很多。"),
    ("《长河》什么时候上映？", "《长河》将于5月1日上映。", "导演的上一部《远山》于8月9日上映。"),
    ("云梯耳机售价多少钱？", "云梯耳机售价399元。", "云梯耳机发布会上还有售价59元的保护套。"),
    ("青禾展览什么时候开幕？", "青禾展览3月5日开幕。", "发布时间：2025年3月8日 青禾展览开幕，观众排起长队。"),
]


@pytest.mark.parametrize(("query", "first", "second"), UNKNOWN_ORIGIN, ids=[u[0] for u in UNKNOWN_ORIGIN])
def test_pages_of_unknown_origin_dispute_only_what_is_clearly_one_thing(judge, query, first, second):
    verdict = judge(query, [page(first), page(second)])
    assert verdict.conflicts == ()


def test_a_loser_of_unknown_origin_keeps_the_rest_of_its_page(judge):
    rest = "泳池旁边有咖啡馆，周末常有集市，停车场在东门，步行三分钟就能到入口。"
    verdict = judge(
        "青禾泳池门票多少钱？",
        [page("青禾泳池门票30元。"), page("据介绍，青禾泳池的门票统一为30元一位。"), page(f"青禾泳池门票50元。{rest}")],
    )
    assert [c.winner.value for c in verdict.conflicts] == ["30元"]
    assert not verdict.lost_passages
    assert (2, 0) in verdict.lost_sentences


def test_the_column_of_a_table_is_chosen_by_its_header(judge):
    table = "云梯单车胎压\n| 载荷 | 前胎 | 后胎 |\n| --- | --- | --- |\n| 满载 | 2.6bar | 3.1bar |"
    query = "云梯单车满载时后胎胎压打多少？"
    assert judge(query, [page(table, OFFICIAL), page("云梯单车满载时后胎胎压为3.1bar。", OFFICIAL)]).conflicts == ()


PAYS = [
    ("青禾借书卡丢了补办要钱吗？", "青禾借书卡补办不再收取工本费。", "青禾借书卡补办需缴纳工本费。"),
    ("青禾健身房寄存柜收费吗？", "青禾健身房寄存柜免费使用。", "青禾健身房寄存柜收取费用。"),
]


@pytest.mark.parametrize(("query", "free", "charged"), PAYS, ids=[p[0] for p in PAYS])
def test_costing_money_or_not_is_yes_or_no(judge, query, free, charged):
    verdict = judge(query, [page(free, OFFICIAL), page(charged, FORUM)])
    assert len(verdict.conflicts) == 1
    assert (0, 0) in verdict.winning_sentences


def test_a_charge_that_is_lifted_is_none(judge):
    verdict = judge(
        "青禾健身房寄存柜收费吗？",
        [page("青禾健身房寄存柜免费使用。", OFFICIAL), page("青禾健身房寄存柜收费已取消。", OFFICIAL)],
    )
    assert verdict.conflicts == ()


def test_a_replaced_third_value_goes_though_the_other_two_are_level(judge):
    verdict = judge(
        "云梯会员年费多少钱？",
        [
            page("云梯会员年费259元。", 0.95, "2025-03-01"),
            page("云梯会员的年费标准为每年299元。", 0.95, "2025-03-01"),
            page("开通云梯会员，年费要付199元。", 0.95, "2021-03-01"),
        ],
    )
    assert [c.winner for c in verdict.conflicts] == [None]
    assert set(verdict.front) == {0, 1}
    assert 2 in verdict.lost_passages or (2, 0) in verdict.lost_sentences


def test_a_tie_is_broken_by_pages_that_second_a_side(judge):
    verdict = judge(
        "青禾滤芯用多少升就得换？",
        [
            page("青禾滤芯每用300升就得换。"),
            page("青禾滤芯用满500升就得换。"),
            page("门店提醒：滤芯到三百升灯会变红。"),
        ],
    )
    assert all(c.winner is None or c.winner.value.startswith("300") for c in verdict.conflicts)


def test_many_values_are_figures_of_many_things(judge):
    texts = [f"云梯会员{what}，年费{n}元。" for what, n in (("亲子", 120), ("校园", 80), ("职工", 150), ("长者", 60))]
    assert judge("云梯会员年费多少钱？", [page(t, OFFICIAL, "2025-01-01") for t in texts]).conflicts == ()


def test_a_kind_word_that_is_itself_a_name_is_one():
    assert named_kinds("how many seats does the tavro team plan have") == [("team", "plan")]


def test_what_is_done_with_a_plan_is_no_name_of_it(judge):
    texts = ("云梯学生卡毕业后可以转成普通套餐。", "云梯学生卡毕业后不能转套餐，只能注销。")
    verdict = judge("云梯学生卡毕业后能转成普通套餐吗？",
                    [page(t, OFFICIAL, d) for t, d in zip(texts, ("2024-05-01", "2019-05-01"), strict=True)])
    assert verdict.conflicts[0].winner is not None
    assert "可以转成" in verdict.conflicts[0].winner.value


# ------------------------------------------------------------------ long pages


class Searched(str):
    """The text of a page that counts how often something is looked for in the whole of it."""

    searches = 0

    def __contains__(self, part):
        self.searches += 1
        return super().__contains__(part)


@pytest.mark.parametrize(("query", "head", "more"), [
    ("岚舟X200的保修多久？", "岚舟X300说明：保修24个月。", "保修36个月。"),
    ("岚舟X200的保修多久？", "手册：保修24个月。", "保修36个月。"),
    ("岚舟汽车燃油版的保修多久？", "岚舟手册：保修24个月。", "纯电版保修36个月。"),
    ("How long is the warranty of the X200?", "Care sheet: the warranty is 24 months. ", "It is 36 months. "),
    ("How many seats come with the Maple plan of Ostrel?", "Ostrel has plans. ", "The Willow plan has 5 seats. "),
])  # fmt: skip
def test_a_page_is_searched_as_often_for_all_of_its_sentences_as_for_one(monkeypatch, query, head, more):
    focus = focus_of(parse_question(query), {})
    (passage,) = screen([page(head + more * 50)], CorrectorConfig(), prepare_text, TODAY).passages
    keys: list[str] = []
    monkeypatch.setattr(siblings, "code_key", lambda text: keys.append(text) or code_key(text))

    def searches(sentences):
        keys.clear()
        folded = Searched(passage.prepared.folded)
        reader = SiblingReader(focus, replace(passage, prepared=replace(passage.prepared, folded=folded)))
        told = [reader.holds(i) for i in sentences]
        looked = folded.searches + len(keys)
        assert told == [is_sibling(focus, passage, i) for i in sentences]
        return looked

    last = len(passage.prepared.sentences) - 1
    assert last >= 50
    assert searches(range(last + 1)) == searches([last]) > 0


@pytest.mark.parametrize(("query", "piece"), [
    ("岚舟X200的保修多久？", "保修24个月，"),
    ("How long is the warranty of the X200?", "warranty is 24 months, "),
])
def test_a_page_that_repeats_itself_costs_its_length(no_blow_up, query, piece):
    config, question = CorrectorConfig(), parse_question(query)
    pages = [page(piece * (200_000 // len(piece))), page("岚舟X200 warranty 保修期为12个月。", OFFICIAL)]
    ranked = rank(question, screen(pages, config, prepare_text, TODAY).passages)
    with no_blow_up():
        arbitrate(question, ranked, config, TODAY)


def test_a_person_at_the_head_of_a_page_makes_it_no_other_thing(judge):
    query = "Sunny Burrow nursery, late pick up charge per quarter of an hour?"
    verdict = judge(query, [
        page("Sunny Burrow handbook. Children collected after 17:30: late pick up charge £7 per quarter of an hour.", 0.9, "2023-09-01"),
        page("To all families, from Ingrid (manager). From 1 August the handbook figure is replaced: the late pick up charge is £12 per quarter of an hour.", 0.85, "2025-07-20"),
    ])
    assert verdict.conflicts[0].winner.value == "£12"
