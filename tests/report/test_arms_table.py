"""The table of the corrector on and off."""

from __future__ import annotations

import io

import pytest
from report_samples import HOSTILE
from rich.console import Console

from ragclean.evaluation.arms import ArmFigures, Arms
from ragclean.evaluation.degradation import Decline, Degradation
from ragclean.report.arms_table import arms_table


def printed(table, width=240):
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    console.print(table)
    return console.file.getvalue()


def arms(name="raw", degradations=True, **figures):
    told = {"strict_match": 0.524, "value_match": 0.609, "correctness": 0.7, "faithfulness": 0.712, "tokens": 2310.4, "shorter": 0.47, **figures}
    lost = Degradation("v3", "all", "", Decline("correctness", 90, 0.7, 0.5, 0.2857, 0.2, 0.37), Decline("faithfulness", 90, 0.7, 0.69, 0.0143, 0.0, 0.03))
    return Arms((ArmFigures(name, "v0", 1210, **told),), {}, {name: lost} if degradations else {})


@pytest.mark.parametrize(("lang", "words"), [
    ("zh", ("校正前后对照", "原始检索", "逐字一致", "缩短", "敏感", "28.6%")),
    ("en", ("The corrector on and off", "raw", "Strict match", "sensitive", "28.6 %")),
])  # fmt: skip
def test_every_figure_is_there_in_both_languages(lang, words):
    told = printed(arms_table(arms(), lang))
    for word in (*words, "1,210", "0.524", "0.609", "0.712", "2,310", "47.0"):
        assert word.lower() in told.lower()


def test_undefined_is_not_shown_as_0():
    told = printed(arms_table(arms(strict_match=None, correctness=None), "en"))
    assert "0.000" not in told
    assert "undefined" in told


def test_without_degradations_there_is_one_table():
    assert "v3" not in printed(arms_table(arms(degradations=False), "zh"))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_an_arm_s_name_is_a_text(lang):
    told = printed(arms_table(arms(HOSTILE), lang), width=4000)
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "[red]markup[/red]" in printed(arms_table(arms("[red]markup[/red]"), lang))  # no markup of the terminal
