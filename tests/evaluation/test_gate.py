"""The verdict on a release: by hand, refused input, what CI reads, and how often it is right."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from eval_samples import answerer, case, cases_of, draw, outcome, outcomes

from ragclean.evaluation import gating as module
from ragclean.evaluation.gating import GateError, ReportHead, detectable, gate, holm, printable, tails

HEAD = ReportHead("p1", "j1", True, "2025-06-01")
UNTOUCHED, LOST = (1.0, 1.0), (1.0, 0.0)


def _gate(of, critical=("退货",), head=HEAD, **more):
    """A gate over {category: pairs of correctness}."""
    found, cases = [], []
    for i, (category, pairs) in enumerate(of.items()):
        runs = outcomes(pairs, prefix=f"{i}-")
        found += runs
        cases += cases_of(runs, category)
    return gate(found, cases, head, releasing="p1", critical=critical, **more)


def test_the_three_outcomes_and_their_exit_codes():
    passed = _gate({"退货": [UNTOUCHED] * 100, "其他": [LOST] * 5 + [UNTOUCHED] * 95})
    assert (passed.verdict, passed.exit_code) == ("pass", 0)
    blocked = _gate({"退货": [LOST] * 30 + [UNTOUCHED] * 70, "其他": [UNTOUCHED] * 100})
    assert (blocked.verdict, blocked.exit_code) == ("blocked", 1)
    assert [b.verdict for b in blocked.buckets] == ["blocked", "pass"]
    few = _gate({"退货": [UNTOUCHED] * 10, "其他": [UNTOUCHED] * 100})
    assert (few.verdict, few.exit_code) == ("inconclusive", 4)


def test_what_blocks_a_critical_category_does_not_block_another():
    pairs = [LOST] * 26 + [UNTOUCHED] * 174
    assert _gate({"a": [*pairs, *[LOST] * 20]}, critical=("a",)).verdict == "blocked"
    assert _gate({"a": pairs}, critical=()).verdict == "pass"
    assert _gate({"a": pairs}, critical=("a",)).verdict == "inconclusive"


def test_either_figure_blocks():
    found = outcomes([UNTOUCHED] * 100, faithful=[LOST] * 40 + [UNTOUCHED] * 60)
    verdict = gate(found, cases_of(found), HEAD, releasing="p1")
    assert verdict.verdict == "blocked"
    assert [t.verdict for t in verdict.buckets[0].tests] == ["pass", "blocked"]
    assert verdict.buckets[0].reason.startswith("faithfulness lost 40.0 %")


def test_another_variant_can_be_asked_for():
    found = outcomes([LOST] * 50, variant="v3") + [o for o in outcomes([UNTOUCHED] * 50, variant="v1") if o.shown.variant == "v1"]
    assert gate(found, cases_of(found), HEAD, releasing="p1").verdict == "blocked"
    assert gate(found, cases_of(found), HEAD, releasing="p1", variant="v1").verdict == "pass"


def test_too_few_cases_say_which_degradation_they_would_show():
    few = _gate({"退货": [LOST] * 2 + [UNTOUCHED] * 18})
    test = few.buckets[0].tests[0]
    assert "too few cases to tell" in test.reason
    assert "20 cases" in test.reason
    assert 0.25 < test.detectable < 0.6
    assert f"{100 * test.detectable:.1f} %" in test.reason


def test_small_categories_are_taken_together_and_critical_ones_are_not():
    of = {"退货": [UNTOUCHED] * 60, "a": [UNTOUCHED] * 25, "b": [UNTOUCHED] * 25, "c": [UNTOUCHED] * 50}
    verdict = _gate(of)
    assert [(b.name, b.critical, b.limit, b.categories) for b in verdict.buckets] == [
        ("退货", True, 0.1, ("退货",)), ("c", False, 0.2, ("c",)), ("(small categories)", False, 0.2, ("a", "b")),
    ]  # fmt: skip
    assert verdict.verdict == "pass"
    assert [b.name for b in _gate({"退货": [UNTOUCHED] * 60, "a": [UNTOUCHED] * 5}).buckets] == ["退货", "a"]


def test_many_failures_cannot_pass():
    found = outcomes([UNTOUCHED] * 100)
    broken = [outcome(f"x{i}", "v3", failed="timeout") for i in range(20)] + [outcome(f"x{i}", "v0") for i in range(20)]
    verdict = gate(found + broken, cases_of(found + broken), HEAD, releasing="p1")
    assert verdict.verdict == "inconclusive"
    assert "20 cases failed" in verdict.buckets[0].reason


def test_a_base_that_is_too_low_is_inconclusive():
    verdict = _gate({"退货": [(0.0, 0.0)] * 100})
    assert verdict.verdict == "inconclusive"
    assert "the base mean is below 0.2" in verdict.explain()


def test_a_category_without_any_score_is_inconclusive():
    found = outcomes([(None, None)] * 50, faithful=[(None, None)] * 50)
    verdict = gate(found, cases_of(found), HEAD, releasing="p1")
    assert verdict.verdict == "inconclusive"
    assert "no case has a score" in verdict.explain()


def test_what_blocks_is_explained_first():
    lines = _gate({"退货": [UNTOUCHED] * 100, "b": [LOST] * 60 + [UNTOUCHED] * 40, "c": [UNTOUCHED] * 5}).explain().splitlines()
    assert lines[0] == "blocked: pipeline p1, v3 against v0"
    assert [line.split(":")[0] for line in lines[1:]] == ["blocked", "inconclusive", "pass"]
    assert lines[3].startswith("pass: 退货 (critical): correctness lost 0.0 %")


@pytest.mark.parametrize(("head", "more", "code", "message"), [
    (ReportHead("p2", "j", True), {}, 2, "of pipeline 'p2', not of 'p1'"),
    (ReportHead("p1", "j", False), {}, 3, "check of itself failed"),
    (ReportHead("p1", "j"), {}, 3, "was not made"),
    (HEAD, {"variant": "v4"}, 2, "'v4' has no degradation"),
    (HEAD, {"variant": "v1"}, 2, "was shown v1: 退货"),
    (HEAD, {"critical": ("refund", "退货")}, 2, "was shown v3: refund"),
    (HEAD, {"limit": 20}, 2, "limit is a share between 0 and 1, got 20"),
    (HEAD, {"critical_limit": 0.0}, 2, "critical_limit is a share between 0 and 1, got 0.0"),
])  # fmt: skip
def test_bad_input_is_refused(head, more, code, message):
    with pytest.raises(GateError, match=message) as caught:
        _gate({"退货": [UNTOUCHED] * 5}, head=head, **more)
    assert caught.value.exit_code == code


def test_a_report_without_the_variant_or_with_other_cases_is_refused():
    with pytest.raises(GateError, match=r"no outcome of v3$"):
        gate([outcome("a", "v0")], [case("a")], HEAD, releasing="p1")
    with pytest.raises(GateError, match=r"not given: a$"):
        gate([outcome("a", "v0"), outcome("a", "v3")], [], HEAD, releasing="p1")


def test_json_says_all_of_it():
    verdict = _gate({"退货": [LOST] * 30 + [UNTOUCHED] * 70, "其他": [(0.0, 0.0)] * 100})
    found = json.loads(verdict.to_json())
    assert (found["verdict"], found["exit_code"], found["variant"]) == ("blocked", 1, "v3")
    assert found["head"] == {"pipeline": "p1", "judge": "j1", "checked": True, "date": "2025-06-01"}
    assert found["buckets"][0]["tests"][0]["decline"]["value"] == pytest.approx(0.3)
    assert found["buckets"][1]["tests"][0]["p_above"] is None
    assert "退货" in verdict.to_json()


def test_junit_is_read_by_a_parser_whatever_a_category_is_called():
    name = '<退货> & "怪" ]]> \x00\x1b\ud800\ufffe]'
    of = {name: [LOST] * 30 + [UNTOUCHED] * 70, "b": [UNTOUCHED] * 60, "c": [LOST] + [UNTOUCHED] * 4}
    text = _gate(of, critical=(name,)).to_junit()
    root = ElementTree.fromstring(text.encode("utf-8"))
    assert root.tag == "testsuites"
    assert {k: root.get(k) for k in ("tests", "failures", "errors")} == {"tests": "3", "failures": "1", "errors": "1"}
    cases = {c.get("name"): c for c in root.iter("testcase")}
    assert list(cases) == ['<退货> & "怪" ]]> ] (critical)', "b", "c"]
    assert next(iter(cases.values())).find("failure").get("type") == "blocked"
    assert "too few cases" in cases["c"].find("error").text
    assert cases["b"].find("failure") is None
    assert {p.get("name"): p.get("value") for p in root.iter("property")}["pipeline"] == "p1"
    assert text.startswith("<?xml version='1.0' encoding='utf-8'?>")


@pytest.mark.parametrize("char", ["\x00", "\x08", "\x0b", "\x1f", "\ud800", "\ufffe", "\uffff"])
def test_characters_that_xml_cannot_hold_are_removed(char):
    assert printable(f"a{char}b\n\t中😀") == "ab\n\t中😀"


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == [True, False, False, True]
    assert holm([0.013, 0.001, 0.018, 0.04]) == [True, True, True, True]
    assert holm([]) == []
    assert holm([0.05]) == [True]


def test_more_buckets_need_more_evidence():
    """18 of 100 lost: beyond 10 % on its own, and not as the worst of eighteen figures."""
    lost = [LOST] * 18 + [UNTOUCHED] * 82
    found = outcomes(lost, faithful=[(None, None)] * 100)
    alone = gate(found, cases_of(found, "退货"), HEAD, releasing="p1", critical=("退货",))
    assert alone.buckets[0].tests[0].p_above == pytest.approx(0.022, abs=0.005)
    many = _gate({"退货": lost, **{str(i): [UNTOUCHED] * 50 for i in range(8)}})
    assert (alone.verdict, many.buckets[0].verdict) == ("blocked", "inconclusive")


def test_what_can_be_detected_falls_with_the_cases():
    least = {n: detectable(np.ones((n, 2)), 0.1) for n in (1, 20, 50, 100, 1000)}
    assert least[1] is None
    assert least[20] > least[50] > least[100] > least[1000] > 0.1


#: Draws where what is measured lies well off its bound: 600 tell 85 % to within 3 %, twice the standard error.
RUNS = 600


def _rates(truth, limit, profile="ordinary", gain=0.02, runs=2000, n=100):
    """How often so many cases block, and pass, at that limit."""
    known, rng = answerer(profile, truth, gain), np.random.default_rng(99)
    p = np.array([tails(draw(known, n, rng), limit, seed) for seed in range(runs)])
    return float((p[:, 0] <= 0.05).mean()), float((p[:, 1] <= 0.05).mean())


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["ordinary", "strong", "yes or no"])
def test_verdicts_at_a_hundred_cases(profile, monkeypatch):
    """One figure of one bucket; what more buckets and weaker answerers cost is in the decision."""
    monkeypatch.setattr(module, "DRAWS", 2000)
    blocked, passed = _rates(0.25, 0.1, profile, runs=RUNS)
    assert blocked >= 0.8
    assert passed <= 0.05
    blocked, passed = _rates(0.02, 0.1, profile, runs=RUNS)
    assert passed >= 0.8
    assert blocked <= 0.05
    blocked, passed = _rates(0.40, 0.2, profile, runs=RUNS)
    assert blocked >= 0.8
    assert passed <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.1, 0.2])
@pytest.mark.parametrize("profile", ["strong", "weak"])
def test_at_the_limit_itself_few_verdicts_are_wrong(profile, limit, monkeypatch):
    """Where the truth is the limit, and a hair more makes the other verdict wrong: about 5 % at most.

    2000 runs tell 5 % to within 1 %, twice the standard error.
    """
    monkeypatch.setattr(module, "DRAWS", 2000)
    blocked, passed = _rates(limit, limit, profile)
    assert blocked <= 0.06
    assert passed <= 0.06


@pytest.mark.slow
def test_ten_figures_at_their_limits_rarely_block_wrongly(monkeypatch):
    monkeypatch.setattr(module, "DRAWS", 2000)
    known, rng = answerer("yes or no", 0.1, 0.02), np.random.default_rng(3)
    wrong = sum(any(holm([tails(draw(known, 100, rng), 0.1, 10 * run + i)[0] for i in range(10)])) for run in range(400))
    assert wrong / 400 <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 100, 200])
def test_what_is_called_detectable_is_found_in_eight_of_ten_or_more(n, monkeypatch):
    monkeypatch.setattr(module, "DRAWS", 2000)
    least = detectable(draw(answerer("ordinary", 0.05, 0.02), n, np.random.default_rng(5)), 0.1)
    assert 0.75 <= _rates(least, 0.1, runs=500, n=n)[0] <= 0.97
