"""The gate as a test: which tests pass, fail and are skipped, and what they say; each is run by a pytest of its own."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from eval_samples import cases_of, outcomes

from ragclean.evaluation import EvalReport, pytest_gate

pytest_plugins = ["pytester"]

# Imported above, so that the runs within this process need not load the library anew each time.
CONFTEST = f'pytest_plugins = ["{pytest_gate.__name__}"]'

# Plugins of this suite that the runs do without; loading one of them for each takes seconds.
QUICK = ("-p", "no:hypothesispytest", "-p", "no:cacheprovider")

UNTOUCHED, LOST = (1.0, 1.0), (1.0, 0.0)
GOOD = [UNTOUCHED] * 100
BAD = [LOST] * 40 + [UNTOUCHED] * 60
FEW = [UNTOUCHED] * 10


def report(of, checked=True):
    """A report on the pipeline v2, of {category: pairs of correctness under v0 and v3}."""
    found, cases = [], []
    for i, (category, pairs) in enumerate(of.items()):
        runs = outcomes(pairs, prefix=f"{i}-")
        found += runs
        cases += cases_of(runs, category)
    return EvalReport("v2", "judge", ("v0", "v3"), 1, {}, "", tuple(cases), tuple(found), checked=checked)


@pytest.fixture
def ran(pytester):
    """Runs a test whose body is given, with the plugin loaded as its users load it."""
    pytester.makeconftest(CONFTEST)

    def run(body, of=None, *options, checked=True):
        if of is not None:
            report(of, checked).save(pytester.path / "report.json")
        pytester.makepyfile("import os\n\ndef test_release(ragclean_gate, tmp_path):\n    " + body.replace("\n", "\n    "))
        return pytester.runpytest_inprocess("-q", "-rA", *QUICK, *options)

    return run


CALL = 'ragclean_gate("report.json", releasing="v2", critical=["price"])'


def test_a_good_report_lets_the_test_go_on_with_the_verdict(ran):
    result = ran(f"gate = {CALL}\nassert gate.verdict == 'pass'\nassert gate.buckets[0].critical", {"price": GOOD})
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*pass: pipeline v2, v3 against v0*", "*pass: price (critical): correctness lost*"])


def test_a_blocked_release_fails_with_what_the_gate_says_and_no_traceback(ran):
    result = ran(CALL, {"price": BAD, "other": GOOD})
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*ragclean gate: blocked: pipeline v2*", "*blocked: price (critical): correctness lost 40.0 %*", "*pass: other*"]
    )
    result.stdout.no_fnmatch_line("*pytest_gate.py*")


@pytest.mark.parametrize(
    "choice, outcome", [("", "failed"), (', inconclusive="fail"', "failed"), (', inconclusive="skip"', "skipped"), (', inconclusive="pass"', "passed")]
)
def test_too_few_cases_fail_unless_told_otherwise(ran, choice, outcome):
    result = ran(CALL.replace(")", f"{choice})"), {"price": FEW})
    result.assert_outcomes(**{outcome: 1})
    result.stdout.fnmatch_lines(["*inconclusive: price (critical): *too few cases to tell*"])


@pytest.mark.parametrize("choice", ["skip", "pass"])
def test_a_blocked_release_is_not_excused_with_the_inconclusive_ones(ran, choice):
    ran(CALL.replace(")", f', inconclusive="{choice}")'), {"price": BAD, "other": FEW}).assert_outcomes(failed=1)


@pytest.mark.parametrize("choice", ["fail", "skip", "pass"])
def test_a_report_that_cannot_be_judged_fails_whatever_was_chosen(ran, choice):
    call = f'ragclean_gate("report.json", releasing="RELEASING", inconclusive="{choice}")'
    result = ran(call.replace("RELEASING", "v3"), {"price": GOOD})
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no verdict: the report is of pipeline 'v2', not of 'v3'*"])
    result = ran(call.replace("RELEASING", "v2"), {"price": GOOD}, checked=None)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no verdict: the evaluator's check of itself was not made*"])


def test_no_report_and_a_file_that_is_none_fail_by_name(ran, pytester):
    result = ran(CALL)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*report.json: No such file or directory*"])
    (pytester.path / "report.json").write_text('{"schema": 0}', encoding="utf-8")
    result = ran(CALL)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*report.json: schema: this version reads*"])


def test_a_relative_path_begins_where_pytest_was_started(ran):
    ran(f"os.chdir(tmp_path)\n{CALL}", {"price": GOOD}).assert_outcomes(passed=1)


def test_a_report_in_memory_serves_as_well(ran):
    load = "from ragclean.evaluation import EvalReport\nreport = EvalReport.load('report.json')\n"
    ran(f"{load}ragclean_gate(report, releasing='v2')", {"price": BAD}).assert_outcomes(failed=1)


def test_one_critical_category_may_be_a_plain_string(ran):
    result = ran('gate = ragclean_gate("report.json", releasing="v2", critical="price")\nassert gate.buckets[0].critical', {"price": GOOD})
    result.assert_outcomes(passed=1)


def test_other_limits_and_variants_are_passed_on(ran):
    ran(CALL.replace(")", ", critical_limit=0.6)"), {"price": BAD}).assert_outcomes(passed=1)
    result = ran(CALL.replace(")", ', variant="v1")'), {"price": GOOD})
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no verdict: no case of the critical category was shown v1: price*"])


def test_a_choice_that_is_none_is_named(ran):
    result = ran(CALL.replace(")", ', inconclusive="warn")'), {"price": GOOD})
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*ValueError: inconclusive: expected fail, skip or pass, got 'warn'*"])


def test_junit_has_the_verdict_as_a_property(ran, pytester):
    ran(CALL, {"price": FEW}, "--junitxml=out.xml").assert_outcomes(failed=1)
    found = ElementTree.parse(pytester.path / "out.xml").find(".//property[@name='ragclean_gate']")
    assert found is not None
    assert found.get("value") == "inconclusive"


@pytest.mark.slow
def test_the_fixture_loads_in_a_process_of_its_own(pytester):
    report({"price": GOOD}).save(pytester.path / "report.json")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(f"def test_release(ragclean_gate):\n    {CALL}")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
