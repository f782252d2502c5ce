"""Contexts of a chosen noise ratio, place and depth."""

import itertools
import json

import pytest
from proof.noise import DEPTHS, RATIOS, at_depth, at_place, at_ratio, read_questions
from proof.noise_run import recovered, settings_of


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "set.jsonl"
    chunks = [{"id": f"g{i}", "text": f"好页{i}", "label": "gold"} for i in range(6)]
    chunks += [{"id": f"n{i}", "text": f"噪声{i}", "label": "relevant_noise"} for i in range(40)]
    chunks += [{"id": "k", "text": "错", "label": "conflict"}, {"id": "u", "text": "?", "label": "unknown"}]
    lines = [
        {"id": "a", "query": "多久？", "answers": ["24个月", "两年"], "chunks": chunks},
        {"id": "b", "query": "哪两个？", "answers": [["甲"], ["乙", "B"]], "chunks": chunks},
        {"id": "c", "query": "没有答案", "answers": [], "chunks": chunks},
        {"id": "d", "query": "少", "answers": ["x"], "chunks": chunks[5:7]},
    ]
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    return {q.id: q for q in read_questions(path)}


def kinds(passages):
    return [p.id[0] for p in passages]


def test_questions_without_an_answer_are_left_out(questions):
    assert set(questions) == {"a", "b", "d"}


def test_only_gold_and_noise_are_mixed(questions):
    assert {c.id[0] for c in questions["a"].good} == {"g"}
    assert {c.id[0] for c in questions["a"].noise} == {"n"}


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_ratio_is_met(questions, ratio):
    shown = at_ratio(questions["a"], ratio)
    assert len(shown) == 5
    assert kinds(shown).count("n") == round(5 * ratio)


def test_more_noise_takes_the_place_of_good_passages_and_leaves_the_others(questions):
    good = [{p.id for p in at_ratio(questions["a"], r) if p.id[0] == "g"} for r in RATIOS]
    assert all(more < fewer for fewer, more in itertools.pairwise(good))


def test_a_question_with_too_few_passages_is_not_shown(questions):
    assert at_ratio(questions["d"], 0.8) is None
    assert at_place(questions["d"], "front") is None
    assert at_depth(questions["d"], 8) is None


@pytest.mark.parametrize(("place", "index"), [("front", 0), ("middle", 2), ("back", 4)])
def test_the_one_good_passage_stands_where_it_should(questions, place, index):
    assert [i for i, kind in enumerate(kinds(at_place(questions["a"], place))) if kind == "g"] == [index]


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_deeper_retrieval_has_the_same_good_passages_and_more_noise(questions, depth):
    shown = at_depth(questions["a"], depth)
    assert len(shown) == depth
    assert [p.id for p in shown if p.id[0] == "g"] == [p.id for p in questions["a"].good[:2]]
    assert [p.id for p in shown] == [p.id for p in at_depth(questions["a"], 30)][:depth]


@pytest.mark.parametrize(
    ("answer", "right"), [("甲和乙", True), ("甲、B", True), ("甲", False), ("乙", False)]
)
def test_every_part_is_needed(questions, answer, right):
    assert questions["b"].is_answered_by(answer) is right


def test_a_value_inside_a_longer_one_does_not_answer(questions):
    assert not questions["a"].is_answered_by("124个月")


def test_what_is_recovered_of_what_noise_cost():
    right = {
        "ratio 0.0 raw": dict.fromkeys("abcd", True),
        "ratio 0.8 raw": {"a": True, "b": False, "c": False, "d": False},
        "ratio 0.8 corrected": {"a": True, "b": True, "c": True, "d": False},
    }
    found = recovered(right, "ratio", 0.0, 0.8)
    assert found["recovered"] == pytest.approx(2 / 3)
    assert found["gain"] == 0.5


def test_nothing_lost_is_nothing_to_recover():
    same = {f"ratio {r} {arm}": {"a": True, "b": True} for r in (0.0, 0.8) for arm in ("raw", "corrected")}
    assert "recovered" not in recovered(same, "ratio", 0.0, 0.8)


@pytest.mark.parametrize(("make", "setting"), [
    (at_ratio, 0.5), (at_ratio, 1.2), (at_ratio, -0.2), (at_ratio, 1.0), (at_place, "end"), (at_depth, 2), (at_depth, 0),
])  # fmt: skip
def test_a_setting_that_cannot_be_made_is_named(questions, make, setting):
    with pytest.raises(ValueError, match=r"ratio|place|depth"):
        make(questions["a"], setting)


@pytest.mark.parametrize("line", [
    '{"id": "a", "query": "q", "answers": [5], "chunks": []}', '{"id": "a", "query": "q", "answers": [null], "chunks": []}',
    '{"id": "a", "query": "q", "answers": ["x"]}', "[1]", "{", '{"id": 7, "query": "q", "answers": ["x"], "chunks": []}',
    '{"id": "a", "query": "q", "answers": [[]], "chunks": []}', '{"id": "a", "query": "q", "answers": [""], "chunks": []}', '{"id": "a", "query": "q", "answers": [["x", ""]], "chunks": []}',
])  # fmt: skip
def test_a_line_that_is_no_question_is_named(tmp_path, line):
    path = tmp_path / "set.jsonl"
    path.write_text("\n" + line + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"set\.jsonl, line 2"):
        read_questions(path)


@pytest.mark.parametrize(("test", "written"), [
    ("ratio", "abc"), ("ratio", "0.2,x"), ("ratio", "0.5"), ("ratio", "nan"), ("ratio", "inf"), ("place", "Front"), ("depth", "0"),
    ("depth", "-1"), ("ratio", "0.2,"),
])  # fmt: skip
def test_settings_that_are_none_are_named(test, written):
    with pytest.raises(ValueError, match=r"settings|ratio|place|depth"):
        settings_of(test, written)


def test_two_questions_of_one_id_are_named(tmp_path):
    path = tmp_path / "set.jsonl"
    chunk = {"id": "g", "text": "好", "label": "gold"}
    line = json.dumps({"id": "a", "query": "q", "answers": ["x"], "chunks": [chunk]})
    path.write_text(f"{line}\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="'a'"):
        read_questions(path)


def test_settings_as_written():
    assert list(settings_of("ratio", "0.8, 0.0")) == [0.0, 0.8]  # least noise first
    assert list(settings_of("depth", None)) == list(DEPTHS)
