"""A fingerprint for a function that has none: its name and a hash of its code."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

#: Values whose ``repr`` says all of them and is the same in every process.
_PLAIN = (str, bytes, int, float, complex, bool, type(None), type(Ellipsis))
#: Depth of containers and of functions inside functions.
_DEPTH = 8


def function_fingerprint(function: Callable[..., Any]) -> str:
    """``module.qualname#hash`` over the code, its constants, defaults and enclosed plain values.

    It is the same in every process of one Python version. It does not see what the function reads elsewhere: globals,
    other functions, files, the state of an object. Where those matter, give ``FunctionJudge`` a fingerprint.
    """
    digest = hashlib.sha256()
    for part in _parts(function, _DEPTH):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    inner = _innermost(function)
    name = f"{getattr(inner, '__module__', None) or '?'}.{getattr(inner, '__qualname__', type(inner).__qualname__)}"
    return f"{name}#{digest.hexdigest()[:12]}"


def _innermost(function: Any) -> Any:
    """What holds the code: under a partial, a bound method, a cache. A decorator in Python holds it in its closure."""
    while isinstance(function, functools.partial):
        function = function.func
    function = getattr(function, "__func__", function)
    return function if hasattr(function, "__code__") else getattr(function, "__wrapped__", function)


def _parts(value: Any, depth: int) -> Iterator[str]:
    """Strings that differ where the values do; of what is not plain the type alone."""
    yield type(value).__name__
    if depth == 0:
        return
    if isinstance(value, _PLAIN):
        yield repr(value)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _parts(item, depth - 1)
    elif isinstance(value, (set, frozenset)):  # in an order that differs between processes
        yield from sorted("\0".join(_parts(item, depth - 1)) for item in value)
    elif isinstance(value, dict):
        yield from sorted("\0".join((*_parts(k, depth - 1), *_parts(v, depth - 1))) for k, v in value.items())
    elif isinstance(value, CodeType):
        yield value.co_code.hex()
        yield from (*value.co_names, *value.co_varnames, *value.co_freevars)
        yield from _parts(value.co_consts, depth - 1)
    elif isinstance(value, functools.partial):
        yield from _parts((value.func, value.args, value.keywords), depth - 1)
    elif callable(value):
        yield from _function_parts(value, depth)


def _function_parts(function: Any, depth: int) -> Iterator[str]:
    function = _innermost(function)
    yield f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"
    yield from _parts(getattr(function, "__code__", None), depth - 1)
    yield from _parts((getattr(function, "__defaults__", None), getattr(function, "__kwdefaults__", None)), depth - 1)
    for cell in getattr(function, "__closure__", None) or ():
        try:
            yield from _parts(cell.cell_contents, depth - 1)
        except ValueError:  # not filled yet
            yield ""
