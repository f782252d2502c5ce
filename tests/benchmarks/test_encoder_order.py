"""The order of texts on our own cases, which the embedded encoder never learned from."""

import numpy as np
from encoder_order import area, areas, main, of_sentences, sets

from ragclean.signals.semantic import StaticEncoder


def test_quality_floor_on_the_development_cases():
    own = {name: asked for name, asked in sets(None) if name.startswith("own")}
    for name, floor in (("own zh", 0.76), ("own en", 0.73)):
        score, _ = areas(StaticEncoder(), own[name]).mean(axis=0)
        assert score >= floor, name


def test_area_counts_ties_by_half():
    assert area(np.array([1.0, 0.0]), np.array([True, False])) == 1.0
    assert area(np.array([1.0, 1.0]), np.array([True, False])) == 0.5


def test_a_sentence_with_the_answer_is_good():
    case = {"answers": [["二十四个月"]], "chunks": [{"text": "整机保修二十四个月。门店九点营业。"}]}
    assert of_sentences(case) == (["整机保修二十四个月。", "门店九点营业。"], [True, False])


def test_prints_its_table(capsys):
    assert main(["--only", "frozen en"]) == 0
    assert "frozen en" in capsys.readouterr().out
