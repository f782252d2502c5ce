"""Protected facts: what a compressor may never lose. Numbers with their units, codes, names, negations, conditions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ragclean.text.tokens import Token
from ragclean.text.values import Value

FactKind = Literal["value", "code", "name", "abbreviation", "negation", "condition", "term"]

MAX_PATTERN_TEXT = 200_000
"""Characters a user's own pattern is run over at once: its running time is the user's to bound, its input is ours."""
MANY_TERMS = 32
"""From here on terms that a text does not hold are left out before the regex engine, which tries every term at every
character, while looking for one is a scan in C: 10,000 terms over 20,000 characters in 0.1 s instead of 2."""
MAX_NAME_TOKENS = 4
"""Words before 公司 or 集团 taken into the name."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A span of the text and why it must not be lost."""

    kind: FactKind
    start: int
    end: int


#: Negations and conditions over folded text, one pass. Guards keep words that only look like one (不同, 无线, 如何).
#: Every alternative begins with a literal character, which lets the regex engine skip to the next candidate.
_NEGATIONS = (
    r"不得|不可|不能|不予|不再|不是|不属|不含|不包[括含]|不支持|不适用|不享|不收|不退|不[承担负]",
    r"不(?![仅但断同过少管论久妨如错禁愧料惜良锈满足])|无(?![论线锡数限疑穷形声意辜源纺私聊])|未(?![来必])",
    r"非(?![常洲凡得])|勿|禁止|严禁|禁用|没有?|除外|谢绝|拒绝|免(?=[费除责])",
)
_NEGATION_WORDS = (
    "not", "no", "never", "without", "except", "unless", "excluding", "exclude", "excludes", "neither", "nor", "none",
    "cannot", "can't", "won't", "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "shouldn't", "mustn't",
)
_CONDITIONS = (
    r"如果|如(?<![例比诸譬假犹正]如)(?=[需有遇因您未无果若超发不经存属])|假如|倘若|若(?!干)|除非|仅限|仅|只有|只能|只限|必须|务必",
    r"须(?!臾)|需要|需(?<!必需)(?![求要量])|凭(?![借空])|满(?<![不充圆美丰饱]满)(?=[0-9一二三四五六七八九十两半足])|前提",
    r"应当|应(?=[在当于提先按由自])|方可|才(?=[能可会])|时(?=[,，])|情况下",
)
_CONDITION_WORDS = (
    "if", "when", "only", "provided", "must", "shall", "require", "requires", "required", "until", "subject to",
    "as long as", "in case", "at least", "at most",
)
_WORDS = re.compile("|".join(
    (*_NEGATIONS, *_CONDITIONS, *(f"{w}(?<![a-z]{w})(?![a-z])" for w in (*_NEGATION_WORDS, *_CONDITION_WORDS)))
))
_NEGATING = frozenset((*"不无未非勿禁严没谢拒免", "除外", *_NEGATION_WORDS))

_ORIGINAL = re.compile(
    r"(?P<abbreviation>(?<![A-Za-z0-9])[A-Z][A-Z0-9]{1,7}(?:[&/-][A-Z0-9]{1,7}){0,3}(?![A-Za-z]))"
    r"|(?P<name>(?<=[a-z,;:)] )[A-Z][a-z]{1,20}(?:[ -][A-Z][A-Za-z0-9]{0,20}){0,4}"
    r"|[A-Z][a-z]{1,20}(?:[ ][A-Z][a-z]{1,20}){1,4})"
    r"|《(?P<title>[^《》\n]{1,40})》|“(?P<quote>[^“”\n]{2,16})”|「(?P<corner>[^「」\n]{2,16})」"
)
_SUFFIX = re.compile(
    r"(?:有限公司|股份公司|公司|集团|银行|大学|学院|医院|研究院|研究所|出版社|商城|平台|保险|证券|基金会|协会|"
    r"委员会|管理局|事务所)"
    r"|(?<=[\u4e00-\u9fff])(?:先生|女士|教授|博士|经理|主任|院长|市长|总裁|董事长|总经理|主席|部长|老师|医生|律师)"
    r"|(?<=[\u4e00-\u9fff])[省市县](?=[^场民区长])"
)
#: Telephone numbers that only the word before them tells: a hotline of five digits, groups apart by spaces.
_TELEPHONE = re.compile(
    r"(?:热线|电话|拨打|致电|客服|分机|总机|(?<![a-z])(?:call|phone|telephone|tel|hotline|helpline|dial|fax|extension|ext))"
    r"[^0-9+\n。;!?]{0,12}(?P<number>\+?\d{1,12}(?:[ -]\d{2,12}){0,5})(?![\d%]|\.\d)"
)
_ANOTHER_TELEPHONE = re.compile(
    r" ?(?:[,、/转]|或者?|和|及|or|and|分机|,? ?ext(?:ension|\.)?) ?"
    r"(?P<number>\+?\d{1,12}(?:[ -]\d{2,12}){0,5})(?![\d%]|\.\d)"
)
_TELEPHONE_DIGITS = range(3, 20)
#: Round the clock, written as a product: no number reader takes it for a value.
_ROUND_THE_CLOCK = re.compile(
    r"(?<![\d.])(?:7 ?[x×*✕] ?24|24 ?[x×*✕/] ?7)(?![\d.])(?: ?(?:小时|hours?|hrs?|h(?![a-z])))?"
)
_WORD_LETTER = re.compile(r"[a-z0-9_]")


def find_facts(text: str, folded: str, tokens: Sequence[Token], values: Sequence[Value]) -> tuple[Fact, ...]:
    """Facts of a text with offsets, in order. ``text`` is the original (capitals tell names and abbreviations).

    Facts of different kinds may overlap (a value inside a title). Negations and conditions are reported wherever
    they stand; whether they belong to a protected fact is the compressor's to decide.
    """
    facts = [Fact("value", v.start, v.end) for v in values]
    facts += [Fact("code", t.start, t.end) for t in tokens if t.kind == "code"]
    for m in _WORDS.finditer(folded):
        word = m[0]
        facts.append(Fact("negation" if word[0] in _NEGATING or word in _NEGATING else "condition", m.start(), m.end()))
    facts += _telephones(folded, values)
    facts += [Fact("value", m.start(), m.end()) for m in _ROUND_THE_CLOCK.finditer(folded)]
    facts += _from_original(text)
    facts += _from_suffixes(folded, tokens)
    facts.sort(key=lambda f: (f.start, f.end))
    return tuple(facts)


def _telephones(folded: str, values: Sequence[Value]) -> list[Fact]:
    """Service numbers after a word that announces one. A sum, a date or a span of time after it is none."""
    measured = [v for v in values if v.kind != "number"]
    starts = [v.start for v in measured]
    found = []
    for first in _TELEPHONE.finditer(folded):
        m: re.Match[str] | None = first
        while m is not None:
            start, end = m.span("number")
            i = bisect_left(starts, end) - 1
            digits = sum(c.isdigit() for c in m["number"])
            if digits not in _TELEPHONE_DIGITS or (i >= 0 and measured[i].end > start):
                break
            found.append(Fact("code", start, end))
            m = _ANOTHER_TELEPHONE.match(folded, end)
    return found


def _from_original(text: str) -> list[Fact]:
    found = []
    for m in _ORIGINAL.finditer(text):
        group = m.lastgroup
        if group == "abbreviation":
            if not _is_shouted(text, m.start(), m.end()):
                found.append(Fact("abbreviation", m.start(), m.end()))
        elif group is not None:
            found.append(Fact("name", m.start(group), m.end(group)))
    return found


_CAPITALS_BESIDE = re.compile(r"[A-Z]{2,}[ ,'-]{1,2}$")
_CAPITALS_NEXT = re.compile(r"[ ,'-]{1,2}[A-Z]{2,}")


def _is_shouted(text: str, start: int, end: int) -> bool:
    """One of a run of words in capitals: emphasis or a heading, no abbreviation."""
    return bool(_CAPITALS_NEXT.match(text, end)) and bool(_CAPITALS_BESIDE.search(text, max(0, start - 24), start))


def _from_suffixes(folded: str, tokens: Sequence[Token]) -> list[Fact]:
    """Organisations, places and people told by their last word: the Han words straight before it are the name."""
    matches = list(_SUFFIX.finditer(folded))
    if not matches:
        return []
    ends = [t.end for t in tokens]
    found = []
    for m in matches:
        start = m.start()
        i = bisect_left(ends, m.end())
        if i < len(tokens) and tokens[i].start < start:
            start = tokens[i].start
        elif len(m[0]) == 1:
            i -= 1
            if i >= 0 and tokens[i].end == start and tokens[i].kind == "han":
                start = tokens[i].start
        else:
            i = bisect_left(ends, start)
            for _ in range(1 if m[0] in _PERSON_TITLES else MAX_NAME_TOKENS):
                if i < 0 or i >= len(tokens) or tokens[i].end != start or not _may_name(folded, tokens[i]):
                    break
                start = tokens[i].start
                i -= 1
        if start < m.start() or len(m[0]) > 2:
            found.append(Fact("name", start, m.end()))
    return found


_PERSON_TITLES = frozenset(
    [
        "先生", "女士", "教授", "博士", "经理", "主任", "院长", "市长", "总裁", "董事长", "总经理", "主席", "部长",
        "老师", "医生", "律师",
    ])
_NO_NAME = frozenset(
    [
        "受到", "随着", "包括", "来自", "称",
        "的", "了", "在", "和", "与", "及", "或", "是", "由", "向", "从", "到", "为", "对", "将", "把", "被", "等",
        "该", "本", "各", "某", "我", "你", "您", "他", "她", "它", "这", "那", "其", "有", "个", "家", "以", "于",
        "而", "因", "则", "就", "也", "都", "并", "通过", "我们", "你们", "一个", "一家", "这个", "那个", "这家",
        "如果", "或者", "以及", "根据", "按照", "按", "经", "可", "请", "当", "让", "使", "用通过", "我们", "你们",
        "一个", "一家", "这个", "那个", "这家", "如果", "或者", "以及", "根据", "按照", "按", "经", "可", "请",
        "当", "让", "使", "用",
    ])


def _may_name(folded: str, token: Token) -> bool:
    return token.kind in ("han", "latin", "code") and folded[token.start : token.end] not in _NO_NAME


def find_terms(folded: str, terms: Sequence[str], patterns: Sequence[str] = ()) -> tuple[Fact, ...]:
    """Occurrences of a user's own protected terms (matched folded) and regular expressions.

    A term that begins or ends with a latin letter or digit matches whole words only: x20 is not in x200. Patterns
    run over folded text, at most :data:`MAX_PATTERN_TEXT` characters at a time; how long one takes is up to its
    writer, since the standard library's engine cannot be interrupted.

    Raises:
        ValueError: a pattern is no regular expression; the message names it.
    """
    words = _fold_terms(tuple(terms))
    if len(words) > MANY_TERMS:
        words = tuple(w for w in words if w in folded)
        compiled = (*_compile_terms.__wrapped__(words), *_compile(tuple(patterns)))
    else:
        compiled = (*_compile_terms(words), *_compile(tuple(patterns)))
    found = []
    for start in range(0, len(folded), MAX_PATTERN_TEXT):
        piece = folded if len(folded) <= MAX_PATTERN_TEXT else folded[start : start + MAX_PATTERN_TEXT]
        for pattern in compiled:
            spans = [m.span() for m in pattern.finditer(piece)]
            found += [Fact("term", start + a, start + b) for a, b in spans if b > a]
    return tuple(sorted(set(found), key=lambda f: (f.start, f.end)))


@lru_cache(maxsize=16)
def _fold_terms(terms: tuple[str, ...]) -> tuple[str, ...]:
    """Distinct terms folded, the longest first."""
    from ragclean.text.folding import fold

    return tuple(sorted({fold(t).strip() for t in terms} - {""}, key=lambda t: (-len(t), t)))


@lru_cache(maxsize=64)
def _compile_terms(folded: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return (re.compile("|".join(_bounded(t) for t in folded)),) if folded else ()


@lru_cache(maxsize=64)
def _compile(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    compiled = []
    for pattern in patterns:
        try:
            compiled.append(re.compile(pattern, re.IGNORECASE))
        except (re.error, RecursionError, OverflowError) as e:
            raise ValueError(f"protected pattern {pattern!r}: not a regular expression ({e})") from e
    return tuple(compiled)


def _bounded(term: str) -> str:
    head = r"(?<![a-z0-9_])" if _WORD_LETTER.match(term[0]) else ""
    tail = r"(?![a-z0-9_])" if _WORD_LETTER.match(term[-1]) else ""
    return head + re.escape(term) + tail
