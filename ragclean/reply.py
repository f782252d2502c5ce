"""What comes back from an endpoint: the text of a completion, or what went wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import Any


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


def completion_text(body: bytes, safe: Callable[[str], str]) -> str:
    """The text of a completion: a string, parts of one, or a refusal; empty for null."""
    try:
        data = json.loads(body.decode("utf-8-sig"))  # some servers write a byte order mark
    except (ValueError, RecursionError) as error:
        raise Passing(f"HTTP 200 with a body that is no JSON ({type(error).__name__})", 200) from None
    try:
        message = data["choices"][0]["message"]
        content, refusal = message.get("content"), message.get("refusal")
    except (KeyError, IndexError, TypeError, AttributeError):
        said = data.get("error") if isinstance(data, dict) else None
        raise Passing(safe(f"HTTP 200 without a completion{f': {said}' if said else ''}"), 200) from None
    if isinstance(content, list):
        content = "".join(map(_part_text, content))
    text = refusal or "" if content is None or isinstance(content, bool) or content == "" else content
    return text if isinstance(text, str) else json.dumps(text)


def _part_text(part: Any) -> str:
    """The text of one part of a content: a string, a number, or an object that holds either."""
    if isinstance(part, dict):
        part = "" if part.get("type") in ("reasoning", "thinking") else part.get("text")
        if isinstance(part, dict):  # the assistants' form: {"text": {"value": ...}}
            part = part.get("value")
    if isinstance(part, bool) or not isinstance(part, (str, int, float)):
        return ""
    return str(part)


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
