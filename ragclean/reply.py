"""What comes back from an endpoint: the text of a completion, or what went wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any

#: An answer is a few hundred bytes; what is longer than this is none.
LONGEST_BODY = 4 << 20


class EndpointError(RuntimeError):
    """A request that failed for good.

    Args:
        message: what happened; never holds the key.
        status: the HTTP status, None where none came.
        hopeless: every other request to the endpoint would fail in the same way.
    """

    def __init__(self, message: str, *, status: int | None = None, hopeless: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.hopeless = hopeless


class Passing(Exception):
    """A failure after which another attempt may succeed; ``wait``: seconds that the server asked for."""

    def __init__(self, message: str, status: int | None = None, wait: float | None = None) -> None:
        super().__init__(message)
        self.status, self.wait = status, wait


def read_body(response: Any, until: float) -> bytes:
    """The whole body, bounded in size and in time."""
    chunks, size = [], 0
    try:
        for chunk in response.iter_bytes():  # without a size, which a trickle would take for ever to fill
            chunks.append(chunk)
            size += len(chunk)
            if size > LONGEST_BODY:
                raise EndpointError(f"the body is longer than {LONGEST_BODY >> 20} MB", status=200)
            if time.monotonic() > until:
                raise Passing("the body did not arrive in time", 200)
    except (EndpointError, Passing):
        raise
    except Exception as error:  # the transport's own kinds, which changed with the package's releases
        raise Passing(f"the connection broke: {type(error).__name__}", 200) from None
    return b"".join(chunks)


def completion_text(body: bytes, safe: Callable[[str], str]) -> str:
    """The text of a completion: a string, parts of one, or a refusal; empty for null."""
    try:
        data = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Passing(f"HTTP 200 with a body that is no JSON ({type(error).__name__})", 200) from None
    try:
        message = data["choices"][0]["message"]
        content, refusal = message.get("content"), message.get("refusal")
    except (KeyError, IndexError, TypeError, AttributeError):
        said = data.get("error") if isinstance(data, dict) else None
        raise Passing(safe(f"HTTP 200 without a completion{f': {said}' if said else ''}"), 200) from None
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    text = content or refusal or ""
    return text if isinstance(text, str) else json.dumps(text)


def retry_after(header: str | None) -> float | None:
    """Seconds from now, from either of the header's two forms; None where it says nothing that can be read."""
    try:
        return max(float(header or ""), 0.0)
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(header or "").timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
