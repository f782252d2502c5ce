"""The client of endpoints, against a real server on a local port that misbehaves."""

import copy
import logging
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from chat_server import completion, drop, hang, say, send, slow, trickle

from ragclean.endpoint import ChatRequest, Endpoint, EndpointError

KEY = "sk-secret-0123456789"


def request(text="q", repeat=0):
    return ChatRequest(({"role": "user", "content": text},), repeat)


@pytest.fixture
def make(chat_server, tmp_path):
    def endpoint(**options):
        defaults = {"base_url": chat_server.url, "api_key": KEY, "pause": 0.0, "cache": tmp_path / "cache"}
        return Endpoint(options.pop("model", "m-1"), **{**defaults, **options})

    return endpoint


def number(text):
    return int(text)


def failure(endpoint, read=number):
    with pytest.raises(EndpointError) as caught:
        endpoint.ask(request(), read)
    return caught.value


def test_what_is_sent(make, chat_server):
    assert make(parameters={"temperature": 0, "top_k": 3}).ask(request("你好"), number) == 8
    seen = chat_server.seen[0]
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    expected = {"model": "m-1", "messages": [{"role": "user", "content": "你好"}], "temperature": 0, "top_k": 3}
    assert seen.body == expected


@pytest.mark.parametrize(
    "first",
    [
        send(500, "oops"), send(502, "<html>bad gateway</html>", kind="text/html"), send(408, ""),
        send(429, "{}", retry_after="0"), send(429, "{}", Retry_After="soon"), send(503, "", retry_after="-3"),
        drop,
        send(200, "<html><body>sign in</body></html>", kind="text/html"), send(200, ""), send(200, "{\"choices\": [{"),
        send(200, completion("8")[:-4]), send(200, completion("8"), length=5), send(200, completion("8"), length=900),
        send(200, "{\"choices\"：\"保修\"}".encode("gbk")), send(200, b"\xff\xfe\x00"),
        send(200, "{}"), send(200, "[]"), send(200, "null"), send(200, "3"), send(200, "{\"choices\": []}"),
        send(200, "{\"choices\": [{\"message\": null}]}"), send(200, "{\"error\": {\"message\": \"overloaded\"}}"),
        send(200, "[" * 100_000), send(200, completion("8"), Content_Encoding="gzip"),
        say("no number"), say(""), say(None), say([]), say(None, refusal="I cannot help"), say({"odd": 1}),
    ],
)  # fmt: skip
def test_one_failure_is_made_good_by_the_next_attempt(make, chat_server, first):
    chat_server.script = [first, say("7")]
    endpoint = make()
    assert endpoint.ask(request(), number) == 7
    assert len(chat_server.seen) == endpoint.sent == 2


@pytest.mark.parametrize("content", ["8", [{"type": "text", "text": "8"}], [{"type": "text", "text": ""}, {"text": "8"}]])
def test_forms_of_content(make, chat_server, content):
    chat_server.script = [say(content)]
    assert make().ask(request(), number) == 8


def test_a_refusal_is_handed_to_the_reader(make, chat_server):
    chat_server.script = [say(None, refusal="I cannot help")]
    assert make().ask(request(), str) == "I cannot help"


@pytest.mark.parametrize("status, hopeless", [(400, False), (401, True), (403, False), (404, True), (422, False)])
def test_what_will_not_pass_is_not_repeated(make, chat_server, status, hopeless):
    chat_server.script = [send(status, "{\"error\": {\"message\": \"no such thing\"}}")]
    error = failure(make())
    assert (error.status, error.hopeless, len(chat_server.seen)) == (status, hopeless, 1)
    assert str(status) in str(error) and "no such thing" in str(error)


@pytest.mark.parametrize("behaviour, status, said", [
    (send(500, "oops"), 500, "500"), (send(429, "{}"), 429, "429"), (drop, None, "no connection"),
    (send(200, "<html>"), 200, "no JSON"), (send(200, "{\"error\": \"overloaded\"}"), 200, "overloaded"),
])  # fmt: skip
def test_attempts_are_counted_out(make, chat_server, behaviour, status, said):
    chat_server.script = [behaviour]
    error = failure(make(max_retries=2))
    assert (error.status, len(chat_server.seen)) == (status, 3)
    assert said in str(error) and "attempts: 3" in str(error)


def test_an_unreadable_answer_is_asked_for_once_more_only(make, chat_server):
    chat_server.script = [say("no number")]
    assert "cannot be read" in str(failure(make(max_retries=5)))
    assert len(chat_server.seen) == 2


def test_attempts_are_bounded_whatever_fails(make, chat_server):
    chat_server.script = [say("no"), send(500, ""), say("no"), say("8")]
    failure(make(max_retries=5))
    assert len(chat_server.seen) == 3
    failure(make(max_retries=0, model="m-2"), read=lambda text: int("x"))
    assert len(chat_server.seen) == 4


@pytest.mark.parametrize("asked", [
    "3600", "1e9", "inf", "nan",
    pytest.param(format_datetime(datetime.now(timezone.utc) + timedelta(days=1), usegmt=True), id="tomorrow"),
])  # fmt: skip
def test_a_retry_after_beyond_the_patience_ends_it(make, chat_server, asked):
    chat_server.script = [send(429, "{}", retry_after=asked), say("8")]
    assert failure(make()).status == 429
    assert len(chat_server.seen) == 1


def test_a_retry_after_in_the_past_is_now(make, chat_server):
    then = format_datetime(datetime(2020, 1, 1, tzinfo=timezone.utc), usegmt=True)
    chat_server.script = [send(429, "{}", retry_after=then), say("8")]
    assert make(pause=1000.0).ask(request(), number) == 8  # a pause of our own would outlast the patience


def test_a_pause_beyond_the_patience_ends_it(make, chat_server):
    chat_server.script = [send(500, ""), say("8")]
    failure(make(pause=1000.0, patience=2.0))
    assert len(chat_server.seen) == 1


@pytest.mark.parametrize("behaviour", [hang, trickle])
def test_a_server_that_hangs_is_left_after_the_time_out(make, chat_server, behaviour):
    chat_server.script = [behaviour]
    error = failure(make(timeout=0.1, max_retries=1))
    assert "0.1 s" in str(error) or "in time" in str(error)
    assert len(chat_server.seen) == 2


def test_the_patience_bounds_all_attempts_together(make, chat_server):
    chat_server.script = [hang]
    failure(make(timeout=0.2, patience=0.3, max_retries=50))
    assert 1 <= len(chat_server.seen) <= 3


def test_a_slow_server_is_waited_for(make, chat_server):
    chat_server.script = [slow(say("8"))]
    assert make().ask(request(), number) == 8
    assert len(chat_server.seen) == 1


def test_a_huge_body_is_not_read_to_its_end(make, chat_server):
    chat_server.script = [send(200, completion("8" * (6 << 20)))]
    assert "longer than 4 MB" in str(failure(make(), read=str))
    assert len(chat_server.seen) == 1


def test_nobody_at_the_address(make):
    error = failure(make(base_url="http://127.0.0.1:9/v1"))
    assert error.status is None and "no connection" in str(error)


# -- many at once


def test_answers_come_in_order_and_failures_in_their_place(make, chat_server):
    def script(seen):
        return send(400, "{}") if seen.user == "3" else slow(say(seen.user), 0.03 if seen.user == "0" else 0.0)

    chat_server.script = script
    answers = make().ask_all([request(str(i)) for i in range(8)], number)
    assert [a if isinstance(a, int) else a.status for a in answers] == [0, 1, 2, 400, 4, 5, 6, 7]


def test_no_more_are_in_flight_than_allowed(make, chat_server):
    chat_server.script = [slow(say("8"))]
    endpoint = make(concurrency=3)

    def work(start):
        endpoint.ask_all([request(str(start + i)) for i in range(6)], number)

    threads = [threading.Thread(target=work, args=(start,)) for start in (0, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(chat_server.seen) == 12
    assert 2 <= chat_server.most_in_flight <= 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_slots_of_its_own(make, chat_server):
    chat_server.script = lambda seen: hang if seen.user == "held" else say("8")
    endpoint = make(concurrency=1, patience=2.0, timeout=1.0, max_retries=0)
    holder = threading.Thread(target=lambda: endpoint.ask_all([request("held")], number))
    holder.start()
    while not chat_server.seen:
        chat_server.release.wait(0.01)
    context = multiprocessing.get_context("fork")
    told = context.SimpleQueue()
    child = context.Process(target=lambda: told.put((endpoint.ask(request("child"), number), chat_server.url)))
    child.start()
    child.join()
    chat_server.release.set()
    holder.join()
    assert child.exitcode == 0
    assert told.get() == (8, chat_server.url)


def test_equal_requests_are_sent_once_and_repeats_are_not_equal(make, chat_server):
    assert make().ask_all([request("a"), request("a"), request("a", repeat=1)], number) == [8, 8, 8]
    assert len(chat_server.seen) == 2


@pytest.mark.parametrize("status", [401, 404])
def test_what_all_would_get_is_asked_for_no_further(make, chat_server, status):
    chat_server.script = [send(status, "{}")]
    answers = make(concurrency=1).ask_all([request(str(i)) for i in range(10)], number)
    assert [a.status for a in answers] == [status] * 10
    assert len(chat_server.seen) == 1


def test_nothing_asked(make, chat_server):
    assert make().ask_all([], number) == []
    assert chat_server.seen == []


# -- the cache


def test_a_second_run_sends_nothing_and_does_not_import_the_transport(make, chat_server, tmp_path):
    make().ask(request("a"), number)
    assert make().ask(request("a"), number) == 8
    assert len(chat_server.seen) == 1
    code = (
        "import sys; from ragclean.endpoint import ChatRequest, Endpoint\n"
        f"e = Endpoint('m-1', base_url={chat_server.url!r}, cache={str(tmp_path / 'cache')!r})\n"
        "print(e.ask(ChatRequest(({'role': 'user', 'content': 'a'},)), int), e.sent, 'openai' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "8 0 False\n"
    assert len(chat_server.seen) == 1


@pytest.mark.parametrize("change", [{"model": "m-2"}, {"parameters": {"temperature": 1}}])
def test_another_model_or_parameter_is_another_answer(make, chat_server, change):
    make().ask(request(), number)
    make(**change).ask(request(), number)
    assert len(chat_server.seen) == 2
    assert make(**change).fingerprint != make().fingerprint


def test_failures_are_not_remembered(make, chat_server):
    chat_server.script = [say("no"), say("no"), send(400, "{}"), say("8")]
    for _ in range(2):
        failure(make())
    assert make().ask(request(), number) == 8
    assert len(chat_server.seen) == 4


def test_a_cached_answer_that_cannot_be_read_any_more_is_asked_for_again(make, chat_server):
    chat_server.script = [say("eight"), say("8")]
    assert make().ask(request(), str) == "eight"
    for _ in range(2):
        assert make().ask(request(), number) == 8
    assert len(chat_server.seen) == 2


def test_without_a_cache_every_run_asks(make, chat_server):
    for _ in range(2):
        make(cache=False).ask(request(), number)
    assert len(chat_server.seen) == 2


def test_a_cache_that_cannot_be_written_is_no_obstacle(make, chat_server, tmp_path):
    (tmp_path / "file").write_text("x")
    assert make(cache=tmp_path / "file" / "below").ask(request(), number) == 8


# -- the key


def test_the_key_is_nowhere_but_in_the_request(make, chat_server, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    chat_server.script = [
        send(500, f"{{\"error\": {{\"message\": \"Bearer {KEY}\"}}}}"), say("8"),
        send(401, f"{{\"error\": {{\"message\": \"wrong key {KEY}\"}}}}"),
        send(200, f"{{\"error\": \"{KEY}\"}}"),
    ]  # fmt: skip
    endpoint = make()
    endpoint.ask(request("a"), number)
    errors = [failure(endpoint), failure(endpoint, read=str)]
    logging.getLogger("test").error("it failed", exc_info=errors[0])
    shown = [repr(endpoint), str(endpoint), endpoint.fingerprint, *map(repr, errors), caplog.text]
    assert "wrong key ***" in str(errors[0])
    assert [text for text in shown if KEY in text] == []
    assert KEY.encode() not in (tmp_path / "cache").read_bytes()
    assert make(api_key="sk-another-0123456789").ask(request("a"), number) == 8  # the key is no part of the cache's


def test_key_and_address_come_from_the_environment(chat_server, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", chat_server.url + "/")
    endpoint = Endpoint("m-1", cache=False)
    assert KEY.encode() not in pickle.dumps(endpoint)
    for each in (endpoint, pickle.loads(pickle.dumps(endpoint)), copy.copy(endpoint)):
        assert each.ask(request(), number) == 8
    assert [s.headers["authorization"] for s in chat_server.seen] == [f"Bearer {KEY}"] * 3


def test_a_local_server_needs_no_key(make):
    assert make(api_key=None).ask(request(), number) == 8


@pytest.mark.parametrize("options, said", [
    ({"model": " "}, "model"), ({"base_url": "ftp://x/v1"}, "base_url"), ({"base_url": "x/v1"}, "base_url"),
    ({"base_url": "http://me:sk-secret@host/v1"}, "base_url"), ({"base_url": "http://host/v1?key=sk-secret"}, "base_url"),
    ({"api_key": "sk-secret\n1"}, "api_key"), ({"api_key": "密sk-secret"}, "api_key"), ({"timeout": 0}, "timeout"),
    ({"timeout": float("nan")}, "timeout"), ({"max_retries": -1}, "max_retries"), ({"concurrency": 0}, "concurrency"),
    ({"parameters": {"n": 2, "stream": True}}, "n, stream"), ({"parameters": {"seed": object()}}, "JSON"),
])  # fmt: skip
def test_misuse_is_named_and_the_key_is_not_shown(make, options, said):
    with pytest.raises(ValueError, match=said) as caught:
        make(**options)
    assert "sk-secret" not in str(caught.value)


def test_the_official_address_needs_a_key(make, chat_server):
    with pytest.raises(ValueError, match="OPENAI_API_KEY"):
        make(base_url="https://api.openai.com/v1/", api_key=None)


def test_a_missing_package_is_said_with_the_line_that_installs_it(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ImportError, match=r'pip install "ragclean\[openai\]"'):
        make()


def test_errors_can_be_pickled():
    error = pickle.loads(pickle.dumps(EndpointError("HTTP 401", status=401, hopeless=True)))
    assert (str(error), error.status, error.hopeless) == ("HTTP 401", 401, True)
