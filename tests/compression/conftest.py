"""Passages, vectors and a call of ``admit`` and ``compress`` without a corrector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ragclean.admission import admit
from ragclean.arbitration.verdict import Verdict
from ragclean.compression import compress
from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, RankedPassage, prepare_text
from ragclean.text.question import parse_question
from ragclean.types import Chunk, Signals


def make_passage(text, scores=None, *, index=0, trust=0.5, title="", chunk_id=None):
    """A ranked passage; ``scores`` is one number for all sentences or one for each."""
    prepared = prepare_text(text)
    n = len(prepared.sentences)
    values = np.zeros(n, np.float32)
    values[:] = 0.5 if scores is None else scores
    chunk = Chunk(text, id=chunk_id or f"c{index}", title=title)
    passage = Passage(index, chunk, prepared, trust, True, None, None, None)
    return RankedPassage(passage, Signals(0.5, 0.5, 0.5, 0.5), values)


def letter_vectors(texts: Sequence[str]):
    """A stand-in encoder: normalised counts of characters, 1 for texts of the same letters."""
    out = np.zeros((len(texts), 4096), np.float32)
    for row, text in enumerate(texts):
        for c in text:
            out[row, ord(c) % 4096] += 1
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)


def run(passages, query="保修多久？", verdict=None, *, top_k=8, **kwargs):
    config = CorrectorConfig(**{k: kwargs.pop(k) for k in list(kwargs) if hasattr(CorrectorConfig, k)})
    verdict = verdict or Verdict()
    admitted = admit(passages, verdict, config, top_k, kwargs.get("pinned", frozenset()))
    out = compress(
        parse_question(query),
        admitted.passages,
        verdict,
        config,
        sentence_vectors=letter_vectors,
        sentence_profile=lambda raw: np.asarray(raw, np.float32),
        **kwargs,
    )
    return replace(out, dropped=(*admitted.dropped, *out.dropped))


@pytest.fixture(name="make_passage")
def _make_passage():
    return make_passage


@pytest.fixture(name="run")
def _run():
    return run
