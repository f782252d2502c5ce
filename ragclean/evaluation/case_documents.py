"""Documents to draft cases from: JSON Lines of chunks, text and Markdown; and which of them replace which."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ragclean.json_lines import CaseFileError, numbered
from ragclean.screen import coerce, shown
from ragclean.text.dates import parse_date
from ragclean.types import Chunk

#: Characters after which a passage ends with its paragraph: some 300 words, what most applications cut documents into.
PASSAGE_LENGTH = 800
#: Characters of two chunks that are compared, and the likeness (0..100) from which one is the other's earlier form.
_COMPARED, _COUNTERPART = 1500, 45.0
_HEADING = re.compile(r"^(#{1,6})\s+(.{1,200}?)\s*#*\s*$")
_FENCE = re.compile(r"^\s{0,3}(```|~~~)")
_LINES = (".jsonl", ".ndjson")


def read_documents(paths: Iterable[str | Path]) -> list[Chunk]:
    """The chunks of files: ``.jsonl`` holds a chunk a line, anything else is text or Markdown, cut at headings and
    paragraphs with the headings as titles.

    Raises:
        OSError: a file cannot be read.
        CaseFileError: a line is no chunk, or a text is not UTF-8; the message names file and line.
    """
    found: list[Chunk] = []
    for path in map(Path, paths):
        if path.suffix.lower() in _LINES:
            found += [chunk for _, chunk in numbered(path, _chunk)]
        else:
            found += passages(_text(path), path.name)
    return found


def passages(text: str, name: str) -> list[Chunk]:
    """The passages of a text or Markdown document, with ids ``name#1`` and on."""
    made: list[Chunk] = []
    titles: list[tuple[int, str]] = []
    part: list[str] = []
    fenced = False

    def end() -> None:
        body = "\n".join(part).strip("\n")
        if body.strip():
            title = " > ".join(t for _, t in titles)
            made.append(Chunk(body, id=f"{name}#{len(made) + 1}", title=title, lineage_id=None, uri=name))
        part.clear()

    for line in text.replace("\r\n", "\n").split("\n"):
        fenced ^= bool(_FENCE.match(line))
        heading = None if fenced else _HEADING.match(line)
        if heading:
            end()
            level = len(heading[1])
            titles = [*(t for t in titles if t[0] < level), (level, heading[2])]
        elif not fenced and not line.strip() and sum(map(len, part)) >= PASSAGE_LENGTH:
            end()
        else:
            part.append(line)
    end()
    return made


def older_versions(chunks: Sequence[Chunk]) -> dict[str, list[Chunk]]:
    """Of each chunk in force, by its id, what earlier versions of its lineage said in its place, newest first.

    Where a version is cut into several chunks, the most alike one of each is its counterpart.
    """
    from rapidfuzz import fuzz

    found: dict[str, list[Chunk]] = {}
    for current, earlier in _versions(chunks):
        for chunk in current:
            others = []
            for version in earlier:
                likeness = [fuzz.ratio(chunk.text[:_COMPARED], c.text[:_COMPARED]) for c in version]
                best = max(range(len(version)), key=likeness.__getitem__)
                if likeness[best] >= _COUNTERPART and version[best].text != chunk.text:
                    others.append(version[best])
            if others:
                found[chunk.id] = others
    return found


def superseded(chunks: Sequence[Chunk]) -> frozenset[str]:
    """Ids of the chunks that a newer version of their lineage replaces."""
    return frozenset(c.id for _, earlier in _versions(chunks) for version in earlier for c in version)


def _versions(chunks: Sequence[Chunk]) -> Iterator[tuple[list[Chunk], list[list[Chunk]]]]:
    """Of each lineage the chunks of the newest version, and those of each earlier one, newest first.

    The order is that of the day in force, else of the last change, else of publication; then of the version's numbers.
    A lineage in which not every chunk has the same of the two tells nothing.
    """
    lineages: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        if chunk.lineage_id:
            lineages[chunk.lineage_id].append(chunk)
    for group in lineages.values():
        ages = [_age(c) for c in group]
        if len({bool(day) for day, _ in ages}) > 1 or not all(day or numbers for day, numbers in ages):
            continue
        by_age: dict[tuple[str, tuple[int, ...]], list[Chunk]] = defaultdict(list)
        for chunk, age in zip(group, ages, strict=True):
            by_age[age].append(chunk)
        newest, *earlier = [by_age[age] for age in sorted(by_age, reverse=True)]
        yield newest, earlier


def _age(chunk: Chunk) -> tuple[str, tuple[int, ...]]:
    written = chunk.day
    day = parse_date(written) if written else None
    return day.isoformat() if day else "", tuple(int(n) for n in re.findall(r"[0-9]{1,9}", chunk.version or ""))


def _chunk(data: Any, number: int) -> Chunk:
    complaints: list[str] = []
    chunk = coerce(data, complaints)
    if chunk is None or not chunk.text.strip():
        raise ValueError(complaints[0] if complaints else f"text: it is blank or missing in {shown(data)}")
    return replace(chunk, embedding=None)


def _text(path: Path) -> str:
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = raw.count(b"\n", 0, e.start) + 1
        raise CaseFileError([f"{path.name}:{line}: not UTF-8 (byte 0x{raw[e.start]:02x})"]) from None
