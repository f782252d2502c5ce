"""What a calibration found, in Chinese and in English."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ragclean.calibration.choice import CONFIDENCE
from ragclean.calibration.grid import FIELDS
from ragclean.visible import quoted

if TYPE_CHECKING:
    from rich.table import Table

    from ragclean.calibration.labels import Scores
    from ragclean.calibration.outcome import Calibration
    from ragclean.report.page import Lang
    from ragclean.report.wording import Wording

#: Columns of the text, and characters of a row's name.
_WIDTH, _NAME = 120, 40
#: Cases below which a calibration warns, with the reason.
FEW_CASES = 30

#: Key: Chinese, English.
OUTCOME_WORDS: Mapping[str, tuple[str, str]] = {
    "counts": (
        "{cases} 个用例，分属 {groups} 组，{folds} 折，top_k 为 {top_k}；标注：应保留段落 {keep} 个，"
        "应剔除段落 {drop} 个，应保留片段 {parts} 处，应剔除片段 {gone} 处",
        "{cases} cases in {groups} groups, {folds} folds, top_k {top_k}; labelled: {keep} chunks to keep, {drop} to "
        "drop, {parts} parts to keep, {gone} to drop",
    ),
    "chosen": ("在全部用例上选定：", "chosen on all cases:"),
    "would_choose": ("在全部用例上本会选定：", "would be chosen on all cases:"),
    "present_best": ("现有的值已是网格中最好的", "the present values are the best of the grid"),
    "gain": (
        "留出 F1 {held_out}，现有 {present}：{of}提升 {gain}，{confidence} 区间 {low} 至 {high}",
        "held-out F1 {held_out}, present {present}: gain{of} {gain}, {confidence} interval {low} to {high}",
    ),
    "gain_of": ("以 F{beta} 计", " in F{beta}"),
    "not_better": (
        "并不比现有配置好（{why}），因此保留现有的值",
        "not better than what you have ({why}), so the present values stay",
    ),
    "worse": ("总体更差", "worse on the whole"),
    "chance": ("未超出偶然波动", "no more than chance may be"),
    "few": (
        "{cases} 个用例偏少：每折只有 {fold} 个，其中一个用例对 F1 的影响就超过多数阈值；"
        "请标注 {wanted} 个以上再作依据",
        "{cases} cases are few: a fold holds {fold}, and one case of it moves F1 by more than most thresholds do; "
        "label {wanted} or more before you rely on this",
    ),
    "stood_in": (
        "{times} 次运行中出现 {code}：由其他部件代替，因此这些数字不代表 {parts}",
        "{code} in {times} runs: another part stood in, so that these figures are not those of {parts}",
    ),
    "transfers": ("逐个场景，用其余场景拟合：", "Each scenario by what was fitted without it:"),
    "row_present": ("现有配置", "present configuration"),
    "row_fitted": ("拟合后（留出）", "fitted, held out"),
    "row_fold": ("第 {n} 折", "fold {n}"),
    "cases": ("用例", "cases"),
    "chunk_precision": ("段落精确率", "chunk precision"), "chunk_recall": ("段落召回率", "chunk recall"),
    "chunk_f1": ("段落 F1", "chunk f1"), "sentence_precision": ("句子精确率", "sentence precision"),
    "sentence_recall": ("句子召回率", "sentence recall"), "sentence_f1": ("句子 F1", "sentence f1"),
    "f1": ("F1", "f1"),
    "warning": ("警告：{message}", "warning: {message}"),
    "and": ("、", " and "),
}  # fmt: skip


def warnings(found: Calibration, lang: Lang) -> tuple[str, ...]:
    """What limits the figures."""
    w = _wording(lang)
    told = []
    if found.cases < FEW_CASES:
        told.append(w("few", cases=found.cases, fold=found.cases // len(found.folds), wanted=FEW_CASES))
    parts = f"{found.judge}{w('and')}{found.encoder}"
    return (*told, *(w("stood_in", code=code, times=times, parts=parts) for code, times in found.failed))


def explained(found: Calibration, lang: Lang) -> str:
    """The outcome in words and tables, for a terminal without colours."""
    from rich.console import Console

    w = _wording(lang)
    text = io.StringIO()
    console = Console(file=text, width=_WIDTH, no_color=True, highlight=False, force_jupyter=False)
    console.print("\n".join(_head(found, w)), markup=False)
    rows = [(w("row_present"), found.cases, found.before), (w("row_fitted"), found.cases, found.held_out)]
    console.print(_table(rows, w))
    console.print(_table([(w("row_fold", n=i), f.cases, f.held_out) for i, f in enumerate(found.folds, 1)], w))
    if found.transfers:
        console.print(w("transfers"), markup=False)
        rows = [(f"{t.scenario} ({t.gain:+.3f})", t.cases, t.held_out) for t in found.transfers]
        console.print(_table(rows, w))
    for warning in warnings(found, lang):
        console.print(w("warning", message=warning), markup=False)
    return text.getvalue().rstrip("\n")


def _wording(lang: Lang) -> Wording:
    from ragclean.report.wording import Wording

    return Wording(lang, OUTCOME_WORDS)


def _head(found: Calibration, w: Wording) -> list[str]:
    keep, drop, parts, gone = found.labels
    lines = [
        w("counts", cases=found.cases, groups=found.groups, folds=len(found.folds), top_k=found.top_k, keep=keep,
          drop=drop, parts=parts, gone=gone)
    ]  # fmt: skip
    changes = [(name, getattr(found.present, name), getattr(found.fitted, name)) for name in FIELDS]
    changed = [f"  {name}: {old} -> {new}" for name, old, new in changes if old != new]
    lines.append(w(("chosen" if found.better else "would_choose") if changed else "present_best"))
    gain, low, high = found.gain
    of = "" if found.beta == 1 else w("gain_of", beta=f"{found.beta:g}")
    lines += changed
    lines.append(
        w("gain", held_out=f"{found.held_out.f1:.3f}", present=f"{found.before.f1:.3f}", of=of, gain=f"{gain:+.3f}",
          confidence=f"{CONFIDENCE:.0%}", low=f"{low:+.3f}", high=f"{high:+.3f}")
    )  # fmt: skip
    if not found.better:
        lines.append(w("not_better", why=w("worse" if high < 0 else "chance")))
    return lines


def _table(rows: Sequence[tuple[str, int, Scores]], w: Wording) -> Table:
    from rich.table import Column, Table
    from rich.text import Text

    names = list(rows[0][2].to_dict()) if rows else []
    made = Table(Column("", no_wrap=True), w("cases"), *(w(name) for name in names))
    for name, cases, scores in rows:
        cells = ["-" if v is None else f"{v:.3f}" for v in scores.to_dict().values()]
        shown = quoted(name)
        made.add_row(Text(shown if len(shown) <= _NAME else shown[: _NAME - 3] + "..."), str(cases), *cells)
    return made
