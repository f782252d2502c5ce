"""What a calibration found: the configuration, what it is worth, and how much of that is chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragclean.calibration import outcome_words
from ragclean.calibration.grid import FIELDS
from ragclean.calibration.labels import Scores
from ragclean.config import CorrectorConfig

if TYPE_CHECKING:
    from ragclean.report.page import Lang


@dataclass(frozen=True, slots=True)
class Fold:
    """One part of the cases, cleaned by what was chosen on the others."""

    config: CorrectorConfig
    cases: int
    held_out: Scores
    before: Scores
    """Of the present configuration on the same cases."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A scenario, cleaned by what was chosen without it."""

    scenario: str
    cases: int
    held_out: Scores
    before: Scores

    @property
    def gain(self) -> float:
        return self.held_out.f1 - self.before.f1


@dataclass(frozen=True, slots=True)
class Surface:
    """F over both thresholds, at the chosen weights and protection, on all cases (fitted, not held out)."""

    admission: tuple[float, ...]
    sentence: tuple[float, ...]
    f: tuple[tuple[float, ...], ...]
    """A row an admission threshold, a column a sentence threshold."""
    chosen: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Calibration:
    """The outcome of :func:`ragclean.calibration.calibrate`."""

    present: CorrectorConfig
    """The configuration that was in use."""
    fitted: CorrectorConfig
    """The one chosen on all cases."""
    cases: int
    groups: int
    folds: tuple[Fold, ...]
    held_out: Scores
    """All folds together: what the choice is worth on cases it was not made on."""
    before: Scores
    """The present configuration on the same cases."""
    gain: tuple[float, float, float]
    """Held-out F less that of the present configuration, and its 95 % interval (groups resampled, BCa, widened for what
    the folds share)."""
    transfers: tuple[Transfer, ...]
    """Each scenario fitted without it, where there are several."""
    surface: Surface
    encoder: str
    judge: str
    keywords: str
    """Fingerprints of the parts that were calibrated."""
    top_k: int
    seed: int
    labels: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Labelled chunks to keep and to drop, and parts of texts to keep and to drop."""
    failed: tuple[tuple[str, int], ...] = ()
    """Warnings of runs in which a part failed and another stood in, and in how many: the figures are not the part's."""
    beta: float = 1.0
    """Of the F that was fitted to and whose gain is given; all other figures are F1."""
    day: str = field(default_factory=lambda: datetime.now(tz=timezone.utc).date().isoformat(), compare=False)

    @property
    def better(self) -> bool:
        """The gain is larger than chance: its interval lies above 0."""
        return self.gain[1] > 0.0 and not self.failed

    @property
    def config(self) -> CorrectorConfig:
        """What to use, with its provenance: the fitted configuration where it is better, else the present one."""
        return self._noted(self.fitted if self.better else self.present)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What limits the figures."""
        return outcome_words.warnings(self, "en")

    def _noted(self, config: CorrectorConfig) -> CorrectorConfig:
        from ragclean import __version__

        noted = {
            "fields": list(FIELDS),
            "date": self.day,
            "ragclean": __version__,
            "cases": self.cases,
            "groups": self.groups,
            "folds": len(self.folds),
            "top_k": self.top_k,
            "seed": self.seed,
            "beta": self.beta,
            "encoder": self.encoder,
            "judge": self.judge,
            "keywords": self.keywords,
            "fitted": _values(self.fitted),
            "held_out_f1": self.held_out.to_dict()["f1"],
            "fold_f1": [f.held_out.to_dict()["f1"] for f in self.folds],
            "present_f1": self.before.to_dict()["f1"],
            "gain": [round(v, 4) for v in self.gain],
            "better": self.better,
        }
        return config.with_changes(provenance=noted)

    def save(self, path: str | Path) -> None:
        """Write :attr:`config` as JSON; ``NoiseCorrector.from_config`` reads it."""
        self.config.save(path)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "fitted": _values(self.fitted),
            "present": _values(self.present),
            "better": self.better,
            "gain": [round(v, 4) for v in self.gain],
            "held_out": self.held_out.to_dict(),
            "before": self.before.to_dict(),
            "folds": [
                {"config": _values(f.config), "cases": f.cases, "held_out": f.held_out.to_dict(),
                 "before": f.before.to_dict()}
                for f in self.folds
            ],
            "transfers": [
                {"scenario": t.scenario, "cases": t.cases, "held_out": t.held_out.to_dict(),
                 "before": t.before.to_dict()}
                for t in self.transfers
            ],
            "surface": {
                "admission": list(self.surface.admission), "sentence": list(self.surface.sentence),
                "f": [list(row) for row in self.surface.f], "chosen": list(self.surface.chosen),
            },
            "labels": list(self.labels),
            "warnings": list(self.warnings),
            "provenance": dict(self.config.provenance),
        }  # fmt: skip

    def explain(self, lang: Lang = "en") -> str:
        """The outcome in words and tables, for a terminal without colours."""
        return outcome_words.explained(self, lang)


def _values(config: CorrectorConfig) -> dict[str, Any]:
    return {name: getattr(config, name) for name in FIELDS}

