"""Which sentences of a passage stay, by score, by the facts they hold, and (graded) by their rank in the passage."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragclean.compression.context import BoolArray, Links
from ragclean.compression.protection import ASKED, FACT, ClassArray
from ragclean.config import CorrectorConfig
from ragclean.prepare import PreparedText

FloatScores = NDArray[np.float32]

#: Part of its leader's relevance that an answer, a list's item or the first sentence below a heading shares: 'how
#: long is the warranty?' matches the question and 'two years' below it does not, yet that is what was asked.
LEADER_SHARE = 0.8
#: Part of its better neighbour's score that a sentence is worth on top of its own (graded).
NEIGHBOUR_SHARE = 0.3


def effective_scores(scores: FloatScores, links: Links) -> FloatScores:
    """Scores with the relevance that a sentence inherits from the heading, question or lead-in it answers."""
    out = scores.astype(np.float32, copy=True)
    for i, leader in enumerate(links.leader):
        if leader >= 0:
            out[i] = max(out[i], LEADER_SHARE * out[leader])
    return out


def select_all(scores: FloatScores, classes: ClassArray, scaffold: BoolArray, config: CorrectorConfig) -> BoolArray:
    """``protection="all"``: what reaches the threshold, and every fact."""
    return (classes >= FACT) | ((scores >= config.sentence_threshold) & ~scaffold)


def best_sentence(scores: FloatScores, allowed: BoolArray, scaffold: BoolArray) -> int:
    """The best sentence that may stay, content before scaffold; -1 where none may."""
    for mask in (allowed & ~scaffold, allowed):
        if mask.any():
            return int(np.argmax(np.where(mask, scores, -1.0)))
    return -1


def select_graded(
    scores: FloatScores,
    classes: ClassArray,
    prepared: PreparedText,
    links: Links,
    allowed: BoolArray,
    config: CorrectorConfig,
) -> BoolArray:
    """``protection="graded"``: facts asked for, and the best of the rest up to ``graded_keep_share`` of the passage.

    An absolute threshold alone does not suit single long passages: on one page everything is about the topic or
    nothing shares the question's words. So sentences compete inside their passage; a neighbour of a good sentence
    is worth something too, since answers run on.
    """
    n = len(scores)
    keep = (classes >= ASKED) & allowed
    content = allowed & ~links.scaffold
    lengths = np.array([s.end - s.start for s in prepared.sentences], np.float32)
    room = config.graded_keep_share * float(lengths[allowed].sum()) - float(lengths[keep].sum())
    worth = _with_neighbours(scores, n)
    for i in np.argsort(-worth, kind="stable"):
        if keep[i] or not content[i]:
            continue
        # Rounded to the nearest: a sentence comes in where at least half of it has room.
        if lengths[i] / 2 > room:
            break
        keep[i] = True
        room -= float(lengths[i])
    return keep


def _with_neighbours(scores: FloatScores, n: int) -> FloatScores:
    if n < 2:
        return scores
    before = np.concatenate([[0.0], scores[:-1]])
    after = np.concatenate([scores[1:], [0.0]])
    worth: FloatScores = (scores + NEIGHBOUR_SHARE * np.maximum(before, after)).astype(np.float32)
    return worth
