# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""What a question without a value puts forward: yes or no to a predicate, one of two alternatives, a payer, advice.

Read from the folded question alone. The predicate is what stands beside the question word: behind 能不能 and 要不要,
before 吗 and a final 不, after the auxiliary in English. Its words are what a page must speak of to take a side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragclean.arbitration.stances.deeds import deeds_of
from ragclean.arbitration.stances.directives import VERBS
from ragclean.text import question_words as qw
from ragclean.text.tokens import informativeness, is_stopword, tokenize

StanceKind = Literal["yes_no", "party", "choice", "advice"]
Modal = Literal["can", "is", "may", "need", "free"]

#: X还是Y. 还是 also means 'still' (重启了还是不行): what follows it must not be a denial or a state.
_ZH_CHOICE = re.compile(
    r"(?P<a>[^,。;?!\n ]{1,24}?) ?(?:还是|或者是|抑或) ?(?!不|没|要不|得不|会|一样|报错|提示|这样|老样|无法|连不)(?P<b>[^,。;?!\n]{1,24})"
)
_ZH_STILL = re.compile(r"[了过也却]$")
_ZH_CHOICE_HEAD = re.compile(r"^.{0,20}?(?:到底|究竟)?(?:是|该|应该|应|需要)+(?!否)|^(?:要|得)")
#: 'Do I A or B', 'flip it right away or wait': advice between two. Of 'does it support A or B' both may be true.
_EN_CHOICE = re.compile(
    r"(?:^|[,.;:!?(] ?|- )(?:(?:so|and|but|please|now|then) )?(?P<head>(?:do|should|shall|must|can|could) (?:i|we|you)|is it (?:better|best) to|better to|[a-z]{3,12}(?= (?:the|it|my|them|in|on|with)\b)|in|on|at|to|with)"
    r" (?P<a>[a-z0-9' -]{2,60}?),? or (?:do i |should i |rather |instead )?(?P<b>(?!not\b|no\b|what|so\b|something|anything|later|more|less|newer|higher|above|below|is\b|are\b|can\b|does\b)[a-z0-9' -]{3,40})[?!.]*$"
)
#: Question words of another kind: what they ask for is no choice of two.
_OPEN = re.compile(r"多少|多久|几(?!乎)|什么|哪|谁|为何|怎么办|怎么回事|\b(?:how (?:much|many|long)|which|what|where|when|who|why)\b")
_ZH_MODAL_FIRST = re.compile(
    r"(?P<need>要不要|用不用|需不需要|该不该|应不应该|得不得|是否(?:需要|必须|应当?)|是不是(?:要|得|需要|必须|应该))"
    r"|(?P<can>能不能|可不可以|能否|可否|会不会|有没有|让不让|准不准|给不给|行不行|可以不可以|是否(?:可以|能|支持|允许)?|是不是)"
    # Any verb asks so: 包不包, 保不保, 认不认, 兼不兼容. What follows the first verb is the predicate.
    r"|(?=(?P<verb>[\u4e00-\u9fff])不(?P=verb))(?!好不好|对不对|要不要|差不差)[\u4e00-\u9fff]不"
)
#: The particle that ends a question; a final 不 or 没 asks as well.
_ZH_PARTICLE = re.compile(r"(?:吗|嘛|(?<=[\u4e00-\u9fff])吧|(?<![什怎这那多要])么|没有|没|不|否|行不|不啦|不呢)(?:呀|啊|呢|哦)?(?= |$|[,。?!;])")
#: A leave asked for at the end, whatever numbers stand before: 刷过几次了,能转给我老婆不.
_ENDS_ASKING = re.compile(r"(?:能|可以|让|给)[^,。?!; ]{1,16}[不没]$")
_ZH_MODAL = re.compile(
    r"(?P<need>不用|不必|不需要?|无需|一定要|必须|需要|需|必需|得(?!到|了|[回上下出进过起动着住完开][来去]?(?:吗|不|么|$))|非得|要不|该|应该|(?<![想只主首重])要(?![求点]))"
    r"|(?P<can>得(?=了$)|认(?![为识证可真错定输])|识别|适配|兼容|给(?=[换修退报赔])|得(?=[回上下出进过起动着住完开][来去]?(?:吗|不|么|$))|可以|能够?|支持|允许|会(?!员|议)|还给|给不给|算不算|(?<![\u4e00-\u9fff])算|享受|包含|包括|接受|准许|让)"
)
_EN_AUX = re.compile(
    r"(?:^|[,.;:!?-] ?|\b(?:and|but|so) )(?P<need>(?:(?:do|does|must|should|shall|did|don't|doesn't|shouldn't|mustn't) (?:i|we|you|one|they|it)|(?:should|must|shall) (?:the|my|our|a|an|new|all|every)|do (?:tenants|customers|visitors|students|employees|owners|users|drivers))\b(?: (?:really|always|still))?(?: (?:need|have) to)?|(?:do|does|did) (?:the |my |our |a |an |every )?[a-z'-]{2,14}(?: [a-z'-]{2,14})? (?:need|have) to\b|(?:am|are|is) [a-z]{1,12} (?:required|obliged|supposed) to)"
    r"|(?:^|[,.;:!?-] ?|\b(?:and|but|so) )(?P<can>(?:(?:isn|aren|doesn|don|can|couldn|won|wouldn|wasn|weren|hasn|haven)'t|can|could|may|does|do|is|are|will|would|has|have|was|were|did|am)\b(?! you (?:tell|help|explain)))"
    r"|(?P<ok>\b(?:ok|okay|fine|safe|alright|allowed|worth|possible|legal|illegal|lawful|against the (?:law|rules)) to\b)"
)
#: A noun phrase or an order with a question mark: 'distilled water ok?', 'reboot the hub?'.
_EN_TAIL = re.compile(r"(?:^|[,.;:] ?| - )(?P<said>[a-z][a-z0-9' -]{3,60}?)(?P<ok>,? (?:ok|okay|fine|alright|safe|right))? ?\?+$")
#: A question that begins so asks whether to do a thing, whatever question words follow (should I ... when ...).
_SHOULD = re.compile(r"(?:(?:so|and|but|hi|hello|please)[, ]+)?(?:should|shall|must) ")
#: Questions of what is the case (is it the first, did it win), where no permission or ability is asked for.
_STATES = frozenset((
    "is", "are", "was", "were", "has", "have", "had", "did", "am", "isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't",
))  # fmt: skip
_EN_MODAL = re.compile(r"\b(?:allowed|permitted|eligible|covered|included|available|possible|supported|compatible|entitled|transferable|able|required|refundable|valid)\b")
#: Whether what stands before it is against the law, or advisable.
_LAWFUL = re.compile(r"(?:算|是|会)?(?:违法|违规|犯法|犯规|合法|合规)(?:的)?(?:吗|么|嘛|吧|不|没)?(?=$|[,。?!; ])")
_ADVISABLE = re.compile(r"[,，。 ]?(?:这样|这么做)?(?:是不是)?(?:推荐|靠谱|可取|稳妥|合适|妥当|科学)(?:吗|么|嘛|吧|不)(?=$|[,。?!; ])")
#: Behind an action they ask whether to do it: 重启服务行不行.
_ALL_RIGHT = frozenset(("行不行", "可不可以", "可以不可以"))
_FINE = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?:行|成|好|中)$")
_HOW = re.compile(r"\bhow (?:do|should|can|to|must) (?:(?:i|we|you) )?([a-z]{3,12})\b")
_ORDERS = VERBS
#: 'X or Y?' at the end, without a head: one of the two begins with the verb of an order.
_EN_TAIL_CHOICE = re.compile(
    r"(?:^|[,.;:!?(] ?)(?P<a>[a-z][a-z0-9' /-]{2,80}?),? or (?:do i |should i |rather |instead |just |better )?(?P<b>(?!not\b|no\b|what|so\b|something|anything|later|more|less)[a-z][a-z0-9' -]{3,60}?)(?: first)?(?:[?!]+(?= |$)|$)"
)
#: 'Which wire is live, the brown or the grey?': two things at the end.
_EN_TWO_THINGS = re.compile(
    r"[,:] ?(?:the|a|an|in|on|at|my) (?P<a>[a-z-]{2,20}(?: [a-z-]{2,20})?),? or (?:the|a|an|in|on|at|my) (?P<b>[a-z-]{2,20}(?: [a-z-]{2,20})?) ?\?*$"
)
_OPENERS = re.compile(r"^(?:(?:should|do|must|shall|can|could) (?:i|we|you) |is it (?:better|best) to |(?:just|better|so|and|simply|first|rather|then|now) )+")
#: 'May it still be used' holds no word but the commonest of verbs.
_USE = re.compile(r"用")
#: The occasion behind the deed is no part of it.
_SUBORDINATE = re.compile(r" (?:when|while|before|after|once|during|until|till|if|because|since) .*$")
_DEED_BEGINS = re.compile(r"(?:先|直接|马上|立[刻即]|赶紧)(?=[\u4e00-\u9fff]{2})")
#: 'Or what?' leaves the other deed open: one is asked about.
_OR_WHAT = re.compile(r"咋整|咋办|咋弄|怎么办|怎么[弄着整]|怎样|别的|其他|^(?:不|没)")
_MAY_CHARGE = re.compile(
    r"(?:收|要|花|付|交|掏)(?:[^,。?]{0,4})(?:费|钱)|免费|收费|付费|\bfree\b|\bcharged?\b|\bfees?\b|\b(?:have|need) to pay\b|\bcosts?\b"
)
#: Who pays, asked as yes or no: 是不是得我出, 要自己掏钱吗, do I have to pay the return postage.
_PAYS_SELF = re.compile(
    r"(?:我|我们|自己|本人|用户|顾客|买家|租客|个人)(?:来|自己|全)?(?:出|掏|付|承担|负担|报销|买单|赔|认)(?!现|示|口|门|差|国|院)|(?:自费|自理|自掏)"
    r"|(?:你们|商家|厂家|公司|平台|房东|卖家|官方)(?:来|给)?(?:出|掏|付|承担|负担|报销|买单|赔)(?!现|示|口|门|差|国|院)"
)
_ADVICE = re.compile(
    r"怎么办|咋办|咋整|怎么(?:处理|弄|洗|清|解决|救|做|搞|擦|存放|保养|修)|该?如何(?:处理|清洁|清洗|存放|保养)|怎样(?:处理|清洁)|怎么才能|处理$"
    r"|\bwhat (?:should|can|do|must) (?:i|we|you) do\b|\bwhat to do\b|\bhow (?:do|should|can|to|must) (?:(?:i|we|you) )?(?:clean|store|fix|remove|treat|wash|handle|dry|stop|get rid|care|deal|revive|unblock|thaw|defrost|open|cool|heat|warm|transport|carry|mount|hang|season|feed|water|prune|reset|restart|recover|dispose)\b"
)
_WHO_PAYS = re.compile(
    r"(?:的)?(?:钱|费用)?(?:到底|究竟|是不是|应该?|该|得|要|需要|由|归|算|找|让){0,4}(?:谁|哪一?方|我|自己|你们|商家|厂家|顾客|用户|公司)(?:来|给)?(?:出|掏|付|承担|负担|报销|买单|赔|负责|支付)"
    r"|\bwho (?:\w{2,8} ){0,2}?(?:pays?|covers?|bears?|foots?|responsible|liable)(?: for)?\b|\bat whose (?:cost|expense)\b|\bpay(?: for)?\b"
)
#: Who pays, in looser words than those that fix the kind of a question.
_ASKS_PAYER = re.compile(
    r"谁(?:要|该|得|需要|应该?|来|去|给|自己|最终|负责){0,3}(?:付|出(?!现|的|了|来)|掏|赔|承担|负担|支付|买单|埋单|兜底|认账|贴钱|报(?!名|警|告|到|送|备))|(?:算|归|由|让|找)谁(?:的|出|付|赔|头上)?(?=[\s,。?!;]|$)|(?:算|落)(?:在)?谁头上"
    r"|\bwho(?:'s| is| has| must| will| should| gets| does| would)?(?: to| got to| going to| have to| left)? (?:pays?|foots?|covers?|bears?|stands?|shoulders?|picks? up|meets?|liable|billed|charged|on the hook)\b|\bwhose (?:responsibility|job|duty|bill|problem|cost|expense)\b|\bon (?:whose|who's) (?:account|bill|tab|dime)\b"
)
_PAY_VERB = r"(?:来|自己|要)?(?:出钱?|付钱?|掏钱?|承担|负担|支付|买单|埋单|负责|赔)"
_TWO_PAYERS = re.compile(
    rf"(?:是|由|归|该|得|要)?(?P<a>[\u4e00-\u9fffa-z0-9]{{1,8}}?){_PAY_VERB},? ?(?:还是|或者?) ?(?:是|由|归|该|得|要)?(?P<b>[\u4e00-\u9fffa-z0-9]{{1,8}}?){_PAY_VERB}"
    r"|(?:钱|费|款|损失|账|责任)[^,。;?]{0,4}(?:算|归|是)(?P<c>[\u4e00-\u9fffa-z0-9]{1,8}?)的?还是(?:算|归|是)?(?P<d>[\u4e00-\u9fffa-z0-9]{1,8}?)的?(?=[?。,\s]|$)"
)
_TWO_PAYERS_EN = re.compile(
    r"\b(?:is it|down to|on|charged to|paid by|do|does|will) (?P<a>(?:the |my )?[a-z]{1,14}) or (?P<b>(?:the |my )?[a-z]{1,14}) (?:that |who )?(?:pays?|covers?|foots?|bears?|have to pay|has to pay)\b"
)
_PAYING = qw.word_set("钱 费用 费 损失 部分 出 付 掏 承担 负担 到底 究竟 pay pays paid cost bill")
_AFTER_ONLY = re.compile(r"^(?:了|过|的|着|吗|啊|呀)+")
_MAX_WORDS = 8
#: No question is longer.
_LONGEST = 400


#: May something be done with a means: 能不能拿酒精擦, ok to use alcohol. A page that tells to do it says yes.
_MEANS = re.compile(r"^(?:先|直接|再)?(?:用|拿|把|将)")
#: Leave is asked for, so that naming the thing grants nothing: 让不让用吹风机.
_LEAVE = re.compile(r"让不让|准不准|许不许|允许|准许|让.{1,12}[吗不]|禁止")


@dataclass(frozen=True, slots=True)
class Proposition:
    """What pages can take a side on."""

    kind: StanceKind
    modal: Modal = "can"
    key: tuple[str, ...] = ()
    """Words of the predicate, in the question's order."""
    options: tuple[tuple[str, ...], ...] = ()
    """Words of each of two alternatives that the other has not."""
    told: tuple[str, ...] = ()
    """The predicate, or each of two alternatives, as the question puts it."""


#: Asks for somebody, whatever stands behind it: who won the women's open in 2021.
_WHO = re.compile(r"who\b(?! (?:can|may|is allowed|is entitled|needs?|has to|must)\b)")


def proposition_of(folded: str, kinds: Sequence[str]) -> Proposition | None:
    """The proposition of a question whose facets are of ``kinds``; None where it puts none forward."""
    folded = folded[:_LONGEST].strip()
    payers = _choice_of_payers(folded)
    if payers is not None:
        return payers
    choice = _choice(folded)
    if choice is not None:
        return choice
    if "party" in kinds or _ASKS_PAYER.search(folded):
        return Proposition("party", key=_paid_for(folded))
    asked = None if _WHO.match(folded) else _yes_no(folded, "yes_no" in kinds)
    if asked is not None:
        return asked
    if _ADVICE.search(folded) and set(kinds) <= {"action", "unknown", "definition", "reason"}:
        return Proposition("advice")
    return None


def _choice_of_payers(folded: str) -> Proposition | None:
    """物业出还是栖电出, 算新人的还是饭店的, is it me or the landlord that pays: two payers, in the question's order."""
    m = _TWO_PAYERS.search(folded) or _TWO_PAYERS_EN.search(folded)
    if m is None:
        return None
    a, b = (n.strip() for n in m.groups() if n)
    return Proposition("party", key=_paid_for(folded), options=((a,), (b,)))


def _choice(folded: str) -> Proposition | None:
    found = None
    for m in _ZH_CHOICE.finditer(folded):
        if not _ZH_STILL.search(m.group("a")) and not _OPEN.search(m.group()):
            found = m
    if found is None:
        found = _EN_CHOICE.search(folded)
        if found is None or _OPEN.search(found.group()) or any(c.isdigit() for c in found.group()):
            return _tail_choice(folded)
        head = found.group("head")
        first = found.group("a") if " " in head or head in ("in", "on", "at", "to", "with") else f"{head} {found.group('a')}"
        if " " not in head and head not in _ORDERS and head not in ("in", "on", "at", "to", "with"):
            return _tail_choice(folded)
    else:
        first = _ZH_CHOICE_HEAD.sub("", found.group("a"))
        if _OR_WHAT.search(found.group("b")):
            key = words_of(first)
            return Proposition("yes_no", "need", key, told=(first,)) if key else None
    return _between(first, found.group("b"))


def _tail_choice(folded: str) -> Proposition | None:
    """One of two deeds, put as orders: 'hairdryer or let it dry?'."""
    things = _EN_TWO_THINGS.search(folded)
    if things is not None:
        return _between(things.group("a"), things.group("b"))
    found = _EN_TAIL_CHOICE.search(folded)
    if found is None or _OPEN.search(found.group()):
        return None
    first = _OPENERS.sub("", found.group("a").rpartition(" - ")[2].strip())
    second = _OPENERS.sub("", found.group("b").strip())
    if not any(said.split()[0] in _ORDERS for said in (first, second) if said):
        return None
    return _between(first, second)


def _between(first: str, second: str) -> Proposition | None:
    a, b = words_of(first), words_of(second)
    one, other = tuple(w for w in a if w not in b), tuple(w for w in b if w not in a)
    told = (_deed_in(first), _deed_in(second))
    if not one or not other:
        if deeds_of(first) == deeds_of(second) or not (a or b):
            return None
        one, other = one or a or b, other or b or a
    return Proposition("choice", key=tuple(dict.fromkeys((*a, *b))), options=(one, other), told=told)


def _deed_in(said: str) -> str:
    """Of an alternative that begins with what has happened (磁盘满了先删索引) what is to be done."""
    place = _DEED_BEGINS.search(said)
    return said[place.start() :] if place else said


def _paid_for(folded: str) -> tuple[str, ...]:
    """Words of what is paid for: of the clause with the verb of paying, and of the one before where that says little."""
    m = _WHO_PAYS.search(folded)
    if m is None:
        return words_of(folded)
    start = _clause_start(folded, m.start())
    said = words_of(folded[start : m.start()]) if m.group() > "\u3400" else words_of(folded[m.end() : _clause_end(folded, m.end())])
    said = tuple(w for w in said if w not in _PAYING)
    return said or tuple(w for w in words_of(folded) if w not in _PAYING)


def _yes_no(folded: str, known: bool) -> Proposition | None:
    charge = _MAY_CHARGE.search(folded) and qw.PRICE_YES_NO.search(folded) and not _OPEN.search(folded)
    if charge and not _PAYS_SELF.search(folded):
        return Proposition("yes_no", "free", words_of(folded))
    modal: Modal = "can"
    said = ""
    judged = _LAWFUL.search(folded) or _ADVISABLE.search(folded)
    if judged is not None and judged.start() > 1:
        said = folded[_clause_start(folded, judged.start()) : judged.start()]
        key = words_of(said)
        if key:
            return Proposition("yes_no", "may", key, told=(said,))
        said = ""
    for m in _ZH_MODAL_FIRST.finditer(folded):
        modal = "need" if m.group("need") else "can"
        end = _clause_end(folded, m.end())
        said = folded[m.end() : end]
        if len(said.strip()) < 2:
            start = _clause_start(folded, m.start())
            said = folded[start : m.start()]
            modal = "may" if m.group("can") in _ALL_RIGHT else modal
            if m.group("verb") or m.group("can") == "给不给":
                said += folded[m.start() + 2 : end] if m.group("verb") else folded[m.end() : end]
        break
    else:
        particles = list(_ZH_PARTICLE.finditer(folded))
        if particles and (known or folded[particles[-1].start()] in "吗嘛么吧" or _ENDS_ASKING.search(folded)):
            m = particles[-1]
            start = _clause_start(folded, m.start())
            clause = folded[start : m.start()]
            modals = list(_ZH_MODAL.finditer(clause))
            if modals:
                modal = "need" if modals[-1].group("need") else "can"
                said = clause[modals[-1].start() if modals[-1].group() in ("还给", "享受") else modals[-1].end() :]
                if len(said) < 1:
                    said, modal = clause[: modals[-1].start()], "need" if modal == "need" else "may"
            elif m.group().startswith("行") or _FINE.search(clause):
                modal, said = "may", _FINE.sub("", clause)
            else:
                modal, said = "is", clause
    if not said:
        english = _english(folded, known)
        if english is None:
            return None
        modal, said = english
    if _PAYS_SELF.search(folded):
        return Proposition("party", key=_paid_for(folded))
    if modal == "can" and _MEANS.search(said.strip()) and not _LEAVE.search(folded):
        modal = "may"
    key = words_of(said)
    if not key and _USE.search(said):
        key, said = ("使用",), folded
    return Proposition("yes_no", modal, key, told=(_SUBORDINATE.sub("", said),)) if key else None


def _english(folded: str, known: bool) -> tuple[Modal, str] | None:
    asked = list(_EN_AUX.finditer(folded))
    first = asked[0] if asked and (known or _SHOULD.match(folded)) else None
    m = next((a for a in asked if a.group("ok")), first)
    if m is not None:
        if m.group("ok"):
            return "may", folded[m.end() : _clause_end(folded, m.end())]
        if m.group("need") is None:
            state = m.group("can").split()[-1] in _STATES and not _EN_MODAL.search(folded, m.end())
            return ("is" if state else "can"), folded[m.end() : _clause_end(folded, m.end())]
        return "need", folded[m.end() : _clause_end(folded, m.end())]
    tail = _EN_TAIL.search(folded)
    if tail is not None and (tail.group("ok") or _OPENERS.sub("", tail.group("said").rpartition(" - ")[2]).split(" ")[0] in _ORDERS):
        how = _HOW.search(folded, 0, tail.start("said")) if tail.group("ok") else None
        said = tail.group("said").rpartition(" - ")[2]
        return ("may" if tail.group("ok") else "need"), (how.group(1) + " " if how else "") + said
    return None


def _clause_start(folded: str, at: int) -> int:
    """Chinese questions are often cut by blanks instead of commas."""
    marks = ",;。?!\n" + (" " if not folded[max(0, at - 2) : at].isascii() else "")
    return max((folded.rfind(mark, 0, at) for mark in marks), default=-1) + 1


def _clause_end(folded: str, at: int) -> int:
    marks = ",;。?!\n" + (" " if not folded[max(0, at - 2) : at].isascii() else "")
    return min((p for mark in marks if (p := folded.find(mark, at)) >= 0), default=len(folded))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a stretch that say something: no function words, the verb of one character kept."""
    text = _AFTER_ONLY.sub("", text.strip())
    words = [text[t.start : t.end] for t in tokenize(text)]
    telling = [w for w in words if not is_stopword(w) and w not in _LIGHT and (w > "\u3400" or len(w) > 1)]
    kept = [w for w in telling if informativeness(w) > 0 or w > "\u3400"]
    return tuple(dict.fromkeys(kept))[:_MAX_WORDS]


#: Words of any question: they say nothing of its predicate.
_LIGHT = qw.word_set(
    "能 可以 要 会 得 该 应该 需要 还 也 就 都 再 又 先 才 一 一回 一次 一下 下 了 的 着 过 吗 呢 啊 我 我们 你 您 他 它 那 这 那个 这个 哪 里 上 中 时 时候 现在 直接 把 被 给 让 用 拿 去 来 到 在 和 跟 与 或 是 有"
    " 支持 往里 名下 那头 这头 头 边 还是 放着 着养 接着 还给 官方 家里"
    " do does can could may must should shall will would is are was were am be been it its i me my we you your they them this that the a an and or not in on at to for of with by from"
    " if when while so then just still really ok okay fine get got have has had use using im right away bit one use support supports work works available possible allowed included"
)
