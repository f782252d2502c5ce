"""Any bi-encoder that sentence-transformers opens, as the semantic signal (extra ``sentence-transformers``)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ragclean.memo import Memo
from ragclean.signals.base import FloatArray
from ragclean.signals.hub import model_fingerprint, opened
from ragclean.signals.model_text import model_text, text_key

#: Vectors kept; 25 MB at 384 dimensions.
_CACHED_VECTORS = 16_384
#: What a transformer of 512 tokens can see of a text, with room to spare; the rest would only be tokenised in vain.
_LONGEST_TEXT = 8_000
_QUERY_PROMPTS = ("query", "search_query")
_PASSAGE_PROMPTS = ("passage", "document", "search_document", "corpus")
#: Models of this family are trained with these prefixes, and most of their folders do not declare them.
_E5_PROMPTS = ("query: ", "passage: ")


class SentenceTransformerEncoder:
    """A bi-encoder from a hub, a local folder, or already opened.

    Args:
        model: a hub's name, a folder, or a ``SentenceTransformer``.
        query_prompt, passage_prompt: put before each text; left out, what the model itself declares.
        allow_download: whether a hub may be asked for a model that is not on this machine.
        device: as sentence-transformers takes it (``"cpu"``, ``"cuda"``); its own choice where left out.

    Raises:
        ImportError: the package is missing; the message has the pip line.
        OSError: the model cannot be had; the message says why.
    """

    cheap = False

    def __init__(
        self,
        model: str | os.PathLike[str] | Any,
        *,
        query_prompt: str | None = None,
        passage_prompt: str | None = None,
        allow_download: bool = True,
        device: str | None = None,
    ) -> None:
        given, self._model = opened(model, "SentenceTransformer", device=device, allow_download=allow_download)
        name = _name_of(model) if given is None else given
        declared = getattr(self._model, "prompts", None) or {}
        is_e5 = "e5" in os.path.basename(name.rstrip("/\\")).lower().replace("_", "-").split("-")
        self._query_prompt = _prompt(query_prompt, declared, _QUERY_PROMPTS, _E5_PROMPTS[0] if is_e5 else "")
        self._passage_prompt = _prompt(passage_prompt, declared, _PASSAGE_PROMPTS, _E5_PROMPTS[1] if is_e5 else "")
        self.dims = _dimension(self._model)
        prompts = text_key(self._query_prompt, self._passage_prompt).hex()[:8]
        self.fingerprint = f"sentence-transformers:{model_fingerprint(name, self._model)}:{prompts}"
        self._vectors: Memo[bytes, FloatArray] = Memo(_CACHED_VECTORS)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """(n, d) float32, L2-normalised; zero for blank texts."""
        return self._encode(texts, self._query_prompt)

    def encode_passages(self, texts: Sequence[str]) -> FloatArray:
        """(n, d) float32, L2-normalised; zero for blank texts."""
        return self._encode(texts, self._passage_prompt)

    def _encode(self, texts: Sequence[str], prompt: str) -> FloatArray:
        if not texts:
            return np.zeros((0, self.dims), dtype=np.float32)
        by_key = {text_key(prompt, text): text for text in texts}
        keys = [text_key(prompt, text) for text in texts]
        vectors = self._vectors.fetch(keys, lambda missing: self._run([by_key[k] for k in missing], prompt))
        return np.stack(vectors)

    def _run(self, texts: list[str], prompt: str) -> list[FloatArray]:
        out = np.zeros((len(texts), self.dims), dtype=np.float32)
        filled = [i for i, text in enumerate(texts) if text.strip()]
        if filled:
            given = [model_text(texts[i], _LONGEST_TEXT) for i in filled]
            vectors = np.asarray(
                self._model.encode(given, prompt=prompt, show_progress_bar=False, convert_to_numpy=True), np.float32
            )
            norms = np.linalg.norm(vectors, axis=1, keepdims=True)
            out[filled] = vectors / np.where(norms > 0, norms, 1.0)
        return list(out)


def _prompt(chosen: str | None, declared: Mapping[str, str], names: Sequence[str], family: str) -> str:
    if chosen is not None:
        return chosen
    return next((declared[name] for name in names if declared.get(name)), family)


def _dimension(model: Any) -> int:
    ask = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
    known = ask()
    return int(known) if known else int(np.asarray(model.encode(["a"], show_progress_bar=False)).shape[1])


def _name_of(model: Any) -> str:
    card = getattr(model, "model_card_data", None)
    return str(getattr(card, "base_model", None) or type(model).__name__)
