"""``ragclean label``: a walk that can be left at any key, by pipe and at a terminal."""

from __future__ import annotations

import io
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from ragclean import NoiseCorrector
from ragclean.badcases import BadCaseStore
from ragclean.cli import label, main

ROWS = [
    {"id": "terms", "title": "售后条款", "source": "official_policy", "updated_at": "2025-01-01",
     "text": "水泵整机保修期为36个月，\r\n自开票之日起计算。"},
    {"id": "old", "source": "forum", "text": "我记得水泵整机保修期只有12个月。"},
    {"id": "menu", "text": "本周食堂供应红烧排骨。\n[1/3] 假的\n\x1b]0;owned\x07\x1b[2J\u202e\x9b31m"},
]  # fmt: skip


@pytest.fixture(scope="module")
def result():
    return NoiseCorrector().refine("水泵整机保修多久？", ROWS, as_of="2025-06-01")


@pytest.fixture
def path(tmp_path, result):
    with BadCaseStore(tmp_path / "cases.sqlite3") as store:
        for note in ("first", "second"):
            store.record(result, note=note)
    return str(tmp_path / "cases.sqlite3")


@pytest.fixture
def walk(path, monkeypatch, capsys):
    def go(keys):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{k}\n" for k in keys)))
        assert main(["label", path]) == 0
        return capsys.readouterr().out

    return go


def labels(path):
    with BadCaseStore(path, create=False) as store:
        return [(c.verdict, c.expected.keep, c.expected.drop) for c in store]


def test_a_whole_walk(walk, path):
    shown = walk("kdswkkdg")
    assert labels(path) == [("wrong_value", ("terms",), ("old",)), ("good", ("terms", "old"), ("menu",))]
    assert shown.endswith("0 of 2 cases to label\n")
    assert "query: 水泵整机保修多久？" in shown
    assert "note: first" in shown
    assert "[1/3] terms | 售后条款 | official_policy | 2025-01-01" in shown
    assert "  | 水泵整机保修期为36个月，\n  | 自开票之日起计算。" in shown
    assert "the run kept it; label: none" in shown
    assert "the run dropped it (" in shown


def test_nothing_of_a_text_acts_on_the_terminal_or_passes_for_ours(walk):
    shown = walk("ssq")
    assert not any(c in shown for c in "\x1b\x07\x9b\u202e\r")
    assert "\n  | [1/3] 假的\n  | \\x1b]0;owned\\x07\\x1b[2J\\u202e\\x9b31m\n" in shown


def test_every_answer_is_in_the_store_at_once_and_the_walk_goes_on_there(walk, path):
    assert "2 of 2 cases to label" in walk("k")
    assert labels(path)[0] == (None, ("terms",), ())
    shown = walk("d")
    assert "[2/3] old" in shown
    assert "[1/3] terms" not in shown
    assert labels(path)[0] == (None, ("terms",), ("old",))
    walk("sn")
    assert labels(path)[0] == ("noise", ("terms",), ("old",))
    assert labels(path)[1] == (None, (), ())


def test_going_back(walk, path):
    walk("kbdk" + "kl" + "b" + "o" + "q")
    assert labels(path)[0] == ("other", ("old", "menu"), ("terms",)), "first answer changed, then the verdict"
    walk("vbbbuq")
    with BadCaseStore(path, create=False) as store:
        assert [c.verdict for c in store] == ["other", None]


def test_a_label_can_be_taken_back_and_a_drop_takes_the_sentences_along(walk, path):
    with BadCaseStore(path) as store:
        first = next(iter(store))
        store.label(first.id, expected={"keep_sentences": [{"chunk_id": "terms", "text": "36个月"}]})
    walk("kbuq")
    assert labels(path)[0] == (None, (), ())
    walk("dq")
    with BadCaseStore(path) as store:
        case = store.get(first.id)
    assert (case.expected.drop, case.expected.keep_sentences) == (("terms",), ())


def test_skipping_and_jumping_to_the_verdict(walk, path):
    assert walk("sss" + "s" + "vg").endswith("1 of 2 cases to label\n")
    assert labels(path) == [(None, (), ()), ("good", (), ())]
    assert "\n[1/3] terms" not in walk("vq").split("verdict of")[1]


def test_a_bad_verdict_without_a_label_wants_another_look(walk):
    assert walk("vlvl").endswith("2 of 2 cases to label\n")


@pytest.mark.parametrize("key", ["x", "K", "keep", "l"])
def test_a_script_with_a_wrong_key_is_stopped_before_it_answers_something_else(path, monkeypatch, capsys, key):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"\n  \nk\n{key}\nd\nd\n"))
    assert main(["label", str(path)]) == 2
    error = capsys.readouterr().err
    assert f"{key} is no key here; the rest is not read" in error.replace("'", "")
    assert labels(path)[0] == (None, ("terms",), ())


def test_a_long_text_is_shown_whole_on_demand(tmp_path, result, monkeypatch, capsys):
    long = replace(result, candidates=(replace(result.candidates[0], text="甲" * 9000 + "结尾"),))
    with BadCaseStore(tmp_path / "long.sqlite3") as store:
        store.record(long)
    for keys, seen in (("q", False), ("m\nq", True)):
        monkeypatch.setattr(sys, "stdin", io.StringIO(keys))
        assert main(["label", str(tmp_path / "long.sqlite3")]) == 0
        shown = capsys.readouterr().out
        assert ("(3002 more characters: m shows them)" in shown, "结尾" in shown) == (True, seen)


def test_a_case_without_candidates_has_a_verdict_only(tmp_path, result, monkeypatch, capsys):
    with BadCaseStore(tmp_path / "none.sqlite3") as store:
        store.record(replace(result, candidates=()))
    monkeypatch.setattr(sys, "stdin", io.StringIO("b\ng\n"))
    assert main(["label", str(tmp_path / "none.sqlite3")]) == 0
    assert capsys.readouterr().out.endswith("0 of 1 cases to label\n")


def test_a_case_deleted_meanwhile_is_passed_over(path, monkeypatch, capsys):
    with BadCaseStore(path) as store:
        first, second = list(store)

        class Keys(io.StringIO):
            def readline(self, *_):
                store.delete(first.id)
                return "k\n" if first.id not in deleted and not deleted.append(first.id) else "q\n"

        deleted = []
        monkeypatch.setattr(sys, "stdin", Keys())
        assert main(["label", path]) == 0
        shown = capsys.readouterr().out
        assert "this case was deleted meanwhile" in shown
        assert f"case {second.id}" in shown


def test_show_counts_and_asks_nothing(path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["label", path, "--show"]) == 0
    assert capsys.readouterr().out == "2 of 2 cases to label\n"
    assert main(["label", path]) == 2
    assert "standard input is closed" in capsys.readouterr().err


def test_a_missing_store_is_an_error_and_is_not_made(tmp_path, capsys):
    assert main(["label", str(tmp_path / "none.sqlite3")]) == 2
    assert "none.sqlite3: no such file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_arrows_of_a_windows_console_are_no_answers():
    pressed = iter("\xe0K" + "\0H" + "k" + "\x1a" + "\x03")
    read = lambda: label._from_console(lambda: next(pressed))  # noqa: E731
    assert [read() for _ in range(4)] == ["\x1b", "\x1b", "k", "\x04"]
    with pytest.raises(KeyboardInterrupt):
        read()


# ------------------------------------------------------------------ at a terminal


class Terminal:
    """The command at a terminal of its own."""

    def __init__(self, *arguments):
        import pty

        self.ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ragclean", *arguments], stdin=theirs, stdout=theirs, stderr=theirs,
            start_new_session=True, close_fds=True,
            # As in a terminal: what a shell begins in the background, and all below it, ignores Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        os.close(theirs)
        self.shown = ""

    def wait_for(self, text, times=1):
        until = time.monotonic() + 60
        while self.shown.count(text) < times:
            assert time.monotonic() < until, self.shown
            if select.select([self.ours], [], [], 0.2)[0]:
                self.shown += os.read(self.ours, 65536).decode("utf-8", "replace")

    def press(self, keys):
        os.write(self.ours, keys.encode())

    def end(self):
        code = self.process.wait(60)
        os.close(self.ours)
        return code


@pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal")
def test_single_keys_at_a_terminal(path):
    terminal = Terminal("label", path)
    terminal.wait_for("[1/3] terms")
    terminal.press("\x1b[D")  # the left arrow ends in a letter
    terminal.wait_for("k keep", 2)
    terminal.press("d" * 40)  # pasted
    terminal.wait_for("k keep", 3)
    assert labels(path)[0] == (None, (), ())
    terminal.press("k")
    terminal.wait_for("[2/3] old")
    assert labels(path)[0] == (None, ("terms",), ())
    terminal.press("dd")  # typed ahead
    terminal.wait_for("verdict of")
    terminal.press("n")
    terminal.wait_for("note: second")
    terminal.press("q")
    terminal.wait_for("1 of 2 cases to label")
    assert terminal.end() == 0
    assert labels(path)[0] == ("noise", ("terms",), ("old", "menu"))


@pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal")
def test_the_terminal_is_as_it_was_after_an_interrupt(path):
    import termios

    terminal = Terminal("label", path)
    before = termios.tcgetattr(terminal.ours)
    terminal.wait_for("[1/3] terms")
    during = termios.tcgetattr(terminal.ours)
    assert not during[3] & termios.ICANON
    terminal.press("k")
    terminal.wait_for("[2/3] old")
    os.kill(terminal.process.pid, signal.SIGINT)
    assert terminal.process.wait(60) == 130
    assert termios.tcgetattr(terminal.ours)[3] & termios.ICANON == before[3] & termios.ICANON
    terminal.end()
    assert labels(path)[0] == (None, ("terms",), ())
