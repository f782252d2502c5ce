"""A case made of a result, as plain data throughout."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import Any

from ragclean.badcases.record import (
    BadCase,
    Expected,
    Verdict,
    check_options,
    check_verdict,
    chunk_from_dict,
    outcome_of,
    plain_chunks,
    with_ids,
)
from ragclean.config import CorrectorConfig
from ragclean.result import RefinedContext
from ragclean.screen import coerce, shown
from ragclean.types import Chunk

#: Bytes of randomness in an id: two of a million cases agree with a probability of one to 37 millions.
_ID_BYTES = 8


def case_of(
    result: RefinedContext,
    *,
    verdict: Verdict | None,
    expected: Expected | Mapping[str, Any] | None,
    note: str,
    candidates: Iterable[Any] | None,
    options: Mapping[str, Any] | None,
    config: CorrectorConfig | Mapping[str, Any] | None,
) -> BadCase:
    """A new case, with an id of its own.

    Raises:
        ValueError: the result knows no candidates and none are given, or an argument is malformed, by name.
    """
    if not isinstance(result, RefinedContext):
        raise TypeError(f"result: expected a RefinedContext, got {type(result).__name__}")
    chunks = plain_chunks(candidates_of(result, candidates))
    settings = CorrectorConfig.from_dict(config) if isinstance(config, Mapping) else config
    return BadCase(
        id=secrets.token_hex(_ID_BYTES),
        query=result.query,
        # Plain before anything is redacted: metadata may be an object with a text of its own.
        candidates=tuple(chunk_from_dict(c, f"candidates[{i}]") for i, c in enumerate(chunks)),
        as_of=result.as_of,
        options=check_options(result.options if options is None else options),
        config=None if settings is None else settings.to_dict(),
        fingerprint=result.fingerprint,
        outcome=outcome_of(result),
        verdict=check_verdict(verdict),
        expected=as_expected(expected),
        note=as_note(note),
        recorded_at=datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
    )


def as_expected(value: Expected | Mapping[str, Any] | None) -> Expected:
    """Labels of an argument.

    Raises:
        ValueError: they are malformed; the message names the field.
    """
    if value is None:
        return Expected()
    return value if isinstance(value, Expected) else Expected.from_dict(value)


def as_note(value: Any) -> str:
    """A note of an argument.

    Raises:
        ValueError: it is no string.
    """
    if not isinstance(value, str):
        raise ValueError(f"note: expected a string, got {shown(value)}")
    return value


def candidates_of(result: RefinedContext, given: Iterable[Any] | None) -> tuple[Chunk, ...]:
    """What was refined, each with its id: ``given``, else what the result knows.

    Raises:
        ValueError: the result was restored from JSON and knows none, or ``given`` is no iterable of chunks.
    """
    if given is None:
        # A result of ``refine`` always knows its options, also where no candidate could be read.
        if not result.candidates and not result.options:
            raise ValueError("candidates: the result was restored from JSON and does not know them; pass candidates=")
        return result.candidates
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise ValueError(f"candidates: expected an iterable of chunks, got {type(given).__name__}")
    read = [coerce(item, []) for item in given]
    # Ids count all candidates, also those that cannot be read, as refining does.
    named = with_ids([Chunk("") if chunk is None else chunk for chunk in read])
    return tuple(chunk for chunk, known in zip(named, read, strict=True) if known is not None)
