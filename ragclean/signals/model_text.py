"""Text made fit for a foreign model, and keys for what it said of it."""

from __future__ import annotations

import hashlib
import re

#: Lone surrogates cannot be written as UTF-8 (tokenizers raise), and NUL ends a C string.
_UNFIT = re.compile("[\ud800-\udfff\x00]")


def model_text(text: str, longest: int | None = None) -> str:
    """``text`` without characters that a model cannot take, cut to ``longest`` characters."""
    cut = text if longest is None else text[:longest]
    return _UNFIT.sub("\ufffd", cut)


def text_key(*texts: str) -> bytes:
    """A short key for texts, so that a cache of vectors does not keep the texts alive."""
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()
