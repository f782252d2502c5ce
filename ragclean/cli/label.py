"""``ragclean label``: a walk through the cases that want a label, one key an answer."""

from __future__ import annotations

import argparse
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from ragclean.cli import console, language
from ragclean.cli.badcases import open_store, reported
from ragclean.cli.case_words import CASE_WORDS
from ragclean.cli.failure import EXIT_OK, CommandError

if TYPE_CHECKING:
    from ragclean.badcases.record import BadCase, Expected, Verdict
    from ragclean.badcases.store import BadCaseStore
    from ragclean.report.wording import Wording
    from ragclean.types import Chunk

EPILOG = """\
keys:
  at a chunk      k keep, d drop, u neither (takes a label back), s skip, m show all of a long text, v to the verdict
  at the verdict  l the answer was lost, w a wrong value, n noise, g good, o other, s skip
  at both         b back, q quit

  Every answer is in the store at once: quit whenever you like, and go on later. A case is done once it has a verdict
  and, unless that is 'good', a label. Where standard input is no terminal, each line is one key; a line
  that is no key there ends the walk with 2, since every line after it would answer something else.

examples:
  ragclean label cases.sqlite3
  ragclean label cases.sqlite3 --show

exit codes: 0 done or quit, 1 the store cannot be read or written, 2 bad input or usage.
"""
_VERDICT_KEYS: Mapping[str, Verdict] = {
    "l": "lost_answer", "w": "wrong_value", "n": "noise", "g": "good", "o": "other",
}  # fmt: skip
#: Characters of a chunk that are shown before 'm' is pressed: some three screens.
_SHOWN = 6000
#: Keys that may be pressed ahead; more at once is text that was pasted, and no answer.
_AHEAD = 16
#: What a terminal sends for Ctrl-D, and what stands for the end of a file.
_END_OF_INPUT = "\x04"
_ESCAPE = "\x1b"

Move = Literal["next", "back", "quit"]


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "label",
        help="label recorded cases, one key an answer",
        description="Walk through the recorded cases that want a label: which chunks had to stay, which had to go, and "
        "what was wrong.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("store", help="the store, an SQLite file")
    parser.add_argument("--show", action="store_true", help="only say how many cases remain")
    language.add_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Walk until there is nothing left, or the user quits."""
    w = language.wording(args, CASE_WORDS)
    with open_store(args.store) as store, reported():
        if not args.show:
            with _keys() as read:
                _walk(store, read, w)
        console.out(w("to_label", open=store.count_pending(), all=len(store)))
    return EXIT_OK


def _walk(store: BadCaseStore, read: Callable[[], str], w: Wording) -> None:
    waiting = (case.id for case in store.pending())
    seen: list[str] = []
    at, from_behind = 0, False
    while True:
        if at == len(seen):
            following = next(waiting, None)
            if following is None:
                return
            seen.append(following)
        move = _Visit(store, seen[at], read, w, from_behind).walk()
        if move == "quit":
            return
        from_behind = move == "back" and at > 0
        at = at + 1 if move == "next" else max(0, at - 1)


class _Visit:
    """One case: its chunks, one after the other, then its verdict."""

    def __init__(
        self, store: BadCaseStore, case_id: str, read: Callable[[], str], words: Wording, from_behind: bool
    ) -> None:
        self._store, self._id, self._read, self._from_behind = store, case_id, read, from_behind
        self._w = words

    def walk(self) -> Move:
        case = self._case()
        if case is None:
            return "next"
        last = len(case.candidates)
        _show_case(case, self._w)
        at = last if self._from_behind else _first_open(case)
        while True:
            case = self._case()
            if case is None:  # deleted by someone else meanwhile
                return "next"
            move = self._chunk(case, at) if at < last else self._verdict(case)
            if move == "quit" or (at == last and move == "next"):
                return move
            if at == 0 and move == "back":
                return move
            at = last if move == "verdict" else at + (1 if move == "next" else -1)

    def _case(self) -> BadCase | None:
        try:
            return self._store.get(self._id)
        except KeyError:
            return None

    def _chunk(self, case: BadCase, at: int) -> Move | Literal["verdict"]:
        chunk, whole = case.candidates[at], False
        _show_chunk(case, at, _SHOWN, self._w)
        while True:
            key = self._read()
            if key in ("k", "d", "u"):
                now = self._case() or case  # somebody else may have labelled it while the key was waited for
                self._label(_relabelled(now.expected, chunk, key))
                return "next"
            if key == "m" and not whole:
                whole = True
                _show_chunk(case, at, len(chunk.text), self._w)
            elif key == "v":
                return "verdict"
            elif move := _move(key):
                return move
            else:
                self._refuse(key, f"chunk {_shown(chunk.id)}")
                console.out(self._w("chunk_keys"))

    def _verdict(self, case: BadCase) -> Move:
        w = self._w
        verdict = w("verdict_of", id=_shown(case.id), verdict=case.verdict or w("none_yet"))
        console.out(f"\n{verdict}\n{w('verdict_keys')}")
        while True:
            key = self._read()
            if key in _VERDICT_KEYS:
                self._label(_VERDICT_KEYS[key])
                return "next"
            if move := _move(key):
                return move
            self._refuse(key, "the verdict")
            console.out(w("verdict_keys"))

    def _refuse(self, key: str, prompt: str) -> None:
        """At a terminal the keys are shown once more. A script that gave a wrong one is stopped: every key after it
        would be taken for something else."""
        if not _at_terminal():
            raise CommandError(f"case {_shown(self._id)}, {prompt}: {_shown(key)} is no key here; the rest is not read")

    def _label(self, what: Expected | Verdict) -> None:
        try:
            if isinstance(what, str):
                self._store.label(self._id, verdict=what)
            else:
                self._store.label(self._id, expected=what)
        except KeyError:
            console.out(self._w("deleted"))


def _move(key: str) -> Move | None:
    moves: Mapping[str, Move] = {"s": "next", "b": "back", "q": "quit", _END_OF_INPUT: "quit"}
    return moves.get(key)


def _first_open(case: BadCase) -> int:
    """The first chunk without a label; the verdict where all have one."""
    known = {*case.expected.keep, *case.expected.drop}
    return next((i for i, c in enumerate(case.candidates) if c.id not in known), len(case.candidates))


def _relabelled(expected: Expected, chunk: Chunk, key: str) -> Expected:
    keep = [i for i in expected.keep if i != chunk.id]
    drop = [i for i in expected.drop if i != chunk.id]
    parts = expected.keep_sentences
    if key == "k":
        keep.append(chunk.id)
    elif key == "d":
        drop.append(chunk.id)
        parts = tuple(p for p in parts if p.chunk_id != chunk.id)
    return replace(expected, keep=tuple(keep), drop=tuple(drop), keep_sentences=parts)


# ------------------------------------------------------------------ what is shown


def _show_case(case: BadCase, w: Wording) -> None:
    day = case.as_of or w("today")
    lines = ["", "=" * 60, w("case", id=_shown(case.id), recorded=_shown(case.recorded_at[:10]), day=day)]
    lines.append(w("query", text=_shown(case.query)))
    if case.note:
        lines.append(w("case_note", text=_shown(case.note)))
    console.out("\n".join(lines))


def _show_chunk(case: BadCase, at: int, limit: int, w: Wording) -> None:
    chunk = case.candidates[at]
    about = [chunk.title, chunk.source, chunk.day, chunk.uri]
    head = " | ".join(_shown(part) for part in (chunk.id, *about) if part)
    text = chunk.text[:limit]
    # A bar before every line, so that no text can pass for a line of ours.
    body = "\n".join(f"  | {line}" for line in _lines(text))
    more = f"\n  {w('more_text', n=len(chunk.text) - limit)}" if len(chunk.text) > limit else ""
    label = "keep" if chunk.id in case.expected.keep else "drop" if chunk.id in case.expected.drop else "none"
    console.out(
        f"\n[{at + 1}/{len(case.candidates)}] {head}\n{body}{more}\n"
        f"{w('fate', fate=_fate(case, chunk, w), label=w(f'label_{label}'))}\n{w('chunk_keys')}"
    )


def _fate(case: BadCase, chunk: Chunk, w: Wording) -> str:
    """What the recorded run did with a chunk."""
    kept, dropped = case.outcome.get("kept"), case.outcome.get("dropped")
    if isinstance(kept, list) and any(isinstance(k, Mapping) and k.get("id") == chunk.id for k in kept):
        return w("fate_kept")
    for entry in dropped if isinstance(dropped, list) else ():
        if isinstance(entry, Mapping) and entry.get("chunk_id") == chunk.id:
            return w("fate_dropped", stage=_shown(str(entry.get("stage"))), reason=_shown(str(entry.get("reason"))))
    return w("fate_unknown")


def _shown(text: str) -> str:
    from ragclean.visible import quoted

    return quoted(text)


def _lines(text: str) -> list[str]:
    from ragclean.visible import visible

    return visible(text.replace("\r\n", "\n").expandtabs(4), lines=True).split("\n")


# ------------------------------------------------------------------ keys


@contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """What gives one key a call: at a terminal a press, else the first character of a line; at the end, end of input.

    Raises:
        CommandError: standard input is closed.
    """
    stream = sys.stdin
    if stream is None:
        raise CommandError("standard input is closed")
    if not stream.isatty():
        yield lambda: next((line.strip() for line in stream if line.strip()), _END_OF_INPUT)
        return
    if sys.platform == "win32":
        import msvcrt

        yield lambda: _from_console(msvcrt.getwch)
        return
    import termios
    import tty

    number = stream.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        yield _presses(number)
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _presses(number: int) -> Callable[[], str]:
    ahead: deque[str] = deque()

    def read() -> str:
        while not ahead:
            raw = os.read(number, 1024)
            if not raw:
                return _END_OF_INPUT
            pressed = raw.decode("utf-8", "replace")
            if pressed.startswith(_ESCAPE) or len(pressed) > _AHEAD:  # an arrow ends in a letter: it is no answer
                return _ESCAPE
            ahead.extend(pressed)
        return ahead.popleft()

    return read


def _from_console(press: Callable[[], str]) -> str:
    """One press of a Windows console: arrows and their kin come as two characters, Ctrl-C as one."""
    key = press()
    if key in ("\0", "\xe0"):
        press()
        return _ESCAPE
    if key == "\x03":
        raise KeyboardInterrupt
    return _END_OF_INPUT if key == "\x1a" else key
