"""Where a sentence ends: one pass over the characters that may end one, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CLOSERS = "”’」』）)】》〉\\]］}"
_OPENERS = "“‘「『（(【《〈[［{"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff"


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_CANDIDATE = re.compile(
    rf"(?:(?P<full>[。！？｡!?][。！？｡!?…]{{0,20}})"
    rf"|(?P<dots>…{{1,20}}|\.{{3,20}}|。{{2,20}})"
    rf"|(?P<dot>[.．](?![0-9a-z.,;]))"
    rf"|(?P<bar>[|｜·•](?<=[ \t\u00a0\u3000].)(?=\s))"
    rf")(?P<tail>[{_CLOSERS}\"'*_`]{{0,6}}(?:\[[0-9]{{1,3}}\]){{0,5}})"
    rf"|(?P<gap>[ \t\u00a0\u3000]{{2,400}})"
    rf"|(?P<item>\s)(?=[0-9]{{1,2}}[.、．)）](?![0-9])[ ]?[{_HAN}]|\*\*[^*\s]{{1,20}}[：:]\*\*)"
)
_AFTER_GAP = re.compile(rf"[{_HAN}“《【]|[0-9]{{1,2}}[.、．)）](?![0-9])[ ]?[{_HAN}]")
_CONTINUES = frozenset("，,、；;：:的。！？!?…")
"""After a closing mark these carry the sentence on: “……？”的说法, 《怎么办？》，"""

#: An ellipsis in the middle of a Chinese line ends a sentence only after this many characters: 如果……就…… does not.
ELLIPSIS_AFTER = 12
#: A wide gap in Chinese sets apart what a page lays out side by side, but not a short label and its value.
GAP_AFTER = 16

#: Titles and the like, always followed by more of the same sentence when written with a capital.
_TITLES = _words(
    "dr mr mrs ms prof messrs mme mlle st rev hon gen sen rep gov capt sgt col lt cmdr maj pres supt mt ft univ "
    "assn bros"
)
#: Abbreviations that are always followed by more.
_NEVER = _words("e.g i.e cf viz vs v approx ca esp incl excl resp al dept")
#: ... by a number, else they are words that may end a sentence.
_BEFORE_NUMBER = _words(
    "no nos fig figs sec secs art arts p pp ch chap eq eqs vol vols ver v rev para tab app ext tel pt pts ed eds par "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
#: Months and days, abbreviations when written with a capital ('he sat.', 'in the sun.' are not).
_CALENDAR = _words("jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun")
#: Abbreviations that may end a sentence: they do where a word follows that opens one.
_MAYBE = _words(
    "inc ltd co corp llc plc sdn bhd etc jr sr esq ph.d m.d b.a m.a u.s u.k u.n e.u d.c a.m p.m a.d b.c u.s.a l.a n.y "
    "est ave blvd rd sq bldg avg hr hrs wk mo yr yrs lb lbs oz gal mph"
)
_OPENING_WORDS = _words(
    "the a an this that these those it he she we you they i there here in on at by for from with without after before "
    "when while if as to of and but or so yet however although because since until unless once our your their his her "
    "its my all each every some many most no not what who where why how which please do does did is are was were can "
    "may must should will would have has had then thus also another other both such first second finally see note"
)
_LAST_WORD = re.compile(r"(?:[A-Za-z]\.){1,5}[A-Za-z]{1,3}$|[A-Za-z]{1,12}$|[0-9]{1,4}$")
_NEXT_WORD = re.compile(rf"[\"'“‘(\[*_]{{0,3}}([A-Za-z]{{1,20}}|[0-9]|[{_HAN}])?")
_BLANKS = re.compile(r"\s*")
_LIST_NUMBER = re.compile(r"\s*[(（]?(?:[0-9]{1,3}|[A-Za-z]|[ivxIVX]{1,5})")


def find_stops(text: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Ends of sentences (one past the last closing mark), in order, inside ``spans`` (which are in order)."""
    stops: list[int] = []
    n = 0
    began = spans[0][0] if spans else 0
    quotes_from, quotes = began, 0
    for match in _CANDIDATE.finditer(text):
        at = match.start()
        while n < len(spans) and spans[n][1] <= at:
            n += 1
            if n < len(spans):
                began = quotes_from = spans[n][0]
                quotes = 0
        if n == len(spans):
            break
        if at < spans[n][0]:
            continue
        tail = match.group("tail")
        if tail is None:
            if _sets_apart(text, match, began):
                began = match.end()
                stops.append(began)
            continue
        if match.group("bar") is not None and at == spans[n][0]:
            continue  # the mark of a list item ends nothing
        end = min(match.end(), spans[n][1])
        if '"' in tail:
            quotes += text.count('"', quotes_from, match.start("tail"))
            quotes_from = match.start("tail")
            if quotes % 2 == 0:  # it opens a quotation
                end = match.start("tail") + tail.index('"')
                tail = text[match.start("tail") : end]
        if _ends(text, match, began, end, tail, spans[n][1]):
            stops.append(end)
            began = end
    return stops


def _sets_apart(text: str, match: re.Match[str], began: int) -> bool:
    """A wide blank, or a numbered or labelled item inside a line, begins something new."""
    before = match.start() - began
    if match.lastgroup == "item":
        return before >= 2
    return (
        before >= GAP_AFTER
        and _AFTER_GAP.match(text, match.end()) is not None
        and text[match.start() - 1] not in ":：、，,-"
    )


def _ends(text: str, match: re.Match[str], began: int, end: int, tail: str, limit: int) -> bool:
    """Does the sentence that began at ``began`` end at this candidate?"""
    if end >= limit:
        return True
    after = text[end]
    kind = match.group("full"), match.group("dots"), match.group("dot")
    before = text[match.start() - 1] if match.start() > began else ""
    if before and before in _OPENERS and not before.isspace():
        return False
    if kind[0] is not None:
        mark = kind[0]
        if tail and (after in _CONTINUES or (tail[-1] in "》〉" and not after.isspace())):
            return False
        if mark[0] in "!?" and mark.isascii():
            return after.isspace() or not after.isascii() or after.isupper() or (bool(tail) and not after.isalnum())
        return after not in "，,、；;" or mark[0] in "。｡"
    if kind[1] is not None:
        if after in _CONTINUES or after in _CLOSERS:
            return False
        if after.isspace():
            return match.start() - began >= ELLIPSIS_AFTER or not text[min(end + 1, limit - 1)].islower()
        return match.start() - began >= ELLIPSIS_AFTER and not after.islower()
    if kind[2] is None:
        return True
    return _dot_ends(text, match.start(), began, end, after, limit)


def _dot_ends(text: str, dot: int, began: int, end: int, after: str, limit: int) -> bool:
    """A full stop of Latin text: not after an abbreviation, an initial or a list number, not inside a name."""
    word_match = _LAST_WORD.search(text, max(began, dot - 14), dot)
    word = word_match.group() if word_match is not None else ""
    lowered = word.lower()
    if not after.isspace():
        if not after.isascii():
            return dot == began or not _LIST_NUMBER.fullmatch(text, began, dot)
        return after.isupper() and len(word) > 2 and word.islower() and end == dot + 1
    gap = _BLANKS.match(text, end, limit)
    next_match = _NEXT_WORD.match(text, gap.end() if gap is not None else end, limit)
    following = (next_match.group(1) or "") if next_match is not None else ""
    if following[:1].islower() and not (len(following) > 1 and following[1].isupper()):
        return False
    if _LIST_NUMBER.fullmatch(text, began, dot):
        return False
    if lowered in _NEVER:
        return False
    if following[:1].isdecimal() and (lowered in _BEFORE_NUMBER or (word.isdecimal() and len(word) < 4)):
        return False  # 'Fig. 3', or a decimal that a page tore apart: '4. 8%'
    opens = following.lower() in _OPENING_WORDS or not following or not following.isascii()
    capital = word[:1].isupper()
    if capital and lowered in _TITLES:
        return False
    if lowered in _MAYBE or "." in word or (capital and lowered in _CALENDAR) or (capital and len(word) == 1):
        return opens
    return True
