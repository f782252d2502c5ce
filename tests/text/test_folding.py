from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragclean.text.folding import fold, language

ANY_TEXT = st.text(st.characters(codec=None))


@given(ANY_TEXT)
def test_folding_moves_no_offset_and_is_done_once(text: str) -> None:
    folded = fold(text)
    assert len(folded) == len(text)
    assert fold(folded) == folded


def test_every_character_keeps_its_place() -> None:
    everything = "".join(map(chr, range(0x110000)))
    assert len(fold(everything)) == len(everything)


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Ｘ２００", "x200"),
        ("３０％，合計：￥１，２９９（含稅）", "30%,合计:¥1,299(含税)"),
        ("電話號碼後臺裡面", "电话号码后台里面"),
        ("a\u00a0b\u3000c\u2009d", "a b c d"),
        ("行一\r\n行二\t完\u2028行三", "行一 \n行二\t完\n行三"),
        ("3–5天——约", "3-5天--约"),
        ("“好”‘行’«x»", '"好"\'行\'"x"'),
        ("⽤⼾", "用户"),
        ("。、《书》「话」【注】…", "。、《书》「话」【注】…"),
        ("①½℃²", "①½℃²"),
        ("İstanbul STRASSE Straße", "İstanbul strasse straße"),
        ("爱因斯坦・某", "爱因斯坦·某"),
    ],
)
def test_forms_that_mean_the_same_become_one(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("怎么在 Kubernetes 里配置 ConfigMap？", "zh"),
        ("What does 保修 mean on the label of this device?", "en"),
        ("X200 保修", "zh"),
        ("plain words", "en"),
        ("", "en"),
        ("12345", "en"),
        ("\ud800\udfff", "en"),
    ],
)
def test_language_is_the_one_that_carries_the_text(text: str, expected: str) -> None:
    assert language(fold(text)) == expected
