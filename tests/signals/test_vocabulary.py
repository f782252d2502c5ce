import pytest

from ragclean.signals.vocabulary import Vocabulary, other_forms, shorter_forms

VOCABULARY = Vocabulary(["保修", "保修期", "手机", "的", "期", "flicker", "carry", "covid", "hour", "return"])


def read(text):
    bag = VOCABULARY.bags([text])[0]
    names = ["保修", "保修期", "手机", "的", "期", "flicker", "carry", "covid", "hour", "return"]
    return {names[i] for i in bag.ids}, set(bag.codes), set(bag.words)


@pytest.mark.parametrize(
    "text, entries, codes, words",
    [
        ("手机的保修期", {"手机", "的", "保修期"}, set(), set()),
        ("保修手机", {"保修", "手机"}, set(), set()),
        ("保修龘", {"保修"}, set(), {"龘"}),
        ("It flickers; carried", {"flicker", "carry"}, set(), {"it"}),
        ("24-hour returns", {"hour", "return"}, {"24"}, set()),
        ("COVID-19", {"covid"}, {"19"}, set()),
        ("X-200 and SKU-88", set(), {"x200", "sku88"}, {"and"}),
        ("v2.4.0", set(), {"2.4"}, set()),
        ("2.4.0.1", set(), {"2.4.0.1"}, set()),
        ("1,299.00 1,000,000 3.50 007", set(), {"1299", "1000000", "3.5", "7"}, set()),
        ("2024-07-01 12:30 3-5", set(), {"2024", "7", "1", "12", "30", "3", "5"}, set()),
        ("привет κόσμε", set(), set(), {"привет", "κόσμε"}),
        ("!? \x00 \ud800 😀", set(), set(), set()),
        ("", set(), set(), set()),
    ],
)
def test_reads_words_numbers_and_codes(text, entries, codes, words):
    assert read(text) == (entries, codes, words)


def test_shorter_forms():
    assert "plan" in shorter_forms("planned")
    assert "reroute" in shorter_forms("rerouting")
    assert "battery" in shorter_forms("batteries")
    assert shorter_forms("gas") == []


def test_texts_read_together_are_read_as_if_alone():
    texts = ["手机的保修期", "X-200 保修", "手机 X-200"]
    together = VOCABULARY.bags(texts)
    for text, bag in zip(texts, together, strict=True):
        alone = VOCABULARY.bags([text])[0]
        assert bag.ids.tolist() == alone.ids.tolist()
        assert (bag.codes, bag.words) == (alone.codes, alone.words)


DERIVED = Vocabulary(["tall", "cricket", "labour", "theatre", "seen", "geology", "happy", "tow", "read"])
DERIVED_NAMES = ["tall", "cricket", "labour", "theatre", "seen", "geology", "happy", "tow", "read"]


@pytest.mark.parametrize(
    "word, kin",
    [
        ("tallest", "tall"), ("cricketers", "cricket"), ("labor", "labour"), ("labors", "labour"),
        ("theaters", "theatre"), ("unseen", "seen"), ("geologist", "geology"), ("happiest", "happy"),
        ("readable", "read"), ("tower", None), ("zorblax", None),
    ],
)  # fmt: skip
def test_an_unknown_word_is_read_as_itself_and_as_the_word_it_is_derived_from(word, kin):
    bag = DERIVED.bags([word])[0]
    assert [DERIVED_NAMES[i] for i in bag.ids] == ([kin] if kin else [])
    assert bag.words == (word,)


def test_a_known_word_is_never_read_as_another():
    bag = Vocabulary(["tall", "tallest"]).bags(["tallest"])[0]
    assert bag.ids.tolist() == [1]
    assert bag.words == ()


@pytest.mark.parametrize("word", ["", "er", "un", "or", "ter", "x" * 5000 + "est"])
def test_other_forms_of_anything(word):
    assert word not in other_forms(word)
    assert "" not in other_forms(word)
