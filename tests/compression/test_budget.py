from hypothesis import given
from hypothesis import strategies as st

from ragclean.compression.budget import Item, cut_to_budget
from ragclean.compression.protection import ASKED, FACT, PLAIN, UNTOUCHABLE


def measure(items):
    return lambda without: sum(i.tokens for i in items if i.place not in without)


def places(items):
    return {i.place for i in items}


def test_nothing_goes_when_it_fits():
    items = [Item((0, 0), 0.5, PLAIN, 10)]
    assert cut_to_budget(items, 10, measure(items)) == []


def test_low_value_per_token_goes_first_and_facts_count_double():
    items = [Item((0, 0), 0.4, PLAIN, 10), Item((0, 1), 0.3, FACT, 10), Item((0, 2), 0.5, PLAIN, 10)]
    assert places(cut_to_budget(items, 20, measure(items))) == {(0, 0)}


def test_what_was_asked_for_outlives_better_scored_text():
    items = [Item((0, 0), 0.9, FACT, 10), Item((0, 1), 0.1, ASKED, 10), Item((0, 2), 0.0, UNTOUCHABLE, 10)]
    assert places(cut_to_budget(items, 20, measure(items))) == {(0, 0)}
    assert places(cut_to_budget(items, 10, measure(items))) == {(0, 0), (0, 1)}


def test_a_sentence_that_can_never_fit_does_not_push_out_those_that_do():
    items = [Item((0, 0), 1.0, UNTOUCHABLE, 500), Item((0, 1), 0.2, PLAIN, 10), Item((0, 2), 0.3, PLAIN, 10)]
    assert places(cut_to_budget(items, 30, measure(items))) == {(0, 0)}


def test_the_context_is_never_emptied_and_pinned_text_stays():
    items = [Item((0, 0), 0.5, PLAIN, 50), Item((0, 1), 0.4, PLAIN, 50)]
    assert len(cut_to_budget(items, 1, measure(items))) == 1
    pinned = [Item((0, 0), 0.0, PLAIN, 50, pinned=True), Item((1, 0), 0.9, UNTOUCHABLE, 50)]
    assert places(cut_to_budget(pinned, 1, measure(pinned))) == {(1, 0)}


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.integers(1, 60)), min_size=1, max_size=40),
    st.integers(60, 600),
)
def test_the_rest_fits_whenever_every_sentence_fits_alone(rows, max_tokens):
    items = [Item((0, i), score, level, tokens) for i, (score, level, tokens) in enumerate(rows)]
    gone = places(cut_to_budget(items, max_tokens, measure(items)))
    assert measure(items)(frozenset(gone)) <= max_tokens
    assert len(gone) < len(items)
