"""A corrector as plain data, for frameworks that write their components to files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragclean.config import CorrectorConfig
from ragclean.corrector import NoiseCorrector

#: Parts of a corrector that a name can stand for.
NAMED = ("encoder", "judge")


def write_corrector(corrector: NoiseCorrector) -> dict[str, Any]:
    """``config``, ``encoder`` and ``judge``: what it was made of.

    Raises:
        ValueError: it has a part that no name stands for (an object, a function); the message names it.
    """
    config, encoder, judge, keywords, count_tokens = corrector.__reduce__()[1]
    parts = {"encoder": encoder, "judge": judge, "keywords": keywords, "count_tokens": count_tokens}
    for name, part in parts.items():
        if part is not None and not (name in NAMED and isinstance(part, str)):
            raise ValueError(
                f"{name}: a {type(part).__name__} cannot be written; name it by a string, or make the corrector in code"
            )
    return {"config": config.to_dict(), **{name: parts[name] for name in NAMED}}


def read_corrector(data: Mapping[str, Any]) -> NoiseCorrector:
    """What :func:`write_corrector` wrote; the defaults for what is not there.

    Raises:
        TypeError, ValueError: a key is no part, or its value cannot be read.
    """
    unknown = sorted(set(data) - {"config", *NAMED})
    if unknown:
        raise ValueError(f"corrector: unknown keys {', '.join(unknown)}")
    for name in NAMED:
        if not isinstance(data.get(name), (str, type(None))):
            raise TypeError(f"{name}: expected a name, got {type(data[name]).__name__}")
    config = data.get("config")
    if not isinstance(config, (Mapping, type(None))):
        raise TypeError(f"config: expected a mapping, got {type(config).__name__}")
    made = None if config is None else CorrectorConfig.from_dict(config)
    return NoiseCorrector(config=made, encoder=data.get("encoder"), judge=data.get("judge"))
