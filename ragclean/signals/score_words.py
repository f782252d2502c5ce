"""The score in a model's words: which of an answer's numbers is the one it gives.

A number is evidence where a label stands before it, where the answer begins or ends with it, or where it says itself
that it is one ('8分', '7/10'). It is none where the answer denies it, reports that somebody asks for it, or counts
something with it; and where what is left names two scores, or one that can be read in two ways, there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragclean.text.folding import fold
from ragclean.text.numerals import HAN_NUMERAL, parse_han

#: The scale that is asked for.
SCALE = 10.0
#: Other scales that models name ('4/5', '80/100'); another denominator is a date or a count.
SCALES = (5.0, 10.0, 100.0)
#: Characters before a number in which a denial or a request may stand.
_BEFORE = 80

_BOXED = re.compile(r"\\boxed ?\{([^{}\n]{1,20})\}")
_MARKS = re.compile(r"[*`#_$]+")
#: Quoted words are the passage's, not the model's.
_QUOTES = (("「", "」"), ("『", "』"))

_TOP = r"(?!\d|\.\d)"
#: The scale as such, named beside the score: '在0-10分中', 'on a scale of 0 to 100', '满分10分', 'maximum of 10'.
_SCALE_NAMED = re.compile(
    rf"(?:on )?(?:a )?scale (?:of|from) (?:zero|one|(?P<low>[01])) ?(?:-|to) ?(?P<scale>\d{{1,4}}|ten|five){_TOP}"
    rf"|\([ ]?(?P<first>[01]) ?(?:-|~|到|至|to) ?(?P<range>\d{{1,4}}){_TOP} ?分?制?[ ]?\)"
    rf"|(?<![\d.~-])[01] ?(?:-|~|到|至|to) ?(?P<points>10|100){_TOP}"
    r"(?! ?(?:[天日周月年个元次]|小时|day|week|month|year|hour)) ?分?制?"
    rf"|\(?满分(?:为|是)? ?[:=]? ?(?P<full>\d{{1,4}}|十|五|百|一百){_TOP} ?分?\)?"
    r"|(?P<system>十|百|五|10|100|5)分制"
    rf"|\(?max(?:imum)?\.?(?: of| score)? ?[:=]? ?(?P<most>10){_TOP}\)?"
    rf"|\((?:max(?:imum)?|out)\.?(?: of)? ?[:=]? ?(?P<bracketed>\d{{1,4}}){_TOP}\)"
)
_NAMES = {"ten": 10.0, "five": 5.0, "十": 10.0, "五": 5.0, "百": 100.0, "一百": 100.0}

_WORDS = {
    "zero": 0.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0,
    "eight": 8.0, "nine": 9.0, "ten": 10.0,
}  # fmt: skip
_NUMBER = re.compile(
    rf"(?<!\d[-~])(?<![a-z0-9.%/{HAN_NUMERAL}])(?:(?P<hundredths>百分之\s?)?(?:(?P<digits>[+-]?\d{{1,3}}(?:\.\d{{1,4}})?)"
    rf"|(?P<han>[{HAN_NUMERAL}点]{{1,6}})|(?P<word>{'|'.join(_WORDS)})(?![a-z])))"
    r"(?:\s?(?P<percent>%|percent\b)|\s?(?:/|out of)\s?(?P<of>\d{1,3}|ten)(?!\d|/|\.\d)|\s?(?P<points>分)"
    r"(?=[^\u3400-\u9fff]|$|因为|吧|左右)|\s?(?P<english>points?)\b)?"
    r"(?![\d/%])(?!\.\d)(?!\s?(?:-|~|至|到|to\b)\s?\d)"
)
_LABEL = re.compile(
    r"(?P<final>最终|最后|综合|总体|总|final|overall|total)? ?"
    r"(?:(?P<strong>相关度|相关性|得分|评分|分数|打分|分值|评为|总分|score|rating|relevance|relevancy)"
    r"|给出|给|打|grade|rate|answer|答案|结果|结论|(?<![^\n])答(?= ?:)"
    r"|(?<=final)(?= ?:)|(?<=最终)(?= ?:))"
    r"(?: ?(?:得分|评分|分数|score|rating|\(\)))*\s?(?:(?:[:=]|是|为|is|of|would be|it|this|->)\s?){0,2}"
)
_LEADING = re.compile(r"(?:[\s(\[:]|-\s)*")
_STOP = r"(?:$|[\n.。,;!)])"
#: What may stand after a number at the head of an answer; with anything else it counts something ('3处'). '3、' and
#: '3)' number a list.
_AFTER_LEADING = re.compile(r"\s?(?:$|[.。,;:!\n]|\((?![^()\n]{0,80}\) ?[a-z\u3400-\u9fff]))|\s-|\s?因为|\sbecause\b")
_AFTER_BRACKET = re.compile(r"\s?[)\]]")
#: What may stand after a number behind a word that is not about scores alone ('答案：8', but '答案：8天').
_AFTER_WEAK = re.compile(rf"\s?(?:{_STOP}|\([^()\n]{{0,200}}\)\s?{_STOP}|- )")
#: What a number counts, as opposed to words that go on about the score.
_COUNTS = re.compile(
    r"[ ]?(?!因为|由于|理由|原因|吧|左右|但|而|(?:because|since|as|for|on|out|based|with|and|or|but|to|given|due|which"
    r"|that|if|in|at|is|overall|total|score|rating|relevance)\b)[a-z\u3400-\u9fff]|\s?:"
)
_ALONE = rf"[+-]?\d{{1,3}}(?:\.\d{{1,4}})?\s?(?:分|points?)?\s?{_STOP}"
#: Another number that stands beside the first as its equal: '3或4', '8,5', '1. 8', '7:30'.
_ALTERNATIVE = re.compile(rf"\s?(?:(?:或者?|和|、|or\b|and\b)\s?[\d{HAN_NUMERAL}]|[,;.。:)\]\s]\s?{_ALONE})")
_SECOND = re.compile(rf"[\d{HAN_NUMERAL}] ?(?:、|或者?|\bor) ?$")
_LIST_BEGINS = re.compile(r"\. ?[^\s\d]")

#: Somebody wants the number that follows in the clause: the passage, mostly. '按要求' and 'as requested' are ours.
_ASKED = re.compile(
    r"(?<![按据照合足])要求|(?<![按据照])(?:请求|命令|指示|指令)|注入|诱导|操纵|试图|企图|让(?:我|你|模型)"
    r"|(?<!question )(?<!user )\basks?\b|(?<!as )\b(?:asked|requested|instructed)\b"
    r"|\b(?:asking|demand|request|instruct|inject|tell|tries|trying|attempt|want|manipulat|prompt)(?:s|ing|ions?|e)?\b"
)
_DENIED = re.compile(
    r"(?:无法|不能|不应该?|不该|不会|不可以?|不予|不配|不值得?|拒绝|难以|不宜|不是|并非|不|没有?)"
    r"(?:再|直接|对其|为其|给|打|得|到|出|予|达|评| ){0,6}$"
    r"|\b(?:can't|cannot|won't|wouldn't|shouldn't|couldn't|don't|doesn't|didn't|isn't|not|never|refuse[sd]? to"
    r"|decline[sd]? to|unable to|without)(?: (?:be|a|an|the|it|this|that|get|give|giving|given|assign|award|deserve"
    r"|receive|merit|warrant|reach|rate|score|any|with|as|me|you|output|say)){0,6} ?$"
    r"|(?:写着?|写道|说|称|\bsays?|\bstates?|\bclaims?|\bwrites?|\breads)(?: that)? ?[:,]? ?$"
    r"|(?:不超过|至少|最多|低于|高于|超过|不到|不足|\bat (?:least|most)|\bup to|\b(?:less|more) than"
    r"|\bbelow|\babove) ?$"
)
_NOT_MEANT = re.compile(
    r"\s?\?|\s?(?:需要?|是满分|的要求|的指令)|\s(?:would|could|should|requires?|needs?)\b"
    r"|\s(?:is|was) (?:the |only |what )?(?:max|top|best|highest|demanded|requested|asked|for |reserved)"
)
#: The model would not judge at all; a number in such an answer is of the request, or of nothing.
_REFUSED = re.compile(
    r"无法(?:对[^。,;\n]{0,8})?(?:评分|打分|评估|给出(?:评)?分|提供(?:帮助|评分)|协助)"
    r"|我们?(?:暂时|也)?(?:无法|不能|拒绝|没办法|没法)[^。,;\n从据仅凭]{0,12}"
    r"(?:评分|打分|评估|评判|判断|提供|协助|帮助|回答[这该您你])"
    r"|\bi(?:'m| am)? (?:can't|cannot|can not|unable to|not able to|(?:must )?decline to|(?:must )?refuse to)"
    r"(?: \w{1,20}){0,2}? (?:help|assist|continue|evaluate|rate|score|grade|judge|provide|process"
    r"|answer (?:this|that|your))\b"
)

_END = r"(?=\s?(?:[.。,;:!)\]、\n]|$|-\s))"
_WHOLE = {
    1.0: r"是|是的|对|相关|有关|直接相关|高度相关|非常相关|完全相关|能回答|可以回答|直接回答|能直接回答|满分"
    r"|yes|yep|true|correct|relevant|highly relevant|directly relevant|it does|it answers",
    0.5: r"部分|部分相关|部分回答|有点相关|partial|partially|partly|somewhat|partially relevant|somewhat relevant",
    0.0: r"否|不|不是|不相关|无关|不能回答|没有回答|未回答|没有直接回答|未直接回答|不直接相关|完全不相关"
    r"|完全无关|毫不相关|毫无关系|no|nope|false|irrelevant|not relevant|not at all|unrelated|does not answer"
    r"|it does not",
}
_VERDICTS = [(value, re.compile(rf"\W{{0,20}}(?:{words}){_END}")) for value, words in _WHOLE.items()]
#: A verdict that takes itself back, or a 'no' to us instead of one on the passage, or one beside a number of its own.
_TAKEN_BACK = re.compile(
    r"但|不过|然而|可是|\bbut\b|\bhowever\b|\balthough\b|\bthough\b"
    r"|抱歉|对不起|我无法|我不能|\bsorry\b|\bi (?:can't|cannot|can not|won't|am unable)|\bi'm unable"
    rf"|[.。,;:!\n]\s?{_ALONE}"
)


class _Ambiguous(Exception):
    """It can be read in two ways."""


def plain_score(answer: str, *, verdicts: bool = True) -> float | None:
    """The score in words, in 0..1; None where there is not clearly one.

    Args:
        verdicts: take a yes or no where there is no number.
    """
    text = _BOXED.sub(r" \1 ", _even(fold(answer)))
    text = _without_quotes(text)
    try:
        scale = _scale(text)
        text = _even(_MARKS.sub("", _SCALE_NAMED.sub(" ", text))).strip(" \n,")
        if _REFUSED.search(text):
            return None
        labelled = list(_labelled(text, scale))
        tiers = (
            [value for value, last in labelled if last],
            [value for value, _ in labelled] + list(_at_the_ends(text, scale)),
            list(_marked(text, scale)),
        )
    except _Ambiguous:
        return None
    for found in tiers:
        if found:
            return found[0] if len(set(found)) == 1 else None
    return _verdict(text) if verdicts else None


def scaled(number: float, fraction: bool, scale: float = SCALE) -> float | None:
    """Of ten, or of the scale that was named; a fraction below one is taken as one of one. '1.0' may be the best of
    one or the second worst of ten, and '8' of a named hundred may be of the ten that were asked for."""
    if (fraction and number == 1.0) or (scale == 100.0 and 0.0 < number <= SCALE):
        return None
    return within(number if 0.0 < number < 1.0 else number / scale)


def within(share: float) -> float | None:
    """A share of one, None for anything else."""
    return share if 0.0 <= share <= 1.0 else None


def _even(text: str) -> str:
    """No two blanks beside each other: patterns with two optional blanks would try every way to share a long run."""
    return re.sub(r"\s+", lambda m: "\n" if "\n" in m[0] else " ", text)


def _without_quotes(text: str) -> str:
    """Each quotation, as long as it ends in its line, is a blank. Looked for from mark to mark, so that a row of
    opening marks costs no more than another text."""
    lines = []
    for line in text.split("\n"):
        parts = line.split('"')
        unmatched = parts.pop() if len(parts) % 2 == 0 else None
        line = " ".join(parts[::2]) + ("" if unmatched is None else f'"{unmatched}')
        for begin, end in _QUOTES:
            line = _without(line, begin, end)
        lines.append(line)
    return "\n".join(lines)


def _without(line: str, begin: str, end: str) -> str:
    kept, at = [], 0
    while (opened := line.find(begin, at)) >= 0 and (closed := line.find(end, opened)) >= 0:
        kept.append(line[at:opened])
        at = closed + 1
    return " ".join([*kept, line[at:]])


def _scale(text: str) -> float:
    """The scale that the answer names, ten where it names none."""
    tops = set()
    for m in _SCALE_NAMED.finditer(text):
        name = next(found for key, found in m.groupdict().items() if found and key not in ("low", "first"))
        top = _NAMES.get(name) or float(name)
        if top not in SCALES or (top == 5.0 and "1" in (m["low"], m["first"])):
            raise _Ambiguous  # of another number, or a 'three of one to five', which is half
        tops.add(top)
    if len(tops) > 1:
        raise _Ambiguous
    return tops.pop() if tops else SCALE


def _labelled(text: str, scale: float) -> Iterator[tuple[float, bool]]:
    """(score, whether it is called the final one) of each number behind a label."""
    for label in _LABEL.finditer(text):
        m = _NUMBER.match(text, label.end())
        if m is None or not _meant(text, label.start(), m) or not _of_score(text, label, m):
            continue
        value = _value(m, scale)
        if value is not None:
            yield value, bool(label["final"]) or label[0].startswith("总分")


def _of_score(text: str, label: re.Match[str], m: re.Match[str]) -> bool:
    """Whether the number behind a label is a score and no count of something."""
    if m["points"] or m["english"] or m["of"]:
        return True
    if label["strong"]:
        return _COUNTS.match(text, m.end()) is None
    if m["percent"] or m["hundredths"]:
        return "it" in label[0] or "this" in label[0]  # 'rate it 80%', and no rate of interest
    return _AFTER_WEAK.match(text, m.end()) is not None


def _at_the_ends(text: str, scale: float) -> Iterator[float]:
    """Numbers that the answer begins with, or that are its last line, as opposed to those that count something."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines:
        return
    lead = _LEADING.match(text)
    first = _NUMBER.match(text, lead.end()) if lead else None
    if lead and first and _begins(text, lead[0], first) and _meant(text, first.start(), first):
        value = _value(first, scale)
        if value is not None:
            yield value
    last = _NUMBER.match(lines[-1], _LEADING.match(lines[-1]).end())  # type: ignore[union-attr]
    if len(lines) > 1 and last and not lines[-1][last.end() :].strip(" .。)"):
        value = _value(last, scale)
        if value is not None:
            yield value


def _begins(text: str, lead: str, first: re.Match[str]) -> bool:
    """Whether an answer begins with its score, and not with a list's first number or a count."""
    if _AFTER_BRACKET.match(text, first.end()):
        return "(" in lead or "[" in lead
    if first["digits"] == "1" and _LIST_BEGINS.match(text, first.end()):
        return False
    return _AFTER_LEADING.match(text, first.end()) is not None


def _marked(text: str, scale: float) -> Iterator[float]:
    """Numbers that say themselves that they are scores."""
    for m in _NUMBER.finditer(text):
        if (m["of"] or m["points"]) and _meant(text, m.start(), m):
            value = _value(m, scale)
            if value is not None:
                yield value


def _meant(text: str, start: int, m: re.Match[str]) -> bool:
    """Whether a number is given, as opposed to denied, asked for by somebody, or supposed.

    Raises:
        _Ambiguous: another number stands beside it as its equal.
    """
    before = re.split(r"[,.。;!?\n]", text[max(0, start - _BEFORE) : start])[-1]
    if _ASKED.search(before) or _DENIED.search(before) or _NOT_MEANT.match(text, m.end()):
        return False
    if _ALTERNATIVE.match(text, m.end()) or _SECOND.search(text[max(0, start - 8) : start]):
        raise _Ambiguous
    return True


def _value(m: re.Match[str], scale: float) -> float | None:
    """The score that a number stands for; None where it is out of range or could be meant in two ways."""
    if m["digits"]:
        number: float | None = float(m["digits"])
    elif m["word"]:
        number = _WORDS[m["word"]]
    else:
        number = parse_han(m["han"])
    if number is None:
        return None
    if m["percent"] or m["hundredths"]:
        return within(number / 100.0)
    if m["of"]:
        of = 10.0 if m["of"] == "ten" else float(m["of"])
        return within(number / of) if of in SCALES else None
    return scaled(number, "." in (m["digits"] or ""), scale)


def _verdict(text: str) -> float | None:
    """Yes or no, where the answer begins with it and does not take it back."""
    if _TAKEN_BACK.search(text):
        return None
    return next((value for value, words in _VERDICTS if words.match(text)), None)
