"""How well an encoder orders the texts of a question: area under the curve a question, then the mean over questions.

    python benchmarks/encoder_order.py --data FOLDER
    python benchmarks/encoder_order.py --data FOLDER --base build/distilled --encoder build/without_cmrc

Both ways of use: ``score`` (words met, and a share of the cosine) and the cosine of mean vectors. Good are chunks that
speak to the question, counterfactual ones among them (which is right is not for an encoder to say), and sentences
that hold the answer. Sets missing in the folder are left out; the frozen cases are counted and never printed. With
``--base`` the two encoders are compared question by question: the error is that of the mean difference.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from ragclean.signals.semantic import StaticEncoder
from ragclean.text.folding import fold
from ragclean.text.sentences import split_sentences

CASES = Path(__file__).parent / "data" / "cases"
OF_CHUNKS = (
    "rgb_zh_refine", "rgb_zh_int", "rgb_zh_fact", "rgb_en_fact", "rgb_zh_votes", "rgb_en_votes", "noiser_bamboogle",
    "ramdocs",
)  # fmt: skip
OF_SENTENCES = ("cmrc2018_dev", "cmrc2018_trial", "drcd_dev_hant", "expmrc_cmrc", "expmrc_squad")
GOOD = {"gold", "conflict", "answer", "duplicate", "conflict_stale", "conflict_untrusted"}
UNFIT = {"relevant_noise", "irrelevant", "keyword_noise"}


@dataclass(frozen=True)
class Item:
    """A question, its texts, and which of them are good."""

    query: str
    texts: list[str]
    good: np.ndarray


def load(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def of_chunks(case: dict[str, Any]) -> tuple[list[str], list[bool]]:
    """The labelled chunks; support is a part of the answer in our cases and merely related elsewhere."""
    texts, good = [], []
    for chunk in case["chunks"]:
        mark = chunk.get("role") or chunk.get("label", "")
        if mark in GOOD | UNFIT or (mark == "support" and "role" in chunk):
            texts.append(chunk["text"])
            good.append(mark not in UNFIT)
    return texts, good


def of_sentences(case: dict[str, Any]) -> tuple[list[str], list[bool]]:
    """The sentences of the passage."""
    passage = case["chunks"][0]["text"]
    answers = [fold(a) for part in case["answers"] for a in (part if isinstance(part, list) else [part])]
    texts = [passage[s.start : s.end] for s in split_sentences(passage)]
    return texts, [any(answer in fold(text) for answer in answers) for text in texts]


def sets(data: Path | None) -> Iterator[tuple[str, list[Item]]]:
    """Every set that is there, by name; our own cases and those of the folder apart by language."""
    if data is not None:
        for name, read in [*((n, of_chunks) for n in OF_CHUNKS), *((n, of_sentences) for n in OF_SENTENCES)]:
            if (data / f"{name}.jsonl").exists():
                yield name, list(items(load(data / f"{name}.jsonl"), read))
    own = [file for file in CASES.glob("*.jsonl") if "frozen" not in file.stem]
    groups = {"own": own, "frozen": list(CASES.glob("*-frozen.jsonl"))}
    if data is not None:
        groups["hand-written"] = [data / "cases.jsonl"]
    for name, files in groups.items():
        cases = [case for file in sorted(files) if file.exists() for case in load(file)]
        for lang in ("zh", "en"):
            yield f"{name} {lang}", list(items([c for c in cases if c["lang"] == lang], of_chunks))


def items(cases: Sequence[dict[str, Any]], read: Any) -> Iterator[Item]:
    """Cases with good texts and others."""
    for case in cases:
        texts, good = read(case)
        if len(set(good)) == 2:
            yield Item(case["query"], texts, np.array(good))


def area(values: np.ndarray, good: np.ndarray) -> float:
    higher, lower = values[good][:, None], values[~good]
    return float((higher > lower).mean() + 0.5 * (higher == lower).mean())


def areas(encoder: StaticEncoder, asked: Sequence[Item]) -> np.ndarray:
    """(questions, 2): by score, by cosine."""
    out = []
    for item in asked:
        cosines = encoder.encode_passages(item.texts) @ encoder.encode_queries([item.query])[0]
        out.append((area(encoder.score(item.query, item.texts), item.good), area(cosines, item.good)))
    return np.array(out)


def error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))


def row(name: str, now: np.ndarray, before: np.ndarray | None) -> list[str]:
    cells = [name, str(len(now))]
    for way in (0, 1):
        if before is None:
            cells.append(f"{now[:, way].mean():.3f} ±{error(now[:, way]):.3f}")
        else:
            gain = now[:, way] - before[:, way]
            cells += [f"{x[:, way].mean():.3f}" for x in (before, now)] + [f"{gain.mean():+.3f} ±{error(gain):.3f}"]
    return cells


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the public sets")
    parser.add_argument("--encoder", type=Path, help="folder of a static encoder; the embedded one where left out")
    parser.add_argument("--base", type=Path, help="folder of the encoder to compare with")
    parser.add_argument("--only", nargs="*", default=(), help="names of sets (their beginnings)")
    options = parser.parse_args(arguments)
    encoder = StaticEncoder(options.encoder)
    base = StaticEncoder(options.base) if options.base else None
    ways = ("score", "cosine") if base is None else ("score before", "now", "gain", "cosine before", "now", "gain")
    table, means = Table("set", "n", *ways), []
    for name, asked in sets(options.data):
        if asked and (not options.only or name.startswith(tuple(options.only))):
            now, before = areas(encoder, asked), areas(base, asked) if base else None
            table.add_row(*row(name, now, before))
            means.append(np.concatenate([x.mean(axis=0) for x in (now, before) if x is not None]))
    Console(width=160).print(table)
    Console().print("mean over sets, now (and before), score and cosine:", np.round(np.mean(means, axis=0), 4))
    return 0


if __name__ == "__main__":
    sys.exit(main())
