"""The output guard: what is checked before a context is handed back, and repaired where it can be."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragclean.arbitration.verdict import Verdict
from ragclean.compression.outcome import Compressed, KeptPassage
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage
from ragclean.text.folding import fold
from ragclean.types import Caution, Dropped

logger = logging.getLogger(__name__)

#: Reasons for which even an untouchable sentence may go.
_LEGITIMATE = frozenset({"duplicate", "lost_conflict", "out_of_scope", "token_budget"})


@dataclass(slots=True)
class _State:
    """The context while it is being repaired."""

    passages: dict[int, RankedPassage]
    numbers: dict[int, set[int]]
    dropped: list[Dropped]
    cautions: list[Caution]
    pinned: frozenset[int]


def verify(
    passages_in: Sequence[RankedPassage], compressed: Compressed, verdict: Verdict, config: CorrectorConfig
) -> tuple[Compressed, tuple[Caution, ...]]:
    """Check and repair a context. Never raises; on a failure of its own it hands the context on with a warning.

    Checked: sentences are verbatim and in the text's order; nothing untouchable was lost without a legitimate
    reason; no losing claim is left (policy ``drop``); the context is not empty where the input was not.
    """
    try:
        return _verify(passages_in, compressed, verdict, config)
    except Exception as error:
        logger.exception("the output guard failed; the context is passed on unchecked")
        return compressed, (Caution("verify_failed", f"{type(error).__name__}: {error}"),)


def _verify(
    passages_in: Sequence[RankedPassage], compressed: Compressed, verdict: Verdict, config: CorrectorConfig
) -> tuple[Compressed, tuple[Caution, ...]]:
    pinned = frozenset(k.ranked.passage.index for k in compressed.kept if "pinned" in k.flags)
    state = _State({r.passage.index: r for r in passages_in}, {}, list(compressed.dropped), [], pinned)
    for kept in compressed.kept:
        state.passages.setdefault(kept.ranked.passage.index, kept.ranked)
        state.numbers[kept.ranked.passage.index] = _verbatim(kept, state)
    _restore_untouchable(compressed, verdict, state)
    if config.conflict_policy == "drop":
        _remove_losers(verdict, state)
    if not any(state.numbers.values()):
        _restore_input(passages_in, verdict, config, state)
    return _rebuild(passages_in, compressed, state), tuple(state.cautions)


def _verbatim(kept: KeptPassage, state: _State) -> set[int]:
    """The sentences that are what the original text says at their place."""
    prepared, original = kept.ranked.prepared, kept.ranked.passage.chunk.text
    good = set()
    for number in kept.sentences:
        if 0 <= number < len(prepared.sentences):
            s = prepared.sentences[number]
            if original[s.start : s.end] == prepared.sentence_texts[number]:
                good.add(number)
                continue
        message = f"sentence {number} is not in the original; removed"
        state.cautions.append(Caution("not_verbatim", message, kept.ranked.id))
    return good


def _restore_untouchable(compressed: Compressed, verdict: Verdict, state: _State) -> None:
    """Put back what went without a legitimate reason."""
    excused = {
        (d.chunk_id, d.start) for d in state.dropped if d.reason in _LEGITIMATE and d.start is not None
    }
    whole = {d.chunk_id for d in state.dropped if d.reason in _LEGITIMATE and d.start is None}
    for index, number in sorted(compressed.untouchable | verdict.winning_sentences | verdict.tied_sentences):
        ranked = state.passages.get(index)
        if ranked is None or number in state.numbers.get(index, ()) or not 0 <= number < len(ranked.prepared.sentences):
            continue
        start = ranked.prepared.sentences[number].start
        if (ranked.id, start) in excused or ranked.id in whole:
            continue
        state.numbers.setdefault(index, set()).add(number)
        text = ranked.prepared.sentence_texts[number]
        state.cautions.append(Caution("untouchable_restored", f"put back: {text:.80}", ranked.id))
        state.dropped = [d for d in state.dropped if (d.chunk_id, d.start) != (ranked.id, start)]


def _remove_losers(verdict: Verdict, state: _State) -> None:
    """Take out what states a loser's claim: the sentences named by the verdict, and word-for-word copies of them."""
    claims = _losing_claims(verdict)
    safe = verdict.winning_sentences | verdict.tied_sentences
    for index, numbers in state.numbers.items():
        ranked = state.passages[index]
        if index in state.pinned or index in verdict.front:
            continue
        for number in sorted(numbers):
            key = (index, number)
            if key in safe:
                continue
            named = key in verdict.lost_sentences or index in verdict.lost_passages
            copied = bool(claims) and _fingerprint(ranked.prepared.folded_sentences[number]) in claims
            if named or copied:
                numbers.discard(number)
                why = verdict.lost_sentences.get(key) or verdict.lost_passages.get(index) or "a copy of a losing claim"
                state.dropped.append(_dropped(ranked, number, "lost_conflict", why))
                message = f"removed a losing claim: {ranked.prepared.sentence_texts[number]:.80}"
                state.cautions.append(Caution("loser_removed", message, ranked.id))


def _losing_claims(verdict: Verdict) -> set[str]:
    """Fingerprints of the losing sides' sentences that the winner does not say as well."""
    lost: set[str] = set()
    won: set[str] = set()
    for conflict in verdict.conflicts:
        if conflict.winner is None:
            continue
        for side in conflict.sides:
            target = won if side is conflict.winner or side == conflict.winner else lost
            target.update(_fingerprint(fold(s)) for s in side.sentences)
    return {c for c in lost - won if c}


def _fingerprint(folded: str) -> str:
    return "".join(folded.split()).rstrip("。.；;！!")


def _restore_input(
    passages_in: Sequence[RankedPassage], verdict: Verdict, config: CorrectorConfig, state: _State
) -> None:
    """An empty context from a filled input: hand the input back, without what lost where that leaves anything."""
    dropping = config.conflict_policy == "drop"
    for spare in ((True, False) if dropping else (False,)):
        for ranked in passages_in:
            index = ranked.passage.index
            lost = spare and index in verdict.lost_passages
            numbers = {
                n for n in range(len(ranked.prepared.sentences))
                if not lost and not (spare and (index, n) in verdict.lost_sentences)
            }
            if numbers:
                state.numbers[index] = numbers
        if any(state.numbers.values()):
            message = "nothing was left of the context; the input is kept"
            state.cautions.append(Caution("empty_context_restored", message))
            others = verdict.about_others_only(list(state.numbers))
            if others:
                state.cautions.append(Caution("only_other_things", others))
            state.dropped = [d for d in state.dropped if not _is_back(d, state)]
            return


def _is_back(d: Dropped, state: _State) -> bool:
    if d.start is None:
        # Ids may repeat: the text tells whose entry it is.
        return any(
            n and state.passages[i].id == d.chunk_id and state.passages[i].passage.chunk.text == d.text
            for i, n in state.numbers.items()
        )
    return any(
        state.passages[i].id == d.chunk_id and state.passages[i].prepared.sentences[n].start == d.start
        for i, numbers in state.numbers.items()
        for n in numbers
    )


def _rebuild(passages_in: Sequence[RankedPassage], compressed: Compressed, state: _State) -> Compressed:
    """The compressed order, passages that came back after it in the order of the input."""
    before = {k.ranked.passage.index: k for k in compressed.kept}
    order = [*before, *(r.passage.index for r in passages_in if r.passage.index not in before)]
    kept = []
    for index in order:
        numbers = tuple(sorted(state.numbers.get(index, ())))
        if not numbers:
            continue
        old = before.get(index) or KeptPassage(state.passages[index], ())
        if old.sentences == numbers:
            kept.append(old)
            continue
        guarded = frozenset(n for i, n in compressed.untouchable if i == index)
        kept.append(replace(old, sentences=numbers, protected=(old.protected | guarded) & frozenset(numbers)))
    return replace(compressed, kept=tuple(kept), dropped=tuple(state.dropped))


def _dropped(ranked: RankedPassage, number: int, reason: str, detail: str) -> Dropped:
    s = ranked.prepared.sentences[number]
    return Dropped(
        chunk_id=ranked.id,
        stage="verify",
        reason=reason,
        detail=detail,
        text=ranked.prepared.sentence_texts[number],
        start=s.start,
        end=s.end,
    )
