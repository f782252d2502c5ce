"""A hash of values and of the code of functions: equal where they are, in every process of one Python version."""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import functools
import hashlib
import pathlib
import re
import types
import uuid
from typing import Any

import numpy as np

#: Values whose ``repr`` says all of them and is the same in every process; of exactly these types, since a subclass
#: may print anything.
_PLAIN = frozenset({
    str, bytes, bytearray, int, float, complex, bool, type(None), type(Ellipsis), type(NotImplemented), range,
    decimal.Decimal, fractions.Fraction, datetime.date, datetime.timedelta, datetime.timezone, uuid.UUID,
    pathlib.PurePosixPath, pathlib.PureWindowsPath, pathlib.PosixPath, pathlib.WindowsPath,
})  # fmt: skip
#: Depth of containers and of functions inside functions, and values in all; a function that encloses more is told
#: apart by its identity.
_DEEPEST = 60
_MOST = 100_000
#: What an object of a class written in Python, without slots, takes: a larger one holds what its ``__dict__`` does not
#: show.
_OPEN_SIZE = type("_Open", (), {}).__basicsize__


class Indescribable(Exception):
    """There is something in the value of which all cannot be said."""


class ValueDigest:
    """Digests of one function and what it encloses. A value that is met again is not gone through again: functions
    that enclose each other, and lists that hold themselves, come to an end, and in linear time."""

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}
        self._kept: list[Any] = []  # alive, so that no other value gets its id
        self._depth = self._met = 0

    def of(self, value: Any) -> bytes:
        """The digest of a value.

        Raises:
            Indescribable: of the value, or of one in it, all cannot be said.
        """
        self._met += 1
        if self._met > _MOST:
            raise Indescribable
        if type(value) in _PLAIN:
            # The decimal digits of a huge number are refused, and slow.
            return self._digest(type(value).__name__, f"{value:x}" if type(value) is int else repr(value))
        known = self._known.get(id(value))
        if known is not None:
            return known
        if self._depth >= _DEEPEST:
            raise Indescribable
        # Until it is known, it is the so-manieth value: that is what those in it that refer back to it hold.
        self._kept.append(value)
        self._known[id(value)] = self._digest("again", str(len(self._kept)))
        self._depth += 1
        try:
            found = self._known[id(value)] = self._composite(value)
        finally:
            self._depth -= 1
        return found

    def _composite(self, value: Any) -> bytes:
        kind = type(value)
        if kind in (tuple, list, types.MappingProxyType) or kind is dict or kind in (set, frozenset):
            return self._container(value)
        if isinstance(value, (np.generic, np.ndarray)):
            return self._array(value)
        if kind is re.Pattern:
            return self._digest("pattern", self.of(value.pattern), str(value.flags))
        if kind is slice:
            return self._digest("slice", *map(self.of, (value.start, value.stop, value.step)))
        if kind in (datetime.datetime, datetime.time):
            return self._digest(kind.__name__, repr(value.replace(tzinfo=None)), str(value.fold), self.of(value.tzinfo))
        if isinstance(value, enum.Enum):
            return self._digest("member", _name(kind), value.name, self.of(value.value))
        if kind is types.CodeType:
            return self._code(value)
        if kind is functools.partial:
            return self._digest("partial", *map(self.of, (value.func, value.args, value.keywords)))
        if kind is types.ModuleType:
            return self._digest("module", value.__name__)
        if isinstance(value, type):
            return self._class(value)
        return self._callable(value) if callable(value) else self._object(value)

    def _container(self, value: Any) -> bytes:
        if isinstance(value, (tuple, list)):
            return self._digest(type(value).__name__, *map(self.of, value))
        if isinstance(value, (set, frozenset)):  # in an order that differs between processes
            return self._digest(type(value).__name__, *sorted(map(self.of, value)))
        pairs = (self._digest("pair", self.of(k), self.of(v)) for k, v in value.items())
        return self._digest(type(value).__name__, *pairs)  # in their order, which a function may go by

    def _array(self, value: Any) -> bytes:
        if value.dtype.hasobject or type(value) not in (np.ndarray, value.dtype.type):
            raise Indescribable
        return self._digest(type(value).__name__, repr(value.dtype), str(value.shape), value.tobytes())

    def _code(self, code: types.CodeType) -> bytes:
        """All that it does, and not where it stands in its file: a comment above it changes nothing."""
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        handlers = getattr(code, "co_exceptiontable", b"")  # where an exception goes on, from Python 3.11
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        return self._digest("code", code.co_code, handlers, str(counts), *map(self.of, names), self.of(code.co_consts))

    def _callable(self, value: Any) -> bytes:
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if isinstance(value, types.MethodType):
            return self._digest("method", self.of(value.__func__), self.of(value.__self__))
        if isinstance(value, (types.BuiltinFunctionType, types.MethodWrapperType)):
            owner = value.__self__
            of = owner.__name__ if isinstance(owner, types.ModuleType) else self.of(owner)
            return self._digest("builtin", value.__qualname__, of)
        if isinstance(value, (types.MethodDescriptorType, types.WrapperDescriptorType, np.ufunc)):
            return self._digest("builtin", getattr(value, "__qualname__", value.__name__))
        if isinstance(value, functools._lru_cache_wrapper):
            return self._digest("cached", self.of(value.__wrapped__))
        return self._object(value)

    def _function(self, function: types.FunctionType) -> bytes:
        name = f"{function.__module__}.{function.__qualname__}"
        parts = (function.__code__, function.__defaults__, function.__kwdefaults__)
        return self._digest("function", name, *map(self.of, parts), *map(self._cell, function.__closure__ or ()))

    def _cell(self, cell: types.CellType) -> bytes:
        try:
            enclosed = cell.cell_contents
        except ValueError:
            return self._digest("empty")
        return self._digest("cell", self.of(enclosed))

    def _class(self, value: type) -> bytes:
        """By its name, as what a function reads elsewhere is; one that is made inside a function by what it holds."""
        if "<locals>" not in value.__qualname__:
            return self._digest("class", _name(value))
        own = {k: v for k, v in vars(value).items() if k not in ("__dict__", "__weakref__", "__doc__", "__module__")}
        own = {k: _unwrapped(v) for k, v in own.items() if not k.startswith(("__static_attr", "__firstline"))}
        return self._digest("class", _name(value), *map(self.of, value.__bases__), self.of(own))

    def _object(self, value: Any) -> bytes:
        """By its class and its attributes, where there is nothing else to it."""
        if type(value).__basicsize__ != _OPEN_SIZE or not hasattr(value, "__dict__"):
            raise Indescribable
        called = next((vars(c)["__call__"] for c in type(value).__mro__ if "__call__" in vars(c)), None)
        return self._digest("object", self.of(type(value)), self.of(vars(value)), self.of(called))

    def _digest(self, kind: str, *parts: str | bytes) -> bytes:
        """A hash of the parts with their lengths, so that none of them can run into the next."""
        digest = hashlib.sha256()
        for part in (kind, str(len(parts)), *parts):
            data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
            digest.update(len(data).to_bytes(8, "big") + data)
        return digest.digest()


def _unwrapped(attribute: Any) -> Any:
    """What a class holds, without the descriptor around it."""
    if isinstance(attribute, (staticmethod, classmethod)):
        return (type(attribute).__name__, attribute.__func__)
    if isinstance(attribute, property):
        return ("property", attribute.fget, attribute.fset, attribute.fdel)
    return attribute


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
