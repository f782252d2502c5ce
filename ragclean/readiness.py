"""Everything that is loaded at its first use, loaded now: dictionaries, vectors, rules of both languages."""

from __future__ import annotations

from functools import lru_cache

#: A question and pages of each language that between them use every part: values, dates, a contradiction, a long
#: sentence to cut. What comes out is of no interest.
_EXAMPLES = (
    (
        "整机保修多久？",
        [
            {"text": "感谢您的支持。整机自签收之日起保修24个月，费用由我们承担。", "updated_at": "2024年3月5日"},
            {"text": "听说整机只保修12个月，不包括电池。", "published_at": "2021-01-01"},
        ],
    ),
    (
        "How long is the device under warranty?",
        [
            {"text": "Thanks for your trust. The device has a warranty of 24 months.", "updated_at": "5 March 2024"},
            {"text": "I heard the warranty is 12 months only, and no battery.", "published_at": "Jan 1st, 2021"},
        ],
    ),
)


@lru_cache(maxsize=1)
def load_all() -> None:
    """Once a process, one to two seconds: later calls, of whatever corrector, find all of it in memory."""
    from ragclean.corrector import NoiseCorrector

    corrector = NoiseCorrector()
    for query, pages in _EXAMPLES:
        corrector.refine(query, pages, as_of="2025-01-01")
