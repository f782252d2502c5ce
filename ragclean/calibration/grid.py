"""The configurations that calibration chooses from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ragclean.config import CorrectorConfig

Protection = Literal["all", "graded"]
#: What calibration sets.
FIELDS = (
    "weight_semantic", "weight_judge", "weight_keyword", "admission_threshold", "sentence_threshold", "protection",
)  # fmt: skip
#: Shares of judge and keyword; the semantic signal has the rest. A step of 0.15 holds the published 0.45 / 0.40 / 0.15,
#: and finer steps move F1 by less than the labels of some hundred cases can tell.
_JUDGE, _KEYWORD, _LEAST_SEMANTIC = (0.25, 0.40, 0.55, 0.70), (0.0, 0.15, 0.30), 0.1
_ADMISSION = tuple(round(0.18 + 0.04 * i, 2) for i in range(14))
_SENTENCE = tuple(round(0.10 + 0.05 * i, 2) for i in range(13))
#: Under ``graded`` the threshold only says which facts are asked for, and moves little.
_GRADED = (0.35,)


@dataclass(frozen=True, slots=True)
class Grid:
    """Every combination of a triple of weights, an admission threshold and a way to choose sentences.

    Raises:
        ValueError: a part is empty, or holds what a configuration refuses.
    """

    weights: tuple[tuple[float, float, float], ...]
    """(semantic, judge, keyword)."""
    admission: tuple[float, ...]
    """Ascending."""
    sentence: tuple[tuple[Protection, float], ...]
    """(protection, sentence threshold), each protection's thresholds ascending."""

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not getattr(self, name):
                raise ValueError(f"grid: {name} is empty")
        for w, a, s in ((w, self.admission[0], self.sentence[0]) for w in self.weights):
            self._checked(w, a, s)
        for a in self.admission:
            self._checked(self.weights[0], a, self.sentence[0])
        for s in self.sentence:
            self._checked(self.weights[0], self.admission[0], s)

    @staticmethod
    def _checked(w: tuple[float, float, float], a: float, s: tuple[Protection, float]) -> None:
        CorrectorConfig(
            weight_semantic=w[0], weight_judge=w[1], weight_keyword=w[2], admission_threshold=a,
            protection=s[0], sentence_threshold=s[1],
        )  # fmt: skip

    @classmethod
    def around(cls, present: CorrectorConfig) -> Grid:
        """The shipped grid with the present configuration in it, so that it can be the choice."""
        triples = [
            (round(1 - judge - keyword, 2), judge, keyword)
            for keyword in _KEYWORD
            for judge in _JUDGE
            if 1 - judge - keyword >= _LEAST_SEMANTIC
        ]
        ways: list[tuple[Protection, float]] = [("all", s) for s in _SENTENCE]
        ways += [("graded", s) for s in _GRADED]
        own = (present.protection, present.sentence_threshold)
        return cls(
            weights=tuple(dict.fromkeys([*triples, _shares(present)])),
            admission=tuple(sorted({*_ADMISSION, present.admission_threshold})),
            sentence=tuple(sorted({*ways, own})),
        )

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.weights), len(self.admission), len(self.sentence)

    def config(self, present: CorrectorConfig, at: tuple[int, int, int]) -> CorrectorConfig:
        """The present configuration with the fields of one cell."""
        w, a, s = at
        semantic, judge, keyword = self.weights[w]
        protection, threshold = self.sentence[s]
        return present.with_changes(
            weight_semantic=semantic, weight_judge=judge, weight_keyword=keyword,
            admission_threshold=self.admission[a], protection=protection, sentence_threshold=threshold,
        )  # fmt: skip

    def runs(self) -> Iterator[range]:
        """The cells of ``sentence`` that differ in the threshold alone."""
        start = 0
        for i in range(1, len(self.sentence) + 1):
            if i == len(self.sentence) or self.sentence[i][0] != self.sentence[start][0]:
                yield range(start, i)
                start = i

    def distance(self, present: CorrectorConfig) -> np.ndarray:
        """(w, a, s) how far each cell is from a configuration: the sum of all differences, another protection one."""
        weights = np.array([sum(map(_gap, w, _shares(present))) for w in self.weights])
        admission = np.abs(np.array(self.admission) - present.admission_threshold)
        sentence = [abs(t - present.sentence_threshold) + (p != present.protection) for p, t in self.sentence]
        out: np.ndarray = weights[:, None, None] + admission[None, :, None] + np.array(sentence)[None, None, :]
        return out


def _gap(a: float, b: float) -> float:
    return abs(a - b)


def _shares(config: CorrectorConfig) -> tuple[float, float, float]:
    """The weights of a configuration as shares of their sum."""
    weights: Sequence[float] = (config.weight_semantic, config.weight_judge, config.weight_keyword)
    total = sum(weights)
    semantic, judge, keyword = (round(w / total, 4) for w in weights)
    return semantic, judge, keyword
