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
    # ---- replay
    "quiet": (
        "另有 {n} 个案例没有丢失内容，但有误采：用 --json 查看",
        "{n} more lost nothing and adopted something: --json names it",
    ),
}
