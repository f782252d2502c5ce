"""The texts from which ``fit_encoder.py`` learns: questions and pieces of passages whose licence allows shipping.

Public sets lie as JSON Lines in a folder given by the user and are no part of this repository; the repository's own
cases are read from where they are (never the frozen third, which only measures).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragclean.text.folding import fold, language
from ragclean.text.sentences import split_sentences

ROOT = Path(__file__).resolve().parent.parent

#: Public sets that are learned from. Sets under a non-commercial licence are measured on and never read here.
PUBLIC = {
    "nomiracl_zh": "Apache-2.0",
    "nomiracl_en": "Apache-2.0",
    "dureader_demo": "Apache-2.0",
    "ramdocs": "MIT",
    "noiser_bamboogle": "MIT",
}
#: Learned from on demand alone: whoever ships the result should think about the share-alike clause.
SHARE_ALIKE = {
    "cmrc2018_dev": "CC BY-SA 4.0",
    "cmrc2018_trial": "CC BY-SA 4.0",
    "drcd_dev_hant": "CC BY-SA 3.0",
    "expmrc_cmrc": "CC BY-SA 4.0",
    "expmrc_squad": "CC BY-SA 4.0",
}
#: The repository's own: cases for tuning and tests (``own``) and those on which thresholds are fitted (``own_cases``).
#: The latter would flatter every threshold if the encoder had learned their labels.
OWN = {
    "own": (
        "benchmarks/data/pairs.jsonl", "benchmarks/data/tuning/aftersales-zh.jsonl",
        "benchmarks/data/tuning/mixed-en.jsonl", "benchmarks/data/tuning/policy-zh.jsonl",
        "benchmarks/data/tuning/techdoc.jsonl", "tests/data/cases.jsonl",
    ),
    "own_cases": (
        "benchmarks/data/cases/aftersales.jsonl", "benchmarks/data/cases/policy.jsonl",
        "benchmarks/data/cases/techdoc.jsonl",
    ),
}  # fmt: skip

#: Neighbouring sentences are put together up to this many characters: about thirty tokens of the teacher, so that
#: one reading teaches some ten words.
PIECE_LENGTH = {"zh": 40, "en": 130}
#: A longer sentence is cut here.
LONGEST_PIECE = {"zh": 120, "en": 400}
#: Share of the pieces that the teacher reads: as much of both languages as it can in twenty minutes.
SHARE = {"zh": 0.42, "en": 0.30}


@dataclass(frozen=True)
class Text:
    """A question or a piece of a passage, and the set it is from."""

    source: str
    text: str
    kind: str
    """``question`` or ``piece``."""


@dataclass(frozen=True)
class LabelledQuestion:
    """A question with the texts among which its good ones are to be found."""

    source: str
    query: str
    texts: tuple[str, ...]
    good: tuple[bool, ...]


#: Sets of one passage a question: its sentences are the texts, those with the answer the good ones.
OF_SENTENCES = ("cmrc2018_dev", "cmrc2018_trial", "drcd_dev_hant", "expmrc_cmrc", "expmrc_squad")
#: Sets whose chunks are labelled. A counterfactual page speaks to the question as well as a true one: which of them is
#: right is not for an encoder to say.
OF_CHUNKS = ("ramdocs", "noiser_bamboogle")
GOOD = {"gold", "conflict", "answer", "support_of_case", "duplicate", "conflict_stale", "conflict_untrusted"}
UNFIT = {"relevant_noise", "irrelevant", "keyword_noise"}


def load(path: Path) -> list[dict[str, Any]]:
    """The questions of a JSON Lines file, with their chunks."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def cases(data: Path, left_out: Sequence[str] = ()) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every question that may be learned from, with the name of its set."""
    for name in (*SHARE_ALIKE, *PUBLIC):
        if name not in left_out:
            for case in load(data / f"{name}.jsonl"):
                yield name, case
    for name, files in OWN.items():
        if name not in left_out:
            for file in files:
                for case in load(ROOT / file):
                    yield name, case


def sentences(text: str) -> list[str]:
    """The sentences of a passage."""
    return [text[sentence.start : sentence.end] for sentence in split_sentences(text)]


def pieces(text: str) -> Iterator[str]:
    """A passage in pieces of one or a few sentences."""
    tongue = language(fold(text))
    held = ""
    for sentence in sentences(text):
        held = f"{held} {sentence}".strip() if held else sentence
        if len(held) >= PIECE_LENGTH[tongue]:
            yield held[: LONGEST_PIECE[tongue]]
            held = ""
    if held:
        yield held[: LONGEST_PIECE[tongue]]


def corpus(data: Path, left_out: Sequence[str] = ()) -> list[Text]:
    """All questions and the chosen share of the pieces, each text once, in an order that mixes the sets."""
    found: dict[str, Text] = {}
    for source, case in cases(data, left_out):
        found.setdefault(case["query"], Text(source, case["query"], "question"))
        for chunk in case["chunks"]:
            for piece in pieces(chunk["text"]):
                if draw(piece) < SHARE[language(fold(piece))]:
                    found.setdefault(piece, Text(source, piece, "piece"))
    return sorted(found.values(), key=lambda text: (text.kind != "question", draw(text.text)))


def questions(data: Path, left_out: Sequence[str] = ()) -> tuple[list[LabelledQuestion], set[str]]:
    """The labelled questions of the other sets, none on a passage of the sets left out; and all texts of the latter."""
    held: set[str] = set()
    for source, case in cases(data):
        if source in left_out:
            held.add(case["query"])
            for chunk in case["chunks"]:
                held.update([chunk["text"]], pieces(chunk["text"]), sentences(chunk["text"]))
    found = [labelled for source, case in cases(data, left_out) if (labelled := label(source, case))]
    return [q for q in found if q.query not in held and held.isdisjoint(q.texts)], held


def label(source: str, case: dict[str, Any]) -> LabelledQuestion | None:
    """A case as a labelled question, if its set tells good texts from others and it has both."""
    if source in OF_SENTENCES:
        labelled = list(sentences_with_answer(case))
    elif source in OF_CHUNKS or source in OWN:
        labelled = [(c["text"], mark) for c in case["chunks"] if (mark := is_good(c)) is not None]
    else:
        return None
    texts, good = zip(*labelled, strict=True) if labelled else ((), ())
    name = f"{source}_{case['lang']}" if source in OWN else source
    return LabelledQuestion(name, case["query"], texts, good) if len(set(good)) == 2 else None


def is_good(chunk: dict[str, Any]) -> bool | None:
    """Whether a chunk speaks to the question; None where its label does not say."""
    if "role" in chunk:  # a case of our own: support is a part of the answer
        mark = "support_of_case" if chunk["role"] == "support" else chunk["role"]
    else:
        mark = chunk.get("label", "")
    return True if mark in GOOD else False if mark in UNFIT else None


def sentences_with_answer(case: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """The sentences of the case's passage, each with whether it holds an answer."""
    passage = case["chunks"][0]["text"]
    flat = [a for part in case["answers"] for a in (part if isinstance(part, list) else [part])]
    answers = [fold(answer) for answer in flat]
    for text in sentences(passage):
        yield text, any(answer in fold(text) for answer in answers)


def draw(text: str) -> float:
    """0..1, always the same for the same text."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6], "big") / 256**6
