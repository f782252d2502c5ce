"""A server on a local port that writes what a test tells it to, byte for byte, HTTP or not."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

COMPLETION = json.dumps({"choices": [{"message": {"content": "8"}}]}).encode()


@dataclass(frozen=True)
class Request:
    head: bytes
    body: bytes


class RawServer:
    """Answers every connection's request with ``script(request)``: pieces that are sent one after the other, a float
    among them being seconds to wait. Counts what it could send."""

    def __init__(self, script: Callable[[Request], Iterator[bytes | float]]) -> None:
        self.seen: list[Request] = []
        self.sent = 0
        self._script = script
        self._closing = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> RawServer:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        with socket.create_connection(("127.0.0.1", self.port)):  # wakes the one who accepts
            pass
        for thread in list(self._threads):
            thread.join(30)
        self._socket.close()

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            connection, _ = self._socket.accept()
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(10)
            try:
                request = self._request(connection)
                if request is None:
                    return
                self.seen.append(request)
                for piece in self._script(request):
                    if self._closing.wait(piece if isinstance(piece, float) else 0):
                        return
                    if isinstance(piece, bytes):
                        connection.sendall(piece)
                        self.sent += len(piece)
            except OSError:
                pass  # the client had enough

    def _request(self, connection: socket.socket) -> Request | None:
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return None
            data += more
        head, body = data.split(b"\r\n\r\n", 1)
        lengths = [int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        while lengths and len(body) < lengths[0]:
            body += connection.recv(65536)
        return Request(head, body)


def reply(head: bytes, body: bytes = COMPLETION) -> Callable[[Request], Iterator[bytes | float]]:
    """A status line with headers, and a body of the right length."""
    return lambda _: iter([b"HTTP/1.1 " + head + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body])


def dripping(begin: bytes, piece: bytes, pause: float = 0.02) -> Callable[[Request], Iterator[bytes | float]]:
    """Begins, and never comes to its end: no single silence is long."""

    def script(_: Request) -> Iterator[bytes | float]:
        yield begin
        while True:
            yield piece
            yield pause

    return script


def flooding(begin: bytes, piece: bytes) -> Callable[[Request], Iterator[bytes | float]]:
    """Begins, and sends as fast as it can for ever."""
    return dripping(begin, piece, 0.0)
