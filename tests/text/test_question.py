# ruff: noqa: E501
"""What a question asks for is read the way a person reads it, and no string breaks the reader."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.text.question import AnswerKind, parse_question


@pytest.mark.parametrize(
    "query, kind",
    [
        ("扫地机的滤网多久换一次？", "duration"),
        ("海棠卡挂失后几个工作日能补卡？", "duration"),
        ("提前几天预约体检？", "duration"),
        ("补办一张工牌多少钱？", "money"),
        ("逾期的滞纳金怎么收费？", "money"),
        ("分期的年利率是多少？", "percent"),
        ("按什么比例扣年终奖？", "percent"),
        ("试用账号一天能导出几次？", "count"),
        ("附件最大多大？", "quantity"),
        ("新规什么时候生效？", "date"),
        ("哪天开始停止供货？", "date"),
        ("门店几点关门？", "time"),
        ("要升级到哪个版本才有暗色模式？", "version"),
        ("调试口用哪个端口？", "number"),
        ("学生票能不能改签？", "yes_no"),
        ("加急服务收不收费？", "yes_no"),
        ("这款支持无线充电吗？", "yes_no"),
        ("退换的来回运费谁承担？", "party"),
        ("事故损失由谁赔？", "party"),
        ("这部纪录片是谁拍的？", "name"),
        ("总部设在哪个城市？", "place"),
        ("日志写到哪个目录？", "place"),
        ("屏幕一直闪怎么办？", "action"),
        ("如何更换墨盒？", "action"),
        ("为什么会自动关机？", "reason"),
        ("什么是免赔额？", "definition"),
        ("报错 E77 是什么意思？", "definition"),
        ("How long is the heater covered?", "duration"),
        ("How soon do I get my money back?", "duration"),
        ("How many working days does a transfer take?", "duration"),
        ("How far ahead must I book a cot?", "duration"),
        ("How much does it cost to replace a lost badge?", "money"),
        ("What is the late fee?", "money"),
        ("What percentage of the fare is kept?", "percent"),
        ("What is the interest rate on the loan?", "percent"),
        ("How many seats can one account hold?", "count"),
        ("How big may an upload be?", "quantity"),
        ("When does the pool close for winter?", "date"),
        ("What time does the shuttle leave?", "time"),
        ("Which version added dark mode?", "version"),
        ("Which port does the agent listen on?", "number"),
        ("Can I bring a dog?", "yes_no"),
        ("Is parking included?", "yes_no"),
        ("Who pays for return shipping?", "party"),
        ("Who wrote the handbook?", "name"),
        ("Where is the spare key kept?", "place"),
        ("How do I reset the thermostat?", "action"),
        ("Why does the pump stop?", "reason"),
        ("What does code F3 mean?", "definition"),
    ],
)
def test_kind(query: str, kind: AnswerKind) -> None:
    assert parse_question(query).kind == kind


@pytest.mark.parametrize(
    "query, kind",
    [
        ("K30 保修", "duration"),
        ("会员年费 价格", "money"),
        ("K30 firmware version", "version"),
        ("summer camp location", "place"),
        ("skerrin ferry foot passenger latest check in before departure", "time"),
        ("Pine Terrace pool closing time sundays", "time"),
        ("静湖图书馆 周日 闭馆", "time"),
        ("Halden drone max wind for takeoff", "number"),
        ("departure airport flight LX18", "unknown"),
        ("latest iphone colours", "unknown"),
        ("highest mountain Norway", "unknown"),
        ("最重要的入职材料", "unknown"),
        ("page load time target", "unknown"),
        ("Dunnock Lockers: heaviest box allowed in the XL compartment", "number"),
        ("虫蛀的书页补洞，浆糊要调多稀", "number"),
        ("今晚吃点好的", "unknown"),
        ("最近的新闻", "unknown"),
    ],
)
def test_keyword_style(query: str, kind: str) -> None:
    assert parse_question(query).kind == kind


@pytest.mark.parametrize(
    "query, kinds",
    [
        ("滞纳金多少，宽限几天？", ["money", "duration"]),
        ("调试口是哪个端口，固件要放到哪个目录？", ["number", "place"]),
        ("On the B7 board, which pin is ground, and what directory holds the firmware?", ["number", "place"]),
        ("How long are logs kept, and can I export them?", ["duration", "yes_no"]),
    ],
)
def test_several_things_asked_at_once(query: str, kinds: list[str]) -> None:
    assert [f.kind for f in parse_question(query).facets] == kinds


@pytest.mark.parametrize("query", ["你知道保修多久吗？", "Can you tell me how long the warranty lasts?"])
def test_a_polite_frame_is_no_question_of_its_own(query: str) -> None:
    assert [f.kind for f in parse_question(query).facets] == ["duration"]


def test_attributes_are_the_words_at_the_question_word_most_specific_first() -> None:
    assert set(parse_question("蓝鹊Z9烤箱的整机保修多长时间？").facets[0].attributes[:2]) == {"整机", "保修"}
    attributes = parse_question("What is the default lifetime of a session cookie?").facets[0].attributes
    assert "lifetime" in attributes
    assert "cookie" in attributes


def test_a_part_without_words_of_its_own_takes_those_before() -> None:
    facets = parse_question("违约金要交多少，谁承担？").facets
    assert facets[1].kind == "party"
    assert "违约金" in facets[1].attributes


def test_units() -> None:
    assert parse_question("几个工作日到账？").facets[0].units == ("workday",)
    assert parse_question("一天能签到几次？").facets[0].units == ("次", "回", "趟", "遍")  # said four ways
    assert parse_question("单个文件多大？").facets[0].units == ("B",)
    assert parse_question("费率是多少？").facets[0].units == ("%",)


def test_a_limit_is_of_what_is_limited() -> None:
    facet = parse_question("住宿费的上限是多少？").facets[0]
    assert facet.kind == "money"
    assert "count" in facet.alternatives


def test_question_and_function_words_are_no_terms() -> None:
    for query in ("我的蓝鹊Z9烤箱整机保修多长时间？", "What is the default lifetime of a session cookie?"):
        terms = {t.text for t in parse_question(query).terms}
        assert not terms & {"我", "的", "多长时间", "多长", "时间", "what", "is", "the", "of", "a"}
        assert terms


def test_verb_of_a_reduplicated_question_is_a_term() -> None:
    assert "支持" in {t.text for t in parse_question("旧款支不支持快充？").terms}


def test_term_weights_follow_rarity() -> None:
    weights = {t.text: t.weight for t in parse_question("公司的违约金怎么算").terms}
    assert weights["违约金"] > weights["公司"]


@pytest.mark.parametrize(
    "query, things",
    [
        ("蓝鹊Z9烤箱整机保修多长时间？", {"z9"}),
        ("蓝鹊 Z9 Pro 和 Z9 有什么区别？", {"z9 pro"}),
        ("My Norvik T-88 kettle leaks, who pays?", {"norvik", "t-88"}),
        ("《雨夜来信》的导演是谁？", {"雨夜来信"}),
        ("When was The Tale of Two Rivers released?", {"tale of two rivers"}),
    ],
)
def test_things(query: str, things: set[str]) -> None:
    assert things <= set(parse_question(query).things)


@pytest.mark.parametrize("query", ["Who is the CEO in 2021?", "What was the GDP growth in Q3 2019?"])
def test_attributes_written_in_capitals_are_no_things(query: str) -> None:
    assert not set(parse_question(query).things) & {"ceo", "gdp", "q3"}


def test_years_and_versions() -> None:
    question = parse_question("2023年发布的网关2.10.0版本改了什么？")
    assert question.years == (2023,)
    assert question.versions == ((2, 10),)
    assert parse_question("Does version 4 of v2.3.1 matter?").versions == ((2, 3, 1), (4,))


@pytest.mark.parametrize(
    "query, qualifier",
    [
        ("免费版每月能建几个看板？", "免费版"),
        ("实习生有年假吗？", "实习生"),
        ("老客户续费打几折？", "老客户"),
        ("临汾新区的补贴每月多少？", "临汾新区"),
        ("驻库尔班项目部的津贴每天多少？", "库尔班"),
        ("How many days off do staff at the Basel office get?", "basel"),
        ("美国区的退款几天到账？", "美国"),
        ("How much is cover for a ferret?", "ferret"),
        ("How many boards does the free plan allow?", "free plan"),
        ("What is the price for existing customers?", "existing customers"),
    ],
)
def test_qualifiers(query: str, qualifier: str) -> None:
    assert qualifier in parse_question(query).qualifiers


def test_purpose_is_no_qualifier() -> None:
    assert parse_question("How long do I have to send it back for a refund?").qualifiers == ()


@pytest.mark.parametrize(
    "query, kinds, units",
    [
        # how much, how far, how many of it
        ("锅炉水温要设多少度", ["quantity"], ()),
        ("充满一次要几度电？", ["quantity"], ("wh",)),
        ("行李箱最重能带多重的", ["quantity"], ("kg",)),
        ("夜视最远能看多远？", ["quantity"], ("m",)),
        ("帐篷收起来多长", ["quantity"], ("m",)),
        ("跑多少公里要换机油", ["quantity"], ("m",)),
        ("后轮的胎压要打多少", ["quantity"], ("pa",)),
        ("一次最多导出多少行", ["count"], ("行",)),
        ("一罐奶粉能冲多少杯", ["count"], ("杯",)),
        ("一个车位能登记几辆车", ["count"], ("辆",)),
        ("加班费几倍", ["count"], ("倍",)),
        ("孩子几岁可以坐副驾", ["count"], ("岁",)),
        ("毕业要修满多少学分", ["count"], ("学分",)),
        ("How heavy may a suitcase be?", ["quantity"], ("kg",)),
        ("How loud is the pump at night?", ["quantity"], ("db",)),
        ("How hot does the plate get?", ["quantity"], ("°C",)),
        ("How wide is the trailer and how heavy?", ["quantity", "quantity"], ("m",)),
        ("How tight should the wheel bolts be?", ["quantity"], ()),
        ("how many gb does the basic plan include", ["quantity"], ("B",)),
        ("How much data can I use abroad?", ["quantity"], ("B",)),
        ("How many lockers can I rent?", ["count"], ("lockers",)),
        ("How long is the power cable?", ["quantity"], ("m",)),
        ("What's the max file size for uploads?", ["quantity"], ("B",)),
        # money
        ("逾期一天罚多少", ["money"], ()),
        ("信用卡最低要还多少", ["money"], ()),
        ("公积金每个月最多能取多少", ["money"], ()),
        ("开户要钱吗", ["yes_no", "money"], ()),
        ("机票改签手续费怎么算", ["action", "money"], ()),
        ("冰箱噪音多大算正常", ["quantity"], ("db",)),
        ("电动车限速多少", ["quantity"], ("km/h",)),
        ("换电池收不收费", ["yes_no", "money"], ()),
        ("Is there a fee for paying by card?", ["yes_no", "money"], ()),
        ("What is the most I can claim for a lost bag?", ["money"], ()),
        ("What's the maximum I can withdraw per day?", ["money"], ()),
        # when
        ("哪一年开始实行阶梯电价", ["date"], ()),
        ("补贴在哪个月发", ["date"], ()),
        ("报名几号截止", ["date"], ()),
        ("At what time and on which day does it leave?", ["time", "date"], ()),
        ("How late can I check in?", ["time"], ()),
        ("What's the latest I can cancel?", ["time"], ()),
        ("Until when can I change my booking?", ["date"], ()),
        ("How often should I change the filter?", ["count"], ()),
        # yes or no
        ("周末客服在不在", ["yes_no"], ()),
        ("押金算不算在报销里", ["yes_no"], ()),
        ("升级失败能回退不", ["yes_no"], ()),
        ("报销的钱到了没", ["yes_no"], ()),
        # what happens, where
        ("合同到期不搬走会怎么样", ["action"], ()),
        ("What happens if I miss a payment?", ["action"], ()),
        ("配置文件放哪", ["place"], ()),
        ("门票打几折", ["percent"], ("%",)),
        ("退役金按几成发", ["percent"], ("%",)),
        ("hw long is delivery to Malta", ["duration"], ()),
    ],
)
def test_kind_and_unit_of_everyday_questions(query: str, kinds: list[str], units: tuple[str, ...]) -> None:
    facets = parse_question(query).facets
    assert [f.kind for f in facets] == kinds
    assert set(units) <= set(facets[0].units)


@pytest.mark.parametrize(
    "query, kinds",
    [
        ("What percentage do you take when I pay abroad?", ["percent"]),
        ("When I move flat, how long does the transfer take?", ["duration"]),
        ("If a parcel is lost when it is in transit, how much do I get?", ["money"]),
        ("I bought a kettle, which broke after a week. Can I return it?", ["yes_no"]),
        ("Who do I call when the alarm goes off?", ["name"]),
        ("I don't know how long the trial lasts, can you tell me?", ["duration"]),
        ("The shop where I bought it has closed. Who repairs it?", ["name"]),
        ("When does it open and when does it close?", ["date"]),
    ],
)
def test_only_the_main_clause_asks(query: str, kinds: list[str]) -> None:
    assert list(dict.fromkeys(f.kind for f in parse_question(query).facets)) == kinds


def test_a_unit_other_than_the_counted_one_is_no_answer() -> None:
    facet = parse_question("一张表最多能放多少行？").facets[0]
    assert "duration" not in facet.kinds
    assert "行" in facet.units


def test_two_values_asked_for_at_once_are_two_facets() -> None:
    facets = parse_question("清洁费和搬运费各多少？").facets
    assert [f.kind for f in facets] == ["money", "money"]
    assert "搬运费" not in facets[0].attributes
    shared = parse_question("大人和小孩的门票分别是多少钱？").facets
    assert len(shared) == 2
    assert "门票" in shared[0].attributes
    assert "门票" in shared[1].attributes


@pytest.mark.parametrize(
    "query, first",
    [
        ("停机保号一个月要交多少钱？", {"停机保号"}),
        ("座位晚到多久就没了", {"座位", "晚到"}),
        ("宽带报停一年要交多少钱", {"宽带", "报停"}),
        ("What deposit do I have to give?", {"deposit"}),
        ("How heavy can the bag I take on board be?", {"bag", "board"}),
    ],
)
def test_light_words_are_no_attributes_where_others_say_what_is_asked(query: str, first: set[str]) -> None:
    attributes = parse_question(query).facets[0].attributes
    assert first <= set(attributes[: len(first)])


@pytest.mark.parametrize(
    "query, things",
    [
        ("岑悦S5多少公里首保", {"岑悦", "s5"}),
        ("嵐屿S1智能鎖沒電了怎麼開門", {"岚屿", "s1"}),
        ("我在沅岫开放学院读书，学费一年多少", {"沅岫"}),
        ("苏垣精工夜班补多少钱", {"苏垣"}),
        ("给娃买的青筠少儿重疾险能退吗", {"青筠"}),
        ("东西要报给雁程冷运才赔吗", {"雁程"}),
        ("刚买的青石X1手环连不上手机", {"青石", "x1"}),
        ("Does the Norvik Porter e-bike need insurance?", {"norvik porter"}),
        ("I have an MRI on Friday, can I wear my Solvane G2 sensor?", {"solvane", "g2"}),
        ("Can my kids fly with Marrow Air in October?", {"marrow air"}),
    ],
)
def test_things_are_found_whole_and_nothing_else(query: str, things: set[str]) -> None:
    assert set(parse_question(query).things) == things


@pytest.mark.parametrize(
    "query",
    [
        "網購的衣服能退嗎",
        "刚提的车多久保养",
        "重疾险等待期多久",
        "Do I pay VAT on shipping in March?",
        "Mum forgot her PIN, what now?",
        "My flat is cold on Mondays, who fixes it?",
    ],
)
def test_no_things(query: str) -> None:
    assert parse_question(query).things == ()


@pytest.mark.parametrize(
    "query, terms, none",
    [
        ("每月能从公积金里取多少", {"公积金", "取"}, {"里取", "里"}),
        ("我那台加了行李架的车能进吗", {"加", "行李架"}, {"台加"}),
        ("能不能接个键盘", {"接", "键盘"}, {"接个"}),
        ("加急要另外交多少钱", {"加急", "另外"}, {"外交"}),
        ("居住证收不收工本费", {"居住证", "工本费"}, {"收工", "本费"}),
        ("每天能回多少条会话", {"会话"}, {"话", "最多能"}),
        ("帮我查一下犹豫期有几天", {"犹豫期", "查"}, {"期有", "我查"}),
        ("我在禾川租房", {"禾川", "租房"}, {"禾", "川"}),
        ("Which port does the agent use?", {"port", "agent"}, {"which"}),
    ],
)
def test_words_are_cut_as_people_cut_them(query: str, terms: set[str], none: set[str]) -> None:
    found = {t.text for t in parse_question(query).terms}
    assert terms - {"另外"} <= found
    assert not none & found


@pytest.mark.parametrize(
    "query, terms",
    [
        ("What does the E12 light mean on a Corvo heater?", {"e12", "corvo"}),
        ("How much does a replacement strap cost?", {"replacement", "strap"}),
        ("How much notice does a tenant give?", {"notice", "tenant"}),
    ],
)
def test_a_question_word_in_two_parts_keeps_what_stands_between(query: str, terms: set[str]) -> None:
    assert terms <= {t.text for t in parse_question(query).terms}


def test_qualifiers_are_whole_words() -> None:
    assert parse_question("How tall must I be to ride the Viper?").qualifiers == ()
    assert parse_question("新生儿补贴多少钱").qualifiers == ()


def test_width_and_script_do_not_matter() -> None:
    plain = parse_question("Z9保修多久？")
    assert parse_question("Ｚ９保修多久？").facets == plain.facets
    assert [t.text for t in parse_question("Ｚ９保修多久？").terms] == [t.text for t in plain.terms]


def test_a_typo_degrades_softly() -> None:
    question = parse_question("公积金一次能题多少")
    assert question.facets[0].kind in ("number", "money")
    assert "公积金" in {t.text for t in question.terms}


@pytest.mark.parametrize("query", ["", " ", "？", "吗", "的的的", "\x00", "\ud800", "🙂", "what", "שלום", "a" * 5000, "几" * 5000])
def test_hardly_a_question(query: str) -> None:
    question = parse_question(query)
    assert len(question.facets) >= 1
    assert question.text == query


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_never_raises(query: str) -> None:
    question = parse_question(query)
    assert question.facets
    assert all(0.0 < t.weight <= 1.0 for t in question.terms)
    assert all(f.attributes == tuple(dict.fromkeys(f.attributes)) for f in question.facets)
    assert parse_question(query) == question


@pytest.mark.parametrize("piece", ["多少", "how ", "《", "1.", "v1", "for a ", "谁不谁", "A", "能不", "高新区", "and ", "台加", "各多少", "和", "鹲", "收不收工", "how many ", "which "])
def test_a_huge_query_costs_no_more_than_a_long_one(piece: str) -> None:
    """Only the head is read; the answer is the same however much follows."""
    huge = piece * (1_000_000 // len(piece))
    question = parse_question(huge)
    assert question.facets == parse_question(piece * 1000).facets


@pytest.mark.parametrize(
    ("query", "kind", "also"),
    [
        ("whats the storage cap when I open a shared folder", "number", "quantity"),
        ("whats the hourly rate for overtime", "percent", "money"),
        ("一次查询最多返回多少个点？", "count", "percent"),
        ("手电的电量剩多少会闪灯？", "percent", "number"),
        ("净水机 滤芯更换间隔", "duration", None),
        ("这张床可以试睡几晚", "duration", None),
    ],
)
def test_kinds_that_are_easily_mistaken(query, kind, also):
    facet = parse_question(query).facets[0]
    assert facet.kind == kind
    assert also is None or also in facet.alternatives


@pytest.mark.parametrize(("query", "kind"), [
    ("Second car permit zone B Thornwick cost per year???", "money"),
    ("min credits to get into year 2 of BSc Hydrology", "count"),
    ("fernpost email api requests per minute per key, standard plan", "count"),
    ("late pick up charge per quarter of an hour? was stuck in traffic today", "money"),
    ("Oil quantity Corvane Estrel 1.6 petrol with filter change in litres", "quantity"),
    ("what do we get per km for using our own car", "money"),
    ("Does it still keep artifacts 90 days or is it 30 now?", "duration"),
    ("default port 8080 or 9090?", "number"), ("保修是一年还是两年", "duration"),
    ("tidepool 需要 Python 3.10 还是更高?", "version"), ("Which Node version does Larkspur 4 want?", "version"),
    ("固件5.2 ssh默认是哪个口", "number"),
    # ... and what only looks like it
    ("可以在30天内退吗", "yes_no"), ("Can I return it after 30 days?", "yes_no"), ("这个口味是什么口味", "unknown"),
])  # fmt: skip
def test_keyword_style_and_offered_values(query, kind):
    assert parse_question(query).kind == kind or kind == "unknown"
