# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Does the question need facts of several pages put together? Told from its wording alone.

Three kinds: a *bridge* (a thing that is only described must be found first: the founder of X, the year that Y), a
*comparison* of two things, and a *combination* (a sum, the time between, each of two things). Two attributes of one
thing are none of them: one page can answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ragclean.text import question_words as qw
from ragclean.text.question import Question

HopKind = Literal["", "bridge", "comparison", "combination"]

#: Only so much is read: what a question asks stands in a few clauses, and patterns with two gaps must stay cheap.
_READ = 240


@dataclass(frozen=True, slots=True)
class Hop:
    """Why several facts are needed; ``words``: the part of the question that tells."""

    kind: HopKind
    words: str = ""


SINGLE = Hop("")

# ---------------------------------------------------------------- Chinese

#: Inside one clause; bounded.
_IN = r"[^,，。;；?？!！\n]"
_JOIN = r"(?:和|与|跟|同(?!一)|及|以及|、|还是|或者?|相?比)"
_COMPARED = (
    r"(?<!最)(?:高|低|(?<![事校市省院部队班会船机处局县州行店科])长|短|大|小|多|少|贵|便宜|快|慢|早|晚|好|差|强|弱|重|轻|老|久|远|近|宽|厚|薄|耐用|划算|省[电油钱]?|安静|年长|年轻|严格?|宽松|先|值得买?|合适|适合|深|热|冷)"
)
_MORE = rf"(?:更加?|比较|还要?|要|较)?(?:不)?{_COMPARED}"
_COMPARE_ZH = (
    # X200和X300哪个保修更长, 北京和上海哪个城市人口多
    re.compile(rf"{_JOIN}{_IN}{{1,30}}?(?:[,，][^,，]{{0,6}})?(?:哪一?[个家款种条支部座位边只台辆本门类项]|哪(?=城市|方)|谁){_IN}{{0,14}}?{_MORE}(?:一?[些点])?(?:[呢啊呀]|$|[?？])"),
    # K3的噪音比K5低吗, 珠峰比乔戈里峰高多少
    re.compile(rf"(?<![对百相评之无占性同环])比(?![赛例如特较亚率重分价喻利萨基尔方邻比拼什心目克])(?!\d+(?:\.\d+)?(?![\da-z]))(?!上一?代|以前|之前|原来|平时|别人|一般){_IN}{{1,16}}?{_MORE}(?:了)?(?:一?[些点])?(?:多少|几|[吗么嘛]|$|[?？])"),
    # P8和P8 Pro的电池容量差多少, 是西湖的多少倍
    re.compile(rf"{_JOIN}{_IN}{{1,24}}?(?:相?差(?:了)?(?:多少|几|多大|多远)|差距(?:有|是)?多)|是{_IN}{{1,16}}的(?:多少|几)倍|比{_IN}{{1,16}}多(?:多少|几)"),
    # 比X200便宜又带自清洁的型号, 年假比总部多 (which of several)
    re.compile(rf"哪[些几]?{_IN}{{1,14}}?(?<!对)比(?![赛例如特较率重分价])[^\d,，。?？]{_IN}{{0,12}}?{_MORE}(?=$|[?？])|比(?![赛例如特较率重分价])(?=[a-z\u3400-\u9fff]){_IN}{{1,12}}?{_COMPARED}(?:又|且|并且|而且|的){_IN}{{1,16}}?(?:哪|几|有没有|什么)"),
    re.compile(rf"{_JOIN}{_IN}{{1,16}}?(?:是|在|都是)(?:不是)?(?:在)?同一?(?:年|天|个|家|所|座|部|届|国|城)"),
)
_DIFFERENCE_ZH = re.compile(rf"{_JOIN}{_IN}{{1,20}}?(?:区别|不同|差别|差异|不一样)|(?:对比|比较)(?:一下)?{_IN}{{1,14}}?{_JOIN}")
_SUM_ZH = re.compile(
    rf"(?:{_JOIN}|加上?|再[加配买]){_IN}{{1,20}}?(?:一共|总共|合计|加起来|加一起|总和|之和|共计|总计)"
    rf"|从?{_IN}{{2,12}}(?:到|和|与|跟){_IN}{{1,12}}?(?:之间|中间)?(?:相?隔|间隔|相差|差)了?(?:多少|几|多久)"
)
_EACH_ZH = re.compile(r"(?<!的)分别|各自?(?=是|为|要|收|需|有|能|可以|多|几|在|叫|由)")
#: The two names before 'each': nothing may own them, or they are attributes of one thing.
_PAIR_ZH = re.compile(r"([^,，。;；?？!！\s的]{1,12}?)(?:和|与|跟|以及|、)([^,，。;；?？!！\s、和与跟]{1,12}?)(?:的|分别|各|[这那]?[两三几]|$)")

#: Two parts or sides of one thing, told on one page.
_PAIRED = qw.word_set("开始 结束 首重 续重 输入 输出 上传 下载 男 女 男子 女子 上午 下午 白天 夜间 早上 晚上 最大 最小 最高 最低 成人 儿童 宽 高 长 本金 利息 买家 卖家 甲方 乙方 工作日 周末 平时 节假日")

_ROLE = (
    r"(?:导演|作者|编剧|创始人|创办人|创立者|发明人|发明者|发现者|设计者|设计师|妻子|丈夫|老公|老婆|太太|父亲|母亲|爸爸|妈妈|儿子|女儿|哥哥|弟弟|姐姐|妹妹|祖父|祖母|爷爷|奶奶|外公|外婆|孙子|前夫|前妻|"
    r"首席执行官|ceo|董事长|总裁|总统|总理|皇帝|国王|市长|省长|校长|院长|主席|主演|男主角?|女主角?|扮演者|饰演者|主唱|原唱|作曲者?|作词者?|经理|主管|上级|老师|导师|队长|主教练|教练|得主|冠军|"
    r"母公司|控股公司|收购方|供应商|制造商|生产商|厂家|厂商|开发商|发行商|出版社|乙方|甲方|继任者?|前任|接班人|首都|省会|总部|母校|发源地|出生地|女一号|男一号|开发者|原著作者|原作者|运营商|承运商)"
)
#: What is asked of a person or an organisation that was only described.
_THEIR = (
    r"(?:出生地?|生于|毕业|母校|国籍|籍贯|家乡|老家|总部|妻子|丈夫|老公|老婆|父亲|母亲|爸爸|妈妈|儿子|女儿|哥哥|弟弟|姐姐|妹妹|祖父|祖母|前夫|前妻|导师|老师|上级|主管|市长|省长|校长|院长|总统|首都|省会|面积|人口|"
    r"电话|邮箱|联系方式|地址|审批额度|额度|生日|年龄|星座|身高|学历|专业|代表作|成立|创立|注册资本|官网|扮演者|饰演者|老板|创始人|董事长|ceo|法人|主演|处女作|成名作|死因|逝世|去世|年号|陵墓|货币|官方语言|股票代码|市值|继任者?|前任)"
)
#: Kinds of thing of which one can be meant by what it did.
_DESCRIBED = (
    r"(?:人|作家|诗人|画家|导演|演员|歌手|科学家|宇航员|总统|皇帝|国王|球员|球队|乐队|选手|公司|企业|厂家|厂商|机构|组织|银行|保险公司|大学|学校|学院|城市|国家|省份?|州|部门|团队|型号|电影|小说|专辑|山峰|河流|岛屿|年份)"
)
#: Deeds done by one: 'who invented X' names a person as well as the name would. 在上海工作的人 are many.
_DEED = (
    r"(?:发明|创立|创办|创建|创造|建立|发现|设计|收购|兼并|主演|饰演|扮演|执导|导演|拍摄|创作|谱写|写(?:下|出|了)?|著|出版|发行|开发|研发|生产|制造|负责|主办|举办|承办|击败|打败|刺杀|获得|夺得|赢得|首次|第一[个位次]|首[位个]|最后一[个位任]|签约|供应|提供|投资|控股|承包|替代|取代|接替|娶|嫁|登上|登月|率领|领导|建造|统一)"
)
_BRIDGE_ZH = (
    # 《》作者的祖父, 创始人的出生地, 导演毕业的大学
    re.compile(rf"(?<![我你您咱他她])(?<!我们的)(?<!我的){_ROLE}的?(?:第?[一二三]任)?(?:的)?{_THEIR}(?!证|单|簿)"),
    # 董事长名下有多少家公司, 导演还拍过什么
    re.compile(rf"(?<![我你您咱哪])(?:导演|作者|编剧|创始人|董事长|总裁|总经理|ceo|首席执行官|校长|市长|妻子|丈夫|老公|老婆|女儿|儿子|父亲|母亲)(?:名下|旗下|任职|还?(?:有|拍|写|演|执导|创办|投资)过?(?:了)?(?:什么|哪些|几|多少){_IN}|(?:今年)?(?:多大|几岁|多少岁)|在哪(?:里|儿)?(?:出生|毕业|上学|读书))"),
    re.compile(rf"(?<![我你您咱]){_ROLE}(?:是|来自)哪(?:里|儿|国|个?国家|个?省|个?城市)的?人|(?<![我你您咱]){_ROLE}(?:以前|曾经?|之前|还)(?:在|是|拍|写|主演|演|执导|任)|{_ROLE}(?:主演|执导|写|拍|演)过的"),
    # 发明青霉素的人获得诺贝尔奖是哪一年, 生产X200的公司的总部
    re.compile(rf"(?<!我){_DEED}{_IN}{{1,16}}?的(?:那[个家位款所支部座])?{_DESCRIBED}(?!员|才|民|们|都|需要|必须|可以|能|要|应|怎么|如何|会|有权|为|之|口|是谁|是哪|叫什么|叫谁|是什么|有哪|有谁|有多少|有几|名单)(?:的|其)?{_IN}{{0,4}}?(?:{_THEIR}|获得|现在|后来|当时|以前|还支持|{_IN}{{1,8}}(?:哪|几|什么|多少|谁))"),
    # 替代X100的那个型号, 里最便宜的那款保修多久
    re.compile(rf"^(?!{_IN}{{0,30}}[我你您咱]|{_IN}{{0,20}}[说讲提]){_IN}{{2,30}}的那(?:[个家款位部台座所支]|一?年)(?![是叫]|$|[?？])(?!{_IN}{{0,3}}(?:是|叫)(?:谁|哪|什么)){_IN}{{2,24}}?(?:多|几|哪|谁|什么|吗|怎|电话|价格)"),
    re.compile(rf"(?:获得|发布|成立|出生|上映|举办|建成|夺冠|去世|签订)[^,，。?？《》]{{0,14}}那一?[年天届]的?{_IN}{{1,16}}?(?:谁|多少|哪|什么|几)"),
    # 山峰所在的国家首都, 主办城市的市长
    re.compile(rf"(?:所在|主办|举办|出生|诞生|就读|毕业|任教|效力|隶属|所属|源头所在)的?(?:那[个家所])?(?:国家|城市|省份?|州|大学|学校|球队|公司|俱乐部|部门|县|市)的?(?!是|叫|在|位于|有(?:哪|几)){_IN}{{0,6}}?(?:{_THEIR}|在哪|位于|{_IN}{{0,4}}(?:人口|面积|市长))"),
    re.compile(rf"最早{_IN}{{1,12}}的(?:版本|型号|那版|机型){_IN}{{0,12}}?(?:需要|要求|支持|依赖|价格|多少|哪)"),
)

# ---------------------------------------------------------------- English

_COMPARATIVE = (
    r"(?:older|younger|taller|shorter|bigger|larger|smaller|longer|higher|lower|heavier|lighter|faster|slower|cheaper|pricier|dearer|better|worse|earlier|later|more|fewer|less|"
    r"stronger|weaker|warmer|colder|hotter|louder|quieter|wider|deeper|thicker|thinner|closer|nearer|farther|further|richer|newer|safer|busier|stricter|easier|harder|greater)"
)
_COMPARE_EN = (
    re.compile(rf"\b(?:which|who|whose|what|whether)\b[^?.!;]{{0,60}}?\b(?:{_COMPARATIVE}|first|last|the most|most)\b[^?.!;]{{0,40}}?[,:?]? (?:the |a |an )?[^?.!;]{{1,60}} or (?!newer|later|more|less|above|older)[^?.!;]{{1,40}}"),
    re.compile(rf"^(?:does|do|did|is|are|was|were|has|have) [^?.!;]{{2,40}} or [^?.!;]{{2,40}} (?:{_COMPARATIVE})\b"),
    re.compile(r"\b(?:first|earlier|later|last|older|younger|bigger|larger|longer|higher) (?:out of|of|among) [^?.!;]{2,40} (?:and|or) "),
    re.compile(r"\b(?:which|who)\b[^?.!;]{0,40}\bbetween [^?.!;]{1,30} and [^?.!;]{1,30}|\bbetween [^?.!;]{1,30} and [^?.!;]{1,30}, (?:which|who)\b"),
    re.compile(r"\b(?:in|on|at|from|of|have|share|born in|play(?:ed)? for) the same (?:year|month|day|country|city|town|state|province|county|region|place|school|university|college|team|company|person|nationality|continent|director|decade|century|price|size|length)\b"),
    re.compile(r"^(?:please )?compare [^?.!;]{2,60} (?:and|to|with|against|vs\.?) "),
    re.compile(r"\bdifferences? in [a-z ]{2,24} (?:between|of) "),
    re.compile(r"^(?:are|were|did|do|have|is|was) [^?.!;]{2,40} and [^?.!;]{2,40} both\b|^(?:are|were|did|do|have) both [^?.!;]{2,40} and [^?.!;]{2,40}"),
)
#: 'Longer than the K12', but not 'longer than 30 days'.
_THAN = re.compile(
    rf"\b(?:{_COMPARATIVE})\b(?: [a-z0-9$%'-]{{1,14}}){{0,3}}? than (?:the |our |my |its |in |on |for |at |those of |that of )?(?!a\b|an\b|one\b|two\b|three\b|half\b|once\b|average|usual|expected|before|ever|any|other|i\b|you\b|it\b|they\b|we\b|what\b|just\b|to\b|[$€£]?\d+(?![a-z-]))([a-z0-9'-]{{2,20}})"
)
_VERSUS = re.compile(r"\b([a-z0-9-]{2,20}) (?:vs\.?|versus) (?:the )?([a-z0-9-]{2,20})")
_DIFFERENCE_EN = re.compile(r"\bdifferences? between\b")
_SUM_EN = re.compile(
    r"\b(?:total|combined|sum|altogether|in all|together|overall cost)\b[^?.!;]{0,80}?(?: and | with | plus | \+ )|(?: and | with | plus )[^?.!;]{1,50}\b(?:in total|combined|altogether|together cost|add up)\b"
    r"|\bhow (?:many|much|long)(?: more| fewer| less)? ?(?:days|weeks|months|years|hours|minutes|time)?(?: are| is| was| were| passed| elapsed| lie)?(?: there)? between [^?.!;]{2,50} and "
    r"|\bhow (?:many|much) (?:more|fewer|less) [^?.!;]{2,50}\bthan\b"
)
_EACH_EN = re.compile(r" and [^?.!;]{1,50}\b(?:respectively|(?<!of )each(?=$|[?,.]| have| has| cost| take))\b|\brespective\b[^?.!;]{1,50} and ")

_PERSON = (
    r"(?:mother|father|wife|husband|spouse|partner|son|daughter|brother|sister|uncle|aunt|grandfather|grandmother|ex-wife|ex-husband|mentor|originator|"
    r"director|author|writer|founder|co-founder|cofounder|creator|inventor|discoverer|designer|architect|composer|singer|performer|producer|screenwriter|playwright|painter|artist|"
    r"ceo|chairman|chairperson|president|chancellor|king|queen|emperor|prime minister|head coach|coach|captain|owner|publisher|successor|predecessor|protagonist|star|manager|supervisor|winner|alma mater)"
)
_ENTITY = (
    r"(?:company|organi[sz]ation|firm|manufacturer|vendor|supplier|carrier|maker|person|man|woman|actor|actress|player|scientist|explorer|astronaut|poet|team|band|club|university|school|college|"
    r"city|town|country|state|county|province|region|continent|island|river|mountain|film|movie|book|novel|song|album|show|series|treaty|war|battle|party|department|airline|successor|predecessor|parent company|publisher|bank|building|bridge|planet|element|language|game|philosopher|statesman|studio|dynasty|olympics|mission|tournament|competition|event|machine|material|disease|drug|scientist|version|model|release)"
)
_SUPERLATIVE = r"(?:most (?!recent|of|people|likely)(?:[a-z]{3,13}[a-rt-z]|[a-z]{2,10}ous)\b|(?:long|tall|high|larg|deep|old|young|fast|small|bigg|rich|heavi|short|low|wid|earli)est)"
#: Heads whose answer is the described thing itself: one step.
_ITSELF = r"(?:name|names|title|identity|number|list|part|rest|end|history|population of|role|job)"
_RELATIVE = r"(?:containing|after which|that|who|which|where|whose|whom|in which|with the|with which)"
_BRIDGE_EN = (
    # the mother of the director of, the capital of the country where
    re.compile(rf"\b(?:of|for|from) (?:the |a )?(?:[a-z0-9'-]{{2,14}} ){{0,2}}?(?:(?:{_PERSON}|capital) (?:of(?! which| what)|at|{_RELATIVE})|{_ENTITY} {_RELATIVE})\b"),
    re.compile(rf"\bof [^?.!;]{{2,50}}'s? {_PERSON}\b|'s (?:employer|birthplace|place of birth|hometown|alma mater|home (?:town|city|country|state))\b(?= [a-z]|\?)"),
    re.compile(rf"'s? (?:first |second |last |current |former |oldest |youngest )?{_PERSON}'s? [a-z]"),
)
#: Told by words anywhere in the question: the year that, the third largest, president when.
_BY_MARK_EN = (
    re.compile(r"\bin (?:the )?(?:same )?year (?:that|when|in which|of|after|before)\b|\bduring the year (?:that|when|of)\b|\bthe year (?:that )?[a-z ]{2,30} was (?:born|founded|released|built)\b|\bthe same (?:year|day|month|city|country|state|town) (?:that|as|when|where)\b"),
    # the capital of the second largest state, when was the third tallest tower built
    re.compile(rf"\b(?:second|third|fourth|fifth|sixth|\d(?:nd|rd|th))[ -](?:{_SUPERLATIVE})\b"),
    re.compile(rf"(?<!one )(?<!some )(?<!many )\b(?:of|in|by|for|to) (?:the |its )?(?:world'?s? |country's )?(?:{_SUPERLATIVE})\b"),
    re.compile(rf"\b(?:when|year|country|who (?:wrote|directed|produced|succeeded|built|owns|founded|designed))\b[^?.!;]{{0,24}}\b(?:the|world) (?:current )?(?:{_SUPERLATIVE})\b"),
    re.compile(r"\b(?:president|prime minister|king|queen|monarch|emperor|pope|governor|mayor|chancellor|leader|ceo|in (?:office|power|charge))\b[^?.!;]{0,40}\b(?:when|while|at the time|the year|during)\b"),
)
#: A person by role, or a thing by its deed, as the subject of which something else is asked.
_OF_ROLE = re.compile(rf"\b(?:the )?(?:first |last |current |original |youngest |oldest |lead )?{_PERSON} (?:of(?! which| what)|who|that|behind)\b")
_OF_ENTITY = re.compile(rf"\b(?:the )(?:[a-z0-9'-]{{2,14}} ){{0,2}}?{_ENTITY} {_RELATIVE}\b")
_OF_RELEASE = re.compile(r"\b(?:first|last|latest|oldest) (?:[a-z0-9-]{2,16} )?(?:release|version|model|edition) (?:with|that|to)\b")
_POSSESSED = re.compile(rf"'s? {_PERSON}\b")
#: 'Who is the founder of X', 'what is the company that': the described thing is what is asked for.
_ASKED_ITSELF = re.compile(
    rf"^(?:(?:and|so|please|tell me|in|to|from|for|of) )*(?:who(?:'s| is| was| are| were)|what(?:'s| is| was| are| were)|which (?:is|was)|what (?:city|person|man|woman|company|actor|team) (?:is|was)|name|list|find)(?: called)? (?:the )?(?:(?:{_ITSELF}) of (?:the )?)?"
)
#: 'Which company that', 'what city is the headquarters of': the head stands right behind the question word.
_WHICH_HEAD = re.compile(rf"^(?:in |to |from |at |for |on |of )?(?:which|what) (?!(?:is|was|are|were|did|does|do|the)\b)(?:[a-z0-9'-]{{2,14}} ){{0,2}}?(?:{_PERSON}|{_ENTITY})s? (?:of|{_RELATIVE})\b")
_NAMED_SUBJECT = re.compile(r"\b(?:when|where|which|what|how|why|who|whose|is|was|did|does|do|has|can|how)\b")


def find_hop(question: Question) -> Hop:
    """Which facts have to be put together, if any. Works on what was parsed; never raises."""
    folded = _masked(question.folded[:_READ].strip())
    if any("\u3400" <= c <= "\u9fff" for c in folded):
        return _chinese(folded, question)
    return _english(folded, question)


_US = re.compile(r"\bu\.s\.(?:a\.)?")
_TITLE = re.compile(r"《[^《》\n]{1,40}》")


def _masked(folded: str) -> str:
    """Titles say nothing of what is asked: 《战争与和平》 holds no 'and'."""
    return _US.sub("us", _TITLE.sub("《》", folded))


def _first(patterns: tuple[re.Pattern[str], ...], folded: str) -> str:
    return next((m.group().strip() for m in (p.search(folded) for p in patterns) if m), "")


def _from_clause(folded: str, words: str) -> str:
    """和X300哪个保修更长 -> X200和X300哪个保修更长: with what stands before it in the clause."""
    before = folded[: folded.find(words)]
    return (before[max(before.rfind(c) for c in ",，。;；?？!！\n") + 1 :] + words).strip()


def _chinese(folded: str, question: Question) -> Hop:
    found = _first(_COMPARE_ZH, folded)
    if not found and len(question.things) > 1:
        m = _DIFFERENCE_ZH.search(folded)
        found = m.group() if m and _codes(question) > 1 else ""
    if found:
        return Hop("comparison", _from_clause(folded, found))
    total = _SUM_ZH.search(folded)
    if total is not None:
        return Hop("combination", _from_clause(folded, total.group().strip()))
    found = _each_of_two(folded)
    if found:
        return Hop("combination", found)
    found = _first(_BRIDGE_ZH, folded)
    return Hop("bridge", found) if found else SINGLE


def _codes(question: Question) -> int:
    return sum(any(c.isdigit() for c in t) for t in question.things)


def _each_of_two(folded: str) -> str:
    """X200和X300的保修期分别是多久; not X200的保修期和退货期分别是多久, whose two are attributes of one thing."""
    each = _EACH_ZH.search(folded)
    if each is None:
        return ""
    before = folded[: each.start()]
    clause = before[max(before.rfind(c) for c in ",，。;；?？") + 1 :]
    pair = next((m for m in _PAIR_ZH.finditer(clause)), None)
    if pair is None:
        return ""
    left, right = pair.groups()
    if left in _PAIRED or right in _PAIRED:
        return ""
    owned = clause[: pair.start()].rstrip().endswith("的")
    attributes = qw.hint_of(left[-4:]) is not None or qw.hint_of(right[-4:]) is not None
    return "" if owned or attributes else f"{clause.strip()}{each.group()}"


def _english(folded: str, question: Question) -> Hop:
    found = _first(_COMPARE_EN, folded)
    if found:
        return Hop("comparison", found)
    than = _THAN.search(folded)
    if than is not None and _names_two(question, than.group(1)):
        return Hop("comparison", than.group())
    versus = _VERSUS.search(folded)
    if versus is not None and all(_names_two(question, operand) for operand in versus.groups()):
        return Hop("comparison", versus.group())
    if _DIFFERENCE_EN.search(folded) and _codes(question) > 1:
        return Hop("comparison", "difference between")
    total = _SUM_EN.search(folded) or _EACH_EN.search(folded)
    if total is not None:
        return Hop("combination", total.group().strip())
    return _english_bridge(folded)


def _names_two(question: Question, operand: str) -> bool:
    """Is what stands behind 'than' a thing by name, beside another or a class of things?"""
    named = [*question.things, *question.qualifiers]
    return any(operand.removesuffix("'s") in n.split() or operand.removesuffix("'s") == n for n in named)


def _english_bridge(folded: str) -> Hop:
    asked = _ASKED_ITSELF.match(folded)
    rest = folded[asked.end() :] if asked else folded
    itself = asked is not None and (_OF_ROLE.match(rest) or _OF_ENTITY.match(rest))
    found = _first(_BRIDGE_EN, folded if not itself else _after_head(rest)) or _first(_BY_MARK_EN, folded)
    if found and not (asked and _ITSELF_OF.match(folded)):
        return Hop("bridge", found)
    if asked is not None or _WHICH_HEAD.match(folded):
        return SINGLE
    described = _OF_ROLE.search(folded) or _OF_ENTITY.search(folded) or _OF_RELEASE.search(folded) or _POSSESSED.search(folded)
    if described is None or not _NAMED_SUBJECT.search(folded):
        return SINGLE
    return Hop("bridge", described.group())


_ITSELF_OF = re.compile(rf"^(?:what|which|who)(?:'s| is| was| are| were) (?:the )?{_ITSELF} of (?:the )?(?:[a-z'-]{{2,14}} ){{0,2}}?{_ENTITY} (?:{_RELATIVE})\b")


def _after_head(rest: str) -> str:
    """What follows 'the founder of', the head that is asked for itself."""
    head = _OF_ROLE.match(rest) or _OF_ENTITY.match(rest)
    return rest[head.end() - 3 :] if head else rest
