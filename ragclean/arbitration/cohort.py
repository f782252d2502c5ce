"""Whose terms: rules that hold for those who signed, bought or joined before or after a day.

'Accounts created before 1 March keep 600 requests' is right for who joined in 2023 and wrong for who joins today,
however new or old the pages are.
"""

from __future__ import annotations

import re
from calendar import isleap
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from ragclean.prepare import PreparedText
from ragclean.text.calendar import CalendarDate, first_day, last_day
from ragclean.text.dates import DATE_START, date_at

#: What makes a date of the question the day on which the asker came under the terms.
_CAME_ZH = re.compile(
    r"签|买|购|下单|下的单|投保|入职|入会|入住|入学|开户|注册|开通|办的|订的|付款|缴的|装的|上牌|租的|加入|参保|激活"
    r"|报的|报名|出厂|生产的|产的|款的|提的车"
    r"|的(?:合同|合约|保单|单子|租约|老?用户|账号)"
)
_CAME_EN = re.compile(
    r"\b(?:beg[au]n|started|bought|purchased|signed|joined|ordered|opened|registered|booked|took out|taken out|dated"
    r"|(?:is|was|are|were) from|subscribed|enrolled|since|installed|activated|issued|moved in|hired|built|made"
    r"|build plate|model year|plate)\b"
)
#: The asker came before something, without a day.
_LONG_AGO = re.compile(
    r"老(?:用户|客户|会员|业主|住户|合同|保单|车主)|旧(?:合同|合约|保单|租约)|之前(?:买|签|订|办|投保|下单)|以前(?:买|签|订|办)"
    r"|\b(?:existing|old|current) (?:customer|member|contract|policy|account|tenant|lease)|already (?:signed|a member)"
)
#: 24年3月, 我24年买的; no length of time: 签了10年, 10年期.
_SHORT_YEAR = re.compile(
    r"(?<![0-9])([0-9]{2})年(?:([0-9]{1,2})月|(?<![了满共保交缴签租][0-9]{2}年))(?!以|之|内|后|前|期|的保)"
)
_BARE_YEAR = re.compile(r"((?:19|20)[0-9]{2})(?![0-9])(?! ?(?:版|元|kg|g|ml|w|mah|px|version|edition))")
_LAST_YEAR = re.compile(r"去年|last year")

_JOINING_ZH = (
    r"签|购|买|下单|订单|投保|入职|入会|入住|开户|注册|开通|付款|缴费|激活|入网|参保|入学|录取|建档|上牌|成交|办理|申请"
    r"|报名|生效|出生|交付|收房|生产|出厂|制造"
)
_JOINING_EN = (
    r"created|opened|bought|purchased|signed|ordered|orders?|joined|registered|beg[aiu]n|started|starting|starts?|issued"
    r"|booked|bookings?|placed|taken out|agreed|dated|hired|enrolled|subscribed|contracts?|polic(?:y|ies)|covers?"
    r"|accounts?|leases?|sold|delivered|installed|made|built|mou?lded|manufactured|produced"
)
#: What follows a day where a statement is about those before it, or from it on.
_BEFORE_ZH = re.compile(
    rf"(?:[（(]含[^）)]{{0,4}}[）)])?(?:当[日天])?(?:及?(?:以|之)?前|为止)[^,。;；]{{0,14}}?(?:{_JOINING_ZH})"
)
_AFTER_ZH = re.compile(
    r"(?:[（(]含[^）)]{0,4}[）)])?(?:当[日天]|零[时点])?(?:起|及?(?:以|之)?后)"
    rf"[^,。;；]{{0,8}}?(?:{_JOINING_ZH}|新)[^,。;；]{{0,8}}?的"
)
_DAY_BEFORE_EN = re.compile(
    rf"\b(?:{_JOINING_EN})\b[^.;]{{0,24}}\b(?:before|prior to|until|up to|by|through)(?: the)? $"
)
_DAY_AFTER_EN = re.compile(
    rf"\b(?:{_JOINING_EN})\b[^.;]{{0,24}}\b(?:on or after|after|from|since|as of)(?: the)? $"
)
_OR_EARLIER_EN = re.compile(r" or (?:earlier|before)[^.;]{0,30}")
_NEW = re.compile(
    r"新(?:订单|签|购|客户|用户|注册|开户|投保|入网|会员|保单|租约|合同|办理|装机|入职|客|业主|租户)"
    r"|\bnew (?:sign-?ups?|orders?|customers?|polic(?:y|ies)|contracts?|accounts?|members?|purchases?|subscribers?"
    r"|leases?|bookings?|joiners?|tenants?)"
)
_OLD = re.compile(
    r"(?:老|旧|存量|原有|既有|已签|已购|已投保|已下单|此前|之前|先前)[^,。;；]{0,6}"
    r"(?:用户|客户|会员|合同|合约|订单|业主|住户|租约|保单|租户|学员|员工|协议|车主)"
    r"|\b(?:existing|older|current|legacy|previous|earlier) (?:customers?|accounts?|contracts?|polic(?:y|ies)|members?"
    r"|orders?|leases?|tenants?|plans?|bookings?|subscribers?)"
)
_HOLDS_ON = re.compile(
    r"仍|继续|照旧|不变|不受[^,。;；]{0,8}影响|按原|依原|照原|沿用|保留|维持|照[^,。;；]{0,6}时|老规则|原(?:标准|价|规则|待遇|条款)"
    r"|\b(?:keeps?|kept|continues?|remains?|still|unaffected|not affected|goes? on|stays?|stands?|until renewal"
    r"|honou?r(?:s|ed)?|grandfathered|carry on|as before)\b"
)
_LOOK = 40
_MOST_DATES = 8
_CACHE = 2048


_FEBRUARY, _LEAP_DAY = 2, 29

@dataclass(frozen=True, slots=True)
class Cohort:
    """The first and the last day on which the asker may have signed, bought or joined."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class _Bound:
    """A statement about those before a day (or up to it), or from it on; ``day`` None where none is named."""

    before: bool
    first: date | None
    last: date | None


def tells_when_joined(folded: str) -> bool:
    """The question says when the asker signed, bought or joined: a year in it is that of the terms, not of a page."""
    return bool(_CAME_ZH.search(folded) or _CAME_EN.search(folded))


@lru_cache(maxsize=_CACHE)
def cohort_of(folded: str, as_of: date) -> Cohort | None:
    """When the asker of a question came under the terms asked about; None where it does not say."""
    came = _CAME_ZH.search(folded) or _CAME_EN.search(folded)
    if came:
        short = _SHORT_YEAR.search(folded)
        if short and 2000 + int(short.group(1)) <= as_of.year and int(short.group(2) or 1) in range(1, 13):
            when = CalendarDate(0, 2000 + int(short.group(1)), int(short.group(2) or 0), 0)
            return Cohort(first_day(when) or date.min, last_day(when) or date.max)
        told = next(iter(_dated(folded, as_of)), None)
        if told is not None and told[0] <= as_of:
            return Cohort(told[0], told[1])
        if _LAST_YEAR.search(folded):
            return Cohort(date(as_of.year - 1, 1, 1), date(as_of.year - 1, 12, 31))
    if _LONG_AGO.search(folded):
        return Cohort(date.min, date.min)
    return None


def applies(prepared: PreparedText, sentence: int, cohort: Cohort | None, dated: date | None, as_of: date) -> int:
    """+1 where the sentence says that it holds for the asker's cohort, -1 where for another, else 0.

    Without a cohort the asker is taken to come under today's terms: what only goes on for earlier customers is
    not for them.
    """
    year = dated or as_of
    own = _bounds(prepared.folded_sentences[sentence], year)
    holds_on = _HOLDS_ON.search(prepared.folded_sentences[sentence]) is not None
    if cohort is None:
        early = any(b.before and (b.last is None or b.last <= as_of) for b in own)
        return -1 if early and holds_on and not any(not b.before for b in own) else 0
    head = _bounds(prepared.folded_sentences[0], year) if sentence and prepared.folded_sentences else ()
    for bound in (*own, *head):
        verdict = _within(bound, cohort, dated)
        if verdict > 0 and bound.first is None and not holds_on:
            continue
        if verdict:
            return verdict
    return 0


def _within(bound: _Bound, cohort: Cohort, dated: date | None) -> int:
    """Is the cohort inside the bound? 0 where that is not clear."""
    first, last = bound.first or dated, bound.last or dated
    if first is None or last is None:
        return 1 if bound.before and cohort.last == date.min else 0
    if bound.before:
        return 1 if cohort.last <= last else -1 if cohort.first > last else 0
    return 1 if cohort.first >= first else -1 if cohort.last < first else 0


@lru_cache(maxsize=_CACHE)
def _bounds(text: str, near: date) -> tuple[_Bound, ...]:
    """What a sentence says of those before or after a day; a day without a year is of the year of ``near``."""
    found: list[_Bound] = []
    for first, last, start, end in _dated(text, near):
        before_text = text[max(0, start - _LOOK) : start]
        if _BEFORE_ZH.match(text, end) or _DAY_BEFORE_EN.search(before_text) or (
            _OR_EARLIER_EN.match(text, end) and _HOLDS_ON.search(text)
        ):
            found.append(_Bound(True, first, last))
        elif _AFTER_ZH.match(text, end) or _DAY_AFTER_EN.search(before_text):
            found.append(_Bound(False, first, last))
    if not found:
        if _OLD.search(text):
            found.append(_Bound(True, None, None))
        elif _NEW.search(text):
            found.append(_Bound(False, None, None))
    return tuple(found)


def _dated(text: str, near: date) -> list[tuple[date, date, int, int]]:
    """(first day, last day, start, end) of the dates in a text."""
    found = []
    reached = 0
    for m in DATE_START.finditer(text):
        if m.start() < reached:
            continue
        when = date_at(text, m)
        if when is None or not (when.year or when.month):
            bare = _BARE_YEAR.match(text, m.start())
            if bare is None:
                continue
            when = CalendarDate(bare.end(1), int(bare.group(1)), 0, 0)
        reached = when.end
        whole = when if when.year else when._replace(year=near.year)
        if whole.month == _FEBRUARY and whole.day == _LEAP_DAY and not isleap(whole.year):
            continue  # 29 February without a year, on a page of a common one
        first, last = first_day(whole), last_day(whole)
        if first is not None and last is not None:
            found.append((first, last, m.start(), when.end))
        if len(found) == _MOST_DATES:
            break
    return found
