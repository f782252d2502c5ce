"""What a canary says: where things stand, and an alarm in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from ragclean.evaluation.canary_detection import Window

Language = Literal["zh", "en"]


@dataclass(frozen=True, slots=True)
class Alarm:
    """Noise has risen. Times are ISO, UTC; rates are means of the noise shares of queries, 0..1."""

    since: str
    """The estimated beginning: when the statistic last left 0."""
    raised: str
    queries: int
    """Seen since the beginning."""
    rate: float
    """Of those queries. Right after an alarm it is too high rather than too low, since it is what raised the alarm."""
    baseline: float
    acknowledged: bool = False

    @property
    def rise(self) -> float:
        """Rate less baseline, in shares."""
        return self.rate - self.baseline

    def explain(self, lang: Language = "en") -> str:
        """Since when, and by how much, in one sentence."""
        rate, base, points = f"{self.rate:.1%}", f"{self.baseline:.1%}", f"{100 * self.rise:+.1f}"
        if lang == "zh":
            known = "（已确认）" if self.acknowledged else ""
            return (
                f"检索噪声上升{known}：约自 {_when(self.since)} 起，低于相关性阈值的片段占比为 {rate}，基线为 {base}，"
                f"变化 {points} 个百分点（{self.queries} 次查询；{_when(self.raised)} 报警）。"
            )
        known = " (acknowledged)" if self.acknowledged else ""
        return (
            f"Retrieval noise has risen{known}: since about {_when(self.since)}, {rate} of a query's chunks are below "
            f"the relevance threshold, where {base} is usual ({points} points; {self.queries} queries; alarm raised "
            f"{_when(self.raised)})."
        )


@dataclass(frozen=True, slots=True)
class CanaryStatus:
    """Where a canary stands."""

    queries: int
    empty: int
    """Queries for which nothing was retrieved; they count in no rate."""
    chunks: int
    noisy: int
    current: Window | None
    """The window that is open."""
    last: Window | None
    """The one that was closed last."""
    windows_wanted: int
    """Windows that the baseline is learnt from; 0 where it is known."""
    windows_learnt: int
    baseline: float | None
    baseline_queries: int
    statistic: float | None
    threshold: float | None
    alarm: Alarm | None
    alarms: int
    """How many were raised so far."""

    @property
    def learning(self) -> bool:
        return self.baseline is None

    def explain(self, lang: Language = "en") -> str:
        """The same in a few lines."""
        lines = [self.alarm.explain(lang)] if self.alarm else []
        last = "-" if self.last is None or self.last.rate is None else f"{self.last.rate:.1%}"
        current = "-" if self.current is None or self.current.rate is None else f"{self.current.rate:.1%}"
        if lang == "zh":
            if self.baseline is None:
                lines.append(f"正在学习基线：已完成 {self.windows_learnt} 个窗口，需要 {self.windows_wanted} 个。")
            elif not self.alarm:
                lines.append("没有报警。")
            base = "-" if self.baseline is None else f"{self.baseline:.1%}（{self.baseline_queries} 次查询）"
            lines.append(f"噪声占比：当前窗口 {current}，上一窗口 {last}，基线 {base}")
            lines.append(f"共 {self.queries} 次查询（其中 {self.empty} 次无检索结果），{self.chunks} 个片段")
        else:
            if self.baseline is None:
                lines.append(f"learning the baseline: {self.windows_learnt} of {self.windows_wanted} windows")
            elif not self.alarm:
                lines.append("no alarm")
            base = "-" if self.baseline is None else f"{self.baseline:.1%} ({self.baseline_queries} queries)"
            lines.append(f"noise: {current} in the open window, {last} in the last one, {base} is usual")
            lines.append(f"{self.queries} queries ({self.empty} without any chunk), {self.chunks} chunks")
        if self.statistic is not None and self.threshold is not None:
            name = "CUSUM 统计量" if lang == "zh" else "CUSUM"
            lines.append(f"{name}: {self.statistic:.2f} / {self.threshold:.2f}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; windows with their rate."""
        data = {**asdict(self), "learning": self.learning}
        for name in ("current", "last"):
            window: Window | None = getattr(self, name)
            if window is not None:
                data[name]["rate"] = window.rate
        if self.alarm is not None:
            data["alarm"]["rise"] = self.alarm.rise
        return data


def _when(iso: str) -> str:
    return iso[:19].replace("T", " ") + " UTC"
