"""The words of a text that say something, and which of them a negation denies."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ragclean.evaluation.stance_words import NEGATION
from ragclean.text.tokens import informativeness, is_stopword, tokenize

Span = tuple[int, int]

#: Words that report or point, and say nothing of what is reported.
_REPORTING_WORDS = (
    "资料 材料 文档 说明 显示 写 说 提到 称 数据 数值 标准 情况 根据 规定 内容 具体 实际 目前 现在 一般 通常 建议"
    " 左右 不同 两份 份 给出 手册 说明书 指南 官网 官方 论坛 帖子 网友 客服 公告 通知 合同 条款 说法 版本 部分"
    " 有人 有的 另 机型 型号 批次 地区 某些 个别 情形 够了 即可 就行 就好 说是 也就是 相当于"
    " sources states says pages documents texts notes gives figures numbers others depends according officially"
    " official new old currently current now usually usual typically typical generally general per each every days"
    " default people somewhere between contract website forum booklet leaflet manual help listings listing call sure"
    " plus equal equals models some versions cases regions batches"
)
#: Words that only affirm or deny, which polarity looks after.
_STANCES = (
    "不能 不得 不可 不是 不会 不要 不用 没有 可以 可 能 能够 不行 禁止 不 没 无 无法 yes no not don't"
)
_CODE_SIGNS = re.compile(r"[-_ /.]")
#: Weight of a word of one Chinese character, and of an idea that takes several words; some are hardly more than one.
_SINGLE, _IDEA = 0.35, 1.5
_SLIGHT_IDEAS = {"except": 0.6, "alone": 0.6, "check": 0.8}
_ENDINGS = ("ingly", "edly", "ings", "ing", "ied", "ies", "ed", "es", "ly", "s", "e")
_LEAST_STEM = 3

#: A negation governs at most this much of its clause, in Chinese up to a 的, 者, 时, 则 or 就.
_GOVERNED = 60
_DENIAL_ENDS = re.compile("[的者时则就]")
#: Words of a negation's span that it denies itself: in Chinese a verb with its object or adverb, in English the verb.
_HEADS_ZH = 2
#: Last signs of a negation after which stands the one thing that is lacking: 无故障, 没有冲击点.
_LACKING = ("无", "没", "有")
#: Verbs that say nothing without what follows them: 'do not use alcohol' is about alcohol.
_LIGHT_VERBS = (
    "us use do tak take hav get mak need allow 支持 提供 允许 需要 进行 使用 用 做 予以 给予 享受"
)
_PASSIVE = re.compile(r"\b(?:be|is|are|was|were|been) $")
#: Weight below which a Chinese word is a light verb as well.
_LIGHT = 0.1
#: Characters between two negations that cancel each other; further apart, the second denies something of its own.
_DOUBLE = 2
_HAN = "\u3400"


@dataclass(frozen=True, slots=True)
class Word:
    """A word that says something: folded (an English one without its ending), with its weight."""

    text: str
    start: int
    end: int
    weight: float
    kind: str
    """``han``, ``latin``, ``code`` or ``idea``."""


def find_words(folded: str, ideas: Sequence[tuple[str, int, int]], values: Sequence[Span]) -> Iterator[Word]:
    """The telling words of a text, ideas first; what stands in values and ideas is left out."""
    taken = sorted([*((start, end) for _, start, end in ideas), *values])
    for name, start, end in ideas:
        yield Word(name, start, end, _SLIGHT_IDEAS.get(name, _IDEA), "idea")
    for start, end, kind in tokenize(folded):
        text = folded[start:end]
        if kind == "number" or (taken and is_inside(start, end, taken)) or is_stopword(text) or text in _stances():
            continue
        if kind == "latin":
            stem = stem_of(text)
            if len(stem) > 1 and not is_stopword(stem):
                yield Word(stem, start, end, informativeness(text), "latin")
        elif kind == "han":
            weight = informativeness(text) * (_SINGLE if end - start == 1 else 1.0)
            yield Word(text, start, end, weight, "han")
        elif kind == "code":
            yield Word(_CODE_SIGNS.sub("", text), start, end, 1.0, "code")


@lru_cache(maxsize=16_384)
def stem_of(word: str) -> str:
    """An English word without its ending: rough, and the same for all its forms."""
    word = word.removesuffix("'s").replace("'", "")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            stem = word[: -len(ending)]
            if ending in ("ied", "ies"):
                return stem + "y"
            if ending == "s" and stem.endswith("s"):
                return word
            if len(stem) > _LEAST_STEM and stem[-1] == stem[-2] and ending in ("ing", "ed", "ings"):
                return stem[:-1]
            return stem.removesuffix("e") if len(stem) > _LEAST_STEM else stem
    return word


def is_reporting(word: Word) -> bool:
    """A word that reports or points, and says nothing of what is reported."""
    return word.text in _reporting()


@lru_cache(maxsize=1)
def _reporting() -> frozenset[str]:
    return frozenset(stem_of(w) if w.isascii() else w for w in _REPORTING_WORDS.split())


@lru_cache(maxsize=1)
def _stances() -> frozenset[str]:
    return frozenset(_STANCES.split())


@lru_cache(maxsize=1)
def _light_verbs() -> frozenset[str]:
    return frozenset(_LIGHT_VERBS.split())


def is_inside(start: int, end: int, spans: Sequence[Span]) -> bool:
    """Does a span overlap one of these, which are in order?"""
    at = bisect_right(spans, (start, 1 << 60)) - 1
    if at >= 0 and start < spans[at][1]:
        return True
    return at + 1 < len(spans) and spans[at + 1][0] < end


# -- what is denied


def denied_spans(folded: str, clauses: Sequence[Span], ideas: Sequence[tuple[str, int, int]]) -> tuple[Span, ...]:
    """What negations govern, in order: the rest of their clause, but for what a second negation takes back."""
    spans: list[Span] = []
    starts = [c[0] for c in clauses]
    inside = [(a, b) for _, a, b in ideas]
    denying = [a for _, a, _ in ideas if folded[a] in "不未没尚"]
    for m in NEGATION.finditer(folded):
        if inside and is_inside(m.start(), m.end(), inside):
            continue
        _, clause_end = clauses[max(0, bisect_right(starts, m.start()) - 1)]
        end = _governed_end(folded, m, min(clause_end, m.end() + _GOVERNED))
        next_idea = bisect_right(denying, m.end() - 1)
        if next_idea < len(denying):
            end = min(end, denying[next_idea])
        if end <= m.end():
            continue
        if not spans or m.start() >= spans[-1][1]:
            spans.append((m.end(), end))
            continue
        spans[-1] = (spans[-1][0], m.start())  # 不能不, 'not without': what is denied twice is said
        if m.start() - spans[-1][0] > _DOUBLE:
            spans.append((m.end(), end))
    return tuple(s for s in spans if s[1] > s[0])


def _governed_end(folded: str, negation: re.Match[str], end: int) -> int:
    """无故障或..., 没有冲击点的..., 不做选择时...: not what follows."""
    if negation[0][0] < _HAN:
        return end
    limit = _DENIAL_ENDS.search(folded, negation.end() + 1, max(end, negation.end() + 1))
    return limit.start() if limit else end


def denied_heads(folded: str, words: Sequence[Word], denied: Sequence[Span]) -> list[Word]:
    """The words that negations deny themselves: those right after them; words further on only say of what."""
    heads: list[Word] = []
    ordered = [w for w in words if w.kind != "idea"]
    at = 0
    for start, end in denied:
        while at < len(ordered) and ordered[at].start < start:
            at += 1
        lacks = folded[start - 1 : start] in _LACKING
        if lacks and at and ordered[at - 1].end > start:  # one word of the dictionary: 无故障
            heads.append(ordered[at - 1])
            continue
        chinese = any(c >= _HAN for c in folded[start : min(end, start + 4)])
        left, i = (_HEADS_ZH if chinese and not lacks else 1), at
        while left > 0 and i < len(ordered) and ordered[i].start < end:
            heads.append(ordered[i])
            left -= not _is_light(folded, ordered[i])
            i += 1
    return heads


def _is_light(folded: str, word: Word) -> bool:
    if word.kind == "han" and word.weight < _LIGHT:
        return True
    return word.text in _light_verbs() and _PASSIVE.search(folded, max(0, word.start - 6), word.start) is None
