"""ragclean inside other frameworks: one module each, with the framework's own classes.

``langchain`` (extra ``langchain``), ``llama_index`` (``llama-index``), ``haystack`` (``haystack``), ``ray`` (``ray``).
"""
