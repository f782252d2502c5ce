"""Fit the embedded judge (``ragclean/models/judge/weights.json``) and say what it is worth on what it has not seen.

    python scripts/fit_judge.py --data DIR                       # fit and write
    python scripts/fit_judge.py --data DIR --check               # five folds by passage: figures on what was left out

Both models are linear. Their loss is that of pairs (a text that answers against one of the same question that does
not: what ranks) and, with less weight, that of single texts (what calibrates), with a ridge penalty. A text stands for
its best sentence by the model of the round before; where the sentence that answers is known, that one.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from judge_pools import ANSWERS, DOES_NOT, MAYBE, WEIGHTS, Judged, digest, shipping_pools, squeezed
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from ragclean.prepare import prepare_text
from ragclean.signals.agreement import OfferCache
from ragclean.signals.evidence import gather
from ragclean.signals.judge_features import (
    Likeness,
    absence_features,
    matrix,
    pool_features,
    question_features,
    sentence_features,
)
from ragclean.signals.judge_model import LinearModel, probability
from ragclean.signals.judge_pool import Pool
from ragclean.text.question import parse_question

log = logging.getLogger("fit_judge")
OUT = Path(__file__).resolve().parent.parent / "ragclean" / "models" / "judge" / "weights.json"
FOLDS = 5

#: Strength of the ridge penalty: flat between half and three times this.
RIDGE = 0.06
#: Weight of the calibrating loss beside that of the pairs.
SINGLE = 0.3
#: Weight of pairs of sentences of one text, in the sentence model.
INSIDE = 0.5
ROUNDS = 3
#: A feature of a smaller spread than this is standardised by this: rare marks must not become huge.
SMALLEST_SPREAD = 0.02
#: What only counts where texts come from a retriever.
AGREEMENT = ("like a lead", "like the leads", "words elsewhere", "values elsewhere", "names elsewhere")

Floats = NDArray[np.float32]


@dataclass
class Example:
    """One question worked out: its features, and which sentences hold the answer."""

    judged: Judged
    pool: Pool
    likeness: Likeness
    found: dict[str, Floats]
    telling: NDArray[np.bool_]
    """(s,) sentences that hold the answer."""

    @property
    def weight(self) -> float:
        return WEIGHTS[self.judged.set]


def work_out(judged: Judged) -> Example | None:
    """The features of one question's texts that need no model; None for one without anything to learn from."""
    question = parse_question(judged.query)
    prepared = [prepare_text(t) for t in judged.texts]
    pool = Pool.of(question, prepared, [gather(p) for p in prepared])
    if not question.terms or not pool.size:
        return None
    likeness = Likeness.of(judged.query, prepared)
    found = {**sentence_features(pool, likeness), **question_features(pool)}
    keys = [squeezed(a) for a in judged.answers]
    sentences = [squeezed(t) for p in prepared for t in p.folded_sentences]
    telling = np.array([any(k in s for k in keys) for s in sentences], bool)
    return Example(judged, pool, likeness, found, telling)


@dataclass
class _Losses:
    """Differences of pairs and single rows, each with its weights."""

    pairs: list[Floats]
    pair_weights: list[Floats]
    rows: list[Floats]
    labels: list[Floats]
    row_weights: list[Floats]

    def add_pairs(self, better: Floats, worse: Floats, weight: float) -> None:
        if len(better) and len(worse):
            d = (better[:, None] - worse[None]).reshape(-1, better.shape[1])
            self.pairs.append(d)
            self.pair_weights.append(np.full(len(d), weight / len(d), np.float32))

    def add_rows(self, rows: Floats, labels: Floats, weight: float) -> None:
        if len(rows):
            self.rows.append(rows)
            self.labels.append(labels)
            self.row_weights.append(np.full(len(rows), weight / len(rows), np.float32))

    def solve(self) -> tuple[NDArray[np.float64], float]:
        pairs, pair_weights = np.concatenate(self.pairs), np.concatenate(self.pair_weights)
        rows, labels, row_weights = map(np.concatenate, (self.rows, self.labels, self.row_weights))
        pair_weights, row_weights = pair_weights / pair_weights.sum(), SINGLE * row_weights / row_weights.sum()
        signs = 2.0 * labels - 1.0

        def loss(b: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            w = b[:-1]
            z, y = pairs @ w, signs * (rows @ w + b[-1])
            back = -pair_weights / (1.0 + np.exp(z)), -row_weights * signs / (1.0 + np.exp(y))
            value = pair_weights @ np.logaddexp(0, -z) + row_weights @ np.logaddexp(0, -y) + RIDGE / 2 * w @ w
            return float(value), np.append(back[0] @ pairs + back[1] @ rows + RIDGE * w, back[1].sum())

        found = minimize(loss, np.zeros(pairs.shape[1] + 1), jac=True, method="L-BFGS-B").x
        return found[:-1], float(found[-1])


def fit(examples: Sequence[Example], names: Sequence[str], inside: float) -> LinearModel:
    """One model over the named features; ``inside`` weighs pairs of sentences of one text."""
    real = np.concatenate([matrix(e.found, names) for e in examples if not e.judged.one_passage])
    means, scales = real.mean(axis=0), np.maximum(real.std(axis=0), SMALLEST_SPREAD)
    blank = np.array([n in AGREEMENT for n in names])
    tables = []
    for e in examples:
        x = np.clip((matrix(e.found, names) - means) / scales, -5.0, 5.0)
        if e.judged.one_passage:
            x[:, blank] = 0.0
        tables.append(x)
    scores = [e.found["topic"] + 0.5 * e.found["answer"] for e in examples]
    for _ in range(ROUNDS):
        losses = _Losses([], [], [], [], [])
        for e, x, score in zip(examples, tables, scores, strict=True):
            _add(losses, e, x, score, inside)
        weights, bias = losses.solve()
        scores = [x @ weights for x in tables]
    means, scales, weights = (np.asarray(v, np.float32) for v in (means, scales, weights))
    return LinearModel(tuple(names), means, scales, weights, bias)


def _add(losses: _Losses, e: Example, x: Floats, score: Floats, inside: float) -> None:
    labels = np.array(e.judged.labels)
    best = _representatives(e, score)
    good, bad = ([int(i) for i in np.flatnonzero(labels == side) if i in best] for side in (ANSWERS, DOES_NOT))
    losses.add_pairs(x[[best[i] for i in good]], x[[best[i] for i in bad]], e.weight)
    known = [*good, *bad]
    maybe = [i for i in np.flatnonzero(labels == MAYBE) if i in best]
    if maybe:  # the best of them answers, of the others nobody knows
        known = [max(maybe, key=lambda i: score[best[int(i)]])]
        labels = np.where(labels == MAYBE, ANSWERS, labels)
    losses.add_rows(x[[best[i] for i in known]], labels[known].astype(np.float32), e.weight)
    if inside:
        for i in good:
            own = np.flatnonzero(e.pool.owner == i)
            told, rest = own[e.telling[own]], own[~e.telling[own]]
            if len(told):
                top = told[[int(np.argmax(score[told]))]]
                losses.add_pairs(x[top], x[rest], inside * e.weight / len(good))


def _representatives(e: Example, score: Floats) -> dict[int, int]:
    """The sentence that stands for each text."""
    best: dict[int, int] = {}
    boosted = score + 1e3 * (e.telling & (np.array(e.judged.labels)[e.pool.owner] == ANSWERS))
    for row in np.argsort(-boosted, kind="stable"):
        best.setdefault(int(e.pool.owner[row]), int(row))
    return best


def fit_both(examples: Sequence[Example], offers: OfferCache) -> tuple[LinearModel, LinearModel]:
    """The sentence model, then the passage model on top of it."""
    names = list(examples[0].found)
    sentence = fit(examples, [n for n in names if n not in SECOND], INSIDE)
    for e in examples:
        add_second(e, sentence, offers)
    return sentence, fit(examples, list(examples[0].found), 0.0)


#: The features that need the sentence model.
SECOND = frozenset((*AGREEMENT, "sentence", "of the best", "rank", "strong texts", "best"))


def add_second(e: Example, sentence: LinearModel, offers: OfferCache) -> None:
    """The features beside the other texts."""
    e.found["sentence"] = sentence.logit(e.found)
    e.found |= pool_features(e.pool, e.likeness, probability(e.found["sentence"]), offers)


def passage_scores(e: Example, sentence: LinearModel, passage: LinearModel, offers: OfferCache) -> Floats:
    """(n,) probabilities that the texts answer."""
    add_second(e, sentence, offers)
    return e.pool.by_text(probability(passage.logit(e.found)))


#: Weight of one question in the absence model; parts of one passage do not look like what a retriever brings.
ABSENCE_WEIGHTS = {
    "own": 2.0, "answers_zh": 0.5, "answers_en": 0.5, "ramdocs": 0.5, "noiser_bamboogle": 0.3,
    "nomiracl_zh": 1.0, "nomiracl_en": 1.0,
}  # fmt: skip
#: The same question with what answers it taken away counts somewhat less than one that nobody could answer.
TAKEN_AWAY = 0.7
#: Inverse strength of its penalty.
ABSENCE_PENALTY = 0.05


def fit_absence(
    examples: Sequence[Example], sentence: LinearModel, passage: LinearModel, offers: OfferCache
) -> LinearModel:
    """Is the answer in none of the texts? From questions with an answer, without, and with their answers taken away."""
    rows: list[Floats] = []
    labels: list[bool] = []
    weights: list[float] = []
    names: list[str] = []
    for e in examples:
        weight = ABSENCE_WEIGHTS.get(e.judged.set, 0.0)
        if not weight:
            continue
        variants = [(e, weight)]
        rest = e.judged.without_answers()
        without = work_out(rest) if rest is not None else None
        if without is not None:
            variants.append((without, TAKEN_AWAY * weight))
        for variant, worth in variants:
            add_second(variant, sentence, offers)
            found = absence_features(variant.pool, variant.found, passage.logit(variant.found))
            names = list(found)
            rows.append(matrix(found, names)[0])
            labels.append(not {ANSWERS, MAYBE} & set(variant.judged.labels))
            weights.append(worth)
    x = np.array(rows)
    means, scales = x.mean(axis=0), np.maximum(x.std(axis=0), SMALLEST_SPREAD)
    model = LogisticRegression(C=ABSENCE_PENALTY, max_iter=3000)
    model.fit((x - means) / scales, labels, sample_weight=weights)
    coefficients = np.asarray(model.coef_[0], np.float32)
    return LinearModel(tuple(names), means, scales, coefficients, float(model.intercept_[0]))


def auc(scored: Iterable[tuple[Judged, Floats]]) -> tuple[float, float, int]:
    """Mean area under the curve of a question, share of questions with an answering text on top, questions."""
    areas, tops = [], []
    for judged, scores in scored:
        labels = np.array(judged.labels)
        use = labels >= 0
        if 0 < labels[use].sum() < use.sum():
            areas.append(roc_auc_score(labels[use], scores[use]))
            tops.append(labels[use][int(np.argmax(scores[use]))])
    return float(np.mean(areas)), float(np.mean(tops)), len(areas)


def check(examples: Sequence[Example], offers: OfferCache) -> None:
    """Figures by set on what each fold left out, and the reliability of the probabilities."""
    scored: list[tuple[Judged, Floats]] = []
    for fold in range(FOLDS):
        left = [digest(e.judged.group) % FOLDS == fold for e in examples]
        models = fit_both([e for e, out in zip(examples, left, strict=True) if not out], offers)
        scored += [(e.judged, passage_scores(e, *models, offers)) for e, out in zip(examples, left, strict=True) if out]
        log.info("fold %d of %d", fold + 1, FOLDS)
    for name in sorted({e.judged.set for e in examples}):
        own = [(j, s) for j, s in scored if j.set == name]
        if any(set(j.labels) >= {ANSWERS, DOES_NOT} for j, _ in own):
            log.info("%-18s AUC %.3f, on top %.2f, n %d", name, *auc(own))
    real = [(j.labels, s) for j, s in scored if not j.one_passage]
    both = [(label, p) for labels, s in real for label, p in zip(labels, s, strict=True) if label >= 0]
    labels, found = (np.array(c, np.float64) for c in zip(*both, strict=True))
    for low in np.arange(0.0, 1.0, 0.1):
        here = (found >= low) & (found < low + 0.1)
        log.info("scored %.1f..%.1f: %.2f answer (n %d)", low, low + 0.1, labels[here].mean(), here.sum())


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--check", action="store_true", help="five folds instead of writing")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    offers = OfferCache(1_000_000)
    examples = [e for e in (work_out(j) for j in shipping_pools(options.data) if not j.held_out) if e is not None]
    log.info("%d questions, %d texts", len(examples), sum(len(e.judged.texts) for e in examples))
    if options.check:
        check(examples, offers)
        return 0
    sentence, passage = fit_both(examples, offers)
    absence = fit_absence(examples, sentence, passage, offers)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    data = {"sentence": sentence.to_dict(), "passage": passage.to_dict(), "absence": absence.to_dict()}
    options.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    log.info("wrote %s", options.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
