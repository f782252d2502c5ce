"""What a question asks for: kinds of answer, attribute words, things named, scope."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from ragclean.text import question_words as qw
from ragclean.text.folding import fold, language
from ragclean.text.tokens import Token, informativeness, is_stopword, tokenize

AnswerKind = Literal[
    "duration", "date", "time", "money", "percent", "count", "quantity", "version", "number",
    "yes_no", "party", "action", "name", "place", "reason", "definition", "unknown",
]  # fmt: skip

#: Only so much of a query is read: no question is longer, and a pasted document must not cost more than one.
MAX_QUERY = 1000
#: Terms beyond these say little more and each costs a search of all texts.
MAX_TERMS = 32
MAX_FACETS = 6
MAX_ATTRIBUTES = 5
#: The words nearest to the question word among which the rarest is the most specific one.
_NEAREST = 3
#: A Chinese word as rare as this is not in the language's dictionary: most likely a name.
_UNKNOWN_WORD = 0.99995
#: An English word at the head of a sentence is capitalised anyway; only one as rare as this counts as a name.
_RARE_LATIN = 0.97
#: Weight of a year or a bare number: it restricts the question but hardly tells what it is about.
_NUMBER_WEIGHT = 0.6

#: Kinds that may stand in the text where another was asked for: a deadline as a span of time, a score as a count.
_ALTERNATIVES: dict[str, tuple[AnswerKind, ...]] = {
    "duration": (), "date": ("time",), "time": ("date", "duration"), "money": (), "percent": ("number",),
    "count": ("number",), "quantity": ("number",), "version": ("number",),
    "number": ("count", "quantity", "money", "percent", "duration", "version"),
}  # fmt: skip

#: A character as rare as this may be half of a name that the cutter does not know.
_RARE_CHARACTER = 0.9
_LONGEST_NAME = 6
_FUNCTION_CHARACTERS = "在想要能最多没完因把被和与的了会可再还才就也都很更已用从向给让为以及由对"
#: Words that turn one model into another: P8 and P8 Pro are two things.
_MODEL_SUFFIX = re.compile(r" ?(?:pro|plus|max|mini|ultra|lite|air|se|turbo|note|prime|neo)(?: ?(?:max|plus))?(?![a-z0-9])")
#: What a 'for a ...' phrase asks to get, not whom or what it is about.
_PURPOSES = frozenset("refund replacement claim visa repair discount exchange return while living job moment".split())

_CLAUSE_END = re.compile(r"[,，](?!\d)|[。;；?？!！\n\r]|\.(?=\s|$)")
_QUOTED = re.compile(r"[《<「『\"“]([^《》<>「」『』\"“”\n]{1,40})[》>」』\"”]")
_YEAR = re.compile(r"(?<![\d.])(1[89]\d\d|20\d\d)(?![\d.])")
_VERSION = re.compile(r"\bv ?(\d{1,4}(?:\.\d{1,5}){0,3})(?![\d.]*\d)|(?<![\d.])(\d{1,4}(?:\.\d{1,5}){1,3}) ?(?:版|version)")
_VERSION_WORD = re.compile(r"\b(?:version|release|firmware) (\d{1,4}(?:\.\d{1,5}){0,3})\b")
_MODEL_NUMBER_STOPS = frozenset("年月日号天个元块次小时分秒届季期岁周级位名人条万亿千百%％度米克升点到至~-—/.:集章岁折楼层路")
_CAPITALISED = re.compile(r"[A-Z][A-Za-z0-9'’&.-]{0,40}")
#: Generic nouns that follow a maker's or product's name in Chinese, so that what stands before them is the name.
_PRODUCT_NOUNS = re.compile(
    r"(?:科技|集团|公司|平台|商城|银行|保险|云|网关|手机|电脑|平板|手表|耳机|音箱|电视|投影仪|相机|无人机|机器人|路由器|净水器|净化器|空调|冰箱|洗衣机|电饭煲|"
    r"打印机|汽车|电动车|软件|系统|接口|开放接口|笔记|数据库|消息队列|存储|对象存储|服务器|控制器|记录仪|手写板|工程|大学|学院|医院|酒店|航空|消费贷|信用卡|医疗险)"
)


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing asked for: 'how much' of what. ``units``: value units that can answer (``("CNY",)``), empty: any."""

    kind: AnswerKind
    attributes: tuple[str, ...]
    """Folded content words of the attribute asked for (整机, 保修), most specific first."""
    units: tuple[str, ...] = ()
    alternatives: tuple[AnswerKind, ...] = ()
    """Other kinds that can answer as well (a deadline: a date or a duration)."""

    @property
    def kinds(self) -> frozenset[str]:
        """The asked kind and its alternatives."""
        return frozenset((self.kind, *self.alternatives))


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """An informative term of the query with its weight (rarity in the language, 0..1)."""

    text: str
    weight: float
    kind: Literal["word", "code", "name"]


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    folded: str
    lang: str
    facets: tuple[Facet, ...]
    """At least one; the first is the main one."""
    terms: tuple[QueryTerm, ...]
    things: tuple[str, ...]
    """Folded names and codes of the thing asked about (x200, 澜川, n-07b)."""
    years: tuple[int, ...] = ()
    versions: tuple[tuple[int, ...], ...] = ()
    qualifiers: tuple[str, ...] = ()
    """Folded scope words: region, edition, audience, customer group (免费版, 实习生, 普通员工, 赞比亚 ...)."""

    @property
    def kind(self) -> AnswerKind:
        return self.facets[0].kind


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question word found in the query."""

    start: int
    end: int
    kind: str
    units: tuple[str, ...]
    clause: int


@dataclass(frozen=True, slots=True)
class _Word:
    """A content word of the query."""

    start: int
    end: int
    text: str
    kind: Literal["word", "code", "name"]
    weight: float


def parse_question(query: str) -> Question:
    """Read a question in Chinese or English, colloquial or keyword style. Never raises on any string."""
    return _parse(query)


@lru_cache(maxsize=512)
def _parse(query: str) -> Question:
    original = query[:MAX_QUERY]
    folded = fold(original)
    lang = language(folded)
    clauses = _clauses(folded)
    asked = _question_words(folded, clauses)
    words = _content_words(original, folded, asked)
    facets = _facets(folded, lang, clauses, asked, words)
    return Question(
        text=query,
        folded=folded,
        lang=lang,
        facets=facets,
        terms=_terms(words),
        things=_things(original, folded, words),
        years=tuple(dict.fromkeys(int(y) for y in _YEAR.findall(folded))),
        versions=_versions(folded),
        qualifiers=_qualifiers(folded),
    )


# -- question words -----------------------------------------------------------------------------------------------


def _clauses(folded: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for m in _CLAUSE_END.finditer(folded):
        if folded[start : m.start()].strip():
            spans.append((start, m.start()))
        start = m.end()
    if folded[start:].strip() or not spans:
        spans.append((start, len(folded)))
    return spans


def _question_words(folded: str, clauses: Sequence[tuple[int, int]]) -> list[_Asked]:
    found: list[_Asked] = []
    for number, (start, end) in enumerate(clauses):
        here = [
            _Asked(m.start(), m.end(), *_fixed_kind(m), number) for m in qw.fixed_pattern().finditer(folded, start, end)
        ]
        taken = [(a.start, a.end) for a in here]
        here += [
            _Asked(m.start(), m.end(), "", (), number)
            for m in qw.open_pattern().finditer(folded, start, end)
            if not any(s < m.end() and m.start() < e for s, e in taken)
        ]
        here += _yes_no_heads(folded, start, end, number)
        here.sort(key=lambda a: a.start)
        found += _without_polite_frames(folded, here)
    return found[:MAX_FACETS]


def _fixed_kind(m: re.Match[str]) -> tuple[str, tuple[str, ...]]:
    kind, units, _ = qw.FIXED[int((m.lastgroup or "k0")[1:])]
    if kind == "count" and not units and m.group()[-1] > "\u4e00":
        units = (m.group()[-1],)
    return kind, units


def _yes_no_heads(folded: str, start: int, end: int, clause: int) -> list[_Asked]:
    lead = start + len(folded[start:end]) - len(folded[start:end].lstrip())
    m = qw.YES_NO_HEAD.match(folded, lead, end)
    return [_Asked(lead, m.end() - 1, "yes_no", (), clause)] if m else []


def _without_polite_frames(folded: str, asked: list[_Asked]) -> list[_Asked]:
    """'Can you tell me how long', 知道要多久吗: the yes/no is a frame around the real question."""
    others = [a for a in asked if a.kind != "yes_no"]
    if not others or len(others) == len(asked):
        return asked
    kept = []
    for a in asked:
        if a.kind == "yes_no":
            first, last = min(a.end, others[0].start), max(a.start, others[-1].end)
            between = folded[first : others[0].start] if a.start < others[0].start else folded[others[-1].end : last]
            if " and " not in between and " or " not in between and not any(c in between for c in "和与且并还"):
                continue
        kept.append(a)
    return kept


# -- content words ------------------------------------------------------------------------------------------------


def _content_words(original: str, folded: str, asked: Sequence[_Asked]) -> list[_Word]:
    tokens = [t for t in tokenize(folded) if not _inside(t, asked)]
    names = _capitalised_spans(original, folded)
    words: list[_Word] = []
    merged_to = -1
    for i, t in enumerate(tokens):
        if t.start < merged_to:
            continue
        text = folded[t.start : t.end]
        if t.kind == "number":
            if _YEAR.fullmatch(text):
                words.append(_Word(t.start, t.end, text, "code", _NUMBER_WEIGHT))
            continue
        after_number = i > 0 and tokens[i - 1].kind == "number" and tokens[i - 1].end == t.start
        if t.kind == "other" or is_stopword(text) or (after_number and len(text) == 1):
            continue
        number = tokens[i + 1] if i + 1 < len(tokens) else None
        if number is not None and _is_model_number(folded, t, number):
            merged_to = number.end
            words.append(_Word(t.start, t.end, text, "word", informativeness(text)))
            words.append(_Word(t.start, number.end, folded[t.start : number.end], "code", 1.0))
            continue
        words.append(_word(folded, t, text, names))
    return _joined_names(folded, words) + _reduplicated(folded, asked)


def _joined_names(folded: str, words: Sequence[_Word]) -> list[_Word]:
    """Put names together that the cutter broke: rare single characters before a code or at the head, unknown pairs."""
    joined: list[_Word] = []
    for w in words:
        last = joined[-1] if joined else None
        if last is None or last.end != w.start or last.text.isascii() or w.text.isascii():
            joined.append(w)
            continue
        singles = len(last.text) == len(w.text) == 1 and max(last.weight, w.weight) >= _RARE_CHARACTER
        placed = not folded[: last.start].strip() or folded[w.end : w.end + 1].isascii() and folded[w.end : w.end + 1].isalnum()
        unknown = last.kind == w.kind == "name" and len(last.text) + len(w.text) <= _LONGEST_NAME
        if (singles and placed) or unknown:
            joined[-1] = _Word(last.start, w.end, folded[last.start : w.end], "name", 1.0)
        else:
            joined.append(w)
    return joined


def _inside(token: Token, asked: Sequence[_Asked]) -> bool:
    return any(a.start < token.end and token.start < a.end for a in asked)


def _word(folded: str, t: Token, text: str, names: set[int]) -> _Word:
    if t.kind == "code":
        return _Word(t.start, t.end, text, "code", 1.0)
    weight = informativeness(text)
    unknown = t.kind == "han" and len(text) >= 2 and weight >= _UNKNOWN_WORD
    if unknown and (text[0] in _FUNCTION_CHARACTERS or text[-1] in _FUNCTION_CHARACTERS):
        return _stripped(t, text)
    return _Word(t.start, t.end, text, "name" if unknown or t.start in names else "word", weight)


def _stripped(t: Token, text: str) -> _Word:
    """修要 -> 修, 在岚岳 -> 岚岳: the cutter glues function characters to words that it does not know."""
    core = text.strip(_FUNCTION_CHARACTERS)
    if not core:
        return _Word(t.start, t.end, text, "word", 0.0)
    start = t.start + text.index(core)
    weight = informativeness(core)
    name = len(core) >= 2 and weight >= _UNKNOWN_WORD
    return _Word(start, start + len(core), core, "name" if name else "word", weight)


def _is_model_number(folded: str, word: Token, number: Token) -> bool:
    """小米13, iphone 15: a short number right behind a word and not followed by a unit or a point."""
    if number.kind != "number" or number.end - number.start > 4 or not folded[number.start : number.end].isdigit():
        return False
    gap = folded[word.end : number.start]
    after = folded[number.end : number.end + 1]
    if gap not in ("", " ") or (gap and word.kind == "han") or after in _MODEL_NUMBER_STOPS and after:
        return False
    if _YEAR.fullmatch(folded[number.start : number.end]):
        return False
    return word.end - word.start >= 2 and informativeness(folded[word.start : word.end]) > 0.5


def _capitalised_spans(original: str, folded: str) -> set[int]:
    """Starts of capitalised words that are names: not at the head of a sentence unless rare; none in title case."""
    matches = list(_CAPITALISED.finditer(original))
    lower_case_words = len(re.findall(r"(?<![A-Za-z])[a-z][a-z]{3,}", original))
    if not matches or (len(matches) > 3 and lower_case_words == 0):
        return {m.start() for m in matches if informativeness(folded[m.start() : m.end()]) >= 0.99}
    starts = set()
    for m in matches:
        word = folded[m.start() : m.end()]
        head = not original[: m.start()].strip() or original[: m.start()].rstrip()[-1:] in ".?!\n"
        if is_stopword(word) or (head and informativeness(word) < _RARE_LATIN):
            continue
        starts.add(m.start())
    return starts


def _reduplicated(folded: str, asked: Sequence[_Asked]) -> list[_Word]:
    """The verb of V不V questions is content: 支不支持 -> 支持, 收不收费 -> 收费."""
    words = []
    for a in asked:
        chars = folded[a.start : a.end]
        if a.kind == "yes_no" and len(chars) >= 3 and chars[1] == "不":
            verb = folded[a.start + 2 : a.start + 4]
            if len(verb) == 2 and not is_stopword(verb) and 0 < informativeness(verb) < _UNKNOWN_WORD:
                words.append(_Word(a.start + 2, a.start + 4, verb, "word", informativeness(verb)))
    return words


def _terms(words: Sequence[_Word]) -> tuple[QueryTerm, ...]:
    terms: dict[str, QueryTerm] = {}
    for w in sorted(words, key=lambda w: w.start):
        if w.text not in terms and w.weight > 0:
            terms[w.text] = QueryTerm(w.text, w.weight, w.kind)
    ranked = sorted(terms.values(), key=lambda t: -t.weight)[:MAX_TERMS]
    kept = {t.text for t in ranked}
    return tuple(t for t in terms.values() if t.text in kept)


# -- facets -------------------------------------------------------------------------------------------------------


def _facets(
    folded: str, lang: str, clauses: Sequence[tuple[int, int]], asked: Sequence[_Asked], words: Sequence[_Word]
) -> tuple[Facet, ...]:
    if not asked:
        return (_keyword_facet(words),)
    facets: list[Facet] = []
    for i, a in enumerate(asked):
        clause = clauses[a.clause]
        low = asked[i - 1].end if i and asked[i - 1].clause == a.clause else clause[0]
        high = asked[i + 1].start if i + 1 < len(asked) and asked[i + 1].clause == a.clause else clause[1]
        near = _near(folded, a, low, high, words)
        if not near and i == 0:
            near = _near(folded, a, 0, len(folded), words)
        kind, units = (a.kind, a.units) if a.kind else _settle(folded, a, near, lang)
        kind, units = _refine_kind(kind, units, folded[a.start : a.end], near)
        attributes = _attributes(near) or (facets[-1].attributes if facets else ())
        facet = Facet(cast(AnswerKind, kind), attributes, units, _alternatives(kind, folded[a.start : a.end], near))
        if facet not in facets:
            facets.append(facet)
    return tuple(facets)


def _near(folded: str, a: _Asked, low: int, high: int, words: Sequence[_Word]) -> list[_Word]:
    """Content words of the question word's own stretch, nearest first; in English what follows it comes first."""
    before = [w for w in words if low <= w.start and w.end <= a.start]
    after = [w for w in words if a.end <= w.start and w.end <= high]
    before.sort(key=lambda w: -w.end)
    after.sort(key=lambda w: w.start)
    if folded[a.start : a.end].isascii():
        return after + before
    direct, reach = [], a.end
    for w in after:
        if w.start > reach + 1:
            break
        direct.append(w)
        reach = w.end
    return direct + before + [w for w in after if w not in direct]


def _settle(folded: str, a: _Asked, near: Sequence[_Word], lang: str) -> tuple[str, tuple[str, ...]]:
    """The kind of an open question word by the noun that stands nearest."""
    word = folded[a.start : a.end]
    hints = [h for h in (qw.hint_of(w.text) for w in near[:MAX_ATTRIBUTES]) if h is not None]
    if hints:
        # A limit is of something (a fee limit, 大小上限), and 时间 may be a span as well as a date: look one noun on.
        vague = hints[0][0] == "number" or (hints[0][0] == "date" and word in ("多少", "是多少"))
        return next((h for h in hints if h[0] not in ("number", "date", "name")), hints[0]) if vague else hints[0]
    if word == "how much":
        return "money", ()
    if word in ("多少", "几"):
        return "number", ()
    if word.startswith("哪") or word == "which":
        return "name", ()
    short = len(near) <= 3 and (word in ("是什么", "是啥") or folded[a.end : a.end + 4] in (" is ", " are"))
    return ("definition", ()) if short else ("unknown", ())


def _refine_kind(
    kind: str, units: tuple[str, ...], word: str, near: Sequence[_Word]
) -> tuple[str, tuple[str, ...]]:
    """Data sizes for 文件多大, a place or a name where the question word alone says too little."""
    if kind == "quantity" and not units and any(w.text in _DATA_NOUNS for w in near[:_NEAREST]):
        return kind, ("B",)
    return kind, units


_DATA_NOUNS = frozenset("文件 附件 内存 带宽 存储 磁盘 流量 缓存 上传 file files upload memory disk storage attachment payload".split())
_SPAN_NOUNS = frozenset("时间 time period".split())
_LIMIT_NOUNS = frozenset("上限 下限 限额 额度 limit limits cap quota".split())
_DEADLINE_NOUNS = frozenset("截止 截止日 截止日期 最晚 最迟 之前 deadline latest cutoff expire expires expiry".split())


def _alternatives(kind: str, word: str, near: Sequence[_Word]) -> tuple[AnswerKind, ...]:
    if word == "how much" and kind == "money":
        return ("percent", "quantity", "count", "number")
    if kind == "date" and any(w.text in _DEADLINE_NOUNS for w in near):
        return ("duration", "time")
    if kind == "date" and word == "when":
        return ("time", "duration")
    if kind == "date" and not any(c in word for c in "时日天年月号") and any(w.text in _SPAN_NOUNS for w in near):
        return ("time", "duration")
    if kind not in ("number", "version") and any(w.text in _LIMIT_NOUNS for w in near):
        return _ALTERNATIVES["number"]
    return _ALTERNATIVES.get(kind, ())


def _attributes(near: Sequence[_Word]) -> tuple[str, ...]:
    plain = [w for w in near if w.kind != "code"]
    first = sorted(plain[:_NEAREST], key=lambda w: -w.weight)
    return tuple(dict.fromkeys(w.text for w in (*first, *plain[_NEAREST:])))[:MAX_ATTRIBUTES]


def _keyword_facet(words: Sequence[_Word]) -> Facet:
    """Keyword style: the last word that asks for a kind decides (X200 保修, Super Bowl 2021 location)."""
    ordered = sorted(words, key=lambda w: -w.start)
    for w in ordered:
        hint = qw.hint_of(w.text)
        if hint is not None:
            rest = [x for x in ordered if x is not w]
            return Facet(cast(AnswerKind, hint[0]), _attributes([w, *rest]), hint[1], _alternatives(hint[0], "", [w]))
    return Facet("unknown", _attributes(ordered))


# -- things, versions, scope --------------------------------------------------------------------------------------


def _things(original: str, folded: str, words: Sequence[_Word]) -> tuple[str, ...]:
    things: dict[str, None] = {}
    ordered = sorted(words, key=lambda w: (w.start, -w.end))
    for m in _QUOTED.finditer(folded):
        things[m.group(1).strip()] = None
    run: list[_Word] = []
    for w in (*ordered, _Word(len(folded) + 9, len(folded) + 9, "", "word", 0.0)):
        latin_name = w.kind == "name" and w.text.isascii() and not _MODEL_SUFFIX.fullmatch(w.text)
        if run and not (latin_name and folded[run[-1].end : w.start] in (" ", "-", "'", "")):
            things[folded[run[0].start : run[-1].end]] = None
            run = []
        if latin_name:
            run.append(w)
        elif w.kind == "code" and not _YEAR.fullmatch(w.text) and not _VERSION.fullmatch(w.text):
            suffix = _MODEL_SUFFIX.match(folded, w.end)
            things[w.text + (suffix.group() if suffix else "")] = None
        elif w.kind == "name" and _stands_as_name(folded, w, ordered):
            things[w.text] = None
    for word in _heads_before_product(folded, ordered):
        things.setdefault(word, None)
    return tuple(t for t in things if t)[:8]


def _stands_as_name(folded: str, w: _Word, words: Sequence[_Word]) -> bool:
    """An unknown Chinese word is a thing where names stand: at the head, before a code or before a product noun."""
    if sum(x.start < w.start for x in words) < 2:
        return True
    after = folded[w.end : w.end + 1]
    return (after.isascii() and after.isalnum()) or _PRODUCT_NOUNS.match(folded, w.end) is not None


def _heads_before_product(folded: str, words: Sequence[_Word]) -> list[str]:
    """A dictionary word used as a name: the first word of the query when a product noun follows it directly."""
    if not words or words[0].text.isascii() or words[0].kind != "word":
        return []
    first = words[0]
    if folded[: first.start].strip() or not 2 <= len(first.text) <= 4 or _PRODUCT_NOUNS.fullmatch(first.text):
        return []
    return [first.text] if _PRODUCT_NOUNS.match(folded, first.end) else []


def _versions(folded: str) -> tuple[tuple[int, ...], ...]:
    found: dict[tuple[int, ...], None] = {}
    for pattern in (_VERSION, _VERSION_WORD):
        for m in pattern.finditer(folded):
            parts = [int(p) for p in next(g for g in m.groups() if g).split(".")]
            while len(parts) > 1 and parts[-1] == 0:
                parts.pop()
            found[tuple(parts)] = None
    return tuple(found)


def _qualifiers(folded: str) -> tuple[str, ...]:
    found = [m.group() for m in qw.QUALIFIER.finditer(folded)]
    for m in qw.QUALIFIER_PHRASE.finditer(folded):
        words = m.group(1).split()
        stop = next((i for i, w in enumerate(words) if is_stopword(w)), len(words))
        found += [" ".join(words[:stop])] if stop and words[0] not in _PURPOSES else []
    found += [m.group() for m in qw.REGION.finditer(folded)]
    return tuple(dict.fromkeys(q for q in found if q and not is_stopword(q)))[:8]
