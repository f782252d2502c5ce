"""Hearsay and old pages behind a trusted page that answers, where nobody is seen to disagree."""

from __future__ import annotations

import pytest
from conftest import page

from ragclean import CorrectorConfig, NoiseCorrector

QUERY = "灵活就业参保人员能不能领取生育津贴？"
RULE = "灵活就业参保人员均不享受生育津贴，生育医疗费用照第七条结算。"
RUMOUR = "姐妹们不要慌，灵活就业交够一年生育津贴也能领，记得带银行卡。"


def lost(verdict, index):
    return index in verdict.lost_passages or any(i == index for i, _ in verdict.lost_sentences)


@pytest.fixture(scope="module")
def corrector():
    return NoiseCorrector()


def refine(corrector, query, chunks, **options):
    return corrector.refine(query, chunks, as_of="2025-09-01", **options)


ADVICE = "should i put anti seize on the spark plug threads?"
MANUAL = "Spark plug threads are fitted dry, since the plating does the job of anti seize."
FORUM = "Steel spark plug, aluminium head: always a dab of anti seize on the threads, any decent mechanic will tell you."


def test_hearsay_goes_behind_the_page_of_the_house(judge):
    verdict = judge(ADVICE, [page(FORUM, 0.3, "2025-02-09"), page(MANUAL, 0.9, "2023-06-12")])
    assert lost(verdict, 0)
    assert not lost(verdict, 1)


def test_why_a_sentence_went_is_told_with_what_stands_before_it(judge):
    verdict = judge(ADVICE, [page(FORUM, 0.3, "2025-02-09"), page(MANUAL, 0.9, "2023-06-12")])
    words = next(iter({**verdict.lost_passages, **verdict.lost_sentences}.values()))
    assert "Steel spark plug" in words
    assert "fitted dry" in words
    assert "trust" in words or "source" in words


SWAP = "can i swap the battery pack while the servers are running?"
OLD = "Before you swap the battery pack, shut down all servers and pull the mains plug."
NEW = "The battery pack is hot-swappable: swap it with the servers running."


def test_an_older_page_that_is_not_quite_trusted_goes_behind_the_newer_one(judge):
    verdict = judge(SWAP, [page(OLD, 0.7, "2020-03-01"), page(NEW, 0.9, "2024-05-01")])
    assert lost(verdict, 0)
    assert not lost(verdict, 1)


@pytest.mark.parametrize(("query", "new", "old", "wanted"), [
    ("What should I do if I smell gas?", "If you smell gas, open the windows.", "If you smell gas, do not use switches, leave the house and call 0800 111 999.", "0800 111 999"),
    ("Is ibuprofen allowed in pregnancy after week 28?", "Ibuprofen is allowed in pregnancy before week 20 after advice.", "Ibuprofen must not be taken in pregnancy after week 28.", "must not be taken"),
    ("Can I bring a dog on the bus in Leeds?", "Bus rules York. You can bring a dog on the bus for free.", "Bus rules Leeds. You can bring a dog on the bus with a muzzle.", "with a muzzle"),
], ids=["steps", "cases", "places"])  # fmt: skip
def test_two_trusted_pages_stand_beside_each_other_whatever_their_age(corrector, query, new, old, wanted):
    found = refine(corrector, query, [
        {"id": "new", "source": "official_policy", "published_at": "2025-03-01", "text": new},
        {"id": "old", "source": "official_policy", "published_at": "2022-03-01", "text": old},
    ])  # fmt: skip
    assert wanted in found.text


def test_what_does_not_come_out_itself_sets_nobody_back(corrector):
    found = refine(corrector, "Can I bring a dog on the bus in Leeds?", [
        {"id": "york", "source": "official_policy", "published_at": "2025-03-01", "text": "Bus rules York. You can bring a dog on the bus for free."},
        {"id": "leeds", "source": "forum", "published_at": "2023-03-01", "text": "Bus rules Leeds. You can bring a dog on the bus with a muzzle."},
    ])  # fmt: skip
    assert "with a muzzle" in found.text


def test_a_newer_trusted_page_is_not_behind_an_older_one(judge):
    verdict = judge(ADVICE, [page(MANUAL, 0.9, "2020-06-12"), page("Service desk: fit the spark plug threads dry, we say.", 0.8, "2024-06-12")])  # fmt: skip
    assert not lost(verdict, 1)


def test_pages_of_unknown_origin_are_left_alone(judge):
    verdict = judge(ADVICE, [page(FORUM, None, "2020-02-09"), page(MANUAL, None, "2024-06-12")])
    assert not verdict.lost_sentences
    assert not verdict.lost_passages


def test_a_question_for_a_value_sets_nobody_behind(judge):
    verdict = judge("how long is the warranty of the grinder?", [
        page("The grinder is a fine machine, ask anybody about the warranty.", 0.3, "2020-01-01"),
        page("The warranty of the grinder is two years.", 0.9, "2024-01-01"),
    ])  # fmt: skip
    assert not verdict.lost_sentences
    assert not verdict.lost_passages


def test_what_repeats_the_trusted_page_stays(judge):
    verdict = judge(ADVICE, [page(f"Somebody posted this: {MANUAL}", 0.3, "2025-02-09"), page(MANUAL, 0.9, "2023-06-12")])
    assert not lost(verdict, 0)


def test_who_speaks_of_the_asked_case_is_not_behind_a_page_that_does_not(judge):
    query = "持外国护照参观要不要提前预约？"
    rule = page("参观须知：观众参观博物馆时，预约时段之后不再检票。", 0.95, "2025-06-10")
    assert not lost(judge(query, [rule, page("持外国护照参观的，到东门人工窗口登记。", 0.4, "2023-05-12")]), 1)
    assert lost(judge(query, [rule, page("参观的，到东门人工窗口登记预约。", 0.4, "2023-05-12")]), 1)


def test_a_question_about_an_earlier_year_is_not_answered_by_newer_pages(corrector):
    found = refine(corrector, "what did the 2022 rules say, did a deferral need a signature?", [
        {"id": "new", "source": "official_policy", "published_at": "2025-01-01", "text": "Exam rules 2025. A deferral needs no signature."},
        {"id": "old", "source": "official_policy", "published_at": "2022-01-01", "text": "Exam rules 2022. A deferral needs the signature of the tutor."},
    ])  # fmt: skip
    assert "signature of the tutor" in found.text


def test_a_trusted_page_that_does_not_answer_sets_nobody_back(corrector):
    found = refine(corrector, "can I open the case of the Torrin E2 myself?", [
        {"id": "official", "source": "official_docs", "text": "Torrin E2, service desk: Monday to Friday. The case of the Torrin E2 is black."},
        {"id": "forum", "source": "forum", "text": "Yes you can open the case yourself, four screws, Torrin E2, did it last week."},
    ])  # fmt: skip
    assert "four screws" in found.text


@pytest.mark.parametrize("setting", [{"deference": False}, {"conflict_policy": "annotate"}], ids=["off", "annotate"])
def test_it_can_be_turned_off(judge, setting):
    verdict = judge(ADVICE, [page(FORUM, 0.3, "2025-02-09"), page(MANUAL, 0.9, "2023-06-12")], **setting)
    assert not verdict.lost_sentences
    assert not verdict.lost_passages


def test_demote_sends_the_page_behind(judge):
    verdict = judge(ADVICE, [page(FORUM, 0.3, "2025-02-09"), page(MANUAL, 0.9, "2023-06-12")], conflict_policy="demote")
    assert 0 in verdict.lost_passages


def test_the_order_of_the_chunks_changes_nothing(judge):
    chunks = [page(FORUM, 0.3, "2025-02-09"), page(MANUAL, 0.9, "2023-06-12")]
    assert lost(judge(ADVICE, chunks[::-1]), 1)
    assert not lost(judge(ADVICE, chunks[::-1]), 0)


def test_once_a_value_has_won_older_pages_lose_other_values_of_its_kind(corrector):
    chunks = [
        {"id": "new", "source": "official_docs", "published_at": "2025-06-09",
         "text": "From today a Standard key is throttled at 450 requests per minute, in all regions."},
        {"id": "blog", "source": "blog", "published_at": "2025-05-02",
         "text": "A Standard key may send 600 requests per minute, says my friend."},
        {"id": "faq", "source": "official_faq", "published_at": "2022-10-05",
         "text": "How many calls can I make? On Standard each key may send 300 requests per minute. Keys are free."},
    ]  # fmt: skip
    found = refine(corrector, "how many requests per minute may a standard key send?", chunks)
    assert "450" in found.text
    assert "600" not in found.text
    assert "300" not in found.text


def test_the_whole_corrector_drops_the_rumour_and_keeps_the_rule(corrector):
    chunks = [
        {"id": "rumour", "text": RUMOUR, "source": "forum", "published_at": "2025-08-01"},
        {"id": "rule", "text": RULE, "source": "official_policy", "published_at": "2025-03-01"},
    ]
    found = refine(corrector, QUERY, chunks)
    assert "均不享受" in found.text
    assert "也能领" not in found.text
    assert any(d.chunk_id == "rumour" and d.reason == "lost_conflict" for d in found.dropped)


def test_without_deference_nobody_is_set_behind():
    found = NoiseCorrector(config=CorrectorConfig(deference=False)).refine(QUERY, [
        {"id": "rumour", "text": RUMOUR, "source": "forum"}, {"id": "rule", "text": RULE, "source": "official_policy"},
    ])  # fmt: skip
    assert "rule" in {c.id for c in found.chunks}
    assert not any("不及" in d.detail for d in found.dropped)


PRICE = "恩和回收一个空墨盒给多少钱？"
HOUSE = page("恩和回收墨盒：家庭用户寄回的每个原装空墨盒返6元，返到账户。", 0.9, "2024-12-20")
SECOND = page("客服工单：顾客寄回两个恩和空墨盒，回收返款共12元，每个返6元。", 0.7, "2025-02-01")


def test_hearsay_of_another_value_goes_behind_the_likely_value_of_a_trusted_page(judge):
    verdict = judge(PRICE, [HOUSE, SECOND, page("听群友讲墨盒寄回去，恩和一个给到10元呢，攒一箱不少钱。", 0.3, "2025-05-01")])
    assert lost(verdict, 2)
    assert not lost(verdict, 0) and not lost(verdict, 1)


def test_a_value_of_another_kind_or_the_same_value_stays(judge):
    verdict = judge(PRICE, [HOUSE, SECOND, page("恩和空墨盒回收一次要装满8个才寄，每个给6元。", 0.3, "2025-05-01")])
    assert not lost(verdict, 2)


def test_an_older_page_that_is_as_trusted_keeps_its_value_where_no_conflict_is_seen(judge):
    """Two values of two years are more often of two things."""
    verdict = judge("门诊基本部分负担要付多少？", [
        page("未经转诊赴医学中心就医者，门诊基本部分负担为420元。", 0.9, "2024-12-20"),
        page("西医基层诊所门诊基本部分负担5元，挂号费另计。", 0.7, "2023-02-01"),
    ])
    assert not verdict.conflicts
    assert not lost(verdict, 1)


NOBODY = [
    page("云顶花园装修须知：进场前业主预交装修保证金，保证金验收后无息退还。", None, "2023-02-18"),
    page("云顶花园业主大会：装修保证金自2025年5月1日起一概免收，不再收装修保证金。", None, "2025-05-01"),
]
STILL = "云顶花园装修保证金现在还收吗？"


def test_where_no_origin_is_known_a_page_is_followed_that_says_what_changed(judge):
    verdict = judge(STILL, NOBODY)
    assert lost(verdict, 0) and not lost(verdict, 1)


def test_a_later_date_alone_sets_nobody_back_where_no_origin_is_known(judge):
    later = page("云顶花园的邻居：装修保证金那个钱物业早就没人管了吧。", None, "2025-05-01")
    assert not lost(judge(STILL, [NOBODY[0], later]), 0)


def test_an_unknown_page_that_says_it_changes_a_rule_sets_no_trusted_one_back(judge):
    verdict = judge(STILL, [page(NOBODY[0]["text"], 0.9, "2023-02-18"), NOBODY[1]], deference=True)
    without = judge(STILL, [page(NOBODY[0]["text"], 0.9, "2023-02-18"), NOBODY[1]], deference=False)
    assert lost(verdict, 0) == lost(without, 0)


def test_an_announcement_of_something_else_makes_hearsay_no_authority(judge):
    verdict = judge("拆封的商品可以退货吗？", [
        page("退货规定。拆封的商品可以在7天内退货。", None, "2024-01-10"),
        page("本站自2025年3月1日起更换客服电话。有人问拆封的商品可以退货吗，我觉得不行。", None, "2025-03-01"),
    ])
    assert not lost(verdict, 0)
