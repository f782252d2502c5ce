"""The HTTP client under the ``openai`` package, bounded in time and in bytes whatever the server does.

The client that the package makes waits for each read anew and reads the body of an error to its end, so that a server
that drips its headers, its status lines or an error holds a caller for ever, and an endless or packed body fills the
memory. Here every connect, read and write below HTTP gets what is left of the attempt, every byte that arrives is
counted, and a reply is handed up whole. Redirects are not followed: what is asked goes to the address that was named.

Neither the package nor its transport takes a network backend as an argument, so it is put in place from within;
httpx 0.27 and httpx2 2.16 have it in the same place.
"""

from __future__ import annotations

import contextlib
import importlib
import ipaddress
import logging
import math
import socket
import threading
import time
import zlib
from collections.abc import Iterator
from typing import Any

logger = logging.getLogger(__name__)

#: An answer is a few hundred bytes; what is longer than this is none.
LONGEST_BODY = 4 << 20
#: Bytes handed to the network at once, so that a reader who takes them one by one is met by the deadline.
_PIECE = 16_384
#: Described by a body that is handed up whole and unpacked.
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class Broken(Exception):
    """An attempt without a reply that can be used; ``status`` where one came."""

    status: int | None = None


class TimeUp(Broken):
    """The attempt's time is over."""


class BadReply(Broken):
    """The reply is no use, whatever it says; ``too_long``: another attempt would bring no other."""

    def __init__(self, message: str, *, too_long: bool = False) -> None:
        super().__init__(message)
        self.too_long = too_long


class _Allowance(threading.local):
    """What is left to the attempt of this thread; a client is used by several at once."""

    until = math.inf
    left = math.inf


_allowance = _Allowance()


@contextlib.contextmanager
def allowed(seconds: float) -> Iterator[None]:
    """Bound all that the client does in this thread meanwhile."""
    _allowance.until, _allowance.left = time.monotonic() + seconds, LONGEST_BODY
    try:
        yield
    finally:
        _allowance.until = _allowance.left = math.inf


def bounded_client(openai: Any) -> Any:
    """A client for ``OpenAI(http_client=...)``, with the package's own settings for proxies, TLS and connections."""
    # A body that nobody packed cannot unpack to a thousand times its size.
    client = openai.DefaultHttpxClient(follow_redirects=False, headers={"Accept-Encoding": "identity"})
    try:
        for transport in [client._transport, *filter(None, client._mounts.values())]:
            transport._pool._network_backend = _Backend(transport._pool._network_backend)
        client._transport = _Whole(client._transport)
        client._mounts = {pattern: inner and _Whole(inner) for pattern, inner in client._mounts.items()}
    except AttributeError as error:  # a transport that is built otherwise still works, for servers that behave
        logger.warning("a server that misbehaves may take longer than the time-out: unknown HTTP transport (%s)", error)
    return client


def response_class(client: Any) -> Any:
    """The class of a client's responses: httpx's, or httpx2's, whichever the package was built upon."""
    base = next(kind for kind in type(client).__mro__ if kind.__name__ == "Client")
    return importlib.import_module(base.__module__.partition(".")[0]).Response


def _seconds(timeout: float | None) -> float:
    left = _allowance.until - time.monotonic()
    if left <= 0:
        raise TimeUp
    return left if timeout is None else min(timeout, left)


def _count(data: bytes) -> bytes:
    _allowance.left -= len(data)
    if _allowance.left < 0:
        raise BadReply(f"the reply is longer than {LONGEST_BODY >> 20} MB", too_long=True)
    return data


class _Backend:
    """Opens connections, for the transport's pool."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, **options: Any) -> _Stream:
        failed: Exception = ConnectionError(f"no address for {host}")
        for address in _addresses(host, port, timeout):
            seconds = _seconds(timeout)
            try:
                return _Stream(self._inner.connect_tcp(address, port, timeout=seconds, **options))
            except Exception as error:  # the transport's kinds; the next address may answer
                failed = error
        raise failed

    def connect_unix_socket(self, path: str, timeout: float | None = None, **options: Any) -> _Stream:
        return _Stream(self._inner.connect_unix_socket(path, timeout=_seconds(timeout), **options))

    def sleep(self, seconds: float) -> None:
        time.sleep(_seconds(seconds))


class _Stream:
    """A connection whose every use is bounded."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return _count(self._inner.read(max_bytes, timeout=_seconds(timeout)))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for at in range(0, len(buffer), _PIECE):
            self._inner.write(buffer[at : at + _PIECE], timeout=_seconds(timeout))

    def start_tls(self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None) -> _Stream:
        seconds = _seconds(timeout)
        return _Stream(self._inner.start_tls(ssl_context, server_hostname=server_hostname, timeout=seconds))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def close(self) -> None:
        self._inner.close()


def _addresses(host: str, port: int, timeout: float | None) -> list[str]:
    """The numeric addresses of a host, IPv4 and IPv6. The look-up takes no time-out, so that a thread waits for it."""
    with contextlib.suppress(ValueError):
        return [str(ipaddress.ip_address(host))]
    found: list[str] = []
    failed: list[Exception] = []

    def look_up() -> None:
        try:
            found.extend(str(address[4][0]) for address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, ValueError) as error:
            failed.append(error)

    thread = threading.Thread(target=look_up, name="ragclean-look-up", daemon=True)
    thread.start()
    thread.join(_seconds(timeout))
    if thread.is_alive():
        raise TimeUp
    if failed:
        raise failed[0]
    return list(dict.fromkeys(found))


class _Whole:
    """A transport whose responses come whole: what reads them later can neither wait nor unpack."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def handle_request(self, request: Any) -> Any:
        response = self._inner.handle_request(request)
        try:
            packed = b"".join(response.stream)
            body = _unpacked(packed, response.headers.get("content-encoding", ""))
        except Broken as error:
            error.status = response.status_code
            raise
        except Exception as error:  # the transport's kinds, which changed with its releases
            late = "Timeout" in type(error).__name__
            seen: Broken = TimeUp() if late else BadReply(f"the connection broke: {type(error).__name__}")
            seen.status = response.status_code
            raise seen from None
        finally:
            response.close()
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_WIRE]
        return type(response)(response.status_code, headers=headers, content=body, extensions=response.extensions)

    def close(self) -> None:
        self._inner.close()

    def __enter__(self) -> _Whole:
        self._inner.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._inner.__exit__(*error)


def _unpacked(body: bytes, encoding: str) -> bytes:
    """A body that was packed though that was not asked for, within the bound."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise BadReply("the body is packed in a way that was not asked for")
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    try:
        plain = unpacking.decompress(body, LONGEST_BODY + 1)
    except zlib.error:
        raise BadReply(f"the body is no {encoding}") from None
    if len(plain) > LONGEST_BODY:
        raise BadReply(f"the body is longer than {LONGEST_BODY >> 20} MB", too_long=True)
    if not unpacking.eof:
        raise BadReply("the body was cut short")
    return plain
