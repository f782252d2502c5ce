"""What a text says about the validity of itself or of another document: in force, expires, withdrawn, draft, replaces.

Every statement is found by its words, and the date that belongs to them is looked for beside them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from ragclean.text.calendar import CalendarDate, first_day, last_day
from ragclean.text.dates import DATE_START, FULL_WIDTH, date_at, last_date

MarkKind = Literal[
    "effective", "expires", "published", "updated", "withdrawn", "draft", "supersedes", "corrects", "hearsay", "changes"
]

LOOK = 26
"""Characters searched for the date that belongs to a word such as 生效 or 'last updated'."""
_WIDE = re.compile("[０-９：（）／．－]")


@dataclass(frozen=True, slots=True)
class Mark:
    """A statement of a text about the validity of itself or of another document."""

    kind: MarkKind
    start: int
    end: int
    when: date | None
    """None where no date is stated (废止 alone, a draft)."""


_DIGIT_AHEAD = "(?=[0-9〇零一二三四五六七八九十民])"
_DATE_AHEAD = r"(?=(?:民国)?[0-9〇零一二三四五六七八九十]{1,4}[ ]?[年./-]"
_LATIN_DATE_AHEAD = "(?= ?(?:on |from )?(?:[0-9]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"

#: Statements by kind and by where their date stands: after the words, before them, or none. Every pattern begins
#: with literal characters, so that one cheap scan for those (``_HEADS``) finds the few places worth a closer look.
_STATEMENTS: tuple[tuple[str, str], ...] = (
    ("effective_after", (
        rf"[自从]{_DATE_AHEAD}[^\n。;；]{{1,14}}起)|(?:生效|施行|实施|启用|执行)(?:日期|时间|日)[为是:：]?"
        r"|effective (?:date|from|as of|on|since|starting)|(?:takes?|taking|took|with) effect (?:on|from|as of)"
        rf"|in(?:to)? (?:force|effect) (?:on|from|since|as of)|valid from|effective:?{_LATIN_DATE_AHEAD}"
    )),
    ("effective_before", (
        r"起(?:正式|开始|全面)?(?:施行|执行|实施|生效|启用|适用|推行)|(?:生效|施行|实施)(?=[。,，;；)）、\n]|$)"
    )),
    ("expires_after", (
        r"有效期限?(?:截止|截至)?(?:至|到|为|:|：)(?=[^\n。]{0,6}[0-9〇一二])|有效期限?截[止至](?:日期|时间)?"
        rf"|[至到]{_DATE_AHEAD}[^\n。;；,，]{{1,12}}止(?!于))|截止(?:日期|时间)[为是:：]?"
        r"|valid (?:until|through|thru|till|to)|expir(?:es?|y date|ation date|ing)(?: on)?"
        r"|(?:offer|promotion|sale) ends(?: on)?|good (?:until|through)"
    )),
    ("asof_after", rf"截[至止][到至于]?[ ]?{_DATE_AHEAD})|as of{_LATIN_DATE_AHEAD}"),
    ("supersedes", (
        r"(?:废止|作废)(?:原|旧|此前)|(?:代替|取代|替代|替换)了?(?:原|旧|此前|之前|20|上一|《)|supersed(?:es|ing)"
        r"|replaced(?=:)"
        r"|replac(?:es|ing)(?= (?:the |all |any )?(?:previous|prior|earlier|old|version|edition|policy|terms|20"
        r"|(?:figure|value|number|amount|limit|rate|price|rule|section|clause|paragraph|table|entry)s?(?![a-z])"
        r"|v[0-9]|[^\n.;]{1,30} (?:in|of|from|printed|issued) (?:all |any |the |our )?[^\n.;]{0,20}(?:booklet|leaflet"
        r"|handbook|edition|notice|manual|card|sheet|version)))"
    )),
    ("corrects", (
        r"更正|勘误|订正(?!本)|正确(?:的?(?:数值|值|写法|时间|日期|说法|做法|数字))?(?=[应]?[为是])|[录印写抄标登排贴]错(?!误?率)|误[抄写印录标植登取引填用](?!于)|笔误|有误(?!差)"
        r"|errat(?:um|a)|corrigend(?:um|a)|corrections? (?:to|notice|of the)|correction:|misprint(?:ed|s)?"
        r"|typo(?![a-z])|mis(?:stated|typed)|wrongly (?:stated|printed|listed|said|copied|gave|shows?)"
        r"|(?:printed|stated|published|listed|copied) (?:in error|by mistake)|should (?:have )?(?:read|said)(?![a-z])"
        r"|printing error|disregard (?:that|the|this)"
        r"|(?:figure|page|table|number|guide|manual|listing|poster|leaflet|booklet|brochure|article|sheet)"
        r"[^\n.;,]{0,45}"
        r" (?:was|is|were) (?:wrong|incorrect|mistaken|a mistake|an error)"
    )),
    ("withdrawn_head", r"旧制|旧版|旧规|历史版本|过期版本|已归档"),
    ("withdrawn_before", (
        r"废止|作废|(?:失效|停用|下线)(?<=[均即时之章条].[效用线])|停止(?:执行|使用|适用)(?<=[后起]停止..)|已(?:经)?(?:失效|停用|下线"
        r"|停止(?:执行|使用|适用)|过期|[被由][^\n。,，;；]{0,20}(?:代替|取代|替代|替换))|不再(?:适用|执行|有效|生效"
        r"|使用|沿用)"
        r"|superseded(?: by)?|replaced(?: by|(?=[.;,\n]| (?:from|with effect|as of)))"
        r"|no longer (?:valid|appl(?:y|ies|icable)|in (?:force|effect)|maintained"
        r"|current"
        r"|accurate|used)|withdrawn|repealed|obsolete|deprecated|outdated|(?:has|have) expired|expired on"
        r"|archived (?:page|version|copy|document)"
    )),
    ("draft", (
        r"征求意见稿|意见征求稿|征求(?=[^\n。]{1,30}意见)|草案(?=[)）\]】》稿:]|公开征|征求)|讨论稿|送审稿|修订稿|未定稿"
        r"|草稿(?![纸箱本图])|初稿|公开征求"
        r"|(?:评审|审议)中(?!的(?:文件|方案|稿件?|版本)[^。\n]{0,10}(?:无效|不作|不算|没有))|待(?:评审|审批|审议|批准|合入)|未(?:合入|合并(?!的)|获批准|获通过)|"
        r"拟[自于从](?=[^\n。]{0,12}[0-9一二])|(?<![模虚草比])拟(?=(?:提|调|降|涨|上|下|改|延|缩|将|把|由|从)[^\n。]{0,20}[0-9一二三四五六七八九百])|"
        r"(?:建议|提议)(?=[将把由][^\n。]{0,24}(?:提高|上调|下调|降|调整|涨|延长|缩短|改)|:[^\n。]{0,40}改[为成])|"
        r"draft(?=[):,\]]| (?:version|document|policy|proposal|only|rules?|guidance|standard|terms|v[0-9]))"
        r"|proposed (?:change|polic|rule|amend|rate|price|term|plan|version|revision|fee)|in beta"
        r"|beta (?:version|release|build|doc)|pre-?release|preliminary (?:version|draft|document|spec|data|terms"
        r"|information)|not yet (?:approved|final|in force|effective|merged|adopted)|rfc(?=[ -]?[0-9])"
        r"|status: ?(?:draft|proposed|open|in review|under review)|under (?:consultation|review)|request for comments"
        r"|consultation (?:paper|document|draft)|consultation(?=:)"
        r"|propos(?:es|ed|al) to (?=(?:raise|lower|increase|reduce|cut|extend|shorten|change|cap|set))"
        r"|target (?:version|release):|work in progress"
        r"|open for comments?|(?:we|shall|will) propose|for discussion only|under discussion|no start date"
    )),
    ("hearsay", (
        r"听说|据说|据传|传闻|网传|有传言|听人说|内部消息|小道消息|内部人士|有人说|听[^\n。]{0,3}(?:朋友|同事|"
        r"客服|店员)说"
        r"|好像|貌似|似乎|应该是|我记得|印象中|不太?确定(?!性)|估计是|rumou?r(?:s|ed)?(?![a-z])|i(?:'ve| have)? heard"
        r"|i (?:think|believe|guess)|apparently|allegedly|reportedly|supposedly|not sure|iirc|afaik|unconfirmed"
        r"|someone (?:told|said)|word is"
    )),
    ("changes", (
        r"(?:上调|下调|提高|提升|降低|放宽|收紧|延长|缩短|调整|变更|增加|减少|扩大|恢复|更改)(?:至|到|为|成)"
        r"|现(?:已|行)?[改调]?为(?!止)|即日起|不再是"
        r"|(?:raised|lowered|increased|reduced|cut|extended|shortened|changed|changes|goes up|drops|rises|moved)"
        r"(?: from [^.\n]{1,20})? to (?=(?:[a-z]{1,8} ){0,2}[£$€]?[0-9a-z])|from today|with immediate effect"
        r"|until further notice|now (?:requires?|needs?|costs?|takes?|stands|lasts?|applies)(?![a-z])"
    )),
    ("updated_after", (
        r"最[后近新](?:一次)?(?:更新|修订|修改|编辑)(?:日期|时间|于|在)?[为是:：]?|(?:更新|修订|修改|"
        r"编辑)(?:日期|时间|于|在)[为是:：]?"
        r"|(?:last|date) (?:updated|modified|revised|reviewed|edited)"
        rf"|(?:updated|revised|modified)(?::|{_LATIN_DATE_AHEAD})|rev\.? [a-z0-9]{{1,3}} /|revision date"
    )),
    ("updated_before", r"(?:更新|修订|修正|修改)(?=[)）。,，\n]|$)"),
    ("published_after", (
        r"(?:发布|发表|发文|印发|成文|签发|刊登|公布|颁布|发稿|公告)(?:日期|时间|于|在)[为是:：]?"
        rf"|(?:published|posted|date posted)(?: on|:| at)?{_LATIN_DATE_AHEAD}|(?:released|issued):{_LATIN_DATE_AHEAD}"
    )),
    ("published_before", r"(?:发布|公布|颁布|印发|发表)(?=[)）。,，的\n]|$)"),
)
_STATEMENT = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _STATEMENTS))
_HAN_HEADS = (
    "生效", "施行", "实施", "启用", "执行", "起正", "起开", "起全", "起施", "起执", "起实", "起生", "起启", "起适",
    "起推", "有效期", "截止", "截至", "废止", "作废", "代替", "取代", "替代", "替换", "失效", "停用", "下线",
    "停止", "已", "不再", "征求", "公开征", "意见征", "草案", "讨论稿", "送审稿", "修订稿", "未定稿", "草稿", "初稿",
    "拟", "建议", "提议", "评审中", "审议中", "待评", "待审", "待批", "待合", "未合", "未获", "更正", "勘误", "订正",
    "录错", "印错", "写错", "抄错", "标错", "登错", "排错", "贴错", "误抄", "误写", "误印", "误录", "误标", "误植",
    "误登", "误取", "正确", "误引", "误填", "笔误", "有误", "旧制", "旧版", "旧规", "历史版", "过期版",
    "听", "据说", "据传", "传闻", "网传", "有传言", "内部消", "内部人", "小道消", "有人说", "好像", "貌似",
    "似乎", "应该是", "我记得", "印象中", "不太确", "不确定", "估计是", "最后", "最近", "最新", "更新", "修订",
    "上调", "下调", "提高", "提升", "降低", "放宽", "收紧", "延长", "缩短", "调整", "变更", "增加", "减少", "扩大",
    "恢复", "更改", "现(?=[为改调行]|已[改调]?为)", "即日", "修改", "修正", "编辑", "发布", "发表", "发文",
    "印发", "成文", "签发", "刊登",
    "公布", "颁布", "发稿", "公告",
)
_LATIN_HEADS = (
    "effective", "take", "taking", "took", "with effect", "in force", "in effect", "into ", "valid ", "expir",
    "offer ", "promotion ", "sale ", "good ", "as of", "supersed", "replac", "no longer", "withdrawn", "repealed",
    "obsolete", "deprecated", "outdated", "has expired", "have expired", "archived", "draft", "propos",
    "in beta", "beta ", "pre-release", "prerelease", "preliminary", "not ", "rumo", "i ", "i'", "apparently",
    "allegedly", "reportedly", "supposedly", "iirc", "afaik", "unconfirmed", "someone", "word is", "last ",
    "date ", "updated", "revised", "modified", "rev", "published", "posted", "released", "issued", "errat",
    "corrig", "correction", "misprint", "typo", "disregard", "misstated", "mistyped", "wrongly", "printed", "printing",
    "stated", "listed", "copied", "should", "figure", "page", "table", "number", "guide", "manual", "listing", "poster",
    "leaflet", "booklet", "brochure", "article", "sheet", "rfc", "status", "under ", "request ", "consultation",
    "shall propose", "will propose", "raised", "lowered", "increased", "reduced", "cut", "extended", "shortened",
    "changed", "changes", "goes up", "drops", "rises", "moved", "from today", "now ", "with immediate", "until further",
    "target", "work in", "open for", "we propose", "for discussion", "no start",
)
_HEADS = re.compile("|".join((
    *(c + _DIGIT_AHEAD for c in "自从至到"), *_HAN_HEADS, *(f"{w}(?<![a-z]{w})" for w in _LATIN_HEADS)
)))
_LEADING = re.compile(r"\s{0,8}[\[(（【]?(?=[0-9]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
_LEADING_END = re.compile(r"[ ]?(?:[-–—·|:：\])）】,，]|\.\.\.|…|$)")
#: 旧端口已下线, 原号码停用: what went is what was, and the page says what is.
_OLD_THING = re.compile(
    r"(?:[旧老]|原(?!因|则|来|理|本|价|件|文|有))的?[\u3400-\u9fffa-z]{1,6}(?:已经?|将|同时|随即|即日|不再|一律|均)?$"
)
_OTHER_DOCUMENT = re.compile(
    r"原(?!因|则|来|理|本|价|件|文|有)|旧|此前|之前|以前|过去|同时|《|previous|prior|earlier|old "
    # An edition named by its year: 2022版凭证, 二〇二二年雨季提示.
    r"|(?:20[0-9]{2}|二[〇零][〇零一二三四五六七八九]{2}) ?(?:版|年版?(?=[^0-9,，、]{0,8}"
    r"(?:规定|办法|标准|通知|条款|规则|政策|细则|制度|公告|协议|方案|条例|须知|说明|手册|指南|提示|凭证|价目)))"
    r"|20[0-9]{2} (?:version|edition|policy|handbook|guide|rules|terms|notice|tariff|price list)"
    # A page does not put a part of itself out of force.
    r"|第.{1,6}[条章页款项]|v[0-9](?:\.[0-9]+)?|rev\.? ?[a-z0-9](?![a-z])|同名|§ ?[0-9]|handbook|the [a-z]{2,12} figure"
)
_DOCUMENT = re.compile(
    "version|policy|page|document|edition|guide|rule|terms|plan|tariff|notice|standard|release|manual|article|"
    "schedule|api|handbook|figure|section|clause|§"
)
_NEEDS_DOCUMENT = frozenset(("replaced by", "replaced", "withdrawn", "obsolete", "outdated"))
"""Said of people and habits too: they count where a document is named before them."""
_HAN_DOCUMENT_NAMES = (
    "规定|办法|标准|通知|条款|规则|政策|版|文件|细则|制度|公告|协议|方案|条例|须知|说明|接口|价目|提示|凭证|手册|指南|折页"
    "|要求|事项|约定|章程|守则|流程|价格|费率|口径|做法|第.{1,6}[条款项章]"
)
_NAMED_DOCUMENT = re.compile(_HAN_DOCUMENT_NAMES + "|》")
_HAN_DOCUMENT = re.compile(_HAN_DOCUMENT_NAMES + "|本|该|上述|已")
_NEEDS_HAN_DOCUMENT = ("作废", "失效", "停用", "下线")
"""Coupons, cards and machines end so too: these need a document's name in their clause."""
_SUPPOSED = re.compile(
    r"[如若凡]|假如|一旦|可能|是否|是不是|核对|确认|无|没有|申请|\b(?:if|may|any|whether|in case|report)\b"
)
_SUPPOSED_EN = re.compile(r"\b(?:if|whether|in case)\b[^.;,\n]*$")
_SUPPOSED_REACH, _SUPPOSED_REACH_EN = 10, 24
"""如有误请联系: a mistake that may be, not one that was made."""
_HEAD_REACH = 60
"""Characters at the head of a page within which it calls itself an old edition."""
_DENIED = re.compile("(?:not|never|未|不|没有?)[ ]?(?:been |be )?$")
_DEADLINE = re.compile("报名|活动|申请|有效|优惠|征集|投票|提交|受理|缴费|征稿|促销|预售")
_CLAUSE_BREAK = re.compile(r"[。;；\n!?！？]|\. ")


def find_marks(folded: str) -> tuple[Mark, ...]:
    """自…起施行, 有效期至, 废止, 更新于, 征求意见稿, effective, valid until, last updated, superseded, draft ...

    In order of ``start``. ``supersedes``: the text says that it replaces another document; ``withdrawn``: that it,
    or what it describes, no longer holds. A web snippet's leading date is ``published``.
    """
    text = folded.translate(FULL_WIDTH) if _WIDE.search(folded) else folded
    marks: list[Mark] = []
    leading = _leading_date(text)
    if leading is not None:
        marks.append(leading)
    reached = 0
    for head in _HEADS.finditer(text):
        m = _STATEMENT.match(text, head.start()) if head.start() >= reached else None
        if m is None or m.lastgroup is None:
            continue
        reached = m.end()
        kind, _, side = m.lastgroup.partition("_")
        mark = _statement(text, m, kind, side)
        if mark is not None:
            marks.append(mark)
    marks.sort(key=lambda mark: (mark.start, mark.end))
    return tuple(_of_the_corrected(text, marks))


def _of_the_corrected(text: str, marks: list[Mark]) -> list[Mark]:
    """'The card was printed wrong and is withdrawn': what goes is what was wrong, not the page that says so.

    And what is proposed to change has not changed.
    """
    found: list[Mark] = []
    for mark in marks:
        before = found[-1] if found else None
        if mark.kind == "changes" and before is not None and before.kind in ("draft", "hearsay"):
            if _CLAUSE_BREAK.search(text, before.end, mark.start) is None:
                continue
        same = before is not None and before.kind == "corrects" and "\n" not in text[before.end : mark.start]
        if same and mark.kind == "withdrawn" and before is not None and mark.start - before.end <= LOOK:
            mark = Mark("supersedes", mark.start, mark.end, None)
        found.append(mark)
    return found


def _leading_date(text: str) -> Mark | None:
    """'Jan 21, 2019 ...' or '2021年12月19日 - ' at the very start, as search engines put it."""
    head = _LEADING.match(text)
    if head is None:
        return None
    m = DATE_START.match(text, head.end())
    when = None if m is None else date_at(text, m)
    if when is None or not (when.year and when.month and when.day) or not _LEADING_END.match(text, when.end):
        return None
    return Mark("published", head.end(), when.end, first_day(when))


def _statement(text: str, m: re.Match[str], kind: str, side: str) -> Mark | None:
    start, end = m.span()
    when: date | None = None
    if side == "after":
        stop = _clause_end(text, end, end + LOOK)
        found = _first_with_start(text, end, stop)
        if found is not None and (found.month or m[0] not in ("自", "从")):
            end = found.end
            when = last_day(found) if kind == "expires" else first_day(found)
    elif side == "before":
        begin = max(0, start - LOOK)
        before = last_date(text, begin, start)
        told = _year_told_before(text, begin, start, before) or before
        if told is not None and _belongs(text, kind, told[1], start):
            start, when = told[0], first_day(told[1])
    if kind == "asof":  # a deadline, or the day that figures are of
        kind = "expires" if _DEADLINE.search(text, max(0, start - LOOK), start) else "updated"
    if when is None and kind in ("updated", "published"):
        return None
    if when is None and kind in ("effective", "expires") and (side == "after" or not m[0].startswith("起")):
        return None
    if kind == "corrects" and (
        _SUPPOSED.search(text, max(0, start - _SUPPOSED_REACH), start)
        or _SUPPOSED_EN.search(text, max(0, start - _SUPPOSED_REACH_EN), start)
    ):
        return None
    if kind == "withdrawn" and side == "head":
        # 'Old edition' is said of the page where it heads it; elsewhere another page is spoken of.
        return Mark("withdrawn", start, end, None) if start <= _HEAD_REACH and "。" not in text[:start] else None
    if kind == "withdrawn" and not _is_withdrawal(text, m):
        return None
    if kind == "withdrawn" and _is_about_another(text, max(0, m.start() - LOOK), m):
        return Mark("supersedes", m.start(), m.end(), None)
    return Mark(kind, start, end, when)  # type: ignore[arg-type]


_NEXT_YEAR = ("次年", "翌年", "第二年")
_HALF_A_YEAR = 6


def _year_told_before(
    text: str, begin: int, start: int, dated: tuple[int, CalendarDate] | None
) -> tuple[int, CalendarDate] | None:
    """2024年9月3日公布,10月1日起施行: a day without a year right before the words is of the year told before it.

    12月20日公布,1月1日起施行: of the year after, as 次年 and a day more than half a year back say.
    """
    if dated is None:
        return None
    for m in DATE_START.finditer(text, dated[1].end, start):
        when = date_at(text, m)
        if when is not None and not when.year and when.month and when.day and start - when.end <= _ADJOINING:
            later = text.endswith(_NEXT_YEAR, 0, m.start()) or dated[1].month - when.month > _HALF_A_YEAR
            return m.start(), when._replace(year=dated[1].year + later)
    return None


def _belongs(text: str, kind: str, when: CalendarDate, start: int) -> bool:
    """The date before the word is the word's: in one clause, and for 发布 or 修订 a whole date right before it."""
    if kind in ("published", "updated"):
        return bool(when.day) and start - when.end <= _ADJOINING
    return _CLAUSE_BREAK.search(text, when.end, start) is None


_ADJOINING = 3
"""Characters between 2024年3月1日 and the 发布 it belongs to."""


def _is_withdrawal(text: str, m: re.Match[str]) -> bool:
    if _DENIED.search(text, max(0, m.start() - LOOK), m.start()):
        return False
    if m[0].endswith(_NEEDS_HAN_DOCUMENT):
        return _HAN_DOCUMENT.search(text, _clause_start(text, m.start()), m.end()) is not None
    return m[0] not in _NEEDS_DOCUMENT or _DOCUMENT.search(text, max(0, m.start() - 2 * LOOK), m.start()) is not None


def _is_about_another(text: str, begin: int, m: re.Match[str]) -> bool:
    """原办法同时废止: the document speaks of the one it replaces."""
    clause = max(begin, _clause_start(text, m.start()))
    if _OLD_THING.search(text, clause, m.start()):
        return True
    if _OTHER_DOCUMENT.search(text, clause, m.start()) is None:
        return False
    return m[0][0].isascii() or _NAMED_DOCUMENT.search(text, clause, m.start()) is not None


def _clause_start(text: str, position: int) -> int:
    begin = max(0, position - LOOK)
    breaks = [b.end() for b in _CLAUSE_BREAK.finditer(text, begin, position)]
    return breaks[-1] if breaks else begin


def _clause_end(text: str, start: int, stop: int) -> int:
    m = _CLAUSE_BREAK.search(text, start, min(stop, len(text)))
    return m.start() if m is not None else min(stop, len(text))


def _first_with_start(text: str, start: int, stop: int) -> CalendarDate | None:
    for m in DATE_START.finditer(text, start, stop):
        when = date_at(text, m)
        if when is not None and when.year:
            return when
    return None
