# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""What a question leaves unsaid: the thing it is about, or what is asked of it.

Precision comes first: a word that no table here knows is taken for a topic, and a question with a topic and a question
word is complete ('年假有几天' names no product, and every staff handbook answers it).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ragclean.text import question_words as qw
from ragclean.text.question import Question
from ragclean.text.question_content import in_dictionary
from ragclean.text.tokens import is_stopword

GapKind = Literal["", "nothing", "pronoun", "no_thing", "bare_topic", "bare_thing"]

#: A question with more informative words than these says enough, whatever it points at besides.
_ENOUGH = 5


@dataclass(frozen=True, slots=True)
class Gap:
    """What is missing; ``words``: the pronoun, the attribute or the bare topic that stands there instead."""

    kind: GapKind
    words: str = ""


COMPLETE = Gap("")

#: Chinese words that point at something said before. 这个月 and 这么 point at nothing.
_POINTER_ZH = re.compile(
    r"(?:上面|上述|前面|刚才|刚刚|之前)(?:说的?|提到的?|讲的?|那)|"
    r"(?:它|他|她)们?(?!人|乡|山|国|日)|"
    r"这(?:俩|两[个款种]|[款种件台些边样]|[首部本家位座场张条]|个(?!月|季度|星期|周|学期|世纪|暑|寒|夏|冬)|是|东西|玩意儿?)|"
    r"那(?:俩|两[个款种]|[款种件台些边样]|[首部本家位座场张条]|个(?!月|季度)|是|东西|玩意儿?)|"
    r"(?<![应活])该(?:功能|产品|型号|公司|项目|政策|服务|设备|系统|软件|流程|接口|规定|条款|剧|片|书)|(?:本|此)(?:产品|型号|功能|条款)"
)
#: The same in English. 'this year' is no pointer; 'it' in 'how long does it take to' stands for what follows.
_POINTER_EN = re.compile(
    r"\b(?:it|they|them|he|she|him|its|their|his|her|this|these|those|that)\b(?!'?s? (?:year|week|month|time|weekend|morning|summer|winter|semester|season|way)\b)"
)
_EXPLETIVE = re.compile(r"\b(?:to|that|if|from|when|for|until|before|after|between|in|at|on)\b")
#: What an English question says before a pointer that is its subject.
_HEAD_EN = re.compile(
    r"(?:(?:hi|hello|so|and|but|ok|then|please|what|which|who|when|where|why|how|much|many|long|often|far|old|about|"
    r"do|does|did|is|are|was|were|can|could|will|would|should|has|have|isn't|aren't|doesn't|don't|won't|can't|didn't|what's|who's|how's|where's|"
    r"i|you|we|me|turn|use|get|make|of|for|with|in|on)[ ,]*){0,7}"
)
#: A verb right before a pronoun that is all there is: 'can you fix it', 'how do I use this'.
_VERB_IT = re.compile(
    r"(?:can|could|how|why|should|may|will|do|does) (?:can |do |to |should |does |did )?(?:i |you |we )?(?:to )?[a-z]{2,12} (?:it|this|that|them|these|those)(?: (?:up|off|on|out|back|again|please|now))?$"
)
#: Words that say nothing of which thing is meant: properties that only a thing has, and what may be done with anything.
_NEEDS_A_THING = qw.word_set(
    "保修 质保 保修期 质保期 价格 价钱 价 售价 费用 收费 计费 尺寸 大小 颜色 重量 型号 版本 版本号 最新 最新版本 功能 作用 用途 材料 资料 条件 流程 步骤 手续 优惠 折扣 活动 便宜 贵 货 有货 "
    "现货 库存 退 换 修 坏 坏掉 用 使用 支持 申请 办理 办 开始 结束 到 到期 过期 到货 好 行 不行 不能 报错 出错 错误 问题 故障 解决 处理 打不开 用不了 不能用 没反应 失败 负责 联系 "
    "地址 要求 规定 规格 参数 区别 差别 比 点 出 找 有效 启用 开启 关闭 打开 设置 安装 装 更新 升级 下载 有效期 期限 时限 截止 截止时间 操作 原因 情况 事 买 弄 搞 做 改 查 查询 取消 "
    "需要 可以 有 没有 还有 现在 目前 一般 大概 请问 想 知道 了解 咨询 帮忙 帮 告诉 加 看 说 内容 详情 信息 性能 质量 产品 商品 东西 详细 具体 政策 服务 项目 上一代 一代 流程图 回事 办法 方法 "
    "price prices pricing cost costs fee size weight color colors colour colours version latest newest available availability requirements requirement "
    "work works working use used install apply fix fixed broken break error errors problem problems issue issues contact discount start end expire expires expired valid "
    "support supported warranty guarantee update updates upgrade open close delete change set settings setup policy product device item thing things info information "
    "details detail help need want know stop fail failed fails happen happened happens wrong cancel buy get one ones other mean take long much good bad still now got try again explain describe detailed other others specific"
)
#: Asks for an account of the thing itself: a name and such a word are a whole question.
_ASKS_FOR_ALL = re.compile(
    r"介绍|讲讲|说说|讲一下|说明|概述|总结|是什么|什么是|是啥|列出|对比|比较|翻译|"
    r"\b(?:tell me (?:more )?about|describe|explain|summari[sz]e|list|compare|vs|versus|overview|introduction|define|translate)\b"
)
#: Question words that ask nothing determinate of the name beside them.
_ONLY_TURNS_TO = re.compile(r"(?:(?:那|请问|関於|关于)?.{1,40}(?:呢|怎么办|咋办|怎么弄|怎么处理)|(?:and )?(?:what|how) about .{1,60})[?？!！。. ]{0,3}")
#: 那上海呢, what about Leeds: a turn to another topic in a conversation that we do not see.
_FOLLOW_UP = re.compile(r"(?:那|那么)?[^,，。?？\s]{1,8}呢[?？!！。. ]{0,3}|(?:and )?(?:what|how) about [a-z0-9' -]{1,30}[?!. ]{0,3}")
_ABOUT = re.compile(r"(?:关于|有关|about |regarding |re: ?)")
_ASKS = re.compile(r"[吗么呢嘛]|怎么|怎样|如何|为何|能否|是否|可否|有没有|[?？].*[?？]|\b(?:how|why|when|where|who|whose|what|which)\b")
_LETTERS = re.compile(r"[a-z0-9\u3400-\u9fff]")
_POINTER_WORD = re.compile(r"[这那该此][个款种些边里儿俩台家件位部项样是]?|一下|刚才|上面|关于|有关")


def find_gap(question: Question) -> Gap:
    """What the question leaves unsaid. Works on what was parsed, in any language; never raises."""
    folded = question.folded.strip()
    named = bool(question.things or question.years or question.versions)
    if not question.terms:
        return _wordless(folded, named)
    telling = [t.text for t in question.terms if not _says_nothing(t.text)]
    if len(telling) > _ENOUGH:
        return COMPLETE
    if named:
        return _bare_thing(question, folded)
    if question.qualifiers and telling:
        return _bare_topic(folded, telling) if len(telling) == 1 else COMPLETE
    pointer = _pointer(folded, len(telling))
    if pointer:
        return Gap("pronoun", pointer)
    if not telling:
        words = [t.text for t in question.terms if not _POINTER_WORD.fullmatch(t.text)]
        asks = _asks(folded)
        return Gap("no_thing" if asks else "bare_topic", _joined(folded, words))
    return _bare_topic(folded, telling)


def _wordless(folded: str, named: bool) -> Gap:
    """A question without a content word: '怎么办', 'how much?'. Text in a script we do not read is left alone."""
    if named or any(c.isalpha() and not _LETTERS.match(c) for c in folded):
        return COMPLETE
    if not _LETTERS.search(folded):
        return Gap("nothing")
    pointer = _pointer(folded, 0)
    return Gap("pronoun", pointer) if pointer else Gap("no_thing")


def _says_nothing(word: str) -> bool:
    if word in _NEEDS_A_THING or is_stopword(word) or qw.is_light(word) or _POINTER_WORD.fullmatch(word):
        return True
    return len(word) == 1 and not word.isascii() and in_dictionary(word) and word in _LIGHT_CHARACTERS


#: Single characters that the cutter leaves over, of which none names a thing.
_LIGHT_CHARACTERS = frozenset("点退换修坏用到好行出找事价货比办买弄搞做改查再又还更最太些下上")


def _pointer(folded: str, telling: int) -> str:
    """The pointing word that stands where the thing should, with nothing before it that it could point at."""
    found = _POINTER_ZH.search(folded)
    if found is not None:
        before = folded[: found.start()].strip(" ,，。、:：")
        return found.group() if not before or _OPENERS_ZH.fullmatch(before) else ""
    found = _POINTER_EN.search(folded)
    if found is None:
        return ""
    end = folded.rstrip("?!. ")
    if _VERB_IT.fullmatch(end):
        return found.group()
    if found.group() == "it" and _EXPLETIVE.search(folded, found.end()):
        return ""
    if found.group() == "that" and telling > 1:
        return ""
    return found.group() if _HEAD_EN.fullmatch(folded[: found.start()]) else ""


#: What may stand before a pointing word without being what it points at.
_OPENERS_ZH = re.compile(
    r"(?:请问|你好|您好|那|那么|所以|但是|如果|要是|请教|想问|问下|一下|我想|我|知道|为什么|怎么|如何|什么是|能不能|可以|可不可以|是不是|有没有|关于|把|对|在|用|买|给|[ ,，!！]){0,5}"
)


def _asks(folded: str) -> bool:
    return (
        _ASKS.search(folded) is not None
        or qw.fixed_pattern().search(folded) is not None
        or qw.open_pattern().search(folded) is not None
        or qw.YES_NO_HEAD.match(folded) is not None
        or _ASKS_FOR_ALL.search(folded) is not None
    )


def _bare_thing(question: Question, folded: str) -> Gap:
    """'X200', 'X200呢': a name of which nothing is asked."""
    rest = [t.text for t in question.terms if not any(t.text in thing for thing in question.things)]
    if rest or not question.things or question.years or question.versions or _ASKS_FOR_ALL.search(folded):
        return COMPLETE
    if _asks(folded) and not _ONLY_TURNS_TO.fullmatch(folded):
        return COMPLETE
    return Gap("bare_thing", " ".join(question.things))


def _bare_topic(folded: str, telling: list[str]) -> Gap:
    """'公积金', 'refund?': one word and no question."""
    if len(telling) > 1 or (_asks(folded) and not _FOLLOW_UP.fullmatch(folded)):
        return COMPLETE
    if _asks(folded):
        return Gap("bare_topic", telling[0])
    alone = _ABOUT.sub("", folded).strip(" ?？!！。.")
    return Gap("bare_topic", telling[0]) if alone == telling[0] else COMPLETE


def _joined(folded: str, words: list[str]) -> str:
    """The words as the query has them, from the first to the last, where they stand together."""
    starts = [folded.find(w) for w in words]
    if not words or min(starts) < 0:
        return " ".join(words)
    return folded[min(starts) : max(s + len(w) for s, w in zip(starts, words, strict=True))]
