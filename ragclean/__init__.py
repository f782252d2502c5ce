"""Clean what a RAG application retrieves before the language model sees it.

>>> from ragclean import NoiseCorrector
>>> NoiseCorrector().refine("保修期多长？", ["整机保修24个月。"]).text
'整机保修24个月。'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragclean.config import CorrectorConfig
from ragclean.types import Chunk, Conflict

if TYPE_CHECKING:
    from ragclean.corrector import NoiseCorrector
    from ragclean.result import RefinedContext
    from ragclean.signals.function_judge import FunctionJudge
    from ragclean.signals.llm_judge import OpenAIJudge

__version__ = "0.1.0"
__all__ = [
    "Chunk", "Conflict", "CorrectorConfig", "FunctionJudge", "NoiseCorrector", "OpenAIJudge", "RefinedContext",
    "__version__",
]  # fmt: skip

_LAZY = {
    "FunctionJudge": "ragclean.signals.function_judge",
    "NoiseCorrector": "ragclean.corrector",
    "OpenAIJudge": "ragclean.signals.llm_judge",
    "RefinedContext": "ragclean.result",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        import importlib

        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'ragclean' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
