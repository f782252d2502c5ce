"""May this pipeline be released? A verdict on how much noise degrades it, for people and for continuous integration.

Every category is a bucket; in each bucket both figures are tested against its limit. *Blocked*: some degradation is
above its limit beyond doubt. *Pass*: every one is below beyond doubt. Otherwise there are too few cases to tell.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any, Literal
from xml.etree import ElementTree

import numpy as np

from ragclean.evaluation.degradation import (
    EXTREMES,
    FIGURES,
    LEAST_BASE,
    NOISY,
    UNNAMED,
    Decline,
    Figure,
    Scores,
    by_id,
    decline,
    name_some,
    pair_up,
    ratio,
    weighted,
)
from ragclean.evaluation.records import EvalCase, Outcome, Variant

Verdict = Literal["pass", "blocked", "inconclusive"]
EXIT_CODES: dict[Verdict, int] = {"pass": 0, "blocked": 1, "inconclusive": 4}
BAD_INPUT = 2
CHECK_FAILED = 3

#: Degradations above these block: in a category whose errors cost most, and in any other (design, section 5).
CRITICAL_LIMIT = 0.10
LIMIT = 0.20
#: Probability of a wrong verdict that is accepted, for wrong blocks and for wrong passes.
ALPHA = 0.05
#: Probability with which a detectable degradation is found; the usual one.
POWER = 0.8
#: Other categories with fewer cases are taken together: with 40 and a true degradation of 5 %, 8 of 10 pass at 20 %.
FEWEST = 40
POOLED = "(small categories)"
#: A verdict counts against itself a whole case of the extreme that would refute it, and half a case of the other: then
#: at most 5 % are wrong, measured at the limit itself, where half a case of both gives up to 6 %.
AGAINST_BLOCK = (0.5, 1.0)
AGAINST_PASS = (1.0, 0.5)
#: Random weightings: a probability of 0.5 %, as ten tests ask for, is then known to 0.07 %.
DRAWS = 10_000
#: Failed cases above this share cannot pass: they could hide a degradation that would block.
MOST_FAILED = 0.10
#: Control characters, lone surrogates, and the two noncharacters at the end of the first plane.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class GateError(ValueError):
    """Why there is no verdict, with the exit code that says so."""

    def __init__(self, message: str, exit_code: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True)
class ReportHead:
    """What a report says of itself."""

    pipeline: str
    """Fingerprint of what answered."""
    judge: str
    """Fingerprint of what judged."""
    checked: bool | None = None
    """The evaluator's check of itself passed, failed, or was not made (None)."""
    date: str = ""


@dataclass(frozen=True, slots=True)
class FigureTest:
    """One figure of a bucket against the bucket's limit."""

    decline: Decline
    verdict: Verdict
    p_above: float | None
    """How probable a degradation this large is where the true one does not exceed the limit; None: not tested."""
    p_below: float | None
    """How probable one this small is where the true one exceeds it."""
    detectable: float | None
    """A true degradation that so many cases block in about 8 of 10 runs; None where there is none."""
    reason: str


@dataclass(frozen=True, slots=True)
class Bucket:
    """A category, or the small ones together, with its limit and the verdict on it."""

    name: str
    critical: bool
    limit: float
    categories: tuple[str, ...]
    tests: tuple[FigureTest, ...]

    @property
    def verdict(self) -> Verdict:
        return together([t.verdict for t in self.tests])

    @property
    def reason(self) -> str:
        """What the tests say that settle the verdict."""
        return "; ".join(t.reason for t in self.tests if t.verdict == self.verdict)


@dataclass(frozen=True, slots=True)
class Gate:
    """The verdict on a release."""

    head: ReportHead
    variant: Variant
    buckets: tuple[Bucket, ...]

    @property
    def verdict(self) -> Verdict:
        return together([b.verdict for b in self.buckets])

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    def explain(self) -> str:
        """A line for the verdict and one for each bucket, what blocks first."""
        order: tuple[Verdict, ...] = ("blocked", "inconclusive", "pass")
        lines = [f"{b.verdict}: {_title(b)}: {b.reason}" for v in order for b in self.buckets if b.verdict == v]
        return "\n".join([f"{self.verdict}: pipeline {self.head.pipeline}, {self.variant} against v0", *lines])

    def to_dict(self) -> dict[str, Any]:
        buckets = [{**asdict(b), "verdict": b.verdict, "reason": b.reason} for b in self.buckets]
        return {"verdict": self.verdict, "exit_code": self.exit_code, **asdict(self), "buckets": buckets}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)

    def to_junit(self) -> str:
        """JUnit XML: a test case for each bucket; blocked is a failure, too few cases an error."""
        count = {v: str(sum(b.verdict == v for b in self.buckets)) for v in EXIT_CODES}
        totals = {"tests": str(len(self.buckets)), "failures": count["blocked"], "errors": count["inconclusive"]}
        suites = ElementTree.Element("testsuites", totals)
        suite = ElementTree.SubElement(suites, "testsuite", {"name": f"ragclean gate {self.variant}", **totals})
        properties = ElementTree.SubElement(suite, "properties")
        for name, value in (("pipeline", self.head.pipeline), ("judge", self.head.judge), ("date", self.head.date)):
            ElementTree.SubElement(properties, "property", {"name": name, "value": printable(value)})
        for bucket in self.buckets:
            group = f"ragclean.gate.{self.variant}"
            case = ElementTree.SubElement(suite, "testcase", {"classname": group, "name": printable(_title(bucket))})
            reason = printable(bucket.reason)
            if bucket.verdict != "pass":
                tag = "failure" if bucket.verdict == "blocked" else "error"
                ElementTree.SubElement(case, tag, {"type": bucket.verdict, "message": reason}).text = reason
            else:
                ElementTree.SubElement(case, "system-out").text = reason
        ElementTree.indent(suites)
        document: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
        return document.decode("utf-8") + "\n"


def junit_of_error(message: str) -> str:
    """JUnit XML of a gate that gave no verdict: one test case that is an error."""
    count = {"tests": "1", "failures": "0", "errors": "1"}
    suites = ElementTree.Element("testsuites", count)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": "ragclean gate", **count})
    case = ElementTree.SubElement(suite, "testcase", {"classname": "ragclean.gate", "name": "gate"})
    error = ElementTree.SubElement(case, "error", {"type": "no verdict", "message": printable(message)})
    error.text = printable(message)
    ElementTree.indent(suites)
    document: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return document.decode("utf-8") + "\n"


def gate(
    outcomes: Iterable[Outcome], cases: Iterable[EvalCase], head: ReportHead, *, releasing: str,
    critical: Collection[str] = (), variant: Variant = "v3", critical_limit: float = CRITICAL_LIMIT,
    limit: float = LIMIT, seed: int = 0,
) -> Gate:  # fmt: skip
    """The verdict on releasing the pipeline of that fingerprint, from a report on it.

    Args:
        releasing: the fingerprint of the pipeline to be released.
        critical: the 3 to 5 categories whose errors cost most.

    :raises GateError: where the report is of another pipeline, did not pass its own check, or cannot be judged.
    """
    critical = (critical,) if isinstance(critical, str) else critical
    if head.pipeline != releasing:
        raise GateError(f"the report is of pipeline {head.pipeline!r}, not of {releasing!r}: evaluate what is released")
    if head.checked is not True:
        state = "failed" if head.checked is False else "was not made"
        raise GateError(f"the evaluator's check of itself {state}: its figures gate nothing", CHECK_FAILED)
    if variant not in NOISY:
        raise GateError(f"variant {variant!r} has no degradation: choose one of {', '.join(NOISY)}")
    for name, value in (("critical_limit", critical_limit), ("limit", limit)):
        if not 0 < value < 1:
            raise GateError(f"{name} is a share between 0 and 1, got {value}")
    runs = [o for o in outcomes if o.shown.variant in ("v0", variant)]
    try:
        category = {i: c.category or UNNAMED for i, c in by_id(cases, runs).items()}
        pooled = _pool(runs, category, variant, critical)
        found = [_declines(runs, variant, {i for i in category if category[i] in names}, seed) for _, names in pooled]
    except ValueError as error:
        raise GateError(str(error)) from error
    limits = [critical_limit if name in critical else limit for name, _ in pooled]
    tests = _test(found, limits, seed)
    buckets = zip(pooled, limits, tests, strict=True)
    return Gate(head, variant, tuple(Bucket(n, n in critical, at, of, t) for (n, of), at, t in buckets))


def _pool(
    runs: Sequence[Outcome], category: Mapping[str, str], variant: Variant, critical: Collection[str]
) -> list[tuple[str, tuple[str, ...]]]:
    """The buckets, critical ones first, each with its categories; small ones that are not critical together."""
    shown = Counter(category[i] for i in {o.shown.case_id for o in runs if o.shown.variant == variant})
    # Of all cases that were asked: a category of which no contradiction could be made is told, and does not vanish.
    sizes = Counter(category[i] for i in {o.shown.case_id for o in runs}) if shown else shown
    missing = sorted(set(critical) - set(shown))
    if missing:
        raise ValueError(f"no case of the critical category was shown {variant}: {name_some(missing)}")
    if not sizes:
        raise ValueError(f"the report has no outcome of {variant}")
    others = sorted(set(sizes) - set(critical))
    small = tuple(n for n in others if sizes[n] < FEWEST)
    alone = [*sorted(set(critical)), *(n for n in others if n not in small or len(small) == 1)]
    return [(n, (n,)) for n in alone] + ([(POOLED, small)] if len(small) > 1 else [])


Measured = tuple[Decline, Scores]


def _declines(runs: Iterable[Outcome], variant: Variant, within: Collection[str], seed: int) -> list[Measured]:
    """The figures of a bucket that are defined anywhere in it; correctness alone where none is."""
    these = [o for o in runs if o.shown.case_id in within]
    base, noisy = ([o for o in these if o.shown.variant == v] for v in ("v0", variant))
    pairs = {f: pair_up(f, base, noisy) for f in FIGURES}
    shown: list[Figure] = [f for f in FIGURES if len(pairs[f].scores)]
    return [(decline(f, pairs[f], seed), pairs[f].scores) for f in shown or FIGURES[:1]]


def _test(found: Sequence[Sequence[Measured]], limits: Sequence[float], seed: int) -> list[tuple[FigureTest, ...]]:
    """Every figure of every bucket against its limit; what is blocked is corrected for their number (Holm)."""
    flat = [(d, scores, at) for measured, at in zip(found, limits, strict=True) for d, scores in measured]
    p = [None if d.grade == "inconclusive" else tails(scores, at, seed) for d, scores, at in flat]
    tested = [i for i, t in enumerate(p) if t is not None]
    blocked = dict(zip(tested, holm([t[0] for t in p if t is not None]), strict=True))
    alpha = ALPHA / max(len(tested), 1)
    done = iter(
        _verdict(d, at, t, blocked.get(i, False), detectable(scores, at, alpha) if t else None)
        for i, ((d, scores, at), t) in enumerate(zip(flat, p, strict=True))
    )
    return [tuple(next(done) for _ in measured) for measured in found]


def _verdict(
    found: Decline, limit: float, p: tuple[float, float] | None, blocked: bool, least: float | None
) -> FigureTest:
    failed = found.failed / max(found.cases + found.undefined + found.failed, 1)
    if p is None or found.value is None or found.low is None or found.high is None:
        why = f"the base mean is below {LEAST_BASE}" if found.cases else "no case has a score under both variants"
        return FigureTest(found, "inconclusive", None, None, None, f"{found.figure}: nothing can be said, {why}")
    figures = (
        f"{found.figure} lost {_percent(found.value)} ({_percent(found.low)} to {_percent(found.high)}; limit "
        f"{_percent(limit)}; {found.cases} cases)"
    )
    if blocked:
        return FigureTest(found, "blocked", *p, least, figures)
    if failed > MOST_FAILED:
        why = f"{figures}; {found.failed} cases failed, which could hide a degradation"
        return FigureTest(found, "inconclusive", *p, least, why)
    if p[1] <= ALPHA:
        return FigureTest(found, "pass", *p, least, figures)
    blocks = "so many cannot block any" if least is None else f"so many block one of {_percent(least)} or more"
    return FigureTest(found, "inconclusive", *p, least, f"too few cases to tell: {figures}; {blocks}")


def tails(scores: Scores, limit: float, seed: int = 0) -> tuple[float, float]:
    """How probable it is that the true degradation does not exceed the limit, and that it does.

    The shares of random weightings of the cases on that side, each with the extremes counted against the verdict.
    """
    above = ratio(weighted(scores, EXTREMES, AGAINST_BLOCK, seed, DRAWS)) > limit
    below = ratio(weighted(scores, EXTREMES, AGAINST_PASS, seed, DRAWS)) <= limit
    return float((~above).sum() + 1) / (DRAWS + 1), float((~below).sum() + 1) / (DRAWS + 1)


def holm(p: Sequence[float], alpha: float = ALPHA) -> list[bool]:
    """Which hypotheses are refuted (Holm 1979): with probability alpha at most is any of them true."""
    refuted = [False] * len(p)
    for rank, i in enumerate(np.argsort(p, kind="stable")):
        if p[i] > alpha / (len(p) - rank):
            break
        refuted[i] = True
    return refuted


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """Blocked where any is; a pass where all are."""
    if "blocked" in verdicts:
        return "blocked"
    return "pass" if verdicts and set(verdicts) == {"pass"} else "inconclusive"


def detectable(scores: Scores, limit: float, alpha: float = ALPHA) -> float | None:
    """The smallest true degradation, in whole per cent, that these cases would block with the usual power.

    By the normal approximation, for cases that lose all they have, or nothing, beside what else was seen to change.
    Measured power at what it names, from 50 cases on: 0.77 to 0.97 for one test, 0.65 to 0.99 for eight.
    """
    base, square = float(scores[:, 0].mean()), float((scores[:, 0] ** 2).mean())
    seen = min(max(1 - float(scores[:, 1].mean()) / base, 0.0), 1.0)
    churn = float(((scores[:, 1] - (1 - seen) * scores[:, 0]) ** 2).mean()) - square * seen * (1 - seen)
    n, z = len(scores), NormalDist().inv_cdf(1 - alpha) + NormalDist().inv_cdf(POWER)
    lost, gained = AGAINST_BLOCK
    for true in np.arange(math.floor(limit * 100) + 1, 101) / 100:
        centre = 1 - (n * base * (1 - true) + gained) / (n * base + lost)
        spread = square * max(true * (1 - true), centre * (1 - centre)) + max(churn, 0.0)
        if centre - limit >= z * math.sqrt(spread / n) / base:
            return float(true)
    return None


def printable(text: str) -> str:
    """The text without the characters that XML 1.0 cannot hold, escaped or not."""
    return _NOT_XML.sub("", text)


def _title(bucket: Bucket) -> str:
    return f"{bucket.name} (critical)" if bucket.critical else bucket.name


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
