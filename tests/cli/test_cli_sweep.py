"""``ragclean sweep``."""

from __future__ import annotations

import json
import re
import sys

import pytest
from evaluator_samples import write, written_cases

from ragclean.cli import main

RETRIEVER = '''
"""A retriever of a test."""
BROUGHT = {brought!r}

def answer(question, contexts):
    return contexts[-1].text if contexts else "I don't know."

def retriever(k):
    return lambda question: BROUGHT[question][:k]
'''


@pytest.fixture
def cases(tmp_path):
    return write(written_cases(6), tmp_path / "cases.jsonl")


@pytest.fixture
def app(tmp_path, monkeypatch):
    name = f"sweep_of_{re.sub(r'[^a-z0-9]', '_', tmp_path.name.lower())}"
    brought = {c.question: [{"id": x.id, "text": x.text} for x in c.contexts[::-1]] for c in written_cases(6)}
    (tmp_path / f"{name}.py").write_text(RETRIEVER.format(brought=brought), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return name


def test_settings_of_the_corrector(cases, tmp_path, capsys):
    page = tmp_path / "s.html"
    assert main(["sweep", cases, "--reader", "--set", "top_k=1,2", "--set", "admission_threshold=0.42,0.9", "--html", str(page), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [p["settings"] for p in shown["points"]] == [
        {"top_k": 1, "admission_threshold": 0.42}, {"top_k": 1, "admission_threshold": 0.9},
        {"top_k": 2, "admission_threshold": 0.42}, {"top_k": 2, "admission_threshold": 0.9},
    ]  # fmt: skip
    assert "<svg" in page.read_text(encoding="utf-8")


def test_words_are_settings_as_well(cases, capsys):
    assert main(["sweep", cases, "--reader", "--set", "protection=all,graded", "--json"]) == 0
    assert [p["settings"] for p in json.loads(capsys.readouterr().out)["points"]] == [{"protection": "all"}, {"protection": "graded"}]


@pytest.mark.parametrize(("lang", "word"), [("zh", "召回"), ("en", "recall")])
def test_the_table_is_in_the_language_asked_for(cases, lang, word, capsys):
    assert main(["sweep", cases, "--reader", "--set", "top_k=2", "--lang", lang]) == 0
    assert word in capsys.readouterr().out.lower()


def test_a_retriever_is_swept(cases, app, capsys):
    assert main(["sweep", cases, "--app", f"{app}:answer", "--pipeline", "p", "--make-retriever", f"{app}:retriever", "--set", "k=1,2", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [(p["settings"]["k"], p["recall"], p["passages"]) for p in shown["points"]] == [(1, 0.0, 1.0), (2, 1.0, 2.0)]
    assert shown["best"] == 1


@pytest.mark.parametrize(("options", "message"), [
    (["--set", "top_k"], "--set: expected NAME=VALUE,VALUE, got 'top_k'"),
    (["--set", "=3"], "--set: expected NAME=VALUE,VALUE, got '=3'"),
    (["--set", "top_k="], "--set: expected NAME=VALUE,VALUE, got 'top_k='"),
    (["--set", "top_k=3", "--set", "top_k=5"], "--set: top_k is given twice; give all its values at once, with commas"),
    (["--set", "treshold=0.3"], "'treshold' is neither 'top_k' nor a field of CorrectorConfig"),
    (["--set", "admission_threshold=3"], "admission_threshold"),
    (["--set", "top_k=many"], "top_k: expected a whole number from 1 on, got 'many'"),
    ([], "--set"),
    (["--set", "top_k=3", "--html", "no_such_folder/s.html"], "there is no folder no_such_folder"),
    (["--set", "k=1", "--make-retriever", "json:dumps", "--retrieve", "json:loads"], "--retrieve: --make-retriever brings the contexts"),
    (["--set", "depth=1", "--make-retriever", "json:loads"], "loads() missing 1 required positional argument"),
])  # fmt: skip
def test_bad_usage_is_code_2_and_named(cases, options, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["sweep", cases, "--reader", *options]) == 2
    assert message in capsys.readouterr().err


def test_equal_values_are_run_once(cases, capsys):
    assert main(["sweep", cases, "--reader", "--set", "top_k=2,2, 2", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["points"]) == 1


def test_bad_files_are_code_2(tmp_path, capsys):
    assert main(["sweep", str(tmp_path / "none.jsonl"), "--reader", "--set", "top_k=1"]) == 2
    assert "none.jsonl: No such file" in capsys.readouterr().err
