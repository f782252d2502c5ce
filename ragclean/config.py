"""One immutable configuration that holds every number of the pipeline, with its reason."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

SCHEMA_VERSION = 1

#: Trust by source category, for candidates without a ``source_weight``. The order of magnitude follows what
#: practitioners set by hand: what binds the speaker is near 1, hearsay is well under one half, so that no number
#: of hearsay pages can outvote one official page. Exact names win over wildcards, longer wildcards over shorter.
DEFAULT_SOURCE_WEIGHTS: Mapping[str, float] = {
    "official_*": 0.95, "official_forum": 0.3, "official_community": 0.35,
    "contract": 0.95, "policy": 0.95, "law": 0.95, "regulation": 0.95, "terms": 0.95,
    "changelog": 0.95, "release_notes": 0.95, "datasheet": 0.95, "spec*": 0.9, "manual": 0.9, "docs": 0.9,
    "faq": 0.9, "internal_*": 0.7, "wiki": 0.6, "email": 0.6, "minutes": 0.6, "support_ticket": 0.6, "chat": 0.4,
    "news": 0.5, "marketing": 0.5, "press*": 0.5, "blog": 0.4, "review*": 0.35, "forum": 0.3, "social*": 0.25,
    "repost": 0.2, "mirror": 0.2, "scraper": 0.1,
}


@dataclass(frozen=True, slots=True)
class CorrectorConfig:
    """Everything that can be set. Build one with keywords, ``with_changes(...)``, or from JSON.

    Raises:
        ValueError: a field is unknown, of the wrong type, or out of its range; the message names it.
    """

    schema_version: int = SCHEMA_VERSION
    """The form of this configuration; another one is refused rather than half understood."""
    mode: Literal["correct", "observe"] = "correct"
    """``observe``: hand the candidates back unchanged and log what would have been done."""
    time_budget_ms: float | None = None
    """Checked between stages and batches; a stage that would start too late is skipped with a warning. Loading, once a
    process, does not count, and makes the first call take longer; ``warm([])`` does it ahead of time."""
    cache_chunks: int = 4096
    """Prepared texts kept, least recently used first out. About 20 kB each for chunks of 300 characters."""

    # -- screen
    on_bad_candidate: Literal["skip", "raise"] = "skip"
    """``skip``: leave out what cannot be read, with a warning that names its index and field. ``raise``: stop there."""
    default_source_weight: float = 0.5
    """Trust in a source that neither a ``source_weight`` nor the table knows: neither believed nor disbelieved."""
    source_weights: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_SOURCE_WEIGHTS))
    """Trust by source category, with wildcards (``official_*``); exact names first, then the longest wildcard. What it
    does not name is looked up in the default table; ``{"*": 0.5}`` leaves that out."""
    missing_date: Literal["neutral", "oldest", "newest"] = "neutral"
    """What a chunk without any date counts as where age matters."""

    # -- rank
    weight_semantic: float = 0.45
    """Share of the semantic signal. At 0.7, practitioners saw pages on top that were related and did not answer."""
    weight_judge: float = 0.40
    """Share of the judge: does the text directly answer the query?"""
    weight_keyword: float = 0.15
    """Share of the keyword signal: which of the query's informative terms the text holds."""
    corroboration: float = 0.6
    """Share of a passage's likeness to the best answering sentences of *other* passages that counts towards its
    semantic signal: passages are judged together. 0 turns it off. Set by hand on public and own sets (0.3..1 alike)."""
    admission_threshold: float = 0.42
    """Chunks that score below go out. A published value for this fusion, on the scale of the encoder's profile."""
    relative_admission: float = 0.6
    """... unless they reach this share of the best score of the query (and half the threshold): a question in other
    words than its pages scores low on all of them. Set by hand on 76 labelled cases, 0.5..0.7 alike."""
    answer_admission: float = 0.3
    """A passage with a value that answers the question at least this likely is admitted whatever its score. Chosen on
    own cases: with 0.25 / 0.3 / 0.35 noise is 0.22 / 0.21 / 0.21 (n 90) where nothing was fitted and 0.18 / 0.18 / 0.17
    (n 122) on the tuning cases, at the same needed sentences; 0.35 loses one of 45 in ``tests/data``."""
    silent_admission: float = 0.8
    """Where values are asked for and some passage holds a likely one, a passage without any must reach this share of
    the best score. Chosen on own cases: noise 0.41 -> 0.39 (n 190) and 0.20 -> 0.17 (n 32), no needed sentence lost;
    0.9 alike. 0 turns it off."""
    judge_floor: float = 0.5
    """A judged chunk below this share of the best judged one is about the topic and does not answer: it goes out
    whatever its words share with the query. Chosen on own cases (n 400): with 0.18 / 0.4 / 0.5 / 0.6 noise is 0.35 /
    0.31 / 0.29 / 0.25 and needed sentences kept 0.84 / 0.84 / 0.83 / 0.81. 0 turns it off."""
    no_answer_threshold: float = 0.6
    """From this probability on that none of four chunks or more answers, ``no_answer_likely`` is warned. What it is
    worth stands in ``docs/warnings.md``: chunks that look like an answer and are none are hard to tell from answers."""
    on_no_answer: Literal["keep", "empty"] = "keep"
    """``empty``: where ``no_answer_likely`` is warned the context is empty but for pinned chunks, so that the generator
    says that it does not know. ``keep``: the warning alone."""
    trust_in_order: float = 0.5
    """How much of its score a passage of no trust loses when passages are put in order and cut to ``top_k``: at equal
    relevance what is official comes before hearsay. The score that decides admission stays. 0: by score alone."""
    judge_limit: int = 10
    """Chunks that a dear judge or encoder may see for one query; its sub-queries share it."""
    out_of_scope_factor: float = 0.5
    """A passage about another model, region, year or audience keeps this share of its score: enough to fall below
    the admission threshold from any score under 0.84, while a near-perfect match on everything else survives."""

    # -- arbitrate
    arbitration: bool = True
    """Whether values that contradict each other are compared and decided at all."""
    conflict_policy: Literal["drop", "demote", "annotate"] = "drop"
    """What happens to the losing side: it goes, it goes to the end, or it stays and is only named in the result."""
    vote: Literal["log_odds", "sum"] = "log_odds"
    """How witnesses add up. Log-odds of trust: sources below one half never outvote a trusted one, however many.
    ``sum``: the plain published sum of weights."""
    margin_min: float = 0.15
    """Share of the votes by which the winner must lead the runner-up, (a - b) / (a + b). Two equal witnesses against
    one lead by 0.33, three against two by 0.2; relevance and age alone may not make a winner of one against one."""
    margin_known: float = 0.6
    """The same where a source of known trust takes part and so trust or date decides. Pages about another edition or
    customer group that were not recognised as such win by date at 0.3 to 0.6; true updates and true hearsay lead by
    more. On 184 labelled cases it halved the answers lost to a wrong winner at two decisions lost of a hundred."""
    half_life_days: float = 730.0
    """A vote about something that changes (prices, terms, versions) is worth half after this time."""
    stale_factor: float = 0.3
    """What is left of a trusted vote once a page of comparable trust and later date says otherwise."""
    comparable_trust: float = 0.15
    """Sources this close in trust are compared by date; a less trusted page is no update of a more trusted one."""
    deference: bool = True
    """Whether hearsay and older pages are set behind a trusted page that answers the same question, though no rule
    reads whether they contradict it: of yes or no, of who pays or what to do what they answer, of values those of the
    same kind. It decides four conflicts of 55 more on cases that nothing was fitted on, 14 of 96 on the tuning cases,
    and loses no needed sentence there; ``docs/arbitration.md``."""
    copy_containment: float = 0.6
    """Share of the smaller text's character shingles found in the other, from which two texts are one witness."""
    claim_threshold: float = 0.2
    """Probability that a value answers the question, by what stands around it and what other pages say, from which it
    can dispute another. Own measurement on 190 development cases: below it false conflicts rise, above it true ones
    are missed."""
    support_threshold: float = 0.12
    """The same for a value that only repeats what a claim already says."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other names of a thing, to its one name: ``{"某某": "某某科技有限公司"}``."""

    # -- compress
    compression: bool = True
    """Whether sentences of admitted chunks are cut at all."""
    protection: Literal["all", "graded"] = "all"
    """``all``: every sentence of an admitted chunk that holds a number, date, name, code, negation or condition stays.
    ``graded``: only facts that bear on the question are untouchable; the others have a lower floor."""
    sentence_threshold: float = 0.35
    """Unprotected sentences that score below go out. A published value, on the scale of the encoder's profile."""
    graded_keep_share: float = 0.38
    """``protection="graded"``: share of a passage's characters that its best sentences may fill. What they need to be
    understood (topic, antecedent, heading) and strong contenders come on top, so that about one half stays."""
    graded_max_share: float = 0.72
    """The same while sentences are strong contenders (``graded_strong``): where many compare well, more stay."""
    graded_strong: float = 0.4
    """A strong contender is worth this part of the passage's best sentence. The three are set on passages with one
    question each (cmrc2018, drcd, expmrc: 1,410 of them), where they keep the answer in 96 to 100 % at 46 to 55 %
    shorter; shares of 0.36..0.40 and 0.70..0.75 do within a point of the same, 0.5 loses long answer sentences."""
    sentence_share: float = 0.5
    """Where no sentence of a passage reaches the threshold, this share of its best one is the bar
    (``protection="all"``). On 108 labelled cases that nothing was tuned on, needed sentences kept rose from 0.80 to
    0.85 at three points of length; at 1 only the best stays."""
    duplicate_threshold: float = 0.95
    """Sentences more alike than this are one, unless a number, unit, negation or name differs between them."""
    protected_patterns: tuple[str, ...] = ()
    """Regular expressions whose matches are protected facts, beside ``protected_terms`` of a call. They run over folded
    text (lower case, half width, simplified) on every sentence, and nothing can interrupt one: a pattern that
    backtracks (``(a+)+b``) can take for ever."""

    # -- provenance
    provenance: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What calibration noted of the values it set: cases, date, encoder, judge, folds, scores. It changes no result; a
    corrector with another encoder or judge warns. Empty where values were set by hand; changing one that was
    calibrated empties it."""

    def __post_init__(self) -> None:
        hints = _hints()
        patterns: Any = self.protected_patterns
        if isinstance(patterns, list):
            object.__setattr__(self, "protected_patterns", tuple(patterns))
        for f in fields(self):
            _check_type(f.name, getattr(self, f.name), hints[f.name])
        for name in ("source_weights", "aliases", "provenance"):
            # A copy, so that a dictionary the caller changes later changes no configuration.
            object.__setattr__(self, name, dict(getattr(self, name)))
        if self.schema_version != SCHEMA_VERSION:
            raise ValueError(f"schema_version: this version reads {SCHEMA_VERSION}, got {self.schema_version}")
        for name in _UNIT_INTERVAL:
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name}: must lie in 0..1, got {getattr(self, name)}")
        for name in _POSITIVE:
            if getattr(self, name) is not None and getattr(self, name) <= 0:
                raise ValueError(f"{name}: must be positive, got {getattr(self, name)}")
        if self.weight_semantic + self.weight_judge + self.weight_keyword <= 0:
            raise ValueError("weight_semantic, weight_judge, weight_keyword: at least one must be above 0")
        for key, value in self.source_weights.items():
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"source_weights[{key!r}]: must lie in 0..1, got {value}")
        for pattern in self.protected_patterns:
            try:
                re.compile(pattern, re.IGNORECASE)
            except (re.error, RecursionError, OverflowError) as e:
                raise ValueError(f"protected_patterns: {pattern!r} is no regular expression ({e})") from e

    def with_changes(self, **changes: Any) -> CorrectorConfig:
        """A copy with some fields replaced; unknown names are refused."""
        _refuse_unknown(changes)
        calibrated = self.provenance.get("fields", ())
        if any(getattr(self, name) != value for name, value in changes.items() if name in calibrated):
            changes.setdefault("provenance", {})
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CorrectorConfig:
        """Build from JSON data; unknown keys and wrong types are refused by name."""
        if not isinstance(data, Mapping):
            raise ValueError(f"config: expected a JSON object, got {type(data).__name__}")
        _refuse_unknown(data)
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        return cls(**values)

    def save(self, path: str | Path) -> None:
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2)
        try:
            raw = text.encode("utf-8")
        except UnicodeEncodeError:  # a lone surrogate in a name: escaped, as JSON allows
            raw = json.dumps(self.to_dict(), indent=2).encode("ascii")
        Path(path).write_bytes(raw + b"\n")

    @classmethod
    def load(cls, path: str | Path) -> CorrectorConfig:
        """Read what :meth:`save` wrote, or a file written by hand (UTF-8, JSON).

        Raises:
            OSError: the file cannot be read.
            ValueError: it is not UTF-8, not JSON, or no configuration; the message says where.
        """
        raw = Path(path).read_bytes()
        try:
            data = json.loads(raw.decode("utf-8-sig"))
        except json.JSONDecodeError as e:
            raise ValueError(f"config {path}: not JSON (line {e.lineno}: {e.msg})") from e
        except UnicodeDecodeError as e:
            raise ValueError(f"config {path}: not UTF-8 (byte {e.start})") from e
        except (RecursionError, ValueError) as e:  # nested too deep; a number of thousands of digits
            raise ValueError(f"config {path}: not usable JSON ({e})") from e
        return cls.from_dict(data)


_UNIT_INTERVAL = (
    "default_source_weight", "weight_semantic", "weight_judge", "weight_keyword", "admission_threshold",
    "corroboration", "trust_in_order", "relative_admission", "no_answer_threshold",
    "answer_admission", "silent_admission", "judge_floor", "sentence_threshold", "sentence_share",
    "duplicate_threshold",
    "margin_min", "margin_known", "stale_factor", "comparable_trust",
    "copy_containment", "claim_threshold", "support_threshold", "out_of_scope_factor",
    "graded_keep_share", "graded_max_share", "graded_strong",
)
_POSITIVE = ("cache_chunks", "judge_limit", "time_budget_ms", "half_life_days")


@lru_cache(maxsize=1)
def _hints() -> Mapping[str, Any]:
    """The types of the fields, worked out once: that takes a hundred times as long as checking the values."""
    return get_type_hints(CorrectorConfig)


def _refuse_unknown(data: Mapping[str, Any]) -> None:
    known = {f.name for f in fields(CorrectorConfig)}
    unknown = sorted(str(k) for k in data if k not in known)
    if unknown:
        raise ValueError(f"config: unknown key{'s' if len(unknown) > 1 else ''} {', '.join(unknown)}")


def _check_type(name: str, value: Any, hint: Any) -> None:
    if not _fits(value, hint):
        try:
            got = repr(value)
        except ValueError:  # a number of thousands of digits
            got = f"a value of type {type(value).__name__}"
        raise ValueError(f"{name}: expected {_describe(hint)}, got {got:.80}")


def _fits(value: Any, hint: Any) -> bool:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any:
        return _is_plain(value)
    if origin is Literal:
        return value in args
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(v, args[0]) for v in value)
    if origin is Mapping:
        return isinstance(value, Mapping) and all(_fits(k, args[0]) and _fits(v, args[1]) for k, v in value.items())
    if origin is not None:
        return any(_fits(value, a) for a in args)
    if hint in (int, float):
        accepted = (int, float) if hint is float else int
        return isinstance(value, accepted) and not isinstance(value, bool) and (hint is int or _is_finite(value))
    return isinstance(value, hint)


def _is_plain(value: Any) -> bool:
    """JSON has a form for it, and reading that gives it back."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    if isinstance(value, Mapping):
        return all(isinstance(k, str) and _is_plain(v) for k, v in value.items())
    return value is None or isinstance(value, (str, bool, int)) or (isinstance(value, float) and math.isfinite(value))


def _is_finite(value: float) -> bool:
    """JSON has no infinity and no NaN; a whole number beyond the floats' range is none that can be reckoned with."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _describe(hint: Any) -> str:
    if hint is Any:
        return "plain JSON data"
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(repr(a) for a in get_args(hint))
    return getattr(hint, "__name__", str(hint)) if get_origin(hint) is None else str(hint).replace("typing.", "")
