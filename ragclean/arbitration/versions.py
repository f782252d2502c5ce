"""Versions of one document side by side: what the newer one says otherwise, the older one has no say in.

Two versions mostly agree word for word, so that a sentence and its twin differ in just what was changed: a value, a
'not', a name. Which of them holds needs no vote. Versions are known by ``lineage_id``; a page without one is its own
lineage under its id, so that another page can name it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date

from ragclean.arbitration.ruling import Book
from ragclean.arbitration.timing import is_in_force, is_newer, lineage_of, replaced_versions
from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, PreparedText, RankedPassage
from ragclean.text.values import Value, agrees

#: Words by which a rule becomes its contrary; left out of what two versions of a sentence share.
_POLAR = re.compile(
    r"不可以|可以|不支持|支持|不允许|允许|不需要|需要|无需|无须|必须|不包含|包含|不包括|包括|不适用|适用|不能|不会|不得|免费|收费|没有|不"
    r"|\b(?:cannot|can ?not|can|must|not|is|are|does|do|free of charge|charged separately)\b|n't\b"
)
#: Shorter ones ('是的。', a table rule) are alike by chance.
_SHORTEST = 6
#: Longer sentences are tables or code run together; a version needs no more sentences than this to be known.
_LONGEST, _MOST = 400, 80
#: Share of an old version's sentences that the new one says too, or otherwise, from which nothing else is left in it.
_ALL = 0.8


def replaced_by_another(
    passages: Sequence[Passage], as_of: date, config: CorrectorConfig, *, by_title: bool
) -> frozenset[int]:
    """Passages that another version among the candidates has replaced: by number and date, else by trust."""
    replaced = replaced_versions(passages, as_of, by_title=by_title)
    left = [p for p in passages if p.index not in replaced]
    return replaced | _older_copies(left, as_of) | _less_trusted_copies(left, config)


def _older_copies(passages: Sequence[Passage], as_of: date) -> frozenset[int]:
    """Pages that another one names as its lineage by their id, or that do so, and are older and its copy but for some
    changes. Ids that only happen to be alike make no versions."""
    found: set[int] = set()
    for group in _lineages(passages).values():
        for p in group:
            newer = (o for o in group if o is not p and is_newer(o, p) and is_in_force(o, as_of))
            if any(_rewritten(p, o) for o in newer):
                found.add(p.index)
    return frozenset(found)


def _less_trusted_copies(passages: Sequence[Passage], config: CorrectorConfig) -> frozenset[int]:
    """Passages of a lineage that neither date nor number tells from another, its copy but for some changes, and
    clearly less trusted."""
    found: set[int] = set()
    for group in _lineages(passages).values():
        for p in group:
            trusted = (o for o in group if o.trust - p.trust > config.comparable_trust)
            if any(_rewritten(p, o) for o in trusted):
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
            titled = [p for p in held if not (p.chunk.title and old.chunk.title) or p.chunk.title == old.chunk.title]
            changed, alike = _changes(old.prepared, [p.prepared for p in titled])
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


def _rewritten(mine: Passage, other: Passage) -> bool:
    """Sentence by sentence the other page, and something in it is said otherwise."""
    if mine.chunk.title and other.chunk.title and mine.chunk.title != other.chunk.title:
        return False
    changed, alike = _changes(mine.prepared, [other.prepared])
    return bool(changed) and _whole(mine.prepared, changed, alike)


def _whole(old: PreparedText, changed: Collection[int], alike: int) -> bool:
    """Nothing much is left of a page beside what the other one says too, or otherwise."""
    return len(changed) + alike >= _ALL * len(_worth(old))


def _worth(prepared: PreparedText) -> list[tuple[int, str]]:
    """The sentences that can have a twin, with their numbers."""
    sentences = zip(prepared.sentences, prepared.folded_sentences, strict=True)
    kinds = ("heading", "table_header", "table_rule", "code")
    return [
        (number, text)
        for number, (sentence, text) in enumerate(sentences)
        if number < _MOST and sentence.kind not in kinds and _SHORTEST <= len(text.strip()) <= _LONGEST
    ]


def _changes(old: PreparedText, new: Sequence[PreparedText]) -> tuple[dict[int, str], int]:
    """Sentences of the old version that the new one says otherwise (number -> its words), and how many it repeats.

    Otherwise: word for word the same under the same heading, but for values, or for a 'not'. Two rows of a price list
    differ in the name of what they price, and say nothing of each other.
    """
    theirs: dict[tuple[str, str], tuple[PreparedText, int]] = {}
    known: set[str] = set()
    for prepared in new:
        for number, text in _worth(prepared):
            known.add(text)
            theirs.setdefault((prepared.heading_above(number), _frame(prepared, number)), (prepared, number))
    changed: dict[int, str] = {}
    alike = 0
    for number, text in _worth(old):
        if text in known:
            alike += 1
            continue
        twin = theirs.get((old.heading_above(number), _frame(old, number)))
        if twin is not None and not _of_another_time(old.sentence_values[number], twin[0].sentence_values[twin[1]]):
            changed[number] = twin[0].folded_sentences[twin[1]]
    return changed, alike


def _frame(prepared: PreparedText, number: int) -> str:
    """A sentence without its values, its denials and its white space: what two versions of it share."""
    sentence, at, parts = prepared.sentences[number], prepared.sentences[number].start, list[str]()
    for value in prepared.sentence_values[number]:
        if value.start >= at:
            parts.append(prepared.folded[at : value.start])
            at = value.end
    parts.append(prepared.folded[at : sentence.end])
    return "".join(_POLAR.sub("", "\0".join(parts)).split())


def _of_another_time(mine: Sequence[Value], theirs: Sequence[Value]) -> bool:
    """Both the date and something else differ: 'in 2023 it was 5', 'in 2025 it is 6' are both true."""
    return any(
        len(a) == len(b) and any(not agrees(x, y) for x, y in zip(a, b, strict=True))
        for a, b in [([v for v in mine if v.kind == "date"], [v for v in theirs if v.kind == "date"])]
        if a and any(v.kind != "date" for v in mine)
    )


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
