"""Versions of one document: what the newer one says otherwise, the older one has no say in."""

from __future__ import annotations

import pytest

from ragclean import Chunk, CorrectorConfig, NoiseCorrector

NEW = "寄件价目：首重22元，续重每公斤14元。保价按声明价值收取。"
OLD = "寄件价目：首重33元，续重每公斤42元。保价按声明价值收取。"
QUERY = "寄标快首重和续重分别怎么收？"


@pytest.fixture(scope="module")
def corrector():
    return NoiseCorrector()


def refine(corrector, query, *chunks, **options):
    return corrector.refine(query, chunks, top_k=8, as_of="2026-01-01", **options)


def kept_ids(found):
    return {c.id for c in found.chunks}


def test_the_older_version_of_a_document_goes_and_the_newer_one_stays(corrector):
    found = refine(
        corrector, QUERY,
        Chunk(OLD, id="old", lineage_id="price-list", published_at="2023-01-01"),
        Chunk(NEW, id="new", lineage_id="price-list", published_at="2025-01-01"),
    )  # fmt: skip
    assert kept_ids(found) == {"new"}
    gone = next(d for d in found.dropped if d.chunk_id == "old")
    assert (gone.stage, gone.reason) == ("arbitrate", "lost_conflict")
    assert "22元" in gone.detail
    assert "33元" in gone.detail


def test_a_page_without_a_lineage_is_its_own_under_its_id(corrector):
    found = refine(
        corrector, QUERY, Chunk(NEW, id="new", published_at="2025-01-01"),
        Chunk(OLD, id="old", lineage_id="new", published_at="2023-01-01"),
    )  # fmt: skip
    assert kept_ids(found) == {"new"}


def test_versions_of_different_documents_are_not_compared(corrector):
    found = refine(
        corrector, QUERY, Chunk(NEW, id="a", lineage_id="east", published_at="2025-01-01"),
        Chunk(OLD, id="b", lineage_id="west", published_at="2023-01-01"),
    )  # fmt: skip
    assert not any("同一文档" in d.detail for d in found.dropped)


@pytest.mark.parametrize(("query", "new", "old"), [
    ("餐品可以外带吗？", "自备餐盒的长辈可以外带，装好后请在一小时内食用。", "自备餐盒的长辈不可以外带，装好后请在一小时内食用。"),
    ("How long can I correct a return?", "A return can be corrected within eighteen months of the deadline.", "A return can be corrected within eighteen years of the deadline."),
])  # fmt: skip
def test_a_changed_no_or_unit_is_a_change(corrector, query, new, old):
    found = refine(
        corrector, query, Chunk(old, id="old", lineage_id="d", version="1.9"),
        Chunk(new, id="new", lineage_id="d", version="1.10"),
    )  # fmt: skip
    assert kept_ids(found) == {"new"}
    assert old not in found.text


def test_what_only_the_older_version_says_is_kept(corrector):
    extra = "首重续重之外，偏远地区每公斤另收5元附加费。大件超过30公斤的按体积计费。寄件需出示身份证件。"
    found = refine(
        corrector, QUERY, Chunk(OLD + extra, id="old", lineage_id="d", published_at="2023-01-01"),
        Chunk("寄件价目：首重22元，续重每公斤14元。", id="new", lineage_id="d", published_at="2025-01-01"),
    )  # fmt: skip
    assert "33元" not in found.text
    assert "偏远地区" in found.text
    assert any(d.start is not None and "33元" in d.text for d in found.dropped)


def test_without_dates_the_more_trusted_copy_holds(corrector):
    found = refine(
        corrector, QUERY, Chunk(OLD, id="copy", lineage_id="page", source_weight=0.3), Chunk(NEW, id="page"),
    )  # fmt: skip
    assert kept_ids(found) == {"page"}


def test_parts_of_one_version_stand_side_by_side(corrector):
    rows = [f"| 套餐{n} | 每月{n * 10}GB | {n * 5}元 |" for n in (1, 2, 3)]
    found = refine(
        corrector, "套餐分别多少钱？", *[Chunk(r, id=f"r{i}", lineage_id="table", published_at="2025-01-01") for i, r in enumerate(rows)]
    )
    assert kept_ids(found) == {"r0", "r1", "r2"}


def test_a_version_not_yet_in_force_replaces_nothing(corrector):
    found = refine(
        corrector, QUERY, Chunk(OLD, id="now", lineage_id="d", effective_from="2024-01-01"),
        Chunk(NEW, id="next", lineage_id="d", effective_from="2026-07-01"),
    )  # fmt: skip
    assert "33元" in found.text


def test_where_nothing_is_to_be_dropped_both_stay():
    annotating = NoiseCorrector(config=CorrectorConfig(conflict_policy="annotate"))
    found = refine(
        annotating, QUERY, Chunk(OLD, id="old", lineage_id="d", published_at="2023-01-01"),
        Chunk(NEW, id="new", lineage_id="d", published_at="2025-01-01"),
    )  # fmt: skip
    assert kept_ids(found) == {"old", "new"}


def test_a_replaced_version_is_no_voice_in_a_vote(corrector):
    """Two old versions say 33; without their voices the document and the forum are not level."""
    found = refine(
        corrector, "首重多少钱？", Chunk("首重22元。", id="new", lineage_id="d", published_at="2025-01-01", source="official_policy"),
        *[Chunk("首重33元。", id=f"old{n}", lineage_id="d", published_at=f"202{n}-01-01", source="official_policy") for n in (1, 2)],
        Chunk("我问过客服，首重33元。", id="forum", source="forum", published_at="2022-05-01"),
    )  # fmt: skip
    assert "22元" in found.text
    assert "33元" not in found.text


def test_long_versions_come_to_an_end(corrector, endless, no_blow_up):
    with no_blow_up():
        refine(
            corrector, QUERY, Chunk(endless("首重33元，")[:50_000], id="old", lineage_id="d", version="1"),
            Chunk(endless("首重22元，")[:50_000], id="new", lineage_id="d", version="2"),
        )  # fmt: skip


SIBLINGS = [
    ("The screen replacement for the {} costs {} euros including labour.", ["K6", "K8", "K10", "K12"], "How much is a screen replacement for the {}?"),
    ("| {} plan | {} GB | monthly |", ["Basic", "Family", "Team", "Max"], "How many GB has the {} plan?"),
    ("{}门店的营业时间到{}点，节假日不休息。", ["柏林", "慕尼黑", "汉堡", "科隆"], "{}门店营业到几点？"),
    ("{}套餐每月流量{}GB，月底清零。", ["青春", "家庭", "商务", "畅享"], "{}套餐每月有多少流量？"),
]


@pytest.mark.parametrize(("form", "names", "query"), SIBLINGS)
@pytest.mark.parametrize("marks", ["dates", "versions", "trust"])
def test_chunks_of_one_lineage_about_different_things_are_no_versions_of_each_other(corrector, form, names, query, marks):
    """A price list, a whole site: its chunks differ in date, number and trust, and each is right of its own thing."""
    chunks = [
        Chunk(
            form.format(name, 10 + 7 * i), id=f"p{i}", lineage_id="site",
            updated_at=f"202{i + 1}-03-01" if marks == "dates" else None, version=str(i + 1) if marks == "versions" else None,
            source_weight=0.3 + 0.2 * i if marks == "trust" else None,
        )
        for i, name in enumerate(names)
    ]  # fmt: skip
    for i, name in enumerate(names):
        found = refine(corrector, query.format(name), *chunks)
        assert f"p{i}" in kept_ids(found), (name, found.explain())
        assert not any("同一文档" in d.detail or "same document" in d.detail for d in found.dropped)


def test_an_id_that_happens_to_be_anothers_lineage_makes_no_version(corrector):
    found = refine(
        corrector, "How long is the warranty of the R2?",
        Chunk("The warranty of the R2 is 24 months.", id="3", updated_at="2022-01-01"),
        Chunk("The warranty of the R5 is 12 months.", id="9", lineage_id="3", updated_at="2025-01-01"),
    )  # fmt: skip
    assert "24 months" in found.text


def test_dates_go_before_numbers_of_different_schemes(corrector):
    found = refine(
        corrector, "What is the late fee?", Chunk("The late fee is 5 euros.", id="old", lineage_id="fees", version="2019 edition", updated_at="2019-01-01"),
        Chunk("The late fee is 8 euros.", id="new", lineage_id="fees", version="v3", updated_at="2025-01-01"),
    )  # fmt: skip
    assert kept_ids(found) == {"new"}


def test_statements_about_other_times_stand_side_by_side(corrector):
    found = refine(
        corrector, "2023年的滞纳金是多少？", Chunk("2023年的滞纳金为5元。", id="old", lineage_id="fees", updated_at="2023-01-01"),
        Chunk("2025年的滞纳金为8元。", id="new", lineage_id="fees", updated_at="2025-01-01"),
    )  # fmt: skip
    assert "5元" in found.text
