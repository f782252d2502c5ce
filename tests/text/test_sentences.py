from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragclean.text.sentences import HARD_LENGTH, split_sentences

ANY_TEXT = st.text(st.characters(codec=None))
MARKED_TEXT = st.text(
    st.sampled_from("。！？!?….,;:；，、“”\"'()（）[]【】 \n\t\u3000|-#*`~>12abAZ中国的答问第条①•·\u2028\r\ud800"),
    max_size=120,
)


def split(text: str) -> list[str]:
    return [text[s.start : s.end] for s in split_sentences(text)]


def kinds(text: str) -> list[str]:
    return [s.kind for s in split_sentences(text)]


def check_cover(text: str) -> None:
    last, paragraph = 0, 0
    for s in split_sentences(text):
        assert last <= s.start < s.end <= len(text)
        assert not text[last : s.start].strip()
        assert text[s.start : s.end] == text[s.start : s.end].strip()
        assert s.end - s.start <= 2 * HARD_LENGTH
        assert s.paragraph >= paragraph
        last, paragraph = s.end, s.paragraph
    assert not text[last:].strip()


@given(st.one_of(ANY_TEXT, MARKED_TEXT))
def test_sentences_cover_the_text_in_order(text: str) -> None:
    check_cover(text)


@pytest.mark.parametrize(
    "unit",
    ["1", "一", "(", "1.", " ", "a ", ". ", "。”", "|", "```\n", "；", "- \n", "龘", "QUJD+/", "a\tb\n", "1. 一 "],
)  # fmt: skip
def test_long_monotonous_text_is_covered_and_bounded(unit: str) -> None:
    check_cover(unit * (20_000 // len(unit)))


@pytest.mark.parametrize(
    "sentences",
    [
        # closing marks stay with what they close
        ["他回答：“可以。”", "随后离开了现场。"],
        ["（详见附件二。）", "其余不变。"],
        ["“真的吗？”的疑问一直都在。"],
        ["《能不能退？》一文已经更新。", "请查收！"],
        ["点击右上角的“…”打开菜单。", "然后在弹出的窗口里选择删除……", "再确认一次。"],
        ["如果……就重启设备。"],
        # a short pair stays together
        ["检测费由用户承担；返修后不再收取。", "谢谢。"],
        # a missing blank
        ["保修一年.", "请保留发票。"],
        # English stops that end nothing
        ["Dr. Lee paid $3.5 million to Acme Inc. for version v2.4.0.", "See Fig. 3 below."],
        ["J. R. Marlow wrote to the U.S. office on Jan. 5, e.g. about fees.", "Nobody answered."],
        ["The shop closes at 5 p.m. on Fridays.", "It opens at 9 a.m.", "The door is green."],
        ["The answer is no.", "Read https://example.com/a.b?c=1 or notes.txt first.", "Then ask!"],
        ['"Is it free?"', "Yes.", "It is."],
        ["No. 7 is broken.", "Use No. 8."],
        ["Gen. Marlow met Sen. Reed on Sat. 4 May.", "They sat.", "Monday came."],
        ["**Is it covered?**", "Yes, for a year."],
        ["支持 Wi-Fi 6。", "It also supports v2.0.", "两者都可以。"],
    ],
    ids=lambda s: s[0][:20],
)
def test_running_text(sentences: list[str]) -> None:
    blank = "" if sentences[0][-1] in "。！？”.）" and not sentences[0].isascii() else " "
    assert split(blank.join(sentences)) == sentences


def test_a_long_chinese_sentence_is_cut_at_its_semicolons() -> None:
    first = "申请人应当在收到通知之日起的规定时间内把全部材料一次性提交到受理窗口并领取回执；"
    second = "材料不全的，受理窗口应当场一次性告知需要补正的全部内容，并在登记簿上写明补正的时间；"
    third = "逾期没有补正的，视为撤回申请。"
    assert split(first + second + third) == [first, second, third]


def test_list_items_are_sentences_and_long_ones_are_split() -> None:
    text = "办理流程如下：\n1. 提交申请。资料要齐全。\n2. 等待审核\n3）领取证件\n（四）存档\n① 备案\n- 完成"
    found = split_sentences(text)
    assert split(text) == [
        "办理流程如下：", "1. 提交申请。", "资料要齐全。", "2. 等待审核", "3）领取证件", "（四）存档",
        "① 备案", "- 完成",
    ]  # fmt: skip
    assert {s.kind for s in found[1:]} == {"list_item"}
    assert len({s.paragraph for s in found[1:]}) == 1
    assert found[0].paragraph != found[1].paragraph


@pytest.mark.parametrize("mark", ["·", "‧", "∙", "・", "•", "–", "—"])
def test_every_usual_mark_makes_a_list_and_stays_with_its_item(mark: str) -> None:
    text = f"套餐权益\n{mark} 日推送二十万条。\n  {mark} 消息留存3天。"
    assert split(text) == ["套餐权益", f"{mark} 日推送二十万条。", f"{mark} 消息留存3天。"]
    assert kinds(text) == ["heading", "list_item", "list_item"]


def test_dots_inside_a_line_set_its_parts_apart() -> None:
    assert split("首页 · 帮助 · 退换货") == ["首页 ·", "帮助 ·", "退换货"]


def test_short_lines_under_a_lead_are_its_list_though_nothing_marks_them() -> None:
    text = "Limits for take-off:\nCine: 6 m/s\nNormal: 10 m/s\nIn flight the app warns. Rain is not allowed."
    assert kinds(text) == ["prose", "list_item", "list_item", "prose", "prose"]
    text = "退票手续费按提交申请的时刻分段收取：\n30天以上：免收；\n不足30天：票面价的10%。\n纸质票须先寄回。以邮戳为准。"
    found = split_sentences(text)
    assert [s.kind for s in found[:3]] == ["prose", "list_item", "list_item"]
    assert found[1].paragraph == found[2].paragraph != found[3].paragraph


@pytest.mark.parametrize(
    "text",
    [
        "说明如下：\n保修自签收之日起计算。",
        "The following applies:\nThe aircraft measures wind from its own attitude once it is hovering, so\nthe figures are lower.",
        "注意：\n先断电。再拆盖。\n后装回。",
        "说明：\n\n第一段没有标记的正文。\n\n第二段没有标记的正文。",
    ],
    ids=["one line", "a wrapped paragraph", "lines of several sentences", "paragraphs"],
)
def test_running_text_under_a_colon_is_no_list(text: str) -> None:
    assert "list_item" not in kinds(text)


def test_rows_set_apart_by_slashes_are_a_table() -> None:
    text = "耗材参数\n\n材料 / 喷嘴 / 热床\nPLA / 210℃ / 60℃\nABS / 245℃ / 100℃\n\n打印完再取件。"
    assert kinds(text) == ["heading", "table_header", "table_row", "table_row", "prose"]
    assert kinds("支持 PLA / ABS / PETG 三种材料。\n请先烘干。") == ["prose", "prose"]


def test_articles_of_a_law_are_items() -> None:
    assert kinds("第一条 为了规范管理，制定本办法。\n第二条 本办法适用于全体员工。") == ["list_item", "list_item"]


def test_tables_are_kept_by_the_row() -> None:
    text = "价格表\n\n| 项目 | 价格 |\n| --- | --- |\n| 检测 | 20元。含税 |\n\n"
    text += "套餐 | 次数\n基础 | 10\n高级 | 99\n\n后记。"
    assert kinds(text) == [
        "heading", "table_header", "table_rule", "table_row", "table_header", "table_row", "table_row", "prose",
    ]  # fmt: skip


def test_headings_of_all_sorts() -> None:
    text = "## 安装\n先关闭电源。\n【注意】\n不要用水冲洗。\n\n"
    text += "售后政策说明\n本店所有商品七天包退。\n\nReturn policy\nYou may send it back."
    assert kinds(text) == ["heading", "prose"] * 4


def test_a_short_last_line_is_no_heading() -> None:
    assert kinds("本店七天包退。\n客服中心") == ["prose", "prose"]


def test_code_is_kept_by_the_line() -> None:
    text = "运行：\n```yaml\nport: 80\nhost: a.b\n```\n之后重启。\n[server]\nmax_size = 10"
    assert kinds(text) == ["prose", "code", "code", "code", "code", "prose", "code", "code"]


def test_questions_and_answers() -> None:
    assert split("问：能退吗？答：可以。七天内。") == ["问：能退吗？", "答：可以。", "七天内。"]
    found = split_sentences("问：能退吗？\n答：可以。")
    assert found[0].paragraph == found[1].paragraph


def test_a_soft_wrap_ends_no_english_sentence() -> None:
    text = (
        "The parts that wear out in normal use, such as brushes and filters, are not\n"
        "covered by this plan. A dealer may still replace them free of charge when the\n"
        "machine is new."
    )
    found = split(text)
    assert len(found) == 2
    assert found[0].endswith("this plan.")
    assert len({s.paragraph for s in split_sentences(text)}) == 1


def test_a_newline_ends_a_chinese_or_a_short_line() -> None:
    assert split("营业时间：九点到五点\n地址：人民路1号") == ["营业时间：九点到五点", "地址：人民路1号"]
    assert split("Open daily\nFree parking") == ["Open daily", "Free parking"]


def test_chinese_set_in_a_column_is_put_together() -> None:
    text = "本协议自双方签字盖章之日起生效，有效期为三\n年，期满前一个月内任何一方没有提出书面异议\n的，自动延续一年。"
    assert len(split(text)) == 1


def test_text_without_stops_is_cut_into_bounded_pieces() -> None:
    text = "上诉人称货款已经付清并提供了转账记录作为证据，被上诉人对此予以否认，" * 12
    pieces = split(text)
    assert len(pieces) > 5
    assert max(map(len, pieces)) <= 120
    assert max(map(len, split("然后我们就去了那个地方 " * 60))) <= 120
    assert max(map(len, split("QUJD+/09" * 2000))) <= HARD_LENGTH


def test_marks_alone_join_the_sentence_before() -> None:
    assert split("The offer ended in May. ... Ask the desk.") == ["The offer ended in May. ...", "Ask the desk."]
    assert split("他连任一次。[3][4]后来退休。") == ["他连任一次。[3][4]", "后来退休。"]
