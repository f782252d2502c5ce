"""Whole values and verbatim parts, with white space, width and case forgiven."""

import pytest
from case_form import holds

from ragclean.badcases.holding import Searchable


@pytest.mark.parametrize(
    ("text", "value", "held"),
    [
        ("保修期36个月。", "36个月", True),
        ("保修期１３６个月。", "36个月", False),
        ("保修期３６ 个\n月。", "36个月", True),
        ("共1.36个", "36个", False),
        ("版本2.4.1", "2.4", False),
        ("版本2.4。", "2.4", True),
        ("1,500元", "500元", False),
        ("十五分钟", "五分钟", False),
        ("五分钟内", "五分钟", True),
        ("within 48H.", "48h", True),
        ("a postal fee", "post", False),
        ("按48h内答复", "48h", True),
        ("免收工本費", "免收工本费", True),
        ("anything", "  ", False),
        ("", "x", False),
    ],
)
def test_values_are_held_whole(text, value, held):
    assert Searchable(text).holds(value) is held


def test_on_plain_text_it_agrees_with_the_benchmarks(raw_cases):
    compared = 0
    for case in raw_cases.values():
        for chunk in case["chunks"]:
            searchable = Searchable(chunk["text"])
            for value in (*case["accepted"], *case["wrong"]):
                assert searchable.holds(value) == holds(chunk["text"], value), (case["id"], chunk["id"], value)
                compared += 1
    assert compared > 1000


def test_offsets_are_those_of_the_text_as_given():
    text = "　ＡＢＣ 保修\u200b期  三 年，保修期三年。"
    spans = list(Searchable(text).parts("保修期三年"))
    assert [text[a:b] for a, b in spans] == ["保修\u200b期  三 年", "保修期三年"]


def test_a_long_text_is_looked_up_in_no_time():
    text = "a " * 500_000 + "b"
    assert Searchable(text).holds("b")
    assert not Searchable(text).holds("ab" * 50_000)
