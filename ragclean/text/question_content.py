"""The content of a question: its words, names and codes, the versions and the scope it states."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Literal

from ragclean.text import question_words as qw
from ragclean.text.question_names import (
    AFTER_NAME,
    CALENDAR,
    COMMON_ABBREVIATIONS,
    DEVICE_ENDS,
    GENERIC_MODIFIERS,
    PERSONS,
    PRODUCTS,
    in_dictionary,
    is_common_noun,
    is_unknown_name,
    mended,
)
from ragclean.text.tokens import Token, informativeness, is_stopword, tokenize

__all__ = [
    "YEAR", "ContentWord", "content_words", "in_dictionary", "is_unknown_name", "qualifiers", "things_named",
    "versions",
]  # fmt: skip

Span = tuple[int, int]

#: An English word at the head of a sentence is capitalised anyway; only one as rare as this counts as a name.
_RARE_LATIN = 0.97
#: Weight of a year: it restricts the question as much as a name does.
_NUMBER_WEIGHT = 1.0

#: Unknown words side by side are one name up to this length.
_LONGEST_NAME = 6
#: A single English word as common as this names nothing, though it is written with a capital (Last, Tour).
_TELLING_LATIN = 0.6
#: Words that turn one model into another: P8 and P8 Pro are two things.
_MODEL_SUFFIX = re.compile(
    r" ?(?:pro|plus|max|mini|ultra|lite|air|se|turbo|note|prime|neo)(?: ?(?:max|plus))?(?![a-z0-9])"
)
#: What a 'for a ...' phrase asks to get, not whom or what it is about.
_PURPOSES = qw.word_set("refund replacement claim visa repair discount exchange return while living job")

_QUOTED = re.compile(r"[《<「『\"“]([^《》<>「」『』\"“”\n]{1,40})[》>」』\"”]")
YEAR = re.compile(r"(?<![\d.])(1[89]\d\d|20\d\d)(?![\d.])")
_VERSION = re.compile(
    r"\bv ?(\d{1,4}(?:\.\d{1,5}){0,3})(?![\d.]{0,8}\d)|(?<![\d.])(\d{1,4}(?:\.\d{1,5}){1,3}) ?(?:版|version)"
)
_VERSION_WORD = re.compile(r"\b(?:version|release|firmware) (\d{1,4}(?:\.\d{1,5}){0,3})\b")
_MODEL_NUMBER_STOPS = frozenset(
    "年月日号天个元块次小时分秒届季期岁周级位名人条万亿千百%度米克升点到至~-/.:集章折楼层路"
)
_CAPITALISED = re.compile(r"(?<![A-Za-z])[a-z]?[A-Z][A-Za-z0-9'’&.-]{0,40}")
#: Words that number parts of a thing, not models of it: season 3 is no product.
_NUMBERED = qw.word_set(
    "season chapter episode part volume week day grade level step page room type phase clause section"
)
#: Quarters and ordinals restrict a question but name no thing.
_NO_THING = re.compile(
    r"[qh][1-4]|\d{1,6}(?:st|nd|rd|th|s|'s)|(?:1[5-9]|20)\d\d(?:'s|-(?:19|20)?\d\d)?|a[3-6]|b5|[2-6]g|[234]d|"
    r"\d{1,2}/\d{1,2}|mp[34]"
)
_NAME_GLUE = re.compile(r"(?: |-|'s ?|'|: | of (?:the )?| de (?:la )?| du | von | van | & )?")
@dataclass(frozen=True, slots=True)
class ContentWord:
    """A content word of the query."""

    start: int
    end: int
    text: str
    kind: Literal["word", "code", "name"]
    weight: float


def content_words(original: str, folded: str, asked: Sequence[Span]) -> list[ContentWord]:
    """Informative words, codes and names of a query, without what the question words cover."""
    whole = tokenize(folded)
    asked = _without_objects(folded, whole, asked)
    tokens, joined = mended(folded, _outside(folded, whole, asked))
    names = _capitalised_spans(original, folded) | joined
    words: list[ContentWord] = []
    merged_to = -1
    for i, t in enumerate(tokens):
        if t.start < merged_to:
            continue
        text = folded[t.start : t.end]
        if t.kind == "number":
            if YEAR.fullmatch(text):
                words.append(ContentWord(t.start, t.end, text, "code", _NUMBER_WEIGHT))
            continue
        after_number = i > 0 and tokens[i - 1].kind == "number" and tokens[i - 1].end == t.start
        if t.kind == "other" or is_stopword(text) or (after_number and len(text) == 1):
            continue
        number = tokens[i + 1] if i + 1 < len(tokens) else None
        if number is not None and _is_model_number(folded, t, number):
            merged_to = number.end
            words.append(_word(t, text, names))
            words.append(ContentWord(t.start, number.end, folded[t.start : number.end], "code", 1.0))
            continue
        words.append(_word(t, text, names))
    return _joined_names(folded, words) + _reduplicated(folded, asked) + _titles(folded, words)


def _joined_names(folded: str, words: Sequence[ContentWord]) -> list[ContentWord]:
    """Put unknown words that stand side by side together: the cutter broke one name."""
    joined: list[ContentWord] = []
    for w in words:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.end == w.start
            and last.kind == w.kind == "name"
            and not last.text.isascii()
            and not w.text.isascii()
            and len(last.text) + len(w.text) <= _LONGEST_NAME
        ):
            joined[-1] = ContentWord(last.start, w.end, folded[last.start : w.end], "name", 1.0)
        else:
            joined.append(w)
    return joined


def _code_follows(folded: str, end: int) -> bool:
    after = folded[end : end + 1]
    return after.isascii() and after.isalnum()


def _without_objects(folded: str, tokens: Sequence[Token], asked: Sequence[Span]) -> Sequence[Span]:
    """收不收工|本费 -> 收不收|工本费: the character after a doubled verb belongs to the word that begins with it."""
    if not any(_is_doubled(folded, span) for span in asked):
        return asked
    starts = {t.start for t in tokens if t.end - t.start > 1}
    return [
        (s, e - 1)
        if _is_doubled(folded, (s, e)) and (e - 1 in starts or in_dictionary(folded[e - 1 : e + 2]))
        else (s, e)
        for s, e in asked
    ]


def _is_doubled(folded: str, span: Span) -> bool:
    start, end = span
    return end - start == _DOUBLED and folded[start + 1] == "不" and folded[start] == folded[start + 2]


#: Length of 支不支持.
_DOUBLED = 4


def _outside(folded: str, tokens: Sequence[Token], asked: Sequence[Span]) -> list[Token]:
    """Tokens without those the question words cover; of a Chinese one that sticks out the rest stays (书能|不能)."""
    kept: list[Token] = []
    cut: set[int] = set()
    for t in tokens:
        start, end = t.start, t.end
        for low, high in asked:
            if low < end and start < high:
                start, end = (start, low) if start < low else (min(high, end), end)
        if (start, end) == (t.start, t.end):
            kept.append(t)
        elif start < end and t.kind == "han":
            kept.append(Token(start, end, "han"))
            cut.add(start)
    return _rejoined(folded, kept, cut) if cut else kept


def _rejoined(folded: str, tokens: Sequence[Token], cut: Container[int]) -> list[Token]:
    """多少条|会|话 -> 会话: the rest of a cut token and the word after it, where together they are a word."""
    out: list[Token] = []
    for t in tokens:
        last = out[-1] if out else None
        if last is not None and last.start in cut and last.end == t.start and in_dictionary(folded[last.start : t.end]):
            out[-1] = Token(last.start, t.end, "han")
        else:
            out.append(t)
    return out


def _word(t: Token, text: str, names: Container[int]) -> ContentWord:
    if t.kind == "code":
        return ContentWord(t.start, t.end, text, "code", 1.0)
    if text.endswith("'s"):
        text = text[:-2]
    name = t.start in names
    if t.kind == "han" and len(text) >= 2 and not in_dictionary(text):
        name = name or not (is_common_noun(text) or qw.is_light(text))
    weight = 1.0 if name and t.kind == "han" else informativeness(text)
    return ContentWord(t.start, t.start + len(text), text, "name" if name else "word", weight)


def _is_model_number(folded: str, word: Token, number: Token) -> bool:
    """小米13, iphone 15: a short number right behind a word and not followed by a unit or a point."""
    if number.kind != "number" or number.end - number.start > 4 or not folded[number.start : number.end].isdigit():
        return False
    gap = folded[word.end : number.start]
    after = folded[number.end : number.end + 1]
    if gap not in ("", " ") or (gap and word.kind == "han") or (after and after in _MODEL_NUMBER_STOPS):
        return False
    if YEAR.fullmatch(folded[number.start : number.end]):
        return False
    text = folded[word.start : word.end]
    return len(text) >= 2 and text not in _NUMBERED and text not in GENERIC_MODIFIERS and informativeness(text) > 0.5


def _capitalised_spans(original: str, folded: str) -> set[int]:
    """Starts of capitalised words that are names: not at the head of a sentence unless rare; none in title case."""
    matches = list(_CAPITALISED.finditer(original))
    lower_case_words = len(re.findall(r"(?<![A-Za-z])[a-z][a-z]{3,}", original))
    if not matches or (len(matches) > 3 and lower_case_words == 0):
        return {m.start() for m in matches if informativeness(folded[m.start() : m.end()]) >= 0.99}
    starts = set()
    for m in matches:
        word = folded[m.start() : m.end()].rstrip(".'’&-")
        head = not original[: m.start()].strip() or original[: m.start()].rstrip()[-1:] in ".?!\n"
        if is_stopword(word) or word in CALENDAR or _is_common(word) or (head and informativeness(word) < _RARE_LATIN):
            continue
        if head and word in PERSONS:
            continue
        starts.add(m.start())
    return starts


def _is_common(word: str) -> bool:
    """MRI, VAT; but CEO and GDP, which a text writes in capitals where it speaks of them, match as written."""
    return word in COMMON_ABBREVIATIONS and qw.hint_of(word) is None


def _titles(folded: str, words: Sequence[ContentWord]) -> list[ContentWord]:
    """A quoted title is a term as a whole, beside the words it is made of."""
    known = {w.text for w in words}
    spans = [(m.start(1), m.group(1)) for m in _QUOTED.finditer(folded)]
    return [ContentWord(at, at + len(t), t, "name", 1.0) for at, t in spans if t.strip() == t and t and t not in known]


def _reduplicated(folded: str, asked: Sequence[Span]) -> list[ContentWord]:
    """The verb of V不V questions is content: 支不支持 -> 支持, 收不收费 -> 收费."""
    words = []
    for start, end in asked:
        if _is_doubled(folded, (start, end)):
            verb = folded[start + 2 : start + 4]
            if len(verb) == 2 and not is_stopword(verb) and in_dictionary(verb):
                words.append(ContentWord(start + 2, start + 4, verb, "word", informativeness(verb)))
    return words


def things_named(folded: str, words: Sequence[ContentWord]) -> tuple[str, ...]:
    """Names and codes of what the question is about, at most eight."""
    things: dict[str, None] = {}
    ordered = sorted(words, key=lambda w: (w.start, -w.end))
    quoted = list(_QUOTED.finditer(folded))
    for m in quoted:
        things[m.group(1).strip()] = None
    run: list[ContentWord] = []
    coded = {c.start for c in ordered if c.kind == "code"}
    for w in (*ordered, ContentWord(len(folded) + 9, len(folded) + 9, "", "word", 0.0)):
        if any(m.start() <= w.start and w.end <= m.end() for m in quoted):
            continue
        is_name = w.kind == "name" and w.text.isascii() and w.start not in coded
        variant = bool(run) and _MODEL_SUFFIX.fullmatch(w.text) is not None
        latin_name = is_name and (variant or not _is_attribute(w.text))
        if run and not (latin_name and _NAME_GLUE.fullmatch(folded[run[-1].end : w.start])):
            if _names_something(run):
                things[folded[run[0].start : run[-1].end]] = None
            run = []
        if latin_name:
            run.append(w)
        elif w.kind == "code" and not _NO_THING.fullmatch(w.text) and not _VERSION.fullmatch(w.text):
            suffix = _MODEL_SUFFIX.match(folded, w.end)
            things[w.text + (suffix.group() if suffix else "")] = None
        elif w.kind == "name" and not w.text.isascii() and _stands_as_name(folded, w, ordered):
            things[w.text] = None
    for word in _heads_before_product(folded, ordered):
        things.setdefault(word, None)
    return tuple(t for t in things if t)[:8]


def _names_something(run: Sequence[ContentWord]) -> bool:
    """A run of capitalised English words is a thing unless it is one common word, or numbers a part (Part II)."""
    if len(run) == 1:
        return len(run[0].text) > 1 and run[0].weight >= _TELLING_LATIN
    return run[0].text not in _NUMBERED


def _is_attribute(word: str) -> bool:
    """CEO and GDP are written in capitals and name an attribute; Pro and Max name a variant, not a thing."""
    return (
        word in COMMON_ABBREVIATIONS
        or qw.hint_of(word) is not None
        or _MODEL_SUFFIX.fullmatch(word) is not None
    )


_CLAUSE_MARKS = ",，。;；?？!！:： "
#: A name in the middle of a clause stands after one of these: 报给雁程冷运, 我的朔图, 给娃买的青筠.
_NAME_AFTER = frozenset("在从到去给跟找对于由向和与及的家用买住订坐")


def _stands_as_name(folded: str, w: ContentWord, words: Sequence[ContentWord]) -> bool:
    """An unknown Chinese word is a thing where names stand: at the head, before a code, before a product noun."""
    if _code_follows(folded, w.end) or AFTER_NAME.match(folded, w.end) is not None:
        return True
    clause = max(folded.rfind(mark, 0, w.start) for mark in _CLAUSE_MARKS) + 1
    if sum(clause <= x.start < w.start for x in words) < 2 or folded[w.start - 1] in _NAME_AFTER:
        return True
    after = [x for x in words if x.start >= w.end][:2]
    return any(x.end - w.end <= _REACH and AFTER_NAME.match(folded, x.end) for x in after)


#: Characters between a name and the noun that says what it is: 青筠少儿重疾险.
_REACH = 4


def _heads_before_product(folded: str, words: Sequence[ContentWord]) -> list[str]:
    """A dictionary word used as a name: at the head of a clause and directly before a product noun (栈桥网关)."""
    found = []
    for i, w in enumerate(words[:_HEADS]):
        if w.text.isascii() or w.kind != "word" or not 2 <= len(w.text) <= 4 or AFTER_NAME.fullmatch(w.text):
            continue
        before = folded[w.start - 1 : w.start]
        if (i and not (before and (before in _CLAUSE_MARKS or before in _NAME_AFTER))) or w.weight < _RARE_HEAD:
            continue
        if w.text in GENERIC_MODIFIERS or w.text[-1] in DEVICE_ENDS:
            continue
        following = next((x for x in words[i + 1 :] if x.start == w.end), None)
        if following is not None and (following.kind == "code" or following.text in PRODUCTS):
            found.append(w.text)
    return found


#: Content words looked at: a name stands near the head of its clause.
_HEADS = 6
#: A dictionary word is a name before a product noun or a code only if it is as rare as this.
_RARE_HEAD = 0.93


def versions(folded: str) -> tuple[tuple[int, ...], ...]:
    """Versions stated, as numbers without trailing zeros."""
    found: dict[tuple[int, ...], None] = {}
    for pattern in (_VERSION, _VERSION_WORD):
        for m in pattern.finditer(folded):
            parts = [int(p) for p in next(g for g in m.groups() if g).split(".")]
            while len(parts) > 1 and parts[-1] == 0:
                parts.pop()
            found[tuple(parts)] = None
    return tuple(found)


def qualifiers(folded: str, words: Sequence[ContentWord]) -> tuple[str, ...]:
    """Editions, audiences, regions and the like that narrow the question, at most eight."""
    found = [m.group() for m in qw.QUALIFIER.finditer(folded)]
    names = {w.start for w in words if w.kind == "name"}
    for m in qw.QUALIFIER_PHRASE.finditer(folded):
        group = m.group(1).split()
        stop = next((i for i, w in enumerate(group) if is_stopword(w)), len(group))
        named = any(m.start(1) <= at < m.end(1) for at in names)
        found += [" ".join(group[:stop])] if stop and group[0] not in _PURPOSES and not named else []
    found += [m.group(1).strip() for m in qw.SITE_PHRASE.finditer(folded)]
    found += [w.text for w in words if not w.text.isascii() and qw.SITE.match(folded, w.end)]
    found += _regions(folded, words)
    return tuple(dict.fromkeys(q for q in found if q and not is_stopword(q)))[:8]


def _regions(folded: str, words: Sequence[ContentWord]) -> list[str]:
    regions = [m.group() for m in qw.KNOWN_REGION.finditer(folded)]
    for i, w in enumerate(words):
        if w.text in qw.REGION_SUFFIXES:
            if i and words[i - 1].end == w.start and not words[i - 1].text.isascii():
                regions.append(words[i - 1].text + w.text)
        elif len(w.text) >= 3 and w.text.endswith(qw.REGION_SUFFIXES) and w.text not in qw.NO_REGION:
            regions.append(w.text)
    return regions
