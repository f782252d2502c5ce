"""Answerers: a model behind an endpoint, a reader that needs none, and the two controls of known character."""

import asyncio
import re
from pathlib import Path

import pytest
from chat_server import say, send

from ragclean.endpoint import Endpoint, EndpointError
from ragclean.evaluation.answerers import (
    EndpointAnswerer,
    ExtractiveReader,
    GullibleAnswerer,
    RobustAnswerer,
    sentences_of,
)
from ragclean.evaluation.cases import read_cases
from ragclean.evaluation.degradation import degradations
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings
from ragclean.evaluation.offline_judge import OfflineJudge
from ragclean.evaluation.records import EvalCase, Shown
from ragclean.evaluation.refusal import is_refusal
from ragclean.evaluation.running import run_evaluation
from ragclean.evaluation.scoring import averages
from ragclean.types import Chunk

KEY = "sk-secret-0123456789"
DATA = Path(__file__).parents[2] / "benchmarks" / "data" / "cases"
ZH = [Chunk("X200保修期为24个月。", id="a", title="保修政策"), Chunk("客服电话是400-123。", id="b")]
EN = [Chunk("The warranty lasts 24 months.", id="a"), Chunk("Call us on 400-123.", id="b")]


@pytest.fixture
def make(chat_server):
    pytest.importorskip("openai")

    def answerer(model="m", api_key=KEY, parameters=None, **options):
        endpoint = Endpoint(model, base_url=chat_server.url, api_key=api_key, cache=False, pause=0.0, parameters=parameters or {"temperature": 0})
        return EndpointAnswerer(endpoint, **options)

    return answerer


def prompt(answerer, question, contexts):
    return answerer.request(question, contexts).messages[0]["content"]


# -- a model behind an endpoint


def test_the_model_is_asked_in_one_message_and_its_words_are_the_answer(make, chat_server):
    chat_server.script = [say("  24个月。\n")]
    assert make()("保修多久？", ZH) == "24个月。"
    (seen,) = chat_server.seen
    assert [m["role"] for m in seen.body["messages"]] == ["user"]
    assert seen.body["temperature"] == 0
    passages = seen.user.split("\n\n")
    assert passages[:4] == ["资料:", "[1] 保修政策\nX200保修期为24个月。", "[2] 客服电话是400-123。", "问题: 保修多久？"]


@pytest.mark.parametrize(("question", "contexts"), [("保修多久？", ZH), ("How long is the warranty?", EN)])
@pytest.mark.parametrize("may_refuse", [False, True])
def test_the_prompt_is_byte_for_byte_the_same_but_for_the_passages(make, question, contexts, may_refuse):
    answerer = make(may_refuse=may_refuse)
    noisy = [*contexts, Chunk("另一段 another passage", id="x")]
    frames = [re.sub(r"\[\d\] .*\n\n", "", re.sub(r"保修政策\n", "", prompt(answerer, question, shown))) for shown in (contexts, noisy, contexts[::-1])]
    assert len(set(frames)) == 1
    assert frames[0].encode().count(question.encode()) == 1


def test_the_rules_follow_the_question_or_what_was_said_and_name_the_refusal_only_where_it_is_allowed(make):
    assert "只根据" in prompt(make(), "保修多久？", EN)
    assert "answer only from" in prompt(make(), "How long?", ZH)
    assert "answer only from" in prompt(make(lang="en"), "保修多久？", ZH)
    for question, refusal in (("保修多久？", "资料中没有提到。"), ("How long?", "The passages do not say.")):
        assert refusal in prompt(make(may_refuse=True), question, ZH)
        assert refusal not in prompt(make(), question, ZH)
        assert is_refusal(refusal)


@pytest.mark.parametrize("mark", ["<|im_start|>system", "</s>", "[INST]", "<<SYS>>", "<start_of_turn>model", "<｜User｜>"])
@pytest.mark.parametrize("place", ["text", "title", "question"])
def test_marks_of_roles_are_broken_and_nothing_else_is_changed(make, mark, place):
    hostile = f"前{mark}后 a<b [1]"
    shown = [Chunk(hostile if place == "text" else "甲。", id="a", title=hostile if place == "title" else "")]
    written = prompt(make(), hostile if place == "question" else "保修多久？", shown)
    assert mark not in written
    assert f"前{mark[0]} {mark[1:]}后 a<b [1]".replace("< <", "<<") in written or f"前{mark[0]} " in written


def test_hostile_and_empty_contexts_are_sent(make, chat_server):
    chat_server.script = [say("x")]
    answerer = make()
    for contexts in ([], [Chunk("", id="a")], [Chunk("\ud800\x00", id="a")], [Chunk("长" * 300_000, id="a")]):
        assert answerer("多久\ud800？", contexts) == "x"
    assert len(chat_server.seen) == 4


@pytest.mark.parametrize(("reply", "answer"), [("", ""), (None, ""), ("\ufeff 好 ", "\ufeff 好")])
def test_what_the_model_says_is_passed_on(make, chat_server, reply, answer):
    chat_server.script = [say(reply)]
    assert make()("保修多久？", ZH) == answer


def test_a_failure_is_an_error_that_holds_no_key(make, chat_server):
    chat_server.script = [send(400, f'{{"error": {{"message": "bad {KEY}"}}}}')]
    with pytest.raises(EndpointError, match="HTTP 400") as caught:
        make()("保修多久？", ZH)
    assert KEY not in str(caught.value)


def test_it_is_an_async_answerer_too(make, chat_server):
    chat_server.script = lambda seen: say(seen.user[-1:] and "24个月")
    answerer = make()

    async def both():
        return await asyncio.gather(answerer.ask("保修多久？", ZH), answerer.ask("保修多长时间？", ZH))

    assert asyncio.run(both()) == ["24个月", "24个月"]


def test_the_fingerprint_tells_what_the_answers_depend_on_and_holds_no_key(make, monkeypatch):
    from ragclean.evaluation import answerers

    plain = make().fingerprint
    others = [make("other"), make(parameters={"temperature": 1}), make(may_refuse=True), make(lang="en")]
    assert len({plain, *(o.fingerprint for o in others)}) == 5
    assert plain == make(api_key="another-key-0123456789").fingerprint
    assert KEY not in plain + repr(make())
    monkeypatch.setitem(answerers._RULES, "zh", "随便答。")
    assert make().fingerprint != plain


def test_a_language_that_is_none_is_refused(make):
    with pytest.raises(ValueError, match="lang: expected 'zh', 'en' or None, got 'fr'"):
        make(lang="fr")


# -- the reader


@pytest.fixture(scope="module")
def reader():
    return ExtractiveReader()


@pytest.mark.parametrize(("question", "contexts", "answer"), [
    ("X200保修多久？", ["本店成立于2003年。X200的保修期是24个月。门店周末不休息。"], "X200的保修期是24个月。"),
    ("How long is the X200 warranty?", ["We opened in 2003. The X200 warranty lasts 24 months. Shops open on Sunday."], "The X200 warranty lasts 24 months."),
    ("X200保修多久？", ["X200保修多久？很多人这样问。", "X200保修24个月。"], "X200保修24个月。"),
])  # fmt: skip
def test_the_reader_gives_the_sentence_that_answers_word_for_word(reader, question, contexts, answer):
    assert reader(question, [Chunk(text, id=str(i)) for i, text in enumerate(contexts)]) == answer
    assert reader(question, [Chunk(text) for text in contexts]) == answer  # ids are of no account


def test_of_sentences_that_answer_alike_the_first_one_shown_wins(reader):
    old, new = Chunk("X200保修期为12个月。", id="o"), Chunk("X200保修期为24个月。", id="n")
    assert reader("X200保修多久？", [old, new]) == old.text
    assert reader("X200保修多久？", [new, old]) == new.text


def test_the_reader_is_the_same_each_time_and_its_sentences_keep_their_order():
    contexts = [Chunk("退货须在7天内提出。运费由买家承担。客服电话是400。", id="a"), Chunk("退货后3天内退款。", id="b")]
    two = ExtractiveReader(sentences=2)
    given = two("退货要几天内提出？运费谁出？", contexts)
    assert given == ExtractiveReader(sentences=2)("退货要几天内提出？运费谁出？", contexts)
    places = ["".join(c.text for c in contexts).index(line) for line in given.split("\n")]
    assert len(places) == 2 and places == sorted(places)
    assert two.fingerprint != ExtractiveReader().fingerprint == ExtractiveReader().fingerprint


@pytest.mark.parametrize("contexts", [[], [Chunk("", id="a")], [Chunk("  \n", id="a")], [Chunk("# 标题", id="a")]])
def test_where_nothing_is_said_the_reader_says_nothing(reader, contexts):
    assert reader("保修多久？", contexts) == ""


@pytest.mark.parametrize("text", ["\ud800\udfff", "\x00", "(" * 3000, "a" * 20_000, "1,000" * 3000, "😀。" * 500, "\u202e保修24个月", "|" * 3000, "无限" * 8000])
def test_hostile_texts_are_read_like_others(reader, text, no_blow_up):
    with no_blow_up():
        given = reader("保修多久？\ud800", [Chunk(text, id="a"), Chunk("保修24个月。", id="b")])
    assert given in text or given == "保修24个月。"


@pytest.mark.parametrize("sentences", [0, -1, True])
def test_a_wrong_number_of_sentences_is_refused(sentences):
    with pytest.raises(ValueError, match="sentences: must be at least 1"):
        ExtractiveReader(sentences=sentences)


def test_sentences_are_told_with_their_chunks_and_headings_are_none():
    assert sentences_of([Chunk("# 标题\n\n甲是一。乙是二。", id="a"), Chunk("丙。", id="b")]) == [("a", "甲是一。"), ("a", "乙是二。"), ("b", "丙。")]


# -- the controls

CASE = EvalCase("a", "X200保修多久？", "24个月。", ("保修24个月",), (Chunk("X200保修期为24个月。", id="g"), Chunk("客服电话400。", id="f")), ("g",))


def test_the_robust_control_answers_while_gold_is_shown_and_refuses_without():
    robust = RobustAnswerer([CASE])
    noise = Chunk("X200保修期为12个月。", id="x1", lineage_id="g")
    assert robust(CASE.question, [noise, *CASE.contexts]) == "24个月。"
    assert is_refusal(robust(CASE.question, [noise]))
    with pytest.raises(KeyError, match="no case asks"):
        robust("别的问题", [])


@pytest.mark.parametrize(("noise", "adopted"), [
    (Chunk("X200保修期为12个月。", id="x1"), "X200保修期为12个月。"),
    (Chunk("本文是旧版。X200保修期为24个月，自出厂之日起算。", id="x1", lineage_id="g"), "X200保修期为24个月，自出厂之日起算。"),
    (Chunk("今天下雨。", id="x1"), None), (Chunk("X200保修期为24个月。", id="x1", lineage_id="g"), None),
])  # fmt: skip
def test_the_gullible_control_adopts_what_contradicts_and_nothing_else(noise, adopted):
    gullible = GullibleAnswerer([CASE])
    assert gullible(CASE.question, [noise, *CASE.contexts]) == (adopted or "24个月。")
    assert gullible(CASE.question, [*CASE.contexts, noise]) == (adopted or "24个月。")


def test_the_controls_have_fingerprints_of_their_own_that_follow_the_cases():
    other = EvalCase("b", "别的？", "是。", ("是",), CASE.contexts, ("g",))
    found = {a(c).fingerprint for a in (RobustAnswerer, GullibleAnswerer) for c in ([CASE], [CASE, other])}
    assert len(found) == 4


def graded(cases, who, variants=("v0", "v3")):
    report = run_evaluation(cases, who(cases), OfflineJudge(), pipeline=who.__name__, noise=NoiseSettings(), variants=variants, concurrency=2)
    (found,) = [d for d in degradations(report.outcomes, cases) if d.by == "all" and d.variant == "v3"]
    return found


@pytest.mark.parametrize(("who", "grade"), [(RobustAnswerer, "robust"), (GullibleAnswerer, "sensitive")])
def test_the_controls_come_out_as_what_they_are(root, who, grade):
    cases = [c for c in read_cases(root / "tests" / "data" / "cases.jsonl") if c.answerable][:15]
    assert graded(cases, who).grade == grade


#: Floors, and what was measured when they were set. Of the robust control's misses most are key points that the
#: reference does not state; of the gullible one's, contradictions of something that no key point asks for.
ROBUST_BASE, GULLIBLE_NOISY = 0.85, 0.15  # development 0.90 and 0.05, frozen 0.91 and 0.02


@pytest.mark.slow
def test_the_controls_come_out_as_what_they_are_on_labelled_cases_that_nothing_was_tuned_on():
    cases = [c for f in sorted(DATA.glob("*-frozen.jsonl")) for c in read_cases(f)]
    robust, gullible = graded(cases, RobustAnswerer), graded(cases, GullibleAnswerer)
    assert (robust.grade, gullible.grade) == ("robust", "sensitive")
    assert robust.correctness.noisy == robust.correctness.base >= ROBUST_BASE
    assert gullible.correctness.base >= ROBUST_BASE
    assert gullible.correctness.noisy <= GULLIBLE_NOISY
    assert gullible.faithfulness.value > 0.4  # 0.66 and 0.73


@pytest.mark.slow
def test_the_reader_is_a_stand_in_for_a_small_reader_that_noise_harms():
    """Of 204 cases it is right on 55 % from the gold chunks, on 29 % from all, among which contradictions stand."""
    reader, judge, shares = ExtractiveReader(), OfflineJudge(), {"gold": [], "all": []}
    for name in ("aftersales", "policy", "techdoc"):
        for case in read_cases(DATA / f"{name}.jsonl")[::2]:
            gold = tuple(c for c in case.contexts if c.id in case.gold)
            if not case.answerable or not gold:
                continue
            for kind, contexts in (("gold", gold), ("all", case.contexts)):
                verdict = judge.judge(case.question, reader(case.question, contexts), case, Shown(case.id, "v0", contexts))
                shares[kind].append(sum(p.covered for p in verdict.points) >= len(verdict.points) / 2)
    right = {kind: sum(found) / len(found) for kind, found in shares.items()}
    assert right["gold"] >= 0.5
    assert 0.24 <= right["all"] <= 0.4


@pytest.mark.slow
def test_the_robust_control_refuses_where_noise_alone_is_shown(root):
    cases = read_cases(root / "tests" / "data" / "cases.jsonl")
    maker = NoiseMaker.of_cases(cases, NoiseSettings(on_empty_band="nearest"))
    report = run_evaluation(cases[:12], RobustAnswerer(cases), OfflineJudge(), pipeline="r", noise=maker, variants=("v4",))
    assert averages(report.outcomes)[-1].refusal == 1.0
