"""Sentences: what stays of a chunk, copies across chunks, the layout of the context, the token budget."""

from ragclean.compression.compressor import compress

__all__ = ["compress"]
