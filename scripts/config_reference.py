"""Write the table of ``docs/configuration.md`` from the fields of ``ragclean/config.py`` and their docstrings.

    python scripts/config_reference.py           # rewrite the table
    python scripts/config_reference.py --check   # end with 1 where the page does not match the code
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE, PAGE = ROOT / "ragclean" / "config.py", ROOT / "docs" / "configuration.md"
BEGIN, END = "<!-- fields: begin -->\n", "<!-- fields: end -->\n"
SECTION = re.compile(r"^    # -- (\w+)$")


@dataclass(frozen=True)
class Field:
    """A field as the table shows it."""

    section: str
    name: str
    type: str
    default: str
    meaning: str


def read_fields(source: str) -> Iterator[Field]:
    lines = source.splitlines()
    sections = [(i, m[1]) for i, line in enumerate(lines, 1) if (m := SECTION.match(line))]
    body = next(n for n in ast.parse(source).body if isinstance(n, ast.ClassDef) and n.name == "CorrectorConfig").body
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            section = next((name for line, name in reversed(sections) if line < node.lineno), "general")
            yield Field(section, node.target.id, ast.unparse(node.annotation), _default(node.value), _doc(following))


def _default(value: ast.expr) -> str:
    if isinstance(value, ast.Call):  # field(default_factory=...)
        return "a table, see below" if "DEFAULT_SOURCE_WEIGHTS" in ast.unparse(value) else "empty"
    return f"`{ast.unparse(value)}`"


def _doc(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return " ".join(node.value.value.split()).replace("``", "`")
    return ""


def table(fields: list[Field]) -> str:
    out: list[str] = []
    for section in dict.fromkeys(f.section for f in fields):
        out += [f"### {section}", "", "| field | default | meaning |", "| --- | --- | --- |"]
        for f in (f for f in fields if f.section == section):
            kind = f.type.replace("Literal[", "").rstrip("]") if f.type.startswith("Literal") else f.type
            kind, meaning = kind.replace("|", "\\|"), f.meaning.replace("|", "\\|")
            out.append(f"| `{f.name}`<br>{kind} | {f.default} | {meaning} |")
        out.append("")
    return "\n".join(out) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; end with 1 where the page is out of date")
    check = parser.parse_args().check
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    new = before + BEGIN + table(list(read_fields(SOURCE.read_text(encoding="utf-8")))) + END + after
    if check:
        if new != page:
            print("docs/configuration.md is out of date: run python scripts/config_reference.py", file=sys.stderr)
        return int(new != page)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
