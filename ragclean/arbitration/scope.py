"""Is a sentence about the thing asked about? Codes, exclusive groups, versions, years, and names in its place.

Unknown scope is not another scope: only what names *another* member, and not the one asked for, is out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from ragclean.arbitration import lexicon
from ragclean.arbitration.editions import other_number, other_year
from ragclean.arbitration.focus import Focus, group_members
from ragclean.arbitration.mentions import CodeMention, code_mentions
from ragclean.arbitration.rows import other_row
from ragclean.arbitration.subjects import goes_on, inherited_reason, version_passage, version_subject
from ragclean.arbitration.terms import Thing, code_key, is_code
from ragclean.prepare import Passage
from ragclean.text.tokens import informativeness
from ragclean.text.values import Value

#: A page that says so speaks for the whole range, whatever models it names beside.
_ALL_MODELS = re.compile(
    r"全系列|全系|所有型号|各型号|全部机型|所有机型|不区分型号|通用"
    r"|all models|every model|any model|across the range"
)
#: 'Not for the X300', 'unlike the X300': the code is named to set it apart.
_SET_APART = re.compile(
    r"(?:不适用于|不同于|不包括|不含|区别于|除了?|相比|对比|升级自|替代|取代"
    r"|unlike|except|other than|compared (?:to|with)|not for|than the)[^。.;\n]{0,12}$"
)
#: What stands before and after the name of a place, a site or a unit.
_PLACE_BEFORE = re.compile(r"(派驻|前往|位于|寄往|发往|常驻|赴|驻)$")
_PLACE_AFTER = re.compile(
    r"项目部|办事处|分公司|分行|支行|门店|校区|园区|院区|仓库|工厂|车间|站点|医院|学院|高新区|开发区|[省市县区国州馆店厂]"
)
#: A word as rare as this may be a name; a part of one may be a little more common.
_RARE_WORD = 0.95
_RARE_PART = 0.7
_NAME_LENGTH = 6
#: A page that sets the thing asked about apart from what it speaks of.
_NOT_FOR = re.compile(
    r"(?:不适用于?|不包括|不包含|不涉及|不覆盖|(?:do(?:es)?|is|are) not (?:apply|concern|cover|valid"
    r"|for|available)[a-z ]{0,12}"
    r"|none of this (?:concerns|applies to)|doesn't (?:apply|concern|cover)[a-z ]{0,6})[ ]?[^,。;.\n]{0,8}$"
)
_IS_NOT_MEANT = re.compile(r"[^,。;.\n]{0,8}(?:不适用|除外|不在此列|不在此限|另行规定|另有规定)")
#: A page of up to this many characters has one subject.
_ONE_SUBJECT = 1200
_MENTIONS = 4
_CODE_NEXT = re.compile(r" ?([a-z]{1,4}-?\d{1,5}[a-z]?)(?![a-z0-9])")
#: Sentences above a sentence among which its heading is looked for.
_SECTION_REACH = 60
_NOT_FOR_REACH = 30
#: A scheme of its own for somebody, beside the general rule.
_SPECIAL = re.compile(r"专项|专享价|专属价|专场|限时特惠")
#: A figure of part of a year is none of the year's.
_PART_OF_YEAR = re.compile(
    r"[上下]半年|[前第]?[一二三四1-4]季度|前[一二三四五六七八九十]{1,2}个月|1-\d{1,2}月"
    r"|(?<![a-z])(?:q[1-4]|first half|second half)(?![a-z])"
    r"|(?:first|second|third|fourth) quarter"
)
_CACHE = 4096
#: Characters before a code that is the subject of its sentence; and what makes it something else.
_SUBJECT_REACH = 16
_NO_SUBJECT = re.compile(
    r"[,;:(]|比|与|和|从|由|相|除|非|不|对|把|将|替|取代|\b(?:unlike|like|from|with|than|except|compared|for|to|and|not|no)\b"
)
_COMPARED = re.compile(r"(?:比|较|than|unlike|like) ?$")
#: 'Parity with iOS', 与安卓版一致: the sentence is about another one, which is likened to this.
_LIKENED = re.compile(
    r"\b(?:(?:in )?parity with|(?:the )?same as(?: on| for| in)?|just as (?:on|for|in)|unlike(?: on| for)?) (?:the )?"
    r"[\w-]{2,20}"
    r"|[与和跟同][^\s,，。;；]{2,12}?(?:一致|相同|一样|同样)"
)
_MOST_SENTENCES = 6000
#: An opening sentence of up to this many characters says what the page is about.
_HEAD_HAN, _HEAD_LATIN = 60, 130


@dataclass(slots=True)
class ScopeReader:
    """Reads the scope of one passage's sentences against the question's."""

    focus: Focus
    passage: Passage
    this_year: int = 0
    """The year of the day that is asked about; 0 where it is not known."""
    _codes: tuple[CodeMention, ...] = ()
    _head: str = ""
    _chunk_reason: str | None = None
    _things: tuple[Thing, ...] = ()

    def __post_init__(self) -> None:
        prepared = self.passage.prepared
        self._things = tuple(t for t in self.focus.things if t.family)
        if self._things:
            families = {t.family for t in self._things}
            self._codes = tuple(c for c in code_mentions(prepared) if c.family in families)
        self._head = _head(self.passage)

    def passage_reason(self) -> str:
        """Why the whole passage is about another thing; empty where it is not known to be."""
        if self._chunk_reason is None:
            self._chunk_reason = (
                self._code_reason() or self._sibling_reason() or self._excluded_reason() or self._head_reason()
                or ("" if self._asks_version() else version_passage(
                    self.focus, self.passage.prepared, self.passage.chunk.title.lower()))
            )
        return self._chunk_reason

    def names_thing(self) -> bool:
        """The passage names the thing asked about (a code of it where it has one, else a name)."""
        if self._things:
            return any(self._is_asked(c, t) for c in self._codes for t in self._things)
        text = self.passage.prepared.folded
        return any(t.text in text or any(a in text for a in t.aliases) for t in self.focus.things)

    def sentence_reason(self, number: int, asked_kind: str) -> str:
        """Why this one sentence is about another thing; empty where it is not known to be.

        A sentence without a subject of its own is about what the one before it is about.
        """
        own = self._own_reason(number, asked_kind)
        if own or not number or self._names_asked(number):
            return own
        return inherited_reason(
            self.passage.prepared, number, lambda i: self._own_reason(i, asked_kind) or self.subject_reason(i)
        )

    def foreign_sentences(self) -> dict[int, str]:
        """Sentences whose subject is another code or version, and those that go on from them, with the reason."""
        if not self._codes and (not self.focus.versions or self._asks_version()):
            return {}
        found: dict[int, str] = {}
        for i, text in enumerate(self.passage.prepared.folded_sentences[:_MOST_SENTENCES]):
            reason = self.subject_reason(i)
            if not reason and goes_on(text) and not self._names_asked(i):
                reason = inherited_reason(self.passage.prepared, i, self.subject_reason)
            if reason:
                found[i] = reason
        return found

    def subject_reason(self, number: int) -> str:
        """The sentence begins with another code of the family, or another version, than the one asked for."""
        prepared = self.passage.prepared
        sentence = prepared.sentences[number]
        here = self._codes_in(sentence.start, sentence.end)
        if here and here[0].start - sentence.start <= _SUBJECT_REACH and not self._names_asked(number):
            before = prepared.folded[sentence.start : here[0].start]
            if not _NO_SUBJECT.search(before) and not _ALL_MODELS.search(prepared.folded_sentences[number]):
                return f"other:{here[0].key}"
        if self._asks_version():
            return ""
        return version_subject(self.focus, prepared.folded_sentences[number])

    def _names_asked(self, number: int) -> bool:
        """The sentence speaks of the code asked for, and does not only compare something with it."""
        prepared = self.passage.prepared
        sentence = prepared.sentences[number]
        here = self._codes_in(sentence.start, sentence.end)
        asked = [c for c in here if any(self._is_asked(c, t) for t in self._things)]
        if len(asked) == len(here):
            return bool(asked)
        return any(not _COMPARED.search(prepared.folded, max(sentence.start, c.start - 6), c.start) for c in asked)

    def _asks_version(self) -> bool:
        return any(f.kind == "version" for f in self.focus.facets)

    def _own_reason(self, number: int, asked_kind: str) -> str:
        prepared = self.passage.prepared
        sentence = prepared.sentences[number]
        text = prepared.folded_sentences[number]
        here = self._codes_in(sentence.start, sentence.end)
        for thing in self._things:
            mine = tuple(c for c in here if c.family == thing.family)
            asked = any(self._is_asked(c, t) for c in mine for t in self._things)
            if mine and not asked and not self._set_apart(text, sentence.start, mine):
                return f"other:{mine[0].key}"
            if not mine:
                section = self._section_codes(number, thing)
                if section and not any(self._is_asked(c, thing) for c in section):
                    return f"other:{section[0].key}"
        return (
            self._group_reason(text)
            or self._version_reason(number, asked_kind)
            or other_year(self.focus, text, self._head, asked_kind, self.this_year)
            or other_number(self.focus, text, self._head)
            or self._row_reason(number)
            or self._parallel_reason(text, sentence.start, sentence.end)
        )

    def groups_of(self, number: int) -> dict[int, frozenset[int]]:
        """Members of exclusive groups that the sentence names, else its heading."""
        own = _groups(self.passage.prepared.folded_sentences[number])
        return {**_groups(self._head), **own}

    # ------------------------------------------------------------------ parts

    def _is_asked(self, code: CodeMention, thing: Thing) -> bool:
        if code.family != thing.family:
            return False
        if code.series and thing.key.startswith(code.key):
            return True
        if code.text.startswith(f"{thing.text}-"):
            return True
        base = thing.key.removesuffix(thing.variant) if thing.variant else thing.key
        if code.variant:
            return code.key == base and code.variant == thing.variant
        return code.key == base + thing.variant

    def _set_apart(self, text: str, offset: int, codes: tuple[CodeMention, ...]) -> bool:
        return all(_SET_APART.search(text[max(0, c.start - offset - 24) : c.start - offset]) for c in codes)

    def _code_reason(self) -> str:
        title = self.passage.chunk.title.lower()
        for thing in self._things:
            mine = [c for c in self._codes if c.family == thing.family]
            if not mine or any(self._is_asked(c, thing) for c in mine):
                continue
            if thing.text in title or _ALL_MODELS.search(self.passage.prepared.folded):
                continue
            if all(_SET_APART.search(self.passage.prepared.folded[max(0, c.start - 24) : c.start]) for c in mine):
                continue
            return f"other:{mine[0].key}"
        return ""

    def _codes_in(self, start: int, end: int) -> tuple[CodeMention, ...]:
        first = bisect_left(self._codes, start, key=lambda c: c.start)
        return self._codes[first : bisect_left(self._codes, end, key=lambda c: c.start)]

    def _section_codes(self, number: int, thing: Thing) -> tuple[CodeMention, ...]:
        """Codes of the nearest heading above the sentence that names any of the family."""
        sentences = self.passage.prepared.sentences
        for i in (*range(number - 1, max(0, number - _SECTION_REACH), -1), *((0,) if number else ())):
            s = sentences[i]
            if s.kind == "heading" or (i == 0 and s.end - s.start < 60):
                found = tuple(c for c in self._codes_in(s.start, s.end) if c.family == thing.family)
                if found:
                    return found
        return ()

    def _head_reason(self) -> str:
        head = _groups(self._head) if self.focus.groups else {}
        for group, asked in self.focus.groups.items():
            here = head.get(group)
            if here and not here & asked and not group_members(self.passage.prepared.folded).get(group, here) & asked:
                return f"scope:{_word_for(group, min(here), self.focus.lang)}"
        return ""

    def _group_reason(self, text: str) -> str:
        own = _groups(text) if self.focus.groups else {}
        for group, asked in self.focus.groups.items():
            here = own.get(group) or _groups(self._head).get(group)
            if here and not here & asked:
                return f"scope:{_word_for(group, min(here), self.focus.lang)}"
        special = _SPECIAL.search(text)
        if special and special.group() not in self.focus.folded:
            return f"scope:{special.group()}"
        part = _PART_OF_YEAR.search(text) if not _PART_OF_YEAR.search(self.focus.folded) else None
        return f"scope:{part.group()}" if part and self.focus.years else ""

    def _version_reason(self, number: int, asked_kind: str) -> str:
        asked = self.focus.versions
        if not asked or asked_kind == "version":
            return ""
        prepared = self.passage.prepared
        found = [v for v in prepared.sentence_values[number] if v.kind == "version"]
        if not found:
            found = self._section_versions(number)
        if not found or any(_compatible(a, v) for a in asked for v in found):
            return ""
        if all(v.parts and (v.parts[0] != asked[0][0] or v.parts > asked[0]) for v in found):
            return "version:" + ".".join(map(str, found[0].parts))
        return ""

    def _section_versions(self, number: int) -> list[Value]:
        prepared = self.passage.prepared
        for i in range(number - 1, max(-1, number - _SECTION_REACH), -1):
            if prepared.sentences[i].kind == "heading":
                found = [v for v in prepared.sentence_values[i] if v.kind == "version"]
                if found:
                    return found
        return []

    def _row_reason(self, number: int) -> str:
        head = other_row(self.passage.prepared, number, self.focus.folded)
        return f"other:{head}" if head else ""

    def _parallel_reason(self, text: str, start: int, end: int) -> str:
        """Another name in the place of the one asked for: 派驻甲地项目部 against 派驻乙地项目部."""
        for left, name, right in _frames_of(self.focus.folded, self.focus.names):
            if name in text or name in self._head:
                continue
            places = [p for p in (text.find(left),) if left and p >= 0]
            other = self._rare_word(start + places[0] + len(left), "start", start, end) if places else ""
            if not other and right and (p := text.find(right)) >= 0:
                other = self._rare_word(start + p, "end", start, end)
            if other and other not in self.focus.folded:
                return f"other:{other}"
        return ""

    def _rare_word(self, place: int, edge: str, start: int, end: int) -> str:
        """The name that starts or ends at ``place``: a run of words so rare that they are no common ones."""
        prepared = self.passage.prepared
        between = prepared.tokens_between(start, end)
        tokens = between if edge == "start" else between[::-1]
        name, rarest = "", 0.0
        for token in tokens:
            if (token.start if edge == "start" else token.end) != place:
                continue
            word = prepared.folded[token.start : token.end]
            rarity = informativeness(word) if token.kind == "han" else 0.0
            if rarity < _RARE_PART or len(name) + len(word) > _NAME_LENGTH:
                break
            name = name + word if edge == "start" else word + name
            rarest = max(rarest, rarity)
            place = token.end if edge == "start" else token.start
        return name if len(name) > 1 and rarest >= _RARE_WORD else ""

    def _sibling_reason(self) -> str:
        """A page that names another product of the same maker (maker and code in one) and never the one asked for."""
        if not self._things or self.names_thing():
            return ""
        folded = self.passage.prepared.folded
        for maker in (t.text for t in self.focus.things if not t.family):
            for place in _places(folded, maker):
                code = _CODE_NEXT.match(folded, place + len(maker))
                if code and is_code(code.group(1)) and code_key(code.group(1)) not in {t.key for t in self._things}:
                    return f"other:{code.group(1)}"
        return ""

    def _excluded_reason(self) -> str:
        """The page says that it is not for the thing asked about."""
        folded = self.passage.prepared.folded
        if len(folded) > _ONE_SUBJECT:
            return ""
        for thing in self.focus.things:
            for place in _places(folded, thing.text):
                before = folded[max(0, place - _NOT_FOR_REACH) : place]
                end = place + len(thing.text)
                if _NOT_FOR.search(before) or _IS_NOT_MEANT.match(folded, end):
                    return f"other:{_opening_words(self.passage)}"
        return ""


def _places(folded: str, name: str) -> list[int]:
    """The first few occurrences of a name."""
    found: list[int] = []
    place = folded.find(name)
    while place >= 0 and len(found) < _MENTIONS:
        found.append(place)
        place = folded.find(name, place + len(name))
    return found


def _opening_words(passage: Passage) -> str:
    texts = passage.prepared.sentence_texts
    return " ".join(texts[0].split())[:24] if texts else ""


@lru_cache(maxsize=_CACHE)
def _groups(text: str) -> dict[int, frozenset[int]]:
    return group_members(_LIKENED.sub(" ", text))


def _head(passage: Passage) -> str:
    """Title, headings' first and the opening sentence where it is short: what the passage is about."""
    prepared = passage.prepared
    parts = [passage.chunk.title.lower()] if passage.chunk.title else []
    if prepared.sentences:
        first = prepared.sentences[0]
        long = _HEAD_LATIN if prepared.folded_sentences[0].isascii() else _HEAD_HAN
        if first.kind == "heading" or first.end - first.start <= long:
            parts.append(prepared.folded_sentences[0][:_HEAD_LATIN])
    return "\n".join(parts)


def _compatible(asked: tuple[int, ...], value: Value) -> bool:
    short = min(len(asked), len(value.parts))
    return asked[:short] == value.parts[:short]


@lru_cache(maxsize=256)
def _frames_of(folded: str, names: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """(words before, name, words after) for each name of the question that stands where a place or unit does."""
    frames = []
    for name in names:
        place = folded.find(name)
        if place < 0 or is_code(name):
            continue
        before = _PLACE_BEFORE.search(folded[max(0, place - 4) : place])
        after = _PLACE_AFTER.match(folded, place + len(name))
        if before or after:
            frames.append((before.group(1) if before else "", name, after.group() if after else ""))
    return tuple(frames)


def _word_for(group: int, member: int, lang: str) -> str:
    """A form of the member in the question's language, where there is one."""
    forms = lexicon.SCOPE_GROUPS[group][member]
    return next((f for f in forms if f.isascii() == (lang != "zh")), forms[0])
