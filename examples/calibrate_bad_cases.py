"""From ten bad cases to a configuration, and what it is worth: record, label, replay, calibrate, compare, save.

    python examples/calibrate_bad_cases.py [FOLDER]

What it writes goes to FOLDER, or to a temporary folder that is removed at the end. The cases (bad_cases.jsonl) were
written for this example: its figures say nothing about your data.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ragclean import CorrectorConfig, NoiseCorrector
from ragclean.badcases import BadCaseStore, attribute, compare, expected_of, replay, to_labelled_cases
from ragclean.calibration import Calibration, LabelledCase, calibrate, read_cases, write_cases

CASES = Path(__file__).resolve().parent / "bad_cases.jsonl"


def main(folder: Path) -> None:
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    present = NoiseCorrector()

    head("1  Record: the application refines, and stores what users complain about")
    with BadCaseStore(folder / "cases.sqlite3") as store:
        record(store, present)
        print(f"{len(store)} cases in {store.path.name}, {store.count_pending()} of them to be labelled")

        head("2  Label: a person says what should have stayed and gone")
        label(store, present)
        print(f"{store.count_pending()} cases to be labelled")

        head("3  Replay: which stage lost what")
        show_replay(store, present)

        head("4  Export: labelled cases, the input of a calibration")
        cases = export(store, folder / "labelled.jsonl")

    head("5  Calibrate: are other values better than the defaults?")
    found = calibrate(cases, corrector=present)
    print(found.explain())
    explain_verdict(found)
    print("\nThe fitted values against the defaults, on the ten cases that they were fitted to:")
    show_comparison(cases, present, present.with_config(found.fitted))

    head("6  A bad threshold gets mended")
    print(
        "Step 3 shows a sentence that compression cut. Suppose somebody had answered with sentence_threshold=0, which\n"
        "cuts nothing for its score. The same calibration, starting from there:\n"
    )
    bad = present.with_config(CorrectorConfig(sentence_threshold=0.0))
    mended = calibrate(cases, corrector=bad)
    print(mended.explain().split("\n┏")[0])  # without the tables
    explain_verdict(mended)
    print("\nThe configuration to use against the bad one:")
    show_comparison(cases, bad, bad.with_config(mended.config))
    print(
        "\nAll values are chosen together, so others moved too, and the gain is that of all of them. Step 5 has shown\n"
        "that ten cases cannot tell those others from the defaults: one more reason to label more."
    )

    head("7  Save: the configuration and where it comes from")
    mended.save(folder / "config.json")
    show_config(folder / "config.json")

    head("What this shows, and what not")
    print(
        "Ten cases can show that a threshold is far off. They cannot choose between values that are close, and\n"
        "calibration says so. They were recorded because they went wrong, so they are no sample of what users ask:\n"
        "on such cases the present values look worse, and any change better, than they are. Label some good cases too."
    )


def record(store: BadCaseStore, corrector: NoiseCorrector) -> None:
    for case in read_cases(CASES):
        candidates = [c.chunk for c in case.chunks]  # what a retriever would have brought
        result = corrector.refine(case.query, candidates, as_of=case.as_of)
        store.record(result, config=corrector.config)


def label(store: BadCaseStore, corrector: NoiseCorrector) -> None:
    """The labels of bad_cases.jsonl, by query. With your own cases people do this: ``ragclean label STORE``."""
    labels = {case.query: expected_of(case) for case in read_cases(CASES)}
    for case in list(store.pending()):
        expected = labels[case.query]
        result = corrector.refine(case.query, case.candidates, as_of=case.as_of)
        lost = attribute(result, expected).lost
        store.label(case.id, verdict="lost_answer" if lost else "noise", expected=expected)


def show_replay(store: BadCaseStore, corrector: NoiseCorrector) -> None:
    found = replay(store, corrector)
    for outcome in found.outcomes:
        print(outcome.explain())
    counts = ", ".join(f"{stage} {count}" for stage, count in found.stages().items() if count)
    adopted = sum(len(o.adopted) for o in found.outcomes)
    print(f"\nof what had to stay: {counts}; in the context and had to go: {adopted}")


def export(store: BadCaseStore, path: Path) -> list[LabelledCase]:
    made = to_labelled_cases(store)
    print(f"{write_cases(made.cases, path)} cases written to {path.name}, {len(made.skipped)} left out")
    return read_cases(path)


def explain_verdict(found: Calibration) -> None:
    gain, low, high = found.gain
    if found.better:
        print(f"\nBetter: the whole interval of the gain, {low:+.3f} to {high:+.3f}, lies above 0.")
    else:
        print(
            f"\n'Not better' is an answer too. On cases that they were not fitted to, the other values change F1 by\n"
            f"{gain:+.3f}, and with {found.cases} cases that may be anything from {low:+.3f} to {high:+.3f}.\n"
            "What cannot be told from chance is no reason to change what runs: the present values stay."
        )


def show_comparison(cases: Sequence[LabelledCase], before: NoiseCorrector, after: NoiseCorrector) -> None:
    found = compare(cases, before, after)
    for old, new in found.pairs:
        adopted = f"adopted {len(old.adopted)} -> {len(new.adopted)}"
        print(f"  lost {len(old.lost)} -> {len(new.lost)}, {adopted}: {new.query}")
    print(found.explain().split("\n")[1] + " (a case is right where nothing is lost and nothing adopted)")


def show_config(path: Path) -> None:
    config = CorrectorConfig.load(path)
    print(f"{path.name}: the values that calibration sets, then its provenance")
    for name in config.provenance["fields"]:
        print(f"  {name}: {getattr(config, name)}")
    for name, value in config.provenance.items():
        if name != "fields":
            print(f"    {name}: {value}")
    NoiseCorrector.from_config(path)  # warns where encoder or judge are others than those it was calibrated with


def head(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        target = Path(sys.argv[1])
        target.mkdir(parents=True, exist_ok=True)
        main(target)
    else:
        with TemporaryDirectory() as temporary:
            main(Path(temporary))
