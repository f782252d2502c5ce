"""Data files of the semantic signal."""
