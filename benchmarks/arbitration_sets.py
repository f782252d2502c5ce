"""Arbitration on public sets, from a folder of JSON Lines: votes, counterfactual twins, misinformation, no conflict.

The sets are not part of the project. One object a line: ``id, query, answers, meta, chunks: [{id, text, label}]``;
``label`` is gold, conflict, or something else.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ragclean import NoiseCorrector, RefinedContext

Question = Mapping[str, Any]
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*"
#: The date a search engine puts in front of a snippet.
_LEADING_DATE = re.compile(
    rf"^\s*(?:{_MONTH}\.? \d{{1,2}}, \d{{4}}|\d{{1,2}} {_MONTH}\.? \d{{4}}|\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}"
    r"|\d{4}年\d{1,2}月\d{1,2}日)\s*(?:\.{3}|…|[-—·|])?\s*"
)
AS_OF = "2026-01-01"
#: Passages of other questions that pad a question which has one passage of its own, and how many questions are asked.
_PADDING, _PADDED_QUESTIONS = 9, 200


def _read(path: Path) -> list[Question]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _ask(corrector: NoiseCorrector, question: Question, chunks: Sequence[Mapping[str, Any]]) -> RefinedContext:
    fields = ("id", "text", "title", "source_weight", "published_at", "lineage_id", "version")
    known = [{f: c[f] for f in fields if c.get(f) is not None} for c in chunks]
    return corrector.refine(question["query"], known, top_k=8, as_of=AS_OF)


def _labels(question: Question) -> dict[str, str]:
    return {c["id"]: c.get("label", "") for c in question["chunks"]}


def _sides_of(result: RefinedContext, labels: Mapping[str, str]) -> list[str]:
    """For each decided conflict the label that most chunks of the winner have: gold or conflict."""
    found = []
    for conflict in result.conflicts:
        if conflict.winner is not None:
            counts = Counter(labels[i] for i in conflict.winner.chunk_ids if labels.get(i) in ("gold", "conflict"))
            found += [counts.most_common(1)[0][0]] if counts else ["other"]
    return found


def _votes(questions: Sequence[Question], corrector: NoiseCorrector) -> dict[str, Any]:
    """Pure votes: no dates, no trust. A clear majority is followed, right or wrong; a tie is reported."""
    counts: Counter[str] = Counter()
    for q in questions:
        chunks = [{"id": c["id"], "text": _LEADING_DATE.sub("", c["text"])} for c in q["chunks"]]
        result = _ask(corrector, q, chunks)
        kind = q["meta"]["majority"]
        sides = _sides_of(result, _labels(q))
        if kind == "tie":
            outcome = "decided" if sides else "reported" if result.conflicts else "not seen"
        else:
            wanted = "gold" if kind == "right" else "conflict"
            outcome = ("followed" if all(s == wanted for s in sides) else "against") if sides else (
                "unresolved" if result.conflicts else "not seen"
            )
        counts[f"{kind}: n"] += 1
        counts[f"{kind}: {outcome}"] += 1
        mirrored = _ask(corrector, q, chunks[::-1])
        counts["changed by reversing"] += _sides_of(mirrored, _labels(q)) != sides
    return dict(sorted(counts.items()))


def _facts(questions: Sequence[Question], corrector: NoiseCorrector) -> dict[str, Any]:
    """Twins with trust (even numbers) or versions (odd ones) attached by a seeded draw; twins are witnesses apart."""
    counts: Counter[str] = Counter()
    for number, q in enumerate(questions):
        draw = random.Random(f"{number}-{q['id']}")
        chunks = []
        for c in q["chunks"]:
            chunk = {"id": c["id"], "text": _LEADING_DATE.sub("", c["text"])}
            right, wrong = c["label"] == "gold", c["label"] == "conflict"
            if number % 2 == 0:
                low, high = (0.85, 0.95) if right else (0.2, 0.35) if wrong else (0.5, 0.5)
                chunk["source_weight"] = draw.uniform(low, high)
            else:
                chunk["source_weight"] = 0.8
                year = draw.choice((2024, 2025)) if right else draw.choice((2019, 2020)) if wrong else 2022
                chunk["published_at"] = f"{year}-{draw.randint(1, 12):02d}-15"
            chunks.append(chunk)
        draw.shuffle(chunks)
        result = _ask(corrector, q, chunks)
        sides = _sides_of(result, _labels(q))
        seen = "right" if sides and all(s == "gold" for s in sides) else "wrong" if sides else (
            "unresolved" if result.conflicts else "not seen"
        )
        labels = _labels(q)
        gone = {labels.get(d.chunk_id) for d in result.dropped if d.reason == "lost_conflict" and d.start is None}
        by = "trust" if number % 2 == 0 else "version"
        counts.update({f"{by}: n": 1, f"{by}: {seen}": 1, "gold chunk dropped": int("gold" in gone)})
    return dict(sorted(counts.items()))


def _ramdocs(questions: Sequence[Question], corrector: NoiseCorrector) -> dict[str, Any]:
    """Misinformation out-voted, against documents about other things of the same name dropped; counted by chunk."""
    counts: Counter[str] = Counter()
    for q in questions:
        labels = _labels(q)
        result = _ask(corrector, q, q["chunks"])
        gone = {labels.get(d.chunk_id) for d in result.dropped if d.reason == "lost_conflict" and d.start is None}
        counts.update({"n": 1, "gold dropped": "gold" in gone, "misinformation dropped": "conflict" in gone,
                       "declared": bool(result.conflicts)})  # fmt: skip
    return dict(counts)


def _no_conflict(questions: Sequence[Question], corrector: NoiseCorrector) -> dict[str, Any]:
    """One passage of its own and passages of other questions: nothing contradicts anything."""
    counts: Counter[str] = Counter()
    for number, q in enumerate(questions[:_PADDED_QUESTIONS]):
        draw = random.Random(number)
        own = [{"id": c["id"], "text": c["text"]} for c in q["chunks"] if c.get("label") == "gold"]
        texts = {c["text"] for c in own}
        others = [o["chunks"][0]["text"] for o in draw.sample(list(questions), 3 * _PADDING)]
        padding = [t for t in dict.fromkeys(others) if t not in texts][:_PADDING]
        chunks = own + [{"id": f"other-{i}", "text": t} for i, t in enumerate(padding)]
        draw.shuffle(chunks)
        result = _ask(corrector, q, chunks)
        answers = [a for part in q["answers"] for a in (part if isinstance(part, list) else [part])]
        lost = any(d.reason == "lost_conflict" and any(a in d.text for a in answers) for d in result.dropped)
        counts.update({"n": 1, "false conflict": bool(result.conflicts), "answer sentence dropped": lost})
    return dict(counts)


_Measure = Callable[[Sequence[Question], NoiseCorrector], dict[str, Any]]
SETS: dict[str, _Measure] = {
    "rgb_zh_votes": _votes,
    "rgb_en_votes": _votes,
    "rgb_zh_fact": _facts,
    "rgb_en_fact": _facts,
    "ramdocs": _ramdocs,
    "cmrc2018_dev": _no_conflict,
}


def measure_set(name: str, folder: Path, corrector: NoiseCorrector) -> dict[str, Any]:
    """Counts for one public set.

    Raises:
        FileNotFoundError: the folder has no such file.
    """
    return SETS[name](_read(folder / f"{name}.jsonl"), corrector)
