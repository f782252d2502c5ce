"""Make ``ragclean/text/data/variants.txt``: characters of other scripts and shapes to their one simplified form.

Two sources, both one character to one character inside the Basic Multilingual Plane:

* OpenCC's traditional-to-simplified data (Apache-2.0), asked character by character through its own package
  (``pip install OpenCC``), so that its first choice for each character is taken;
* the compatibility and radical characters that Unicode itself maps to a unified ideograph (Kangxi radicals come
  out of PDF files in place of the characters they look like).

Characters beyond the plane are left out: they are 17 in 100 of OpenCC's table, hardly ever met, and would widen
every folded string to four bytes a character.

    python scripts/make_variants.py > ragclean/text/data/variants.txt
"""

from __future__ import annotations

import importlib.metadata
import sys
import unicodedata

import opencc

PLANE = 0x10000
IDEOGRAPHS = (range(0x3400, 0x4DC0), range(0x4E00, 0xA000))
COMPATIBLE = (range(0x2E80, 0x2FE0), range(0xF900, 0xFB00))
PAIRS_A_LINE = 24


def variants() -> dict[str, str]:
    """Every character with another simplified form, and that form."""
    to_simplified = opencc.OpenCC("t2s").convert
    table: dict[str, str] = {}
    for block in COMPATIBLE + IDEOGRAPHS:
        for code in block:
            char = chr(code)
            unified = unicodedata.normalize("NFKC", char)
            simplified = to_simplified(unified)
            if simplified != char and len(simplified) == 1 and ord(simplified) < PLANE:
                table[char] = simplified
    return table


def main() -> None:
    table = variants()
    version = importlib.metadata.version("OpenCC")
    out = [
        f"# {len(table)} pairs: a character and its simplified or unified form. Made by scripts/make_variants.py",
        f"# from OpenCC {version} (Apache-2.0, Copyright BYVoid and contributors, github.com/BYVoid/OpenCC)",
        f"# and the Unicode {unicodedata.unidata_version} compatibility mappings. See ORIGIN.md.",
    ]
    pairs = [a + b for a, b in table.items()]
    out += [" ".join(pairs[i : i + PAIRS_A_LINE]) for i in range(0, len(pairs), PAIRS_A_LINE)]
    sys.stdout.buffer.write(("\n".join(out) + "\n").encode())


if __name__ == "__main__":
    main()
