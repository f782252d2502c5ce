"""Sentences that go on about another version or product than the one asked for."""

from __future__ import annotations

import pytest
from conftest import page


@pytest.mark.parametrize(("query", "text"), [
    ("What does Harbor API v2 support?", "Harbor API v2 only polls. Harbor API v3 came last year. It supports callbacks."),
    ("Does the K450 have a heated seat?", "The K450 has no heated seat. The K620 is newer. It has a heated seat."),
    ("云梯K450支持加热吗", "云梯K450不支持加热。云梯K620去年上市。它支持加热。"),
    ("云梯K450支持加热吗", "云梯K450不支持加热。云梯K620去年上市。支持加热与除湿。"),
])
def test_a_sentence_without_its_own_subject_is_about_the_thing_before(judge, query, text):
    verdict = judge(query, [page(text)])
    assert set(verdict.out_of_scope_sentences) == {(0, 1), (0, 2)}
    assert not verdict.out_of_scope


def test_a_sentence_that_names_what_is_asked_is_in_scope(judge):
    verdict = judge("云梯K450支持加热吗", [page("云梯K620去年上市。它和云梯K450都支持加热。")])
    assert (0, 1) not in verdict.out_of_scope_sentences


@pytest.mark.parametrize(("query", "text"), [
    ("What does Harbor API v2 support?", "Harbor API v3 came last year. It supports callbacks."),
    ("API v2支持批量删除吗", "API v3于去年发布。它支持批量删除。"),
    ("云梯K450支持加热吗", "云梯K620于去年上市。它支持加热。"),
])
def test_a_passage_headed_by_another_version_or_product_is_out(judge, query, text):
    assert set(judge(query, [page(text), page(text.replace("v3", "v2").replace("K620", "K450"))]).out_of_scope) == {0}


def test_a_question_for_a_version_is_answered_by_any(judge):
    assert not judge("Which version replaces API v2?", [page("API v3 replaces it.")]).out_of_scope
