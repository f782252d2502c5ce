"""The client of endpoints against servers that keep to no protocol: bounded in time, in bytes, and in whom it asks."""

import gzip
import logging
import os
import pickle
import sqlite3
import subprocess
import sys
import threading
import zlib
from contextlib import ExitStack, closing

import pytest
from chat_server import completion, say, send
from raw_server import COMPLETION, RawServer, dripping, flooding, reply

from ragclean.disk_cache import DiskCache
from ragclean.endpoint import ChatRequest, Endpoint, EndpointError

KEY = "sk-secret-0123456789"
#: Seconds after which a request that is bounded at a fraction of one is taken to hang.
WATCHDOG = 60.0


def request(text="q"):
    return ChatRequest(({"role": "user", "content": text},))


def watched(work):
    """What the work returns or raises; it is not waited for where it never ends."""
    done = []

    def run():
        try:
            done.append(work())
        except Exception as error:
            done.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(WATCHDOG)
    assert not thread.is_alive(), "the request does not come to an end"
    return done[0]


@pytest.fixture
def raw(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1,localhost")
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(RawServer(script))


def endpoint_of(server, **options):
    defaults = {"base_url": server.url, "api_key": KEY, "pause": 0.0, "cache": False, "timeout": 0.3, "patience": 0.6}
    return Endpoint("m", **{**defaults, **options})


OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
#: A gzip member whose file name never ends.
NAME = OK + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\x03"


@pytest.mark.parametrize("script", [
    dripping(b"HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    dripping(b"HTTP/1.1 500 Oops\r\n\r\n", b"x"),
    dripping(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"),
    dripping(b"HTTP/1.1 200 OK\r\nX: ", b"a"),
    dripping(b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
    dripping(OK + b"\r\n", b" "),
    dripping(NAME, b"a"),
    dripping(CHUNKED + b"1;", b"a"),
    dripping(CHUNKED + b"%x\r\n%s\r\n0\r\n" % (len(COMPLETION), COMPLETION), b"X-A: a\r\n"),
], ids=["500-chunks", "500", "headers", "header", "interim", "200", "gzip-name", "chunk-extension", "trailers"])  # fmt: skip
def test_a_server_that_drips_is_left_after_the_time_out(raw, script):
    server = raw(script)
    error = watched(lambda: endpoint_of(server, max_retries=0).ask(request(), int))
    assert isinstance(error, EndpointError)
    assert "no answer from" in str(error)


@pytest.mark.parametrize("script", [
    flooding(b"HTTP/1.1 500 Oops\r\n\r\n", b"x" * 65536), flooding(OK + b"\r\n", b" " * 65536),
    flooding(NAME, b"a" * 65536),
], ids=["500", "200", "gzip-name"])  # fmt: skip
def test_a_server_that_floods_is_not_heard_to_its_end(raw, script):
    server = raw(script)
    error = watched(lambda: endpoint_of(server, max_retries=0, timeout=30.0, patience=30.0).ask(request(), int))
    assert "longer than 4 MB" in str(error)
    assert server.sent < 64 << 20  # what was heard, and what the system's buffers hold


@pytest.mark.parametrize("status", [b"200 OK", b"500 Oops"])
def test_a_packed_body_unpacks_to_no_more_than_the_bound(raw, status):
    packing = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packing.compress(bytes(1 << 20)) for _ in range(64)) + packing.flush()
    server = raw(reply(status + b"\r\nContent-Encoding: gzip", bomb))
    error = watched(lambda: endpoint_of(server, timeout=30.0, patience=30.0).ask(request(), int))
    assert "longer than 4 MB" in str(error)
    assert len(server.seen) == 1


@pytest.mark.parametrize("encoding, body, said", [
    (b"gzip", gzip.compress(COMPLETION), None), (b"deflate", zlib.compress(COMPLETION), None), (b"identity", COMPLETION, None),
    (b"gzip", gzip.compress(COMPLETION)[:-4], "cut short"), (b"gzip", COMPLETION, "no gzip"),
    (b"gzip, gzip", gzip.compress(gzip.compress(COMPLETION)), "not asked for"), (b"br", COMPLETION, "not asked for"),
], ids=["gzip", "deflate", "identity", "cut", "false", "twice", "other"])  # fmt: skip
def test_a_body_packed_unasked_is_read_where_it_can_be(raw, encoding, body, said):
    server = raw(reply(b"200 OK\r\nContent-Encoding: " + encoding, body))
    answer = watched(lambda: endpoint_of(server, max_retries=0, timeout=30.0, patience=30.0).ask(request(), int))
    assert answer == 8 if said is None else said in str(answer)
    assert b"accept-encoding: identity" in server.seen[0].head.lower()


@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 307, 308])
def test_redirects_are_not_followed(raw, status):
    other = raw(reply(b"200 OK"))
    place = b"%d Elsewhere\r\nLocation: http://localhost:%d/v1/chat/completions" % (status, other.port)
    server = raw(reply(place, b""))
    error = watched(lambda: endpoint_of(server, timeout=30.0, patience=30.0).ask(request("private"), int))
    assert (error.status, error.hopeless) == (status, True)
    assert "redirects are not followed" in str(error)
    assert (len(server.seen), other.seen) == (1, [])


def test_a_name_is_looked_up_and_its_addresses_are_tried(raw):
    server = raw(reply(b"200 OK"))
    url = server.url.replace("127.0.0.1", "localhost")  # whose first address may be ::1, where nobody listens
    assert watched(lambda: endpoint_of(server, base_url=url, timeout=30.0, patience=30.0).ask(request(), int)) == 8


def test_a_name_without_an_address_is_said(raw):
    server = raw(reply(b"200 OK"))
    url = f"http://no-such-host.invalid:{server.port}/v1"
    error = watched(lambda: endpoint_of(server, base_url=url, max_retries=0, timeout=30.0, patience=30.0).ask(request(), int))
    assert "no connection to no-such-host.invalid" in str(error)


# -- the cache in the way


def test_a_locked_cache_costs_one_short_wait_and_no_answer(chat_server, tmp_path, monkeypatch):
    monkeypatch.setattr("ragclean.disk_cache._BUSY_SECONDS", 0.2)
    waits = []
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: waits.append(k["timeout"]) or real(*a, **k))
    DiskCache(tmp_path / "c", 1 << 20).put("k", "v")
    endpoint = Endpoint("m", base_url=chat_server.url, api_key=KEY, cache=tmp_path / "c", concurrency=2)
    with closing(real(tmp_path / "c", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        waits.clear()
        answers = watched(lambda: endpoint.ask_all([request(str(i)) for i in range(20)], int))
        other.execute("COMMIT")
    assert answers == [8] * 20
    assert waits == [0.2]  # the first look-up alone


def test_a_cache_that_may_not_be_written_costs_as_many_waits_as_there_are_writers(chat_server, tmp_path, monkeypatch):
    monkeypatch.setattr("ragclean.disk_cache._BUSY_SECONDS", 0.2)
    path = tmp_path / "c"
    DiskCache(path, 1 << 20).put("k", "v")
    endpoint = Endpoint("m", base_url=chat_server.url, api_key=KEY, cache=path, concurrency=1)
    failures = []
    monkeypatch.setattr(DiskCache, "_complain", lambda self, error: failures.append(error))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM answers").fetchone()  # who reads keeps others from writing
        assert watched(lambda: endpoint.ask_all([request(str(i)) for i in range(20)], int)) == [8] * 20
    assert len(failures) == 1


def test_the_cache_waits_no_longer_than_the_patience(chat_server, tmp_path, monkeypatch):
    DiskCache(tmp_path / "c", 1 << 20).put("k", "v")
    waits, real = [], sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: waits.append(k["timeout"]) or real(*a, **k))
    endpoint = Endpoint("m", base_url=chat_server.url, api_key=KEY, cache=tmp_path / "c", patience=0.5)
    endpoint.ask_all([request(str(i)) for i in range(3)], int)
    assert waits and max(waits) <= 0.5


def test_a_slot_is_free_while_an_answer_is_written_down(chat_server, tmp_path, monkeypatch):
    free = []
    endpoint = Endpoint("m", base_url=chat_server.url, api_key=KEY, cache=tmp_path / "c", concurrency=1)
    real = DiskCache._make_file

    def look(cache):
        slots = endpoint._connection.slots
        free.append(slots.acquire(blocking=False))
        slots.release()
        real(cache)

    monkeypatch.setattr(DiskCache, "_make_file", look)
    assert endpoint.ask(request(), int) == 8
    assert free == [True]


def test_one_pair_that_fails_unforeseen_leaves_the_others_their_answers(chat_server, caplog):
    chat_server.script = lambda seen: say(seen.user)

    def read(text):
        if text == "1":
            raise ZeroDivisionError("odd")
        return int(text)

    endpoint = Endpoint("m", base_url=chat_server.url, api_key=KEY, cache=False)
    answers = endpoint.ask_all([request(str(i)) for i in range(3)], read)
    assert [answers[0], str(answers[1]), answers[2]] == [0, "ZeroDivisionError: odd", 2]


# -- the key


@pytest.mark.parametrize("key", [KEY, 'sk-"quoted"\\and\\0123456789', "sk-<amp&>'0123456789", "sk key with blanks 01234"])
@pytest.mark.parametrize("form", ["plain", "json", "repr", "deep"])
def test_the_key_comes_out_of_no_error_whole_or_in_part(chat_server, tmp_path, caplog, key, form):
    caplog.set_level(logging.DEBUG, logger="ragclean")
    quoted = {"plain": key, "json": chat_json(key), "repr": repr(key), "deep": chat_json(chat_json(key))}[form]
    endpoint = Endpoint("m", base_url=chat_server.url, api_key=key, cache=tmp_path / "c", max_retries=0)
    # At every distance from where the message, or the quoted answer, is cut.
    for lead in (0, 35, 50, 60, 68, 72, 76, 150, 165, 180, 190):
        for script in (send(400, chat_json({"error": {"message": "x" * lead + quoted}})), say("y" * lead + quoted)):
            chat_server.script = [script]
            with pytest.raises(EndpointError) as caught:
                endpoint.ask(request(), refuse)
            shown = str(caught.value) + caplog.text
            assert [key[i : i + 6] for i in range(3, len(key) - 6) if key[i : i + 6] in shown] == []


def refuse(text):
    raise ValueError(f"no clear score in {text[:80]!r}")


def chat_json(value):
    return completion(value).decode().split('"content": ', 1)[1].rsplit("}}]}", 1)[0]


def test_an_answer_that_holds_the_key_is_read_and_not_kept(chat_server, tmp_path):
    chat_server.script = [say(f"Bearer {KEY}\n\n8")]
    endpoint = Endpoint("m", base_url=chat_server.url, api_key=KEY, cache=tmp_path / "c")
    for _ in range(2):
        assert endpoint.ask(request(), str) == "Bearer ***\n\n8"
    assert len(chat_server.seen) == 2
    assert not (tmp_path / "c").exists() or KEY.encode() not in (tmp_path / "c").read_bytes()


# -- arguments


@pytest.mark.parametrize("options, said", [
    ({"max_retries": 1.5}, "max_retries"), ({"max_retries": True}, "max_retries"), ({"max_retries": float("inf")}, "max_retries"),
    ({"concurrency": 2.5}, "concurrency"), ({"concurrency": "3"}, "concurrency"), ({"cache_bytes": None}, "cache_bytes"),
    ({"patience": float("inf")}, "patience"), ({"timeout": 1e300}, "timeout"), ({"timeout": "5"}, "timeout"),
    ({"timeout": None}, "timeout"), ({"timeout": True}, "timeout"), ({"pause": float("nan")}, "pause"),
    ({"base_url": "http://localhost:99999/v1"}, "base_url"), ({"base_url": "http://localhost:abc/v1"}, "base_url"),
    ({"base_url": "http://127.0.0.1:1/v1\n"}, "base_url"), ({"base_url": "http://\ud800/v1"}, "base_url"),
    ({"base_url": "http://[::1"}, "base_url"), ({"base_url": "http://a b/v1"}, "base_url"), ({"base_url": 5}, "base_url"),
    ({"parameters": 5}, "parameters"), ({"parameters": []}, "parameters"), ({"parameters": {1: 2}}, "parameters"),
    ({"parameters": {"user": "\ud800"}}, "parameters"), ({"parameters": {"a": {1, 2}}}, "parameters"),
    ({"api_key": b"sk-secret"}, "api_key"), ({"api_key": 123}, "api_key"), ({"model": "m\ud800"}, "model"),
    ({"cache": 1}, "cache"), ({"cache": ""}, "cache"), ({"cache": None}, "cache"),
])  # fmt: skip
def test_arguments_are_checked_by_name_before_anything_is_sent(options, said):
    with pytest.raises(ValueError, match=rf"^{said}:") as caught:
        Endpoint(options.pop("model", "m"), **{"base_url": "http://127.0.0.1:9/v1", "api_key": KEY, "cache": False, **options})
    assert "sk-secret" not in str(caught.value)


# -- forms of replies


@pytest.mark.parametrize("content, text", [
    (8, "8"), (0, "0"), (8.5, "8.5"), (["8"], "8"), ([8], "8"), ([{"type": "text", "text": 8}], "8"),
    ([{"type": "text", "text": {"value": "8"}}], "8"), ([{"type": "thinking", "text": "10"}, {"type": "text", "text": "8"}], "8"),
    (True, ""), (None, ""), ([None, True, {"image": 1}], ""),
])  # fmt: skip
def test_forms_of_content(chat_server, content, text):
    chat_server.script = [say(content)]
    assert Endpoint("m", base_url=chat_server.url, api_key=KEY, cache=False).ask(request(), str) == text


def test_a_byte_order_mark_is_no_obstacle(chat_server):
    chat_server.script = [send(200, b"\xef\xbb\xbf" + completion("8"))]
    assert Endpoint("m", base_url=chat_server.url, api_key=KEY, cache=False).ask(request(), int) == 8


# -- forks

FORKED = """
import os, sys, threading
from ragclean.endpoint import ChatRequest, Endpoint
endpoint = Endpoint("m", base_url=sys.argv[1], api_key="sk-secret-0123456789", cache=False, patience=40.0)
ask = lambda text: endpoint.ask(ChatRequest(({"role": "user", "content": text},)), int)
thread = threading.Thread(target=lambda: ask("parent"))
thread.start()
while "openai" not in sys.modules:  # the package is being imported by the other thread
    pass
child = os.fork()
if not child:
    os._exit(0 if ask("child") == 8 else 1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
thread.join()
sys.exit(code)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_during_the_first_request_leaves_the_child_able_to_ask(chat_server):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED, chat_server.url], timeout=120, check=False)
    assert done.returncode == 0


def test_it_travels_after_it_has_asked(chat_server):
    endpoint = Endpoint("m", base_url=chat_server.url, api_key=KEY, cache=False)
    assert endpoint.ask(request(), int) == pickle.loads(pickle.dumps(endpoint)).ask(request(), int) == 8
