import json
import multiprocessing
import os
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragclean.signals import semantic
from ragclean.signals.base import SemanticEncoder
from ragclean.signals.loading import embedded_encoder
from ragclean.signals.semantic import StaticEncoder, _tables

ENCODER = StaticEncoder()


def cosine(a, b):
    return float(ENCODER.encode_passages([a])[0] @ ENCODER.encode_passages([b])[0])


def test_implements_the_protocol():
    assert isinstance(ENCODER, SemanticEncoder)
    assert ENCODER.cheap is True


def test_vectors_have_unit_length_and_one_row_a_text():
    vectors = ENCODER.encode_passages(["手机屏幕碎了", "The screen is broken", ""])
    assert vectors.shape == (3, ENCODER.dims)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), [1, 1, 0], atol=1e-5)


def test_no_texts_give_an_empty_array():
    assert ENCODER.encode_queries([]).shape == (0, ENCODER.dims)
    assert ENCODER.score("保修", []).shape == (0,)


@pytest.mark.parametrize(
    "text, near, far",
    [
        ("电脑无法开机", "计算机不能启动", "今晚的菜很好吃"),
        ("退款多久到账", "多长时间能收到退还的钱", "这座山海拔很高"),
        ("the car will not start", "my vehicle does not turn on", "the soup tastes wonderful"),
        ("how to cancel a subscription", "ending my membership", "volcanoes on distant moons"),
    ],
)
def test_texts_of_like_meaning_are_nearer_without_shared_words(text, near, far):
    assert cosine(text, near) > cosine(text, far) + 0.1


def test_score_prefers_the_text_that_meets_the_query_in_other_words():
    scores = ENCODER.score("笔记本电脑的保修期多长", ["整机质保两年，从购机当天算起。", "门店每天早上九点营业。"])
    assert scores[0] > scores[1] + 0.1


def test_score_of_the_query_itself_is_one_and_of_nothing_shared_is_near_zero():
    query = "X200 的电池保修多久？"
    scores = ENCODER.score(query, [query, "", "！！！"])
    np.testing.assert_allclose(scores, [1, 0, 0], atol=1e-3)


@pytest.mark.parametrize("query", ["", "   ", "？！", "\x00", "\ud800"])
def test_a_query_without_words_scores_nothing(query):
    assert ENCODER.score(query, ["保修期一年", "one year"]).tolist() == [0, 0]


@pytest.mark.parametrize(
    "query, same, other",
    [
        ("X200 电池", "X-200 电池", "X300 电池"),
        ("X200 电池", "ｘ２００ 电池", "X2000 电池"),
        ("12 months", "12 months", "24 months"),
        ("版本 v2.4.0", "版本 2.4", "版本 2.5"),
        ("SKU-88", "sku 88 sku-88", "SKU-89"),
        ("1,299.00 元", "1299元", "1399元"),
        ("2024-07-01", "2024年7月1日", "2023年8月2日"),
        ("error 0x1f", "error 0x1f", "error 0x2f"),
        ("gpt-4 report", "gpt-4 report", "gpt-5 report"),
    ],
)
def test_numbers_and_codes_match_only_themselves(query, same, other):
    alike, unlike = ENCODER.score(query, [same, other])
    assert alike > unlike + 0.05
    assert cosine(query, same) > cosine(query, other)


def test_many_numbers_do_not_look_alike():
    numbers = ENCODER.encode_passages([str(n) for n in range(100, 200)])
    cosines = numbers @ numbers.T - np.eye(100)
    assert np.abs(cosines).max() < 0.5


def test_unknown_words_match_themselves_and_their_other_forms():
    query = "zorblaxian warranty"
    scores = ENCODER.score(query, ["zorblaxian warranty", "the zorblaxians' warranty", "quimfort warranty"])
    assert scores[0] > scores[1] > scores[2]


@pytest.mark.parametrize(
    "form, base",
    [("flickers", "flicker"), ("warranties", "warranty"), ("rerouted", "reroute"), ("unplugging", "unplug")],
)
def test_inflected_english_words_meet_their_base(form, base):
    assert ENCODER.score(base, [form])[0] > 0.6


def test_accents_do_not_hide_a_word():
    assert cosine("café", "cafe") > 0.99


def test_traditional_and_full_width_forms_meet():
    assert cosine("電腦的保固期限", "电脑的保固期限") > 0.99
    assert cosine("ＷＩＦＩ　密码", "wifi 密码") > 0.99


def test_a_text_in_traditional_characters_is_read_like_the_same_in_simplified_ones():
    traditional = "這臺電腦裡的電池能夠續航多久？滑鼠與顯示器的保固期限，請參閱說明書裏的條款。"
    simplified = "这台电脑里的电池能够续航多久？滑鼠与显示器的保固期限，请参阅说明书里的条款。"
    assert cosine(traditional, simplified) > 0.999
    assert ENCODER.score(traditional, [simplified])[0] > 0.999


@pytest.mark.parametrize("word, kin", [("tallest", "tall"), ("labor", "labour"), ("theaters", "theatre")])
def test_an_unknown_english_word_is_near_what_it_is_derived_from_and_nearest_itself(word, kin):
    near, far = ENCODER.score(word, [kin, "seventeen"])
    assert near > far + 0.2
    assert ENCODER.score(word, [word])[0] > near


def test_a_chinese_word_without_an_entry_is_read_by_its_parts():
    near, far = ENCODER.score("蓝牙遥控器失灵", ["遥控器失灵", "今晚的菜很好吃"])
    assert near > far + 0.3


def test_characters_that_are_in_no_dictionary_still_identify():
    rare = "\u3401\u3405"
    scores = ENCODER.score(f"{rare}的价格", [f"{rare}的价格是多少", "\u3402\u3406的价格是多少"])
    assert scores[0] > scores[1]


def test_results_do_not_depend_on_order_or_company():
    texts = ["保修期为一年", "门店九点营业", "x200 costs 12 dollars"]
    together = ENCODER.score("保修多久", texts)
    fresh = StaticEncoder()
    alone = np.concatenate([fresh.score("保修多久", [t]) for t in reversed(texts)])[::-1]
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_allclose(ENCODER.encode_passages(texts)[2], fresh.encode_passages(texts[2:])[0], atol=1e-6)


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(), max_size=80), st.lists(st.text(st.characters(), max_size=80), max_size=4))
def test_any_unicode_is_read(query, texts):
    scores = ENCODER.score(query, texts)
    vectors = ENCODER.encode_passages(texts)
    assert scores.shape == (len(texts),)
    assert np.isfinite(vectors).all()
    assert ((scores >= 0) & (scores <= 1.0001)).all()


@pytest.mark.parametrize("unit", ["1", "一", "龘", "(", "1.", " ", "a ", "a", "a-", "é", "한", "v1.", "x2", "😀"])
def test_huge_monotonous_text_is_read(unit):
    huge = unit * (200_000 // len(unit))
    scores = ENCODER.score("保修 x200 warranty", [huge, "保修"])
    assert np.isfinite(scores).all()


def test_threads_agree():
    texts = [f"第{i}条 保修期为{i}个月，订单 A{i} 已发出。" for i in range(200)]
    expected = StaticEncoder().score("A7 的保修期", texts)
    encoder, wrong = StaticEncoder(), []

    def work():
        for _ in range(5):
            if not np.allclose(encoder.score("A7 的保修期", texts), expected, atol=1e-6):
                wrong.append(True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def _score_in_child(queue):
    queue.put(embedded_encoder().score("保修期", ["保修期一年", "天气很好", "新的文字"]).tolist())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_goes_on():
    expected = embedded_encoder().score("保修期", ["保修期一年", "天气很好", "新的文字"]).tolist()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_score_in_child, args=(queue,))
    child.start()
    try:
        assert queue.get(timeout=60) == pytest.approx(expected)
    finally:
        child.join(timeout=10)
        child.kill()


def test_another_folder_of_tables_can_be_used(tmp_path):
    rows = np.array([[100, 0], [0, 100], [90, 10]], dtype=np.int8)
    np.save(tmp_path / "rows.npy", rows)
    np.save(tmp_path / "log_share.npy", np.log(np.array([1e-6, 1e-6, 1e-6], dtype=np.float32)))
    (tmp_path / "words.txt").write_text("苹果\n石头\napple\n", encoding="utf-8")
    (tmp_path / "about.json").write_text(json.dumps({"sha256": "00", "dims": 2}), encoding="utf-8")
    encoder = StaticEncoder(tmp_path)
    apple, stone = encoder.score("苹果", ["apple", "石头"])
    assert apple > 0.9
    assert stone < 0.1
    assert encoder.fingerprint != ENCODER.fingerprint


def test_learned_factors_change_what_a_word_weighs(tmp_path):
    np.save(tmp_path / "rows.npy", np.array([[100, 0], [0, 100]], dtype=np.int8))
    np.save(tmp_path / "log_share.npy", np.log(np.array([1e-6, 1e-6], dtype=np.float32)))
    (tmp_path / "words.txt").write_text("苹果\n石头\n", encoding="utf-8")
    (tmp_path / "about.json").write_text(json.dumps({"sha256": "01", "dims": 2}), encoding="utf-8")
    even = StaticEncoder(tmp_path).score("苹果石头", ["苹果", "石头"])
    assert even[0] == pytest.approx(even[1])
    np.save(tmp_path / "log_factor.npy", np.log(np.array([2.0, 0.5])).astype(np.float16))
    _tables.cache_clear()
    apple, stone = StaticEncoder(tmp_path).score("苹果石头", ["苹果", "石头"])
    assert apple > even[0] > stone


def long_query(n):
    known = [word for word in ENCODER._load().vocabulary._entries if word.isascii() and word.isalpha() and len(word) > 3][:n]
    return " ".join(known), [f"zq{i:04d}xk".translate(str.maketrans("0123456789", "bcdfghjlmn")) for i in range(n)]


def test_a_pasted_page_is_matched_by_its_most_informative_words(monkeypatch):
    known, unknown = long_query(400)
    query = " ".join([known, *unknown, *(f"P{i}-X{i}" for i in range(400)), "5"])
    tables, asked = ENCODER._load(), ENCODER._read([query])[0].bag
    ids, codes, words = semantic._most_informative(asked, tables)
    assert (len(ids), len(codes), len(words)) == (semantic._MOST_ASKED,) * 3
    assert tables.weights[ids].min() >= np.sort(tables.weights[asked.ids])[-semantic._MOST_ASKED]
    assert "5" in asked.codes and "5" not in codes
    scores = ENCODER.score(query, [query, known, "今晚的菜很好吃"])
    assert scores[0] == pytest.approx(1.0, abs=1e-5) and scores[0] > scores[1] > scores[2]


def test_a_question_of_forty_words_is_matched_whole(monkeypatch):
    query = " ".join(["云舟K3电池保修期多长", *(f"word{i}-{i}" for i in range(20)), *long_query(20)[1]])
    texts = [query, "电池保修期三年", *long_query(30)[1]]
    before = ENCODER.score(query, texts)
    monkeypatch.setattr(semantic, "_MOST_ASKED", 10**9)
    assert StaticEncoder().score(query, texts).tolist() == before.tolist()


def test_the_size_of_the_blocks_changes_no_score(monkeypatch):
    texts = ["电池保修期三年", "", "the screen is broken and the battery too", "屏幕碎了", *long_query(30)[1]]
    before = ENCODER.score("battery 保修 screen", texts)
    for most in (1, 5, 50):
        monkeypatch.setattr(semantic, "_MOST_COSINES", most)
        assert ENCODER.score("battery 保修 screen", texts).tolist() == before.tolist()


def test_forms_of_an_unknown_word_are_found_by_their_letters():
    found = semantic._best_forms(["fribblen", "zwx", "fribblen"], [semantic.Bag(np.zeros(0, np.int32), (), words) for words in
                                 (("fribblen", "x"), ("fribbles",), ("zwy", "zw"), ("qqqqqq",), ())])  # fmt: skip
    assert found[0].tolist() == found[2].tolist() == pytest.approx([1.0, found[0][1], 0.0, 0.0, 0.0])
    assert 0.5 <= found[0][1] < 1.0


def test_many_words_over_many_texts_come_to_an_end(no_blow_up):
    known, unknown = long_query(3000)
    texts = [" ".join(unknown[i % 2900 : i % 2900 + 100]) for i in range(3000)]
    with no_blow_up():
        ENCODER.score(" ".join(unknown), texts)
        ENCODER.score(known, [known[i * 8 : i * 8 + 800] for i in range(2000)])
