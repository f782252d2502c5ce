"""The shipped examples of the frameworks run as they are written, offline, and show what they claim."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from docs_blocks import blocks_of

pytestmark = pytest.mark.slow

#: An address that answers nobody: an example that asks the network fails.
NOWHERE = "http://127.0.0.1:9"


def printed(examples, home, name):
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"), NOWHERE)
    done = subprocess.run(
        [sys.executable, str(examples / name)], capture_output=True, encoding="utf-8", timeout=300, check=False, cwd=home,
        env={**os.environ, **proxies, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert list(home.iterdir()) == []
    return done.stdout


def shorter_by_half(output):
    before, after = (int(n) for n in re.findall(r"^(?:retrieved|indexed and retrieved|kept): .*?(\d+) characters", output, re.M))
    return after < before / 2


def test_both_languages_of_the_page_show_the_same_code_and_tables(root):
    pages = [(root / "docs" / name).read_text(encoding="utf-8") for name in ("integrations.md", "integrations.zh-CN.md")]
    code = [[re.sub(r"\s*#.*", "", block.content) for block in blocks_of(page)] for page in pages]
    assert len(code[0]) == 10
    assert code[0] == code[1]
    names = [re.findall(r"^\| `(\w+)`", page, re.M) for page in pages]
    assert names[0] == names[1] != []
    assert [page.count("\n## ") for page in pages] == [7, 7]


def test_langchain(examples, tmp_path):
    pytest.importorskip("langchain_classic")
    output = printed(examples, tmp_path, "langchain_compressor.py")
    assert shorter_by_half(output)
    kept = output.split("kept:")[1]
    assert "云岫服务常见问题：报修与送修" in kept.split("gone:")[0]
    assert "gone: repost-5512 (lost_conflict)" in kept
    assert "(10 documents, 1 question, 10 best sentences)" in kept
    assert "a chain answers: 凭购买凭证" in kept


def test_llama_index(examples, tmp_path):
    pytest.importorskip("llama_index.core")
    output = printed(examples, tmp_path, "llama_index_postprocessor.py")
    assert shorter_by_half(output)
    assert "conflict: Sources disagree" in output
    assert re.search(r"texts embedded: \d+ \(11 nodes, 1 question, \d+ best sentences\)", output)
    assert "the model's prompt holds the old limit: False" in output


def test_haystack(examples, tmp_path):
    pytest.importorskip("haystack")
    output = printed(examples, tmp_path, "haystack_pipeline.py")
    assert shorter_by_half(output)
    assert "gone: repost-5512 (lost_conflict)" in output
    assert "(10 documents, 1 question, 10 best sentences)" in output
    assert int(re.search(r"from YAML, with graded protection: (\d+) characters", output).group(1)) > 100
