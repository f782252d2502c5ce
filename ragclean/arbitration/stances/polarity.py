# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Plain yes and no: which side of a predicate a clause takes, hidden denials as well, exceptions set apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from ragclean.arbitration import lexicon
from ragclean.arbitration.stances import verdict_lexicon
from ragclean.arbitration.stances.actions import FORBIDS
from ragclean.arbitration.stances.proposition import Modal

#: Where a sentence changes its subject or its side.
CLAUSES = re.compile(
    r"[,;。\n]|(?<=[a-z\u4e00-\u9fff)])[.!:](?=\s|$)|(?<=[a-z])[:](?=\s)|但是?(?!书)|不过|然而|\bbut\b|\bhowever\b|(?=\bexcept\b)|(?=\bunless\b)"
)
#: An exception or a condition says nothing about the rule it is an exception to.
EXCEPTION = re.compile(
    r"除外(?!责任)|例外|除非|不在此限|不在此列|以外的?(?=$|[,。;一均都不])|除[^,。;]{1,16}[之以]外|\b(?:except|unless|other than|excluding|apart from|save where)\b"
)
_QUESTION = re.compile(r"[?]|吗(?![\u4e00-\u9fff])|是否|能否|能不能|可不可以|有没有|要不要|^(?:can|does|is|are|do|will) (?!not\b)")
#: A charge that is lifted is none: 收费项目已取消.
_FREE = "free"
_LIFTED = re.compile(r"取消|拿掉|停止|免除|废止|下线|abolished|scrapped|dropped|lifted")
#: 别 in other words than 'do not'.
_NOT_DO_NOT = re.compile(r"[识区级特个类性辨鉴分告离差派]别")
#: Before 'free' it takes it back: we no longer repair them without charge.
_UNDONE = re.compile(r"不再|不予|不能|无法|\b(?:no longer|not|never|cannot|can't|stopped)\b|n't\b")
_UNDOING = 40
#: Denials that hold no 'not': what ends, is refused or withdrawn, what another is needed for.
_DENIES = re.compile(
    r"不支持|不可以?(?!避|或缺|少|抗|能)|不能(?!不)|无法|没法|没办法|不允许|不得(?![不已])|不予|不让|不许|不准|不给|不行|不开放|不接受|不收(?!取|费)|不办|不提供|不兼容|不适用|不包[含括]|不含|不享受?|不在|不再|不会|不算|不属于?"
    r"|禁止|严禁|谢绝|拒绝|杜绝|暂不|尚不|尚未|未支持|未开放|均不|概不|一律不|没有(?!问题|影响|关系)|没得|并非|不是|不符|别想|[\u4e00-\u9fff ]不[了到上回成动出着]|终止|失效|作废|停止|取消|停办|下线|不放行|要不得"
    r"|\b(?:cannot|can't|can not|won't|will not|not|never|no|n't|nothing|nobody|none|nor|neither|without|unable|unsupported|unavailable|excluded?s?|prohibited|forbidden|refuses?d?|void|voided|lapses?|lapsed|expires?|terminates?d?|ends? (?:when|if|with|on|as)|ended|stops?|withdrawn|ruled out|declined)\b|n't\b"
)
#: A denial denied.
NOT_DENIED = re.compile(r"不[^,。;不]{1,6}(?:也|亦|都|照样)(?:能|可|行|给|没问题)|\bneeds? no (?:licen[cs]e|permit|permission|booking|approval|ticket)|\bno (?:licen[cs]e|permit|permission|approval|booking) (?:is )?(?:needed|required|necessary)|(?:无需|无须|不用)[^,。;]{1,6}(?:即可|就能|就可以|直接)|\bnot (?:shut out|excluded|barred|ruled out|prohibited|forbidden|a problem)\b|不是不|并非不|没有不|不会不|不影响"
    r"|不再?(?:列入|列为|属于?|作为|纳入|算作?)?(?:除外|免责|责任免除)|\bno longer (?:an? )?(?:exclu(?:ded|sion)|barred|banned|prohibited|forbidden|ruled out)"
)
#: What is told of a thing in passing, not what is granted: 犬细小病毒病等可通过疫苗预防的传染病.
_ATTRIBUTE = re.compile(r"(?<=等)可(?!以)[^,。;、的]{2,12}的(?=[\u4e00-\u9fff])(?![是都话吧啊呢了])")
#: What holds on a condition only says nothing of the condition itself.
_SUPPOSED = re.compile(r"^[ (（]*(?:若|如果|假如|要是|倘若|if |in case |whenever )")
_AFFIRMS = re.compile(
    r"可以|支持|允许|(?<![功智性可技才职机万电热官动节])能够?(?![力源量耗效])|可(?![能靠惜见怕观视爱口不])|照常|照样|继续|仍|依然|享受|适用|有效|包含|包括|提供|开放|新增|欢迎|放行|没问题|不限|不影响|均可|随时|就能|即可|予以|获准|符合|走保内|免费"
    r"|\b(?:can|may|yes|supports?|supported|allowed|permitted|eligible|qualif(?:y|ies|ied)|available|works?|includes?|included|covers|covered|possible|enabled?|new(?=:)|welcome|able|entitled|open to|goes to|even on|approved|transferable)\b"
)
#: Only for somebody or something: a denial for all others.
_ONLY = re.compile(
    r"(?:仅限?|只限|只能|只有|只给|只对|只支持|只做|仅支持|仅对|仅供|专供)(?P<zh>[^,。;]{1,20})"
    r"|(?P<en>[a-z0-9' -]{3,40}) only\b|\bonly (?P<after>[a-z0-9' -]{3,40})"
)
_NEEDED = re.compile(
    r"必须|务必|须(?!知)|必要|需要|(?<!无)需(?![求知])|应当?(?![对用该])|应该|得(?=先|把|用|要|套|装|带)|一定要?|要(?=先|把|用|套|装|带)|请(?!勿|不|别)|先|立即|就行|即可|才能|搞定|完事"
    r"|\b(?:must|required?|mandatory|have to|has to|need to|needs to|should|always|first(?! come| served)|please|be sure|compulsory|obligatory|right away|at once)\b"
)
_UNNEEDED = re.compile(
    r"无需|无须|毋需|毋须|不需要?|不必|不用(?!说)|不要(?!紧)|用不着|没必要|免于|免去|免(?=装|套|交|办|填)|别|勿|不可(?![避少或缺能])|不得(?![不已])|严禁|禁止|不能(?!不)|不应|不该|不宜|不建议"
    r"|\b(?:no need|not required|not necessary|unnecessary|need not|needn't|does not need|do not|don't|never|must not|mustn't|should not|shouldn't|without|pointless|optional|instead of|no longer|cannot|avoid|not have to)\b"
)


def is_question(text: str) -> bool:
    """The sentence asks instead of telling."""
    return _QUESTION.search(text) is not None


def clause_sign(
    clause: str, modal: Modal, asked: Callable[[str], bool], covered: bool = False
) -> tuple[int, bool]:
    """Which side a clause takes, and whether it says so in a word of its own rather than by naming the predicate.

    ``asked``: does the question itself speak of these words? 'X only' affirms for who asks of X and denies for others.
    ``covered``: the question is whether something is included, so that 'extra' and 另计 deny.
    """
    if modal == "free":
        return _of_price(clause), True
    if modal == "need":
        sign, _ = need_in(clause)
        if sign <= 0 and FORBIDS.search(_NOT_DO_NOT.sub(" ", clause)):
            return -1, True
        return sign or 1, sign != 0
    if _SUPPOSED.match(clause):
        return 0, False
    if NOT_DENIED.search(clause):
        return 1, True
    only = _ONLY.search(clause)
    if only is not None:
        whom = only.group("zh") or only.group("en") or only.group("after")
        return (1 if asked(whom) else -1), True
    forbids = not covered and FORBIDS.search(_NOT_DO_NOT.sub(" ", clause))  # advice says nothing of what is covered
    if _DENIES.search(clause) or verdict_lexicon.DENIES.search(clause) or forbids:
        return -1, True
    if covered and verdict_lexicon.CLASS_DENIES[verdict_lexicon.COVERAGE].search(clause):
        return -1, True
    return 1, bool(_AFFIRMS.search(without_attributes(clause)))


def without_attributes(clause: str) -> str:
    """The clause with what it tells of a thing in passing blanked; offsets stay."""
    return _ATTRIBUTE.sub(lambda m: " " * len(m[0]), clause) if "的" in clause else clause


def need_in(clause: str) -> tuple[int, int]:
    """The side of a duty that a clause takes in a word of its own, and where the word stands; (0, 0) for none."""
    if m := verdict_lexicon.NO_WITHOUT.search(clause):
        return 1, m.start()
    plain = _NOT_DO_NOT.sub("  ", clause)
    if m := verdict_lexicon.UNNEEDED.search(plain) or _UNNEEDED.search(plain):
        return -1, m.start()
    m = verdict_lexicon.NEEDED.search(plain) or _NEEDED.search(plain)
    return (1, m.start()) if m else (0, 0)


def _of_price(clause: str) -> int:
    """-1 where a clause speaks of a charge, +1 where it only speaks of none, else 0."""
    pattern, negative = _price_pattern()
    found = {
        m.group() in negative or _UNDONE.search(clause, max(0, m.start() - _UNDOING), m.start()) is not None
        for m in pattern.finditer(clause)
    }
    if True in found and _LIFTED.search(clause):
        return 1
    return -1 if True in found else 1 if found else 0


@lru_cache(maxsize=1)
def _price_pattern() -> tuple[re.Pattern[str], frozenset[str]]:
    """All forms of 'free', the longest first (不再收取 before 收取), and which of them deny it."""
    positive, negative = next((p, n) for name, p, n in lexicon.POLARITY if name == _FREE)
    ordered = sorted((*positive, *negative), key=len, reverse=True)
    pattern = "|".join(rf"\b{re.escape(w)}\b" if w.isascii() else re.escape(w) for w in ordered)
    return re.compile(pattern), frozenset(negative)
