"""OpenTelemetry spans where its API package is installed, and nothing where it is not.

Spans hold counts and times. Query, texts and ids are never put into one: traces are kept where those must not be.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

logger = logging.getLogger(__name__)

NAME = "ragclean"


@lru_cache(maxsize=1)
def _tracer() -> Any:
    """The tracer of whatever provider the application sets, now or later; None without the package."""
    if importlib.util.find_spec("opentelemetry") is None:
        return None
    try:
        from opentelemetry import trace
    except Exception:  # a broken installation of a package that is not ours must not stop anybody
        logger.warning("opentelemetry is installed and cannot be imported: there are no spans", exc_info=True)
        return None
    return trace.get_tracer(NAME)


@contextmanager
def span(name: str) -> Iterator[Any]:
    """A span around a stage (``ragclean.rank``), current while it runs; what it yields takes :func:`annotate`."""
    tracer = _tracer()
    if tracer is None:
        yield None
        return
    # What an exception says may quote a text, and so of one only its kind is put down.
    with tracer.start_as_current_span(
        f"{NAME}.{name}", record_exception=False, set_status_on_exception=False
    ) as opened:
        try:
            yield opened
        except BaseException as error:
            if opened.is_recording():
                from opentelemetry.trace import StatusCode

                opened.set_status(StatusCode.ERROR)
                opened.set_attribute("error.type", type(error).__name__)
            raise


def annotate(opened: Any, figures: Mapping[str, float | str]) -> None:
    """Put figures on a span: ``ragclean.chunks_in`` ..."""
    if opened is not None and opened.is_recording():
        for name, value in figures.items():
            opened.set_attribute(f"{NAME}.{name}", value)
