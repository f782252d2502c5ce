"""One answer and its verdict, each looked up on disk before it is asked for, and kept as soon as it is there."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from ragclean.disk_cache import DiskCache
from ragclean.evaluation.archive import judgement_from_dict
from ragclean.evaluation.judging import AnswerJudge
from ragclean.evaluation.noise import Shortage
from ragclean.evaluation.records import EvalCase, Judgement, Outcome, Shown, check_judgement
from ragclean.evaluation.scoring import score
from ragclean.evaluation.workers import Loop, SingleFlight
from ragclean.screen import coerce
from ragclean.types import Chunk

logger = logging.getLogger(__name__)
T = TypeVar("T")

Answer = Callable[[str, Sequence[Chunk]], "str | Awaitable[str]"]
Retrieve = Callable[[str], Sequence[Any]]
#: Room for the answers and verdicts of some thousand cases.
CACHE_BYTES = 1 << 30
#: Part of every key; raised when what is kept under a key changes its meaning.
_FORM = 1
#: Characters of an answer. A longer one is a dump of the contexts or a loop; reading it would take longer than all the
#: other answers, and no judge has a window for it.
LONGEST_ANSWER = 50_000
#: Characters of an application's error that a report quotes.
_QUOTED = 300
#: What an application can see of a chunk.
_SEEN = tuple(f.name for f in fields(Chunk) if f.name not in ("embedding", "metadata"))
_KEPT_FIELDS = tuple(f.name for f in fields(Chunk) if f.name != "embedding")



class Kept:
    """What was paid for, in one file of a folder. Of two processes that ask the same at once both take what came
    first."""

    def __init__(self, folder: str | os.PathLike[str] | None) -> None:
        self._cache = None if folder is None else DiskCache(Path(folder) / "evaluation.sqlite3", CACHE_BYTES)

    def session(self) -> AbstractContextManager[None]:
        """Meanwhile the file stays open."""
        return nullcontext() if self._cache is None else self._cache.session()

    def get(self, key: str, read: Callable[[str], T]) -> T | None:
        """What was kept, read; None where there is none, or none of this form."""
        text = self._cache.get(key) if self._cache is not None else None
        if text is None or self._cache is None:
            return None
        try:
            return read(text)
        except (ValueError, KeyError, TypeError, AttributeError):
            logger.warning("what was kept cannot be read and is asked for again")
            self._cache.drop(key)
            return None

    def put(self, key: str, text: str) -> str:
        """Keep a text; the one that holds from now on, which another process may have kept before."""
        return text if self._cache is None else self._cache.put(key, text)


class Worker:
    """One answer after another, each looked up before it is asked for."""

    def __init__(
        self, answer: Answer, judge: AnswerJudge, retrieve: Retrieve | None, pipeline: str, kept: Kept, loop: Loop
    ) -> None:
        self._answer, self._judge, self._retrieve = answer, judge, retrieve
        self._pipeline, self._kept, self._loop = pipeline, kept, loop
        self._judged_by = judge.fingerprint
        self._flights = SingleFlight()
        self._not_retrieved: dict[str, str] = {}

    def with_contexts(self, case: EvalCase) -> EvalCase:
        """The case with what the retriever brings, where it has no contexts; why it brings none is remembered."""
        if case.contexts or self._retrieve is None:
            return case
        key = _key("contexts", self._pipeline, case.question)
        found = self._kept.get(key, _contexts)
        if found is None:
            try:
                found = _coerced(case, self._loop.settled(self._retrieve(case.question)))
            except Exception as error:
                logger.warning("case %s: the retriever failed: %r", case.id, error)
                self._not_retrieved[case.id] = f"retrieve: {_said(error)}"
                return case
            written = _written(found)
            found = _contexts(self._kept.put(key, written)) if written else found
        if not found:
            logger.warning("case %s: the retriever found nothing", case.id)
        return replace(case, contexts=found)

    def outcome(self, shown: Shown | Shortage, case: EvalCase, repeat: int) -> Outcome | Shortage:
        """Never raises for what the application or the judge does: that is counted as failed, not as wrong."""
        if isinstance(shown, Shortage):
            return shown
        given, failed = "", self._not_retrieved.get(case.id, "")
        if not failed:
            key = _key("answer", self._pipeline, case.question, [_content(c) for c in shown.contexts], repeat)
            given, failed = self._flights.do(key, lambda: self._answered(key, case, shown))
        if not failed and len(given) > LONGEST_ANSWER:
            given, failed = given[:LONGEST_ANSWER], f"the answer has more than {LONGEST_ANSWER} characters"
        if failed:
            judgement = Judgement(failed="there is no answer")
        else:
            about = [case.question, case.reference, list(case.keypoints), given, [_content(c) for c in shown.trusted]]
            added = [[_content(i.chunk), i.kind] for i in shown.injected]
            key = _key("verdict", self._judged_by, about, added, repeat)
            judgement = self._flights.do(key, lambda: self._judged(key, case, shown, given))
        return Outcome(shown, given, judgement, score(case, judgement, shown), repeat, failed)

    def _answered(self, key: str, case: EvalCase, shown: Shown) -> tuple[str, str]:
        """The answer, or why there is none."""
        known = self._kept.get(key, str)
        if known is not None:
            return known, ""
        try:
            given = self._loop.settled(self._answer(case.question, [_own(c) for c in shown.contexts]))
        except (Exception, SystemExit, GeneratorExit) as error:  # sys.exit() of an application ends its answer alone
            logger.warning("case %s, %s: the application failed: %r", case.id, shown.variant, error)
            return "", _said(error)
        if not isinstance(given, str):
            logger.warning("case %s, %s: the application gave no string", case.id, shown.variant)
            return "", f"expected a string, got {type(given).__name__}"
        return self._kept.put(key, given[: LONGEST_ANSWER + 1]), ""

    def _judged(self, key: str, case: EvalCase, shown: Shown, given: str) -> Judgement:
        known = self._kept.get(key, _judgement)
        if known is not None:
            return known
        try:
            judgement = self._judge.judge(case.question, given, case, shown)
            if not isinstance(judgement, Judgement):
                raise TypeError(f"expected a Judgement, got {type(judgement).__name__}")
            check_judgement(judgement)
            written = json.dumps(asdict(judgement))
            judgement = _judgement(written)  # a user's own judge may fill it with anything
            score(case, judgement, shown)
        except Exception as error:
            logger.warning("case %s, %s: the judge failed: %r", case.id, shown.variant, error)
            return Judgement(failed=_said(error))
        if judgement.failed:  # it is asked for again
            logger.warning("case %s, %s: no verdict: %s", case.id, shown.variant, judgement.failed[:_QUOTED])
            return judgement
        held = self._kept.put(key, written)
        return judgement if held == written else _judgement(held)


def _coerced(case: EvalCase, items: Iterable[Any]) -> tuple[Chunk, ...]:
    """What a retriever gave as chunks, each under an id of its own; what cannot be read is left out and said."""
    found: list[Chunk] = []
    for i, item in enumerate(items):
        complaints: list[str] = []
        chunk = coerce(item, complaints)
        for complaint in complaints:
            logger.warning("case %s: retrieved chunk %d: %s", case.id, i, complaint)
        if chunk is not None and chunk.text.strip():
            found.append(chunk)
    taken: set[str] = set()
    named = []
    for i, chunk in enumerate(found, 1):
        name = chunk.id or f"c{i}"
        while name in taken:
            name += "'"
        taken.add(name)
        named.append(replace(chunk, id=name))
    return tuple(named)


def _contexts(text: str) -> tuple[Chunk, ...]:
    return tuple(Chunk(**data) for data in json.loads(text))


def _judgement(text: str) -> Judgement:
    return judgement_from_dict(json.loads(text))


def _written(chunks: Sequence[Chunk]) -> str:
    """Chunks as JSON; empty where nothing was retrieved, or what would not come back the same: embeddings, objects."""
    plain = [{name: getattr(c, name) for name in _KEPT_FIELDS} for c in chunks]
    try:
        text = json.dumps([{**data, "metadata": dict(data["metadata"])} for data in plain])
    except (TypeError, ValueError):
        return ""
    same = [dict(c.metadata) for c in chunks] == [data["metadata"] for data in json.loads(text)]
    return text if chunks and same and all(c.embedding is None for c in chunks) else ""


def _own(chunk: Chunk) -> Chunk:
    """With metadata of its own: what an application writes there must not be seen under another variant."""
    return replace(chunk, metadata=dict(chunk.metadata)) if chunk.metadata else chunk


def _content(chunk: Chunk) -> list[Any]:
    return [*(getattr(chunk, name) for name in _SEEN), repr(sorted(map(repr, chunk.metadata.items())))]


def _key(*parts: Any) -> str:
    written = json.dumps([_FORM, *parts], ensure_ascii=True, sort_keys=True, default=str)
    return hashlib.sha256(written.encode("ascii")).hexdigest()


def _said(error: BaseException) -> str:
    """An error in a report: its kind and what it says, on one line."""
    try:
        said = str(error)
    except Exception:
        said = "(no message)"
    return " ".join(f"{type(error).__name__}: {said}".split())[:_QUOTED]
