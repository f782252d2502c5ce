"""Small passages for arbitration, ranked by a plain share of the question's words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import numpy as np
import pytest

from ragclean.arbitration import Verdict, arbitrate
from ragclean.arbitration.claims import Claim
from ragclean.arbitration.decision import Ballot, Position
from ragclean.arbitration.focus import focus_of
from ragclean.arbitration.stances.reading import read_stances
from ragclean.arbitration.timing import standing
from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, RankedPassage, prepare_text
from ragclean.screen import screen
from ragclean.text.question import Question, parse_question
from ragclean.text.values import canonical
from ragclean.types import Signals

TODAY = date(2025, 9, 1)


def rank(question: Question, passages: Sequence[Passage]) -> list[RankedPassage]:
    """Score chunks and sentences by the share of the question's words that they hold."""
    terms = [t.text for t in question.terms]
    ranked = []
    for p in passages:
        final = _share(terms, p.prepared.folded)
        scores = np.array([_share(terms, s) for s in p.prepared.folded_sentences], dtype=np.float32)
        ranked.append(RankedPassage(p, Signals(final, final, final, final), scores))
    return sorted(ranked, key=lambda r: -r.signals.final)


def _share(terms: list[str], text: str) -> float:
    return 0.3 + 0.7 * sum(t in text for t in terms) / max(1, len(terms))


@pytest.fixture
def judge() -> Callable[..., Verdict]:
    """Arbitrate chunks given as mappings; ``as_of`` and configuration fields by keyword."""

    def run(query: str, chunks: Sequence[dict[str, Any]], *, as_of: date = TODAY, **config: Any) -> Verdict:
        settings = CorrectorConfig(**config)
        screened = screen(chunks, settings, prepare_text, as_of)
        question = parse_question(query)
        return arbitrate(question, rank(question, screened.passages), settings, as_of)

    return run


def side_of(query: str, text: str) -> str:
    """The side that a text takes on a question; empty for none."""
    facet = next(f for f in focus_of(parse_question(query), {}).facets if f.proposition is not None)
    return next((s.side for s in read_stances(prepare_text(text), "", facet)), "")


def page(text: str, trust: float | None = None, when: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"text": text, "source_weight": trust, "published_at": when, **fields}


def ballot(
    text: str, trust: float | None = None, when: str | None = None, *, place: int = 0, confidence: float = 0.6,
    own: float = 0.5, config: CorrectorConfig | None = None, **fields: Any,
) -> Ballot:
    """One witness whose claim is the first value of the text but dates, with the standing that the text gives it."""
    config = config or CorrectorConfig()
    (passage,) = screen([page(text, trust, when, **fields)], config, prepare_text, TODAY).passages
    prepared = passage.prepared
    sentence, value = next(
        (i, v) for i, values in enumerate(prepared.sentence_values) for v in values if v.kind != "date"
    )
    claim = Claim(
        place, 0, value, confidence, canonical(value), prepared.text[value.start : value.end], sentence, (sentence,),
        own=own,
    )
    scores = np.ones(len(prepared.sentences), dtype=np.float32)
    valid = standing(passage, sentence, TODAY, True, frozenset(), config)
    return Ballot(claim, RankedPassage(passage, Signals(0.8, 0.8, 0.8, 0.8), scores), valid, 1.0)


def side(*ballots: Ballot) -> Position:
    return Position(ballots[0].claim.key, ballots)
