"""What a replay and a comparison say, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ragclean.report.page import Lang
    from ragclean.report.wording import Wording

#: Key: Chinese, English.
REPLAY_WORDS: Mapping[str, tuple[str, str]] = {
    # ---- the table
    "stage": ("环节", "stage"),
    "kinds_answer": ("答案", "answers"), "kinds_sentence": ("句子", "sentences"), "kinds_chunk": ("段落", "chunks"),
    "cases": ("案例", "cases"),
    "meaning": ("含义", "meaning"),
    "stage_not_retrieved": ("未检索到", "not_retrieved"),
    "stage_screened_out": ("入口检查剔除", "screened_out"),
    "stage_ranked_out": ("排序剔除", "ranked_out"),
    "stage_arbitrated_out": ("裁决剔除", "arbitrated_out"),
    "stage_compressed_out": ("压缩剔除", "compressed_out"),
    "stage_kept": ("保留", "kept"),
    "stage_adopted": ("误采", "adopted"),
    "meaning_not_retrieved": ("没有候选段落含有它", "no candidate holds it"),
    "meaning_screened_out": ("空白或无法读取", "blank or unreadable"),
    "meaning_ranked_out": ("得分低，或排在 top_k 之后", "low score, or beyond top_k"),
    "meaning_arbitrated_out": ("在冲突中落败，或说的是另一对象", "lost a conflict, out of scope"),
    "meaning_compressed_out": ("所在句子被删", "its sentence was cut"),
    "meaning_kept": ("在上下文中", "in the context"),
    "meaning_adopted": ("本应剔除，却在上下文中", "in the context, was to go"),
    "right": ("{judged} 个案例中有 {right} 个正确", "{right} of {judged} cases right"),
    "without_labels": ("，另有 {n} 个未标注", ", {n} without labels"),
    # ---- each case
    "kind_answer": ("答案", "answer"), "kind_sentence": ("句子", "sentence"), "kind_chunk": ("段落", "chunk"),
    "adopted_wrong": ("错误的值", "wrong value"),
    "adopted_sentence": ("应删的句子", "unwanted sentence"),
    "adopted_chunk": ("应删的段落", "unwanted chunk"),
    "item": ("{stage}：{kind} {item}{where}{why}", "{stage}: {kind} {item}{where}{why}"),
    "where": ("，出自 {id}", " of {id}"),
    "why": ("（{why}）", " ({why})"),
    "detail": ("（{detail}）", ". {detail}"),
    "failed": ("出错：{error}", "error: {error}"),
    "nothing": ("没有丢失，也没有误采", "nothing is lost and nothing adopted"),
    # ---- before and after
    "both_right": (
        "评判 {judged} 个案例：改动前 {before} 个正确，改动后 {after} 个正确",
        "{judged} cases judged: {before} right before, {after} after",
    ),
    "changed": (
        "修复 {fixed} 个，改坏 {broken} 个，不变 {unchanged} 个；符号检验 p = {p}",
        "{fixed} fixed, {broken} broken, {unchanged} unchanged; sign test p = {p}",
    ),
    "same": ("两份配置相同", "the two configurations are the same"),
    "fixed": ("已修复；改动前：{case}", "fixed; before: {case}"),
    "broken": ("被改坏；改动后：{case}", "broken; after: {case}"),
}


def wording(lang: Lang) -> Wording:
    """The words in one language."""
    from ragclean.report.wording import Wording

    return Wording(lang, REPLAY_WORDS)
