from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.text.folding import fold
from ragclean.text.tokens import informativeness, is_stopword, tokenize

ANY_TEXT = st.text(st.characters(codec=None))
CODE_TEXT = st.text(st.sampled_from("ab19.-_/@:,'&+#%~\\ 中国。hpswv"), max_size=60)


def words(text: str) -> list[str]:
    folded = fold(text)
    return [folded[t.start : t.end] for t in tokenize(folded)]


def kinds(text: str) -> dict[str, str]:
    folded = fold(text)
    return {folded[t.start : t.end]: t.kind for t in tokenize(folded)}


@settings(deadline=None)  # the first example loads the dictionary
@given(st.one_of(ANY_TEXT, CODE_TEXT))
def test_tokens_are_in_order_and_hold_every_letter_and_digit(text: str) -> None:
    folded = fold(text)
    last = 0
    for token in tokenize(folded):
        assert last <= token.start < token.end <= len(folded)
        gap = folded[last : token.start]
        assert not any(c.isalpha() or c.isdecimal() for c in gap)
        last = token.end
    assert not any(c.isalpha() or c.isdecimal() for c in folded[last:])


@pytest.mark.parametrize(
    "code",
    [
        "x200", "v2.4.0", "sku-88", "e-4071", "n-07b", "lk-30", "iso9001", "gpt-4o", "covid-19", "10.0.0.1", "5g",
        "src/main.py", "/etc/nginx/nginx.conf", "config.yaml", "a.b@example.com", "https://example.com/a?b=1",
        "refresh_ttl", "server.tls.port", "400-820-8820", "c++", "node.js", "2.4.0-rc.1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("frame", ["{}", "请看{}的说明", "see {} for more", "（{}）。", "{}，"])
def test_a_code_stays_in_one_piece(code: str, frame: str) -> None:
    assert kinds(frame.format(code)).get(code) == "code"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,299.00元", ["1,299.00", "元"]),
        ("3.5mm", ["3.5", "mm"]),
        ("24h内", ["24", "h", "内"]),
        ("3-5天", ["3", "5", "天"]),
        ("2024-07-01 10:30", ["2024", "07", "01", "10", "30"]),
        ("and/or", ["and", "or"]),
        ("It ended.Next one", ["it", "ended", "next", "one"]),
        ("don’t state-of-the-art", ["don't", "state-of-the-art"]),
        ("‘quoted’ --flag", ["quoted", "flag"]),
        ("保修期X200整机", ["保修期", "x200", "整机"]),
        ("电池免费更换", ["电池", "免费", "更换"]),
        ("軟體更新", ["软体", "更新"]),
        ("カナ слово", ["カナ", "слово"]),
        ("，。！—…", []),
    ],
)
def test_words_are_cut_as_people_read_them(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_the_models_of_a_series_do_not_meet() -> None:
    assert set(words("X200 和 X300")) & set(words("X300 Pro")) == {"x300"}


def test_rare_words_tell_more_than_common_ones() -> None:
    assert informativeness("的") < informativeness("手机") < informativeness("扫地机") <= 1.0
    assert informativeness("the") < informativeness("screen") < informativeness("warranty") <= 1.0
    assert informativeness("x200") == 1.0
    assert informativeness("7") < informativeness("2024")
    assert informativeness("zzyqx") > 0.99


def test_a_compound_is_about_as_rare_as_its_rarest_part() -> None:
    assert informativeness("扫地机保修") >= informativeness("保修") > 0.9
    assert informativeness("owner's") == informativeness("owner")


@settings(deadline=None)
@given(ANY_TEXT)
def test_informativeness_is_a_share_of_one(word: str) -> None:
    assert 0.0 < informativeness(word) <= 1.0


def test_function_and_question_words_are_stopwords() -> None:
    assert all(is_stopword(w) for w in ("的", "多久", "怎么", "the", "how", "what", "don't"))
    assert not any(is_stopword(w) for w in ("保修", "warranty", "免费", "x200", "小时"))


def test_a_long_run_without_marks_is_cut_whole() -> None:
    text = "甲方于次日到场并提交材料" * 300
    assert "".join(words(text)) == text


def test_threads_agree() -> None:
    text = "本条款自公布之日起施行，旧条款同时废止。" * 20
    results: list[list[str]] = []
    threads = [threading.Thread(target=lambda: results.append(words(text))) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(results) == 6
    assert all(r == results[0] for r in results)


def _send_words(out: multiprocessing.connection.Connection) -> None:
    out.send(words("自签收之日起计算"))


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_can_cut() -> None:
    here = words("自签收之日起计算")
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=_send_words, args=(send,))
    child.start()
    assert receive.poll(60)
    assert receive.recv() == here
    child.join(60)
