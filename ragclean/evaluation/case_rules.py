# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Questions made of statements by rule: only where the rule is sure, each with the sentence that answers it.

Chinese asks in place, so that a value gives way to a question word and the clause stays: 门头灯箱须在三日内修好 becomes
门头灯箱须在多久内修好？ English moves its words: of a subject, an auxiliary and a value behind a preposition. A question
that a text asks and answers itself (问：... 答：..., a heading with a question mark) is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragclean.prepare import PreparedText, prepare_text
from ragclean.text.values import Value
from ragclean.types import Chunk


@dataclass(frozen=True, slots=True)
class Drafted:
    """A question, and the words of the chunk that answer it."""

    question: str
    reference: str
    """A whole sentence, verbatim."""
    point: str
    """The clause of it that answers; for a question that the text itself answers, empty: the reference is divided."""
    kind: str
    """``faq``, or the kind of the value: ``duration``, ``money`` ..., ``yes_no``."""


def draft(chunk: Chunk) -> list[Drafted]:
    """What can be asked of a chunk, in the order of its text; no question twice."""
    prepared = prepare_text(chunk.text)
    found: dict[str, Drafted] = {}
    for made in (*_asked_by_the_text(prepared), *_statements(prepared, chunk.title)):
        found.setdefault(made.question, made)
    return list(found.values())


# ------------------------------------------------------------------ questions that the text asks itself

_ASKED = re.compile(r"^(?:问|q|question)\s*\d{0,3}\s*[:.、]\s*", re.IGNORECASE)
_ANSWERED = re.compile(r"^(?:答|a|answer)\s*\d{0,3}\s*[:.、]\s*", re.IGNORECASE)
_NUMBERING = re.compile(r"^\s*(?:#{1,6}\s+|>+\s*|\(?\d{1,3}[.)、）]\s*|[-*•]\s+)")
_QUESTION_LENGTH = (6, 160)
#: Sentences of an answer: what follows is mostly about something else.
_ANSWER_SENTENCES = 2
#: A question that greets, asks back or persuades is none that the text answers.
_RHETORICAL = re.compile(
    r"^(?:你|您|大家|各位|有没有|谁|是不是|还在|怎么样|why not|are you|do you|did you|have you|want to|looking|tired|ready|"
    r"anyone|does anyone|has anyone|what about you|isn't|who )|(?:有人知道|求助|求解|谢谢|吗[?？]+[?？])",
    re.IGNORECASE,
)
_DEICTIC_QUESTION = re.compile(r"^(?:这|那|它|他|她|其|该|此|it|this|that|these|those|they|he|she)", re.IGNORECASE)


#: A conversation: what follows is what somebody else says.
_SPEAKER = re.compile(r"^[^\s:：]{1,20}(?: [^\s:：]{1,20})?[:：]")


def _asked_by_the_text(p: PreparedText) -> Iterator[Drafted]:
    for i, text in enumerate(p.sentence_texts[:-1]):
        bare = _NUMBERING.sub("", text)
        marked = _ASKED.match(bare)
        question = bare[marked.end() :] if marked else bare
        headed = p.sentences[i].kind == "heading" or (i == 0 and "\n" in p.text[p.sentences[0].end :][:1])
        if not question.endswith(("?", "？")) or not (marked or headed):
            continue
        if _SPEAKER.match(question):
            continue
        if not _QUESTION_LENGTH[0] <= len(question) <= _QUESTION_LENGTH[1]:
            continue
        if _RHETORICAL.search(question) or _DEICTIC_QUESTION.match(question):
            continue
        answer = _answer_after(p, i + 1)
        if answer:
            yield Drafted(question, answer, "", "faq")


def _answer_after(p: PreparedText, first: int) -> str:
    """The sentences after a question up to the next one, verbatim."""
    last = first
    while last < len(p.sentences) and last - first < _ANSWER_SENTENCES:
        text = p.sentence_texts[last]
        if text.endswith(("?", "？")) or (last > first and p.sentences[last].kind in ("heading", "code", "table_row")):
            break
        last += 1
    if last == first:
        return ""
    answer = p.text[p.sentences[first].start : p.sentences[last - 1].end]
    marked = _ANSWERED.match(answer)
    return answer[marked.end() :] if marked else answer


# ------------------------------------------------------------------ statements

#: Kinds of values that can be asked for; bare numbers and versions say too little of what they are.
_WORDS_ZH = {"duration": "多久", "money": "多少钱", "percent": "百分之多少", "quantity": "多少", "date": "什么时候",
             "time": "几点"}  # fmt: skip
_KINDS = frozenset(_WORDS_ZH)
#: What one person says of himself, heard somewhere, or is not sure of, answers nothing.
_PERSONAL = re.compile(
    r"[我你您咱俺說说讲講称这那该]|据悉|照此|其(?![他余])|前述|上述|小编|实测|大爷|大妈|楼[主上下]|群友|网友|师[傅兄姐]|朋友|老板|主播|博主|告知|表示|亲身|有人|大家|听说|尽量|不必|"
    r"能不能|可不可以|是不是|会不会|要不要|有没有|据说|亲测|好像|似乎|大概|可能|应该是|估计|或许|也许|建议|记得|如果|假如|万一|例如|比如|预计|计划|拟|"
    r"(?<![a-z])(?:i|i'm|i've|my|me|we|our|us|you|your|maybe|perhaps|might|could|may|apparently|reportedly|rumou?r|seems?|"
    r"about to|plans?|planned|expected|supposed|if|when|unless|example|e\.g|think|guess|heard|hope|please)(?![a-z])"
)
#: The text of a draft, a repeal or a correction does not hold.
_NOT_IN_FORCE = re.compile(r"征求意见|草案|拟定|作废|废止|曾|原先|过去|旧版|以前|此前|formerly|previously|used to|draft|withdrawn")


def _statements(p: PreparedText, title: str) -> Iterator[Drafted]:
    for i, text in enumerate(p.sentence_texts):
        if p.sentences[i].kind not in ("prose", "list_item") or text.endswith(("?", "？", "!", "！", "…", ":", "：")):
            continue
        folded = p.folded_sentences[i]
        if _PERSONAL.search(folded) or _NOT_IN_FORCE.search(folded):
            continue
        start = p.sentences[i].start
        values = [v for v in p.sentence_values[i] if v.end <= p.sentences[i].end]
        if p.lang == "zh":
            yield from _chinese(text, folded, start, values, title)
        else:
            yield from _english(text, start, values, title)


_CLAUSE = re.compile(r"[，,；;。](?!\d)|[.](?=\s|$)|(?<![0-9]):(?![0-9/])")
#: How a clause may not begin: with what refers back, joins, or has no subject of its own.
_OPENS_ZH = re.compile(
    r"^(?:这|那|它|他|她|其|该|此|本(?!科|地|金|人)|上述|以上|以下|同|并|且|但|而|或|和|与|及|则|即|也|又|再|还|就|都|只|仅|均|已|不|无|未|"
    r"若|因|由于|为|对|在|从|自|按|以|由|向|把|被|将|可|能|要|应|须|需|请|凭|经|每|各|共|约|最|超|满|逾|到|至|另|此外|另外|其中|同时|"
    r"然后|之后|随后|届时|当|如|所|有|是|用|做|给|让|拿|去|来|等|过|完|先|后|前|否|免|扣|收|付|缴|交|提|办|报|凡|任何|一般|通常|否则|"
    r"注意|注|附|第|含|包|全|首|随|答|问|甲|乙|加(?!班|盟|油|热|湿|固|工)|客户|顾客|用户请|今|明|昨|去|上|下|内|外|例|倒|正|平均|一次|持续|方|便|才|越|且|使|令|准|超过|截至|截止|"
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


def _chinese(text: str, folded: str, start: int, values: list[Value], title: str) -> Iterator[Drafted]:
    for a, b in _clauses(folded):
        clause, within = text[a:b].strip(), [v for v in values if a <= v.start - start and v.end - start <= b]
        lead = a + len(text[a:b]) - len(text[a:b].lstrip())
        if not clause or len(clause) > _CLAUSE_MOST or _OPENS_ZH.match(clause) or any(c in clause for c in "“”《》（(「"):
            continue
        if len(within) != 1:
            yield from _yes_no_zh(text, clause, bool(within), title)
            continue
        value = within[0]
        if value.kind not in _KINDS or value.approximate:
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
    word = _WORDS_ZH[value.kind]
    if value.kind == "quantity":
        word = _MEASURE_ZH.get(value.unit, "多少")
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


def _clauses(folded: str) -> Iterator[tuple[int, int]]:
    at = 0
    for m in _CLAUSE.finditer(folded):
        yield at, m.start()
        at = m.end()
    if at < len(folded):
        yield at, len(folded)


# ------------------------------------------------------------------ English

_SUBJECT_EN = (
    r"(?P<np>(?:(?:the|a|an|all|every|each|any|no) )?[A-Za-z][A-Za-z0-9'/-]*"
    r"(?: (?!(?:is|are|was|were|must|should|shall|can|will|cannot|has|have|had|do|does|did|that|which|who|whose|and|or|but|if|"
    r"when|because|so|then|lasts?|costs?|takes?|weighs?)\b)[A-Za-z0-9][A-Za-z0-9'/-]*){0,9})"
)
_AUX_EN = re.compile(
    r"^" + _SUBJECT_EN + r" (?P<aux>must|should|shall|can|will|is|are)(?P<middle> (?!not\b)[A-Za-z][^,;:()]{1,70})? "
    r"(?P<prep>within|for|at|after|before|by|on|until|up to|no later than|every)$",
    re.IGNORECASE,
)
_COPULA_EN = re.compile(r"^" + _SUBJECT_EN + r" (?P<aux>is|are)(?: (?:set at|limited to|capped at|now|only|priced at))?$", re.IGNORECASE)
_VERB_EN = re.compile(r"^" + _SUBJECT_EN + r" (?P<verb>lasts?|costs?|takes?|weighs?|runs? for|expires? after)$", re.IGNORECASE)
_PRONOUNS_EN = re.compile(r"^(?:it|this|that|these|those|they|he|she|there|here|such|both|either|some|other|another|one|each|"
                          r"what|which|who|where|how|why|not|also|then|so|but|and|or|in|on|at|for|to|from|with|by|as|after|before|"
                          r"during|since|until|than|note|see|its|their|his|her)\b", re.IGNORECASE)  # fmt: skip
#: A value stands at the end of what is asked, or before words that go on with it.
_AFTER_EN = re.compile(r"^(?:[.]?$|[ ](?:of|from|after|before|per|by|in|on|to|for|at|if|via|with|until|under|without)\b[^,;:()]{1,70}$)")
_NOMINAL_DURATION = re.compile(
    r"(?:period|warranty|term|time|duration|window|interval|delay|guarantee|notice|life|lifetime|retention|timeout|deadline|limit|"
    r"wait|stay|trial|lease|break|cycle)s?$", re.IGNORECASE,
)  # fmt: skip


def _english(text: str, start: int, values: list[Value], title: str) -> Iterator[Drafted]:
    for a, b in _clauses(text):
        piece = text[a:b]
        clause = piece.strip()
        if a or not clause or _PRONOUNS_EN.match(clause):  # what follows a comma hardly ever stands by itself
            continue
        within = [v for v in values if a <= v.start - start and v.end - start <= b]
        if len(within) != 1:
            yield from _yes_no_en(text, clause, bool(within), title)
            continue
        value = within[0]
        if value.kind not in _KINDS or value.approximate:
            continue
        before = text[a : value.start - start].strip()
        after = text[value.end - start : b].rstrip()
        if not _AFTER_EN.match(after):
            continue
        written = text[value.start - start : value.end - start]
        question = _ask_en(before, written, after.rstrip("."), value)
        if question:
            yield Drafted(_with_title_en(question, title), text, clause, value.kind)


#: Two statements in one, and what points out of the clause: neither makes one question that stands by itself.
_JOINED_EN = re.compile(r" (?:and|but|or|since|because|so|as|while|which) ", re.IGNORECASE)
_DEICTIC_EN = re.compile(r"\b(?:this|that|these|those|here|there|it|its|their|them|they|either|neither|same|such|above|below)\b",
                         re.IGNORECASE)  # fmt: skip
_LEADS_EN = re.compile(r"^(within|for|at|after|before|by|on|until|up to|no later than|every) +", re.IGNORECASE)


def _ask_en(before: str, written: str, after: str, value: Value) -> str:
    lead = _LEADS_EN.match(written)  # the value's own bound word
    if lead:
        before, written = f"{before} {lead[1]}", written[lead.end() :]
    if _JOINED_EN.search(before) or _JOINED_EN.search(after) or _DEICTIC_EN.search(f"{before} {after}"):
        return ""
    m = _VERB_EN.match(before)
    if m:
        return _ask_verb_en(m, after, value)
    m = _COPULA_EN.match(before)
    if m:
        np = _lowered(m["np"])
        if value.kind == "duration" and _NOMINAL_DURATION.search(np):
            return f"How long {m['aux'].lower()} {np}{after}?"
        if value.kind == "money":
            return f"How much {m['aux'].lower()} {np}{after}?"
        return f"What {m['aux'].lower()} {np}{after}?" if value.kind in ("percent", "quantity", "date") else ""
    m = _AUX_EN.match(before)
    wh = _wh_en(m["prep"].lower(), written, value) if m else ""
    if m is None or not wh:
        return ""
    return f"{wh} {m['aux'].lower()} {_lowered(m['np'])}{m['middle'] or ''}{after}?"


def _wh_en(prep: str, written: str, value: Value) -> str:
    unit = re.search(r"(business days|working days|calendar days|minutes|hours|days|weeks|months|years|seconds)\b", written)
    many = f"how many {unit[1]}" if unit else "what time"
    if value.kind == "duration":
        return {"within": f"Within {many}", "for": "For how long", "after": f"After {many}", "every": "How often",
                "before": f"How many {unit[1]} before" if unit else "", "up to": f"Up to {many}"}.get(prep, "")  # fmt: skip
    if value.kind == "date":
        return {"by": "By what date", "on": "On what date", "until": "Until when", "before": "Before what date",
                "after": "After what date", "no later than": "By what date"}.get(prep, "")  # fmt: skip
    if value.kind == "time":
        return {"at": "At what time", "by": "By what time", "until": "Until what time", "before": "Before what time",
                "after": "After what time"}.get(prep, "")  # fmt: skip
    if value.kind == "money":
        return {"for": "For how much", "at": "At what price", "up to": "Up to how much"}.get(prep, "")
    if value.kind == "quantity" and value.unit == "°C":
        return {"at": "At what temperature"}.get(prep, "")
    return ""


def _ask_verb_en(m: re.Match[str], after: str, value: Value) -> str:
    verb = m["verb"].lower()
    stem = verb.split()[0].rstrip("s") if verb.split()[0] != "pass" else "pass"
    do = "does" if verb.split()[0].endswith("s") else "do"
    wanted = {"last": "duration", "cost": "money", "take": "duration", "weigh": "quantity", "run": "duration",
              "expire": "duration"}  # fmt: skip
    if wanted.get(stem) != value.kind:
        return ""
    asks = {"last": "How long", "cost": "How much", "take": "How long", "weigh": "How much", "run": "How long",
            "expire": "After what time"}[stem]  # fmt: skip
    return f"{asks} {do} {_lowered(m['np'])} {stem}{after}?"


_YES_NO_EN = re.compile(
    r"^" + _SUBJECT_EN + r" (?P<aux>can|cannot|can not|does not|do not|must not|may not|is not|are not) (?P<rest>[a-z][^,;:()]{3,70})$",
    re.IGNORECASE,
)
#: With fewer words (the lift is not affected) nobody knows what is spoken of.
_YES_NO_WORDS_EN = 4
_POSITIVE_EN = {"cannot": "Can", "can not": "Can", "does not": "Does", "do not": "Do", "must not": "May", "may not": "May",
                "can": "Can", "is not": "Is", "are not": "Are"}  # fmt: skip


def _yes_no_en(text: str, clause: str, measured: bool, title: str) -> Iterator[Drafted]:
    m = None if measured else _YES_NO_EN.match(clause.rstrip("."))
    if m is None or m["np"].split()[0].lower() in ("no", "every") or " " not in m["np"]:
        return
    if len(m["np"].split()) + len(m["rest"].split()) < _YES_NO_WORDS_EN:
        return
    if _JOINED_EN.search(m["rest"]) or _DEICTIC_EN.search(clause):
        return
    question = f"{_POSITIVE_EN[m['aux'].lower()]} {_lowered(m['np'])} {m['rest']}?"
    yield Drafted(_with_title_en(question, title), text, clause, "yes_no")


def _with_title_en(question: str, title: str) -> str:
    """The title in front where the question shares no word of four letters with it."""
    words = re.findall(r"[a-z0-9]{4,}", title.lower())
    return question if not words or any(w in question.lower() for w in words) else f"{title.strip()}: {question}"


def _lowered(np: str) -> str:
    """The first word of a sentence in lower case, unless it is a name: has a digit or a capital inside, or another
    capital follows."""
    first, _, rest = np.partition(" ")
    if first.lower() in ("the", "a", "an", "all", "every", "each", "any", "no", "our"):
        return f"{first.lower()} {rest}"
    if first[1:].lower() != first[1:] or any(c.isdigit() for c in first) or (rest and rest[0].isupper()):
        return np
    return f"{first.lower()} {rest}".strip()
