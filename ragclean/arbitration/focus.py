"""What the question lets conflict: the kinds of value, the words of the attribute with their neighbours, the scope."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from ragclean.arbitration import lexicon
from ragclean.arbitration.names.quest import NameQuest, other_quest, quest_of
from ragclean.arbitration.stances.proposition import Proposition, proposition_of
from ragclean.arbitration.terms import FocusTerm, Thing, named_by_alias, terms_of, thing_of
from ragclean.arbitration.tiers import sizes_asked
from ragclean.text import question_words as qw
from ragclean.text.folding import fold
from ragclean.text.question import Facet, Question
from ragclean.text.question_kinds import offered_value
from ragclean.text.values import Value, canonical, find_values

#: Kinds whose values can be compared. Yes and no, payers, alternatives and advice are read as stances.
VALUE_KINDS = frozenset(("duration", "date", "time", "money", "percent", "count", "quantity", "version", "number"))
#: A word as rare as this is in no dictionary: a name.
_UNKNOWN_WORD = 0.99995
#: A word that another part of the question asks about hardly counts for this part.
_OTHER_FACET = 0.3
_CACHE = 256
#: Words after the question word that say what is asked, up to a preposition; one before it (two where one is short).
_CORE_AFTER = 3
_PREPOSITION = re.compile(r" (?:on|of|for|in|from|at|with|under|when|if|before|after|per) ")
#: Nouns that only say what kind of value is asked for.
_KIND_NOUNS = frozenset((
    "时间", "大小", "数量", "金额", "时长", "期限", "次数", "日期", "数", "值", "标准", "单个", "可以", "需要",
    "上限",
    "下限", "限制", "限额", "额度", "交", "付", "花", "收", "拿", "给", "算",
    "最多", "最少", "最低", "最高", "最大", "最小", "最晚",
    "limit", "maximum", "minimum", "time", "size", "number", "amount", "value", "length", "date", "much",
    "many", "get", "have", "need", "take",
    "must",
))  # fmt: skip
#: What a value is reckoned by: 每月, 一个月, 每次.
_PER_UNIT = re.compile(r"每.{0,4}|[一二两三四五六七八九十半几\d]{1,3}个?[天日月年周次晚台张件人]|per \w{1,10}")
_FROM_WHEN = re.compile(r"(?:以|之)?后|之?内|时(?!间|长|限)")
_ASKS_CONDITION = re.compile(
    r"(?:满|超过|达到|做|用|消费|工作|连着|连续)[^,。?]{0,4}?(?:多少|几|多久)|(?:多少|几|多久)[^,。?]{0,6}(?:就|才)"
    r"|how (?:many|much|long)[^,.?]{0,40} before"
)
_ASKS_ADVANCE = re.compile(r"提前|提早|早|之前|以前|前多|预先|advance|ahead|notice|before|early|beforehand|prior")
#: Before a value that is the asker's own case.
_GIVEN_BEFORE = re.compile(r"(?:用了|用|干了|工作|入职|买了|交了|住了|已经|满|after|for|since|over|aged|used) ?$")
#: Begins a question of whether to do a thing.
_SHOULD = re.compile(r"(?:should|shall|must) ")
#: What the question says it does not mean: 普通版,不是行业版.
_SET_ASIDE = re.compile(
    r"(?:不是|并非|而非|除了|除去)[^,。?!;]{1,8}|\b(?:not|except)(?: the| a| an)? [a-z-]{2,20}(?: [a-z-]{2,20})?"
)
#: Kinds of question that a word answers which no rule can tell (a colour, a part, a database).
_WORDED = frozenset(("unknown", "definition", "name", "place"))
#: The kind that a conflict is told under.
_STANCE_KINDS = {"yes_no": "yes_no", "party": "party", "choice": "action", "advice": "action"}
#: What was, or how it differs from what is: the latest page alone does not answer that, and no earlier one is beaten.
_ASKS_EARLIER = re.compile(
    r"旧(?:版|规|制|条款|政策|标准|办法|价)|上一版|老版?(?:条款|规定|政策|办法|标准)|(?:修订|调整|修改|变更|涨价|改版|改革)(?:之|以)?前(?!提)"
    r"|(?:什么|哪些|啥|何)(?:变化|改动|调整|不同)|变了(?:什么|哪些|啥|多少)|改了(?:什么|哪些|啥)"
    r"|(?<![年月日])(?:以前|原来|从前)(?:是|的|要|收|规定)"
    r"|\b(?:previous|former|earlier|prior|old) (?:rules?|terms|editions?|polic(?:y|ies)|rates?|prices?|fees?"
    r"|limits?|tariffs?)\b"
    r"|\bbefore the (?:change|update|revision|increase|renovation|reform)|\bwhat(?:'s| has| have)? changed\b"
    r"|\bchanges? (?:in|to|between) the\b|\bused to (?:be|cost|have|pay)\b"
)
_LAST_YEAR = re.compile(r"[去前]年|\blast year\b|\byear before\b")


@dataclass(frozen=True, slots=True)
class FacetFocus:
    """One thing asked for, ready to be looked for in texts."""

    kind: str
    kinds: frozenset[str]
    units: tuple[str, ...]
    terms: tuple[FocusTerm, ...]
    core: tuple[FocusTerm, ...]
    """The words beside the question word (多久上门 -> 上门); who disputes a claim must speak of one of them."""
    subject: tuple[FocusTerm, ...]
    """The other words: what the value is of."""
    key_subjects: tuple[FocusTerm, ...]
    """Names of the thing asked about, else the rarest word of the subject: who never names it may mean another."""
    slot: str
    slot_text: str
    """The folded question, for what only its wording tells."""
    asks_tolerance: bool
    """An accuracy is asked for: only a value with a plus-minus sign is one."""
    asks_condition: bool
    """The amount is asked for from which something holds: how many orders until it is free."""
    asks_advance: bool
    """A time before something is asked for: how long in advance, how much notice."""
    given: tuple[Value, ...]
    """Values that the question states as the asker's case (after three years, 用了230吨): they answer nothing."""
    sizes: tuple[Value, ...]
    """Sizes, amounts and times of day of the asker's case, which tell one tier of a table from another."""
    asks_year: bool
    """A year alone answers: the question does not name one itself."""
    asks_validity: bool
    """The date asked for is that of a rule itself: when it came into force, was published, ends."""
    changes: bool
    """False for facts that do not change (a birth, a winner): age says nothing there."""
    proposition: Proposition | None = None
    """What pages take a side on, where a stance is asked for and no value."""
    key_names: tuple[FocusTerm, ...] = ()
    """The names of the thing asked about."""
    named: NameQuest | None = None
    """The name that is asked for, where no value and no stance is."""

    @property
    def is_yes_no(self) -> bool:
        """A stance (yes or no, a payer, one of two, advice) or a name is asked for: its claims hold no value."""
        return self.proposition is not None or self.named is not None


@dataclass(frozen=True, slots=True)
class Focus:
    """All that the question says about what may be held against each other."""

    lang: str
    folded: str
    facets: tuple[FacetFocus, ...]
    things: tuple[Thing, ...]
    years: tuple[int, ...]
    versions: tuple[tuple[int, ...], ...]
    groups: Mapping[int, frozenset[int]]
    """Members of each exclusive scope group that the question names."""
    qualifiers: tuple[str, ...]
    asks_now: bool
    asks_earlier: bool
    """What was, or what changed, is asked: previous rules, 旧版条款."""
    of_last_year: bool
    """A year is meant that is told by today's."""
    stated: frozenset[str]
    """Normalised values that the question states and does not offer to choose from: its own case."""
    names: tuple[str, ...]
    """Names and words in no dictionary: what stands in their place elsewhere is another thing."""

    @property
    def empty(self) -> bool:
        return not self.facets


def focus_of(question: Question, aliases: Mapping[str, str]) -> Focus:
    """What can conflict for this question; empty where no value or yes/no is asked for."""
    return _focus(question, tuple(sorted((fold(a), fold(b)) for a, b in aliases.items())))


@lru_cache(maxsize=_CACHE)
def _focus(question: Question, aliases: tuple[tuple[str, str], ...]) -> Focus:
    folded = question.folded
    known = named_by_alias(folded, aliases)
    named_things = tuple(t for t in question.things if len(t) > 1 and not any(t in name for name in known))
    things = tuple(thing_of(t, folded, aliases) for t in (*known, *named_things))
    facets = (*(f for f in (_facet(facet, question, things) for facet in question.facets) if f.kinds),
              *_stances(question, things))
    if _SHOULD.match(folded) and facets and facets[-1].proposition is not None:
        facets = facets[-1:]  # a 'when' behind it asks for no day
    named = _names(question, things, aliases)
    if not facets or (named and named[0].kind == "number"):
        facets = named
    return Focus(
        lang=question.lang,
        folded=folded,
        facets=facets,
        things=things,
        years=question.years,
        versions=question.versions,
        groups=group_members(_SET_ASIDE.sub(" ", folded)),
        qualifiers=question.qualifiers,
        stated=frozenset() if offered_value(folded, 0, len(folded)) else frozenset(map(canonical, find_values(folded))),
        asks_now=any(w in folded for w in lexicon.NOW_WORDS),
        asks_earlier=_ASKS_EARLIER.search(folded) is not None,
        of_last_year=_LAST_YEAR.search(folded) is not None,
        names=tuple(dict.fromkeys(
            (*(t.text for t in things), *(t.text for t in question.terms if t.weight >= _UNKNOWN_WORD))
        )),
    )


def _facet(facet: Facet, question: Question, things: tuple[Thing, ...]) -> FacetFocus:
    own = facet.attributes
    others = {a for f in question.facets if f is not facet for a in f.attributes} - set(own)
    terms = tuple(
        replace(t, weight=t.weight * _OTHER_FACET) if t.text in others else t for t in terms_of(question, own, things)
    )
    folded = question.folded
    core = _core(facet, terms, folded, frozenset((*(t.text for t in things), *others)))
    subject = tuple(t for t in terms if t not in core and t.text not in _KIND_NOUNS)
    slot = ("" if question.lang == "zh" else " ").join(_in_question_order(own, folded)[:4]) or "".join(
        t.text for t in terms[:2]
    )
    return FacetFocus(
        kind=facet.kind,
        kinds=_kinds(facet),
        units=facet.units,
        terms=terms,
        core=core,
        subject=subject,
        key_subjects=_key_subjects(subject, frozenset(t.text for t in things)),
        slot=slot,
        slot_text=folded,
        asks_tolerance=facet.kind in ("quantity", "percent") and any(w in folded for w in lexicon.TOLERANCE_WORDS),
        asks_condition=bool(_ASKS_CONDITION.search(folded)),
        asks_advance=bool(_ASKS_ADVANCE.search(folded)),
        given=_given(folded),
        sizes=sizes_asked(folded),
        asks_year=not question.years,
        asks_validity=any(w in folded for w in lexicon.VALIDITY_WORDS),
        changes=not any(w in folded for w in lexicon.EVENT_WORDS),
    )


def _stances(question: Question, things: tuple[Thing, ...]) -> tuple[FacetFocus, ...]:
    """One facet for what the question puts forward, whatever its question words."""
    proposition = proposition_of(question.folded, tuple(f.kind for f in question.facets))
    if proposition is None or (proposition.kind in ("yes_no", "choice") and offered_value(question.folded, 0, len(
        question.folded
    ))):
        return ()  # of values that are offered to choose from, the value is asked for
    own = next((f for f in question.facets if f.kind in ("yes_no", "party", "action", "unknown")), question.facets[0])
    names = frozenset(t.text for t in things)
    facet = replace(_facet(own, question, things), kind=_STANCE_KINDS[proposition.kind], kinds=frozenset())
    return (replace(facet, proposition=proposition, key_names=tuple(t for t in facet.terms if t.text in names)),)


def _names(
    question: Question, things: tuple[Thing, ...], aliases: tuple[tuple[str, str], ...]
) -> tuple[FacetFocus, ...]:
    """One facet where the question asks for a name, a place, an identifier or another word."""
    if len(question.facets) != 1:
        return ()
    own = question.facets[0]
    quest = quest_of(question.folded, question.lang, own.kind, aliases)
    if quest is not None and own.kind == "number" and not quest.is_address:
        return ()  # a register, a port: its value is a number
    if own.kind == "definition":
        quest = None  # what a thing is can be said in many ways
    if quest is None and own.kind in _WORDED:
        quest = other_quest(question.folded, question.lang)
    return (replace(_facet(own, question, things), named=quest),) if quest else ()


def _given(folded: str) -> tuple[Value, ...]:
    return tuple(
        v for v in find_values(folded)
        if v.kind != "number" and (_GIVEN_BEFORE.search(folded, max(0, v.start - 12), v.start) or v.kind == "date")
    )


def _kinds(facet: Facet) -> frozenset[str]:
    """Kinds of value that can answer; 'how much' of something unnamed is hardly ever a span of time."""
    if facet.kind == "yes_no":
        return frozenset()
    kinds = frozenset(facet.kinds) & VALUE_KINDS
    return kinds - {"duration", "version"} if facet.kind == "number" else kinds


def _core(
    facet: Facet, terms: tuple[FocusTerm, ...], folded: str, names: frozenset[str]
) -> tuple[FocusTerm, ...]:
    """The content words next to the question word, in its clause: what the value must be the value of.

    A word before it that names the point of time from which is counted (报修后多久) is not one of them.
    """
    best: tuple[FocusTerm, ...] = ()
    telling = tuple(
        t for t in terms if t.text not in _KIND_NOUNS and t.text not in names and not _PER_UNIT.fullmatch(t.text)
    )
    for m in (*qw.fixed_pattern().finditer(folded), *qw.open_pattern().finditer(folded)):
        left, right = _clause_around(folded, m.start(), m.end())
        cut = _PREPOSITION.search(folded, m.end(), right)
        after = sorted(
            ((p, t) for t in telling if (p := folded.find(t.text, m.end(), cut.start() if cut else right)) >= 0),
            key=lambda found: found[0],
        )
        before = sorted(
            ((p + len(t.text), t) for t in telling if (p := folded.rfind(t.text, left, m.start())) >= 0),
            key=lambda found: -found[0],
        )
        chosen = [t for _, t in after[:_CORE_AFTER]]
        one_char = bool(before) and len(before[0][1].text) == 1
        chosen += [t for end, t in before[: 2 if one_char else 1] if not _FROM_WHEN.match(folded, end)]
        shared = sum(t.attribute for t in chosen)
        if shared > sum(t.attribute for t in best):
            best = tuple(chosen)
    return best or tuple(t for t in terms if t.attribute)[:_CORE_AFTER]


def _key_subjects(subject: tuple[FocusTerm, ...], names: frozenset[str]) -> tuple[FocusTerm, ...]:
    named = tuple(t for t in subject if t.text in names)
    return named or tuple(sorted(subject, key=lambda t: -t.weight)[:1])


def _clause_around(folded: str, start: int, end: int) -> tuple[int, int]:
    left = max((folded.rfind(mark, 0, start) for mark in ",;。.\n"), default=-1) + 1
    right = min((p for mark in ",;。?\n" if (p := folded.find(mark, end)) >= 0), default=len(folded))
    return left, right


def _in_question_order(words: tuple[str, ...], folded: str) -> list[str]:
    """The words that the question itself holds; a neighbour in another language names no slot of it."""
    return sorted(dict.fromkeys(w for w in words if w in folded), key=lambda w: folded.find(w))


def group_members(folded: str) -> dict[int, frozenset[int]]:
    """Which members of the exclusive scope groups a text names."""
    found: dict[int, frozenset[int]] = {}
    for number, (pattern, member_of) in enumerate(_group_patterns()):
        # Most texts name no member: looking for each form as it stands is five times quicker than the pattern.
        if not any(map(folded.__contains__, member_of)):
            continue
        hits = {member_of[m.group()] for m in pattern.finditer(folded)}
        if hits:
            found[number] = frozenset(hits)
    return found


@lru_cache(maxsize=1)
def _group_patterns() -> tuple[tuple[re.Pattern[str], dict[str, int]], ...]:
    patterns = []
    for group in lexicon.SCOPE_GROUPS:
        member_of = {form: i for i, member in enumerate(group) for form in member}
        ordered = sorted(member_of, key=len, reverse=True)
        parts = [rf"\b{re.escape(f)}\b" if f.isascii() else re.escape(f) for f in ordered]
        patterns.append((re.compile("|".join(parts)), member_of))
    return tuple(patterns)
