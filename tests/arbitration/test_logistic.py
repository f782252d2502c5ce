"""The logistic models of arbitration."""

from __future__ import annotations

import pytest

from ragclean.arbitration.logistic import logistic


def test_signs_are_weighted_and_added_up() -> None:
    assert logistic(0.0, {"a": 2.0, "b": 1.0}, {}) == 0.5
    assert logistic(-1.0, {"a": 2.0, "b": 1.0}, {"a": 1.0, "b": -1.0}) == 0.5
    assert logistic(0.0, {"a": 2.0}, {"a": 1.0}) == pytest.approx(0.880797, abs=1e-6)


@pytest.mark.parametrize("sign", [1e6, -1e6])
def test_no_sign_is_too_large(sign: float) -> None:
    assert logistic(0.0, {"a": 1.0}, {"a": sign}) == pytest.approx(float(sign > 0), abs=1e-12)


def test_a_sign_without_a_weight_is_an_error() -> None:
    with pytest.raises(KeyError, match="b"):
        logistic(0.0, {"a": 1.0}, {"b": 1.0})
