"""Drafts of cases from documents, from logs and from bad cases: the first two of three layers; people are the third.

A draft says where it comes from and what it lacks. None counts before somebody has looked at it
(:mod:`ragclean.evaluation.case_review`).
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, TypeVar

from ragclean.config import DEFAULT_SOURCE_WEIGHTS
from ragclean.evaluation.case_documents import older_versions, read_documents, superseded
from ragclean.evaluation.case_drafts import Built, Draft, Need, read_drafts, with_chunk_ids, write_drafts
from ragclean.evaluation.case_rules import Drafted, draft
from ragclean.evaluation.cases import keypoints_of
from ragclean.evaluation.corpus import Corpus
from ragclean.evaluation.records import EvalCase
from ragclean.json_lines import numbered, string_of
from ragclean.screen import coerce, shown
from ragclean.text.dates import parse_date
from ragclean.text.folding import fold
from ragclean.text.sentences import split_sentences
from ragclean.text.values import find_values, same_value
from ragclean.types import Chunk

if TYPE_CHECKING:
    from ragclean.badcases.record import BadCase
    from ragclean.calibration.cases import LabelledCase
    from ragclean.endpoint import Endpoint

__all__ = [
    "Built", "Draft", "from_bad_cases", "from_documents", "from_logs", "read_documents", "read_drafts", "read_log",
    "write_drafts",
]  # fmt: skip

T = TypeVar("T")

#: Contexts of a case: what a RAG application shows its model.
TOP_K = 10
#: Questions of one chunk: more of them test the same retrieval again.
PER_CHUNK = 2
#: What is asked of a chunk first: values are what goes wrong, and a yes is easily said.
_ORDER = {"duration": 0, "money": 0, "percent": 0, "quantity": 0, "date": 0, "time": 0, "faq": 1, "yes_no": 2}
#: What a forum says may be wrong: a reference made of it would teach the evaluation the error.
LEAST_TRUST = 0.5
#: Chunks that are scored in full for a question: a wide retriever's k, several times over.
_NEAREST = 200
_NOT_WORD = re.compile(r"[\W_]+")


def from_documents(
    chunks: Iterable[Any] | Corpus, *, limit: int | None = None, per_chunk: int = PER_CHUNK, top_k: int = TOP_K,
    category: str = "", least_trust: float = LEAST_TRUST, endpoint: Endpoint | None = None, seed: int = 0,
) -> Built:  # fmt: skip
    """Draft cases from documents: by rule and offline, or with a language model.

    By rule a statement with a value, a plain yes or no, or a question that the text answers itself becomes a case,
    where the rule is sure. A model's answer has to stand in the chunk, else the draft is left out and counted.

    Args:
        chunks: anything that ``refine`` takes as candidates, or a corpus of them; contexts are retrieved from it.
        limit: drafts at most, drawn at random from all kinds alike; None: all.
        per_chunk: drafts of one chunk at most.
        category: of the cases; empty: the chunk's source.
        least_trust: chunks whose ``source_weight``, or whose source in the default table of trust, is known to be less
            make no case; they are contexts all the same.
        endpoint: asks a model instead of the rules; one request a chunk.

    Raises:
        ValueError: no chunk has text, or a number is out of its range.
        EndpointError: the endpoint would refuse every request.
    """
    for name, value in (("limit", limit), ("per_chunk", per_chunk), ("top_k", top_k)):
        if value is not None and value < 1:
            raise ValueError(f"{name}: must be 1 or more, got {value}")
    corpus = chunks if isinstance(chunks, Corpus) else Corpus(chunks)
    named = with_chunk_ids(corpus.chunks, "doc")
    older = older_versions(named)
    stale = superseded(named)
    left_out: Counter[str] = Counter()
    current = [c for c in named if c.id not in stale]
    if stale:
        left_out["chunks that a newer version of their lineage replaces"] = len(stale)
    doubted = [c for c in current if _trust(c) < least_trust]
    if doubted:
        left_out[f"chunks of sources that are trusted less than {least_trust:g}"] = len(doubted)
        current = [c for c in current if _trust(c) >= least_trust]
    if endpoint is None:
        pairs = [(c, d) for c in current for d in _best(draft(c), per_chunk)]
        origin: Callable[[Drafted], str] = lambda d: f"rule:{d.kind}"  # noqa: E731
    else:
        from ragclean.evaluation.case_model import ask_model

        order = random.Random(seed).sample(current, len(current))
        pairs = ask_model(endpoint, order if limit is None else order[: 2 * limit], left_out)
        origin = lambda d: "model"  # noqa: E731
    merged = _merged(pairs, left_out)
    if limit is not None and len(merged) > limit:
        merged = _stratified(merged, lambda m: m[1].kind, limit, seed)
    made = [_case(corpus, named, older, gold, d, top_k, category, origin(d)) for gold, d in merged]
    return Built(tuple(made), dict(left_out))


def from_logs(
    rows: Iterable[Mapping[str, Any]], *, limit: int | None = None, seed: int = 0, corpus: Corpus | None = None,
    top_k: int = TOP_K,
) -> Built:  # fmt: skip
    """Draft cases from a log of the application: questions that were really asked, without a reference yet.

    The same question in other capitals, width or punctuation is one; that it was asked often is noted.

    Args:
        rows: mappings with ``question`` (or ``query``) and, all optional, ``contexts`` (or ``chunks``), ``answer``,
            ``feedback``, ``category``, ``as_of``.
        limit: drafts at most, spread evenly over the categories.
        corpus: brings the contexts of rows that have none.

    Raises:
        ValueError: a row is none; the message names its place and field.
    """
    first: dict[str, Draft] = {}
    asked: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for number, row in enumerate(rows, 1):
        try:
            made = _from_log(row)
        except ValueError as error:
            raise ValueError(f"row {number}: {error}") from None
        if made is None:
            left_out["rows whose question is blank"] += 1
            continue
        key = normalised(made.case.question)
        asked[key] += 1
        first.setdefault(key, made)
    repeats = sum(asked.values()) - len(first)
    if repeats:
        left_out["repeats of a question"] = repeats
    drafts = [
        replace(d, notes=(*d.notes, f"asked {asked[key]} times")) if asked[key] > 1 else d for key, d in first.items()
    ]
    if limit is not None and len(drafts) > limit:
        left_out["not drawn"] = len(drafts) - limit
        drafts = _stratified(drafts, lambda d: d.case.category, limit, seed)
    if corpus is not None:
        named = with_chunk_ids(corpus.chunks, "doc")
        drafts = [d if d.case.contexts else _retrieved(d, corpus, named, top_k) for d in drafts]
    return Built(tuple(drafts), dict(left_out))


def read_log(path: str) -> Iterator[Mapping[str, Any]]:
    """The rows of a JSON Lines log.

    Raises:
        OSError: it cannot be read.
        CaseFileError: a line is no object, or none that :func:`from_logs` takes; the message names line and field.
    """

    def row(data: Any, number: int) -> Mapping[str, Any]:
        if not isinstance(data, Mapping):
            raise ValueError(f"expected a JSON object, got {shown(data)}")
        _from_log(data)
        return data

    return (made for _, made in numbered(path, row))


def from_bad_cases(cases: Iterable[BadCase | LabelledCase]) -> Built:
    """Draft cases from recorded or labelled bad cases: what is known of each, and what is missing.

    Gold are the chunks that must stay. The reference is what must be kept of them, else the sentences that hold an
    accepted value, which is its key point. Earlier versions of a gold chunk's lineage among the candidates become its
    old versions, and leave the contexts.
    """
    drafts, left_out, seen = [], Counter[str](), set[str]()
    for case in cases:
        if not case.query.strip():
            left_out["cases without a question"] += 1
        elif (key := normalised(case.query)) in seen:
            left_out["repeats of a question"] += 1
        else:
            seen.add(key)
            drafts.append(_from_bad_case(case))
    return Built(tuple(drafts), dict(left_out))


def normalised(question: str) -> str:
    """A question without case, width, blanks and punctuation: two that are the same are one question."""
    return _NOT_WORD.sub("", fold(question))


# ------------------------------------------------------------------ documents


def _trust(chunk: Chunk) -> float:
    """As far as it is known: the chunk's own weight, else that of its source by name or pattern, else 1."""
    if chunk.source_weight is not None:
        return chunk.source_weight
    name = (chunk.source or "").strip().lower()
    fitting = [w for pattern, w in DEFAULT_SOURCE_WEIGHTS.items() if name and fnmatchcase(name, pattern.lower())]
    return min(fitting, default=1.0)


def _best(found: list[Drafted], most: int) -> list[Drafted]:
    return sorted(found, key=lambda d: _ORDER.get(d.kind, 1))[:most]


def _merged(pairs: Iterable[tuple[Chunk, Drafted]], left_out: Counter[str]) -> list[tuple[list[Chunk], Drafted]]:
    """One draft a question: copies of a page are gold together; pages that answer otherwise leave the question out."""
    by_question: dict[str, list[tuple[Chunk, Drafted]]] = defaultdict(list)
    for chunk, drafted in pairs:
        by_question[normalised(drafted.question)].append((chunk, drafted))
    merged = []
    for group in by_question.values():
        first = group[0][1]
        if all(_agree(first, other) for _, other in group[1:]):
            merged.append(([chunk for chunk, _ in group], first))
            if len(group) > 1:
                left_out["copies of a question"] += len(group) - 1
        else:
            left_out["questions that the documents answer in several ways"] += 1
    return merged


def _agree(a: Drafted, b: Drafted) -> bool:
    said, other = fold(a.point or a.reference), fold(b.point or b.reference)
    values, others = find_values(said), find_values(other)
    if values and others:
        return all(any(same_value(v, o) for o in others) for v in values)
    return normalised(said) == normalised(other)


def _case(
    corpus: Corpus, named: Sequence[Chunk], older: Mapping[str, Sequence[Chunk]], gold: Sequence[Chunk], d: Drafted,
    top_k: int, category: str, origin: str,
) -> Draft:  # fmt: skip
    versions = list({c.id: c for g in gold for c in older.get(g.id, ())}.values())
    out = {c.id for c in versions}
    contexts = [named[i] for i in _ranked(corpus, d.question) if named[i].id not in out][:top_k]
    notes: list[str] = []
    if not any(g.id == c.id for g in gold for c in contexts):
        contexts = [*contexts[: top_k - 1], gold[0]]
        notes.append("not retrieved: the gold chunk was put last")
    present = {c.id for c in contexts}
    case = EvalCase(
        id=_id(d.question, gold[0].text),
        question=d.question,
        reference=d.reference,
        keypoints=(d.point,) if d.point else keypoints_of(d.reference),
        contexts=tuple(contexts),
        gold=tuple(g.id for g in gold if g.id in present),
        old_versions=tuple(versions),
        category=category or gold[0].source or "",
        difficulty="single",
    )
    return Draft(case, "open", origin, (), tuple(notes))


def _ranked(corpus: Corpus, question: str) -> list[int]:
    """Rows of the corpus, best first: the nearest ones by vector, in the order of the encoder's own score."""
    rows = corpus.nearest(question, _NEAREST).tolist()
    similar = corpus.similarities(question, rows)
    return [rows[i] for i in sorted(range(len(rows)), key=lambda i: (-float(similar[i]), i))]


def _id(question: str, text: str) -> str:
    """The same for the same question of the same page, so that building again finds what was reviewed before."""
    raw = f"{normalised(question)}\0{text}".encode("utf-8", "surrogatepass")
    return f"case-{hashlib.sha256(raw).hexdigest()[:10]}"


def _stratified(items: Sequence[T], stratum: Callable[[T], str], limit: int, seed: int) -> list[T]:
    """As many of each stratum as there can be, drawn at random; in the order they came."""
    rng = random.Random(seed)
    strata: dict[str, list[int]] = defaultdict(list)
    for i, item in enumerate(items):
        strata[stratum(item)].append(i)
    piles = [rng.sample(rows, len(rows)) for _, rows in sorted(strata.items())]
    chosen: list[int] = []
    while len(chosen) < limit and any(piles):
        for pile in piles:
            if pile and len(chosen) < limit:
                chosen.append(pile.pop())
    return [items[i] for i in sorted(chosen)]


# ------------------------------------------------------------------ logs


def _from_log(row: Mapping[str, Any]) -> Draft | None:
    name = "query" if "question" not in row and "query" in row else "question"
    question = string_of(row, name)
    if not question.strip():
        return None
    field = "chunks" if "contexts" not in row and "chunks" in row else "contexts"
    raw = row.get(field) or []
    if not isinstance(raw, (list, tuple)):
        raise ValueError(f"{field}: expected a list of chunks, got {shown(raw)}")
    contexts = []
    for i, item in enumerate(raw):
        complaints: list[str] = []
        chunk = coerce(item, complaints)
        if chunk is None:
            raise ValueError(f"{field}[{i}].{complaints[0] if complaints else 'text: there is none'}")
        if chunk.text.strip():
            contexts.append(replace(chunk, embedding=None))
    as_of = string_of(row, "as_of", "")
    day = parse_date(as_of) if as_of else None
    if as_of and day is None:
        raise ValueError(f"as_of: {shown(as_of)} is no date")
    feedback = row.get("feedback")
    notes = () if feedback in (None, "") else (f"feedback: {feedback}"[:200],)
    case = EvalCase(
        id=_id(question, ""), question=question, contexts=tuple(with_chunk_ids(contexts)),
        category=string_of(row, "category", ""), as_of=day.isoformat() if isinstance(day, date) else None,
    )  # fmt: skip
    return Draft(case, "open", "log", ("reference", "gold"), notes, string_of(row, "answer", ""))


def _retrieved(d: Draft, corpus: Corpus, named: Sequence[Chunk], top_k: int) -> Draft:
    rows = _ranked(corpus, d.case.question)[:top_k]
    return replace(d, case=replace(d.case, contexts=tuple(named[i] for i in rows)))


# ------------------------------------------------------------------ bad cases


def _from_bad_case(case: BadCase | LabelledCase) -> Draft:
    from ragclean.badcases.record import BadCase

    if isinstance(case, BadCase):
        chunks, kept, accepted = case.candidates, case.expected.keep, case.expected.accepted
        parts = [p.text for p in case.expected.keep_sentences]
        category, notes = "", tuple(n for n in (case.note, case.verdict or "") if n)
    else:
        chunks = tuple(with_chunk_ids(c.chunk for c in case.chunks))
        kept = tuple(c.id for c, labels in zip(chunks, case.chunks, strict=True) if labels.keep)
        accepted, parts = case.accepted, [part for labels in case.chunks for part in labels.must_keep]
        category, notes = case.scenario, ()
    usable = [c for c in with_chunk_ids(chunks) if c.text.strip()]
    gold = [c for c in usable if c.id in kept]
    older = older_versions(usable)
    versions = list({c.id: c for g in gold for c in older.get(g.id, ())}.values())
    out = {c.id for c in versions}
    reference = "\n".join(parts) or _stating(gold, accepted)
    needs: tuple[Need, ...] = (*(("reference",) if not reference else ()), *(("gold",) if not gold else ()))
    made = EvalCase(
        id=case.id,
        question=case.query,
        reference=reference,
        keypoints=accepted[:1] if reference and accepted else keypoints_of(reference),
        contexts=tuple(c for c in usable if c.id not in out),
        gold=tuple(c.id for c in gold if c.id not in out),
        old_versions=tuple(versions),
        category=category,
        as_of=case.as_of,
    )
    return Draft(made, "open", "badcase", needs, notes)


def _stating(gold: Iterable[Chunk], accepted: Sequence[str]) -> str:
    """The first sentence of a gold chunk that holds an accepted value."""
    from ragclean.evaluation.quotes import find_quote

    for chunk in gold:
        for s in split_sentences(chunk.text):
            text = chunk.text[s.start : s.end]
            if any(find_quote(value, text) for value in accepted):
                return text
    return ""
