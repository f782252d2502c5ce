"""What a question makes part of its answer, beyond data."""

import pytest


@pytest.mark.parametrize(
    ("query", "text", "ruling"),
    [
        ("烤箱门玻璃裂了怎么办？", "烤箱门玻璃出现裂纹时请停止使用，拨打客服电话。平时注意清洁。请勿自行拆卸门体。", "请勿自行拆卸门体。"),
        ("滤芯可以水洗吗？", "滤芯可以用清水冲洗后晾干再装回。外壳颜色素雅大方。复合碳层除外。", "复合碳层除外。"),
        ("How do I reset the controller?", "Hold the reset button until the light blinks. It looks nice on any desk. "
         "Never unplug it while the light is on.", "Never unplug it while the light is on."),
    ],
)  # fmt: skip
def test_a_prohibition_is_part_of_the_answer_to_how_and_whether(make_passage, run, query, text, ruling):
    kept = run([make_passage(text, 0.1, index=0)], query).kept
    texts = [k.ranked.prepared.sentence_texts[i] for k in kept for i in k.sentences]
    assert ruling in texts


def test_a_prohibition_protects_nothing_where_a_value_is_asked_for(make_passage, run):
    text = "除垢周期为三个月。\n\n请勿在柜面上放置杂物。"
    out = run([make_passage(text, [0.9, 0.1], index=0)], "多久除垢一次？")
    assert any(d.text == "请勿在柜面上放置杂物。" for d in out.dropped)
