"""A chat endpoint on a local port that answers, or misbehaves, as a test tells it to."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Seconds after which a server that hangs lets go even where a test forgot to.
LONGEST_HANG = 5.0


@dataclass(frozen=True)
class Seen:
    """One request: its path, headers (names in lower case) and JSON body."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def user(self) -> str:
        return next(m["content"] for m in reversed(self.body["messages"]) if m["role"] == "user")


class Handler(BaseHTTPRequestHandler):
    counted: _Counting

    def do_POST(self) -> None:
        chat: ChatServer = self.server.chat  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {k.lower(): v for k, v in self.headers.items()}
        self.counted = chat.counting(Seen(self.path, headers, body))
        with self.counted as number:
            try:
                chat.behave(chat.seen[number])(self)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client had enough

    def log_message(self, *_: Any) -> None:
        pass

    def send(self, status: int, body: bytes, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", headers.pop("kind", "application/json"))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.counted.leave()  # who reads the last byte may ask again before this thread runs on
        self.wfile.write(body)


Behaviour = Callable[[Handler], None]


class ChatServer:
    """Behaves by ``script``: a function of the request, or a list that is used up, the last one for ever."""

    def __init__(self) -> None:
        self.script: Callable[[Seen], Behaviour] | list[Behaviour] = [say("8")]
        self.seen: list[Seen] = []
        self.most_in_flight = 0
        self.release = threading.Event()
        self._in_flight = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.chat = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> ChatServer:
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def behave(self, seen: Seen) -> Behaviour:
        if callable(self.script):
            return self.script(seen)
        with self._lock:
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def counting(self, seen: Seen) -> _Counting:
        return _Counting(self, seen)


class _Counting:
    """Counts a request, and that it is in flight while it is handled."""

    def __init__(self, chat: ChatServer, seen: Seen) -> None:
        self._chat, self._seen, self._here = chat, seen, False

    def __enter__(self) -> int:
        chat = self._chat
        with chat._lock:
            chat.seen.append(self._seen)
            chat._in_flight += 1
            self._here = True
            chat.most_in_flight = max(chat.most_in_flight, chat._in_flight)
            return len(chat.seen) - 1

    def leave(self) -> None:
        """The request is answered; a second time changes nothing."""
        with self._chat._lock:
            self._chat._in_flight -= self._here
            self._here = False

    def __exit__(self, *_: object) -> None:
        self.leave()


def completion(content: Any, **message: Any) -> bytes:
    data = {"choices": [{"index": 0, "message": {"role": "assistant", "content": content, **message}}]}
    return json.dumps(data, ensure_ascii=False).encode("utf-8")


def say(content: Any, **message: Any) -> Behaviour:
    return lambda handler: handler.send(200, completion(content, **message))


def send(status: int, body: bytes | str, **headers: Any) -> Behaviour:
    raw = body.encode("utf-8") if isinstance(body, str) else body
    return lambda handler: handler.send(status, raw, **headers)


def drop(handler: Handler) -> None:
    """Close the connection without a word."""
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def hang(handler: Handler) -> None:
    """Say nothing until the test is over."""
    handler.server.chat.release.wait(LONGEST_HANG)  # type: ignore[attr-defined]


def trickle(handler: Handler) -> None:
    """A byte now and then, so that no single silence is long."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    for _ in range(int(LONGEST_HANG / 0.02)):
        if handler.server.chat.release.wait(0.02):  # type: ignore[attr-defined]
            break
        handler.wfile.write(b" ")


def slow(behaviour: Behaviour, seconds: float = 0.05) -> Behaviour:
    def wait(handler: Handler) -> None:
        handler.server.chat.release.wait(seconds)  # type: ignore[attr-defined]
        behaviour(handler)

    return wait
