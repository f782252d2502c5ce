# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Who pays or answers for something: the side that a clause names beside a verb of paying.

There are few ways to say it (由…承担, …自理, paid by, at your own cost, on us) and many names for the two sides. A name
that no list holds is placed by its ending (供气企业, 投递方) or by the question, whose maker is the one who provides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

#: The sides. A recipient or sender is a customer where only customer and firm are set against each other.
CUSTOMER, PROVIDER, RECIPIENT, SENDER, SHARED = "customer", "provider", "recipient", "sender", "shared"
_CUSTOMERS = frozenset((CUSTOMER, RECIPIENT, SENDER))

#: Longer names first where one holds the other. 自己 and 您 stand for whoever asks.
_ZH: tuple[tuple[str, str], ...] = (
    (RECIPIENT, "收件人|收件方|取件人|收货人|收货方"),
    (SENDER, "寄件人|寄件方|发件人|寄货人|托运人|发货人"),
    (CUSTOMER, "用户|顾客|买家|买方|买受人|购买者|客户|客人|消费者|旅客|乘客|住户|业主|租客|租户|租户方|承租人|承租方|租车人|会员|个人|本人|自己|您|你|家长|学员|学生|员工|职工|车主|机主"
               "|投保人|被保险人|参保人|患者|游客|住客|房客|居民|使用人|借用人|申请人|订户|商户|亲友|咱们?自己|消费方|甲方"),
    (PROVIDER, "商家|卖家|卖方|店家|店里|店方|本店|门店|店铺|厂家|厂方|厂里|厂商|工厂|品牌方|官方|公司|本公司|我司|我方|我们|我处|企业|供应商|经销商|服务商|平台|物业|房东|出租方|出租人|船方|船公司|航司|航空公司|校方|学校|院方|医院"
               "|银行|单位|雇主|用人单位|保险公司|投递方|投递人|快递员|快递公司|快递方|承运方|承运人|主办方|网点|售后|他们|他们公司|乙方"),
)
#: A name that ends so is a firm's or an office's, whatever stands before; 双方, 对方, 一方 are no one's.
_FIRM_TAIL = r"[\u4e00-\u9fff]{1,5}?(?:公司|企业|集团|厂家|机构|中心|服务商|供应商|经营者|(?<![双对一两各多地官])方)"
_ZH_ROLE = "|".join(
    f"(?P<{side}>{words})" for side, words in ((s, w) for s, w in _ZH)
) + f"|(?P<firm>{_FIRM_TAIL})"
_ZH_PAY = r"承担|负担|担负|支付|缴纳|赔偿|赔付|报销|出资|出钱|掏钱|掏腰包|买单|埋单|结清|认账|付清|补足|预付|付款|付费|付|出|掏|赔|认|贴"
_ZH_LINK = r"(?:来|自行|自己|全额|全部|全数|一律|统一|照价|负责|先行|另行|须|需要?|应当?|要|得|都|给|会|再|们|方|这边|直接|单独|最终|继续|按规定|均|也|的)"

#: 由谁承担; 谁承担; 谁的事. The role is the one whose name stands next to the verb.
_ZH_BY = re.compile(rf"(?:由|归|算|让|叫|是|得|找)[\u4e00-\u9fff]{{0,4}}?(?:{_ZH_ROLE}){_ZH_LINK}{{0,3}}(?P<verb>{_ZH_PAY}|的事|的责任|头上)")
_ZH_ROLE_PAYS = re.compile(rf"(?:{_ZH_ROLE}){_ZH_LINK}{{0,3}}(?P<verb>{_ZH_PAY}|自理|自负|自付|自费|自担)(?![口入现发生示])")
_ZH_FROM = re.compile(rf"(?P<no>不|不再|无须|无需)?(?:向|跟|找|问)(?:{_ZH_ROLE})(?:另行|再|额外|加)?(?:收取|收费|收钱|收|要钱|追偿|索赔)")
_ZH_OWN = re.compile(r"自理|自付|自费|自掏|自行承担|自行负担|自己承担|自己负担|自己(?:出钱?|掏钱?|付钱?|认)|费用自负|损失自负|自负盈亏")
_ZH_FREE = re.compile(r"一分(?:钱)?(?:没|不|未)(?:收|掏|花|要)|不收(?:取)?(?:任何)?费|免费|免收|不另?收|没收钱|不要钱|不用(?:您|你)?(?:出钱|掏钱|付)|包邮")
_ZH_REFUSED = re.compile(r"(?:一分(?:钱)?(?:没|不|未)(?:给|出|赔|付|报)|不(?:予)?(?:承担|负担|负责|报销|赔偿|赔付|赔|认|管|出)|概不|没有报销|没有赔|无报销|不在报销)")
_SHARED = re.compile(
    r"各(?:自)?(?:承担|负担|担|出|付)?(?:一半|半|50%|百分之五十)|(?:平摊|均摊|分摊|对半|五五分|一人一半|共同(?:承担|负担|分担))|各半"
    r"|\b(?:split|shared?|halved?|divided)\b[^.;]{0,30}\b(?:equally|between|evenly|half)|\b(?:half each|fifty-fifty|50/50|half and half)\b"
)

_EN: tuple[tuple[str, str], ...] = (
    (RECIPIENT, "recipient|addressee|consignee|receiver|person receiving the goods"),
    (SENDER, "sender|shipper|consignor"),
    (CUSTOMER, "customers?|buyers?|purchasers?|renters?|tenants?|guests?|passengers?|members?|owners?|users?|claimants?|applicants?|students?|employees?|policyholders?|consumers?|hirers?|lessees?|travell?ers?|residents?|patients?|subscribers?|hosts?|you"),
    (PROVIDER, "we|us|sellers?|shops?|stores?|company|firm|makers?|manufacturers?|landlords?|airlines?|hotels?|carriers?|suppliers?|vendors?|bank|employers?|insurers?|retailers?|dealers?|haulier|merchant|merchants|operator|landlord|lessor|provider|council|agency|works|school|university"),
)
_EN_ROLE = "|".join(f"(?P<{side}>{words})" for side, words in _EN)
_EN_BY = re.compile(
    rf"\b(?:paid|borne|payable|covered|met|settled|footed|funded|charged|billed|invoiced|down|up|falls?|fall|goes)\b(?: (?:for|back|in full|entirely|always|only))?"
    rf" (?:by|to|on|with) (?:the |a |an )?(?:{_EN_ROLE})\b"
)
_EN_PAYS = re.compile(
    rf"\b(?:{_EN_ROLE})(?: (?:will|must|shall|has to|have to|should|always|also|then|only|alone|themselves|himself|yourself|both))?"
    r" (?:pays?|paid|bears?|bore|covers?|covered|foots?|footed|meets?|met|picks? up|funds?|reimburses?|reimbursed|refunds?|is liable|are liable|is responsible|are responsible)\b"
)
_EN_BILLED = re.compile(rf"\b(?:{_EN_ROLE}) (?:(?:is|was|are|were|gets?|will be) )?(?:\w{{2,10}} )?(?:charged|invoiced|billed)\b")
_EN_COST = re.compile(rf"\b(?:at|on) (?:(?P<mine>your|his|her|their)|(?P<ours>our)|(?:the )?(?:{_EN_ROLE})(?:'s|s')) (?:own )?(?:cost|expense|charge|account|bill)\b")
_EN_ON = re.compile(rf"\b(?:is|are|was|comes?|be) (?:(?:always|entirely|all|also|still|both ways) )?(?:down to|up to|on) (?:the )?(?:{_EN_ROLE})\b")
_EN_FREE = re.compile(r"\b(?:free of charge|at no (?:extra )?(?:cost|charge)|no charge|nothing is added to your bill|without charge|won't cost you)\b")
_EN_NOT = re.compile(r"\b(?:not|never|no longer|n't|cannot|nor|neither)\b|n't\b")
#: What stands before a case that is set apart from the rule: it comes second and holds for that case only.
_CASE_APART = re.compile(r"除外|但书|(?:如|若|倘)(?:果|因|系|属)|人为|例外|逾期|擅自|拒不|坚持|自备|\b(?:unless|except|save where|later|after that|otherwise|if you|misuse)\b")


_LONGEST = 1500


@dataclass(frozen=True, slots=True)
class Payer:
    """The side that a clause makes pay; ``apart``: for a case set apart from the rule."""

    side: str
    start: int
    apart: bool
    named: bool = True
    """It names who pays; 'free' alone is said of many things."""


def agree(a: str, b: str) -> bool:
    """Two sides that can be the same: a recipient is a customer too."""
    if a == b:
        return True
    return CUSTOMER in (a, b) and a in _CUSTOMERS and b in _CUSTOMERS


def payers(text: str, makers: tuple[str, ...]) -> tuple[Payer, ...]:
    """Every side that a folded sentence makes pay, in order; ``makers``: names that the question gives the firm."""
    text = text[:_LONGEST]
    found = list(_chinese(text)) if any(c > "\u3400" for c in text) else []
    found += _english(text, makers)
    found.sort(key=lambda p: p.start)
    return tuple(found)


def _chinese(text: str) -> list[Payer]:
    found: list[Payer] = []
    taken: list[tuple[int, int]] = []

    def add(side: str, start: int, end: int, named: bool = True) -> None:
        if not any(s < end and start < e for s, e in taken):
            taken.append((start, end))
            found.append(Payer(side, start, _is_apart(text, start), named))

    for m in _SHARED.finditer(text):
        add(SHARED, *m.span())
    for m in _ZH_FROM.finditer(text):
        side = _side(m)
        add(_other(side) if m.group("no") else side, *m.span())
    for m in _ZH_REFUSED.finditer(text):
        before = _last_role(text[max(0, m.start() - 14) : m.start()])
        if before:
            add(_other(before), m.start(), m.end())
    for pattern in (_ZH_BY, _ZH_ROLE_PAYS):
        for m in pattern.finditer(text):
            side = _side(m)
            if m.group("verb").startswith("自"):
                side = CUSTOMER
            if text[max(0, m.start() - 3) : m.start()].endswith(("不由", "不是", "并非", "不用", "无需", "无须", "不必", "不需")):
                side = _other(side)
            add(side, *m.span())
    for m in _ZH_OWN.finditer(text):
        add(CUSTOMER, *m.span())
    for m in _ZH_FREE.finditer(text):
        add(PROVIDER, *m.span(), named=False)
    return found


def _english(text: str, makers: tuple[str, ...]) -> list[Payer]:
    found: list[Payer] = []
    taken: list[tuple[int, int]] = []

    def add(side: str, start: int, end: int, named: bool = True) -> None:
        if not any(s < end and start < e for s, e in taken):
            taken.append((start, end))
            negated = _EN_NOT.search(text, max(0, start - 12), end)
            found.append(Payer(_other(side) if negated else side, start, _is_apart(text, start), named))

    for m in _SHARED.finditer(text):
        add(SHARED, *m.span())
    for m in _EN_COST.finditer(text):
        side = CUSTOMER if m.group("mine") else PROVIDER if m.group("ours") else _side(m)
        add(side, *m.span())
    for pattern in (_EN_BY, _EN_PAYS, _EN_BILLED, _EN_ON):
        for m in pattern.finditer(text):
            add(_side(m), *m.span())
    for m in _EN_FREE.finditer(text):
        add(PROVIDER, *m.span(), named=False)
    for maker in makers:
        for m in _maker_pays(maker).finditer(text):
            add(PROVIDER, *m.span())
    return found


@lru_cache(maxsize=256)
def _maker_pays(maker: str) -> re.Pattern[str]:
    return re.compile(
        rf"\b{re.escape(maker)} (?:will |always |also )?(?:pays?|bears?|covers?|foots?|meets?|reimburses?|refunds?)\b"
    )


def _side(m: re.Match[str]) -> str:
    groups = m.groupdict()
    return next((s for s in (CUSTOMER, RECIPIENT, SENDER, PROVIDER) if groups.get(s)), PROVIDER)


def _last_role(text: str) -> str:
    last = None
    for m in _role_pattern().finditer(text):
        last = m
    return _side(last) if last else ""


@lru_cache(maxsize=1)
def _role_pattern() -> re.Pattern[str]:
    return re.compile(_ZH_ROLE)


def _other(side: str) -> str:
    return PROVIDER if side in _CUSTOMERS else CUSTOMER if side == PROVIDER else side


def _is_apart(text: str, start: int) -> bool:
    """The clause before the verb, back to the last stop, sets a case apart."""
    left = max((text.rfind(mark, 0, start) for mark in ";。.\n"), default=-1) + 1
    return _CASE_APART.search(text, left, start) is not None
