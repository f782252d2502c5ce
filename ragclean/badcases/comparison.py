"""Two correctors on the same cases: what the second mends, what it breaks, and whether that could be chance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any

from ragclean.badcases.record import BadCase
from ragclean.badcases.replay_words import wording
from ragclean.badcases.replaying import Outcome, Replay, replay_case
from ragclean.calibration.cases import LabelledCase

if TYPE_CHECKING:
    from ragclean.corrector import NoiseCorrector
    from ragclean.report.page import Lang


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same cases before and after; those of which nothing is expected are in neither list."""

    before: Replay
    after: Replay

    @property
    def pairs(self) -> tuple[tuple[Outcome, Outcome], ...]:
        """Each judged case under both."""
        both = zip(self.before.outcomes, self.after.outcomes, strict=True)
        return tuple((b, a) for b, a in both if b.judged)

    @property
    def fixed(self) -> tuple[str, ...]:
        """Ids of the cases that were wrong and are right."""
        return tuple(a.id for b, a in self.pairs if a.ok and not b.ok)

    @property
    def broken(self) -> tuple[str, ...]:
        """Ids of the cases that were right and are wrong."""
        return tuple(a.id for b, a in self.pairs if b.ok and not a.ok)

    @property
    def unchanged(self) -> tuple[str, ...]:
        """Ids of the cases that are as right or as wrong as they were."""
        return tuple(a.id for b, a in self.pairs if a.ok == b.ok)

    @property
    def p_value(self) -> float:
        """Exact two-sided sign test: how likely so uneven a split of the changed cases is where neither is better."""
        return sign_test(len(self.fixed), len(self.broken))

    def explain(self, lang: Lang = "en") -> str:
        """Figures first, then each changed case with what was lost or adopted; safe to print."""
        w = wording(lang)
        before, after = [sum(o.ok for o in side) for side in zip(*self.pairs, strict=True)] or (0, 0)
        lines = [
            w("both_right", judged=len(self.pairs), before=before, after=after),
            w("changed", fixed=len(self.fixed), broken=len(self.broken), unchanged=len(self.unchanged),
              p=f"{self.p_value:.3g}"),
        ]  # fmt: skip
        if self.before.fingerprint == self.after.fingerprint:
            lines.append(w("same"))
        for b, a in self.pairs:
            if b.ok != a.ok:
                lines.append(w("fixed" if a.ok else "broken", case=(b if a.ok else a).explain(lang)))
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "fixed": list(self.fixed),
            "broken": list(self.broken),
            "unchanged": list(self.unchanged),
            "p_value": self.p_value,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
        }


def compare(
    cases: Iterable[BadCase | LabelledCase], before: NoiseCorrector, after: NoiseCorrector
) -> Comparison:
    """Run cases through two correctors, one case after the other; a case is right where nothing expected is lost and
    nothing wrong adopted."""
    pairs = [(replay_case(case, before), replay_case(case, after)) for case in cases]
    return Comparison(
        Replay(tuple(b for b, _ in pairs), before.fingerprint), Replay(tuple(a for _, a in pairs), after.fingerprint)
    )


def sign_test(wins: int, losses: int) -> float:
    """Exact two-sided p-value of a sign test; ties are left out of both counts."""
    n, few = wins + losses, min(wins, losses)
    tail = sum(comb(n, i) for i in range(few + 1))
    return min(1.0, 2 * tail / (1 << n))
