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
#: A sentence below this says nothing about the question, however little the others say.
UNRELATED = 0.05
#: Weight of the ranking's sentence score (spread over 0..1 inside the passage) beside the passage's own comparison
#: (graded). The comparison sees what the score sees of the words, and more of this passage.
SCORE_SHARE = 0.15
#: What a sentence without merit of its own gains from a good one before it, one after it, the best before it (graded).
AFTER_GOOD, BEFORE_GOOD, AFTER_BEST = 0.2, 0.1, 0.1


def effective_scores(scores: FloatScores, links: Links) -> FloatScores:
    """Scores with the relevance that a sentence inherits from the heading, question or lead-in it answers."""
    out = scores.astype(np.float32, copy=True)
    for i, leader in enumerate(links.leader):
        if leader >= 0:
            out[i] = max(out[i], LEADER_SHARE * out[leader])
    return out


def select_all(scores: FloatScores, classes: ClassArray, scaffold: BoolArray, config: CorrectorConfig) -> BoolArray:
    """``protection="all"``: every fact, and what reaches the threshold.

    Where nothing reaches it, the passage answers in other words than the query, and the bar is a share of its best
    sentence: the threshold alone would keep one sentence of an answer that takes three.
    """
    best = float(scores[~scaffold].max(initial=0.0))
    bar = config.sentence_threshold if best >= config.sentence_threshold else config.sentence_share * best
    bar = max(bar, UNRELATED)
    return (classes >= FACT) | ((scores >= bar) & ~scaffold)


def best_sentence(scores: FloatScores, allowed: BoolArray, scaffold: BoolArray) -> int:
    """The best sentence that may stay, content before scaffold; -1 where none may."""
    for mask in (allowed & ~scaffold, allowed):
        if mask.any():
            return int(np.argmax(np.where(mask, scores, -1.0)))
    return -1


def select_graded(
    scores: FloatScores,
    beside: FloatScores,
    classes: ClassArray,
    prepared: PreparedText,
    links: Links,
    allowed: BoolArray,
    config: CorrectorConfig,
) -> BoolArray:
    """``protection="graded"``: facts asked for, and the best of the rest up to a share of the passage.

    An absolute threshold alone does not suit single long passages: on one page everything is about the topic, or
    nothing shares the question's words. So sentences compete inside their passage, by the passage's own comparison
    (``beside``, its best is 1) and by their scores. Strong ones may fill ``graded_max_share``, the others
    ``graded_keep_share``: where one sentence stands out little else stays, where many contend more does.
    """
    keep = (classes >= ASKED) & allowed
    content = allowed & ~links.scaffold
    lengths = np.array([s.end - s.start for s in prepared.sentences], np.float32)
    total = float(lengths[allowed].sum())
    used = float(lengths[keep].sum())
    worth = graded_worth(scores, beside)
    strong = worth >= config.graded_strong * worth.max(initial=0.0)
    for i in np.argsort(-worth, kind="stable").tolist():
        if keep[i] or not content[i]:
            continue
        share = config.graded_max_share if strong[i] else config.graded_keep_share
        # Rounded to the nearest: a sentence comes in where at least half of it has room.
        if used == 0.0 or used + lengths[i] / 2 <= share * total:
            keep[i] = True
            used += float(lengths[i])
    return keep


def graded_worth(scores: FloatScores, beside: FloatScores) -> FloatScores:
    """What sentences are worth beside each other (n,): relevance relative to the best, raised by good neighbours.

    Answers run on ('It is colourless ...' after 'Lithium hydride is ...'), so that a weak sentence gains from a
    good one before it, and half as much from one after it; what follows the best sentence gains once more, since
    the best match often only announces ('There are several reasons.'). A strong sentence needs no neighbours.
    """
    low, high = float(scores.min(initial=1.0)), float(scores.max(initial=0.0))
    spread = (scores - low) / (high - low) if high > low else np.zeros_like(scores)
    worth = beside + SCORE_SHARE * spread
    worth = worth / max(float(worth.max(initial=0.0)), 1e-9)
    if len(worth) > 1:
        gain = np.zeros_like(worth)
        gain[1:] = AFTER_GOOD * worth[:-1]
        gain[:-1] = np.maximum(gain[:-1], BEFORE_GOOD * worth[1:])
        gain[1:][np.argmax(worth) : np.argmax(worth) + 1] += AFTER_BEST
        worth = worth + gain * (1.0 - worth) ** 2
    out: FloatScores = worth.astype(np.float32)
    return out
