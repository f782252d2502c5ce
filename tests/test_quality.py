"""Floors on what is kept, dropped and decided on the labelled cases of this repository.

The floors lie a little below what was measured when they were set (figures beside them), so that a change that loses
something fails here, and one that gains something raises them. ``data/README.md`` says how the cases were made.
"""

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from ragclean import NoiseCorrector

CASES = [json.loads(line) for line in (Path(__file__).parent / "data" / "cases.jsonl").open(encoding="utf-8")]
NOISE = {"keyword_noise", "irrelevant", "different_entity"}
GOOD = {"answer", "support", "duplicate"}
# Floor, and what was measured when it was set (40 cases, k 5).
ANSWER_KEPT = 0.94  # 0.97
KEEP_RECALL = 0.90  # 0.93
DECIDED = 0.80  # 0.90
WRONG_WINNERS = 0  # 0
TIES_DECIDED = 0  # 0
NOISE_SHARE = 0.44  # 0.41
SHORTER = 0.62  # 0.67
FILLER_DROPPED = 0.82  # 0.89
LABELS = ("role", "must_keep", "must_drop")


def squeezed(text):
    return re.sub(r"\s+", "", text).lower()


#: A value is not found inside a longer number, numeral or word: by the kind of its first and last character.
EDGES = ((r"\d", r"(?<!\d)(?<!\d[.,])", r"(?!\d|[.,]\d)"), ("[a-z]", "(?<![a-z])", "(?![a-z])"),
         ("[零一二两三四五六七八九十百千万]", "(?<![零一二两三四五六七八九十百千万])", "(?![零一二两三四五六七八九十百千万])"))


def holds(text, value):
    """Is the value there, whole, white space and case forgiven?"""
    value = value.lower().strip()
    before = next((b for kind, b, _ in EDGES if re.match(kind, value[0])), "")
    after = next((a for kind, _, a in EDGES if re.match(kind, value[-1])), "")
    body = r"\s*".join(re.escape(part) for part in value.split())
    return re.search(before + body + after, text.lower()) is not None


@pytest.fixture(scope="module")
def outcomes():
    corrector = NoiseCorrector()
    found = []
    for case in CASES:
        chunks = [{k: v for k, v in c.items() if k not in LABELS and v not in (None, "")} for c in case["chunks"]]
        found.append((case, corrector.refine(case["query"], chunks, top_k=5, as_of=case["as_of"])))
    return found


def mean(values):
    values = list(values)
    assert values, "no case to measure"
    return sum(values) / len(values)


def accepted_in(case, text):
    return any(holds(text, a) for a in case["accepted"])


def loser_in(case, text):
    return any(holds(text, v) for v in case["conflict"]["losers"])


def test_the_answer_is_kept(outcomes):
    kept = [accepted_in(c, r.text) for c, r in outcomes if c["accepted"]]
    assert mean(kept) >= ANSWER_KEPT


def test_needed_sentences_are_kept(outcomes):
    kept = [squeezed(s) in squeezed(r.text) for c, r in outcomes for chunk in c["chunks"] for s in chunk["must_keep"]]
    assert mean(kept) >= KEEP_RECALL


def test_conflicts_are_decided_right(outcomes):
    right = [
        accepted_in(c, r.text) and not loser_in(c, r.text)
        for c, r in outcomes if c["conflict"] and c["conflict"]["losers"] and c["accepted"]
    ]
    assert mean(right) >= DECIDED


def test_the_wrong_side_never_wins(outcomes):
    wrong = [
        c["id"] for c, r in outcomes if c["conflict"] and c["conflict"]["losers"]
        if not accepted_in(c, r.text) and any(x.winner is not None for x in r.conflicts)
    ]
    assert len(wrong) <= WRONG_WINNERS, wrong


def test_calm_cases_lose_nothing_to_arbitration(outcomes):
    harmed = [
        c["id"] for c, r in outcomes if not c["conflict"] and c["accepted"]
        if any(d.reason == "lost_conflict" for d in r.dropped) and not accepted_in(c, r.text)
    ]
    assert not harmed


def test_ties_are_not_decided(outcomes):
    decided = [
        c["id"] for c, r in outcomes if (c["conflict"] or {}).get("reason") == "tie"
        if any(x.winner is not None for x in r.conflicts)
    ]
    assert len(decided) <= TIES_DECIDED, decided


def test_noise_share_is_low(outcomes):
    shares = []
    for case, result in outcomes:
        role = {c["id"]: c["role"] for c in case["chunks"]}
        size = defaultdict(int)
        for chunk in result.chunks:
            size[role[chunk.id]] += len(chunk.text)
        bad, good = sum(size[r] for r in NOISE), sum(size[r] for r in GOOD)
        if case["accepted"] and bad + good:
            shares.append(bad / (bad + good))
    assert mean(shares) <= NOISE_SHARE


def test_the_context_is_shorter(outcomes):
    assert mean(r.stats["shorter"] for _, r in outcomes) >= SHORTER


def test_filler_goes(outcomes):
    gone = [
        squeezed(s) not in squeezed(r.text)
        for c, r in outcomes for chunk in c["chunks"] if chunk["role"] in GOOD for s in chunk["must_drop"]
    ]
    assert mean(gone) >= FILLER_DROPPED
