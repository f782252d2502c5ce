"""Pairs whose relation is known, to see whether an encoder's scale bears the thresholds that mean near-identity.

On the profile a paraphrase must stay below the duplicate threshold (0.95) and the threshold above which two names
count as one (0.98), and unrelated text below the threshold for sentences: an encoder that fails there does harm.
Texts that differ in punctuation alone should reach 0.98, and texts that differ in a number should not reach 0.95.
An encoder that fails there has a limit that does no harm: a copy is missed, or the corrector sees the number itself
(two sentences that differ in one are no duplicates whatever an encoder says).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ragclean.signals.base import SemanticEncoder
from ragclean.signals.profile import measure_profile

Relation = Literal["identical", "paraphrase", "other_number", "unrelated"]

#: Same sentences: above this one of two goes (``CorrectorConfig.duplicate_threshold``).
DUPLICATE_THRESHOLD = 0.95
#: Same name: above this two count as one.
NAME_THRESHOLD = 0.98
#: What shares no topic must stay below the threshold for sentences, or filler would pass for an answer.
UNRELATED_CEILING = 0.35
#: Transformers read punctuation too (0.76..0.97 were measured); below this an encoder does not know copies at all.
COPY_FLOOR = 0.7


@dataclass(frozen=True, slots=True)
class EquivalenceCheck:
    """What an encoder says of one pair, on its profile (0: unrelated, 1: identical)."""

    language: str
    relation: Relation
    first: str
    second: str
    similarity: float
    expected: str
    """In words: ``>= 0.98``, ``< 0.95``, ``< 0.35``."""
    passed: bool
    advisory: bool = False
    """A failure is a limit of the encoder that the corrector makes up for, not a fault of the scale."""


_PAIRS: tuple[tuple[str, Relation, str, str], ...] = (
    ("zh", "identical", "保修期内免费更换屏幕。", "保修期内，免费更换屏幕"),
    ("zh", "identical", "退款将在七个工作日内原路退回！", "退款将在七个工作日内原路退回"),
    ("en", "identical", "Refunds are paid within seven working days.", "refunds are paid, within seven working days"),
    ("en", "identical", "The warranty covers the screen.", "The warranty covers the screen!"),
    ("zh", "paraphrase", "保修期内免费更换屏幕。", "还在质保期的话，换屏不用花钱。"),
    ("zh", "paraphrase", "客服会在一天内回复邮件。", "发来的邮件，客服当天之内答复。"),
    ("zh", "paraphrase", "会员可以提前退租，但要付违约金。", "提前退租对会员是允许的，不过须缴纳违约费用。"),
    ("zh", "paraphrase", "设备应放在通风干燥的地方。", "请把机器摆在干爽、空气流通之处。"),
    ("en", "paraphrase", "Refunds are paid within seven working days.", "Money comes back in seven business days."),
    ("en", "paraphrase", "The warranty covers the screen.", "Screen damage is included in the guarantee."),
    ("en", "paraphrase", "Keep it in a dry, airy place.", "Store the machine somewhere dry and ventilated."),
    ("en", "paraphrase", "Support answers emails within a day.", "The help desk replies to mail in one day."),
    ("zh", "other_number", "保修期为12个月，自购买之日起计算。", "保修期为24个月，自购买之日起计算。"),
    ("zh", "other_number", "X200的售价为1299元。", "X300的售价为1299元。"),
    ("en", "other_number", "The warranty lasts 12 months from sale.", "The warranty lasts 24 months from sale."),
    ("en", "other_number", "Version 2.4 supports up to 50 users.", "Version 2.4 supports up to 80 users."),
    ("zh", "unrelated", "保修期内免费更换屏幕。", "海水温度升高会让珊瑚褪色。"),
    ("zh", "unrelated", "客服会在一天内回复邮件。", "炒糖色的时候火不能太大。"),
    ("en", "unrelated", "Refunds are paid within seven working days.", "Bees remember landmarks near the hive."),
    ("en", "unrelated", "The warranty covers the screen.", "Dough may rest overnight in the fridge."),
)


def check_equivalence(encoder: SemanticEncoder) -> tuple[EquivalenceCheck, ...]:
    """Compare each pair with the relation it is known to have; ``ragclean doctor`` lists those that failed."""
    profile = measure_profile(encoder)
    first = encoder.encode_passages([pair[2] for pair in _PAIRS])
    second = encoder.encode_passages([pair[3] for pair in _PAIRS])
    similarities = profile.sentence(np.einsum("ij,ij->i", first, second))
    return tuple(
        _check(*pair, similarity=float(value)) for pair, value in zip(_PAIRS, similarities, strict=True)
    )


def _check(language: str, relation: Relation, first: str, second: str, *, similarity: float) -> EquivalenceCheck:
    if relation == "identical":
        expected, passed = f">= {NAME_THRESHOLD}", similarity >= NAME_THRESHOLD
    elif relation == "unrelated":
        expected, passed = f"< {UNRELATED_CEILING}", similarity < UNRELATED_CEILING
    else:
        expected, passed = f"< {DUPLICATE_THRESHOLD}", similarity < DUPLICATE_THRESHOLD
    advisory = relation == "other_number" or (relation == "identical" and similarity >= COPY_FLOOR)
    return EquivalenceCheck(
        language, relation, first, second, round(similarity, 4), expected, passed, advisory=advisory
    )
