"""Noise ratio, place and depth on a public set, with and without the corrector."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from proof.figures import interval
from proof.noise import DEPTHS, PLACES, RATIOS, Question, at_depth, at_place, at_ratio, read_questions
from proof.reader import Answered, Asked, ask_all, read_answers, reader
from ragclean import NoiseCorrector
from ragclean.evaluation.cleaning import left_by
from ragclean.types import Chunk

#: A public question has no day of its own; one for all, so that a run is the same on every day.
AS_OF = "2026-01-01"
OFF, ON = "raw", "corrected"

#: What each test varies: its settings, and the contexts under one of them.
TESTS: dict[str, tuple[Sequence[Any], Callable[[Question, Any], list[Chunk] | None]]] = {
    "ratio": (RATIOS, at_ratio), "place": (PLACES, at_place), "depth": (DEPTHS, at_depth),
}  # fmt: skip


_NOTHING = Question("", "", (), (), ())


def settings_of(test: str, written: str | None) -> Sequence[Any]:
    """The settings of a test as written, by commas, or all of them.

    Raises:
        ValueError: one is none.
    """
    known, make = TESTS[test]
    if not written:
        return known
    try:
        wanted = [type(known[0])(s.strip()) for s in written.split(",")]
    except ValueError as e:
        raise ValueError(f"settings: {written!r} are none of the test of {test}, as {known[0]}") from e
    for setting in wanted:
        make(_NOTHING, setting)
    return sorted(set(wanted), key=PLACES.index if test == "place" else None)


def asked_of(questions: Sequence[Question], test: str, settings: Sequence[Any]) -> Iterator[Asked]:
    """Every question that can be shown under all settings, raw and corrected under each."""
    make, corrector = TESTS[test][1], NoiseCorrector()
    for q in questions:
        shown = {s: passages for s in settings if (passages := make(q, s)) is not None}
        if len(shown) < len(settings):
            continue
        for setting, passages in shown.items():
            yield Asked(q.id, _arm(test, setting, OFF), q.query, tuple(passages))
            left = left_by(corrector.refine(q.query, passages, top_k=len(passages), as_of=AS_OF))
            yield Asked(q.id, _arm(test, setting, ON), q.query, tuple(left))


def _arm(test: str, setting: Any, side: str) -> str:
    return f"{test} {setting} {side}"


def right_by_arm(questions: Sequence[Question], answers: Sequence[Answered]) -> dict[str, dict[str, bool]]:
    """Whether each answer holds every part of the answer, by arm and question."""
    known = {q.id: q for q in questions}
    found: dict[str, dict[str, bool]] = {}
    for a in answers:
        if a.case in known:
            found.setdefault(a.arm, {})[a.case] = known[a.case].is_answered_by(a.answer)
    return found


def recovered(right: dict[str, dict[str, bool]], test: str, least: Any, most: Any) -> dict[str, float] | None:
    """Of the accuracy lost between two settings without the corrector, the share it gives back at the noisier one.

    (corrected at ``most`` - raw at ``most``) / (raw at ``least`` - raw at ``most``), over the same questions; with the
    interval of the numerator. None where nothing was lost.
    """
    clean, noisy, mended = (right.get(_arm(test, s, arm), {}) for s, arm in ((least, OFF), (most, OFF), (most, ON)))
    ids = sorted(set(clean) & set(noisy) & set(mended))
    if not ids:
        return None
    base, bad, good = (np.array([float(of[i]) for i in ids]) for of in (clean, noisy, mended))
    low, high = interval(good - bad)
    lost = float(base.mean() - bad.mean())
    told = {"n": len(ids), "raw, least noise": float(base.mean()), "raw": float(bad.mean()),
            "corrected": float(good.mean()), "gain": float((good - bad).mean()), "low": low, "high": high}  # fmt: skip
    return told | ({"recovered": told["gain"] / lost} if lost > 0 else {})


def show(options: argparse.Namespace) -> int:
    """Ask (unless told not to) and print accuracy by setting."""
    questions = read_questions(options.data)[: options.n]
    settings = settings_of(options.test, options.settings)
    if options.model:
        answerer = reader(options.model, options.url)
        for _ in ask_all(answerer, asked_of(questions, options.test, settings), options.out):
            pass
    elif not options.out.exists():
        raise ValueError(f"there is no file {options.out}, and no --model to ask")
    if not questions:
        raise ValueError(f"{options.data}: no question with an answer and a good passage")
    answers = read_answers(options.out)
    right = right_by_arm(questions, list(answers.values()))
    table = Table(options.test, "n", OFF, ON, "tokens " + OFF, "tokens " + ON, title=f"{options.data.stem}: accuracy")
    told: dict[str, Any] = {}
    for s in settings:
        arms = [_arm(options.test, s, side) for side in (OFF, ON)]
        off, on = (right.get(arm, {}) for arm in arms)
        ids = sorted(set(off) & set(on))
        if ids:
            tokens = [sum(answers[i, arm].tokens for i in ids) / len(ids) for arm in arms]
            shares = [sum(of[i] for i in ids) / len(ids) for of in (off, on)]
            told[str(s)] = {"n": len(ids), OFF: shares[0], ON: shares[1], "tokens": tokens}
            table.add_row(str(s), str(len(ids)), *(f"{x:.3f}" for x in shares), *(f"{t:.0f}" for t in tokens))
    gain = recovered(right, options.test, settings[0], settings[-1])
    Console(width=120).print(table)
    if gain is not None:
        told["recovered"] = gain
        Console().print({k: round(v, 3) for k, v in gain.items()})
    if options.json:
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0


def _whole(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, got {text!r}")
    return int(text)


def add_noise_command(commands: Any, add_reader: Callable[[argparse.ArgumentParser], None]) -> None:
    """The command ``noise``."""
    one = commands.add_parser("noise", help="ratio, place or depth of noise, on a public set")
    one.add_argument("--data", type=Path, required=True, help="a file of JSON Lines with gold and noise passages")
    one.add_argument("--test", choices=tuple(TESTS), default="ratio")
    one.add_argument("--settings", help="of the test, by commas, least noise first: 0.0,0.8")
    one.add_argument("--n", type=_whole, help="the first n questions")
    one.add_argument("--json", type=Path)
    add_reader(one)
    one.set_defaults(run=show)
