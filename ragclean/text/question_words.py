# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""The words by which Chinese and English questions say what kind of answer they want.

Three tables: question words that fix the kind by themselves (多久, how long), question words that leave it open
(多少, 什么, what, which, how much), and the nouns that settle it then (违约金 -> money, 费率 -> percent, pin -> number).
All patterns run on folded text; every repetition is bounded, so matching is linear.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ragclean.text.number_context import RUNTIMES


def word_set(words: str) -> frozenset[str]:
    """Blank-separated words as a set."""
    return frozenset(words.split())


#: What 多少 and 几 count: classifiers and one-character nouns, and after ``!`` the characters that make another word
#: of one of them (行业, 名额: those are left to the open question word and the noun after it).
_COUNTED = (
    "次!数|序|品 个 条!件|款|例 人!次|民|均 名!额|单|字 位!置|数 篇!幅 种!类 家!庭|具 项!目 部!门 层 枚 座!位 只 张 份!额 届 集 章 架 艘 支!付|持 "
    "本 件 台!阶 颗 辆 所 间!隔|距 步!骤 门!店|票|槛 道 组 批 场!地|所 局 年级 行!业|程|李|驶|动 杯 瓶 箱 盒 袋 桶 碗 罐 盘 题!目 匹 头 株 棵 朵 "
    "幅!度 栋 幢 枝 滴 串 排!量|放|名 帧 核 回!报|款 遍 趟 首!都|次|先|付|席 页!面 字!段|节|符 句 段!落 片 粒 票!价|数 股!份|票 床 桌 车!位|辆|厢|险 锅 勺 格!式 档!次 "
    "轮 节!点|目 课!程|时 笔!记 单!词|价|位|元|量|曲 户!型 套!餐 双 副 席!位 卷 楼!层 梯 码!率|头 倍 路 岁 周岁 根 把!握 块!钱 包!裹|月|年 线"
)
#: Words for persons and for things in general; any of them answers where another was asked for.
_SAME_COUNT = ("次 回 趟 遍", "人 名 位 个", "楼 层", "行 条", "本 册")


def _guarded(words: str) -> str:
    """``行!业|程`` -> a pattern for 行 that does not match in 行业 or 行程; longer words first."""
    parts = []
    for word in sorted(words.split(), key=lambda w: -len(w.partition("!")[0])):
        text, _, stops = word.partition("!")
        parts.append(text + (f"(?!{stops})" if stops else ""))
    return "|".join(dict.fromkeys(parts))


def counted_units(unit: str) -> tuple[str, ...]:
    """The words that count the same: 人 -> 人, 名, 位, 个."""
    same = next((group.split() for group in _SAME_COUNT if unit in group.split()), [unit])
    return (unit, *(u for u in same if u != unit))


_ZH_DURATION_UNIT = "(?:个)?(?:自然日|工作日|交易日|小时|钟头|分钟|秒钟?|天|日|晚|周|星期|礼拜|个?月|年|季度)"

#: (kind, units, pattern): the first pattern that matches at the leftmost place wins, so narrower ones stand first.
FIXED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    # -- Chinese
    ("party", (), r"(?:该|应该?|需要?|要)?(?:由|归|找|让|算)(?:谁|哪一?方)|谁来?(?:承担|负责|支付|付|出钱|出|买单|负担|报销|赔付?|掏)"
                  r"|哪一?方"),
    ("date", (), r"(?:什么|啥)(?:时候|日期|时间|日子)|啥时|何(?:时|日|年|月)|多会儿|多早晚|几时|(?:在|于|到|从|自)?哪一?(?:天|日|年|个?月)(?!份?版|级)"
                 r"|几月(?:几[日号])?|(?:截止|截至)到(?=[?？]|$)|几号(?!线|楼|门|端|引|柜|窗|机|仓|库|店|桌|车|针|脚|口)|(?<![好第零一二三四五六七八九十])几月"
                 r"|哪个?(?:时期|时间|时段|季节|节气|世纪|年代|朝代|学期|财年|批次)"),
    ("time", (), r"几点(?!建议|意见|要求|注意|原因)|多晚|多早"),
    ("duration", ("workday",), r"(?:几|多少)个?(?:工作日|交易日)"),
    ("duration", (), rf"多(?:长时间|久|少时间)|(?:几|多少){_ZH_DURATION_UNIT}(?!级|代|初|底)"),
    ("percent", ("%",), r"多少(?:%|个百分点)|百分之(?:多少|几)|(?:几|多少)(?:趴|成(?!本|员|功|绩|立|交|人)|折(?!扣|旧|叠))|(?:什么|多[大高少])(?:样的)?(?:比例|比率)"),
    ("percent", ("%", "点", "个点"), r"几个点(?!位|评|心)"),
    ("count", ("点", "个点"), r"多少个点(?!位|评|心)"),
    ("money", (), r"多少(?:钱|元|块钱?|[万亿]元|美[元金]|欧元|日元|港[元币])|几(?:块钱?|元)|什么价格?|啥价|(?:怎么|如何|咋)(?:收费|计费|收钱|卖)"
                  r"|多少[万亿](?!人|辆|台|次|吨|个)"),
    ("version", (), r"(?:哪个?|什么|哪一个?|多少|第?几)(?:固件|软件|系统)?版本?(?:号)?(?!权)"),
    ("quantity", ("B",), r"多少(?:[kmgt]i?b|字节|[兆])|几个?(?:[kmgt]b?|兆|字节)(?![a-z])"),
    ("count", ("岁", "周岁"), r"(?:几|多少)周?岁|多大(?:年(?:纪|龄)|岁数)|多大的?(?=孩子|小孩|宝宝|娃|儿童|老人)"),
    ("quantity", ("wh", "°C"), r"(?:几|多少)度(?=电|$|[?？])"),
    ("quantity", ("wh",), r"多少(?:千瓦时|瓦时)"),
    ("quantity", ("m",), r"多(?:高|远|深|宽|厚|长|粗)(?!概|约|级|清)|(?:几|多少)(?:米|公里|千米|厘米|毫米|英里|海里|英寸|寸)"),
    ("quantity", ("kg",), r"多(?:重|沉)(?!要)|(?:几|多少)(?:公斤|千克|克|斤|吨)"),
    ("quantity", ("nm torque",), r"(?:几|多少)(?:牛顿?[·.]?米|n[·.]?m(?![a-z]))"),
    ("quantity", ("l", "m3"), r"(?:几|多少)(?:升(?!级|学|职)|毫升|立方米?)"),
    ("quantity", ("m2",), r"(?:几|多少)(?:平方?米?|亩|公顷)(?![均衡台])"),
    ("quantity", (), r"多(?:大|重|高|远|深|宽|厚|快|长|粗)(?!概|约)|(?:几|多少)(?:米|公里|千米|厘米|毫米|公斤|千克|克|斤|吨|升|毫升|度|瓦|伏|平米|平方米|公顷|亩)"),
    ("place", (), r"(?:在|去|到|从|往)?(?:哪里|哪儿|何处|何地|哪边|啥地方|什么(?:地方|位置|目录|路径|文件夹))"
                  r"|(?<=[放存装写搁摆贴])哪(?![\u4e00-\u9fff])|(?:在|于)哪(?!一?(?:些|个|种|位|款|家|年|天|日|月|期|届|场|本|部|页|章|条|段|版|步|级|层|行))|哪一?(?:个|座)?(?:城市|国家|国|省份?|市|州|县|地区?|地方|区|镇|村|目录|路径|文件夹|位置|大洲|洲)"),
    ("number", (), r"(?:哪个?|什么|几号?|哪一个?|多少号?)(?=端口|引脚|针脚|管脚|接口号|编号|号码|电话|频道|档位)|第几(?!版)"),
    ("reason", (), r"为(?:什么|何|啥)|(?:什么|啥)(?:原因|缘故)|何故|怎么会(?!样)|怎么回事|咋回事"),
    ("definition", (), r"(?:是)?(?:什么|啥)(?:意思|含义|故障|问题)|什么(?:是|叫)|指(?:的是)?什么|何谓|(?:是)?什么东西"),
    ("unknown", (), r"(?<!会)怎么样(?=[?？]|$)"),
    ("action", (), r"怎么办|会?怎么?样|有什么后果|咋办|(?:还?[要该得]|应该?|需要|可以)?(?:怎么|如何|怎样|咋|咋样)(?:处理|解决|操作|办理|申请|设置|做)?"
                   r"|(?:还?[要该得]|应该?|需要)做(?:些|点)?(?:什么|啥|哪些)|什么办法"),
    ("yes_no", (), r"能不能|可不可以|能否|可否|是否|是不是|有没有|(?<=[\u4e00-\u9fff])不(?=$|[?？])|了没有?(?=$|[?？])|([\u4e00-\u9fff])不\1[\u4e00-\u9fff]?"
                   r"|(?:可以|能|行|对)?[吗嘛](?![\u4e00-\u9fff])|(?:可以|行|好|对|能)么(?![\u4e00-\u9fff])"),
    ("count", (), rf"(?<![好十])(?:几|多少)(?:{_guarded(_COUNTED)})"),
    ("name", (), r"谁|什么人|何人|哪一?位|哪几位|哪些人|叫(?:做)?(?:什么|啥)(?:名字?)?|什么名字?"),
    # -- English
    ("party", (), r"\bwho(?:'s| is| are| will be| would be)? (?:pays?|covers?|bears?|responsible|liable|accountable|to pay|has to pay|"
                  r"must pay|should pay|foots|in charge)\b|\bat (?:whose|who's) (?:expense|cost)\b"),
    ("duration", (), r"\b(?:for )?(?:how (?:long|soon|quickly|old)|h(?:w|wo|ow's) long)\b|\bhow much (?:longer|later|sooner|earlier)\b|\bwhat(?:'s| is| was) the (?:longest|shortest)\b|\bhow far (?:ahead|in advance|beforehand)\b|\bhow much(?= (?:time|notice)\b)"
                     r"|\bhow many (?:(?:business|working|calendar|full|more) )?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|months?|years?)\b"),
    ("percent", ("%",), r"\b(?:what|which) (?:percent(?:age)?|share|proportion|fraction)\b|\bhow many percent\b"),
    ("quantity", ("B",), r"\bhow many (?:[kmgt]i?bs?|(?:kilo|mega|giga|tera)?bytes|gigs)\b"),
    ("quantity", ("kg",), r"\bhow many (?:kgs?|kilos?|kilogram(?:me)?s|grams|lbs?|ounces|tonn?es|tons)\b"),
    ("quantity", ("m",), r"\bhow many (?:miles|kms?|kilomet(?:er|re)s|met(?:er|re)s|feet|foot|inches|cms?|centimet(?:er|re)s|yards)\b"),
    ("quantity", ("l",), r"\bhow many (?:lit(?:er|re)s|gallons|ml|pints)\b"),
    ("quantity", ("°C", "°F"), r"\bhow many degrees\b"),
    ("money", (), r"\bhow many (?:dollars|euros|bucks|cents|pence|quid|yuan)\b"),
    ("count", (), r"\bhow (?:many|often|frequently)(?: times)?\b"),
    ("time", (), r"\bhow (?:late|early)\b|\bwhat(?:'s| is| was) the (?:latest|earliest)(?! (?:version|release|firmware|model|news|edition))\b"),
    ("quantity", ("kg",), r"\bhow heav(?:y|ily)\b|\bwhat(?:'s| is) the heaviest\b"),
    ("quantity", ("m",), r"\bhow (?:tall|far|wide|thick|deep|close|near|short|shallow)\b|\bwhat(?:'s| is) the (?:tallest|widest|thickest)\b"),
    ("quantity", ("°C", "°F"), r"\bhow (?:hot|cold|warm|cool)\b"),
    ("quantity", ("db",), r"\bhow (?:loud|noisy|quiet)\b"),
    ("quantity", (), r"\bhow (?:big|large|small|high|low|fast|slow|strong|powerful|bright|tight(?:ly)?|accurate|steep|sharp|dense|sensitive|efficient|"
                     r"concentrated|acidic|thirsty|economical)\b|\bwhat(?:'s| is) the (?:largest|biggest|smallest|fastest)\b"),
    ("money", (), r"\bwhat(?:'s| is) the cheapest\b"),
    ("number", (), r"\bwhat(?:'s| is| was) the (?:(?:very )?most|max(?:imum)?|least|min(?:imum)?|limit|cap|highest|lowest)\b"),
    ("action", (), r"\bwhat happens\b"),
    ("money", (), r"\bwhat (?:do|will|would|must|should|did|shall) (?:i|we|you|they) (?:have to |need to )?(?:pay|owe)\b(?! (?:for|attention))|\bwhat (?:does|did|will|would) (?:it|that|this) cost\b"
                  r"|\bhow (?:much money|expensive)|\bhow much(?= (?:does|do|did|will|would|is|are) .{1,60}? cost\b)"),
    ("time", (), r"\b(?:at )?what time\b"),
    ("date", (), r"\b(?:since |until |till |by |from |up to )?when\b|\b(?:(?:in|on|by|from) )?(?:what|which) (?:date|day|month|year|century|decade)\b"
                 r"|\bwhat(?:'?s| is| was) the (?:last|final|closing|first|latest|earliest) (?:possible )?(?:day|date)\b"),
    ("version", (), r"\b(?:what|which) (?:[a-z]{2,12} )?(?:version|release|firmware)\b"),
    ("version", (), rf"(?:\b(?:what|which) |(?:哪个?|什么)(?:版本的?)? ?)(?:{RUNTIMES})(?![a-z])"),
    ("place", (), r"\bwhere\b|\b(?:in )?(?:what|which) (?:city|country|state|town|village|region|province|county|continent|directory|folder|path|"
                  r"location|place|part of)\b"),
    ("definition", (), r"\bwhat (?:does|do|did)(?= .{1,60}? (?:mean|stand for)\b)|\bmeaning of\b|\bdefine\b"),
    ("number", (), r"(?:哪一?个|什么|啥|几号)口(?![味子岸罩音碑径语令])"),
    ("number", (), r"\b(?:what|which)(?= (?:[a-z]{2,12} )?(?:pins?|ports?|slots?|channels?|number|code|line)\b)"),
    ("reason", (), r"\bwhy\b|\bhow come\b|\bwhat (?:causes?|caused)\b|\bfor what reason\b"),
    ("action", (), r"\bhow (?:do|can|should|could|would|did|does|to|must)\b|\bwhat (?:should|can|must|do|shall) (?:i|we|you|one|they) do\b"
                   r"|\bwhat (?:to do|steps)\b"),
    ("name", (), r"\b(?:who|whom|whose)\b|\bwhat(?:'s| is| was) the name\b"),
)

#: Question words that leave the kind open; a noun beside them decides.
OPEN = (
    r"多少|是什么|是啥|(?:是)?哪一?(?:个|些|种|款|家|部|支|首|项|条|本|几个|几种)|什么|啥|几|哪"
    r"|\bhow much\b|\bwhats?\b|\bwhich\b"
)

_YES_NO_AUX = (
    r"(?:can|could|does|do|did|is|are|was|were|will|would|should|may|must|has|have|had|am|isn't|aren't|doesn't|don't|can't|won't)"
)
#: What may stand before an English question word that asks: the head of the clause, a conjunction or a preposition,
#: an adverb, or a verb of asking. Elsewhere when, where and who introduce a side remark ('when I pay abroad').
ASKS_AFTER = re.compile(
    r"(?:^|\b(?:and|or|but|so|then|also|plus|exactly|roughly|about|around|approximately|typically|at|in|on|for|from|to|by|of|with|until|till|since|under|"
    r"tell me|tell us|know|ask|asking|wonder|wondering|explain|sure|idea|find out|understand|check|confirm|say|states?|clarify|remember|"
    r"see|show|specify|question is|hi|hello|please|yes|no|ok|okay|hey|anyone|and also))$"
)
#: The auxiliaries that turn when and where at the head of a clause into a question.
ASKING_AUX = re.compile(rf" (?:exactly )?(?:{_YES_NO_AUX}|to|'s|'re|'ll)\b|'(?:s|re|ll|d) ")
#: ', which is', ', who told me': who and which after a comma go on with what stands before it.
GOES_ON = re.compile(r" (?:is|was|are|were|has|had|have|also|now|broke|came|got|went|told|says?|said|i|we|[a-z]{2,14}ed)\b")
#: 'Can you tell me', 能告诉我: a frame around a question that stands elsewhere.
POLITE = re.compile(
    r"(?:and |or |but |so )?(?:can|could|would|will|do|does|is|are) (?:you|anyone|anybody|someone|somebody|there anyone) (?:please )?"
    r"(?:who )?(?:tell|help|explain|let|advise|confirm|know|say|clarify|mind|check|here)"
)
SIDE_WORDS = word_set("when where who whom whose which what")
#: 'Is it free', 收费吗: the answer is a yes or no, or the price itself.
PRICE_YES_NO = re.compile(
    r"要不要(?:另外|额外|再|多)?(?:钱|花钱|加钱|补钱|收费|付费|交钱|交费)|收不收(?:钱|费)|花不花钱|(?:要|收|花|付|交|掏|需)(?:钱|费|付费|收费|交费)[吗么嘛不]|收不收[^,，。?？]{0,6}费|(?:免费|收费|付费|自费)(?:的)?[吗么嘛]|是不是免费|是否(?:免费|收费|付费)"
    r"|\bfree(?: of charge)?(?= *\??$)|\b(?:have|need) to pay\b|\b(?:is|are) there (?:an? |any )?(?:[a-z]{2,12} )?(?:charge|fee|cost)s?\b"
    r"|\b(?:does|do|will|would) (?:it|this|that|they) cost\b|\bcost (?:me )?(?:anything|extra)\b"
)
#: Verbs of paying and getting: 'how much' and 'the most' of them is money ...
MONEY_VERBS = word_set(
    "交 缴 付 赔 罚 扣 报销 贷 借 转账 充值 提现 取现 抵扣 缴纳 支付 赔付 补偿 收费 花费 花 罚款 退款 欠 还款 取款 存款 打赏 报 领 补贴 涨价 降价 定价 投资 耗资 斥资 出资 捐款 捐 拨款 "
    "pay paid claim withdraw transfer spend charge charged owe borrow refund refunded reimburse reimbursed compensation earn repay deposit cost"
)
#: ... and of these where the question speaks of money somewhere.
#: Characters that, right before 多少, make it money; some of them are function words elsewhere (还).
MONEY_BEFORE = frozenset("还交付赔罚扣贷借缴补花欠赚")
_LOOSE_MONEY_VERBS = "取转发领拿退提抵补收出拨打给省"
_MONEY_CONTEXT = re.compile(
    r"钱|公积金|贷款|信用卡|银行|医保|社保|保费|保险|理赔|赔款|工资|学费|押金|补贴|补助|津贴|房租|账户|余额|转账|红包|奖金|报销|退款|加班|夜班|薪|基金|理财"
    r"|\b(?:money|refund|insur(?:ance|ed)|cover|compensation|claim|bank|account|loan|fee|deposit|cash|back)\b"
)


def asks_money(folded: str, near: tuple[str, ...]) -> bool:
    """Is the open 'how much' one of money, by the verbs beside it or by what the question speaks of?"""
    if any(w in MONEY_VERBS for w in near[:3]):
        return True
    loose = any(len(w) == 1 and w in _LOOSE_MONEY_VERBS for w in near[:3]) or "back" in near[:3] or "get" in near[:3]
    return loose and _MONEY_CONTEXT.search(folded) is not None


#: Words that say little of what is asked: light verbs, relative times, degrees, measures of one.
LIGHT_WORDS = word_set(
    "交 要 拿 弄 搞 做 办 打 用 给 来 去 到 有 放 填 付 收 发 算 跑 留 上 下 进 出 进去 上去 回来 出来 下来 起来 回去 能 会 帮 填写 准备 一般 正常 可以 "
    "现在 目前 今年 明年 去年 今天 明天 昨天 上周 下周 最近 最大 最小 最多 最少 最高 最低 最晚 最早 最迟 最长 大概 具体 分别 总共 一共 平均 默认 实际 "
    "拿到 得到 收到 允许 规定 个 才 好 多 大 加 写 找 看 说 叫 让 使 "
    "get take have do does make give go come use set put keep mean means stand let allow allowed need want much many maximum minimum usually currently now "
    "today yesterday tomorrow exactly actually really back still able long"
)
_MEASURE = re.compile(r"[一两二三半][一-鿿]{1,2}|第[一二三四五六七八九十]")


def is_light(word: str) -> bool:
    """Does the word say little of what is asked (交, 一个月, get)?"""
    return word in LIGHT_WORDS or (len(word) <= 3 and _MEASURE.fullmatch(word) is not None and hint_of(word) is None)


#: An auxiliary at the head of a clause asks for yes or no. What follows must be a subject, so that 'do not ...' is none.
YES_NO_HEAD = re.compile(rf"(?:and |or |but |so )?{_YES_NO_AUX} (?!not\b)[a-z0-9'\"]")

#: Heads that tell what happened rather than ask, where a question stands before them.
PAST_HEAD = re.compile(r"(?:was|were|had|did) (?!it|there|this|that|the|my|our|your|i |we |you|they|he |she )")
#: Keyword style: min credits to pass, max retries, requests per minute.
COUNTED_KEYWORD = re.compile(
    r"\b(?:min|max|minimum|maximum|number of)\.? (?:number of )?([a-z-]{3,20}s)\b(?! (?:per|a) (?:cent|hour))"
    r"|\b([a-z-]{3,20}s) per (?:second|minute|hour|day|week|month|year|key|user|account|person|order)\b"
)
#: Keyword style without a noun that says of what kind: latest check in, closing time, heaviest box, 最晚退房, 调多稀.
TIMED_KEYWORD = re.compile(
    r"\b(?:latest|earliest) (?:check|arrival|departure|boarding|entry|pick|drop|return)\b|\b(?:closing|opening|departure|arrival) times?\b"
    r"|\blast (?:entry|admission|orders)\b|最[晚迟早](?:几点|什么时候|到|退|入|取|还|进)|(?:开|闭|关)[门馆园](?=$|[\s,。?]|时间)|打烊"
)
MEASURED_KEYWORD = re.compile(
    r"\b(?:max|maximum|min|minimum|heaviest|lightest|thickest)\b(?! planck)"
    r"|最[大高低](?:载|容|承|功率|支持|风|允许|可|温|速|限)|(?<!许)多[稀稠]"
)
#: What a value is reckoned by, and the unit that an answer is wanted in.
PER = re.compile(r"\b(?:per|each|every|a) $|每(?:一|个)?$")
IN_UNIT = re.compile(r"\bin ([a-z²/]{1,12})(?![a-z])")
#: (kind, units, nouns); Chinese nouns match as a tail or part of the token run, English ones whole words.
HINTS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("count", ("bps", "baud"), "鲍率 波特率 码率 baud bitrate"),
    ("count", ("fps", "帧"), "帧率 framerate"),
    ("quantity", ("hz",), "采样率 刷新率"),
    ("percent", ("%",), "费率 利率 税率 汇率 增速 增长率 增长 增幅 涨幅 降幅 同比 环比 比例 比率 占比 百分比 概率 折扣 佣金率 失业率 电量 剩余电量 进度 完成度 "
                        "率 rate rates percentage percent share proportion ratio growth apr discount interest commission"),
    ("quantity", ("pa",), "胎压 气压 水压 血压 高压 低压 压力 压强 pressure"),
    ("quantity", ("m",), "高度 长度 宽度 深度 距离 身高 限高 限宽 水深 净高 层高 直径 半径 周长 口径 海拔 间距 航程 车长 全长 厚度 落差 "
                         "height length width depth distance elevation altitude diameter thickness clearance"),
    ("quantity", ("kg",), "重量 体重 净重 毛重 限重 载重 承重 weight"),
    ("quantity", ("°C", "°F"), "温度 气温 水温 体温 temperature"),
    ("quantity", ("m2",), "面积"),
    ("quantity", ("w", "v", "a"), "功率 电压 电流 voltage wattage"),
    ("quantity", ("db",), "噪音 噪声 noise"),
    ("quantity", ("nm torque",), "扭矩 扭力 torque"),
    ("quantity", (), "精度 误差 偏差 accuracy tolerance"),
    ("money", (), "价格 售价 税收 税额 税款 经费 票价 房价 单价 价 费用 费 运费 租金 押金 定金 订金 保证金 违约金 滞纳金 罚款 补贴 津贴 补助 奖金 工资 薪资 "
                  "票房 营收 收入 利润 净利润 市值 预算 金额 免赔额 赔偿 赔付 退款金额 成本 总额 gdp 生产总值 融资 身价 奖学金 佣金 余额 报价 额 "
                  "price prices cost costs fee fees charge charges rent fare revenue income profit salary wage budget "
                  "fine penalty subsidy allowance turnover earnings worth excess deductible tariff premium "
                  "deposit surcharge supplement toll levy fares fines payout bonus stipend"),
    ("duration", (), "期限 时长 保修 质保 保修期 质保期 保换期 有效期 试用期 等待期 犹豫期 工期 周期 超时 寿命 年限 时限 时效 时差 免息期 宽限期 冷静期 观察期 质押期 账期 货期 交期 间隔 时间间隔 "
                     "warranty lifetime timeout period duration retention window notice tenure expiry lifespan term ttl age interval intervals"),
    ("count", ("岁", "周岁"), "年龄 岁数"),
    ("time", (), "营业时间 开放时间 办公时间 上班时间 打烊时间 退房时间 入住时间 到店时间 hours hrs cutoff cut-off check-in check-out checkin checkout curfew"),
    ("quantity", ("km/h",), "限速 时速 车速"),
    ("quantity", ("rpm",), "转速"),
    ("quantity", ("rpm", "km/h", "m/s", "bit/s", "B/s", "hz", "fps"), "速度 speed"),
    ("quantity", ("ppm",), "余氯 氨氮 溶解氧"),
    ("quantity", ("B",), "内存 memory"),
    ("date", (), "日期 时间 截止 截止日 截止日期 截止时间 上映 发布时间 发售 生日 首播 开播 日子 年份 "
                 "date deadline birthday release launch year"),
    ("version", (), "版本 版本号 固件 version firmware"),
    ("number", (), "端口 端口号 编号 号码 电话 热线 引脚 针脚 管脚 代码 邮编 比分 得分 分数 排名 名次 成绩 股票代码 得票 "
                   "pin pins port number phone hotline code id score rank ranking"),
    ("count", (), "次数 频率 频次 数量 人数 人口 个数 名额 销量 交付量 产量 发送量 参赛人数 死亡人数 感染人数 总数 量 数 人次 票数 "
                  "population number quantity deliveries sales attendance"),
    ("quantity", (), "大小 容量 尺寸 网速 带宽 分辨率 里程 续航 耗电量 功耗 油耗 流量 亮度 浓度 湿度 含量 剂量 用量 体积 排量 "
                     "input output size capacity area power bandwidth resolution range dose dosage "
                     "concentration humidity volume"),
    ("number", (), "上限 下限 限额 额度 限制 标准 门槛 封顶 起步 limit limits maximum minimum quota cap threshold amount"),
    ("place", (), "地点 地址 地区 城市 国家 产地 首都 籍贯 出生地 举办地 总部 目录 路径 省会 位置 "
                  "location city country capital address birthplace venue headquarters directory path place hometown"),
    ("name", (), "冠军 亚军 季军 导演 主演 作者 编剧 演员 歌手 总裁 董事长 总统 总理 校长 院长 创始人 得主 得奖者 获奖者 主角 男主角 女主角 主持人 "
                 "教练 队长 首席执行官 ceo 公司 球队 大学 学校 品牌 名字 名称 别名 俗名 人名 原名 本名 笔名 专辑 歌曲 动物 植物 剧名 片名 嘉宾 "
                 "winner winners author director actor actress star cast president singer champion founder artist writer producer "
                 "composer coach captain minister king queen name nickname team company university school brand band movie film "
                 "song book novel show album publisher owner inventor leader chancellor mayor character genre profession occupation"),
    ("reason", (), "原因 缘由 cause causes reason reasons"),
    ("action", (), "方法 步骤 办法 流程 教程 技巧 做法 手续 治疗方法 解决方法 steps method methods procedure solution workaround"),
    ("definition", (), "意思 含义 定义 概念 meaning definition purpose"),
)


@lru_cache(maxsize=1)
def fixed_pattern() -> re.Pattern[str]:
    """One pattern with a named group ``k<i>`` for each row of ``FIXED`` (back-references made relative)."""
    parts = []
    for i, (_, _, pattern) in enumerate(FIXED):
        if r"\1" in pattern:
            pattern = pattern.replace(r"([\u4e00-\u9fff])不\1", rf"(?P<same{i}>[\u4e00-\u9fff])不(?P=same{i})")
        parts.append(f"(?P<k{i}>{pattern})")
    return re.compile("|".join(parts))


@lru_cache(maxsize=1)
def open_pattern() -> re.Pattern[str]:
    """The question words that leave the kind open."""
    return re.compile(OPEN)


@lru_cache(maxsize=1)
def hint_table() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Noun -> kind and units."""
    table: dict[str, tuple[str, tuple[str, ...]]] = {}
    for kind, units, nouns in HINTS:
        for noun in nouns.split():
            table.setdefault(noun, (kind, units))
    return table


def hint_of(word: str) -> tuple[str, tuple[str, ...]] | None:
    """The kind that a noun asks for: the noun itself, else its longest Chinese tail (检测费 -> 费), else None."""
    table = hint_table()
    found = table.get(word)
    if found is not None or not word or not "\u4e00" <= word[-1] <= "\u9fff":
        if found is None and "-" in word:
            return table.get(word.rpartition("-")[2])
        return found if found is not None or not word.endswith("s") else table.get(word[:-1])
    for length in (4, 3, 2, 1):
        if length < len(word) and word[-length:] in table:
            return table[word[-length:]]
    return None


#: Words that narrow the thing to an edition, an audience, a customer group or a channel. Matched inside the folded
#: query, longest first; the match with its own modifier is the qualifier.
QUALIFIER = re.compile(
    r"(?:免费|付费|专业|企业|标准|高级|基础|旗舰|个人|团队|家庭|教育|社区|商业|试用|国际|国内|海外|大陆|尊享|豪华|入门|普通|政府|开源|轻量|青春|移动|桌面|网页)版"
    r"|(?:普通|正式|试用期|外包|兼职|全职|派遣|派驻|新|老|在职|离职|退休|合同制|管理层)(?:员工|职工|职员)"
    r"|(?:新|老|普通|企业|个人|注册|付费|免费|存量|高级|试用|海外|国内)(?:用户|客户|会员|商家|学员|顾客|买家|卖家|司机|骑手)"
    r"|(?:黄金|白金|白银|钻石|铂金|年卡|月卡|季卡|(?<![a-z])(?:plus|s?vip)(?![a-z])|超级)(?:会员|用户|卡)?"
    r"|实习生|应届生|研究生|本科生|博士生|留学生|新生(?!儿|代|态)|老生|学生|教师|家属|未成年人|儿童|老人|孕妇|残疾人|退休人员|个体户|小微企业|经销商|代理商|商家|房东|租客|乘客"
    r"|网页控制台|控制台|客户端|网页端|移动端|桌面端|手机端|小程序|公众号|线下门店|线下|线上|官方商城|旗舰店|专柜"
    r"|\b(?:free|pro|premium|enterprise|business|basic|standard|team|personal|starter|plus|community|trial|student|family|lite|"
    r"ultimate|deluxe)(?: (?:plan|tier|edition|version|account|users?|customers?|members?|subscription|licen[cs]e|ticket))\b"
    r"|\b(?:new|existing|returning|first-time|business|corporate|international|domestic) (?:customers?|users?|members?|employees?|"
    r"students?|tenants?|guests?)\b"
    r"|\b(?:interns?|contractors?|part-time(?:rs)?|full-time(?:rs)?|children|seniors?|pensioners?|students?|minors?|freelancers?|"
    r"trainees?|apprentices?|non-residents?|residents?|dealers?|resellers?)\b"
    r"|\b(?:manual|automatic|scheduled|console|command line|web console|mobile app|desktop app|api)\b"
)
#: 'for a chinchilla', 'in the Basel office': the noun group after such a preposition narrows the question.
QUALIFIER_PHRASE = re.compile(r"\bfor (?:an?|my|our) ((?:[a-z0-9-]{2,20} ?){1,2})(?=[ ,.;?!]|$)")
#: Places of one organisation: a name right before such a word says whose rule is asked for.
SITE = re.compile(r"(?:项目部|办事处|分公司|子公司|分行|支行|校区|门店|分店|工厂|厂区|基地|机房|仓库|园区|事业部|研究院|营业厅|服务站)")
SITE_PHRASE = re.compile(
    r"\b(?:in|at|from|to|of) (?:the |our |your )?((?:[a-z0-9-]{2,20} ){1,2})"
    r"(?:office|branch|campus|plant|store|site|region|warehouse|depot|team|department|division|hospital|library|hall)\b"
)
#: Endings of Chinese region names; a cut word that ends so (临港新区, 浦东新区) restricts the question.
REGION_SUFFIXES = ("高新区", "开发区", "自治区", "自治州", "特区", "新区", "保税区", "省", "市", "县", "区", "州", "镇")
NO_REGION = word_set("小区 社区 园区 地区 景区 校区 分区 专区 城市 超市 股市 上市 门市 夜市 都市 区 县 市 省 州 镇 跳市 城区 市区 郊区 牧区 战区 时区 选区 灾区 山区 疫区 各省 各市 各县")
#: Countries and provinces that people name to say which rule they mean. Short, since any other place still counts as a term.
_REGIONS_ZH = (
    "中国大陆 大陆 内地 港澳台 香港 澳门 台湾 海外 境外 境内 欧盟 东南亚 美国 英国 法国 德国 日本 韩国 朝鲜 印度 俄罗斯 乌克兰 加拿大 澳大利亚 新西兰 新加坡 "
    "马来西亚 泰国 越南 菲律宾 印度尼西亚 印尼 缅甸 柬埔寨 老挝 巴基斯坦 孟加拉国 斯里兰卡 尼泊尔 哈萨克斯坦 蒙古国 伊朗 伊拉克 沙特 阿联酋 卡塔尔 以色列 土耳其 "
    "埃及 南非 尼日利亚 肯尼亚 埃塞俄比亚 赞比亚 坦桑尼亚 加纳 安哥拉 摩洛哥 阿尔及利亚 意大利 西班牙 葡萄牙 荷兰 比利时 瑞士 奥地利 瑞典 挪威 丹麦 芬兰 波兰 捷克 "
    "匈牙利 希腊 爱尔兰 墨西哥 巴西 阿根廷 智利 秘鲁 哥伦比亚 古巴 北京 上海 天津 重庆 广东 江苏 浙江 山东 河南 河北 四川 湖北 湖南 安徽 福建 江西 陕西 山西 "
    "辽宁 吉林 黑龙江 云南 贵州 广西 海南 甘肃 青海 宁夏 新疆 西藏 内蒙古 深圳 广州 杭州 南京 武汉 成都 西安 苏州 华东 华南 华北 华中 西南 西北 东北"
)
_REGIONS_EN = (
    "usa|united states|united kingdom|england|scotland|wales|northern ireland|ireland|canada|australia|new zealand|france|germany|"
    "italy|spain|portugal|netherlands|belgium|switzerland|austria|sweden|norway|denmark|finland|poland|greece|turkey|russia|ukraine|"
    "china|hong kong|taiwan|japan|korea|india|pakistan|singapore|malaysia|thailand|vietnam|indonesia|philippines|israel|egypt|"
    "south africa|nigeria|kenya|zambia|ghana|mexico|brazil|argentina|chile|european union|eu|uk|emea|apac|europe|asia|africa"
)
KNOWN_REGION = re.compile("|".join(sorted(_REGIONS_ZH.split(), key=lambda w: -len(w))) + rf"|\b(?:{_REGIONS_EN})\b")
