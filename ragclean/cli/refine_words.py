"""What ``ragclean refine`` says of a result, in Chinese and in English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ragclean.cli.frame_words import FRAME_WORDS
from ragclean.cli.language import Lang, wording

if TYPE_CHECKING:
    from ragclean.result import RefinedContext
    from ragclean.types import Caution, Dropped, KeptChunk

#: Characters of a sentence that went.
_QUOTE = 60
#: Details with figures, as the stages write them; any other stands as it is.
_DETAILS = {
    "detail_score": re.compile(r"score (\d\.\d\d) is below the (?:sentence|admission) threshold (\d\.\d\d)"),
    "detail_judge": re.compile(r"judge (\d\.\d\d), the best passage has (\d\.\d\d)"),
    "detail_place": re.compile(r"place (\d{1,9}), top_k is (\d{1,9})"),
    "detail_like": re.compile(r"(\d\.\d\d) like a sentence of (.{1,200}), which stays"),
}

#: Key: Chinese, English. Of English, :meth:`RefinedContext.explain` has the rest.
REFINE_WORDS: Mapping[str, tuple[str, str]] = {
    "head": (
        "“{query}”，以 {day} 为准：输入 {before} 段，保留 {after} 段，缩短 {shorter}",
        "'{query}' as of {day}: {before} chunks in, {after} out, {shorter} shorter",
    ),
    "kept": (
        "保留  {id}：{final}（语义 {semantic}，答题判断 {judge}，关键词 {keyword}），{n} 句{flags}",
        "kept    {id}: {final} (semantic {semantic}, judge {judge}, keyword {keyword}), {n} sentences{flags}",
    ),
    "flags": (" [{flags}]", " [{flags}]"),
    "dropped": ("丢弃  {id}：{why}", "dropped {id}: {why}"),
    "cut": ("删句  {id}“{quote}”：{why}", "cut     {id} «{quote}»: {why}"),
    "why": ("{stage}，{reason}", "{stage}, {reason}"),
    "detail": ("（{detail}）", ". {detail}"),
    "conflict": ("冲突  {said}", "conflict: {said}"),
}

#: What a warning's code means; English messages say it themselves.
CAUTIONS_ZH: Mapping[str, str] = {
    "bad_candidate": "有候选段落或其字段无法读取",
    "bad_date": "有日期无法识别",
    "no_candidates": "没有可用的候选段落，上下文为空",
    "duplicate_id": "有两个候选段落的 id 相同",
    "instruction_like": "有段落像是在对模型下指令，未作处理",
    "no_query_terms": "问题中没有可用来排序的词，沿用检索顺序",
    "vague_query": "问题脱离上文看不明白，或没有说清要问什么",
    "multi_hop_likely": "回答可能要综合多个页面",
    "low_relevance": "最相关的段落也低于准入阈值",
    "no_answer_likely": "看来没有段落能回答",
    "nothing_admitted": "没有段落通过准入，只保留了最好的一段",
    "only_other_things": "剩下的段落说的都是别的型号、版本或客户群",
    "unresolved_conflict": "各来源说法不一，未能裁决",
    "unknown_pinned": "要求固定保留的 id 不存在",
    "judge_failed": "判断模型出错，由内置模型代替",
    "encoder_failed": "编码器出错，由内置模型代替",
    "count_tokens_failed": "token 计数函数出错，改用估计值",
    "token_budget_exceeded": "必须保留的内容超出 max_tokens",
    "untouchable_dropped": "预算不足，舍弃了与答案有关的事实",
    "max_tokens_ignored": "未启用压缩，max_tokens 不起作用",
    "untouchable_restored": "出口检查补回了误删的事实",
    "loser_removed": "出口检查去掉了已落败的说法",
    "not_verbatim": "出口检查修正了与原文不符的内容",
    "empty_context_restored": "出口检查发现上下文为空，已恢复",
    "stage_failed": "有环节出错，沿用其输入",
    "stage_skipped": "时间预算用尽，跳过了一个环节",
    "verify_failed": "出口检查本身出错",
}


def meant(lang: Lang, caution: Caution) -> str:
    """A warning: in Chinese what its code means, then the library's own words, which name the item."""
    meaning = CAUTIONS_ZH.get(caution.code)
    return f"{meaning}（{caution}）" if lang == "zh" and meaning else str(caution)


def warning(lang: Lang, caution: Caution) -> str:
    """The same in a line of its own."""
    return wording(lang, FRAME_WORDS)("warning", message=meant(lang, caution))


def explained(result: RefinedContext, lang: Lang) -> str:
    """What stayed with its score, what went and why, conflicts, warnings: a line each."""
    if lang == "en":
        return result.explain()
    said = wording(lang, REFINE_WORDS)
    head = said(
        "head", query=" ".join(result.query.split()), day=result.as_of, before=int(result.stats.get("chunks_in", 0)),
        after=len(result.chunks), shorter=f"{result.stats.get('shorter', 0.0):.0%}",
    )  # fmt: skip
    lines = [head, *(_kept(kept, lang) for kept in result.chunks), *(_gone(gone, lang) for gone in result.dropped)]
    lines += [said("conflict", said=conflict.explain()) for conflict in result.conflicts]
    return "\n".join([*lines, *(warning(lang, w) for w in result.warnings)])


def _kept(kept: KeptChunk, lang: Lang) -> str:
    said, s = wording(lang, REFINE_WORDS), kept.signals
    return said(
        "kept", id=kept.id, final=f"{s.final:.2f}", semantic=f"{s.semantic:.2f}",
        judge="-" if s.judge is None else f"{s.judge:.2f}", keyword=f"{s.keyword:.2f}", n=len(kept.sentences),
        flags=said("flags", flags=", ".join(kept.flags)) if kept.flags else "",
    )  # fmt: skip


def _gone(gone: Dropped, lang: Lang) -> str:
    said = wording(lang, REFINE_WORDS)
    why = fate(lang, gone.stage, gone.reason, gone.detail)
    if gone.start is None:
        return said("dropped", id=gone.chunk_id, why=why)
    return said("cut", id=gone.chunk_id, quote=" ".join(gone.text.split())[:_QUOTE], why=why)


def fate(lang: Lang, stage: str, reason: str, detail: str) -> str:
    """Stage, reason and detail of what went, in a line; a detail without known figures is the library's own."""
    from ragclean.report.trace_wording import TRACE_WORDS

    said, trace = wording(lang, REFINE_WORDS), wording(lang, TRACE_WORDS)
    why = trace.known(f"reason_{reason}", reason)
    told = said("why", stage=trace.known(f"stage_{stage}", stage), reason=why) if stage else why
    for key, form in _DETAILS.items():
        if lang == "zh" and (found := form.fullmatch(detail)):
            detail = trace(key, score=found[1], bar=found[2])
    return told + (said("detail", detail=detail) if detail else "")
