"""The labelled cases that ship are well formed, as many as promised, and not decided by a simple rule."""

import dataclasses
import json
from collections import Counter

import case_figures
import cases as command
import pytest
from case_checks import is_whole, problems, shared_runs
from case_form import Case, Chunk, Conflict, case_files, holds, load_cases
from simple_arbiters import ARBITERS, arbiter_scores

CASES = load_cases()
DEVELOPMENT = [c for c in CASES if not c.frozen]
FROZEN = [c for c in CASES if c.frozen]


def test_the_shipped_cases_have_no_problem():
    assert problems(CASES) == []


def test_no_text_is_shared_with_the_cases_of_the_quality_floors(root):
    assert shared_runs([*CASES, *load_cases([root / "tests" / "data" / "cases.jsonl"])]) == []


@pytest.mark.parametrize("split", [DEVELOPMENT, FROZEN], ids=["development", "frozen"])
@pytest.mark.parametrize("arbiter", ARBITERS)
def test_no_simple_rule_decides_the_conflicts(split, arbiter):
    assert arbiter_scores(split)[arbiter] <= 0.60


def count(cases, **wanted):
    return sum(all(getattr(c, name) == value for name, value in wanted.items()) for c in cases)


@pytest.mark.parametrize("scenario", ["aftersales", "policy", "techdoc"])
def test_each_scenario_has_its_share(scenario):
    single = [c for c in CASES if c.kind == "single-hop" and c.scenario == scenario]
    assert count(single, lang="zh") >= 50
    assert count(single, lang="en") >= 20
    assert sum("hant" in c.tags for c in CASES if c.scenario == scenario) >= 5


def test_there_are_as_many_of_each_kind_as_promised():
    kinds = Counter(c.kind for c in CASES)
    assert kinds["single-hop"] >= 210
    assert kinds["multi-hop"] >= 30
    assert kinds["unanswerable"] >= 30
    assert kinds["tie"] >= 20
    assert kinds["agree"] >= 20
    assert sum("calm" in c.tags and c.conflict is None for c in CASES) >= 40


def test_there_are_as_many_conflicts_of_each_sort_as_promised():
    conflicts = [c for c in CASES if c.decidable]
    assert len(conflicts) >= 120
    assert sum("advice" in c.tags for c in conflicts) >= 20
    assert sum(bool({"yes_no", "party"} & set(c.tags)) for c in conflicts) >= 20
    assert count(conflicts, no_trust=True) >= len(conflicts) / 3
    assert count(conflicts, no_dates=True) >= len(conflicts) / 3


def test_the_frozen_third_stands_for_itself():
    conflicts = [c for c in FROZEN if c.decidable]
    assert len(FROZEN) >= len(CASES) * 0.32
    assert len(conflicts) >= 40
    assert count(conflicts, no_trust=True) >= 15
    assert count(conflicts, no_dates=True) >= 15
    assert count(FROZEN, kind="tie") >= 6


def raw_case(**changes):
    filler = "门店周一至周五上午九点开门，节假日另行通知，来之前最好先打电话问一声。"
    chunks = [
        {"id": f"c{n}", "text": f"{filler}第{n}号柜台另有说明，请看墙上的告示。" * 4, "source": "manual", "source_weight": 0.8,
         "published_at": "2024-05-01", "role": "irrelevant", "must_keep": [], "must_drop": []}
        for n in range(3, 7)
    ]
    chunks.insert(0, {**chunks[0], "id": "c1", "text": "扫地。滤网每30天换一次。" + filler * 3, "role": "answer",
                      "must_keep": ["滤网每30天换一次。"], "must_drop": [filler]})
    chunks.insert(1, {**chunks[1], "id": "c2", "text": "滤网每45天换一次。" + filler * 3, "role": "conflict_stale",
                      "must_keep": [], "must_drop": ["滤网每45天换一次。"]})
    case = {
        "id": "aftersales-999", "lang": "zh", "scenario": "aftersales", "difficulty": "single",
        "noise_types": ["conflict_stale", "irrelevant"], "query": "滤网多久换？", "as_of": "2025-01-01", "answer": "30天",
        "accepted": ["30天"], "wrong": ["45天"], "keypoints": ["30天一换"], "tags": [], "chunks": chunks,
        "conflict": {"slot": "更换周期", "winner": "30天", "losers": ["45天"], "reason": "mixed"},
    }
    case.update(changes)
    return case


def written(tmp_path, raw):
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(raw, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def with_chunk(index, **changes):
    chunks = raw_case()["chunks"]
    chunks[index] = {**chunks[index], **changes}
    return {"chunks": chunks}


def test_a_well_formed_case_has_no_problem(tmp_path):
    assert problems(load_cases([written(tmp_path, raw_case())])) == []


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"id": "policy-999"}, "id"),
        ({"lang": "fr"}, "lang"),
        ({"as_of": "yesterday"}, "as_of"),
        ({"tags": ["no_trust"]}, "no_trust"),
        ({"noise_types": ["static"]}, "noise_types"),
        ({"accepted": ["31天"]}, "accepted"),
        ({"accepted": ["30天", "45天"]}, "holds accepted"),
        ({"conflict": None}, "not described"),
        ({"conflict": {"slot": "x", "winner": "30天", "losers": ["60天"], "reason": "mixed"}}, "no losing chunk"),
        ({"conflict": {"slot": "x", "winner": "30天", "losers": ["30天"], "reason": "mixed"}}, "holds the loser"),
        ({"conflict": {"slot": "x", "winner": "", "losers": [], "reason": "tie"}}, "tie"),
        ({"difficulty": "multi"}, "multi-hop"),
        ({"noise_types": ["unanswerable"]}, "unanswerable"),
        (with_chunk(0, must_keep=["每30天换一次。"]), "no whole sentence"),
        (with_chunk(0, must_keep=["滤网每30天"]), "no whole sentence"),
        (with_chunk(0, must_keep=["滤网每31天换一次。"]), "no whole sentence"),
        (with_chunk(1, source_weight=1.5), "source_weight"),
        (with_chunk(1, published_at="someday"), "published_at"),
        (with_chunk(1, role="noise"), "role"),
        (with_chunk(2, must_keep=["第3号柜台另有说明，请看墙上的告示。"]), "must_keep in a chunk"),
    ],
)  # fmt: skip
def test_a_fault_is_named(tmp_path, changes, said):
    found = problems(load_cases([written(tmp_path, raw_case(**changes))]))
    assert any(said in line for line in found), found


def test_a_missing_field_names_file_line_and_field(tmp_path):
    raw = raw_case()
    del raw["answer"]
    with pytest.raises(ValueError, match=r"one\.jsonl, line 1: .*answer"):
        load_cases([written(tmp_path, raw)])


def test_copied_text_is_found(tmp_path):
    first, second = (load_cases([written(tmp_path, raw_case(id=f"aftersales-99{n}"))])[0] for n in (8, 9))
    assert [(a, b) for a, b, _ in shared_runs([first, second])] == [("aftersales-998", "aftersales-999")]


def test_the_command_says_what_is_wrong_and_fails(tmp_path, capsys):
    assert command.main(["check", str(written(tmp_path, raw_case(lang="fr")))]) == 1
    assert "aftersales-999: lang" in capsys.readouterr().out
    assert command.main(["check", str(written(tmp_path, raw_case()))]) == 0


@pytest.mark.parametrize(
    "text, value, there",
    [
        ("保修 24 个月", "24个月", True), ("保修24个月", "4个月", False), ("1,299元", "299元", False), ("二十二个月", "十二个月", False),
        ("the Pro 3 app", "pro 3", True), ("unicorn", "corn", False), ("共3.5天", "5天", False), ("", "3", False), ("3", "", False),
    ],
)  # fmt: skip
def test_a_value_is_found_whole(text, value, there):
    assert holds(text, value) is there


@pytest.mark.parametrize(
    "sentence, whole", [("乙。", True), ("乙", True), ("1. 甲；", True), ("甲；", True), ("甲", True), ("；", False), ("丙", True)]
)
def test_a_whole_sentence_ends_where_one_ends(sentence, whole):
    assert is_whole("1. 甲；\n2. 乙。丙", sentence) is whole


def conflict_case(*sides):
    """Chunks of (value, weight, date); '30天' is right."""
    chunks = tuple(
        Chunk(f"c{n}", f"每{value}一次", "x", weight, when, "answer" if value == "30天" else "conflict_stale", (), ())
        for n, (value, weight, when) in enumerate(sides)
    )
    return Case("a-1", "zh", "policy", "single", (), "?", "2025-01-01", "", ("30天",), (), (), (), chunks,
                Conflict("", "30天", ("45天", "60天"), "mixed"), "x.jsonl", 1)  # fmt: skip


@pytest.mark.parametrize(
    "arbiter, right",
    [("majority", 0.0), ("newest", 1.0), ("most trusted", 0.5), ("first", 0.0), ("newest among the trusted", 1.0)],
)
def test_simple_arbiters_decide_by_their_rule(arbiter, right):
    case = conflict_case(("45天", 0.9, "2023-01-01"), ("45天", 0.2, "2024-01-01"), ("30天", 0.9, "2024-06-01"))
    assert arbiter_scores([case])[arbiter] == right


def test_an_arbiter_that_cannot_tell_scores_by_chance():
    case = conflict_case(("45天", None, None), ("30天", None, None), ("60天", None, None))
    assert arbiter_scores([case])["newest"] == pytest.approx(1 / 3)


def test_figures_say_what_was_kept_and_lost(tmp_path, corrector):
    case = load_cases([written(tmp_path, raw_case())])[0]
    (kept,) = case_figures.refine_cases([case], corrector)
    assert kept.answer_kept is True
    assert kept.needed_kept == (True,)
    assert kept.tie_reported is None
    assert kept.missed == ()
    emptied = corrector.refine(case.query, ["今天天气不错，适合出门散步。"], as_of=case.as_of)
    lost = case_figures.outcome(dataclasses.replace(case, chunks=case.chunks), dataclasses.replace(emptied, chunks=()))
    assert lost.answer_kept is False
    assert lost.decided is False
    assert lost.needed_kept == (False,)
    assert lost.lost > kept.lost


def test_no_text_of_a_frozen_case_is_printed(capsys):
    path = next(p for p in case_files() if p.name.endswith("-frozen.jsonl"))
    assert case_figures.main([str(path), "--worst", "10"]) == 0
    printed = capsys.readouterr().out
    assert "frozen" in printed
    assert not any(c.id in printed or c.query in printed for c in load_cases([path]))
