"""What a user relies on: facts stay, filler goes, order is the text's, everything that went has a reason."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragclean.arbitration.verdict import Verdict
from ragclean.compression.layout import render, render_context
from ragclean.tokencount import estimate_tokens

NOTE = "云杉空气净化器服务说明。整机保修期为18个月。滤网属于耗材，不在保修之列。本店环境优雅，期待您的光临。"


def texts(kept):
    return [s.text for s in render(kept)[1]]


def reasons(out):
    return {d.text: d.reason for d in out.dropped}


def test_facts_of_low_score_stay_and_filler_goes(make_passage, run):
    out = run([make_passage(NOTE, 0.02)], "云杉净化器保修多久？")
    text = render_context(out.kept)
    assert "整机保修期为18个月。" in text
    assert "不在保修之列" in text, "an exception tied to the figure before it"
    assert reasons(out)["本店环境优雅，期待您的光临。"] == "below_threshold"


def test_a_good_score_keeps_a_sentence_without_facts(make_passage, run):
    r = make_passage("外壳用湿布擦拭即可。晚风轻轻吹过山岗。", [0.6, 0.1])
    assert texts(run([r], "怎么清洁外壳？").kept[0]) == ["外壳用湿布擦拭即可。"]


def test_the_best_sentence_stays_where_none_passes(make_passage, run):
    r = make_passage("晚风轻轻吹过山岗。花儿静静地开放。", [0.05, 0.2])
    assert texts(run([r]).kept[0]) == ["花儿静静地开放。"]


def test_where_no_sentence_reaches_the_threshold_those_near_the_best_stay(make_passage, run):
    r = make_passage("打开双闪并拍照。随后把车挪到路边。晚风轻轻吹过山岗。", [0.2, 0.15, 0.06])
    assert texts(run([r], "追尾了要不要原地等？").kept[0]) == ["打开双闪并拍照。", "随后把车挪到路边。"]
    assert len(run([r], "追尾了要不要原地等？", sentence_share=1.0).kept[0].sentences) == 1
    passing = make_passage("打开双闪并拍照。随后把车挪到路边。", [0.6, 0.31])
    assert texts(run([passing], "追尾了要不要原地等？").kept[0]) == ["打开双闪并拍照。"]


def test_everything_is_accounted_for_with_offsets_and_figures(make_passage, run):
    r = make_passage(NOTE, 0.1)
    out = run([r], "云杉净化器保修多久？")
    spans = {(s.start, s.end) for s in render(out.kept[0])[1]} | {(d.start, d.end) for d in out.dropped}
    assert spans == {(s.start, s.end) for s in r.prepared.sentences}
    for d in out.dropped:
        assert d.stage == "compress"
        assert d.text == NOTE[d.start : d.end]
        assert "0.10" in d.detail


def test_order_inside_a_chunk_is_the_texts_and_chunks_keep_their_rank(make_passage, run):
    a = make_passage("第一条费用为10元。第二条费用为20元。第三条费用为30元。", [0.4, 0.9, 0.6], index=3)
    b = make_passage("另一页写着费用为40元。", index=1)
    out = run([a, b], "费用多少？")
    assert [k.ranked.id for k in out.kept] == ["c3", "c1"]
    assert texts(out.kept[0]) == ["第一条费用为10元。", "第二条费用为20元。", "第三条费用为30元。"]


def test_sides_of_a_tie_stand_side_by_side_in_front(make_passage, run):
    passages = [make_passage(f"门店{i}的押金为{i}00元。", index=i) for i in (1, 2, 3)]
    verdict = Verdict(tied_sentences=frozenset({(3, 0), (2, 0)}), front=(3, 2))
    out = run(passages, "押金多少？", verdict)
    assert [k.ranked.id for k in out.kept] == ["c3", "c2", "c1"]


def test_top_k_limits_chunks_but_not_pinned_ones(make_passage, run):
    passages = [make_passage(f"门店{i}的押金为{i}00元。", index=i) for i in range(4)]
    out = run(passages, "押金多少？", top_k=2, pinned=frozenset({"c3"}))
    assert [k.ranked.id for k in out.kept] == ["c0", "c1", "c3"]
    assert [(d.chunk_id, d.reason) for d in out.dropped] == [("c2", "beyond_top_k")]


def test_a_pinned_chunk_stays_whole(make_passage, run):
    r = make_passage(NOTE, 0.0, chunk_id="p")
    out = run([r], pinned=frozenset({"p"}))
    assert render_context(out.kept) == NOTE
    assert "pinned" in out.kept[0].flags


def test_the_users_own_terms_and_patterns_are_untouchable(make_passage, run):
    r = make_passage("外壳采用云母白配色。晚风轻轻吹过山岗。工单前缀写作甲乙丙。", 0.0)
    out = run([r], protected_terms=("云母白",), protected_patterns=("甲乙丙",))
    assert texts(out.kept[0]) == ["外壳采用云母白配色。", "工单前缀写作甲乙丙。"]
    assert out.untouchable == {(0, 0), (0, 2)}


@pytest.mark.parametrize("policy, gone", [("drop", True), ("demote", False), ("annotate", False)])
def test_losing_sentences_go_under_the_drop_policy_only(make_passage, run, policy, gone):
    r = make_passage("押金为100元。押金自本月起为200元。", index=0)
    verdict = Verdict(lost_sentences={(0, 0): "older"}, winning_sentences=frozenset({(0, 1)}))
    out = run([r], "押金多少？", verdict, conflict_policy=policy)
    assert ("押金为100元。" not in render_context(out.kept)) is gone
    if gone:
        (d,) = out.dropped
        assert (d.reason, d.detail, d.protected) == ("lost_conflict", "older", True)


def test_demoted_chunks_come_last(make_passage, run):
    passages = [make_passage(f"门店{i}的押金为{i}00元。", index=i) for i in (1, 2)]
    out = run(passages, "押金多少？", Verdict(lost_passages={1: "older"}), conflict_policy="demote")
    assert [(k.ranked.id, k.flags) for k in out.kept] == [("c2", ()), ("c1", ("demoted",))]


def test_sentences_about_another_thing_go_whatever_they_hold(make_passage, run):
    r = make_passage("甲型的押金为100元。乙型的押金为200元。", index=0)
    out = run([r], "甲型的押金多少？", Verdict(out_of_scope_sentences={(0, 1): "about 乙型"}))
    assert reasons(out) == {"乙型的押金为200元。": "out_of_scope"}


class TestContext:
    def test_heading_table_head_and_rule_come_with_a_row(self, make_passage, run):
        text = "## 收费标准\n\n| 项目 | 价格 |\n| --- | --- |\n| 检测 | 30元 |\n| 赠品 | 随缘 |\n"
        kept = render_context(run([make_passage(text, 0.0)], "检测多少钱？").kept)
        assert kept == "## 收费标准\n\n| 项目 | 价格 |\n| --- | --- |\n| 检测 | 30元 |"

    def test_a_question_brings_its_answer_and_an_answer_its_question(self, make_passage, run):
        r = make_passage("问：旧机可以折价吗？\n答：可以的。\n", [0.9, 0.0])
        assert render_context(run([r], "旧机能折价吗？").kept) == "问：旧机可以折价吗？\n答：可以的。"

    def test_the_lead_in_comes_with_a_lists_item(self, make_passage, run):
        text = "出现下列情形之一的不予退换：\n- 外箱丢失\n- 使用超过30天\n"
        kept = render_context(run([make_passage(text, 0.0)], "什么情况不能退？").kept)
        assert kept.startswith("出现下列情形之一的不予退换：")
        assert "使用超过30天" in kept

    def test_what_a_pronoun_points_to_comes_with_it(self, make_passage, run):
        r = make_passage("申请须附带检测报告。晚风轻轻吹过山岗。该报告由第三方机构出具。", [0.1, 0.1, 0.9])
        assert texts(run([r], "报告由谁出具？").kept[0]) == ["申请须附带检测报告。", "该报告由第三方机构出具。"]
        r = make_passage("本中心出具检测报告。它在7天内有效。", [0.0, 0.0])
        assert texts(run([r], "报告多久有效？").kept[0]) == ["本中心出具检测报告。", "它在7天内有效。"]

    def test_english_demonstratives_find_the_sentence_with_their_noun(self, make_passage, run):
        text = (
            "An audit takes place every spring. Flowers bloom along the river. "
            "The sum is repaid within ten days of that audit."
        )
        kept = texts(run([make_passage(text, 0.0)], "How soon is the sum repaid?").kept[0])
        assert kept == ["An audit takes place every spring.", "The sum is repaid within ten days of that audit."]

    def test_parent_keys_and_fences_stay_around_a_line_of_code(self, make_passage, run):
        text = "```yaml\nclient:\n  colour: plain\n  read:\n    timeout: 45s\nserver:\n  colour: plain\n```"
        kept = render_context(run([make_passage(text, 0.0)], "client read timeout?").kept)
        assert kept == "```yaml\nclient:\n  read:\n    timeout: 45s\n```"

    def test_a_chunk_never_comes_back_as_its_heading_alone(self, make_passage, run):
        r = make_passage("# 清洁说明\n\n晚风轻轻吹过山岗。\n", [0.9, 0.0])
        assert texts(run([r], "清洁说明").kept[0]) == ["# 清洁说明", "晚风轻轻吹过山岗。"]


class TestDuplicates:
    FACT = "云杉净化器的整机保修期为18个月，自签收之日起计算"

    def test_the_better_source_keeps_a_copy_and_remembers_the_other(self, make_passage, run):
        a = make_passage(self.FACT + "。别处没有的运费是25元。", index=0, trust=0.3)
        b = make_passage(self.FACT + "！", index=1, trust=0.9)
        out = run([a, b], "保修多久？")
        assert texts(out.kept[0]) == ["别处没有的运费是25元。"]
        assert render(out.kept[1])[1][0].also_in == ("c0",)
        (d,) = out.dropped
        assert (d.chunk_id, d.reason, d.protected) == ("c0", "duplicate", True)
        assert "c1" in d.detail

    def test_the_more_complete_of_two_near_copies_stays(self, make_passage, run):
        a = make_passage(self.FACT + "。", index=0, trust=0.9)
        b = make_passage(self.FACT + "的呢。", index=1, trust=0.3)
        out = run([a, b], duplicate_threshold=0.9)
        assert [k.ranked.id for k in out.kept] == ["c1"]

    @pytest.mark.parametrize(
        "one, other",
        [
            ("云杉净化器的保修期为18个月，自签收之日起计算。", "云杉净化器的保修期为13个月，自签收之日起计算。"),
            ("云杉净化器的保修期为18个月，自签收之日起计算。", "云杉净化器的保修期为18天，自签收之日起计算。"),
            ("二手转让的云杉净化器享受原来的保修待遇。", "二手转让的云杉净化器不享受原来的保修待遇。"),
            ("云杉A20净化器的整机保修由门店负责办理。", "云杉A30净化器的整机保修由门店负责办理。"),
            ("请把滤网装在机身左侧的卡槽里并按紧。", "请把滤网装在机身右侧的卡槽里并按紧。"),
            ("甲方应当向乙方赔偿全部损失和合理的费用。", "乙方应当向甲方赔偿全部损失和合理的费用。"),
            ("The cover may be removed while it is running.", "The cover may not be removed while it is running."),
        ],
    )
    def test_a_different_number_unit_negation_name_or_word_is_no_duplicate(self, make_passage, run, one, other):
        passages = [make_passage(one, index=0), make_passage(other, index=1)]
        out = run(passages, "云杉净化器", duplicate_threshold=0.5)
        assert render_context(out.kept) == f"{one}\n\n{other}"

    def test_the_same_sentence_on_pages_about_two_models_is_no_duplicate(self, make_passage, run):
        a = make_passage("# 云杉A20\n\n整机保修期为18个月，自签收之日起计算。", index=0)
        b = make_passage("# 云杉A30\n\n整机保修期为18个月，自签收之日起计算。", index=1)
        assert len(run([a, b], "保修多久？").kept) == 2

    def test_copies_inside_one_chunk_are_left_alone(self, make_passage, run):
        r = make_passage("运费由买家承担，共计25元整。运费由买家承担，共计25元整。")
        assert len(run([r], "运费？").kept[0].sentences) == 2

    def test_a_thousand_copies_leave_one(self, make_passage, run):
        passages = [make_passage(self.FACT + "。", index=i) for i in range(1000)]
        out = run(passages, top_k=1000)
        assert len(out.kept) == 1
        assert len(render(out.kept[0])[1][0].also_in) == 999


class TestBudget:
    def test_the_context_fits_and_facts_outlive_filler(self, make_passage, run):
        r = make_passage("晚风轻轻吹过山岗。整机保修期为18个月。花儿静静地开放。", [0.5, 0.4, 0.5])
        out = run([r], "保修多久？", max_tokens=14)
        text = render_context(out.kept)
        assert text == "整机保修期为18个月。"
        assert estimate_tokens(text) <= 14
        assert {d.reason for d in out.dropped} == {"token_budget"}
        assert not out.cautions

    def test_an_untouchable_that_had_to_go_is_warned_about(self, make_passage, run):
        r = make_passage("整机保修期为18个月。电池保修期为6个月。", [0.9, 0.8])
        out = run([r], "保修多久？", max_tokens=14)
        assert render_context(out.kept) == "整机保修期为18个月。"
        (caution,) = out.cautions
        assert caution.code == "untouchable_dropped"
        assert "电池" in caution.message

    def test_a_heading_whose_content_went_goes_too(self, make_passage, run):
        r = make_passage("# 保修\n\n整机保修期为18个月。\n\n# 花絮\n\n晚风轻轻吹过山岗。\n", [0, 0.9, 0, 0.6])
        assert "花絮" not in render_context(run([r], "保修多久？", max_tokens=18).kept)

    def test_too_small_a_budget_leaves_the_best_sentence_and_a_warning(self, make_passage, run):
        out = run([make_passage(NOTE, 0.5)], max_tokens=1)
        assert len(out.kept) == 1
        assert "token_budget_exceeded" in {c.code for c in out.cautions}


class TestGraded:
    PAGE = (
        "云杉山位于省境北部。山上多松柏。山脚有一座石桥。石桥始建于1823年。桥长40米。"
        "桥头立着两只石狮。村民常在桥边歇脚。每年春天有许多画家前来写生。山路崎岖难行。山顶可以看到日出。"
    )

    def test_half_of_a_long_page_goes_and_the_fact_asked_for_stays(self, make_passage, run):
        out = run([make_passage(self.PAGE, 0.2)], "石桥始建于哪一年？", protection="graded")
        text = render_context(out.kept)
        assert "石桥始建于1823年。" in text
        assert len(text) <= 0.75 * len(self.PAGE)

    def test_a_fact_nobody_asked_for_may_go_and_is_listed_as_protected(self, make_passage, run):
        out = run([make_passage(self.PAGE, 0.2)], "山顶可以看到什么？", protection="graded")
        assert "日出" in render_context(out.kept)
        assert any(d.protected for d in out.dropped)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(min_size=1, max_size=120), min_size=1, max_size=4),
    st.sampled_from(["all", "graded"]),
    st.one_of(st.none(), st.integers(1, 60)),
)
def test_any_text_comes_back_verbatim_in_order_and_never_empty(make_passage, run, chunks, protection, max_tokens):
    passages = [make_passage(t, 0.3, index=i) for i, t in enumerate(chunks)]
    out = run(passages, "保修 x200 how long?", protection=protection, max_tokens=max_tokens)
    assert bool(out.kept) == any(r.prepared.sentences for r in passages)
    for kept in out.kept:
        original = kept.ranked.passage.chunk.text
        sentences = render(kept)[1]
        assert sentences
        assert [original[s.start : s.end] for s in sentences] == [s.text for s in sentences]
        assert [s.start for s in sentences] == sorted(s.start for s in sentences)
    assert len({(d.chunk_id, d.start) for d in out.dropped}) == len(out.dropped)


@pytest.mark.parametrize("blob", ["1" * 50_000, "一" * 50_000, "a " * 25_000, "(" * 50_000, "1." * 25_000, "\n" * 500])
def test_hostile_text_is_only_text(make_passage, run, blob):
    for protection in ("all", "graded"):
        run([make_passage(blob), make_passage(blob + "。", index=1)], "多久？", protection=protection, max_tokens=100)


def test_a_huge_page_keeps_its_buried_answer(make_passage, run):
    filler = "山里的早晨总是很安静，鸟儿在树上歌唱。"
    text = filler * 4000 + "石桥始建于1823年。" + filler * 4000
    r = make_passage(text)
    r.sentence_scores[:] = np.where([("1823" in t) for t in r.prepared.sentence_texts], 0.9, 0.01)
    assert texts(run([r], "石桥始建于哪一年？").kept[0]) == ["石桥始建于1823年。"]


def test_exceptions_in_the_block_of_the_fact_asked_for_stay(make_passage, run):
    text = "1. 签收后15天内可以退货。\n2. 商品须配有吊牌。\n3. 贴身衣物不予退货。\n\n晚风不曾停歇。\n"
    kept = texts(run([make_passage(text, 0.02)], "几天内可以退货？").kept[0])
    assert "3. 贴身衣物不予退货。" in kept
    assert "晚风不曾停歇。" not in kept, "a lone negation elsewhere protects nothing"


def test_a_bare_date_left_over_from_a_copy_goes_with_it(make_passage, run):
    a = make_passage("门店A的押金为100元，退房后7天内退还。", index=0, trust=0.9)
    b = make_passage("2024年5月3日。门店A的押金为100元，退房后7天内退还。", index=1, trust=0.3)
    out = run([a, b], "押金多少？")
    assert [k.ranked.id for k in out.kept] == ["c0"]
    assert {d.reason for d in out.dropped} == {"duplicate"}


def test_near_copies_by_the_hundred_that_differ_in_a_figure_all_stay(make_passage, run):
    passages = [make_passage(f"商品编号{i:04d}的押金为{i + 2}元，签收后可以申请退还。", index=i) for i in range(200)]
    assert len(run(passages, "押金多少？", top_k=200).kept) == 200


@pytest.mark.parametrize(
    ("text", "lead", "entry"),
    [
        ("起飞限制：\n影院档：6米每秒\n普通档：10米每秒\n请爱护飞机。热爱飞行。", "起飞限制：", "影院档：6米每秒"),
        ("速查\n\n材料 / 喷嘴 / 热床\nPLA / 210℃ / 60℃\nABS / 245℃ / 100℃", "材料 / 喷嘴 / 热床", "ABS / 245℃ / 100℃"),
    ],
)
def test_what_a_line_stands_under_stays_with_it(make_passage, run, text, lead, entry):
    """Without its lead or header an entry is a bare value of nobody knows what."""
    context = render_context(run([make_passage(text, 0.05)], "限制是多少？").kept)
    assert lead in context
    assert entry in context
