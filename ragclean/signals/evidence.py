# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""What a text offers as an answer, whatever the question: values, names, and the wording of rules, steps and reasons.

Worked out once a text and cached by the text, so that a second query on the same chunks pays for look-ups only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ragclean.memo import Memo
from ragclean.prepare import PreparedText
from ragclean.text.dictionary import tokenizer
from ragclean.text.question_content import is_unknown_name

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float32]

CUES = ("polarity", "party", "action", "reason", "definition", "place", "evasive", "promotion", "seeking")
"""Columns of ``Evidence.cues``."""
VALUE_KINDS = ("duration", "date", "time", "money", "percent", "count", "quantity", "version", "number")
_VALUE_CODE = {kind: i for i, kind in enumerate(VALUE_KINDS)}

_ZH = {
    "polarity": "可以|不可|不能|不得|不支持|支持|免费|收费|不收|不含|不包|不在|除外|不予|无法|无需|不需|必须|包含|包括|属于|不属|允许|禁止|仅限|"
                "不会|能够|不算|不享|自费|不受|才能|方可|均可|即可|不再|未",
    "party": "承担|自理|自付|自费|负担|负责|支付|买单|出资|报销|个人付",
    "action": "请|点击|打开|选择|联系|拨打|重启|步骤|首先|然后|进入|检查|更换|升级|设置|输入|登录|提交|按住|长按|关闭|执行|安装|清洁|避免|建议|应当|"
              "可通过|通过|先|再|使用|采用",
    "reason": "因为|由于|原因|导致|造成|引起|因此|为了|所以|使得|以便|缘于|因",
    "definition": "是指|指的是|是一种|是一个|是一款|意思是|意为|又称|俗称|简称|表示|含义|称为|指|即",
    "place": "位于|坐落|地处|地址|目录|路径|举行|举办|召开|出生于|总部|所在地",
    "evasive": "怎么查|怎样查|如何查|查询|查看|查到|详见|另行|为准|请咨询|留意|不详|暂未|尚未公布|待定",
    "promotion": "焕新|上新|先到先得|限时|抢购|优惠|下单即|购机|赠送|尽享|登场|全新升级|重磅|等你|敬请期待|无忧|招商|福利|立减|预约试|速来|钜惠",
    "seeking": "求助|有没有大佬|求问|请问|有人知道|谁知道|想问|在线等|有没有懂|有谁|问一下|请教|求解|怎么办啊|不知道",
}  # fmt: skip
_EN = {
    "polarity": r"can|cannot|can't|may|not|no|yes|free|includ(?:es?|ed|ing)|exclud(?:es?|ed|ing)|covers?|covered|allow(?:s|ed)|supports?|"
                r"supported|must|only|unless|except|never|without|eligible|refundable|required|won't|doesn't|isn't|aren't|nor",
    "party": r"pays?|paid|payable|borne|bears?|responsib(?:le|ility)|liable|expense|own cost|charged to|reimburse[sd]?|excess",
    "action": r"press|hold|select|click|open|go to|contact|call|restart|install|check|set|enter|remove|replace|turn|first|then|make sure|"
              r"ensure|use|run|submit|send|should|must|recommend(?:ed)?|by",
    "reason": r"because|due to|caused? by|causes?|reasons?|as a result|since|therefore|thanks to|so that|in order to|led to|leads to|as",
    "definition": r"is an?|are an?|was an?|were|is the|refers? to|means?|known as|defined as|stands? for|called",
    "place": r"located|situated|headquarter(?:s|ed)|based in|born in|held (?:in|at)|took place|in the city of|directory|path|near|north of|"
             r"south of|east of|west of",
    "evasive": r"for details|look up|refer to|see|varies|depends|not disclosed|unknown|to be announced|tba",
    "promotion": r"introducing|limited time|exclusive|discover|delight|hurry|order now|shop now|award-winning|excited|treat yourself|"
                 r"bring a friend|more than a|unmissable|sign up today|don't miss",
    "seeking": r"anyone|anybody|any idea|wondering|please help|how do you guys|does someone|thanks in advance|stuck",
}  # fmt: skip
_PATH = re.compile(r"(?<![a-z0-9<])[/\\][a-z0-9_.-]{1,60}[/\\][a-z0-9_./\\-]{1,120}")
_QUESTION_END = re.compile(r"[?][\"')\]」』*]{0,3}$|(?:吗|呢|么)[。.!]?$")
_ASKING = re.compile(r"^[*#\s]{0,4}(?:问|q|question)\s{0,2}[:.]")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Arrays of one text. ``s``: its sentences, ``v``: its values, ``m``: its names; positions are offsets."""

    starts: IntArray
    """(s,) where each sentence begins."""
    cues: NDArray[np.bool_]
    """(s, len(CUES)): does the sentence hold such wording?"""
    asks: NDArray[np.bool_]
    """(s,): the sentence is a question."""
    heads: NDArray[np.bool_]
    """(s,): a heading."""
    value_at: IntArray
    value_kind: IntArray
    value_units: tuple[str, ...]
    years: tuple[int, ...]
    name_at: IntArray
    names: tuple[str, ...]
    place_at: IntArray
    places: tuple[str, ...]
    """Chinese words with the ending of a place: a province, a city, a stadium."""


class EvidenceCache(Memo[str, Evidence]):
    """Evidence by text."""

    def get(self, prepared: PreparedText) -> Evidence:
        """The evidence of a text, worked out on first sight."""
        return self.one(prepared.text, lambda: gather(prepared))


def gather(prepared: PreparedText) -> Evidence:
    """Work out the evidence of one text; linear in its length."""
    sentences = prepared.sentences
    starts = np.array([s.start for s in sentences], np.int64)
    values = [v for v in prepared.values if v.kind in _VALUE_CODE]
    dated = [v for v in values if v.kind == "date" and v.parts and v.parts[0]]
    names, places = _names(prepared)
    return Evidence(
        starts=starts,
        cues=_cues(prepared.folded, starts),
        asks=np.array([_is_question(t) for t in prepared.folded_sentences], bool),
        heads=np.array([s.kind == "heading" for s in sentences], bool),
        value_at=np.array([v.start for v in values], np.int64),
        value_kind=np.array([_VALUE_CODE[v.kind] for v in values], np.int64),
        value_units=tuple(v.unit for v in values),
        years=tuple(v.parts[0] for v in dated),
        name_at=np.array([start for start, _ in names], np.int64),
        names=tuple(prepared.folded[start:end] for start, end in names),
        place_at=np.array([start for start, _ in places], np.int64),
        places=tuple(prepared.folded[start:end] for start, end in places),
    )


#: A name between marks, or a foreign name with a dot in it.
_MARKED_NAME = re.compile(r"《[^《》\n]{1,30}》|[\u4e00-\u9fff]{1,8}·[\u4e00-\u9fff]{1,8}")
_PLACE_ENDINGS = frozenset("省市县区国州镇乡村岛馆场港湾山河湖路街园院校店站楼厅")
_LONGEST_NAME = 5


def _names(prepared: PreparedText) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Spans of names, and of Chinese places, in order.

    Chinese names are words that the dictionary does not know and the cutter found all the same, unless they begin
    or end with a character that words are glued to; names that the dictionary knows are missed.
    """
    folded = prepared.folded
    names = [(f.start, f.end) for f in prepared.facts if f.kind == "name"]
    places: list[tuple[int, int]] = []
    if folded.isascii():
        return names, places
    if "·" in folded or "《" in folded:
        names += [m.span() for m in _MARKED_NAME.finditer(folded)]
    known = tokenizer().FREQ
    for start, end, kind in prepared.tokens:
        if end - start < 2 or kind != "han":
            continue
        if folded[end - 1] in _PLACE_ENDINGS:
            places.append((start, end))
        word = folded[start:end]
        # The plain look-up first: it settles all but a few words in a hundred.
        if not known.get(word) and end - start <= _LONGEST_NAME and is_unknown_name(word):
            names.append((start, end))
    names.sort()
    return names, places


def _is_question(folded_sentence: str) -> bool:
    return _QUESTION_END.search(folded_sentence[-8:]) is not None or _ASKING.match(folded_sentence[:16]) is not None


def _cues(folded: str, starts: IntArray) -> NDArray[np.bool_]:
    table = np.zeros((len(starts), len(CUES)), bool)
    if not len(starts):
        return table
    places, columns = _chinese_cues(folded) if not folded.isascii() else ([], [])
    for m in _english().finditer(folded):
        places.append(m.start())
        columns.append(_COLUMN[m.lastgroup or "place"])
    if "/" in folded or "\\" in folded:
        paths = [m.start() for m in _PATH.finditer(folded)]
        places += paths
        columns += [_COLUMN["place"]] * len(paths)
    if places:
        rows = np.searchsorted(starts, np.array(places, np.int64), side="right") - 1
        table[np.maximum(rows, 0), np.array(columns, np.int64)] = True
    return table


def _chinese_cues(folded: str) -> tuple[list[int], list[int]]:
    """Word by word: a search of each is many times faster than one pattern that tries them all at every character."""
    places: list[int] = []
    columns: list[int] = []
    for word, column in _chinese_words():
        at = folded.find(word)
        while at >= 0:
            places.append(at)
            columns.append(column)
            at = folded.find(word, at + len(word))
    return places, columns


_COLUMN = {name: i for i, name in enumerate(CUES)}


@lru_cache(maxsize=1)
def _chinese_words() -> tuple[tuple[str, int], ...]:
    words = [(w, _COLUMN[name]) for name, row in _ZH.items() for w in row.split("|")]
    # 免费 holds in 不免费 as well: of two words of one column where one holds the other the shorter is enough.
    return tuple((w, c) for w, c in words if not any(v != w and v in w and d == c for v, d in words))


@lru_cache(maxsize=1)
def _english() -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(f"(?P<{name}>{words})" for name, words in _EN.items()) + r")\b")
