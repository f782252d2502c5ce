"""Floors under what the embedded encoder makes of the pairs whose relation is known."""

import pytest
from likeness import RELATIONS, above, by_relation, figures, load_pairs, main, similarities

from ragclean.signals.semantic import StaticEncoder

PAIRS = load_pairs()
FOUND = similarities(PAIRS, StaticEncoder())


def test_the_pairs_are_complete_and_each_is_there_once():
    assert len({pair.id for pair in PAIRS}) == len(PAIRS) == 168
    assert {pair.relation for pair in PAIRS} == set(RELATIONS)
    assert all(bool(pair.differs) == (pair.relation == "differs") for pair in PAIRS)
    assert {pair.differs for pair in PAIRS if pair.differs} == {"number", "unit", "name", "negation"}
    for lang in ("zh", "en"):
        assert sum(pair.lang == lang for pair in PAIRS) == 84


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_quality_floor(lang):
    groups = by_relation(PAIRS, FOUND, lang)
    got = figures(groups)
    assert got["paraphrase above unrelated"] >= 0.98
    assert got["same topic above unrelated"] >= 0.88
    assert got["copies >= 0.95"] >= 0.9
    assert got["paraphrases >= 0.98"] == 0
    assert got["paraphrases >= 0.95"] <= 0.05
    assert (groups["unrelated"] < 0.35).all()


def test_area_counts_ties_by_half():
    values = by_relation(PAIRS, [0.5] * len(PAIRS), "zh")
    assert above(values["copy"], values["unrelated"]) == 0.5


def test_prints_its_table(capsys):
    assert main(["--pairs"]) == 0
    assert "paraphrase above unrelated" in capsys.readouterr().out
