"""Statements of a value, page by page, and those of two pages that give one subject different values.

What the rules of drafting are too careful to ask of a single page can be asked where two pages differ: that a second
page speaks of the same subject shows that there is something to ask.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ragclean.evaluation.case_wording import Drafted, clauses
from ragclean.prepare import PreparedText, prepare_text
from ragclean.text.folding import fold
from ragclean.text.value import Value, same_value, size_ratio
from ragclean.types import Chunk

#: What is asked for in place of a value, in Chinese and in English.
_ASKED: Mapping[str, tuple[str, str]] = {
    "duration": ("多久", "how long"), "money": ("多少钱", "how much"), "percent": ("百分之多少", "what percentage"),
    "quantity": ("多少", "how much"), "date": ("什么时候", "when"), "time": ("几点", "what time"),
    "count": ("多少{}", "how many {}"),
}  # fmt: skip
#: Statements of a page that are looked at: a longer list is a table, of which each row is about another thing.
_PER_PAGE = 40
#: Letters of a clause, and of what follows a value, that still make a question; letters of a page's name.
_CLAUSE_MOST, _AFTER_MOST, NAME_MOST = 60, 16, 30
#: Pages in which a pair of letters (a word, in English) may stand as part of a subject to lead from one page to
#: another: one of more pages is what many things have (保修, warranty).
_HELD_MOST = 12
#: What the letters that two subjects share must be worth, where what no other page holds is worth 1; and the share of
#: the shorter subject that they must be. By hand, on policies of which two give 年假 and 报销期限 other values, and on
#: 60 pages of as many products.
_WORTH, _SHARE = 0.9, 0.6
#: The share from which statements of different things are known to be no answer to each other's question.
_SHARE_APART = 0.4
#: Times by which two values of one thing may differ in size: more, and they measure different things.
_SIZES = 20.0
#: Parts of a name that tell the thing: four Chinese letters, three words.
_OPENING = 3
#: Letters that say nothing of a thing.
_PARTICLES = frozenset("的之其各每均都须应可为是在于和与及或")
_HAN = re.compile(r"[㐀-鿿]{1,4000}")
_LATIN = re.compile(r"[a-z0-9](?:[a-z0-9]|[-_./'](?=[a-z0-9])){1,60}")
#: What a clause says of a value, and no part of its subject.
_LINK = re.compile(
    r"(?:不超过|不少于|不低于|不高于|不得|最多|最长|最高|最低|至少|至多|统一|调整|规定|为|是|共|满|达|至|到|约|在|的|"
    r"[:：\s]){1,8}$"
)
_FUNCTION_WORDS = frozenset((
    "the", "an", "is", "are", "was", "were", "be", "of", "for", "to", "in", "on", "at", "by", "within", "after",
    "before", "from", "with", "and", "or", "it", "its", "this", "that", "than", "per", "each", "every", "all", "any",
    "must", "should", "shall", "can", "will", "may", "has", "have", "had", "up", "no", "not", "only", "as", "our",
    "your",
))  # fmt: skip
_WORD_INSIDE = re.compile(r"[a-z0-9'_-]{2}")
_LEADING = re.compile(r"^(?:(?:the|an?|our|your|of|for) ){1,3}")
#: Labels that say who speaks, and nothing of a subject.
_SPEAKS = re.compile(r"^(?:问|答|注|q|a|question|answer|note)[0-9]{0,3}$")
_NAME = re.compile(r"[\n。：:，,；;！!？?（(]")
#: Titles that end so name a document, and may stand over the same rule as another document does.
_DOCUMENT = re.compile(
    r"(?:手册|制度|规定|办法|细则|政策|通知|公告|问答|指南|说明|须知|守则|faq|handbook|polic(?:y|ies)|guide|rules|notice|manual|"
    r"terms|q&a)\s{0,3}$"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause that gives a subject one value."""

    page: int
    value: Value
    subject: frozenset[str]
    """Pairs of letters (words, in English) of what the value is of."""
    name: frozenset[str]
    """The same of what the page calls itself; empty where it begins with its rules."""
    opening: frozenset[str]
    """The first of those: a thing is named first."""
    is_document: bool
    codes: frozenset[str]
    """Codes of the page's name and of the subject (k3, x-200)."""
    words: str
    """What the value is of, folded."""
    page_text: str
    """The page with its title, folded."""
    lang: str
    drafted: Drafted


def page_name(page: Chunk) -> str:
    """The title, else the first clause, in one line."""
    name = page.title.strip() or _NAME.split(page.text.strip()[: 4 * NAME_MOST], maxsplit=1)[0]
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:NAME_MOST]


def statements(place: int, page: Chunk, drafts: Sequence[Drafted]) -> list[Statement]:
    """What a page states, in the order of its text; a question that was drafted of the same clause is taken over."""
    prepared = prepare_text(page.text)
    ready = {made.point: made for made in drafts if made.point}
    name = fold(page_name(page))
    named = bool(page.title.strip()) or not any(v.start < NAME_MOST for v in prepared.values if v.kind in _ASKED)
    parts = _parts(name) if named else ()
    page_text = f"{name}\n{prepared.folded}"
    found: list[Statement] = []
    for number, value, label, (a, b) in _clauses(prepared):
        sentence, at = prepared.sentence_texts[number], prepared.sentences[number].start
        clause, before = sentence[a:b].strip(), sentence[a : value.start - at].strip()
        heading = "" if label or before else prepared.heading_above(number)
        words = " ".join(w for w in (label, heading, fold(_LINK.sub("", before))) if w)
        subject = _parts(words)
        if not subject:
            continue
        made = ready.get(clause) or Drafted(
            _question(label or heading, before, value, sentence[value.end - at : b], prepared.lang), sentence, clause,
            value.kind,
        )  # fmt: skip
        codes = frozenset(filter(_is_code, (*parts, *subject)))
        found.append(Statement(
            place, value, frozenset(subject), frozenset(parts), frozenset(parts[:_OPENING]),
            bool(_DOCUMENT.search(name)), codes, words, page_text, prepared.lang, made,
        ))  # fmt: skip
        if len(found) == _PER_PAGE:
            break
    return found


def _clauses(prepared: PreparedText) -> Iterator[tuple[int, Value, str, tuple[int, int]]]:
    """Sentence, value, label before a colon, and place in the sentence of each clause that states one value."""
    for number, folded in enumerate(prepared.folded_sentences):
        sentence = prepared.sentences[number]
        if sentence.kind not in ("prose", "list_item") or folded.endswith("?"):
            continue
        values, label = prepared.sentence_values[number], ""
        for a, b in clauses(folded) if values else ():
            within = [v for v in values if a <= v.start - sentence.start and v.end - sentence.start <= b]
            if not within and folded[b : b + 1] in (":", "："):
                label = _SPEAKS.sub("", folded[a:b].strip()[-NAME_MOST:])
                continue
            if len(within) == 1 and b - a <= _CLAUSE_MOST and within[0].kind in _ASKED and not within[0].approximate:
                yield number, within[0], label, (a, b)


def _question(label: str, before: str, value: Value, after: str, lang: str) -> str:
    """The clause with a question word in the place of its value."""
    after = after.strip().rstrip("。.!！")
    if len(after) > _AFTER_MOST:
        after = ""
    word = _ASKED[value.kind][lang != "zh"].format(value.unit)
    asked = f"{before}{word}{after}？" if lang == "zh" else f"{f'{before} {word} {after}'.strip()}?"
    return f"{label}{'：' if lang == 'zh' else ': '}{asked}" if label else asked


def _parts(folded: str) -> tuple[str, ...]:
    """Pairs of Chinese letters, and words and codes in Latin ones, in order."""
    found = sorted((m.start(), m[0]) for pattern in (_HAN, _LATIN) for m in pattern.finditer(folded))
    parts: list[str] = []
    for _, run in found:
        if run.isascii():
            word = run.removesuffix("'s")
            parts += [word] if word not in _FUNCTION_WORDS and not word.isdigit() else []
        else:
            parts += [run[i : i + 2] for i in range(len(run) - 1)]
    return tuple(parts)


def codes_of(text: str) -> frozenset[str]:
    """Codes in a text (k3, x-200): pages that name codes, and share none, are about different things."""
    return frozenset(filter(_is_code, _LATIN.findall(fold(text))))


def _is_code(part: str) -> bool:
    """A letter first, so that 500w is none."""
    return part.isascii() and part[:1].isalpha() and any(c.isdigit() for c in part)


# -- two pages


@dataclass(frozen=True, slots=True)
class Compared:
    """Statements of two pages that give what reads as one subject different values, in the order of their pages."""

    differing: tuple[tuple[Statement, Statement], ...]
    strangers: frozenset[tuple[int, int]]
    """Pairs of pages, both ways, of which the statements read alike and the things are different ones."""


def compared(made: Sequence[Statement]) -> Compared:
    """Work grows with the statements: from one to another leads only what stands in the subjects of a few pages."""
    holders: dict[tuple[str, str], dict[int, list[int]]] = defaultdict(dict)
    for i, one in enumerate(made):
        for part in sorted(one.subject):
            holders[one.value.kind, part].setdefault(one.page, []).append(i)
    pages = max(len({one.page for one in made}), 2)
    worth: dict[tuple[int, int], float] = defaultdict(float)
    for by_page in holders.values():
        if not 2 <= len(by_page) <= _HELD_MOST:
            continue
        told = 1 - math.log(len(by_page) / 2) / math.log(pages)
        for a, b in combinations(sorted(by_page), 2):
            for pair in ((i, j) for i in by_page[a] for j in by_page[b]):
                worth[pair] += told
    alike = [(made[i], made[j], told) for (i, j), told in sorted(worth.items()) if _differ(made[i], made[j])]
    of_one = [(a, b, told) for a, b, told in alike if _is_one_thing(a, b)]
    known = {(a.page, b.page) for a, b, _ in of_one}
    of_one = [(a, b, told) for a, b, told in of_one if told >= _WORTH and _shared(a, b) >= _SHARE]
    apart = {(a.page, b.page) for a, b, _ in alike} - known
    return Compared(tuple((a, b) for a, b, _ in of_one), frozenset(apart | {(b, a) for a, b in apart}))


def _shared(a: Statement, b: Statement) -> float:
    return len(a.subject & b.subject) / min(len(a.subject), len(b.subject))


def _differ(a: Statement, b: Statement) -> bool:
    """Much the same words, and another value of the same size."""
    if _shared(a, b) < _SHARE_APART:
        return False
    if a.value.kind in ("money", "quantity", "count") and a.value.unit != b.value.unit:
        return False
    ratio = size_ratio(a.value, b.value)
    return not same_value(a.value, b.value) and (ratio is None or 1 / _SIZES <= ratio <= _SIZES)


def _is_one_thing(a: Statement, b: Statement) -> bool:
    """Codes, names and subjects allow it: of two subjects only one may say more than the other, on either side."""
    if a.codes and b.codes and not a.codes & b.codes:
        return False
    if a.name and b.name and not (a.is_document and b.is_document) and not _related(a, b):
        return False
    run = _longest_shared(a.words, b.words)
    before_a, _, after_a = a.words.rpartition(run) if run else ("", "", a.words)
    before_b, _, after_b = b.words.rpartition(run) if run else ("", "", b.words)
    return not any(
        _is_new(of_a, b.page_text) and _is_new(of_b, a.page_text)
        for of_a, of_b in ((before_a, before_b), (after_a, after_b))
    )


def _is_new(words: str, text: str) -> bool:
    """Something in the words stands nowhere in the text: a Chinese letter, or a word."""
    letters = {c for run in _HAN.findall(words) for c in run} - _PARTICLES
    latin = {w for w in _LATIN.findall(words) if w not in _FUNCTION_WORDS}
    return any(c not in text for c in letters) or not latin <= set(_LATIN.findall(text))


def _related(a: Statement, b: Statement) -> bool:
    """They share a code, the one's name opens as the other's, or is part of the other's name or rule."""
    return bool(a.codes & b.codes) or any(
        x.opening <= y.name or len(x.name & (y.name | y.subject)) >= _SHARE * len(x.name) for x, y in ((a, b), (b, a))
    )


def in_shared_words(a: Statement, b: Statement) -> Drafted | None:
    """What the first is asked in the words that both have for their subject; None where these are single letters.

    The longest run of them, and of several as long the one nearest to the value: 年假 of 员工每年享有年假 and 员工年假.
    """
    shared = _longest_shared(a.words, b.words)
    if not _parts(shared):
        return None
    zh, en = (word.format(a.value.unit) for word in _ASKED[a.value.kind])
    question = f"{shared}是{zh}？" if a.lang == "zh" else f"{en.capitalize()} is the {shared}?"
    return replace(a.drafted, question=question)


def _longest_shared(words: str, other: str) -> str:
    """The longest run of whole words of one text that stands in the other."""
    cuts = [i for i in range(len(words) + 1) if not _inside_a_word(words, i)]
    for length in range(len(cuts) - 1, 0, -1):
        for first in range(len(cuts) - 1 - length, -1, -1):
            run = words[cuts[first] : cuts[first + length]]
            at = other.find(run)
            if at >= 0 and not _inside_a_word(other, at) and not _inside_a_word(other, at + len(run)):
                found = _LEADING.sub("", run.strip(" :：,，"))
                if _parts(found):
                    return found
    return ""


def _inside_a_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and bool(_WORD_INSIDE.fullmatch(text[place - 1 : place + 1]))
