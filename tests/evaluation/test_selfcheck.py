"""The evaluator's check of itself: an honest judge and honest noise pass, and nobody else does."""

from __future__ import annotations

import random
import threading
from dataclasses import replace

import pytest
from evaluator_samples import written_cases

from ragclean.evaluation.cases import read_cases
from ragclean.evaluation.evaluating import evaluate
from ragclean.evaluation.judging import Unjudged, assemble
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.records import ClaimVerdict, Judgement, PointVerdict
from ragclean.evaluation.running import WEEKLY
from ragclean.evaluation.selfcheck import ESSENTIAL, ESSENTIAL_V3, self_check, self_check_calls, verdict

SETTINGS = NoiseSettings(on_empty_band="nearest")


@pytest.fixture(scope="module")
def cases():
    return written_cases(8)


@pytest.fixture(scope="module")
def maker(cases):
    return NoiseMaker.of_cases(cases, SETTINGS)


def checked(cases, judge, maker, **options):
    found = {c.name: c for c in self_check(cases, judge, noise=maker, **options)}
    return found, verdict(tuple(found.values()), options.get("variants", ("v0", "v3")))


def failed(found):
    return {name for name, check in found.items() if check.passed is False}


class Judge:
    """The offline judge's verdict, changed."""

    fingerprint = "a judge of a test"

    def judge(self, question, answer, case, shown):
        return self.changed(OfflineJudge().judge(question, answer, case, shown), shown)

    def changed(self, judgement, shown):
        return judgement


def supported(judgement, shown):
    first = shown.trusted[0] if shown.trusted else None
    claims = (ClaimVerdict(c.claim, "supported", first.text, first.id) if first else c for c in judgement.claims)
    return replace(judgement, claims=tuple(claims))


def covered(judgement):
    return replace(judgement, points=tuple(PointVerdict(p.point, True, False, p.evidence) for p in judgement.points))


def test_the_offline_judge_and_honest_noise_pass(cases, maker):
    found, passed = checked(cases, OfflineJudge(), maker, variants=WEEKLY)
    assert passed is True
    assert not [name for name, check in found.items() if not check.passed]
    assert found.keys() >= {*ESSENTIAL, *ESSENTIAL_V3, "quotes", "refusals", "contexts", "noise v1", "noise v2", "noise v3", "noise v4"}
    assert found["oracle"].cases == 8


@pytest.mark.slow
@pytest.mark.parametrize("full", [False, True])
def test_the_offline_judge_passes_on_long_real_contexts(root, full):
    real = read_cases(root / "tests" / "data" / "cases.jsonl")
    _, passed = checked(real, OfflineJudge(), NoiseMaker.of_cases(real, SETTINGS), full=full)
    assert passed is True


# -- bad judges


class Yes(Judge):
    def changed(self, judgement, shown):
        return replace(covered(supported(judgement, shown)), refusal=False)


class YesToTheTwoQuestions:
    """Says yes to every question, with whatever stands there for evidence, and has its answers put together."""

    fingerprint = "always yes"

    def judge(self, question, answer, case, shown):
        return assemble(self, question, answer, case, shown)

    def support(self, question, answer, claims, contexts):
        return [ClaimVerdict(c, "supported", contexts[0].text, contexts[0].id) for c in claims]

    def coverage(self, question, answer, reference, points):
        return [PointVerdict(p, True, False, answer) for p in points]


class No(Judge):
    def changed(self, judgement, shown):
        claims = tuple(ClaimVerdict(c.claim, "not_mentioned") for c in judgement.claims)
        return replace(judgement, claims=claims, points=tuple(PointVerdict(p.point, False) for p in judgement.points))


class Coin(Judge):
    def __init__(self):
        self._rng, self._lock = random.Random(7), threading.Lock()

    def changed(self, judgement, shown):
        with self._lock:
            yes = [self._rng.random() < 0.5 for _ in (*judgement.claims, *judgement.points)]
        claims = [ClaimVerdict(c.claim, "supported", "x", "c") if y else ClaimVerdict(c.claim, "not_mentioned")
                  for c, y in zip(judgement.claims, yes, strict=False)]  # fmt: skip
        points = [PointVerdict(p.point, y) for p, y in zip(judgement.points, yes[len(claims):], strict=True)]
        return replace(judgement, claims=tuple(claims), points=tuple(points))


class NeverSeesRefusals(Judge):
    def changed(self, judgement, shown):
        return replace(judgement, refusal=False)


class AdoptsContradictions(Judge):
    def changed(self, judgement, shown):
        return covered(judgement) if any(p.contradicted for p in judgement.points) and shown.injected else judgement


class SupportsEverything(Judge):
    def changed(self, judgement, shown):
        return supported(judgement, shown)


@pytest.mark.parametrize(("judge", "what"), [
    (Yes(), {"strangers", "refusals", "contradictions"}),
    (YesToTheTwoQuestions(), {"strangers", "contradictions"}),
    (No(), {"oracle", "quotes"}),
    (Coin(), {"oracle", "strangers", "agreement"}),
    (NeverSeesRefusals(), {"refusals"}),
    (AdoptsContradictions(), {"contradictions"}),
    (SupportsEverything(), {"strangers", "contradictions"}),
], ids=lambda x: type(x).__name__)  # fmt: skip
def test_a_judge_that_cannot_judge_fails(cases, maker, judge, what):
    found, passed = checked(cases, judge, maker)
    assert passed is False
    assert failed(found) >= what
    if type(judge) in (NeverSeesRefusals, AdoptsContradictions, SupportsEverything):  # nothing else is wrong with it
        assert failed(found) == what


def test_a_judge_that_supports_everything_is_caught_without_contradictions_as_well(cases, maker):
    found, passed = checked(cases, SupportsEverything(), maker, variants=("v0", "v1"))
    assert (passed, failed(found)) == (False, {"strangers"})
    assert "faithfulness of other cases' references: 1.00" in found["strangers"].detail


class ChangesItsMind(Judge):
    """Right, and of another mind about every third claim when it is asked of the same answer again."""

    def __init__(self):
        self._seen, self._lock = {}, threading.Lock()

    def judge(self, question, answer, case, shown):
        judgement = super().judge(question, answer, case, shown)
        with self._lock:
            times = self._seen[question, answer, shown] = self._seen.get((question, answer, shown), 0) + 1
        if times == 1 or not judgement.claims or int(case.id[1:]) % 3:
            return judgement
        claims = tuple(ClaimVerdict(c.claim, "contradicted" if c.support == "supported" else "supported", "x") for c in judgement.claims)
        return replace(judgement, claims=claims)


def test_a_judge_that_is_right_and_changes_its_mind_fails_agreement_alone(cases, maker):
    found, passed = checked(cases, ChangesItsMind(), maker)
    assert (passed, failed(found)) == (False, {"agreement"})
    assert "w00" in found["agreement"].detail


class WithAgain(Judge):
    """Keeps what it said, as a judge behind a cache does; asked to judge anew, it says the opposite."""

    asked_anew = 0

    def again(self):
        WithAgain.asked_anew += 1
        return No()


def test_a_judge_is_asked_anew_where_it_knows_how(cases, maker):
    found, passed = checked(cases, WithAgain(), maker)
    assert WithAgain.asked_anew > 0
    assert (passed, failed(found)) == (False, {"agreement"})


class Fails(Judge):
    """No verdict on three of four answers."""

    def changed(self, judgement, shown):
        return judgement if int(shown.case_id[1:]) % 4 == 0 else Judgement(failed="the endpoint is gone")


class FailsInHalf(YesToTheTwoQuestions):
    def support(self, question, answer, claims, contexts):
        raise Unjudged("the endpoint is gone")


class Raises(Judge):
    def judge(self, question, answer, case, shown):
        raise TimeoutError("nobody there")


@pytest.mark.parametrize("judge", [Fails(), FailsInHalf(), Raises()], ids=lambda x: type(x).__name__)
def test_a_judge_without_verdicts_does_not_pass(cases, maker, judge):
    found, passed = checked(cases, judge, maker)
    assert passed is False
    assert "have no verdict" in found["oracle"].detail
    assert found["agreement"].passed is None


# -- bad noise (which faults are seen: test_check_noise.py)


class Agrees(NoiseMaker):
    """Its contradictions say what the gold chunk says."""

    def make(self, case, variant, contexts=None):
        made = super().make(case, variant, contexts)
        if variant != "v3":
            return made
        added = tuple(replace(i, chunk=replace(i.chunk, text=f"{case.contexts[0].text}{'!' * n}")) for n, i in enumerate(made.injected, 1))
        return replace(made, contexts=(*case.contexts, *(i.chunk for i in added)), injected=added)


def test_noise_that_is_not_what_it_claims_to_be_fails(cases, maker):
    found, passed = checked(cases, OfflineJudge(), Agrees(maker.corpus, maker.settings))
    assert passed is False
    assert failed(found) >= {"noise v3"}
    assert "does not contradict the answer" in found["noise v3"].detail
    report = evaluate(cases, Application(), pipeline="p", noise=Agrees(maker.corpus, maker.settings))
    assert report.valid is False
    assert any(f.startswith("noise v3: ") for f in report.check_failures)


# -- what cannot be told


@pytest.mark.parametrize("n", [0, 1, 4])
def test_too_few_cases_are_not_made_and_never_a_pass(n):
    few = written_cases(n)
    maker = NoiseMaker.of_cases(few, SETTINGS) if few else NoiseMaker.of_cases(written_cases(3), SETTINGS)
    found, passed = checked(few, OfflineJudge(), maker)
    assert passed is None
    assert all(found[name].passed is None for name in ESSENTIAL)
    assert not failed(found)
    assert all(found[name].detail for name in ESSENTIAL)


def test_cases_without_reference_or_contexts_are_no_sample(cases, maker):
    bare = [replace(c, contexts=()) if i % 2 else replace(c, reference="", keypoints=()) for i, c in enumerate(cases)]
    found, passed = checked(bare, OfflineJudge(), maker)
    assert passed is None
    assert found["oracle"].detail == "no case has a reference and contexts"


def test_where_no_contradiction_can_be_made_it_is_not_a_pass(cases):
    """Answers without a value, a name, or a yes or no: v3 would tell nothing of them."""
    texts = [f"The parcel {verb} gently and quietly." for verb in ("hums", "glows", "sings", "floats", "drifts", "sways", "purrs", "shines")]
    plain = [replace(c, question=f"What does parcel {i} do?", reference=t, keypoints=(t,), contexts=(replace(c.contexts[0], text=t),))
             for i, (c, t) in enumerate(zip(cases, texts, strict=False))]  # fmt: skip
    found, passed = checked(plain, OfflineJudge(), NoiseMaker.of_cases(plain, SETTINGS))
    assert passed is not True
    assert found["contradictions"].passed is None
    assert found["controls"].passed is None


# -- the application


class Endpoint:
    base_url, model = "http://127.0.0.1:9/v1", "one-model"


class Application:
    endpoint = Endpoint()

    def __call__(self, question, contexts):
        return contexts[0].text

    async def ask(self, question, contexts):
        return contexts[0].text


class OwnJudge(Judge):
    endpoint = Endpoint()


@pytest.mark.parametrize("form", ["object", "method"])
def test_a_judge_of_its_own_answers_is_noted_and_warned_of(cases, maker, form, caplog):
    application = Application()
    report = evaluate(cases, application if form == "object" else application.ask, OwnJudge(), pipeline="p", noise=maker)
    (own,) = [c for c in report.checks if c.name == "own judge"]
    assert own.passed is None
    assert report.valid is True  # the figures are biased, not wrong
    assert report.warnings == ("one-model judges its own answers: figures are biased upward",)
    assert "one-model judges its own answers" in caplog.text


def test_another_model_as_the_judge_is_not_noted(cases, maker):
    other = OwnJudge()
    other.endpoint = type("Other", (), {"base_url": Endpoint.base_url, "model": "another"})()
    assert "own judge" not in checked(cases, other, maker, answer=Application(), pipeline="p")[0]


class WorseEachTime:
    """Right when it is asked first, and wrong from then on: no noise is needed to degrade it."""

    def __init__(self):
        self._asked, self._lock = {}, threading.Lock()

    def __call__(self, question, contexts):
        with self._lock:
            times = self._asked[question] = self._asked.get(question, 0) + 1
        return contexts[0].text if times == 1 else "999 days / 999天"


def test_an_application_that_changes_without_noise_is_seen(cases, maker):
    found, passed = checked(cases, OfflineJudge(), maker, answer=WorseEachTime(), pipeline="p", concurrency=1)
    assert (passed, failed(found)) == (False, {"no change"})
    found, passed = checked(cases, OfflineJudge(), maker, answer=Application(), pipeline="p")
    assert (passed, found["no change"].measured) == (True, 0.0)


def test_an_application_that_always_fails_says_so_in_its_check(cases, maker):
    def broken(question, contexts):
        raise RuntimeError("out of order")

    found, _ = checked(cases, OfflineJudge(), maker, answer=broken, pipeline="p")
    assert found["no change"].passed is None
    assert "16 of 16 answers have no verdict" in found["no change"].detail


# -- the cost


class Counting:
    """Counts what a model would be asked."""

    fingerprint = "counting"

    def __init__(self):
        self.calls, self._lock = 0, threading.Lock()

    def judge(self, question, answer, case, shown):
        return assemble(self, question, answer, case, shown)

    def support(self, *asked):
        self._count()
        return OfflineJudge().support(*asked)

    def coverage(self, *asked):
        self._count()
        return OfflineJudge().coverage(*asked)

    def _count(self):
        with self._lock:
            self.calls += 1


@pytest.mark.slow
@pytest.mark.parametrize("variants", [("v0", "v3"), ("v0", "v1")])
def test_the_calls_are_known_before(cases, maker, variants, tmp_path):
    judge = Counting()
    checked(cases, judge, maker, variants=variants, answer=Application(), pipeline="p", cache=tmp_path)
    planned = self_check_calls(cases, variants, "sample")
    assert planned / 2 < judge.calls <= planned  # equal answers to a case are judged once
    assert self_check_calls(cases, variants, "off") == 0
    before = judge.calls
    checked(cases, judge, maker, variants=variants, answer=Application(), pipeline="p", cache=tmp_path)
    assert judge.calls == before  # with a cache nothing is asked twice


@pytest.mark.slow
def test_the_sample_is_even_over_categories_and_full_takes_all():
    many = [replace(c, category=f"c{i % 2 if i < 4 else 0}", id=f"{c.id}-{i}", question=f"{c.question} {i}") for i, c in enumerate(written_cases() * 2)]
    maker = NoiseMaker.of_cases(many, SETTINGS)
    found, _ = checked(many, OfflineJudge(), maker)
    assert found["oracle"].cases == 20
    found, _ = checked(many, OfflineJudge(), maker, full=True)
    assert found["oracle"].cases == len(many)
