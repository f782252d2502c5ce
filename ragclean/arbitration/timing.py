"""How much a witness's age and standing leave of its vote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ragclean.arbitration.cohort import Cohort, applies
from ragclean.arbitration.titles import edition_of
from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, PreparedText
from ragclean.text.statements import Mark
from ragclean.types import Chunk

#: What is left of a vote of a page that is not, no longer or not yet in force.
_OUT_OF_FORCE = 0.02
#: A draft or hearsay is no rule, whoever publishes it.
_DRAFT = 0.05
#: Age never takes more than this of a vote by itself: an old page that nobody contradicts still counts.
_AGE_FLOOR = 0.25
#: An undated page counts like one of middling age.
_UNDATED = {"neutral": 0.75, "oldest": _AGE_FLOOR, "newest": 1.0}
_REPLACED = ("expired", "withdrawn", "superseded", "not_yet_in_force", "other_customers")
_OUT_NOTES = (*_REPLACED, "draft", "hearsay")
#: A statement of validity far from the claim counts only where it names the page itself: coupons expire as well.
_THIS_PAGE = re.compile(
    r"(?:本|该|此|新|上述)(?:办法|规定|规则|规范|页面?|公告|条款|政策|制度|标准|文档|文件|手册|通知|细则|版本?"
    r"|活动|计划|方案|价格|文|指南|协议|条例|说明)"
    r"|(?:调整|修订|修改|变更|更新|优化)后的?(?:标准|规定|规则|政策|制度|价格|条款|办法|方案|细则|额度|比例|费率)"
    r"|(?:this|the (?:present|new|revised)|these) (?:page|document|policy|article|guide|version|notice|terms|edition"
    r"|price list|offer|manual|schedule|rules|rates|charges|prices|tariff)"
)
#: What is announced and not yet so.
_WILL_BE = re.compile(
    r"\bwill (?:then |now |also |no longer )?(?:be|have|cost|rise|fall|drop|go|apply|become|increase|change|move)\b"
    r"|\bis going to\b"
    r"|(?<![即必])将(?=[于从在自由会改调提降上下增减延缩统不]|被|按|执)|届时|届時|計劃|计划|预计|預計"
)
#: Before and after the last day on which something holds.
_UNTIL = re.compile(
    r"(?:\b(?:until|till|by|before|through|up to|up to and including|(?:no|not) later than|ends?(?: on)?"
    r"|expires?(?: on)?|closes?(?: on)?|deadline(?: is)?)(?: the)?|截至|截止到?|直到|不晚于|不迟于|至|到) ?$"
)
_OVER = re.compile(
    r" ?(?:\(含\)|当天|当日|当晚|24时|24点)?"
    r"(?:之前|以前|前|为止|止|截止|结束|到期|终止|停止|失效|期满|停用|下线|关闭)"
)
_END_REACH = 28
_DATE_PARTS = 3
_DOCUMENT_NAME = re.compile(
    r"议定书|协定|协议|办法|条例|规定|细则|方案|新规|新政|新标准|新条款|新价格|新版|修正案|决议"
    r"|\b(?:protocol|agreement|regulation|amendment|act|directive|resolution"
    r"|new (?:terms|rules|rates|tariff|policy|scheme))\b"
)
_EARLIER = re.compile(r"(?:原|旧|此前|之前|上一|以前|过去|previous|prior|earlier|old|former)")
_CLAUSE_MARKS = re.compile(r"[,;。\n]")
_CLAUSE_REACH = 40
_LONG_SENTENCE = 400
#: What a coupon or a link does, not a rule.
_LAPSES = re.compile(r"逾期|过期未|超期|未使用|自动|到期|当日|随之|券|码|链接|coupon|voucher|link")
_DRAFT_NOUNS = ("初稿", "草稿", "draft", "preliminary")
#: How much less trusted a later edition may be: two categories of official pages stand this near.
_LIKE_TRUST = 0.051
#: Sentences at the head of a page in which it says that it is a draft or withdrawn.
_HEAD_SENTENCES = 2
#: Sentences between a correction ('the poster was wrong') and the value that is right.
_CORRECTION_REACH = 2


@dataclass(frozen=True, slots=True)
class Standing:
    """Age and validity of one passage's claim at a date."""

    factor: float
    dated: date | None
    notes: tuple[str, ...]
    replaces: str = ""
    """``supersedes`` or ``corrects`` where the page says that it takes the place of another, or that one is wrong;
    ``applies`` where it says that it holds for those who came when the asker did, ``effective`` where the claim itself
    names the day from which it holds."""

    @property
    def in_force(self) -> bool:
        return not any(n in _OUT_NOTES for n in self.notes)


def standing(
    passage: Passage,
    sentence: int,
    as_of: date,
    changes: bool,
    newer_versions: frozenset[int],
    config: CorrectorConfig,
    cohort: Cohort | None = None,
    now: date | None = None,
) -> Standing:
    """The time factor of a passage's claim in ``sentence``.

    Args:
        newer_versions: indices of passages that a newer version of the same lineage replaces.
        cohort: when the asker signed, bought or joined, where the question says so.
        now: the day on which the question is asked, where ``as_of`` is an earlier one that it asks about: what was
            published later than that could not be known.
    """
    dated = passage.dated
    told = _told(passage.prepared, sentence, as_of)
    effective = told.effective or _metadata_day(passage.chunk.effective_from, passage.effective)
    notes = list(told.notes)
    if "expired" not in notes and passage.chunk.expires_at and passage.expires and passage.expires < as_of:
        notes.append("expired")
    if passage.index in newer_versions:
        notes.append("superseded")
    chunk = passage.chunk
    stamped = bool(chunk.published_at or chunk.updated_at) and not chunk.effective_from
    written_later = stamped and dated is not None and dated > (now or as_of)
    if written_later or (effective is not None and effective > as_of) or _to_come(passage, sentence, as_of):
        notes.append("not_yet_in_force")
    holds = applies(passage.prepared, sentence, cohort, dated, as_of)
    if holds < 0:
        notes.append("other_customers")
    factor = 1.0
    if any(n in notes for n in _REPLACED):
        factor = _OUT_OF_FORCE
    elif notes:
        factor = _DRAFT
    if told.effective is not None and told.effective <= as_of:
        dated = max(told.effective, dated) if dated else told.effective
    replaces = "applies" if holds > 0 else _replaces(passage.prepared, sentence)
    if not replaces and (told.stated is not None or told.changes):
        replaces = "effective"
    if not changes:
        return Standing(factor, dated, tuple(notes), replaces)
    if dated is None:
        notes.append("undated")
        return Standing(factor * _UNDATED[config.missing_date], None, tuple(notes), replaces)
    age = max(0, (as_of - dated).days)
    kept = max(_AGE_FLOOR, 0.5 ** (age / config.half_life_days))
    return Standing(factor * kept, dated, tuple(notes), replaces)


def _to_come(passage: Passage, sentence: int, as_of: date) -> bool:
    """The claim's sentence speaks of what will be, and it or the next one names a day after ``as_of``.

    A day without its year is of the year in which the page was written, or of the next one; of an undated page nobody
    knows.
    """
    prepared = passage.prepared
    if not _WILL_BE.search(prepared.folded_sentences[sentence][:_LONG_SENTENCE]):
        return False
    written = passage.dated
    for number in range(max(0, sentence - 1), min(len(prepared.sentences), sentence + 2)):
        for value in prepared.sentence_values[number]:
            if value.kind != "date" or len(value.parts) < _DATE_PARTS or not value.parts[1]:
                continue
            year, month, day = value.parts[:_DATE_PARTS]
            if not year and written is None:
                continue
            when = _day_of(year or (written or as_of).year, month, day or 1)
            if when is not None and not year and written is not None and when < written:
                when = _day_of(written.year + 1, month, day or 1)
            if when is not None and when > as_of and not _is_end(prepared.folded, value.start, value.end):
                return True
    return False


def _is_end(folded: str, start: int, end: int) -> bool:
    """The day is the last one ('arrive up to and including', 将于…结束): what is said holds until then, and so now."""
    before = folded[max(0, start - _END_REACH) : start]
    return _UNTIL.search(before) is not None or _OVER.match(folded, end) is not None


def _day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _replaces(prepared: PreparedText, sentence: int) -> str:
    """What the page says of another: that it is wrong (beside the claim), that it takes its place (anywhere).

    A misprint that is declared void is both: it is a correction, which holds against later copies of the error too.
    """
    found = ""
    for mark in prepared.marks:
        if mark.kind == "supersedes":
            found = found or "supersedes"
        if mark.kind == "corrects":
            at = prepared.sentence_at(mark.start)
            if at < _HEAD_SENTENCES or abs(at - sentence) <= _CORRECTION_REACH:
                found = "corrects"
    return found


def notices(prepared: PreparedText, standing: Standing) -> tuple[int, ...]:
    """The sentences in which a page says that it replaces or corrects another, or from when it holds."""
    if standing.replaces in ("", "applies"):
        return ()
    found = (prepared.sentence_at(m.start) for m in prepared.marks if m.kind == standing.replaces)
    return tuple(dict.fromkeys(s for s in found if s >= 0))


@dataclass(frozen=True, slots=True)
class _Told:
    """What the text itself says about the validity of the claim."""

    notes: tuple[str, ...]
    effective: date | None
    stated: date | None = None
    """The day from which it holds, as the claim's own sentence or the head of its page says; not in the future."""
    changes: bool = False
    """The claim's sentence says that the value was changed to this."""


def _told(prepared: PreparedText, sentence: int, as_of: date) -> _Told:
    notes: list[str] = []
    here: list[date] = []
    elsewhere: list[date] = []
    changes = False
    for mark in prepared.marks:
        own = prepared.sentences[sentence].start <= mark.start < prepared.sentences[sentence].end
        if mark.kind == "hearsay":
            if own:
                notes.append("hearsay")
            continue
        if mark.kind == "changes":
            changes = changes or own
            continue
        at_head = _about_page(prepared, mark)
        about_page = own or at_head or _of_one_document(prepared, mark, sentence)
        if mark.kind == "effective" and mark.when is not None:
            (here if own else elsewhere if about_page else []).append(mark.when)
        elif mark.kind == "expires" and about_page and mark.when is not None and mark.when < as_of:
            notes.append("expired")
        elif mark.kind == "withdrawn" and about_page and (mark.when is None or mark.when <= as_of):
            clause = _CLAUSE_MARKS.split(prepared.folded[max(0, mark.end - _CLAUSE_REACH) : mark.end])[-1]
            before = clause.removesuffix(prepared.folded[mark.start : mark.end])
            if not _LAPSES.search(clause) and (own or not _EARLIER.search(before)):
                notes.append("withdrawn")
        elif mark.kind == "draft" and (at_head or (own and not _names_a_draft(prepared, mark))):
            notes.append("draft")
    if here:
        return _Told(tuple(dict.fromkeys(notes)), max(here), max(here) if max(here) <= as_of else None, changes)
    future = elsewhere and min(elsewhere) > as_of
    if elsewhere and not future:
        return _Told(tuple(dict.fromkeys(notes)), None, max(d for d in elsewhere if d <= as_of), changes)
    return _Told(tuple(dict.fromkeys(notes)), min(elsewhere) if future else None, None, changes and not future)


def _names_a_draft(prepared: PreparedText, mark: Mark) -> bool:
    """'Hand in your draft by May': the word is what the sentence is about, not what the page is."""
    return prepared.folded[mark.start : mark.end] in _DRAFT_NOUNS


def _of_one_document(prepared: PreparedText, mark: Mark, sentence: int) -> bool:
    """The statement names the document that the claim's sentence rests on: 根据议定书 ... 议定书将于3月生效."""
    at = prepared.sentence_at(mark.start)
    if at < 0 or mark.kind not in ("effective", "expires", "withdrawn"):
        return False
    theirs = set(_DOCUMENT_NAME.findall(prepared.folded_sentences[at][:_LONG_SENTENCE]))
    return bool(theirs & set(_DOCUMENT_NAME.findall(prepared.folded_sentences[sentence][:_LONG_SENTENCE])))


def _about_page(prepared: PreparedText, mark: Mark) -> bool:
    """The statement stands at the head of the page, or in a sentence that names the page."""
    number = prepared.sentence_at(mark.start)
    if number < 0:
        return False
    if number < _HEAD_SENTENCES and prepared.sentences[number].kind != "list_item":
        return True
    return bool(_THIS_PAGE.search(prepared.folded_sentences[number][:_LONG_SENTENCE]))


def _metadata_day(stated: str | None, resolved: date | None) -> date | None:
    return resolved if stated else None


def lineage_of(chunk: Chunk, named: frozenset[str]) -> str:
    """The lineage of a chunk; one without is its own under its id, where another names that as its lineage."""
    return chunk.lineage_id or (chunk.id if chunk.id in named else "")


def replaced_versions(passages: Sequence[Passage], as_of: date, *, by_title: bool = True) -> frozenset[int]:
    """Passages of which a newer version of the same lineage, in force at ``as_of``, is among the candidates.

    Without a ``lineage_id``, the editions of one rule are known by their names (``by_title``; to be left out where the
    question itself names a year or edition).
    """
    groups: dict[str, list[tuple[Passage, tuple[int, ...]]]] = {}
    named: dict[str, list[tuple[Passage, tuple[int, ...]]]] = {}
    for p in passages:
        lineage, version = p.chunk.lineage_id, p.chunk.version
        if lineage:
            groups.setdefault(lineage, []).append((p, _version_key(version)))
        elif by_title and (edition := edition_of(p))[0]:
            named.setdefault(edition[0], []).append((p, _version_key(edition[1])))
    told = {
        p.index
        for group in groups.values()
        for p, version in group
        if any(o is not p and is_in_force(o, as_of) and _is_later((o, number), (p, version)) for o, number in group)
    }
    return frozenset(told) | {
        p.index
        for name, group in named.items()
        for p, version in group
        if any(_is_next_edition((o, number), (p, version), name, as_of) for o, number in group)
    }


def _is_next_edition(
    mine: tuple[Passage, tuple[int, ...]], other: tuple[Passage, tuple[int, ...]], name: str, as_of: date
) -> bool:
    """A later number of the same rule, begun, not of an earlier day, and as trusted: anyone can take a name."""
    (p, number), (o, its) = mine, other
    begun = is_in_force(p, as_of) and not (name.startswith("year:") and number > (as_of.year,))
    backwards = p.dated is not None and o.dated is not None and p.dated < o.dated
    alike = p.trust_known == o.trust_known and p.trust >= o.trust - _LIKE_TRUST
    return number > its and begun and not backwards and alike


def is_in_force(p: Passage, as_of: date) -> bool:
    """Neither to come, nor a draft, nor written after the day that is judged by."""
    begun = (p.effective is None or p.effective <= as_of) and (p.dated is None or p.dated <= as_of)
    return begun and not any(m.kind == "draft" for m in p.prepared.marks)


def is_newer(p: Passage, other: Passage) -> bool:
    """A later version by its date, where both have one and they differ, else by its number."""
    return _is_later((p, _version_key(p.chunk.version)), (other, _version_key(other.chunk.version)))


def _is_later(mine: tuple[Passage, tuple[int, ...]], other: tuple[Passage, tuple[int, ...]]) -> bool:
    """Dates go before numbers: 'v3' and '2019 edition' are numbers of two schemes."""
    (p, number), (o, its) = mine, other
    if p.dated is not None and o.dated is not None and p.dated != o.dated:
        return p.dated > o.dated
    return number > its if number and its else p.dated is not None and o.dated is None and not its


def outdated(
    passages: Sequence[Passage], as_of: date, replaced: frozenset[int], lang: str
) -> dict[int, str]:
    """Passages that their metadata, or a newer edition beside them, put out of force: index -> words."""
    words: dict[int, str] = {}
    zh = lang == "zh"
    for p in passages:
        if p.index in replaced:
            words[p.index] = "已有更新的版本" if zh else "a newer version is among the candidates"
        elif p.chunk.expires_at and p.expires and p.expires < as_of:
            words[p.index] = f"已于{p.expires}到期" if zh else f"expired on {p.expires}"
        elif p.chunk.effective_from and p.effective and p.effective > as_of:
            words[p.index] = f"{p.effective}起才生效" if zh else f"in force from {p.effective}"
    return words


def _version_key(version: str | None) -> tuple[int, ...]:
    """The numbers of a version in order: '2024-02', 'v2.10' and 'rev 3' compare as people expect."""
    numbers: list[int] = []
    current = ""
    for char in (version or "")[:64] + " ":
        if char.isascii() and char.isdigit():
            current += char
        elif current:
            numbers.append(int(current))
            current = ""
    return tuple(numbers)
