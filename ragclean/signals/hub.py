"""Get a model by name through sentence-transformers: from a folder, the local cache, or a hub that answers."""

from __future__ import annotations

import hashlib
import logging
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies

log = logging.getLogger(__name__)

M = TypeVar("M")

PIP_LINE = 'pip install "ragclean[sentence-transformers]"'
DEFAULT_ENDPOINT = "https://huggingface.co"
#: Seconds for the hub to take a connection. The hub's own client retries for minutes where nothing answers.
_PROBE_SECONDS = 3.0
#: Files up to this size are read for the fingerprint of a folder; of larger ones the size counts.
_HASHED_BYTES = 1 << 20


def import_sentence_transformers() -> Any:
    """The package, or an ``ImportError`` that says how to get it."""
    try:
        import sentence_transformers
    except ImportError as e:
        raise ImportError(
            f"this model needs the package sentence-transformers, which is not installed: {PIP_LINE}"
        ) from e
    return sentence_transformers


def opened(
    model: str | os.PathLike[str] | Any, class_name: str, *, device: str | None, allow_download: bool
) -> tuple[str | None, Any]:
    """The model that a name or folder names, opened by the package's class, with that name; an object as it is.

    Raises:
        ImportError, OSError: as :func:`import_sentence_transformers` and :func:`open_model` do.
    """
    if not isinstance(model, (str, os.PathLike)):
        return None, model
    build = getattr(import_sentence_transformers(), class_name)
    name = os.fspath(model)
    return name, open_model(
        name, lambda n, local: build(n, device=device, local_files_only=local), allow_download=allow_download
    )


def open_model(name_or_path: str, build: Callable[[str, bool], M], *, allow_download: bool) -> M:
    """Open a model with ``build(name, local_files_only)``: locally first, then from the hub where that is allowed.

    Raises:
        OSError: the model is not on this machine and cannot be had; the message says what to do.
    """
    name = os.fspath(name_or_path)
    if _looks_like_folder(name):
        folder = Path(name).expanduser()
        if not folder.is_dir():
            raise OSError(f"model folder not found: {name}")
        return build(str(folder), True)
    try:
        return build(name, True)
    except Exception as e:  # the libraries raise many kinds where a file is missing
        local_error: Exception = e
    where = "it is neither a folder nor in the local cache"
    if not allow_download or _hub_is_off():
        raise OSError(
            f"model {name!r} cannot be loaded: {where}, and downloads are off. "
            "Download it on a machine with network access and pass the folder's path."
        ) from local_error
    if not _hub_answers():
        raise OSError(
            f"model {name!r} cannot be loaded: {where}, and the hub ({_endpoint()}) does not answer. "
            "Pass the path of a local folder, or leave the model out to use the embedded one."
        ) from local_error
    try:
        return build(name, False)
    except Exception as e:
        raise OSError(f"model {name!r} cannot be loaded from {_endpoint()}: {e}") from e


def model_fingerprint(name_or_path: str, model: Any) -> str:
    """A folder by its content, a hub's model by its name and commit."""
    folder = Path(name_or_path).expanduser()
    if folder.is_dir():
        digest = hashlib.sha256()
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            size = path.stat().st_size
            digest.update(f"{path.relative_to(folder).as_posix()}:{size}".encode("utf-8", "surrogatepass"))
            if size <= _HASHED_BYTES:
                digest.update(path.read_bytes())
        return f"{folder.name}@{digest.hexdigest()[:16]}"
    inner = getattr(model, "model", None) or getattr(_first_module(model), "auto_model", None)
    commit = getattr(getattr(inner, "config", None), "_commit_hash", None)
    return f"{name_or_path}@{commit or 'unknown'}"


def _first_module(model: Any) -> Any:
    try:
        return model[0]
    except (TypeError, IndexError, KeyError):
        return None


def _looks_like_folder(name: str) -> bool:
    """An existing folder, or a name that only a path can have; a hub's names are ``model`` or ``owner/model``."""
    path = Path(name).expanduser()
    return path.is_dir() or path.is_absolute() or name.startswith((".", "~")) or name.count("/") > 1 or "\\" in name


def _hub_is_off() -> bool:
    return any(os.environ.get(v, "").upper() in ("1", "ON", "YES", "TRUE") for v in _OFFLINE_SWITCHES)


_OFFLINE_SWITCHES = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


def _endpoint() -> str:
    return os.environ.get("HF_ENDPOINT") or DEFAULT_ENDPOINT


def _hub_answers() -> bool:
    """Whether a connection to the hub, or to the proxy that leads there, comes about in a few seconds."""
    target = urlsplit(_endpoint())
    proxy = getproxies().get(target.scheme)
    if proxy:
        target = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    try:
        port = target.port or (443 if target.scheme == "https" else 80)
        with socket.create_connection((target.hostname or "", port), timeout=_PROBE_SECONDS):
            return True
    except (OSError, ValueError) as e:
        log.debug("no connection to %s: %s", target.hostname, e)
        return False
