"""What ``evaluate`` and ``sweep`` share: the application, its judge, its noise, as the command line names them."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragclean.cli import console, language
from ragclean.cli.failure import CommandError
from ragclean.cli.frame_words import FRAME_WORDS
from ragclean.cli.parts import read_files

if TYPE_CHECKING:
    from ragclean.evaluation import EvalCase, NoiseMaker
    from ragclean.evaluation.running import Answer, AnswerJudge, Retrieve

#: Names of the variants' usual sets.
_SETS = ("daily", "weekly")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of both commands."""
    app = parser.add_argument_group("what answers (one of them)")
    app.add_argument("--app", metavar="MODULE:FUNCTION",
                     help="a function (question, contexts) -> answer, plain or async")  # fmt: skip
    app.add_argument("--model", metavar="NAME", help="a model behind an OpenAI-compatible endpoint")
    app.add_argument("--reader", action="store_true", help="the shipped extractive reader: offline, no model needed")
    app.add_argument("--base-url", metavar="URL", help="of --model (default: OPENAI_BASE_URL)")
    app.add_argument("--may-refuse", action="store_true", help="tell --model what to say where there is no answer")
    app.add_argument("--retrieve", metavar="MODULE:FUNCTION", help="brings contexts: question -> chunks")
    app.add_argument("--pipeline", metavar="NAME", help="version of what answers; a gate compares it")
    judge = parser.add_argument_group("who judges")
    judge.add_argument("--judge-model", metavar="NAME", help="a model behind an endpoint (default: the offline judge)")
    judge.add_argument("--judge-base-url", metavar="URL", help="of --judge-model (default: --base-url)")
    judge.add_argument("--judge-key-env", metavar="VAR",
                       help="environment variable of its key (default: OPENAI_API_KEY)")  # fmt: skip
    noise = parser.add_argument_group("noise")
    noise.add_argument("--corpus", metavar="FILE", help="JSON Lines of chunks to draw noise from (default: the other "
                       "cases' contexts)")  # fmt: skip
    noise.add_argument("--noise-count", type=whole, default=3, metavar="N", help="chunks injected (default: 3)")
    noise.add_argument("--position", choices=("front", "middle", "end", "spread"), default="spread")
    noise.add_argument("--seed", type=int, default=0, metavar="N")
    noise.add_argument("--nearest", action="store_true",
                       help="where a band of similarity is empty, take what is nearest")  # fmt: skip
    noise.add_argument("--unmarked", action="store_true", help="contradictions carry the real page's date and trust")
    run = parser.add_argument_group("the run")
    run.add_argument("--concurrency", type=whole, default=8, metavar="N", help="answers in flight (default: 8)")
    run.add_argument("--cache", metavar="FOLDER", help="keep answers and verdicts, so that an interrupted run resumes")


def whole(written: str) -> int:
    """A whole number from 1 on, for argparse."""
    number = int(written)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, got {written}")
    return number


whole.__name__ = "whole number"  # argparse names the type by it where the text is no number


def read_cases(files: Sequence[str]) -> list[EvalCase]:
    """The cases of all files.

    Raises:
        CommandError: a file cannot be read or holds what is no case; all faults are named, with file and line.
    """
    from ragclean.evaluation.cases import read_cases as read

    cases = read_files(files, read)
    if not cases:
        raise CommandError(f"{', '.join(files)}: there is no case")
    return cases


def application(args: argparse.Namespace) -> tuple[Answer, str]:
    """What answers, and its fingerprint.

    Raises:
        CommandError: none or several are named, or it cannot be had.
    """
    named = [o for o, given in (("--app", args.app), ("--model", args.model), ("--reader", args.reader)) if given]
    if len(named) != 1:
        raise CommandError(f"name what answers: --app, --model or --reader{', only one' if named else ''}")
    if args.app:
        if not args.pipeline:
            raise CommandError("--pipeline: name the version of --app, so that a gate can tell it from another")
        return imported(args.app, "--app"), args.pipeline
    if args.reader:
        from ragclean.evaluation.answerers import ExtractiveReader

        reader = ExtractiveReader()
        return reader, args.pipeline or reader.fingerprint
    from ragclean.evaluation.answerers import DEFAULT_PARAMETERS, EndpointAnswerer

    endpoint = _endpoint(args, args.model, args.base_url, DEFAULT_PARAMETERS, None, "--model")
    answerer = EndpointAnswerer(endpoint, may_refuse=args.may_refuse)
    return answerer, args.pipeline or answerer.fingerprint


def judge_of(args: argparse.Namespace) -> AnswerJudge:
    """The judge; the offline one unless a model is named.

    Raises:
        CommandError: the endpoint cannot be had, or the variable of its key is not set.
    """
    from ragclean.evaluation.llm_answer_judge import DEFAULT_PARAMETERS, EndpointAnswerJudge
    from ragclean.evaluation.offline_judge import OfflineJudge

    if not args.judge_model:
        return OfflineJudge()
    key = os.environ.get(args.judge_key_env) if args.judge_key_env else None
    if args.judge_key_env and not key:  # the key of OPENAI_API_KEY may be another provider's, and is not sent instead
        raise CommandError(f"--judge-key-env: the environment has no {args.judge_key_env:.80}")
    base = args.judge_base_url or args.base_url
    return EndpointAnswerJudge(_endpoint(args, args.judge_model, base, DEFAULT_PARAMETERS, key, "--judge-model"))


def _endpoint(
    args: argparse.Namespace, model: str, base_url: str | None, parameters: Any, key: str | None, option: str
) -> Any:
    """A client whose replies are kept beside answers and verdicts where these are."""
    from ragclean.endpoint import Endpoint

    cache = True if args.cache is None else Path(args.cache) / "endpoint.sqlite3"
    try:
        return Endpoint(
            model, base_url=base_url, parameters=parameters, api_key=key, concurrency=args.concurrency, cache=cache
        )
    except (ValueError, ImportError) as e:
        raise CommandError(f"{option}: {e}") from e


def check_cache(folder: str | None, lang: language.Lang | None = None) -> None:
    """Say it before anything is paid where nothing can be kept in a folder."""
    if folder is None:
        return
    import tempfile

    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as e:
        said = language.wording(lang or language.of_environment(), FRAME_WORDS)
        console.note(said("no_cache", folder=folder, reason=e.strerror or e))


def retriever(args: argparse.Namespace) -> Retrieve | None:
    """The function of ``--retrieve``."""
    return imported(args.retrieve, "--retrieve") if args.retrieve else None


def noise_of(args: argparse.Namespace, cases: Sequence[EvalCase]) -> NoiseMaker | Any:
    """Where noise comes from: settings, or a maker where a corpus is named.

    Raises:
        CommandError: a setting is out of range, or the corpus cannot be read.
    """
    from ragclean.evaluation.corpus import Corpus
    from ragclean.evaluation.noise import NoiseMaker, NoiseSettings

    try:
        settings = NoiseSettings(
            count=args.noise_count, position=args.position, seed=args.seed,
            on_empty_band="nearest" if args.nearest else "skip", marked=not args.unmarked,
        )  # fmt: skip
        if not args.corpus:
            return settings
        from ragclean.cli.candidates import read_candidates

        corpus = Corpus(read_candidates(args.corpus), cache=args.cache)
    except ValueError as e:
        raise CommandError(str(e)) from e
    except OSError as e:
        raise CommandError(f"{args.corpus}: {e.strerror or e}") from e
    return NoiseMaker.of_cases(cases, settings, corpus)


def variants_of(written: str) -> tuple[Any, ...]:
    """``daily``, ``weekly``, or variants by name.

    Raises:
        CommandError: one of them is unknown.
    """
    from ragclean.evaluation.records import VARIANTS
    from ragclean.evaluation.running import DAILY, WEEKLY

    if written in _SETS:
        return DAILY if written == "daily" else WEEKLY
    names = [n.strip() for n in written.split(",") if n.strip()]
    unknown = [n for n in names if n not in VARIANTS]
    if unknown or not names:
        raise CommandError(f"--variants: expected daily, weekly or some of {', '.join(VARIANTS)}, got {written!r:.60}")
    return tuple(names)


def language_of(cases: Sequence[EvalCase], given: str | None) -> Any:
    """The language of a report: as given, else the one of most questions."""
    from ragclean.text.folding import fold, language

    if given:
        return given
    chinese = sum(language(fold(c.question)) == "zh" for c in cases)
    return "zh" if 2 * chinese >= len(cases) else "en"


def imported(name: str, option: str) -> Callable[..., Any]:
    """The function of ``module:function``; modules of the working folder are found as well."""
    module, colon, function = name.partition(":")
    if not colon or not module or not function:
        raise CommandError(f"{option}: expected MODULE:FUNCTION, got {name!r:.80}")
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found: Any = importlib.import_module(module)
        for part in function.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as e:  # whatever the user's own module does
        raise CommandError(f"{option} {name}: {type(e).__name__}: {e}") from e
    if not callable(found):
        raise CommandError(f"{option} {name}: it is no function")
    return found  # type: ignore[no-any-return]
