"""The compress stage: choose sentences, complete their context, drop copies, fit the budget, account for the rest."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragclean.arbitration.verdict import Verdict
from ragclean.compression import selection
from ragclean.compression.context import Links, link
from ragclean.compression.duplicates import Candidate, Place, find_duplicates
from ragclean.compression.fitting import fit
from ragclean.compression.outcome import Compressed
from ragclean.compression.protection import classify
from ragclean.compression.relevance import compare_sentences
from ragclean.compression.units import spared
from ragclean.compression.work import (
    Work,
    account,
    asks_for_action,
    clear,
    complete,
    has_content,
    keep,
    says_something,
    untouchable,
)
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage
from ragclean.signals.base import FloatArray
from ragclean.text.question import Question
from ragclean.tokencount import estimate_tokens
from ragclean.types import Caution, Dropped

#: A sentence of a kind other than prose, or shorter than this, means something only where it stands.
_SELF_CONTAINED_CHARS = 10


def compress(
    question: Question,
    passages: Sequence[RankedPassage],
    verdict: Verdict,
    config: CorrectorConfig,
    *,
    sentence_vectors: Callable[[Sequence[str]], FloatArray],
    sentence_profile: Callable[[NDArray[np.float32]], FloatArray],
    max_tokens: int | None = None,
    count_tokens: Callable[[str], int] = estimate_tokens,
    pinned: frozenset[str] = frozenset(),
    protected_terms: Sequence[str] = (),
) -> Compressed:
    """Compress passages sentence by sentence.

    Args:
        passages: admitted, in their final order, best first.
        verdict: arbitration's decisions, by passage index and sentence number.
        sentence_vectors: sentences to L2-normalised vectors (n, d); asked only about sentences that look alike.
        sentence_profile: raw cosines of sentences to 0..1.
        max_tokens: budget of the whole context; a context is never emptied to meet it.
        count_tokens: what a text costs.
        pinned: ids of chunks that stay whole.
        protected_terms: strings whose sentences are untouchable.

    Returns:
        The kept passages with their sentences, and every sentence that went with its reason.
    """
    dropped: list[Dropped] = []
    works: list[Work] = []
    for ranked in passages:
        if ranked.prepared.sentences:
            works.append(_open(len(works), question, ranked, verdict, config, pinned, protected_terms))
    for work in works:
        _select(work, question, config)
    _drop_bare_headings(works)
    _drop_duplicates(works, question, verdict, config, sentence_vectors, sentence_profile)
    cautions: list[Caution] = []
    if max_tokens is not None:
        cautions += fit(works, question, config, max_tokens, count_tokens)
    kept = tuple(keep(w) for w in works if w.kept())
    for work in works:
        dropped += account(work, config)
    return Compressed(kept, tuple(dropped), tuple(cautions), untouchable(works, config))


def kept_alone(
    question: Question, ranked: RankedPassage, verdict: Verdict, configs: Sequence[CorrectorConfig]
) -> list[tuple[int, ...]]:
    """Numbers of the sentences that :func:`compress` keeps of one passage, under each of some configurations that
    differ in protection and sentence threshold, before it looks for copies in other passages."""
    if not ranked.prepared.sentences:
        return [() for _ in configs]
    links = link(ranked.prepared)
    scores = selection.effective_scores(_finite(ranked.sentence_scores, len(ranked.prepared.sentences)), links)
    known: dict[tuple[str, bytes], tuple[int, ...]] = {}
    out = []
    for config in configs:
        # A threshold acts through which sentences reach it, and through nothing else.
        key = (config.protection, (scores >= config.sentence_threshold).tobytes())
        if key not in known:
            work = _open(0, question, ranked, verdict, config, links=links)
            _select(work, question, config)
            known[key] = tuple(work.kept())
        out.append(known[key])
    return out


def _open(
    position: int,
    question: Question,
    ranked: RankedPassage,
    verdict: Verdict,
    config: CorrectorConfig,
    pinned: frozenset[str] = frozenset(),
    protected_terms: Sequence[str] = (),
    links: Links | None = None,
) -> Work:
    prepared, index = ranked.prepared, ranked.passage.index
    n = len(prepared.sentences)
    links = links or link(prepared)
    scores = selection.effective_scores(_finite(ranked.sentence_scores, n), links)
    whole = ranked.id in pinned or not config.compression
    allowed = np.ones(n, bool)
    causes: dict[int, tuple[str, str]] = {}
    if verdict.lost_sentences or verdict.out_of_scope_sentences:
        for i in range(n):
            cause = None if whole else _cause(verdict, config, (index, i))
            if cause is not None:
                causes[i] = cause
                allowed[i] = False
    return Work(
        position=position,
        ranked=ranked,
        links=links,
        scores=scores,
        classes=classify(question, ranked, links, scores, verdict, config, protected_terms),
        allowed=allowed,
        whole=whole,
        flags=_flags(ranked, verdict, config, pinned),
        wanted=np.zeros(n, bool),
        causes=causes,
    )


def _finite(scores: NDArray[np.float32], n: int) -> NDArray[np.float32]:
    """One usable score a sentence, whatever a foreign ranker handed in."""
    if len(scores) == n and bool(np.isfinite(scores).all()):
        return scores
    out = np.zeros(n, np.float32)
    out[: len(scores)] = np.nan_to_num(scores[:n], nan=0.0, posinf=1.0, neginf=0.0)
    return out


def _cause(verdict: Verdict, config: CorrectorConfig, key: tuple[int, int]) -> tuple[str, str] | None:
    if key in verdict.winning_sentences or key in verdict.tied_sentences:
        return None
    if key in verdict.lost_sentences and config.conflict_policy == "drop":
        return "lost_conflict", verdict.lost_sentences[key]
    if key in verdict.out_of_scope_sentences:
        return "out_of_scope", verdict.out_of_scope_sentences[key]
    return None


def _flags(
    ranked: RankedPassage, verdict: Verdict, config: CorrectorConfig, pinned: frozenset[str]
) -> tuple[str, ...]:
    index = ranked.passage.index
    flags = []
    if ranked.id in pinned:
        flags.append("pinned")
    if index in verdict.out_of_scope:
        flags.append("out_of_scope")
    if index in verdict.lost_passages or any(i == index for i, _ in verdict.lost_sentences):
        if config.conflict_policy == "annotate":
            flags.append("annotated")
        elif config.conflict_policy == "demote" and index in verdict.lost_passages:
            flags.append("demoted")
    return tuple(flags)


def _select(work: Work, question: Question, config: CorrectorConfig) -> None:
    if work.whole:
        work.wanted = work.allowed.copy()
        return
    prepared = work.ranked.prepared
    if config.protection == "graded":
        beside = compare_sentences(question, prepared)
        wanted = selection.select_graded(
            work.scores, beside, work.classes, prepared, work.links, work.allowed, config
        )
    else:
        wanted = selection.select_all(work.scores, work.classes, work.links.scaffold, config) & work.allowed
    if not (wanted & ~work.links.scaffold).any():
        best = selection.best_sentence(work.scores, work.allowed, work.links.scaffold)
        if best >= 0:
            wanted[best] = True
    work.wanted = wanted
    complete(work, question, config)


def _drop_bare_headings(works: Sequence[Work]) -> None:
    """A chunk whose content lost goes with its heading, for the same reason; one chunk stays in any case."""
    bare = [w for w in works if w.causes and not w.whole and not has_content(w)]
    if bare and len(bare) == len(works):
        bare = bare[1:]
    for work in bare:
        clear(work, *next(iter(work.causes.values())))


def _drop_duplicates(
    works: Sequence[Work],
    question: Question,
    verdict: Verdict,
    config: CorrectorConfig,
    sentence_vectors: Callable[[Sequence[str]], FloatArray],
    sentence_profile: Callable[[NDArray[np.float32]], FloatArray],
) -> None:
    if len(works) < 2:
        return
    candidates = [c for w in works for c in _candidates(w, verdict)]
    gone = find_duplicates(candidates, sentence_vectors, sentence_profile, config.duplicate_threshold)
    action = asks_for_action(question)
    spare = {w.position: _spared(w, gone, action) for w in works} if gone else {}
    touched: set[int] = set()
    for (at, number), ((other_at, other_number), alike) in gone.items():
        if number in spare[at]:
            continue
        work, other = works[at], works[other_at]
        work.allowed[number] = False
        work.wanted[number] = False
        work.causes[number] = ("duplicate", f"{alike:.2f} like a sentence of {other.ranked.id}, which stays")
        before = other.also_in.get(other_number, ())
        if work.ranked.id not in before:
            other.also_in[other_number] = (*before, work.ranked.id)
        touched.add(at)
    for at in touched:
        complete(works[at], question, config)
        if not (says_something(works[at]) and has_content(works[at])):
            clear(works[at], "duplicate", "nothing else of this chunk is worth keeping beside its copies")


def _spared(work: Work, gone: Container[Place], action: bool) -> set[int]:
    kept = work.kept()
    copies = {n for n in kept if (work.position, n) in gone}
    return spared(work.links.units, set(kept), copies, action=action) if copies else set()


def _candidates(work: Work, verdict: Verdict) -> Iterable[Candidate]:
    prepared = work.ranked.prepared
    subject = _subject(work)
    for number in work.kept():
        sentence = prepared.sentences[number]
        key = (work.index, number)
        short = sentence.end - sentence.start < _SELF_CONTAINED_CHARS
        yield Candidate(
            place=(work.position, number),
            prepared=prepared,
            trust=work.ranked.passage.trust,
            fixed=work.whole or key in verdict.tied_sentences or key in verdict.winning_sentences,
            dependent=short or sentence.kind not in ("prose", "list_item") or bool(work.links.scaffold[number]),
            subject=subject,
        )


def _subject(work: Work) -> frozenset[str]:
    """Codes in the headings and the first sentence: pages about X200 and X300 say many things word for word."""
    prepared = work.ranked.prepared
    codes: set[str] = set()
    for number, facts in enumerate(prepared.sentence_facts):
        if number and prepared.sentences[number].kind != "heading":
            continue
        codes.update(prepared.folded[f.start : f.end] for f in facts if f.kind == "code")
    return frozenset(codes)
