# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""What a clause tells to do: does it recommend, forbid or warn, and which of its words are meant by that.

A warning tells of harm that follows (会导致, voids the warranty); harm that follows from leaving it undone recommends.
The words before 时 or 'when' are the occasion, not the deed: 备份时请勿关闭页面 forbids no backup.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from ragclean.text.question_words import word_set

_FORBID_ZH = (
    r"不要(?!紧)|不需要?|不用(?!说)|不必|不可(?![避少或缺能])|不得(?![不已])|不能(?!不)|不许|不准|不宜|不应|不该|不建议|不推荐|不提倡|不允许|不适合|不予|不再(?![需用])|不支持|不得以"
    r"|无需|无须|毋须|毋需|没必要|用不着|切勿|切忌|切不可|请勿|严禁|禁止|杜绝|避免|拒绝|谢绝|千万别|千万不|别(?![的人处名称扭致家墅])|莫(?!名|非)|勿|忌(?!口|日|讳)|停止|免于|取消"
)
_FORBID_EN = (
    r"do not|don't|does not (?:need|have) to|never|must not|mustn't|should not|shouldn't|shall not|may not|cannot|can't|are not to|is not to|not to be|be kept off|avoid|refrain from|stop (?=[a-z]{2,12}ing)|without (?=[a-z]{2,12}ing)"
    r"|not recommended|not advised|not advisable|prohibited|forbidden|not permitted|not allowed|discouraged|off limits|no longer|no need|needn't|need not|unnecessary|nobody|nothing|no(?= [a-z-]{3,14}(?: [a-z-]{3,14})?(?:[.;,!]|$| (?:on|in|at|near|for|of|with)\b))|not (?=the right|suitable|safe|a good|for)|hands off|steer clear of|unsafe"
)
#: Between 'keep' and 'away' stands what is forbidden.
_KEEP_AWAY = re.compile(
    r"\b(?:(?:keep|stay|hold)(?: [a-z' -]{2,60}?)? (?:away\b|clear of\b|out of\b)|keep [a-z' -]{2,60}? off(?= (?:the|your|its|any|all|it|them)\b))(?: from)?"
    r"|远离|避开|不沾|不碰"
)
FORBIDS = re.compile(rf"{_FORBID_ZH}|\b(?:{_FORBID_EN})\b")
#: They bid what follows.
_REMEMBER = re.compile(r"(?:请?别忘|勿忘|切莫忘)[了记]?(?=[\u4e00-\u9fff])|\b(?:do not|don't|never) (?:forget|fail) to(?= )")
#: A denial of a denial, and words that hold a 'not' without forbidding.
_NO_DENIAL = re.compile(
    r"要不要|能不能|会不会|该不该|用不用|可不可以|不得不|不可或缺|不可避免|要不然|不要紧|不影响|不会影响|没问题|没事|不伤|无妨|无碍|别忘|勿忘|切莫忘|不限|不超过|不少于|不低于|不大于|差别|区别|级别|识别|别墅|特别|分别|个别"
    r"|\b(?:don't (?:forget|panic|worry)|do not (?:forget|worry|panic|hesitate)|no harm|no problem|not a problem|no trouble|never fails?|can't go wrong|cannot go wrong)\b"
)
_RECOMMENDS_ZH = (
    r"请|必须|务必|应当?(?!用程|用软|对|该不)|须(?!知)|需要?(?!求)|一律|统一|得(?=先|把|用|要|趁|赶)|要(?=先|把|用|趁|及时|尽|立|马)|立即|立刻|马上|赶紧|赶快|尽快|尽早|可以|可(?![能靠惜见怕观视爱口不])|建议|推荐|最好|即可|就行|就好|就可以|就成|搞定|完事"
    r"|亲测|尽管|大可|十有八九|最(?:省事|方便|快|好|有效|干净|稳|简单|管用)|很快|轻松|省钱|管用|有效果|没事|没问题|不影响|正合适|放心|只要|只需|足够|有效|妥妥|记得|一定要|改为|改用|改成|就能|能够?(?=用|洗|放|装|挂|晒|拆|开|关|拔)|欢迎|允许|支持|^(?:直接|先|把|将|用|拿|趁|让|按|照|从|凑|每)|照样|[后时就](?=[用拿放把倒抹喷涂撒浇敷])|用[\u4e00-\u9fff]{1,8}?[洗刷擦涂抹敷泡冲吹敲撬粘贴补浇喷煮烤烘剪刮蘸清]|就(?=[用拿把拔按关开重倒擦冲泡洗打加放吹刷通撬掰挂])|又快|都(?:是)?这么|天天这么"
)
_RECOMMENDS_EN = (
    r"please|must|should|shall|have to|has to|need to|needs to|always|simply|just|recommended?|recommend|advise|ought|make sure|be sure|from now on|at once|right away|straight away|required|can|may|fine to|it's fine|is fine|ok to|okay to|safe|allowed|best|better to|the sure way|works a treat|does the trick|in seconds|in no time|in minutes|keeps? [a-z -]{2,30} (?:soft|fresh|clean|bright|shiny|new)|up lovely|goes away|good idea|no harm|no problem|you'll want to|is enough|will do|worth|stays?|remains?"
)
RECOMMENDS = re.compile(rf"{_RECOMMENDS_ZH}|\b(?:{_RECOMMENDS_EN})\b")
#: Behind these stands what is to be done; before them what it is done to, or the occasion.
_BIDS = re.compile(r"请(?!教|问|求|假|帖)|必须|务必|应当?(?!用程|用软|对|该不)|(?<!无)须(?!知)")
#: Orders begin with the bare verb.
VERBS = word_set(
    "add allow apply air arm ask backflush bag begin bend block blow boil book brush call cancel carry change charge check choose clean clear click close"
    " collect connect contact continue cool cover crush cut declare degrease delete detach dilute dip disable disarm disconnect discard dismantle drain drink drive drop dry"
    " edit email empty enable enter export feed fill fit fix flash flush fold force freeze get give go grease hang have heat hit hold hook hose ignore insert install keep"
    " lay leave let lie lift light lock log loosen lower lubricate lock make massage mix move oil open overwrite paint pay peel pick place plug polish pop post pour power prefer  press publish pull purge push"
    " put raise reboot rebuild refit reinstall relight release reload remove repeat replace report repost rerun reset restart restore retry return revert ring rinse roll rotate rub run scrape scrub"
    " seal select send set shake shut sit skip slide snip soak spin spray squirt stand start stay steam step stick stop store strip submit swap switch take tap tear tell tick tighten top touch transfer trim try tumble turn"
    " thaw defrost warm prime tow haul ship squash merge split hang peg mow water weed smear dab squeeze grip spread scatter sprinkle dust hoover sweep mop bin stir knead bake prune bath bathe groom iron descale bleed unscrew clip tie tape glue nail drill sand saw"
    " scan copy paste save type tweak bounce kill commit merge push rotate silence mute snooze sign register declare notify inform warn phone text write bring carry buy order claim appeal"
    " undo uninstall unplug unscrew update upgrade upload use vacuum vent wait walk warm wash wear wet wind wipe withdraw work wrap"
)
_ANY_VERB = "|".join(sorted(VERBS))
_LEAD_IN = r"(?:(?:please|just|simply|always|first|then|next|now|and|so|or|instead|also|carefully|gently|immediately|kindly|yes|no|to be safe|got [a-z0-9 ]{2,20}\?) ?[,:]? ?){0,3}"
_ORDER = re.compile(rf"^[ \"'(\u2022*-]{{0,4}}{_LEAD_IN}(?:{_ANY_VERB})\b(?!ing)")
_ORDER_BEHIND = re.compile(rf"[:?!)] (?:just |simply |please )?(?:{_ANY_VERB})\b")
_HARM_ZH = r"(?:报废|损坏|受损|损伤|伤膜|伤害|失效|故障|脱[胶落层皮]|开裂|断裂|裂开|变[形质色黄硬脆砖]|发[霉黏黄脆]|漏[液油水电]|起火|爆[炸裂]|烧[毁坏]|短路|丢失|清空|中断|卡死|触发|熔断|倒流|偏[芯心]|漂移|割断|刮[伤花]|划[伤花]|脱水|过热|卡滞|减产|长霉|失火|跳闸|回流|堵塞|腐蚀|生锈|锈蚀|中毒|窒息|感染|危险|致命|触电|不赔|拒赔|失去保修|不在保|缩短|错误|加重|恶化|松动|塌|糊住|打滑|停摆|崩溃|死机|一拉就断|毁了|留疤)"
_HARM = re.compile(
    rf"(?:就|会|将|则|便|易|可能|导致|造成|引起|使|令|反而|容易|破坏|损[坏伤害])[^,;。]{{0,14}}?{_HARM_ZH}|破坏|伤[膜胶皮]|{_HARM_ZH}$|(?:导致|造成|诱发|引发|引起(?!注意|重视))[\u4e00-\u9fff]{2}"
    r"|\b(?:throws? away|loses?|damag\w{1,4}|destroy\w{0,3}|shorten\w{0,2}|void\w{0,3}|wipes? (?:the|your|all|out)|corrupt\w{0,3}|loosen\w{0,2}|ruins?|ruined|breaks?|cracks?|warps?|clouds?|stains?|eats?(?= the| away| into)|scars?|(?<!the )(?<!a )(?<!your )(?<!of )burns?(?= (?:out|the|your|through|up)\b)|burnt|fades?|weakens?"
    r"|delaminat\w{1,4}|corrod\w{1,3}|overheats?|leaks?|melts?|shrinks?|clogs?|swells?|jams?|traps?(?= (?:the|heat|water|dirt|moisture))|dissolves?|dulls?|invalidates?|attacks?(?= the)|scratch\w{0,3}|brittle|poison\w{0,3}|risks?|dangerous|hazard\w{0,3}|fatal|leads? to|results? in|worse|kills?|mould|mold|rots?|twin|duplicates?)\b"
)
#: Leaving it undone is what does harm.
_UNDONE = re.compile(r"否则|不然|要不|如不|若不|如未|未[^,;。]{1,6}(?:会|就)|不[^,;。]{1,8}(?:会|就|容易)|\b(?:otherwise|or else|unless|without|if you (?:do not|don't)|failing to|to (?:avoid|prevent|stop)|else)\b|以免|以防|防止|避免|骤冷")
#: The occasion that comes before the deed.
_OCCASION_ZH = (
    r"[^,;。]{1,24}?(?:时候?|期间|过程中)(?=[,:]?(?:请|切|勿|不|严禁|禁止|应|须|需|必须|务必|要|先|别|立即|马上|可|一律|千万|再|统一))"
    r"|[^,;。]{1,24}?(?:之?[前后]|以[前后])(?=[,:]?(?:请勿|切勿|切忌|勿|不|严禁|禁止|别|千万[别不]))"
)
_OCCASION = re.compile(rf"^(?:{_OCCASION_ZH})|^[ ]?(?:when|while|before|after|once|if|during|until) [a-z0-9' -]{{2,60}},")
_OCCASIONS = re.compile(rf"(?:^|(?<=[,;。]))(?:{_OCCASION_ZH})")
_OCCASION_BEHIND = re.compile(r" (?:when|while|before|after|once|during|until|if|unless|so that|because|since) .*$|(?:(?<=.{4})(?:之前|以前|期间))$")
_INSTEAD = re.compile(r"而不是|而非|代替|\b(?:instead of|rather than|(?<!is )(?<!are )(?<!do )(?<!must )(?<!should )(?<!was )(?<!does )(?<!can )not(?= (?:in|on|with|by|the|a|at)\b)|in place of|in favour of)\b")
#: A participle before a noun is no deed of the clause: 'a removed episode', 'the sealed unit'.
_SAID_OF = re.compile(r"\b(?:a|an|the|your|any|each) [a-z]{3,12}ed(?= [a-z]{3})")
#: What an attempt or another's word is told of recommends nothing by itself.
_TOLD = re.compile(
    r"[我他她]家?[妈爸哥姐弟妹爷奶公婆]|有人|同事|邻居|朋友|试了|试过|结果|承认|原打算|打算|被劝|询问|得知|据称|反映|想问|请教|纠结|犹豫|有没有人|谁知道|本想"
    r"|\b(?:my (?:mum|mom|dad|wife|husband|sister|brother|son|daughter|neighbour|neighbor|friend|boss)|tried|attempted|admits?|ended up|asked|asking|used to|wondering|anyone know|does anyone|customer asked)\b|[?]"
)


@dataclass(frozen=True, slots=True)
class Directive:
    """One deed that a clause speaks for (+1) or against (-1), and the words that name it."""

    sign: int
    words: str
    explicit: bool = True
    """It says so in a word of its own, or is an order; else it merely names the deed."""


def without_occasion(clause: str) -> str:
    """The clause without the occasion before its deed: 备份时请勿关闭页面 is about closing, not about the backup."""
    return _OCCASION.sub(lambda m: " " * len(m.group()), clause)


def without_deed_as_occasion(text: str, deed: Collection[str]) -> str:
    """A sentence without the occasions that are the deed asked about itself; nothing else in it moves."""
    if text.isascii():
        return text

    def blank(m: re.Match[str]) -> str:
        return " " * len(m.group()) if all(word in m.group() for word in deed) else m.group()

    return _OCCASIONS.sub(blank, text)


def directives_of(clause: str) -> tuple[Directive, ...]:
    """What a clause recommends, forbids or warns of; empty where it only tells."""
    if _TOLD.search(clause):
        return ()
    plain = _SAID_OF.sub(" ", without_occasion(clause))
    replaced = _INSTEAD.search(plain)
    if replaced is not None:
        against = Directive(-1, plain[replaced.end() :])
        return (*_single(plain[: replaced.start()]), against)
    return _single(plain)


def _single(clause: str) -> tuple[Directive, ...]:
    clause, remember = _REMEMBER.subn(" ", clause)
    masked = _NO_DENIAL.sub(lambda m: " " * len(m.group()), clause)
    apart = _KEEP_AWAY.search(masked)
    banned = FORBIDS.search(masked)
    if banned is None and apart is None:
        return _positive(clause, remember)
    if banned is not None:
        return _banned(clause, masked, banned)
    assert apart is not None
    return (Directive(-1, clause),)


def _banned(clause: str, masked: str, banned: re.Match[str]) -> tuple[Directive, ...]:
    """What stands behind the prohibition, and before it where it is said of that (X 禁止; X must not be done)."""
    behind = clause[banned.end() :]
    before = masked[: banned.start()].strip()
    cut = _OCCASION_BEHIND.sub("", behind) if behind.isascii() else behind
    passive = len(behind.strip()) < 2 or banned.group().strip() in _PASSIVE or " be " in f" {behind[:6]}"
    if passive or not cut.strip():
        return (Directive(-1, f"{before} {cut}"),)
    return (Directive(-1, cut),)


#: Said of what stands before.
_PASSIVE = frozenset((
    "prohibited", "forbidden", "not permitted", "not allowed", "discouraged", "not recommended", "not advised", "not advisable", "unnecessary",
    "must not", "mustn't", "should not", "shouldn't", "may not", "cannot", "not to be", "off limits", "unsafe", "is not to", "are not to", "not", "禁止", "严禁",
))  # fmt: skip


#: A title in English: 'deleting an episode'.
_NO_CLAUSE = re.compile(r"^ ?[a-z]{2,12}ing(?: [a-z'-]{1,14}){0,4} ?\.?$")


def _positive(clause: str, bidden_to: int) -> tuple[Directive, ...]:
    if bidden_to:
        return (Directive(1, clause),)
    harm = _HARM.search(clause)
    if harm is not None:
        undone = _UNDONE.search(clause)
        if undone is not None:
            return ()
        return (Directive(-1, clause[: harm.start()] or clause),)
    bidden = _BIDS.search(clause)
    if bidden is not None:
        return (Directive(1, clause[bidden.end() :]),)  # 续租手续请到窗口办理 tells to go there
    if RECOMMENDS.search(clause) or _ORDER.search(clause) or _ORDER_BEHIND.search(clause):
        return (Directive(1, clause),)
    if _NO_CLAUSE.match(clause):
        return ()
    return (Directive(1, clause, explicit=False),)
