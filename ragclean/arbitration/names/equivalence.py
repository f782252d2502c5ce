"""When two names are one: the same after cleaning, a short form of the other, or spelt a little differently.

'Tampa, Florida' and 'Tampa' agree, so do 'Francis Coppola' and 'Coppola', 'Acme Inc.' and 'Acme', 斯皮尔伯格 and
史蒂文·斯皮尔伯格. Names that differ in a digit or a code are never one, and names in two scripts are met only through
the alias table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from rapidfuzz import fuzz

from ragclean.arbitration.names.lexicon import COUNTRIES_ZH, TRANSLITERATION
from ragclean.text.folding import fold

#: Similarity, of 100, from which two spellings of a long name are one (a slip, an accent, a doubled letter).
_ALIKE = 90.0
#: ... and of one word of a name of several; words no longer than this must be spelt alike.
_WORD_ALIKE, _SHORT_WORD = 80.0, 4
#: Names shorter than this must be spelt alike: 李明 and 李敏 are two.
_LONG = {"latin": 8, "han": 5}
#: ... and of two spellings of a foreign name in Chinese, which begin alike.
_SPELT_APART = 60.0
#: The least that a short form must hold.
_SHORT = {"latin": 3, "han": 2}
_SUFFIX = re.compile(
    r"[ ,]{0,2}(?:incorporated|inc|corporation|corp|company|co|limited|ltd|llc|llp|plc|gmbh|ag|s\.?a|n\.?v)\.?$"
    r"|(?:股份)?(?:有限)?(?:责任)?公司$|集团$"
)
_TITLE = re.compile(
    r"^(?:sir|dame|dr|mr|mrs|ms|prof|professor|president|the|king|queen|lord|lady|saint|st)\.? (?=[^ ])"
    r"|(?:先生|女士|教授|博士|老师)$"
)
_MARKS = re.compile(r"[《》「」『』“”\"'()\[\]<>]|^[\s.,;:!?-]+|[\s.,;:!?-]+$")
_PARTS = re.compile(r"[·・•\-\s.,]+")
_GENERATION = frozenset(("jr", "sr", "ii", "iii", "iv"))
#: A region's kind at the end of a Chinese name: 东京都 and 东京 are one, 河北省 and 河北 as well.
_REGION = re.compile(r"(?<=[\u3400-\u9fff]{2})[省市县区州都府国]$")
_TEAM = re.compile(r"(?<=[\u3400-\u9fff]{2})(?:国家|[男女]子?|[足篮排]球?){0,3}(?:俱乐部|队|[男女][足篮排]|足球)$")
_CACHE = 8192


@lru_cache(maxsize=_CACHE)
def clean_name(name: str) -> str:
    """The name folded, without marks, forms of address and company suffixes."""
    text = fold(name[:120]).strip()
    text = _MARKS.sub("", text)
    text = _TITLE.sub("", text)
    shorter = _SUFFIX.sub("", text).strip()
    return " ".join((shorter if len(shorter) > 1 else text).split())


def same_name(a: str, b: str, aliases: Mapping[str, str] | None = None) -> bool:
    """Do two names name one thing, as far as the names tell?

    Symmetric. ``aliases`` pairs names that are one (both ways round); they are compared cleaned.
    """
    first, second = clean_name(a), clean_name(b)
    if not first or not second:
        return False
    if first == second:
        return True
    if aliases and _by_alias(first, second, aliases):
        return True
    return _alike(*sorted((first, second)))


def _by_alias(first: str, second: str, aliases: Mapping[str, str]) -> bool:
    """Both stand in one pair, or with a third name in one pair each."""
    mine, theirs = {first}, {second}
    for x, y in aliases.items():
        pair = {clean_name(x), clean_name(y)}
        mine |= pair if first in pair else set()
        theirs |= pair if second in pair else set()
    return bool(mine & theirs)


@lru_cache(maxsize=_CACHE)
def _alike(first: str, second: str) -> bool:
    if _digits(first) != _digits(second) or _is_code(first) or _is_code(second):
        return False
    if script_of(first) != script_of(second):
        return False
    return _is_short_form(first, second) or _is_short_form(second, first) or _is_slip(first, second)


def _digits(name: str) -> str:
    return "".join(c for c in name if c.isdigit())


def _is_code(name: str) -> bool:
    """A command, path, address or model: nothing but the same characters is the same."""
    return any(c in "`/\\_=@$|<>:" for c in name) or any(c.isdigit() for c in name)


def script_of(name: str) -> str:
    """han or latin: names of two scripts cannot be compared."""
    return "han" if any("\u3400" <= c <= "\u9fff" for c in name) else "latin"


def _is_short_form(short: str, long: str) -> bool:
    if script_of(short) == "han":
        return _is_short_han(short, long)
    mine, theirs = _words(short), _words(long)
    if not mine or len(mine) > len(theirs):
        return False
    if _initials(mine, theirs) or (len(mine) > 1 and sorted(mine) == sorted(theirs)):
        return True  # Liu Yifei, Yifei Liu
    return len(" ".join(mine)) >= _SHORT["latin"] and mine != theirs and _in_order(mine, theirs)


def _words(name: str) -> list[str]:
    return [w for w in _PARTS.split(name) if w and w not in _GENERATION and w != "the"]


def _in_order(mine: list[str], theirs: list[str]) -> bool:
    """All words of the short name stand in the long one in order, and its last or its first stands at the same end."""
    rest = iter(theirs)
    if not all(any(w == x for x in rest) for w in mine):
        return False
    return mine[-1] == theirs[-1] or mine[0] == theirs[0]


def _initials(mine: list[str], theirs: list[str]) -> bool:
    """j k rowling, j rowling, joanne rowling; nba for national basketball association."""
    if len(mine) == 1 and 2 < len(mine[0]) == len(theirs):
        return mine[0] == "".join(w[0] for w in theirs)
    if len(mine) < 2 or mine[-1] != theirs[-1] or len(mine[-1]) < _SHORT["latin"]:
        return False
    rest = iter(theirs[:-1])
    return all(any(w[0] == x[0] and (len(w) == 1 or len(x) == 1 or w == x) for x in rest) for w in mine[:-1])


def _is_short_han(short: str, long: str) -> bool:
    bare, whole = _bare(short), _bare(long)
    if bare == whole:
        return True
    if len(bare) < _SHORT["han"]:
        return False
    parts = [p for p in _PARTS.split(long) if p]
    mine = [p for p in _PARTS.split(short) if p]
    if len(parts) > 1:
        return mine[-1] == parts[-1] or (len(mine) == 1 and mine[0] in parts)
    # 北京 of 北京大学 is another thing; 南京市 of 江苏省南京市 and 尼斯 of 法国尼斯 are the same.
    head = whole[: len(whole) - len(bare)]
    if whole.endswith(bare):
        return bool(_REGION.search(head)) or head in COUNTRIES_ZH
    return bool(_REGION.search(short)) and short in long


def _bare(name: str) -> str:
    """Without the kind of region or team at the end, and the country before it."""
    bare = _TEAM.sub("", _REGION.sub("", name))
    country = next((n for n in (7, 6, 5, 4, 3, 2) if bare[:n] in COUNTRIES_ZH and len(bare) > n + 1), 0)
    return bare[country:] if country and not _TEAM.search(name) else bare


def _is_slip(first: str, second: str) -> bool:
    if min(len(first), len(second)) < _LONG[script_of(first)]:
        return False
    mine, theirs = _words(first), _words(second)
    if len(mine) > 1 and len(theirs) > 1 and script_of(first) == "latin":
        # Brothers and sisters share all but the first name: each word must be a spelling of its partner.
        if len(mine) != len(theirs):
            return False
        return all(
            x == y or (min(len(x), len(y)) > _SHORT_WORD and fuzz.ratio(x, y) >= _WORD_ALIKE)
            for x, y in zip(mine, theirs, strict=True)
        )
    if script_of(first) == "han" and all(c in TRANSLITERATION or c == "·" for c in first + second):
        # One foreign name in two spellings: 阿尔巴尼斯, 阿尔巴内塞.
        if first[:2] != second[:2] or abs(len(first) - len(second)) > 1:
            return False
        return fuzz.ratio(first, second) >= _SPELT_APART
    return fuzz.ratio(first, second) >= _ALIKE


def mentions(page: str, name: str) -> bool:
    """A folded text holds the name, or a short form of it that is plainly its own (a last name)."""
    cleaned = clean_name(name)
    if not cleaned:
        return False
    if cleaned[0] == "`":
        return _whole(cleaned.strip("`"), page)
    if script_of(cleaned) == "han":
        forms = {cleaned, _bare(cleaned), *(p for p in _PARTS.split(cleaned)[-1:] if len(p) > 2)}
        return any(f in page for f in forms if len(f) > 1)
    if _whole(cleaned, page):
        return True
    words = _words(cleaned)
    if len(words) < 2 or _is_code(cleaned):
        return False
    return any(len(w) > 3 and _whole(w, page) for w in (words[-1], words[0] if "," in cleaned else words[-1]))


def _whole(word: str, page: str) -> bool:
    at = page.find(word)
    while at >= 0:
        before, after = page[at - 1 : at], page[at + len(word) : at + len(word) + 1]
        if not (before.isascii() and before.isalnum()) and not (after.isascii() and after.isalnum()):
            return True
        at = page.find(word, at + 1)
    return False
