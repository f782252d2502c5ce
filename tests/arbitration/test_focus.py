"""What a question lets be held against each other: its things, their other names, and what it states itself."""

from conftest import page

from ragclean.arbitration.focus import focus_of
from ragclean.text.question import parse_question


def test_a_name_of_the_alias_table_is_the_thing_asked_about(judge):
    chunks = [
        page("StarCloud专业版月费50元，按月扣款。", 0.95, "2025-01-01"), page("星辰云专业版月费80元，我去年买的。", 0.3, "2023-01-01"),
    ]  # fmt: skip
    for aliases in ({"StarCloud": "星辰云"}, {"星辰云": "StarCloud"}):
        verdict = judge("星辰云专业版的月费是多少？", chunks, aliases=aliases)
        assert [c.winner.value for c in verdict.conflicts if c.winner] == ["50元"]


def test_values_that_the_question_states_are_its_own_case():
    focus = focus_of(parse_question("0.8mm2的线最长能拉多远"), {})
    assert focus.stated and "quantity:8e-07m2" in focus.stated
    assert focus_of(parse_question("default port 8080 or 9090?"), {}).stated == frozenset()
