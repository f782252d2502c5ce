"""What the judge knows of a sentence: numbers about its topic, its answer, its form, and what other texts say too.

The features are plain counts and shares; what they weigh is fitted (``ragclean/models/judge``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ragclean.prepare import PreparedText
from ragclean.signals.agreement import (
    OfferCache,
    Pooled,
    asked_keys,
    likeness_to_leads,
    said_elsewhere,
)
from ragclean.signals.base import FloatArray, ScoringEncoder
from ragclean.signals.evidence import CUES, VALUE_KINDS
from ragclean.signals.judge_pool import TEXT_SHARE, Pool
from ragclean.signals.loading import embedded_encoder
from ragclean.text.question import Question

_VALUES = frozenset(VALUE_KINDS)
_TIMES = frozenset(("date", "time", "duration"))
_WORDED = ("yes_no", "action", "reason", "definition", "party")
#: Kinds of answer that the calibration tells apart.
KINDS = ("value", "time", "name", "place", *_WORDED, "unknown")
#: The wording that belongs to a kind of answer.
_OWN_CUES = (("polarity", "yes_no"), ("action", "action"), ("reason", "reason"), ("definition", "definition"))
#: The wording of texts that are about the topic and leave it at that; it weighs the more, the more of it they hold.
_EMPTY_CUES = ("seeking", "promotion", "evasive")
#: Lengths count by their logarithm, over that of a long sentence and a long text; English needs three characters for
#: one Chinese.
_LONG_SENTENCE, _LONG_TEXT = 6.0, 8.0
_ENGLISH_LENGTH = 3.0
#: Values, sentences, places and terms beyond these say nothing more.
_MANY_VALUES, _MANY_SENTENCES, _FAR, _MANY_TERMS = 5.0, 20.0, 10.0, 12.0
#: A text counts as strong from this share of the best one's score.
_STRONG = 0.6


@dataclass(frozen=True, slots=True)
class Likeness:
    """What the embedded encoder says of a query and the texts of its pool."""

    texts: FloatArray
    """(n,) raw ``score`` of the whole texts."""
    sentences: FloatArray
    """(s,) raw ``score`` of their sentences, text by text."""
    cosines: FloatArray
    """(s,) of the mean vectors of query and sentence."""
    vectors: FloatArray
    """(s, d) mean vectors of the sentences, L2-normalised."""

    @classmethod
    def of(cls, query: str, prepared: Sequence[PreparedText], encoder: ScoringEncoder | None = None) -> Likeness:
        """Ask the embedded encoder; what it has read before it remembers."""
        encoder = encoder or embedded_encoder()
        sentences = [s for p in prepared for s in p.sentence_texts]
        scores = encoder.score(query, [p.text for p in prepared] + sentences)
        vectors = encoder.encode_passages(sentences)
        asked = encoder.encode_queries([query])[0]
        n = len(prepared)
        return cls(scores[:n], scores[n:], np.einsum("ij,j->i", vectors, asked), vectors)


def sentence_features(pool: Pool, likeness: Likeness) -> dict[str, FloatArray]:
    """Features of each sentence, (s,) each, from its text and the question alone."""
    topic = _topic(pool)
    found = {**topic, **_form(pool, topic["terms"]), **_semantic(pool, likeness)}
    found |= _answer(pool, found)
    if pool.question.lang == "en":
        found |= {f"{name}, en": found[name] for name in ENGLISH}
    else:
        found |= {f"{name}, en": np.zeros(pool.size, np.float32) for name in ENGLISH}
    return found


#: Features that weigh differently in English.
ENGLISH = ("topic", "meaning", "meaning of text", "cosine", "topic of text", "worst missing", "length", "text length")


def _topic(pool: Pool) -> dict[str, FloatArray]:
    weights, named = pool.weights, pool.named
    whole = pool.whole()
    windows, lent = pool.windows(pool.terms), pool.lent(whole)
    heaviest = max(float(weights.max(initial=0.0)), 1e-9)
    of_names = float(weights[named].sum())
    with np.errstate(invalid="ignore"):  # vectorised products may look past the end of odd-sized rows
        own, of_text, of_lent = pool.terms @ weights, whole @ weights, lent @ weights
        names = whole[:, named] @ weights[named] / max(of_names, 1e-9) if of_names else np.full(pool.n, 0.5)
    other_model = pool.other_model()
    attributes = pool.attributes(pool.question.facets[0])
    first = attributes[:, 0] if attributes.shape[1] else np.zeros(pool.size, np.float32)
    return {
        "terms": own,
        "terms in window": windows @ weights,
        "topic": (1.0 - TEXT_SHARE) * of_lent + TEXT_SHARE * pool.per_text(of_text),
        "topic of text": pool.per_text(of_text),
        "worst missing": ((1.0 - lent) * weights).max(axis=1, initial=0.0) / heaviest,
        "worst missing in text": pool.per_text(((1.0 - whole) * weights).max(axis=1, initial=0.0) / heaviest),
        "names in text": pool.per_text(names),
        "attribute": first,
        "attribute near": pool.windows(first),
        "any attribute": attributes.max(axis=1, initial=0.0),
        "phrases": _phrases(pool),
        "other model": pool.per_text(other_model),
        "topic, other model": pool.per_text(other_model) * own,
        "other year": pool.per_text(pool.other_year()),
    }


def _phrases(pool: Pool) -> FloatArray:
    """(s,) share of the question's neighbouring pairs (two characters, two words) that stand in each sentence."""
    pairs = _pairs(pool.question.folded)
    held = np.zeros(pool.size, np.float32)
    for pair in pairs:
        rows: set[int] = set()
        at = pool.texts.joined.find(pair)
        while at >= 0:
            rows.add(int(np.searchsorted(pool.starts, at, side="right")) - 1)
            at = pool.texts.joined.find(pair, at + len(pair))
        held[[r for r in rows if r >= 0]] += 1.0
    return held / np.float32(max(1, len(pairs)))


#: Pairs of a question that are looked for: enough for any question.
_MOST_PAIRS = 40


def _pairs(folded: str) -> list[str]:
    words = folded.split()
    found: dict[str, None] = {}
    for word in words:
        if not word.isascii():
            found.update(dict.fromkeys(a + b for a, b in pairwise(word) if not (a + b).isascii() and (a + b).isalnum()))
    found.update(dict.fromkeys(f"{a} {b.rstrip('?.,!')}" for a, b in pairwise(words) if (a + b).isascii()))
    return list(found)[:_MOST_PAIRS]


def _form(pool: Pool, own: FloatArray) -> dict[str, FloatArray]:
    """``own``: (s,) share of the question's terms in the sentence itself."""
    n_chars = _ENGLISH_LENGTH if pool.question.lang == "en" else 1.0
    asks = np.concatenate([e.asks for e in pool.evidence])
    heads = np.concatenate([e.heads for e in pool.evidence])
    place = np.arange(pool.size) - pool.edges[pool.owner]
    lengths = np.array([len(t) for p in pool.prepared for t in p.folded_sentences], np.float32)
    found = {
        "asks": asks,
        "heading": heads,
        "after a question": pool.previous(own * asks),
        "after a heading": pool.previous(own * heads),
        "first": place == 0,
        "place": np.minimum(place / _FAR, 1.0),
        "length": np.log1p(lengths / n_chars) / _LONG_SENTENCE,
        "text length": pool.per_text(np.log1p([len(p.text) / n_chars for p in pool.prepared]) / _LONG_TEXT),
        "sentences": pool.per_text(np.minimum(np.diff(pool.edges) / _MANY_SENTENCES, 1.0)),
    }
    found |= {f"wording: {cue}": pool.cue(cue) for cue in CUES}
    asked = {f.kind for f in pool.question.facets}
    for cue in _EMPTY_CUES:
        of_text = pool.per_text(pool.by_text(pool.cue(cue).astype(np.float32)))
        found[f"wording in text: {cue}"] = of_text
        found[f"topic, {cue}"] = of_text * own
    found["topic, asks"] = asks * own
    for cue, kind in _OWN_CUES:
        found[f"wording asked for: {cue}"] = pool.cue(cue) & (kind in asked)
    return {name: np.asarray(values, np.float32) for name, values in found.items()}


def _semantic(pool: Pool, likeness: Likeness) -> dict[str, FloatArray]:
    return {
        "meaning": likeness.sentences,
        "meaning of text": pool.per_text(likeness.texts),
        "meaning near": pool.windows(likeness.sentences),
        "cosine": likeness.cosines,
    }


def _answer(pool: Pool, found: dict[str, FloatArray]) -> dict[str, FloatArray]:
    asked = asked_groups(pool.question)
    value, named = bool(asked & {"value", "time"}), bool(asked & {"name", "place"})
    answer = pool.answers()
    near = pool.windows(answer)
    values = np.minimum(pool.values_held(), _MANY_VALUES) / np.float32(_MANY_VALUES)
    names = np.asarray(pool.new_names(), np.float32)
    topic, meaning = found["topic"], found["meaning"]
    return {
        "answer": answer,
        "answer near": near,
        "answer and topic": answer * topic,
        "answer and meaning": answer * meaning,
        "topic and meaning": topic * meaning,
        "values": values,
        "new name": names,
        "answer, value": answer * value,
        "answer near, value": near * value,
        "values, value": values * value,
        "new name, value": names * value,
        "topic, value": topic * value,
        "answer, name": answer * named,
        "answer near, name": near * named,
        "values, name": values * named,
        "new name, name": names * named,
        "topic, name": topic * named,
        "answer, worded": answer * bool(asked & set(_WORDED)),
        "topic, unknown": topic * (asked == {"unknown"}),
    }


def asked_groups(question: Question) -> frozenset[str]:
    """The groups of kinds that a question asks for, of :data:`KINDS`."""
    return frozenset(
        "time" if f.kind in _TIMES else "value" if f.kind in _VALUES else f.kind for f in question.facets
    )


def question_features(pool: Pool) -> dict[str, FloatArray]:
    """The same for all sentences: what sort of question it is; how sure a judgement of it can be."""
    asked = asked_groups(pool.question)
    found = {f"asks for {kind}": kind in asked for kind in KINDS}
    terms = min(len(pool.question.terms), _MANY_TERMS) / _MANY_TERMS
    numbers: dict[str, float] = {name: float(held) for name, held in found.items()}
    numbers |= {
        "english": float(pool.question.lang == "en"), "terms asked": terms, "names asked": float(pool.named.any()),
    }  # fmt: skip
    return {name: np.full(pool.size, value, np.float32) for name, value in numbers.items()}


def pool_features(pool: Pool, likeness: Likeness, scores: FloatArray, offers: OfferCache) -> dict[str, FloatArray]:
    """Features of each sentence beside the other texts of its query; ``scores`` (s,) in 0..1 say who is believed."""
    kinds = frozenset[str]().union(*(f.kinds for f in pool.question.facets)) & _VALUES
    pooled = Pooled.of([offers.get(p) for p in pool.prepared], pool.edges, asked_keys(pool.question.folded), kinds)
    alike, agreed = likeness_to_leads(
        lambda at: np.einsum("ij,kj->ik", likeness.vectors, likeness.vectors[at]), pool.owner, scores
    )
    texts = pool.by_text(scores)
    top = max(float(texts.max(initial=0.0)), 1e-6)
    rank = np.searchsorted(np.sort(texts), scores) / max(1, pool.n)
    return {
        "like a lead": alike,
        "like the leads": agreed,
        "words elsewhere": said_elsewhere(pooled.words, pool.owner, scores, pool.n),
        "values elsewhere": said_elsewhere(pooled.values, pool.owner, scores, pool.n),
        "names elsewhere": said_elsewhere(pooled.names, pool.owner, scores, pool.n),
        "of the best": scores / np.float32(top),
        "rank": np.asarray(rank, np.float32),
        "strong texts": np.full(pool.size, float((texts > _STRONG * top).mean()), np.float32),
        "best": np.full(pool.size, top, np.float32),
    }


#: Features of the sentence that answers best, by which a query without any answer is known.
OF_THE_BEST = (
    "sentence", "topic", "topic of text", "worst missing", "worst missing in text", "names in text", "meaning of text",
    "meaning", "answer near", "values elsewhere", "words elsewhere", "attribute near", "phrases", "other model",
    "other year", "terms asked", "names asked", "english", *(f"asks for {kind}" for kind in KINDS),
)  # fmt: skip
#: What stands for the second best text where there is only one: the log-odds of a text that does not answer.
_NO_SECOND = -5.0


def absence_features(pool: Pool, found: dict[str, FloatArray], logits: FloatArray) -> dict[str, FloatArray]:
    """Features of a whole query, (1,) each: how well the best texts answer; ``logits`` (s,) of the passage model."""
    best = int(np.argmax(logits))
    of_others = logits[pool.owner != pool.owner[best]]
    second = float(of_others.max()) if len(of_others) else _NO_SECOND
    numbers = {"best passage": float(logits[best]), "second passage": second}
    numbers |= {name: float(found[name][best]) for name in OF_THE_BEST}
    return {name: np.full(1, value, np.float32) for name, value in numbers.items()}


def matrix(found: dict[str, FloatArray], names: Iterable[str]) -> NDArray[np.float32]:
    """(s, k) the named features side by side."""
    return np.stack([np.asarray(found[name], np.float32) for name in names], axis=1)
