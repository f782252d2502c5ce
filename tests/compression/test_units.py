"""Steps, source code and answers stay whole; a heading never stands for the content that went."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragclean.arbitration.verdict import Verdict
from ragclean.compression.layout import render, render_context
from ragclean.compression.units import find_units, is_configuration
from ragclean.prepare import prepare_text
from ragclean.tokencount import estimate_tokens

BOTH = pytest.mark.parametrize("protection", ["all", "graded"])


def texts(out):
    return [s.text for kept in out.kept for s in render(kept)[1]]


class TestSteps:
    LISTS = (
        "1. 打开前盖并取出滤篮。\n2. 用软毛刷清理滤网。\n3. 静置30分钟后装回。",
        "① 打开前盖并取出滤篮。\n② 用软毛刷清理滤网。\n③ 静置30分钟后装回。",
        "第一步，打开前盖并取出滤篮。\n第二步，用软毛刷清理滤网。\n第三步，静置30分钟后装回。",
        "首先打开前盖并取出滤篮。然后用软毛刷清理滤网。最后静置30分钟后装回。",
        "(1) Open the front lid.\n(2) Brush the mesh gently.\n(3) Wait 30 minutes and close it.",
        "First open the front lid. Then brush the mesh gently. Finally wait 30 minutes and close it.",
    )

    @BOTH
    @pytest.mark.parametrize("steps", LISTS)
    def test_one_step_of_what_to_do_brings_all(self, make_passage, run, protection, steps):
        text = f"{steps}\n\n晚风轻轻吹过山岗，花儿静静地开放。\n"
        n = len(prepare_text(text).sentences)
        out = run([make_passage(text, [0.02] * (n - 2) + [0.6, 0.02])], "咖啡机出水慢怎么办？", protection=protection)
        assert render_context(out.kept).startswith(steps)

    def test_most_of_a_list_brings_the_rest_whatever_is_asked_and_less_does_not(self, make_passage, run):
        text = "1. 外壳为铝制。\n2. 把手为木制。\n3. 底座为石制。\n4. 灯罩为纸制。\n"
        assert len(texts(run([make_passage(text, [0.6, 0.6, 0.02, 0.02])], "外壳是什么材质？"))) == 4
        assert len(texts(run([make_passage(text, [0.6, 0.02, 0.02, 0.02])], "外壳是什么材质？"))) == 1

    @pytest.mark.parametrize("field", ["lost_sentences", "out_of_scope_sentences"])
    def test_a_step_that_lost_or_is_about_another_thing_goes_all_the_same(self, make_passage, run, field):
        out = run([make_passage(self.LISTS[0], 0.02)], "出水慢怎么办？", Verdict(**{field: {(0, 1): "why"}}))
        assert texts(out) == ["1. 打开前盖并取出滤篮。", "3. 静置30分钟后装回。"]

    def test_a_catalogue_is_no_procedure(self, make_passage, run):
        text = "\n".join(f"{i}. 晚风吹过第{'东西南北'[i % 4]}边的山岗。" for i in range(1, 41))
        out = run([make_passage(text, [0.9] + [0.01] * 39)], "出水慢怎么办？")
        assert len(texts(out)) == 1

    def test_a_step_that_stands_elsewhere_too_stays_in_its_list(self, make_passage, run):
        other = "1. 打开前盖并取出滤篮。\n2. 换上随机附送的新密封圈。"
        passages = [make_passage(self.LISTS[0], 0.5, index=0, trust=0.9), make_passage(other, 0.5, index=1)]
        out = run(passages, "出水慢怎么办？")
        assert render_context(out.kept) == f"{self.LISTS[0]}\n\n{other}"


class TestCode:
    PROGRAM = (
        "```python\nimport loom\n\ndef weave(pattern):\n    frame = loom.Frame(width=40)\n"
        "    frame.load(pattern)\n    return frame.run()\n```"
    )

    @BOTH
    def test_a_program_stays_whole(self, make_passage, run, protection):
        text = f"{self.PROGRAM}\n\nThe evening breeze crosses the hills."
        n = len(prepare_text(text).sentences)
        r = make_passage(text, [0.0, 0.0, 0.0, 0.9] + [0.0] * (n - 4))
        assert render_context(run([r], "loom frame width?", protection=protection).kept) == self.PROGRAM

    @BOTH
    def test_how_to_brings_the_code_that_a_kept_sentence_introduces(self, make_passage, run, protection):
        text = f"Weave a pattern as follows:\n{self.PROGRAM}\n\nThe evening breeze crosses the hills."
        n = len(prepare_text(text).sentences)
        r = make_passage(text, [0.9] + [0.0] * (n - 1))
        out = run([r], "How do I weave a pattern?", protection=protection)
        assert self.PROGRAM in render_context(out.kept)

    def test_a_long_block_is_still_cut_by_lines(self, make_passage, run):
        body = "\n".join(f"call {'abcdefghij'[i % 10]} (frame);" for i in range(80))
        text = f"```c\n{body}\nstart(frame, 77);\n```"
        n = len(prepare_text(text).sentences)
        out = run([make_passage(text, [0.0] * (n - 2) + [0.9, 0.0])], "start?")
        assert len(texts(out)) < 10

    def test_settings_are_told_from_programs(self):
        assert is_configuration(["client:", "read:", "timeout: 45s", "- first", "# note"])
        assert is_configuration(["[client]", 'name = "loom"', "width = 40"])
        assert not is_configuration(["frame = loom.frame(width=40)", "width = 40"])
        assert not is_configuration(["int width = 40;"])
        assert not is_configuration(["loom run pattern", "loom stop"])

    def test_a_budget_takes_a_program_whole_or_leaves_it(self, make_passage, run):
        text = f"The frame is 40 cm wide.\n\n{self.PROGRAM}"
        for budget in range(8, 60, 4):
            kept = render_context(run([make_passage(text, 0.5)], "How wide is the frame?", max_tokens=budget).kept)
            assert self.PROGRAM in kept or "```" not in kept


class TestExchange:
    FAQ = (
        "问：换锁要带什么？\n答：请带上购房合同。没有合同的可以出示缴费单，15天内开具的有效。\n"
        "问：换锁收费吗？\n答：每次80元。"
    )

    def test_the_end_of_an_answer_brings_its_beginning(self, make_passage, run):
        out = run([make_passage(self.FAQ, [0.1, 0.01, 0.1, 0.9, 0.9])], "换锁收费多少？")
        assert "问：换锁要带什么？\n答：请带上购房合同。没有合同的" in render_context(out.kept)

    @pytest.mark.parametrize("max_tokens", range(4, 70, 2))
    def test_no_budget_leaves_the_end_of_an_answer_below_its_question(self, make_passage, run, max_tokens):
        kept = texts(run([make_passage(self.FAQ, [0.9, 0.1, 0.6, 0.1, 0.1])], "换锁要带什么？", max_tokens=max_tokens))
        assert "没有合同的可以出示缴费单，15天内开具的有效。" not in kept or "答：请带上购房合同。" in kept

    def test_a_question_whose_answer_lost_goes_for_the_same_reason(self, make_passage, run):
        faq = "问：60岁以上换锁收费吗？\n答：每次80元。\n问：周末上门吗？\n答：周末9点后上门。"
        out = run([make_passage(faq, 0.3)], "换锁收费多少？", Verdict(lost_sentences={(0, 1): "older"}))
        assert texts(out) == ["问：周末上门吗？", "答：周末9点后上门。"]
        assert {d.reason for d in out.dropped} == {"lost_conflict"}
        assert not {(0, 0), (0, 1)} & out.untouchable


class TestHeadings:
    def test_a_chunk_whose_content_lost_goes_with_its_heading(self, make_passage, run):
        a = make_passage("# 2023年押金\n\n押金为100元。", index=0)
        b = make_passage("押金自本月起为200元。", index=1)
        out = run([a, b], "押金多少？", Verdict(lost_sentences={(0, 1): "older"}))
        assert texts(out) == ["押金自本月起为200元。"]
        assert {d.reason for d in out.dropped} == {"lost_conflict"}

    def test_a_chunk_of_copies_goes_with_its_heading(self, make_passage, run):
        fact = "押金为100元，退房后7天内原路退还。"
        passages = [make_passage(fact, index=0, trust=0.9), make_passage(f"# 2023年押金\n\n{fact}", index=1)]
        out = run(passages, "押金多少？")
        assert texts(out) == [fact]
        assert {d.reason for d in out.dropped} == {"duplicate"}

    def test_the_only_chunk_is_never_emptied(self, make_passage, run):
        out = run([make_passage("# 押金\n\n押金为100元。")], "押金多少？", Verdict(lost_sentences={(0, 1): "older"}))
        assert texts(out) == ["# 押金"]

    @pytest.mark.parametrize("max_tokens", range(1, 40, 3))
    def test_no_budget_leaves_a_heading_alone(self, make_passage, run, max_tokens):
        text = "# 整机保修18个月\n\n自签收之日起计算，凭发票在任意门店办理。人为损坏不在此列。"
        out = run([make_passage(text, [0.9, 0.3, 0.2])], "保修多久？", max_tokens=max_tokens)
        kept = texts(out)
        assert kept
        assert kept != ["# 整机保修18个月"]
        if estimate_tokens(render_context(out.kept)) > max_tokens:
            (caution,) = [c for c in out.cautions if c.code == "token_budget_exceeded"]
            assert "its best sentence alone takes " in caution.message


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(
            ["1. 开盖。", "2. 清理30次。", "3. 装回。", "```", "```py", "f(x)", "a: 1", "问：几元？", "答：5元。好的。", "# 题", "花开。", ""]
        ),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from(["all", "graded"]),
    st.one_of(st.none(), st.integers(1, 60)),
)  # fmt: skip
def test_any_mixture_stays_in_order_and_is_never_emptied(make_passage, run, lines, protection, max_tokens):
    r = make_passage("\n".join(lines), 0.2)
    out = run([r], "怎么办？", protection=protection, max_tokens=max_tokens)
    assert bool(out.kept) == bool(r.prepared.sentences)
    for kept in out.kept:
        assert list(kept.sentences) == sorted(set(kept.sentences))


@pytest.mark.parametrize("unit", ["1. a\n", "```\n", "Q: a?\nA: b.\n", "第一步 ", "① ", "first "])
def test_units_of_hostile_text(unit):
    find_units(prepare_text(unit * 5000))
