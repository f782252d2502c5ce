"""What the contexts say of the documents: old versions still found, and pages that lose."""

from __future__ import annotations

from datetime import date

from ragclean.evaluation.health import content_health
from ragclean.evaluation.records import EvalCase
from ragclean.types import Chunk

QUESTION = "X200 的保修期是多久？"
DAY = "2025-06-01"


def page(name, text="X200 的保修期为24个月。", lineage="terms", **fields):
    return Chunk(text, id=name, lineage_id=lineage, source="official_policy", **fields)


def case(name, *contexts, question=QUESTION, day=DAY):
    return EvalCase(name, question, "24个月", contexts=contexts, as_of=day)


def stale(*cases, corrector, **options):
    return [(s.lineage_id, s.newest, s.stale, s.reason, s.cases) for s in content_health(cases, corrector, **options).stale]


def test_older_by_its_date(corrector):
    found = stale(case("a", page("old", updated_at="2021-03-01"), page("new", updated_at="2025-03-01")), corrector=corrector)
    assert found == [("terms", "new", ("old",), "older", ("a",))]


def test_older_by_its_version_where_there_are_no_dates(corrector):
    contexts = [page("v10", version="v2.10"), page("v9", version="v2.9"), page("none")]
    assert stale(case("a", *contexts), corrector=corrector) == [("terms", "v10", ("v9",), "older", ("a",))]


def test_a_version_number_counts_where_only_one_page_has_a_date(corrector):
    contexts = [page("first", version="1", published_at="2020-01-01"), page("third", version="3")]
    assert stale(case("a", *contexts), corrector=corrector) == [("terms", "third", ("first",), "older", ("a",))]


def test_expired_beside_one_in_force_even_where_it_is_the_later_one(corrector):
    promotion = page("promo", updated_at="2024-11-01", expires_at="2024-12-31")
    standing = page("standing", updated_at="2024-01-01")
    assert stale(case("a", promotion, standing), corrector=corrector) == [("terms", "standing", ("promo",), "expired", ("a",))]


def test_all_expired_is_no_old_version_beside_a_new_one(corrector):
    contexts = [page("one", expires_at="2020-01-01", updated_at="2019-01-01"), page("two", expires_at="2021-01-01", updated_at="2020-01-01")]
    assert stale(case("a", *contexts), corrector=corrector) == []


def test_a_version_to_come_makes_none_stale(corrector):
    contexts = [page("now", effective_from="2024-01-01"), page("next", effective_from="2026-01-01")]
    assert stale(case("a", *contexts), corrector=corrector) == []
    assert stale(case("a", *contexts, day="2026-06-01"), corrector=corrector) == [("terms", "next", ("now",), "older", ("a",))]


def test_parts_of_one_version_are_not_old(corrector):
    contexts = [page("p1", updated_at="2025-01-01", version="2"), page("p2", "发票须保留。", updated_at="2025-01-01", version="2")]
    assert stale(case("a", *contexts), corrector=corrector) == []


def test_the_day_is_the_case_s_own_else_the_one_given(corrector):
    contexts = (page("a1", expires_at="2025-01-01", updated_at="2024-01-01"), page("a2", updated_at="2023-01-01"))
    before = case("a", *contexts, day="2024-06-01")
    assert stale(before, corrector=corrector) == [("terms", "a1", ("a2",), "older", ("a",))]
    undated = case("a", *contexts, day=None)
    assert stale(undated, corrector=corrector, as_of=date(2024, 6, 1)) == stale(before, corrector=corrector)
    assert stale(undated, corrector=corrector)[0][3] == "expired"  # today


def test_cases_are_named_and_the_document_that_most_meet_comes_first(corrector):
    rare = (page("r1", lineage="rare", version="1"), page("r2", lineage="rare", version="2"))
    common = (page("c1", lineage="common", version="1"), page("c2", lineage="common", version="2"))
    found = stale(case("a", *rare), case("b", *common), case("c", *common), corrector=corrector)
    assert [(s[0], s[4]) for s in found] == [("common", ("b", "c")), ("rare", ("a",))]


def test_a_page_that_says_it_is_withdrawn_is_found_without_a_lineage(corrector):
    gone = Chunk("（本条款已废止）X200 的保修期为12个月。", id="gone", source="official_policy", updated_at="2020-01-01")
    held = Chunk("X200 的保修期为24个月，自发票开具之日起计算。", id="held", source="official_policy", updated_at="2025-01-01")
    health = content_health([case("a", gone, held)], corrector)
    assert [(s.newest, s.stale, s.cases) for s in health.stale] == [("held", ("gone",), ("a",))]
    assert health.stale[0].reason in ("withdrawn", "older", "expired")


def test_a_page_that_loses_is_counted_with_its_cases(corrector):
    forum = Chunk("我的 X200 保修期是12个月，自己拆机就行。", id="forum", title="论坛：自己拆机", source="forum", updated_at="2025-02-01")
    terms = Chunk("X200 的保修期为24个月，自发票开具之日起计算。", id="terms", title="条款", source="official_policy", updated_at="2025-03-01")
    health = content_health([case("a", forum, terms), case("b", terms, forum)], corrector)
    assert [(p.chunk_id, p.title, p.source, p.lost, p.conflicts, p.cases) for p in health.losing] == [("forum", "论坛：自己拆机", "forum", 2, 2, ("a", "b"))]


def test_one_id_in_two_cases_may_be_two_pages(corrector):
    def pair(wrong):
        return (Chunk(f"我的 X200 保修期是{wrong}个月。", id="c2", source="forum", updated_at="2025-02-01"),
                Chunk("X200 的保修期为24个月，自发票开具之日起计算。", id="c1", source="official_policy", updated_at="2025-03-01"))  # fmt: skip

    health = content_health([case("a", *pair(12)), case("b", *pair(6))], corrector)
    assert [(p.chunk_id, p.lost, p.cases) for p in health.losing] == [("c2", 1, ("a",)), ("c2", 1, ("b",))]


def test_nothing_found_is_empty(corrector):
    health = content_health([case("a", page("only", updated_at="2025-01-01")), EvalCase("bare", QUESTION)], corrector)
    assert (health.cases, health.stale, health.losing) == (1, (), ())
    assert content_health([]).cases == 0
