"""The walk of ``ragclean cases review``: a draft at a time, a letter and the Enter key an answer."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Literal

from ragclean.cli import console
from ragclean.cli.failure import EXIT_OK, CommandError

if TYPE_CHECKING:
    from ragclean.evaluation.case_drafts import Draft
    from ragclean.evaluation.case_review import ReviewFile
    from ragclean.types import Chunk

_HELP = "a accept  r reference  p points  g gold  n no answer  m more  d drop  s skip  b back  q quit"
_HELP_ANSWER = "u use this answer  " + _HELP
#: Characters of a passage that are shown before 'm' is given.
_SHOWN = 1200
#: Other contexts are shown by their beginning alone, so that a gold one that was missed can be found.
_GLIMPSE = 80

Move = Literal["next", "back", "quit"]


def review(args: argparse.Namespace) -> int:
    """Walk until nothing is left or the user quits, then write the accepted cases."""
    from ragclean.evaluation.case_review import ReviewFile

    file = ReviewFile(args.file)
    try:
        if not args.show:
            _walk(file)
    finally:  # what was decided before an interrupt is written out too
        if args.output:
            console.note(f"{file.write_accepted(args.output)} cases written to {args.output}")
    counts = file.counts
    console.out(
        f"{counts['open']} of {len(file)} drafts to review, {counts['accepted']} accepted, {counts['dropped']} dropped"
    )
    return EXIT_OK


def _walk(file: ReviewFile) -> None:
    waiting, at = file.pending(), 0
    while at < len(waiting):
        move = _visit(file, waiting[at], f"{at + 1}/{len(waiting)}")
        if move == "quit":
            return
        at = at + 1 if move == "next" else max(0, at - 1)


def _visit(file: ReviewFile, case_id: str, place: str) -> Move:
    _show(file.get(case_id), place, whole=False)
    while True:
        draft = file.get(case_id)
        console.out(_HELP_ANSWER if draft.answer else _HELP)
        key = _line()
        if key is None or key == "q":
            return "quit"
        if key in ("s", "b"):
            return "next" if key == "s" else "back"
        try:
            if _decide(file, draft, key):
                return "next"
        except ValueError as error:
            console.out(str(error))
            _stop_script()
        if key in ("r", "p", "g", "u", "m"):
            _show(file.get(case_id), place, whole=key == "m")


def _decide(file: ReviewFile, draft: Draft, key: str) -> bool:
    """Carry out one answer; True where the draft is decided."""
    case_id = draft.case.id
    if key == "a":
        file.accept(case_id)
    elif key == "n":
        file.accept(case_id, unanswerable=True)
    elif key == "d":
        file.drop(case_id)
    elif key == "r":
        file.set_reference(case_id, _asked("reference"))
    elif key == "u" and draft.answer:
        file.set_reference(case_id, draft.answer)
    elif key == "p":
        file.set_keypoints(case_id, _asked_lines("key points, one a line; an empty line ends them"))
    elif key == "g":
        given = _asked("ids of the passages that hold the answer, with commas")
        file.set_gold(case_id, [part.strip() for part in given.split(",") if part.strip()])
    elif key != "m":
        raise ValueError(f"{_quoted(key)} is no key here")
    return key in ("a", "n", "d")


def _stop_script() -> None:
    """A script that gave a wrong answer is stopped: every line after it would be taken for something else."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise CommandError("the rest is not read")


# ------------------------------------------------------------------ what is shown


def _show(draft: Draft, place: str, whole: bool) -> None:
    case = draft.case
    about = " | ".join(_quoted(p) for p in (draft.origin, case.category, case.difficulty, case.as_of or "") if p)
    lines = ["", "=" * 60, f"[{place}] {_quoted(case.id)}{f' ({about})' if about else ''}"]
    lines += [f"question:  {_quoted(case.question)}", f"reference: {_block(case.reference) or '(none)'}"]
    lines += [f"  point {n}: {_quoted(point)}" for n, point in enumerate(case.keypoints, 1)]
    if draft.needs:
        lines.append(f"missing:   {', '.join(draft.needs)}")
    lines += [f"note:      {_quoted(note)}" for note in draft.notes]
    if draft.answer:
        lines.append(f"answered:  {_block(draft.answer)}")
    gold = [c for c in case.contexts if c.id in case.gold]
    lines += [_passage("gold", c, None if whole else _SHOWN) for c in gold]
    others = [c for c in case.contexts if c.id not in case.gold]
    lines += [_passage("context", c, None if whole or not gold else _GLIMPSE) for c in others]
    lines += [_passage("old version", c, None if whole else _GLIMPSE) for c in case.old_versions]
    console.out("\n".join(lines))


def _passage(what: str, chunk: Chunk, limit: int | None) -> str:
    dated = chunk.effective_from or chunk.updated_at or chunk.published_at
    head = " | ".join(_quoted(p) for p in (chunk.id, chunk.title, chunk.source or "", dated or "") if p)
    text = chunk.text if limit is None else chunk.text[:limit]
    more = f" ... ({len(chunk.text) - len(text)} more characters: m)" if len(text) < len(chunk.text) else ""
    return f"{what} {head}\n  | {_block(text)}{more}"


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
    console.out(f"{what}:")
    return _raw() or ""


def _asked_lines(what: str) -> list[str]:
    console.out(f"{what}:")
    found: list[str] = []
    while (line := _raw()) is not None and line.strip():
        found.append(line)
    return found
