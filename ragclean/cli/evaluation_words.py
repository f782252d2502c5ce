"""What ``ragclean evaluate``, ``gate``, ``canary`` and ``audit`` say beside reports, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping

#: Key: Chinese, English.
EVALUATION_WORDS: Mapping[str, tuple[str, str]] = {
    # ---- evaluate: the plan
    "plan": (
        "{cases} 个用例，{variants}：{answers} 次回答，{judge_calls} 次评判{check}{cost}",
        "{cases} cases, {variants}: {answers} answers, {judge_calls} judge calls{check}{cost}",
    ),
    "plan_check": (
        "，自检最多另需 {answers} 次回答和 {judge_calls} 次评判",
        ", up to {answers} answers and {judge_calls} judge calls more for the self-check",
    ),
    "plan_cost": ("，总费用约 {price}", ", about {price} in all"),
    "short": (
        "有 {n} 个用例无法生成 {variant}（{case}：{reason}{hint}）",
        "{variant} cannot be made of {n} cases ({case}: {reason}{hint})",
    ),
    "nearest": ("；加上 --nearest 则取最接近的段落", "; --nearest takes the nearest to it"),
    # ---- evaluate: the run
    "interrupted": ("已中断；{again}", "interrupted; {again}"),
    "resumes": ("再次执行同一命令即可续跑", "the same command goes on where it stopped"),
    "would_resume": ("加上 --cache FOLDER 便可续跑", "with --cache FOLDER it could be resumed"),
    "check": ("自检：{failure}", "self-check: {failure}"),
    "check_line": ("{check}：{detail}", "{check}: {detail}"),
    "check_open": (
        "自检未能做全，该报告不能用于放行：{open}",
        "self-check: it could not be made whole, so that the report gates nothing: {open}",
    ),
    "check_open_line": ("{check}（{detail}）", "{check} ({detail})"),
    "failed": (
        "{all} 次回答中有 {n} 次失败；其中 {count} 次：{reason}",
        "{n} of {all} answers failed; {count} times: {reason}",
    ),
    # ---- gate
    "verdict_pass": ("放行", "pass"), "verdict_blocked": ("拦截", "blocked"),
    "verdict_inconclusive": ("用例太少，无法判定", "inconclusive"),
    "verdict": (
        "{verdict}：流程 {pipeline}，{variant} 对 v0",
        "{verdict}: pipeline {pipeline}, {variant} against v0",
    ),
    # ---- canary
    "recovered": ("噪声已回到基线，报警解除。", "Noise is back at the baseline; the alarm is off."),
    "unreadable_lines": ("ragclean: 有 {n} 行无法读取", "ragclean: {n} lines could not be read"),
    "standard_input": ("标准输入", "standard input"),
    # ---- audit
    "audit": (
        "{pages}，以 {day} 为准：{contradictions}（提问 {questions} 次，出自 {whole} 个页面中的 {questioned} 个），"
        "{stale}，{copies}{unreadable}",
        "{pages} as of {day}: {contradictions} ({questions} from {questioned} of {whole}), {stale}, "
        "{copies}{unreadable}",
    ),
    "audit_page": ("{n} 个页面", "{n} page"), "audit_pages": ("{n} 个页面", "{n} pages"),
    "audit_contradiction": ("{n} 处矛盾", "{n} contradiction"),
    "audit_contradictions": ("{n} 处矛盾", "{n} contradictions"),
    "audit_question": ("{n}", "{n} question"), "audit_questions": ("{n}", "{n} questions"),
    "audit_stale": ("{n} 份文档已过时", "{n} stale document"),
    "audit_stales": ("{n} 份文档已过时", "{n} stale documents"),
    "audit_copy": ("{n} 组重复", "{n} group of copies"), "audit_copys": ("{n} 组重复", "{n} groups of copies"),
    "audit_unreadable": ("；{n} 个页面没有可读的文字", "; {n} without text that can be read"),
    "audit_more": ("{title}另有 {n} 项未显示：用 --json 查看", "{n} more {title}: --json names them"),
    "undecided": ("未裁决", "undecided"),
    "contradictions": ("矛盾", "contradictions"), "stale": ("过时页面", "stale pages"), "copies": ("重复", "copies"),
    "col_question": ("问题", "question"), "col_taken": ("采用", "taken"), "col_sides": ("各方说法", "sides"),
    "col_asked_of": ("出题页面", "asked of"), "col_document": ("文档", "document"), "col_reason": ("原因", "reason"),
    "col_newest": ("最新版", "newest"), "col_stale": ("过时", "stale"), "col_page": ("页面", "page"),
    "col_alike": ("相似度", "alike"), "col_copies": ("重复页面", "copies"), "col_differing": ("数字不同", "differing"),
    "reason_older": ("较旧", "older"), "reason_expired": ("已过期", "expired"),
    "reason_withdrawn": ("已废止", "withdrawn"),
}  # fmt: skip
