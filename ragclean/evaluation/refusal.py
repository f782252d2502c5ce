# ruff: noqa: E501  (patterns; the linter counts a Chinese character as two columns)
"""Does an answer refuse ('资料中没有提到', "the context does not say") and answer nothing?

The answer is cut into clauses, and each is one of four: it says that something is not known (a refusal), it says
nothing by itself (courtesy, advice to ask elsewhere, what the sources do speak of), or it answers. An answer is a
refusal where at least one clause refuses and none answers: 'not stated whether tax is included, but the price is
84 euros' is none.
"""

from __future__ import annotations

import re

from ragclean.text.folding import fold
from ragclean.text.values import find_values

#: A refusal is a few sentences; what goes on for longer answers something.
_LONGEST_REFUSAL = 1_500
#: Clauses: at the marks of both scripts and before a contrast, so that what follows 'but' is looked at by itself.
_CLAUSE_ENDS = re.compile(
    r"[。;!?\n,、:()*]|\.(?=\s|$)|--|(?<=[^a-z])(?=但是?|不过|然而|只是)"
    r"|\s(?=(?:but|however|though|although|and so|so)\b)"
)
_SOURCE_ZH = (
    r"(?:资料|材料|文档|文件|文中|上下文|上文|段落|内容|文本|信息|参考|原文|片段|检索结果|知识库|来源|手册|说明书|"
    r"公告|给定|所给|提供的|已知|现有|当前)"
)
_TELL_ZH = (
    r"(?:提到|提及|说明|涉及|包含|包括|给出|写明|写(?![入进字到])|找到|记载|载明|明确|指出|介绍|列出|注明|规定|描述|交代|"
    r"提供|涵盖|覆盖|显示|谈到|讲到|标明|回答|答案)"
)
#: What is looked for in a text and not found; a signal or a part that cannot be found is another matter.
_TOLD_ZH = (
    r"(?:信息|资料|答案|说明|规定|数据|金额|价格|标准|时间|日期|期限|数值|内容|记录|依据|比例|次数|方法|费用|要求|条款|周期|"
    r"相关|关于|对应|具体|是多少|有多少|多久)"
)
#: Every pattern has bounded gaps, which keeps the search linear.
_REFUSES_ZH = (
    rf"{_SOURCE_ZH}[^。\n]{{0,24}}?(?:没有?|未|并未|未曾|不|无)(?:有|能|曾|见|直接|明确|具体|任何|足够|相关|关于)*{_TELL_ZH}",
    rf"{_SOURCE_ZH}[^。\n]{{0,24}}?(?:没有|未见|不见|无(?![需须论效偿误线条])|缺少|缺乏|查无|[看查找]不(?:到|出))",
    r"^(?:暂|目前|此处|这里|其中|并)?(?:没有?|未|并未|没能|未能|无法|查不到|找不到|暂无|查无)(?:有|能|在|曾|直接|明确|任何|相关)*"
    rf"[^。\n]{{0,12}}?(?:{_TELL_ZH}|查到|检索到|相关信息|相关内容|相关资料|相关说明|信息|资料|数据)",
    rf"(?:没有|没能|未能|未|没)(?:在[^。\n]{{1,16}}[中里])(?:找到|查到|看到|检索到)"
    rf"|(?:(?:没有|没能|未能|未|没)(?:找到|查到|看到|检索到)|(?:找|查)不(?:到|出))(?:$|[^。\n]{{0,40}}{_TOLD_ZH})",
    r"(?:无法|不能|没法|没办法|难以|不好|不便|无从)(?:直接|准确|明确|据此|凭空|从中|进一步|给您|为您|对此|就此)*(?:回答|确定|确认|判断|判定|得知|作答|"
    r"给出|提供|知道|获知|获悉|推断|推测|猜测|解答|答复|回复|告知|说明)",
    r"(?:我|本人|暂时|目前)?(?:不知道|不清楚|不太清楚|不了解|不确定|不详|不明确|未知|不得而知)",
    r"(?:无法|不能|没法)[^。\n]{0,24}?(?:回答|作答|解答|答复)|[答说]不(?:上来|出来|了|准)|回答不(?:了|上)",
    r"(?:信息|资料|材料|内容|数据|依据)(?:并)?(?:不足|不够|有限|缺失)|不足以(?:判断|回答|确定|得出|支持)",
    r"^(?:未|没有?)(?:有)?(?:提供|说明|提及|提到|涉及|写明|注明|规定|给出|明确)",
    r"(?:没有?|未|并未)(?:有)?(?:写|说|写明|说明|提到|提及|注明|列出|给出|标明|提供|规定)(?:到)?$",
    r"^没有[^。\n]{0,16}?的(?:数据|信息|资料|内容|说明|规定|记录)$|^没有关于",
)
_SOURCE_EN = (
    r"(?:passages?|contexts?|documents?|texts?|sources?|information|excerpts?|materials?|articles?|content|data|they|it"
    r"|snippets?|chunks?|pages?|provided|given)"
)
_REFUSES_EN = (
    r"\b(?:do|does|did|can|could|am|is|are|was|were)(?:n't| not) (?:know|sure|certain|clear|aware|able|possible)\b"
    r"|\b(?:i have|there is|there's) no (?:idea|information|mention|answer|data|indication|way|details?)\b|\bcannot\b"
    r"[^.\n]{0,12}\b(?:say|tell|know)\b",
    rf"\b(?:do|does|did)(?:n't| not) have (?:enough|sufficient|any|the|this|that|such) (?:information|context|details?|data|answer)"
    rf"|\b(?:not|n't) (?:covered|mentioned|addressed|discussed|described|contained|included|there) (?:by|in)"
    rf" (?:the|any|any of the|these|this) (?:given |provided )?{_SOURCE_EN}\b"
    rf"|\bnot in (?:the|any|any of the|these|this) (?:given |provided )?{_SOURCE_EN}\b",
    r"\b(?:do|does|did|is|are|was|were|has|have)(?:n't| not) (?:\w+ )?(?:mention|state|specif|indicat|discuss"
    r"|address|disclose|reveal|clarif|explicit|list)",
    rf"\b{_SOURCE_EN}\b[^.\n]{{0,40}}\b(?:do|does|did|is|are|was|were|has|have|can)(?:n't| not) (?:\w+ )?(?:say|tell|contain"
    r"|include|give|provid|answer|cover|found|enough|sufficient|have|explain|describe|set out|show)",
    rf"\b(?:none|nothing|neither)\b[^.\n]{{0,40}}\b(?:{_SOURCE_EN}|state|say|mention|specif|indicat)",
    r"\b(?:not|never|n't) (?:\w+ )?(?:stated|mentioned|specified|provided|given|found|known|indicated"
    r"|answerable|answered)\b",
    r"\b(?:cannot|can't|could not|couldn't|unable to|not able to|impossible to|not possible to|failed to|did not|didn't)"
    r" (?:be |\w+ )?(?:(?:answer|determine|tell|say|confirm|provide|give|infer|establish)\b|(?:found|find|locate|identify)"
    r"(?:$|\b[^.\n]{0,60}\b(?:in|information|mention|answer|details?|figures?|anywhere|it|that|any)\b))",
    r"\bno\b[^.\n]{0,60}\b(?:is|are|was|were|has been|have been) (?:\w+ )?(?:given|stated|mentioned|specified|provided|found"
    r"|listed|indicated)\b",
    r"\b(?:not enough|insufficient|no relevant|no further|no) (?:information|context|detail|data|evidence)\b|^unknown$"
    r"|\b(?:is|are|remains?) unknown\b|\b(?:information|details?|data|answer) (?:is|are) (?:not |un)available\b"
    r"|\b(?:lacks?|missing|without) (?:\w+ )?(?:information|details?)\b|^(?:n/a|none)$",
)
_REFUSES = re.compile("|".join((*_REFUSES_ZH, *_REFUSES_EN)))
#: What answers nothing by itself: courtesy, leads, advice to ask elsewhere, what the sources do speak of.
_EMPTY = re.compile(
    r"(?:非常|很|十分|实在|真的)?(?:抱歉|遗憾|对不起|不好意思)|您好|你好|谢谢|感谢|请问"
    r"|(?:根据|基于|依据|按照?|从|就|关于|对于|针对|由于|因此|所以|综上|也就是说|如果|若)[^。\n]{0,60}$"
    r"|(?:向|与|跟|和|找)[^。\n]{1,16}(?:确认|核实)"
    r"|(?:建议|请|可以?|最好|推荐|需要?|需|欢迎|具体)[^。\n]{0,10}(?:咨询|联系|查询|查阅|参考|询问|核实|确认$|确认一下|参阅|拨打|查看|致电|补充|提供|访问|以[^。\n]{1,20}为准)"
    r"|(?:资料|材料|文档|文中|上下文|内容|它们|文章|段落|公告|手册)[^。\n]{0,4}(?:仅|只|主要)(?:是|有|提|写|说|讲|谈|涉及|包含|介绍|给|列|覆盖)"
    r"|(?:仅|只)有?[^。\n]{1,24}的(?:规定|说明|信息|内容|数据|资料|记录|条款)$"
    r"|(?:这个|该|此|上述|本)(?:问题|信息|内容)$|^(?:答案?|回答|结论)$"
    r"|\b(?:sorry|unfortunately|apolog|regret|thanks|thank you|hello|please|kindly|i'm afraid|as an ai)"
    r"|\b(?:contact|consult|check with|ask|refer to|reach out|get in touch|verify with)\b"
    r"|\b(?:only|just|merely) (?:\w+ )?(?:cover|mention|describ|discuss|talk|deal|contain|list|state|say|give|provid|speak|about)"
    r"|^(?:based on|according to|from|in|given|regarding|as for|therefore)\b[^.\n]{0,60}$"
    r"|^(?:the )?(?:answer|question)$|\blet me know\b|\bif you\b|\bmore (?:context|information|details)\b"
)
#: That the sources contradict each other is an answer, and where they do, the right one.
_CONFLICT = re.compile(
    r"(?:两|几|多|各|不同)(?:种|个|处|份|方)?[^。\n]{0,4}说法|说法(?:不一|不同|各异)|矛盾|不一致|互相冲突"
    r"|\b(?:disagree|contradict|conflict|inconsistent|differ from each other)"
)
_MARKS = re.compile(r"[\W_]+")
#: A clause shorter than this without a value says nothing alone ('其中', 'so').
_LEAST_CLAUSE = 3


def is_refusal(answer: str) -> bool:
    """True where ``answer`` says that it cannot answer and answers nothing; an empty one answers nothing too."""
    folded = fold(answer[: _LONGEST_REFUSAL + 1]).strip()
    if not _MARKS.sub("", folded):
        return True
    if len(folded) > _LONGEST_REFUSAL:
        return False
    kinds = [_kind(clause) for clause in _clauses(folded)]
    return "refuses" in kinds and "answers" not in kinds


def says_nothing(text: str) -> bool:
    """True where a sentence is courtesy, advice to ask elsewhere, or a mere lead."""
    folded = fold(text[: _LONGEST_REFUSAL + 1]).strip()
    if len(folded) > _LONGEST_REFUSAL or find_values(folded):
        return False
    return all(_EMPTY.search(clause) for clause in _clauses(folded))


def _clauses(folded: str) -> list[str]:
    return [c for c in (p.strip(" \t-•#>\"'.") for p in _CLAUSE_ENDS.split(folded)) if _MARKS.sub("", c)]


def _kind(clause: str) -> str:
    """What a clause does: ``refuses``, ``answers``, or ``nothing``."""
    if _CONFLICT.search(clause):
        return "answers"
    if _REFUSES.search(clause):
        return "refuses"
    if _EMPTY.search(clause):
        return "nothing"
    if len(_MARKS.sub("", clause)) < _LEAST_CLAUSE and not find_values(clause):
        return "nothing"
    return "answers"
