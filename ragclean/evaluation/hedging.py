"""Does an answer name another value beside the right one: '24 to 48 hours', '12小时或50小时'?

Only what cannot be read otherwise is found here: a range one of whose ends is the right value, and two values that
could stand for each other with nothing but 'or' or 'to' between them. It overrules any judge.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragclean.evaluation.reading import Reading, Stated, read
from ragclean.evaluation.reading_compare import comparable, same

#: Between two values of which one is offered in place of the other.
_OR = re.compile(
    r"\s?(?:或者?|或是|还是|到|至|~|-|/|、|or|to|and|与|和|跟)\s?(?:是|为)?\s?"
    r"|\s?[,;]\s?(?:或者?|也有|or|有的)[^\d。\n]{0,8}"
)


def hedges_value(point: str, answer: str, known: Sequence[str]) -> bool:
    """True where ``answer`` offers another value beside the one that ``point`` states.

    Args:
        known: question, reference and other points: values that they state too are no rivals.
    """
    right = [s for s in read(point).values if not s.aside]
    said = read(answer)
    allowed = [s for text in known for s in read(text).values]
    return any(_offers_another(s, said, allowed) for s in right)


def _offers_another(right: Stated, said: Reading, allowed: Sequence[Stated]) -> bool:
    for i, s in enumerate(said.values):
        if _is_range_around(s, right) and not any(same(s, a) for a in allowed):
            return True
        beside = said.values[i + 1 : i + 2]
        if beside and (same(s, right) or same(beside[0], right)):
            other = beside[0] if same(s, right) else s
            between = said.folded[s.value.end : beside[0].value.start]
            if (
                not s.aside
                and not beside[0].aside
                and comparable(s.value, beside[0].value)
                and not any(same(other, a) for a in allowed)
                and _OR.fullmatch(between)
            ):
                return True
    return False


def _is_range_around(s: Stated, right: Stated) -> bool:
    low, high = s.value.low, s.value.high
    if low is None or high is None or low == high or s.value.kind in ("date", "version"):
        return False
    if not comparable(s.value, right.value) or s.value.unit != right.value.unit:
        return False
    ends = [x for x in (right.value.low, right.value.high) if x is not None]
    return len(set(ends)) == 1 and low <= ends[0] <= high
