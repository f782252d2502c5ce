"""``ragclean canary``: watch the share of retrieved chunks that are noise, from a log or an endless pipe."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from ragclean.cli import console, language
from ragclean.cli.evaluation_words import EVALUATION_WORDS
from ragclean.cli.failure import EXIT_BAD_INPUT, EXIT_FAILED, EXIT_OK, CommandError

if TYPE_CHECKING:
    from ragclean.evaluation.canary import Canary
    from ragclean.evaluation.canary_words import Alarm
    from ragclean.result import RefinedContext

EPILOG = """\
input:
  JSON Lines, a query a line: {"scores": [0.81, 0.40, 0.12], "at": "2026-01-02T03:04:05Z"}, the relevance of each
  retrieved chunk, 0 to 1, or a result as RefinedContext.to_dict() writes it; "at" may stand beside that too, and means
  now where it is missing. Without FILE, standard input, which need not end.

examples:
  ragclean canary --state canary.sqlite3 retrieval.jsonl
  tail -F retrieval.jsonl | ragclean canary --state canary.sqlite3 --metrics /var/lib/node_exporter/ragclean.prom
  ragclean canary --state canary.sqlite3 --show
  ragclean canary --state canary.sqlite3 --reset-baseline

A line that cannot be read is named and passed over. Settings are kept in the state: name them once.

exit codes: 0 no alarm, or one that is acknowledged; 1 alarm; 2 bad input or usage, a state that cannot be used, or
lines that cannot be read (an alarm goes first).
"""
STANDARD_INPUT = "-"
#: Bytes taken at a time: what a pipe holds is counted at once, and a file in parts of some hundred queries.
_PORTION = 1 << 16
#: A longer line is no query's: a result of 30 long chunks takes a tenth of it.
_LONGEST = 16 << 20
#: Lines that cannot be read are named up to this many, and counted after that.
_NAMED = 20
_BLANK = b" \t\r\n\v\f"
_MARK = b"\xef\xbb\xbf"


def add_parser(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "canary",
        help="watch the noise of what is retrieved, and raise an alarm when it rises",
        description="Watch which share of the retrieved chunks lies below the relevance threshold, query by query, "
        "and say when it has risen.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="JSON Lines of queries; - is standard input (default)")
    add("--state", metavar="FILE", help="keep everything here (default: begin anew, keep nothing)")
    add("--threshold", type=float, metavar="T", help="chunks below it are noise (default: 0.42)")
    add("--window", type=int, metavar="N", help="queries of a window (default: 100)")
    add("--period", choices=("hour", "day", "week"), help="a window ends with it too, or alone without --window")
    add("--baseline", type=int, metavar="N", help="windows that the usual noise is learnt from (default: 10)")
    add("--rise", type=float, metavar="R", help="the smallest rise that matters (default: 0.05, five points)")
    add("--false-alarms", type=float, metavar="N", help="queries to one false alarm, on average (default: 100000)")
    add("--metrics", metavar="FILE", help="write Prometheus' text format here, for node-exporter's textfile collector")
    add("--label", action="append", default=[], metavar="NAME=VALUE", help="a label of every metric; may be repeated")
    language.add_option(parser)
    add("--json", action="store_true", help="print events and the status as JSON, one a line")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--show", action="store_true", help="read nothing, say where things stand")
    action.add_argument("--acknowledge", action="store_true", help="read nothing, mark the alarm as known")
    action.add_argument("--reset-baseline", action="store_true", help="read nothing, learn the baseline anew")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read to the end, say what happened, and end with the code of the alarm."""
    from ragclean.evaluation.canary import Canary, CanaryStateError

    asked = args.show or args.acknowledge or args.reset_baseline
    if asked and (args.files or not args.state):
        raise CommandError("--show, --acknowledge and --reset-baseline want --state and no file")
    if asked and not os.path.exists(args.state):
        raise CommandError(f"--state {args.state}: no such file")
    labels = _labels(args.label)
    try:
        canary = Canary(
            threshold=args.threshold, window=args.window, period=args.period, baseline=args.baseline, rise=args.rise,
            false_alarms=args.false_alarms, state=args.state,
        )  # fmt: skip
        return _Watch(canary, args, labels).run()
    except CanaryStateError as e:
        raise CommandError(str(e)) from e
    except ValueError as e:
        raise CommandError(str(e)) from e


class _Watch:
    """One run of the command."""

    def __init__(self, canary: Canary, args: argparse.Namespace, labels: dict[str, str]) -> None:
        self._canary, self._args, self._labels = canary, args, labels
        self._lang = language.of(args)
        self._words = language.wording(self._lang, EVALUATION_WORDS)
        self._bad = 0
        self._raised = ""

    def run(self) -> int:
        before = self._canary.status()
        self._raised = before.alarm.raised if before.alarm else ""
        if self._args.acknowledge:
            self._canary.acknowledge()
        elif self._args.reset_baseline:
            self._canary.reset_baseline()
        elif not self._args.show:
            for name in self._args.files or [STANDARD_INPUT]:
                self._read(name)
        status = self._canary.status()
        self._write_metrics()
        if self._args.json:
            self._say({"event": "status", **status.to_dict()})
        else:
            console.out(status.explain(self._lang))
        if self._bad:
            console.note(self._words("unreadable_lines", n=self._bad))
        if status.alarm and not status.alarm.acknowledged:
            return EXIT_FAILED
        return EXIT_BAD_INPUT if self._bad else EXIT_OK

    def _read(self, name: str) -> None:
        for lines in _portions(name):
            queries = [query for number, line in lines if (query := self._query(name, number, line)) is not None]
            for alarm in self._canary.observe_all(queries):
                self._tell(alarm)
            if queries:
                self._write_metrics()

    def _query(self, name: str, number: int, line: bytes | None) -> tuple[Any, Any] | None:
        from ragclean.evaluation.canary import moment

        try:
            if line is None:
                raise ValueError(f"longer than {_LONGEST >> 20} MB")
            seen, at = _parsed(line)
            self._canary.check(seen)
            return seen, moment(at)
        except ValueError as error:
            self._bad += 1
            if self._bad <= _NAMED:
                shown = self._words("standard_input") if name == STANDARD_INPUT else name
                console.note(f"{shown}:{number}: {error}")
            return None

    def _tell(self, alarm: Alarm | None) -> None:
        """Say that an alarm was raised, or that it is over."""
        raised = alarm.raised if alarm else ""
        if raised == self._raised:
            return
        self._raised = raised
        if self._args.json:
            self._say({"event": "alarm", **self._plain(alarm)} if alarm else {"event": "recovered"})
        elif alarm:
            console.out(alarm.explain(self._lang))
        else:
            console.out(self._words("recovered"))

    @staticmethod
    def _plain(alarm: Alarm) -> dict[str, Any]:
        from dataclasses import asdict

        return {**asdict(alarm), "rise": alarm.rise}

    def _say(self, data: Mapping[str, Any]) -> None:
        console.document(data, indent=None)

    def _write_metrics(self) -> None:
        if self._args.metrics:
            try:
                self._canary.write_metrics(self._args.metrics, self._labels)
            except OSError as e:
                raise CommandError(f"--metrics {self._args.metrics}: {e.strerror or e}") from e


def _portions(name: str) -> Iterator[list[tuple[int, bytes | None]]]:
    """The lines of a file or pipe with their numbers, as many at a time as have come; None for one that is too long."""
    number, rest, skipping = 0, b"", False
    with _opened(name) as stream:
        while True:
            try:
                portion = stream.read1(_PORTION) if hasattr(stream, "read1") else stream.read(_PORTION)
            except OSError as e:
                raise CommandError(f"{name}: {e.strerror or e}") from e
            pieces = (rest + portion).split(b"\n") if portion else [rest, b""]
            found: list[tuple[int, bytes | None]] = []
            for piece in pieces[:-1]:
                number += 1
                line = piece.removeprefix(_MARK) if number == 1 else piece
                if skipping or len(line) > _LONGEST:
                    found.append((number, None))
                elif line.strip(_BLANK):
                    found.append((number, line))
                skipping = False
            rest = pieces[-1]
            if len(rest) > _LONGEST:
                rest, skipping = b"", True
            elif skipping:
                rest = b""
            if found:
                yield found
            if not portion:
                return


def _opened(name: str) -> Any:
    if name != STANDARD_INPUT:
        try:
            return open(name, "rb")
        except (OSError, ValueError) as e:
            raise CommandError(f"{name}: {getattr(e, 'strerror', None) or e}") from e
    if sys.stdin is None:
        raise CommandError("standard input is closed")
    return _Kept(sys.stdin.buffer)


class _Kept:
    """Standard input, which is not ours to close."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __enter__(self) -> BinaryIO:
        return self._stream

    def __exit__(self, *_: object) -> None:
        pass


def _parsed(line: bytes) -> tuple[RefinedContext | list[Any], Any]:
    from ragclean.json_lines import parsed
    from ragclean.result import RefinedContext

    data = parsed(line)
    if not isinstance(data, dict):
        raise ValueError(f"expected a JSON object, got {type(data).__name__}")
    at = data.get("at")
    if "scores" not in data and "schema" in data:
        return RefinedContext.from_dict(data), at
    if not isinstance(data.get("scores"), list):
        raise ValueError("scores: expected a list of numbers of 0 to 1, or a result of refine")
    return data["scores"], at


def _labels(given: list[str]) -> dict[str, str]:
    pairs = [item.partition("=") for item in given]
    for name, sign, _ in pairs:
        if not sign or not name:
            raise CommandError(f"--label: expected NAME=VALUE, got {name!r:.60}")
    return {name: value for name, _, value in pairs}
