# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""English statements made into questions: the auxiliary goes before the subject, the question word before both."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragclean.evaluation.case_wording import KINDS, Drafted, clauses
from ragclean.text.value import Value

_SUBJECT_EN = (
    r"(?P<np>(?:(?:the|a|an|all|every|each|any|no) )?[A-Za-z][A-Za-z0-9'/-]*"
    r"(?: (?!(?:is|are|was|were|must|should|shall|can|will|cannot|has|have|had|do|does|did|that|which|who|whose|and|or|but|if|"
    r"when|because|so|then|lasts?|costs?|takes?|weighs?)\b)[A-Za-z0-9][A-Za-z0-9'/-]*){0,9})"
)
_AUX_EN = re.compile(
    r"^" + _SUBJECT_EN + r" (?P<aux>must|should|shall|can|will|is|are)(?P<middle> (?!not\b)[A-Za-z][^,;:()]{1,70})? "
    r"(?P<prep>within|for|at|after|before|by|on|until|up to|no later than|every)$",
    re.IGNORECASE,
)
_COPULA_EN = re.compile(r"^" + _SUBJECT_EN + r" (?P<aux>is|are)(?: (?:set at|limited to|capped at|now|only|priced at))?$", re.IGNORECASE)
_VERB_EN = re.compile(r"^" + _SUBJECT_EN + r" (?P<verb>lasts?|costs?|takes?|weighs?|runs? for|expires? after)$", re.IGNORECASE)
_PRONOUNS_EN = re.compile(r"^(?:it|this|that|these|those|they|he|she|there|here|such|both|either|some|other|another|one|each|"
                          r"what|which|who|where|how|why|not|also|then|so|but|and|or|in|on|at|for|to|from|with|by|as|after|before|"
                          r"during|since|until|than|note|see|its|their|his|her)\b", re.IGNORECASE)  # fmt: skip
#: A value stands at the end of what is asked, or before words that go on with it.
_AFTER_EN = re.compile(r"^(?:[.]?$|[ ](?:of|from|after|before|per|by|in|on|to|for|at|if|via|with|until|under|without)\b[^,;:()]{1,70}$)")
_NOMINAL_DURATION = re.compile(
    r"(?:period|warranty|term|time|duration|window|interval|delay|guarantee|notice|life|lifetime|retention|timeout|deadline|limit|"
    r"wait|stay|trial|lease|break|cycle)s?$", re.IGNORECASE,
)  # fmt: skip


def english(text: str, start: int, values: list[Value], title: str) -> Iterator[Drafted]:
    """What a sentence states; ``start`` is where it stands in the text that the values are of."""
    for a, b in clauses(text):
        piece = text[a:b]
        clause = piece.strip()
        if a or not clause or _PRONOUNS_EN.match(clause):  # what follows a comma hardly ever stands by itself
            continue
        within = [v for v in values if a <= v.start - start and v.end - start <= b]
        if len(within) != 1:
            yield from _yes_no_en(text, clause, bool(within), title)
            continue
        value = within[0]
        if value.kind not in KINDS or value.approximate:
            continue
        before = text[a : value.start - start].strip()
        after = text[value.end - start : b].rstrip()
        if not _AFTER_EN.match(after):
            continue
        written = text[value.start - start : value.end - start]
        question = _ask_en(before, written, after.rstrip("."), value)
        if question:
            yield Drafted(_with_title_en(question, title), text, clause, value.kind)


#: Two statements in one, and what points out of the clause: neither makes one question that stands by itself.
_JOINED_EN = re.compile(r" (?:and|but|or|since|because|so|as|while|which) ", re.IGNORECASE)
_DEICTIC_EN = re.compile(r"\b(?:this|that|these|those|here|there|it|its|their|them|they|either|neither|same|such|above|below)\b",
                         re.IGNORECASE)  # fmt: skip
_LEADS_EN = re.compile(r"^(within|for|at|after|before|by|on|until|up to|no later than|every) +", re.IGNORECASE)


def _ask_en(before: str, written: str, after: str, value: Value) -> str:
    lead = _LEADS_EN.match(written)  # the value's own bound word
    if lead:
        before, written = f"{before} {lead[1]}", written[lead.end() :]
    if _JOINED_EN.search(before) or _JOINED_EN.search(after) or _DEICTIC_EN.search(f"{before} {after}"):
        return ""
    m = _VERB_EN.match(before)
    if m:
        return _ask_verb_en(m, after, value)
    m = _COPULA_EN.match(before)
    if m:
        np = _lowered(m["np"])
        if value.kind == "duration" and _NOMINAL_DURATION.search(np):
            return f"How long {m['aux'].lower()} {np}{after}?"
        if value.kind == "money":
            return f"How much {m['aux'].lower()} {np}{after}?"
        return f"What {m['aux'].lower()} {np}{after}?" if value.kind in ("percent", "quantity", "date") else ""
    m = _AUX_EN.match(before)
    wh = _wh_en(m["prep"].lower(), written, value) if m else ""
    if m is None or not wh:
        return ""
    if (m["middle"] or "").endswith(" enough"):
        return ""
    asked = f"{m['aux'].lower()} {_lowered(m['np'])}{m['middle'] or ''}"
    counted = m["prep"].lower() in ("within", "before", "after") and after.startswith((" of ", " from ", " after ", " before "))
    return f"{wh}{after} {asked}?" if counted else f"{wh} {asked}{after}?"


def _wh_en(prep: str, written: str, value: Value) -> str:
    unit = re.search(r"(business days|working days|calendar days|minutes|hours|days|weeks|months|years|seconds)\b", written)
    many = f"how many {unit[1]}" if unit else "what time"
    if value.kind == "duration":
        return {"within": f"Within {many}", "for": "For how long", "after": f"After {many}", "every": "How often",
                "before": f"How many {unit[1]} before" if unit else "", "up to": f"Up to {many}"}.get(prep, "")  # fmt: skip
    if value.kind == "date":
        return {"by": "By what date", "on": "On what date", "until": "Until when", "before": "Before what date",
                "after": "After what date", "no later than": "By what date"}.get(prep, "")  # fmt: skip
    if value.kind == "time":
        return {"at": "At what time", "by": "By what time", "until": "Until what time", "before": "Before what time",
                "after": "After what time"}.get(prep, "")  # fmt: skip
    if value.kind == "money":
        return {"for": "For how much", "at": "At what price", "up to": "Up to how much"}.get(prep, "")
    if value.kind == "quantity" and value.unit == "°C":
        return {"at": "At what temperature"}.get(prep, "")
    return ""


def _ask_verb_en(m: re.Match[str], after: str, value: Value) -> str:
    verb = m["verb"].lower()
    stem = verb.split()[0].rstrip("s") if verb.split()[0] != "pass" else "pass"
    do = "does" if verb.split()[0].endswith("s") else "do"
    wanted = {"last": "duration", "cost": "money", "take": "duration", "weigh": "quantity", "run": "duration",
              "expire": "duration"}  # fmt: skip
    if wanted.get(stem) != value.kind:
        return ""
    asks = {"last": "How long", "cost": "How much", "take": "How long", "weigh": "How much", "run": "How long",
            "expire": "After what time"}[stem]  # fmt: skip
    return f"{asks} {do} {_lowered(m['np'])} {stem}{after}?"


_YES_NO_EN = re.compile(
    r"^" + _SUBJECT_EN + r" (?P<aux>can|cannot|can not|does not|do not|must not|may not|is not|are not) (?P<rest>[a-z][^,;:()]{3,70})$",
    re.IGNORECASE,
)
#: With fewer words (the lift is not affected) nobody knows what is spoken of.
_YES_NO_WORDS_EN = 4
_POSITIVE_EN = {"cannot": "Can", "can not": "Can", "does not": "Does", "do not": "Do", "must not": "May", "may not": "May",
                "can": "Can", "is not": "Is", "are not": "Are"}  # fmt: skip


def _yes_no_en(text: str, clause: str, measured: bool, title: str) -> Iterator[Drafted]:
    m = None if measured else _YES_NO_EN.match(clause.rstrip("."))
    if m is None or m["np"].split()[0].lower() in ("no", "every") or " " not in m["np"]:
        return
    if len(m["np"].split()) + len(m["rest"].split()) < _YES_NO_WORDS_EN:
        return
    if _JOINED_EN.search(m["rest"]) or _DEICTIC_EN.search(clause):
        return
    question = f"{_POSITIVE_EN[m['aux'].lower()]} {_lowered(m['np'])} {m['rest']}?"
    yield Drafted(_with_title_en(question, title), text, clause, "yes_no")


def _with_title_en(question: str, title: str) -> str:
    """The title in front where the question shares no word of four letters with it."""
    words = re.findall(r"[a-z0-9]{4,}", title.lower())
    return question if not words or any(w in question.lower() for w in words) else f"{title.strip()}: {question}"


def _lowered(np: str) -> str:
    """The first word of a sentence in lower case, unless it is a name: has a digit or a capital inside, or another
    capital follows."""
    first, _, rest = np.partition(" ")
    if first.lower() in ("the", "a", "an", "all", "every", "each", "any", "no", "our"):
        return f"{first.lower()} {rest}"
    if first[1:].lower() != first[1:] or any(c.isdigit() for c in first) or (rest and rest[0].isupper()):
        return np
    return f"{first.lower()} {rest}".strip()
