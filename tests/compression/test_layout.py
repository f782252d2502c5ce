from dataclasses import replace

from ragclean.compression.layout import render, render_context
from ragclean.compression.outcome import KeptPassage


def test_neighbours_keep_their_white_space_and_offsets_point_into_the_original(make_passage):
    r = make_passage("第一句在这里。 第二句跟着。\n第三句另起一行。")
    text, sentences = render(KeptPassage(r, (0, 1, 2)))
    assert text == "第一句在这里。 第二句跟着。\n第三句另起一行。"
    assert [r.passage.chunk.text[s.start : s.end] for s in sentences] == [s.text for s in sentences]


def test_chinese_sentences_meet_without_a_blank_and_english_ones_with_one(make_passage):
    zh = make_passage("今天下雨了。明天会放晴。后天去爬山。")
    assert render(KeptPassage(zh, (0, 2)))[0] == "今天下雨了。后天去爬山。"
    en = make_passage("It rains today. Tomorrow will be fine. We climb the hill then.")
    assert render(KeptPassage(en, (0, 2)))[0] == "It rains today. We climb the hill then."


def test_english_sentences_inside_a_chinese_page_keep_a_blank_between_them(make_passage):
    r = make_passage("请看下面这段说明文字。Press the red key. Wait a while. Open the lid. 然后合上盖子，等待提示音。")
    text, _ = render(KeptPassage(r, (1, 3)))
    assert text == "Press the red key. Open the lid."


def test_a_newline_stands_where_the_original_had_one_between(make_passage):
    r = make_passage("甲段第一句。甲段第二句。\n乙段第一句。乙段第二句。")
    assert render(KeptPassage(r, (0, 3)))[0] == "甲段第一句。\n乙段第二句。"


def test_code_keeps_its_indentation_when_lines_between_go(make_passage):
    text = "```yaml\nserver:\n  host: local\n  port: 8080\n```"
    r = make_passage(text)
    lines = r.prepared.sentence_texts
    chosen = tuple(i for i, line in enumerate(lines) if "host" not in line)
    assert "\n  port: 8080" in render(KeptPassage(r, chosen))[0]


def test_passages_are_parted_by_a_blank_line_and_empty_ones_leave_no_gap(make_passage):
    a, b = make_passage("甲说了一句话。", index=0), make_passage("乙也说了一句话。", index=1)
    kept = [KeptPassage(a, (0,)), KeptPassage(b, ()), KeptPassage(b, (0,))]
    assert render_context(kept) == "甲说了一句话。\n\n乙也说了一句话。"


def test_sentence_carries_score_protection_and_other_sources(make_passage):
    r = make_passage("保修期为两年。", [0.75])
    kept = replace(KeptPassage(r, (0,)), protected=frozenset({0}), also_in={0: ("c9",)})
    (s,) = render(kept)[1]
    assert (s.score, s.protected, s.also_in) == (0.75, True, ("c9",))
