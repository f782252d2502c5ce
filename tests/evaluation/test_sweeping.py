"""Recall against degradation, setting by setting, and the sweet spot."""

from __future__ import annotations

import json

import pytest
from evaluator_samples import written_cases

from ragclean.evaluation import NoiseMaker, NoiseSettings
from ragclean.evaluation.degradation import measure
from ragclean.evaluation.records import EvalCase, Judgement, Outcome, Score, Shown
from ragclean.evaluation.sweeping import SweepPoint, grid, recall, sweep, sweet_spot
from ragclean.types import Chunk


@pytest.fixture(scope="module")
def cases():
    return written_cases(8)


def first(question, contexts):
    return contexts[0].text if contexts else "资料中没有提到。"


def last(question, contexts):
    return contexts[-1].text if contexts else "资料中没有提到。"


def test_a_grid_is_every_combination_in_order():
    assert grid(top_k=[4, 8], admission_threshold=[0.4, 0.5]) == [
        {"top_k": 4, "admission_threshold": 0.4}, {"top_k": 4, "admission_threshold": 0.5},
        {"top_k": 8, "admission_threshold": 0.4}, {"top_k": 8, "admission_threshold": 0.5},
    ]  # fmt: skip
    assert grid() == [{}]


def test_recall_counts_gold_chunks():
    case = EvalCase("a", "q", "r", gold=("1", "2"))
    assert recall(case, [Chunk("x", id="2"), Chunk("y", id="3")]) == 0.5
    assert recall(case, []) == 0.0


def test_settings_of_the_corrector(cases):
    found = sweep(cases, first, grid(top_k=[1, 3], admission_threshold=[0.42, 0.99]), pipeline="p")
    by = {(p.settings["top_k"], p.settings["admission_threshold"]): p for p in found.points}
    assert list(by) == [(1, 0.42), (1, 0.99), (3, 0.42), (3, 0.99)]
    assert by[1, 0.42].passages <= 1.0
    assert by[3, 0.99].passages <= by[3, 0.42].passages  # a higher threshold lets no more in
    assert by[3, 0.99].recall <= by[3, 0.42].recall == 1.0
    assert found.best is not None
    plain = found.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["points"][0]["settings"] == {"top_k": 1, "admission_threshold": 0.42}
    assert plain["reason"] == found.reason


class Crowd:
    """A retriever whose k lets more chunks in: the gold chunk of an easy case stands second, of a hard one seventh."""

    def __init__(self, cases):
        self._cases = {c.question: (i, c) for i, c in enumerate(cases)}

    def __call__(self, settings):
        def bring(question):
            i, case = self._cases[question]
            filler = [Chunk(f"第{n}段：与这个问题无关的文字。/ Passage {n} is about something else.", id=f"f{n}") for n in range(12)]
            at = 1 if i < 6 else 6
            ranked = [*filler[:at], case.contexts[0], *filler[at:]]
            return ranked[: settings["k"]]

        return bring


def crowded(question, contexts):
    """Heeds dates while there is little to read; of much it believes what comes first."""
    told = [c for c in contexts if "is about something else" not in c.text]  # ids tell nothing: noise has such ones too
    if not told:
        return contexts[0].text
    return (told[0] if len(contexts) > 9 else max(told, key=lambda c: c.updated_at or c.published_at or "")).text


@pytest.fixture(scope="module")
def widened():
    return written_cases(12)


def test_a_wider_retriever_brings_recall_and_degradation_and_the_best_of_both_is_named(widened):
    found = sweep(widened, crowded, grid(k=[3, 6, 9]), pipeline="p", retrieve=Crowd(widened))
    low, _, high = found.points
    assert [p.recall for p in found.points] == [0.5, 0.5, 1.0]
    assert [p.passages for p in found.points] == [3.0, 6.0, 9.0]
    values = [p.degradation.worst.value for p in found.points]
    assert values[0] == values[1] == 0.0
    assert values[2] > 0.15
    worth = [p.recall * (1 - max(p.degradation.worst.value, 0.0)) for p in found.points]
    assert found.best == worth.index(max(worth))
    assert f"k {found.points[found.best].settings['k']}: recall" in found.reason
    assert low.correctness < high.correctness


def test_contexts_of_the_cases_do_not_leak_into_a_sweep_of_retrievers(cases):
    found = sweep(cases, first, [{"k": 1}], pipeline="p", retrieve=lambda settings: lambda question: [Chunk("nothing", id="n")])
    assert (found.points[0].recall, found.points[0].passages, found.points[0].correctness) == (0.0, 1.0, 0.0)
    assert found.best is None
    assert found.reason == "no setting has a recall above 0 (of cases with gold chunks) and a degradation that can be graded"


def test_a_cleaner_of_ones_own_is_swept(cases):
    found = sweep(cases, first, [{"n": 1}, {"n": 2}], pipeline="p", clean=lambda s: lambda question, contexts: contexts[: s["n"]])
    assert [p.passages for p in found.points] == [1.0, 2.0]


@pytest.mark.parametrize(("settings", "message"), [
    ([], "settings: there is none to try"),
    ([{"top_k": 3}, {"treshold": 0.4}], "'treshold' is neither 'top_k' nor a field"),
    ([{"top_k": 3}, {"admission_threshold": 3}], "admission_threshold"),
])  # fmt: skip
def test_an_unknown_setting_is_named_before_anything_is_run(cases, settings, message):
    def never(question, contexts):
        raise AssertionError("it was run")

    with pytest.raises(ValueError, match=message):
        sweep(cases, never, settings, pipeline="p")


def test_a_retriever_that_does_not_know_a_setting_is_found_before_anything_is_run(cases):
    asked = []

    def maker(settings):
        if "size" in settings:
            raise TypeError("unexpected setting size")
        return lambda question: asked.append(question) or []

    with pytest.raises(TypeError, match="size"):
        sweep(cases, first, [{"k": 1}, {"size": 2}], pipeline="p", retrieve=maker)
    assert asked == []


def test_noise_is_the_same_for_every_setting(cases):
    class Counting(NoiseMaker):
        cases_made = []

        def make(self, case, variant, contexts=None):
            made = super().make(case, variant, contexts)
            Counting.cases_made.append((case.id, made))
            return made

    base = NoiseMaker.of_cases(cases, NoiseSettings())
    sweep(cases, first, grid(top_k=[1, 2]), pipeline="p", noise=Counting(base.corpus, base.settings))
    assert len(Counting.cases_made) == 2 * len(cases)
    assert len({(i, str(m)) for i, m in Counting.cases_made}) == len(cases)


# -- the sweet spot


def point(recall, lost, passages=5.0, base=1.0, **settings):
    def outcome(i, variant, value):
        return Outcome(Shown(f"c{i}", variant, ()), "", Judgement(), Score(value, value, None, None, None, None, False))

    sides = [outcome(i, "v0", base) for i in range(100)], [outcome(i, "v3", base * (i >= 100 * lost)) for i in range(100)]
    return SweepPoint(settings, recall, base, measure(*sides, "v3"), passages)


def test_the_sweet_spot_is_where_most_recall_survives_noise():
    points = [point(0.74, 0.09, k=4), point(0.85, 0.19, k=8), point(0.82, 0.11, k=8, t=0.6)]
    best, reason = sweet_spot(points)
    assert best == 2
    assert reason == "k 8, t 0.6: recall 82.0%, degradation 11.0%; k 8 has 3.0% more recall and +8.0% degradation"


def test_of_equals_the_one_with_fewer_chunks_is_taken():
    assert sweet_spot([point(0.8, 0.1, 6.0, k=6), point(0.8, 0.1, 4.0, k=4), point(0.8, 0.1, 4.0, k=5)])[0] == 1


def test_better_under_noise_is_chance_and_earns_nothing():
    lucky = point(0.5, 0.0, k=1)
    assert sweet_spot([lucky, point(0.6, 0.05, k=2)])[0] == 1


def test_a_setting_that_answers_nothing_is_no_sweet_spot():
    """Hardly any answer is right without noise, so that there was nothing to lose."""
    assert sweet_spot([point(1.0, 0.0, k=1, base=0.1), point(0.6, 0.3, k=2)])[0] == 1
    assert sweet_spot([point(1.0, 0.0, k=1, base=0.1), point(None, 0.3, k=2)])[0] is None
    assert sweet_spot([point(0.7, 0.0, k=1)]) == (0, "k 1: recall 70.0%, degradation 0.0%")
