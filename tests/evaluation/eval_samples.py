"""Outcomes in a line, answerers whose true degradation is known, and the intervals that were compared."""

from __future__ import annotations

import numpy as np
from scipy import stats

from ragclean.evaluation.records import EvalCase, Injected, Judgement, Outcome, Score, Shown
from ragclean.types import Chunk

VALUES = np.array([0.0, 1 / 3, 1 / 2, 1.0])
#: How often an answerer scores each of VALUES without noise; mean 0.71, 0.93, 0.42 and 0.75.
PROFILES = {
    "ordinary": (0.15, 0.10, 0.15, 0.60),
    "strong": (0.03, 0.02, 0.05, 0.90),
    "weak": (0.40, 0.15, 0.15, 0.30),
    "yes or no": (0.25, 0.0, 0.0, 0.75),
}


def case(name="a", category="", difficulty="", reference="24 个月", keypoints=()):
    return EvalCase(name, "保修多久？", reference, tuple(keypoints), category=category, difficulty=difficulty)


def outcome(name, variant, correctness=1.0, faithfulness=1.0, *, failed="", unjudged="", repeat=0, refusal=False, contexts="t", adopted=None):
    """``contexts`` holds a letter for each chunk: t trusted, n injected."""
    chunks = tuple(Chunk(f"text {i}", id=f"{letter}{i}") for i, letter in enumerate(contexts))
    injected = tuple(Injected(c, "relevant_hard") for c in chunks if c.id.startswith("n"))
    score = Score(correctness, correctness, faithfulness, faithfulness, adopted, None, refusal)
    return Outcome(Shown(name, variant, chunks, injected), "", Judgement(refusal=refusal, failed=unjudged), score, repeat, failed)


def outcomes(pairs, variant="v3", faithful=None, prefix="c"):
    """Outcomes of v0 and the variant from (base, noisy) pairs of correctness, and of faithfulness where given."""
    found = []
    for i, (base, noisy) in enumerate(pairs):
        f = (1.0, 1.0) if faithful is None else faithful[i]
        found += [outcome(f"{prefix}{i}", "v0", base, f[0]), outcome(f"{prefix}{i}", variant, noisy, f[1])]
    return found


def cases_of(outcomes, category=""):
    return [case(name, category) for name in dict.fromkeys(o.shown.case_id for o in outcomes)]


def answerer(profile, degradation, gain):
    """(k, 2) scores and their probabilities, of a true degradation of just that; None where there is none.

    ``gain``: the share of imperfect answers that noise turns right by chance. Three losses of five lose everything.
    """
    p = np.array(PROFILES[profile])
    lower = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0.6, 0.2, 0.2, 0]])
    gained = np.where(VALUES < 1, gain, 0.0)
    kept = (p * (VALUES + gained * (1 - VALUES))).sum()
    slope = (p * (VALUES - lower @ VALUES)).sum()
    lost = (kept - (1 - degradation) * (p @ VALUES)) / slope
    if not 0 <= lost <= 1 - gain:
        return None
    joint = p[:, None] * lost * lower
    joint[:, 3] += p * gained
    joint[np.arange(4), np.arange(4)] += p * (1 - gained - lost * (VALUES > 0))
    held = joint > 0
    scores = np.stack(np.meshgrid(VALUES, VALUES, indexing="ij"), axis=-1)[held]
    base, noisy = joint[held] @ scores
    assert abs(1 - noisy / base - degradation) < 1e-12
    return scores, joint[held]


def draw(known, n, rng):
    scores, p = known
    return scores[rng.choice(len(p), n, p=p / p.sum())]


def compared(scores, rng, draws=2000, confidence=0.95):
    """The intervals of the degradation that were weighed against the chosen one, by name."""
    tail = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    distinct, counts = np.unique(scores, axis=0, return_counts=True)
    n = len(scores)
    r, se = _delta(counts, distinct)
    drawn, drawn_se = _delta(rng.multinomial(n, counts / n, size=draws), distinct)
    with np.errstate(all="ignore"):
        t, t_log = (drawn - r) / drawn_se, (np.log(drawn) - np.log(r)) / (drawn_se / drawn)
    high, low = stats.t.ppf(tail[1], n - 1) * np.array([-1, 1])
    found = {
        "percentile": np.quantile(1 - drawn[np.isfinite(drawn)], tail),
        "BCa": _bca(distinct, counts, 1 - drawn[np.isfinite(drawn)], tail),
        "bootstrap-t": 1 - r + se * _ends(t, tail),
        "bootstrap-t of the log ratio": 1 - r * np.exp(-se / r * _ends(t_log, tail)),
        "delta method, t": 1 - r - np.array([low, high]) * se,
        "log ratio, t": 1 - r * np.exp(np.array([low, high]) * se / r),
        "Fieller": _fieller(scores, low),
    }
    return {k: (float(v[0]), float(v[1])) for k, v in found.items()}


def _delta(counts, distinct):
    """The ratio of means and its standard error, for one row of counts or many."""
    n = counts.sum(-1)
    base, noisy = np.moveaxis(counts @ distinct / n[..., None], -1, 0)
    with np.errstate(all="ignore"):
        r = noisy / base
        residual = distinct[:, 1] - r[..., None] * distinct[:, 0]
        return r, np.sqrt((counts * residual**2).sum(-1) / (n - 1) / n) / base


def _ends(t, tail):
    kept = t[np.isfinite(t)]
    return np.quantile(kept, tail) if len(kept) else np.zeros(2)


def _bca(distinct, counts, drawn, tail):
    n, total = counts.sum(), counts @ distinct
    value = 1 - total[1] / total[0]
    below = ((drawn < value - 1e-12).mean() + (drawn <= value + 1e-12).mean()) / 2
    bias = stats.norm.ppf(np.clip(below, 1 / len(drawn), 1 - 1 / len(drawn)))
    without = 1 - (total[1] - distinct[:, 1]) / (total[0] - distinct[:, 0])
    away = (counts * without).sum() / n - without
    spread = (counts * away**2).sum()
    a = (counts * away**3).sum() / (6 * spread**1.5) if spread else 0.0
    z = bias + stats.norm.ppf(tail)
    return np.quantile(drawn, stats.norm.cdf(bias + z / (1 - a * z)))


def _fieller(scores, t):
    n = len(scores)
    base, noisy = scores.mean(axis=0)
    (xx, xy), (_, yy) = np.cov(scores.T) / n
    a, b, c = base**2 - t**2 * xx, base * noisy - t**2 * xy, noisy**2 - t**2 * yy
    root = np.sqrt(max(b * b - a * c, 0.0))
    return np.array([1 - (b + root) / a, 1 - (b - root) / a]) if a > 0 else np.array([-np.inf, np.inf])
