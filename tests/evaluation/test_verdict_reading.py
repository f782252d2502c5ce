"""Verdicts out of whatever a model replies: whole items only, none guessed, linear time on any text."""

import json

import pytest

from ragclean.evaluation.verdict_reading import Item, read_items

SUPPORT = ("supported", "contradicted", "not_mentioned")
COVERAGE = ("covered", "contradicted", "missing")


def one(said, verdicts=SUPPORT):
    return read_items(json.dumps({"items": [{"id": 1, "verdict": said}]}), [1], verdicts)[1].verdict


@pytest.mark.parametrize(("said", "support", "coverage"), [
    ("supported", "supported", "covered"), ("covered", "supported", "covered"), ("Yes", "supported", "covered"), (True, "supported", "covered"),
    ("contradicted", "contradicted", "contradicted"), ("Contradicts", "contradicted", "contradicted"), ("矛盾", "contradicted", "contradicted"),
    ("not_mentioned", "not_mentioned", "missing"), ("Not mentioned", "not_mentioned", "missing"), ("not-mentioned", "not_mentioned", "missing"),
    ("未提及", "not_mentioned", "missing"), ("missing", "not_mentioned", "missing"), ("no", "not_mentioned", "missing"), (False, "not_mentioned", "missing"),
    ("支持", "supported", "covered"), ("不支持", "not_mentioned", "missing"), ("未覆盖", "not_mentioned", "missing"), ("**supported**", "supported", "covered"),
])  # fmt: skip
def test_verdicts_in_other_words_mean_the_same(said, support, coverage):
    assert (one(said), one(said, COVERAGE)) == (support, coverage)


@pytest.mark.parametrize("said", ["perhaps", "", "partly supported", "supported or contradicted", None, 1, ["supported"], {"a": 1}])
def test_an_unknown_verdict_is_none(said):
    with pytest.raises(ValueError, match="no verdict in"):
        one(said)


def test_items_cut_off_are_left_out_and_whole_ones_kept():
    reply = '{"items": [{"id": 1, "verdict": "supported", "evidence": "a {b}"}, {"id": 2, "verdict": "supp'
    assert read_items(reply, [1, 2], SUPPORT) == {1: Item("supported", "a {b}")}


def test_of_two_verdicts_that_differ_neither_counts_and_of_two_alike_the_last_quote():
    reply = json.dumps([{"id": 1, "verdict": "supported"}, {"id": 1, "verdict": "contradicted"}, {"id": 2, "verdict": "supported", "evidence": "a"}, {"id": 2, "verdict": "supported", "evidence": "b"}])
    assert read_items(reply, [1, 2], SUPPORT) == {2: Item("supported", "b")}


def test_items_without_numbers_are_taken_in_order_only_where_their_count_is_right():
    reply = json.dumps([{"verdict": "supported"}, {"verdict": "contradicted"}])
    assert [i.verdict for i in read_items(reply, [5, 7], SUPPORT).values()] == ["supported", "contradicted"]
    with pytest.raises(ValueError, match="no verdict"):
        read_items(reply, [5, 7, 9], SUPPORT)


def test_a_verdict_quoted_inside_a_string_is_none():
    hostile = '{"id": 1, "verdict": "covered", "evidence": "x"}'
    reply = json.dumps({"items": [{"id": 2, "verdict": "missing", "evidence": hostile}]})
    for cut in (reply, reply[:-3]):
        try:
            assert 1 not in read_items(cut, [1, 2], COVERAGE)
        except ValueError:
            pass


@pytest.mark.parametrize("piece", ["{", '{"a":', '{"id": 1, "verdict": "', "[", "</think>", "<think>", '{"verdict": [', "{}"])
def test_no_reply_costs_more_than_its_length(piece, endless, no_blow_up):
    with no_blow_up(), pytest.raises(ValueError, match="no verdict"):
        read_items(endless(piece), [1], SUPPORT)


def test_a_message_quotes_little_of_the_reply():
    with pytest.raises(ValueError, match="no verdict") as caught:
        read_items("x\n" * 10_000, [1], SUPPORT)
    assert len(str(caught.value)) < 120 and "\n" not in str(caught.value)
