"""Run recorded cases again, and count at which stage the expected was lost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ragclean.badcases.attribution import STAGES, Adoption, Attribution, attribute
from ragclean.badcases.record import BadCase, Expected, Part
from ragclean.badcases.replay_words import wording
from ragclean.calibration.cases import LabelledCase, LabelledChunk
from ragclean.text.sentences import split_sentences
from ragclean.types import Chunk
from ragclean.visible import quoted

if TYPE_CHECKING:
    from rich.table import Table

    from ragclean.corrector import NoiseCorrector
    from ragclean.report.page import Lang
    from ragclean.report.wording import Wording

_KINDS = ("answer", "sentence", "chunk")
_ADOPTED = ("wrong", "sentence", "chunk")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case."""

    id: str
    query: str
    attributions: tuple[Attribution, ...] = ()
    adopted: tuple[Adoption, ...] = ()
    judged: bool = True
    """False where nothing is expected of the case: then it is neither right nor wrong."""
    error: str = ""
    """What refining raised, if it did: a configuration may refuse a candidate that another one skips."""

    @property
    def lost(self) -> tuple[Attribution, ...]:
        return tuple(a for a in self.attributions if a.lost)

    @property
    def ok(self) -> bool:
        """All that is expected is kept, and nothing that is wrong or to go is in the context."""
        return not (self.error or self.lost or self.adopted)

    def explain(self, lang: Lang = "en") -> str:
        """What went wrong, a line each, safe to print."""
        w = wording(lang)
        problems = [w("failed", error=quoted(self.error))] if self.error else []
        problems += [a.explain(lang) for a in self.lost] + [a.explain(lang) for a in self.adopted]
        head = f"{quoted(self.id)}{w.colon}{quoted(self.query)}"
        return "\n  ".join([head, *(problems or [w("nothing")])])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "id": self.id,
            "query": self.query,
            "judged": self.judged,
            "ok": self.ok,
            "error": self.error,
            "expected": [
                {name: getattr(a, name) for name in ("kind", "item", "stage", "chunk_id", "reason", "detail")}
                for a in self.attributions
            ],
            "adopted": [{"kind": a.kind, "item": a.item, "chunk_id": a.chunk_id} for a in self.adopted],
        }


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcomes of all cases under one corrector."""

    outcomes: tuple[Outcome, ...]
    fingerprint: str = ""
    """Of the corrector."""

    @property
    def judged(self) -> tuple[Outcome, ...]:
        """The cases of which something is expected."""
        return tuple(o for o in self.outcomes if o.judged)

    @property
    def losses(self) -> tuple[Outcome, ...]:
        """The cases that lost something expected, or could not be refined."""
        return tuple(o for o in self.outcomes if o.lost or o.error)

    def stages(self) -> dict[str, int]:
        """How many expected items ended at each stage, all stages named."""
        counts: dict[str, int] = dict.fromkeys(STAGES, 0)
        for outcome in self.outcomes:
            for a in outcome.attributions:
                counts[a.stage] += 1
        return counts

    def table(self, lang: Lang = "en") -> Table:
        """Expected items by stage, for a terminal or a notebook."""
        from rich.table import Table

        w = wording(lang)
        table = Table(w("stage"), *(w(f"kinds_{kind}") for kind in _KINDS), w("cases"), w("meaning"))
        for column in table.columns[1:-1]:
            column.justify = "right"
        for stage in STAGES:
            at = [(o, a.kind) for o in self.outcomes for a in o.attributions if a.stage == stage]
            table.add_row(*_row(stage, at, _KINDS, w))
        table.add_row(*_row("adopted", [(o, a.kind) for o in self.outcomes for a in o.adopted], _ADOPTED, w))
        unlabelled = len(self.outcomes) - len(self.judged)
        table.caption = w("right", right=sum(o.ok for o in self.judged), judged=len(self.judged)) + (
            w("without_labels", n=unlabelled) if unlabelled else ""
        )
        return table

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "cases": len(self.outcomes),
            "judged": len(self.judged),
            "ok": sum(o.ok for o in self.judged),
            "stages": self.stages(),
            "adopted": sum(len(o.adopted) for o in self.outcomes),
            "fingerprint": self.fingerprint,
            "outcomes": [o.to_dict() for o in self.outcomes],
        }


def _row(stage: str, at: Sequence[tuple[Outcome, str]], kinds: Sequence[str], w: Wording) -> list[str]:
    counts = [str(sum(kind == k for _, k in at)) for kind in kinds]
    return [w(f"stage_{stage}"), *counts, str(len({id(o) for o, _ in at})), w(f"meaning_{stage}")]


def replay(cases: Iterable[BadCase | LabelledCase], corrector: NoiseCorrector) -> Replay:
    """Run cases through a corrector: their candidates, options and date, the corrector's configuration.

    Args:
        cases: a store, a list, or whatever gives recorded or labelled cases; each is held only while it runs.
    """
    return Replay(tuple(replay_case(case, corrector) for case in cases), corrector.fingerprint)


def replay_case(case: BadCase | LabelledCase, corrector: NoiseCorrector) -> Outcome:
    """Run one case through a corrector."""
    given = _given(case)
    try:
        result = corrector.refine(case.query, given.candidates, as_of=case.as_of, **given.options)
    except (TypeError, ValueError) as error:
        return Outcome(case.id, case.query, judged=bool(given.expected), error=f"{type(error).__name__}: {error}")
    found = attribute(result, given.expected, given.candidates)
    return Outcome(case.id, case.query, found.attributions, found.adopted, judged=bool(given.expected))


@dataclass(frozen=True, slots=True)
class _Given:
    """What a case hands to ``refine`` beside query and date, and what it expects."""

    candidates: tuple[Chunk, ...]
    expected: Expected
    options: Mapping[str, Any] = field(default_factory=dict)


def _given(case: BadCase | LabelledCase) -> _Given:
    if isinstance(case, BadCase):
        return _Given(case.candidates, case.expected, case.options)
    options = {"sub_queries": case.sub_queries} if case.sub_queries else {}
    return _Given(tuple(c.chunk for c in case.chunks), expected_of(case), options)


def expected_of(case: LabelledCase) -> Expected:
    """The labels of a labelled case as what is expected of it.

    Where a chunk's ``drop`` is the whole list of what is to go, every sentence beside its parts is to stay.
    """
    keep_sentences: list[Part] = []
    for c in case.chunks:
        stay = _rest(c) if c.complete else c.must_keep
        keep_sentences += [Part(c.chunk.id, text) for text in stay]
    return Expected(
        accepted=tuple(a for a in case.accepted if a.strip()),
        wrong=tuple(w for w in case.wrong if w.strip() and w not in case.accepted),
        keep=tuple(c.chunk.id for c in case.chunks if c.keep is True),
        drop=tuple(c.chunk.id for c in case.chunks if c.keep is False),
        keep_sentences=tuple(keep_sentences),
        drop_sentences=tuple(Part(c.chunk.id, text) for c in case.chunks for text in c.must_drop),
    )


def _rest(labelled: LabelledChunk) -> Iterator[str]:
    """The sentences of a chunk's text that no part which is to go reaches into."""
    text = labelled.chunk.text
    spans = [m.span() for part in labelled.must_drop for m in re.finditer(re.escape(part), text)]
    for sentence in split_sentences(text):
        written = text[sentence.start : sentence.end]
        if written.strip() and not any(sentence.start < end and start < sentence.end for start, end in spans):
            yield written
