"""What the trace of one ``refine`` says, in Chinese and in English."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ragclean.report.page import shorten
from ragclean.report.wording import Wording
from ragclean.types import Dropped

#: Characters of a quoted sentence and of a reason with its figures.
QUOTE_WIDTH = 300

#: Key: Chinese, English.
TRACE_WORDS: Mapping[str, tuple[str, str]] = {
    "title": ("检索上下文校正过程", "How the context was cleaned"),
    "skip": ("跳到正文", "Skip to the content"),
    "sections": ("本页内容", "On this page"),
    "as_of": ("以 {day} 为准", "as of {day}"),
    "observing": (
        "仅观察：上下文未作改动，以下是本会作出的改动。",
        "Observed only: the context is unchanged; this is what would have been done.",
    ),
    "chunks": ("段落", "Chunks"),
    "shorter": ("缩短（按字符）", "Shorter (characters)"),
    "tokens": ("token（估计）", "Tokens (estimated)"),
    "milliseconds": ("耗时（毫秒）", "Milliseconds"),
    "warnings": ("警告", "Warnings"),
    # ---- at a glance
    "glance": ("概要", "At a glance"),
    "kept_chunks": ("保留 {n} 段", "Kept: {n}"),
    "gone_chunks": ("整段删去 {n} 段", "Chunks gone: {n}"),
    "cut_sentences": ("保留段落中删句", "Cut inside kept chunks"),
    "cut_count": ("删去 {cut} 句，保留 {kept} 句", "{cut} sentences cut, {kept} kept"),
    "cut_facts": ("其中 {n} 句含受保护的事实", "{n} of them with a protected fact"),
    "none": ("无", "none"),
    "reason_count": ("{reason}（{n}）", "{reason} ({n})"),
    "context": ("最终上下文", "The final context"),
    "context_hint": (
        "交给模型的文字，逐字取自各段，按保留次序排列。",
        "What the model is given: word for word, in the order of the kept chunks.",
    ),
    "context_empty": ("上下文为空。", "The context is empty."),
    # ---- conflicts
    "conflicts": ("冲突与裁决", "Conflicts and how they were decided"),
    "conflicts_short": ("冲突", "Conflicts"),
    "no_conflicts": ("没有发现互相矛盾的说法。", "No contradictions were found."),
    "conflict_about": ("关于", "About"),
    "conflict_plain": ("说法不一", "Sources disagree"),
    "decided": ("已裁决", "decided"),
    "unresolved": ("未能裁决", "unresolved"),
    "unresolved_long": ("没有一方明显占优：请核实。", "No side has a clear lead: please check."),
    "side": ("说法", "Side"),
    "adopted": ("采用", "taken"),
    "rejected": ("未采用", "not taken"),
    "because": ("理由", "why"),
    "lead": ("领先 {margin}", "lead {margin}"),
    "why_votes": ("独立来源更多", "more independent sources say so"),
    "why_source": ("来源更可信", "its source is more trustworthy"),
    "why_time": ("以现行有效、日期较新的为准", "it is the newer statement in force"),
    "why_scope": ("只有它说的是所问的对象", "only it is about the thing asked for"),
    "why_mixed": ("综合来源、时间和独立来源数", "sources, dates and independent witnesses together favour it"),
    "weight": ("权重", "Weight"),
    "witnesses": ("依据", "Witnesses"),
    "trust": ("可信度 {value}", "trust {value}"),
    "age_factor": ("时效 {value}", "age {value}"),
    "copies": ("另有转抄（不另计票）", "copied in (no vote of their own)"),
    "sides_caption": ("各方说法、依据与权重", "What each side says, on whose word, with what weight"),
    # ---- chunks
    "candidates": ("逐段结果", "Chunk by chunk"),
    "in_order": ("按检索顺序。", "In the retriever's order."),
    "legend": (
        "展开可看原文：绿色底为保留的句子，带下划线的含受保护的事实（数字、日期、价格、术语、名称）；划线并编号的为删去的句子，"
        "理由按编号列在原文之下；红色底为在冲突中落败的句子。",
        "Open one to read it. Green: kept; underlined: holds a protected fact (number, date, price, term, name). "
        "Struck out and numbered: cut, with the reason under the same number below the text. Red: lost a conflict.",
    ),
    "kept_n": ("保留，第 {n} 位", "kept, number {n}"),
    "part_kept": ("保留 {kept} / {all} 句", "{kept} of {all} sentences"),
    "sentence_by_sentence": ("逐句删完", "cut sentence by sentence"),
    "gone": ("删去", "gone"),
    "cut": ("删句", "cut"),
    "gone_table": ("删去的句子与理由", "Sentences that were cut, and why"),
    "sentence": ("句子", "Sentence"),
    "reason": ("理由", "Reason"),
    "relevance": ("相关度", "Relevance"),
    "semantic": ("语义", "semantic"),
    "judge": ("答题判断", "judge"),
    "keyword": ("关键词", "keyword"),
    "source": ("来源", "Source"),
    "day": ("日期", "Date"),
    "address": ("地址", "Address"),
    "flags": ("标记", "Flags"),
    "also_in": ("同一句也见于", "Same sentence also in"),
    "held_fact": ("含受保护的事实", "held a protected fact"),
    "flag_out_of_scope": ("说的是另一对象", "about something else"), "flag_demoted": ("已降级", "demoted"),
    "flag_annotated": ("已注明", "annotated"), "flag_pinned": ("固定保留", "pinned"),
    "flag_instruction_like": ("像是在对模型下指令", "addresses the model"),
    "unread": ("未能读取", "Could not be read"),
    "timing": ("各环节耗时", "Time by stage"),
    "text_more": ("另有 {count} 个字符未显示", "{count} more characters"),
    "names_more": ("等，另有 {count} 个", "and {count} more"),
    "rows_more": ("另有 {count} 条未显示，见 to_dict()。", "{count} more, in to_dict()."),
    "stage_screen": ("入口检查", "screen"), "stage_rank": ("排序", "rank"), "stage_arbitrate": ("裁决", "arbitrate"),
    "stage_compress": ("压缩", "compress"), "stage_verify": ("出口检查", "verify"),
    "stage_question": ("读题", "question"), "stage_admit": ("准入", "admit"), "stage_total": ("合计", "total"),
    "reason_beyond_top_k": ("排在 top_k 之后", "beyond top_k"),
    "reason_below_admission": ("相关度低于准入阈值", "below the admission threshold"),
    "reason_not_answering": ("不像在回答问题", "does not seem to answer"),
    "reason_lost_conflict": ("在冲突中落败", "lost a conflict"),
    "reason_out_of_scope": ("说的是另一对象", "about something else"),
    "reason_no_value": ("没有所问的那类值", "no value of the kind asked for"),
    "reason_duplicate": ("与已有内容重复", "says what another says"),
    "reason_below_threshold": ("与问题关系不大，低于句子阈值", "below the sentence threshold"),
    "reason_token_budget": ("超出 token 预算", "beyond the token budget"),
    "detail_score": ("得分 {score}，阈值 {bar}", "score {score}, threshold {bar}"),
    "detail_judge": ("答题判断 {score}，最高的段落为 {bar}", "judge {score}, the best chunk has {bar}"),
    "detail_place": ("第 {score} 位，top_k 为 {bar}", "place {score}, top_k is {bar}"),
    "detail_like": ("与 {bar} 中保留的一句相似度 {score}", "{score} like a sentence of {bar}, which stays"),
    "detail_worth": ("价值 {score}，需 {tokens} token，预算 {bar}", "worth {score} for {tokens} tokens, budget {bar}"),
    "detail_no_fact": (
        "得分 {score}，不含事实；每段只留最好的 {bar}%",
        "score {score}, no fact; the best {bar}% of a chunk stay",
    ),
    "detail_other_fact": (
        "得分 {score}，所含事实不是所问的；每段只留最好的 {bar}%",
        "score {score}, a fact not asked for; the best {bar}% of a chunk stay",
    ),
    "detail_same_text": ("与 {bar} 文字相同，后者保留", "the same text as {bar}, which stays"),
    "detail_introduces": ("它引出的内容已删去", "what it introduces had to go"),
    "detail_rest": ("同一段代码或答复的其余部分已删去", "the rest of its code or answer had to go"),
    "detail_copies": ("除重复内容外没有值得保留的句子", "nothing else of it is worth keeping beside its copies"),
    "detail_copy": ("照抄了落败的说法", "a copy of a losing claim"),
    "note_expired": ("已过期", "expired"), "note_withdrawn": ("已废止", "withdrawn"), "note_stale": ("较旧", "older"),
    "note_superseded": ("已被新版取代", "superseded"), "note_not_yet_in_force": ("尚未生效", "not yet in force"),
    "note_draft": ("草稿", "draft"), "note_hearsay": ("传闻", "hearsay"), "note_undated": ("无日期", "undated"),
    "note_other_customers": ("适用于另一批客户", "for other customers"),
    "note_trust_unknown": ("来源可信度未知", "trust unknown"),
    "reason_empty": ("没有文字", "empty"),
    "reason_bad_candidate": ("无法读取", "could not be read"),
    "reason_no_answer": ("看来没有段落能回答", "nothing seems to answer"),
    "caution_bad_candidate": ("有候选段落或其字段无法读取", "a candidate could not be read"),
    "caution_bad_date": ("有日期无法识别", "a date could not be read"),
    "caution_no_candidates": ("没有可用的候选段落，上下文为空", "no candidates"),
    "caution_duplicate_id": ("有两个候选段落的 id 相同", "an id is used twice"),
    "caution_instruction_like": ("有段落像是在对模型下指令，未作处理", "a chunk addresses the model"),
    "caution_no_query_terms": ("问题中没有可用来排序的词，沿用检索顺序", "nothing in the query to rank by"),
    "caution_vague_query": ("问题脱离上文看不明白，或没有说清要问什么", "vague query"),
    "caution_multi_hop_likely": ("回答可能要综合多个页面", "may need several pages"),
    "caution_low_relevance": ("最相关的段落也低于准入阈值", "low relevance"),
    "caution_no_answer_likely": ("看来没有段落能回答", "nothing seems to answer"),
    "caution_nothing_admitted": ("没有段落通过准入，只保留了最好的一段", "nothing was admitted"),
    "caution_only_other_things": ("剩下的段落说的都是别的型号、版本或客户群", "only about other things"),
    "caution_unresolved_conflict": ("各来源说法不一，未能裁决", "unresolved conflict"),
    "caution_unknown_pinned": ("要求固定保留的 id 不存在", "a pinned id is unknown"),
    "caution_judge_failed": ("判断模型出错，由内置模型代替", "the judge failed"),
    "caution_encoder_failed": ("编码器出错，由内置模型代替", "the encoder failed"),
    "caution_count_tokens_failed": ("token 计数函数出错，改用估计值", "the token counter failed"),
    "caution_token_budget_exceeded": ("必须保留的内容超出 max_tokens", "over the token budget"),
    "caution_untouchable_dropped": ("预算不足，舍弃了与答案有关的事实", "a fact had to go"),
    "caution_max_tokens_ignored": ("未启用压缩，max_tokens 不起作用", "max_tokens has no effect"),
    "caution_untouchable_restored": ("出口检查补回了误删的事实", "a fact was put back"),
    "caution_loser_removed": ("出口检查去掉了已落败的说法", "a losing claim was removed"),
    "caution_not_verbatim": ("出口检查修正了与原文不符的内容", "a text was not verbatim"),
    "caution_empty_context_restored": ("出口检查发现上下文为空，已恢复", "an empty context was restored"),
    "caution_stage_failed": ("有环节出错，沿用其输入", "a stage failed"),
    "caution_stage_skipped": ("时间预算用尽，跳过了一个环节", "a stage was skipped"),
    "caution_verify_failed": ("出口检查本身出错", "the output guard failed"),
}  # fmt: skip


def reason_of(dropped: Dropped, w: Wording) -> str:
    """Why something went, in a few words of the page's language."""
    return w.known(f"reason_{dropped.reason}", dropped.reason.replace("_", " "))


_FIGURE = r"(\d{1,3}\.\d\d)"
#: Details with figures, as the stages write them; any other stands as it is.
_DETAILS = {
    "detail_score": re.compile(rf"score {_FIGURE} is below the (?:sentence|admission) threshold (?P<bar>\d\.\d\d)"),
    "detail_judge": re.compile(rf"judge {_FIGURE}, the best passage has (?P<bar>\d\.\d\d)"),
    "detail_place": re.compile(r"place (\d{1,9}), top_k is (?P<bar>\d{1,9})"),
    "detail_like": re.compile(rf"{_FIGURE} like a sentence of (?P<bar>.{{1,200}}), which stays"),
    "detail_worth": re.compile(rf"worth {_FIGURE} for (?P<tokens>\d{{1,9}}) tokens; the budget is (?P<bar>\d{{1,9}})"),
    "detail_no_fact": re.compile(rf"score {_FIGURE}, no fact; the best (?P<bar>\d{{1,3}})% of the chunk are kept"),
    "detail_other_fact": re.compile(
        rf"score {_FIGURE}, a fact not asked for; the best (?P<bar>\d{{1,3}})% of the chunk are kept"
    ),
    "detail_same_text": re.compile(r"(the same text) as (?P<bar>.{1,200}), which stays"),
}
#: Details without figures: the key that says the same, or nothing where the reason says it already.
_PLAIN_DETAILS = {
    "what it introduces had to go": "detail_introduces",
    "the rest of its code or answer had to go": "detail_rest",
    "nothing else of this chunk is worth keeping beside its copies": "detail_copies",
    "a copy of a losing claim": "detail_copy",
    "it holds no value of the kind asked for, as other chunks do": "",
    "no chunk seems to answer the query": "",
    "the text is blank": "",
}


def detail_of(detail: str, w: Wording) -> str:
    """The figures behind a reason, in the reader's language where they are of a known form."""
    if detail in _PLAIN_DETAILS:
        key = _PLAIN_DETAILS[detail]
        return w(key) if key else ""
    for key, form in _DETAILS.items():
        m = form.fullmatch(detail)
        if m is not None:
            return w(key, score=m[1], **m.groupdict())
    return detail


def why_of(dropped: Dropped, w: Wording) -> str:
    """Reason and figures in a line."""
    detail = detail_of(dropped.detail, w)
    return shorten(f"{reason_of(dropped, w)}{w.colon}{detail}" if detail else reason_of(dropped, w), QUOTE_WIDTH)
