"""Names in a text, with what sort of thing each may be; worked out once a text, whatever the question.

Chinese names are words that the dictionary marks as names, words that no dictionary knows, runs with a dot between
them, and titles. English names are runs of words with capitals. Identifiers are code spans, paths and addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ragclean.arbitration import named_lexicon as lexicon
from ragclean.arbitration.equivalence_names import clean_name
from ragclean.memo import Memo
from ragclean.prepare import PreparedText
from ragclean.text.dictionary import tokenizer
from ragclean.text.question_names import is_unknown_name

#: Text that is looked at: what answers a question stands in the first pages of a chunk.
_MAX_TEXT = 20_000
_MAX_NAMES = 600
_CACHE = 1024
_LONGEST_HAN = 8
_LINK = "of|the|de|da|di|del|della|van|von|der|den|la|le|du|al|bin|ibn|el|y|e|for"
_WORD = r"[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’.-]{0,24}"
_LATIN = re.compile(rf"(?<![\w@/.-]){_WORD}(?:[ ](?:(?:{_LINK})[ ](?:the[ ])?)?{_WORD}){{0,6}}")
_COMMA_PLACE = re.compile(rf", ({_WORD}(?: {_WORD}){{0,2}})(?![\w])")
_TITLE = re.compile(r"《([^《》\n]{1,40})》|[\"“]([A-Z][^\"“”\n]{1,50})[\"”]|_([A-Z][^_\n]{1,50})_")
_DOTTED = re.compile(r"[\u4e00-\u9fffA-Z]{1,8}(?:[·・•‧][\u4e00-\u9fffA-Z]{1,8}){1,3}|[A-Z]\.(?:[A-Z]\.)?[\u4e00-\u9fff]{2,5}")
_REGION = re.compile(r"[省市县州岛镇区国]$")
_ORGANISATION = re.compile(r"(?:队|公司|集团|大学|学院|银行|俱乐部|协会|联盟|医院|中学|出版社|研究所|委员会)$")
_IDENTIFIER = re.compile(
    r"`([^`\n]{2,80})`"
    r"|(?<![\w.])((?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2}|:\d{2,5})?)(?![\w.]*\d)"
    r"|(?<![\w.])(0x[0-9A-Fa-f]{2,8})(?!\w)"
    r"|(?<![\w/:.])((?:~|[A-Z]:)?[/\\][\w.~-]{1,40}(?:[/\\][\w.~*-]{1,40}){0,8}[/\\]?)"
    r"|(?<![\w@.-])([a-z0-9][a-z0-9-]{1,40}(?:\.[a-z0-9-]{2,30}){1,4})(?![\w-])"
    r"|(?<![\w-])([a-z][a-z0-9]{1,20}(?:[_-][a-z0-9]{1,20}){1,5})(?![\w])"
)


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A name at ``start:end`` of the text."""

    start: int
    end: int
    key: str
    """Cleaned, to compare by."""
    sort: str
    """person, place, organisation, title, identifier, or name where nothing tells."""
    words: int
    """Latin words in it; 0 for a Chinese name."""


class _Spans(Memo[str, tuple[NameSpan, ...]]):
    """Spans by text."""


_spans = _Spans(_CACHE)


def name_spans(prepared: PreparedText) -> tuple[NameSpan, ...]:
    """Names of the text in order; shorter ones inside a longer one are left out, identifiers are not."""
    return _spans.one(prepared.text, lambda: _find(prepared))


def _find(prepared: PreparedText) -> tuple[NameSpan, ...]:
    text = prepared.text[:_MAX_TEXT]
    found: list[NameSpan] = []
    found += _titles(text)
    if not prepared.folded.isascii():
        found += _dotted(text)
        found += _han(prepared, text)
    found += _latin(text)
    found.sort(key=lambda s: (s.start, -s.end))
    kept: list[NameSpan] = []
    for span in found:
        if kept and span.start < kept[-1].end and span.end <= kept[-1].end:
            continue
        kept.append(span)
    return tuple(kept[:_MAX_NAMES])


def identifier_spans(prepared: PreparedText) -> tuple[NameSpan, ...]:
    """Commands, addresses, paths and the like."""
    found = []
    for m in _IDENTIFIER.finditer(prepared.text[:_MAX_TEXT]):
        start, end = m.span(m.lastindex or 0)
        key = prepared.text[start:end].strip().rstrip(".").casefold()
        if len(key) > 1:
            found.append(NameSpan(start, end, key, "identifier", 0))
    return tuple(found[:_MAX_NAMES])


def _titles(text: str) -> Iterator[NameSpan]:
    for m in _TITLE.finditer(text):
        start, end = m.span(m.lastindex or 0)
        key = clean_name(text[start:end].rstrip(" .,!?"))
        if key:
            yield NameSpan(start, end, key, "title", 0)


def _dotted(text: str) -> Iterator[NameSpan]:
    for m in _DOTTED.finditer(text):
        start, end = _trimmed(text, m.start(), m.end())
        yield NameSpan(start, end, clean_name(text[start:end]), "person", 0)


#: What stands before a foreign name without being part of it, and behind it.
_BEFORE_DOTTED = re.compile(
    r"^[\u4e00-\u9fff]{0,6}?(?:导演|编剧|作者|作家|主演|演员|歌手|总统|总理|首相|主席|教练|主帅|球员|球星|前锋|后卫|门将|选手|名将|巨星|影星|博士|教授|先生|女士|人|由|为|是|被|和|与|及|对|的|了|在|给|让|将|着)"
    r"(?=[\u4e00-\u9fff]{1,6}[·・•‧])"
)
_BEHIND_DOTTED = re.compile(r"(?:执导|导演|主演|饰演|饰|的|和|与|及|在|以|是|为|说|曾|担任|获得|夺得|凭借|击败|编剧|编写|创作|所著|等|于|从|被|将|及其|以及|出任).{0,8}$")


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    head = _BEFORE_DOTTED.match(text[start:end])
    if head:
        start += head.end()
    dot = max(text.rfind(c, start, end) for c in "·・•‧.")
    tail = _BEHIND_DOTTED.search(text, dot + 2, end) if dot >= 0 else None
    return start, tail.start() if tail else end


def _han(prepared: PreparedText, text: str) -> Iterator[NameSpan]:
    folded = prepared.folded
    marks = _marks()
    known = tokenizer().FREQ
    tokens = [t for t in prepared.tokens if t.start < len(text)]
    i = 0
    while i < len(tokens):
        t = tokens[i]
        i += 1
        if t.kind != "han" or t.end - t.start < 2:
            continue
        word = folded[t.start : t.end]
        sort = marks.get(word, "")
        if not sort and word in lexicon.COUNTRIES_ZH:
            sort = "place"
        if not sort and not known.get(word) and len(word) <= _LONGEST_HAN and is_unknown_name(word):
            sort = "person" if _looks_like_person(word) else "name"
        if _ORGANISATION.search(word):
            sort = "organisation"
        start, end = t.start, t.end
        if sort:
            while i < len(tokens) and tokens[i].start == end and end - start < _LONGEST_HAN:
                nxt = folded[tokens[i].start : tokens[i].end]
                if _ORGANISATION.fullmatch(nxt):
                    sort = "organisation"
                elif not (
                    (sort in ("person", "name") and (
                        (all(c in lexicon.TRANSLITERATION for c in nxt) and not known.get(nxt))
                        or marks.get(nxt) == "person" and all(c in lexicon.TRANSLITERATION for c in word + nxt)))
                    or (sort == "place" and nxt in ("省", "市", "县", "州", "岛", "镇", "区"))
                ):
                    break
                end = tokens[i].end
                i += 1
            if _REGION.search(folded[start:end]) and sort == "name":
                sort = "place"
            yield NameSpan(start, end, clean_name(text[start:end]), sort, 0)


def _looks_like_person(word: str) -> bool:
    """A surname and one or two characters, or characters that foreign names are written with."""
    if 2 <= len(word) <= 3 and word[0] in lexicon.SURNAMES:
        return True
    return len(word) > 1 and all(c in lexicon.TRANSLITERATION for c in word)


_DICTIONARY_LINE = re.compile(r"^(\S{2,8}) (\d+) (nr|nrt|nrfg|ns|nt|nz)$", re.MULTILINE)
_SORTS = {"nr": "person", "nrt": "person", "nrfg": "person", "ns": "place", "nt": "organisation", "nz": "name"}
#: A word marked as a person's name that is this frequent and does not look like one is an ordinary word.
_ORDINARY = 300


@lru_cache(maxsize=1)
def _marks() -> dict[str, str]:
    """What the cutter's dictionary says of its names: read on first use, since only questions for names need it."""
    dt = tokenizer()
    with dt.get_dict_file() as lines:
        content = lines.read().decode("utf-8")
    found = {}
    for m in _DICTIONARY_LINE.finditer(content):
        word, frequency, mark = m.groups()
        sort = _SORTS[mark]
        if sort == "person" and not _looks_like_person(word):
            continue
        if sort == "name" and int(frequency) > _ORDINARY:
            continue
        found[word] = sort
    found.update(dict.fromkeys(lexicon.COUNTRIES_ZH, "place"))
    return found


def _latin(text: str) -> Iterator[NameSpan]:
    for m in _LATIN.finditer(text):
        start, end = _without_head(text, m.start(), m.end())
        if start >= end:
            continue
        written = text[start:end].rstrip(".,'’-")
        end = start + len(written)
        if written[-2:] in ("'s", "’s"):
            end -= 2
        # A possessive inside parts two names: Spielberg's Jaws.
        for a, b in _at_possessives(text, start, end):
            written = text[a:b]
            words = written.split()
            if len(written) < 2 or (len(words) == 1 and words[0].casefold() in lexicon.NO_HEAD | lexicon.ADJECTIVES):
                continue
            place = _COMMA_PLACE.match(text, b)
            sort = _latin_sort([w.casefold().strip(".,") for w in words])
            if place and len(words) < 4 and sort != "event" and _is_region(place.group(1)):
                yield NameSpan(a, place.end(), clean_name(text[a : place.end()]), "place", len(words))
            else:
                yield NameSpan(a, b, clean_name(written), sort, len(words))


_US_STATES = frozenset(
    "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa"
    "|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada"
    "|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island"
    "|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|d.c.|ontario"
    "|quebec|british columbia|alberta|new south wales|queensland|victoria".split("|")
)


def _is_region(name: str) -> bool:
    lower = name.casefold().rstrip(".")
    return lower in _US_STATES or lower in lexicon.COUNTRIES_EN or lower.endswith((" county", " province"))


def _without_head(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut off words that only have their capital from the head of the sentence."""
    while start < end:
        space = text.find(" ", start, end)
        word = text[start : space if space >= 0 else end]
        lower = word.casefold().rstrip(".,")
        if lower not in lexicon.NO_HEAD and lower not in lexicon.ADJECTIVES:
            break
        if space < 0:
            # A lone word stays for the caller to judge.
            return (end, end) if lower in lexicon.NO_HEAD else (start, end)
        if lower == "the" or lower in lexicon.NO_HEAD or text[space + 1 : space + 2].isupper():
            start = space + 1
        else:
            break
    return start, end


def _at_possessives(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for m in re.finditer(r"['’]s(?: |$)", text[start:end]):
        yield start, start + m.start()
        start, end = start + m.end(), end
        break
    if start < end:
        yield start, end


def _latin_sort(words: list[str]) -> str:
    """person, place, event, or name where nothing tells."""
    joined = " ".join(words)
    if joined in lexicon.COUNTRIES_EN or joined in _US_STATES:
        return "place"
    if any(w in lexicon.NO_PERSON for w in words):
        return "event"
    if any(w.isupper() or any(c.isdigit() for c in w) for w in words):
        return "name"
    return "person" if 1 < len(words) < 5 else "name"
