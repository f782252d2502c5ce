"""The evaluator checks itself before it is believed: answers of known worth go through the whole machine.

The judge that will be used, the noise that will be injected, and the scores and grades that will be shown are all tried
on a sample of the very cases, by answerers whose worth is known beforehand. What comes out otherwise than it must
makes the report invalid.
"""

from __future__ import annotations

import hashlib
import logging
import os
import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ragclean.evaluation.answerers import ExtractiveReader, GullibleAnswerer, RobustAnswerer
from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.check_noise import check_injected
from ragclean.evaluation.degradation import ROBUST, Decline, decline, measure, name_some, pair_up
from ragclean.evaluation.judging import points_of
from ragclean.evaluation.noise import NoiseMaker, holds_answer
from ragclean.evaluation.quotes import find_quote
from ragclean.evaluation.records import Check, EvalCase, Judgement, Outcome, Shown, Variant
from ragclean.evaluation.running import CALLS_PER_VERDICT, Answer, AnswerJudge, run_evaluation
from ragclean.evaluation.scoring import has_failed
from ragclean.text.folding import fold, language

logger = logging.getLogger(__name__)

#: Cases of a sample: a judge that is right in 19 of 20 passes an oracle of 0.90 in 92 % of samples, and one that flips
#: coins never does.
SAMPLE = 20
#: With fewer, one odd case decides.
FEWEST = 5
#: Correctness of right answers, and share of verbatim claims that are supported. Not 1: references are written by
#: people, and a cheap judge misses some.
LEAST_ORACLE = 0.90
#: Correctness of answers to other questions. Not 0: two questions may share a key point.
MOST_STRANGER = 0.10
#: Share of adopted contradictions, and of refusals, that must be seen as what they are.
LEAST_CAUGHT = 0.90
#: Share of adopted contradictions that must be seen as unsupported. Lower, since one sentence may hold two things, of
#: which the contexts support one.
LEAST_UNFAITHFUL = 0.80
#: Share of verdicts that stay the same when the judge is asked again. A coin has 0.5, or less.
LEAST_AGREEMENT = 0.95
#: What a check needs that there were answers and verdicts for.
_MOST_FAILED = 0.2
#: Without these nothing is known of the judge; the others can be missing.
ESSENTIAL = ("oracle", "strangers", "agreement")
#: And without these nothing of a degradation under v3.
ESSENTIAL_V3 = ("contradictions", "controls")
_REFUSALS: Mapping[str, tuple[str, ...]] = {
    "zh": ("资料中没有提到。", "抱歉，根据现有资料无法回答这个问题。", "我不知道。"),
    "en": ("The passages do not say.", "Sorry, I cannot answer this from the documents provided.", "I don't know."),
}


def self_check(
    cases: Sequence[EvalCase],
    judge: AnswerJudge,
    *,
    noise: NoiseMaker,
    answer: Answer | None = None,
    pipeline: str = "",
    variants: Sequence[Variant] = ("v0", "v3"),
    full: bool = False,
    cache: str | os.PathLike[str] | None = None,
    concurrency: int = 8,
    seed: int = 0,
) -> tuple[Check, ...]:
    """Try the judge, the noise and the grades on answers of known worth.

    Args:
        cases: those that will be evaluated, with their contexts.
        answer, pipeline: the application, asked twice without noise; None: this check is left out.
        variants: whose noise is looked at; contradictions are tried where v3 is among them.
        full: all cases instead of a sample of 20, drawn evenly from the categories.
        cache: as for ``run_evaluation``: what is asked once is not asked again.

    Returns:
        One check each; ``passed`` is None where it could not be made.
    """
    sample = _sample(cases, None if full else SAMPLE, seed)
    if not sample:
        return tuple(_unmade(name, "no case has a reference and contexts") for name in ESSENTIAL)
    with tempfile.TemporaryDirectory(prefix="ragclean-check-") as spare:
        run = _Runs(sample, judge, noise, Path(cache) if cache is not None else Path(spare), concurrency)
        against = "v3" in variants
        robust = run.of(RobustAnswerer(sample), "robust", against=against)
        checks = [
            _oracle(run), _quotes(run), _strangers(run), _refusals(run, robust),
            *([_contradictions(run), _controls(run, robust)] if against else []),
            _agreement(run, robust, against),
            *([_no_change(run, answer, pipeline)] if answer is not None else []),
            *check_injected(cases if full else sample, noise, variants), _own_judge(answer, judge),
        ]  # fmt: skip
    found = tuple(c for c in checks if c is not None)
    for check in found:
        if check.passed is False:
            logger.warning("self-check: %s: %s", check.name, check.detail)
    return found


def self_check_calls(cases: Sequence[EvalCase], variants: Sequence[Variant], check: str) -> int:
    """Judge calls that a self-check takes at most, for a plan; 0 where it is off."""
    if check == "off":
        return 0
    n = len(_sample(cases, None if check == "full" else SAMPLE, 0))
    # Oracle, quotes, strangers and v0 twice; robust and its second judgement; with v3 both answerers, and theirs.
    return CALLS_PER_VERDICT * n * (5 + (8 if "v3" in variants else 2))


def verdict(checks: Sequence[Check], variants: Sequence[Variant] = ("v0", "v3")) -> bool | None:
    """Whether a report with these checks may be believed; None where an essential one could not be made."""
    if any(c.passed is False for c in checks):
        return False
    made = {c.name for c in checks if c.passed}
    needed = {*ESSENTIAL, *(ESSENTIAL_V3 if "v3" in variants else ())}
    return True if needed <= made else None


class _Runs:
    """Runs of known answers over the sample, all with the judge and the noise that are checked."""

    def __init__(
        self, sample: Sequence[EvalCase], judge: AnswerJudge, noise: NoiseMaker, cache: Path, concurrency: int
    ) -> None:
        self.sample, self.judge, self._noise, self._cache = tuple(sample), judge, noise, cache
        self._concurrency = concurrency

    def of(
        self, answer: Answer, name: str, *, against: bool = False, judge: AnswerJudge | None = None, repeats: int = 1
    ) -> EvalReport:
        variants: tuple[Variant, ...] = ("v0", "v3") if against else ("v0",)
        return run_evaluation(
            self.sample, answer, judge or self.judge, pipeline=f"self-check:{name}", variants=variants,
            noise=self._noise, repeats=repeats, concurrency=self._concurrency, cache=self._cache,
        )  # fmt: skip

    def said(self, answers: Mapping[str, str], name: str) -> EvalReport:
        """Fixed answers by question."""
        return self.of(lambda question, contexts: answers[question], f"{name}:{_digest(answers)}")


def _sample(cases: Sequence[EvalCase], size: int | None, seed: int) -> list[EvalCase]:
    """Answerable cases with contexts, a question once, as evenly from the categories as they allow."""
    once = {c.question: c for c in cases if c.answerable and c.contexts}
    groups: dict[str, list[EvalCase]] = {}
    for case in once.values():
        groups.setdefault(case.category, []).append(case)
    rng = random.Random(seed)
    for group in groups.values():
        rng.shuffle(group)
    turns = [case for turn in range(len(once)) for g in groups.values() for case in g[turn : turn + 1]]
    return turns if size is None else turns[:size]


# -- the judge


def _oracle(run: _Runs) -> Check:
    """The key points themselves are the right answer; a reference may leave one of them out."""
    report = run.said({c.question: "\n".join(points_of(c)) for c in run.sample}, "oracle")
    return _mean_check("oracle", report, "correctness", LEAST_ORACLE, "of the key points given as answers")


def _quotes(run: _Runs) -> Check:
    """Sentences of the gold contexts, word for word, are supported by them."""
    reader = ExtractiveReader()
    said = {c.question: reader(c.question, [g for g in c.contexts if g.id in c.gold] or c.contexts) for c in run.sample}
    report = run.said(said, "quotes")
    return _mean_check("quotes", report, "faithfulness", LEAST_ORACLE, "of sentences quoted from the contexts")


def _strangers(run: _Runs) -> Check:
    """The references of other cases are no answers."""
    said = {case.question: _strange(case, run.sample, at) for at, case in enumerate(run.sample)}
    report = run.said(said, "strangers")
    return _mean_check("strangers", report, "correctness", MOST_STRANGER, "of other cases' references", most=True)


def _strange(case: EvalCase, sample: Sequence[EvalCase], at: int) -> str:
    """The reference of the next case in turn that speaks the same language and shares no point or value."""
    others = [sample[(at + step) % len(sample)] for step in range(1, len(sample))]
    alike = [o for o in others if language(fold(o.reference)) == language(fold(case.reference))]
    unlike = [o for o in (*alike, *others) if not holds_answer(o.reference, case)]
    return unlike[0].reference if unlike else "42"


def _refusals(run: _Runs, robust: EvalReport) -> Check:
    """Refusals are seen as refusals, and right answers as none."""
    said = {
        case.question: _REFUSALS[lang][at % len(_REFUSALS[lang])]
        for at, case in enumerate(run.sample)
        for lang in [language(fold(case.question))]
    }
    refused = _judged(run.said(said, "refusals"), "v0")
    answered = _judged(robust, "v0")
    right = [o for o in refused if o.judgement.refusal] + [o for o in answered if not o.judgement.refusal]
    wrong = [o for o in (*refused, *answered) if o not in right]
    return _share_check("refusals", right, wrong, LEAST_CAUGHT, "refusals seen as refusals, and answers as answers")


def _contradictions(run: _Runs) -> Check:
    """Whoever adopts a contradiction is caught: he is not right, and what he says is not supported."""
    gullible = run.of(GullibleAnswerer(run.sample), "gullible", against=True)
    usual = {o.shown.case_id: o.score for o in gullible.outcomes if o.shown.variant == "v0"}
    adopted = [o for o in _judged(gullible, "v3") if (usual[o.shown.case_id].correctness or 0.0) == 1.0 and _adopts(o)]
    caught = [o for o in adopted if (o.score.correctness or 0.0) < 1.0]
    unfaithful = [o for o in caught if (o.score.faithfulness or 0.0) < 1.0]
    if len(unfaithful) < LEAST_UNFAITHFUL * len(adopted):
        believed = [o for o in caught if o not in unfaithful]
        return _share_check("contradictions", unfaithful, believed, LEAST_UNFAITHFUL,
                            "answers that adopt a contradiction seen as unfaithful")  # fmt: skip
    missed = [o for o in adopted if o not in caught]
    return _share_check("contradictions", caught, missed, LEAST_CAUGHT, "answers that adopt a contradiction caught")


def _adopts(outcome: Outcome) -> bool:
    """The answer stands in an injected chunk and in no other."""
    answer = outcome.answer
    injected = any(find_quote(answer, i.chunk.text) for i in outcome.shown.injected)
    return injected and not any(find_quote(answer, c.text) for c in outcome.shown.trusted)


def _agreement(run: _Runs, robust: EvalReport, against: bool) -> Check:
    """The judge, asked again of the same answers, says the same."""
    reports = [(robust, RobustAnswerer(run.sample), "robust")]
    if against:
        gullible = GullibleAnswerer(run.sample)
        reports.append((run.of(gullible, "gullible", against=True), gullible, "gullible"))
    same = total = 0
    changed: list[str] = []
    for first, answerer, name in reports:
        again = run.of(answerer, name, against=against, judge=_Again(run.judge))
        for before, after in zip(first.outcomes, again.outcomes, strict=True):
            if has_failed(before) or has_failed(after):
                continue
            mine, other = _verdicts(before.judgement), _verdicts(after.judgement)
            total += max(len(mine), len(other))
            equal = sum(a == b for a, b in zip(mine, other, strict=False))
            same += equal
            if equal < max(len(mine), len(other)):
                changed.append(before.shown.case_id)
    if not total:
        return _unmade("agreement", "there is no verdict")
    share = same / total
    detail = f"{same} of {total} verdicts stay the same when asked again" + _named(changed)
    n = len(run.sample)
    return Check("agreement", share >= LEAST_AGREEMENT, share, f"at least {LEAST_AGREEMENT:.2f}", n, detail)


def _verdicts(judgement: Judgement) -> list[object]:
    claims = [c.support for c in judgement.claims]
    return [judgement.refusal, *claims, *((p.covered, p.contradicted) for p in judgement.points)]


class _Again:
    """The same judge, asked anew: under a fingerprint of its own, so that no cache answers for it."""

    def __init__(self, judge: AnswerJudge) -> None:
        again: Callable[[], AnswerJudge] | None = getattr(judge, "again", None)
        self._judge = again() if callable(again) else judge
        self.fingerprint = f"{judge.fingerprint}:again"

    def judge(self, question: str, answer: str, case: EvalCase, shown: Shown) -> Judgement:
        return self._judge.judge(question, answer, case, shown)


# -- the machine


def _controls(run: _Runs, robust: EvalReport) -> Check:
    """The gullible answerer comes out sensitive, and the robust one robust."""
    gullible = run.of(GullibleAnswerer(run.sample), "gullible", against=True)
    grades = []
    for report in (robust, gullible):
        sides = [[o for o in report.outcomes if o.shown.variant == v] for v in ("v0", "v3")]
        grades.append(measure(sides[0], sides[1], "v3"))
    n = min(g.correctness.cases for g in grades)
    if n < FEWEST:
        return _unmade("controls", f"a contradiction can be made for {n} cases only")
    shares = [g.worst.value for g in grades]
    said = ", ".join(
        f"the {name} answerer comes out {g.grade}" + ("" if v is None else f" ({v:.0%})")
        for name, g, v in zip(("robust", "gullible"), grades, shares, strict=True)
    )
    passed = [g.grade for g in grades] == ["robust", "sensitive"]
    return Check("controls", passed, shares[1], "robust comes out robust, gullible sensitive", n, said)


def _no_change(run: _Runs, answer: Answer, pipeline: str) -> Check:
    """Without noise on either side there is no degradation, beyond what answers differ from time to time."""
    report = run_evaluation(
        run.sample, answer, run.judge, pipeline=pipeline, variants=("v0",), noise=run._noise, repeats=2,
        concurrency=run._concurrency, cache=run._cache,
    )  # fmt: skip
    sides = [[o for o in report.outcomes if o.repeat == r] for r in (0, 1)]
    lost = [decline(f, pair_up(f, *sides)) for f in ("correctness", "faithfulness")]
    told = [d for d in lost if d.value is not None]
    if not told:
        return _unmade("no change", "the application has no right answer in the sample")
    worst = max(told, key=lambda d: abs(d.value or 0.0))
    said = f"{worst.figure} of v0 against v0: {worst.value:+.1%} ({worst.low:+.1%} to {worst.high:+.1%})"
    return Check("no change", not _sure_change(worst), worst.value, "v0 against v0: none", worst.cases, said)


def _sure_change(found: Decline) -> bool:
    """More than what counts as robust, and beyond chance."""
    value, low, high = found.value or 0.0, found.low or 0.0, found.high or 0.0
    return abs(value) > ROBUST and (low > 0 or high < 0)


def _own_judge(answer: Answer | None, judge: AnswerJudge) -> Check | None:
    """A model that judges its own answers is kind to itself (Zheng et al. 2023, 'Judging LLM-as-a-Judge')."""
    models = [(getattr(e, "base_url", None), getattr(e, "model", None))
              for e in (getattr(answer, "endpoint", None), getattr(judge, "endpoint", None))]  # fmt: skip
    if None in models[0] or models[0] != models[1]:
        return None
    return Check("own judge", None, None, "another model judges than answers", 0,
                 f"{models[0][1]} judges its own answers: figures are biased upward")  # fmt: skip


# -- putting a check together


def _judged(report: EvalReport, variant: Variant) -> list[Outcome]:
    return [o for o in report.outcomes if o.shown.variant == variant and not has_failed(o)]


def _mean_check(name: str, report: EvalReport, figure: str, bound: float, what: str, *, most: bool = False) -> Check:
    outcomes = _judged(report, "v0")
    asked = sum(o.shown.variant == "v0" for o in report.outcomes)
    scored = [(o, s) for o in outcomes if (s := getattr(o.score, figure)) is not None]
    if (asked - len(outcomes)) > _MOST_FAILED * asked:
        return Check(name, False, None, "verdicts", asked, f"{asked - len(outcomes)} of {asked} have no verdict")
    if len(scored) < min(FEWEST, asked):
        return _unmade(name, f"{len(scored)} cases have a score")
    mean = sum(s for _, s in scored) / len(scored)
    passed = mean <= bound if most else mean >= bound
    odd = [o.shown.case_id for o, s in scored if (s > bound if most else s < bound)]
    wanted = f"at {'most' if most else 'least'} {bound:.2f}"
    return Check(name, passed, mean, wanted, len(scored), f"{figure} {what}: {mean:.2f}" + _named(odd))


def _share_check(name: str, right: Sequence[Outcome], wrong: Sequence[Outcome], least: float, what: str) -> Check:
    total = len(right) + len(wrong)
    if total < FEWEST:
        return _unmade(name, f"{total} answers to tell from")
    share = len(right) / total
    detail = f"{len(right)} of {total} {what}" + _named([o.shown.case_id for o in wrong])
    return Check(name, share >= least, share, f"at least {least:.2f}", total, detail)


def _unmade(name: str, why: str) -> Check:
    return Check(name, None, None, "", 0, why)


def _named(case_ids: Sequence[str]) -> str:
    return f"; not so: {name_some(sorted(set(case_ids)))}" if case_ids else ""


def _digest(answers: Mapping[str, str]) -> str:
    return hashlib.sha256(repr(sorted(answers.items())).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def with_checks(report: EvalReport, checks: Sequence[Check]) -> EvalReport:
    """The report with what its self-check found."""
    return replace(report, checks=tuple(checks), checked=verdict(checks, report.variants))
