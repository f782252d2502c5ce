"""Untrusted texts in a prompt: JSON strings of a user's message, which they cannot end, nor speak as another role."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ragclean.signals.model_text import model_text

#: Marks by which chat templates part roles (<|im_start|>, </s>, <start_of_turn>, <｜User｜>, [INST]): a server that
#: reads them in a message's text would let a passage speak as the system.
_ROLE_MARKS = re.compile(r"<(?=[|｜/a-zA-Z<])|\[(?=/?[A-Z_]+\])")


def framed(data: Mapping[str, Any]) -> str:
    """The data as one line of JSON; marks of roles inside it are written as JSON escapes, which read the same."""
    line = json.dumps(_fit(data), ensure_ascii=False)
    return _ROLE_MARKS.sub(lambda m: f"\\u{ord(m[0]):04x}", line)


def unmarked(text: str) -> str:
    """A text for a place where JSON would be out of place: a blank parts what would be read as a mark of a role."""
    return _ROLE_MARKS.sub(lambda m: m[0] + " ", model_text(text))


def _fit(value: Any) -> Any:
    if isinstance(value, str):
        return model_text(value)
    if isinstance(value, Mapping):
        return {key: _fit(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_fit(item) for item in value]
    return value
