from hypothesis import given
from hypothesis import strategies as st

from ragclean.tokencount import estimate_tokens


def test_rates_are_those_documented():
    assert estimate_tokens("") == 0
    assert estimate_tokens("保修期为两年") == 6
    assert estimate_tokens("a" * 10) == 3
    assert estimate_tokens("1234567890") == 6


def test_english_words_come_near_the_usual_four_characters_a_token():
    text = "The warranty starts on the day of delivery and lasts for two years. " * 20
    assert len(text) / 4 * 0.9 < estimate_tokens(text) < len(text) / 4 * 1.4


@given(st.text(), st.text())
def test_parts_never_cost_less_than_the_whole(a, b):
    assert estimate_tokens(a + b) <= estimate_tokens(a) + estimate_tokens(b) <= estimate_tokens(a + b) + 1


def test_lone_surrogates_and_emoji_count():
    assert estimate_tokens("\ud800🙂\x00") == 3
