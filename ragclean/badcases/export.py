"""Recorded cases made into labelled cases for calibration, and into regression tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ragclean.badcases.holding import Searchable
from ragclean.badcases.record import BadCase
from ragclean.badcases.replaying import expected_of
from ragclean.calibration.cases import LabelledCase, LabelledChunk, case_from_dict
from ragclean.config import CorrectorConfig
from ragclean.json_lines import write_lines
from ragclean.types import Chunk

DATA_FILE = "bad_cases.jsonl"
TEST_FILE = "test_bad_cases.py"
CONFIG_FILE = "bad_cases_config.json"

_MARK = '"""Nothing expected of a case may be lost. Written by ragclean; the cases are in bad_cases.jsonl."""\n'
#: The same whatever the cases: what they hold stays data.
_TEST = (
    _MARK
    + '''
from pathlib import Path

import pytest

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.badcases import iter_cases, replay_case

HERE = Path(__file__).parent
CASES = list(iter_cases(HERE / "bad_cases.jsonl"))
CONFIG = HERE / "bad_cases_config.json"


@pytest.fixture(scope="module")
def corrector():
    return NoiseCorrector(config=CorrectorConfig.load(CONFIG) if CONFIG.exists() else None)


@pytest.mark.parametrize("case", CASES, ids=[f"line-{n}" for n, _ in enumerate(CASES, 1)])
def test_nothing_expected_is_lost_and_nothing_wrong_adopted(case, corrector):
    outcome = replay_case(case, corrector)
    assert outcome.ok, outcome.explain()
'''
)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A case that was left out, and why."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """Cases for calibration, and what could not be one."""

    cases: tuple[LabelledCase, ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class RegressionTests:
    """What :func:`write_regression_tests` wrote."""

    data: Path
    test: Path
    count: int
    skipped: tuple[Skipped, ...]


def to_labelled_cases(cases: Iterable[BadCase]) -> Labelled:
    """The cases, of a store or a list, that have labels of chunks or sentences.

    Options but ``sub_queries`` have no place in a labelled case; neither have configuration, outcome and note.
    """
    made: list[LabelledCase] = []
    skipped: list[Skipped] = []
    for case in cases:
        try:
            made.append(_labelled(case))
        except ValueError as error:
            skipped.append(Skipped(case.id, str(error)))
    return Labelled(tuple(made), tuple(skipped))


def write_regression_tests(
    cases: Iterable[BadCase | LabelledCase], folder: str | Path, *, config: CorrectorConfig | None = None
) -> RegressionTests:
    """Write a data file and a pytest file that refines each case and fails with the stage that lost something.

    The folder is made where there is none; files of an earlier call are replaced.

    Args:
        cases: those without labels are left out, and named in what is returned.
        config: what to refine with, written beside the cases; None: the defaults.

    Raises:
        FileExistsError: the folder holds a ``test_bad_cases.py`` that this function did not write.
        OSError: a file cannot be written.
    """
    home = Path(folder)
    test = home / TEST_FILE
    if test.exists() and not test.read_bytes().startswith(_MARK.encode()):
        raise FileExistsError(f"{test}: not written by ragclean; move it first")
    home.mkdir(parents=True, exist_ok=True)
    skipped: list[Skipped] = []

    def rows() -> Iterator[dict[str, Any]]:
        for case in cases:
            if not (case.expected if isinstance(case, BadCase) else expected_of(case)):
                skipped.append(Skipped(case.id, "nothing is expected of it"))
                continue
            # The outcome of then says nothing of the one of now.
            yield (replace(case, outcome={}, config=None) if isinstance(case, BadCase) else case).to_dict()

    count = write_lines(home / DATA_FILE, rows())
    test.write_bytes(_TEST.encode())
    if config is None:
        (home / CONFIG_FILE).unlink(missing_ok=True)
    else:
        config.save(home / CONFIG_FILE)
    return RegressionTests(home / DATA_FILE, test, count, tuple(skipped))


def _labelled(case: BadCase) -> LabelledCase:
    expected = case.expected
    if not (expected.keep or expected.drop or expected.keep_sentences or expected.drop_sentences):
        raise ValueError("no chunk or sentence has a label")
    known = {c.id for c in case.candidates}
    named = (
        *expected.keep, *expected.drop, *(p.chunk_id for p in (*expected.keep_sentences, *expected.drop_sentences))
    )
    missing = next((i for i in named if i not in known), None)
    if missing is not None:
        raise ValueError(f"a label names the chunk {missing!r:.60}, which is no candidate")
    chunks = tuple(_labelled_chunk(c, case) for c in case.candidates)
    made = LabelledCase(
        id=case.id,
        query=case.query,
        chunks=chunks,
        as_of=case.as_of,
        sub_queries=tuple(case.options.get("sub_queries", ())),
        accepted=expected.accepted,
        wrong=expected.wrong,
    )
    case_from_dict(made.to_dict())  # whatever reading it back would refuse: a blank query, one id twice
    return made


def _labelled_chunk(chunk: Chunk, case: BadCase) -> LabelledChunk:
    expected, text = case.expected, Searchable(chunk.text)
    sides: list[tuple[str, ...]] = []
    for parts in (expected.keep_sentences, expected.drop_sentences):
        found = []
        for part in parts:
            if part.chunk_id == chunk.id:
                span = next(text.parts(part.text), None)
                if span is None:
                    raise ValueError(f"the chunk {chunk.id!r:.60} does not hold the part labelled {part.text!r:.60}")
                found.append(chunk.text[span[0] : span[1]])
        sides.append(tuple(found))
    stay, go = sides
    keep = True if chunk.id in expected.keep or stay else (False if chunk.id in expected.drop else None)
    return LabelledChunk(chunk, keep, stay, go)
