"""The walk of ``ragclean cases review``: a draft at a time, a letter and the Enter key an answer."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Literal

from ragclean.cli import console, language
from ragclean.cli.case_words import CASE_WORDS
from ragclean.cli.failure import EXIT_OK, CommandError

if TYPE_CHECKING:
    from ragclean.evaluation.case_drafts import Draft
    from ragclean.evaluation.case_review import ReviewFile
    from ragclean.report.wording import Wording
    from ragclean.types import Chunk

#: Characters of a passage that are shown before 'm' is given.
_SHOWN = 1200
#: Other contexts are shown by their beginning alone, so that a gold one that was missed can be found.
_GLIMPSE = 80

Move = Literal["next", "back", "quit"]


def review(args: argparse.Namespace) -> int:
    """Walk until nothing is left or the user quits, then write the accepted cases."""
    from ragclean.evaluation.case_review import ReviewFile

    if args.json and not args.show:
        raise CommandError("--json: the walk is for people; give --show too")
    w = language.wording(args, CASE_WORDS)
    file = ReviewFile(args.file)
    try:
        if not args.show:
            _walk(file, w)
    finally:  # what was decided before an interrupt is written out too
        if args.output:
            console.note(w("written", n=file.write_accepted(args.output), file=args.output))
    counts = {name: file.counts[name] for name in ("open", "accepted", "dropped")}
    if args.json:
        console.document({"drafts": len(file), **counts})
    else:
        console.out(w("to_review", all=len(file), **counts))
    return EXIT_OK


def _walk(file: ReviewFile, w: Wording) -> None:
    waiting, at = file.pending(), 0
    while at < len(waiting):
        move = _visit(file, waiting[at], f"{at + 1}/{len(waiting)}", w)
        if move == "quit":
            return
        at = at + 1 if move == "next" else max(0, at - 1)


def _visit(file: ReviewFile, case_id: str, place: str, w: Wording) -> Move:
    _show(file.get(case_id), place, False, w)
    while True:
        draft = file.get(case_id)
        console.out((w("key_use") if draft.answer else "") + w("keys"))
        key = _line()
        if key is None or key == "q":
            return "quit"
        if key in ("s", "b"):
            return "next" if key == "s" else "back"
        try:
            if _decide(file, draft, key, w):
                return "next"
        except ValueError as error:
            console.out(str(error))
            _stop_script()
        if key in ("r", "p", "g", "u", "m"):
            _show(file.get(case_id), place, key == "m", w)


def _decide(file: ReviewFile, draft: Draft, key: str, w: Wording) -> bool:
    """Carry out one answer; True where the draft is decided."""
    case_id = draft.case.id
    if key == "a":
        file.accept(case_id)
    elif key == "n":
        file.accept(case_id, unanswerable=True)
    elif key == "d":
        file.drop(case_id)
    elif key == "r":
        file.set_reference(case_id, _asked(w("ask_reference")))
    elif key == "u" and draft.answer:
        file.set_reference(case_id, draft.answer)
    elif key == "p":
        file.set_keypoints(case_id, _asked_lines(w("ask_points")))
    elif key == "g":
        given = _asked(w("ask_gold"))
        file.set_gold(case_id, [part.strip() for part in given.split(",") if part.strip()])
    elif key != "m":
        raise ValueError(w("no_key", pressed=_quoted(key)))
    return key in ("a", "n", "d")


def _stop_script() -> None:
    """A script that gave a wrong answer is stopped: every line after it would be taken for something else."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise CommandError("the rest is not read")


# ------------------------------------------------------------------ what is shown


def _show(draft: Draft, place: str, whole: bool, w: Wording) -> None:
    case = draft.case
    about = " | ".join(_quoted(p) for p in (draft.origin, case.category, case.difficulty, case.as_of or "") if p)
    lines = ["", "=" * 60, f"[{place}] {_quoted(case.id)}{f' ({about})' if about else ''}"]
    lines.append(w("question", text=_quoted(case.question)))
    lines.append(w("reference", text=_block(case.reference) or w("none")))
    lines += [w("point", n=n, text=_quoted(point)) for n, point in enumerate(case.keypoints, 1)]
    if draft.needs:
        needs = [w(f"need_{need}") for need in draft.needs]
        lines.append(w("missing", what=w.comma.join(needs)))
    lines += [w("note", text=_quoted(note)) for note in draft.notes]
    if draft.answer:
        lines.append(w("answered", text=_block(draft.answer)))
    gold = [c for c in case.contexts if c.id in case.gold]
    lines += [_passage("gold", c, None if whole else _SHOWN, w) for c in gold]
    others = [c for c in case.contexts if c.id not in case.gold]
    lines += [_passage("context", c, None if whole or not gold else _GLIMPSE, w) for c in others]
    lines += [_passage("old", c, None if whole else _GLIMPSE, w) for c in case.old_versions]
    console.out("\n".join(lines))


def _passage(what: str, chunk: Chunk, limit: int | None, w: Wording) -> str:
    dated = chunk.day
    head = " | ".join(_quoted(p) for p in (chunk.id, chunk.title, chunk.source or "", dated or "") if p)
    text = chunk.text if limit is None else chunk.text[:limit]
    more = w("more", n=len(chunk.text) - len(text)) if len(text) < len(chunk.text) else ""
    return f"{w(what)} {head}\n  | {_block(text)}{more}"


def _block(text: str) -> str:
    """A foreign text on lines of its own, each behind a bar, so that none can pass for a line of ours."""
    from ragclean.visible import visible

    return visible(text.replace("\r\n", "\n").expandtabs(4), lines=True).replace("\n", "\n  | ")


def _quoted(text: str) -> str:
    from ragclean.visible import visible

    return visible(" ".join(text.split()))


# ------------------------------------------------------------------ what is typed


def _line() -> str | None:
    """The next line that is not blank, trimmed; None at the end of the input."""
    while True:
        line = _raw()
        if line is None or line.strip():
            return None if line is None else line.strip()


def _raw() -> str | None:
    if sys.stdin is None:
        raise CommandError("standard input is closed")
    line = sys.stdin.readline()
    return line.rstrip("\r\n") if line else None


def _asked(what: str) -> str:
    console.out(what)
    return _raw() or ""


def _asked_lines(what: str) -> list[str]:
    console.out(what)
    found: list[str] = []
    while (line := _raw()) is not None and line.strip():
        found.append(line)
    return found
