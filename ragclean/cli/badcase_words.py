"""What ``ragclean badcases``, ``replay`` and ``label`` say, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping

#: Key: Chinese, English.
BADCASE_WORDS: Mapping[str, tuple[str, str]] = {
    # ---- the store
    "unreviewed": ("未判定", "unreviewed"),
    "labelled": ("已标注", "labelled"),
    "exported": ("已将 {written} 个案例写入 {file}", "{written} cases written to {file}"),
    "imported": (
        "新增 {added} 个案例，替换 {replaced} 个，已有 {known} 个",
        "{added} cases added, {replaced} replaced, {known} known already",
    ),
    "exported_cases": (
        "已将 {written} 个案例写入 {file}，另有 {left_out} 个未计入",
        "{written} cases written to {file}, {left_out} left out",
    ),
    "exported_tests": (
        "已将 {written} 个案例写入 {data} 和 {name}，另有 {left_out} 个未计入",
        "{written} cases written to {data} and {name}, {left_out} left out",
    ),
    "why_nothing is expected of it": ("没有标注期望的结果", "nothing is expected of it"),
    "why_no chunk or sentence has a label": ("没有标注任何段落或句子", "no chunk or sentence has a label"),
    # ---- replay: the table
    "stage": ("环节", "stage"),
    "kind_answer": ("答案", "answer"), "kind_sentence": ("句子", "sentence"), "kind_chunk": ("段落", "chunk"),
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
    # ---- replay: each case
    "adopted_wrong": ("错误的值", "wrong value"),
    "adopted_sentence": ("应删的句子", "unwanted sentence"),
    "adopted_chunk": ("应删的段落", "unwanted chunk"),
    "item": ("{stage}：{kind} {item}{where}{why}", "{stage}: {kind} {item}{where}{why}"),
    "where": ("，出自 {id}", " of {id}"),
    "why": ("（{why}）", " ({why})"),
    "failed": ("出错：{error}", "error: {error}"),
    "nothing": ("没有丢失，也没有误采", "nothing is lost and nothing adopted"),
    "quiet": (
        "另有 {n} 个案例没有丢失内容，但有误采：用 --json 查看",
        "{n} more lost nothing and adopted something: --json names it",
    ),
    # ---- replay: before and after
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
