"""Floors on the pairs that were written to provoke arbitration (figures when they were set beside them)."""

from collections import Counter

import pytest
from pairs import KINDS, load_pairs, outcomes


@pytest.fixture(scope="module")
def counts(corrector):
    return Counter((pair["kind"], verdict) for pair, verdict, _ in outcomes(corrector))


def test_every_string_is_in_some_chunk():
    pairs = load_pairs()
    assert len({p["id"] for p in pairs}) == len(pairs) == 200
    for pair in pairs:
        assert pair["kind"] in KINDS and pair["keep"] and bool(pair["drop"]) == (pair["kind"] == "plain")
        for wanted in (*pair["keep"], *pair["drop"]):
            assert any(wanted in c["text"] for c in pair["chunks"]), (pair["id"], wanted)


def test_plain_contradictions_are_decided(counts):
    assert counts["plain", "right"] >= 42  # 44 of 70


def test_values_that_hold_under_different_conditions_are_hardly_ever_taken_for_a_contradiction(counts):
    assert counts["calm", "lost to a conflict"] + counts["calm", "declared"] <= 4  # 4 of 80
    assert counts["specific", "lost to a conflict"] <= 5  # 5 of 50
