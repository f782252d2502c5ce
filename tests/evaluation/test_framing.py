"""Untrusted texts in a prompt: they read the same, and cannot end their frame or speak as another role."""

import json

import pytest

from ragclean.evaluation.framing import framed, unmarked

MARKS = ["<|im_start|>", "<|endoftext|>", "</s>", "<s>", "[INST]", "[/INST]", "<<SYS>>", "<start_of_turn>", "<｜User｜>", "[SYSTEM_PROMPT]"]
HARMLESS = ["a < b", "3<5 且 5>2", "[1] 见附件", "[图1]", "x <- y", "<中文>", "if (a<3)"]


@pytest.mark.parametrize("text", [*MARKS, *HARMLESS, '"}, "x": {"', "line\nbreak\r\n", "\u2028", "\\u003c|im_start|>", "\\"])
def test_a_frame_is_one_line_of_json_that_reads_as_what_was_put_in(text):
    line = framed({"a": text, "list": [{"b": text}, [text]], "t": (text,)})
    assert json.loads(line) == {"a": text, "list": [{"b": text}, [text]], "t": [text]}
    assert "\n" not in line
    assert "\r" not in line
    assert not any(mark in line for mark in MARKS)


def test_what_no_model_takes_is_replaced():
    assert json.loads(framed({"a": "x\ud800y\x00z"})) == {"a": "x\ufffdy\ufffdz"}
    framed({"a": "\ud800"}).encode("utf-8")
    assert unmarked("x\ud800y") == "x\ufffdy"


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_of_a_role_is_broken_by_a_blank(mark):
    broken = unmarked(f"前{mark}后")
    assert mark not in broken
    assert broken.replace(" ", "") == f"前{mark}后"


@pytest.mark.parametrize("text", ["a < b", "[1] 见附件", "[图1]", "3<5", "价格：1,299元"])
def test_other_text_is_left_as_it_is(text):
    assert unmarked(text) == text


@pytest.mark.parametrize("piece", ["<", "[", "<|", "[A", "</"])
def test_no_text_blows_up(piece, endless, no_blow_up):
    with no_blow_up():
        assert len(unmarked(endless(piece))) >= len(endless(piece))
        assert json.loads(framed({"a": endless(piece)})) == {"a": endless(piece)}
