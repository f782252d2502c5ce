"""Names in a text, with what sort of thing each may be; worked out once a text, whatever the question.

Chinese names are words that the dictionary marks as names, words that no dictionary knows, runs with a dot between
them, and titles. English names are runs of words with capitals. Identifiers are code spans, paths and addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ragclean.arbitration.names import lexicon
from ragclean.arbitration.names.equivalence import clean_name
from ragclean.memo import Memo
from ragclean.prepare import PreparedText
from ragclean.text.dictionary import tokenizer
from ragclean.text.folding import fold
from ragclean.text.question_names import is_unknown_name
from ragclean.text.tokens import informativeness, is_stopword

#: Text that is looked at: what answers a question stands in the first pages of a chunk.
_MAX_TEXT = 20_000
_MAX_NAMES = 600
_CACHE = 1024
_LONGEST_HAN = 8
_LINK = "of|the|de|da|di|del|della|van|von|der|den|la|le|du|al|bin|ibn|el|y|e|for"
_CAPITAL, _LETTER = "A-ZÀ-ÖØ-ÞĀ-Ž", "A-Za-zÀ-ÖØ-öø-ɏ0-9"
_SHORT = rf"[{_CAPITAL}]\.(?:[{_CAPITAL}]\.){{0,3}}|(?:St|Jr|Sr|Dr|Mr|Mrs|Mt|Ft)\."
_WORD = rf"(?:{_SHORT}|[{_CAPITAL}][{_LETTER}'’-]{{0,24}})"
_LATIN = re.compile(rf"(?<![{_LETTER}_@/.-]){_WORD}(?:[ ](?:(?:{_LINK})[ ](?:the[ ])?)?{_WORD}){{0,6}}")
_COMMA_PLACE = re.compile(rf", ({_WORD}(?: {_WORD}){{0,2}})(?![\w])")
_TITLE = re.compile(r"《([^《》\n]{1,40})》|[\"“]([A-Z][^\"“”\n]{1,50})[\"”]|_([A-Z][^_\n]{1,50})_")
_DOTTED = re.compile(
    r"[\u4e00-\u9fffA-Z]{1,8}(?:[·・•‧∙][\u4e00-\u9fffA-Z]{1,8}){1,3}|[A-Z]\.(?:[A-Z]\.)?[\u4e00-\u9fff]{2,5}"
)
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
#: A tool with what it is told to do, in a text without backquotes: words in small letters among Chinese characters,
#: or behind a verb that says to run it.
_TOLD = r"[a-z][\w.+-]{1,24}(?: (?:--?)?[a-z0-9][\w.=/:+-]{0,30}){1,5}"
_COMMAND = re.compile(
    rf"(?<=[\u3400-\u9fff：，。；、（:])[ ]?({_TOLD})(?=[ ]?[\u3400-\u9fff，。；、）]|[.,;)]?(?:\s|$))"
    rf"|\b(?:[Rr]un|[Ee]xecute|[Tt]ype|[Ii]nvoke|[Uu]se|[Cc]all|[Ee]nter)(?: the command)?[: ] ?({_TOLD})"
    r"(?=[.,;)]|\s(?:to|and|on|before|after|first|instead|which)\b|\n|$)"
)
#: Switches that change how a command talks, not what it does.
_QUIET = re.compile(r"(?: (?:-y|-v|-q|--yes|--verbose|--quiet))+$")


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
    found += _slots(prepared.folded[:_MAX_TEXT], text)
    if not prepared.folded.isascii():
        found += _dotted(text)
        found += _han(prepared, text)
    found += _latin(text)
    found.sort(key=lambda s: (s.start, -s.end))
    kept: list[NameSpan] = []
    for span in found:
        holder = next((k for k in reversed(kept[-2:]) if span.start < k.end and span.end <= k.end), None)
        # A name inside 《》 is part of the title; inside quotation marks anything may stand.
        if holder is not None and not (holder.sort == "title" and text[holder.start - 1] != "《" and span != holder):
            continue
        kept.append(span)
    return tuple(kept[:_MAX_NAMES])


def identifier_spans(prepared: PreparedText) -> tuple[NameSpan, ...]:
    """Commands, addresses, paths and the like; their keys stand in backquotes, so that only the same are one."""
    found = []
    for pattern in (_IDENTIFIER, _COMMAND):
        for m in pattern.finditer(prepared.text[:_MAX_TEXT]):
            start, end = m.span(m.lastindex or 0)
            written = _QUIET.sub("", prepared.text[start:end].strip().rstrip("."))
            if len(written) > 1:
                found.append(NameSpan(start, start + len(written), f"`{written.casefold()}`", "identifier", 0))
    return tuple(sorted(found, key=lambda s: (s.start, -s.end))[:_MAX_NAMES])


def _titles(text: str) -> Iterator[NameSpan]:
    for m in _TITLE.finditer(text):
        start, end = m.span(m.lastindex or 0)
        key = clean_name(text[start:end].rstrip(" .,!?"))
        if key:
            yield NameSpan(start, end, key, "title", 0)


_MAKES = (
    "执导|导演|编剧|饰演|扮演|演唱|创作|主演|担任|出任|主持|设计|研发|开发|出品|制作|创办|创立|主办|承办|夺得|获得"
    "|撰写|编写"
)
_CALLED = "导演|编剧|作者|主演|冠军|得主|歌手|创始人|主教练|董事长|首席执行官"
_HAN_NAME = "[\u4e00-\u9fff]"
#: 由文牧野执导, 导演:徐昂: a short stretch of characters there is a name, whatever the cutter makes of it.
_SLOT = re.compile(
    rf"由({_HAN_NAME}{{2,4}}?)(?:{_MAKES})"
    rf"|(?<![\u4e00-\u9fff])({_HAN_NAME}{{2,3}}?)(?:执导|导演的|编剧的|饰演|主演的|演唱|创作的|监制)"
    rf"|(?:{_CALLED})(?:是|为|:|: )({_HAN_NAME}{{2,3}})(?![\u4e00-\u9fff·])"
)


def _slots(folded: str, text: str) -> Iterator[NameSpan]:
    for m in _SLOT.finditer(folded):
        start, end = m.span(m.lastindex or 0)
        if _looks_like_person(folded[start:end]) and folded[start] not in lexicon.NO_GIVEN:
            yield NameSpan(start, end, clean_name(text[start:end]), "person", 0)


def _dotted(text: str) -> Iterator[NameSpan]:
    for m in _DOTTED.finditer(text):
        start, end = _trimmed(text, m.start(), m.end())
        yield NameSpan(start, end, clean_name(text[start:end]), "person", 0)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without what is glued to the name at both ends: 领袖安东尼·阿尔巴尼斯向澳大利亚."""
    first = next((i for i in range(start, end) if text[i] in _DOTS), start)
    last = next((i for i in range(end - 1, start, -1) if text[i] in _DOTS), end - 1)
    head, tail = first, last + 1
    while head > start and _is_syllable(text[head - 1]):
        head -= 1
    while tail < end and _is_syllable(text[tail]):
        tail += 1
    return (head if head < first else start), (tail if tail > last + 2 else end)


_DOTS = frozenset("·・•‧∙.")


def _is_syllable(char: str) -> bool:
    simple = fold(char)
    return char.isascii() or (simple in lexicon.TRANSLITERATION and simple not in lexicon.NO_GIVEN)


def _han(prepared: PreparedText, text: str) -> Iterator[NameSpan]:
    folded = prepared.folded
    tokens = [t for t in prepared.tokens if t.start < len(text) and t.kind == "han"]
    i = 0
    while i < len(tokens):
        start, end = tokens[i].start, tokens[i].end
        word = folded[start:end]
        i += 1
        if end - start == 1:
            # 陈|雨菲, 阿|尔菲安: the cutter parts a surname from what it does not know.
            second = tokens[i] if i < len(tokens) and tokens[i].start == end else None
            if second is None or not _begins_name(word, folded[second.start : second.end]):
                continue
            end, i = second.end, i + 1
            word, sort = folded[start:end], "person"
        else:
            sort = _sort_of(word)
        if not sort:
            continue
        while i < len(tokens) and tokens[i].start == end and end - start < _LONGEST_HAN:
            longer = _with_next(folded[start:end], folded[tokens[i].start : tokens[i].end], sort)
            if not longer:
                break
            sort, end = longer, tokens[i].end
            i += 1
        while end - start > 2 and sort == "person" and folded[end - 1] in "饰演说称":
            end -= 1
        if sort == "name" and _REGION.search(folded[start:end]):
            sort = "" if folded[start] in "个各全该本每某此那这两几多" else "place"
        if sort:
            yield NameSpan(start, end, clean_name(text[start:end]), sort, 0)


def _sort_of(word: str) -> str:
    """What sort of name a Chinese word is; empty for an ordinary word."""
    if _ORGANISATION.search(word) and len(word) > 2:
        return "organisation"
    sort = _marks().get(word, "")
    if not sort and word[0] in "于在与和从由向对" and tokenizer().FREQ.get(word[1:]):
        return ""  # 于北京, 由文
    if not sort and not tokenizer().FREQ.get(word) and len(word) <= _LONGEST_HAN and is_unknown_name(word):
        sort = "person" if _looks_like_person(word) else "name"
    return sort


_REGIONS = frozenset("省市县州岛镇区郡乡村国")
_SQUADS = frozenset(("男排", "女排", "男足", "女足", "男篮", "女篮", "国家队", "国足", "代表队"))


def _begins_name(first: str, second: str) -> bool:
    """A surname before an unknown word of at most two characters, or the first syllable of a foreign name."""
    if tokenizer().FREQ.get(second) and not _marks().get(second):
        return False
    if first in lexicon.SURNAMES and len(second) <= 2 and not lexicon.NO_GIVEN.intersection(second):
        return True
    return first in lexicon.TRANSLITERATION and len(second) > 1 and _is_foreign(second)


def _is_foreign(word: str) -> bool:
    return all(c in lexicon.TRANSLITERATION for c in word)


def _with_next(word: str, following: str, sort: str) -> str:
    """The sort of the name where the following word belongs to it; empty where it does not."""
    if following in lexicon.NO_ANSWER:
        return ""
    if _ORGANISATION.fullmatch(following):
        return "organisation"
    if sort == "place":
        if following in _REGIONS or following in _SQUADS:
            return "organisation" if following in _SQUADS else "place"
        return "place" if len(following) > 1 and _sort_of(following) == "place" else ""
    if sort not in ("person", "name") or following[0] in lexicon.NO_GIVEN:
        return ""
    if len(following) == 1:
        if len(word) == 2 and sort == "person" and word[0] in lexicon.SURNAMES and not is_stopword(following):
            return "person"  # 罗致|焕
        return sort if _is_foreign(word + following) else ""
    if _is_foreign(word + following) and (not tokenizer().FREQ.get(following) or _marks().get(following)):
        return "person"
    return ""


def _looks_like_person(word: str) -> bool:
    """A surname and one or two characters, or characters that foreign names are written with."""
    if 2 <= len(word) <= 3 and word[0] in lexicon.SURNAMES:
        return True
    return len(word) > 1 and _is_foreign(word)


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
        for start, end in _pieces(text, m.start(), m.end()):
            written = text[start:end]
            words = written.split()
            lower = [w.casefold().strip(".,") for w in words]
            if len(written) < 2 or (len(words) == 1 and _is_no_name(text, start, written)):
                continue
            place = _COMMA_PLACE.match(text, end)
            sort = latin_sort(lower)
            if place and sort != "event" and _is_region(place.group(1)) and (
                len(words) == 1 or (len(words) < 4 and _IN.search(text[max(0, start - 6) : start]))
            ):
                end = place.end()
                yield NameSpan(start, end, clean_name(text[start:end]), "place", len(words))
            else:
                yield NameSpan(start, end, clean_name(written), sort, len(words))


#: Two capitals before a state are a place behind a preposition, else a person from there.
_IN = re.compile(r"\b(?:in|at|of|near|to|from) $")
_CASED = re.compile(r"\S+")
_NEW = re.compile(
    r" (?:York|Zealand|Jersey|Orleans|Delhi|Hampshire|Mexico|England|Guinea|South Wales|Haven|Brunswick)\b"
)
_ROMAN = re.compile(r"[IVXLCM]{2,8}")
_PEOPLES = re.compile(r"(?:[a-z]{3}(?:ian|ean|ese|ish)|[a-z]{4}ans)$")


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A run of capitals cut at offices, at function words (of a headline) and behind a possessive."""
    first = last = -1
    for m in _CASED.finditer(text, start, end):
        word = m.group()
        lower = word.casefold().rstrip(".,'’-")
        owner = lower.endswith(("'s", "’s"))
        of_name = lower == "new" and _NEW.match(text, m.end())
        if lower in lexicon.ROLES or (lower in lexicon.NO_HEAD and word[0].isupper() and not of_name):
            if first >= 0:
                yield first, last
            first = -1
            continue
        if first < 0:
            if not word[0].isupper() or all(part in lexicon.ADJECTIVES for part in lower.split("-")):
                continue
            first = m.start()
        if word[0].isupper():
            last = m.end() - (len(word) - len(word.rstrip("'’-")))
        if owner:
            yield first, m.end() - 2
            first = -1
    if first >= 0:
        yield first, last


#: A capital at the head of a sentence says nothing: words more common than this are ordinary ones there.
_COMMON = 0.7
_HEAD = re.compile(r"(?:^|[.!?:;|\n·»>…-])[\s\"'“‘(]*$")


def _is_no_name(text: str, start: int, word: str) -> bool:
    """A lone word that names a people, or that only the head of its sentence capitalises."""
    lower = word.casefold()
    if lower in lexicon.ADJECTIVES or lower in lexicon.NO_HEAD or _PEOPLES.search(lower) or _ROMAN.fullmatch(word):
        return True
    if not word[1:].islower() or not word.isascii() or informativeness(lower) >= _COMMON:
        return False
    return _HEAD.search(text[max(0, start - 6) : start]) is not None




def _is_region(name: str) -> bool:
    lower = name.casefold().rstrip(".")
    return lower in lexicon.STATES or lower in lexicon.COUNTRIES_EN or lower.endswith((" county", " province"))


def latin_sort(words: list[str]) -> str:
    """person, place, event, or name where nothing tells."""
    joined = " ".join(words)
    if joined in lexicon.COUNTRIES_EN or joined in lexicon.STATES:
        return "place"
    if any(w in lexicon.NO_PERSON for w in words):
        return "event"
    if any(w.isupper() or any(c.isdigit() for c in w) for w in words):
        return "name"
    return "person" if 1 < len(words) < 5 else "name"
