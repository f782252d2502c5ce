import datetime
import decimal
import enum
import functools
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from ragclean.signals.code_fingerprint import function_fingerprint


def length(query, text):
    return len(text) / 100


def made(body, name="judge"):
    """A function from its source, as if its file had been edited."""
    space = {"__name__": "mine"}
    exec(f"def {name}(query, text, scale=1.0):\n    {body}", space)
    return space[name]


def test_it_names_the_function():
    assert function_fingerprint(length).startswith("test_code_fingerprint.length#")


def test_the_same_code_is_the_same():
    assert function_fingerprint(made("return 0.5")) == function_fingerprint(made("return 0.5"))


@pytest.mark.parametrize("other", [
    made("return 0.6"), made("return 0.5", "another"), made("return scale"), made("return len(text)"),
    made("return 'yes' in {'yes', 'no'}"), made("return (lambda x: x + 1)(0)"), made("return (lambda x: x + 2)(0)"),
])  # fmt: skip
def test_other_code_is_another(other):
    others = [made("return 0.5"), made("return (lambda x: x + 3)(0)"), made("return 'yes' in {'yes', 'now'}")]
    assert function_fingerprint(other) not in {function_fingerprint(each) for each in others}


def test_defaults_closures_partials_and_decorators_count():
    def closed(threshold):
        return lambda query, text: float(len(text) > threshold)

    def doubled(function):
        @functools.wraps(function)
        def wrapper(*arguments):
            return 2 * function(*arguments)

        return wrapper

    changed = made("return 0.5")
    changed.__defaults__ = (2.0,)
    each = [
        made("return 0.5"), changed, closed(1), closed(2), length, functools.partial(length, "q"),
        functools.partial(length, "p"), doubled(length),
    ]  # fmt: skip
    assert len({function_fingerprint(f) for f in each}) == len(each)
    assert function_fingerprint(functools.lru_cache(length)) == function_fingerprint(functools.lru_cache(length))
    assert function_fingerprint(functools.lru_cache(length)) != function_fingerprint(functools.lru_cache(made("return 1")))


def test_a_function_that_holds_itself():
    def again(query, text):
        return again(query, text[1:]) if text else 0.0

    assert function_fingerprint(again) == function_fingerprint(again)


def test_methods_and_builtins_have_one():
    class Scorer:
        def score(self, query, text):
            return 0.5

    assert "Scorer.score#" in function_fingerprint(Scorer().score)
    assert function_fingerprint(max).startswith("builtins.max#")


def test_it_is_the_same_in_another_process():
    code = (
        "from ragclean.signals.code_fingerprint import function_fingerprint\n"
        "def f(q, t, allowed=frozenset('abcdef')):\n"
        "    return float(q in {'one', 'two', 'three', 'four'} and (lambda x: x)(t) in allowed)\n"
        "print(function_fingerprint(f))"
    )
    found = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                       env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(found) == 1


def written(source):
    space = {"__name__": "mine"}
    exec(source, space)
    return space["judge"]


@pytest.mark.parametrize("one, other", [
    ("def judge(q, t):\n try:\n  v = f(t)\n  w = g(v)\n except ValueError:\n  return 0.0\n return w",
     "def judge(q, t):\n try:\n  v = f(t)\n except ValueError:\n  return 0.0\n w = g(v)\n return w"),
    ("def judge(q, t):\n return len(t) / 9", "def judge(q, *t):\n return len(t) / 9"),
    ("def judge(q, t):\n return len(t) / 9", "def judge(q, *, t):\n return len(t) / 9"),
    ("def judge(q, t, **k):\n return len(k) / 9", "def judge(q, t, *k):\n return len(k) / 9"),
    ("def judge(q, t):\n return (lambda: (lambda: (lambda: .1)())())()", "def judge(q, t):\n return (lambda: (lambda: (lambda: .9)())())()"),
    ("def judge(q, t):\n return 0.0", "def judge(q, t):\n return -0.0"), ("def judge(q, t):\n return 1", "def judge(q, t):\n return True"),
], ids=["exception-table", "rest", "keyword-only", "keywords", "deep", "sign", "type"])  # fmt: skip
def test_code_that_does_something_else_is_another(one, other):
    assert function_fingerprint(written(one)) != function_fingerprint(written(other))
    assert function_fingerprint(written(one)) == function_fingerprint(written(one + "  # a comment"))


def closing_over(value):
    def judge(query, text):
        return value

    return judge


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Held:
    def __init__(self, key):
        self.key = key

    def score(self, query, text):
        return self.key

    def __call__(self, query, text):
        return self.key


class Slotted:
    __slots__ = ("key",)

    def __init__(self, key):
        self.key = key


def nested(value, depth):
    return nested([value], depth - 1) if depth else value


VALUES = [
    ([["a", "b"], "c"], [["a", "b", "c"]]), ([[], [1]], [[[1]]]), ([(1, 2), 3], [(1, 2, 3)]), ("ab", ["a", "b"]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({"a": [1]}, {"a": [2]}), (np.float32(0.3), np.float32(0.7)), (np.int64(3), np.int64(4)),
    (np.array([1, 2]), np.array([1, 3])), (np.array([[1, 2]]), np.array([[1], [2]])), (np.float32(1), np.float64(1)),
    (decimal.Decimal("1"), decimal.Decimal("2")), (datetime.date(2024, 1, 1), datetime.date(2025, 1, 1)),
    (datetime.datetime(2024, 1, 1), datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)),
    (re.compile("a"), re.compile("b")), (re.compile("a"), re.compile("a", re.I)), (range(3), range(4)), (slice(1), slice(2)),
    (bytearray(b"a"), bytearray(b"b")), (Level.LOW, Level.HIGH), (Held(1), Held(2)), (Held([1]).score, Held([2]).score),
    (nested(1, 20), nested(2, 20)), (10**5000, 10**5000 + 1), ("\ud800", "\ud801"), (frozenset("ab"), frozenset("ac")),
    ({("a", 1)}, {("a", 2)}),
]  # fmt: skip


@pytest.mark.parametrize("wrap", [closing_over, lambda value: functools.partial(max, value)], ids=["closure", "partial"])
@pytest.mark.parametrize("one, other", VALUES, ids=[f"{type(one).__name__}-{i}" for i, (one, _) in enumerate(VALUES)])
def test_values_count_whole(wrap, one, other):
    assert function_fingerprint(wrap(one)) == function_fingerprint(wrap(one))
    assert function_fingerprint(wrap(one)) != function_fingerprint(wrap(other))


@pytest.mark.parametrize("one, other", [
    (object(), object()), (Slotted(1), Slotted(2)), (nested(1, 200), nested(2, 200)), (np.array([object()]), np.array([object()])),
    (list(range(200_000)), list(range(1, 200_001))),
], ids=["object", "slots", "deep", "objects", "huge"])  # fmt: skip
def test_what_cannot_be_described_is_told_apart_by_what_it_is(one, other):
    first, second = closing_over(one), closing_over(other)
    assert function_fingerprint(first) == function_fingerprint(first)
    assert len({function_fingerprint(f) for f in (first, second, closing_over(one))}) == 3


def test_methods_are_told_apart_by_their_objects():
    assert function_fingerprint(Held(0.1).score) != function_fingerprint(Held(0.9).score)
    assert function_fingerprint(Held(0.1).score) == function_fingerprint(Held(0.1).score)
    owner = Held(object())
    assert function_fingerprint(owner.score) == function_fingerprint(owner.score) != function_fingerprint(Held(object()).score)
    assert function_fingerprint(Held(0.1)) != function_fingerprint(Held(0.9))


def mutual(n):
    body = "".join(f" def f{i}(x):\n  return x and ({' or '.join(f'f{k}(x - 1)' for k in range(n))})\n" for i in range(n))
    return written(f"def make():\n{body} def judge(q, t):\n  return {'+'.join(f'f{k}(1)' for k in range(n))}\n return judge\njudge = make()")


def test_what_refers_to_itself_comes_to_an_end(no_blow_up):
    itself = []
    itself.extend([itself] * 50)
    ring = {}
    ring["a"] = [ring, {"b": ring}] * 20
    with no_blow_up():
        assert function_fingerprint(mutual(40)) == function_fingerprint(mutual(40)) != function_fingerprint(mutual(39))
        assert function_fingerprint(closing_over(itself)) != function_fingerprint(closing_over(ring))


def test_a_class_made_inside_a_function_counts_with_its_code():
    def local(number):
        class Local:
            @property
            def score(self):
                return (lambda: number)()

        return Local

    assert function_fingerprint(closing_over(local(1))) == function_fingerprint(closing_over(local(1)))
    assert function_fingerprint(closing_over(local(1))) != function_fingerprint(closing_over(local(2)))
