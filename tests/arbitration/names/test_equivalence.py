"""When two names are one."""

from __future__ import annotations

import pytest

from ragclean.arbitration.names.equivalence import clean_name, mentions, same_name

ONE = [
    ("Acme Inc.", "ACME"),
    ("澜川科技有限公司", "澜川科技"),
    ("《长津湖》", "长津湖"),
    ("Tampa, Florida", "Tampa"),
    ("Francis Ford Coppola", "Coppola"),
    ("Francis Ford Coppola", "Francis Coppola"),
    ("J. K. Rowling", "Joanne Rowling"),
    ("Justin Kurzel", "Justin Kurzell"),
    ("史蒂文·斯皮尔伯格", "斯皮尔伯格"),
    ("史蒂文·斯皮尔伯格", "史蒂芬·斯皮尔伯格"),
    ("阿尔巴尼斯", "阿尔巴内斯"),
    ("东京都", "东京"),
    ("江苏省南京市", "南京"),
    ("日本东京", "东京"),
    ("青森县", "日本青森县上北郡"),
    ("阿根廷国家队", "阿根廷队"),
    ("臺北市", "台北"),
    ("National Basketball Association", "NBA"),
    ("The Shape of Water", "Shape of Water"),
]
TWO = [
    ("X200", "X300"),
    ("10.0.0.1", "10.0.0.11"),
    ("`liko cache purge`", "`liko cache prune`"),
    ("/etc/app", "/etc/app/conf"),
    ("Serena Williams", "Venus Williams"),
    ("李明", "李敏"),
    ("北京", "北京大学"),
    ("Tim Cook", "Steve Jobs"),
    ("Angelique Kerber", "安杰利克·科贝尔"),
    ("Apollo 11", "Apollo 12"),
    ("Georgia", "Georgetown"),
    ("", "x"),
    ("···", "..."),
]


@pytest.mark.parametrize(("a", "b"), ONE)
def test_names_that_are_one(a, b):
    assert same_name(a, b)
    assert same_name(b, a)


@pytest.mark.parametrize(("a", "b"), TWO)
def test_names_that_are_two(a, b):
    assert not same_name(a, b)
    assert not same_name(b, a)


def test_aliases_make_two_names_one_both_ways():
    aliases = {"青鸟出行": "Bluebird Rides", "BB": "Bluebird Rides"}
    assert same_name("青鸟出行", "Bluebird Rides", aliases)
    assert same_name("bluebird rides", "青鸟出行", aliases)
    assert same_name("青鸟出行", "BB", aliases)
    assert not same_name("青鸟出行", "Redbird", aliases)


def test_a_name_is_not_stripped_to_nothing():
    assert clean_name("公司") == "公司"
    assert clean_name("Co.") == "co"


def test_a_page_mentions_a_name_by_its_last_part_as_a_whole_word():
    assert mentions("coppola directed it", "Francis Ford Coppola")
    assert not mentions("coppolas of napa", "Francis Ford Coppola")
    assert mentions("斯皮尔伯格执导", "史蒂文·斯皮尔伯格")
    assert not mentions("南京路", "江苏省南通市")
    assert mentions("先跑 liko cache purge -y 再编译", "`liko cache purge`")
