"""``ragclean audit``: what it says, what it writes as JSON, and its exit codes."""

from __future__ import annotations

import argparse
import json
import re

import pytest

from ragclean.cli import audit, console
from ragclean.cli.failure import CommandError

TERMS = {"id": "terms", "source": "official_policy", "text": "宏泰HT-9水泵保修条款\n宏泰HT-9水泵整机保修期为36个月，由宏泰售后网点受理。"}
FORUM = {"id": "forum\x1b[2J", "source": "forum", "text": "宏泰HT-9水泵我去年买的，宏泰售后网点说整机保修期只有12个月。"}
MENU = {"id": "menu", "text": "本周食堂供应红烧排骨和番茄蛋汤，晚餐加开面档。"}
OLD = {"id": "old", "lineage_id": "fees", "version": "1", "text": "配送每件四元。"}
NEW = {"id": "new", "lineage_id": "fees", "version": "2", "text": "配送每件五元。"}


@pytest.fixture
def main(tmp_path, capsys):
    """The command over a file of the pages given: exit code, output, and what stands on standard error."""

    def go(pages, *options, name="pages.jsonl"):
        path = tmp_path / name
        if pages is not None:
            path.write_text("\n".join(p if isinstance(p, str) else json.dumps(p) for p in pages), encoding="utf-8")
        parser = argparse.ArgumentParser(prog="ragclean")
        audit.add_parser(parser.add_subparsers(dest="command"))
        try:
            args = parser.parse_args(["audit", str(path), "--as-of", "2025-06-01", *options])
            code = args.run(args)
        except CommandError as e:
            console.note(f"ragclean: error: {e}")
            code = e.exit_code
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return go


def test_everything_found_stands_in_its_table(main):
    code, out, _ = main([TERMS, FORUM, MENU, {**MENU, "id": "again"}, OLD, NEW])
    assert code == 0
    assert "6 pages as of 2025-06-01: 1 contradiction (4 questions from 2 of 6), 1 stale document, 1 group of copies" in out
    assert all(word in out for word in ("36个月", "12个月", "terms", "fees", "older", "menu", "again", "100%"))
    assert "\x1b[2J" not in out


def test_a_page_past_its_last_day_is_named_in_both_languages_and_as_json(main):
    gone = {"id": "offer", "text": "春季活动满三百减五十。", "expires_at": "2024-05-31"}
    for lang, words in (("en", ("1 page as of", "0 questions from 0 of 1)", "1 stale document,", "offer", "expired")), ("zh", ("1 份文档已过时", "offer", "已过期"))):
        assert all(word in main([gone], "--lang", lang)[1] for word in words)
    (line,) = json.loads(main([gone], "--json")[1])["stale"]
    assert (line["reason"], line["newest"], line["stale"]) == ("expired", "", ["offer"])


def test_json_has_all_of_it(main):
    code, out, _ = main([TERMS, FORUM, OLD, NEW], "--json")
    told = json.loads(out)
    assert code == 0
    assert [c["page"] for c in told["contradictions"]] == ["terms"]
    assert told["contradictions"][0]["sides"][0][1] in (["terms"], [FORUM["id"]])
    assert [s["stale"] for s in told["stale"]] == [["old"]]
    assert told["copies"] == [] and told["pages"] == 4


def test_findings_fail_only_where_asked_to(main):
    assert main([TERMS, FORUM], "--fail-on-findings")[0] == 1
    assert main([TERMS, MENU], "--fail-on-findings")[0] == 0
    assert main([TERMS, FORUM], "--fail-on-findings", "--questions", "0")[0] == 0


def test_more_than_a_screenful_is_cut_and_said(main):
    words = ("红烧排骨", "番茄蛋汤", "清蒸鲈鱼", "麻婆豆腐", "蒜蓉西兰花", "宫保鸡丁", "酸辣土豆丝")
    pages = [{"id": f"{n}-{k}", "text": f"{words[n % 7]}每周{n}次，由{words[n // 7]}窗口{n * 37}号供应，不另收{words[n % 5]}的加工费用。"} for n in range(40) for k in "ab"]
    code, out, err = main(pages, "--questions", "0")
    groups = int(re.search(r"(\d+) groups of copies", out)[1])
    assert code == 0 and groups > 30
    assert f"{groups - 30} more copies: --json names them" in err


def test_text_files_are_cut_into_pages(main):
    code, out, _ = main(["# 保修", "", "水泵整机保修期为36个月。", "", "# 餐厅", "", "本周供应红烧排骨。"], name="book.md")
    assert code == 0 and out.startswith("2 pages as of 2025-06-01")


@pytest.mark.parametrize(
    ("pages", "options", "said"),
    [
        (None, (), "pages.jsonl: No such file"),
        ([TERMS, "{no json"], (), "pages.jsonl:2"),
        ([TERMS, {"id": "blank", "text": " "}], (), "pages.jsonl:2: text: it is blank"),
        ([], (), "no chunk has text"),
        ([TERMS], ("--questions", "-1"), "questions: must be 0 or more"),
        ([TERMS], ("--as-of", "someday"), "--as-of: 'someday' is no date"),
        ([TERMS], ("--config", "nowhere.json"), "--config nowhere.json"),
    ],
)
def test_bad_input_ends_with_2_and_names_it(main, pages, options, said):
    code, out, err = main(pages, *options)
    assert (code, out) == (2, "")
    assert said in err
