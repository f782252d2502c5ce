# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""What is done to things: names of one action, its opposite, and whether a clause recommends or forbids it.

A page that says 'keep it powered' answers 'do I cut the power first?', though it holds none of its words: an action is
met by its other names, and denied by its opposite. The tables hold what people do with devices, cars, cards and
accounts, no product's own words.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: What is done with things by hand: (names of an action or a means, names of its opposite). Folded; an English name is
#: the beginning of a word.
HANDLING: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("断电", "断掉", "停电", "切断电源", "断开电源", "拉闸", "拔掉电源", "拔电源", "关掉电源", "关闭电源", "power off", "power down", "cut the power", "disconnect the power"),
     ("通电", "带电", "保持供电", "不断电", "不停电", "上电状态", "powered on", "leave it powered", "keep it powered", "under power")),
    (("关机", "关掉", "switch off", "turn off", "shut down"), ("开机状态", "保持开机", "leave it on", "keep it on", "left on", "stays on")),
    (("重启", "重新启动", "重开机", "重开一次", "restart", "reboot", "power-cycl", "power cycl", "bounce the"), ()),
    (("酒精", "乙醇", "含醇", "异丙醇", "消毒湿巾", "alcohol", "isopropyl", "ethanol", "solvent", "white spirit"), ()),
    (("卸载", "卸掉", "卸了", "删掉旧", "删除旧", "uninstall"), ("覆盖安装", "覆盖装", "直接覆盖", "覆盖升级", "install over", "over the top")),
    (("挪车", "移车", "挪到", "移到", "移至", "挪开", "挪走", "把车移", "把车挪", "撤到", "move the car", "move it"),
     ("原地", "别动", "保持原样", "保护现场", "stay put", "leave it where")),
    (("充满", "满电", "充足", "fully charg", "full charge"), ("一半", "半电", "半满", "五成", "half charge", "half full", "half-charged")),
    (("吹风机", "热风", "电热", "加热", "烘烤", "烘干", "hair dryer", "hairdryer", "hot air", "heat gun"), ("自然晾干", "自然升至", "air dry")),
    (("浸泡", "泡", "浸", "浸水", "泡水", "泡热水", "泡进", "泡在", "soak", "immers", "submerg"), ()),
    (("拔出", "拔下", "拔掉", "再拔", "抽出", "拔", "pull out", "take it out", "unplug"), ()),
    (("打开", "掀开", "拧开", "开盖", "vent", "open", "flip", "release the"), ("等待", "静置", "自行", "wait", "by itself", "on its own", "standing until")),
    (("水洗", "清水", "流水", "rinse", "wash"), ("干擦", "dry")),
    (("格式化", "初始化", "格", "format"), ()),
    (("晾", "晒", "晾晒", "晾干", "dry out", "air-dry"), ()),
    (("拆", "拆卸", "拆开", "抠", "disassembl", "take apart", "take off", "open up"), ()),
    (("充电", "通电", "charg"), ()),
)
#: Dealings with a firm, a service or a house.
DEALINGS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("冻结", "挂失", "锁卡", "锁定", "止付", "freez", "frozen", "block", "lock the card"), ()),
    (("离线", "断网", "offline", "without a connection", "flight mode"), ("联网", "在线使用", "live connection", "needs a connection", "online only", "internet connection")),
    (("退货", "退回", "退款", "return", "refund"), ()),
    (("转让", "过户", "转给", "转手", "transfer", "pass on", "passed on", "passes to", "next owner", "second owner", "resold", "resale", "sold on", "changes hands", "转卖", "转售", "易主"), ("首任", "首位", "原购买人", "first buyer", "original buyer", "original purchaser")),
    (("恢复", "还原", "找回", "restore", "recover", "wind back", "rewind", "wind your", "roll back"), ()),
    (("袋", "包覆", "套袋", "装袋"), ()),
    (("带走", "打包", "外带", "带回", "takeaway", "take away", "take home"), ("堂食", "eat in")),
    (("饲养", "养"), ("无宠", "送走")),
    (("续租", "续签", "续约", "再续", "renew", "extend the lease"), ("腾退", "退出", "搬离", "move out")),
    (("改签", "改期", "改乘", "改坐", "改当日", "改当天", "改其他", "改到", "rebook", "change the ticket"), ()),
    (("保修", "质保", "保内", "三包", "warranty", "guarantee"), ("自费", "保外")),
    (("撤回", "撤销", "追回", "撤", "recall", "unsend"), ()),
    (("重做", "返工", "返修", "重新制作", "redo", "remake", "rework"), ()),
    (("存放", "保存", "放置", "store", "storage", "keep", "kept", "leave", "standing", "stand it", "park"), ()),
    (("停卡", "停课", "暂停", "停用", "freeze the membership", "pause", "suspend"), ()),
)
ACTIONS = (*HANDLING, *DEALINGS)
#: Said of an action that is not to be done, and of one that need not be.
_NOT_TO = (
    r"不要(?!紧)|别(?![的人处名称扭致])|勿|不可(?![避少或缺能])|不得(?![不已])|严禁|禁止|不能(?!不)|不许|不准|不宜|不应|不该|不建议|不推荐|切忌|避免|杜绝|千万不|不予|不允许|不适合|防止"
)
_NOT_TO_EN = (
    r"do not|don't|never|must not|mustn't|should not|shouldn't|cannot|can't|avoid|not to|keep [a-z ]{1,20} away|instead of|rather than|pointless|not recommended|prohibited|forbidden|refrain from|without [a-z]{2,12}ing"
)
_NEED_NOT = r"无需|无须|不用(?!说)|不必|没必要|用不着|不需要?"
_NEED_NOT_EN = r"no need|needn't|need not|not necessary|unnecessary|no longer"
FORBIDDEN = re.compile(rf"{_NOT_TO}|{_NEED_NOT}|\b(?:{_NOT_TO_EN}|{_NEED_NOT_EN})\b")
FORBIDS = re.compile(rf"{_NOT_TO}|\b(?:{_NOT_TO_EN})\b")
#: Said of an action that is to be done.
ADVISED = re.compile(
    r"请(?!勿|不|别)|必须|务必|应当?(?!对|用)|须|需要?|得(?!到|出|知|以|了)|要(?!不|么|求|是)|先|立即|立刻|马上|直接|可以?|建议|推荐|最好|就行|即可|就好|搞定|完事|亲测|一般|记得|一定"
    r"|\b(?:please|must|should|have to|has to|need to|needs to|always|first|then|simply|just|recommended?|best|ought|make sure|be sure|from now on|at once|right away|required)\b"
)
#: A sequel that nobody wants, told of an action: 挪了车就不赔, restarting throws it away.
_HARM = re.compile(
    r"(?:就|会|将|则|便|导致|造成|引起)[^,;。]{0,14}(?:不赔|丢失|清空|损坏|脱胶|开裂|故障|失效|报废|起火|中断|断裂|变形|糊住|发黏|打滑|不在保|缩短|卡死|错误)"
    r"|\b(?:throws? away|loses?|damag\w{1,4}|destroy\w{0,3}|shorten\w{0,2}|void\w{0,3}|wipes?|corrupt\w{0,3}|loosen\w{0,2}|ruins?|breaks?)\b"
)
#: An attempt that is told of recommends nothing by itself.
ATTEMPTED = re.compile(r"试了|试过|结果|曾|承认|自己又|原打算|打算|被劝|询问|得知|据称|反映|\b(?:tried|attempted|admits?|ended up|asked|asking|used to)\b")
_HAN = re.compile(r"[\u3400-\u9fff]")


def names_of(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Other names of the action that a word of the question belongs to, and names of its opposite."""
    same: list[str] = []
    opposite: list[str] = []
    for number in groups_of(word):
        forms, against = ACTIONS[number]
        same += forms
        opposite += against
    if not same:
        for forms, against in ACTIONS:
            if word in against:
                same += against
                opposite += forms
    return tuple(dict.fromkeys(same)), tuple(dict.fromkeys(opposite))


@lru_cache(maxsize=4096)
def groups_of(word: str) -> tuple[int, ...]:
    """The groups with a name that the word is, holds, or begins (two characters at the least)."""
    han = bool(_HAN.search(word))
    found = []
    for number, (forms, _) in enumerate(ACTIONS):
        if any(_meets(word, form, han) for form in forms):
            found.append(number)
    return tuple(found)


_ANY_HANDLING = re.compile("|".join(
    re.escape(f) for f in sorted({f for forms, _ in HANDLING for f in forms if len(f) > 1}, key=len, reverse=True)
))  # fmt: skip


def groups_in(text: str) -> tuple[int, ...]:
    """The groups of handling of which a text holds a name of two characters or more."""
    if _ANY_HANDLING.search(text) is None:
        return ()
    return tuple(n for n, (forms, _) in enumerate(HANDLING) if any(f in text for f in forms if len(f) > 1))


def _meets(word: str, form: str, han: bool) -> bool:
    if han:
        return word == form or (len(form) > 1 and form in word) or (len(word) > 1 and form.startswith(word))
    return len(word) >= 4 and (word.startswith(form) or form.startswith(f"{word} ") or (" " not in form and form.startswith(word)))


def advice(clause: str) -> int:
    """-1 where the clause forbids or tells of harm, +1 where it recommends, 0 where it says neither."""
    if FORBIDDEN.search(clause) or _HARM.search(clause):
        return -1
    return 1 if ADVISED.search(clause) else 0


@lru_cache(maxsize=1024)
def without_names(clause: str, words: tuple[str, ...]) -> str:
    """The clause without the names of the actions that ``words`` belong to: 原地别动 forbids nothing."""
    for word in words:
        for number in groups_of(word):
            for name in sorted((*ACTIONS[number][0], *ACTIONS[number][1]), key=len, reverse=True):
                clause = clause.replace(name, " ")
    return clause
