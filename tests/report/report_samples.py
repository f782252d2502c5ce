"""Reports to look at: a real run in two languages, a large one of known scores, and one of hostile texts."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from ragclean.evaluation.answerers import GullibleAnswerer
from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.comparing import compare
from ragclean.evaluation.degradation import measure
from ragclean.evaluation.gating import Bucket, FigureTest, Gate, gate
from ragclean.evaluation.health import ContentHealth, LosingPage, StaleLineage
from ragclean.evaluation.noise import NoiseSettings, Shortage
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.records import (
    Check,
    ClaimVerdict,
    EvalCase,
    Injected,
    Judgement,
    Outcome,
    PointVerdict,
    Score,
    Shown,
)
from ragclean.evaluation.running import WEEKLY, run_evaluation
from ragclean.evaluation.sweeping import Sweep, SweepPoint
from ragclean.types import Chunk

PASSED = (
    Check("oracle", True, 0.98, "at least 0.90", 20, "correctness of the key points given as answers: 0.98"),
    Check("strangers", True, 0.02, "at most 0.10", 20, "correctness of other cases' references: 0.02"),
    Check("own judge", None, None, "another model judges than answers", 0, "reader-7b judges its own answers"),
)
BROKEN = (Check("oracle", False, 0.41, "at least 0.90", 20, "correctness of the key points given as answers: 0.41"), *PASSED[1:])


def _case(name, question, reference, texts, category, difficulty="single", old=()):
    contexts = tuple(Chunk(t, id=f"{name}-{i}", source="official_policy", updated_at="2025-03-01") for i, t in enumerate(texts, 1))
    versions = tuple(Chunk(t, id=f"{name}-old{i}", updated_at="2021-03-01") for i, t in enumerate(old, 1))
    return EvalCase(name, question, reference, (reference,), contexts, (contexts[0].id,), versions, category, difficulty, "2025-06-01")


CASES = (
    _case("zh-warranty", "X200 的保修期是多久？", "保修期为24个月。",
          ["X200 的保修期为24个月，自发票开具之日起计算。", "X200 的屏幕尺寸为6.1英寸。", "门店营业时间为9点至21点。"], "保修",
          old=["X200 的保修期为12个月，自购买之日起计算。"]),
    _case("zh-reply", "客服多久内回复？", "24小时内回复。", ["客服在24小时内回复工单。", "客服热线为400-800-1234。"], "客服"),
    _case("zh-refund", "退款多久到账？", "退款在3个工作日内到账。",
          ["退款在3个工作日内到账。", "退款时请保留发票。"], "退款", "multi", old=["退款在15个工作日内到账。"]),
    _case("en-fee", "How much is the delivery fee?", "The delivery fee is $12.", ["The delivery fee is $12 for every order.", "Orders are packed by hand."], "fees"),
    _case("en-trial", "How long is the free trial?", "The free trial lasts 30 days.",
          ["The free trial lasts 30 days from sign-up.", "Billing starts afterwards."], "fees", "multi", old=["The free trial lasts 14 days."]),
)  # fmt: skip


class _Application(GullibleAnswerer):
    """Adopts contradictions, and fails on one case where there is noise."""

    def __call__(self, question, contexts):
        if question == CASES[1].question and len(contexts) > len(CASES[1].contexts):
            raise TimeoutError("no answer within 30 s")
        return super().__call__(question, contexts)


@lru_cache(maxsize=1)
def real_report() -> EvalReport:
    """A run through the whole machine, weekly variants, with the offline judge."""
    settings = NoiseSettings(count=2, on_empty_band="nearest")
    made = run_evaluation(CASES, _Application(CASES), OfflineJudge(), pipeline="gullible-1", variants=WEEKLY, noise=settings, concurrency=2)
    short = (*made.short, Shortage("zh-reply", "v2", "1 of 3 chunks lie in 0.70..0.85", (0.61, 0.68)))
    return replace(made, checked=True, checks=PASSED, date="2025-06-01", short=short)


_CATEGORIES = ("退货政策", "价格", "保修", "shipping", "accounts")
_DIFFICULTIES = ("single", "multi", "long tail")


def large_report(n=120, pipeline="baseline-2025-06", hurt=0.25, seed=3, checked=True) -> EvalReport:
    """Scores drawn with known losses; a multi-hop case loses more."""
    rng = np.random.default_rng(seed)
    cases, outcomes = [], []
    for i in range(n):
        difficulty = _DIFFICULTIES[i % 3]
        at = CASES[i % len(CASES)]
        case = replace(at, id=f"case-{i:03}", category=_CATEGORIES[i % 5], difficulty=difficulty)
        cases.append(case)
        for variant, factor in (("v0", 0.0), ("v1", 0.1), ("v2", 0.5), ("v3", 1.0)):
            lost = rng.random() < hurt * factor * (1.6 if difficulty == "multi" else 0.8)
            outcomes.append(_outcome(case, variant, lost, rng, i))
    return EvalReport(pipeline, "offline-judge:1", ("v0", "v1", "v2", "v3"), 1,
                      {"count": 3, "position": "spread", "seed": 0, "irrelevant": [0.0, 0.4], "relevant": [0.7, 0.85], "on_empty_band": "skip"},
                      "corpus:1f0c", tuple(cases), tuple(outcomes),
                      tuple(Shortage(f"case-{i:03}", "v2", "1 of 3 chunks lie in 0.70..0.85", (0.62, 0.69)) for i in range(0, n, 17)),
                      checked, PASSED if checked is not False else BROKEN, "2025-06-01")  # fmt: skip


def _outcome(case, variant, lost, rng, i):
    injected = ()
    if variant != "v0":
        kind = {"v1": "irrelevant", "v2": "relevant_soft", "v3": "relevant_hard"}[variant]
        wrong = Chunk("X200 的保修期为12个月，自购买之日起计算。", id="x1", title="旧版保修条款", updated_at="2021-03-01")
        injected = (Injected(wrong, kind, None if variant == "v3" else 0.78, "24个月 -> 12个月" if variant == "v3" else "pool"),)
    at = int(rng.integers(0, len(case.contexts) + 1)) if injected else 0
    contexts = (*case.contexts[:at], *(x.chunk for x in injected), *case.contexts[at:])
    shown = Shown(case.id, variant, contexts, injected)
    if variant == "v3" and i % 29 == 7:
        return Outcome(shown, "", Judgement(failed="there is no answer"), Score(None, None, None, None, None, None, False), 0, "TimeoutError: no answer within 30 s")
    base = 0.0 if i % 11 == 5 else 1.0
    value = 0.0 if lost else base
    answer = "保修期为12个月。" if lost else case.reference
    claim = (ClaimVerdict(answer, "contradicted", case.contexts[0].text, case.contexts[0].id, "x1", "relevant_hard") if lost and variant == "v3"
             else ClaimVerdict(answer, "not_mentioned" if lost else "supported", "" if lost else case.contexts[0].text, "" if lost else case.contexts[0].id))  # fmt: skip
    point = PointVerdict(case.keypoints[0], bool(value), lost, answer)
    score = Score(value, value, float(not lost), float(not lost), (1.0 if lost and variant == "v3" else None), None, False)
    return Outcome(shown, answer, Judgement((claim,), (point,)), score)


def a_gate(report) -> Gate:
    return gate(report.outcomes, report.cases, report.head, releasing=report.pipeline, critical=("退货政策",))


def a_comparison(first, second):
    return compare(first.outcomes, second.outcomes, first.head, second.head)


def a_sweep() -> Sweep:
    """Six settings of top_k and threshold, of which the fifth is best."""
    points = []
    for i, (top_k, threshold, recall, lost) in enumerate(
        [(4, 0.42, 0.74, 9), (6, 0.42, 0.80, 14), (8, 0.42, 0.85, 19), (10, 0.42, 0.86, 26), (8, 0.6, 0.82, 11), (4, 0.6, 0.69, 8)]
    ):
        base = [_scored(f"c{n}", "v0", 1.0) for n in range(100)]
        noisy = [_scored(f"c{n}", "v3", float(n >= lost)) for n in range(100)]
        points.append(SweepPoint({"top_k": top_k, "admission_threshold": threshold}, recall, 0.9 - i / 100, measure(base, noisy, "v3"), top_k - 0.4))
    return Sweep(tuple(points), 4, "recall within 4 % of the highest at 8 points less degradation")


def _scored(name, variant, value):
    return Outcome(Shown(name, variant, ()), "", Judgement(), Score(value, value, 1.0, 1.0, None, None, False))


def a_health() -> ContentHealth:
    return ContentHealth(
        120,
        (StaleLineage("warranty-terms", "w-2025", ("w-2021", "w-2019"), "older", ("case-000", "case-005")),
         StaleLineage("促销条款", "p-7", ("p-3",), "expired", ("case-009",))),
        (LosingPage("forum-77", "论坛：自己拆机维修", "forum", 6, 7, ("case-001", "case-002", "case-010")),),
    )  # fmt: skip


HOSTILE = (
    "<script>window.hacked=1;alert(1)</script><img src=x onerror='window.hacked=2'>\"'><svg/onload=alert(3)>"
    "</style></title></textarea><iframe src=javascript:alert(4)></iframe><a href='javascript:alert(5)'>x</a>"
    "\u202egnp.exe\u202c\u2066\u200b\x00\x1b[31m\ud800 [red]markup[/red] [link=http://evil.example/]l[/link] {count} %s "
    "![i](http://evil.example/i.png) [l](http://evil.example/) http://evil.example/ www.evil.example | `code` **bold** <!-- --> &lt;b&gt; $x$"
)


def hostile_report(text=HOSTILE, checked=False) -> EvalReport:
    """The same text in every field that holds foreign text."""
    chunk = Chunk(text, id=text, title=text, lineage_id=text, version=text, source=text, uri=text, published_at=text)
    added = replace(chunk, id=text + "+")
    case = EvalCase(text, text, text, (text,), (chunk,), (text,), (), text, text, "2025-06-01")
    judgement = Judgement((ClaimVerdict(text, "contradicted", text, text, text + "+", "relevant_hard"),), (PointVerdict(text, False, True, text),))
    v0, v3 = Shown(text, "v0", (chunk,)), Shown(text, "v3", (added, chunk), (Injected(added, "relevant_hard", 0.5, text),))
    score = Score(0.0, 0.0, 0.0, 0.0, 1.0, None, False)
    outcomes = (
        Outcome(v0, text, Judgement((ClaimVerdict(text, "supported", text, text),), (PointVerdict(text, True, False, text),)), Score(1.0, 1.0, 1.0, 1.0, None, None, False)),
        Outcome(v3, text, judgement, score),
        Outcome(v3, "", Judgement(failed=text), Score(None, None, None, None, None, None, False), 1, text),
        Outcome(v3, text, Judgement(failed=text), Score(None, None, None, None, None, None, False), 2),
    )
    checks = (Check(text, False, 0.5, text, 3, text), Check("oracle", None, None, text, 3, text))
    return EvalReport(text, text, ("v0", "v3"), 3, {text: text, "count": text}, text, (case,), outcomes, (Shortage(text, "v2", text, (0.1,)),), checked, checks, text, (text,))


def hostile_extras(text=HOSTILE) -> dict:
    """Gate, comparison, sweep and health that hold the text."""
    report = hostile_report(text)
    head = report.head
    found = a_comparison(report, report)
    point = a_sweep().points[0]
    test = FigureTest(point.degradation.correctness, "blocked", 0.01, 0.99, 0.3, text)
    return {
        "gate": Gate(head, "v3", (Bucket(text, True, 0.1, (text,), (test,)),)),
        "comparison": found,
        "sweep": Sweep((replace(point, settings={text: text}),), 0, text),
        "health": ContentHealth(1, (StaleLineage(text, text, (text,), text, (text,)),), (LosingPage(text, text, text, 1, 1, (text,)),)),
    }
