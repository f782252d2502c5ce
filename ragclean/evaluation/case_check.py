"""What a set of cases is good for: its counts, its faults, which variants can be made, and what a gate would need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ragclean.evaluation.building import normalised
from ragclean.evaluation.gating import FEWEST
from ragclean.evaluation.quotes import find_quote
from ragclean.evaluation.records import VARIANTS, EvalCase, Variant
from ragclean.text.folding import fold, language
from ragclean.text.values import find_values, same_value
from ragclean.types import Chunk

#: Cases that a critical category wants, so that a true degradation of 2 % passes a limit of 10 % in 87 % of runs, and
#: any other category, so that one of 5 % passes 20 % in 8 of 10 (docs/evaluation-figures.md).
CRITICAL_WANTS, OTHERS_WANT = 100, FEWEST
_VALUE_KINDS = frozenset({"duration", "date", "time", "money", "percent", "count", "quantity"})


@dataclass(frozen=True, slots=True)
class CaseCheck:
    """What was found. Lists hold case ids."""

    cases: int
    categories: Mapping[str, int]
    difficulties: Mapping[str, int]
    languages: Mapping[str, int]
    drafts: int
    """Lines that nobody has accepted; they are in no other figure."""
    unanswerable: tuple[str, ...]
    duplicates: tuple[tuple[str, ...], ...]
    """Cases that ask the same question."""
    without_contexts: tuple[str, ...]
    without_gold: tuple[str, ...]
    """Answerable, with contexts, and none of them named as gold."""
    unsupported: Mapping[str, str]
    """A value or point of the reference that no gold chunk holds, by case id."""
    short: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Variants that cannot be made: reason and ids, by variant."""

    @property
    def faults(self) -> int:
        """Cases that should be mended before an evaluation."""
        twice = sum(len(ids) - 1 for ids in self.duplicates)
        return twice + len(self.without_gold) + len(self.unsupported)

    def explain(self, lang: Literal["zh", "en"] = "en") -> str:
        """The same in lines."""
        from ragclean.evaluation.case_check_words import explained

        return explained(self, lang)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        wants = {"critical": CRITICAL_WANTS, "other": OTHERS_WANT}
        return {**asdict(self), "faults": self.faults, "wanted_by_a_gate": wants}


def check_cases(
    cases: Sequence[EvalCase], *, drafts: int = 0, variants: Sequence[Variant] = VARIANTS
) -> CaseCheck:
    """Look a set of cases through, without asking an application or a judge anything.

    Args:
        drafts: lines of the file that are left out, since nobody has accepted them.
        variants: tried with noise from the contexts of all cases, as a run does that is given no corpus.

    Raises:
        ValueError: there is no case, or an id is used twice.
    """
    by_question: dict[str, list[str]] = {}
    for case in cases:
        by_question.setdefault(normalised(case.question), []).append(case.id)
    return CaseCheck(
        cases=len(cases),
        categories=_counts(c.category for c in cases),
        difficulties=_counts(c.difficulty for c in cases),
        languages=_counts(language(fold(c.question)) for c in cases),
        drafts=drafts,
        unanswerable=tuple(c.id for c in cases if not c.answerable),
        duplicates=tuple(tuple(ids) for ids in by_question.values() if len(ids) > 1),
        without_contexts=tuple(c.id for c in cases if not c.contexts),
        without_gold=tuple(c.id for c in cases if c.answerable and c.contexts and not c.gold),
        unsupported={c.id: missing for c in cases if (missing := _missing(c))},
        short=_short(cases, variants),
    )


def _counts(names: Any) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def _missing(case: EvalCase) -> str:
    """What of the reference stands in no gold chunk: a value, or a whole reference that shares no point with them.

    A point without a value may be said in other words; only where nothing of the reference is found is it named.
    """
    gold = [c for c in case.contexts if c.id in case.gold]
    if not case.answerable or not gold:
        return ""
    points = case.keypoints or (case.reference,)
    for point in points:
        folded = fold(point)
        values = [v for v in find_values(folded) if v.kind in _VALUE_KINDS]
        there = [v for c in gold for v in find_values(fold(_whole(c)))]
        for value in values:
            written = point[value.start : value.end]
            if not any(same_value(value, t) for t in there) and not any(find_quote(written, _whole(c)) for c in gold):
                return written
    if any(find_values(fold(p)) for p in points) or any(find_quote(p, _whole(c)) for p in points for c in gold):
        return ""
    return "" if find_any(case, gold) else case.reference[:60]


def find_any(case: EvalCase, gold: Sequence[Chunk]) -> bool:
    """A gold chunk holds half of the reference's pairs of characters (Chinese) or words (English): its own wording."""
    folded = fold(case.reference)
    zh = language(folded) == "zh"
    wanted = _pieces(folded, zh)
    return any(len(wanted & _pieces(fold(_whole(c)), zh)) >= len(wanted) / 2 for c in gold)


def _pieces(folded: str, zh: bool) -> frozenset[str]:
    if zh:
        bare = normalised(folded)
        return frozenset(bare[i : i + 2] for i in range(len(bare) - 1)) or frozenset((bare,))
    return frozenset(w.strip(".,;:!?()'\"") for w in folded.split())


def _whole(chunk: Chunk) -> str:
    return f"{chunk.title}\n{chunk.text}"


def _short(cases: Sequence[EvalCase], variants: Sequence[Variant]) -> dict[str, dict[str, tuple[str, ...]]]:
    from ragclean.evaluation.running import plan_run

    if not any(c.contexts for c in cases):
        return {v: {"no case has contexts": tuple(c.id for c in cases)} for v in variants if v != "v0"}
    found: dict[str, dict[str, list[str]]] = {}
    for shortage in plan_run(cases, variants).short:
        reasons = found.setdefault(shortage.variant, {})
        reasons.setdefault(shortage.reason, []).append(shortage.case_id)
    return {v: {r: tuple(ids) for r, ids in reasons.items()} for v, reasons in sorted(found.items())}
