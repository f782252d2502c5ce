"""The page of an evaluation: every figure in words, hostile texts as texts, a size that opens."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_samples import (
    CASES,
    HOSTILE,
    a_comparison,
    a_gate,
    a_health,
    a_sweep,
    hostile_extras,
    hostile_report,
    large_report,
    real_report,
)
from test_page_parts import Seen

from ragclean.evaluation.archive import EvalReport
from ragclean.report import evaluation_cases
from ragclean.report.evaluation_figures import figures_of
from ragclean.report.evaluation_page import evaluation_html
from ragclean.report.page import legible
from ragclean.report.phrases import Phrases

LANGS = ("zh", "en")


def extras(report):
    return {"gate": a_gate(report), "comparison": a_comparison(report, large_report(60, pipeline="other-7", hurt=0.05)), "sweep": a_sweep(), "health": a_health()}


@pytest.fixture(scope="module")
def large():
    return large_report(60)


@pytest.mark.parametrize("lang", LANGS)
def test_every_figure_stands_on_the_page_in_words(large, lang):
    figures, p = figures_of(large, **extras(large)), Phrases(lang)
    text = Seen(evaluation_html(large, lang=lang, **extras(large))).text
    assert p.headline(figures.headline) in text
    for found in figures.degradations:
        assert p.bucket(found.by, found.bucket) in text
        for d in (found.correctness, found.faithfulness):
            below = " · ".join(t for t in (p.interval(d.low, d.high), p("cases_n", n=f"{d.cases:,}"), p.left_out(d)) if t)
            assert p.percent(d.value) + p.grade(d.grade) + below in text
    for a in figures.averages:
        for value in (a.correctness, a.faithfulness_lenient, a.adoption_relevant, a.refusal):
            assert p.share(value) in text
    for bucket in figures.gate.buckets:
        assert p.gate_bucket(bucket) in text
        assert all(reason in text for reason in p.gate_reasons(bucket))
    for difference in (*figures.comparison.means, *figures.comparison.degradations):
        assert p.probability(difference.p) in text
    for point in figures.sweep.points:
        assert p.settings(point.settings) in text
        assert p.lost(point.degradation.worst) in text
    assert p.sweep_reason(figures.sweep) in text
    for name, value in p.head(figures):
        assert name in text
        assert value in text
    for check in large.checks:
        assert p.check(check) in text
        assert p.detail(check) in text
    assert "w-2021" in text
    assert "forum-77" in text
    assert "TimeoutError: no answer within 30 s" in text
    assert p.shortage("1 of 3 chunks lie in 0.70..0.85") in text


def test_a_real_run_is_shown_side_by_side_with_what_was_injected_and_judged():
    report = real_report()
    html = evaluation_html(report, lang="zh")
    text = Seen(html).text
    for failing in figures_of(report).failing:
        assert failing.case.question in text
        assert failing.noisy.answer in text
        for claim in failing.noisy.judgement.claims:
            assert claim.claim in text
            assert claim.evidence in text
        for injected in failing.noisy.shown.injected:
            assert injected.chunk.text in text
    assert "采信矛盾" in text
    assert "来历：旧版本" in text
    assert "注入" in text
    assert html.count("chunk injected") == sum(len(f.noisy.shown.injected) for f in figures_of(report).failing)
    assert "没有回答：TimeoutError: no answer within 30 s" in text


def test_the_evidence_is_marked_in_the_chunk_it_comes_from():
    assert '<mark class="mark-evidence">X200 的保修期为24个月，自发票开具之日起计算</mark>' in evaluation_html(real_report())


@pytest.mark.parametrize("lang", LANGS)
def test_a_report_whose_check_failed_is_marked_invalid_on_top(lang):
    html = evaluation_html(large_report(30, checked=False), lang=lang)
    mark = {"zh": "无效", "en": "INVALID"}[lang]
    seen = Seen(html)
    assert f"[{mark}]" in html[: html.index("</title>")]
    assert mark in seen.text[: seen.text.index("退化" if lang == "zh" else "Degradation ")]
    assert "oracle: correctness of the key points given as answers: 0.41" in seen.text


def test_warnings_stand_on_top():
    html = evaluation_html(replace(large_report(10), warnings=("answers differ from run to run",)), lang="en")
    text = Seen(html).text
    assert text.index("answers differ from run to run") < text.index("How to read this")


def test_a_report_without_a_check_says_so():
    assert "Not checked" in Seen(evaluation_html(large_report(10, checked=None), lang="en")).text


def test_a_passed_report_is_not_marked():
    assert "INVALID" not in evaluation_html(large_report(10), lang="en")


@pytest.mark.parametrize("text", [HOSTILE, "</style><script>alert(1)</script>", "\u202e\ud800\x00", "]]><!--", "保修" * 400], ids=range(5))
def test_hostile_texts_in_every_field_are_text(text):
    html = evaluation_html(hostile_report(text), lang="en", **hostile_extras(text))
    html.encode("utf-8")
    seen = Seen(html)
    clean = Seen(evaluation_html(hostile_report("plain"), lang="en", **hostile_extras("plain")))
    assert set(seen.tags) <= {*clean.tags, "mark"}
    assert seen.tags.count("script") == 1
    assert not seen.comments
    assert not [a for a in seen.attributes if a[1].startswith("on") or a[1] in ("src", "style", "srcdoc")]
    assert all(v.startswith("#") for _, k, v in seen.attributes if k == "href")
    assert legible(text)[:300] in seen.text
    places = [v for _, k, v in seen.attributes if k == "id"]
    assert places == [v for _, k, v in clean.attributes if k == "id"]


def test_a_text_of_a_megabyte_is_cut_and_said_to_be(no_blow_up):
    with no_blow_up():
        html = evaluation_html(hostile_report("<b>" * 333_334), lang="en", **hostile_extras("<b>" * 333_334))
    assert len(html) < 500_000
    assert "more characters, in the JSON report" in html


def test_links_lead_to_places_that_are_there(large):
    seen = Seen(evaluation_html(large, **extras(large)))
    ids = [v for _, k, v in seen.attributes if k == "id"]
    assert len(ids) == len(set(ids))
    assert {v[1:] for _, k, v in seen.attributes if k == "href"} <= set(ids)
    assert {v for _, k, v in seen.attributes if k == "aria-labelledby"} <= set(ids)


def test_hundreds_of_failing_cases_keep_the_page_small_and_say_what_is_left_out(monkeypatch):
    monkeypatch.setattr(evaluation_cases, "MAX_CASES", 40)
    report = large_report(120, hurt=1.0)
    html = evaluation_html(report, lang="en")
    shown = html.count("<details class=\"fold case\"")
    total = len(figures_of(report).failing)
    assert shown == evaluation_cases.MAX_CASES < total
    assert f"The first {shown:,} of {total:,} entries" in html
    assert "JSON report" in html


def test_cases_of_long_texts_are_fewer(monkeypatch):
    monkeypatch.setattr(evaluation_cases, "MAX_CHARACTERS", 40_000)
    html = evaluation_html(large_report(120, hurt=1.0))
    assert 1 <= html.count("<details class=\"fold case\"") < 20
    assert len(html) < 150_000


def test_many_categories_and_checks_are_cut_and_counted():
    report = large_report(130)
    many = replace(report, cases=tuple(replace(c, category=f"category {i}") for i, c in enumerate(report.cases)), checks=report.checks * 50)
    text = Seen(evaluation_html(many, lang="en")).text
    assert "30 more rows, in the JSON report." in text
    assert "50 more rows, in the JSON report." in text


def test_a_report_with_nothing_in_it_is_a_page():
    html = evaluation_html(EvalReport("p", "j", ("v0",), 1, {}, "c", (), ()), lang="en")
    text = Seen(html).text
    assert "No noisy variant was run" in text
    assert "No case fails." in text
    assert "<script" not in html


def test_a_case_without_a_reference_says_that_refusing_is_right():
    report = large_report(5, hurt=1.0)
    cases = tuple(replace(c, reference="", keypoints=()) for c in report.cases)
    assert "refusing is right" in Seen(evaluation_html(replace(report, cases=cases), lang="en")).text


def test_contexts_that_differ_otherwise_are_shown_apart():
    report = real_report()
    other = tuple(replace(o, shown=replace(o.shown, contexts=o.shown.contexts[::-1])) if o.shown.variant == "v0" else o for o in report.outcomes)
    assert "v0 看到的是" in Seen(evaluation_html(report)).text
    text = Seen(evaluation_html(replace(report, outcomes=other))).text
    assert "v0 看到的是" not in text.replace("v4", "")
    assert "v0 无噪声：上下文（3 段，其中注入 0 段）" in text


def test_the_sweep_is_drawn_with_its_best_setting_named():
    html = evaluation_html(large_report(10), lang="zh", sweep=a_sweep())
    assert html.count('class="best"') == 1
    assert html.count('class="point"') == 5
    assert "5 最佳" in html
    bare = replace(a_sweep(), best=None, points=tuple(replace(p, recall=None) for p in a_sweep().points))
    without = Seen(evaluation_html(large_report(10), lang="en", sweep=bare))
    assert "svg" not in without.tags
    assert "6 settings lack one of both" in without.text
    assert "No setting can be told from the others." in without.text


def test_one_setting_alone_can_be_drawn():
    assert "<svg" in evaluation_html(large_report(10), sweep=replace(a_sweep(), points=a_sweep().points[:1], best=0))


def test_questions_stay_in_their_language_whatever_the_pages():
    text = Seen(evaluation_html(real_report(), lang="en")).text
    assert CASES[0].question in text
