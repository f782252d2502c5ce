"""Which ranked passages come out: admission, scope, lost conflicts, the front for ties, and the top k."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ragclean.arbitration.verdict import Verdict
from ragclean.config import CorrectorConfig
from ragclean.prepare import RankedPassage
from ragclean.types import Caution, Dropped, Stage

#: The order of the context: sides of a tie, then by rank, then what is about another thing, out of force, or lost a
#: sentence to a conflict, then demoted losers.
_FRONT, _RANKED, _BEHIND, _DEMOTED = range(4)


#: Where some page holds a value that answers this likely, one whose likeliest value is below the second is silent on
#: what is asked.
_SURE, _SILENT = 0.3, 0.1
#: ... unless it answers in words.
_NONE = re.compile(
    r"免费|免[押收缴交票]|不限|无限|无上限|不设|无需|无须|不收|不另|没有|全额|全免|终身|永久|随时"
    r"|\b(?:no(?!\s*\?)|none|never|free|unlimited|waived|without (?:limit|charge)|any time|lifetime|at no)\b"
)


@dataclass(frozen=True, slots=True)
class Admitted:
    """What comes out of ranking and arbitration, and what did not."""

    passages: tuple[RankedPassage, ...]
    """At most ``top_k``, in the order of the context (pinned ones and both sides of a tie may go beyond it)."""
    dropped: tuple[Dropped, ...]
    cautions: tuple[Caution, ...] = ()


def admit(
    ranked: Sequence[RankedPassage], verdict: Verdict, config: CorrectorConfig, top_k: int, pinned: frozenset[str]
) -> Admitted:
    """Cut the ranking to what comes out.

    A passage about another thing is marked down before the threshold is asked again. The sides of an unresolved
    conflict come out whatever their score, in front; so does the best witness of a winner. A passage with a value that
    likely answers comes out whatever its score; one without any, where others have one, must score nearly as high as
    the best. Where nothing passes, the best passage does: an empty context is never an accident.
    """
    front = {index: place for place, index in enumerate(verdict.front)}
    witness = _best_winner(ranked, verdict)
    drop_losers = config.conflict_policy == "drop"
    # What lost the sentences that made its score no longer deserves its rank.
    robbed = {index for index, _ in verdict.lost_sentences} if drop_losers else set()
    behind = robbed | verdict.out_of_scope.keys() | verdict.outdated.keys()
    told = verdict.asks_value and max(verdict.answering.values(), default=0.0) >= _SURE
    silence_bar = config.silent_admission * max((r.signals.final for r in ranked), default=0.0) if told else 0.0
    dropped: list[Dropped] = []
    placed: list[tuple[tuple[int, int], RankedPassage]] = []
    for position, r in enumerate(ranked):
        index, score = r.passage.index, r.signals.final
        must = r.id in pinned or index in front or index == witness
        if not must and index in verdict.lost_passages and drop_losers:
            dropped.append(_gone(r, "arbitrate", "lost_conflict", verdict.lost_passages[index]))
            continue
        silent = verdict.answering.get(index, 0.0) < _SILENT and not _may_answer(r)
        if r.admitted and not must and score < silence_bar and silent:
            dropped.append(_gone(r, "rank", "no_value", "it holds no value of the kind asked for, as other chunks do"))
            continue
        admitted = r.admitted or verdict.answering.get(index, 0.0) >= config.answer_admission
        # 'There is no trial' has nothing of what an answer to 'how long' looks like, and is one.
        admitted = admitted or (verdict.asks_value and r.refusal[0] == "not_answering" and _says_none(r))
        if index in verdict.out_of_scope:
            score *= config.out_of_scope_factor
            admitted = admitted and score >= config.admission_threshold
            if not must and not admitted:
                dropped.append(_gone(r, "arbitrate", "out_of_scope", verdict.out_of_scope[index]))
                continue
        if not must and not admitted:
            dropped.append(_gone(r, "rank", *r.refusal))
            continue
        group = _FRONT if index in front else _RANKED
        if group == _RANKED and not must and index in behind:
            group = _BEHIND
        if index in verdict.lost_passages and config.conflict_policy == "demote" and not must:
            group = _DEMOTED
        placed.append(((group, front.get(index, position)), r))
    ordered = [r for _, r in sorted(placed, key=lambda item: item[0])]
    if not ordered and ranked:
        return _best_of_nothing(ranked, dropped, verdict)
    kept: list[RankedPassage] = []
    seen: set[str] = set()
    place = -1
    for r in ordered:
        # A text that came before takes no place: compression merges the copies and remembers their sources.
        place += r.prepared.folded not in seen or not config.compression
        seen.add(r.prepared.folded)
        if place < top_k or r.id in pinned or r.passage.index in front or r.passage.index == witness:
            kept.append(r)
        else:
            standing = verdict.outdated.get(r.passage.index) or verdict.out_of_scope.get(r.passage.index, "")
            detail = f"place {place + 1}, top_k is {top_k}" + (f"; {standing}" if standing else "")
            dropped.append(_gone(r, "rank", "beyond_top_k", detail))
    return Admitted(tuple(kept), tuple(dropped), _about_others_only(kept, verdict))


def _may_answer(r: RankedPassage) -> bool:
    """The sentence that fits best holds a bare number, or answers in words: there is none, no limit, no charge."""
    if not len(r.sentence_scores):
        return False
    best = int(r.sentence_scores.argmax())
    return any(v.kind == "number" for v in r.prepared.sentence_values[best]) or _says_none(r)


def _says_none(r: RankedPassage) -> bool:
    """The sentence that fits best says that there is none, no limit, no charge."""
    if not len(r.sentence_scores):
        return False
    return _NONE.search(r.prepared.folded_sentences[int(r.sentence_scores.argmax())]) is not None


def _about_others_only(kept: Sequence[RankedPassage], verdict: Verdict) -> tuple[Caution, ...]:
    """A warning where all that is left is about another model, version or group than the one asked about."""
    message = verdict.about_others_only([r.passage.index for r in kept])
    return (Caution("only_other_things", message, kept[0].id),) if message else ()


def admit_unasked(ranked: Sequence[RankedPassage], top_k: int, pinned: frozenset[str]) -> Admitted:
    """The first ``top_k`` and what is pinned: what stands in where admission was skipped or failed."""
    kept, dropped = [], []
    for place, r in enumerate(ranked, 1):
        if place <= top_k or r.id in pinned:
            kept.append(r)
        else:
            dropped.append(_gone(r, "rank", "beyond_top_k", f"place {place}, top_k is {top_k}"))
    return Admitted(tuple(kept), tuple(dropped))


def admit_nothing(ranked: Sequence[RankedPassage], pinned: frozenset[str]) -> Admitted:
    """What is pinned and nothing else: the configuration asks for an empty context where nothing seems to answer."""
    kept = tuple(r for r in ranked if r.id in pinned)
    rest = [r for r in ranked if r.id not in pinned]
    return Admitted(kept, tuple(_gone(r, "rank", "no_answer", "no chunk seems to answer the query") for r in rest))


def _best_winner(ranked: Sequence[RankedPassage], verdict: Verdict) -> int | None:
    """The best ranked passage that carries a winning sentence."""
    winners = {index for index, _ in verdict.winning_sentences}
    return next((r.passage.index for r in ranked if r.passage.index in winners), None)


def _best_of_nothing(ranked: Sequence[RankedPassage], dropped: Sequence[Dropped], verdict: Verdict) -> Admitted:
    # Every passage has its one entry, in the order of the ranking; ids may repeat.
    usable = [i for i, d in enumerate(dropped) if d.reason != "lost_conflict"] or [0]
    at = next((i for i in usable if ranked[i].passage.index not in verdict.out_of_scope), usable[0])
    best = ranked[at]
    why = best.refusal[1] or "set aside by arbitration"
    message = f"no chunk was admitted; the best one (score {best.signals.final:.2f}; {why}) is kept"
    cautions = (Caution("nothing_admitted", message, best.id), *_about_others_only([best], verdict))
    return Admitted((replace(best, admitted=True),), (*dropped[:at], *dropped[at + 1 :]), cautions)


def _gone(r: RankedPassage, stage: Stage, reason: str, detail: str) -> Dropped:
    return Dropped(r.id, stage, reason, detail, text=r.passage.chunk.text, score=r.signals.final)
