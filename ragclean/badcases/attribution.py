"""Where an expected item went: the stage that dropped it, or that it is in the context.

Everything is read from the result: no stage is run again. What ``dropped`` says of a sentence is mapped to an item by
offsets, so that an item may be less than a sentence, or several of them.

In ``mode="observe"`` the context looked at is the one that would have been.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from rapidfuzz import fuzz

from ragclean.badcases.holding import Searchable, squeezed
from ragclean.badcases.record import Expected, Part
from ragclean.badcases.recording import candidates_of
from ragclean.badcases.replay_words import wording
from ragclean.result import RefinedContext
from ragclean.types import Chunk, Dropped, KeptSentence
from ragclean.visible import quoted

if TYPE_CHECKING:
    from ragclean.report.page import Lang
    from ragclean.report.wording import Wording

AttributionStage = Literal[
    "not_retrieved", "screened_out", "ranked_out", "arbitrated_out", "compressed_out", "kept"
]
#: In the order of the pipeline: the further on, the further an item came.
STAGES: tuple[AttributionStage, ...] = get_args(AttributionStage)

#: The output guard drops what arbitration has decided against.
_BY_STAGE: dict[str, AttributionStage] = {
    "screen": "screened_out", "rank": "ranked_out", "arbitrate": "arbitrated_out", "compress": "compressed_out",
    "verify": "arbitrated_out",
}  # fmt: skip
#: Compression carries these out, and arbitration has decided them.
_ARBITRATED = frozenset({"lost_conflict", "out_of_scope"})
#: A sentence that gave way to a copy is told from one that went along with its neighbours by its likeness to the
#: copy (rapidfuzz, 0..100). Copies share 0.6 of their character pairs at the least, and mostly all words.
_COPY_LIKENESS = 70.0


@dataclass(frozen=True, slots=True)
class Attribution:
    """An expected item and how far it came."""

    kind: Literal["answer", "sentence", "chunk"]
    item: str
    stage: AttributionStage
    chunk_id: str | None = None
    """Where it stands, or was dropped from."""
    reason: str = ""
    """The result's own: ``below_admission``, ``lost_conflict`` ..."""
    detail: str = ""

    @property
    def lost(self) -> bool:
        return self.stage != "kept"

    def explain(self, lang: Lang = "en") -> str:
        """The same in one line, safe to print."""
        w = wording(lang)
        where = "" if self.chunk_id is None or self.kind == "chunk" else w("where", id=quoted(self.chunk_id))
        why = self._why(w)
        return w(
            "item", stage=w(f"stage_{self.stage}"), kind=w(f"kind_{self.kind}"), item=quoted(self.item), where=where,
            why=w("why", why=why) if why else "",
        )  # fmt: skip

    def _why(self, w: Wording) -> str:
        """Reason and detail; in English the reason by its code."""
        detail = quoted(self.detail)
        if w.lang == "en":
            return ". ".join(p for p in (self.reason, detail) if p)
        if not self.reason:
            return detail
        from ragclean.report.trace_wording import TRACE_WORDS, detail_of

        trace = w.of(TRACE_WORDS)
        detail = detail_of(detail, trace)
        return trace.known(f"reason_{self.reason}", self.reason) + (w("detail", detail=detail) if detail else "")


@dataclass(frozen=True, slots=True)
class Adoption:
    """Something that was to go, and is in the context."""

    kind: Literal["wrong", "sentence", "chunk"]
    item: str
    chunk_id: str

    def explain(self, lang: Lang = "en") -> str:
        """The same in one line, safe to print."""
        w = wording(lang)
        where = "" if self.kind == "chunk" else w("where", id=quoted(self.chunk_id))
        kind = w(f"adopted_{self.kind}")
        return w("item", stage=w("stage_adopted"), kind=kind, item=quoted(self.item), where=where, why="")


@dataclass(frozen=True, slots=True)
class Findings:
    """What became of everything that is expected of a case."""

    attributions: tuple[Attribution, ...]
    adopted: tuple[Adoption, ...]

    @property
    def lost(self) -> tuple[Attribution, ...]:
        return tuple(a for a in self.attributions if a.lost)


@dataclass(frozen=True, slots=True)
class _Fate:
    stage: AttributionStage
    chunk_id: str
    reason: str = ""
    detail: str = ""


def attribute(
    result: RefinedContext, expected: Expected, candidates: Iterable[Any] | None = None
) -> Findings:
    """Say of each expected item which stage dropped it.

    The accepted answers are one item: kept if any of them is in the context, else it was lost where the candidate that
    holds one and came furthest was lost. Candidates that are to be dropped count only where no other holds it.

    Args:
        candidates: what was refined; the result knows it unless it was restored from JSON.

    Raises:
        ValueError: the result knows no candidates, and none are given.
    """
    trace = _Trace(result, candidates_of(result, candidates))
    found = [trace.answer(expected)] if expected.accepted else []
    found += [trace.sentence(part) for part in expected.keep_sentences]
    found += [trace.chunk(chunk_id) for chunk_id in expected.keep]
    return Findings(tuple(found), tuple(trace.adopted(expected)))


class _Trace:
    """A result, by candidate: what was kept of each, and what went."""

    def __init__(self, result: RefinedContext, candidates: Sequence[Chunk]) -> None:
        self._result = result
        self._texts = {c.text: Searchable(c.text) for c in candidates}
        self._candidates = candidates
        # Ids may repeat: the text tells whose a kept chunk, or an entry of ``dropped``, is.
        self._kept: dict[tuple[str, str], list[KeptSentence]] = {}
        for k in result.chunks:
            self._kept.setdefault((k.id, k.chunk.text), []).extend(k.sentences)
        self._context = [(k.id, Searchable(k.text)) for k in result.chunks]
        self._dropped: dict[str, list[Dropped]] = {}
        for d in result.dropped:
            self._dropped.setdefault(d.chunk_id, []).append(d)

    def answer(self, expected: Expected) -> Attribution:
        for value in expected.accepted:
            for chunk_id, text in self._context:
                if text.holds(value):
                    return Attribution("answer", value, "kept", chunk_id)
        holders = [(c, v) for c in self._candidates for v in expected.accepted if self._texts[c.text].holds(v)]
        holders = [h for h in holders if h[0].id not in expected.drop] or holders
        fates = [
            (self._fate(c, span), v) for c, v in holders for span in self._texts[c.text].values(v)
        ]
        if not fates:
            item = " / ".join(expected.accepted)
            return Attribution("answer", item, "not_retrieved", detail="no candidate holds it")
        fate, value = max(fates, key=lambda f: STAGES.index(f[0].stage))
        return Attribution("answer", value, fate.stage, fate.chunk_id, fate.reason, fate.detail)

    def sentence(self, part: Part) -> Attribution:
        own = [(i, t) for i, t in self._context if i == part.chunk_id]
        for chunk_id, text in (*own, *self._context):
            if text.holds_part(part.text):
                return Attribution("sentence", part.text, "kept", chunk_id)
        named = [c for c in self._candidates if c.id == part.chunk_id]
        holders = [c for c in named if self._texts[c.text].holds_part(part.text)]
        if not holders:  # cut into chunks in another way since
            holders = [c for c in self._candidates if self._texts[c.text].holds_part(part.text)]
        fates = [self._fate(c, span) for c in holders for span in self._texts[c.text].parts(part.text)]
        if not fates:
            detail = f"the chunk {part.chunk_id} does not hold it" if named else f"no chunk has the id {part.chunk_id}"
            return Attribution("sentence", part.text, "not_retrieved", detail=detail)
        fate = max(fates, key=lambda f: STAGES.index(f.stage))
        return Attribution("sentence", part.text, fate.stage, fate.chunk_id, fate.reason, fate.detail)

    def chunk(self, chunk_id: str) -> Attribution:
        if any(k.id == chunk_id for k in self._result.chunks):
            return Attribution("chunk", chunk_id, "kept", chunk_id)
        named = [c for c in self._candidates if c.id == chunk_id and c.text.strip()]
        fates = [self._merged(c) or self._fate(c, (0, len(c.text))) for c in named]
        if not fates:  # blank, or not to be read at all: nothing but the entry of what went
            fates = [_Fate(_stage_of(d), chunk_id, d.reason, d.detail) for d in self._dropped.get(chunk_id, ())]
        if not fates:
            return Attribution("chunk", chunk_id, "not_retrieved", detail="no chunk has this id")
        fate = max(fates, key=lambda f: STAGES.index(f.stage))
        return Attribution("chunk", chunk_id, fate.stage, chunk_id, fate.reason, fate.detail)

    def adopted(self, expected: Expected) -> Iterable[Adoption]:
        for value in expected.wrong:
            yield from (Adoption("wrong", value, i) for i, text in self._context if text.holds(value))
        for part in expected.drop_sentences:
            if any(
                _any_kept(c.text, span, self._kept.get((c.id, c.text), ()))
                for c in self._candidates
                if c.id == part.chunk_id
                for span in self._texts[c.text].parts(part.text)
            ):
                yield Adoption("sentence", part.text, part.chunk_id)
        for chunk_id in expected.drop:
            if any(k.id == chunk_id for k in self._result.chunks):
                yield Adoption("chunk", chunk_id, chunk_id)

    def _fate(self, chunk: Chunk, span: tuple[int, int]) -> _Fate:
        """What became of a part of a candidate: lost if any of it is that is no white space."""
        kept = self._kept.get((chunk.id, chunk.text), [])
        gone = _uncovered(chunk.text, span, kept)
        if not gone:
            return _Fate("kept", chunk.id)
        entries = self._dropped.get(chunk.id, [])
        cuts = [
            d for d in entries
            if d.start is not None and d.end is not None and chunk.text[d.start : d.end] == d.text
            and any(d.start <= at < d.end for at in gone)
        ]  # fmt: skip
        whole = [d for d in entries if d.start is None and (d.text == chunk.text or not d.text)]
        causes = cuts or whole
        if not causes:
            return self._unaccounted(chunk)
        # One lost sentence is enough: the earliest stage that took one is where the item was lost.
        cause = min(causes, key=lambda d: STAGES.index(_stage_of(d)))
        if all(d.reason == "duplicate" and self._copy_of(d, chunk) for d in causes):
            return _Fate("kept", chunk.id, cause.reason, cause.detail)
        return _Fate(_stage_of(cause), chunk.id, cause.reason, cause.detail)

    def _merged(self, chunk: Chunk) -> _Fate | None:
        """A chunk of which one sentence gave way to its copy while the rest was cut: the copy says it for both."""
        cuts = [d for d in self._dropped.get(chunk.id, ()) if d.start is not None]
        copied = next((d for d in cuts if d.reason == "duplicate" and self._copy_of(d, chunk)), None)
        if copied is None or any(_stage_of(d) == "arbitrated_out" for d in cuts):
            return None
        return _Fate("kept", chunk.id, copied.reason, copied.detail)

    def _copy_of(self, cut: Dropped, chunk: Chunk) -> bool:
        """Does the context say what was cut, in a copy that stayed?"""
        if cut.start is None:
            return any(k.chunk.text == chunk.text or squeezed(k.chunk.text) == squeezed(chunk.text)
                       for k in self._result.chunks)  # fmt: skip
        text = squeezed(cut.text)
        copies = (s for k in self._result.chunks for s in k.sentences if chunk.id in s.also_in)
        return any(fuzz.ratio(text, squeezed(s.text)) >= _COPY_LIKENESS for s in copies)

    def _unaccounted(self, chunk: Chunk) -> _Fate:
        """No entry says so: the guard takes out what is not verbatim with a warning alone; else nothing is known."""
        codes = {w.code for w in self._result.warnings if w.chunk_id == chunk.id}
        if "not_verbatim" in codes:
            return _Fate("arbitrated_out", chunk.id, "not_verbatim", "taken out by the output guard")
        return _Fate("compressed_out", chunk.id, "", "the result does not say why")


def _stage_of(dropped: Dropped) -> AttributionStage:
    return "arbitrated_out" if dropped.reason in _ARBITRATED else _BY_STAGE[dropped.stage]


def _uncovered(text: str, span: tuple[int, int], kept: Iterable[KeptSentence]) -> list[int]:
    """Offsets of a span, white space apart, that no kept sentence covers."""
    start, end = span
    covered = bytearray(end - start)
    for s in kept:
        low, high = max(s.start, start), min(s.end, end)
        if low < high:
            covered[low - start : high - start] = b"\1" * (high - low)
    return [i for i, c in enumerate(text[start:end], start) if not covered[i - start] and not c.isspace()]


def _any_kept(text: str, span: tuple[int, int], kept: Iterable[KeptSentence]) -> bool:
    """Is a letter, digit or character of a span kept? Marks alone say nothing."""
    start, end = span
    return any(
        c.isalnum()
        for s in kept
        for c in text[max(s.start, start) : min(s.end, end)]
    )
