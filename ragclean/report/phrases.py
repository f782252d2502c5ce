"""Values in words: what the page, the Markdown and the terminal all say of a figure. Plain text, not yet escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ragclean.evaluation.degradation import UNNAMED, By, Decline, Degradation, Figure, Grade
from ragclean.evaluation.gating import MOST_FAILED, POOLED, Bucket, FigureTest
from ragclean.evaluation.records import Check, Injected, Variant
from ragclean.evaluation.sweeping import Sweep
from ragclean.report.evaluation_figures import EvaluationFigures
from ragclean.report.page import Lang, shorten
from ragclean.report.wording import Wording

#: Signs of a value by which a table of figures stays readable: 0.923, 12.3 %.
_SHARE_DIGITS, _PERCENT_DIGITS = 3, 1
#: A p value below this is not told further: so few of the random weightings say nothing of its digits.
_LEAST_P = 0.001
#: Characters of a setting's value, and settings named in a row.
_VALUE_WIDTH, _MOST_SETTINGS = 60, 12
_BAND = re.compile(r"(\d{1,9}) of (\d{1,9}) chunks lie in (\d\.\d\d)\.\.(\d\.\d\d)")
_ODD = re.compile(r"not so: (.{1,2000})$", re.DOTALL)
_BOUND = re.compile(r"at (least|most) (\d\.\d\d)")
_UNALTERABLE = "no value, yes or no, or name of the answer can be altered"
_MINUS = "\N{MINUS SIGN}"


class Phrases(Wording):
    """Figures and their names in one language."""

    def __init__(self, lang: Lang) -> None:
        super().__init__(lang)
        self._unit = "%" if lang == "zh" else " %"

    # ------------------------------------------------------------ numbers

    def share(self, value: float | None) -> str:
        """A share from 0 to 1, or a difference of two."""
        return self("undefined") if value is None else _signed(value, _SHARE_DIGITS)

    def percent(self, value: float | None) -> str:
        """A degradation."""
        return self("undefined") if value is None else _signed(100 * value, _PERCENT_DIGITS) + self._unit

    def interval(self, low: float | None, high: float | None) -> str:
        """Both ends of a degradation's interval, in per cent; empty where there is none."""
        if low is None or high is None:
            return ""
        return self("to", low=_signed(100 * low, _PERCENT_DIGITS), high=self.percent(high))

    def span(self, low: float | None, high: float | None) -> str:
        """Both ends of an interval of shares; empty where there is none."""
        return "" if low is None or high is None else self("to", low=self.share(low), high=self.share(high))

    def probability(self, p: float | None) -> str:
        """A p value; a dash where nothing was tested."""
        return "–" if p is None else "< 0.001" if p < _LEAST_P else f"{p:.3f}"

    # ------------------------------------------------------------ degradation

    def grade(self, grade: Grade) -> str:
        return self(f"grade_{grade}")

    def action(self, found: Degradation) -> str:
        """What to do about a degradation; of few cases, that nothing is known yet."""
        return self("few") if found.few and found.grade != "inconclusive" else self(f"action_{found.grade}")

    def figure(self, figure: Figure) -> str:
        return self(figure)

    def variant(self, variant: Variant) -> str:
        return self(variant)

    def bucket(self, by: By, bucket: str) -> str:
        """The name of a bucket; of a category, as the cases have it."""
        if by == "all":
            return self("all_cases")
        if bucket == UNNAMED:
            return self("unnamed")
        return self(bucket) if by == "position" and bucket in ("front", "middle", "end") else bucket

    def lost(self, decline: Decline) -> str:
        """The degradation with its interval: ``12.3 % (4.0 to 20.1 %)``."""
        interval = self.interval(decline.low, decline.high)
        return self.percent(decline.value) + (f" ({interval})" if interval else "")

    def decline(self, decline: Decline) -> str:
        """A cell in a line: degradation, interval, grade, cases, and what was left out."""
        counted = self("cases_n", n=f"{decline.cases:,}")
        parts = [self.lost(decline), self.grade(decline.grade), counted, self.left_out(decline)]
        return ("，" if self.lang == "zh" else ", ").join(part for part in parts if part)

    def left_out(self, decline: Decline) -> str:
        """Which cases are not among those counted; empty where all are."""
        counts = {"undefined": decline.undefined, "failed": decline.failed, "absent": decline.absent}
        said = [self(f"left_{name}", n=n) for name, n in counts.items() if n]
        return self("left_out", what=self.comma.join(said)) if said else ""

    def headline(self, found: Degradation | None) -> str:
        """The whole run in a sentence."""
        if found is None:
            return self("no_headline")
        worst, grade = found.worst, found.grade
        named = {"variant": self.variant(found.variant), "grade": self.grade(grade), "action": self.action(found)}
        if worst.value is None or grade == "inconclusive":
            return self("headline_none", **named)
        return self(
            "headline", **named, figure=self.figure(worst.figure), base=self.share(worst.base),
            noisy=self.share(worst.noisy), value=self.percent(worst.value),
            interval=self.interval(worst.low, worst.high),
        )  # fmt: skip

    # ------------------------------------------------------------ the run

    def head(self, figures: EvaluationFigures) -> list[tuple[str, str]]:
        """What was run, by name."""
        r = figures.report
        return [
            (self("pipeline"), r.pipeline), (self("judge"), r.judge), (self("date"), r.date or self("undefined")),
            (self("cases"), f"{len(r.cases):,}"), (self("variants"), self.comma.join(map(self.variant, r.variants))),
            (self("repeats"), f"{r.repeats:,}"), (self("noise"), self.settings(r.noise)), (self("corpus"), r.corpus),
        ]  # fmt: skip

    def status(self, figures: EvaluationFigures) -> str:
        """Whether the report may be believed, in a sentence."""
        if figures.status == "valid":
            return self("status_valid")
        return self(f"status_{figures.status}") + self.colon + self(f"status_{figures.status}_long")

    def settings(self, settings: Mapping[str, Any]) -> str:
        """Names and values in a line."""
        named = [f"{self._setting(k)} {_value(v)}" for k, v in list(settings.items())[:_MOST_SETTINGS]]
        more = [self("names_more", count=len(settings) - _MOST_SETTINGS)] if len(settings) > _MOST_SETTINGS else []
        return self.semicolon.join([*named, *more])

    def _setting(self, name: Any) -> str:
        known = ("count", "position", "seed", "irrelevant", "relevant", "on_empty_band", "marked")
        return self(name) if name in known else shorten(str(name), _VALUE_WIDTH)

    def check(self, check: Check) -> str:
        """What was checked; a name that is not known stays as it is."""
        return self.known(f"check_{check.name}", check.name)

    def check_result(self, check: Check) -> str:
        return self("not_made" if check.passed is None else "passed" if check.passed else "not_passed")

    def wanted(self, check: Check) -> str:
        bound = _BOUND.fullmatch(check.wanted)
        return self(f"at_{bound[1]}", value=bound[2]) if bound else check.wanted

    def detail(self, check: Check) -> str:
        """What a check saw. Figures stand in columns of their own, so that Chinese pages name the cases alone."""
        odd = _ODD.search(check.detail)
        if self.lang == "en" or (check.measured is None and not odd):
            return check.detail
        return self("odd_cases", cases=odd[1]) if odd else ""

    def sweep_reason(self, found: Sweep) -> str:
        """Why the best setting is the best."""
        if self.lang == "en" or found.best is None:
            return found.reason if self.lang == "en" else ""
        best = found.points[found.best]
        return self("best_why", recall=self.share(best.recall), lost=self.percent(best.degradation.worst.value))

    def shortage(self, reason: str) -> str:
        """Why a variant could not be made; what is not known stays as it is."""
        if reason == _UNALTERABLE:
            return self("short_unalterable")
        band = _BAND.fullmatch(reason)
        return self("short_band", found=band[1], wanted=band[2], low=band[3], high=band[4]) if band else reason

    def origin(self, injected: Injected) -> str:
        """Kind, origin and similarity of an injected chunk in a line."""
        named = self.known(f"origin_{injected.origin}", injected.origin)
        parts = [self(f"kind_{injected.kind}")]
        if named:
            parts.append(self("origin", origin=named))
        if injected.similarity is not None:
            parts.append(self("similarity", value=f"{injected.similarity:.2f}"))
        return self.semicolon.join(parts)

    # ------------------------------------------------------------ gate

    def gate_bucket(self, bucket: Bucket) -> str:
        name = self("pooled") if bucket.name == POOLED else self.bucket("category", bucket.name)
        return f"{name} ({self('critical')})" if bucket.critical else name

    def gate_reasons(self, bucket: Bucket) -> list[str]:
        """What the tests say that settle the bucket's verdict, one by one."""
        return [self._test(t, bucket.limit) for t in bucket.tests if t.verdict == bucket.verdict]

    def _test(self, test: FigureTest, limit: float) -> str:
        found = test.decline
        figure = self.figure(found.figure)
        if test.p_above is None:
            return self("gate_low_base" if found.cases else "gate_no_score", figure=figure)
        figures = self(
            "gate_figures", figure=figure, value=self.percent(found.value), limit=self.percent(limit), n=found.cases,
            interval=self.interval(found.low, found.high),
        )  # fmt: skip
        if test.verdict != "inconclusive":
            return figures
        if found.failed / max(found.cases + found.undefined + found.failed, 1) > MOST_FAILED:
            return self("gate_hidden", figures=figures, n=found.failed)
        least = test.detectable
        shows = self("gate_least_none") if least is None else self("gate_least", value=self.percent(least))
        return self("gate_few", figures=figures, least=shows)


def _signed(value: float, digits: int) -> str:
    """With a true minus sign, and never a minus zero."""
    text = f"{value:.{digits}f}"
    return _MINUS + text[1:] if text.startswith("-") and float(text) else text.lstrip("-")


def _value(value: Any) -> str:
    """A setting's value: a pair of numbers as a range, other things as they are written."""
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(v, (int, float)) for v in value):
        return f"{value[0]:g}..{value[1]:g}"
    return shorten(str(value), _VALUE_WIDTH)
