"""What is counted: parts over several sentences, copies, and F1 worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.calibration import case_from_dict
from ragclean.calibration.labels import count, f_of, items, scores
from ragclean.prepare import prepare_text


def _items(*chunks):
    return items(case_from_dict({"query": "q", "chunks": list(chunks)}), prepare_text)


def test_a_part_over_two_sentences_needs_both():
    (item,) = _items({"text": "保修24个月。自签收之日起算。谢谢。", "must_keep": ["保修24个月。自签收之日起算。"]})
    assert item.places == ((0, (0, 1)),)


def test_a_part_that_two_chunks_hold_may_stay_in_either():
    (item,) = _items({"text": "Two years.", "must_keep": ["Two years."]}, {"text": "Well. Two years."})
    assert [chunk for chunk, _ in item.places] == [0, 1]
    assert item.keep


def test_what_must_stay_somewhere_is_nowhere_wrong_to_keep():
    (item,) = _items({"text": "Two years.", "must_keep": ["Two years."]}, {"text": "Two years.", "must_drop": ["Two years."]})
    assert item.keep


def test_the_rest_of_a_chunk_with_a_drop_list_must_stay():
    found = _items({"text": "Two years. Thanks. From delivery.", "keep": True, "drop": ["Thanks."]})
    assert {i.text: i.keep for i in found} == {"thanks.": False, "twoyears.": True, "fromdelivery.": True}


def test_f1_by_hand():
    # chunks: 3 wanted, 2 kept, 1 wrongly kept -> P 2/3, R 2/3; sentences: 4 wanted, 4 kept, 4 wrongly -> P 1/2, R 1
    found = scores(np.array([2.0, 1.0, 3.0, 4.0, 4.0, 4.0]))
    assert found.chunk_f1 == pytest.approx(2 / 3)
    assert (found.sentence_precision, found.sentence_recall) == (0.5, 1.0)
    assert found.sentence_f1 == pytest.approx(2 / 3)
    assert found.f1 == pytest.approx(2 / 3)


def test_f2_weighs_recall_four_times():
    # chunks alone: 3 of 4 kept, 2 too many -> F2 = 5*3 / (4*4 + 3 + 2)
    assert f_of(np.array([3.0, 2.0, 4.0, 0, 0, 0]), 2.0) == pytest.approx(15 / 21)


def test_a_figure_without_labels_is_none_and_counts_for_nothing():
    found = scores(np.array([1.0, 0.0, 1.0, 0.0, 0.0, 0.0]))
    assert found.to_dict()["sentence_f1"] is None
    assert found.f1 == 1.0
    assert np.isnan(f_of(np.zeros(6)))


def test_nothing_kept_is_zero_not_undefined():
    assert scores(np.array([0.0, 0.0, 2.0, 0.0, 0.0, 2.0])).f1 == 0.0


def test_a_finished_clean_up_is_counted_by_what_is_in_the_context():
    case = case_from_dict({
        "query": "X200保修多久？", "as_of": "2025-06-01",
        "chunks": [
            {"id": "a", "text": "X200整机保修24个月。", "source": "official_policy", "keep": True, "must_keep": ["X200整机保修24个月。"]},
            {"id": "b", "text": "X200整机保修24个月。", "source": "faq", "keep": True},
            {"id": "c", "text": "公司年会将在杭州举行，欢迎报名。", "keep": False},
        ],
    })  # fmt: skip
    corrector = NoiseCorrector(config=CorrectorConfig())
    result = corrector.refine(case.query, [c.chunk for c in case.chunks], as_of=case.as_of)
    row = count(case, items(case, corrector.prepare), result)
    assert row.tolist() == [2, 0, 2, 1, 0, 1]  # the copy gave way, and counts as kept
