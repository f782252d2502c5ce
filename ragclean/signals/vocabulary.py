"""Text to the entries of the embedded encoder: Chinese by the longest entry, English by words, codes in one piece."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

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
_DIGIT = re.compile("[0-9]")
_LETTERS_OR_DIGITS = re.compile(r"[0-9]+|[^0-9]+")

#: A letter run of another script is one word; what lies beyond this many characters does not tell words apart.
_LONGEST_WORD = 48
#: Letters that make the front of a code a word of its own (covid-19, iphone15), if the vocabulary knows it.
_SHORTEST_WORD_IN_CODE = 3
#: Endings tried, in this order, when an English word has no entry: what to cut and what to put in its place.
_ENDINGS = (
    ("ies", "y"), ("s", ""), ("es", ""), ("ied", "y"), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
)  # fmt: skip
_SHORTEST_STEM = 3
#: Endings that make another word of the same meaning (tallest, cricketer, sadly, bareness, geologist), tried after
#: those of inflection, on stems long enough not to be met by chance (tower is no tow).
_DERIVED_ENDINGS = (
    ("iest", "y"), ("est", ""), ("est", "e"), ("ier", "y"), ("er", ""), ("er", "e"), ("ers", ""), ("ers", "e"),
    ("ily", "y"), ("ly", ""), ("iness", "y"), ("ness", ""), ("ist", "y"), ("ists", "y"), ("ist", ""), ("ists", ""),
    ("ian", "s"), ("ians", "s"), ("able", ""), ("able", "e"), ("less", ""), ("ity", ""), ("ity", "e"),
)  # fmt: skip
_ANY_DERIVED = tuple(ending for ending, _ in _DERIVED_ENDINGS)
_PREFIXES = ("un", "non")
_SHORTEST_DERIVED_STEM = 4
#: The list of words is British: labor, theater, kilometers.
_TER = ("ter", "ters")
_AMERICAN = re.compile(r"(?<=[a-z]{2})(?:(or)(?=$|s$|ed$|ing$|ite|able|hood|ful|less)|(ter)(?=s?$))")


@dataclass(frozen=True, slots=True)
class Bag:
    """The entries of one text, each once."""

    ids: NDArray[np.int32]
    codes: tuple[str, ...]
    """Numbers and codes, normalised: equal only to themselves."""
    words: tuple[str, ...]
    """Words without an entry of their own."""

    @property
    def empty(self) -> bool:
        return not (len(self.ids) or self.codes or self.words)


@dataclass(slots=True)
class _Read:
    """What one piece of a text holds."""

    ids: list[int] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


class Vocabulary:
    """Entry numbers of texts.

    Chinese is cut from the left, the longest entry first: on the development sets the order of chunks and of
    sentences is the same as with the most probable cut of a unigram model, at a third of the time and without a
    tokenizer's tables in memory.

    Args:
        words: the entries, folded, in the order of the encoder's rows.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._entries = {word: i for i, word in enumerate(words)}
        self._longest: dict[str, int] = {}
        for word in words:
            if len(word) > 1 and not word.isascii():
                head = word[:2]
                self._longest[head] = max(len(word), self._longest.get(head, 0))

    def bags(self, texts: Iterable[str]) -> list[Bag]:
        """One bag a text. Never raises on any string; a piece that several texts share is read once."""
        known: dict[str, _Read] = {}
        return [self._bag(_PIECE.findall(fold(text)), known) for text in texts]

    def _bag(self, pieces: list[tuple[str, str, str]], known: dict[str, _Read]) -> Bag:
        ids: set[int] = set()
        codes: dict[str, None] = {}
        words: dict[str, None] = {}
        for han, latin, other in pieces:
            piece = han or latin or other
            read = known.get(piece)
            if read is None:
                if han:
                    read = self._cut(han)
                elif latin:
                    read = self._read(latin)
                else:
                    read = _Read(words=[other[:_LONGEST_WORD]])
                known[piece] = read
            ids.update(read.ids)
            if read.codes:
                codes.update(dict.fromkeys(read.codes))
            if read.words:
                words.update(dict.fromkeys(read.words))
        numbers = np.fromiter(ids, np.int32, len(ids))
        numbers.sort()
        return Bag(numbers, tuple(codes), tuple(words))

    def _cut(self, run: str) -> _Read:
        """A Han run. Linear: at most four look-ups a character."""
        entries, longest = self._entries, self._longest
        read = _Read()
        at, end = 0, len(run)
        while at < end:
            for size in range(longest.get(run[at : at + 2], 1), 0, -1):
                entry = entries.get(run[at : at + size])
                if entry is not None:
                    read.ids.append(entry)
                    at += size
                    break
            else:
                read.words.append(run[at])
                at += 1
        return read

    # -- Latin letters and digits

    def _read(self, piece: str) -> _Read:
        """Latin letters, digits and the separators between them: words, numbers, or a code."""
        read = _Read()
        if not piece.isascii():
            piece = _without_accents(piece)
        if piece.isdigit():
            read.codes.append(_plain_number(piece))
            return read
        entry = self._entries.get(piece)
        if entry is not None:
            read.ids.append(entry)
            return read
        parts = [part for part in _SEPARATORS.split(piece) if part]
        if not _DIGIT.search(piece):
            for part in parts:
                self._read_word(part, read)
        elif all(part.isdigit() for part in parts):
            read.codes.extend(_numbers(piece, parts))
        elif _is_version(parts):
            read.codes.append(_version(parts))
        else:
            self._read_code(parts, read)
        return read

    def _read_word(self, word: str, read: _Read) -> None:
        entry = self.english(word)
        if entry is not None:
            read.ids.append(entry)
        elif len(word) > 1:
            # It keeps its own identity beside that of its kin: it may be a name (Trumper, Rosser).
            kin = self.kin(word)
            if kin is not None:
                read.ids.append(kin)
            read.words.append(word[:_LONGEST_WORD])

    def english(self, word: str) -> int | None:
        """The entry of a folded English word, or of the word without its ending."""
        entry = self._entries.get(word)
        if entry is None:
            found = (self._entries.get(form) for form in shorter_forms(word))
            entry = next((i for i in found if i is not None), None)
        return entry

    def kin(self, word: str) -> int | None:
        """The entry of a word that an unknown English word is derived from, or is the American spelling of."""
        for form in other_forms(word):
            entry = self._entries.get(form)
            if entry is not None:
                return entry
        return None

    def _read_code(self, parts: list[str], read: _Read) -> None:
        """Letters and digits mixed. Known words beside a number stand alone (24-hour, covid-19, 15days)."""
        code: list[str] = []
        for part in parts:
            for atom in _LETTERS_OR_DIGITS.findall(part):
                entry = self._entries.get(atom) if len(atom) >= _SHORTEST_WORD_IN_CODE else None
                if entry is None:
                    code.append(atom)
                else:
                    read.ids.append(entry)
                    read.codes.extend(_joined(code))
                    code = []
        read.codes.extend(_joined(code))


def shorter_forms(word: str) -> list[str]:
    """What an English word may be an inflected form of: flickers -> flicker; carried -> carry; planned -> plan."""
    if len(word) > _LONGEST_WORD:
        return []
    forms: list[str] = []
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            stem = word[: -len(ending)]
            forms.append(stem + instead)
            if ending in ("ed", "ing") and not instead and stem[-1] == stem[-2]:
                forms.append(stem[:-1])
    return forms


def other_forms(word: str) -> list[str]:
    """What an English word may be derived from, or its British spelling: tallest -> tall; unseen -> seen."""
    forms: list[str] = []
    if not _SHORTEST_DERIVED_STEM < len(word) <= _LONGEST_WORD:
        return forms
    if "or" in word or word.endswith(_TER):
        british = _AMERICAN.sub(lambda m: "our" if m.group(1) else "tre", word, count=1)
        if british != word:
            forms += [british, *shorter_forms(british)]
    if word.endswith(_ANY_DERIVED):
        for ending, instead in _DERIVED_ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_DERIVED_STEM:
                forms.append(word[: -len(ending)] + instead)
    if word.startswith(_PREFIXES):
        stem = word[2:] if word[0] == "u" else word[3:]
        if len(stem) >= _SHORTEST_DERIVED_STEM:
            forms += [stem, *shorter_forms(stem)]
    return forms


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
