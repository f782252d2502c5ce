"""A fingerprint for a function that has none: its name and a hash of its code."""

from __future__ import annotations

import functools
import hashlib
import uuid
import weakref
from collections.abc import Callable
from typing import Any

from ragclean.signals.value_digest import Indescribable, ValueDigest


def function_fingerprint(function: Callable[..., Any]) -> str:
    """``module.qualname#hash`` over the code, its constants, defaults, enclosed values and the object it belongs to.

    It is the same in every process of one Python version. It does not see what the function reads elsewhere: globals,
    other modules' functions, files. Where those matter, give ``FunctionJudge`` a fingerprint. A function that encloses
    what cannot be described (a model, an open connection) gets one that holds for this object alone: too many
    fingerprints cost a cache's hits, one for two different judges would be a wrong answer.
    """
    inner = innermost(function)
    name = f"{getattr(inner, '__module__', None) or '?'}.{getattr(inner, '__qualname__', type(inner).__qualname__)}"
    try:
        return f"{name}#{ValueDigest().of(function).hex()[:12]}"
    except Indescribable:
        return f"{name}#{hashlib.sha256(_token(function).encode()).hexdigest()[:12]}"


def innermost(function: Any) -> Any:
    """What holds the code: under a partial, a bound method, a cache. A decorator in Python holds it in its closure."""
    while isinstance(function, functools.partial):
        function = function.func
    function = getattr(function, "__func__", function)
    return function if hasattr(function, "__code__") else getattr(function, "__wrapped__", function)


#: Names of objects, by identity, as long as they live.
_tokens: dict[int, tuple[weakref.ref[Any], str]] = {}


def _token(function: Any) -> str:
    """The same for the same function, whatever it encloses; a method is made anew at each access, so it is its
    object's and its function's. What takes no weak reference gets another one each time."""
    owner = getattr(function, "__self__", None)
    if owner is not None and hasattr(function, "__func__"):
        return f"{_token(owner)}.{_token(function.__func__)}"
    known = _tokens.get(id(function))
    if known is not None and known[0]() is function:
        return known[1]
    token, key = uuid.uuid4().hex, id(function)
    try:
        _tokens[key] = (weakref.ref(function, lambda _: _tokens.pop(key, None)), token)
    except TypeError:
        pass
    return token
