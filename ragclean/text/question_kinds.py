# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""The kind of answer that a question word and the nouns beside it ask for, and the kinds that can stand for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from ragclean.text import question_words as qw
from ragclean.text.question_content import ContentWord
from ragclean.text.tokens import is_stopword
from ragclean.text.units import LATIN_UNIT_AT, latin_unit
from ragclean.text.values import find_values

AnswerKind = Literal[
    "duration", "date", "time", "money", "percent", "count", "quantity", "version", "number",
    "yes_no", "party", "action", "name", "place", "reason", "definition", "unknown",
]  # fmt: skip

#: Kinds that may stand in the text where another was asked for: a deadline as a span of time, a score as a count.
_ALTERNATIVES: dict[str, tuple[AnswerKind, ...]] = {
    "duration": (), "date": ("time",), "time": ("date", "duration"), "money": (), "percent": ("number",),
    "count": ("number",), "quantity": ("number",), "version": ("number",),
    "number": ("count", "quantity", "money", "percent", "duration", "version"),
}  # fmt: skip

#: The words nearest to the question word that settle its kind, and the wider ones looked at for a hint.
NEAREST = 3
_HINTING = 5
#: Characters after 'how many' within which the noun counted stands.
_COUNTED_REACH = 48
#: Kinds that a noun beside 'the most' or 'the maximum' settles.
VALUE_HINTS = qw.word_set("duration money percent count quantity")
#: Nouns counted without a classifier.
_COUNTABLE = qw.word_set(
    "学分 积分 名额 车位 席位 议席 床位 座位 用户 人 员工 学生 设备 文件 字段 字符 行 列 节点 分片 副本 线程 连接 请求 令牌 步数 选手 国家 城市 单词 汉字 股东 店铺 门店 门课 单曲"
)
#: Things whose 'how long' is a length.
_LONG_NOUNS = qw.word_set(
    "cable cord hose rope bridge river tunnel wall fence trail pool blade strap leash pipe ladder bed table desk wire antenna "
    "绳 绳子 线缆 电缆 数据线 电源线 桥 隧道 河 管子 软管 床 桌子"
)
#: What is called or sent so and so fast: a rate, written as a count per time.
_CALLS = qw.word_set("api call requests request query")
#: What 'how much' measures instead of a price, with the units of it.
_AMOUNTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("data", "memory", "storage", "ram", "space", "disk", "bandwidth"), ("B",)),
    **dict.fromkeys(("weight", "luggage", "baggage", "load"), ("kg",)),
    **dict.fromkeys(("water", "fuel", "petrol", "oil", "milk"), ("l",)),
    **dict.fromkeys(("power", "electricity", "energy", "current", "pressure", "space", "room"), ()),
}
_PLURALS = qw.word_set("people children staff guests men women feet teeth")
_DATA_NOUNS = qw.word_set(
    "文件 附件 内存 带宽 存储 磁盘 流量 缓存 上传 file files upload memory disk storage attachment payload"
)
_VAGUE_HOW = frozenset(("how high", "how low", "how fast", "how big", "how large", "how small", "how strong"))
_TOLERANCES = qw.word_set("误差 偏差 精度 tolerance accuracy error")
_CHANGES = qw.word_set("涨 降 上涨 下降 上调 下调 涨价 降价 增加 减少 提高 上浮 下浮 打折 优惠 减免 increase decrease rise raise raised")
#: A rate is a percentage, a price per something or a number per time; a level is a share or an amount.
_RATES = qw.word_set("rate rates 率 速率")
_LEVELS = qw.word_set("电量 剩余电量 进度 完成度")
_FREQUENCY_NOUNS = qw.word_set("频率 频次")
_WHAT_ONE_GETS = re.compile(r" (?:do|does|will|can|did|would) (?:i|we|you|they|one) (?:get|pay|earn|receive|owe)\b")
#: Between two values that a question offers, and before one that it wants confirmed.
_OR = re.compile(r"还是|或者?|\bor\b")
_STILL = re.compile(r"\bstill(?: at| only)?(?: the)? ?$|(?:还是|仍是|仍为|依然是|是不是(?:还是)?) ?$")
_OR_NEWER = re.compile(r" ?(?:还是|或者?|or) ?(?:更高|更新|以上|更低|higher|newer|later|above|lower)")
_OFFER_ENDS = re.compile(r"[^a-z0-9\u3400-\u9fff]{0,3}(?:now|instead|first|only|呢|啊|呀|吗|的|内|以内|左右)?[^a-z0-9\u3400-\u9fff]{0,3}(?:$|[?.;,])")
_OR_REACH = 24
_IS_THE = re.compile(r"(?:'s| is| are| was|s) the ")
_SPAN_NOUNS = qw.word_set("时间 time period")
_LIMIT_NOUNS = qw.word_set("上限 下限 限额 额度 limit limits cap quota")
_DEADLINE_NOUNS = qw.word_set("截止 截止日 截止日期 最晚 最迟 之前 deadline latest cutoff expire expires expiry")


def settle(folded: str, start: int, end: int, near: Sequence[ContentWord]) -> tuple[str, tuple[str, ...]]:
    """The kind of an open question word by the noun that stands nearest."""
    word = "what" if folded[start:end] == "whats" else folded[start:end]
    nouns = [w for w in near[:_HINTING] if not (w.kind == "name" and w.text.isascii())]
    if word in ("what", "which") and near and near[0].start == end + 1 and len(near[0].text) > 1:
        nouns = [w for w in _noun_group(near) if w in nouns]
    elif word == "what" and _IS_THE.match(folded, end):
        # Of an English noun group the last noun is the head: the fifth year renewal fee is a fee.
        following = sorted((w for w in near if w.start > end), key=lambda w: w.start)
        group = _noun_group(following) if following else []
        nouns = [w for w in reversed(group) if w in nouns] + [w for w in nouns if w not in group]
    hints = [h for h in (qw.hint_of(w.text) for w in nouns) if h is not None]
    if word in ("多少", "几", "是多少"):
        hints = [h for h in hints if h[0] not in ("name", "place", "reason", "action", "definition")]
        counted = next((w for w in near if w.start == end), None)
        if counted is not None and counted.text in _COUNTABLE:
            return "count", (counted.text,)
        if counted is not None:
            compound = next((w for w in near if w.start == counted.end), None)
            hint = qw.hint_of(counted.text) or (qw.hint_of(compound.text) if compound is not None else None)
            if hint is not None and hint[0] in VALUE_HINTS:
                return hint
        if (not hints or hints[0][0] == "number") and (
            folded[start - 1 : start] in qw.MONEY_BEFORE or qw.asks_money(folded, tuple(w.text for w in near))
        ):
            return "money", ()
    if hints:
        # A limit is of something (a fee limit, 大小上限), and 时间 may be a span as well as a date: look one noun on.
        vague = hints[0][0] == "number" or (hints[0][0] == "date" and word in ("多少", "是多少"))
        return next((h for h in hints if h[0] not in ("number", "date", "name")), hints[0]) if vague else hints[0]
    if word == "what" and _WHAT_ONE_GETS.match(folded, end):
        return "money", ()
    if word == "how much":
        amount = _AMOUNTS.get(near[0].text) if near and near[0].start == end + 1 else None
        return ("quantity", amount) if amount is not None else ("money", ())
    if word in ("多少", "几", "是多少"):
        return "number", ()
    if word.startswith("哪") or word == "which":
        return "name", ()
    short = len(near) <= 3 and (word in ("是什么", "是啥") or folded[end : end + 4] in (" is ", " are"))
    return ("definition", ()) if short else ("unknown", ())


def offered_value(folded: str, start: int, end: int) -> tuple[str, tuple[str, ...]] | None:
    """The kind of the values that a question offers to choose from or to confirm: 8080 or 9090, is it still 30 days."""
    values = [v for v in find_values(folded) if start <= v.start < end]
    for a, b in pairwise(values):
        joined = _OR.search(folded, a.end, b.start)
        if not _OFFER_ENDS.match(folded, b.end):
            continue  # iPhone 14 or 15 battery life: two things
        if joined and b.start - a.end <= _OR_REACH and (a.kind == b.kind or "number" in (a.kind, b.kind)):
            return (a if a.kind != "number" else b).kind, ()
    if any(v.kind == "version" and _OR_NEWER.match(folded, v.end) for v in values):
        return "version", ()
    confirmed = next((v for v in values if _STILL.search(folded, max(start, v.start - _OR_REACH), v.start)), None)
    return (confirmed.kind, ()) if confirmed is not None and confirmed.kind != "date" else None


def unit_named(word: str) -> tuple[str, tuple[str, ...]] | None:
    """The kind and base unit of a unit's name: litres, MB."""
    found = LATIN_UNIT_AT.match(word)
    unit = latin_unit(found.group(1)) if found and found.end() == len(word) else None
    return (unit.kind, (unit.base,) if unit.kind == "quantity" else ()) if unit else None


def _noun_group(near: Sequence[ContentWord]) -> list[ContentWord]:
    """The words that follow 'what' or 'which' without a function word between: 'which vet fee limit applies'."""
    group = [near[0]]
    for w in near[1:]:
        if w.start != group[-1].end + 1:
            break
        group.append(w)
    return group


def refined(
    folded: str, start: int, end: int, kind: str, units: tuple[str, ...], near: Sequence[ContentWord]
) -> tuple[str, tuple[str, ...]]:
    """Where the question word says too little: 文件多大, the most I can claim, how long is the rope."""
    word = folded[start:end]
    texts = tuple(w.text for w in near)
    if kind == "quantity" and not units and any(t in _DATA_NOUNS for t in texts[:NEAREST]):
        return kind, ("B",)
    if kind == "quantity" and not units:
        measured = (qw.hint_of(t) for t in texts[:NEAREST])
        return next((h for h in measured if h is not None and h[0] == "quantity"), (kind, units))
    if kind == "number" and word.startswith("what"):
        hint = next((h for h in (qw.hint_of(t) for t in texts[:NEAREST]) if h and h[0] in VALUE_HINTS), None)
        if hint is not None:
            data = hint[0] == "quantity" and any(t in _DATA_NOUNS for t in texts[:NEAREST])
            return ("quantity", ("B",)) if data else hint
        return ("money", ()) if qw.asks_money(folded, texts) else (kind, units)
    if kind == "duration" and word in ("how long", "多长") and len(near) <= 3 and any(t in _LONG_NOUNS for t in texts):
        return "quantity", ("m",)
    if kind == "quantity" and word.startswith("how") and texts and texts[0] in _CALLS:
        return "count", ()
    if kind == "count" and word.startswith("how many"):
        return kind, _english_counted(folded, end)
    return kind, units


def _english_counted(folded: str, end: int) -> tuple[str, ...]:
    """The noun counted: a plural among the two words after 'how many', with its singular."""
    for m in re.finditer(r" ([a-z-]{3,24})", folded[end : end + _COUNTED_REACH]):
        word = m.group(1)
        if is_stopword(word):
            break
        if word.endswith("s") and not word.endswith("ss"):
            return word, word[:-1]
        if word in _PLURALS:
            return (word,)
    return ()


def alternatives(kind: str, word: str, near: Sequence[ContentWord]) -> tuple[AnswerKind, ...]:
    """Other kinds that can answer as well: a deadline as a span of time, the most I can claim as anything."""
    if word == "how much" and kind == "money":
        return ("percent", "quantity", "count", "number")
    if word.startswith("how") and kind == "quantity":
        return ("number", "count", "percent", "money", "duration") if word in _VAGUE_HOW else ("number",)
    if word.startswith(("what is the ", "what's the ", "what was the ")) and kind in ("number", "money", "quantity"):
        return tuple(k for k in (*_ALTERNATIVES["number"], "number") if k != kind)
    if word.endswith("个点"):
        return ("count", "number") if kind == "percent" else ("percent", "number")
    if kind == "percent" and any(w.text in _RATES for w in near[:NEAREST]):
        return ("money", "count", "number")
    if kind == "percent" and any(w.text in _LEVELS for w in near[:NEAREST]):
        return ("quantity", "number", "count")
    if word.endswith("how old") or (kind == "duration" and any(w.text == "age" for w in near[:NEAREST])):
        return ("number", "count")
    if word.startswith(("how often", "how frequently")) or any(w.text in _FREQUENCY_NOUNS for w in near[:1]):
        return ("duration", "number")
    if any(w.text in _TOLERANCES for w in near[:NEAREST]) and kind == "quantity":
        return ("percent", "number", "duration")
    if "续航" in [w.text for w in near[:NEAREST]]:
        return ("duration", "number")
    if kind == "date" and any(c in word for c in "截"):
        return ("duration", "time")
    if kind == "date" and any(w.text in _DEADLINE_NOUNS for w in near):
        return ("duration", "time")
    if kind == "date" and word == "when":
        return ("time", "duration")
    if kind == "date" and not any(c in word for c in "时日天年月号") and any(w.text in _SPAN_NOUNS for w in near):
        return ("time", "duration")
    if kind not in ("number", "version") and any(w.text in _LIMIT_NOUNS for w in near):
        return tuple(k for k in _ALTERNATIVES["number"] if k != kind)
    if kind == "money" and any(w.text in _CHANGES for w in near[:NEAREST]):
        return ("percent",)
    if kind == "money" and word in ("多少", "几", "是多少") and not any(qw.hint_of(w.text) for w in near[:NEAREST]):
        return ("percent", "number")
    return _ALTERNATIVES.get(kind, ())
