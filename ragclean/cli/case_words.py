"""What ``ragclean cases`` and ``label`` say, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping

#: Key: Chinese, English.
CASE_WORDS: Mapping[str, tuple[str, str]] = {
    # ---- build
    "drafts": ("草稿 {n} 个", "{n} drafts"),
    "wanting": ("其中 {n} 个还缺参考答案或答案片段", "{n} of them want a reference or gold chunks"),
    "left_out": ("未采用：{n}：{reason}", "left out: {n}: {reason}"),
    "added": (
        "已在 {file} 中新增 {added} 个草稿，原有 {known} 个",
        "{added} drafts added to {file}, {known} were there",
    ),
    # ---- review: counts
    "written": ("已将 {n} 个用例写入 {file}", "{n} cases written to {file}"),
    "to_review": (
        "{all} 个草稿中还有 {open} 个待审核，已采纳 {accepted} 个，已放弃 {dropped} 个",
        "{open} of {all} drafts to review, {accepted} accepted, {dropped} dropped",
    ),
    # ---- review: the walk
    "keys": (
        "a 采纳  r 改参考答案  p 改要点  g 指定答案片段  n 无答案  m 显示全文  d 放弃  s 跳过  b 返回  q 退出",
        "a accept  r reference  p points  g gold  n no answer  m more  d drop  s skip  b back  q quit",
    ),
    "key_use": ("u 采用此回答  ", "u use this answer  "),
    "no_key": ("{pressed} 在这里不是有效按键", "{pressed} is no key here"),
    "ask_reference": ("参考答案：", "reference:"),
    "ask_points": ("要点，每行一条，空行结束：", "key points, one a line; an empty line ends them:"),
    "ask_gold": (
        "含答案的段落的 id，用英文逗号分隔：",
        "ids of the passages that hold the answer, with commas:",
    ),
    "question": ("问题：    {text}", "question:  {text}"),
    "reference": ("参考答案：{text}", "reference: {text}"),
    "none": ("（无）", "(none)"),
    "point": ("  要点 {n}：{text}", "  point {n}: {text}"),
    "missing": ("缺少：    {what}", "missing:   {what}"),
    "need_reference": ("参考答案", "reference"), "need_gold": ("答案片段", "gold"),
    "note": ("备注：    {text}", "note:      {text}"),
    "answered": ("应用回答：{text}", "answered:  {text}"),
    "gold": ("答案片段", "gold"), "context": ("上下文", "context"), "old": ("旧版本", "old version"),
    "more": (" ...（还有 {n} 个字符，按 m 显示）", " ... ({n} more characters: m)"),
    # ---- label
    "to_label": ("{all} 个案例中还有 {open} 个待标注", "{open} of {all} cases to label"),
    "chunk_keys": (
        "k 保留  d 剔除  u 都不是  s 跳过  m 显示全文  b 返回  v 判定  q 退出",
        "k keep  d drop  u neither  s skip  m more  b back  v verdict  q quit",
    ),
    "verdict_keys": (
        "l 丢了答案  w 值有误  n 噪声  g 良好  o 其他  s 跳过  b 返回  q 退出",
        "l lost answer  w wrong value  n noise  g good  o other  s skip  b back  q quit",
    ),
    "verdict_of": ("{id} 的判定：{verdict}", "verdict of {id}: {verdict}"),
    "none_yet": ("尚无", "none yet"),
    "deleted": ("该案例已被删除", "this case was deleted meanwhile"),
    "case": ("案例 {id}（记录于 {recorded}，判断日期：{day}）", "case {id} of {recorded}, as of {day}"),
    "today": ("今天", "today"),
    "query": ("问题：{text}", "query: {text}"),
    "case_note": ("备注：{text}", "note: {text}"),
    "more_text": ("（还有 {n} 个字符，按 m 显示）", "({n} more characters: m shows them)"),
    "fate": ("当时的运行{fate}；标注：{label}", "the run {fate}; label: {label}"),
    "fate_kept": ("保留了它", "kept it"),
    "fate_dropped": ("剔除了它（{stage}：{reason}）", "dropped it ({stage}: {reason})"),
    "fate_unknown": ("没有提到它", "says nothing of it"),
    "label_keep": ("保留", "keep"), "label_drop": ("剔除", "drop"), "label_none": ("无", "none"),
}  # fmt: skip

#: Why something did not become a draft: the library's words, and the Chinese ones.
LEFT_OUT_ZH: Mapping[str, str] = {
    "chunks that a newer version of their lineage replaces": "已被新版本取代的段落",
    "rows whose question is blank": "问题为空的行",
    "cases without a question": "没有问题的案例",
    "repeats of a question": "重复的问题",
    "copies of a question": "重复生成的问题",
    "not drawn": "未被抽中",
    "questions that the documents answer in several ways": "各文档答案不一的问题",
    "chunks for which the endpoint gave no answer that can be read": "模型的回复无法读取的段落",
    "chunks with nothing worth asking, as the model says": "模型认为没有可问内容的段落",
    "drafts whose answer does not stand in the chunk": "答案不在原段落中的草稿",
}
#: The one reason that holds a number.
LEFT_OUT_TRUST, LEFT_OUT_TRUST_ZH = "chunks of sources that are trusted less than ", "来源可信度低于 {bar} 的段落"
