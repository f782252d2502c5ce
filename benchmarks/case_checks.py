"""What makes a labelled case well formed: every rule of ``data/README.md`` that a program can check."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from case_form import GOOD, LOSING, NOISE, SCENARIOS, Case, holds

from ragclean.text.dates import parse_date

NOISE_TYPES = NOISE | LOSING | {"buried", "duplicate", "unanswerable"}
REASONS = frozenset({"votes", "source", "newer", "mixed", "tie"})
#: Bounds of the form: chunks a case, characters a chunk, characters a case.
CHUNKS, CHUNK_CHARACTERS, CASE_CHARACTERS = (5, 12), (60, 900), (1000, 4500)
#: Two chunks of different cases share no run of this many characters.
SHARED_RUN = {"zh": 30, "en": 80}
#: What may stand before a sentence, beside the start of the text and white space.
BEFORE = "。！？!?；;：:.…”」』’）)】]|│*#>—-•·、，,"
AFTER = "。！？!?；;.…”」』’）)】]|│:：，,"


def problems(cases: Sequence[Case]) -> list[str]:
    """Everything that is wrong with the cases, each line naming case and chunk; empty when all is well."""
    found = [f"{case.id}: {what}" for case in cases for check in CHECKS for what in check(case)]
    found += [f"{name}: id used {n} times" for name, n in Counter(c.id for c in cases).items() if n > 1]
    return found + [f"{a} and {b}: share {run!r}" for a, b, run in shared_runs(cases)]


def _form(case: Case) -> Iterator[str]:
    if not re.fullmatch(rf"{re.escape(case.scenario)}-\d{{3}}", case.id):
        yield "the id is not <scenario>-<nnn>"
    for name, value, allowed in (
        ("lang", case.lang, ("zh", "en")),
        ("scenario", case.scenario, SCENARIOS),
        ("difficulty", case.difficulty, ("single", "multi", "longtail")),
    ):
        if value not in allowed:
            yield f"{name} {value!r}"
    if not set(case.noise_types) <= NOISE_TYPES:
        yield f"noise_types {sorted(set(case.noise_types) - NOISE_TYPES)}"
    try:
        date.fromisoformat(case.as_of)
    except ValueError:
        yield f"as_of {case.as_of!r}"
    if not case.query.strip():
        yield "no query"
    for tag, true in (("no_trust", case.no_trust), ("no_dates", case.no_dates)):
        if (tag in case.tags) != true:
            yield f"tag {tag} is {'not ' if true else ''}given, though chunks say otherwise"


def _sizes(case: Case) -> Iterator[str]:
    if not CHUNKS[0] <= len(case.chunks) <= CHUNKS[1]:
        yield f"{len(case.chunks)} chunks"
    if len({c.id for c in case.chunks}) != len(case.chunks):
        yield "two chunks have one id"
    total = sum(len(c.text) for c in case.chunks)
    # A word of English takes three to four times the characters of a Chinese one.
    longest = CASE_CHARACTERS[1] * (1 if case.lang == "zh" else 2)
    if not CASE_CHARACTERS[0] * (0.7 if case.lang == "zh" else 1) <= total <= longest:
        yield f"{total} characters"
    for chunk in case.chunks:
        if not CHUNK_CHARACTERS[0] <= len(chunk.text) <= CHUNK_CHARACTERS[1] * (1 if case.lang == "zh" else 1.5):
            yield f"{chunk.id} has {len(chunk.text)} characters"


def _chunks(case: Case) -> Iterator[str]:
    for chunk in case.chunks:
        if chunk.role not in GOOD | LOSING | NOISE:
            yield f"{chunk.id}: role {chunk.role!r}"
        if chunk.source_weight is not None and not 0 <= chunk.source_weight <= 1:
            yield f"{chunk.id}: source_weight {chunk.source_weight}"
        if chunk.published_at is not None and parse_date(chunk.published_at) is None:
            yield f"{chunk.id}: published_at {chunk.published_at!r} is no date"
        for name, sentences in (("must_keep", chunk.must_keep), ("must_drop", chunk.must_drop)):
            for sentence in sentences:
                if not is_whole(chunk.text, sentence):
                    yield f"{chunk.id}: {name} is no whole sentence of the text: {sentence[:50]!r}"
        if set(chunk.must_keep) & set(chunk.must_drop):
            yield f"{chunk.id}: one sentence both to keep and to drop"
        if chunk.must_keep and chunk.role not in GOOD:
            yield f"{chunk.id}: must_keep in a chunk of role {chunk.role}"


def is_whole(text: str, sentence: str) -> bool:
    """Does the sentence stand in the text and begin and end where a sentence, list item or table row does?"""
    start = text.find(sentence)
    while sentence and start >= 0:
        before, after = text[:start].rstrip(" \t\u3000"), text[start + len(sentence) :]
        begins = not before or before[-1] in BEFORE + "\n" or text[:start].endswith(("\n", " "))
        ends = sentence[-1] in AFTER or not after.strip() or after.lstrip(" \t")[0] in "\n" + AFTER
        if begins and ends:
            return True
        start = text.find(sentence, start + 1)
    return False


def _answer(case: Case) -> Iterator[str]:
    good = [c for c in case.chunks if c.role in GOOD]
    if case.tied:
        if case.accepted or sum(bool(c.must_keep) for c in case.chunks) < 2:
            yield "a tie has nothing accepted, and must_keep on both sides"
    elif not case.answerable:
        if case.accepted or case.answer or any(c.role == "answer" or c.must_keep for c in case.chunks):
            yield "an unanswerable case has no answer, no answer chunk and nothing to keep"
    else:
        if not any(c.role == "answer" for c in good) or not any(c.must_keep for c in good):
            yield "no answer chunk, or nothing to keep"
        if not any(holds(c.text, a) for a in case.accepted for c in good):
            yield "no accepted string in a good chunk"
        if not case.keypoints or not case.answer:
            yield "no key points or no answer"
        if case.difficulty == "multi" and sum(bool(c.must_keep) for c in good) < 2:
            yield "a multi-hop case keeps sentences of two chunks"
    for chunk in case.chunks:
        if chunk.role not in GOOD:
            held = [a for a in case.accepted if holds(chunk.text, a)]
            yield from (f"{chunk.id} ({chunk.role}) holds accepted {a!r}" for a in held)
    yield from (f"{w!r} is accepted and wrong" for w in set(case.wrong) & set(case.accepted))


def _conflict(case: Case) -> Iterator[str]:
    losing = [c for c in case.chunks if c.role in LOSING]
    if case.conflict is None:
        if losing:
            yield "chunks lose a conflict that is not described"
        return
    if case.conflict.reason not in REASONS:
        yield f"reason {case.conflict.reason!r}"
    if case.tied:
        if case.conflict.winner or case.conflict.losers or losing:
            yield "a tie has no winner, no losers and no losing chunk"
        return
    if not case.conflict.winner or not case.conflict.losers or not losing:
        yield "a conflict has a winner, losers and losing chunks"
    for loser in case.conflict.losers:
        if not any(holds(c.text, loser) for c in losing):
            yield f"no losing chunk holds {loser!r}"
        yield from (f"{c.id} ({c.role}) holds the loser {loser!r}" for c in case.chunks
                    if c.role in GOOD and holds(c.text, loser))  # fmt: skip


CHECKS: tuple[Callable[[Case], Iterator[str]], ...] = (_form, _sizes, _chunks, _answer, _conflict)


def shared_runs(cases: Sequence[Case]) -> list[tuple[str, str, str]]:
    """Pairs of cases of which two chunks share a run of ``SHARED_RUN`` characters, with the run."""
    seen: dict[tuple[str, str], str] = {}
    found: dict[tuple[str, str], str] = {}
    for case in cases:
        width = SHARED_RUN.get(case.lang, SHARED_RUN["en"])
        for chunk in case.chunks:
            text = re.sub(r"\s+", " ", chunk.text)
            for start in range(len(text) - width + 1):
                run = text[start : start + width]
                if 3 * sum(c.isalnum() for c in run) < width:
                    continue  # rules of tables are alike everywhere
                other = seen.setdefault((case.lang, run), case.id)
                if other != case.id:
                    found.setdefault((other, case.id), run)
    return [(a, b, run) for (a, b), run in found.items()]
