"""What reports say, in Chinese and in English: every key in both, or the tests fail.

Placeholders stand in braces; what is put in their place is never read for braces again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragclean.report.page import LANGS, Lang

#: Key: Chinese, English.
WORDS: Mapping[str, tuple[str, str]] = {
    # ---- the page
    "title": ("RAG 噪声敏感性评测", "RAG noise sensitivity"),
    "skip": ("跳到正文", "Skip to the content"),
    "sections": ("本页内容", "On this page"),
    "undefined": ("未定义", "undefined"),
    "unnamed": ("（未分类）", "(none)"),
    "all_cases": ("全部用例", "all cases"),
    "text_more": ("另有 {count} 个字符未显示，全文见 JSON 报告", "{count} more characters, in the JSON report"),
    "names_more": ("等，另有 {count} 个", "and {count} more"),
    "rows_more": ("另有 {count} 行未显示，见 JSON 报告。", "{count} more rows, in the JSON report."),
    "to": ("{low} 至 {high}", "{low} to {high}"),
    "cases_n": ("{n} 例", "n = {n}"),
    # ---- head
    "pipeline": ("被测流程", "Pipeline"),
    "judge": ("评判者", "Judge"),
    "date": ("日期", "Date"),
    "corpus": ("噪声语料", "Noise corpus"),
    "variants": ("变体", "Variants"),
    "repeats": ("每例回答次数", "Answers to each case"),
    "noise": ("噪声设置", "Noise settings"),
    "case": ("用例", "Case"),
    "grade": ("等级", "grade"),
    "cases": ("用例", "Cases"),
    "answers": ("回答", "Answers"),
    "wrong_without": ("无噪声时已答错的用例", "Cases wrong without noise"),
    "failed_answers": ("失败的回答", "Failed answers"),
    "failing_cases": ("出错的用例", "Failing cases"),
    "setup": ("评测设置", "What was run"),
    "count": ("每例注入段数", "chunks injected"),
    "position": ("注入位置", "position"),
    "seed": ("随机种子", "seed"),
    "irrelevant": ("无关噪声的相似度区间", "band of irrelevant noise"),
    "relevant": ("相关噪声的相似度区间", "band of related noise"),
    "marked": ("矛盾段落带旧版标记", "contradictions are marked as older"),
    "on_empty_band": ("区间内不足时", "where a band holds too few"),
    "status_valid": ("评测器自检通过", "The evaluator passed its own check"),
    "status_failed": ("无效", "INVALID"),
    "status_failed_long": (
        "评测器未通过自检，以下数字不可采信，也不能用于放行。",
        "The evaluator failed its own check: the figures below are not to be believed and gate nothing.",
    ),
    "status_unchecked": ("未经自检", "Not checked"),
    "status_unchecked_long": (
        "没有做自检，或缺少必要的自检项：以下数字未经验证，不能用于放行。",
        "No self-check was made, or an essential part of it could not be: the figures are unproven and gate nothing.",
    ),
    "headline": (
        "{variant}：{figure}由 {base} 变为 {noisy}，退化 {value}（95% 区间 {interval}），{grade}。{action}。",
        "{variant}: {figure} went from {base} to {noisy}, a degradation of {value} (95 % interval {interval}): "
        "{grade}, {action}.",
    ),
    "headline_none": (
        "{variant}：{grade}。{action}。",
        "{variant}: {grade}, {action}.",
    ),
    "no_headline": ("没有跑加噪声的变体，无法给出退化。", "No noisy variant was run: there is no degradation."),
    "v0": ("v0 无噪声", "v0 without noise"),
    "v1": ("v1 无关噪声", "v1 irrelevant noise"),
    "v2": ("v2 相关但不含答案", "v2 related, no answer"),
    "v3": ("v3 相互矛盾", "v3 contradictions"),
    "v4": ("v4 全是噪声", "v4 noise alone"),
    "warnings": ("注意", "Take note"),
    # ---- checks
    "checks": ("自检", "Self-check"),
    "checks_caption": ("评测器对自己的检查", "What the evaluator asked of itself"),
    "check": ("检查项", "Check"),
    "result": ("结果", "Result"),
    "measured": ("实测", "Measured"),
    "wanted": ("要求", "Wanted"),
    "detail": ("说明", "Detail"),
    "passed": ("通过", "passed"),
    "not_passed": ("未通过", "failed"),
    "not_made": ("未判定", "not decided"),
    "no_checks": ("没有自检记录。", "No check is on record."),
    "check_oracle": ("标准答案得高分", "right answers score high"),
    "check_quotes": ("原文引用被判为有依据", "quotes are found supported"),
    "check_strangers": ("别题的答案得低分", "answers to other questions score low"),
    "check_refusals": ("拒答被识别", "refusals are seen"),
    "check_contradictions": ("采信矛盾被识别", "adopted contradictions are caught"),
    "check_controls": ("已知稳健与已知轻信的对照", "the robust and the gullible control"),
    "check_agreement": ("评判者前后一致", "the judge agrees with itself"),
    "check_no change": ("v0 对 v0 无退化", "v0 against v0 shows nothing"),
    "check_contexts": ("问题与真实上下文未变", "question and real contexts are untouched"),
    "check_noise v1": ("v1 噪声合格", "noise of v1"),
    "check_noise v2": ("v2 噪声合格", "noise of v2"),
    "check_noise v3": ("v3 噪声合格", "noise of v3"),
    "check_noise v4": ("v4 噪声合格", "noise of v4"),
    "check_own judge": ("评判者不是作答者自己", "the judge is not the answerer"),
    "at_least": ("不低于 {value}", "at least {value}"),
    "at_most": ("不高于 {value}", "at most {value}"),
    # ---- averages
    "averages": ("各变体均值", "Averages by variant"),
    "averages_caption": (
        "每个指标只对有定义的回答取平均；失败的回答不按 0 计。",
        "Each over the answers for which it is defined; a failed answer is not counted as 0.",
    ),
    "variant": ("变体", "Variant"),
    "correctness": ("正确性", "correctness"),
    "correctness_lenient": ("正确性（宽）", "correctness, lenient"),
    "faithfulness": ("忠实度", "faithfulness"),
    "faithfulness_lenient": ("忠实度（宽）", "faithfulness, lenient"),
    "adoption_relevant": ("采信相关噪声", "adoption, relevant"),
    "adoption_irrelevant": ("采信无关噪声", "adoption, irrelevant"),
    "refusal": ("拒答率", "refusals"),
    "failed": ("失败", "failed"),
    # ---- degradation
    "degradation": ("退化", "Degradation"),
    "degradation_caption": (
        "退化 = 1 − 加噪声后的均值 ÷ 无噪声的均值，同一批用例；其下为 95% 区间与例数。退化大的在前。",
        "Degradation = 1 − mean with noise ÷ mean without, over the same cases; beneath it the 95 % interval. "
        "What loses most comes first.",
    ),
    "scale": (
        "不超过 5%：稳健；5% 至 15%：留意；超过 15%：敏感；无噪声时均值低于 0.2：无法判断。",
        "Up to 5 %: robust; above 5, up to 15 %: watch; above 15 %: sensitive; base mean below 0.2: inconclusive.",
    ),
    "by_category": ("按类别", "By category"),
    "by_difficulty": ("按难度", "By difficulty"),
    "by_position": ("按噪声位置", "By position of the noise"),
    "position_caption": (
        "注入段落在真实段落之前、之间或之后",
        "Injected chunks before, among or behind the real ones",
    ),
    "bucket": ("分组", "Bucket"),
    "front": ("靠前", "front"),
    "middle": ("居中", "middle"),
    "end": ("靠后", "end"),
    "grade_robust": ("稳健", "robust"),
    "grade_watch": ("留意", "watch"),
    "grade_sensitive": ("敏感", "sensitive"),
    "grade_inconclusive": ("无法判断", "inconclusive"),
    "odd_cases": ("不符的用例：{cases}", "not so: {cases}"),
    "best_why": ("经得起噪声的召回最高：召回 {recall}，退化 {lost}。", "recall {recall}, degradation {lost}"),
    "few": ("例数太少，看区间，不看数值", "too few cases: read the interval, not the value"),
    "action_robust": ("无需处理", "nothing to do"),
    "action_watch": ("下一轮迭代检查阈值与重排", "check thresholds and rerank in the next iteration"),
    "action_sensitive": ("上线前修复", "fix before release"),
    "action_inconclusive": (
        "说明不了什么：先改进无噪声时的回答或用例",
        "nothing can be said: mend the base answers or the cases first",
    ),
    "not_shown": ("未测", "not measured"),
    "left_out": ("未计入：{what}", "without {what}"),
    "left_undefined": ("未定义 {n}", "{n} undefined"),
    "left_failed": ("失败 {n}", "{n} failed"),
    "left_absent": ("缺变体 {n}", "{n} absent"),
    # ---- gate
    "gate": ("放行判定", "Release gate"),
    "gate_caption": ("{variant}，与 v0 相比，逐组判定", "{variant} against v0, bucket by bucket"),
    "gate_pass": ("放行", "pass"),
    "gate_blocked": ("拦截", "blocked"),
    "gate_inconclusive": ("无法判定", "inconclusive"),
    "gate_exit": ("退出码 {code}", "exit code {code}"),
    "limit": ("上限", "Limit"),
    "verdict": ("判定", "Verdict"),
    "reason": ("理由", "Reason"),
    "critical": ("关键", "critical"),
    "pooled": ("（小类合并）", "(small categories)"),
    "gate_figures": (
        "{figure}退化 {value}（{interval}；上限 {limit}；{n} 例）",
        "{figure} lost {value} ({interval}; limit {limit}; {n} cases)",
    ),
    "gate_low_base": (
        "{figure}：无法判断，无噪声时的均值太低",
        "{figure}: nothing can be said, the base mean is too low",
    ),
    "gate_no_score": (
        "{figure}：无法判断，没有一例在两边都有分数",
        "{figure}: nothing can be said, no case has a score under both variants",
    ),
    "gate_hidden": ("{figures}；{n} 例失败，可能掩盖退化", "{figures}; {n} cases failed, which could hide more"),
    "gate_few": ("用例太少，无法判定：{figures}；{least}", "too few cases to tell: {figures}; {least}"),
    "gate_least": ("这么多用例只能发现 {value} 以上的退化", "so many block one of {value} or more"),
    "gate_least_none": ("这么多用例发现不了任何退化", "so many cannot block any"),
    # ---- comparison
    "comparison": ("与另一流程相比", "Comparison"),
    "comparison_caption": ("后者减前者，同一批用例，括号内为 95% 区间", "The second less the first; 95 % interval"),
    "comparison_means": ("均值", "Means"),
    "comparison_lost": ("退化", "Degradations"),
    "comparison_lost_note": (
        "差为正：后者退化更多。",
        "A positive difference says that the second loses more.",
    ),
    "first": ("前者", "First"),
    "second": ("后者", "Second"),
    "figure": ("指标", "Figure"),
    "difference": ("差", "Difference"),
    "p_value": ("p 值", "p"),
    "left": ("未计入", "left out"),
    "worse_first": ("{variant}：前者退化更多，并非偶然。", "{variant}: the first loses more, beyond chance."),
    "worse_second": ("{variant}：后者退化更多，并非偶然。", "{variant}: the second loses more, beyond chance."),
    "worse_both": (
        "{variant}：两者各有一个指标退化更多。",
        "{variant}: each of them loses more in one of the figures.",
    ),
    "worse_": ("{variant}：分不出高下。", "{variant}: they cannot be told apart."),
    # ---- sweep
    "sweep": ("参数扫描", "Sweep"),
    "sweep_caption": ("每组设置的召回与 v3 退化", "Recall and v3 degradation of each setting"),
    "sweep_axis_x": ("v3 退化（正确性与忠实度中较差者）", "v3 degradation (the worse figure)"),
    "sweep_axis_y": ("召回", "recall"),
    "sweep_alt": (
        "散点图：横轴为 v3 退化，纵轴为召回；{n} 组设置，数值见下表。",
        "Scatter plot of recall against v3 degradation for {n} settings; the values are in the table below.",
    ),
    "sweep_frontier": (
        "虚线连接召回与退化都不被别组超过的设置。",
        "The dashed line joins the settings that no other beats in both.",
    ),
    "sweep_unplaced": ("{n} 组设置缺少召回或退化，未画出。", "{n} settings lack one of both and are not drawn."),
    "sweep_not_drawn": ("图中只画前 {n} 组设置。", "Only the first {n} settings are drawn."),
    "best": ("最佳", "best"),
    "best_is": ("最佳设置：第 {n} 组。", "Best: setting {n}."),
    "best_none": ("没有哪组设置明显更好。", "No setting can be told from the others."),
    "settings": ("设置", "Settings"),
    "passages": ("读到的段数", "chunks read"),
    "recall": ("召回", "recall"),
    "v3_lost": ("v3 退化", "v3 degradation"),
    # ---- the corrector on and off
    "arms": ("校正前后对照", "The corrector on and off"),
    "arm": ("处理方式", "Contexts"),
    "arm_raw": ("原始检索", "raw"),
    "arm_vector rerank": ("向量重排", "vector rerank"),
    "arm_corrected": ("校正后", "corrected"),
    "strict_match": ("逐字一致", "strict match"),
    "value_match": ("数值归一后一致", "normalised match"),
    "tokens": ("上下文长度（估计 token）", "context (tokens, est.)"),
    "shorter": ("缩短", "shorter"),
    "arms_lost": ("各方式的 v3 退化", "v3 degradation of each"),
    # ---- health
    "health": ("知识库体检", "Content health"),
    "health_note": (
        "v3 测的既是模型，也是知识库。以下是文档维护者的待办，最要紧的在前。",
        "v3 measures the knowledge base as much as the model. What to mend in the documents, worst first.",
    ),
    "stale": ("旧版仍会被检索到的文档", "Documents of which an old version is still retrieved"),
    "losing": ("常在冲突中落败的页面", "Pages that lose conflicts"),
    "lineage": ("文档", "Document"),
    "newest": ("最新版", "Newest"),
    "stale_ids": ("应下线的版本", "Should not be found"),
    "stale_older": ("有更新的版本", "older than another"),
    "stale_expired": ("已过期", "expired"),
    "stale_withdrawn": ("已废止", "withdrawn"),
    "page_id": ("页面", "Page"),
    "source": ("来源", "Source"),
    "lost_of": ("落败 / 冲突", "Lost / conflicts"),
    "in_cases": ("涉及用例", "Cases"),
    "health_clean": ("{n} 例中没有发现。", "Nothing found in {n} cases."),
    # ---- what is missing
    "shortages": ("未能生成的变体", "Variants that could not be made"),
    "shortages_caption": ("这些用例在该变体下没有参与评测", "These cases take no part under the variant"),
    "nearest": ("最接近的相似度", "Nearest similarities"),
    "short_unalterable": (
        "答案中没有可以改动的数值、是否或名称",
        "no value, yes or no, or name of the answer can be altered",
    ),
    "short_band": (
        "需要 {wanted} 段，相似度在 {low} 至 {high} 的只有 {found} 段",
        "{found} of {wanted} chunks lie in {low}..{high}",
    ),
    "failures": ("失败的调用", "Failed calls"),
    "failures_caption": ("这些回答不计入任何均值，也不按 0 计", "None of these is counted, nor taken for 0"),
    "blame": ("出错方", "Who failed"),
    "blame_application": ("应用", "application"),
    "blame_judge": ("评判者", "judge"),
    "nothing_failed": ("没有失败的调用。", "No call failed."),
    "nothing_short": ("所有变体都已生成。", "Every variant could be made."),
    # ---- failing cases
    "failing_note": (
        "加噪声后正确性下降、采信了注入的矛盾内容，或调用失败的用例；损失大的在前。",
        "Less correct under noise than without, an injected contradiction adopted, or a failed call; worst first.",
    ),
    "failing_none": ("没有出错的用例。", "No case fails."),
    "failing_shown": (
        "共 {total} 条（一个用例在一个变体下为一条），显示前 {shown} 条，其余见 JSON 报告的 outcomes。",
        "The first {shown} of {total} entries (a case under a variant) are shown; the others are in the JSON report, "
        "under outcomes.",
    ),
    "fault_lower": ("正确性下降", "less correct"),
    "fault_adopted": ("采信矛盾", "contradiction adopted"),
    "fault_failed": ("调用失败", "failed call"),
    "filter_text": ("筛选文字", "Text to look for"),
    "filter_variant": ("变体", "Variant"),
    "filter_fault": ("错处", "Fault"),
    "filter_any": ("全部", "any"),
    "filter_count": ("符合条件", "that match:"),
    "question": ("问题", "Question"),
    "reference": ("参考答案", "Reference"),
    "no_reference": ("无参考答案：应当拒答", "none: refusing is right"),
    "category": ("类别", "Category"),
    "difficulty": ("难度", "Difficulty"),
    "as_of": ("提问日期", "Asked on"),
    "answer": ("回答", "Answer"),
    "empty_answer": ("（空）", "(empty)"),
    "answer_of": ("共 {n} 次回答，显示第 {i} 次", "answer {i} of {n}"),
    "no_answer": ("没有回答：{why}", "No answer: {why}"),
    "no_verdict": ("没有评判：{why}", "No verdict: {why}"),
    "refused": ("拒答", "refused"),
    "points_caption": ("要点逐条评判", "Key points, one by one"),
    "point": ("要点", "Key point"),
    "point_covered": ("覆盖", "covered"),
    "point_contradicted": ("相悖", "contradicted"),
    "point_missing": ("缺失", "missing"),
    "claims_caption": ("回答中的论断逐条评判", "Claims of the answer, one by one"),
    "claim": ("论断", "Claim"),
    "claim_supported": ("有依据", "supported"),
    "claim_contradicted": ("相悖", "contradicted"),
    "claim_not_mentioned": ("未提及", "not mentioned"),
    "claim_from": ("出自注入段 {id}（{kind}）", "taken from injected chunk {id} ({kind})"),
    "claims_none": ("没有论断。", "No claim."),
    "points_none": ("没有要点评判。", "No key point was judged."),
    "rows_cut": ("另有 {count} 条，见 JSON 报告。", "{count} more, in the JSON report."),
    "evidence": ("依据", "Evidence"),
    "contexts": ("上下文（{n} 段，其中注入 {added} 段）", "Contexts ({n} chunks, {added} injected)"),
    "contexts_same": (
        "v0 看到的是其中未标“注入”的各段，次序相同。",
        "v0 was shown those that are not marked as injected, in the same order.",
    ),
    "contexts_none": ("没有上下文。", "No context."),
    "chunks_more": ("另有 {count} 段未显示，见 JSON 报告。", "{count} more chunks, in the JSON report."),
    "injected": ("注入", "injected"),
    "gold": ("含答案", "holds the answer"),
    "kind_irrelevant": ("无关", "irrelevant"),
    "kind_relevant_soft": ("相关但不含答案", "related, no answer"),
    "kind_relevant_hard": ("矛盾", "contradiction"),
    "origin": ("来历：{origin}", "origin: {origin}"),
    "origin_pool": ("语料库", "corpus"),
    "origin_old_version": ("旧版本", "old version"),
    "similarity": ("相似度 {value}", "similarity {value}"),
    # ---- reading it
    "method": ("怎么读这份报告", "How to read this"),
    "method_figures": (
        "正确性：回答覆盖且不违背的要点占比。忠实度：有真实上下文支持的论断占比，注入的内容不算依据。"
        "“宽”指未提及也算通过。采信：无依据的论断中，出自注入内容的占比。",
        "Correctness: share of key points that the answer covers and does not contradict. Faithfulness: share of its "
        "claims that the real contexts support; what was injected supports nothing. Lenient: what is not mentioned "
        "passes. Adoption: share of the unsupported claims that an injected chunk supports.",
    ),
    "method_undefined": (
        "未定义不等于 0，不进入任何均值；每处都注明有多少例未计入。",
        "Undefined is not 0 and stays out of every mean; how many cases were left out is said beside each figure.",
    ),
    "method_interval": (
        "区间是对用例重抽样得到的 95% 区间：说的是“类似的用例”。例数少，区间就宽。",
        "Intervals are 95 %, over resampled cases: they are about cases like these. Few cases, wide interval.",
    ),
    "method_v4": (
        "v4 里没有答案，应看拒答率，不计算退化。",
        "v4 holds no answer: read its share of refusals; there is no degradation.",
    ),
}


class Wording:
    """The words of one language.

    Raises:
        ValueError: the language is neither ``zh`` nor ``en``.
    """

    def __init__(self, lang: Lang, words: Mapping[str, tuple[str, str]] = WORDS) -> None:
        if lang not in LANGS:
            raise ValueError(f"lang: expected 'zh' or 'en', got {lang!r:.40}")
        self.lang: Lang = lang
        self._at, self._words = LANGS.index(lang), words

    def __call__(self, key: str, **values: Any) -> str:
        """The words of a key.

        Raises:
            KeyError: there is no such key, or a placeholder has no value.
        """
        words = self._words[key][self._at]
        return words.format(**values) if values else words

    def of(self, words: Mapping[str, tuple[str, str]]) -> Wording:
        """Other words in the same language."""
        return Wording(self.lang, words)

    def title(self, key: str) -> str:
        """The words of a key at the head of a column or before a value."""
        words = self(key)
        return words[:1].upper() + words[1:] if words[1:2].islower() else words  # neither "v3" nor "p"

    @property
    def colon(self) -> str:
        return "：" if self.lang == "zh" else ": "

    @property
    def semicolon(self) -> str:
        return "；" if self.lang == "zh" else "; "

    @property
    def comma(self) -> str:
        """Between the items of a list."""
        return "、" if self.lang == "zh" else ", "

    def known(self, key: str, otherwise: str) -> str:
        """The words of a key that came from data; where there are none, what is given."""
        return self._words[key][self._at] if key in self._words else otherwise
