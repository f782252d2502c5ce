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
    (CUSTOMER, "用户|顾客|买家|买方|买受人|购买者|客户|客人|消费者|旅客|乘客|住户|业主|租客|租户|租户方|承租人|承租方|租车人|会员|个人|本人|自己|您|你|家长|学员|学生|读者|持卡人|持证人|户主|房主|新人|来宾|宾客|居民|村民|散客|考生|选手|参赛者|报名者|借阅人|使用者|买主|委托人|委托方|病人|家属|贵方|贵司|贵单位|车主|员工|职工|车主|机主"
               "|投保人|被保险人|参保人|患者|游客|住客|房客|居民|使用人|借用人|申请人|订户|商户|观众|听众|订阅者|投稿人|亲友|咱们?自己|消费方|甲方"),
    (PROVIDER, "商家|卖家|卖方|店家|店里|店方|本店|门店|店铺|厂家|厂方|厂里|厂商|工厂|品牌方|官方|公司|本公司|我司|我方|我们|我处|企业|供应商|经销商|服务商|平台|物业|房东|出租方|出租人|船方|船公司|航司|航空公司|校方|学校|院方|医院"
               "|银行|单位|雇主|用人单位|保险公司|投递方|投递人|快递员|快递公司|快递方|承运方|承运人|主办方|承办方|养护单位|派出单位|网点|售后|他们|他们公司|咱们(?!自己)|咱家|小店|馆里|馆方|园方|院里|财政|街道|政府|居委会|总部|驾驶员?|司机|师傅|车行|开发商|施工方|装修公司|维修基金|总公司|银行方|保险人|经营者|乙方|(?:本|我|敝|弊)(?:馆|店|司|行|院|校|园|处|会|所|站|社|局|厂|厅|号|公司|中心|平台|酒店|部|县|市|单位)"),
)
#: A name that ends so is a firm's or an office's, whatever stands before; 双方, 对方, 一方 are no one's.
_FIRM_TAIL = r"[\u4e00-\u9fff]{1,5}?(?:公司|企业|集团|厂家|机构|中心|服务商|供应商|经营者|(?<![双对一两各多地官])方)"
_ZH_ROLE = "|".join(
    f"(?P<{side}>{words})" for side, words in ((s, w) for s, w in _ZH)
) + f"|(?P<firm>{_FIRM_TAIL})"
_ZH_PAY = r"承担|吸收|兜底|全包|包(?=[,。;了]|$)|补贴|补助|垫付|倒贴|扛|负责(?=[,。;]|$)|列支|结算|贴钱|认栽|吃进|结(?=[,。;]|$)|负担|担负|支付|缴纳|赔偿|赔付|报销|出资|出钱|掏钱|掏腰包|买单|埋单|结清|认账|付清|补足|预付|付款|付费|付|出|掏|赔|认|贴"
_ZH_LINK = r"(?:来|自行|自己|全额|全部|全数|全程|一律|统一|统统|照价|自掏|自愿|代为|先|免费|出面|负责|先行|另行|须|需要?|应当?|要|得|都|给|会|再|们|方|这边|直接|单独|最终|继续|按规定|均|也|的)"

#: Before a name it says that another one pays.
_ZH_NOT_BY = ("不由", "不是", "并非", "不用", "无需", "无须", "不必", "不需", "不走", "不归", "不算", "别找", "不要找", "不找")
#: How far before 自掏腰包 the one who does it stands.
_NEAR = 8
_ZH_OWN = re.compile(r"自理|自担(?!任)|自掏腰包|自行吸收|自付|自费|自掏|自行承担|自行负担|自己承担|自己负担|自己(?:出钱?|掏钱?|付钱?|认)|费用自负|损失自负|自负盈亏")
_ZH_FREE = re.compile(r"一分(?:钱)?(?:没|不|未)(?:收|掏|花|要)|不收(?:取)?(?:任何)?费|免费|免收|不另?收|没收钱|不要钱|不用(?:您|你)?(?:出钱|掏钱|付)|包邮|全免|分文不(?:取|收)|零费用")
_ZH_REFUSED = re.compile(r"(?:一分(?:钱)?(?:没|不|未)(?:给|出|赔|付|报)|不(?:予)?(?:承担|负担|负责|报销|赔偿|赔付|赔|认|管|出|报(?!警|名|告|送)|担责|掏)|概不|没有报销|没有赔|无报销|不在报销)")
_SHARED = re.compile(
    r"各(?:自)?(?:承担|负担|担|出|付)?(?:一半|半|50%|百分之五十)|(?:平摊|均摊|分摊|对半|五五分|一人一半|共同(?:承担|负担|分担))|各半"
    r"|\b(?:split|shared?|halved?|divided)\b[^.;]{0,30}\b(?:equally|between|evenly|half)|\b(?:half each|fifty-fifty|50/50|half and half)\b"
)

_EN: tuple[tuple[str, str], ...] = (
    (RECIPIENT, "recipient|addressee|consignee|receiver|person receiving the goods"),
    (SENDER, "sender|shipper|consignor"),
    (CUSTOMER, "householders?|homeowners?|borrowers?|readers?|cardholders?|visitors?|delegates?|parents?|couples?|players?|drivers?|shoppers?|callers?|leaseholders?|customers?|buyers?|purchasers?|renters?|tenants?|guests?|passengers?|members?|owners?|users?|claimants?|applicants?|students?|employees?|policyholders?|consumers?|hirers?|lessees?|travell?ers?|residents?|patients?|subscribers?|hosts?|you"),
    (PROVIDER, "we|us|sellers?|shops?|stores?|company|firm|makers?|manufacturers?|landlords?|airlines?|hotels?|carriers?|suppliers?|vendors?|bank|employers?|insurers?|retailers?|dealers?|haulier|merchant|merchants|operator|landlord|lessor|provider|council|agency|works|school|university|venue|hall|library|studio|branch|house|network|association|authority|clinic|garage|builders?|contractors?|fitters?|organisers?|organizers?|club|office|practice|brand|depot"),
)
_EN_ROLE = "|".join(f"(?P<{side}>{words})" for side, words in _EN)
_EN_BY = re.compile(
    rf"\b(?:paid|borne|payable|covered|met|settled|footed|funded|charged|billed|invoiced|shouldered|absorbed|carried|swallowed|recovered|recharged|debited|passed on|claimed|taken|deducted|down|up|falls?|fall|goes|lands?)\b(?: (?:for|back|in full|entirely|always|only))?"
    rf" (?:by|to|on|with|from) (?:the |a |an )?(?:{_EN_ROLE})\b"
)
_EN_PAYS = re.compile(
    rf"\b(?:{_EN_ROLE})(?: (?:will|must|shall|has to|have to|should|always|also|then|only|alone|themselves|himself|yourself|both))?"
    r" (?:pays?|paid|bears?|bore|stands?|swallows?|absorbs?|shoulders?|carry|carries|settles?|covers?|covered|foots?|footed|meets?|met|picks? up|funds?|reimburses?|reimbursed|refunds?|is liable|are liable|is responsible|are responsible)\b"
)
_EN_BILLED = re.compile(rf"\b(?:{_EN_ROLE}) (?:(?:is|was|are|were|gets?|will be) )?(?:\w{{2,10}} )?(?:charged|invoiced|billed)\b")
_EN_COST = re.compile(rf"\b(?:at|on|for) (?:(?P<mine>your|his|her|their)|(?P<ours>our)|(?:the )?(?:{_EN_ROLE})(?:'s|s')) (?:own )?(?:cost|expense|charge|account|bill|tab|dime|pocket)\b")
_EN_ON = re.compile(rf"\b(?:is|are|was|comes?|be) (?:(?:always|entirely|all|also|still|both ways) )?(?:down to|up to|on) (?:the )?(?:{_EN_ROLE})\b")
#: From whose pocket or deposit it comes; on the house.
_EN_POCKET = re.compile(r"\b(?:out of|from|off|against) (?:(?P<mine>your|his|her|their|the (?:tenant|renter|buyer|guest|customer)'s)|(?P<ours>our)) (?:own )?(?:pockets?|deposit|wages|account|refund|fund|bond)\b|\b(?P<house>on the house|costs? you nothing|you pay nothing|nothing to pay)\b|\b(?:added to|put on|charged to) (?P<bill>your|the (?:customer|couple|guest|tenant|buyer|member|household)'s|their) (?:final )?(?:bill|account|tab|invoice)\b")
_EN_HALF = re.compile(r"\bhalf by [a-z]{2,12} and half by\b|\bhalf (?:each|and half)\b")
_EN_LOOKOUT = re.compile(rf"\b(?:is|are|remains?|stays?) (?:entirely |always )?(?:the |a )?(?:{_EN_ROLE})(?:'s|s') (?:own )?(?:lookout|problem|responsibility|job|affair|headache|business|duty)\b")
_EN_FREE = re.compile(r"\b(?:free of charge|at no (?:extra )?(?:cost|charge)|no charge|nothing is added to your bill|without charge|won't cost you)\b")
_EN_NOT = re.compile(r"\b(?:not|never|no longer|n't|cannot|nor|neither)\b|n't\b")
#: What stands before a case that is set apart from the rule: it comes second and holds for that case only.
_CASE_APART = re.compile(r"除外|但书|(?:如|若|倘)(?:果|因|系|属)|人为|例外|逾期|擅自|拒不|坚持|自备|\b(?:unless|except|save where|later|after that|otherwise|if you|misuse)\b")


_LONGEST = 1500
#: A name and the side it stands for.
Named = tuple[str, str]
_TWO = 2
#: Marks for names are characters of private use.
_FIRST_MARK, _MOST_NAMED = 0xE000, 32
#: Stands for 'only who is named is on this side'.
_NAMED_ONLY = "\0"
#: Before 向谁收取 it says that nobody does, and how far before.
_ZH_NOT_FROM = re.compile(r"不得|不会|不再|不应|不可|不能|禁止|无权|严禁|切勿|请勿|不准|不许|没有")
_REACH = 12
#: 甲方为新人, 甲方:物业公司; 物业公司(甲方), 锦厅(以下简称乙方). Contracts say it at their head.
_DEFINED = re.compile(r"(?P<party>[甲乙丙]方)(?:为|是|即|系|:|\() ?(?P<name>[\u4e00-\u9fff]{2,12})")
_DEFINED_AFTER = re.compile(r"(?P<name>[\u4e00-\u9fff]{2,8})\((?:以下)?(?:简称|称)?\"?(?P<party>[甲乙丙]方)")
_HEAD = 600
_COST = re.compile(r"[\u4e00-\u9fff]{1,2}费(?!用|者|解|劲|时|力)|[\u4e00-\u9fff]{1,2}(?:押金|罚款|定金)|\b(?:postage|carriage|deposit|duty|parking|cleaning|toll)\b")


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


def payers(text: str, makers: tuple[str, ...], named: tuple[Named, ...] = ()) -> tuple[Payer, ...]:
    """Every side that a folded sentence makes pay, in order.

    ``makers``: names that the question gives the firm; ``named``: other names with their sides.
    """
    text = text[:_LONGEST]
    found = list(_chinese(text, named)) if any(c > "\u3400" for c in text) else []
    found += _english(text, makers)
    found.sort(key=lambda p: p.start)
    return tuple(found)


def named_in(page: str, options: tuple[tuple[str, ...], ...], makers: tuple[str, ...]) -> tuple[Named, ...]:
    """Names that stand for a side: the two payers of a question, its maker, and 甲方 and 乙方 as a page has them.

    Of two payers the first is put where its name puts it, and the other on the other side, whatever its name is.
    """
    found = [(maker, PROVIDER) for maker in makers]
    if len(options) == _TWO:
        first, second = (words[0] for words in options)
        sides = _role_of(first), _role_of(second)
        one = sides[0] if sides[0] and sides[0] != sides[1] else _other(sides[1]) if sides[1] else CUSTOMER
        found = [(first, one), (second, _other(one))]
        customer = first if one == CUSTOMER else second
        if not _role_of(customer):
            found.append((_NAMED_ONLY, CUSTOMER))  # a firm stands on that side: no other customer does
    known = dict(found)
    for m in (*_DEFINED.finditer(page[:_HEAD]), *_DEFINED_AFTER.finditer(page[:_HEAD])):
        name = m.group("name")
        side = next((side for key, side in known.items() if key in name), _role_of(name))
        if side:
            found.append((m.group("party"), side))
    return tuple(found)


def other_cost(text: str, question: str) -> bool:
    """The sentence speaks of costs by a name that the question does not hold (运费, where lamps are taken down)."""
    costs = {m.group() for m in _COST.finditer(text)}
    return bool(costs) and not any(c in question or c[:-1] in question for c in costs)


def _chinese(text: str, named: tuple[Named, ...]) -> list[Payer]:
    found: list[Payer] = []
    taken: list[tuple[int, int]] = []

    def add(side: str, start: int, end: int, named: bool = True) -> None:
        if side and not any(s < end and start < e for s, e in taken):
            taken.append((start, end))
            found.append(Payer(side, start, _is_apart(text, start), named))

    text, known = _with_marks(text, named)
    for m in _SHARED.finditer(text):
        add(SHARED, *m.span())
    by, pays, taken_from, theirs = _zh_patterns()
    strict = next((side for name, side in named if name == _NAMED_ONLY), "")

    def side_of(m: re.Match[str]) -> str:
        if m.group("named"):
            return known.get(m.group("named"), "")
        side = _side(m)
        return "" if side == strict else side

    for m in taken_from.finditer(text):
        denied = m.group("no") or _ZH_NOT_FROM.search(text, max(0, m.start() - _REACH), m.start())
        add(_other(side_of(m)) if denied else side_of(m), *m.span())
    for m in _ZH_REFUSED.finditer(text):
        before = _last_role(text[max(0, m.start() - 14) : m.start()], known)
        if before:
            add(_other(before), m.start(), m.end())
    for pattern in (by, theirs, pays):
        for m in pattern.finditer(text):
            side = side_of(m)
            if pattern is pays and m.group("verb").startswith("自") and side != PROVIDER:
                side = CUSTOMER
            left = text[max(0, m.start() - 3) : m.start()]
            if left.endswith(_ZH_NOT_BY) or (pattern is theirs and left.endswith("不")):
                side = _other(side)
            add(side, *m.span())
    for m in _ZH_OWN.finditer(text):
        add(_last_role(text[max(0, m.start() - _NEAR) : m.start()], known) or CUSTOMER, *m.span())
    for m in _ZH_FREE.finditer(text):
        add(PROVIDER, *m.span(), named=False)
    return found


def _with_marks(text: str, named: tuple[Named, ...]) -> tuple[str, dict[str, str]]:
    """The text with a mark for each name that question and page add to the list, and the sides of the marks.

    A mark is one character that no text uses: patterns with the names themselves would be built anew for each question.
    """
    known: dict[str, str] = {}
    for number, (name, side) in enumerate(sorted(named, key=lambda n: -len(n[0]))[:_MOST_NAMED]):
        if name and name != _NAMED_ONLY:
            mark = chr(_FIRST_MARK + number)
            known[mark] = side
            text = text.replace(name, mark)
    return text, known


@lru_cache(maxsize=1)
def _zh_patterns() -> tuple[re.Pattern[str], ...]:
    """由谁承担, 谁承担, 向谁收取, 算谁的; a name that question or page adds stands as its mark."""
    role = rf"(?P<named>[\ue000-\ue01f])|{_ZH_ROLE}"
    return (
        re.compile(
            rf"(?:由|归|算|让|叫|是|得|找)[\u4e00-\u9fff]{{0,4}}?(?:{role}){_ZH_LINK}{{0,3}}(?P<verb>{_ZH_PAY}|的事|的责任|头上)"
        ),
        re.compile(rf"(?:{role}){_ZH_LINK}{{0,3}}(?P<verb>{_ZH_PAY}|自理|自负|自付|自费|自担|自掏腰包|掏腰包)(?![口入现发生示])"),
        re.compile(
            rf"(?P<no>不|不再|无须|无需)?(?:向|跟|找|问|从)(?:{role})(?:的?(?:账户|押金|保证金|余额|工资|货款|结算款|福利金|福利费|经费|预算|专项资金)(?:里|中)?)?(?:另行|再|额外|加)?(?:直接|中)?(?:收取|列支|支出|划拨|收费|收钱|收|要钱|追偿|索赔|另收|扣除?|抵扣)"
        ),
        re.compile(
            rf"(?:归|算|算在|记|记在|记到|走|落在|挂在|列入)(?:{role})(?:的?(?:头上|账上?|账户|名下|预算|财政|的)|(?=[,。;\n]|$))"
        ),
    )


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
    for m in _EN_HALF.finditer(text):
        add(SHARED, *m.span())
    for m in _EN_POCKET.finditer(text):
        add(CUSTOMER if m.group("mine") or m.group("bill") else PROVIDER, *m.span())
    for m in _EN_COST.finditer(text):
        side = CUSTOMER if m.group("mine") else PROVIDER if m.group("ours") else _side(m)
        add(side, *m.span())
    for pattern in (_EN_BY, _EN_PAYS, _EN_BILLED, _EN_ON, _EN_LOOKOUT):
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


@lru_cache(maxsize=512)
def _role_of(name: str) -> str:
    """The side of a name by the list or its ending; empty where neither tells."""
    m = _role_pattern().search(name)
    if m is not None:
        return _side(m)
    return CUSTOMER if name in ("我", "咱", "me", "i") else ""


def _last_role(text: str, known: dict[str, str]) -> str:
    marked = max((text.rfind(mark) for mark in known), default=-1)
    last = None
    for m in _role_pattern().finditer(text):
        last = m
    if marked >= 0 and (last is None or last.start() < marked):
        return known[text[marked]]
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
