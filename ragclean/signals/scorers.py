"""The parts that ranking works with, together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ragclean.prepare import PreparedText
from ragclean.signals.base import JudgeScorer, KeywordAnalyzer, ScoringEncoder, SemanticEncoder
from ragclean.signals.judge import Judgement
from ragclean.signals.judge_features import Likeness
from ragclean.signals.profile import Profile
from ragclean.text.question import Question


class PreparedJudge(JudgeScorer, Protocol):
    """The embedded judge: scores chunks and their sentences from the prepared structure in one pass."""

    def score_prepared(
        self, question: Question, prepared: Sequence[PreparedText], likeness: Likeness | None = None
    ) -> Judgement: ...


@dataclass(frozen=True, slots=True)
class Scorers:
    """The embedded parts are always there: they cut the shortlist, score sentences, and stand in where a dear part did
    not look."""

    encoder: SemanticEncoder
    judge: JudgeScorer
    keywords: KeywordAnalyzer
    profile: Profile
    """Of ``encoder``."""
    embedded_encoder: ScoringEncoder
    embedded_judge: PreparedJudge
    embedded_profile: Profile
