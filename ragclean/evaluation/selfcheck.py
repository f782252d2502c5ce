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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ragclean.evaluation.answerers import ExtractiveReader, GullibleAnswerer, RobustAnswerer
from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.check_making import FEWEST, MOST_FAILED, judged, mean_check, named, share_check, unmade
from ragclean.evaluation.check_noise import check_injected
from ragclean.evaluation.degradation import ROBUST, Decline, decline, measure, pair_up
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
#: Faithfulness of answers to other questions. Not 0: two documents may state the same thing. A judge that finds
#: support for whatever it is shown has 1.
MOST_STRANGER_SUPPORTED = 0.30
#: Share of verdicts that stay the same when the judge is asked again. A coin has 0.5, or less.
LEAST_AGREEMENT = 0.95
#: Without these nothing is known of the judge; the others can be missing.
ESSENTIAL = ("oracle", "strangers", "agreement")
#: And without these nothing of a degradation under v3.
ESSENTIAL_V3 = ("contradictions", "controls")
#: The check that only warns.
OWN_JUDGE = "own judge"
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
        return nothing_to_check("no case has a reference and contexts")
    run = _Runs(sample, judge, noise, cache, concurrency)
    controls = [run.control(RobustAnswerer(sample), variants)]
    if "v3" in variants:
        controls.append(run.control(GullibleAnswerer(sample), variants))
    checks = [
        _oracle(run), _quotes(run), _strangers(run), _refusals(run, controls[0].report),
        *([_contradictions(controls[1].report), _controls(*controls)] if "v3" in variants else []),
        _agreement(run, controls),
        *([_no_change(run, answer, pipeline)] if answer is not None else []),
        *check_injected(cases if full else sample, noise, variants), _own_judge(answer, judge),
    ]  # fmt: skip
    found = tuple(c for c in checks if c is not None)
    for check in found:
        if check.passed is False or check.name == OWN_JUDGE:
            logger.warning("self-check: %s: %s", check.name, check.detail)
    return found


def nothing_to_check(why: str) -> tuple[Check, ...]:
    """The checks of a run over which none can be made, so that its report says why it is not checked."""
    return tuple(unmade(name, why) for name in ESSENTIAL)


def self_check_calls(cases: Sequence[EvalCase], variants: Sequence[Variant], check: str) -> int:
    """Judge calls that a self-check takes at most, for a plan; 0 where it is off."""
    if check == "off":
        return 0
    n = len(_sample(cases, None if check == "full" else SAMPLE, 0))
    # Oracle, quotes, strangers and v0 twice; the robust control and its second judgement; with v3 both controls under
    # v0 and v3, each judged twice, and half of these with one more call for what injected chunks support.
    known = CALLS_PER_VERDICT * 5
    return n * (known + (CALLS_PER_VERDICT * 8 + 4 if "v3" in variants else CALLS_PER_VERDICT * 2))


def verdict(checks: Sequence[Check], variants: Sequence[Variant] = ("v0", "v3")) -> bool | None:
    """Whether a report with these checks may be believed; None where an essential one could not be made."""
    if any(c.passed is False for c in checks):
        return False
    made = {c.name for c in checks if c.passed}
    needed = {*ESSENTIAL, *(ESSENTIAL_V3 if "v3" in variants else ())}
    return True if needed <= made else None


@dataclass(frozen=True, slots=True)
class _Control:
    """An answerer of known character, and the run of it."""

    answerer: RobustAnswerer
    variants: tuple[Variant, ...]
    report: EvalReport


class _Runs:
    """Runs of known answers over the sample, all with the judge and the noise that are checked."""

    def __init__(
        self, sample: Sequence[EvalCase], judge: AnswerJudge, noise: NoiseMaker, cache: str | os.PathLike[str] | None,
        concurrency: int,
    ) -> None:  # fmt: skip
        self.sample, self.judge, self._noise, self._cache = tuple(sample), judge, noise, cache
        self._concurrency = concurrency

    def of(
        self, answer: Answer, pipeline: str, *, variants: Sequence[Variant] = ("v0",), judge: AnswerJudge | None = None,
        repeats: int = 1,
    ) -> EvalReport:  # fmt: skip
        return run_evaluation(
            self.sample, answer, judge or self.judge, pipeline=pipeline, variants=variants, noise=self._noise,
            repeats=repeats, concurrency=self._concurrency, cache=self._cache,
        )  # fmt: skip

    def said(self, answers: Mapping[str, str], name: str) -> EvalReport:
        """Fixed answers by question."""
        return self.of(lambda question, contexts: answers[question], f"self-check:{name}:{_digest(answers)}")

    def control(self, answerer: RobustAnswerer, variants: Sequence[Variant]) -> _Control:
        """An answerer of known character without noise, and against contradictions where they are among the noise."""
        shown: tuple[Variant, ...] = ("v0", "v3") if "v3" in variants else ("v0",)
        return _Control(answerer, shown, self.of(answerer, _label(answerer), variants=shown))

    def again(self, control: _Control) -> EvalReport:
        """The same answers, judged anew."""
        answerer = control.answerer
        return self.of(answerer, _label(answerer), variants=control.variants, judge=_Again(self.judge))


def _label(answerer: RobustAnswerer) -> str:
    return f"self-check:{answerer.fingerprint}"


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
    return mean_check("oracle", report, "correctness", LEAST_ORACLE, "of the key points given as answers")


def _quotes(run: _Runs) -> Check:
    """Sentences of the gold contexts, word for word, are supported by them."""
    reader = ExtractiveReader()
    said = {c.question: reader(c.question, [g for g in c.contexts if g.id in c.gold] or c.contexts) for c in run.sample}
    report = run.said(said, "quotes")
    return mean_check("quotes", report, "faithfulness", LEAST_ORACLE, "of sentences quoted from the contexts")


def _strangers(run: _Runs) -> Check:
    """The references of other cases are no answers, and nothing that is shown supports them."""
    said = {case.question: _strange(case, run.sample, at) for at, case in enumerate(run.sample)}
    report, what = run.said(said, "strangers"), "of other cases' references"
    right = mean_check("strangers", report, "correctness", MOST_STRANGER, what, most=True)
    if not right.passed:
        return right
    supported = mean_check("strangers", report, "faithfulness", MOST_STRANGER_SUPPORTED, what, most=True)
    return supported if supported.passed is False else right


def _strange(case: EvalCase, sample: Sequence[EvalCase], at: int) -> str:
    """The reference of the next case in turn that speaks the same language and shares no point or value."""
    others = [sample[(at + step) % len(sample)] for step in range(1, len(sample))]
    alike = [o for o in others if language(fold(o.reference)) == language(fold(case.reference))]
    return next((o.reference for o in (*alike, *others) if not holds_answer(o.reference, case)), "42")


def _refusals(run: _Runs, robust: EvalReport) -> Check:
    """Refusals are seen as refusals, and right answers as none."""
    said = {
        case.question: _REFUSALS[lang][at % len(_REFUSALS[lang])]
        for at, case in enumerate(run.sample)
        for lang in [language(fold(case.question))]
    }
    seen, unseen = _parted(judged(run.said(said, "refusals"), "v0"), lambda o: o.judgement.refusal)
    taken, answers = _parted(judged(robust, "v0"), lambda o: o.judgement.refusal)
    what = "refusals seen as refusals, and answers as answers"
    return share_check("refusals", seen + answers, unseen + taken, LEAST_CAUGHT, what)


def _contradictions(gullible: EvalReport) -> Check:
    """Whoever adopts a contradiction is caught: he is not right, and what he says is not supported."""
    usual = {o.shown.case_id: o.score.correctness for o in gullible.outcomes if o.shown.variant == "v0"}
    adopted = [o for o in judged(gullible, "v3") if usual.get(o.shown.case_id) == 1.0 and _adopts(o)]
    caught, missed = _parted(adopted, lambda o: (o.score.correctness or 0.0) < 1.0)
    told = share_check("contradictions", caught, missed, LEAST_CAUGHT, "answers that adopt a contradiction caught")
    if not told.passed:
        return told
    unfaithful, believed = _parted(adopted, lambda o: (o.score.faithfulness or 0.0) < 1.0)
    what = "answers that adopt a contradiction seen as unfaithful"
    other = share_check("contradictions", unfaithful, believed, LEAST_UNFAITHFUL, what)
    return other if other.passed is False else told


def _parted(outcomes: Sequence[Outcome], so: Callable[[Outcome], bool]) -> tuple[list[Outcome], list[Outcome]]:
    """Those of which it is so, and the others."""
    return [o for o in outcomes if so(o)], [o for o in outcomes if not so(o)]


def _adopts(outcome: Outcome) -> bool:
    """The answer stands in an injected chunk and in no other."""
    answer = outcome.answer
    injected = any(find_quote(answer, i.chunk.text) for i in outcome.shown.injected)
    return injected and not any(find_quote(answer, c.text) for c in outcome.shown.trusted)


def _agreement(run: _Runs, controls: Sequence[_Control]) -> Check:
    """The judge, asked again of the same answers, says the same."""
    asked = told = same = total = 0
    changed: list[str] = []
    for control in controls:
        for before, after in zip(control.report.outcomes, run.again(control).outcomes, strict=True):
            asked += 1
            if has_failed(before) or has_failed(after):
                continue
            mine, other = _verdicts(before.judgement), _verdicts(after.judgement)
            longer = max(len(mine), len(other))
            equal = sum(a == b for a, b in zip(mine, other, strict=False))
            told, total, same = told + 1, total + longer, same + equal
            if equal < longer:
                changed.append(before.shown.case_id)
    n = len(run.sample)
    if n < FEWEST or told < (1 - MOST_FAILED) * asked:
        return unmade("agreement", f"{told} answers to {n} cases have a verdict both times")
    detail = f"{same} of {total} verdicts stay the same when asked again" + named(changed)
    share = same / total
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


def _controls(robust: _Control, gullible: _Control) -> Check:
    """The gullible answerer comes out sensitive, and the robust one robust."""
    grades = []
    for control in (robust, gullible):
        sides = [[o for o in control.report.outcomes if o.shown.variant == v] for v in ("v0", "v3")]
        grades.append(measure(sides[0], sides[1], "v3"))
    n = min(g.correctness.cases for g in grades)
    if n < FEWEST:
        return unmade("controls", f"{n} cases have a contradiction and verdicts on both sides")
    shares = [g.worst.value for g in grades]
    said = ", ".join(
        f"the {name} answerer comes out {g.grade}" + ("" if v is None else f" ({v:.0%})")
        for name, g, v in zip(("robust", "gullible"), grades, shares, strict=True)
    )
    # Of few cases one wrong verdict is more than a robust answerer may lose: beyond chance it must not be.
    unharmed = grades[0].grade == "robust" or not any(
        _sure_change(d) for d in (grades[0].correctness, grades[0].faithfulness) if d.value is not None
    )
    passed = unharmed and grades[0].grade != "inconclusive" and grades[1].grade == "sensitive"
    return Check("controls", passed, shares[1], "robust comes out robust, gullible sensitive", n, said)


def _no_change(run: _Runs, answer: Answer, pipeline: str) -> Check:
    """Without noise on either side there is no degradation, beyond what answers differ from time to time."""
    report = run.of(answer, pipeline, repeats=2)
    sides = [[o for o in report.outcomes if o.repeat == r] for r in (0, 1)]
    lost = [decline(f, pair_up(f, *sides)) for f in ("correctness", "faithfulness")]
    told = [d for d in lost if d.value is not None]
    if not told:
        failed = sum(has_failed(o) for o in report.outcomes)
        why = f"{failed} of {len(report.outcomes)} answers have no verdict" if failed else "no answer in it is right"
        return unmade("no change", f"there is nothing to lose in the sample: {why}")
    worst = max(told, key=lambda d: (_sure_change(d), abs(d.value or 0.0)))
    said = f"{worst.figure} of v0 against v0: {worst.value:+.1%} ({worst.low:+.1%} to {worst.high:+.1%})"
    return Check("no change", not _sure_change(worst), worst.value, "v0 against v0: none", worst.cases, said)


def _sure_change(found: Decline) -> bool:
    """More than what counts as robust, and beyond chance."""
    value, low, high = found.value or 0.0, found.low or 0.0, found.high or 0.0
    return abs(value) > ROBUST and (low > 0 or high < 0)


def _own_judge(answer: Answer | None, judge: AnswerJudge) -> Check | None:
    """A model that judges its own answers is kind to itself (Zheng et al. 2023, 'Judging LLM-as-a-Judge')."""
    mine, other = _model_behind(answer), _model_behind(judge)
    if mine is None or mine != other:
        return None
    return Check(OWN_JUDGE, None, None, "another model judges than answers", 0,
                 f"{mine[1]} judges its own answers: figures are biased upward")  # fmt: skip


def _model_behind(asker: object) -> tuple[str, str] | None:
    """Address and model of an answerer, of its method, or of a judge, where it says."""
    owner = getattr(asker, "__self__", asker)
    endpoint = getattr(owner, "endpoint", None)
    found = (getattr(endpoint, "base_url", None), getattr(endpoint, "model", None))
    return (str(found[0]), str(found[1])) if None not in found else None


def _digest(answers: Mapping[str, str]) -> str:
    return hashlib.sha256(repr(sorted(answers.items())).encode("utf-8", "surrogatepass")).hexdigest()[:12]
