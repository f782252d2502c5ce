"""A decision in words that a support manager understands, in the query's language."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ragclean.arbitration.decision import Ballot, Outcome, Position

_NOTES_ZH = {
    "expired": "已过期", "withdrawn": "已废止", "superseded": "已被新版取代", "not_yet_in_force": "尚未生效",
    "draft": "草稿",
    "hearsay": "传闻", "other_customers": "适用于另一批客户", "undated": "无日期", "trust_unknown": "来源可信度未知",
}  # fmt: skip
_WHY_ZH = {
    "votes": "独立来源更多", "source": "来源更可信", "time": "以现行有效、日期较新的为准",
    "scope": "只有它说的是所问的对象",
    "mixed": "综合来源、时间和独立来源数", "tie": "",
}  # fmt: skip
_WHY_EN = {
    "votes": "more independent sources say so", "source": "its source is more trustworthy",
    "time": "it is the newer statement in force", "scope": "only it is about the thing asked for",
    "mixed": "sources, dates and independent witnesses together favour it", "tie": "",
}  # fmt: skip
#: Said instead where a page of the winner speaks of the others itself.
_NOTICE_ZH = {
    "applies": "它写明适用于提问者的情况", "corrects": "它指出另一处写错并作了更正",
    "supersedes": "它声明取代原来的规定", "effective": "它写明了从何时起执行",
}  # fmt: skip
_NOTICE_EN = {
    "applies": "it says that it holds for who asks", "corrects": "it says that the other is an error",
    "supersedes": "it says that it replaces the other", "effective": "it says from when it holds",
}  # fmt: skip
_LOSES_EN, _LOSES_ZH = "'{}' contradicts '{}' ({})", "“{}”与采用的“{}”相矛盾（{}）"
_GONE_EN, _GONE_ZH = "'{}' is set aside beside '{}' ({})", "“{}”不及“{}”，未列出（{}）"
_SHORT_ZH = {
    "votes": "独立来源较少", "source": "来源可信度较低", "time": "较旧或已失效", "scope": "说的是另一个对象",
    "mixed": "综合来源、时间和独立来源数", "tie": "无法判定",
}  # fmt: skip
_GONE_WHY_EN = {"time": "it is older or no longer in force", "source": "its source is less trustworthy"}
_MAX_CHUNKS = 3


def loses(value: str, taken: str, reason: str, lang: str) -> str:
    """Why a sentence went: its value, the value taken, the reason."""
    return _LOSES_ZH.format(value, taken, _SHORT_ZH[reason]) if lang == "zh" else _LOSES_EN.format(value, taken, reason)


def set_aside(value: str, shown: str, reason: str, lang: str) -> str:
    """Why a sentence went though none of the sides shown won."""
    return _GONE_ZH.format(value, shown, _SHORT_ZH[reason]) if lang == "zh" else _GONE_EN.format(value, shown, reason)


def explain(slot: str, outcome: Outcome, lang: str, gone: Mapping[str, str] = MappingProxyType({})) -> str:
    """One short paragraph: the values, who says each, and why one won or none did.

    ``gone``: sides of an unresolved conflict that are not shown, key -> reason (``time`` or ``source``).
    """
    return _explain_zh(slot, outcome, gone) if lang == "zh" else _explain_en(slot, outcome, gone)


def _explain_zh(slot: str, outcome: Outcome, gone: Mapping[str, str]) -> str:
    sides = "；".join(f"“{value_of(p)}”{_who_zh(p)}" for p in outcome.positions)
    head = f"关于“{slot}”，资料说法不一：{sides}。" if slot else f"资料说法不一：{sides}。"
    if outcome.winner is None:
        shown, left = _shown(outcome, gone)
        names = "、".join(f"“{value_of(p)}”" for p in shown)
        out = "".join(f"“{value_of(p)}”未列出：{_SHORT_ZH[gone[p.key]]}。" for p in left)
        return f"{head}{names}依据相当，无法判定，均予列出，请一并核实。{out}"
    why = _NOTICE_ZH.get(_notice(outcome.winner)) or _WHY_ZH[outcome.reason]
    return head + f"采用“{value_of(outcome.winner)}”：{why}（领先 {outcome.margin:.0%}）。"


def _explain_en(slot: str, outcome: Outcome, gone: Mapping[str, str]) -> str:
    sides = "; ".join(f"'{value_of(p)}' {_who_en(p)}" for p in outcome.positions)
    head = f"Sources disagree on '{slot}': {sides}." if slot else f"Sources disagree: {sides}."
    if outcome.winner is None:
        shown, left = _shown(outcome, gone)
        names = " and ".join(f"'{value_of(p)}'" for p in shown)
        out = "".join(f" '{value_of(p)}' is left out: {_GONE_WHY_EN[gone[p.key]]}." for p in left)
        lead = "Neither has" if len(shown) == 2 else "None of them has"
        return f"{head} {lead} a clear lead, so {names} are shown; please check.{out}"
    said = _NOTICE_EN.get(_notice(outcome.winner)) or _WHY_EN[outcome.reason]
    why = f"because {said} (lead {outcome.margin:.0%})"
    return f"{head} Taken: '{value_of(outcome.winner)}', {why}."


def _notice(winner: Position) -> str:
    """What a page of the winner says of the others, the most telling first."""
    said = {b.standing.replaces for b in winner.ballots if b.standing.in_force}
    return next((kind for kind in _NOTICE_EN if kind in said), "")


def _shown(outcome: Outcome, gone: Mapping[str, str]) -> tuple[list[Position], list[Position]]:
    return [p for p in outcome.positions if p.key not in gone], [p for p in outcome.positions if p.key in gone]


def _who_zh(position: Position) -> str:
    parts = [_ballot(b, _NOTES_ZH, "可信度 ", "，另有{}处转载不另计") for b in position.ballots[:_MAX_CHUNKS]]
    more = f"等 {len(position.ballots)} 个独立来源" if len(position.ballots) > _MAX_CHUNKS else ""
    return f"（{'；'.join(parts)}{more}）"


def _who_en(position: Position) -> str:
    parts = [_ballot(b, {}, "trust ", ", {} copies not counted") for b in position.ballots[:_MAX_CHUNKS]]
    more = f" and others, {len(position.ballots)} independent sources" if len(position.ballots) > _MAX_CHUNKS else ""
    return f"({'; '.join(parts)}{more})"


def _ballot(ballot: Ballot, names: dict[str, str], trust: str, copies: str) -> str:
    passage = ballot.ranked.passage
    comma = "，" if names else ", "
    facts = [passage.chunk.source or passage.id]
    if passage.chunk.source:
        facts[0] += f" {passage.id}"
    if passage.trust_known:
        facts.append(f"{trust}{passage.trust:.2f}")
    if ballot.standing.dated is not None:
        facts.append(ballot.standing.dated.isoformat())
    facts += [names.get(n, n.replace("_", " ")) for n in notes_of(ballot) if n != "undated"]
    return comma.join(facts) + (copies.format(len(ballot.copies)) if ballot.copies else "")


def notes_of(ballot: Ballot) -> tuple[str, ...]:
    """What took weight from the vote, or could not be known."""
    notes = ballot.standing.notes
    return notes if ballot.known else (*notes, "trust_unknown")


def value_of(position: Position) -> str:
    """The value as its strongest witness writes it."""
    return position.lead.claim.written
