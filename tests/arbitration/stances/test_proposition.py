from __future__ import annotations

import pytest

from ragclean.arbitration.stances.proposition import proposition_of
from ragclean.text.question import parse_question


def read(query: str):
    question = parse_question(query)
    return proposition_of(question.folded, [f.kind for f in question.facets])


KINDS = [
    ("电动车能不能带进电梯？", "yes_no", "can"),
    ("膜能不能用酒精擦", "yes_no", "may"),
    ("升级之前要先断电吗", "yes_no", "need"),
    ("一定要装袋吗", "yes_no", "need"),
    ("重启服务行不行", "yes_no", "may"),
    ("补一张卡要不要钱", "yes_no", "free"),
    ("安装收费吗", "yes_no", "free"),
    ("does the plan support restore", "yes_no", "can"),
    ("is it ok to clean the lens with alcohol?", "yes_no", "may"),
    ("do I have to unplug it first?", "yes_no", "need"),
    ("router keeps dropping, reboot it?", "yes_no", "need"),
    ("Is Winter Soldier the first film?", "yes_no", "is"),
    ("换表的钱谁出", "party", "can"),
    ("返工的钱是不是得我出？", "party", "can"),
    ("who pays the courier?", "party", "can"),
    ("先挪车还是原地等", "choice", "can"),
    ("do I wait for the branch or freeze it?", "choice", "can"),
    ("镜头进水了怎么办", "advice", "can"),
]


@pytest.mark.parametrize(("query", "kind", "modal"), KINDS, ids=[k[0] for k in KINDS])
def test_what_is_put_forward(query, kind, modal):
    found = read(query)
    assert found is not None
    assert (found.kind, found.modal) == (kind, modal)


@pytest.mark.parametrize(
    "query",
    ["保修多久？", "小米手机的处理器是什么", "what is the default port?", "重启了还是不行，报错码是多少", "截止到哪天"],
)
def test_questions_of_a_value_put_nothing_forward(query):
    assert read(query) is None


def test_the_alternatives_share_no_word():
    found = read("电池是充满放着还是留一半电")
    assert found.options[0] == ("充满",)
    assert "一半" in found.options[1]


def test_the_predicate_is_what_stands_beside_the_question_word():
    assert read("公租房到期了，收入超了，还能续租吗").key == ("续租",)
    assert "撤回" in read("发出去的通知还能撤回不").key


@pytest.mark.parametrize("piece", ["由", "还是", "a or b ", "吗", "who pays ", "是不是"])
def test_hostile_questions_cost_their_length(no_blow_up, endless, piece):
    with no_blow_up():
        for kind in ("yes_no", "party", "unknown"):
            proposition_of(endless(piece), [kind])
