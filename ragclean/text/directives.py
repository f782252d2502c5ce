"""Text that talks to a model instead of a reader. It is only flagged, never acted on."""

from __future__ import annotations

import re
from functools import lru_cache


def addresses_model(folded: str) -> bool:
    """'忽略以上指令', 'ignore previous instructions', role and system-prompt markers in folded text. Linear time."""
    return _pattern().search(folded) is not None


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    # Bounded gaps keep it linear.
    return re.compile(
        r"(?:忽略|无视|忘记|不要理会)[^\n。]{0,12}(?:指令|指示|提示词|上文|以上内容|规则)"
        r"|(?:你现在是|你必须扮演|请扮演|系统提示)[^\n。]{0,12}(?:助手|模型|角色|词|:)"
        r"|\b(?:ignore|disregard|forget)\b[^\n.]{0,24}\b(?:instructions?|prompts?|context|above|rules)\b"
        r"|\byou are now\b[^\n.]{0,20}\b(?:assistant|model|dan|ai)\b|\bsystem prompt\b|<\|im_start\|>|\[/?inst\]"
    )
