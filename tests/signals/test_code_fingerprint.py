import functools
import os
import subprocess
import sys

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
