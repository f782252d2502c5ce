# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Chinese statements made into questions: the value gives way to a question word, and the clause stays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragclean.evaluation.case_wording import KINDS, Drafted, clauses
from ragclean.text.value import Value

_WORDS = {"duration": "多久", "money": "多少钱", "percent": "百分之多少", "quantity": "多少", "date": "什么时候",
          "time": "几点"}  # fmt: skip
#: How a clause may not begin: with what refers back, joins, or has no subject of its own.
_OPENS_ZH = re.compile(
    r"^(?:这|那|它|他|她|其|该|此|本(?!科|地|金|人)|上述|以上|以下|同|并|且|但|而|或|和|与|及|则|即|也|又|再|还|就|都|只|仅|均|已|不|无|未|"
    r"若|因|由于|为|对|在|从|自|按|以|由|向|把|被|将|可|能|要|应|须|需|请|凭|经|每|各|共|约|最|超|满|逾|到|至|另|此外|另外|其中|同时|"
    r"然后|之后|随后|届时|当|如|所|有|是|用|做|给|让|拿|去|来|等|过|完|先|后|前|否|免|扣|收|付|缴|交|提|办|报|凡|任何|一般|通常|否则|"
    r"注意|注|附|第|含|默认|查|包|全|首|随|答|问|甲|乙|加(?!班|盟|油|热|湿|固|工)|客户|顾客|用户请|今|明|昨|去|上|下|内|外|例|倒|正|平均|一次|持续|方|便|才|越|且|使|令|准|超过|截至|截止|"
    r"更新|发布|修订|生效|施行|版本|编号|来源|作者|时间|日期|地址|电话|[\d一二三四五六七八九十])"
)
_NOUN_LEAST, _CLAUSE_MOST = 3, 42
#: What stands right before a value that is stated of the subject.
_STATES_ZH = re.compile(
    r"(?:为|是|达|至|(?:达|延长|提高|降|升|开放|增加|上调|下调)到|共|满|超过|不超过|不少于|不低于|不高于|不得超过|不得少于|不得低于|最多|最长|最低|最高|至少|至多|上限|下限|"
    r"收|收取|收费|缴|缴纳|交|支付|付|罚|扣|扣除|补|补贴|补助|赔|赔偿|返还|退还|报销|售价|价|定价|保修|质保|保存|保管|保留|冷藏|有效|"
    r"需|须|只需|需要|耗时|历时|用时|提前|延长|延迟|推迟|浸泡|静置|放置|等待|间隔|持续|每|占|按|降|升|涨|重|长|宽|高|厚|容量|功率|[:：])$"
)
_MANNER_ZH = re.compile(r"(?:应当?|必?须|需要?|要|可|将|会|能|不得|均|都|统一)?在$")
#: After a value: what still belongs to the statement. A noun there would be what the value measures.
_AFTER_ZH = re.compile(
    r"^(?:$|(?:之?[内前后]|以[内上下前后]|起|左右|[\)）])?(?:$|[^的地得]{1,16}$))"
)
_TIME_WORDS = re.compile(r"(?:之?内|之前|以内|以上|以下|之后|起|前|后)$")


def chinese(text: str, folded: str, start: int, values: list[Value], title: str) -> Iterator[Drafted]:
    """What a sentence states; ``start`` is where it stands in the text that the values are of."""
    for a, b in clauses(folded):
        clause, within = text[a:b].strip(), [v for v in values if a <= v.start - start and v.end - start <= b]
        lead = a + len(text[a:b]) - len(text[a:b].lstrip())
        if not clause or len(clause) > _CLAUSE_MOST or _OPENS_ZH.match(clause) or any(c in clause for c in "“”《》（(「"):
            continue
        if len(within) != 1:
            yield from _yes_no_zh(text, clause, bool(within), title)
            continue
        value = within[0]
        if value.kind not in KINDS or value.approximate:
            continue
        before, after = text[lead : value.start - start], text[value.end - start : b].rstrip()
        if len(before) < _NOUN_LEAST or not (_STATES_ZH.search(before) or _MANNER_ZH.search(before)):
            continue
        written = text[value.start - start : value.end - start]
        if not _AFTER_ZH.match(after) or not _fits_zh(before, written, after, value):
            continue
        question = _ask_zh(before, written, after, value)
        if question:
            yield Drafted(_with_title_zh(question, title), text, clause, value.kind)


def _fits_zh(before: str, written: str, after: str, value: Value) -> bool:
    """The value is whole, and what it is of stands before it in a way that a question word can take its place."""
    if (after and after[0] in _NUMERALS) or _JOINED_BEFORE_ZH.search(before):
        return False
    if before.endswith("按") and written.startswith("每"):
        return False
    if before.endswith((":", "：")) and not before[:-1].endswith(_ATTRIBUTES_ZH):
        return False
    if value.kind == "time":  # 按1:14 is a ratio
        return before.endswith(("至", "到", "为", "是"))
    if before.endswith("在") and value.kind in ("duration", "quantity"):
        return bool(_TIME_WORDS.search(written) or _TIME_WORDS.match(after))
    return True


_JOINED_BEFORE_ZH = re.compile(r"[并且但]|[^一-鿿]{12}")
#: With a colon a name (压缩机) may stand before the value as well as an attribute (心跳周期); only that asks for one.
_ATTRIBUTES_ZH = tuple("期限间费价格率度量重长宽高围值额数压流命寸距")
#: 请 asks somebody to do something; in a question it would ask for the answer.
_PLEASE_ZH = re.compile(r"(?<![申邀聘敬])请(?![求假示帖柬客勿])")
_NUMERALS = frozenset("零〇一二两三四五六七八九十百千万亿半多几余来0123456789./:-~")
_MEASURE_ZH = {"°C": "多少度"}


def _ask_zh(before: str, written: str, after: str, value: Value) -> str:
    word = _WORDS[value.kind]
    if value.kind == "quantity":
        word = _MEASURE_ZH.get(value.unit, "多少")
    if value.kind == "time" and not value.is_point:
        word = "几点到几点"
    bound = _TIME_WORDS.search(written)
    if value.kind in ("duration", "money", "percent", "quantity") and bound:
        word += bound[0]
    limit = _BOUND_BEFORE.match(written)
    if limit:
        word = limit[0] + word
    return f"{_PLEASE_ZH.sub('需', before)}{word}{after}？".replace("：多", "是多").replace(":多", "是多")


_BOUND_BEFORE = re.compile(r"^(?:不超过|不少于|不低于|不高于|不得超过|不得少于|不得低于|最多|最长|最低|最高|至少|至多|超过|低于|高于)")


def _with_title_zh(question: str, title: str) -> str:
    """The title in front where the clause shares no word of two characters with it."""
    name = re.sub(r"[（(].*$", "", title).strip("《》 ")
    if not name or any(name[i : i + 2] in question for i in range(len(name) - 1)):
        return question
    return f"{name}：{question}"


_YES_NO_ZH = re.compile(r"^(?P<subject>[^不，,]{2,18}?)(?P<verb>不支持|支持|不包含|包含|不包括|包括|不可以|可以|不能|不得|不予|不适用于|适用于)(?P<rest>[^，,]{2,18})$")
#: A shorter subject (证书, 脚本) is a thing of which there are many.
_YES_NO_SUBJECT_ZH = 4
_JOINED_ZH = re.compile(r"[不而并且但就]|来(?!自)|[能可]以?$")
_POSITIVE_ZH = {"不支持": "支持", "不包含": "包含", "不包括": "包括", "不可以": "可以", "不能": "能", "不得": "可以", "不予": "予以",
                "不适用于": "适用于"}  # fmt: skip


def _yes_no_zh(text: str, clause: str, measured: bool, title: str) -> Iterator[Drafted]:
    m = None if measured else _YES_NO_ZH.match(clause)
    if m is None or m["rest"].endswith(("的", "了", "时", "后")) or m["verb"] in ("包括", "包含"):
        return
    if len(m["subject"]) < _YES_NO_SUBJECT_ZH or _JOINED_ZH.search(m["rest"]) or m["subject"].endswith(("的", "也")):
        return
    verb = _POSITIVE_ZH.get(m["verb"], m["verb"])
    yield Drafted(_with_title_zh(f"{m['subject']}{verb}{m['rest']}吗？", title), text, clause, "yes_no")
