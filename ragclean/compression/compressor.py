"""The compress stage: choose sentences, complete their context, drop copies, fit the budget, account for the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ragclean.arbitration.verdict import Verdict
from ragclean.compression import budget, selection
from ragclean.compression.context import close, link
from ragclean.compression.duplicates import Candidate, Place, find_duplicates
from ragclean.compression.layout import render_context
from ragclean.compression.outcome import Compressed
from ragclean.compression.protection import ASKED, PLAIN, classify
from ragclean.compression.relevance import compare_sentences
from ragclean.compression.work import Work, account, keep, says_something, untouchable
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
    top_k: int,
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
        top_k: passages at most; pinned ones, winners and the sides of a tie do not count as too many.
        max_tokens: budget of the whole context; a context is never emptied to meet it.
        count_tokens: what a text costs.
        pinned: ids of chunks that stay whole.
        protected_terms: strings whose sentences are untouchable.

    Returns:
        The kept passages with their sentences, and every sentence that went with its reason.
    """
    dropped: list[Dropped] = []
    works: list[Work] = []
    for ranked in _in_order(passages, verdict, config, top_k, pinned, dropped):
        if ranked.prepared.sentences:
            works.append(_open(len(works), question, ranked, verdict, config, pinned, protected_terms))
    for work in works:
        _select(work, question, config)
    _drop_duplicates(works, question, verdict, config, sentence_vectors, sentence_profile)
    cautions: list[Caution] = []
    if max_tokens is not None:
        cautions += _fit(works, question, max_tokens, count_tokens)
    kept = tuple(keep(w) for w in works if w.kept())
    for work in works:
        dropped += account(work, config)
    return Compressed(kept, tuple(dropped), tuple(cautions), untouchable(works, config))


def _in_order(
    passages: Sequence[RankedPassage],
    verdict: Verdict,
    config: CorrectorConfig,
    top_k: int,
    pinned: frozenset[str],
    dropped: list[Dropped],
) -> list[RankedPassage]:
    """The sides of a tie first, then the order given, demoted losers last; losers and what is beyond top_k out."""
    front = {index: place for place, index in enumerate(verdict.front)}
    first, middle, last = [], [], []
    for r in passages:
        index = r.passage.index
        lost = index in verdict.lost_passages and r.id not in pinned and index not in front
        if index in front:
            first.append(r)
        elif lost and config.conflict_policy == "drop":
            why = verdict.lost_passages[index]
            dropped.append(Dropped(r.id, "compress", "lost_conflict", why, r.prepared.text, score=r.signals.final))
        elif lost and config.conflict_policy == "demote":
            last.append(r)
        else:
            middle.append(r)
    ordered = sorted(first, key=lambda r: front[r.passage.index]) + middle + last
    winners = {index for index, _ in verdict.winning_sentences}
    out = []
    for place, r in enumerate(ordered):
        if place < top_k or r.id in pinned or r.passage.index in front or r.passage.index in winners:
            out.append(r)
        else:
            detail = f"place {place + 1}, top_k is {top_k}"
            dropped.append(Dropped(r.id, "compress", "beyond_top_k", detail, r.prepared.text, score=r.signals.final))
    return out


def _open(
    position: int,
    question: Question,
    ranked: RankedPassage,
    verdict: Verdict,
    config: CorrectorConfig,
    pinned: frozenset[str],
    protected_terms: Sequence[str],
) -> Work:
    prepared, index = ranked.prepared, ranked.passage.index
    n = len(prepared.sentences)
    links = link(prepared)
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
    _complete(work, question)


def _complete(work: Work, question: Question) -> None:
    """Set the context that the wanted sentences need; a passage of which only scaffold is left goes altogether."""
    if work.whole:
        return
    chosen = np.flatnonzero(work.wanted).tolist()
    work.context = close(chosen, work.links, work.ranked.prepared, question, work.allowed)


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
    touched: set[int] = set()
    for (at, number), ((other_at, other_number), alike) in gone.items():
        work, other = works[at], works[other_at]
        work.allowed[number] = False
        work.wanted[number] = False
        work.causes[number] = ("duplicate", f"{alike:.2f} like a sentence of {other.ranked.id}, which stays")
        before = other.also_in.get(other_number, ())
        if work.ranked.id not in before:
            other.also_in[other_number] = (*before, work.ranked.id)
        touched.add(at)
    for at in touched:
        _complete(works[at], question)
        if not says_something(works[at]):
            _clear(works[at], "duplicate", "nothing else of this chunk is worth keeping beside its copies")


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


def _clear(work: Work, reason: str, detail: str) -> None:
    for number in work.kept():
        work.causes.setdefault(number, (reason, detail))
    work.wanted[:] = False
    work.context = set()


def _fit(
    works: Sequence[Work], question: Question, max_tokens: int, count_tokens: Callable[[str], int]
) -> list[Caution]:
    """Cut to the budget; sentences left without what they introduce go too."""
    items = []
    for work in works:
        texts = work.ranked.prepared.sentence_texts
        for number in work.kept():
            level = int(work.classes[number]) if work.wanted[number] else PLAIN
            score = float(work.scores[number])
            place = (work.position, number)
            items.append(budget.Item(place, score, level, count_tokens(texts[number]), work.whole))

    def measure(without: frozenset[Place]) -> int:
        return count_tokens(render_context([k for w in works if (k := keep(w, without)).sentences]))

    gone = budget.cut_to_budget(items, max_tokens, measure)
    if not gone:
        return _over(items, max_tokens, measure(frozenset()))
    cautions = []
    for item in gone:
        work = works[item.place[0]]
        number = item.place[1]
        work.allowed[number] = work.wanted[number] = False
        work.context.discard(number)
        detail = f"worth {item.score:.2f} for {item.tokens} tokens; the budget is {max_tokens}"
        work.causes[number] = ("token_budget", detail)
        if item.level >= ASKED:
            text = work.ranked.prepared.sentence_texts[number]
            message = f"the budget of {max_tokens} tokens left no room for: {text:.80}"
            cautions.append(Caution("untouchable_dropped", message, work.ranked.id))
    for work in {item.place[0]: works[item.place[0]] for item in gone}.values():
        still = work.context
        _complete(work, question)
        work.context &= still
        for number in still - work.context:
            work.causes[number] = ("token_budget", "what it introduces had to go")
    if not any(keep(w, frozenset()).sentences for w in works):
        # A heading or a question was the last item and went with what it introduces: the best sentence stays instead.
        best = max(items, key=lambda i: (i.level, i.score))
        work, number = works[best.place[0]], best.place[1]
        work.allowed[number] = work.wanted[number] = True
        work.causes.pop(number, None)
    return cautions + _over(items, max_tokens, measure(frozenset()))


def _over(items: Sequence[budget.Item], max_tokens: int, tokens: int) -> list[Caution]:
    if tokens <= max_tokens:
        return []
    why = "pinned chunks" if any(i.pinned for i in items) else "its best sentence"
    return [Caution("token_budget_exceeded", f"{why} alone take {tokens} tokens; the budget is {max_tokens}")]
