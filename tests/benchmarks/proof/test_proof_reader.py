"""The reader: what is sent, kept and asked again."""

import json

import pytest
from chat_server import say, send
from proof.command import arms_of, asked_of, chosen_cases, main
from proof.reader import Asked, ask_all, digest_of, read_answers, reader, tidy

from ragclean.reply import EndpointError
from ragclean.types import Chunk

pytest.importorskip("openai")


def asked(case="a", arm="raw", text="整机保修24个月。"):
    return Asked(case, arm, "保修多久？", (Chunk(text=text, id="c1", source="official_terms"),))


@pytest.fixture
def answerer(chat_server):
    return reader("small", chat_server.url)


def test_the_reader_is_shown_passages_question_and_rules(chat_server, answerer, tmp_path):
    chat_server.script = [say("24个月")]
    (found,) = ask_all(answerer, [asked()], tmp_path / "answers.jsonl")
    assert found.answer == "24个月"
    prompt = chat_server.seen[0].user
    assert prompt.index("整机保修24个月。") < prompt.index("保修多久？") < prompt.index("只根据上面的资料")
    assert "official_terms" in prompt
    assert chat_server.seen[0].body["temperature"] == 0


def test_an_interrupted_run_goes_on_where_it_stopped(chat_server, answerer, tmp_path):
    path, questions = tmp_path / "answers.jsonl", [asked(case=name) for name in "abcd"]
    run = ask_all(answerer, questions, path)
    next(run), next(run)
    run.close()
    assert len(read_answers(path)) == 2
    found = list(ask_all(answerer, questions, path))
    assert [a.case for a in found] == list("abcd")
    assert len(chat_server.seen) == 4


def test_a_changed_context_is_asked_again_and_the_new_answer_counts(chat_server, answerer, tmp_path):
    path = tmp_path / "answers.jsonl"
    chat_server.script = [say("24个月"), say("36个月")]
    list(ask_all(answerer, [asked()], path))
    list(ask_all(answerer, [asked(text="整机保修36个月。")], path))
    assert len(chat_server.seen) == 2
    assert read_answers(path)["a", "raw"].answer == "36个月"


def test_another_model_or_rule_is_another_question(chat_server):
    one = digest_of(reader("small", chat_server.url), asked())
    assert one == digest_of(reader("small", "http://127.0.0.1:1/v1"), asked())  # where it is served does not matter
    assert one != digest_of(reader("large", chat_server.url), asked())
    assert one != digest_of(reader("small", chat_server.url, may_refuse=True), asked())


def test_a_tidied_file_has_each_answer_once_in_the_wanted_order(chat_server, answerer, tmp_path):
    path = tmp_path / "answers.jsonl"
    list(ask_all(answerer, [asked(case="b"), asked(case="a"), asked(case="a", text="x"), asked(case="c")], path))
    assert list(tidy(path, [("a", "raw"), ("b", "raw"), ("z", "raw")])) == [("a", "raw"), ("b", "raw")]
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(line["case"], line["digest"]) for line in lines] == [
        ("a", digest_of(answerer, asked(case="a", text="x"))), ("b", digest_of(answerer, asked(case="b")))
    ]  # fmt: skip


def test_a_line_that_was_cut_short_is_asked_again(chat_server, answerer, tmp_path):
    path = tmp_path / "answers.jsonl"
    list(ask_all(answerer, [asked("a"), asked("b")], path))
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert set(read_answers(path)) == {("a", "raw")}
    list(ask_all(answerer, [asked("a"), asked("b")], path))
    assert path.read_bytes() == whole
    assert len(chat_server.seen) == 3


def test_a_broken_line_is_named(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"case": "a"}\nnull\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"answers\.jsonl, line 1"):
        read_answers(path)


def test_half_a_character_costs_no_answer(chat_server, answerer, tmp_path):
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": "half \ud83d"}}]})
    chat_server.script = [send(200, body)]
    path = tmp_path / "answers.jsonl"
    (found,) = ask_all(answerer, [asked("a")], path)
    tidy(path, [("a", "raw")])
    assert read_answers(path) == {("a", "raw"): found}


def test_a_question_that_is_refused_costs_itself_only(chat_server, answerer, tmp_path, caplog):
    chat_server.script = [say("24个月"), send(400, '{"error": {"message": "too long"}}'), say("24个月")]
    path = tmp_path / "answers.jsonl"
    found = list(ask_all(answerer, [asked("a"), asked("b"), asked("c")], path))
    assert [a.case for a in found] == ["a", "c"] == [case for case, _ in read_answers(path)]
    assert "b, raw: no answer" in caplog.text
    chat_server.script = [say("36个月")]
    assert [a.case for a in ask_all(answerer, [asked("a"), asked("b"), asked("c")], path)] == ["a", "b", "c"]


def test_an_endpoint_that_answers_nothing_ends_the_run(tmp_path):
    nobody = reader("small", "http://127.0.0.1:1/v1")
    with pytest.raises(EndpointError):
        list(ask_all(nobody, [asked(name) for name in "abcdef"], tmp_path / "answers.jsonl"))


def test_answers_tell_whose_they_are(chat_server, answerer, tmp_path):
    path = tmp_path / "answers.jsonl"
    list(ask_all(answerer, [asked("a")], path))
    assert read_answers(path)["a", "raw"].model == "small"


def test_a_finished_run_names_the_reader_of_older_lines_too(chat_server, tmp_path):
    path, case = tmp_path / "answers.jsonl", chosen_cases("frozen")[0]
    (mine,) = asked_of([case], arms_of(["oracle"]))
    answerer = reader("small", chat_server.url)
    line = {"case": case.id, "arm": "oracle", "digest": digest_of(answerer, mine), "tokens": mine.tokens, "answer": "x"}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    chat_server.script = [say("y")]
    main(["answer", "--arms", "oracle", "--model", "small", "--url", chat_server.url, "--out", str(path)])
    assert {a.model for a in read_answers(path).values()} == {"small"}
    assert read_answers(path)[case.id, "oracle"].answer == "x"


def test_answers_of_two_readers_make_no_table(tmp_path):
    for model in ("small", "large"):
        line = {"case": "policy-201", "arm": "raw", "digest": "", "tokens": 5, "answer": "x", "model": model}
        (tmp_path / f"{model}.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="large and small"):
        main(["figures", str(tmp_path / "small.jsonl"), str(tmp_path / "large.jsonl")])


def test_a_file_is_of_one_reader(chat_server, answerer, tmp_path):
    """Hours of answers are not overwritten because a name was mistyped."""
    path = tmp_path / "answers.jsonl"
    list(ask_all(answerer, [asked("a")], path))
    before = path.read_bytes()
    for other in (reader("large", chat_server.url), reader("small", chat_server.url, may_refuse=True)):
        with pytest.raises(ValueError, match="holds answers of small"):
            list(ask_all(other, [asked("a")], path))
    assert path.read_bytes() == before


def test_two_runs_do_not_write_one_file(answerer, tmp_path):
    path = tmp_path / "answers.jsonl"
    first = ask_all(answerer, [asked("a"), asked("b")], path)
    next(first)
    with pytest.raises(ValueError, match="another run"):
        list(ask_all(answerer, [asked("c")], path))
    assert len(list(first)) == 1


def test_who_says_nothing_is_asked_again(chat_server, answerer, tmp_path, caplog):
    path = tmp_path / "answers.jsonl"
    chat_server.script = [say("24个月"), say("")]
    assert [a.case for a in ask_all(answerer, [asked("a"), asked("b")], path)] == ["a"]
    assert "said nothing" in caplog.text
    chat_server.script = [say("36个月")]
    assert [a.answer for a in ask_all(answerer, [asked("a"), asked("b")], path)] == ["24个月", "36个月"]


@pytest.mark.parametrize("change", [{"answer": None}, {"arm": ["raw"]}, {"tokens": "many"}, {"tokens": True}, {"more": 1}])
def test_a_field_that_is_none_is_named_with_its_line(tmp_path, change):
    path = tmp_path / "answers.jsonl"
    line = {"case": "a", "arm": "raw", "digest": "", "tokens": 5, "answer": "x"} | change
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"answers\.jsonl, line 1"):
        read_answers(path)


@pytest.mark.parametrize("arguments", [
    ["figures", "nothere.jsonl"], ["contexts", "--arms", " , "], ["contexts", "--arms", "bogus"],
    ["answer", "--model", "small", "--out", "x.jsonl", "--arms", ""], ["answer", "--out", "x.jsonl", "--arms", "raw"],
    ["noise", "--data", "nothere.jsonl", "--out", "x.jsonl"], ["noise", "--data", ".", "--out", "x.jsonl"],
])  # fmt: skip
def test_a_command_that_cannot_run_says_why_in_a_line(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as told:
        main(arguments)
    assert str(told.value).startswith(f"{arguments[0]}: ")
    assert "\n" not in str(told.value)
