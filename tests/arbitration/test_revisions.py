"""One sentence on two pages with another value, name or word in it: a contradiction, whatever words the question uses."""

import pytest
from conftest import page

OFFICIAL, FORUM = 0.95, 0.3
EDITIONS = [
    # (question, right, wrong, value of the right one)
    ("骁山手机的处理器是什么", "骁山手机搭载骁龙845处理器，支持快充。", "骁山手机搭载骁龙810处理器，支持快充。", "845"),
    ("访客胸牌是什么颜色？", "进入厂区的访客一律佩戴橙色胸牌并登记。", "进入厂区的访客一律佩戴蓝色胸牌并登记。", "橙色"),
    ("雾港地震的震级", "当天凌晨雾港发生7.0级强烈地震，灾区通信中断。", "当天凌晨雾港发生5.0级强烈地震，灾区通信中断。", "7.0"),
    ("《雾港来信》的导演是谁", "《雾港来信》在春天上映，由文牧野执导并参与编剧。", "《雾港来信》在春天上映，由宁浩执导并参与编剧。", "文牧野"),
    ("What colour is the status LED while charging?",
     "While charging, the status LED of the Norlund lamp glows amber until the battery is full.",
     "While charging, the status LED of the Norlund lamp glows purple until the battery is full.", "amber"),
    ("Who won the Norlund Marathon in 2021?",
     "Maria Lindqvist won the Norlund Marathon in 2021 after a close finish on the quay.",
     "Petra Holm won the Norlund Marathon in 2021 after a close finish on the quay.", "Maria Lindqvist"),
    ("When was the harbour bridge opened?",
     "The harbour bridge was opened to traffic on 4 May 1931 by the mayor.",
     "The harbour bridge was opened to traffic on 9 June 1935 by the mayor.", "4 May 1931"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "right", "wrong", "value"), EDITIONS, ids=[e[0] for e in EDITIONS])
def test_the_trusted_edition_of_a_sentence_wins(judge, query, right, wrong, value):
    for chunks in ([page(right, OFFICIAL), page(wrong, FORUM)], [page(wrong, FORUM), page(right, OFFICIAL)]):
        verdict = judge(query, chunks)
        assert [c.winner.value if c.winner else None for c in verdict.conflicts] == [value]


def test_a_later_edition_of_a_text_is_believed_also_of_what_does_not_change(judge):
    text = "雾港大桥于{}正式通车，全长1200米。"
    verdict = judge("雾港大桥是哪一年通车的？", [
        page(text.format("1998年"), 0.8, "2019-05-01"), page(text.format("1996年"), 0.8, "2024-05-01"),
    ])
    assert verdict.conflicts[0].winner.value == "1996年"


DIFFERENT = [
    ("金卡会员多久能退款？", "金卡会员的订单在48小时内原路退款到账。", "银卡会员的订单在72小时内原路退款到账。"),
    ("What colour is the status LED while charging?",
     "While charging, the status LED of the lamp glows amber until the battery is full.",
     "While idle, the status LED of the lamp glows purple until the battery is full."),
    ("城东店几点关门？", "## 城东店\n门店每天晚上21:00关门，节假日照常营业。", "## 城西店\n门店每天晚上22:00关门，节假日照常营业。"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "mine", "other"), DIFFERENT, ids=[d[0] for d in DIFFERENT])
def test_a_second_word_that_differs_makes_them_sentences_about_two_things(judge, query, mine, other):
    verdict = judge(query, [page(mine, OFFICIAL, "2024-01-01"), page(other, OFFICIAL, "2025-06-01")])
    assert not any(c.winner for c in verdict.conflicts)


def test_twins_are_witnesses_apart_and_copies_are_not(judge):
    right = "全年云杉市出生人口1523人，人口出生率为10.94‰，比上年下降。"
    wrong = right.replace("10.94", "5.94")
    other = "云杉市统计公报显示，去年的人口出生率是10.94‰，创下新低。"
    verdict = judge("云杉市去年的人口出生率是多少", [page(right), page(wrong), page(wrong), page(wrong), page(other)])
    assert verdict.conflicts[0].winner.value == "10.94‰"


AGREED = [
    ("What is the setup fee of the Pro plan?",
     "The one-time setup fee of the Pro plan amounts to $99 payable in advance."
     " The cancellation charge of the Pro plan amounts to ${} payable on exit.", (15, 25)),
    ("X5电钻整机保修多久？", "X5电钻整机保修24个月，自签收之日起计算。X5电钻随机电池保修{}个月，自签收之日起计算。", (6, 12)),
    ("Who chairs the audit committee?",
     "The audit committee is chaired by Anna Keller this year. The finance committee is chaired by {} this year.",
     ("Paul Huber", "Ines Roth")),
]  # fmt: skip


@pytest.mark.parametrize(("query", "text", "values"), AGREED, ids=[a[0] for a in AGREED])
def test_pages_that_say_the_same_of_what_is_asked_differ_in_something_else(judge, query, text, values):
    pages = [page(text.format(v), OFFICIAL, f"202{n}-01-01") for v, n in zip(values, (2, 5), strict=True)]
    assert judge(query, pages).conflicts == ()


def test_sentences_under_titles_of_two_things_are_no_editions(judge):
    pages = [
        page("The cable is red and runs to the rear of the amplifier.", OFFICIAL, "2022-01-01", title="Left speaker"),
        page("The cable is white and runs to the rear of the amplifier.", OFFICIAL, "2025-01-01", title="Right speaker"),
    ]
    assert not any(c.winner for c in judge("Which colour is the cable of the left speaker?", pages).conflicts)
