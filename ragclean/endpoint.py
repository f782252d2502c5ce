"""The one client of OpenAI-compatible endpoints: retries, time-outs, bounded concurrency, a cache on disk.

The transport is the ``openai`` package (extra ``openai``), imported at the first request: addresses, TLS, proxies and
connections are its work. Its own retries are off, since they do not cover what fails *after* a status of 200 (a
proxy's HTML page, a body cut short, an answer that cannot be read), and two loops inside each other would multiply.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import os
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from ragclean.disk_cache import DiskCache, default_folder
from ragclean.reply import EndpointError, Passing, completion_text, read_body, retry_after

__all__ = ["ChatRequest", "Endpoint", "EndpointError"]

logger = logging.getLogger(__name__)
T = TypeVar("T")

PIP_LINE = 'pip install "ragclean[openai]"'
OFFICIAL_URL = "https://api.openai.com/v1"
#: Part of every cache key; raised when the same request would be sent in another form.
_FORM = 1
#: Statuses after which the same request may succeed; 5xx beside them.
_PASSING = frozenset({408, 409, 425, 429})
#: Statuses that every other request would get too: no key, or no such model. 403 is none of them: a firewall in
#: front of the endpoint gives it for single texts.
_HOPELESS = frozenset({401, 404})
#: Seconds; longer pauses come only from a Retry-After.
_LONGEST_PAUSE = 8.0
#: An answer that cannot be read is asked for again this often: at temperature 0 it mostly comes back the same.
_UNREAD_REPEATS = 1
#: Characters of a server's error that a message quotes.
_QUOTED = 200
#: A shorter key ('none', 'EMPTY' of local servers) is no secret, and hiding it would garble messages.
_SECRET_LENGTH = 8
#: Room for about half a million short answers.
CACHE_BYTES = 256 << 20
_RESERVED = frozenset({"model", "messages", "stream", "n"})


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is sent: messages with ``role`` and ``content``. ``repeat`` keeps deliberate repeats apart in the cache."""

    messages: tuple[Mapping[str, str], ...]
    repeat: int = 0


class _Connection:
    """What one process holds open: the client, and the slots that bound its requests in flight."""

    def __init__(self, client: Any, slots: int) -> None:
        self.pid = os.getpid()
        # Looked up now, since the package loads its parts at first use, which must not count as waiting.
        self.create = client.chat.completions.with_streaming_response.create
        self.slots = threading.BoundedSemaphore(slots)


class Endpoint:
    """A model behind an OpenAI-compatible address; safe to share between threads, to copy and to pickle.

    Args:
        model: as the endpoint calls it.
        base_url: up to and with ``/v1``; the environment's ``OPENAI_BASE_URL`` or OpenAI's own where None.
        api_key: the environment's ``OPENAI_API_KEY`` where None. A local server that wants none needs none.
        parameters: what the request holds beside model and messages (``temperature``, ``max_tokens`` ...), sent as
            given, so that an endpoint's own ones work too.
        timeout: seconds for one attempt.
        patience: seconds for one :meth:`ask` or :meth:`ask_all` in all: no attempt begins after it, none outlasts it
            by more than the server's last silence.
        max_retries: attempts after the first, whatever failed; of these at most one for an answer that cannot be read.
        concurrency: requests in flight at most, over all threads of this process.
        pause: seconds before the second attempt, doubled with each further one, with jitter; ``Retry-After`` wins.
        cache: True for the file in the user's cache folder, a path for another one, False for none.
        cache_bytes: bound on the cache.

    Raises:
        ImportError: the package ``openai`` is missing; the message has the pip line.
        ValueError: an argument is out of its range, or there is no key for OpenAI's own address.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        timeout: float = 30.0,
        patience: float = 60.0,
        max_retries: int = 2,
        concurrency: int = 4,
        pause: float = 0.5,
        cache: bool | str | os.PathLike[str] = True,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        if importlib.util.find_spec("openai") is None:
            raise ImportError(f"an endpoint needs the package openai, which is not installed: {PIP_LINE}")
        if not isinstance(model, str) or not model.strip():
            raise ValueError("model: expected the name of a model")
        for name, value, least in (("timeout", timeout, 0.001), ("patience", patience, 0.001),
                                   ("max_retries", max_retries, 0), ("concurrency", concurrency, 1),
                                   ("pause", pause, 0), ("cache_bytes", cache_bytes, 1)):  # fmt: skip
            if not value >= least:
                raise ValueError(f"{name}: must be at least {least}, got {value}")
        self.model = model
        if base_url is None:
            base_url = os.environ.get("OPENAI_BASE_URL") or OFFICIAL_URL
        self.base_url = _checked_url(base_url)
        self.parameters = _checked_parameters(parameters or {})
        self.timeout, self.patience, self.pause = timeout, patience, pause
        self.max_retries, self.concurrency = max_retries, concurrency
        self.sent = 0
        """Requests sent by this object, repeats counted."""
        self._given_key = _checked_key(api_key)
        self._key = self._given_key or _checked_key(os.environ.get("OPENAI_API_KEY"))
        if self.base_url == OFFICIAL_URL and not self._key:
            raise ValueError("api_key: none given, and OPENAI_API_KEY is not set")
        self._cache = _cache(cache, cache_bytes)
        self._connection: _Connection | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Endpoint({self.model!r}, base_url={self.base_url!r})"

    def __getstate__(self) -> dict[str, Any]:
        """Without what is open. A key from the environment stays there; one that was given has to travel."""
        return {k: v for k, v in self.__dict__.items() if k not in ("_connection", "_lock", "_key")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._connection, self._lock = None, threading.Lock()
        self._key = self._given_key or _checked_key(os.environ.get("OPENAI_API_KEY"))

    @property
    def fingerprint(self) -> str:
        """Address, model and parameters, never the key."""
        digest = hashlib.sha256(_canonical(self.parameters)).hexdigest()[:8]
        return f"{self.model}@{self.base_url}#{digest}"

    def ask(self, request: ChatRequest, read: Callable[[str], T]) -> T:
        """The answer to one request, as ``read`` understands it. See :meth:`ask_all`.

        Raises:
            EndpointError: it failed.
        """
        answer = self.ask_all([request], read)[0]
        if isinstance(answer, EndpointError):
            raise answer
        return answer

    def ask_all(self, requests: Sequence[ChatRequest], read: Callable[[str], T]) -> list[T | EndpointError]:
        """What ``read`` makes of the answers, in order; an :class:`EndpointError` in place of each that failed.

        Equal requests are sent once. Only answers that ``read`` understands are cached, so that a failure is never
        remembered. After a failure that all would share (a wrong key, an unknown model) no further one is sent.

        Args:
            read: gets the text of an answer (empty for null), raises ValueError where it cannot be understood.
        """
        by_key = {self._cache_key(request): request for request in requests}
        found: dict[str, T | EndpointError] = {}
        for key in by_key:
            self._recall(key, read, found)
        missing = {key: request for key, request in by_key.items() if key not in found}
        if not missing:
            return [found[self._cache_key(request)] for request in requests]
        connection = self._connected()
        until = time.monotonic() + self.patience
        stop: list[EndpointError] = []

        def settle(key: str) -> T | EndpointError:
            try:
                return stop[0] if stop else self._settle(connection, key, missing[key], read, until)
            except EndpointError as error:
                if error.hopeless:
                    stop.append(error)
                return error

        with ThreadPoolExecutor(min(self.concurrency, len(missing)), "ragclean-endpoint") as pool:
            found.update(zip(missing, pool.map(settle, missing), strict=True))
        return [found[self._cache_key(request)] for request in requests]

    def _recall(self, key: str, read: Callable[[str], T], found: dict[str, T | EndpointError]) -> None:
        text = None if self._cache is None else self._cache.get(key)
        if self._cache is not None and text is not None:
            try:
                found[key] = read(text)
            except ValueError:  # written by a version that read otherwise
                logger.debug("a cached answer cannot be read and is asked for again")
                self._cache.drop(key)

    def _settle(
        self, connection: _Connection, key: str, request: ChatRequest, read: Callable[[str], T], until: float
    ) -> T:
        """Attempt until an answer can be read, or there is no more point in trying."""
        unread = 0
        # The slot is held while pausing: what is told to slow down must not be replaced by the next in the queue.
        if not connection.slots.acquire(timeout=max(until - time.monotonic(), 0.0)):
            raise EndpointError(f"not begun within {self.patience:g} s")
        try:
            for attempt in range(1 + self.max_retries):
                try:
                    text = self._attempt(connection, request, until)
                except Passing as error:
                    failure = error
                else:
                    try:
                        answer = read(text)
                    except ValueError as error:
                        unread += 1
                        failure = Passing(self._safe(f"the answer cannot be read: {error}"), 200, 0.0)
                    else:
                        if self._cache is not None:
                            self._cache.put(key, text)
                        return answer
                last = attempt == self.max_retries or unread > _UNREAD_REPEATS
                if last or not _paused(_pause(failure.wait, self.pause, attempt), until):
                    raise EndpointError(f"{failure} (attempts: {attempt + 1})", status=failure.status)
            raise AssertionError("the last attempt returns or raises")
        finally:
            connection.slots.release()

    def _attempt(self, connection: _Connection, request: ChatRequest, until: float) -> str:
        """One request; the text of its answer."""
        import openai

        seconds = min(self.timeout, until - time.monotonic())
        if seconds <= 0:
            raise EndpointError(f"not answered within {self.patience:g} s")
        with self._lock:
            self.sent += 1
        try:
            with connection.create(
                model=self.model, messages=list(request.messages), extra_body=self.parameters, timeout=seconds
            ) as response:
                body = read_body(response, time.monotonic() + seconds)
        except (EndpointError, Passing):
            raise
        except openai.APIStatusError as error:
            raise self._refused(error) from None  # whose own message and request may hold the key
        except openai.APITimeoutError:
            bound = "timeout" if seconds >= self.timeout else "what was left of patience"
            raise Passing(f"no answer from {self._host} within {seconds:.3g} s ({bound})") from None
        except Exception as error:  # the package's connection errors, and the transport's where it lets them through
            cause = error.__cause__ or error
            raise Passing(self._safe(f"no connection to {self._host}: {type(cause).__name__}: {cause}")) from None
        return completion_text(body, self._safe)

    def _refused(self, error: Any) -> Exception:
        """What a status of 400 and above means. The key stays out of it, though the server may quote it."""
        status = int(error.status_code)
        message = self._safe(f"HTTP {status}: {error.message}")
        if status in _PASSING or status >= 500:
            return Passing(message, status, retry_after(error.response.headers.get("retry-after")))
        return EndpointError(message, status=status, hopeless=status in _HOPELESS)

    def _connected(self) -> _Connection:
        """The connection of this process: one that was forked shares neither sockets nor slots with its parent."""
        with self._lock:
            if self._connection is None or self._connection.pid != os.getpid():
                from openai import OpenAI

                # A key is demanded by the package even where the server wants none.
                client = OpenAI(api_key=self._key or "none", base_url=self.base_url, max_retries=0)
                self._connection = _Connection(client, self.concurrency)
            return self._connection

    def _safe(self, message: str) -> str:
        """One line without the key."""
        if self._key and len(self._key) >= _SECRET_LENGTH:
            message = message.replace(self._key, "***")
        return " ".join(message.split())[:_QUOTED]

    @property
    def _host(self) -> str:
        return urlsplit(self.base_url).netloc

    def _cache_key(self, request: ChatRequest) -> str:
        whole = [_FORM, self.base_url, self.model, list(request.messages), self.parameters, request.repeat]
        return hashlib.sha256(_canonical(whole)).hexdigest()


def _checked_url(url: str) -> str:
    # An empty address is a setting that was forgotten: nothing is sent to another one instead.
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url: expected http(s)://host/..." + ("" if url else ", got an empty string"))
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("base_url: credentials and queries do not belong in it; the key goes into api_key")
    return url.rstrip("/")


def _checked_key(key: str | None) -> str | None:
    key = (key or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ValueError("api_key: holds characters that no key has")
    return key or None


def _checked_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(parameters, Mapping):
        raise ValueError(f"parameters: expected a mapping, got {type(parameters).__name__}")
    reserved = sorted(_RESERVED & set(parameters))
    if reserved:
        raise ValueError(f"parameters: {', '.join(reserved)} cannot be set here")
    try:
        copied: dict[str, Any] = json.loads(_canonical(parameters))
    except (TypeError, ValueError) as error:
        raise ValueError(f"parameters: not JSON ({error})") from None
    return copied


def _cache(cache: bool | str | os.PathLike[str], max_bytes: int) -> DiskCache | None:
    if cache is False:
        return None
    if cache is not True:
        return DiskCache(cache, max_bytes)
    try:
        return DiskCache(default_folder() / "endpoint.sqlite3", max_bytes)
    except RuntimeError:
        logger.warning("there is no home folder to keep a cache in; give a path")
        return None


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, default=dict).encode("ascii")


def _pause(asked: float | None, first: float, attempt: int) -> float:
    if asked is not None:
        return asked
    return float(min(first * 2**attempt, _LONGEST_PAUSE) * random.uniform(0.5, 1.0))


def _paused(seconds: float, until: float) -> bool:
    """Wait; False, at once, where the time would be up before."""
    if not time.monotonic() + seconds < until:
        return False
    time.sleep(seconds)
    return True
