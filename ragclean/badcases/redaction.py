"""Take out of a case what must not be kept, before it is written anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ragclean.badcases.record import BadCase, Expected, Part
from ragclean.types import Chunk

Redact = Callable[[str], str]

#: Keys of an outcome whose strings are the library's own words or name a chunk.
_STRUCTURE = frozenset(
    {"id", "chunk_id", "chunk_ids", "also_in", "copies", "stage", "reason", "code", "kind", "flags", "mode", "notes"}
)


#: Fields of an outcome that say a text's values and words in another form ('1,234,567 euros' as 'money:1234567EUR'),
#: which a hook made for texts cannot see.
_DERIVED = frozenset({"normalized", "slot"})
#: A word of the library, a hash, a date: what stays where a field is the library's own.
_OWN_WORD = re.compile(r"[a-z_]{0,24}|[0-9a-f]{16}|\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:\+00:00|Z)?")


class RedactionError(ValueError):
    """A redaction hook failed, or gave no string; the message names the field and quotes no text."""


def redacted_case(case: BadCase, redact: Redact) -> BadCase:
    """A case with every text passed through ``redact``: query, chunks, options, outcome, configuration, labels, note.

    Left as they are: ids, sources, lineages, versions and dates of chunks, and what the library itself wrote (stages,
    reasons, codes).

    Raises:
        RedactionError: the hook raised or gave no string.
    """
    return replace(
        case,
        query=_text(case.query, redact, "query"),
        candidates=tuple(_chunk(c, redact, f"candidates[{i}]") for i, c in enumerate(case.candidates)),
        options={
            name: value if name == "pinned" else _tree(value, redact, f"options.{name}")
            for name, value in case.options.items()
        },
        config=None if case.config is None else _values(case.config, redact, "config"),
        fingerprint=_own(case.fingerprint, redact, "fingerprint"),
        recorded_at=_own(case.recorded_at, redact, "recorded_at"),
        outcome=_tree(_without_derived(case.outcome), redact, "outcome", spare=_STRUCTURE),
        expected=redacted_expected(case.expected, redact),
        note=_text(case.note, redact, "note"),
    )


def redacted_expected(expected: Expected, redact: Redact) -> Expected:
    """Labels with their strings redacted; chunk ids stay.

    Raises:
        RedactionError: the hook raised or gave no string.
        ValueError: what is left is no label (blank, or the same in ``accepted`` and ``wrong``).
    """
    plain = {
        name: tuple(_text(v, redact, f"expected.{name}[{i}]") for i, v in enumerate(getattr(expected, name)))
        for name in ("accepted", "wrong")
    }
    parts = {
        name: tuple(
            Part(p.chunk_id, _text(p.text, redact, f"expected.{name}[{i}].text"))
            for i, p in enumerate(getattr(expected, name))
        )
        for name in ("keep_sentences", "drop_sentences")
    }
    return Expected(
        accepted=plain["accepted"],
        wrong=plain["wrong"],
        keep=expected.keep,
        drop=expected.drop,
        keep_sentences=parts["keep_sentences"],
        drop_sentences=parts["drop_sentences"],
    )


def redacted_note(note: str, redact: Redact) -> str:
    """A note, redacted.

    Raises:
        RedactionError: the hook raised or gave no string.
    """
    return _text(note, redact, "note")


def _chunk(chunk: Chunk, redact: Redact, where: str) -> Chunk:
    return replace(
        chunk,
        text=_text(chunk.text, redact, f"{where}.text"),
        title=_text(chunk.title, redact, f"{where}.title"),
        uri=None if chunk.uri is None else _text(chunk.uri, redact, f"{where}.uri"),
        metadata=_tree(chunk.metadata, redact, f"{where}.metadata"),
    )


def _text(text: str, redact: Redact, where: str) -> str:
    try:
        given: Any = redact(text)
    except Exception as error:
        raise RedactionError(f"{where}: the redaction raised {type(error).__name__}; nothing was written") from error
    if not isinstance(given, str):
        name = type(given).__name__
        raise RedactionError(f"{where}: the redaction gave no string but {name}; nothing was written")
    return str.__str__(given)


def _tree(value: Any, redact: Redact, where: str, spare: frozenset[str] = frozenset()) -> Any:
    """Every string of plain data, keys too but for those that ``spare`` names; what stands under these stays."""
    if isinstance(value, str):
        return _text(value, redact, where)
    if isinstance(value, Mapping):
        out: dict[str, Any] = {}
        for key, item in value.items():
            if key in spare and (isinstance(item, str) or _plain_list(item)):
                out[key] = item
                continue
            name = key if spare else _text(key, redact, f"{where} (a key)")
            while name in out:  # two keys that are one once redacted
                name += "'"
            out[name] = _tree(item, redact, f"{where}.{name}", spare)
        return out
    if isinstance(value, (list, tuple)):
        return [_tree(item, redact, f"{where}[{i}]", spare) for i, item in enumerate(value)]
    return value


def _values(config: Mapping[str, Any], redact: Redact, where: str) -> dict[str, Any]:
    """A configuration: numbers and the library's own words stay; names, patterns and provenance are the user's."""
    return {
        name: (_own if isinstance(value, str) else _tree)(value, redact, f"{where}.{name}")
        for name, value in config.items()
    }


def _own(text: str, redact: Redact, where: str) -> str:
    return text if _OWN_WORD.fullmatch(text) else _text(text, redact, where)


def _plain_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(v, str) for v in value)


def _without_derived(value: Any) -> Any:
    """Plain data without the fields that repeat a text in another form."""
    if isinstance(value, Mapping):
        return {k: _without_derived(v) for k, v in value.items() if k not in _DERIVED}
    if isinstance(value, (list, tuple)):
        return [_without_derived(v) for v in value]
    return value
