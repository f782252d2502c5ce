"""Bring the kept sentences of all passages into a token budget, and tidy up what the cut leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ragclean.compression import budget
from ragclean.compression.duplicates import Place
from ragclean.compression.layout import render_context
from ragclean.compression.protection import ASKED, PLAIN, UNTOUCHABLE
from ragclean.compression.units import bundled, torn
from ragclean.compression.work import Work, clear, complete, has_content, keep, remove
from ragclean.config import CorrectorConfig
from ragclean.text.question import Question
from ragclean.types import Caution


def fit(
    works: Sequence[Work],
    question: Question,
    config: CorrectorConfig,
    max_tokens: int,
    count_tokens: Callable[[str], int],
) -> list[Caution]:
    """Cut to the budget; sentences left without what they introduce go too."""
    items, members = _items(works, count_tokens)

    def measure(without: frozenset[Place]) -> int:
        gone = frozenset(place for leader in without for place in members[leader])
        return count_tokens(render_context([k for w in works if (k := keep(w, gone)).sentences]))

    gone = budget.cut_to_budget(items, max_tokens, measure)
    if not gone:
        return _over(items, max_tokens, measure(frozenset()))
    for item in gone:
        detail = f"worth {item.score:.2f} for {item.tokens} tokens; the budget is {max_tokens}"
        for position, number in members[item.place]:
            remove(works[position], number, "token_budget", detail)
    for work in {item.place[0]: works[item.place[0]] for item in gone}.values():
        _mend(work, question, config)
    if not any(has_content(w) or w.whole for w in works):
        _put_back_best(works, items, members, max_tokens)
    return _left_out(works, members, max_tokens) + _over(items, max_tokens, measure(frozenset()))


def _items(
    works: Sequence[Work], count_tokens: Callable[[str], int]
) -> tuple[list[budget.Item], dict[Place, tuple[Place, ...]]]:
    """What the budget may take: sentences, and bundles that stay or go as one; the places of each."""
    items: list[budget.Item] = []
    members: dict[Place, tuple[Place, ...]] = {}
    for work in works:
        texts = work.ranked.prepared.sentence_texts
        kept = work.kept()
        bundles, worth = bundled(work.links.units, kept)
        for number in kept:
            bundle = bundles.get(number, (number,))
            if bundle[0] != number:
                continue
            judged = worth.get(number, bundle)
            level = max(int(work.classes[n]) if work.wanted[n] else PLAIN for n in judged)
            place = (work.position, number)
            members[place] = tuple((work.position, n) for n in bundle)
            items.append(
                budget.Item(
                    place,
                    score=max(float(work.scores[n]) for n in judged),
                    level=level,
                    tokens=sum(count_tokens(texts[n]) for n in bundle),
                    pinned=work.whole,
                    scaffold=level < UNTOUCHABLE and all(bool(work.links.scaffold[n]) for n in bundle),
                )
            )
    return items, members


def _left_out(works: Sequence[Work], members: dict[Place, tuple[Place, ...]], max_tokens: int) -> list[Caution]:
    """A warning for each fact asked for that had no room."""
    kept = [set(w.kept()) for w in works]
    cautions = []
    for position, number in sorted(place for bundle in members.values() for place in bundle):
        work = works[position]
        if work.classes[number] >= ASKED and number not in kept[position]:
            text = work.ranked.prepared.sentence_texts[number]
            message = f"the budget of {max_tokens} tokens left no room for: {text:.80}"
            cautions.append(Caution("untouchable_dropped", message, work.ranked.id))
    return cautions


def _mend(work: Work, question: Question, config: CorrectorConfig) -> None:
    """After a cut: what introduced what went, and what is left of torn code and answers, goes too."""
    before = set(work.kept())
    gone = set(np.flatnonzero(~work.allowed).tolist())
    gone = {n for n in gone if work.causes.get(n, ("",))[0] == "token_budget"}
    for number in torn(work.links.units, before, gone):
        if work.classes[number] < UNTOUCHABLE:
            remove(work, number, "token_budget", "the rest of its code or answer had to go")
    still = set(work.context)
    complete(work, question, config)
    work.context &= still
    if not has_content(work) and not work.whole:
        clear(work, "token_budget", "what it introduces had to go")
    for number in before - set(work.kept()):
        work.causes.setdefault(number, ("token_budget", "what it introduces had to go"))


def _put_back_best(
    works: Sequence[Work],
    items: Sequence[budget.Item],
    members: dict[Place, tuple[Place, ...]],
    max_tokens: int,
) -> None:
    """Nothing but headings fitted, or what fitted was torn: the best sentence that fits, else the best, stays."""
    best = max(items, key=lambda i: (not i.scaffold, i.tokens <= max_tokens, i.level, i.score))
    for work in works:
        clear(work, "token_budget", "what it introduces had to go")
    for position, number in members[best.place]:
        work = works[position]
        work.allowed[number] = work.wanted[number] = True
        work.causes.pop(number, None)


def _over(items: Sequence[budget.Item], max_tokens: int, tokens: int) -> list[Caution]:
    if tokens <= max_tokens:
        return []
    why = "pinned chunks alone take" if any(i.pinned for i in items) else "its best sentence alone takes"
    return [Caution("token_budget_exceeded", f"{why} {tokens} tokens; the budget is {max_tokens}")]
