"""Words with offsets: Chinese by jieba, English by words; codes (X200, v2.4.0, SKU-88) in one piece.

One pattern carves a text into runs of Han characters, runs of Latin letters and digits, and runs of other
scripts. All Han runs of a text go to jieba in one call; a Latin run with a digit or a sign in it is looked at
more closely (a code, a path, a number with its unit, two words with a missing blank between them).
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from ragclean.text.dictionary import cut_words
from ragclean.text.vocabulary import informativeness, is_stopword

__all__ = ["Token", "TokenKind", "informativeness", "is_stopword", "tokenize"]

TokenKind = Literal["han", "latin", "code", "number", "other"]


class Token(NamedTuple):
    """A word at ``start:end``. A named tuple, since a text of 9,000 characters has 5,000 of them to make."""

    start: int
    end: int
    kind: TokenKind


def tokenize(folded: str) -> tuple[Token, ...]:
    """Words, codes and numbers of folded text, in order, not overlapping; punctuation and white space left out."""
    pieces: list[Token] = []
    runs: list[str] = []
    for match in _RUN.finditer(folded):
        start, end = match.span()
        group = match.lastgroup
        if group == "han":
            pieces.append(Token(start, end, "han"))
            if end - start > 1:
                runs.append(match.group())
        elif group == "latin":
            run = match.group()
            if run.isalpha():
                pieces.append(Token(start, end, "latin"))
            elif run.isdecimal():
                pieces.append(Token(start, end, "number"))
            else:
                _add_run(pieces, run, start)
        elif group == "number":
            pieces.append(Token(start, end, "number"))
        else:
            pieces.append(Token(start, end, "code" if group == "code" else "other"))
    return _cut_han(pieces, runs) if runs else tuple(pieces)


_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_LETTER = "a-z\u00df-\u00f6\u00f8-\u024f"
_URL = r"a-z0-9\-._~/?#@!$&*+=%:"

#: The longest piece taken at once. Nothing that a person reads as one word is longer; a blob falls into pieces.
_LONGEST = 64

#: Alternatives are tried in order at each character and start with different characters or a literal, and every
#: repetition is bounded, so that the work is linear in the text.
_RUN = re.compile(
    rf"(?P<han>[{_HAN}]+)"
    rf"|(?P<code>(?:(?:https?|ftp|file|s3|ssh|wss?|jdbc:[a-z]{{2,12}}|redis|mysql|postgres(?:ql)?)://|www\.)"
    rf"[{_URL}]{{0,400}}[a-z0-9/=_\-]"
    rf"|[a-z]:\\[a-z0-9_.\\\-]{{1,200}}"
    rf"|(?<![a-z0-9_./~])(?:~|\.{{1,2}})?/[a-z0-9_.\-]{{1,64}}(?:/[a-z0-9_.\-]{{1,64}}){{1,16}}"
    rf"|(?<![a-z0-9_])(?:c\+\+|[cf]\#)(?![a-z0-9_]))"
    rf"|(?P<number>[0-9]{{1,3}}(?:,[0-9]{{3}}){{1,6}}(?:\.[0-9]{{1,12}})?(?![0-9{_LETTER}_]))"
    rf"|(?P<latin>[{_LETTER}0-9_]{{1,{_LONGEST}}}(?:[.\-/@&'+:][{_LETTER}0-9_]{{1,{_LONGEST}}}){{0,8}})"
    rf"|(?P<other>[^\W\d_{_HAN}{_LETTER}]{{1,{_LONGEST}}}|[^\W_{_HAN}a-z]{{1,{_LONGEST}}})"
)

_UNITS = (
    "h|hr|hrs|min|mins|s|sec|secs|ms|us|ns|d|w|mo|y|yr|yrs|kg|g|mg|t|km|m|cm|mm|nm|um|l|ml|b|kb|mb|gb|tb|pb|kib|mib|gib"
    "|tib|bit|kbps|mbps|gbps|v|kv|mv|kw|mw|wh|kwh|mah|ah|hz|khz|mhz|ghz|rpm|dpi|ppi|fps|px|pt|pa|kpa|mpa|db|lm|usd|eur"
    "|gbp|rmb|cny|yuan|st|nd|rd|th|pm|am|x|k|bn|ft|in|lb|lbs|oz|mph|mol|cal|kcal|j|kj|n|a|ma|pcs|pct|ppm"
)
_WITH_UNIT = re.compile(rf"([0-9]{{1,15}}(?:\.[0-9]{{1,9}})?)-?({_UNITS})\Z")
_GENERATION = re.compile(r"[2-6][gd]\Z")
"""5g and 3d are names, not five grams or three days."""
_DECIMAL = re.compile(r"[0-9]{1,15}\.[0-9]{1,15}\Z")
_VERSION = re.compile(r"[0-9]{1,8}(?:\.[0-9]{1,8}){2,7}(?:-[a-z0-9.]{1,32})?\Z")
_PHONE = re.compile(r"[0-9]{3,4}(?:-[0-9]{3,8}){1,3}\Z")
_EMAIL = re.compile(r"[a-z0-9_.+\-]{1,64}@[a-z0-9\-.]{1,128}\Z")
_ENDINGS = (
    "com|org|net|cn|io|gov|edu|uk|de|ai|dev|app|py|js|ts|jsx|tsx|css|html|htm|json|jsonl|yaml|yml|toml|ini|conf|cfg|env"
    "|xml|csv|tsv|txt|md|rst|pdf|doc|docx|xls|xlsx|ppt|pptx|zip|tar|gz|rar|exe|msi|dmg|apk|deb|rpm|sh|bat|ps1|sql|db"
    "|log|so|dll|jar|war|java|go|rs|rb|php|cpp|hpp|cs|kt|swift|png|jpg|jpeg|gif|svg|mp3|mp4|wav|lock|pem|key|crt|service"
)
_FILE = re.compile(rf"[a-z0-9_][a-z0-9_.\-]{{0,80}}\.(?:{_ENDINGS})\Z")
_ABBREVIATION = re.compile(rf"[{_LETTER}](?:\.[{_LETTER}]){{1,8}}\Z")
_HARD = re.compile(r"[.:/@&+]")
_LETTERS = re.compile("[a-z]")
_DIGIT = re.compile(r"[0-9]")
_WORDLIKE = re.compile(rf"[{_LETTER}]{{1,64}}(?:[\-'&][{_LETTER}]{{1,64}}){{0,8}}\Z")
_ALNUM = re.compile(rf"[{_LETTER}0-9_]+")


def _add_run(pieces: list[Token], run: str, start: int) -> None:
    """Decide on a run that is neither all letters nor all digits."""
    end = start + len(run)
    if _WORDLIKE.match(run):
        pieces.append(Token(start, end, "latin"))
    elif _DECIMAL.match(run):
        pieces.append(Token(start, end, "number"))
    elif _is_code(run):
        pieces.append(Token(start, end, "code"))
    elif (unit := _WITH_UNIT.match(run)) is not None:
        pieces.append(Token(start, start + unit.end(1), "number"))
        pieces.append(Token(start + unit.start(2), end, "latin"))
    elif _HARD.search(run):
        _add_parts(pieces, run, start)
    elif (_DIGIT.search(run) and not run.replace("-", "").isdecimal()) or "_" in run.strip("_"):
        pieces.append(Token(start, end, "code"))
    else:
        for part in _ALNUM.finditer(run):
            _add_plain(pieces, part.group(), start + part.start())


def _is_code(run: str) -> bool:
    """Versions, phone numbers, e-mail addresses, file names, dotted keys and relative paths: one piece."""
    if _GENERATION.match(run) or _VERSION.match(run) or _PHONE.match(run):
        return True
    if "@" in run:
        return bool(_EMAIL.match(run))
    if "/" in run:
        deep = run.count("/") >= 2 and _LETTERS.search(run) is not None
        return deep or "_" in run or bool(_FILE.match(run.rsplit("/", 1)[1]))
    if "." in run:
        return bool(
            _FILE.match(run)
            or _ABBREVIATION.match(run)
            or (_DIGIT.search(run) and run[0].isalpha() and _DIGIT.search(run.split(".", 1)[0]))
            or (run.count(".") >= 2 and not _DIGIT.search(run))
        )
    return False


def _add_parts(pieces: list[Token], run: str, start: int) -> None:
    """Take a run apart at its hard signs: 'and/or', '10:30', '2024/7/1', 'end.next', '3.5-4.0'."""
    for part in _SOFT_PART.finditer(run):
        piece = part.group()
        at = start + part.start()
        if piece.isalpha() or piece.isdecimal():
            _add_plain(pieces, piece, at)
        elif _DECIMAL.match(piece):
            pieces.append(Token(at, at + len(piece), "number"))
        else:
            _add_run(pieces, piece, at)


_SOFT_PART = re.compile(rf"[0-9]{{1,15}}\.[0-9]{{1,15}}(?![{_LETTER}0-9_.])|[{_LETTER}0-9_]+(?:[\-'][{_LETTER}0-9_]+)*")


def _add_plain(pieces: list[Token], piece: str, at: int) -> None:
    end = at + len(piece)
    if piece.isdecimal():
        pieces.append(Token(at, end, "number"))
    elif piece.isalpha():
        pieces.append(Token(at, end, "latin"))
    else:
        unit = _WITH_UNIT.match(piece)
        if unit is not None and not _GENERATION.match(piece):
            pieces.append(Token(at, at + unit.end(1), "number"))
            pieces.append(Token(at + unit.start(2), end, "latin"))
        elif piece.strip("_"):
            pieces.append(Token(at, end, "code"))


def _cut_han(pieces: list[Token], runs: list[str]) -> tuple[Token, ...]:
    """Put jieba's words in the place of the Han runs."""
    words = iter(cut_words(runs))
    out: list[Token] = []
    for piece in pieces:
        at, end = piece[0], piece[1]
        if piece[2] != "han" or end - at == 1:
            out.append(piece)
            continue
        while at < end:
            stop = at + len(next(words))
            out.append(Token(at, stop, "han"))
            at = stop
    return tuple(out)
