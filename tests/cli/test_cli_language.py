"""``--lang`` and the environment: what every command says in Chinese and in English, and on which terminals."""

from __future__ import annotations

import argparse
import importlib
import io
import json
import os
import re
import string
import subprocess
import sys

import pytest
from evaluator_samples import write, written_cases

from ragclean.cli import language, main
from ragclean.cli.app import build_parser
from ragclean.report.trace_wording import TRACE_WORDS

TABLES = {
    "cli.frame_words": "FRAME_WORDS", "cli.refine_words": "REFINE_WORDS", "cli.doctor_words": "DOCTOR_WORDS",
    "cli.badcase_words": "BADCASE_WORDS", "cli.case_words": "CASE_WORDS", "calibration.outcome_words": "OUTCOME_WORDS",
    "cli.evaluation_words": "EVALUATION_WORDS", "badcases.replay_words": "REPLAY_WORDS",
}  # fmt: skip
#: Commands that report nothing in words: the script of a shell.
WORDLESS = {"completion"}
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def parsers(parser=None, name=""):
    """Every command and action that does something, by name."""
    for action in (parser or build_parser())._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub, found in action.choices.items():
                inner = dict(parsers(found, f"{name} {sub}".strip()))
                yield from inner.items() if inner else [(f"{name} {sub}".strip(), found)]


COMMANDS = dict(parsers())


# -- which language


@pytest.mark.parametrize(("environment", "lang"), [
    ({"LANG": "zh_CN.UTF-8"}, "zh"), ({"LANG": "en_GB.UTF-8"}, "en"), ({}, "en"), ({"LANG": "ZH_tw"}, "zh"),
    ({"LANG": "en_US", "LC_MESSAGES": "zh_CN"}, "zh"), ({"LANG": "zh_CN", "LC_MESSAGES": "C"}, "en"),
    ({"LANG": "zh_CN", "LC_MESSAGES": "zh_CN", "LC_ALL": "C"}, "en"), ({"LANG": "zh_CN", "LC_ALL": ""}, "zh"),
])  # fmt: skip
def test_the_first_variable_that_is_set_names_the_language(environment, lang, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language.of(argparse.Namespace(lang=None)) == lang
    assert language.of(argparse.Namespace()) == lang
    assert language.of(argparse.Namespace(lang="en")) == "en"
    assert language.of(argparse.Namespace(lang="zh")) == "zh"


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - WORDLESS))
def test_every_command_takes_a_language_and_none_is_its_default(command):
    action = next(a for a in COMMANDS[command]._actions if "--lang" in a.option_strings)
    assert (set(action.choices), action.default) == ({"zh", "en"}, None)


# -- the words


@pytest.mark.parametrize("module", TABLES)
def test_both_languages_have_all_words_with_the_same_places(module):
    table = getattr(importlib.import_module(f"ragclean.{module}"), TABLES[module])
    for key, (chinese, english) in table.items():
        places = [{name for _, name, _, _ in string.Formatter().parse(words) if name} for words in (chinese, english)]
        assert places[0] == places[1], key
        assert not CHINESE.search(english), key


def test_every_warning_of_the_documentation_has_chinese_words(root):
    page = (root / "docs" / "warnings.md").read_text(encoding="utf-8").partition("\n### ")[0]
    codes = {code for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for code in re.findall(r"`(\w+)`", row)}
    assert len(codes) > 20
    assert codes - {key.removeprefix('caution_') for key in TRACE_WORDS} == set()


# -- what is said


@pytest.fixture
def chinese(monkeypatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")


@pytest.fixture
def chunks(tmp_path):
    path = tmp_path / "chunks.jsonl"
    path.write_text('{"id": "a", "text": "水泵整机保修期为36个月。感谢惠顾。"}\n{"id": "b"}\n', encoding="utf-8")
    return str(path)


def both(arguments, capsys, code=0):
    """What a command says in a Chinese environment, and there with ``--lang en``."""
    told = []
    for more in ([], ["--lang", "en"]):
        assert main([*arguments, *more]) == code
        told.append(capsys.readouterr())
    return told


def test_refine_warns_and_explains(chinese, chunks, tmp_path, capsys):
    page = tmp_path / "p.html"
    zh, en = both(["refine", "-q", "水泵保修多久？", "--explain", "--html", str(page), chunks], capsys)
    assert zh.out == en.out
    assert "警告：有候选段落或其字段无法读取（bad_candidate: " in zh.err
    assert "保留  a：" in zh.err and f"已写入 {page}" in zh.err
    assert "warning: bad_candidate: " in en.err and "kept    a: " in en.err and f"wrote {page}" in en.err
    assert 'lang="en"' in page.read_text(encoding="utf-8")


def test_doctor(chinese, capsys):
    zh, en = both(["doctor"], capsys)
    assert zh.out.splitlines()[-1] == "一切正常"
    assert "自检：答案已保留，广告已剔除" in zh.out
    assert en.out.splitlines()[-1] == "everything is in order"


def test_bad_cases(chinese, tmp_path, capsys):
    store, lines = str(tmp_path / "s.sqlite3"), tmp_path / "cases.jsonl"
    row = {"id": "a", "query": "保修多久？", "candidates": [{"id": "t", "text": "保修期24个月。"}], "recorded_at": "2025-06-01T08:00:00Z"}
    rows = [row, {**row, "id": "b", "verdict": "noise", "expected": {"drop": ["t"]}}]
    lines.write_text("\n".join(json.dumps(r) for r in rows), encoding="utf-8")
    assert main(["badcases", "import", store, str(lines)]) == 0
    assert capsys.readouterr().out == "新增 2 个案例，替换 0 个，已有 0 个\n"
    zh, en = both(["badcases", "list", store], capsys)
    assert "未判定" in zh.out and "已标注" in zh.out and "unreviewed" in en.out and "labelled" in en.out
    zh, en = both(["label", store, "--show"], capsys)
    assert (zh.out, en.out) == ("2 个案例中还有 1 个待标注\n", "1 of 2 cases to label\n")
    zh, en = both(["badcases", "export-cases", store, str(tmp_path / "out.jsonl")], capsys)
    assert zh.err == "未计入：a：没有标注任何段落或句子\n" and en.err == "left out: a: no chunk or sentence has a label\n"


def test_the_walks_ask_in_chinese(chinese, tmp_path, monkeypatch, capsys):
    log, drafts = tmp_path / "log.jsonl", str(tmp_path / "d.jsonl")
    log.write_text('{"question": "保修多久？", "contexts": [{"id": "t", "text": "保修期24个月。"}], "answer": "24个月"}\n', encoding="utf-8")
    assert main(["cases", "build", "-o", drafts, "--log", str(log)]) == 0
    assert "其中 1 个还缺参考答案或答案片段" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.StringIO("u\ng\nt\na\n"))
    assert main(["cases", "review", drafts, "-o", str(tmp_path / "c.jsonl")]) == 0
    shown = capsys.readouterr()
    assert all(words in shown.out for words in ("缺少：    参考答案、答案片段", "应用回答：24个月", "u 采用此回答  a 采纳", "含答案的段落的 id"))
    assert "已采纳 1 个" in shown.out and "已将 1 个用例写入" in shown.err
    store, lines = str(tmp_path / "s.sqlite3"), tmp_path / "bad.jsonl"
    lines.write_text('{"id": "a", "query": "q", "candidates": [{"id": "t", "text": "保修期24个月。"}], "recorded_at": "2025-06-01"}\n', encoding="utf-8")
    assert main(["badcases", "import", store, str(lines)]) == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("k\ng\n"))
    assert main(["label", store]) == 0
    shown = capsys.readouterr().out
    assert all(words in shown for words in ("案例 a（记录于 2025-06-01，判断日期：今天）", "当时的运行没有提到它；标注：无", "a 的判定：尚无", "k 保留  d 剔除"))


def numbers(text):
    return re.findall(r"[-+]?\d+\.\d{2,}", text)


def test_calibrate_has_the_same_figures(chinese, few, tmp_path, capsys):
    zh, en = both(["calibrate", few, "--folds", "2", "-o", str(tmp_path / "c.json")], capsys)
    assert "留出 F1" in zh.out and "警告：8 个用例偏少" in zh.out and "已写入" in zh.err
    assert numbers(zh.out) == numbers(en.out)


def test_replay_has_the_same_figures(chinese, few, tmp_path, capsys):
    config = tmp_path / "c.json"
    config.write_text('{"arbitration": false}', encoding="utf-8")
    zh, en = both(["replay", few, "--against", str(config)], capsys)
    assert "个案例中有" in zh.out and "符号检验 p = " in zh.out
    counts = [[re.findall(r"\d+", row) for row in said.out.splitlines() if row.startswith("│")] for said in (zh, en)]
    assert [c[:4] for c in counts[0]] == [c[:4] for c in counts[1]]
    assert re.search("符号检验 p = (.*)", zh.out)[1] == re.search("sign test p = (.*)", en.out)[1]


def test_notes_of_evaluate_follow_the_environment_and_tables_the_questions(chinese, tmp_path, capsys):
    cases = write(written_cases(3), tmp_path / "c.jsonl")
    zh, en = both(["evaluate", cases, "--plan", "--variants", "v0,v2", "--price-judge", "1"], capsys)
    assert "3 个用例，v0、v2：" in zh.err and "总费用约" in zh.err and "--nearest 则取最接近的段落" in zh.err
    assert "3 cases, v0, v2: " in en.err and "v2 cannot be made of 3 cases" in en.err
    zh, _ = both(["evaluate", cases, "--reader", "--variants", "v0"], capsys)
    assert "自检未能做全" in zh.err


def test_canary_and_cases_and_audit(chinese, tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    log.write_text('{"scores": [0.9]}\n{\n', encoding="utf-8")
    zh, en = both(["canary", str(log)], capsys, code=2)
    assert "共 1 次查询" in zh.out and "有 1 行无法读取" in zh.err and "1 queries" in en.out
    docs, drafts = tmp_path / "docs.jsonl", str(tmp_path / "d.jsonl")
    docs.write_text('{"id": "t", "text": "水泵整机保修期为36个月，自开票之日起计算。"}\n', encoding="utf-8")
    zh, en = both(["cases", "build", "-o", drafts, "--documents", str(docs)], capsys)
    assert zh.out == f"已在 {drafts} 中新增 1 个草稿，原有 0 个\n" and "草稿 1 个" in zh.err
    assert en.out == f"0 drafts added to {drafts}, 1 were there\n"
    zh, en = both(["cases", "review", drafts, "--show"], capsys)
    assert zh.out == "1 个草稿中还有 1 个待审核，已采纳 0 个，已放弃 0 个\n" and en.out.startswith("1 of 1 drafts")
    zh, en = both(["audit", str(docs), "--as-of", "2025-06-01"], capsys)
    assert zh.out.startswith("1 个页面，以 2025-06-01 为准：0 处矛盾") and en.out.startswith("1 page as of 2025-06-01: 0 con")


def test_the_frame_of_an_error_is_in_the_language_and_its_fields_are_english(chinese, chunks, capsys):
    zh, en = both(["refine"], capsys, code=2)
    assert zh.err == "ragclean: 错误：the following arguments are required: --query/-q（用法见 'ragclean refine --help'）\n"
    assert en.err == "ragclean: error: the following arguments are required: --query/-q (try 'ragclean refine --help')\n"
    zh, en = both(["refine", "-q", "x", "/no/such/file"], capsys, code=2)
    assert zh.err.startswith("ragclean: 错误：/no/such/file: ") and en.err.startswith("ragclean: error: /no/such/file: ")


# -- terminals and locales


def poor(**more):
    """An environment in which Python's streams are ASCII: no UTF-8 mode, no other locale in its place."""
    kept = {k: v for k, v in os.environ.items() if k not in ("LANG", "LC_ALL", "LC_MESSAGES", "LC_CTYPE", "PYTHONIOENCODING")}
    return {**kept, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LANG": "C", **more}


@pytest.mark.parametrize("arguments", [
    pytest.param(["doctor"], marks=pytest.mark.slow), ["refine", "-q", "pump?", "--json", "--explain", "CHUNKS"],
])  # fmt: skip
def test_a_plain_locale_without_utf8_does_not_crash(arguments, chunks):
    done = subprocess.run(
        [sys.executable, "-m", "ragclean", *(chunks if a == "CHUNKS" else a for a in arguments), "--lang", "zh"],
        capture_output=True, timeout=120, check=False, env=poor(PYTHONIOENCODING="ascii:strict"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert CHINESE.search((done.stdout + done.stderr).decode("utf-8"))


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
def test_an_ascii_terminal_gets_json_that_can_be_read(chunks):
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "ragclean", "refine", "-q", "pump?", "--json", chunks],
        stdout=theirs, stderr=subprocess.DEVNULL, env=poor(),
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
        assert process.wait(60) == 0
    os.close(ours)
    assert shown.isascii()
    assert "36个月" in json.dumps(json.loads(shown), ensure_ascii=False)
