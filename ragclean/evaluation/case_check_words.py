# ruff: noqa: E501  (sentences in two languages; the linter counts a Chinese character as two columns)
"""A check of cases in words, Chinese and English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ragclean.visible import quoted

if TYPE_CHECKING:
    from ragclean.evaluation.case_check import CaseCheck
    from ragclean.report.page import Lang

#: Ids that a line names.
_NAMED = 5

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "cases": "{n} cases", "drafts": "{n} drafts are left out: review them first", "categories": "categories",
        "difficulties": "difficulties", "languages": "languages", "none": "(none)",
        "unanswerable": "{n} without a reference, where refusing is right: {ids}",
        "duplicates": "asked twice: {ids}", "contexts": "{n} without contexts, which a retriever has to bring: {ids}",
        "gold": "{n} without gold chunks: {ids}", "unsupported": "{id}: no gold chunk holds {what}",
        "short": "{variant} cannot be made of {n}: {reason}: {ids}",
        "critical": "too few for a gate: {name} has {n}; it wants {wanted} as a critical category, {other} as any other",
        "other": "enough for a gate, unless critical: {name} has {n}; as a critical category it wants {wanted}",
    },
    "zh": {
        "cases": "{n} 个用例", "drafts": "另有 {n} 个草稿未计入，请先审核", "categories": "类别",
        "difficulties": "难度", "languages": "语言", "none": "（无）",
        "unanswerable": "{n} 个没有参考答案（应当拒答）：{ids}",
        "duplicates": "重复的问题：{ids}", "contexts": "{n} 个没有上下文，需由检索器提供：{ids}",
        "gold": "{n} 个没有标注答案片段：{ids}", "unsupported": "{id}：答案片段中找不到 {what}",
        "short": "{n} 个用例无法生成 {variant}：{reason}：{ids}",
        "critical": "用例不足以过门禁：{name} 有 {n} 个；作为关键类别需要 {wanted} 个，其他类别需要 {other} 个",
        "other": "除非是关键类别，用例已够：{name} 有 {n} 个；作为关键类别需要 {wanted} 个",
    },
}  # fmt: skip


def explained(check: CaseCheck, lang: Lang) -> str:
    """The lines of a check; what comes from the cases is made safe to print."""
    return "\n".join(_lines(check, _WORDS[lang], lang))


def _lines(c: CaseCheck, words: Mapping[str, str], lang: Lang) -> Iterator[str]:
    from ragclean.evaluation.case_check import CRITICAL_WANTS, OTHERS_WANT
    from ragclean.report.phrases import Phrases

    said = Phrases(lang)

    yield words["cases"].format(n=c.cases)
    if c.drafts:
        yield words["drafts"].format(n=c.drafts)
    for name in ("categories", "difficulties", "languages"):
        counts = ", ".join(f"{quoted(k) if k else words['none']} {n}" for k, n in getattr(c, name).items())
        yield f"{words[name]}: {counts}"
    for name, ids in (("unanswerable", c.unanswerable), ("contexts", c.without_contexts), ("gold", c.without_gold)):
        if ids:
            yield words[name].format(n=len(ids), ids=_some(ids))
    for ids in c.duplicates:
        yield words["duplicates"].format(ids=_some(ids))
    for case_id, what in c.unsupported.items():
        yield words["unsupported"].format(id=quoted(case_id), what=quoted(what))
    for variant, reasons in c.short.items():
        for reason, ids in reasons.items():
            why = quoted(said.shortage(reason))
            yield words["short"].format(variant=variant, n=len(ids), reason=why, ids=_some(ids))
    for name, n in c.categories.items():
        if n < CRITICAL_WANTS:
            line = words["critical" if n < OTHERS_WANT else "other"]
            shown = quoted(name) if name else words["none"]
            yield line.format(name=shown, n=n, wanted=CRITICAL_WANTS, other=OTHERS_WANT)


def _some(ids: Sequence[str]) -> str:
    named = ", ".join(quoted(i) for i in ids[:_NAMED])
    return f"{named} ..." if len(ids) > _NAMED else named
