"""Replays, comparisons, and the exact sign test."""

import json
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest
from badcase_samples import CANDIDATES, NO_RANKING, QUERY
from rich.console import Console

from ragclean.badcases import (
    STAGES,
    BadCase,
    BadCaseStore,
    Expected,
    Part,
    compare,
    expected_of,
    iter_cases,
    replay,
    replay_case,
)
from ragclean.badcases.comparison import sign_test
from ragclean.calibration.cases import CaseFileError, case_from_dict

RIGHT = {"accepted": ["36个月"], "wrong": ["12个月"], "keep": ["terms"], "drop": ["menu"]}


@pytest.fixture(scope="session")
def strict(with_config):
    return with_config(admission_threshold=0.9, relative_admission=1.0, answer_admission=1.0, judge_floor=1.0)


def case(case_id="a", **expected):
    return BadCase.from_dict(
        {"id": case_id, "query": QUERY, "candidates": [dict(c) for c in CANDIDATES], "as_of": "2025-06-01",
         "expected": expected}
    )  # fmt: skip


def test_a_recorded_case_runs_again_as_it_was(store, result, corrector):
    store.record(result, expected=RIGHT)
    (outcome,) = replay(store, corrector).outcomes
    assert outcome.ok, outcome.explain()
    assert [a.stage for a in outcome.attributions] == ["kept", "kept"]
    again = corrector.refine(QUERY, store.get(outcome.id).candidates, as_of="2025-06-01", **store.get(outcome.id).options)
    assert again.text == result.text


def test_options_of_the_recorded_call_are_used(corrector):
    made = case(keep=["terms", "old"], drop=["menu"])
    assert replay_case(replace(made, options={"top_k": 1}), corrector).lost[0].reason in ("beyond_top_k", "lost_conflict")
    pinned = replay_case(replace(made, options={"pinned": ["menu"]}), corrector)
    assert [(a.kind, a.item) for a in pinned.adopted] == [("chunk", "menu")]


def test_stages_are_counted_and_told(corrector, strict):
    cases = [
        case("fine", accepted=["36个月"]),
        case("asks-too-much", accepted=["99个月"], keep=["menu", "nowhere"]),
        case("adopted", wrong=["36个月"]),
        case("unlabelled"),
    ]
    found = replay(cases, corrector)
    assert found.stages() == {**dict.fromkeys(STAGES, 0), "kept": 1, "not_retrieved": 2, "ranked_out": 1}
    assert [o.id for o in found.judged] == ["fine", "asks-too-much", "adopted"]
    assert [o.id for o in found.losses] == ["asks-too-much"]
    assert [o.ok for o in found.outcomes] == [True, False, False, True]
    assert found.outcomes[1].explain().split("\n") == [
        f"asks-too-much: {QUERY}",
        "  not_retrieved: answer 99个月 (no candidate holds it)",
        found.outcomes[1].explain().split("\n")[2],
        "  not_retrieved: chunk nowhere (no chunk has this id)",
    ]
    assert "ranked_out: chunk menu (" in found.outcomes[1].explain()
    assert "adopted: wrong value 36个月 of terms" in found.outcomes[2].explain()
    plain = json.loads(json.dumps(found.to_dict()))
    assert (plain["cases"], plain["judged"], plain["ok"], plain["adopted"]) == (4, 3, 1, 1)
    assert plain["fingerprint"] == corrector.fingerprint
    page = Console(width=100)
    with page.capture() as shown:
        page.print(found.table())
    assert "1 of 3 cases right, 1 without labels" in shown.get()
    assert all(stage in shown.get() for stage in (*STAGES, "adopted"))


def test_comparing_says_what_was_mended_and_what_broken(corrector, with_config):
    cases = [
        case("right", keep=["terms"], accepted=["36个月"]),
        case("fixed", drop=["old"]),
        case("still-wrong", accepted=["99个月"]),
        case("unlabelled"),
    ]
    lax = with_config(**NO_RANKING, arbitration=False)
    made = compare(iter(cases), lax, corrector)
    assert (made.fixed, made.broken) == (("fixed",), ())
    assert made.unchanged == ("right", "still-wrong")
    back = compare(cases, corrector, lax)
    assert (back.fixed, back.broken) == ((), ("fixed",))
    assert back.p_value == 1.0
    assert back.explain().split("\n")[:2] == [
        "3 cases judged: 2 right before, 1 after",
        "0 fixed, 1 broken, 2 unchanged; sign test p = 1",
    ]
    assert "broken; after: " in back.explain()
    assert "adopted: unwanted chunk old" in back.explain()
    assert json.loads(json.dumps(back.to_dict()))["broken"] == ["fixed"]
    assert compare([], corrector, lax).explain().startswith("0 cases judged: 0 right before, 0 after")


def test_labelled_cases_compare_as_recorded_ones_do(labelled, corrector, strict):
    some = labelled[:6]
    made = compare(some, corrector, strict)
    assert len(made.fixed) + len(made.broken) + len(made.unchanged) == 6
    for side, part in ((made.before, corrector), (made.after, strict)):
        assert side.outcomes == tuple(replay_case(c, part) for c in some)


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (1, 0), (5, 0), (8, 2), (6, 6), (30, 12), (700, 600)])
def test_the_sign_test_is_exact(wins, losses):
    n = wins + losses
    far = abs(wins - losses)
    share = Fraction(sum(comb(n, i) for i in range(n + 1) if abs(n - 2 * i) >= far), 2**n)
    assert sign_test(wins, losses) == pytest.approx(float(share), rel=1e-12)


def test_a_case_that_cannot_be_refined_is_an_error_of_its_own(with_config):
    made = replace(case("a", keep=["terms"]), candidates=(replace(case().candidates[0], source_weight=7.0),))
    outcome = replay_case(made, with_config(on_bad_candidate="raise"))
    assert not outcome.ok
    assert "BadCandidateError" in outcome.explain()
    assert replay([made], with_config(on_bad_candidate="raise")).losses == (outcome,)
    assert replay_case(made, with_config()).ok


def test_labels_of_a_labelled_case_are_expectations():
    made = case_from_dict(
        {"query": "q", "accepted": ["a", " "], "wrong": ["a", "b"], "chunks": [
            {"id": "1", "text": "One. Two.", "must_keep": ["One."], "must_drop": ["Two."]},
            {"id": "2", "text": "Thanks. First this. Bye! Then that.", "keep": True, "drop": ["Thanks.", "Bye!"]},
            {"id": "3", "text": "x", "keep": False}, {"id": "4", "text": "y"}]}
    )  # fmt: skip
    assert expected_of(made) == Expected(
        accepted=("a",), wrong=("b",), keep=("1", "2"), drop=("3",),
        keep_sentences=(Part("1", "One."), Part("2", "First this."), Part("2", "Then that.")),
        drop_sentences=(Part("1", "Two."), Part("2", "Thanks."), Part("2", "Bye!")),
    )  # fmt: skip


def test_both_forms_are_read_from_one_file(tmp_path, labelled):
    path = tmp_path / "cases.jsonl"
    rows = [case("a", keep=["terms"]).to_dict(), labelled[0].to_dict(), {"query": "q", "candidates": []}]
    path.write_text("\n".join(json.dumps(r) for r in rows) + "\n\n", encoding="utf-8")
    first, second, third = iter_cases(path)
    assert (first, second, third.id) == (case("a", keep=["terms"]), labelled[0], "line-3")
    path.write_text(json.dumps(rows[0]) + '\n{"query": "q", "chunks": []}\n', encoding="utf-8")
    with pytest.raises(CaseFileError, match=r"cases\.jsonl:2: chunks: expected a list"):
        list(iter_cases(path))


def test_a_store_is_replayed_one_case_at_a_time(tmp_path, result, corrector):
    with BadCaseStore(tmp_path / "cases.sqlite3") as store:
        ids = [store.record(result, expected=RIGHT) for _ in range(3)]
        assert [o.id for o in replay(store, corrector).outcomes] == ids
        assert [o.id for o in replay(store.cases(verdict="good"), corrector).outcomes] == []
