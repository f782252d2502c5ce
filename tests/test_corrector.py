"""What a user of NoiseCorrector relies on, end to end with the embedded models."""

import asyncio
import copy
import json
import logging
import pickle
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.result import RefinedContext

QUERY = "云舟K3吸尘器的电池保修多久？"
CHUNKS = [
    {"id": "terms", "source": "official_policy", "published_at": "2025-02-01",
     "text": "云舟K3吸尘器保修条款\nK3的电池自签收之日起保修18个月。电机保修三年。感谢您选择云舟，祝您生活愉快！"},
    {"id": "old", "source": "official_policy", "published_at": "2021-03-01",
     "text": "云舟K3吸尘器电池保修12个月，自签收之日起计算。凭发票在授权网点办理。"},
    {"id": "forum", "source": "forum", "published_at": "2025-05-01",
     "text": "我记得K3电池保修只有6个月吧，反正我的第七个月就收费了。论坛里好几个人都这么说。"},
    {"id": "other", "source": "official_policy", "published_at": "2025-02-01",
     "text": "云舟K5吸尘器的电池自签收之日起保修24个月。K5的主机保修五年。"},
    {"id": "news", "source": "news", "published_at": "2025-04-01",
     "text": "云舟科技昨日宣布与三家商场签约，将在春季开设体验店，现场有抽奖活动和乐队演出。"},
]


@pytest.fixture(scope="module")
def corrector():
    return NoiseCorrector()


@pytest.fixture(scope="module")
def result(corrector):
    return corrector.refine(QUERY, CHUNKS, top_k=3, as_of="2025-06-01")


def test_the_right_value_comes_out_and_the_losers_do_not(result):
    assert "18个月" in result.text
    assert "12个月" not in result.text and "6个月" not in result.text
    assert result.conflicts[0].winner is not None
    assert "18个月" in result.conflicts[0].winner.value
    assert result.conflicts[0].explain()


def test_another_model_is_no_vote_and_unrelated_news_goes(result):
    assert "K5" not in result.text and "体验店" not in result.text
    assert not any("other" in side.chunk_ids for c in result.conflicts for side in c.sides)


def test_every_chunk_is_accounted_for(result):
    kept = {c.id for c in result.chunks}
    gone = {d.chunk_id for d in result.dropped if d.start is None}
    assert kept | gone == {c["id"] for c in CHUNKS}
    assert not kept & gone
    assert all(d.reason and d.detail for d in result.dropped)


def test_kept_sentences_are_verbatim_at_their_offsets(result):
    original = {c["id"]: c["text"] for c in CHUNKS}
    for chunk in result.chunks:
        for s in chunk.sentences:
            assert original[chunk.id][s.start : s.end] == s.text
            assert s.text in result.text
        assert list(chunk.sentences) == sorted(chunk.sentences, key=lambda s: s.start)


def test_result_survives_json(result):
    assert RefinedContext.from_json(result.to_json()) == result
    assert json.loads(result.to_json())["as_of"] == "2025-06-01"


def test_prompt_has_numbers_that_lead_back(result):
    prompt = result.to_prompt()
    for number, chunk_id in prompt.citations.items():
        assert f"[{number}]" in prompt.text
        assert chunk_id in {c.id for c in result.chunks}
    assert "official_policy" in prompt.text
    assert "[1]" not in result.to_prompt(citations=False).text
    assert str(result) == result.text


def test_explain_names_every_chunk(result):
    words = result.explain()
    assert all(c["id"] in words for c in CHUNKS)


def test_stats_are_flat_numbers(result):
    assert all(isinstance(v, (int, float)) for v in result.stats.values())
    assert result.stats["chars_out"] == len(result.text)
    assert result.stats["chunks_in"] == 5
    assert 0 < result.stats["tokens_out"] < result.stats["tokens_in"]


def test_the_same_call_gives_the_same_result(corrector, result):
    again = corrector.refine(QUERY, CHUNKS, top_k=3, as_of="2025-06-01")
    assert again.text == result.text and again.dropped == result.dropped
    assert again.stats["cache_misses"] == 0 and again.stats["cache_hits"] == 5


def test_the_date_decides_what_is_in_force(corrector):
    chunks = [
        {"id": "now", "source": "official_policy", "text": "基础版每月最多导出500条记录。本规则自2024年1月1日起施行。"},
        {"id": "next", "source": "official_policy", "text": "基础版每月最多导出800条记录。本规则自2025年9月1日起施行。"},
    ]
    query = "基础版每月最多导出多少条记录？"
    assert "500条" in corrector.refine(query, chunks, as_of="2025-06-01").text
    assert "800条" not in corrector.refine(query, chunks, as_of="2025-06-01").text
    assert "800条" in corrector.refine(query, chunks, as_of="2026-06-01").text
    assert "500条" not in corrector.refine(query, chunks, as_of="2026-06-01").text


def test_a_tie_drops_nothing_and_warns(corrector):
    chunks = ["登录会话的默认有效期是30分钟。", "登录会话的默认有效期是60分钟。"]
    result = corrector.refine("登录会话默认有效期是多久？", chunks)
    assert "30分钟" in result.text and "60分钟" in result.text
    assert result.conflicts[0].winner is None
    assert any(w.code == "unresolved_conflict" for w in result.warnings)
    assert "unresolved" in result.to_prompt().text


@pytest.mark.parametrize("policy", ["demote", "annotate"])
def test_other_policies_keep_the_losers_and_report_them(policy):
    corrector = NoiseCorrector(config=CorrectorConfig(conflict_policy=policy))
    result = corrector.refine(QUERY, CHUNKS[:2], as_of="2025-06-01")
    assert "12个月" in result.text and "18个月" in result.text
    assert result.conflicts[0].winner is not None
    if policy == "demote":
        assert result.text.index("18个月") < result.text.index("12个月")


def test_observe_changes_nothing(caplog):
    corrector = NoiseCorrector(config=CorrectorConfig(mode="observe"))
    with caplog.at_level(logging.INFO, logger="ragclean"):
        result = corrector.refine(QUERY, CHUNKS, as_of="2025-06-01")
    assert result.text == "\n\n".join(c["text"] for c in CHUNKS)
    assert result.mode == "observe" and result.dropped
    assert "observe" in caplog.text


def test_pinned_chunks_stay_whole(corrector):
    result = corrector.refine(QUERY, CHUNKS, as_of="2025-06-01", pinned=["news"])
    assert CHUNKS[4]["text"] in result.text


def test_protected_terms_stay(corrector):
    chunks = [{"id": "a", "text": "K3电池保修18个月。感谢一路同行，口令是紫荆花。祝您生活愉快！"}]
    assert "紫荆花" in corrector.refine(QUERY, chunks, protected_terms=["紫荆花"]).text


def test_sub_queries_count(corrector):
    chunks = [
        "旅行箱轮子坏了可以在门店更换，三个工作日取件。",
        "云舟K3的电池自签收之日起保修18个月。",
    ]
    alone = corrector.refine("云舟K3电池保修多久？", chunks)
    both = corrector.refine("云舟K3电池保修多久？", chunks, sub_queries=["旅行箱轮子坏了怎么更换？"])
    assert "轮子" not in alone.text and "轮子" in both.text


def test_conflicts_are_settled_for_every_part_of_a_question(corrector):
    chunks = [
        {"id": "new", "source": "official_policy", "published_at": "2025-03-01",
         "text": "畅快套餐每月含流量60GB。安心套餐每月含流量30GB。"},
        {"id": "old", "source": "official_policy", "published_at": "2021-03-01",
         "text": "畅快套餐每月含流量40GB。安心套餐每月含流量20GB。"},
    ]
    parts = ["畅快套餐每月含多少流量？", "安心套餐每月含多少流量？"]
    text = corrector.refine("畅快套餐和安心套餐哪个流量多？", chunks, sub_queries=parts, as_of="2025-06-01").text
    assert "60GB" in text and "30GB" in text
    assert "40GB" not in text and "20GB" not in text


def test_max_tokens_is_kept(corrector):
    chunks = [f"云舟K3的第{i}号配件保修{i + 2}个月，更换费用为{i * 10 + 5}元，请到网点办理手续。" for i in range(12)]
    result = corrector.refine("云舟K3配件保修多久？", chunks, max_tokens=80, top_k=12)
    assert 0 < result.stats["tokens_out"] <= 80
    counted = NoiseCorrector(count_tokens=len).refine("云舟K3配件保修多久？", chunks, max_tokens=60, top_k=12)
    assert 0 < len(counted.text) <= 60


def test_nothing_relevant_still_gives_something_and_says_so(corrector):
    result = corrector.refine("How tall is Mount Kenya?", ["今天食堂供应红烧肉。", "会议改到下午。"])
    assert result.text
    assert any(w.code == "nothing_admitted" for w in result.warnings)


def test_no_candidates(corrector):
    result = corrector.refine(QUERY, [])
    assert result.text == "" and result.chunks == () and result.conflicts == ()


def test_a_query_without_words_keeps_the_retrievers_order(corrector):
    for query in ("", "   ", "？！", "的"):
        result = corrector.refine(query, ["第一段话讲天气。", "第二段话讲交通。", "第三段话讲饮食。"], top_k=2)
        assert result.text.index("天气") < result.text.index("交通")
        assert any(w.code == "no_query_terms" for w in result.warnings)


@pytest.mark.parametrize(
    ("options", "error", "name"),
    [
        ({"query": None}, TypeError, "query"),
        ({"query": b"x"}, TypeError, "query"),
        ({"candidates": "one string"}, TypeError, "candidates"),
        ({"candidates": {"text": "x"}}, TypeError, "candidates"),
        ({"candidates": 3}, TypeError, "candidates"),
        ({"top_k": 0}, ValueError, "top_k"),
        ({"top_k": 2.5}, TypeError, "top_k"),
        ({"top_k": True}, TypeError, "top_k"),
        ({"max_tokens": 0}, ValueError, "max_tokens"),
        ({"as_of": "soon"}, ValueError, "as_of"),
        ({"as_of": 20250101}, TypeError, "as_of"),
        ({"sub_queries": "one"}, TypeError, "sub_queries"),
        ({"pinned": [3]}, TypeError, "pinned"),
        ({"protected_terms": "one"}, TypeError, "protected_terms"),
    ],
)
def test_misuse_raises_by_name(corrector, options, error, name):
    options = {"query": "问题", "candidates": ["文字。"], **options}
    with pytest.raises(error, match=name):
        corrector.refine(options.pop("query"), options.pop("candidates"), **options)


def test_candidates_are_not_changed(corrector):
    chunks = [{"text": "保修18个月。", "metadata": {"page": 3}}]
    before = json.dumps(chunks)
    result = corrector.refine("保修多久？", chunks)
    assert json.dumps(chunks) == before
    assert result.chunks[0].chunk.metadata["page"] == 3


class ConstantJudge:
    """A dear judge that counts what it is shown."""

    cheap = False
    fingerprint = "constant-1"

    def __init__(self):
        self.seen = 0

    def score_pairs(self, queries, texts):
        self.seen += len(texts)
        return np.full(len(texts), 0.9, np.float32)


def test_a_dear_judge_sees_at_most_the_limit():
    judge = ConstantJudge()
    corrector = NoiseCorrector(judge=judge)
    chunks = [f"云舟K3电池的第{i}种说法，保修时间请看说明书第{i}页。" for i in range(30)]
    result = corrector.refine(QUERY, chunks)
    assert judge.seen == 10 == result.stats["judge_calls"]
    assert all(c.signals.judge is not None for c in result.chunks)


class BrokenJudge(ConstantJudge):
    def score_pairs(self, queries, texts):
        raise RuntimeError("the endpoint is down")


def test_the_embedded_judge_stands_in_for_one_that_fails(corrector):
    result = NoiseCorrector(judge=BrokenJudge()).refine(QUERY, CHUNKS, as_of="2025-06-01")
    assert result.text == corrector.refine(QUERY, CHUNKS, as_of="2025-06-01").text
    assert any(w.code == "judge_failed" and "endpoint is down" in w.message for w in result.warnings)


class BrokenKeywords:
    fingerprint = "broken-1"

    def hit_ratio(self, query, texts):
        raise RuntimeError("no dictionary")


def test_a_failing_stage_passes_its_input_on():
    result = NoiseCorrector(keywords=BrokenKeywords()).refine(QUERY, CHUNKS, as_of="2025-06-01")
    assert "18个月" in result.text
    assert any(w.code == "stage_failed" and "no dictionary" in w.message for w in result.warnings)


def test_an_unknown_pinned_id_is_named(corrector):
    result = corrector.refine(QUERY, CHUNKS, pinned=["terms", "term"])
    assert [w.message for w in result.warnings if w.code == "unknown_pinned"] == ["pinned: no chunk has the id 'term'"]


def test_a_spent_time_budget_skips_stages_and_hands_the_input_on():
    corrector = NoiseCorrector(config=CorrectorConfig(time_budget_ms=1e-6))
    result = corrector.refine(QUERY, CHUNKS, as_of="2025-06-01")
    assert all(c["text"] in result.text for c in CHUNKS)
    assert any(w.code == "stage_skipped" for w in result.warnings)


def test_parts_are_checked_by_name():
    with pytest.raises(TypeError, match="score_pairs"):
        NoiseCorrector(judge=object())
    with pytest.raises(TypeError, match="encode_queries"):
        NoiseCorrector(encoder=object())
    with pytest.raises(TypeError, match="config"):
        NoiseCorrector(config={"top_k": 3})


def test_config_file_round_trip(tmp_path):
    path = tmp_path / "c.json"
    NoiseCorrector(config=CorrectorConfig(admission_threshold=0.2)).save_config(path)
    loaded = NoiseCorrector.from_config(path)
    assert loaded.config.admission_threshold == 0.2
    assert loaded.fingerprint != NoiseCorrector().fingerprint


def test_batch_shares_chunks_and_keeps_order(corrector):
    fresh = NoiseCorrector()
    queries = [QUERY, "云舟K5主机保修多久？"]
    results = fresh.refine_batch(queries, [CHUNKS, CHUNKS], as_of="2025-06-01")
    assert [r.query for r in results] == queries
    assert results[0].text == corrector.refine(QUERY, CHUNKS, as_of="2025-06-01").text
    assert results[1].stats["cache_misses"] == 0
    with pytest.raises(ValueError, match="2 queries, 1"):
        fresh.refine_batch(queries, [CHUNKS])


def test_async_gives_the_same(corrector):
    async def both():
        return await asyncio.gather(*(corrector.arefine(QUERY, CHUNKS, as_of="2025-06-01") for _ in range(3)))

    assert {r.text for r in asyncio.run(both())} == {corrector.refine(QUERY, CHUNKS, as_of="2025-06-01").text}


def test_warm_works_chunks_out_ahead():
    fresh = NoiseCorrector()
    assert fresh.warm([*CHUNKS, {"id": "bad"}, "  "]) == len(CHUNKS)
    assert fresh.refine(QUERY, CHUNKS).stats["cache_misses"] == 0


def test_threads_agree(corrector):
    expected = corrector.refine(QUERY, CHUNKS, as_of="2025-06-01").text
    shared, got = NoiseCorrector(), []

    def work():
        got.extend(shared.refine(QUERY, CHUNKS, as_of="2025-06-01").text for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert got == [expected] * 40


def test_the_cache_is_bounded():
    corrector = NoiseCorrector(config=CorrectorConfig(cache_chunks=5))
    for i in range(20):
        corrector.refine("天气如何？", [f"第{i}天的天气记录，多云转晴。"])
    assert len(corrector._cache) == 5


HOSTILE = {
    "nul": "保修\0十二\0个月。", "surrogate": "保修\ud800一年。", "emoji": "保修👨‍👩‍👧‍👦一年🎉🎉。", "rtl": "الضمان سنة واحدة \u202e保修一年\u202c",
    "html": "<script>alert(1)</script><b onclick=x()>保修</b>一年", "table": "| 项目 | 保修 |\n| --- | --- |\n| 主机 | 一年 |",
    "code": "```yaml\nwarranty: 12mo\n```", "base64": "QUJD" * 5000, "plain": "保修一年" * 3000, "spaces": " \u3000\u00a0" * 3000 + "保修一年",
    "digits": "1" * 20000, "brackets": "(（[【" * 5000, "combining": "e" + "\u0301" * 5000, "lines": "\n\r\n" * 5000 + "保修",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_comes_through_verbatim(corrector, name):
    text = HOSTILE[name]
    for query in ("保修多久？", "How long is the warranty?", text[:50]):
        result = corrector.refine(query, [text, "保修一年，凭发票办理。"], pinned=["c1"])
        assert text in result.text or text.strip() in result.text
        assert not any(w.code == "stage_failed" for w in result.warnings)
        result.to_json().encode("utf-8")


def test_a_huge_chunk_gives_its_buried_answer():
    filler = "".join(f"第{i}段讲的是历史沿革与致谢名单，内容与售后没有关系。" for i in range(4000))
    text = filler + "云舟K3的电池自签收之日起保修18个月。" + filler
    assert len(text) > 200_000
    result = NoiseCorrector(config=CorrectorConfig(protection="graded")).refine(QUERY, [text, "今天晴。"])
    assert "保修18个月" in result.text
    assert not any(w.code == "stage_failed" for w in result.warnings)


def test_a_query_longer_than_the_chunks(corrector):
    query = "我想问一下，" * 2000 + QUERY
    assert "18个月" in corrector.refine(query, CHUNKS, as_of="2025-06-01").text


def test_a_thousand_chunks(corrector):
    chunks = [f"第{i}号门店的营业时间是上午{i % 12}点，地址在{i}号楼。" for i in range(999)] + ["云舟K3的电池保修18个月。"]
    result = corrector.refine(QUERY, chunks)
    assert "18个月" in result.text
    assert len(result.chunks) <= 8


def test_what_is_pinned_and_every_chunk_survive_a_spent_time_budget():
    corrector = NoiseCorrector(config=CorrectorConfig(time_budget_ms=1e-6))
    result = corrector.refine(QUERY, CHUNKS, as_of="2025-06-01", top_k=1, pinned=["news"])
    kept, gone = {c.id for c in result.chunks}, {d.chunk_id for d in result.dropped}
    assert "news" in kept
    assert kept | gone == {c["id"] for c in CHUNKS} and not kept & gone


def raising(text):
    raise RuntimeError("no tokenizer")


@pytest.mark.parametrize("count", [raising, lambda t: None, lambda t: -1, lambda t: float("nan"), lambda t: [1]])
def test_a_counter_that_fails_gives_way_to_the_estimate(count):
    chunks = [f"云舟K3的第{i}号配件保修{i + 2}个月，更换费用为{i * 10 + 5}元。" for i in range(12)]
    result = NoiseCorrector(count_tokens=count).refine("云舟K3配件保修多久？", chunks, max_tokens=60, top_k=12)
    assert 0 < result.stats["tokens_out"] <= 60
    codes = [w.code for w in result.warnings]
    assert codes.count("count_tokens_failed") == 1 and "stage_failed" not in codes


def test_a_corrector_is_copied_and_pickled_as_what_it_was_made_of(result):
    corrector = NoiseCorrector(config=CorrectorConfig(margin_min=0.2), judge=ConstantJudge())
    corrector.refine(QUERY, CHUNKS)
    for twin in (pickle.loads(pickle.dumps(corrector)), copy.copy(corrector), copy.deepcopy(corrector)):
        assert twin.fingerprint == corrector.fingerprint and twin.config == corrector.config
        assert twin.refine(QUERY, CHUNKS, as_of="2025-06-01").text
    assert pickle.loads(pickle.dumps(result)) == result


def test_equal_configurations_have_one_fingerprint():
    weights = {"faq": 0.9, "forum": 0.2}
    one = NoiseCorrector(config=CorrectorConfig(source_weights=weights))
    other = NoiseCorrector(config=CorrectorConfig(source_weights=dict(reversed(weights.items()))))
    assert one.fingerprint == other.fingerprint


def test_a_batch_takes_any_iterables_and_refuses_what_is_none(corrector):
    results = corrector.refine_batch((q for q in [QUERY]), (c for c in [CHUNKS]), as_of="2025-06-01")
    assert len(results) == 1
    for queries, candidates, name in (("one", [CHUNKS], "queries"), (None, [CHUNKS], "queries"),
                                      ([QUERY], None, "candidates"), ([QUERY], "x", "candidates")):
        with pytest.raises(TypeError, match=name):
            corrector.refine_batch(queries, candidates)


@pytest.mark.parametrize("chunks", [None, 3, "one text", b"x", {"text": "one"}])
def test_warming_what_is_no_list_of_chunks_is_refused(corrector, chunks):
    with pytest.raises(TypeError, match="chunks"):
        corrector.warm(chunks)


def test_numbers_and_days_of_numpy_are_taken(corrector):
    plain = corrector.refine(QUERY, CHUNKS, top_k=2, max_tokens=40, as_of="2025-06-01")
    other = corrector.refine(
        np.str_(QUERY), CHUNKS, top_k=np.int64(2), max_tokens=np.int8(40), as_of=np.datetime64("2025-06-01T10:00")
    )
    assert other.text == plain.text and other.as_of == plain.as_of and type(other.query) is str


def test_a_tie_in_the_prompt_names_no_value_that_was_set_aside(corrector):
    result = corrector.refine("云梯会员年费多少钱？", [
        {"id": "a", "text": "云梯会员年费259元，按年扣款。", "source": "official_policy", "updated_at": "2025-05-01"},
        {"id": "b", "text": "云梯会员年费199元，按年扣款。", "source": "official_policy", "updated_at": "2025-05-01"},
        {"id": "c", "text": "听说云梯会员年费是99元。", "source": "forum", "updated_at": "2020-01-01"},
    ], as_of="2025-09-01")  # fmt: skip
    note = result.to_prompt().text.rpartition("(unresolved:")[2]
    assert "259元" in note and "199元" in note and "99元 " not in note.replace("199元 ", "")


def codes(result):
    return [w.code for w in result.warnings]


def test_a_vague_question_is_warned_about_and_its_context_is_the_same_as_ever(corrector):
    result = corrector.refine("它支持吗", CHUNKS, as_of="2025-06-01")
    assert "vague_query" in codes(result)
    assert "'它'" in next(w.message for w in result.warnings if w.code == "vague_query")
    assert result.chunks


@pytest.mark.parametrize("sub_queries, warned", [((), True), (("它呢",), True), (("云舟K3的电池保修多久",), False)])
def test_parts_that_say_enough_make_up_for_a_vague_question(corrector, sub_queries, warned):
    result = corrector.refine("多久", CHUNKS, sub_queries=sub_queries, as_of="2025-06-01")
    assert ("vague_query" in codes(result)) is warned


def test_a_question_of_two_pages_asks_for_its_parts_until_they_are_given(corrector):
    query = "K3和K5的电池哪个保修更长？"
    alone = corrector.refine(query, CHUNKS, as_of="2025-06-01")
    assert "sub_queries" in next(w.message for w in alone.warnings if w.code == "multi_hop_likely")
    parts = corrector.refine(query, CHUNKS, sub_queries=["K3电池保修多久", "K5电池保修多久"], as_of="2025-06-01")
    assert "multi_hop_likely" not in codes(parts)


def test_a_complete_question_of_one_page_is_not_warned_about(result):
    assert not {"vague_query", "multi_hop_likely"} & set(codes(result))


AROUND = [
    "蓝鹊Z9烤箱怎么查保修？打开官网，点击保修查询，输入序列号即可。", "感谢您选购蓝鹊产品，祝您生活愉快。",
    "蓝鹊集团成立于1998年，总部位于临江市。", "烘焙课堂每周六开课，名额有限，先到先得。",
    "门店周一休息，其余时间照常营业。",
]  # fmt: skip


def test_where_nothing_seems_to_answer_it_is_said_and_the_context_can_be_left_empty() -> None:
    query = "蓝鹊Z9烤箱的额定功率是多少瓦？"
    chunks = [{"id": str(i), "text": t} for i, t in enumerate(AROUND)]
    warned = NoiseCorrector().refine(query, chunks)
    assert "no_answer_likely" in {w.code for w in warned.warnings}
    assert warned.text
    empty = NoiseCorrector(config=CorrectorConfig(on_no_answer="empty"))
    result = empty.refine(query, chunks)
    assert result.text == "" and result.chunks == ()
    assert {(d.stage, d.reason) for d in result.dropped} == {("rank", "no_answer")}
    assert empty.refine(query, chunks, pinned=["2"]).text == AROUND[2]
    answered = empty.refine(query, [*chunks, {"id": "a", "text": "蓝鹊Z9烤箱的额定功率为1800瓦。"}])
    assert "1800瓦" in answered.text
    few = NoiseCorrector().refine(query, chunks[:3])
    assert "no_answer_likely" not in {w.code for w in few.warnings}


def test_loading_is_not_taken_from_the_time_budget_of_the_first_question(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("ragclean.run.time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr("ragclean.corrector.load_all", lambda: now.__setitem__(0, now[0] + 10.0))
    pages = [{"text": "整机自签收之日起保修24个月。", "source": "official_policy"}, {"text": "听说整机只保修12个月。", "source": "forum"}]
    found = NoiseCorrector(config=CorrectorConfig(time_budget_ms=1000)).refine("整机保修多久？", pages)
    assert now[0] == 10.0 and found.text == "整机自签收之日起保修24个月。"
    assert "stage_skipped" not in [w.code for w in found.warnings]


def test_all_that_is_loaded_at_first_use_is_loaded_ahead():
    """After it, questions of both languages bring in no further module."""
    code = (
        "import sys; from ragclean import NoiseCorrector; NoiseCorrector().warm([]); had = set(sys.modules); "
        "NoiseCorrector().refine('保修多久？', [{'text': '保修24个月。', 'updated_at': '2024年1月'}, '保修12个月。']); "
        "NoiseCorrector().refine('How long?', [{'text': 'It takes 24 hours.', 'updated_at': '3 May 2024'}, 'It takes 12 hours.']); "
        "sys.exit(repr(sorted(set(sys.modules) - had)) if set(sys.modules) - had else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_where_reading_the_question_was_skipped_the_query_is_not_blamed(monkeypatch):
    corrector = NoiseCorrector(config=CorrectorConfig(time_budget_ms=1e-6))
    found = corrector.refine("整机保修多久？", ["整机保修24个月。"])
    codes = [w.code for w in found.warnings]
    assert "stage_skipped" in codes and "no_query_terms" not in codes
