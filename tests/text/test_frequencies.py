"""How often something is done, read as an interval."""


import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragclean.text.frequencies import find_intervals
from ragclean.text.values import canonical


@pytest.mark.parametrize(("text", "value"), [
    ("每周加水", "duration:604800s"), ("每月一次", "duration:1month"), ("每年检查两次", "duration:6month"),
    ("每两周一次", "duration:1209600s"), ("半年一次", "duration:6month"), ("每隔一天换水", "duration:172800s"), ("每天12次", "duration:7200s"),
    ("cleaned twice weekly", "duration:302400s"), ("bi-weekly", "duration:1209600s"), ("every other week", "duration:1209600s"),
    ("three times a week", "duration:201600s"),
    ("一年一次", "duration:12month"), ("每季度校准", "duration:3month"),
    ("change it weekly", "duration:604800s"), ("every month", "duration:1month"), ("twice a year", "duration:6month"),
    ("once per week", "duration:604800s"), ("annually", "duration:12month"),
])  # fmt: skip
def test_an_interval(text, value):
    assert [canonical(v) for v in find_intervals(text)] == [value]


@pytest.mark.parametrize("text", ["一年的保修", "a week later", "three days a month", "每月底结账", "一天内回复", "per year 20 euros", "每日电讯报", "每周五", "每月十五日结账",
    "每天四五次", "每天2-3次",
])
def test_a_span_is_none(text):
    assert find_intervals(text) == ()


@given(st.text(max_size=80))
def test_any_text_gives_spans_in_order(text):
    found = find_intervals(text)
    assert all(0 <= v.start < v.end <= len(text) for v in found)
    assert list(found) == sorted(found, key=lambda v: v.start)


@pytest.mark.parametrize("piece", ["每", "每年", "every ", "一", "once a ", "每周一次"])
def test_hostile_text_costs_its_length(no_blow_up, endless, piece):
    with no_blow_up():
        find_intervals(endless(piece))
