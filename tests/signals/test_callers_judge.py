"""A judge of the caller's own among the signals: believed where it spoke, replaced where it failed, never in the way."""

import copy
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from ragclean import NoiseCorrector
from ragclean.signals.judge import FeatureJudge
from ragclean.signals.measured import Fused, better
from ragclean.signals.semantic import StaticEncoder

FIVE = ["To cancel, open Settings, choose Billing and press Cancel plan.", "Our subscription comes with many benefits.",
        "You can upgrade your subscription at any time.", "Cancelled orders are refunded in 5 days.",
        "Subscriptions renew automatically each month."]  # fmt: skip
PARTS = ["电池", "屏幕", "主板", "键盘", "风扇", "电源", "外壳", "摄像头", "扬声器", "充电器", "耳机"]


@pytest.mark.parametrize("parts", [(), ("电池保修期多长？",), ("电池保修期多长？", "屏幕保修期多长？")])
def test_a_page_that_the_judge_rejected_wherever_it_saw_it_stays_rejected(parts):
    texts = [f"{part}的保修说明：请咨询客服了解保修政策。" for part in PARTS] + ["整机保修24个月。"]
    said = {}

    def judge(query, text):
        said.setdefault(text, []).append(0.9 if "24个月" in text else 0.0)
        return said[text][-1]

    result = NoiseCorrector(judge=judge).refine("整机保修期多长？", texts, sub_queries=parts, top_k=20)
    kept = {k.chunk.text: k.signals.judge for k in result.chunks}
    assert kept[texts[-1]] == pytest.approx(0.9)
    assert [text for text in kept if max(said.get(text, [1.0])) == 0.0] == []


@pytest.mark.parametrize("parts", [(), ("电池保修期多长？",)])
def test_only_the_page_that_the_judge_found_is_kept(parts):
    texts = [f"整机保修{i}个月。" for i in range(1, 13)]
    judge = lambda query, text: 0.9 if "保修3个月" in text else 0.0  # noqa: E731
    result = NoiseCorrector(judge=judge).refine("整机保修期多长？", texts, sub_queries=parts)
    kept = {k.chunk.text: k.signals.judge for k in result.chunks if k.signals.judge is not None}
    assert kept == {"整机保修3个月。": pytest.approx(0.9)}


def fused_of(final, judge, judged):
    n = len(final)
    numbers = [np.asarray(values, np.float32) for values in (final, judge)]
    return Fused(
        semantic=np.ones(n, np.float32), judge=numbers[1], keyword=np.ones(n, np.float32), judged=np.array(judged),
        seen=np.ones(n, bool), absence=0.1, final=numbers[0], sentence=np.zeros(0, np.float32), edges=np.zeros(n + 1, int),
    )  # fmt: skip


def test_what_a_judge_said_outweighs_what_was_made_up_without_it():
    a = fused_of([0.3, 0.9, 0.3, 0.2], [0.0, 0.0, 0.1, 0.0], [True, False, True, False])
    b = fused_of([0.8, 0.4, 0.5, 0.6], [0.0, 0.2, 0.4, 0.0], [False, True, True, False])
    for first, second in ((a, b), (b, a)):
        found = better(first, second)
        assert found.final.tolist() == pytest.approx([0.3, 0.4, 0.5, 0.6])
        assert found.judge.tolist() == pytest.approx([0.0, 0.2, 0.4, 0.0])
        assert found.judged.tolist() == [True, True, True, False]


def object_judge(scores):
    return SimpleNamespace(fingerprint="o", cheap=False, score_pairs=scores)


@pytest.mark.parametrize("judge, said", [
    (object_judge(lambda queries, texts: [8.0] * len(texts)), "all 5 scores are outside 0..1"),
    (object_judge(lambda queries, texts: [-3.0 + i for i in range(len(texts))]), "3 of 5 scores are outside 0..1"),
    (lambda query, text: 8, "all 5 scores are outside 0..1"),
])  # fmt: skip
def test_scores_off_the_scale_are_said(judge, said, caplog):
    result = NoiseCorrector(judge=judge).refine("How do I cancel my subscription?", FIVE)
    assert [w.message for w in result.warnings if w.code == "judge_failed" and said in w.message]
    assert said in caplog.text


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("no message")

    __repr__ = __str__


@pytest.mark.parametrize("error", [Silent(), ValueError("密" * 1_000_000), ValueError("\ud800\x00\u202e")])
def test_an_error_of_any_message_brings_in_the_embedded_judge(error):
    def fail(query, text):
        raise error

    result = NoiseCorrector(judge=fail).refine("How do I cancel my subscription?", FIVE)
    warnings = [w for w in result.warnings if w.code == "judge_failed"]
    assert len(warnings) == 1
    assert len(warnings[0].message) < 300 and warnings[0].message.isprintable()
    assert result.chunks[0].signals.judge is not None
    assert not [w for w in result.warnings if w.code == "stage_failed"]


def test_a_judge_that_empties_its_lists_leaves_ours_alone():
    def drain(queries, texts):
        scores = [0.9 if text.startswith("To cancel") else 0.1 for text in texts]
        queries.clear()
        texts.clear()
        return scores

    result = NoiseCorrector(judge=object_judge(drain)).refine("How do I cancel my subscription?", FIVE)
    assert not [w for w in result.warnings if w.code == "judge_failed"]
    assert result.chunks[0].signals.judge == pytest.approx(0.9)


@pytest.mark.parametrize("copied", [lambda c: pickle.loads(pickle.dumps(c)), copy.copy, copy.deepcopy], ids=["pickle", "copy", "deep"])
def test_a_corrector_with_the_embedded_parts_travels(copied):
    corrector = NoiseCorrector(judge=FeatureJudge(), encoder=StaticEncoder())
    before = corrector.refine("How do I cancel my subscription?", FIVE)
    assert copied(corrector).refine("How do I cancel my subscription?", FIVE).text == before.text
