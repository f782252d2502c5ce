"""What ``ragclean doctor`` says, in Chinese and in English."""

from __future__ import annotations

from collections.abc import Mapping

#: Key: Chinese, English.
DOCTOR_WORDS: Mapping[str, tuple[str, str]] = {
    # ---- marks, and the last line
    "mark_ok": ("正常", "ok"),
    "mark_wrong": ("异常", "WRONG"),
    "mark_told": ("-", "-"),
    "healthy": ("一切正常", "everything is in order"),
    "unhealthy": ("存在问题，见上文", "something is wrong: see the lines above"),
    "line": ("{mark}  {name}：{detail}", "{mark:<6} {name}: {detail}"),
    # ---- what is looked at
    "name_embedded models": ("内置模型", "embedded models"),
    "name_model file": ("模型文件", "model file"),
    "name_encoder": ("编码器", "encoder"),
    "name_profile": ("相似度标度", "profile"),
    "name_equivalence": ("等价性检查", "equivalence"),
    "name_self-test": ("自检", "self-test"),
    "name_self-test warning": ("自检警告", "self-test warning"),
    # ---- what was found
    "place": ("{version}，位于 {folder}", "{version} in {folder}"),
    "python": ("{version}，{system}，{path}", "{version} on {system}, {path}"),
    "missing": (
        "缺失；请安装：pip install ragclean",
        "missing; install it with: pip install ragclean",
    ),
    "no_import": ("{version}，但无法导入：{error}", "{version}, but it does not import: {error}"),
    "optional": ("未安装（可选）", "not installed (optional)"),
    "incomplete": (
        "{folder} 中没有数据文件，安装不完整",
        "no data file in {folder}; the installation is incomplete",
    ),
    "profile": (
        "问题与段落 {passages}，句子与句子 {sentences}（不相关..完全相同，已映射到 0..1）",
        "query-passage {passages}, sentence-sentence {sentences} (unrelated..identical, mapped to 0..1)",
    ),
    "pairs": ("{n} 对中有 {right} 对符合预期{limits}", "{right} of {n} pairs as expected{limits}"),
    "limits": ("，{n} 处已知局限", ", {n} known limits"),
    "pair": (
        "{similarity}，预期 {expected}：{first} / {second}{advisory}",
        "{similarity}, expected {expected}: {first} / {second}{advisory}",
    ),
    "advisory": (
        "（编码器分不清这个数字；校正时会另行比对数字）",
        " (a number the encoder does not see; the corrector compares numbers itself)",
    ),
    "self_test": (
        "{answer}，{advertisement}，{conflicts} 处冲突，{ms} 毫秒",
        "{answer}, {advertisement}, {conflicts} conflict(s), {ms} ms",
    ),
    "answer_kept": ("答案已保留", "answer kept"),
    "answer_lost": ("答案丢失", "answer LOST"),
    "noise_gone": ("广告已剔除", "advertisement dropped"),
    "noise_kept": ("广告仍在", "advertisement KEPT"),
}
