"""Which values may conflict at all: one attribute of one thing, and nothing else."""

from __future__ import annotations

import pytest
from conftest import page

OFFICIAL, FORUM = 0.95, 0.3


def values(verdict):
    return [{s.normalized for s in c.sides} for c in verdict.conflicts]


CALM = [
    # two durations, two attributes
    (
        "云梯平台客服多久回复工单？",
        ["云梯平台收到工单后24小时内回复。", "云梯平台的路由器整机保修36个月，凭发票办理。"],
    ),
    (
        "瑞禾冰箱报修后多久上门？",
        ["瑞禾冰箱报修后24小时内电话回访确认故障。", "瑞禾冰箱报修确认后48小时内安排师傅上门检修。"],
    ),
    ("How long is the warranty on the Norlund M4 grinder?",
     ["The Norlund M4 grinder carries a warranty of 24 months.",
      "Support answers every request about the Norlund M4 grinder within 2 days."]),
    # two sums, two attributes, also in one table
    ("青梧咖啡机寄修的检测费是多少？",
     ["青梧咖啡机寄修收费\n| 项目 | 标准 |\n| --- | --- |\n| 检测费 | 40元/次 |\n| 工费 | 80元 |\n| 回寄运费 | 22元 |",
      "青梧咖啡机修好之后回寄，运费每台22元，由用户承担。"]),
    ("What is the read timeout of the Pelor client?",
     ["Pelor client defaults\n\n```\nconnect_timeout: 5s\nread_timeout: 30s\nheartbeat: 15s\n```",
      "The Pelor client has a read timeout of 30 s."]),
    # another model, edition, audience, region
    (
        "岳岚M300净水器保修多久？",
        ["岳岚M300净水器整机保修24个月。", "岳岚M500净水器整机保修60个月。"],
    ),
    (
        "岳岚M300 净水器保修多久？",
        ["岳岚M-300净水器整机保修24个月。", "岳岚M300 Pro净水器整机保修36个月。"],
    ),
    (
        "织星开放平台免费版每天能调用多少次？",
        ["织星开放平台免费版每天可调用500次。", "织星开放平台企业版每天可调用20000次。"],
    ),
    ("How many seats are included in the Free plan of Tavro?",
     ["The Tavro Free plan includes 3 seats.", "The Tavro Enterprise plan includes 500 seats."]),
    (
        "新用户注册送多少积分？",
        ["云梯商城新用户注册送200积分。", "云梯商城老用户每次签到送20积分，邀请注册另送50积分。"],
    ),
    # the same value in other words
    (
        "瑞禾冰箱保修多久？",
        ["瑞禾冰箱整机保修一年。", "瑞禾冰箱的保修期为12个月。", "瑞禾冰箱保修十二个月，以发票为准。"],
    ),
    (
        "青梧咖啡机售价多少钱？",
        ["青梧咖啡机售价1,299元。", "青梧咖啡机官方售价¥1299.00。", "青梧咖啡机的售价是一千二百九十九元。"],
    ),
    ("How long does Tavro keep deleted projects?",
     ["Tavro keeps deleted projects for 24 hours.", "Deleted projects are kept by Tavro for one day."]),
    # a range that holds the point
    (
        "云梯商城发货要几天？",
        ["云梯商城下单后3至5天发货。", "云梯商城一般4天发货。"],
    ),
    # what was and what is, in one sentence
    (
        "云梯会员年费多少钱？",
        ["云梯会员年费由199元调整为259元。", "云梯会员年费现为259元。"],
    ),
    # postage of small orders, beside the postage of a repair
    (
        "青梧咖啡机寄修的回寄运费多少钱？",
        ["青梧咖啡机修好之后回寄，运费每台15元。", "周年庆须知：不满89元的订单收取运费8元，咖啡机参与以旧换新。"],
    ),
    # nobody claims anything
    (
        "云梯会员年费多少钱？",
        ["云梯会员可以提前退订。", "年费请见结算页。"],
    ),
]


@pytest.mark.parametrize(("query", "texts"), CALM, ids=[q for q, _ in CALM])
def test_no_conflict_is_declared_where_there_is_none(judge, query, texts):
    verdict = judge(query, [page(t, OFFICIAL, "2025-01-01") for t in texts])
    assert verdict.conflicts == ()
    assert not verdict.lost_passages
    assert not verdict.lost_sentences


CONFLICTS = [
    ("云梯平台客服多久回复工单？", "云梯平台收到工单后24小时内回复。", "云梯平台收到工单后48小时内回复。"),
    ("岳岚M300净水器保修多久？", "岳岚M300净水器整机保修两年。", "岳岚M300净水器整机质保36个月。"),
    ("青梧咖啡机售价多少钱？", "青梧咖啡机售价1299元。", "青梧咖啡机现在卖1499元，价格含运费。"),
    ("拾光平台的提现手续费率是多少？", "拾光平台提现手续费率为百分之二。", "拾光平台提现按3%收取手续费。"),
    ("织星SDK最低支持哪个版本的安卓系统？", "织星SDK要求安卓系统不低于v8.0版本。",
     "织星SDK最低支持安卓系统v10.0版本。"),
    ("织星接口每分钟最多调用多少次？", "织星接口调用上限为每分钟60次。", "织星接口每分钟最多可调用100次。"),
    ("单个附件上传大小上限是多少？", "单个附件上传不超过20MB。", "单个附件上传的大小上限为50MB。"),
    ("How long is the warranty on the Norlund M4 grinder?",
     "The Norlund M4 grinder carries a warranty of 24 months.",
     "Norlund covers the M4 grinder with a 3 year warranty."),
    ("What is the maximum upload size in Tavro?",
     "The maximum upload size in Tavro is 200 MB.", "Tavro limits uploads to a maximum size of 500 MB."),
    ("What does an extra seat in Tavro cost per month?",
     "An extra seat in Tavro costs $12 per month.", "Tavro charges $15 per month for an extra seat."),
    ("云梯会员支持七天无理由退款吗？", "云梯会员支持七天无理由退款。", "云梯会员不支持七天无理由退款。"),
    ("青梧咖啡机上门安装免费吗？", "青梧咖啡机上门安装免费。", "青梧咖啡机上门安装收费。"),
    ("Does the Norlund M4 grinder support espresso grinding?",
     "The Norlund M4 grinder supports espresso grinding.",
     "The Norlund M4 grinder does not support espresso grinding."),
]  # fmt: skip


@pytest.mark.parametrize(("query", "first", "second"), CONFLICTS, ids=[c[0] for c in CONFLICTS])
def test_a_conflict_is_seen_and_the_trusted_side_wins(judge, query, first, second):
    verdict = judge(query, [page(first, OFFICIAL), page(second, FORUM)])
    assert len(verdict.conflicts) == 1, verdict
    conflict = verdict.conflicts[0]
    assert conflict.winner is not None
    assert conflict.winner.witnesses[0].trust == OFFICIAL
    assert conflict.reason == "source"
    assert set(verdict.lost_passages) == {1}
    assert (0, 0) in verdict.winning_sentences


def test_a_tier_table_is_chosen_from_by_the_question(judge):
    table = (
        "云梯差旅标准\n住宿费每晚报销上限如下：\n- 一类城市：600元\n- 二类城市：450元\n- 其他城市：300元"
    )
    query = "云梯员工去二类城市出差，住宿费每晚报销上限是多少？"
    assert judge(query, [page(table, OFFICIAL), page("二类城市的住宿费每晚报销上限是450元。", FORUM)]).conflicts == ()
    verdict = judge(query, [page(table, OFFICIAL), page("二类城市的住宿费每晚报销上限是520元。", FORUM)])
    assert [c.winner.value for c in verdict.conflicts] == ["450元"]


def test_free_with_an_exception_is_not_charged(judge):
    verdict = judge(
        "青梧咖啡机保修期内维修免费吗？",
        [page("青梧咖啡机保修期内维修免费，但人为损坏除外。", OFFICIAL), page("青梧咖啡机保修期内维修免费。", FORUM)],
    )
    assert verdict.conflicts == ()


def test_each_facet_is_decided_for_itself(judge):
    verdict = judge(
        "青梧咖啡机的检测费和回寄运费各多少？",
        [
            page("青梧咖啡机检测费每次40元。修好后回寄运费每台22元。", OFFICIAL),
            page("青梧咖啡机的回寄运费是35元，我刚付过。", FORUM),
        ],
    )
    assert [c.winner.value for c in verdict.conflicts] == ["22元"]
    assert set(verdict.lost_passages) == {1}


def test_a_word_that_the_pages_share_ties_values_to_one_slot(judge):
    verdict = judge(
        "买了青禾保险又不想要了，多少天里退能把钱全拿回来？",
        [
            page("青禾保险条款：自签收合同次日起，有20日的犹豫期，期内解除合同的，全额退还保费。", OFFICIAL),
            page("青禾保险犹豫期只有10天，过了再退就亏了。", FORUM),
        ],
    )
    assert [c.winner.normalized for c in verdict.conflicts] == ["duration:1728000s"]


def test_empty_and_single(judge):
    assert judge("青梧咖啡机售价多少钱？", []).conflicts == ()
    assert judge("", [page("青梧咖啡机售价1299元。")]).conflicts == ()
    assert judge("青梧咖啡机售价多少钱？", [page("青梧咖啡机售价1299元。")]).conflicts == ()


@pytest.mark.parametrize(("query", "sentence"), [
    ("Can I use the Padlow SDK offline on Android?", "New: offline regions of up to 2 GB, parity with iOS at last."),
    ("栖迹SDK安卓版离线地图最大多少GB？", "离线地图上限2GB，与iOS一致。"),
    ("From what time on weekdays does the pass work?", "Passes are taken from 9:15, Monday to Friday, and all day at weekends."),
    ("周一至周五几点开始可以用？", "持证者平日9:15起可用，周末全天可用。"),
])
def test_a_group_that_is_likened_or_named_beside_the_asked_one_is_no_other_thing(judge, query, sentence):
    verdict = judge(query, [page(sentence, OFFICIAL)])
    assert not verdict.out_of_scope
    assert not verdict.out_of_scope_sentences


def test_a_group_of_its_own_is_still_another_thing(judge):
    verdict = judge("Can I use the Padlow SDK offline on Android?", [page("The Padlow SDK works offline on iOS.", OFFICIAL)])
    assert verdict.out_of_scope or verdict.out_of_scope_sentences


def test_a_bare_number_answers_a_question_for_a_number_of_things(judge):
    verdict = judge("磐岩DB社区版默认最大连接数是多少？", [
        page("磐岩DB社区版参数：默认最大连接数为240，修改后需重启。", 0.9, "2025-05-12"),
        page("磐岩DB社区版默认最大连接数提升到1000了，朋友说的。", 0.3, "2025-06-21"),
    ])
    assert verdict.conflicts[0].winner.value == "240"
