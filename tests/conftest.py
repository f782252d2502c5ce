"""What several test files share. Nothing here downloads anything."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: Seconds at work on a hostile text after which it is taken for one that never ends; see ``no_blow_up``.
PATIENCE = 60.0
#: Files that take minutes come first: one that is begun last leaves the other processes with nothing to do.
LONGEST = (
    "test_under_load.py", "test_resume.py", "test_ray.py", "test_arms.py", "test_docs_site.py", "test_corpus_audit.py",
    "test_answerers.py", "test_canary.py", "test_gate.py", "test_comparing.py", "test_durability.py",
)  # fmt: skip
#: Characters of a hostile text: the cheapest of quadratic patterns takes two minutes over as many, a usual one five.
ENDLESS = 400_000


@contextmanager
def _hang_guard() -> Iterator[None]:
    if not hasattr(signal, "SIGPROF"):  # Windows has no such timer; what the text costs is the same there
        yield
        return

    def stop(*_: object) -> None:
        # Not an ``Exception``, so that no stage of the library takes it for a fault of its own and goes on.
        pytest.fail(f"still at work after {PATIENCE:g} s: the cost of this text is not linear in its length")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)  # processor time: a busy machine does not bring it nearer
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture
def no_blow_up() -> Callable[[], AbstractContextManager[None]]:
    """``with no_blow_up(): ...`` fails a test whose work on a hostile text does not come to an end.

    No test asserts how long something takes: a bound of two seconds fails on a slow or busy machine and says nothing
    of the code. Linear work takes a second or two on the texts that stand under this guard, quadratic work minutes to
    hours and exponential work for ever, so a minute of processor time tells one from the other on any machine. Over a
    text too short for that the guard proves nothing: see ``endless``. Where the cost can be counted (calls,
    comparisons), count it instead.
    """
    return _hang_guard


@pytest.fixture
def endless() -> Callable[[str], str]:
    """``endless(piece)``: a text of ``piece`` after ``piece``, long enough for ``no_blow_up`` to tell."""
    return lambda piece: piece * (ENDLESS // len(piece))


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def examples(root: Path) -> Path:
    return root / "examples"


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Public sets for measuring; not part of the project."""
    folder = os.environ.get("RAGCLEAN_DATA")
    if not folder:
        pytest.skip("RAGCLEAN_DATA is not set: the public sets are not part of the project")
    return Path(folder)


@pytest.fixture(scope="session")
def corrector():
    """One corrector with the defaults; it keeps no state but its cache."""
    from ragclean import NoiseCorrector

    return NoiseCorrector()


@pytest.fixture
def chat_server(monkeypatch):
    """A local endpoint that misbehaves as it is told to; whatever the machine's proxies are, it is asked itself."""
    from chat_server import ChatServer

    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with ChatServer() as server:
        yield server


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport():
    """What tests log and say goes from process to process as UTF-8, which has no form for a lone surrogate."""
    outcome = yield
    report = outcome.get_result()
    report.sections = [(name, _sendable(text)) for name, text in report.sections]
    if report.longrepr is not None and not isinstance(report.longrepr, tuple):
        try:
            str(report.longrepr).encode("utf-8")
        except UnicodeEncodeError:
            report.longrepr = _sendable(str(report.longrepr))


def _sendable(text):
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files in their order, the longest first."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))
