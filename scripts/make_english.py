"""Make ``ragclean/text/data/english.txt``: the commonest English words in the order of how common they are.

The order is that of the word list of ``wordninja`` (MIT), counted over English Wikipedia; the order alone is taken,
and shares follow from it by Zipf's law when the file is read. Markup that was counted as words is left out.

    pip download --no-deps --no-binary :all: wordninja && tar xzf wordninja-*.tar.gz
    python scripts/make_english.py wordninja-2.0.0/wordninja/wordninja_words.txt.gz > ragclean/text/data/english.txt
"""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path

WORDS = 20_000
"""Beyond this rank the share is below 5e-6, which informativeness (a = 1e-4) cannot tell from a rare word."""
WORDS_A_LINE = 16
MARKUP = {
    "rowspan", "colspan", "nbsp", "bgcolor", "cellpadding", "cellspacing", "thumb", "px", "align", "valign", "ndash",
    "mdash", "ref",
}  # fmt: skip


def main(path: str) -> None:
    listed = gzip.decompress(Path(path).read_bytes()).decode("utf-8").split()
    words = [w for w in listed if re.fullmatch(r"[a-z]{2,24}|[ai]", w) and w not in MARKUP][:WORDS]
    lines = [
        f"# {len(words)} English words, the commonest first. Made by scripts/make_english.py from the order of the",
        "# word list of wordninja 2.0.0 (MIT, Derek Anderson). See ORIGIN.md.",
    ]
    lines += [" ".join(words[i : i + WORDS_A_LINE]) for i in range(0, len(words), WORDS_A_LINE)]
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
