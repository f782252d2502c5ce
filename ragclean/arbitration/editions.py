"""Which year, intake or number of a row a sentence is of: the 2023 rules, this year's entrants, season 3."""

from __future__ import annotations

import re
from functools import lru_cache

from ragclean.arbitration.cohort import tells_when_joined
from ragclean.arbitration.focus import Focus

_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_EDITION_YEAR = re.compile(
    r"(?<!\d)((?:19|20)\d\d) ?(?:年度|年?版|年?修订|财年|学年|赛季|届|款|年标准|年起?执行"
    r"|edition|season|model year|fiscal)"
)
#: A year's intake: its rules hold for it alone, and 'this year' means another.
_INTAKE = re.compile(r"(?<!\d)(20\d\d) ?(?:级|届|学年|赛季|intake|cohort)")
_THIS_YEAR = re.compile(r"今年|this year|\bthis (?:season|academic year)")
#: The one of a numbered row that is meant: 第15季, the 15th season, 三期, 2号楼.
_ORDINAL = re.compile(
    r"(?:第?([一二三四五六七八九十]{1,3}|\d{1,3})(季|期|代|批|轮|卷|部|号线|号楼|号馆|分册|航站楼))(?![度款])"
    r"|(?:(\d{1,3})(?:st|nd|rd|th) (season|edition|generation|floor|round|phase|district))"
    r"|(?:\b(season|terminal|phase|tier|zone|class|level|stage|building|band|grade) (\d{1,3}|[a-f]))(?![a-z\d])"
)
#: Only so much of a sentence is looked at for numbered rows.
_ORDINAL_REACH = 2000
_CACHE = 4096


def other_year(focus: Focus, text: str, head: str, asked_kind: str, this_year: int) -> str:
    """The reason why a sentence, or the head of its page, is of another year than the one asked about, or empty."""
    years = focus.years
    if not years and _THIS_YEAR.search(focus.folded):
        return _other_intake(text, head, this_year)
    if not years or asked_kind in ("date", "time") or tells_when_joined(focus.folded):
        return ""
    here = {int(y) for y in _YEAR.findall(text)}
    if not here:
        here = {int(y) for y in _EDITION_YEAR.findall(head)}
    if here and not here & set(years):
        return f"year:{min(here)}"
    return ""


def _other_intake(text: str, head: str, this_year: int) -> str:
    """Another year's intake than that of the as-of year, where the question says 'this year'."""
    intakes = {int(y) for y in _INTAKE.findall(text)} or {int(y) for y in _INTAKE.findall(head)}
    return f"year:{min(intakes)}" if intakes and this_year and this_year not in intakes else ""


def other_number(focus: Focus, text: str, head: str) -> str:
    """Another number of the same row: season 3 where season 15 is asked for."""
    asked = _ordinals(focus.folded)
    if not asked:
        return ""
    here = _ordinals(text) or _ordinals(head)
    for kind, numbers in asked.items():
        if here.get(kind) and not here[kind] & numbers:
            return f"other:{min(here[kind])} {kind}"
    return ""


@lru_cache(maxsize=_CACHE)
def _ordinals(text: str) -> dict[str, frozenset[str]]:
    """Numbers by the noun they number, as written but for Chinese numerals of one figure."""
    found: dict[str, set[str]] = {}
    for m in _ORDINAL.finditer(text[:_ORDINAL_REACH]):
        number = m.group(1) or m.group(3) or m.group(6)
        kind = m.group(2) or m.group(4) or m.group(5)
        figure = "一二三四五六七八九".find(number) + 1
        found.setdefault(kind, set()).add(str(figure) if len(number) == 1 and figure else number)
    return {kind: frozenset(numbers) for kind, numbers in found.items()}
