"""Contradictions that are none, and one in other words: pages that a first user brought."""

from __future__ import annotations

import pytest

from ragclean import NoiseCorrector


@pytest.fixture(scope="module")
def corrector():
    return NoiseCorrector()


@pytest.mark.parametrize(("query", "right"), [
    ("Can I return unopened headphones?", "Unopened headphones can be returned within 30 days."),
    ("Can I return opened headphones?", "Opened headphones cannot be returned."),
])  # fmt: skip
def test_opened_and_unopened_are_two_things(corrector, query, right):
    result = corrector.refine(query, [
        {"id": "a", "source": "official_policy", "updated_at": "2026-01-01", "text": "Opened headphones cannot be returned."},
        {"id": "b", "source": "official_policy", "updated_at": "2023-01-01", "text": "Unopened headphones can be returned within 30 days."},
    ], as_of="2026-06-01")  # fmt: skip
    assert right in result.text
    assert not result.conflicts


def test_ways_of_shipping_do_not_contradict_each_other(corrector):
    result = corrector.refine("How long does shipping take?", [
        {"id": "std", "source": "official_policy", "updated_at": "2025-01-01", "text": "Standard shipping takes 5 to 7 business days."},
        {"id": "exp", "source": "official_policy", "updated_at": "2026-01-01", "text": "Express shipping takes 1 to 2 business days."},
        {"id": "intl", "source": "official_policy", "updated_at": "2026-02-01", "text": "International shipping takes 10 to 15 business days."},
    ], as_of="2026-06-01")  # fmt: skip
    assert "5 to 7 business days" in result.text
    assert not result.conflicts


def test_calls_and_requests_are_one(corrector):
    result = corrector.refine("How many API calls per minute does Team allow?", [
        {"id": "new", "source": "docs", "updated_at": "2025-03-10", "text": "Workspaces on the Team plan may send up to 1,200 requests per minute."},
        {"id": "old", "source": "docs", "updated_at": "2023-08-21", "text": "Workspaces on the Team plan may send up to 600 requests per minute."},
    ], as_of="2026-06-01")  # fmt: skip
    assert "1,200" in result.text
    assert "600" not in result.text
