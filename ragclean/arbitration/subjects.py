"""Whom a sentence is about where it does not say so itself: the thing that the sentence before it names."""

from __future__ import annotations

import re
from collections.abc import Callable

from ragclean.arbitration.focus import Focus
from ragclean.prepare import PreparedText

#: A sentence that begins so goes on about the subject of the one before.
_GOES_ON = re.compile(
    r"[ \n]{0,4}(?:(?:它|其|该(?:机|款|版本?|产品|型号|设备|机型|接口|套餐)|这(?:一|款|个|台)|此(?:款|机|版本)|两者)"
    r"|(?:同时|此外|另外|还|也|并且?|而且)[,]?(?:还|也)?(?:它|其)?(?:支持|采用|配备|搭载|内置|具备|配有|提供|新增|兼容)"
    r"|(?:支持|采用|配备|搭载|内置|具备|配有|拥有|提供|新增|兼容)"
    r"|(?:it|its|they|their|this (?:version|model|release|device|product|edition|plan|one))\b"
    r"|(?:also|additionally|moreover)[,]? (?:it|its|they)\b)"
)
#: Reasons that pass on to such a sentence; a year named in one says nothing of the next.
_PASSED_ON = ("other:", "version:", "scope:")
_REACH = 6
#: A version as the subject: API v3 ..., 接口v3 ..., The v3 release ...
_VERSION_SUBJECT = re.compile(
    r"[ \n#*【《「\"“]{0,4}(?P<name>(?:[a-z][a-z-]{1,20} ){0,4}(?:[\u3400-\u9fff]{1,8} ?|[a-z][a-z-]{1,20})?)"
    r"v(?:ersion ?|\.)?(?P<number>\d{1,4}(?:\.\d{1,4}){0,2})(?![\d.]*\d)"
)
_VERSION_NAME = re.compile(
    r"(?P<name>[a-z][a-z-]{1,20}|[\u3400-\u9fff]{2})? ?(?<![a-z])v(?:ersion ?|\.)?\d"
)
_ARTICLE = re.compile(r"the |our ")
_NO_NAME = frozenset(("the", "our", "in", "of", "for", "to", "does", "is", "use", "from", "on", "with", "and", "new"))
_ONE_SUBJECT = 1200


def goes_on(text: str) -> bool:
    """The sentence (folded) begins with a pronoun, or with a verb that lacks its subject."""
    return _GOES_ON.match(text) is not None


def inherited_reason(prepared: PreparedText, number: int, reason_of: Callable[[int], str]) -> str:
    """The reason why the sentence that ``number`` goes on from, in its paragraph, is about another thing."""
    sentences, texts = prepared.sentences, prepared.folded_sentences
    at = number
    while at > max(0, number - _REACH) and goes_on(texts[at]):
        at -= 1
        if sentences[at].paragraph != sentences[number].paragraph or sentences[at].kind != sentences[number].kind:
            return ""
        reason = reason_of(at)
        if reason:
            return reason if reason.startswith(_PASSED_ON) else ""
    return ""


def version_subject(focus: Focus, text: str) -> str:
    """'version:3' where the sentence's subject is the asked thing in another version and the asked is not named."""
    if not focus.versions:
        return ""
    found = _VERSION_SUBJECT.match(text)
    asked_name = _VERSION_NAME.search(focus.folded)
    if found is None or asked_name is None:
        return ""
    name = _ARTICLE.sub("", found["name"]).strip()
    asked = asked_name["name"] or ""
    if name and asked and asked not in _NO_NAME and not name.endswith(asked):
        return ""
    parts = tuple(int(p) for p in found["number"].split("."))
    if any(_compatible(a, parts) for a in focus.versions) or names_version(focus, text):
        return ""
    return f"version:{found['number']}"


def version_passage(focus: Focus, prepared: PreparedText, title: str) -> str:
    """The reason where a short passage opens with the thing in another version and never names the one asked for."""
    if not focus.versions or not prepared.sentences or len(prepared.folded) > _ONE_SUBJECT:
        return ""
    reason = version_subject(focus, prepared.folded_sentences[0])
    return "" if reason and names_version(focus, f"{title}\n{prepared.folded}") else reason


def names_version(focus: Focus, text: str) -> bool:
    """A version asked for stands in the text: v2, v2.1, version 2."""
    numbers = (r"\.".join(map(str, v)) for v in focus.versions)
    return any(re.search(rf"(?<![a-z])v(?:ersion ?|\.)?{n}(?!\d)", text) for n in numbers)


def _compatible(asked: tuple[int, ...], here: tuple[int, ...]) -> bool:
    short = min(len(asked), len(here))
    return asked[:short] == here[:short]
