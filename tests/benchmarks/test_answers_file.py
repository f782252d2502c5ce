"""The texts labelled 'answers the query' or 'is only about it' are well formed, and the labels are not a matter of words."""

import json
import re
from collections import Counter

import pytest

KINDS = {
    "answer",
    "asks",
    "promotion",
    "where_to_look",
    "other_attribute",
    "other_thing",
    "background",
    "no_information",
}


@pytest.fixture(scope="module")
def asked(root):
    path = root / "benchmarks" / "data" / "answers.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_question_is_there_once(asked):
    assert len({question["id"] for question in asked}) == len(asked)
    assert len({question["query"] for question in asked}) == len(asked)
    count = Counter(question["lang"] for question in asked)
    assert set(count) == {"zh", "en"}
    assert count["zh"] >= 200
    assert count["en"] >= 110


def test_every_third_question_is_for_measuring(asked):
    for line, question in enumerate(asked, 1):
        assert question["split"] == ("fit" if line % 3 else "measure"), question["id"]
    assert len({(question["lang"], question["split"]) for question in asked}) == 4


def test_each_question_has_answers_and_others(asked):
    for question in asked:
        assert set(question) == {"id", "lang", "query", "split", "texts"}, question["id"]
        kinds = [text["kind"] for text in question["texts"]]
        assert 4 <= len(kinds) <= 7, question["id"]
        assert set(kinds) <= KINDS, question["id"]
        assert 1 <= kinds.count("answer") <= 2, question["id"]
        assert len(kinds) - kinds.count("answer") >= 2, question["id"]
    assert {text["kind"] for question in asked for text in question["texts"]} == KINDS


def test_no_text_is_there_twice_and_all_are_short(asked):
    seen = set()
    for question in asked:
        shortest, longest = (20, 200) if question["lang"] == "zh" else (50, 400)
        for text in question["texts"]:
            assert set(text) == {"text", "kind"}, question["id"]
            assert shortest <= len(text["text"]) <= longest, text["text"]
            assert text["text"] not in seen, text["text"]
            seen.add(text["text"])


def test_the_answer_is_at_no_fixed_place(asked):
    first = sum(question["texts"][0]["kind"] == "answer" for question in asked)
    last = sum(question["texts"][-1]["kind"] == "answer" for question in asked)
    assert max(first, last) <= 0.4 * len(asked)


def features(text, lang):
    if lang == "en":
        return set(re.findall(r"\w+", text.lower()))
    plain = re.sub(r"\W", "", text.lower())
    return {plain[i : i + 2] for i in range(len(plain) - 1)}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_shared_words_do_not_find_the_answer(asked, lang):
    """The text that has most of the query is seldom the answer; a third of the answers have little of it."""
    best, rare, answers = [], 0, 0
    for question in asked:
        if question["lang"] == lang:
            query = features(question["query"], lang)
            shares = [len(query & features(text["text"], lang)) / len(query) for text in question["texts"]]
            kinds = [text["kind"] for text in question["texts"]]
            best.append(kinds[shares.index(max(shares))] == "answer")
            rare += sum(share < 0.34 for share, kind in zip(shares, kinds, strict=True) if kind == "answer")
            answers += kinds.count("answer")
    assert sum(best) <= 0.25 * len(best)
    assert rare >= answers / 3
