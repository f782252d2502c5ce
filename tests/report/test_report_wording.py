"""Every word in both languages, with the same placeholders."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

import ragclean.report
from ragclean.evaluation.degradation import ACTIONS, Decline, Degradation
from ragclean.evaluation.records import VARIANTS
from ragclean.report.phrases import Phrases
from ragclean.report.wording import WORDS, Wording

FOLDER = Path(ragclean.report.__file__).parent


def test_every_key_has_words_in_both_languages_with_the_same_placeholders():
    for key, (zh, en) in WORDS.items():
        assert zh.strip() and en.strip(), key
        assert sorted(re.findall(r"{\w+}", zh)) == sorted(re.findall(r"{\w+}", en)), key
        assert not re.search("[\u4e00-\u9fff]", en), key


def test_grades_actions_and_variants_have_words():
    zh, en = Phrases("zh"), Phrases("en")
    for grade, action in ACTIONS.items():
        assert en(f"action_{grade}") == action
        assert re.search("[\u4e00-\u9fff]", zh(f"action_{grade}") + zh.grade(grade))
    for variant in VARIANTS:
        assert zh.variant(variant).startswith(variant)


def test_no_words_are_left_over():
    asked, prefixes = set(), set()
    for path in FOLDER.glob("*.py"):
        if path.name in ("wording.py", "page.py", "parts.py"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        asked |= {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                prefixes.add(node.values[0].value)
    unused = [k for k in WORDS if k not in asked and not any(p and k.startswith(p) for p in prefixes) and k not in VARIANTS]
    assert unused == []


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="'fr'"):
        Wording("fr")


def test_a_value_with_braces_is_not_read_for_braces_again():
    assert "{count}" in Phrases("en")("no_answer", why="{count} {x}")


@pytest.mark.parametrize(("cases", "said"), [(3, True), (40, False)])
def test_an_action_of_few_cases_says_that_they_are_few(cases, said):
    lost = Decline("correctness", cases, 1.0, 0.6, 0.4, 0.1, 0.7)
    found = Degradation("v3", "all", "", lost, replace(lost, figure="faithfulness"))
    assert ("too few cases" in Phrases("en").action(found)) == said
    assert ("例数太少" in Phrases("zh").action(found)) == said
