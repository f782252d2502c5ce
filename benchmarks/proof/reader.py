"""The reader: a language model behind any OpenAI-compatible endpoint, whose answers are kept line by line.

A line of an answers file is one answer: case, arm, the digest of what was asked, and what was said. What stands in the
file already, with the same digest, is not asked again; so an interrupted run goes on where it stopped, and a changed
corrector asks only for the contexts that changed.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from ragclean.evaluation import EndpointAnswerer
from ragclean.reply import EndpointError
from ragclean.tokencount import estimate_tokens
from ragclean.types import Chunk

logger = logging.getLogger("proof")

#: A small reader that rambles is cut: an answer to these questions has at most some 40 tokens.
LONGEST = 96
#: Seconds for one answer on two slow cores.
PATIENCE = 900.0
#: Attempts after the first: a server that is loading its weights, or has too much to do, is there a minute later.
RETRIES = 5
_TOLD_EVERY = 20
#: Failures with which a run ends that has had no new answer.
_GIVEN_UP = 3


@dataclass(frozen=True)
class Asked:
    """One question with the passages that an arm leaves."""

    case: str
    arm: str
    question: str
    passages: tuple[Chunk, ...]

    @property
    def tokens(self) -> int:
        """Length of the passages, estimated."""
        return sum(estimate_tokens(p.text) for p in self.passages)


@dataclass(frozen=True)
class Answered:
    """What the reader said. ``digest`` is of all that was sent to it, the model's name included."""

    case: str
    arm: str
    digest: str
    tokens: int
    answer: str
    model: str = ""
    """Whose it is, and whether it might refuse; empty in files that were written before it was kept."""


def reader(model: str, base_url: str, *, may_refuse: bool = False) -> EndpointAnswerer:
    """A model that is told to answer from the passages alone, at temperature 0; kept here, not in the user's cache."""
    return EndpointAnswerer.of(
        model, base_url=base_url, may_refuse=may_refuse, parameters={"max_tokens": LONGEST}, timeout=PATIENCE,
        patience=PATIENCE * 2, max_retries=RETRIES, cache=False,
    )  # fmt: skip


def whose(answerer: EndpointAnswerer) -> str:
    """The reader as lines of an answers file name it."""
    return answerer.endpoint.model + (" (may refuse)" if answerer.may_refuse else "")


def digest_of(answerer: EndpointAnswerer, asked: Asked) -> str:
    """Of the model, its parameters and the whole prompt, not of the address."""
    sent = [answerer.endpoint.model, dict(answerer.endpoint.parameters)]
    sent += [dict(m) for m in answerer.request(asked.question, asked.passages).messages]
    return hashlib.sha256(json.dumps(sent, ensure_ascii=True, sort_keys=True).encode()).hexdigest()[:16]


def read_answers(path: Path) -> dict[tuple[str, str], Answered]:
    """By case and arm; of several the last, which an interrupted or changed run has put there.

    A last line that was cut while it was written is left out: its question is asked again.

    Raises:
        ValueError: another line is no answer; file and line are named.
    """
    if not path.exists():
        return {}
    found: dict[tuple[str, str], Answered] = {}
    lines = path.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            a = _read(json.loads(line.decode("utf-8")))
        except (TypeError, ValueError) as e:
            if number == len(lines) and not line.endswith(b"\n"):
                logger.warning("%s: the last line is cut short and left out", path)
                continue
            raise ValueError(f"{path}, line {number}: no answer ({e!s:.80})") from e
        found[a.case, a.arm] = a
    return found


def _read(raw: Any) -> Answered:
    a = Answered(**raw)
    for name in ("case", "arm", "digest", "answer", "model"):
        if not isinstance(getattr(a, name), str):
            raise ValueError(f"{name}: expected a text, got {getattr(a, name)!r:.40}")
    if isinstance(a.tokens, bool) or not isinstance(a.tokens, int):
        raise ValueError(f"tokens: expected a number, got {a.tokens!r:.40}")
    return a


def _line(answer: Answered) -> str:
    text = json.dumps(asdict(answer), ensure_ascii=False)
    # A lone surrogate has no form in UTF-8; escaped it has one in JSON.
    return (text if text.isprintable() else json.dumps(asdict(answer))) + "\n"


def ask_all(answerer: EndpointAnswerer, questions: Iterable[Asked], path: Path) -> Iterator[Answered]:
    """Every answer, those of the file first looked up; new ones are written as they come.

    A question that the endpoint refuses (too long, filtered) or says nothing to is left out with a warning; the next
    run asks it again.

    Raises:
        ValueError: the file holds answers of another reader, or another run writes to it.
        EndpointError: the first questions all failed: there is no such endpoint, or it does not work.
    """
    known, me = read_answers(path), whose(answerer)
    others = sorted({a.model for a in known.values() if a.model not in ("", me)})
    if others:
        raise ValueError(f"{path} holds answers of {', '.join(others)}; those of {me} need a file of their own")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.read_bytes().endswith(b"\n"):
        tidy(path, list(known))  # else the next answer would stand behind half a line
    with path.open("a", encoding="utf-8") as out, _alone(out):
        yield from _ask(answerer, questions, known, out)


def _ask(
    answerer: EndpointAnswerer, questions: Iterable[Asked], known: Mapping[tuple[str, str], Answered], out: TextIO
) -> Iterator[Answered]:
    started, new, failed, me = time.monotonic(), 0, 0, whose(answerer)
    for asked in questions:
        digest = digest_of(answerer, asked)
        old = known.get((asked.case, asked.arm))
        if old is not None and old.digest == digest and old.answer:
            yield replace(old, model=me)
            continue
        try:
            answer = answerer(asked.question, asked.passages)
            if not answer:
                raise EndpointError("it said nothing")
        except EndpointError as e:
            failed += 1
            logger.warning("%s, %s: no answer (%s)", asked.case, asked.arm, e)
            if failed >= _GIVEN_UP and not new:
                raise  # nobody is there, or nothing of it works
            continue
        found = Answered(asked.case, asked.arm, digest, asked.tokens, answer, me)
        out.write(_line(found))
        out.flush()
        new += 1
        if new % _TOLD_EVERY == 0:
            logger.info("%d new answers, %.1f s each", new, (time.monotonic() - started) / new)
        yield found
    logger.info("%d new answers, %d questions without one", new, failed)


@contextmanager
def _alone(out: TextIO) -> Iterator[None]:
    """No two runs write one file: the one that ends first would put its own in the place of the other's."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    try:
        fcntl.flock(out, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as e:
        raise ValueError(f"{out.name}: another run writes to this file") from e
    yield


def tidy(
    path: Path, wanted: Sequence[tuple[str, str]], told: Mapping[tuple[str, str], Answered] | None = None
) -> Mapping[tuple[str, str], Answered]:
    """Rewrite a file so that it holds what is wanted, once each and in this order; ``told`` knows better than it."""
    known = {**read_answers(path), **(told or {})}
    kept = {key: known[key] for key in wanted if key in known}
    beside = path.with_name(path.name + ".new")  # hours of answers are not left half written
    beside.write_text("".join(map(_line, kept.values())), encoding="utf-8")
    beside.replace(path)
    return kept
