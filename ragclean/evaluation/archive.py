"""The report of a run: everything that was shown, answered and judged, to JSON and back, the same byte for byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, TypeVar

from ragclean.evaluation.cases import case_from_dict, case_to_dict
from ragclean.evaluation.degradation import Degradation, degradations
from ragclean.evaluation.gating import ReportHead
from ragclean.evaluation.noise import Shortage
from ragclean.evaluation.records import (
    Check,
    ClaimVerdict,
    EvalCase,
    Injected,
    Judgement,
    Outcome,
    PointVerdict,
    Score,
    Shown,
    Variant,
    check_judgement,
)
from ragclean.evaluation.scoring import Averages, averages
from ragclean.typed_form import check_types
from ragclean.types import Chunk

T = TypeVar("T")
REPORT_SCHEMA = 1
_CHUNK_FIELDS = tuple(f.name for f in fields(Chunk) if f.name not in ("embedding", "metadata"))
_NO_CHUNK = Chunk("")


@dataclass(frozen=True, slots=True)
class EvalReport:
    """One run: one pipeline, one judge, all outcomes case by case."""

    pipeline: str
    """Fingerprint of what answered."""
    judge: str
    """Fingerprint of what judged: runs under different judges are not compared."""
    variants: tuple[Variant, ...]
    repeats: int
    noise: Mapping[str, Any]
    """The settings."""
    corpus: str
    """Fingerprint of where noise came from."""
    cases: tuple[EvalCase, ...]
    outcomes: tuple[Outcome, ...]
    """In the order of cases, variants and repeats."""
    short: tuple[Shortage, ...] = ()
    """Variants that could not be made."""
    checked: bool | None = None
    """The self-check passed, failed, or (None) was not made. A report whose check failed gates nothing."""
    checks: tuple[Check, ...] = ()
    """What the self-check asked, one by one."""
    date: str = ""
    """The day of the run (ISO)."""
    warnings: tuple[str, ...] = ()
    """What whoever reads the figures has to know."""

    @property
    def valid(self) -> bool:
        """It may be relied on: the self-check passed."""
        return self.checked is True

    @property
    def check_failures(self) -> tuple[str, ...]:
        """What the self-check found wrong, one line each."""
        return tuple(f"{c.name}: {c.detail or c.wanted}" for c in self.checks if c.passed is False)

    @property
    def head(self) -> ReportHead:
        """What gate and comparison ask of a report."""
        return ReportHead(self.pipeline, self.judge, self.checked, self.date)

    def of(self, variant: Variant) -> dict[tuple[str, int], Outcome]:
        """The outcomes of a variant by case and repeat."""
        return {(o.shown.case_id, o.repeat): o for o in self.outcomes if o.shown.variant == variant}

    def degradations(self, *, lenient: bool = False) -> tuple[Degradation, ...]:
        """What every variant loses of v0: overall, by category, difficulty and position."""
        return degradations(self.outcomes, self.cases, lenient=lenient)

    def averages(self) -> tuple[Averages, ...]:
        """Mean figures by variant."""
        return averages(self.outcomes)

    def to_html(self, lang: Literal["zh", "en"] = "zh") -> str:
        """One self-contained page; ``ragclean.report.evaluation_page`` also takes gate, comparison, sweep, health."""
        from ragclean.report.evaluation_page import evaluation_html

        return evaluation_html(self, lang=lang)

    def _repr_html_(self) -> str:
        from ragclean.report.evaluation_figures import figures_of
        from ragclean.report.evaluation_page import figures_page
        from ragclean.report.page import framed

        return framed(figures_page(figures_of(self), lang="zh"))

    def case(self, case_id: str) -> EvalCase:
        """The case of an id.

        Raises:
            KeyError: there is none.
        """
        return next((c for c in self.cases if c.id == case_id), None) or _missing(case_id)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON. A chunk that several variants show is written once."""
        chunks: dict[str, int] = {}
        data: dict[str, Any] = {
            "schema": REPORT_SCHEMA, "pipeline": self.pipeline, "judge": self.judge, "variants": list(self.variants),
            "repeats": self.repeats, "noise": dict(self.noise), "corpus": self.corpus, "checked": self.checked,
            "checks": [asdict(c) for c in self.checks], "date": self.date,
            "warnings": list(self.warnings),
            "cases": [case_to_dict(c) for c in self.cases],
            "short": [{**asdict(s), "nearest": list(s.nearest)} for s in self.short],
            "outcomes": [_outcome_data(o, chunks) for o in self.outcomes],
        }  # fmt: skip
        data["chunks"] = [json.loads(written) for written in chunks]
        return data

    @classmethod
    def from_dict(cls, data: Any) -> EvalReport:
        """Rebuild from :meth:`to_dict`.

        Raises:
            ValueError: the data is no report, or was written under another schema.
        """
        if not isinstance(data, Mapping):
            raise ValueError(f"report: expected a JSON object, got {type(data).__name__}")
        if type(data.get("schema")) is not int or data["schema"] != REPORT_SCHEMA:
            raise ValueError(f"schema: this version reads {REPORT_SCHEMA}, got {data.get('schema')!r:.60}")
        missing = next((f.name for f in fields(cls) if f.name not in data), None)
        if missing is not None:
            raise ValueError(f"report: the field {missing!r} is missing")
        chunks = _each(data, "chunks", lambda c: Chunk(**c))
        made = cls(
            pipeline=data["pipeline"], judge=data["judge"], variants=tuple(_each(data, "variants", _same)),
            repeats=data["repeats"], noise=data["noise"], corpus=data["corpus"],
            cases=tuple(_each(data, "cases", case_from_dict)),
            outcomes=tuple(_each(data, "outcomes", lambda o: _outcome(o, chunks))),
            short=tuple(_each(data, "short", lambda s: Shortage(**{**s, "nearest": tuple(s["nearest"])}))),
            checked=data["checked"], checks=tuple(_each(data, "checks", lambda c: Check(**c))), date=data["date"],
            warnings=tuple(_each(data, "warnings", _same)),
        )  # fmt: skip
        _check_report(made)
        return made

    def save(self, path: str | Path) -> None:
        """Write JSON; lone surrogates are escaped."""
        Path(path).write_text(json.dumps(self.to_dict(), ensure_ascii=True, indent=1), encoding="ascii", newline="\n")

    @classmethod
    def load(cls, path: str | Path) -> EvalReport:
        """Read what :meth:`save` wrote.

        Raises:
            OSError: the file cannot be read.
            ValueError: it is no report; the message names the file.
        """
        try:
            return cls.from_dict(json.loads(Path(path).read_bytes(), parse_constant=_refused))
        except (ValueError, RecursionError) as error:
            told = isinstance(error, json.JSONDecodeError | UnicodeDecodeError | RecursionError)
            why = f"it is no report of 'ragclean evaluate -o' ({error})" if told else str(error)
            raise ValueError(f"{Path(path).name}: {why}") from error


def _each(data: Mapping[str, Any], name: str, read: Callable[[Any], T]) -> list[T]:
    """The items of a list, read one by one.

    Raises:
        ValueError: it is no list, or an item cannot be read; the message names both.
    """
    items = data.get(name)
    if not isinstance(items, list):
        raise ValueError(f"{name}: expected a list, got {type(items).__name__}")
    found = []
    for at, item in enumerate(items):
        try:
            found.append(read(item))
        except KeyError as error:
            raise ValueError(f"{name}[{at}]: the field {error} is missing") from error
        except (TypeError, AttributeError, IndexError, ValueError, OverflowError) as error:
            raise ValueError(f"{name}[{at}]: not of the form that to_dict writes ({error})") from error
    return found


def _same(item: Any) -> Any:
    return item


def _check_report(report: EvalReport) -> None:
    """A report that was written by hand, or damaged, must not release anything.

    Raises:
        ValueError: a field is of another kind than its name says, or contradicts another.
    """
    check_types(report, "report")
    if report.repeats < 1:
        raise ValueError(f"report.repeats: must be 1 or more, got {report.repeats}")
    known = {case.id for case in report.cases}
    if len(known) < len(report.cases):
        raise ValueError("report.cases: an id is used twice")
    seen: set[tuple[str, str, int]] = set()
    for at, outcome in enumerate(report.outcomes):
        where, shown = f"report.outcomes[{at}]", outcome.shown
        if shown.case_id not in known:
            raise ValueError(f"{where}: there is no case {shown.case_id!r:.60}")
        if shown.variant not in report.variants or not 0 <= outcome.repeat < report.repeats:
            raise ValueError(f"{where}: the report has no {shown.variant}, repeat {outcome.repeat}")
        key = (shown.case_id, shown.variant, outcome.repeat)
        if key in seen:
            raise ValueError(f"{where}: {shown.case_id!r:.60}, {shown.variant} stands there twice")
        seen.add(key)
        for name, value in asdict(outcome.score).items():
            if value is not None and not 0.0 <= value <= 1.0:
                raise ValueError(f"{where}.score.{name}: expected a share from 0 to 1, got {value!r:.60}")
        check_judgement(outcome.judgement)


def _refused(name: str) -> float:
    raise ValueError(f"{name} is no score: the report was not written by this library")


def judgement_from_dict(data: Mapping[str, Any]) -> Judgement:
    """A judgement of plain data."""
    return Judgement(
        claims=tuple(ClaimVerdict(**c) for c in data["claims"]),
        points=tuple(PointVerdict(**p) for p in data["points"]),
        refusal=data["refusal"],
        failed=data["failed"],
    )


def _missing(case_id: str) -> EvalCase:
    raise KeyError(case_id)


def _place(chunk: Chunk, chunks: dict[str, int]) -> int:
    """The number of a chunk in the table of all."""
    data = {k: v for k in _CHUNK_FIELDS if (v := getattr(chunk, k)) != getattr(_NO_CHUNK, k) or k == "text"}
    return chunks.setdefault(json.dumps(data, ensure_ascii=True), len(chunks))


def _outcome_data(outcome: Outcome, chunks: dict[str, int]) -> dict[str, Any]:
    shown = outcome.shown
    injected = [
        {"chunk": _place(i.chunk, chunks), "kind": i.kind, "similarity": i.similarity, "origin": i.origin}
        for i in shown.injected
    ]
    return {
        "case": shown.case_id, "variant": shown.variant, "repeat": outcome.repeat,
        "contexts": [_place(c, chunks) for c in shown.contexts], "injected": injected, "answer": outcome.answer,
        "failed": outcome.failed, "judgement": asdict(outcome.judgement), "score": asdict(outcome.score),
    }  # fmt: skip


def _outcome(data: Mapping[str, Any], chunks: list[Chunk]) -> Outcome:
    injected = tuple(
        Injected(_numbered(chunks, i["chunk"]), i["kind"], i["similarity"], i["origin"]) for i in data["injected"]
    )
    shown = Shown(data["case"], data["variant"], tuple(_numbered(chunks, n) for n in data["contexts"]), injected)
    return Outcome(
        shown=shown,
        answer=data["answer"],
        judgement=judgement_from_dict(data["judgement"]),
        score=Score(**data["score"]),
        repeat=data["repeat"],
        failed=data["failed"],
    )


def _numbered(chunks: list[Chunk], number: Any) -> Chunk:
    if type(number) is not int or not 0 <= number < len(chunks):
        raise ValueError(f"there is no chunk {number!r:.60}")
    return chunks[number]
