"""What stands before the model: corrector, rerank or nothing; each under a fingerprint of its own."""

from __future__ import annotations

import asyncio
import threading

import pytest
from evaluator_samples import written_cases

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.evaluation.cleaning import Corrected, Kept, VectorRerank, cleaned, corrected_by, raw, version_of
from ragclean.evaluation.evaluating import evaluate
from ragclean.evaluation.records import EvalCase
from ragclean.types import Chunk

QUESTION = "X200 的保修期是多久？"
GOLD = Chunk("X200 的保修期为24个月，自发票开具之日起计算。", id="gold", source="official_policy", updated_at="2025-03-01")
OLD = Chunk("X200 的保修期为12个月，自发票开具之日起计算。", id="old", source="official_policy", updated_at="2021-03-01", expires_at="2022-01-01")
FOOD = Chunk("本周食堂供应红烧排骨和番茄蛋汤，欢迎品尝。", id="food", source="marketing")
CONTEXTS = (FOOD, OLD, GOLD)


def test_raw_contexts_are_left_alone():
    assert raw(QUESTION, CONTEXTS) is CONTEXTS


def test_rerank_brings_the_nearest_first_and_no_more_than_asked_for():
    found = VectorRerank(2)(QUESTION, CONTEXTS)
    assert {c.id for c in found} == {"gold", "old"}
    assert VectorRerank(5)(QUESTION, ()) == ()


def test_the_corrector_leaves_verbatim_sentences_and_drops_what_is_stale(corrector):
    found = Corrected(corrector, cases=[EvalCase("a", QUESTION, as_of="2025-06-01")])(QUESTION, CONTEXTS)
    assert [c.id for c in found] == ["gold"]
    assert found[0].text in GOLD.text


def test_a_corrector_that_only_observes_changes_nothing():
    observing = NoiseCorrector(config=CorrectorConfig(mode="observe"))
    assert Corrected(observing)(QUESTION, CONTEXTS) is CONTEXTS


def test_a_question_is_judged_by_the_day_of_its_case(corrector):
    before = Corrected(corrector, cases=[EvalCase("a", QUESTION, as_of="2021-06-01")])
    after = Corrected(corrector, cases=[EvalCase("a", QUESTION, as_of="2025-06-01")])
    contexts = (OLD,)
    assert [c.id for c in before(QUESTION, contexts)] == ["old"]
    assert before(QUESTION, CONTEXTS) != after(QUESTION, CONTEXTS)


def test_one_question_on_two_days_is_warned_of(corrector, caplog):
    cases = [EvalCase("a", QUESTION, as_of="2025-06-01"), EvalCase("b", QUESTION, as_of="2021-06-01")]
    Corrected(corrector, cases=cases)
    assert "asked on 2025-06-01 and on 2021-06-01" in caplog.text


def test_fingerprints_differ_with_what_the_answers_depend_on(corrector):
    versions = [
        version_of(raw), version_of(VectorRerank(3)), version_of(VectorRerank(4)), version_of(Corrected(corrector)),
        version_of(Corrected(corrector, top_k=3)), version_of(corrected_by({"admission_threshold": 0.6}, corrector)),
        version_of(corrected_by({"protection": "graded"}, corrector)),
    ]  # fmt: skip
    assert len(set(versions)) == len(versions)
    assert version_of(Corrected(NoiseCorrector())) == version_of(Corrected(corrector))
    assert version_of(Kept(VectorRerank(3))) == version_of(VectorRerank(3))


@pytest.mark.parametrize(("settings", "message"), [
    ({"admision_threshold": 0.5}, "'admision_threshold' is neither 'top_k' nor a field of CorrectorConfig"),
    ({"admission_threshold": 7}, "admission_threshold"),
    ({"top_k": 0}, "top_k: expected a whole number from 1 on, got 0"),
    ({"top_k": "8"}, "top_k: expected a whole number from 1 on, got '8'"),
    ({"top_k": True}, "top_k"),
])  # fmt: skip
def test_settings_that_are_none_are_named(settings, message, corrector):
    with pytest.raises(ValueError, match=message):
        corrected_by(settings, corrector)


@pytest.mark.parametrize("made", [lambda: VectorRerank(0), lambda: Corrected(top_k=-1)])
def test_a_top_k_below_one_is_refused_at_once(made):
    with pytest.raises(ValueError, match="top_k: expected a whole number from 1 on"):
        made()


def test_what_was_cleaned_is_kept_and_contexts_with_metadata_too():
    calls = []

    def clean(question, contexts):
        calls.append(question)
        return contexts[:1]

    kept = Kept(clean)
    contexts = [Chunk("a", id="1", metadata={"page": [1, 2]}), Chunk("b", id="2")]
    assert kept("q", contexts) == kept("q", tuple(contexts)) == (contexts[0],)
    assert len(calls) == 1
    kept("another", contexts)
    assert len(calls) == 2


def test_an_application_behind_a_cleaner_stays_what_it_was():
    class Model:
        endpoint = object()

        def __call__(self, question, contexts):
            return contexts[0].text

        async def ask(self, question, contexts):
            await asyncio.sleep(0)
            return contexts[0].text

    model = Model()

    def first(question, contexts):
        return contexts[-1:]

    assert cleaned(model, first)("q", CONTEXTS) == GOLD.text
    assert asyncio.run(cleaned(model.ask, first)("q", CONTEXTS)) == GOLD.text
    for behind in (cleaned(model, first), cleaned(model.ask, first)):  # so that a judge of its own answers is still seen
        assert behind.endpoint is model.endpoint


def test_an_async_application_runs_behind_the_corrector(corrector):
    cases, threads = written_cases(6), set()

    async def application(question, contexts):
        threads.add(threading.get_ident())
        return contexts[0].text if contexts else ""

    report = evaluate(cases, cleaned(application, Corrected(corrector, cases=cases)), pipeline="p", check="off", variants=("v0",))
    assert not [o.failed for o in report.outcomes if o.failed]
    assert len(threads) == 1
