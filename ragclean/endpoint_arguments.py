"""What an endpoint is built from, checked by name before anything is sent."""

from __future__ import annotations

import json
import math
import numbers
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

_RESERVED = frozenset({"model", "messages", "stream", "n"})
#: Seconds; what is longer is no wait, and threads cannot be told to wait much longer.
_LONGEST_WAIT = 1_000_000.0


def checked_whole(name: str, value: Any, least: int) -> int:
    """A whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < least:
        raise ValueError(f"{name}: must be a whole number of at least {least}, got {value!r:.80}")
    return int(value)


def checked_seconds(name: str, value: Any, least: float) -> float:
    """A finite number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise ValueError(f"{name}: must be a finite number of seconds, got {value!r:.80}")
    seconds = float(value)
    if not least <= seconds <= _LONGEST_WAIT:
        raise ValueError(f"{name}: must be at least {least} and at most {_LONGEST_WAIT:g}, got {seconds}")
    return seconds


def checked_model(model: Any) -> str:
    """The name of a model, as it can be sent."""
    if not isinstance(model, str) or not model.strip():
        raise ValueError("model: expected the name of a model")
    if any("\ud800" <= c <= "\udfff" for c in model):
        raise ValueError("model: holds a character that cannot be sent")
    return model


def checked_url(url: Any) -> str:
    """An address without a trailing slash. The message never quotes it: somebody may have put the key into it."""
    # An empty address is a setting that was forgotten: nothing is sent to another one instead.
    if not isinstance(url, str):
        raise ValueError(f"base_url: expected a string, got {type(url).__name__}")
    if not url.isprintable() or " " in url:  # urlsplit would drop line breaks and ask another address
        raise ValueError("base_url: holds blanks or characters that no address has")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError("base_url: its host or port cannot be read") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise ValueError("base_url: expected http(s)://host/..." + ("" if url else ", got an empty string"))
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("base_url: credentials and queries do not belong in it; the key goes into api_key")
    return url.rstrip("/")


def checked_key(key: Any) -> str | None:
    """A key without the blanks around it; None where there is none."""
    if key is not None and not isinstance(key, str):
        raise ValueError(f"api_key: expected a string, got {type(key).__name__}")
    key = (key or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ValueError("api_key: holds characters that no key has")
    return key or None


def checked_parameters(parameters: Any) -> dict[str, Any]:
    """A copy, as it will be sent."""
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping):
        raise ValueError(f"parameters: expected a mapping, got {type(parameters).__name__}")
    strange = [name for name in parameters if not isinstance(name, str)]
    if strange:
        raise ValueError(f"parameters: {strange[0]!r:.80} is no name")
    reserved = sorted(_RESERVED & set(parameters))
    if reserved:
        raise ValueError(f"parameters: {', '.join(reserved)} cannot be set here")
    try:
        copied: dict[str, Any] = json.loads(canonical(parameters))
        json.dumps(copied, ensure_ascii=False).encode("utf-8")  # a lone surrogate cannot be sent
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"parameters: not JSON ({error})") from None
    return copied


def canonical(value: Any) -> bytes:
    """The same bytes for the same request."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain).encode("ascii")


def _plain(value: Any) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is none of its kinds")
