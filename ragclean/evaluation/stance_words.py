# ruff: noqa: E501  (patterns; the linter counts a Chinese character as two columns)
"""Words by which short answers agree, deny, hedge, set something aside, or say who pays; patterns over folded text.

Every repetition is bounded, so that a search is linear in the text.
"""

from __future__ import annotations

import re

#: What a negation says 'not' of follows it, up to the end of its clause. The guards keep words that only look like one
#: (不同, 无论) and bounds, which belong to their number (不超过).
NEGATION = re.compile(
    r"不(?![仅但断同过少管论妨如久满足到]|一致|一样|一定|得已|超过|[低高多少大小晚迟短]于|得(?:超过|[低高多少大小晚迟短]于))"
    r"|没有?(?!收)|无法|无(?![论线锡数限关偿])|未(?![来必满])|别(?![的人处家墅])|勿|禁止|严禁|禁用|谢绝|拒绝|免(?=[收交付缴])|莫(?![过])"
    r"|停止|取消|不再|并非"
    r"|\b(?:not|never|cannot|without|no longer|nor|neither|none|no)\b|n't\b|\b(?:dont|doesnt|cant|wont|isnt)\b"
    r"|\b(?:void|voids|voided|forbid|forbids|forbidden|prohibit|prohibits|prohibited|refuse[sd]?|avoid)\b"
)

#: Ideas that answers put in many words; each counts as one word where texts are compared.
CONCEPTS = {
    "undecided": r"(?:无法|不能|难以)(?:判断|判定|确定|确认|分辨)|[互自前相](?:相|后)?矛盾|不一致|说法(?:不一|不同)|各处说法"
    r"|cannot be decided|can ?not tell which|nothing (?:\w+ )?(?:decides|shows)|disagree|contradict each other"
    r"|inconsistent|undecidable",
    "check": r"核实|向[^。\n]{1,10}(?:确认|咨询)|\b(?:be )?check(?:ed)? with\b|please confirm with",
    "misprint": r"误印|印错|印反|印刷错误|排印错误|有误|错误|(?:是|写|登|抄)错的?|笔误|勘误|更正|misprint(?:ed|s)?|erratum|errata|typo",
    "void": r"作废|失效|废止|不再(?:适用|有效|执行)|no longer (?:valid|appl(?:y|ies)|in force)|withdrawn|superseded",
    "draft": r"(?:征求|征集)意见(?:稿|中)?|草案|草稿|稿子|修订稿|讨论稿|拟议|提案|proposals?|proposed|out for comment|\bdraft\b|consultation",
    "pending": r"(?:尚未|还没有?|没有正式|未正式|没正式|并未)(?:正式)?(?:施行|实施|生效|执行|定)|才(?:正式)?(?:施行|实施|生效|执行|适用)"
    r"|not yet|nothing (?:has )?(?:been |yet )?changed|not in force",
    "except": r"除外|例外|不在此列|不适用|另当别论|不包括|不含|不计算?在内|不算|excluded|excepted|exceptions?|not covered|excluding|except\b",
    "free": r"免费|免收|不(?:再|用|需|必)?(?:另)?收(?:费|取|钱|的)?(?!入|货|到)|无需付费|不(?:用|需|必)付(?:钱|费)|不要钱|free of charge|no charge",
    "charged": r"照(?:常)?收|收费|(?:要|还|仍|需)收|付费|自费",
    "valid": r"(?:继续|仍然?|依然|还)有效|still valid|remains valid",
    "alone": r"(?:只能|仅能|只可|只准|只用|仅限|只限)|\bonly\b",
}  # fmt: skip
CONCEPT = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in CONCEPTS.items()))
#: Ideas of which one denies the other.
OPPOSITES = {"free": "charged", "charged": "free", "void": "valid", "valid": "void"}

#: Ideas that deny something.
DENYING = frozenset(("free", "void", "except", "pending", "misprint", "alone"))
#: A question for an amount, where its parse says otherwise.
ASKS_AMOUNT = re.compile(
    r"怎么(?:收|算|计)|多少|几|费用|价格|\bhow (?:much|many|long|often|far|big|old)\b|\b(?:cost|price|fee|rate)s?\b"
)

#: How an answer to a yes/no question begins, and what may stand before it.
_BEFORE_LEAD = r"(?:(?:一般|通常|默认|正常)(?:来说|来讲|情况下)?|原则上|目前|现在|暂时?|还|应该|恐怕|这个?|您|你)?[, ]{0,2}"
LEAD_YES = re.compile(
    _BEFORE_LEAD + r"(?:是的|对的?|没错|会的|有的|当然)?[, ]{0,2}(?:可以|能够?|会|行|支持|是|需?要|需要|还收|得|有|照(?:常)?收|可能可以|允许|可(?![能是见观惜靠]))(?!不|否|能不)"
    r"|是的|对[,。]|没错|yes\b|yeah\b|yep\b|sure\b|correct\b|you can\b|it can\b|it does\b"
)
LEAD_NO = re.compile(
    _BEFORE_LEAD + r"(?:不(?![同仅但过])|没有|没戏|无法|无需|别|勿|请勿|禁止|切勿|千万(?:不|别)|不可|免收)|no\b|nope\b|not\b|never\b"
    r"|(?:you |it |they )?(?:do not|don't|does not|doesn't|cannot|can't|must not|should not|shouldn't|won't)\b"
)
#: A question that is answered by yes or no, where its parse says otherwise.
ASKS_YES_NO = re.compile(
    r"[吗嘛么][?。 ]*$|[吗嘛] |能不能|可不可以|是不是|要不要|行不行|会不会|有没有|用不用|该不该|算不算|[能可].{1,24}不[?。 ]*$"
    r"|还是.{1,16}[?]|^(?:can|could|do|does|did|is|are|was|were|will|may|should|has|have|am)\b|, ?(?:can|do|does|is|are|should|may|ok|okay) |\bok(?:ay)?\b[^?\n]{0,60}[?]"
)

#: An answer that leaves it open which of two things holds.
HEDGES = re.compile(
    r"可能[^。\n]{0,40}也(?:可能|许|有可能)|可能(?:可以|能|不)|不一定|或许|也许|说不准"
    r"|有(?:的|些|人)[^。\n]{0,60}(?:有(?:的|些|人)|也有|另(?:一|有)|还有|其他)|一[说种][^。\n]{0,40}[另一][一]?[说种]"
    r"|(?:各处|不同)?(?:资料|来源|说法)[^。\n]{0,8}(?:不一|不同|不一致|各异)|看(?:具体)?情况"
    r"|\bsome\b[^.\n]{0,80}\b(?:others?|while some|but some)\b|\bit depends\b|\beither\b[^.\n]{0,60}\bor\b|\bmay or may not\b"
    r"|\baccording to (?:some|one)\b|\bnot (?:entirely )?(?:clear|sure|certain)\b|\b(?:sources|documents|texts) (?:differ|disagree|vary)\b"
)
#: What holds in a case of its own.
CONDITIONAL = re.compile(r"若|如果|如(?![何此])|除非|的话|例外|除外|惟|情形|\b(?:if|unless|except|where|when)\b")
#: Kinds of question that no value answers.
NO_VALUE = frozenset(("yes_no", "party", "action", "name", "place", "reason", "definition"))
#: Sources at odds, told as such: an answer where the reference says the same, a hedge elsewhere.
UNDECIDED = re.compile(CONCEPTS["undecided"])

#: A value that is named to be set aside: words before it, and after it.
_KEPT = re.compile(r"仍|继续|沿用|保留|保持|依然|维持|照|按|适用|keep|kept|stay|remain|still|continue|retain|hold")
_SET_ASIDE_BEFORE = re.compile(
    r"(?:并?不是|而?非(?=\D{0,3}$)|而不是|不再是|网传|网上|流传|传言|谣传|听说的|误[印写]|错[印写]|不应(?:是|为)|不得按)[^。\n]{0,8}$"
    r"|(?:原来|原先|以前|过去|此前|之前|旧(?:版|的|规|标准)?|老(?:版|规)|早先|曾经?)[^。\n]{0,8}$"
    r"|\b(?:rather than|instead of|no longer)\b[^.\n]{0,24}$"
    r"|\b(?:not|isn't|wasn't|never) (?:(?:the|a|an|at|by|about|old|new|former|earlier|just) ){0,2}$"
    r"|\b(?:old|previous|previously|former|formerly|earlier|used to be|originally|outdated)\b[^.\n]{0,24}$"
)
_SET_ASIDE_AFTER = re.compile(
    r"^[^。\n]{0,16}(?:误印|印错|印反|印刷错误|排印错误|有误|错误|是错|笔误|不对|不准|作废|失效|废止|不再(?:适用|有效)|草案|征求意见|修订稿|"
    r"(?:尚未|还没|没有正式|未正式)(?:正式)?(?:施行|实施|生效|执行)|才(?:正式)?(?:施行|实施|生效|适用|执行)|只适用于|仅适用于|仅限于)"
    r"|^[^.\n]{0,40}\b(?:misprint|wrong|incorrect|outdated|a mistake|an error|a typo|proposal|proposed|draft|out for comment|not yet"
    r"|no longer|withdrawn|superseded|applies only to|only applies to|starts? (?:on|in)|from (?:january|february|march|april|may|june|july"
    r"|august|september|october|november|december))\b"
)
#: From one value to another: the first is past.
_CHANGED = re.compile(
    r"^[^。\n]{0,8}(?:[涨升提降调改延缩增减](?:高|价|整|少|加|长|短|低)?(?:到|至|为|成)|变(?:为|成)|->|→)|^ (?:to|up to|down to) (?=\W{0,2}$)"
    r"|^[^.\n]{0,30}\b(?:raised|increased|changed|reduced|cut|lowered|extended|went|gone up) (?:to|from)\b|^,? but (?:it )?(?:is |has )?now\b"
)


#: 2024年1月1日以前开卡的: of a date, not of what is past.
_AFTER_A_DATE = re.compile(r"^\s?[以之此]?前")


def set_aside(before: str, after: str, follows: bool, after_value: bool = False) -> bool:
    """Is a value named only to be set aside? ``before`` and ``after`` are the words up to the next values.

    Args:
        follows: another value comes after ``after`` ('from 1450 to 1900').
        after_value: ``before`` begins where another value ends, so that its 以前 is that of a date.
    """
    if follows and _CHANGED.match(after):
        return True
    if after_value:
        before = _AFTER_A_DATE.sub("", before)
    m = _SET_ASIDE_BEFORE.search(before)
    if m is not None and _KEPT.search(before[max(0, m.start() - 12) :]) is None:
        return True
    if m is not None and re.match(r"并?不是|而?非|而不是|不再是|(?:not|rather|instead|no|isn|wasn|never)\b", m[0]):
        return True
    return _SET_ASIDE_AFTER.match(after) is not None


#: Who pays. Words for the one who buys, rents, is insured ...; whoever else is named is the other side.
_CUSTOMER = (
    r"用户|消费者|住客|租客|租户|租用人|承租人|承租方|顾客|客户|买家|买方|会员|乘客|旅客|送修人|送修的人|送修者|患者|投保人|被保险人|职工|员工|学生|"
    r"家长|业主|[取收寄]件人|收货人|下单人|使用人|申请人|持卡人|车主|户主|住户|居民|考生|参保人|当事人|您|你|我|自己|个人|本人|自行|自"
)
_PAYS_ZH = r"(?:承担|负担|负责|支付|垫付|付[钱费款]?|出[钱资]?|掏[钱腰]?|赔偿?|买单|理)"
_PAYER_ZH = re.compile(
    rf"(?:(?:由|归|算)(?P<by>[^。,\n]{{1,12}}?)(?:来|全额|全部|自行|自己|照价)?{_PAYS_ZH})"
    rf"|(?P<self>(?:{_CUSTOMER})(?:需?要?|得|需|应|必须|自己|自行|来|全额|就要){{0,3}}(?:自己|自行)?{_PAYS_ZH})|自[付理费担掏负](?!责)"
    rf"|(?P<who>厂家|厂商|商家|公司|品牌|卖家|房东|出租方|出租人|平台|保险|单位|学校|医院|店家|官方|我们|本店)[^。,\n]{{0,4}}?{_PAYS_ZH}"
    rf"|(?:都是?|全)(?!不)(?P<all>[^。,\n不]{{1,8}}?)(?:来|全额)?{_PAYS_ZH}"
    rf"|(?P<free>不(?:用|需|必)(?:您|你|自己)?(?:付|出|掏))"
)
_PAYER_EN = re.compile(
    r"\b(?:paid|covered|borne|met|settled) by (?:the |your )?(?P<by>\w+)"
    r"|\b(?:charged to|at) (?:the |your )?(?P<to>\w+)'?s? (?:own )?(?:cost|expense|account)"
    r"|\bcharged to (?:the |your )?(?P<whom>\w+)|\bon (?P<us>us)\b|\bat (?P<own>your) own (?:cost|expense)"
    r"|\b(?P<who>you|customers?|users?|tenants?|buyers?|owners?|guests?|senders?|recipients?|members?|landlord"
    r"|manufacturer|company|firm|supplier|carrier|we|maker|insurer|seller|shop|store) (?:will |must |have to |has to "
    r"|would |should )?(?:pays?|bears?|covers?|meets?|foots?)\b"
)
_CUSTOMER_WORD = re.compile(
    rf"(?:{_CUSTOMER})|\b(?:you|customers?|users?|tenants?|buyers?|owners?|guests?|senders?"
    r"|recipients?|members?|passengers?|students?|holders?|patients?|residents?|drivers?)\b"
)


def payer_span(folded: str) -> tuple[int, int]:
    """Where a clause says who pays; (0, 0) where it does not."""
    m = _PAYER_ZH.search(folded) or _PAYER_EN.search(folded)
    return m.span() if m else (0, 0)


def payer(folded: str) -> str:
    """``customer`` or ``other``: who pays by a clause; empty where it does not say."""
    m = _PAYER_ZH.search(folded)
    if m is not None:
        if m["free"] or m["who"]:
            return "other"
        named = m["by"] or m["all"]
        if named:
            return "customer" if _CUSTOMER_WORD.search(named) else "other"
        return "customer"
    m = _PAYER_EN.search(folded)
    if m is None:
        return ""
    named = m["by"] or m["to"] or m["whom"] or m["who"] or ""
    return "customer" if m["own"] or _CUSTOMER_WORD.search(named) else "other"
