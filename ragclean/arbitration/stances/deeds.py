# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Broad kinds of deeds with their opposites: wet or dry, on or off, open or shut, at once or later, in place or anew.

Manuals, notices and neighbours name one deed in many ways, so that a page seldom holds the word of the question. A
deed is met by any name of its pole, and denied by any name of the other. No product's own words are among them.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: (names of the one pole, names of the other). Folded; an English name is the beginning of a word, and ~
#: in it what parts a verb from its particle.
DEEDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    # water and moisture
    (("水洗", "清洗", "冲洗", "水冲", "过水", "浸水", "泡水", "沾水", "碰水", "下水", "入水", "用水", "打湿", "弄湿", "喷湿", "半湿", "湿润", "湿擦", "湿布", "洗一", "洗洗", "洗净", "机洗", "手洗", "浸泡", "泡在", "泡进", "泡一", "泡热",
      "wash", "rins", "in water", "into water", "under water", "with water", "soapy water", "warm water", "tap water", "running water", "under the tap", "wet", "soak", "immers", "submerg", "dampen", "damp", "hose down", "hose it", "flush"),
     ("干着", "干擦", "干燥", "干布", "保持干", "擦干", "吹干", "晾干", "阴干", "dry", "dries", "wipe", "keep moisture")),
    (("洗碗机", "dishwasher", "洗衣机", "机洗", "machine wash", "washing machine"), ("手洗", "by hand", "hand wash", "hand-wash")),
    (("洗洁精", "洗涤剂", "清洁剂", "肥皂", "洗衣液", "detergent", "soap", "cleaner", "bleach", "ammonia", "漂白"), ("清水", "plain water", "fresh water")),
    (("酒精", "乙醇", "异丙醇", "消毒湿巾", "溶剂", "alcohol", "isopropyl", "solvent", "spirit", "acetone"), ()),
    (("钢丝球", "钢刷", "钢丝刷", "硬毛", "百洁布", "刮刀", "wire brush", "steel wool", "scourer", "abrasive", "scrub", "scrape"), ("软布", "软毛", "海绵", "soft cloth", "soft brush", "sponge")),
    (("高压", "水枪", "pressure wash", "high-pressure", "jet wash"), ("低压", "low pressure", "soft brush")),
    (("吸尘", "vacuum", "hoover"), ("擦拭", "damp cloth", "wipe")),
    (("踩", "走上去", "上人", "walk on", "step on", "stand on", "tread"), ("勿踩", "绕行", "stay off", "keep off")),
    # oil and coatings
    (("润滑", "上油", "加油", "滴油", "抹油", "机油", "喷油", "涂油", "油脂", "黄油", "oil", "greas", "lubric", "spray", "wd-40"), ("无油", "免润滑", "干式", "sealed", "packed for life", "grease-free")),
    # heat and light
    (("加热", "热风", "吹风机", "烘干", "烘烤", "热水", "烤干", "微波", "heat", "hairdryer", "hair dryer", "hot air", "hot water", "oven", "microwav", "tumble"), ("自然晾干", "自然风干", "自然冷却", "阴干", "冷水", "naturally", "on its own", "air dry", "air-dry", "cold water", "cool air")),
    (("晒太阳", "暴晒", "曝晒", "日晒", "晾晒", "太阳下", "阳光", "日光", "晒干", "sun", "daylight"), ("阴凉", "避光", "遮光", "shade", "indoors", "dark")),
    (("冷冻", "冰箱", "冷藏", "freezer", "refrigerat", "fridge", "chill", "on ice", "冰敷"), ("常温", "室温", "热敷", "room temperature", "warm compress")),
    # electricity
    (("断电", "拔电", "关电", "切断电源", "断开电源", "拉闸", "拔掉电源", "拔下电源", "拔插头", "unplug", "power off", "power down", "cut the power", "disconnect the power", "disconnect the mains", "at the wall"),
     ("通电", "上电", "带电", "保持供电", "不断电", "插着", "plugged in", "powered", "under power", "live")),
    (("关机", "关掉", "关闭", "熄灭", "熄火", "停机", "停用", "停写", "禁用", "解除", "switch off", "switched off", "switch ~ off", "turn off", "turned off", "turn ~ off", "shut down", "shut it down", "disable", "disarm", "deactivat", "at off", "to off", "mute"),
     ("开机", "开着", "打开", "启动", "开启", "启用", "运行", "亮着", "switch on", "switch ~ on", "turn on", "turn ~ on", "left on", "leave ~ on", "leave on", "stay on", "stays on", "keep ~ on", "running", "enable", "activat", "armed", "arm the", "on at all times")),
    (("放空", "排空", "放水", "排水", "倒空", "抽干", "drain", "empty", "emptied"), ("满水", "存满", "注满", "保持水位", "keep ~ full", "fill", "topped up")),
    (("明火", "喷灯", "打火机烤", "火烤", "naked flame", "open flame", "blowtorch", "blowlamp", "heat gun"), ("热毛巾", "温水", "warm towel", "warm water")),
    (("充满", "充足", "满电", "充到100", "fully charg", "full charge"), ("一半", "半电", "半满", "五成", "half")),
    (("充电", "charg"), ("放电", "discharg", "run down", "drain")),
    (("重启", "复位", "重置", "重开", "重新启动", "restart", "reboot", "reset", "power-cycl", "power cycl", "bounce"), ("热加载", "重载", "reload", "不停机", "hot reload", "keep it running", "leave it running")),
    (("接地", "地线", "接地脚", "地脚", "earth", "ground"), ()),
    (("远程", "集控", "远端", "遥控", "在线", "remote", "from the control room", "over the air"), ("就地", "到场", "现场", "当面", "到机位", "on site", "on-site", "in person", "locally", "at the panel", "by hand")),
    # place and posture
    (("立着", "立放", "侧立", "竖放", "竖着", "立起", "直立", "竖直", "站立", "upright", "stand it", "on its side", "on end", "vertical"), ("平放", "平着", "平躺", "横放", "横着", "躺", "侧放", "倒放", "flat", "lay it", "lying", "horizontal", "on its back")),
    (("原地", "别动", "不动", "留在", "现场等", "stay put", "stay where", "leave it where", "stay with", "stay in", "remain"), ("挪", "移开", "移走", "撤离", "离开", "撤到", "move", "leave the", "walk away", "evacuat", "get out")),
    (("打开", "揭开", "揭盖", "开盖", "掀开", "拧开", "开窗", "敞开", "开门", "open", "prop", "vent", "lift the lid"), ("盖上", "关上", "关闭", "盖着", "密闭", "密封", "紧闭", "关严", "焖", "close", "shut", "seal", "keep the lid on")),
    (("堆叠", "叠放", "摞", "重压", "压重物", "stack", "pile"), ("单层", "分开放", "single layer", "side by side")),
    (("悬挂", "挂起", "挂上", "挂着", "吊挂", "hang", "hung", "suspend"), ("平铺", "平放", "叠", "lay flat", "fold")),
    (("室内", "屋里", "indoor", "inside"), ("室外", "户外", "阳台", "outdoor", "outside")),
    # taking apart
    (("拆开", "拆卸", "拆解", "拆机", "拆下", "拆掉", "自行拆", "撬开", "撬", "disassembl", "take apart", "take off", "take it off", "open up", "open the case", "pry", "dismantl"), ("勿拆", "不拆", "送修", "原样", "整机", "send it in", "in one piece", "left on", "leave on")),
    (("拔出", "拔下", "拔掉", "取出", "取下", "摘下", "取掉", "拿掉", "卸下", "剪掉", "剪断", "剪去", "切除", "掰掉", "掰断", "断开", "扯掉", "撕掉", "撕开", "去掉", "揭掉", "剥", "抠", "挑破", "挤破", "pull out", "pull ~ out", "take out", "take ~ out", "take off", "take ~ off", "cut ~ off", "remov", "cut off", "cut it", "snip", "trim", "peel", "pick", "tear", "strip", "detach", "disconnect", "break off", "snap off", "pop"),
     ("保留", "留着", "留在", "装回", "接好", "戴着", "贴着", "leave", "keep", "stay", "retain", "left alone", "reattach")),
    (("自己", "自行", "亲自", "动手", "yourself", "myself", "themselves", "diy", "own hands"), ("送修", "专业", "师傅", "技师", "维修点", "工程师", "物业", "医生", "就医", "professional", "technician", "dealer", "specialist", "caretaker", "engineer", "vet", "doctor", "workshop", "pharmacist")),
    (("催吐", "抠喉", "vomit"), ("就医", "送医", "vet", "doctor", "hospital")),
    (("敲", "拍打", "甩", "晃", "摇", "砸", "knock", "tap it", "bang", "shake", "hit"), ("轻放", "静置", "gently", "stand still", "let it stand")),
    (("揉", "搓", "按摩", "摩擦", "擦拭", "rub", "massage", "wring", "scrub"), ("轻按", "吸干", "按压", "拍干", "blot", "pat dry", "dab")),
    (("涂", "抹", "敷", "搽", "apply", "smear", "dab on", "put on"), ()),
    (("捂", "盖被", "包紧", "裹紧", "裹", "包裹", "wrap", "bundle", "cover"), ("减少衣物", "散热", "裸露", "解开衣", "敞开", "uncover", "leave bare", "leave it open", "undress", "unwrap")),
    (("套袋", "装袋", "包上", "袋装", "bag"), ("裸装", "不装袋", "unbagged", "loose")),
    (("扒门", "撬门", "扒开", "爬出", "强行", "硬拉", "使劲", "用力", "force", "prise", "crowbar", "pull hard"), ("等待救援", "等救援", "警铃", "耐心等", "wait for", "ring the", "轻轻", "gently")),
    # time
    (("马上", "立即", "立刻", "直接", "当场", "趁热", "尽快", "赶紧", "right away", "straight away", "immediately", "at once", "straightaway", "while hot"), ("等待", "等到", "静置", "放凉", "冷却后", "凉透", "稍后", "隔天", "过后", "分钟再", "小时后", "wait", "after it has cooled", "let it cool", "later", "leave it for", "until it")),
    (("再次", "重新", "二次", "再点", "重点", "再试", "又点", "反复", "重复", "重试", "重跑", "重做", "again", "rerun", "re-run", "retry", "relight", "repeat", "second time", "twice"), ("一次为限", "一次性", "仅一次", "回滚", "only once", "roll back", "rollback", "start over")),
    (("提前", "预先", "事先", "预热", "热车", "preheat", "warm up", "beforehand", "in advance"), ("冷启动", "直接启动", "from cold")),
    # keeping and discarding
    (("扔掉", "丢弃", "倒掉", "报废", "销毁", "删", "移除", "清空", "清除", "卸载", "撤下", "drop the", "delete", "discard", "throw", "bin ", "dispos", "remove", "uninstall", "wipe", "purge", "clear", "take down", "taken down"),
     ("保留", "留着", "保存", "存着", "覆盖", "沿用", "keep", "kept", "retain", "leave the", "leave it", "preserve", "install over", "swap", "replace in place", "in place")),
    (("重新上传", "重新发布", "重发", "重建", "重新创建", "重装", "重新安装", "再发", "repost", "re-post", "post again", "upload again", "publish it afresh", "afresh", "recreat", "reinstall", "start afresh", "from scratch"),
     ("替换", "原地", "就地", "编辑", "修改", "直接改", "swap", "replace", "edit", "overwrite", "in place", "in-place", "existing")),
    (("备份", "导出", "存一份", "back up", "backup", "snapshot", "export"), ("不备份", "without a backup")),
    (("格式化", "初始化", "抹掉", "format", "factory reset", "erase"), ("保留数据", "keep the data")),
    (("升级", "更新", "刷机", "upgrade", "update", "flash"), ("降级", "回退", "停留在", "downgrade", "stay on", "roll back")),
    (("回滚", "回退", "还原", "撤销", "roll back", "rollback", "revert", "undo", "restore"), ("重跑", "重试", "继续执行", "rerun", "re-run", "retry", "carry on", "fix forward")),
    (("手动", "人工", "manual", "by hand"), ("自动", "定时", "automatic", "scheduled", "step through")),
    (("挂失", "冻结", "锁卡", "锁定", "止付", "报警", "报案", "freez", "block", "lock", "report", "call the police"), ()),
    (("继续用", "接着用", "继续使用", "照用", "照常用", "还能用", "接着开", "照开", "carry on using", "keep using", "go on using", "still use", "continue using", "keep driving", "drive on"), ("停用", "停止使用", "禁止继续", "不再使用", "更换", "报废", "stop using", "out of use", "take it out of service", "replace it", "stop driving", "pull over")),
    (("修补", "补好", "补平", "复原", "恢复原状", "自己补", "patch", "fill the", "make good", "restore"), ("无须修补", "保持现状", "as it is", "as they are", "leave the holes")),
    (("掺", "兑", "混合", "混用", "勾兑", "稀释", "混装", "mix", "dilut", "blend", "combine"), ("单独", "原液", "分开", "neat", "undiluted", "separately", "on its own")),
    (("空腹", "饭前", "empty stomach", "before meals", "before food"), ("饭后", "随餐", "餐后", "with food", "after meals", "after food")),
    (("掰开", "碾碎", "嚼", "磨碎", "crush", "chew", "split the tablet", "open the capsule"), ("整片", "整粒", "吞服", "whole")),
    (("喂", "投喂", "喂食", "feed", "give it food"), ("禁食", "停食", "fast", "withhold food")),
    (("浇水", "浇透", "补水", "irrigat", "drench"), ("断水", "控水", "停水", "keep it dry")),
    (("开火", "点火", "点燃", "打火", "明火", "ignite", "light the", "relight", "strike a match", "naked flame"), ("关阀", "关总阀", "熄火", "close the valve", "put it out")),
    (("移动", "搬动", "扶起", "抬起", "翻身", "move the", "lift the", "turn the casualty", "sit up"), ("平卧", "原位", "保持不动", "keep still", "lie still", "lying down")),
    (("提前还", "结清", "一次性付", "pay off", "settle early", "in one go"), ("分期", "按月还", "instalment")),
    (("登录", "注销", "退出登录", "log out", "sign out", "log off"), ("保持登录", "stay signed", "stay logged")),
    (("共享", "共用", "多人用", "share", "sharing"), ("专用", "个人用", "单独使用", "own", "personal use")),
    (("填写", "申报", "填报", "勾选", "declare", "tick", "fill in"), ("留空", "不填", "空着", "blank", "empty")),
)  # fmt: skip


def _pole(names: tuple[str, ...]) -> re.Pattern[str] | None:
    if not names:
        return None
    ordered = sorted(names, key=len, reverse=True)
    return re.compile("|".join(rf"\b{_spelled(n)}" if n.isascii() else re.escape(n) for n in ordered))


def _spelled(name: str) -> str:
    """A tilde stands for what a phrasal verb is parted by: take the batteries out."""
    return re.escape(name).replace(r"\~", r"[a-z' -]{1,24}?")


#: How or when a thing is done: they say nothing without the deed.
_HOW_AND_WHEN = ("马上", "再次", "手动", "提前", "自己")
QUALIFIERS = frozenset(n for n, (one, _) in enumerate(DEEDS) if one[0] in _HOW_AND_WHEN)

_POLES = tuple((_pole(one), _pole(other)) for one, other in DEEDS)


@lru_cache(maxsize=4096)
def deeds_of(text: str) -> tuple[tuple[int, int], ...]:
    """(number of the deed, +1 or -1 for its pole) of each deed that a short text names by one pole only."""
    found = []
    for number, (one, other) in enumerate(_POLES):
        first = one is not None and one.search(text) is not None
        second = other is not None and other.search(text) is not None
        if first != second:
            found.append((number, 1 if first else -1))
    return tuple(found)


def pole_places(number: int, text: str) -> list[tuple[int, int, int]]:
    """(start, end, pole) of the names of one deed in a text, in order."""
    found = [
        (m.start(), m.end(), sign)
        for pattern, sign in zip(_POLES[number], (1, -1), strict=True)
        if pattern is not None
        for m in pattern.finditer(text)
    ]
    return sorted(found)
