"""Answerers: a model behind an endpoint, a small reader that needs none, and two controls of known character."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from ragclean.endpoint import ChatRequest, Endpoint
from ragclean.evaluation.framing import unmarked
from ragclean.evaluation.judging import points_of
from ragclean.evaluation.offline_coverage import judge_points
from ragclean.evaluation.offline_task import Task
from ragclean.evaluation.quotes import find_quote
from ragclean.evaluation.reading import read
from ragclean.evaluation.reading_compare import cover
from ragclean.evaluation.records import EvalCase
from ragclean.signals.base import JudgeScorer
from ragclean.signals.loading import embedded_encoder, load_judge
from ragclean.text.folding import fold, language
from ragclean.text.sentences import split_sentences
from ragclean.text.values import find_values, same_value
from ragclean.types import Chunk

Answerer = Callable[[str, Sequence[Chunk]], str]
"""A RAG application: ``(question, contexts) -> answer``."""
AsyncAnswerer = Callable[[str, Sequence[Chunk]], Awaitable[str]]

Language = Literal["zh", "en"]

#: Raised when passages are shown in another form.
_FORM = 2
#: The same answer each time, as far as the endpoint can.
DEFAULT_PARAMETERS: Mapping[str, Any] = {"temperature": 0, "max_tokens": 512}
_REFUSALS: dict[str, str] = {"zh": "资料中没有提到。", "en": "The passages do not say."}
_LABELS: dict[str, tuple[str, str]] = {"zh": ("资料", "问题"), "en": ("Passages", "Question")}
_RULES: dict[str, str] = {
    "zh": "要求：只根据上面的资料回答，不要使用其他知识；只写答案本身，不要解释，不要复述问题。",
    "en": (
        "Rules: answer only from the passages above and from nothing else you know; write only the answer, without "
        "explanation and without repeating the question."
    ),
}
_REFUSAL_RULES: dict[str, str] = {
    "zh": f"资料中没有答案时，只回复：{_REFUSALS['zh']}",
    "en": f"If the passages do not hold the answer, reply only: {_REFUSALS['en']}",
}


class EndpointAnswerer:
    """A language model answers from the passages it is shown, in one user message: passages, question, rules.

    The prompt is the same for every variant of a case but for its passages. Marks by which chat templates part roles
    are broken by a blank in passages and question; nothing else of them is changed, so that what an application would
    be misled by misleads this one too.

    Args:
        endpoint: where the model is; :data:`DEFAULT_PARAMETERS` are those it should be asked with.
        may_refuse: tell the model what to reply where the passages hold no answer. Off, it has to answer something,
            which shows noise at its worst; for v4 (does it know that it cannot know?) it has to be on.
        lang: of the rules; None: of the question.
        repeat: keeps deliberate repeats apart in the endpoint's cache.
    """

    def __init__(
        self, endpoint: Endpoint, *, may_refuse: bool = False, lang: Language | None = None, repeat: int = 0
    ) -> None:
        if lang not in (None, "zh", "en"):
            raise ValueError(f"lang: expected 'zh', 'en' or None, got {lang!r}")
        self.endpoint, self.may_refuse, self.lang, self.repeat = endpoint, may_refuse, lang, repeat

    @classmethod
    def of(cls, model: str, *, may_refuse: bool = False, **options: Any) -> EndpointAnswerer:
        """Of a model's name: ``EndpointAnswerer.of("qwen", base_url="http://localhost:8000/v1")``.

        Args:
            options: as for ``Endpoint``; ``parameters`` are put over :data:`DEFAULT_PARAMETERS`.
        """
        parameters = {**DEFAULT_PARAMETERS, **(options.pop("parameters", None) or {})}
        return cls(Endpoint(model, parameters=parameters, **options), may_refuse=may_refuse)

    def __repr__(self) -> str:
        return f"EndpointAnswerer({self.endpoint!r}, may_refuse={self.may_refuse})"

    @property
    def fingerprint(self) -> str:
        """Address, model, parameters, options and the wording of the prompt; never the key."""
        wording = hashlib.sha256(repr((_FORM, _LABELS, _RULES, _REFUSAL_RULES)).encode()).hexdigest()[:8]
        return f"answerer:{self.endpoint.fingerprint}:{wording}:{self.lang or 'auto'}:{int(self.may_refuse)}"

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> str:
        """The model's answer, stripped; empty where it said nothing.

        Raises:
            EndpointError: there is no answer.
        """
        return self.endpoint.ask(self.request(question, contexts), str.strip)

    async def ask(self, question: str, contexts: Sequence[Chunk]) -> str:
        """The same without blocking the event loop: an :data:`AsyncAnswerer`."""
        return await asyncio.to_thread(self, question, contexts)

    def request(self, question: str, contexts: Sequence[Chunk]) -> ChatRequest:
        """What is sent."""
        lang = self.lang or language(fold(question))
        passages, asked = _LABELS[lang]
        blocks = [f"[{i}] {_with_title(c)}" for i, c in enumerate(contexts, 1)]
        rules = [_RULES[lang], *([_REFUSAL_RULES[lang]] if self.may_refuse else [])]
        parts = [f"{passages}:", *blocks, f"{asked}: {unmarked(question)}", "\n".join(rules)]
        return ChatRequest(({"role": "user", "content": "\n\n".join(parts)},), self.repeat)


def _with_title(chunk: Chunk) -> str:
    """The text under a line with what is known of it: without dates and sources nobody can tell an old version."""
    day = chunk.day
    head = " | ".join(p for p in (chunk.title, chunk.source, str(day) if day else "") if p)
    return unmarked(f"{head}\n{chunk.text}" if head else chunk.text)


class ExtractiveReader:
    """Answers with the sentences of its contexts that answer best, word for word; offline, and the same each time.

    It knows nothing of dates, trust or contradictions: of sentences that answer about as well the first one shown
    wins. So noise hurts it as it hurts a small reader, which makes it a cheap stand-in for one.

    Args:
        sentences: how many are given, in the order of the contexts.
        judge: any :class:`JudgeScorer`; None for the embedded one.
    """

    def __init__(self, *, sentences: int = 1, judge: JudgeScorer | None = None) -> None:
        if isinstance(sentences, bool) or sentences < 1:
            raise ValueError(f"sentences: must be at least 1, got {sentences}")
        self.sentences = sentences
        self._judge = judge

    @property
    def fingerprint(self) -> str:
        return f"extractive-reader:{self.sentences}:{embedded_encoder().fingerprint}:{self._scorer.fingerprint}"

    @cached_property
    def _scorer(self) -> JudgeScorer:
        return load_judge(self._judge)

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> str:
        """The best sentences, joined; empty where the contexts hold none."""
        left = dict(enumerate(self._scored(question, contexts)))
        texts = [text for _, text in left.values()]
        best: list[int] = []
        while left and len(best) < self.sentences:
            top = max(score for score, _ in left.values())
            best.append(next(i for i, (score, _) in left.items() if score >= top - _TIE))
            del left[best[-1]]
        return "\n".join(texts[i] for i in sorted(best))

    def _scored(self, question: str, contexts: Sequence[Chunk]) -> list[tuple[float, str]]:
        """Every sentence with how well it answers, in order."""
        found = [(i, text) for i, chunk in enumerate(contexts) for _, text in sentences_of([chunk])]
        if not found:
            return []
        alone = self._answers(question, [text for _, text in found])
        around = self._answers(question, [chunk.text for chunk in contexts])
        asked = _Asked(question)
        return [(s + _AROUND * around[i] + asked.bonus(t), t) for (i, t), s in zip(found, alone, strict=True)]

    def _answers(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers by itself, 0..1."""
        told = self._scorer.score_pairs([question] * len(texts), texts)
        alike = embedded_encoder().score(question, texts)
        return [(float(t) + float(a)) / 2 for t, a in zip(told, alike, strict=True)]


class _Asked:
    """What makes a sentence look like the answer beside its words: a value of the kind asked for, and a statement."""

    def __init__(self, question: str) -> None:
        task = Task(question, "", ())
        self._kinds = task.kinds
        self._known = [s.value for s in task.question_read.values]

    def bonus(self, text: str) -> float:
        folded = fold(text).strip(" *\"'")
        states = any(
            v.kind in self._kinds and not any(same_value(v, k) for k in self._known)
            for v in (find_values(folded) if self._kinds else ())
        )
        return _VALUE * states - _NO_STATEMENT * folded.endswith((":", "?"))


#: Weights of the chunk that a sentence stands in (whose title or first sentence names the thing), of a value of the
#: asked kind, and of what states nothing: a lead or a question. Tried on 204 labelled cases: with them 29 % instead
#: of 24 % of answers from all chunks are right, and 55 % of those from gold chunks, as without.
_AROUND, _VALUE, _NO_STATEMENT = 0.6, 0.3, 0.3
#: Scores that differ by less are a tie: those of one fact with two values, or in two wordings, do.
_TIE = 0.05


def sentences_of(contexts: Sequence[Chunk]) -> list[tuple[str, str]]:
    """The sentences of contexts with the ids of their chunks, in order; headings and code are none."""
    return [
        (chunk.id, chunk.text[s.start : s.end])
        for chunk in contexts
        for s in split_sentences(chunk.text)
        if s.kind not in ("heading", "code")
    ]


class RobustAnswerer:
    """A control that no noise harms: it knows the cases, and answers only while a gold chunk is shown.

    Through the whole machine it must come out robust. Without a gold chunk it refuses.
    """

    def __init__(self, cases: Iterable[EvalCase]) -> None:
        self._cases = {case.question: case for case in cases}
        self._reader = ExtractiveReader()

    @property
    def fingerprint(self) -> str:
        return f"robust-answerer:{_digest(self._cases)}"

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> str:
        """The reference, or the best gold sentence where the case has none.

        Raises:
            KeyError: no case asks this question.
        """
        return self._from_gold(self._case(question), contexts)

    def _case(self, question: str) -> EvalCase:
        if question not in self._cases:
            raise KeyError(f"no case asks: {question[:80]}")
        return self._cases[question]

    def _from_gold(self, case: EvalCase, contexts: Sequence[Chunk]) -> str:
        gold = [c for c in contexts if c.id in _gold_ids(case)]
        if not gold or not case.answerable:
            return _REFUSALS[language(fold(case.question))]
        return case.reference or self._reader(case.question, gold)


class GullibleAnswerer(RobustAnswerer):
    """A control that adopts what contradicts the reference: the last sentence shown that does, from a foreign chunk.

    Foreign is what the case does not list among its contexts, or among old versions lists. Through the whole machine
    it must come out sensitive to contradictions; where none is shown it answers as :class:`RobustAnswerer`.
    """

    @property
    def fingerprint(self) -> str:
        return f"gullible-answerer:{_digest(self._cases)}"

    def __call__(self, question: str, contexts: Sequence[Chunk]) -> str:
        """The contradicting sentence where there is one.

        Raises:
            KeyError: no case asks this question.
        """
        case = self._case(question)
        own = {c.id for c in case.contexts}
        foreign = [c for c in contexts if c.id not in own] if own else list(contexts)
        for chunk in reversed(foreign):
            adopted = _contradiction(case, chunk)
            if adopted:
                return adopted
        return self._from_gold(case, contexts)


def _contradiction(case: EvalCase, chunk: Chunk) -> str:
    """The sentence of a chunk that contradicts the reference; of another version of gold, one that gold lacks."""
    if not case.answerable:
        return ""
    task = Task(case.question, case.reference, points_of(case))
    texts = [text for _, text in sentences_of([chunk])]
    against = [t for t in texts if _contradicts(task, t)]
    if not against and _is_another_version(case, chunk):
        gold = [c.text for c in case.contexts if c.id in _gold_ids(case)]
        against = [t for t in texts if not any(find_quote(t, g) for g in gold)]
    return max(reversed(against), key=lambda t: _nearness(task, t), default="")


def _contradicts(task: Task, text: str) -> bool:
    verdicts = judge_points(task, text)
    return any(v.contradicted for v in verdicts) and not any(v.covered for v in verdicts)


def _is_another_version(case: EvalCase, chunk: Chunk) -> bool:
    # An altered copy of a chunk without a lineage has its id for one.
    lineages = {c.lineage_id or c.id for c in case.contexts if c.id in _gold_ids(case)}
    return chunk.lineage_id in lineages or any(old.text == chunk.text for old in case.old_versions)


def _nearness(task: Task, text: str) -> float:
    """How much of the question and the reference a sentence holds."""
    said = read(text)
    return sum(w.weight * cover(w, said) for r in (task.question_read, task.reference_read) for w in r.words)


def _gold_ids(case: EvalCase) -> frozenset[str]:
    return frozenset(case.gold) or frozenset(c.id for c in case.contexts)


def _digest(cases: Mapping[str, EvalCase]) -> str:
    known = sorted((case.question, case.reference, case.gold) for case in cases.values())
    return hashlib.sha256(repr(known).encode("utf-8", "surrogatepass")).hexdigest()[:8]
