"""A replay and a comparison in Chinese; in English they explain themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragclean.cli.badcase_words import BADCASE_WORDS
from ragclean.cli.language import Lang, wording
from ragclean.visible import quoted

if TYPE_CHECKING:
    from rich.table import Table

    from ragclean.badcases.attribution import Adoption, Attribution
    from ragclean.badcases.comparison import Comparison
    from ragclean.badcases.replaying import Outcome, Replay
    from ragclean.report.wording import Wording

_KINDS = ("answer", "sentence", "chunk")
_ADOPTED = ("wrong", "sentence", "chunk")


def table(found: Replay, lang: Lang) -> Table:
    """Expected items by the stage at which they ended."""
    if lang == "en":
        return found.table()
    from rich.table import Table

    from ragclean.badcases.attribution import STAGES

    w = wording(lang, BADCASE_WORDS)
    made = Table(w("stage"), *(w(f"kind_{kind}") for kind in _KINDS), w("cases"), w("meaning"))
    for column in made.columns[1:-1]:
        column.justify = "right"
    for stage in STAGES:
        at = [(o.id, a.kind) for o in found.outcomes for a in o.attributions if a.stage == stage]
        made.add_row(*_row(stage, at, _KINDS, w))
    adopted = [(o.id, a.kind) for o in found.outcomes for a in o.adopted]
    made.add_row(*_row("adopted", adopted, _ADOPTED, w))
    unlabelled = len(found.outcomes) - len(found.judged)
    made.caption = w("right", right=sum(o.ok for o in found.judged), judged=len(found.judged)) + (
        w("without_labels", n=unlabelled) if unlabelled else ""
    )
    return made


def _row(stage: str, at: Sequence[tuple[str, str]], kinds: Sequence[str], w: Wording) -> list[str]:
    counts = [str(sum(kind == k for _, k in at)) for kind in kinds]
    return [w(f"stage_{stage}"), *counts, str(len({case for case, _ in at})), w(f"meaning_{stage}")]


def outcome(found: Outcome, lang: Lang) -> str:
    """What went wrong with a case, a line each, safe to print."""
    if lang == "en":
        return found.explain()
    w = wording(lang, BADCASE_WORDS)
    problems = [w("failed", error=quoted(found.error))] if found.error else []
    problems += [_lost(item, w) for item in found.lost] + [_adopted(item, w) for item in found.adopted]
    return "\n  ".join([f"{quoted(found.id)}：{quoted(found.query)}", *(problems or [w("nothing")])])


def _lost(item: Attribution, w: Wording) -> str:
    from ragclean.cli.refine_words import fate

    where = "" if item.chunk_id is None or item.kind == "chunk" else w("where", id=quoted(item.chunk_id))
    why = fate(w.lang, "", item.reason, quoted(item.detail)) if item.reason else quoted(item.detail)
    return w(
        "item", stage=w(f"stage_{item.stage}"), kind=w(f"kind_{item.kind}"), item=quoted(item.item), where=where,
        why=w("why", why=why) if why else "",
    )  # fmt: skip


def _adopted(item: Adoption, w: Wording) -> str:
    where = "" if item.kind == "chunk" else w("where", id=quoted(item.chunk_id))
    kind = w(f"adopted_{item.kind}")
    return w("item", stage=w("stage_adopted"), kind=kind, item=quoted(item.item), where=where, why="")


def comparison(found: Comparison, lang: Lang) -> str:
    """Figures first, then each case that changed."""
    if lang == "en":
        return found.explain()
    w = wording(lang, BADCASE_WORDS)
    before, after = (sum(side.ok for side in sides) for sides in (list(zip(*found.pairs, strict=True)) or [(), ()]))
    lines = [w("both_right", judged=len(found.pairs), before=before, after=after)]
    lines.append(
        w("changed", fixed=len(found.fixed), broken=len(found.broken), unchanged=len(found.unchanged),
          p=f"{found.p_value:.3g}")
    )  # fmt: skip
    if found.before.fingerprint == found.after.fingerprint:
        lines.append(w("same"))
    for b, a in found.pairs:
        if b.ok != a.ok:
            lines.append(w("fixed" if a.ok else "broken", case=outcome(b if a.ok else a, lang)))
    return "\n".join(lines)
