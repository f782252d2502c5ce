"""The questions that the signals are measured on: sets of texts of which each is known to answer, or not to.

What counts as answering in a set is said where the judge's own pools are read (``scripts/judge_pools.py``), so that the
judge is measured by the labels that it was fitted to. Pages that may or may not answer are left out of the figures.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from case_form import case_files

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "scripts"))

import judge_pools  # noqa: E402
from fitting import development_files  # noqa: E402
from judge_pools import ANSWERS, DOES_NOT, WEIGHTS, Judged, digest, labelled, own_pools, unanswered  # noqa: E402

from ragclean.text.folding import fold, language  # noqa: E402

__all__ = ["ANSWERS", "DOES_NOT", "Judged", "QuestionSet", "unanswerable", "with_answers"]

_WEB = (("gold", "support", "conflict"), ("relevant_noise", "irrelevant"))
#: Labels that answer and that do not. A value that is wrong answers too: which is right is not for relevance to say.
PUBLIC = {
    "rgb_zh_refine": _WEB, "rgb_zh_int": _WEB, "rgb_zh_fact": _WEB, "rgb_en_fact": _WEB,
    "dureader_demo": (("support", "gold"), ("unknown",)),
    "ramdocs": (("gold", "conflict"), ("relevant_noise", "irrelevant")),
}  # fmt: skip
UNANSWERABLE = ("nomiracl_zh", "nomiracl_en")


@dataclass(frozen=True)
class QuestionSet:
    """Questions of one language."""

    name: str
    lang: str
    fitted: bool
    """The embedded judge was fitted to these questions: their figures flatter it."""
    questions: tuple[Judged, ...]

    @property
    def texts(self) -> list[str]:
        return [text for q in self.questions for text in q.texts]

    def first(self, n: int | None) -> QuestionSet:
        """At most ``n`` questions, the same ones each time, from all over the set."""
        chosen = sorted(self.questions, key=lambda q: digest(q.id))[:n]
        return QuestionSet(self.name, self.lang, self.fitted, tuple(chosen))


def with_answers(data: Path | None) -> Iterator[QuestionSet]:
    """Every set with texts that answer and texts that do not; what a folder lacks is left out."""
    for name, (good, bad) in PUBLIC.items():
        if data is not None and (data / f"{name}.jsonl").exists():
            lang = "en" if "_en" in name or name == "ramdocs" else "zh"
            yield QuestionSet(name, lang, name in WEIGHTS, _two_sided(labelled(data, name, good, bad)))
    yield from _by_language("own", True, _two_sided(own_pools(development_files())))
    frozen = [path for path in case_files() if "frozen" in path.name]
    yield from _by_language("frozen", False, _two_sided(own_pools(frozen)))
    if judge_pools.ANSWERS_FILE.exists():
        yield from _by_language("answers", False, _two_sided(judge_pools.short_texts("measure")))


def unanswerable(data: Path | None) -> Iterator[QuestionSet]:
    """Sets of passages that people judged not to answer; ``Judged.held_out`` marks what nothing is fitted to."""
    for name in UNANSWERABLE:
        if data is not None and (data / f"{name}.jsonl").exists():
            questions = [q for q in unanswered(data, name) if set(q.labels) == {DOES_NOT}]
            yield QuestionSet(name, name[-2:], True, tuple(questions))


def _two_sided(questions: Iterator[Judged]) -> tuple[Judged, ...]:
    return tuple(q for q in questions if {ANSWERS, DOES_NOT} <= set(q.labels))


def _by_language(name: str, fitted: bool, questions: Sequence[Judged]) -> Iterator[QuestionSet]:
    for lang in ("zh", "en"):
        own = tuple(q for q in questions if language(fold(q.query)) == lang)
        if own:
            yield QuestionSet(f"{name} {lang}", lang, fitted, own)
