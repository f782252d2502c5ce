"""Pages of a small knowledge base, and an embedding that is deterministic, offline and counts what it embeds."""

from __future__ import annotations

import re
import threading
import zlib
from collections import Counter

DIMS = 96

QUERY = "How many requests per minute may a Team workspace send?"
#: Title, source, day, text. The first two contradict each other, the last two do not answer.
PAGES = (
    (
        "docs", "docs", "2025-03-10",
        "Thanks for building with us! Team workspaces may send up to 1,200 requests per minute.",
    ),
    ("old docs", "docs", "2023-08-21", "Team workspaces may send up to 600 requests per minute."),
    ("forum", "forum", "2024-01-02", "The limit of a Team workspace is 300 requests per minute, I think."),
    ("blog", "blog", "2024-05-05", "We tell the story of our office, and how the coffee machine got its name."),
    ("pricing", "docs", "2025-01-15", "A Team workspace costs 40 dollars a month. Invoices are sent on the first day."),
)  # fmt: skip
KEPT = "Team workspaces may send up to 1,200 requests per minute."
QUERY_ZH = "团队版每分钟可以发送多少次请求？"
PAGES_ZH = (
    ("文档", "docs", "2025-03-10", "感谢选择我们的产品！团队版每分钟最多可以发送1200次请求。"),
    ("旧文档", "docs", "2023-08-21", "团队版每分钟最多可以发送600次请求。"),
    ("博客", "blog", "2024-05-05", "我们来讲讲办公室的故事，以及咖啡机的名字是怎么来的。"),
)
KEPT_ZH = "团队版每分钟最多可以发送1200次请求。"
AS_OF = "2025-06-01"


def metadata_of(page):
    title, source, day, _ = page
    return {"title": title, "source": source, "updated_at": day}


class Counting:
    """Texts to hashed bags of words and character pairs; ``queries`` and ``passages`` count each text that came."""

    def __init__(self, dims: int = DIMS) -> None:
        self.dims = dims
        self.queries: Counter[str] = Counter()
        self.passages: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __getstate__(self):
        return {"dims": self.dims}

    def __setstate__(self, state):
        self.__init__(state["dims"])

    def vector(self, text: str) -> list[float]:
        values = [0.0] * self.dims
        for part in re.findall(r"[a-z0-9]+|[一-鿿]", text.lower()):
            values[zlib.crc32(part.encode()) % self.dims] += 1.0
        return values if any(values) else [1.0] * self.dims

    def embed_queries(self, texts):
        with self._lock:
            self.queries.update(texts)
        return [self.vector(t) for t in texts]

    def embed_passages(self, texts):
        with self._lock:
            self.passages.update(texts)
        return [self.vector(t) for t in texts]

    def clear(self) -> None:
        """Forget the counts: the measurement of the profile is one thing, what a query costs another."""
        self.queries.clear()
        self.passages.clear()
