"""How much do a RAG application's answers degrade when noise gets into its contexts?

>>> from ragclean.evaluation import evaluate, read_cases

Serves applications that do not use the corrector as well: what answers is a function, cases are JSON Lines, the judge
is the offline one, an OpenAI-compatible endpoint, or an object of your own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragclean.evaluation.answerers import (
        Answerer,
        EndpointAnswerer,
        ExtractiveReader,
        GullibleAnswerer,
        RobustAnswerer,
    )
    from ragclean.evaluation.archive import EvalReport
    from ragclean.evaluation.arms import ArmFigures, Arms, compare_arms
    from ragclean.evaluation.canary import Canary
    from ragclean.evaluation.cases import (
        CaseFileError,
        case_from_dict,
        case_to_dict,
        keypoints_of,
        read_cases,
        write_cases,
    )
    from ragclean.evaluation.cleaning import Corrected, VectorRerank
    from ragclean.evaluation.comparing import Comparison, ComparisonError
    from ragclean.evaluation.corpus import Corpus
    from ragclean.evaluation.degradation import Decline, Degradation, degradations
    from ragclean.evaluation.evaluating import JudgeFailedError, compare_reports, evaluate, gate_report
    from ragclean.evaluation.gating import Gate, GateError
    from ragclean.evaluation.health import ContentHealth, content_health
    from ragclean.evaluation.judging import AnswerJudge
    from ragclean.evaluation.llm_answer_judge import EndpointAnswerJudge
    from ragclean.evaluation.noise import NoiseMaker, NoiseSettings, Shortage
    from ragclean.evaluation.offline_judge import OfflineJudge
    from ragclean.evaluation.records import (
        VARIANTS,
        Check,
        ClaimVerdict,
        EvalCase,
        Injected,
        Judgement,
        Outcome,
        PointVerdict,
        Score,
        Shown,
    )
    from ragclean.evaluation.running import DAILY, WEEKLY, Plan, failures, plan_run, run_evaluation
    from ragclean.evaluation.scoring import Averages, averages
    from ragclean.evaluation.selfcheck import self_check, self_check_calls
    from ragclean.evaluation.sweeping import Sweep, SweepPoint, grid, sweep

__all__ = [
    "evaluate", "gate_report", "compare_reports", "compare_arms", "sweep", "grid", "content_health", "plan_run",
    "run_evaluation", "self_check", "self_check_calls",
    "EvalCase", "read_cases", "write_cases", "case_from_dict", "case_to_dict", "keypoints_of", "CaseFileError",
    "NoiseMaker", "NoiseSettings", "Shortage", "Corpus", "VARIANTS", "DAILY", "WEEKLY",
    "Answerer", "EndpointAnswerer", "ExtractiveReader", "GullibleAnswerer", "RobustAnswerer", "Corrected",
    "VectorRerank", "AnswerJudge", "OfflineJudge", "EndpointAnswerJudge",
    "EvalReport", "Outcome", "Shown", "Injected", "Judgement", "ClaimVerdict", "PointVerdict", "Score", "Check", "Plan",
    "Averages", "averages", "Degradation", "Decline", "degradations", "failures", "JudgeFailedError",
    "Gate", "GateError", "Comparison", "ComparisonError", "Arms", "ArmFigures", "Sweep",
    "SweepPoint", "ContentHealth", "Canary",
]  # fmt: skip

# On first use. No module may be called like one of the names, since it would take its place.
_HOMES = {
    "answerers": ("Answerer", "EndpointAnswerer", "ExtractiveReader", "GullibleAnswerer", "RobustAnswerer"),
    "archive": ("EvalReport",),
    "arms": ("ArmFigures", "Arms", "compare_arms"),
    "canary": ("Canary",),
    "cases": ("CaseFileError", "case_from_dict", "case_to_dict", "keypoints_of", "read_cases", "write_cases"),
    "cleaning": ("Corrected", "VectorRerank"),
    "comparing": ("Comparison", "ComparisonError"),
    "corpus": ("Corpus",),
    "degradation": ("Decline", "Degradation", "degradations"),
    "evaluating": ("JudgeFailedError", "compare_reports", "evaluate", "gate_report"),
    "gating": ("Gate", "GateError"),
    "judging": ("AnswerJudge",),
    "llm_answer_judge": ("EndpointAnswerJudge",),
    "noise": ("NoiseMaker", "NoiseSettings", "Shortage"),
    "offline_judge": ("OfflineJudge",),
    "health": ("ContentHealth", "content_health"),
    "records": (
        "VARIANTS", "Check", "ClaimVerdict", "EvalCase", "Injected", "Judgement", "Outcome", "PointVerdict", "Score",
        "Shown",
    ),
    "running": ("DAILY", "WEEKLY", "Plan", "failures", "plan_run", "run_evaluation"),
    "scoring": ("Averages", "averages"),
    "selfcheck": ("self_check", "self_check_calls"),
    "sweeping": ("Sweep", "SweepPoint", "grid", "sweep"),
}  # fmt: skip
_LAZY = {name: f"ragclean.evaluation.{home}" for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        import importlib

        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'ragclean.evaluation' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
