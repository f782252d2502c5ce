# ruff: noqa: E501
"""The judge tells an answer from a text about the same topic."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.prepare import prepare_text
from ragclean.signals.base import JudgeScorer
from ragclean.signals.judge import FeatureJudge, FunctionJudge
from ragclean.signals.judge_model import LinearModel, embedded_model
from ragclean.text.question import parse_question

judge = FeatureJudge()


def scores(query: str, *texts: str) -> list[float]:
    return [float(s) for s in judge.score_pairs([query] * len(texts), texts)]


def test_is_a_cheap_judge() -> None:
    assert isinstance(judge, JudgeScorer)
    assert judge.cheap
    assert judge.fingerprint


@pytest.mark.parametrize(
    "query, answer, noise",
    [
        ("蓝鹊Z9烤箱整机保修多久？", "蓝鹊Z9烤箱整机保修24个月，自购买之日起算。", "蓝鹊Z9烤箱怎么查保修？打开官网，点击保修查询即可。"),
        ("蓝鹊Z9烤箱整机保修多久？", "整机保修两年。", "蓝鹊Z9烤箱全新上市，整机保修无忧，限时抢购，先到先得！"),
        ("蓝鹊Z9烤箱整机保修多久？", "Z9整机保修24个月。", "蓝鹊Z7烤箱整机保修12个月。"),
        ("图书证补办要多少钱？", "补办图书证每张收费15元。", "补办图书证请携带身份证到服务台登记。"),
        ("图书证补办要多少钱？", "补证工本费15元。", "请问图书证补办要多少钱？有人知道吗？在线等。"),
        ("旧款支不支持快充？", "旧款不支持快充。", "快充头和旧款的对比评测见下期节目。"),
        ("退换的运费谁承担？", "质量问题退换的运费由商家承担。", "退换的运费单请妥善保存。"),
        ("How long are audit logs kept?", "Audit logs are kept for 90 days.", "How to search the audit logs: open the console and type a name."),
        ("What is the late fee for the gym?", "The gym adds a late fee of $12.", "Late again? Our gym loves night owls, join the late crew!"),
        ("How long is the T-88 kettle covered?", "The T-88 is covered for two years.", "The T-90 kettle is covered for one year."),
        ("Can I bring a dog into the cabin?", "Dogs are not allowed in the cabin.", "Can anyone say if I can bring a dog into the cabin?"),
        ("Where is the spare key kept?", "The spare key is kept in Reading, at the Oxford Road depot.", "The spare key costs little to copy."),
        ("Who pays for return shipping?", "Return shipping is paid by the buyer.", "Return shipping labels are printed at home."),
    ],
)  # fmt: skip
def test_an_answer_beats_the_same_topic(query: str, answer: str, noise: str) -> None:
    good, bad = scores(query, answer, noise)
    assert good > bad


def test_an_answer_beats_another_subject_by_far() -> None:
    good, bad = scores("蓝鹊Z9烤箱整机保修多久？", "蓝鹊Z9烤箱整机保修24个月。", "明天多云转晴，最高气温24度。")
    assert good > 0.5
    assert bad < 0.2


def test_a_buried_answer_counts() -> None:
    filler = "本公司成立多年，感谢各位的支持与厚爱。" * 8
    buried, without = scores("整机保修多久？", filler + "整机保修24个月。" + filler, filler)
    assert buried > 0.4
    assert buried > 3 * without


def test_any_part_of_a_question_counts() -> None:
    query = "违约金多少，要提前几天申请？"
    fee, notice, neither = scores(query, "违约金为500元。", "须提前10天申请。", "违约金的申请表见附件。")
    assert min(fee, notice) > neither


def test_another_year_is_marked_down() -> None:
    right, wrong = scores("2023年的报名费是多少？", "2023年报名费为80元。", "2019年报名费为60元。")
    assert right > wrong


def test_sentence_scores_belong_to_the_sentences() -> None:
    prepared = [prepare_text("感谢惠顾。整机保修24个月。欢迎再来。"), prepare_text(""), prepare_text("整机保修两年。")]
    told = judge.score_prepared(parse_question("整机保修多久？"), prepared)
    chunks, sentences = told.passages, told.sentences
    assert chunks.shape == (3,)
    assert [len(s) for s in sentences] == [len(p.sentences) for p in prepared]
    assert int(np.argmax(sentences[0])) == 1
    assert chunks[1] == 0.0


def test_score_pairs_is_score_prepared() -> None:
    texts = ["整机保修24个月。", "欢迎再来。", "The gym opens at 9."]
    query = "整机保修多久？"
    told = judge.score_prepared(parse_question(query), [prepare_text(t) for t in texts])
    assert judge.score_pairs([query] * 3, texts).tolist() == told.passages.tolist()


def test_pairs_of_different_queries() -> None:
    queries, texts = ["整机保修多久？", "When does the gym open?"], ["整机保修24个月。", "The gym opens on 3 May 2024."]
    assert (judge.score_pairs(queries, texts) > 0.3).all()
    assert judge.score_pairs([], []).shape == (0,)
    with pytest.raises(ValueError, match="2 queries for 1 texts"):
        judge.score_pairs(queries, texts[:1])


@given(st.text(max_size=60), st.lists(st.text(max_size=200), max_size=4))
@settings(max_examples=150, deadline=None)
def test_any_text(query: str, texts: list[str]) -> None:
    result = judge.score_pairs([query] * len(texts), texts)
    assert result.shape == (len(texts),)
    assert np.isfinite(result).all()
    assert ((result >= 0) & (result <= 1)).all()


def test_a_text_whose_answer_others_give_too_scores_higher() -> None:
    query, text = "整机保修多久？", "整机保修24个月。"
    alone = scores(query, text, "欢迎光临本店。", "门店周一休息。")[0]
    backed = scores(query, text, "本机的保修期是24个月。", "保修24个月，请保留发票。")[0]
    assert backed > alone


def test_texts_in_another_order_score_the_same() -> None:
    query, texts = "How long is the warranty?", ["It is 24 months.", "The warranty is 2 years.", "Welcome!"]
    assert scores(query, *texts)[::-1] == pytest.approx(scores(query, *texts[::-1]), abs=1e-5)


def test_absence_is_likelier_where_no_text_answers() -> None:
    question = parse_question("蓝鹊Z9烤箱整机保修多久？")
    around = ["蓝鹊Z9烤箱怎么查保修？打开官网查询即可。", "蓝鹊Z9烤箱容量60升，支持热风。", "感谢选购蓝鹊产品。"]
    without = judge.score_prepared(question, [prepare_text(t) for t in around])
    answered = judge.score_prepared(question, [prepare_text(t) for t in [*around, "蓝鹊Z9烤箱整机保修24个月。"]])
    assert 0.0 < answered.absence < without.absence < 1.0
    assert judge.score_prepared(question, []).absence == 0.0


def test_the_shipped_model_is_small_numbers_and_part_of_the_fingerprint() -> None:
    raw = files("ragclean.models").joinpath("judge", "weights.json").read_bytes()
    assert len(raw) < 2_000_000
    assert embedded_model().checksum in judge.fingerprint
    sentence = embedded_model().sentence
    flipped = replace(embedded_model(), sentence=replace(sentence, weights=-sentence.weights), checksum="other")
    other = FeatureJudge(flipped)
    assert other.fingerprint != judge.fingerprint
    told = other.score_prepared(parse_question("整机保修多久？"), [prepare_text("感谢惠顾。整机保修24个月。")])
    assert int(np.argmax(told.sentences[0])) == 0


def test_a_model_survives_json() -> None:
    model = embedded_model().passage
    back = LinearModel.from_dict(json.loads(json.dumps(model.to_dict())))
    assert back.names == model.names and back.bias == model.bias
    assert np.allclose(back.weights, model.weights) and np.allclose(back.scales, model.scales)


def test_an_odd_value_of_a_feature_counts_only_so_far() -> None:
    ones = np.ones(1, np.float32)
    model = LinearModel(("a",), 0 * ones, ones, ones, 0.0)
    assert model.logit({"a": 1e6 * ones})[0] == model.logit({"a": 5 * ones})[0] == 5.0


@pytest.mark.parametrize("piece", ["1", "一", "(", "1.", " ", "a ", "/a", "请", "?", "是"])
def test_hostile_text(piece: str) -> None:
    huge = piece * (200_000 // len(piece))
    assert 0.0 <= scores("K30 一保修多久 /a", huge)[0] <= 1.0


class TestFunctionJudge:
    def test_one_by_one_and_batched(self) -> None:
        single = FunctionJudge(lambda q, t: len(t) / 10, "length-1")
        batched = FunctionJudge(lambda qs, ts: [len(t) / 10 for t in ts], "length-2", batched=True, cheap=True)
        for each in (single, batched):
            assert isinstance(each, JudgeScorer)
            assert each.score_pairs(["q", "q"], ["ab", "abcd"]).tolist() == pytest.approx([0.2, 0.4])
            assert each.score_pairs([], []).shape == (0,)
        assert not single.cheap
        assert batched.cheap
        assert single.fingerprint == "length-1"

    def test_clamps_with_a_warning(self, caplog: pytest.LogCaptureFixture) -> None:
        values = iter([float("nan"), -1.0, 7.0, 0.5])
        each = FunctionJudge(lambda q, t: next(values), "odd")
        with caplog.at_level(logging.WARNING):
            found = each.score_pairs(["q"] * 4, ["t"] * 4)
        assert np.isnan(found[0])
        assert found[1:].tolist() == [0.0, 1.0, 0.5]
        assert "odd" in caplog.text
        assert "2 of 4" in caplog.text

    def test_a_pair_that_fails_has_no_score_and_sinks_no_other(self, caplog: pytest.LogCaptureFixture) -> None:
        each = FunctionJudge(lambda q, t: 1 / len(t), "inverse")
        found = each.score_pairs(["q"] * 3, ["ab", "", "a"])
        assert np.isnan(found[1])
        assert found[[0, 2]].tolist() == [0.5, 1.0]
        assert "1 of 3" in caplog.text
        with pytest.raises(ZeroDivisionError):
            each.score_pairs(["q"] * 2, ["", ""])

    def test_wrong_shapes_and_types_are_named(self) -> None:
        with pytest.raises(ValueError, match=r"shape \(2,\), got \(1,\)"):
            FunctionJudge(lambda q, t: [0.5], "short", batched=True).score_pairs(["q", "q"], ["a", "b"])
        with pytest.raises(ValueError, match="expected 1 numbers"):
            FunctionJudge(lambda q, t: "high", "words").score_pairs(["q"], ["a"])
        with pytest.raises(ValueError, match="fingerprint"):
            FunctionJudge(lambda q, t: 0.5, "")
        with pytest.raises(TypeError, match="function"):
            FunctionJudge("bge", "x")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="1 queries for 2 texts"):
            FunctionJudge(lambda q, t: 0.5, "x").score_pairs(["q"], ["a", "b"])


def test_a_series_includes_its_models():
    judge = FeatureJudge()
    query = "M4 Plus 音箱的质保从哪天算起？"
    series, other = judge.score_pairs([query] * 2, ["M4系列音箱的质保从激活之日算起。", "M5音箱的质保从激活之日算起。"])
    assert series > 2 * other
