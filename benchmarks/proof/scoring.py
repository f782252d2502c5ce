"""Is an answer right? Against the labels of a case: as written, with values normalised, and what it adopted.

Two rules hold for every figure. A hedge is wrong: a losing or wrong value beside the right one leaves the user with
two values. And a value counts only whole (70 is not in 170, 十二个月 is not in 二十二个月).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from case_form import GOOD, Case, holds

from proof.arms import passages_of
from ragclean.evaluation import OfflineJudge
from ragclean.evaluation.claims import claims_of
from ragclean.evaluation.refusal import is_refusal
from ragclean.text.folding import fold
from ragclean.text.values import find_values, same_value

_JUDGE = OfflineJudge()
#: Characters of a name that may answer alone, and its least share of the accepted words.
_SHORTEST, _MOST = 3, 0.6
_NUMBER = re.compile(r"\d[\d.,]*")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True)
class Verdict:
    """What one answer is worth. Where a figure is undefined it is None, never 0."""

    strict: bool
    """An accepted answer stands in it as written, and nothing wrong beside it."""
    match: bool
    """The same with values and units normalised (两年 is 24个月), and words compared where the answer is no value."""
    adopted: bool | None
    """Does it name a losing or wrong value? None where the case knows none."""
    faithful: float | None
    """Share of its claims that the passages labelled good support; None for a refusal."""
    refused: bool
    covered: float | None = None
    """Share of the key points that it covers and does not contradict, by the offline judge: a question that asks for
    three prices has three, and ``match`` is content with one of them."""


def judge(case: Case, answer: str) -> Verdict:
    """The verdict on an answer to an answerable case."""
    refused = is_refusal(answer)
    bad = [*case.wrong, *(case.conflict.losers if case.conflict else ())]
    adopted = any(_states(answer, value, case.accepted) for value in bad)
    strict = any(holds(answer, value) for value in case.accepted) and not any(holds(answer, value) for value in bad)
    match = not refused and not adopted and _is_right(case, answer)
    points = _JUDGE.coverage(case.query, answer, case.answer, case.keypoints)
    covered = sum(p.covered for p in points) / len(points) if points else None
    return Verdict(
        strict and not refused, match, adopted if bad else None, faithfulness(case, answer), refused,
        0.0 if refused and points else covered,
    )  # fmt: skip


def faithfulness(case: Case, answer: str) -> float | None:
    """Share of the answer's claims that the good passages support, by the offline judge."""
    if is_refusal(answer):
        return None
    claims = claims_of(answer)
    if not claims:
        return None
    good = {c.id for c in case.chunks if c.role in GOOD}
    trusted = [p for p in passages_of(case) if p.id in good]
    found = _JUDGE.support(case.query, answer, claims, trusted)
    return sum(f.support == "supported" for f in found) / len(found)


def _is_right(case: Case, answer: str) -> bool:
    if any(holds(answer, value) or _is_most_of(answer, value) or _is_bare(answer, value) for value in case.accepted):
        return True
    values = [v for text in case.accepted for v in find_values(fold(text))]
    if values:
        return any(same_value(a, v) for a in find_values(fold(answer)) for v in values)
    # The first key point is the answer itself; those behind it (from when on, on what terms) a short answer leaves out.
    points = (*case.keypoints[:1], case.answer)
    return any(v.covered for point in points for v in _JUDGE.coverage(case.query, answer, case.answer, [point]))


def _is_most_of(answer: str, value: str) -> bool:
    """'某公司' answers who pays as '由某公司' does: nothing but most of the accepted words, and no number cut short."""
    said, wanted = ("".join(fold(text).split()).strip("。.") for text in (answer, value))
    return len(said) >= _SHORTEST and len(said) >= _MOST * len(wanted) and said in wanted and not _DIGIT.search(wanted)


def _is_bare(answer: str, value: str) -> bool:
    """'64' to a question about a price is £64: an answer that is a number and nothing else."""
    said = _NUMBER.fullmatch(fold(answer).strip().rstrip("。."))
    values = find_values(fold(value)) if said else []
    return bool(said) and len(values) == 1 and _DIGIT.findall(fold(value)) == _DIGIT.findall(said[0])


def _states(answer: str, value: str, accepted: Sequence[str]) -> bool:
    """Does the answer state a wrong value, in these words or as the same quantity?"""
    if holds(answer, value) or _is_bare(answer, value):
        return True
    right = [v for text in accepted for v in find_values(fold(text))]
    wrong = [v for v in find_values(fold(value)) if not any(same_value(v, r) for r in right)]
    said = find_values(fold(answer))
    return bool(wrong) and all(any(same_value(a, w) for a in said) for w in wrong)
