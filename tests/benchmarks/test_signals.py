"""What the signals are worth on our own cases, and that the benchmark counts as it says."""

import json

import numpy as np
import pytest
from plain_scores import Index, standardised, words
from signal_scores import WAYS, Scoring
from signal_sets import ANSWERS, DOES_NOT, Judged, QuestionSet, unanswerable, with_answers
from signals import admitted, gap, main, measure, order, orders, reliability, summary, thresholds

from ragclean.signals.profile import Profile

GOOD, OTHER = "整机保修24个月，自购买之日起算。", "门店早上九点开门，晚上十点关门。"


def judged(labels, texts=(GOOD, OTHER)):
    return Judged("set", "q", "q", "整机保修多久？", tuple(texts), tuple(labels))


@pytest.fixture
def folder(tmp_path):
    """Two sets of one question each."""
    texts = [
        (GOOD, "gold"),
        ("整机保修12个月。", "conflict"),
        (OTHER, "relevant_noise"),
        ("保修卡的样子。", "irrelevant"),
    ]
    write(tmp_path / "rgb_zh_refine.jsonl", "整机保修多久？", texts)
    write(tmp_path / "nomiracl_zh.jsonl", "退货要几天？", [(OTHER, "relevant_noise"), (GOOD, "relevant_noise")])
    return tmp_path


def write(path, query, texts):
    chunks = [{"id": str(i), "text": text, "label": label} for i, (text, label) in enumerate(texts)]
    row = {"id": "q0", "query": query, "chunks": chunks, "meta": {"subset": "non_relevant"}}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")


def test_texts_that_tie_on_top_count_by_the_share_that_answers():
    assert order(judged([ANSWERS, DOES_NOT]), np.array([0.5, 0.5])) == (0.5, 0.5)
    assert order(judged([ANSWERS, DOES_NOT]), np.array([0.6, 0.5])) == (1.0, 1.0)
    assert order(judged([DOES_NOT, ANSWERS]), np.array([0.6, 0.5])) == (0.0, 0.0)


def test_texts_that_may_answer_are_left_out():
    assert order(judged([ANSWERS, DOES_NOT, -1], "abc"), np.array([0.6, 0.5, 0.9])) == (1.0, 1.0)


def test_reads_what_a_folder_holds_and_no_more(folder):
    public = [s for s in with_answers(folder) if s.name.startswith("rgb")]
    assert [(s.name, s.lang, s.fitted, len(s.questions)) for s in public] == [("rgb_zh_refine", "zh", False, 1)]
    assert sorted(public[0].questions[0].labels) == [DOES_NOT, DOES_NOT, ANSWERS, ANSWERS]
    assert [s.name for s in unanswerable(folder)] == ["nomiracl_zh"]
    assert not list(unanswerable(None))


def test_the_measured_part_of_the_short_texts(tmp_path, monkeypatch):
    texts = [{"text": GOOD, "kind": "answer"}, {"text": OTHER, "kind": "topic"}]
    rows = [{"id": split, "lang": "zh", "query": "整机保修多久？", "split": split, "texts": texts} for split in ("fit", "measure")]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    monkeypatch.setattr("judge_pools.ANSWERS_FILE", path)
    (asked,) = [s for s in with_answers(None) if s.name.startswith("answers")]
    assert (asked.name, asked.fitted) == ("answers zh", False)
    assert [(q.id, q.labels) for q in asked.questions] == [("measure", (ANSWERS, DOES_NOT))]


def test_fitted_sets_are_marked_and_the_frozen_cases_are_none_of_them():
    assert {s.name: s.fitted for s in with_answers(None) if "answers" not in s.name} == {
        "own zh": True, "own en": True, "frozen zh": False, "frozen en": False,
    }  # fmt: skip


def test_every_way_scores_every_text_and_the_clock_knows_its_parts():
    scoring = Scoring("zh", [GOOD, OTHER])
    scores = scoring.scores("整机保修多久？", [OTHER, GOOD])
    assert set(scores) == set(WAYS)
    assert all(values[1] > values[0] for values in scores.values())
    assert scoring.clock.cuts("fusion") > scoring.clock.cuts("judge") > 0.0
    assert scoring.clock.cuts("without judge") is None


def test_leaving_a_signal_out_renormalises_the_weights():
    scores = Scoring("zh", [GOOD, OTHER]).scores("整机保修多久？", [OTHER, GOOD])
    expected = (0.45 * scores["semantic, corroborated"] + 0.15 * scores["keyword"]) / 0.6
    without_corroborated_leads = np.abs(scores["without judge"] - expected)
    assert without_corroborated_leads.max() < 0.05
    expected = (0.40 * scores["judge"] + 0.15 * scores["keyword"]) / 0.55
    assert scores["without semantic"] == pytest.approx(expected, abs=2e-4)


#: A little under what was measured: AUC and top-1 of the judge, then of the fusion.
FLOORS = {
    "own zh": (0.92, 0.90, 0.92, 0.92), "own en": (0.87, 0.87, 0.88, 0.85),
    "frozen zh": (0.90, 0.87, 0.90, 0.84), "frozen en": (0.90, 0.85, 0.87, 0.82),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOORS)
def test_quality_floor_on_our_own_cases(name):
    asked = next(s for s in with_answers(None) if s.name == name)
    measured = measure(asked, every=False)
    found = [float(x) for way in ("judge", "fusion") for x in orders(measured, way).mean(axis=0)]
    assert all(np.array(found) >= FLOORS[name]), found


class Dear:
    """An encoder that is not cheap, and remembers what it was shown."""

    fingerprint, cheap = "dear", False
    profile = Profile("dear", 0.0, 1.0, 0.0, 1.0)

    def __init__(self):
        self.seen = set()

    def encode_queries(self, texts):
        return np.tile(np.array([[1.0, 0.0]], np.float32), (len(texts), 1))

    def encode_passages(self, texts):
        self.seen.update(texts)
        cosines = np.array([min(len(t), 999) / 1000 for t in texts], np.float32)
        return np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1)


def test_less_is_scored_where_less_is_wanted():
    assert set(Scoring("zh").scores("整机保修多久？", [OTHER, GOOD])) == {"judge", "keyword", "fusion"}


def test_a_dear_encoder_reads_every_text():
    texts, encoder = [OTHER * n for n in range(1, 15)], Dear()
    semantic = Scoring("zh", texts, encoder).scores("整机保修多久？", texts)["semantic"]
    assert encoder.seen >= set(texts)
    assert np.all(np.diff(semantic) > 0)


def test_plain_scores_count_words_and_rarity():
    index = Index(["a b", "a c", "a d"], "en")
    assert words("整机保修。A1", "zh") == ["整机", "保修", "a1"]
    assert index.rarity("a") < index.rarity("b")
    assert index.coverage(["b", "b"], [["b"], ["c"]]).tolist() == [1.0, 0.0]
    assert np.argmax(index.bm25(["a", "b"], [["a", "c"], ["a", "b"]])) == 1
    assert standardised(np.array([3.0, 3.0], np.float32)).tolist() == [0.0, 0.0]


def test_the_kept_threshold_keeps_nineteen_of_twenty():
    texts = tuple(f"整机保修{i}个月。" for i in range(1, 21))
    asked = QuestionSet("rgb_zh", "zh", False, (judged([ANSWERS] * 19 + [DOES_NOT], texts),))
    measured = measure(asked)
    found = thresholds([measured], "judge", "zh")
    good = measured.pooled("judge", ANSWERS)
    assert set(found) == {"default", "kept"}
    assert (good >= found["kept"] - 1e-6).mean() >= 0.95
    assert set(thresholds([measured], "judge", "en")) == {"default"}


def test_the_gap_of_scores_that_can_be_taken_at_their_word_is_nil():
    scores = np.repeat(np.array([0.25, 0.75], np.float32), 4)
    assert gap(scores, np.array([1, 0, 0, 0, 1, 1, 1, 0.0])) == pytest.approx(0.0)
    assert gap(scores, np.array([0, 0, 0, 0, 1, 1, 1, 1.0])) == pytest.approx(0.25)


def test_prints_its_tables(folder, capsys):
    assert main(["--data", str(folder), "--n", "2", "--sets", "rgb", "nomiracl"]) == 0
    shown = capsys.readouterr().out
    for part in ("rgb_zh_refine: 1 questions, 4 texts", "0.42 default", "mean gap"):
        assert part in shown


def test_only_our_own_cases_without_a_folder(capsys, monkeypatch):
    monkeypatch.delenv("RAGCLEAN_DATA", raising=False)
    assert main(["--n", "1"]) == 0
    shown = capsys.readouterr().out
    assert "frozen en" in shown
    assert "nomiracl" not in shown


def test_minilm_is_measured_on_english_alone(monkeypatch, capsys):
    monkeypatch.setattr("signals.opened", lambda name: Dear())
    assert main(["--encoder", "minilm", "--n", "1", "--sets", "own"]) == 0
    assert "own zh" not in capsys.readouterr().out


def test_tables_without_sets_to_compare_with():
    asked = QuestionSet("own zh", "zh", True, (judged([ANSWERS, DOES_NOT]),))
    measured = measure(asked)
    assert admitted([], [measured]).row_count == 2
    assert summary([measured]).row_count == len(WAYS)
    assert reliability([measured]).row_count == 11
