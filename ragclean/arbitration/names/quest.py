# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""What sort of name a question asks for, and between what words in a text its answer stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ragclean.arbitration.names import lexicon

_IDENTIFIER = re.compile(
    rf"(?:哪[条个]|什么|啥|多少|\b(?:what|which|where)\b)[^,。?]{{0,24}}?{lexicon.IDENTIFIER}"
    rf"|{lexicon.IDENTIFIER}[^,。?]{{0,12}}(?:是什么|是啥|是多少|是哪|叫什么|在哪|叫啥)|(?:哪|什么|啥)[条个]?(?:命令|指令)"
)
_COUNTRY = re.compile(
    r"哪一?个国家|哪国|什么国家|[主席举办东道承]国|国家?是谁|国家?是哪|国籍|研发国|哪些?国家|国家$|\b(?:what|which) (?:country|nation)\b|\bhost (?:country|nation)\b|\bnationality\b"
)
_PLACE = re.compile(
    r"哪一?个?(?:城市|省|市|县|州|地区|地方|区|洲|岛|镇|村)|在哪|哪里|哪儿|何处|何地|地点|首都|首府|省会|出生地|所在地|位置|什么地方|籍贯"
    r"|\bwhere\b|\b(?:what|which) (?:city|state|town|village|region|province|county|continent|place|location)\b|\blocation\b|\bcapital (?:city )?of\b|\bvenue\b|\bbirthplace\b"
)
_TEAM = re.compile(
    r"冠军|夺冠|哪支|哪个?(?:队|球队|俱乐部)|球队|什么队|得主|谁赢|获胜|\b(?:what|which) (?:team|club|franchise)\b|\bwho (?:w[oi]n|is the winner|are the (?:winners|champions)|was the winner)|\bw[oi]nner|\bchampion|\bteam\b"
)
_PEOPLE_ONLY = re.compile(
    r"男单|女单|单打|最佳(?:男|女|导演|球员)|影[帝后]|先生|小姐|金球奖|\bsingles\b|\bmvp\b|\bheisman\b|\bballon\b|\bnobel\b|\bbest (?:actor|actress|director|player)|\bplayer\b|\bactor\b|\bactress\b|\bdirector\b|\bmayor\b|\bpresident|\belection\b|选举|大选|\btour de\b|\bcoach\b|\bdriver\b|\bmasters\b"
)
_WORK = re.compile(
    r"哪一?(?:部|本|首|档)|什么(?:电影|书|小说|歌|游戏|电视剧|节目|专辑)|最佳(?:影片|图片|电影)|\b(?:what|which) (?:movie|film|book|novel|song|album|game|show|series|tv)\b|\bbest picture\b|\bbest (?:film|animated feature)\b"
)
_ORGANISATION = re.compile(
    r"哪一?[家所间](?:公司|企业|大学|学校|银行|医院|机构)?|哪个?(?:公司|企业|大学|学校|银行|医院|机构|组织|集团|品牌|学院)|什么(?:公司|大学|学校|机构)|\b(?:what|which) (?:company|university|college|school|organi[sz]ation|agency|firm|bank|network|label|studio|publisher)\b"
)
_PERSON = re.compile(
    r"谁|哪一?位|什么人|何人|哪个人|(?:导演|编剧|作者|主演|演员|歌手|创始人|主帅|教练|总统|总理|校长|院长|董事长|总裁|ceo|妻子|丈夫)(?:是|叫|$|[?？])|\b(?:who|whom|whose)\b|\b(?:name|director|author|writer|founder|ceo|composer|winner|screenwriter|president|mayor|coach|captain) of\b"
)
_NAMED = re.compile(r"新名字?|更名|改名|原名|全称|叫什么|叫啥|又称|别名|\bnew name\b|\brenamed\b|\bformer name\b")
#: Questions that ask for many: which countries take part, who are the members.
_MANY = re.compile(
    r"谁[^,。?]{0,6}过|[当演去唱写拿得作]过|哪些|哪几|(?<![女男领])主演|演员(?:表|阵容|有)|有谁|都有|列举|成员|分别|\bwho are the (?!(?:winners|champions))|\bwhich (?:countries|cities|teams|actors|people|films|books|players|companies)\b|\blist\b|\bmembers of\b|\bfamous\b"
)
_RANK = re.compile(
    r"第[\d一二三四五六七八九十百]{1,4}(?=[届任次代位部季集])|最(?:大|小|高|低|多|少|长|短|早|晚|快|佳[男女]?[\u4e00-\u9fff]{0,2})|首(?:位|个|届|任|次|部)"
    r"|(?<![a-z])u\d{2}|\b\d{1,3}(?:st|nd|rd|th)\b|\b(?:largest|biggest|smallest|highest|tallest|longest|oldest|youngest|deepest)\b"
)
#: What these ask for is described, not named.
_NO_NAME = re.compile(
    r"多少|什么(?:意思|原因|样|关系|区别|时候|时间)|为什么|怎么|几|\b(?:genre|sport|language|occupation|profession|population|type|kind|colou?r|religion|meaning|date|year|when|why|how)\b"
)


_ADDRESS = re.compile(r"命令|指令|ip ?地址|路径|目录|域名|网址|\b(?:command|ip address|path|directory|url|domain|host ?name)\b")
#: Commands, addresses, paths: what a key in backquotes must look like to be one.
_SHAPES = tuple(
    (re.compile(word), re.compile(shape))
    for word, shape in (
        (r"命令|指令|\bcommand\b", r"`[a-z][\w.+-]*(?: -{0,2}[a-z][^`]*)?`"),
        (r"ip ?地址|\bip\b", r"`\d{1,3}(?:\.\d{1,3}){3}[^`]*`"),
        (r"路径|目录|文件夹|\b(?:path|directory|folder)\b", r"`[^`]*[/\\][^`]*`"),
        (r"文件|\bfile\b", r"`[^` ]*[./\\][a-z]\w*`"),
        (r"域名|网址|端点|\b(?:domain|host ?name|url|endpoint)\b", r"`[^` ]*[a-z][^` ]*[./][^` ]*`"),
        (r"寄存器|\bregister\b", r"`(?:0x[0-9a-f]+|\d+)`"),
        (r"变量|参数|字段|选项|\b(?:variable|env var|flag|option|parameter)\b", r"`-{0,2}[a-z][\w-]*`"),
    )
)


#: The sort of what no rule can tell (a colour, a part, a material): only two wordings of one sentence show it.
OTHER = "other"


@dataclass(frozen=True, slots=True)
class NameQuest:
    """A name that a question asks for."""

    sort: str
    """person, country, place, team, title, organisation, identifier, any; or ``OTHER``."""
    people_only: bool
    """Of a winner: a person, no team."""
    before: re.Pattern[str] | None
    """Words that the name stands before; ``None`` where no relation is known."""
    after: re.Pattern[str] | None
    asked: re.Pattern[str] | None
    """The question's own words for the relation: a text may say it in others."""
    folded: str
    lang: str
    words: frozenset[str]
    """Latin words of the question: a name made of them is no answer."""
    shape: re.Pattern[str] | None = None
    """What an identifier of the asked kind looks like."""
    years: frozenset[str] = frozenset()
    ranks: tuple[str, ...] = ()
    """Ordinals and superlatives of the question: the 31st, 最大, U14."""
    twins: re.Pattern[str] | None = None
    """Words of its twins: 女单 where 男单 is asked for."""
    aliases: tuple[tuple[str, str], ...] = ()

    @property
    def is_address(self) -> bool:
        """An identifier that no number reader can read is asked for."""
        return self.sort == "identifier" and bool(_ADDRESS.search(self.folded))


@lru_cache(maxsize=512)
def quest_of(folded: str, lang: str, kind: str, aliases: tuple[tuple[str, str], ...]) -> NameQuest | None:
    """The name a question asks for; ``None`` where it asks for none, for many, or for what no rule can tell."""
    if kind not in ("name", "place", "number", "unknown", "definition", "party"):
        return None
    sort = _sort(folded, kind)
    if not sort or (_MANY.search(folded) and sort != "identifier"):
        return None
    chosen = [(pattern, r) for pattern, r in _relations() if pattern.search(folded)]
    chosen = [c for c in chosen if not c[1].loose] or chosen
    before = after = asked = None
    if chosen and sort != "identifier":
        asked = re.compile("|".join(r.asked for _, r in chosen))
        before = re.compile("|".join(r.before for _, r in chosen))
        after = re.compile("|".join(_after(r, folded) for _, r in chosen))
    return NameQuest(
        sort=sort,
        people_only=bool(_PEOPLE_ONLY.search(folded)),
        before=before,
        after=after,
        asked=asked,
        folded=folded,
        lang=lang,
        words=frozenset(re.findall(r"[a-z0-9à-žß]+", folded)),
        shape=next((shape for word, shape in _SHAPES if sort == "identifier" and word.search(folded)), None),
        years=frozenset(re.findall(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", folded)),
        ranks=tuple(dict.fromkeys(_RANK.findall(folded))),
        twins=_twins(folded),
        aliases=aliases,
    )


def other_quest(folded: str, lang: str) -> NameQuest | None:
    """A word that answers and can be told by nothing but that pages differ in it; None where many are asked for."""
    if _MANY.search(folded):
        return None
    return NameQuest(OTHER, False, None, None, None, folded, lang, frozenset(re.findall(r"[a-z0-9à-žß]+", folded)))


def _sort(folded: str, kind: str) -> str:
    if _IDENTIFIER.search(folded):
        return "identifier"
    if kind == "number":
        return ""
    for pattern, sort in (
        (_COUNTRY, "country"), (_PLACE, "place"), (_WORK, "title"), (_ORGANISATION, "organisation"),
        (_TEAM, "team"), (_PERSON, "person"), (_NAMED, "any"),
    ):  # fmt: skip
        if pattern.search(folded):
            return "" if sort != "any" and kind == "unknown" and _NO_NAME.search(folded) else sort
    return ""


#: What is said of the one sex, and of the other.
_TWINS = (
    (r"男(?:子单打|单)", r"女(?:子单打|单)"), (r"男(?:子双打|双)", r"女(?:子双打|双)"), (r"男(?:足|子足球)", r"女(?:足|子足球)"),
    (r"男(?:篮|子篮球)", r"女(?:篮|子篮球)"), (r"男(?:排|子排球)", r"女(?:排|子排球)"), (r"男主角|影帝", r"女主角|影后"),
    (r"男演员", r"女演员"), (r"男配角", r"女配角"), (r"男子", r"女子"), (r"丈夫", r"妻子"), (r"父亲", r"母亲"),
    (r"\b(?:men|gentlemen)['s]", r"\b(?:women|ladies)['s]"), (r"\bactor\b", r"\bactress\b"), (r"\bsingles\b", r"\bdoubles\b"),
    (r"\bhusband\b", r"\bwife\b"), (r"\bfather\b", r"\bmother\b"), (r"\bking\b", r"\bqueen\b"), (r"\bnl\b", r"\bal\b"),
)  # fmt: skip


def _twins(folded: str) -> re.Pattern[str] | None:
    """What a sentence says that speaks of the other one; ``None`` where the question names none of two."""
    found = []
    for first, second in _TWINS:
        one, two = re.search(first, folded), re.search(second, folded)
        if bool(one) != bool(two):
            found.append(second if one else first)
    return re.compile("|".join(found)) if found else None


def _after(relation: lexicon.Relation, folded: str) -> str:
    """What the name stands behind; of offices only the one asked for."""
    if not relation.after.startswith("总统"):
        return relation.after
    words = [
        w.replace("_", " ")
        for group in lexicon.OFFICES
        if any(w.replace("_", " ") in folded for w in group)
        for w in group
    ]
    return "|".join(rf"\b{w}\b" if w.isascii() else w for w in words) if words else relation.after


@lru_cache(maxsize=1)
def _relations() -> tuple[tuple[re.Pattern[str], lexicon.Relation], ...]:
    return tuple((re.compile(r.asked), r) for r in lexicon.RELATIONS)
