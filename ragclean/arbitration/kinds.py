"""Pages about another of the kind that is asked about: 公务舱 for 经济舱, runner beans for dwarf beans.

No list holds these names. The question tells which word is one of a kind, by its last character, by the word that
follows it, or by standing at the head of a page or a part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from ragclean.arbitration.claims import Claim
from ragclean.arbitration.focus import FacetFocus
from ragclean.arbitration.substitution import sentence_words
from ragclean.prepare import RankedPassage
from ragclean.text.tokens import informativeness, is_stopword, tokenize

#: Rarity of a word that can be a kind.
_TELLING = 0.4
#: Share of the words of the shorter of two sentences that they have in common, which makes them alike.
_ALIKE = 0.6
#: Words whose last character says of what kind they are one: 经济舱, 深度, 标准版.
_KINDS, _SHORT = frozenset("舱度版型款席级"), 3
#: Characters that end the name of a place.
_PLACES = frozenset("郡县市省州镇乡")
#: 'dwarf beans': one of a kind by the word before it; and words before a noun that tell no kind.
_MODIFIED = re.compile(r"\b(?=([a-z]{4,20}) ([a-z]{4,20})\b)")
_NO_KIND = frozenset((
    "these", "those", "each", "every", "your", "their", "other", "most", "some", "many", "such", "current", "present",
    "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty", "thirty", "several", "more",
    "fewer", "extra", "additional",
))  # fmt: skip
#: Characters of a heading that names a thing, and of a title.
_SHORT_HEADING, _LONGEST_LABEL = 16, 24
#: 商铺(非住宅): what the question says it does not mean.
_NOT_OF = re.compile(r"非([\u3400-\u9fff]{2})")


def others_of_a_kind(
    claims: Sequence[Claim], passages: Sequence[RankedPassage], facet: FacetFocus
) -> frozenset[Claim]:
    """Claims about another of the kind that is asked about: 公务舱 for 经济舱, runner beans for dwarf beans.

    Their page never names the one asked about, and the page of another claim does.
    """
    found = set()
    labels = [_label(passages[c.place], c.sentence) for c in claims]
    pages = {c.place: passages[c.place].passage.titled for c in claims}
    # What is asked of a thing (保修) heads pages about any thing.
    asked_label = {x for x in labels if x and x in facet.slot_text and not any(t.credit(x) for t in facet.core)}
    for c, label in zip(claims, labels, strict=True):
        page = pages[c.place]
        if label and asked_label and label not in facet.slot_text and not any(x in page for x in asked_label):
            found.add(c)
            continue
        against = [
            (word, needs_likeness) for word, needs_likeness in _asked_against(c, passages[c.place], facet)
            if word not in page
        ]  # fmt: skip
        mine = sentence_words(passages[c.place], c.sentence) if against else frozenset()
        for full in claims if against else ():
            theirs = pages[full.place]
            alike = _made_alike(mine, sentence_words(passages[full.place], full.sentence))
            if full.place != c.place and any(w in theirs and (alike or not needs) for w, needs in against):
                found.add(c)
                break
    return frozenset(found)


def _asked_against(claim: Claim, page: RankedPassage, facet: FacetFocus) -> Iterator[tuple[str, bool]]:
    """Words of the question that stand for one of a kind, where the claim's sentence or heading names another of it.

    With each whether the two sentences must be made of the same words otherwise: of Chinese words beside each other
    nothing else tells whether the one modifies the other.
    """
    asked, theirs = facet.slot_text, page.prepared.folded_sentences[claim.sentence]
    words = sentence_words(page, claim.sentence)
    heading = _heading(page, claim.sentence)
    for word in (t.text for t in facet.terms if len(t.text) > 1 and not t.text.isascii()):
        short = len(word) <= _SHORT and word[-1] in _KINDS
        if short and any(len(o) == len(word) and o[-1] == word[-1] and o not in asked for o in words):
            yield word, False
        at = asked.find(word)
        place = word if word[-1] in _PLACES else asked[at : at + len(word) + 1]
        if at >= 0 and len(place) > _SHORT and place[-1] in _PLACES:
            others = re.findall(rf"[\u3400-\u9fff]{{2,5}}{place[-1]}", theirs)
            if others and not any(o in asked or o.endswith(place) for o in others[:1]):
                yield place, False
        if len(word) > _SHORT:
            others = re.findall(rf"([\u3400-\u9fff]{{2}}){re.escape(word[-2:])}", theirs)
            if any(o not in asked and informativeness(o) > 0 and not is_stopword(o) for o in others):
                yield word, True
    for word, head in _modified(asked):
        if head.isascii():
            before = rf"\b([a-z]{{3,20}}) {re.escape(head.removesuffix('s'))}s?\b"
        else:
            before = rf"([\u3400-\u9fff]{{2}}){re.escape(head)}"
        others = re.findall(before, theirs)
        if any(o not in asked and not is_stopword(o) and o not in _NO_KIND and informativeness(o) > 0 for o in others):
            yield word, not head.isascii()
    for denied in _NOT_OF.findall(asked):
        if re.search(rf"(?<!非){denied}", theirs) and f"非{denied}" not in theirs:
            yield f"非{denied}", False
    if heading and heading not in asked:
        # 城东店 is asked about, and the sentence stands under 城西店.
        tail = heading[-1] if heading[-1] > "\u3400" else heading.split()[-1]
        named = re.search(rf"[\u3400-\u9fff]{{2}}{re.escape(tail)}|\b[a-z]{{3,20}} {re.escape(tail)}\b", asked)
        if named is not None:
            yield named.group(), False


@lru_cache(maxsize=256)
def _modified(asked: str) -> tuple[tuple[str, str], ...]:
    """Words of a question that tell which of a kind is meant, each with the kind: (dwarf, beans), (流感, 疫苗)."""
    found = [
        (m.group(1), m.group(2)) for m in _MODIFIED.finditer(asked)
        if not is_stopword(m.group(1)) and not is_stopword(m.group(2)) and informativeness(m.group(2)) >= _TELLING
    ]
    tokens = [t for t in tokenize(asked) if t.kind == "han"]
    for a, b in pairwise(tokens):
        word, head = asked[a.start : a.end], asked[b.start : b.end]
        if a.end == b.start and min(len(word), len(head)) > 1 and not is_stopword(word) and not is_stopword(head):
            found.append((word, head))
    return tuple(found)


def _label(page: RankedPassage, number: int) -> str:
    """What a page or a part of it is headed by, where that is short enough to be a name."""
    label = _heading(page, number) or page.passage.chunk.title.lower().strip()
    return label if 1 < len(label) <= _LONGEST_LABEL else ""


def _heading(page: RankedPassage, number: int) -> str:
    """The short heading that a sentence stands under, folded; empty for none."""
    found = page.prepared.heading_above(number)
    return found.strip(" #*:【】[]") if len(found) <= _SHORT_HEADING else ""


def _made_alike(a: frozenset[str], b: frozenset[str]) -> bool:
    return len(a & b) >= _ALIKE * min(len(a), len(b))
