"""What texts say of their own validity and of other documents."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.text.dates import parse_date
from ragclean.text.folding import fold
from ragclean.text.statements import find_marks


@pytest.mark.parametrize(("text", "kind", "when"), [
    ("本细则自2024年7月1日起施行。", "effective", date(2024, 7, 1)),
    ("新价格于2025年1月1日生效。", "effective", date(2025, 1, 1)),
    ("these terms are effective from 1 july 2024.", "effective", date(2024, 7, 1)),
    ("试点至2025年12月31日止。", "expires", date(2025, 12, 31)),
    ("本通知有效期至2025年6月。", "expires", date(2025, 6, 30)),
    ("offer valid until december 31, 2025", "expires", date(2025, 12, 31)),
    ("该规定已废止。", "withdrawn", None),
    ("上述标准不再适用。", "withdrawn", None),
    ("this page has been superseded by the 2025 edition.", "withdrawn", None),
    ("these limits no longer apply.", "withdrawn", None),
    ("原暂行办法同时废止。", "supersedes", None),
    ("this policy replaces all previous versions.", "supersedes", None),
    ("收费标准(征求意见稿)", "draft", None),
    ("draft: proposed changes to the fee table", "draft", None),
    ("听说下个月要涨价。", "hearsay", None),
    ("apparently they changed it.", "hearsay", None),
    ("更新于2025/9/15", "updated", date(2025, 9, 15)),
    ("last updated: march 3, 2024", "updated", date(2024, 3, 3)),
    ("发布日期：2024-03-01", "published", date(2024, 3, 1)),
    ("jan 21, 2019 ... how to descale", "published", date(2019, 1, 21)),
    ("2021年12月19日 - 如何除垢", "published", date(2021, 12, 19)),
])
def test_marks(text: str, kind: str, when: date | None) -> None:
    assert (kind, when) in [(m.kind, m.when) for m in find_marks(text)]


@pytest.mark.parametrize("text", [
    "如何更新固件?", "请发布前检查。", "the rumble was loud", "we issued 30 tickets", "把水加至200毫升",
    "从2楼到3楼", "draftsman",
])
def test_no_marks(text: str) -> None:
    assert find_marks(text) == ()


def kinds(text: str) -> set[tuple[str, date | None]]:
    return {(m.kind, m.when) for m in find_marks(fold(text))}


@pytest.mark.parametrize("text", [
    "更正：上一期所印的押金应为80元。", "公告把押金误写为300元。", "特此勘误。", "卡片上的时间印错了。", "这一处是笔误。", "上期所登日期有误。",
    "Correction to the spring leaflet: the deposit is $80.", "Erratum: read 80 for 60.", "The page was misprinted.",
    "The figure printed in the Tavro lamp booklet was wrong.", "This brochure is incorrect about fees.",
    "The date was stated in error.", "The deposit should have read $80.", "Please disregard that notice.",
])
def test_a_text_says_that_another_is_wrong(text: str) -> None:
    assert ("corrects", None) in kinds(text)


@pytest.mark.parametrize("text", [
    "如有误请联系前台。", "请核对有无笔误。", "误差不超过2%。", "抄错率为零。", "该合同的订正本已寄出。", "If the figure is wrong, call us.",
    "Check whether the table is incorrect.", "Tell us if you think the figure was wrong.", "typography matters", "What went wrong? The fee was paid.",
])
def test_a_mistake_that_may_be_is_no_correction(text: str) -> None:
    assert not any(kind == "corrects" for kind, _ in kinds(text))


@pytest.mark.parametrize("text", [
    "岚桥宽带资费（意见征求稿）", "资费调整草案：月费80元。", "拟自2026年1月起调整月费。", "条例草案公开征求意见。", "方案评审中。", "新价格未获批准。", "该改动尚未合入。", "待审批后执行。",
    "We propose a cap of $30.", "Status: proposed", "Open for comments until May", "A consultation: fees for 2026",
    "The change is under discussion.", "RFC 12: limits", "Target version: 4", "There is no start date yet.",
])
def test_drafts_and_proposals(text: str) -> None:
    assert any(kind == "draft" for kind, _ in kinds(text))


@pytest.mark.parametrize("text", [
    "草稿纸放在桌上。", "未合并的单元格不受影响。", "draft beer on tap", "a target of 30", "The status of the order", "草案板与图纸",
    "We consulted the guide.",
])
def test_words_that_only_look_like_a_draft(text: str) -> None:
    assert not any(kind == "draft" for kind, _ in kinds(text))


@pytest.mark.parametrize("text", ["旧版\n岚桥宽带月费150元。", "【已归档】岚桥宽带资费", "岚桥宽带资费（历史版本）\n月费150元。"])
def test_a_page_headed_as_an_old_edition_is_withdrawn(text: str) -> None:
    assert ("withdrawn", None) in kinds(text)


@pytest.mark.parametrize("text", [
    "岚桥宽带月费150元。相比旧版便宜。", "岚桥宽带资费\n" + "月费按月收取，" * 10 + "旧版见附录", "新版月费150元。历史版本见附录。",
])
def test_an_old_edition_spoken_of_further_down_is_another_page(text: str) -> None:
    assert not any(kind == "withdrawn" for kind, _ in kinds(text))


@pytest.mark.parametrize("text", [
    "本办法第七条废止。", "第3款不再适用。", "2022版换芯凭证已停用。", "二〇二二年防汛提示作废。", "2022年规定废止。", "2022年收费办法同时废止。", "v2接口已停用。",
    "The 2022 edition is no longer valid.", "The earlier policy is no longer in force.",
])
def test_a_part_or_another_edition_out_of_force_is_not_the_page_itself(text: str) -> None:
    told = {kind for kind, _ in kinds(text)}
    assert "supersedes" in told
    assert "withdrawn" not in told


@pytest.mark.parametrize("text", ["本办法废止。", "该接口已停用。", "This policy is no longer valid.", "本规定于2022年废止。", "This edition has been superseded."])
def test_the_page_itself_out_of_force(text: str) -> None:
    told = {kind for kind, _ in kinds(text)}
    assert "withdrawn" in told
    assert "supersedes" not in told


@pytest.mark.parametrize("text", ["储值卡逾期作废。", "旧卡停用。", "电梯停用", "replacing the filter", "The director has withdrawn."])
def test_cards_machines_and_people_are_no_documents(text: str) -> None:
    assert find_marks(fold(text)) == ()


@pytest.mark.parametrize(("text", "when"), [
    ("2024年9月3日公布，10月1日起施行。", date(2024, 10, 1)),
    ("2024年9月3日通过并公布，自10月1日起施行。", date(2024, 10, 1)),
    ("2024年9月3日公布，2025年10月1日起施行。", date(2025, 10, 1)),
    ("2024年12月20日公布，次年1月1日起施行。", date(2025, 1, 1)),
    ("2024年5月1日印发，翌年6月1日起施行。", date(2025, 6, 1)),
    ("2024年12月20日公布，1月1日起施行。", date(2025, 1, 1)),
])
def test_a_day_without_a_year_is_of_the_year_told_before_or_the_next(text: str, when: date) -> None:
    assert [d for kind, d in kinds(text) if kind == "effective"] == [when]


@pytest.mark.parametrize("text", [
    "This schedule replaces all previous editions.", "The new card replaces the figures in the June leaflet.", "本通知代替2023年的价目。",
])
def test_a_text_says_that_it_takes_the_place_of_another(text: str) -> None:
    assert ("supersedes", None) in kinds(text)


_PIECES = st.sampled_from((
    "自", "至", "起施行", "2024年7月1日", "2024-07-01", "止", "有效期至", "已", "被", "代替", "废止", "原", "同时",
    "截至", "更新于", "发布", "july", "1,", "2024", "last", "updated", "effective", "draft", "听说", "1", "月",
    "日", "。", "\n", "\x00", "\ud800", "更正", "有误", "如", "旧版", "拟自", "次年", "公布", "第七条", "erratum", "figure ", "was wrong",
))


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=50), st.lists(_PIECES, max_size=14).map("".join)))
def test_any_text_gives_marks_in_order(text: str) -> None:
    marks = find_marks(text)
    assert list(marks) == sorted(marks, key=lambda m: (m.start, m.end))
    assert all(0 <= m.start < m.end <= len(text) for m in marks)
    parse_date(text)


@pytest.mark.parametrize("piece", [
    "1", "20", "自2024年", "自2024年3月1日起施行。", "2024年3月1日", "本办法已废止。", "第1条", "原", "《", "更正：有误", "如有误", "figure ", "replaces x in ",
    "figure was ", "旧版", "已被", "征求", "拟自2", "draft", "status: ", "consultation", "有效期至", "not ", "听说", " ", "\n", "\x00", "\ud800",
])
def test_hostile_text_costs_its_length(no_blow_up, endless, piece: str) -> None:
    with no_blow_up():
        find_marks(fold(endless(piece)))


@pytest.mark.parametrize("text", [
    "樵川失业金拟提到最低工资的90%。", "建议把补贴由现行标准提高到每人800元。", "物业拟将停车费调整为每月300元。",
    "The committee proposes to raise the fee to £12.", "There is a proposal to cut the limit to 40.",
])  # fmt: skip
def test_a_proposal_to_change_a_value_is_a_draft(text):
    assert [m.kind for m in find_marks(fold(text))] == ["draft"]


@pytest.mark.parametrize("text", ["建议将设备放在通风处。", "模拟提交3次后停止。", "虚拟机内存为4GB。", "I propose to meet at 7."])
def test_an_advice_or_a_simulation_is_no_draft(text):
    assert "draft" not in [m.kind for m in find_marks(fold(text))]


@pytest.mark.parametrize("text", ["正确数值为45牛·米。", "正确的日期应为3月5日。", "正确是12个月。"])
def test_what_is_right_corrects(text):
    assert [m.kind for m in find_marks(fold(text))] == ["corrects"]


def test_the_right_use_of_a_thing_corrects_nothing():
    assert find_marks(fold("请正确使用本机，正确佩戴手套。")) == ()


@pytest.mark.parametrize("text", [
    "单文件体积上限再次放宽,现为50MB。", "DS-4每槽容量上限提高到24TB。", "首保里程即日起调整为1000公里。", "The limit was raised to 450 calls.",
    "Until further notice do not exceed 12,500 rpm.", "The SDK now requires Python 3.10.", "From today a key is throttled at 450.",
])  # fmt: skip
def test_a_value_that_was_changed_is_announced(text):
    assert "changes" in [m.kind for m in find_marks(fold(text))]


@pytest.mark.parametrize("text", ["听说年费要提高到99元。", "拟将上限提高到28TB。", "有人说押金降低到100元。"])
def test_what_is_proposed_or_rumoured_has_not_changed(text):
    assert "changes" not in [m.kind for m in find_marks(fold(text))]


@pytest.mark.parametrize("text", [
    "Grafana 端口改为 3300,旧端口已下线。", "自本版发布起Rev.A、Rev.B的同名章节作废。", "部分包裹的卡片印错,现已停用。",
    "This replaces the figure engraved on the rotor.",
])  # fmt: skip
def test_what_goes_is_the_other_one(text):
    kinds = [m.kind for m in find_marks(fold(text))]
    assert "supersedes" in kinds and "withdrawn" not in kinds
