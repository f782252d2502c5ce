"""``ragclean evaluate``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from chat_server import say
from evaluator_samples import write, written_cases

from ragclean.cli import main, pages
from ragclean.evaluation.archive import EvalReport
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.types import Chunk

OFF = ("--self-check", "off", "--variants", "v0")

APPLICATION = '''
"""An application of a test."""
CALLS = []
BROUGHT = {brought!r}

def answer(question, contexts):
    CALLS.append(question)
    return contexts[0].text if contexts else "I don't know."

async def later(question, contexts):
    return answer(question, contexts)

def bring(question):
    return BROUGHT[question]

def wrong(question, contexts):
    raise RuntimeError("out of order")

NUMBER = 3
'''


@pytest.fixture
def cases(tmp_path):
    return write(written_cases(6), tmp_path / "cases.jsonl")


@pytest.fixture
def app(tmp_path, monkeypatch):
    """The name of a module of the working folder."""
    name = f"rag_of_{re.sub(r'[^a-z0-9]', '_', tmp_path.name.lower())}"
    brought = {c.question: [{"id": x.id, "text": x.text} for x in c.contexts] for c in written_cases(6)}
    (tmp_path / f"{name}.py").write_text(APPLICATION.format(brought=brought), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return name


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "ragclean", *arguments],
        capture_output=True, encoding="utf-8", timeout=120, check=False, **options,
    )  # fmt: skip


# -- what comes out


def test_the_reader_is_checked_run_and_written_to_files(cases, tmp_path, capsys):
    report, page, text = tmp_path / "r.json", tmp_path / "r.html", tmp_path / "r.md"
    code = main(["evaluate", cases, "--reader", "-o", str(report), "--html", str(page), "--markdown", str(text), "--lang", "en"])
    shown = capsys.readouterr()
    assert code == 0
    assert "6 cases, v0, v3: 12 answers, 24 judge calls, up to " in shown.err
    for path in (report, page, text):
        assert f"wrote {path}" in shown.err
    loaded = EvalReport.load(report)
    assert loaded.checked is True
    assert loaded.pipeline.startswith("extractive-reader:1:")
    assert "<html lang=\"en\"" in page.read_text(encoding="utf-8")[:300]
    assert text.read_text(encoding="utf-8").startswith("# ")
    assert "v3" in shown.out
    assert not [p.name for p in tmp_path.iterdir() if "part" in p.name]


@pytest.mark.parametrize(("lang", "word"), [("zh", "退化"), ("en", "degradation")])
def test_tables_are_in_the_language_asked_for_else_in_that_of_the_questions(cases, lang, word, tmp_path, capsys):
    assert main(["evaluate", cases, "--reader", *OFF, "--lang", lang]) == 0
    told = capsys.readouterr().out
    alike = [c for c in written_cases(20) if c.contexts[0].text.isascii() == (lang == "en")]
    assert main(["evaluate", write(alike, tmp_path / "alike.jsonl"), "--reader", *OFF]) == 0
    assert word in told.lower()
    assert word in capsys.readouterr().out.lower()


def test_json_alone_goes_to_standard_output(cases, capsys):
    assert main(["evaluate", cases, "--reader", *OFF, "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["status"] == "unchecked"
    assert "6 cases" in shown.err


def test_the_corrector_on_and_off_writes_a_report_an_arm(cases, tmp_path, capsys):
    out = tmp_path / "r.json"
    assert main(["evaluate", cases, "--reader", "--corrector", "-o", str(out), "--html", str(tmp_path / "c.html"), "--json", "--health"]) == 0
    shown = capsys.readouterr()
    table = json.loads(shown.out)
    assert [f["arm"] for f in table["figures"]] == ["raw", "raw", "vector rerank", "vector rerank", "corrected", "corrected"]
    assert set(table["degradations"]) == {"raw", "vector rerank", "corrected"}
    reports = {p.name: EvalReport.load(p) for p in tmp_path.glob("r.*.json")}
    assert set(reports) == {"r.raw.json", "r.vector-rerank.json", "r.corrected.json"}
    assert {r.checked for r in reports.values()} == {True}
    assert "6 cases, v0, v3: 36 answers" in shown.err
    assert (tmp_path / "c.html").exists()


@pytest.mark.slow
def test_the_corrector_s_table_is_printed(cases, capsys):
    arguments = ["evaluate", cases, "--reader", "--corrector", "--self-check", "off", "-k", "2"]
    assert main(arguments) == 0
    told = capsys.readouterr().out
    assert all(word in told for word in ("原始检索", "向量重排", "校正后", "缩短"))


@pytest.fixture
def stale(tmp_path):
    """Cases of which the first is shown an old version as well."""
    old = Chunk("X200 的保修期为12个月，自购买之日起计算。", id="w00-old", lineage_id="w00-doc", updated_at="2021-03-01")
    first, *others = written_cases(5)
    return write([replace(first, contexts=(*first.contexts, old)), *others], tmp_path / "c.jsonl")


def test_health_lists_old_versions_among_the_contexts(stale, capsys):
    assert main(["evaluate", stale, "--reader", *OFF, "--health", "--json"]) == 0
    health = json.loads(capsys.readouterr().out)["health"]
    assert [(s["lineage_id"], s["stale"], s["reason"]) for s in health["stale"]] == [("w00-doc", ["w00-old"], "older")]
    assert main(["evaluate", stale, "--reader", *OFF, "--health", "--corrector", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["health"] == health


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--corrector"]])
def test_health_is_in_the_tables(stale, more, capsys):
    assert main(["evaluate", stale, "--reader", *OFF, "--health", *more]) == 0
    assert "w00-old" in capsys.readouterr().out


# -- the plan


def test_a_plan_counts_and_makes_no_call(cases, app, capsys):
    assert main(["evaluate", cases, "--app", f"{app}:answer", "--pipeline", "p", "--plan", "--price-answer", "0.5", "--price-judge", "0.01", "--variants", "v3", "--repeats", "2"]) == 0
    shown = capsys.readouterr()
    assert "6 cases, v0, v3: 24 answers, 48 judge calls, up to 12 answers and 180 judge calls more for the self-check, about 20.28 in all" in shown.err
    assert shown.out == ""
    assert app not in sys.modules  # nothing was even imported
    assert main(["evaluate", cases, "--plan", "--price-judge", "1", "--self-check", "off"]) == 0
    assert "about 24.00 in all" in capsys.readouterr().err


def test_what_cannot_be_made_is_said_with_the_way_out(cases, capsys):
    assert main(["evaluate", cases, "--plan", "--variants", "v0,v2"]) == 0
    told = capsys.readouterr().err
    assert "v2 cannot be made of 6 cases (w00: 0 of 3 chunks lie in 0.70..0.85; --nearest takes the nearest to it)" in told
    assert main(["evaluate", cases, "--plan", "--variants", "v0,v2", "--nearest"]) == 0
    assert "cannot be made" not in capsys.readouterr().err


def test_a_corpus_brings_noise_of_its_own(cases, tmp_path, capsys):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"text": f"公告第{'一二三四五六七八'[i]}号：食堂菜单更新，欢迎品尝。"}, ensure_ascii=False) + "\n" for i in range(8)), encoding="utf-8")
    out = tmp_path / "r.json"
    assert main(["evaluate", cases, "--reader", "--self-check", "off", "--variants", "v1", "--corpus", str(corpus), "--noise-count", "2", "--position", "end", "-o", str(out), "--json"]) == 0
    capsys.readouterr()
    added = [i.chunk.text for o in EvalReport.load(out).outcomes for i in o.shown.injected]
    assert added
    assert all(t.startswith("公告第") for t in added)


# -- applications of one's own


@pytest.mark.parametrize("function", ["answer", pytest.param("later", marks=pytest.mark.slow)])
def test_a_function_of_the_working_folder_answers(cases, app, function, tmp_path, capsys):
    out = tmp_path / "r.json"
    assert main(["evaluate", cases, "--app", f"{app}:{function}", "--pipeline", "v7", "-o", str(out), "--json"]) == 0
    report = EvalReport.load(out)
    assert (report.pipeline, report.checked) == ("v7", True)
    assert {c.name: c.passed for c in report.checks}["no change"] is True


def test_contexts_are_brought_by_a_function(app, tmp_path, capsys):
    path = write([replace(c, contexts=()) for c in written_cases(6)], tmp_path / "bare.jsonl")
    out = tmp_path / "r.json"
    arguments = ["evaluate", path, "--app", f"{app}:answer", "--pipeline", "v7", "--retrieve", f"{app}:bring"]
    assert main([*arguments, "-o", str(out), "--json"]) == 0
    assert "6 cases, v0, v3: 12 answers" in capsys.readouterr().err
    report = EvalReport.load(out)
    assert report.checked is True
    assert all(c.contexts for c in report.cases)
    assert main([*arguments, "--corrector", "--self-check", "off", "--json"]) == 0
    assert {f["cases"] for f in json.loads(capsys.readouterr().out)["figures"]} == {6}


def test_answers_that_fail_are_counted_and_not_wrong(cases, app, capsys):
    assert main(["evaluate", cases, "--app", f"{app}:wrong", "--pipeline", "p", *OFF, "--json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert "RuntimeError: out of order" in json.dumps(shown)


def test_an_interrupted_run_resumes_from_its_cache(cases, app, tmp_path, capsys):
    arguments = ["evaluate", cases, "--app", f"{app}:answer", "--pipeline", "p", *OFF, "--json", "--cache", str(tmp_path / "kept")]
    assert main(arguments) == 0
    calls = sys.modules[app].CALLS
    assert len(calls) == 6
    assert main(arguments) == 0
    assert len(calls) == 6


# -- the self-check


def test_an_evaluator_that_fails_its_check_ends_with_3(app, tmp_path, capsys, monkeypatch):
    """A judge that knows nothing: every answer is right."""

    def all_covered(self, question, answer, reference, points):
        return [replace(v, covered=True, contradicted=False, evidence=answer) for v in covered(self, question, answer, reference, points)]

    covered = OfflineJudge.coverage
    monkeypatch.setattr(OfflineJudge, "coverage", all_covered)
    out = tmp_path / "r.json"
    path = write(written_cases(8), tmp_path / "c.jsonl")
    assert main(["evaluate", path, "--app", f"{app}:answer", "--pipeline", "p", "-o", str(out), "--lang", "en"]) == 3
    shown = capsys.readouterr()
    assert "self-check: strangers: correctness of other cases' references: 1.00" in shown.err
    assert "failed its own check" in shown.out
    assert EvalReport.load(out).checked is False
    assert main(["gate", str(out), "--pipeline", "p"]) == 3
    assert "check of itself failed" in capsys.readouterr().err


def test_a_check_that_could_not_be_made_is_said(tmp_path, capsys):
    path = write(written_cases(3), tmp_path / "few.jsonl")
    assert main(["evaluate", path, "--reader", "--json"]) == 0
    told = capsys.readouterr().err
    assert "self-check: it could not be made whole, so that the report gates nothing: oracle (3 cases have a score; 5 are needed)" in told


# -- models behind an endpoint


def served(seen):
    """A model that reads the first passage, and one that judges as the offline judge does."""
    try:
        asked = json.loads(seen.user)
    except ValueError:
        return say(re.search(r"\[1\] ([^\n]+)", seen.user)[1])
    if "claims" in asked:
        chunks = [Chunk(p["text"], id=str(i)) for i, p in enumerate(asked["passages"])]
        verdicts = OfflineJudge().support(asked["question"], asked["answer"], [c["text"] for c in asked["claims"]], chunks)
        items = [{"id": c["id"], "verdict": v.support, "evidence": v.evidence} for c, v in zip(asked["claims"], verdicts, strict=True)]
    else:
        points = OfflineJudge().coverage(asked["question"], asked["answer"], asked["reference"], [p["text"] for p in asked["points"]])
        items = [{"id": p["id"], "verdict": "covered" if v.covered else "contradicted" if v.contradicted else "missing", "evidence": v.evidence or asked["answer"][:20]}
                 for p, v in zip(asked["points"], points, strict=True)]  # fmt: skip
    return say(json.dumps({"items": items}, ensure_ascii=False))


@pytest.mark.slow
def test_a_model_answers_and_another_judges(cases, chat_server, tmp_path, capsys, monkeypatch):
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-answers-0123456789")
    monkeypatch.setenv("JUDGE_KEY", "sk-judges-0123456789")
    chat_server.script = served
    out = tmp_path / "r.json"
    arguments = ["evaluate", cases, "--model", "reader", "--base-url", chat_server.url, "--judge-model", "cheap", "--judge-key-env", "JUDGE_KEY", "--cache", str(tmp_path / "kept"), "-o", str(out), "--json"]
    assert main(arguments) == 0
    report = EvalReport.load(out)
    assert report.checked is True
    assert "cheap@" in report.judge
    assert "reader@" in report.pipeline
    keys = {s.body["model"]: s.headers["authorization"] for s in chat_server.seen}
    assert keys == {"reader": "Bearer sk-answers-0123456789", "cheap": "Bearer sk-judges-0123456789"}
    assert "sk-" not in out.read_text(encoding="utf-8")
    asked = len(chat_server.seen)
    capsys.readouterr()
    assert main(arguments) == 0
    assert len(chat_server.seen) == asked  # nothing is paid for twice
    assert "sk-" not in capsys.readouterr().err


@pytest.mark.slow
def test_a_model_that_judges_its_own_answers_is_warned_of(cases, chat_server, tmp_path, capsys):
    pytest.importorskip("openai")
    chat_server.script = served
    arguments = ["evaluate", cases, "--model", "one", "--base-url", chat_server.url, "--judge-model", "one", "--cache", str(tmp_path / "kept")]
    assert main([*arguments, "--lang", "en"]) == 0
    assert "one judges its own answers" in capsys.readouterr().out
    assert main([*arguments, "--corrector", "--json", "-o", str(tmp_path / "r.json")]) == 0
    assert EvalReport.load(tmp_path / "r.corrected.json").warnings == ("one judges its own answers: figures are biased upward",)


def test_a_judge_s_key_is_its_own_and_no_other_is_sent_instead(cases, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-provider")
    monkeypatch.delenv("JUDGE_KEY", raising=False)
    assert main(["evaluate", cases, "--reader", "--judge-model", "m", "--base-url", "http://127.0.0.1:9/v1", "--judge-key-env", "JUDGE_KEY"]) == 2
    assert "--judge-key-env: the environment has no JUDGE_KEY" in capsys.readouterr().err


# -- what is wrong with the command


@pytest.mark.parametrize(("options", "message"), [
    ([], "name what answers: --app, --model or --reader"),
    (["--reader", "--model", "m"], "name what answers: --app, --model or --reader, only one"),
    (["--app", "a:b"], "--pipeline: name the version of --app"),
    (["--app", "nowhere", "--pipeline", "p"], "--app: expected MODULE:FUNCTION, got 'nowhere'"),
    (["--app", "no_such_module:f", "--pipeline", "p"], "--app no_such_module:f: ModuleNotFoundError"),
    (["--app", "json:nothing", "--pipeline", "p"], "--app json:nothing: AttributeError"),
    (["--app", "json:__doc__", "--pipeline", "p"], "--app json:__doc__: it is no function"),
    (["--reader", "--variants", "v0,v7"], "--variants: expected daily, weekly or some of v0, v1, v2, v3, v4, got 'v0,v7'"),
    (["--reader", "--variants", ","], "--variants: expected daily"),
    (["--reader", "--noise-count", "0"], "--noise-count: expected a whole number from 1 on, got 0"),
    (["--reader", "--concurrency", "none"], "--concurrency: invalid whole number value: 'none'"),
    (["--reader", "--top-k", "0"], "--top-k/-k: expected a whole number from 1 on"),
    (["--reader", "--repeats", "-1"], "--repeats: expected a whole number from 1 on"),
    (["--reader", "--self-check", "maybe"], "--self-check: invalid choice"),
    (["--reader", "--corpus", "none.jsonl"], "none.jsonl: No such file"),
    (["--model", "m", "--base-url", "ftp://x"], "--model: "),
    (["--reader", "-o", "no_such_folder/r.json"], "no_such_folder/r.json: there is no folder no_such_folder"),
    (["--reader", "--html", "."], ".: it is a folder"),
])  # fmt: skip
def test_bad_usage_is_code_2_and_named(cases, options, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", cases, *options]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


def test_bad_files_are_named_with_their_lines(cases, tmp_path, capsys):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "a", "question": "?"}\n[]\n{"id": "b"}\n', encoding="utf-8")
    assert main(["evaluate", cases, str(bad), "--reader"]) == 2
    told = capsys.readouterr().err
    assert "bad.jsonl:2" in told
    assert "bad.jsonl:3" in told
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n", encoding="utf-8")
    assert main(["evaluate", str(empty), "--reader"]) == 2
    assert "there is no case" in capsys.readouterr().err
    assert main(["evaluate", str(tmp_path / "none.jsonl"), "--reader"]) == 2
    assert "none.jsonl: No such file" in capsys.readouterr().err
    assert main(["evaluate", cases, cases, "--reader"]) == 2
    assert "the id 'w00' is used twice" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a pipe's reader cannot be closed there in this way")
def test_a_closed_pipe_ends_quietly(cases):
    code = "import subprocess, sys; p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE); p.stdout.close(); e = p.stderr.read().decode(); sys.exit(f'{p.wait()} {e}')"
    done = subprocess.run([sys.executable, "-c", code, sys.executable, "-m", "ragclean", "evaluate", cases, "--reader", *OFF], capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.stderr.startswith("141 ")
    assert "Traceback" not in done.stderr


# -- files


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch, capsys):
    target = tmp_path / "r.json"
    target.write_text("before", encoding="utf-8")

    def full(self, target):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as at:
        at.setattr("pathlib.Path.replace", full)
        with pytest.raises(pages.CommandError, match="No space left"):
            pages.write(str(target), "after")
    assert target.read_text(encoding="utf-8") == "before"
    assert os.listdir(tmp_path) == ["r.json"]
    pages.write(str(target), "after \ud800")
    assert target.read_text(encoding="utf-8") == "after \\ud800"


@pytest.mark.skipif(os.name == "nt", reason="links need a right of their own there")
def test_a_link_stays_a_link_and_a_device_takes_what_it_is_given(tmp_path, capsys):
    link, target = tmp_path / "latest.json", tmp_path / "r.json"
    target.write_text("before", encoding="utf-8")
    link.symlink_to(target)
    pages.write(str(link), "after")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "after"
    pages.write(os.devnull, "gone")
    assert not os.path.isfile(os.devnull)
