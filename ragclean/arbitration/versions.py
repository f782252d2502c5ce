"""Versions of one document side by side: what the newer one says otherwise, the older one has no say in.

Two versions mostly agree word for word, so that a sentence and its twin differ in just what was changed: a value, a
'not', a name. Which of them holds needs no vote. Versions are known by ``lineage_id``; a page without one is its own
lineage under its id, so that another page can name it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from rapidfuzz import fuzz

from ragclean.arbitration.ruling import Book
from ragclean.arbitration.timing import lineage_of, replaced_versions
from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, PreparedText, RankedPassage

#: Likeness (0..100, share of characters in common order) from which a sentence is a version of another: a changed
#: value in a sentence of ten characters leaves 70 and more.
_TWIN = 70.0
#: Shorter ones ('是的。', a table rule) are alike by chance.
_SHORTEST = 6
#: Longer sentences and more of them are compared by their heads and first ones: a version needs no more to be known.
_LONGEST, _MOST = 400, 80
#: Share of an old version's sentences that the new one says too, or otherwise, from which nothing else is left in it.
_ALL = 0.8


def replaced_by_another(
    passages: Sequence[Passage], as_of: date, config: CorrectorConfig, *, by_title: bool
) -> frozenset[int]:
    """Passages that another version among the candidates has replaced: by number and date, else by trust."""
    replaced = replaced_versions(passages, as_of, by_title=by_title)
    return replaced | _less_trusted_copies([p for p in passages if p.index not in replaced], config)


def _less_trusted_copies(passages: Sequence[Passage], config: CorrectorConfig) -> frozenset[int]:
    """Passages of a lineage that neither date nor number tells from another, its copy but for some changes, and
    clearly less trusted."""
    found: set[int] = set()
    for group in _lineages(passages).values():
        for p in group:
            trusted = (o for o in group if o.trust - p.trust > config.comparable_trust)
            if any(_rewritten(p.prepared, o.prepared) for o in trusted):
                found.add(p.index)
    return frozenset(found)


def record_changes(
    ranked: Sequence[RankedPassage], replaced: frozenset[int], config: CorrectorConfig, lang: str, book: Book
) -> None:
    """Take out what replaced versions say otherwise than the version that replaced them."""
    if config.conflict_policy == "annotate" or not replaced:
        return
    passages = [r.passage for r in ranked]
    for group in _lineages(passages).values():
        held = [p for p in group if p.index not in replaced]
        for old in (p for p in group if p.index in replaced and held):
            changed, alike = _changes(old.prepared, [p.prepared for p in held])
            if not changed:
                continue
            if _whole(old.prepared, changed, alike) or config.conflict_policy == "demote":
                number, said = next(iter(changed.items()))
                book.lost_passages.setdefault(old.index, _words(old.prepared, number, said, lang))
            else:
                for number, said in changed.items():
                    book.lost_sentences.setdefault((old.index, number), _words(old.prepared, number, said, lang))


def _lineages(passages: Iterable[Passage]) -> dict[str, list[Passage]]:
    every = list(passages)
    named = frozenset(p.chunk.lineage_id for p in every if p.chunk.lineage_id)
    groups: dict[str, list[Passage]] = {}
    for p in every:
        lineage = lineage_of(p.chunk, named)
        if lineage:
            groups.setdefault(lineage, []).append(p)
    return {lineage: group for lineage, group in groups.items() if len(group) > 1}


def _rewritten(mine: PreparedText, other: PreparedText) -> bool:
    """Sentence by sentence the other page, and something in it is said otherwise."""
    changed, alike = _changes(mine, [other])
    return bool(changed) and _whole(mine, changed, alike)


def _whole(old: PreparedText, changed: Collection[int], alike: int) -> bool:
    """Nothing much is left of a page beside what the other one says too, or otherwise."""
    return len(changed) + alike >= _ALL * len(_worth(old))


def _worth(prepared: PreparedText) -> list[tuple[int, str]]:
    """The sentences that can have a twin, with their numbers."""
    sentences = zip(prepared.sentences, prepared.folded_sentences, strict=True)
    kinds = ("heading", "table_header", "table_rule", "code")
    return [
        (number, text[:_LONGEST])
        for number, (sentence, text) in enumerate(sentences)
        if number < _MOST and sentence.kind not in kinds and len(text.strip()) >= _SHORTEST
    ]


def _changes(old: PreparedText, new: Sequence[PreparedText]) -> tuple[dict[int, str], int]:
    """Sentences of the old version that the new one says otherwise (number -> its words), and how many it repeats."""
    theirs = [text for prepared in new for _, text in _worth(prepared)]
    known = set(theirs)
    changed: dict[int, str] = {}
    alike = 0
    for number, text in _worth(old):
        if text in known:
            alike += 1
            continue
        likeness, twin = max(((fuzz.ratio(text, t), t) for t in theirs), default=(0.0, ""))
        if likeness >= _TWIN:
            changed[number] = twin
    return changed, alike


def _words(old: PreparedText, number: int, said: str, lang: str) -> str:
    """Why a sentence went: what it says, and what holds instead."""
    mine = old.folded_sentences[number]
    if lang == "zh":
        return f"同一文档的现行版本写的是“{_short(said)}”，不是“{_short(mine)}”"
    return f"the version in force of the same document says '{_short(said)}', not '{_short(mine)}'"


def _short(text: str) -> str:
    few = 60  # characters of a sentence that a reason quotes
    plain = " ".join(text.split())
    return plain if len(plain) <= few else plain[: few - 1] + "…"
