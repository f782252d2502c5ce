"""What every command says around its own words, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping

#: Key: Chinese, English.
FRAME_WORDS: Mapping[str, tuple[str, str]] = {
    "error": ("ragclean: 错误：{message}", "ragclean: error: {message}"),
    "see_help": ("（用法见 '{prog} --help'）", " (try '{prog} --help')"),
    "unexpected": (
        "意外的 {kind}：{message}（设置环境变量 {variable}=1 可查看出错位置）",
        "unexpected {kind}: {message} (set {variable}=1 to see where)",
    ),
    "warning": ("警告：{message}", "warning: {message}"),
    "wrote": ("已写入 {path}", "wrote {path}"),
    "wrote_present": ("已写入 {path}，其中是现有的值", "wrote {path}, with the present values"),
    "from_terminal": (
        "正在从终端读取候选段落，按 Ctrl-D 结束",
        "reading candidates from the terminal; end with Ctrl-D",
    ),
    "left_out": ("未计入：{id}：{reason}", "left out: {id}: {reason}"),
    "no_cache": (
        "--cache {folder}：{reason}：不会保存任何内容，中断后也无法续跑",
        "--cache {folder}: {reason}: nothing is kept, and nothing can be resumed",
    ),
}
