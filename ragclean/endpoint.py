"""The one client of OpenAI-compatible endpoints: retries, time-outs, bounded concurrency, a cache on disk.

The transport is the ``openai`` package (extra ``openai``), imported at the first request: addresses, TLS, proxies and
connections are its work. Its own retries are off, since they do not cover what fails *after* a status of 200 (a
proxy's HTML page, a body cut short, an answer that cannot be read), and two loops inside each other would multiply;
its redirects are off, since question and passages go to the address that was named. The bounds in time and bytes lie
beneath it (``bounded_http.py``).
"""

from __future__ import annotations

import hashlib
import html
import importlib.util
import logging
import os
import random
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from ragclean.bounded_http import BadReply, Broken, TimeUp, allowed, bounded_client, response_class
from ragclean.disk_cache import DiskCache, Visit, default_folder
from ragclean.endpoint_arguments import (
    canonical,
    checked_key,
    checked_model,
    checked_parameters,
    checked_seconds,
    checked_url,
    checked_whole,
)
from ragclean.reply import EndpointError, Passing, completion_text, retry_after

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


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is sent: messages with ``role`` and ``content``. ``repeat`` keeps deliberate repeats apart in the cache."""

    messages: tuple[Mapping[str, str], ...]
    repeat: int = 0


#: Held while the package is imported and a client is built. A process is not forked meanwhile: the child would wait
#: for ever for a lock, or for a module, that a thread it does not have was about to finish.
_opening = threading.RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_opening.acquire, after_in_parent=_opening.release, after_in_child=_opening.release)


class _Connection:
    """What one process holds open: the client, and the slots that bound its requests in flight."""

    def __init__(self, client: Any, slots: int) -> None:
        self.pid = os.getpid()
        # The package's own method for one kind of request reads the messages against its schema first and the reply
        # after, which takes longer than sending them.
        self._post, self._response = client.post, response_class(client._client)
        self.slots = threading.BoundedSemaphore(slots)
        self.counting = threading.Lock()

    def post(self, model: str, messages: list[Any], parameters: dict[str, Any], seconds: float) -> bytes:
        """One request; the body of its reply."""
        body = {"messages": messages, "model": model, **parameters}
        options = {"timeout": seconds}
        reply: bytes = self._post("/chat/completions", cast_to=self._response, body=body, options=options).content
        return reply


class Endpoint:
    """A model behind an OpenAI-compatible address; safe to share between threads, to copy and to pickle.

    Args:
        model: as the endpoint calls it.
        base_url: up to and with ``/v1``; the environment's ``OPENAI_BASE_URL`` or OpenAI's own where None.
        api_key: the environment's ``OPENAI_API_KEY`` where None. A local server that wants none needs none.
        parameters: what the request holds beside model and messages (``temperature``, ``max_tokens`` ...), sent as
            given, so that an endpoint's own ones work too.
        timeout: seconds for one attempt.
        patience: seconds for one :meth:`ask` or :meth:`ask_all` in all, the cache included: no attempt begins after
            it, none outlasts it.
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
        self.model = checked_model(model)
        if base_url is None:
            base_url = os.environ.get("OPENAI_BASE_URL") or OFFICIAL_URL
        self.base_url = checked_url(base_url)
        self.parameters = checked_parameters(parameters)
        self.timeout = checked_seconds("timeout", timeout, 0.001)
        self.patience = checked_seconds("patience", patience, 0.001)
        self.pause = checked_seconds("pause", pause, 0.0)
        self.max_retries = checked_whole("max_retries", max_retries, 0)
        self.concurrency = checked_whole("concurrency", concurrency, 1)
        self.sent = 0
        """Requests sent by this object, repeats counted."""
        self._given_key = checked_key(api_key)
        self._key = self._given_key or checked_key(os.environ.get("OPENAI_API_KEY"))
        if self.base_url == OFFICIAL_URL and not self._key:
            raise ValueError("api_key: none given, and OPENAI_API_KEY is not set")
        self._cache = _cache(cache, checked_whole("cache_bytes", cache_bytes, 1))
        self._connection: _Connection | None = None

    def __repr__(self) -> str:
        return f"Endpoint({self.model!r}, base_url={self.base_url!r})"

    def __getstate__(self) -> dict[str, Any]:
        """Without what is open. A key from the environment stays there; one that was given has to travel."""
        return {k: v for k, v in self.__dict__.items() if k not in ("_connection", "_key")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._connection = None
        self._key = self._given_key or checked_key(os.environ.get("OPENAI_API_KEY"))

    @property
    def fingerprint(self) -> str:
        """Address, model and parameters, never the key."""
        digest = hashlib.sha256(canonical(self.parameters)).hexdigest()[:8]
        return f"{self.model}@{self.base_url}#{digest}"

    def session(self) -> AbstractContextManager[None]:
        """For thousands of single questions: the cache's file stays open meanwhile."""
        return nullcontext() if self._cache is None else self._cache.session()

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
        started = time.monotonic()
        by_key = {self._cache_key(request): request for request in requests}
        cache = Visit(self._cache, started + self.patience)
        found: dict[str, T | EndpointError] = {}
        for key in by_key:
            self._recall(cache, key, read, found)
        missing = {key: request for key, request in by_key.items() if key not in found}
        if not missing:
            return [found[self._cache_key(request)] for request in requests]
        looked_up = time.monotonic() - started
        connection = self._connected()  # whose first import may take seconds, which are no waiting for the endpoint
        until = time.monotonic() + self.patience - looked_up
        stop: list[EndpointError] = []

        def settle(key: str) -> T | EndpointError:
            try:
                if stop:
                    return stop[0]
                answer, text = self._settle(connection, missing[key], read, until)
                if text is not None:
                    cache.put(key, text)
                return answer
            except EndpointError as error:
                if error.hopeless:
                    stop.append(error)
                return error
            except Exception as error:  # of ours or of ``read``: the other requests' answers are not its to lose
                logger.exception("a request to %r failed in a way that was not foreseen", self)
                return EndpointError(self._safe(f"{type(error).__name__}: {_said(error)}"))

        if len(missing) == 1:  # in the caller's thread: a new one takes time, and holds up the end of the process
            (key,) = missing
            found[key] = settle(key)
            return [found[self._cache_key(request)] for request in requests]
        with ThreadPoolExecutor(min(self.concurrency, len(missing)), "ragclean-endpoint") as pool:
            found.update(zip(missing, pool.map(settle, missing), strict=True))
        return [found[self._cache_key(request)] for request in requests]

    def _recall(self, cache: Visit, key: str, read: Callable[[str], T], found: dict[str, T | EndpointError]) -> None:
        text = cache.get(key)
        if text is not None:
            try:
                found[key] = read(text)
            except Exception:  # written by a version that read otherwise
                logger.debug("a cached answer cannot be read and is asked for again")
                cache.drop(key)

    def _settle(
        self, connection: _Connection, request: ChatRequest, read: Callable[[str], T], until: float
    ) -> tuple[T, str | None]:
        """Attempt until an answer can be read, or there is no more point in trying: what was read, and the text to
        keep, None where it holds the key."""
        unread = 0
        # The slot is held while pausing: what is told to slow down must not be replaced by the next in the queue.
        if not connection.slots.acquire(timeout=max(until - time.monotonic(), 0.0)):
            raise EndpointError(f"not begun within {self.patience:g} s")
        try:
            for attempt in range(1 + self.max_retries):
                try:
                    given = self._attempt(connection, request, until)
                except Passing as error:
                    failure = error
                else:
                    text = self._masked(given)  # before it is read: who reads it quotes pieces of it
                    try:
                        return read(text), given if text == given else None
                    except ValueError as error:
                        unread += 1
                        failure = Passing(self._safe(f"the answer cannot be read: {error}"), 200, 0.0)
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
        with connection.counting:
            self.sent += 1
        try:
            with allowed(seconds):
                body = connection.post(self.model, list(request.messages), self.parameters, seconds)
        except openai.APIStatusError as error:
            raise self._refused(error) from None  # whose own message and request may hold the key
        except Exception as error:  # the package's connection errors, and the transport's where it lets them through
            raise self._broken(error, seconds) from None
        return completion_text(body, self._safe)

    def _broken(self, error: Exception, seconds: float) -> Exception:
        """What it means that no reply came, or none that can be used."""
        cause = error if isinstance(error, Broken) else error.__cause__ or error
        if isinstance(cause, TimeUp) or "Timeout" in type(cause).__name__:
            bound = "timeout" if seconds >= self.timeout else "what was left of patience"
            return Passing(f"no answer from {self._host} within {seconds:.3g} s ({bound})")
        if isinstance(cause, BadReply):
            message = f"HTTP {cause.status}: {cause}" if cause.status else str(cause)
            return EndpointError(message, status=cause.status) if cause.too_long else Passing(message, cause.status)
        return Passing(self._safe(f"no connection to {self._host}: {type(cause).__name__}: {_said(cause)}"))

    def _refused(self, error: Any) -> Exception:
        """What a status of 400 and above means. The key stays out of it, though the server may quote it."""
        status = int(error.status_code)
        if 300 <= status < 400:
            message = f"HTTP {status}: redirects are not followed; give the address it leads to as base_url"
            return EndpointError(message, status=status, hopeless=True)
        message = self._safe(f"HTTP {status}: {error.message}")
        if status in _PASSING or status >= 500:
            return Passing(message, status, retry_after(error.response.headers.get("retry-after")))
        return EndpointError(message, status=status, hopeless=status in _HOPELESS)

    def _connected(self) -> _Connection:
        """The connection of this process: one that was forked shares neither sockets nor slots with its parent."""
        found = self._connection
        if found is not None and found.pid == os.getpid():
            return found
        with _opening:
            if self._connection is None or self._connection.pid != os.getpid():
                import openai

                # A key is demanded by the package even where the server wants none.
                client = openai.OpenAI(
                    api_key=self._key or "none",
                    base_url=self.base_url,
                    max_retries=0,
                    http_client=bounded_client(openai),
                )
                # What a first request would load or ask the system for, behind locks of the standard library.
                _ = client.default_headers, "localhost".encode("idna")
                self._connection = _Connection(client, self.concurrency)
            return self._connection

    def _masked(self, text: str) -> str:
        """A text without the key, in none of the forms in which a server may quote it."""
        if not self._key or len(self._key) < _SECRET_LENGTH:
            return text
        return re.sub("".join(map(_quoted, self._key)), "***", text, flags=re.IGNORECASE)

    def _safe(self, message: str) -> str:
        """One line without the key, which is masked before anything is cut."""
        return " ".join(self._masked(message).split())[:_QUOTED]

    @property
    def _host(self) -> str:
        return urlsplit(self.base_url).netloc

    def _cache_key(self, request: ChatRequest) -> str:
        whole = [_FORM, self.base_url, self.model, list(request.messages), self.parameters, request.repeat]
        return hashlib.sha256(canonical(whole)).hexdigest()


def _cache(cache: bool | str | os.PathLike[str], max_bytes: int) -> DiskCache | None:
    if cache is False:
        return None
    if cache is not True:
        if not isinstance(cache, (str, os.PathLike)) or not os.fspath(cache):
            raise ValueError(f"cache: expected True, False or a path, got {cache!r:.80}")
        return DiskCache(cache, max_bytes)
    try:
        return DiskCache(default_folder() / "endpoint.sqlite3", max_bytes)
    except RuntimeError:
        logger.warning("there is no home folder to keep a cache in; give a path")
        return None


def _quoted(char: str) -> str:
    """A pattern for one character of the key, as servers quote it: as JSON, as a Python string, JSON inside either, in
    an address, in HTML. The bound on backslashes is one on the steps that a row of them costs."""
    if char.isalnum():
        return char
    code = f"{ord(char):02x}"
    plain = r"\\{1,16}" if char == "\\" else r"\\{0,16}" + re.escape(char)
    return rf"(?:{plain}|%{code}|\\{{1,16}}[ux](?:00)?{code}|&#x{code};|&#{ord(char)};|{re.escape(html.escape(char))})"


def _said(error: BaseException) -> str:
    """The message of an exception; some raise where they are asked for it."""
    try:
        return str(error)
    except Exception:
        return "(no message)"


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
