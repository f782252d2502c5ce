"""Is an answer right? Against the labels of a case: as written, with values normalised, and what it adopted.

Four rules hold for every figure. A hedge is wrong: a losing, wrong or made-up value beside the right one leaves the
user with two. What is only named to be set aside ('24个月，不是12个月') is not stated, and neither is what is denied
('不是24个月') or only asked ('24个月吗？'). A value counts only whole (70 is not in 170, 十二个月 is not in
二十二个月). And the marks of a chat (bold, code, full-width forms) change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from case_form import GOOD, Case

from proof.arms import passages_of
from proof.spoken import Spoken, plain
from ragclean.evaluation import OfflineJudge
from ragclean.evaluation.claims import claims_of
from ragclean.evaluation.hedging import hedges_value
from ragclean.evaluation.offline_coverage import lead
from ragclean.evaluation.offline_task import Task
from ragclean.evaluation.reading import Stated, read
from ragclean.evaluation.reading_compare import comparable, same_measure
from ragclean.evaluation.records import PointVerdict
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
    """Does it name a losing or wrong value, or say yes where the answer is no? None where the case knows none."""
    faithful: float | None
    """Share of its claims that the passages labelled good support; None for a refusal."""
    refused: bool
    covered: float | None = None
    """Share of the key points that it covers and does not contradict, by the offline judge: a question that asks for
    three prices has three, and ``match`` is content with one of them if the others are not contradicted."""


def judge(case: Case, answer: str) -> Verdict:
    """The verdict on an answer to an answerable case."""
    said, task = Spoken.of(answer), Task(case.query, case.answer, case.keypoints)
    refused = is_refusal(said.text)
    bad = [*case.wrong, *(case.conflict.losers if case.conflict else ())]
    given = said.text in {plain(text) for text in (case.answer, *case.accepted)}
    contrary = not given and _says_the_contrary(task, said)
    adopted = not given and not refused and ((bool(bad) and contrary) or any(_states(case, said, v) for v in bad))
    points = _JUDGE.coverage(case.query, said.text, case.answer, case.keypoints)
    spoiled = refused or adopted or contrary or (not given and (_adds_another(case, said) or _swaps(task, points)))
    strict = not spoiled and (given or any(said.states(value) for value in case.accepted))
    covered = sum(p.covered for p in points) / len(points) if points else None
    return Verdict(
        strict, strict or (not spoiled and _is_right(case, task, said)), adopted if bad else None,
        faithfulness(case, said.text), refused, 0.0 if refused and points else covered,
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


def _is_right(case: Case, task: Task, said: Spoken) -> bool:
    if any(_is_most_of(said.text, value) or _is_bare(said.text, value) for value in case.accepted):
        return True
    values = list(_values(case.accepted))
    if any(same_value(s.value, v.value) for s in said.stated for v in values):
        return True
    if values and not task.asks_yes_no:
        return False
    # The first key point is the answer itself; those behind it (from when on, on what terms) a short answer leaves out.
    points = (*case.keypoints[:1], case.answer)
    return any(v.covered for point in points for v in _JUDGE.coverage(case.query, said.text, case.answer, [point]))


def _is_most_of(answer: str, value: str) -> bool:
    """'某公司' answers who pays as '由某公司' does: nothing but most of the accepted words, and no number cut short."""
    said, wanted = ("".join(fold(text).split()).strip("。.") for text in (answer, value))
    return len(said) >= _SHORTEST and len(said) >= _MOST * len(wanted) and said in wanted and not _DIGIT.search(wanted)


def _is_bare(answer: str, value: str) -> bool:
    """'64' to a question about a price is £64: an answer that is a number and nothing else."""
    said = _NUMBER.fullmatch(fold(answer).strip().rstrip("。."))
    values = find_values(fold(value)) if said else []
    return bool(said) and len(values) == 1 and _DIGIT.findall(fold(value)) == _DIGIT.findall(said[0])


def _states(case: Case, said: Spoken, value: str) -> bool:
    """Does the answer state a wrong value, in these words or as the same quantity?"""
    if said.states(value) or _is_bare(said.text, value):
        return True
    right = list(_values(case.accepted))
    wrong = [v for v in _values([value]) if not any(same_measure(v, r) for r in right)]
    return bool(wrong) and all(any(same_value(s.value, w.value) for s in said.stated) for w in wrong)


def _adds_another(case: Case, said: Spoken) -> bool:
    """A value in place of the accepted one that no good passage knows, or one offered beside it ('269元或1886元')."""
    wanted = list(_values(case.accepted))
    labels = [case.query, case.answer, *case.keypoints, *case.accepted]
    good = [c.text for c in case.chunks if c.role in GOOD]
    known = list(_values([*labels, *good]))
    rivals = [s for s in said.stated if any(comparable(s.value, w.value) for w in wanted)]
    if any(not any(same_measure(s, k) for k in known) for s in rivals):
        return True
    return any(hedges_value(right, said.text, labels) for right in case.accepted)


def _swaps(task: Task, points: Sequence[PointVerdict]) -> bool:
    """Of several things asked, one is given another's value ('主机6个月，存储卡24个月')."""
    of_values = [p for p, values in zip(points, task.needed, strict=True) if values]
    return len(of_values) > 1 and any(p.contradicted for p in of_values)


def _says_the_contrary(task: Task, said: Spoken) -> bool:
    """Yes where the answer is no, or no where it is yes; whatever it goes on to say."""
    if not task.asks_yes_no:
        return False
    return lead(task.reference_read, task) * lead(said.reading, task) < 0


def _values(texts: Sequence[str]) -> Iterator[Stated]:
    return (s for text in texts for s in read(plain(text)).values)
