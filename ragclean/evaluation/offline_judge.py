"""The judge that needs no model: deterministic, for tests, offline use and the evaluator's own checks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ragclean.evaluation.judging import assemble
from ragclean.evaluation.offline_coverage import judge_points
from ragclean.evaluation.offline_support import Claim, find_support, passages_of
from ragclean.evaluation.offline_task import Task
from ragclean.evaluation.records import ClaimVerdict, EvalCase, Judgement, PointVerdict, Shown
from ragclean.types import Chunk

#: Raised when the same answer would be judged otherwise.
_FORM = 1
_KEPT_CASES = 256


class OfflineJudge:
    """Judges by the values, names, denials and words of the texts; no model, no network, the same answer each time.

    It is right where an answer stands or falls with a value (a duration, a sum, a share, a date ...), a yes or no, a
    payer, or plain words. Everything in :attr:`blind_spots` it cannot see: take a language model as the judge where
    answers are free prose, and this one for tests, offline use and for checking the machine itself.
    """

    blind_spots: tuple[str, ...] = (
        "paraphrases that share no words with the key point or the context",
        "conclusions that need more than one sentence, arithmetic or a unit price times a number",
        "which thing a right value is said of, where the answer names no other key point's thing",
        "a right value with a wrong condition, exception or reason around it",
        "irony, and denials by other means than negating words",
        "languages other than Chinese and English, and answers in another language than the contexts",
        "wrong names of people, places and products that stand beside right words",
        "the order of steps in instructions",
        "which value of an answer a bare one of a key point ('888元') is held against, where the answer gives several: "
        "key points should name their thing ('季卡888元')",
        "a sentence from elsewhere that shares its words and values with a trusted one: it counts as supported",
    )

    def __repr__(self) -> str:
        return "OfflineJudge()"

    @property
    def fingerprint(self) -> str:
        return f"offline-judge:{_FORM}"

    def judge(self, question: str, answer: str, case: EvalCase, shown: Shown) -> Judgement:
        """The verdict on an answer; never fails but for an answer of endless claims."""
        return assemble(self, question, answer, case, shown)

    def support(
        self, question: str, answer: str, claims: Sequence[str], contexts: Sequence[Chunk]
    ) -> list[ClaimVerdict]:
        """Of each claim: do the contexts support or contradict it, and in which sentence?"""
        passages = passages_of(contexts)
        found = [find_support(Claim(claim, question), passages) for claim in claims]
        return [ClaimVerdict(c, f.support, f.evidence, f.chunk_id) for c, f in zip(claims, found, strict=True)]

    def coverage(self, question: str, answer: str, reference: str, points: Sequence[str]) -> list[PointVerdict]:
        """Of each key point: does the answer cover it, and in which clause?"""
        return list(judge_points(_task(question, reference, tuple(points)), answer))


@lru_cache(maxsize=_KEPT_CASES)
def _task(question: str, reference: str, points: tuple[str, ...]) -> Task:
    return Task(question, reference, points)
