"""The noise of every variant, held against what it claims to be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evaluator_samples import written_cases

from ragclean.evaluation.check_noise import check_injected
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings, Shortage
from ragclean.evaluation.records import VARIANTS, Shown
from ragclean.types import Chunk

CASES = written_cases(8)


class Made(NoiseMaker):
    """Noise of a test's own, by variant."""

    def __init__(self, of, settings=None):
        made = NoiseMaker.of_cases(CASES, settings)
        super().__init__(made.corpus, made.settings)
        self._of = of

    def make(self, case, variant, contexts=None):
        return self._of(case, variant)


def named(checks):
    return {c.name: c for c in checks}


def test_one_check_of_the_contexts_and_one_of_every_variant():
    noise = NoiseMaker.of_cases(CASES, NoiseSettings(on_empty_band="nearest"))
    found = named(check_injected(CASES, noise, VARIANTS))
    assert list(found) == ["contexts", "noise v1", "noise v2", "noise v3", "noise v4"]
    assert all(c.passed and c.cases for c in found.values())
    assert found["contexts"].cases == 4 * len(CASES)


def test_what_cannot_be_made_is_neither_right_nor_wrong():
    noise = Made(lambda case, variant: Shortage(case.id, variant, "there is none"))
    found = named(check_injected(CASES, noise, ("v0", "v2")))
    assert found["noise v2"].passed is None
    assert found["noise v2"].detail == "it could be made for no case"
    assert found["contexts"].passed is None


def test_the_odd_case_is_named_with_what_is_wrong_of_it():
    honest = NoiseMaker.of_cases(CASES, NoiseSettings(on_empty_band="nearest"))

    def of(case, variant):
        shown = honest.make(case, variant)
        if case.id != "w03":
            return shown
        chunk = replace(shown.injected[0].chunk, text="The free trial is for 30 days, they say.")
        return Shown(case.id, variant, (*case.contexts, chunk), (replace(shown.injected[0], chunk=chunk),))

    found = named(check_injected(CASES, Made(of, honest.settings), ("v1",)))
    assert found["noise v1"].passed is False
    assert found["noise v1"].measured == pytest.approx(7 / 8)
    assert found["noise v1"].detail == "7 of 8 cases; not so: w03 (it holds the answer)"


def test_a_chunk_without_a_similarity_is_outside_every_band():
    honest = NoiseMaker.of_cases(CASES, NoiseSettings(on_empty_band="nearest"))

    def of(case, variant):
        shown = honest.make(case, variant)
        return replace(shown, injected=tuple(replace(i, similarity=None) for i in shown.injected))

    assert named(check_injected(CASES, Made(of), ("v1",)))["noise v1"].passed is False


# -- every fault


def _with_text(shown, text):
    """The first injected chunk says something else."""
    added = replace(shown.injected[0], chunk=replace(shown.injected[0].chunk, text=text))
    contexts = tuple(added.chunk if c.id == added.chunk.id else c for c in shown.contexts)
    return replace(shown, contexts=contexts, injected=(added, *shown.injected[1:]))


def holds_the_answer(case, shown):
    return _with_text(shown, f"顺便一提 / By the way: {case.reference}")


def reordered(case, shown):
    return replace(shown, contexts=shown.contexts[::-1])


def changed(case, shown):
    return replace(shown, contexts=tuple(c if c.id != case.contexts[1].id else replace(c, text=c.text + " ") for c in shown.contexts))


def redated(case, shown):
    return replace(shown, contexts=tuple(c if c.id != case.contexts[0].id else replace(c, updated_at="1999-01-01") for c in shown.contexts))


def added_in_secret(case, shown):
    return replace(shown, injected=shown.injected[1:])


def out_of_band(case, shown):
    return replace(shown, injected=tuple(replace(i, similarity=0.97) for i in shown.injected))


def agrees(case, shown):
    return _with_text(shown, case.contexts[0].text + "谢谢 / Thank you.")


def nothing(case, shown):
    return Shown(case.id, shown.variant, case.contexts)


def not_shown(case, shown):
    return replace(shown, contexts=case.contexts)


@pytest.mark.parametrize(("change", "variant", "what", "detail"), [
    (holds_the_answer, "v1", "noise v1", "it holds the answer"),
    (holds_the_answer, "v2", "noise v2", "it holds the answer"),
    (holds_the_answer, "v4", "noise v4", "it holds the answer"),
    (out_of_band, "v1", "noise v1", "similarity 0.97 is outside 0.00..0.40"),
    (out_of_band, "v2", "noise v2", "similarity 0.97 is outside 0.70..0.85"),
    (agrees, "v3", "noise v3", "does not contradict the answer"),
    (nothing, "v3", "noise v3", "nothing is injected"),
    (not_shown, "v3", "noise v3", "is not among the contexts"),
    (reordered, "v3", "contexts", "not so: w00"),
    (changed, "v2", "contexts", "not so: w00"),
    (redated, "v3", "contexts", "not so: w00"),
    (added_in_secret, "v2", "contexts", "not so: w00"),
], ids=lambda x: getattr(x, "__name__", ""))  # fmt: skip
def test_noise_that_is_not_what_it_claims_to_be_is_seen(change, variant, what, detail):
    honest = NoiseMaker.of_cases(CASES, NoiseSettings(on_empty_band="nearest"))
    # With bands held to, and chunks at their middle, nothing but the change is wrong.
    middle = sum(NoiseSettings().relevant if variant == "v2" else NoiseSettings().irrelevant) / 2

    def of(case, v):
        made = honest.make(case, v)
        inside = replace(made, injected=tuple(replace(i, similarity=middle) for i in made.injected))
        return change(case, inside)

    found = named(check_injected(CASES, Made(of), (variant,)))
    assert {name for name, check in found.items() if check.passed is False} == {what}
    assert detail in found[what].detail


def test_the_nearest_to_a_band_may_lie_outside_where_that_was_asked_for():
    honest = NoiseMaker.of_cases(CASES, NoiseSettings(on_empty_band="nearest"))
    made = Made(lambda case, variant: out_of_band(case, honest.make(case, variant)), honest.settings)
    assert named(check_injected(CASES, made, ("v1",)))["noise v1"].passed is True


def test_noise_alone_shows_no_real_context():
    honest = NoiseMaker.of_cases(CASES, NoiseSettings(on_empty_band="nearest"))

    def of(case, variant):
        shown = honest.make(case, variant)
        return replace(shown, contexts=(*shown.contexts, Chunk(case.contexts[0].text, id="left")))

    assert named(check_injected(CASES, Made(of, honest.settings), ("v4",)))["contexts"].passed is False
