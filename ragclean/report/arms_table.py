"""The table of the corrector on and off, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragclean.evaluation.degradation import FIGURES
from ragclean.report.evaluation_text import section_table
from ragclean.report.page import Lang
from ragclean.report.phrases import Phrases

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ragclean.evaluation.arms import ArmFigures, Arms

_COLUMNS = (
    "arm", "variant", "cases", "strict_match", "value_match", "correctness", "faithfulness", "tokens", "shorter",
)  # fmt: skip


def arms_table(arms: Arms, lang: Lang) -> RenderableType:
    """What each way of treating the contexts brings, and what noise costs it."""
    from rich.console import Group

    p = Phrases(lang)
    found = section_table(p("arms"), [p.title(c) for c in _COLUMNS], [_row(f, p) for f in arms.figures])
    if not arms.degradations:
        return found
    columns = [p.title(c) for c in ("arm", *FIGURES, "grade")]
    rows = [
        [_name(arm, p), *(p.decline(getattr(d, f)) for f in FIGURES), p.grade(d.grade) + p.colon + p.action(d)]
        for arm, d in arms.degradations.items()
    ]
    return Group(found, section_table(p("arms_lost"), columns, rows))


def _row(f: ArmFigures, p: Phrases) -> list[str]:
    return [
        _name(f.arm, p), p.variant(f.variant), f"{f.cases:,}", p.share(f.strict_match), p.share(f.value_match),
        p.share(f.correctness), p.share(f.faithfulness), f"{f.tokens:,.0f}", p.percent(f.shorter),
    ]  # fmt: skip


def _name(arm: str, p: Phrases) -> str:
    return p.known(f"arm_{arm}", arm)
