"""What ``ragclean refine`` says of a result, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ragclean.cli.frame_words import FRAME_WORDS
from ragclean.cli.language import Lang, wording

if TYPE_CHECKING:
    from ragclean.result import RefinedContext
    from ragclean.types import Caution, Dropped, KeptChunk

#: Characters of a sentence that went.
_QUOTE = 60

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


def meant(lang: Lang, caution: Caution) -> str:
    """A warning: in Chinese what its code means, then the library's own words, which name the item."""
    from ragclean.report.trace_wording import TRACE_WORDS

    meaning = wording("zh", TRACE_WORDS).known(f"caution_{caution.code}", "")
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
    why = _fate(gone, lang)
    if gone.start is None:
        return said("dropped", id=gone.chunk_id, why=why)
    return said("cut", id=gone.chunk_id, quote=" ".join(gone.text.split())[:_QUOTE], why=why)


def _fate(gone: Dropped, lang: Lang) -> str:
    """Stage, reason and detail, in a line; a detail without known figures is the library's own."""
    from ragclean.report.trace_wording import TRACE_WORDS, detail_of

    said, trace = wording(lang, REFINE_WORDS), wording(lang, TRACE_WORDS)
    reason, detail = trace.known(f"reason_{gone.reason}", gone.reason), detail_of(gone.detail, trace)
    told = said("why", stage=trace.known(f"stage_{gone.stage}", gone.stage), reason=reason)
    return told + (said("detail", detail=detail) if detail else "")
