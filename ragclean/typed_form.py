"""Whether frozen data that was read from a file holds what its fields say: a class takes whatever it is given."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

#: Whole numbers from here on are no floats.
_LARGEST_BITS = 1023


def check_types(record: Any, where: str) -> None:
    """Refuse a dataclass with a value that its annotations do not allow, at any depth.

    Args:
        where: what the record is called in a message.

    Raises:
        ValueError: names the field, what it should hold and what it holds.
    """
    _check(record, type(record), where, set())


@lru_cache(maxsize=64)
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _check(value: Any, hint: Any, where: str, checked: set[int]) -> None:
    """``checked``: the ids of records that were looked at; what stands in several places is looked at once."""
    if isinstance(hint, type) and is_dataclass(hint):
        if not isinstance(value, hint):
            raise _other(value, hint, where)
        if id(value) not in checked:
            checked.add(id(value))
            for name, inner in _hints(type(value)).items():
                _check(getattr(value, name), inner, f"{where}.{name}", checked)
    elif get_origin(hint) in (Union, UnionType):
        _check_union(value, get_args(hint), where, checked)
    elif get_origin(hint) is tuple:
        if not isinstance(value, tuple):
            raise _other(value, hint, where)
        kinds = get_args(hint)
        if kinds[-1] is Ellipsis:
            kinds = kinds[:1] * len(value)
        if len(kinds) != len(value):
            raise _other(value, hint, where)
        for at, (item, kind) in enumerate(zip(value, kinds, strict=True)):
            _check(item, kind, f"{where}[{at}]", checked)
    elif not _plain(value, hint):
        raise _other(value, hint, where)


def _check_union(value: Any, hints: tuple[Any, ...], where: str, checked: set[int]) -> None:
    """One of them; where several could be meant, the message is that of the first that is no None."""
    if value is None and NoneType in hints:
        return None
    failed: ValueError | None = None
    for hint in (h for h in hints if h is not NoneType):
        try:
            return _check(value, hint, where, checked)
        except ValueError as error:
            failed = failed or error
    raise failed or _other(value, None, where)


def _plain(value: Any, hint: Any) -> bool:
    if get_origin(hint) is Literal:
        return any(value == one and type(value) is type(one) for one in get_args(hint))
    if hint is float:
        if isinstance(value, int) and not isinstance(value, bool):
            return value.bit_length() < _LARGEST_BITS
        return isinstance(value, float) and math.isfinite(value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if get_origin(hint) is Mapping:
        return isinstance(value, Mapping)
    return hint is Any or not isinstance(hint, type) or isinstance(value, hint)


def _other(value: Any, hint: Any, where: str) -> ValueError:
    wanted = " or ".join(map(repr, get_args(hint))) if get_origin(hint) is Literal else getattr(hint, "__name__", hint)
    return ValueError(f"{where}: expected {wanted}, got {value!r:.60}")
