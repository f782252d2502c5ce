"""Text to the entries of the embedded encoder: Chinese by a unigram model, English by words, codes in one piece."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragclean.text.folding import fold

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003134f"
_LATIN = "a-z0-9\u00df-\u00f6\u00f8-\u024f"
#: One pass over the folded text. A Latin piece keeps the separators that hold a code together (v2.4.0, sku-88,
#: 1,299.00, 2024-07-01); the alternatives start with different characters, so the scan is linear.
_PIECE = re.compile(
    rf"([{_HAN}]+)|([{_LATIN}]+(?:[-.,:/_'][{_LATIN}]+)*)|([^\W\d_{_HAN}{_LATIN}]+)"
)
_SEPARATORS = re.compile(r"[-.,:/_']")
_LETTERS_OR_DIGITS = re.compile(r"[0-9]+|[^0-9]+")

#: Characters of Han text per call of the tokenizer: its cost grows faster than linearly on very long inputs.
_HAN_BLOCK = 1000
#: A letter run of another script is one word; what lies beyond this many characters does not tell words apart.
_LONGEST_WORD = 48
#: Letters that make the front of a code a word of its own (covid-19, iphone15), if the vocabulary knows it.
_SHORTEST_WORD_IN_CODE = 3
#: The separator of Han runs has the best score of all, so that no entry could ever win by spanning it.
_SEPARATOR_SCORE = 0.0
_UNKNOWN_SCORE = -30.0

#: Endings tried, in this order, when an English word has no entry: what to cut and what to put in its place.
_ENDINGS = (
    ("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"),
    ("ly", ""), ("er", ""), ("er", "e"), ("ness", ""), ("ment", ""),
)
_SHORTEST_STEM = 3


@dataclass(frozen=True, slots=True)
class Bag:
    """The entries of one text, each once."""

    ids: NDArray[np.int32]
    counts: NDArray[np.float32]
    codes: tuple[str, ...]
    """Numbers and codes, normalised: equal only to themselves."""
    words: tuple[str, ...]
    """Words without an entry of their own."""

    @property
    def empty(self) -> bool:
        return not (len(self.ids) or self.codes or self.words)


class Vocabulary:
    """Entry numbers of texts. Chinese entries come first and double as the pieces of the unigram model.

    Args:
        words: the entries, Chinese first, in the order of the encoder's rows.
        log_share: natural logarithm of each entry's share in its language.
    """

    def __init__(self, words: Sequence[str], log_share: NDArray[np.float32]) -> None:
        chinese = next((i for i, w in enumerate(words) if w.isascii()), len(words))
        self._chinese = chinese
        self._pieces = [*zip(words[:chinese], log_share[:chinese].tolist(), strict=True)]
        self._latin = {w: i for i, w in enumerate(words) if i >= chinese}
        self._tokenizer: Any = None

    def bags(self, texts: Iterable[str]) -> list[Bag]:
        """One bag a text. Never raises on any string; Han runs that several texts share are cut once."""
        lexed = [_lex(fold(text)) for text in texts]
        runs = dict.fromkeys(chain.from_iterable(han for han, _, _ in lexed))
        cut = self._cut(list(runs))
        return [self._bag([cut[run] for run in han], latin, other) for han, latin, other in lexed]

    def _bag(self, han: list[tuple[list[int], str]], latin: list[str], other: list[str]) -> Bag:
        ids = list(chain.from_iterable(found for found, _ in han))
        words = [character for _, unknown in han for character in unknown]
        words += [word[:_LONGEST_WORD] for word in other]
        codes: list[str] = []
        for piece in latin:
            entry = self._latin.get(piece)
            if entry is not None:
                ids.append(entry)
            else:
                self._read(piece, ids, codes, words)
        unique, counts = np.unique(np.array(ids, dtype=np.int32), return_counts=True)
        return Bag(unique, counts.astype(np.float32), tuple(dict.fromkeys(codes)), tuple(dict.fromkeys(words)))

    # -- Latin letters and digits

    def _read(self, piece: str, ids: list[int], codes: list[str], words: list[str]) -> None:
        """A piece that is no entry as it stands: words, a number, or a code."""
        if not piece.isascii():
            piece = _without_accents(piece)
        parts = _SEPARATORS.split(piece)
        if not any(c.isdigit() for c in piece):
            for part in parts:
                self._read_word(part, ids, words)
        elif all(part.isdigit() for part in parts):
            codes.extend(_numbers(piece, parts))
        elif _is_version(parts):
            codes.append(_version(parts))
        else:
            self._read_code(parts, ids, codes, words)

    def _read_word(self, word: str, ids: list[int], words: list[str]) -> None:
        entry = self.english(word)
        if entry is not None:
            ids.append(entry)
        elif len(word) > 1:
            words.append(word[:_LONGEST_WORD])

    def english(self, word: str) -> int | None:
        """The entry of a folded English word, or of the word without its ending."""
        entry = self._latin.get(word)
        if entry is None and len(word) <= _LONGEST_WORD:
            for ending, other in _ENDINGS:
                if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
                    entry = self._latin.get(word[: -len(ending)] + other)
                    if entry is not None:
                        return entry
        return entry

    def _read_code(self, parts: list[str], ids: list[int], codes: list[str], words: list[str]) -> None:
        """Letters and digits mixed. Known words beside a number stand alone (24-hour, covid-19, 15days)."""
        atoms = [atom for part in parts for atom in _LETTERS_OR_DIGITS.findall(part)]
        code: list[str] = []
        for atom in atoms:
            if len(atom) >= _SHORTEST_WORD_IN_CODE and atom in self._latin:
                ids.append(self._latin[atom])
                codes.extend(_joined(code))
                code = []
            else:
                code.append(atom)
        codes.extend(_joined(code))

    # -- Chinese

    def _cut(self, runs: list[str]) -> dict[str, tuple[list[int], str]]:
        """Entry numbers of each Han run, and its characters that have none."""
        found: dict[str, tuple[list[int], str]] = {}
        tokenizer = self._unigram() if runs else None
        block: list[str] = []
        size = 0
        for run in runs:
            if len(run) > _HAN_BLOCK:
                pieces = [run[i : i + _HAN_BLOCK] for i in range(0, len(run), _HAN_BLOCK)]
                cut = [self._cut_block(tokenizer, [p])[0] for p in pieces]
                found[run] = ([i for ids, _ in cut for i in ids], "".join(u for _, u in cut))
                continue
            if size + len(run) > _HAN_BLOCK:
                found.update(zip(block, self._cut_block(tokenizer, block), strict=True))
                block, size = [], 0
            block.append(run)
            size += len(run) + 1
        found.update(zip(block, self._cut_block(tokenizer, block), strict=True))
        return found

    def _cut_block(self, tokenizer: Any, runs: list[str]) -> list[tuple[list[int], str]]:
        if not runs:
            return []
        joined = " ".join(runs)
        encoding = tokenizer.encode(joined, add_special_tokens=False)
        ids: list[int] = encoding.ids
        separator = self._chinese
        out: list[tuple[list[int], str]] = []
        start = 0
        unknown_id = separator + 1
        has_unknown = unknown_id in ids
        while len(out) < len(runs) - 1:
            end = ids.index(separator, start)
            out.append((ids[start:end], ""))
            start = end + 1
        out.append((ids[start:], ""))
        if not has_unknown:
            return out
        return [self._without_unknown(tokenizer, run, got) for run, (got, _) in zip(runs, out, strict=True)]

    def _without_unknown(self, tokenizer: Any, run: str, ids: list[int]) -> tuple[list[int], str]:
        unknown_id = self._chinese + 1
        if unknown_id not in ids:
            return ids, ""
        encoding = tokenizer.encode(run, add_special_tokens=False)
        spans = zip(encoding.ids, encoding.offsets, strict=True)
        unknown = "".join(run[start:end] for i, (start, end) in spans if i == unknown_id)
        return [i for i in ids if i != unknown_id], unknown

    def _unigram(self) -> Any:
        """The unigram model over the Chinese entries, built at the first use."""
        pieces = self._pieces  # read before the check: they are let go only after the tokenizer is in place
        if self._tokenizer is None:
            from tokenizers import Tokenizer
            from tokenizers.models import Unigram

            extra = [(" ", _SEPARATOR_SCORE), ("<unk>", _UNKNOWN_SCORE)]
            self._tokenizer = Tokenizer(Unigram([*pieces, *extra], unk_id=self._chinese + 1))
            self._pieces = []
        return self._tokenizer


def _lex(folded: str) -> tuple[list[str], list[str], list[str]]:
    """Han runs, Latin pieces and words of other scripts."""
    han: list[str] = []
    latin: list[str] = []
    other: list[str] = []
    for h, a, o in _PIECE.findall(folded):
        if h:
            han.append(h)
        elif a:
            latin.append(a)
        else:
            other.append(o)
    return han, latin, other


def _without_accents(piece: str) -> str:
    """café -> cafe; letters that have no plain form (ß, ø) stay."""
    return "".join(c for c in unicodedata.normalize("NFKD", piece) if not unicodedata.combining(c))


def _plain_number(digits: str) -> str:
    return digits.lstrip("0") or "0"


def _numbers(piece: str, parts: list[str]) -> list[str]:
    """1,299.00 -> 1299; 2.50 -> 2.5; 2.4.0 -> 2.4 (a version); 2024-07-01, 3-5, 12:30 -> each number."""
    if len(parts) == 1:
        return [_plain_number(piece)]
    grouped = all(len(part) == 3 for part in parts[1:-1]) and not set(piece) & set("-:/_'")
    if grouped and "." not in piece and len(parts[-1]) == 3:
        return [_plain_number("".join(parts))]
    if grouped and piece.count(".") == 1 and piece.rfind(".") > piece.rfind(","):
        fraction = parts[-1].rstrip("0")
        whole = _plain_number("".join(parts[:-1]))
        return [f"{whole}.{fraction}" if fraction else whole]
    if "," not in piece and not set(piece) & set("-:/_'"):
        return [_version(parts)]
    return [_plain_number(part) for part in parts]


def _is_version(parts: list[str]) -> bool:
    head = parts[0]
    return head[:1] == "v" and head[1:].isdigit() and all(part.isdigit() for part in parts[1:])


def _version(parts: list[str]) -> str:
    """2.4.0, v2.4 -> 2.4: trailing zeros say nothing."""
    numbers = [_plain_number(part.removeprefix("v")) for part in parts]
    while len(numbers) > 1 and numbers[-1] == "0":
        numbers.pop()
    return ".".join(numbers)


def _joined(atoms: list[str]) -> list[str]:
    """The atoms of a code as one string, x-200 -> x200; a lone number loses its leading zeros."""
    if not atoms:
        return []
    return [_plain_number(atoms[0])] if len(atoms) == 1 and atoms[0].isdigit() else ["".join(atoms)]
