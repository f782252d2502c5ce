"""Variants of a case: from their band, without an answer, in their place, and the same every time."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from ragclean.evaluation.cases import case_from_dict, read_cases
from ragclean.evaluation.corpus import Corpus
from ragclean.evaluation.noise import NoiseMaker, NoiseSettings, Shortage, holds_answer, placed
from ragclean.evaluation.records import EvalCase, Shown
from ragclean.types import Chunk

CASE = case_from_dict({
    "id": "q", "question": "X200整机保修多久？", "reference": "24个月", "as_of": "2025-06-01",
    "contexts": [{"id": "a", "text": "X200整机保修24个月。", "published_at": "2025-01-01"}, {"id": "b", "text": "欢迎选购X200。"},
                 {"id": "c", "text": "X200有三种颜色。"}], "gold": ["a"],
})  # fmt: skip


@pytest.fixture(scope="module")
def cases(root):
    return read_cases(root / "tests" / "data" / "cases.jsonl")


@pytest.fixture(scope="module")
def corpus(cases):
    return Corpus([c for case in cases for c in case.contexts])


def test_the_base_is_the_case_itself(corpus):
    shown = NoiseMaker(corpus).make(CASE, "v0")
    assert (shown.contexts, shown.injected) == (CASE.contexts, ())


def test_irrelevant_noise_lies_in_its_band_and_holds_no_answer(cases, corpus):
    maker = NoiseMaker(corpus)
    for case in cases:
        shown = maker.make(case, "v1")
        assert isinstance(shown, Shown)
        assert len(shown.injected) == 3
        for added in shown.injected:
            assert 0.0 <= added.similarity <= 0.4
            assert not holds_answer(added.chunk.text, case)
            assert corpus.similarities(case.question, [[c.text for c in corpus.chunks].index(added.chunk.text)])[0] == pytest.approx(
                added.similarity, abs=1e-4
            )
        assert shown.trusted == case.contexts


def test_an_empty_band_says_so_and_offers_what_is_near(corpus):
    strict = NoiseMaker(corpus, NoiseSettings(relevant=(0.98, 1.0)))
    short = strict.make(CASE, "v2")
    assert isinstance(short, Shortage)
    assert "0 of 3 chunks lie in 0.98..1.00" in short.reason
    assert len(short.nearest) == 3
    eager = NoiseMaker(corpus, NoiseSettings(relevant=(0.98, 1.0), on_empty_band="nearest"))
    taken = eager.make(CASE, "v2")
    assert sorted(i.similarity for i in taken.injected) == sorted(short.nearest)


def test_a_contradiction_carries_the_lineage_and_an_earlier_date(corpus):
    shown = NoiseMaker(corpus).make(CASE, "v3")
    assert 1 <= len(shown.injected) <= 3
    for added in shown.injected:
        assert added.kind == "relevant_hard"
        assert added.chunk.lineage_id == "a"
        assert added.chunk.published_at == "2023-01-01"
        assert "24个月" not in added.chunk.text
        assert "->" in added.origin


def test_an_undated_original_is_contradicted_by_one_of_less_trust(corpus):
    case = case_from_dict({"id": "q", "question": "保修多久？", "reference": "24个月", "contexts": [{"id": "a", "text": "保修24个月。"}], "gold": ["a"]})
    assert {i.chunk.source_weight for i in NoiseMaker(corpus).make(case, "v3").injected} == {0.3}


def test_old_versions_come_before_alterations(corpus):
    case = case_from_dict({
        "id": "q", "question": "保修多久？", "reference": "24个月", "contexts": [{"id": "a", "text": "保修24个月。"}], "gold": ["a"],
        "old_versions": [{"text": "保修12个月（旧版）。"}],
    })  # fmt: skip
    shown = NoiseMaker(corpus, NoiseSettings(count=1)).make(case, "v3")
    assert [i.origin for i in shown.injected] == ["old_version"]


def test_noise_alone_is_as_long_as_the_contexts_were(corpus):
    shown = NoiseMaker(corpus).make(CASE, "v4")
    assert len(shown.contexts) == len(shown.injected) == 3
    assert shown.trusted == ()


def test_an_unanswerable_case_has_nothing_to_contradict(corpus):
    case = case_from_dict({"id": "q", "question": "保修多久？", "contexts": [{"id": "a", "text": "保修24个月。"}], "gold": ["a"]})
    assert isinstance(NoiseMaker(corpus).make(case, "v3"), Shortage)


@pytest.mark.parametrize(("position", "order"), [
    ("front", "xyzabcd"), ("end", "abcdxyz"), ("middle", "abxyzcd"), ("spread", "axbyczd"),
])  # fmt: skip
def test_noise_stands_where_it_is_asked_for(position, order):
    base, added = ([Chunk(t) for t in texts] for texts in ("abcd", "xyz"))
    assert "".join(c.text for c in placed(base, added, position)) == order


@pytest.mark.parametrize("position", ["front", "middle", "end", "spread"])
@pytest.mark.parametrize(("n", "m"), [(0, 3), (1, 3), (5, 1), (2, 7)])
def test_nothing_is_lost_in_any_position(position, n, m):
    base, added = [Chunk(f"b{i}") for i in range(n)], [Chunk(f"a{i}") for i in range(m)]
    out = placed(base, added, position)
    assert [c for c in out if c in base] == base
    assert [c for c in out if c in added] == added
    assert len(out) == n + m


def test_the_same_seed_gives_the_same_noise_and_another_seed_another(corpus, cases):
    one, two, other = (NoiseMaker(corpus, NoiseSettings(seed=s)) for s in (1, 1, 2))
    for variant in ("v1", "v3", "v4"):
        assert one.make(cases[0], variant) == two.make(cases[0], variant)
    assert one.make(cases[0], "v1") != other.make(cases[0], "v1")


def test_ids_of_noise_are_those_of_no_context(corpus):
    case = case_from_dict({"id": "q", "question": "保修多久？", "reference": "24个月", "contexts": [{"id": "x1", "text": "保修24个月。"}], "gold": ["x1"]})
    shown = NoiseMaker(corpus).make(case, "v1")
    assert len({c.id for c in shown.contexts}) == len(shown.contexts)


@pytest.mark.parametrize(("given", "message"), [
    ({"count": 0}, "count: must be 1 or more"),
    ({"position": "top"}, "position: expected front"),
    ({"relevant": (0.8, 0.7)}, "relevant: expected 0 <= low < high"),
])  # fmt: skip
def test_bad_settings_are_refused_by_name(given, message):
    with pytest.raises(ValueError, match=message):
        NoiseSettings(**given)


def test_a_corpus_is_encoded_once_and_mapped(tmp_path, cases):
    chunks = [c for case in cases[:5] for c in case.contexts]

    class Counting:
        cheap, fingerprint, calls = True, "counting", 0

        def encode_queries(self, texts):
            return self.encode_passages(texts)

        def encode_passages(self, texts):
            type(self).calls += len(texts)
            rng = [np.random.default_rng(len(t)).normal(size=8) for t in texts]
            return np.array([v / np.linalg.norm(v) for v in rng], np.float32)

    first = Corpus(chunks, encoder=Counting(), cache=tmp_path)
    before = Counting.calls
    again = Corpus(chunks, encoder=Counting(), cache=tmp_path)
    assert Counting.calls == before
    assert isinstance(again.vectors, np.memmap)
    assert np.array_equal(first.vectors, again.vectors)
    assert Corpus([*chunks, "one more"], encoder=Counting()).fingerprint != first.fingerprint
    assert first.nearest("a question", 4).shape == (4,)


def test_a_corpus_without_text_is_refused():
    with pytest.raises(ValueError, match="corpus: no chunk has text"):
        Corpus(["", {"text": " "}])


def test_quantiles_show_where_a_band_lies(corpus):
    found = list(NoiseMaker(corpus).quantiles(CASE.question).values())
    assert found == sorted(found)
    assert 0.0 <= found[0] <= found[-1] <= 1.0


def test_an_unmarked_contradiction_carries_what_the_real_page_carries():
    page = Chunk("整机保修24个月，自开票之日起计算。", id="c1", source="official_policy", published_at="2025-03-01", lineage_id="w")
    case = EvalCase("a", "保修多久？", "24个月", ("24个月",), (page, Chunk("今天天气很好。", id="c2")), ("c1",))
    marked = NoiseMaker.of_cases([case]).make(case, "v3")
    bare = NoiseMaker.of_cases([case], NoiseSettings(marked=False)).make(case, "v3")
    assert all(i.chunk.published_at < page.published_at for i in marked.injected)
    for injected in bare.injected:
        same = replace(injected.chunk, text=page.text, id=page.id)
        assert same == page


def test_an_injected_chunk_is_not_known_by_its_id():
    pages = tuple(Chunk(f"整机保修24个月，第{n}条，自开票之日起计算。", id=f"doc-{n}") for n in range(1, 6))
    case = EvalCase("a", "保修多久？", "24个月", ("24个月",), pages, ("doc-1",))
    shown = NoiseMaker.of_cases([case]).make(case, "v3")
    ids = {i.chunk.id for i in shown.injected}
    assert ids
    assert all(re.fullmatch(r"doc-\d{1,2}", i) for i in ids)
    assert not ids & {p.id for p in pages}


def test_an_old_version_that_is_retrieved_anyway_is_not_injected_again():
    new, old = Chunk("保修24个月。", id="c1"), Chunk("保修12个月。", id="c2")
    case = EvalCase("a", "保修多久？", "24个月", ("24个月",), (new, old), ("c1",), (Chunk("保修12个月。", id="v1"),))
    shown = NoiseMaker.of_cases([case]).make(case, "v3")
    assert all(i.chunk.text != old.text for i in shown.injected)
