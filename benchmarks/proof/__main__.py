"""The benchmark with a real reader: what the corrector is worth to the answers of a language model.

    python benchmarks/proof contexts --split frozen                     # what each arm leaves; no reader
    python benchmarks/proof answer --split frozen --model NAME --url URL --out FILE
    python benchmarks/proof figures FILE                                # scores answers, also those that ship
    python benchmarks/proof noise --data FILE --model NAME --url URL --out FILE

``answer`` and ``noise`` take any OpenAI-compatible endpoint (``server.py`` sets one up offline), keep every answer in
their file, and go on where they stopped.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from proof.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(about=__doc__))
