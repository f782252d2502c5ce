"""Pages about a sibling of what is asked for: another plan, office, edition or product of the same maker.

No list holds these names. A sibling is known by its frame: the same kind of phrase with another name in it (Harbor
plan for Grove plan), the maker's name with another word behind it, or a head that names something else on a page
that never names what is asked for. Such a page is not marked as foreign, it only has no say where a page that names
what is asked for gives a value as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ragclean.arbitration.claims import HEARSAY
from ragclean.arbitration.focus import Focus
from ragclean.arbitration.terms import code_key, is_code
from ragclean.prepare import Passage
from ragclean.text.tokens import informativeness, is_stopword

_ENGLISH_KINDS = (
    "plan|edition|tier|office|branch|team|region|campus|store|warehouse|site|annex|cabin|package|model|depot|clinic"
    "|account|membership|scheme|ward|member"
)
_CHINESE_PLACES = (
    "旗舰店|专卖店|分公司|办事处|门店|门市|分店|校区|院区|园区|厂区|分行|支行|分院|分馆|分校|运动中心|活动中心|服务中心"
    "|体育馆|图书馆|博物馆|陵园|公墓|墓园|医院|学院|大学|小区|社区|街道|驾校|机场|火车站|客运站|县|市|镇|乡"
)
_CHINESE_KINDS = f"{_CHINESE_PLACES}|套餐|车型|会员|账户|版"
_PLACES = frozenset((
    *_CHINESE_PLACES.split("|"),
    "office", "branch", "region", "campus", "store", "warehouse", "site", "annex", "depot", "clinic",
))  # fmt: skip
#: <name> plan, <name> (free) plan; in 'the Team plan' the team is the name.
_ENGLISH = re.compile(
    rf"\b([a-z][a-z0-9'-]{{2,20}})(?: \([a-z ]{{1,20}}\))? ({_ENGLISH_KINDS})\b(?! (?:{_ENGLISH_KINDS})\b)"
)
_CHINESE = re.compile(rf"([\u3400-\u9fff]{{2}})({_CHINESE_KINDS})")
#: Words that stand before such a noun and name nothing.
_NO_NAME = frozenset(re.split(" ",
    "the a an this that our your their its each every any all which what same other another new old current default"
    " paid main whole one two both per annual monthly payment data first second head local nearest online home work"
    " 最新 更新 修订 正式 网页 手机 电子 纸质 中文 英文 收藏 旧的 新的 每个 各个 所有 全部 本人 附近 就近"
    " 全国 各地 本地",
))  # fmt: skip
#: What is done with a plan or an account, not its name: 不能转套餐, 升级套餐.
_VERBS = frozenset("能转换办退改选购买订升降可会要成到为入开停销注续领")
_NUMERALS = "月年日号一二三四五六七八九十两"
_HEAD_LENGTH = 60
_HEAD_END = re.compile(r"[:。!?\n]|\. ")
_RARE = 0.9
#: Two characters make a maker's name where they are no word.
_MAKER, _UNHEARD_OF = 2, 0.99
#: ... and where nothing stands before them: 管理高血压 names no maker 理高.
_STARTS = r"(?<![\u3400-\u9fff])"
#: Opening brackets before a maker's name at the head.
_BRACKETS = "【《[(「『 "
#: <place> and what it is, at the head of a page.
_PLACE_HEAD = re.compile(r"([\u3400-\u9fff]{2,3})(?:市|县|省|镇|大学|学院|医院|银行|集团)")
#: A word behind a maker's name: up to four Chinese characters, or one Latin word.
_BEHIND = re.compile(r"[\u3400-\u9fff]{2,4}| ?[a-z][a-z0-9-]{2,20}")
_SERIES = re.compile(r"(?<![a-z0-9.])v?([0-9]{1,3})\.x(?![a-z0-9])")
_CAPITALISED = re.compile(r"(?<![.!?:] )(?<!^)\b[A-Z][a-z]{2,20}\b")
_CODE_WORD = re.compile(r"(?<![a-z0-9])[a-z]{1,4}[-_ ]?\d{1,4}[a-z]?(?![a-z0-9])")
_NOT_BEHIND = frozenset("的了在是和与及有被给买用上下这那我你他个将可需要收多怎什哪几能会不")


@dataclass(frozen=True, slots=True)
class _Frames:
    """What of the question has siblings: (name, kind) pairs, and (maker, word behind it) pairs."""

    named: tuple[tuple[str, str], ...]
    makers: tuple[tuple[str, str], ...]


def is_sibling(focus: Focus, passage: Passage, sentence: int, *, sure: bool = False) -> bool:
    """The passage, by its head or in this sentence, speaks of a sibling of what is asked for and not of it.

    ``sure``: leave out the rules that take many a part, place or person of the thing for another thing: another word
    behind the maker's name, and a name at the head that the question does not have ('from Ingrid, manager').
    """
    return SiblingReader(focus, passage, sure=sure).holds(sentence)


class SiblingReader:
    """Tells of any number of sentences of one passage whether they speak of a sibling.

    What the passage says as a whole is found out once: a long chunk offers thousands of values, and to look through
    all of it for each of them costs the square of its length.
    """

    def __init__(self, focus: Focus, passage: Passage, *, sure: bool = False) -> None:
        self._focus = focus
        self._passage = passage
        self._sure = sure
        self._frames = _frames(focus.folded, tuple(t.text for t in focus.things))
        self._head = _head(passage)
        self._known: dict[int, bool] = {}

    def holds(self, sentence: int) -> bool:
        """The passage, by its head or in this sentence, speaks of a sibling of what is asked for and not of it."""
        if sentence not in self._known:  # a sentence of a thousand characters may hold a hundred values
            self._known[sentence] = self._whole or self._in_sentence(sentence)
        return self._known[sentence]

    def _in_sentence(self, sentence: int) -> bool:
        here = f"{self._head}\n{self._passage.prepared.folded_sentences[sentence]}"
        if _another_series(self._focus, here) or _another_maker(self._frames, here):
            return True
        kinds = named_kinds(here) if self._unnamed else []
        return any(_class(k) == _class(kind) and n != name for name, kind in self._unnamed for n, k in kinds)

    def _names_of(self, kind: str) -> list[str]:
        """The names that the question gives to things of this kind."""
        return [n for n, k in self._frames.named if _class(k) == _class(kind)]

    @cached_property
    def _unnamed(self) -> tuple[tuple[str, str], ...]:
        """The names of the question, with their kind, of which the passage holds none of the same kind."""
        folded = self._passage.prepared.folded
        return tuple(
            (name, kind) for name, kind in self._frames.named
            if not any(n in folded or n in self._head for n in self._names_of(kind))
        )

    @cached_property
    def _whole(self) -> bool:
        """The passage as a whole, by its head, is about a sibling."""
        classes = {_class(k) for _, k in named_kinds(self._head)} if self._frames.named else set()
        for _, kind in self._frames.named:
            if _class(kind) in classes and not any(n in self._head for n in self._names_of(kind)):
                return True  # whatever it names further down, it is headed by another
        passage, folded = self._passage, self._passage.prepared.folded
        if _another_code(self._focus, folded, self._head):
            return True
        if passage.trust_known and passage.trust < HEARSAY:
            return False  # posts have heads of any form, and can only lose
        opening = folded.lstrip(_BRACKETS)
        for maker, word in self._frames.makers:
            if self._sure or not opening.startswith(maker) or word in self._head or word in folded:
                continue
            behind = _BEHIND.match(opening, len(maker))
            if behind and behind.group()[0] not in _NOT_BEHIND:
                return True
        return not self._sure and _headed_by_another(self._focus, passage)


def _another_code(focus: Focus, folded: str, head: str) -> bool:
    """The head names a model of the maker by its code, and no code that is asked for stands anywhere on the page."""
    asked = [t.key for t in focus.things if t.family]
    if not asked or not any(t.text in head for t in focus.things if not t.family):
        return False  # a lab's shelf or a form has a code as well: the maker must stand beside it
    key_of_page = code_key(folded)
    if any(key in key_of_page for key in asked):
        return False
    return any(is_code(m.group()) and code_key(m.group()) not in asked for m in _CODE_WORD.finditer(head))


def _another_series(focus: Focus, here: str) -> bool:
    """Versions by their series: 2.x is asked for, and the head or the sentence speaks of 1.x only."""
    asked, theirs = set(_SERIES.findall(focus.folded)), set(_SERIES.findall(here))
    return bool(asked and theirs) and not asked & theirs


def _another_maker(frames: _Frames, here: str) -> bool:
    """The head and the sentence hold the word behind the maker asked about with another maker before it."""
    for maker, word in frames.makers:
        if maker in here or len(word) < _MAKER or word not in here:
            continue
        others = (m.group(1) for m in re.finditer(rf"{_STARTS}([\u3400-\u9fff]{{{_MAKER}}}){re.escape(word)}", here))
        if any(other not in maker and informativeness(other) >= _UNHEARD_OF for other in others):
            return True
    return False


def names_asked(focus: Focus, passage: Passage) -> bool:
    """The passage names what is asked for: its name, with its kind or the word behind it if any."""
    frames = _frames(focus.folded, tuple(t.text for t in focus.things))
    head = _head(passage)
    text = passage.titled
    unnamed = not any(maker in text for maker, _ in frames.makers)
    if _another_series(focus, head) or (unnamed and _another_maker(frames, head)):
        return False
    words = [w for _, w in frames.makers] or [n for n, _ in frames.named]
    if words:
        return any(w in text for w in words)
    return any(n in text for n in [t.text for t in focus.things] or focus.names)


def named_kinds(text: str) -> list[tuple[str, str]]:
    """(name, kind) of phrases such as 'Grove plan' or 燃油版."""
    found = [(m.group(1), m.group(2)) for m in _ENGLISH.finditer(text)]
    found += [(m.group(1), m.group(2)) for m in _CHINESE.finditer(text) if _VERBS.isdisjoint(m.group(1))]
    return [(n, k) for n, k in found if n not in _NO_NAME and not is_stopword(n) and n[-1] not in _NUMERALS]


def _class(kind: str) -> str:
    """Kinds of place are one class: who asks of an office is not answered by another country's annex."""
    return "place" if kind in _PLACES else kind


@lru_cache(maxsize=256)
def _frames(folded: str, things: tuple[str, ...]) -> _Frames:
    makers = []
    for thing in things:
        place = folded.find(thing)
        if place < 0 or is_code(thing):
            continue
        behind = _BEHIND.match(folded, place + len(thing))
        word = behind.group().strip()[:2] if behind and behind.group() > "\u3400" else ""
        if word and word[0] not in _NOT_BEHIND and informativeness(word) > 0 and not is_stopword(word):
            makers.append((thing, word))
    named = named_kinds(folded)
    if any(kind in _PLACES for _, kind in named):
        named += [(t, "office") for t in things if re.search(rf"\b(?:in|at|for) (?:the )?{re.escape(t)}\b", folded)]
    named += [(t, "县") for t in things if len(t) == 2 and re.search(rf"[在去到]{re.escape(t)}", folded)]
    return _Frames(tuple(dict.fromkeys(named)), tuple(makers))


def _head(passage: Passage) -> str:
    """Title and opening words up to a colon or the end of the line."""
    opening = passage.prepared.folded[:_HEAD_LENGTH]
    end = _HEAD_END.search(opening)
    return f"{passage.chunk.title.lower()}\n{opening[: end.start()] if end else opening}"


def _headed_by_another(focus: Focus, passage: Passage) -> bool:
    """The head names somebody or some place that the question does not, and the passage never names what it does."""
    names = [w for t in focus.things for w in t.text.split()] or [n for n in focus.names if not n.isdigit()]
    prepared = passage.prepared
    if not names or any(n in prepared.folded or n in passage.chunk.title.lower() for n in names):
        return False
    opening = prepared.text[:_HEAD_LENGTH]
    end = _HEAD_END.search(opening)
    if end is None:
        return False
    head = opening[: end.start()]
    place = _PLACE_HEAD.match(head.lstrip(_BRACKETS))
    if place and place.group(1) not in focus.folded:
        return True
    others = {w.lower() for w in _CAPITALISED.findall(head)}
    return any(w not in focus.folded and informativeness(w) >= _RARE for w in others)
