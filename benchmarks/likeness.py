"""Can the encoder's scale serve duplicates, name equivalence and similarity bands? Pairs whose relation is known.

    python benchmarks/likeness.py                    # the embedded encoder
    python benchmarks/likeness.py --encoder FOLDER   # other tables
    python benchmarks/likeness.py --pairs            # and every pair with its similarity

``data/likeness.jsonl``, twelve topics in Chinese and twelve in English: ``copy`` (punctuation, width, script or the
spelling of a number differ), ``paraphrase`` (the same in other words), ``differs`` (one number, unit, name or negation
is another, named in ``differs``), ``same_topic``, ``unrelated``. Similarities are on the profile's scale: 0 is the
median of unrelated text, 1 identity.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from ragclean.signals.base import SemanticEncoder
from ragclean.signals.equivalence import DUPLICATE_THRESHOLD, NAME_THRESHOLD
from ragclean.signals.profile import measure_profile
from ragclean.signals.semantic import StaticEncoder

FILE = Path(__file__).parent / "data" / "likeness.jsonl"
RELATIONS = ("copy", "differs", "paraphrase", "same_topic", "unrelated")


@dataclass(frozen=True)
class Pair:
    """Two sentences, how they are related, and how alike an encoder finds them."""

    id: str
    lang: str
    relation: str
    first: str
    second: str
    differs: str = ""


def load_pairs(path: Path = FILE) -> list[Pair]:
    """The pairs of a file, one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        return [Pair(**json.loads(line)) for line in lines if line.strip()]


def similarities(pairs: Sequence[Pair], encoder: SemanticEncoder) -> list[float]:
    """How alike the encoder finds each pair, on its profile."""
    first = encoder.encode_passages([pair.first for pair in pairs])
    second = encoder.encode_passages([pair.second for pair in pairs])
    return [float(x) for x in measure_profile(encoder).sentence(np.einsum("ij,ij->i", first, second))]


def by_relation(pairs: Sequence[Pair], found: Sequence[float], lang: str) -> dict[str, np.ndarray]:
    """The similarities of one language's pairs, by relation."""
    return {
        relation: np.array([x for p, x in zip(pairs, found, strict=True) if (p.lang, p.relation) == (lang, relation)])
        for relation in RELATIONS
    }


def above(higher: np.ndarray, lower: np.ndarray) -> float:
    """The chance that one of the first is above one of the second (area under the curve)."""
    return float((higher[:, None] > lower).mean() + 0.5 * (higher[:, None] == lower).mean())


def figures(groups: Mapping[str, np.ndarray]) -> dict[str, float]:
    """What bears on duplicates, equivalence and bands."""
    return {
        "paraphrase above unrelated": above(groups["paraphrase"], groups["unrelated"]),
        "paraphrase above same topic": above(groups["paraphrase"], groups["same_topic"]),
        "same topic above unrelated": above(groups["same_topic"], groups["unrelated"]),
        "copy above near-copy that differs": above(groups["copy"], groups["differs"]),
        f"copies >= {DUPLICATE_THRESHOLD}": float((groups["copy"] >= DUPLICATE_THRESHOLD).mean()),
        f"paraphrases >= {DUPLICATE_THRESHOLD}": float((groups["paraphrase"] >= DUPLICATE_THRESHOLD).mean()),
        f"paraphrases >= {NAME_THRESHOLD}": float((groups["paraphrase"] >= NAME_THRESHOLD).mean()),
        f"differing >= {DUPLICATE_THRESHOLD}": float((groups["differs"] >= DUPLICATE_THRESHOLD).mean()),
        f"differing >= {NAME_THRESHOLD}": float((groups["differs"] >= NAME_THRESHOLD).mean()),
        **{f"median {relation}": float(np.median(values)) for relation, values in groups.items()},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", type=Path, help="folder of another static encoder")
    parser.add_argument("--pairs", action="store_true", help="print every pair with its similarity")
    options = parser.parse_args(arguments)
    console, pairs = Console(width=160), load_pairs()
    found = similarities(pairs, StaticEncoder(options.encoder))
    if options.pairs:
        for pair, x in sorted(zip(pairs, found, strict=True), key=lambda item: -item[1]):
            console.print(f"{x:.3f} {pair.relation} {pair.differs} | {pair.first} | {pair.second}", markup=False)
    groups = {lang: by_relation(pairs, found, lang) for lang in ("zh", "en")}
    table = Table("", "zh", "en")
    for name in RELATIONS:
        table.add_row(f"n {name}", *(str(len(groups[lang][name])) for lang in groups))
    columns = {lang: figures(groups[lang]) for lang in groups}
    for name in columns["zh"]:
        table.add_row(name, *(f"{columns[lang][name]:.3f}" for lang in groups))
    console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
