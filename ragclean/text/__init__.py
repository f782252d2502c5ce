"""Language in, structure out: sentences, words, values, dates, facts, questions. Knows nothing of retrieval.

Everything here works on ``folded`` text (see :mod:`ragclean.text.folding`), which has the length of the
original, so that every offset holds in both.
"""
