"""Values: what is read, what is not, and which two are the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.text.values import Value, agrees, canonical, find_values, same_value

DAY = 86400.0


def one(text: str) -> Value:
    found = find_values(text)
    assert len(found) == 1, [text[v.start : v.end] for v in found]
    return found[0]


@pytest.mark.parametrize(("text", "kind", "low", "high", "unit"), [
    ("二十四小时", "duration", DAY, DAY, "s"),
    ("48h", "duration", 2 * DAY, 2 * DAY, "s"),
    ("45-day", "duration", 45 * DAY, 45 * DAY, "s"),
    ("十五(15)日", "duration", 15 * DAY, 15 * DAY, "s"),
    ("十五（15）日", "duration", 15 * DAY, 15 * DAY, "s"),
    ("thirty (30) days", "duration", 30 * DAY, 30 * DAY, "s"),
    ("一个半小时", "duration", 5400.0, 5400.0, "s"),
    ("2小时30分钟", "duration", 9000.0, 9000.0, "s"),
    ("1 hour 30 minutes", "duration", 5400.0, 5400.0, "s"),
    ("half a year", "duration", 6.0, 6.0, "month"),
    ("1年6个月", "duration", 18.0, 18.0, "month"),
    ("两年半", "duration", 30.0, 30.0, "month"),
    ("三个半月", "duration", 3.5, 3.5, "month"),
    ("3至5个工作日", "duration", 3.0, 5.0, "workday"),
    ("3个工作日到5个工作日", "duration", 3.0, 5.0, "workday"),
    ("between 3 and 5 business days", "duration", 3.0, 5.0, "workday"),
    ("不超过24小时", "duration", None, DAY, "s"),
    ("within a week", "duration", None, 7 * DAY, "s"),
    ("90日内", "duration", None, 90 * DAY, "s"),
    ("at least two weeks", "duration", 14 * DAY, None, "s"),
    ("¥1,299.00", "money", 1299.0, 1299.0, "CNY"),
    ("一千二百九十九元", "money", 1299.0, 1299.0, "CNY"),
    ("1.2亿元", "money", 1.2e8, 1.2e8, "CNY"),
    ("3元5角", "money", 3.5, 3.5, "CNY"),
    ("60元起", "money", 60.0, None, "CNY"),
    ("$10k", "money", 10_000.0, 10_000.0, "USD"),
    ("£5 to £8", "money", 5.0, 8.0, "GBP"),
    ("two thousand pounds", "money", 2000.0, 2000.0, "GBP"),
    ("45 n·m", "quantity", 45.0, 45.0, "nm torque"),
    ("60牛米", "quantity", 60.0, 60.0, "nm torque"),
    ("they want £14.80", "money", 14.8, 14.8, "GBP"),
    ("nt$300", "money", 300.0, 300.0, "TWD"),
    ("240 crowns", "money", 240.0, 240.0, "KR"),
    ("chf 20", "money", 20.0, 20.0, "CHF"),
    ("40 zloty", "money", 40.0, 40.0, "PLN"),
    ("百分之三点五", "percent", 3.5, 3.5, "%"),
    ("10.94‰", "percent", 1.094, 1.094, "%"),
    ("八成", "percent", 80.0, 80.0, "%"),
    ("八五折", "percent", 85.0, 85.0, "%"),
    ("three hundred requests", "count", 300.0, 300.0, "requests"),
    ("20 manual snapshots", "count", 20.0, 20.0, "snapshots"),
    ("三百次", "count", 300.0, 300.0, "次"),
    ("±0.3℃", "quantity", 0.3, 0.3, "°C"),
    ("-20~0℃", "quantity", -20.0, 0.0, "°C"),
    ("200mb", "quantity", 200 * 2.0**20, 200 * 2.0**20, "B"),
    ("上传文件200m", "quantity", 200 * 2.0**20, 200 * 2.0**20, "B"),
    ("3千米", "quantity", 3000.0, 3000.0, "m"),
    ("下午六点", "time", 1080.0, 1080.0, "clock"),
    ("9:00-18:30", "time", 540.0, 1110.0, "clock"),
    ("15~130", "number", 15.0, 130.0, ""),
    ("不到1个月", "duration", None, 1.0, "month"),
    ("不满14天", "duration", None, 14 * DAY, "s"),
    ("三五天", "duration", 3 * DAY, 5 * DAY, "s"),
    ("the two preceding years", "duration", 24.0, 24.0, "month"),
    ("pin 7", "number", 7.0, 7.0, ""),
    ("端口18883", "number", 18883.0, 18883.0, ""),
])
def test_reads(text: str, kind: str, low: float | None, high: float | None, unit: str) -> None:
    v = one(text)
    assert (v.kind, v.unit) == (kind, unit)
    assert v.low == (None if low is None else pytest.approx(low))
    assert v.high == (None if high is None else pytest.approx(high))


@pytest.mark.parametrize(("text", "parts"), [
    ("2024年7月1日", (2024, 7, 1)), ("2024-07-01", (2024, 7, 1)), ("2024/7/1", (2024, 7, 1)),
    ("july 1, 2024", (2024, 7, 1)), ("1st of july 2024", (2024, 7, 1)), ("二〇二四年七月一日", (2024, 7, 1)),
    ("民国113年7月1日", (2024, 7, 1)), ("7月1日", (0, 7, 1)), ("2月底", (0, 2, 28)), ("2019-05", (2019, 5, 0)),
    ("2025年第二季度", (2025, 4, 0, 2025, 6, 0)), ("2023q2", (2023, 4, 0, 2023, 6, 0)), ("3月", (0, 3, 0)),
    ("每月15日", (0, 0, 15)), ("2024年7月1日至12月31日", (2024, 7, 1, 2024, 12, 31)), ("in 2024", (2024, 0, 0)),
    ("29日在首都", (0, 0, 29)),
])
def test_reads_dates(text: str, parts: tuple[int, ...]) -> None:
    v = one(text)
    assert (v.kind, v.parts) == ("date", parts)


@pytest.mark.parametrize(("text", "parts"), [
    ("v2.4.0", (2, 4)), ("版本2.4", (2, 4)), ("version 9", (9,)), ("3.2.1", (3, 2, 1)), ("2.4版", (2, 4)),
])
def test_reads_versions(text: str, parts: tuple[int, ...]) -> None:
    v = one(text)
    assert (v.kind, v.parts) == ("version", parts)


@pytest.mark.parametrize("text", [
    "x200", "n-07b", "iso9001", "iso 9001", "e-4071", "usb3.0", "gb/t 19001-2016", "400-820-8820", "13812345678",
    "订单号12345", "https://example.org/2024/35", "192.168.10.2", "第九条", "第3天", "1. 概述", "8.3 赔付范围", "(2)",
    "一下", "一些", "一样", "一律", "一般", "一次性", "第一", "唯一", "万一", "十分满意", "千万别", "一旦", "一起",
    "统一",
    "三方", "四川", "百度", "双十一", "星期三", "周三", "7x24小时", "16:9", "3d打印", "5g网络", "4s店", "每一个",
    "有一天",
    "三年级", "上半年", "one of them", "in may", "a day", "数十年", "几百次", "四周的山",
])
def test_reads_nothing(text: str) -> None:
    assert find_values(text) == ()


@pytest.mark.parametrize(("a", "b"), [
    ("24h", "一天"), ("二十四小时", "1天"), ("12个月", "一年"), ("半年", "6个月"), ("两周", "14 days"), ("30天",
    "1个月"),
    ("¥1,299.00", "一千二百九十九元"), ("3%", "百分之三"), ("v2.4", "版本2.4.0"), ("2024年7月1日", "july 1, 2024"),
    ("7月1日", "2024-07-01"), ("300次", "300 requests"), ("15天内", "15天"), ("60000ms", "60秒"), ("1.5小时",
    "90分钟"),
    ("2月底", "2月28日"), ("1gb", "1024mb"), ("fourteen days", "十四天"), ("约15天", "15天"), ("20", "20个"),
])
def test_the_same(a: str, b: str) -> None:
    assert same_value(one(a), one(b))
    assert agrees(one(a), one(b))


@pytest.mark.parametrize(("a", "b"), [
    ("24小时", "48小时"), ("5天", "5个工作日"), ("4周", "1个月"), ("¥100", "$100"), ("2.4", "v2.4.1"), ("v2.4",
    "v2.4.1"),
    ("3%", "3元"), ("2024年7月1日", "2024年7月2日"), ("2024年", "2024年7月1日"), ("3-5天", "3天"), ("300次", "300台"),
    ("至少15天", "最多15天"), ("31天", "30天"),
])
def test_not_the_same(a: str, b: str) -> None:
    assert not same_value(one(a), one(b))


@pytest.mark.parametrize(("a", "b", "expected"), [
    ("3-5天", "4天", True), ("3-5天", "6天", False), ("不超过24小时", "12小时", True), ("不超过24小时",
    "48小时", False),
    ("至少3天", "5天", True), ("至少3天", "2天", False), ("3-5天", "4-7天", True), ("3-5天", "7-9天", False),
    ("2024年", "2024年7月1日", True), ("2024年7月", "2024年8月1日", False), ("最多7天", "最多15天", False),
    ("24-48小时", "一天", True), ("3-5个工作日", "4天", False),
])
def test_agreement(a: str, b: str, expected: bool) -> None:
    assert agrees(one(a), one(b)) is expected
    assert agrees(one(b), one(a)) is expected


def test_a_sentence_gives_its_values_in_order() -> None:
    text = "自2024年7月1日起,单笔满300元的订单可在15天内退回,每人每月最多3次,手续费为2%。"
    assert [v.kind for v in find_values(text)] == ["date", "money", "duration", "count", "percent"]


def test_full_width_text_keeps_its_offsets() -> None:
    text = "折抵４５０元（含税）"
    v = one(text)
    assert text[v.start : v.end] == "４５０元"
    assert v.low == 450.0


_PIECES = st.sampled_from((
    "1", "2", "15", "300", "1,299.00", "2.4.0", "一", "十五", "二十四", "百", "万", "半", "两", "第", "年", "月",
    "日", "个月", "天", "小时", "次", "元", "%", "¥", "$", "-", "~", "至", "到", "(", ")", "（", "）", ".", ",",
    "、", "约", "不超过", "以内", "左右", "一年", "2024年7月1日", "2024-07-01", "july", "may", "v", "x", "three",
    "days", "of", "half", "a", "and", "点", "分", ":", "\n", "\x00", "\ud800", "😀", "",
))
_JOINED = st.lists(_PIECES, max_size=16)
_TEXTS = st.one_of(st.text(max_size=60), _JOINED.map("".join), _JOINED.map(" ".join))


@settings(max_examples=400, deadline=None)
@given(_TEXTS)
def test_any_text_gives_ordered_spans(text: str) -> None:
    reached = 0
    for v in find_values(text):
        assert reached <= v.start < v.end <= len(text)
        reached = v.end
        assert canonical(v)
        assert v.kind in ("date", "version") or v.low is not None or v.high is not None
        if v.kind != "date" and v.low is not None and v.high is not None:
            assert v.low <= v.high


@settings(max_examples=200, deadline=None)
@given(st.lists(_PIECES, max_size=24).map("".join))
def test_comparison_is_an_honest_relation(text: str) -> None:
    values = find_values(text)
    for a in values:
        assert same_value(a, a)
        for b in values:
            assert same_value(a, b) == same_value(b, a)
            assert agrees(a, b) == agrees(b, a)
            alike = a.kind == b.kind and a.unit == b.unit and 0 not in (*a.parts[::3], *b.parts[::3])
            if alike and same_value(a, b):
                assert canonical(a) == canonical(b)


@pytest.mark.parametrize("piece", ["1", "一", "1,", "1.", "1年", "(1", "3-", "one ", "第", "半", "2024-", "百分之",
    " "])
def test_long_runs_of_one_piece_are_read(piece: str) -> None:
    for v in find_values(piece * 20_000):
        assert v.end - v.start < 200
