"""Who speaks, by the way a page is written: an office that sets the rule, or somebody who passes on what they read.

Only used where nobody knows the source: there the wording is all there is.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: The house itself: titles of documents, numbered clauses, we-the-firm, records of its desks.
_OFFICE = re.compile(
    r"通告|公告|通报|通知|告示|说明书|手册|条例|办法|细则|条款|章程|守则|须知|协议|规程|规范|公示|版本说明|更新日志|变更记录|勘误|更正说明"
    r"|第[一二三四五六七八九十百0-9]{1,4}[条章款页]|特此|本公司|我司|本店|本校|本馆|本院|本会|我行|我局|敬请|各位(?:业主|用户|家长|客户|会员|车主)"
    r"|工单|客服|坐席|值班|会议纪要|纪要|备忘|日报|周报|台账|\b(?:bulletin|notice|terms|conditions|policy|handbook|manual"
    r"|instructions|release notes|changelog|datasheet|schedule|edition|minutes|circular|memo|section [0-9]|clause [0-9]"
    r"|article [0-9]|case [0-9]{2,}|ticket|rma|claims desk|agent|applies to|dear (?:parents|customers|members|residents"
    r"|colleagues)|to all (?:staff|dealers|customers|members|users)|erratum|errata)\b"
)
#: Somebody: first person singular, relatives, talk of a forum, calls to like and follow, sales talk.
_PERSON = re.compile(
    r"(?<!自)我(?!们|司|公司|院|校|行|局|方|国|市|省|馆|店|部|处)|咱|俺|楼主|吧友|网友|群友|坛友|老哥|亲测|家人们|姐妹们?|兄弟们?|表[哥弟姐妹]|邻居|同事说"
    r"|点赞|收藏|关注|评论区|转发|转自|摘抄|搬运|吐槽|哈哈|求助|反正|种草|避雷|攻略|博主|博客|自媒体|二手|自提|出闲置|不议价|小伙伴|宝子"
    r"|\b(?:i|i'd|i've|i'm|my|mine|imo|imho|lol|tbh|guys|psa|mums|folks|anyone|someone told|heard|swear by|gutted"
    r"|follow me|subscribe|newsletter|blog|column|comments|review|reviews|forum|thread|posted by|seller|selling)\b"
)
#: No office speaks so, whatever clauses it counts.
_NO_OFFICE = re.compile(
    r"群(?:里|友|主|聊|整理|文件|公告)|网友|吧友|楼主|表[哥弟姐妹]|亲测|家人们|小技巧|技巧合集|妙招|避雷|种草|盘点|懒人包|up主|博主|直播间"
    r"|\b(?:newsletter|blog|forum|thread|column|influencer|my (?:mate|cousin|friend|husband|wife|neighbour|neighbor))\b"
)
#: It passes on what another page says.
_PASSED_ON = re.compile(
    r"转自|转载|转发|摘自|摘抄|搬运|整理自|来自网络|网上看|网传|以上(?:内容|信息)?(?:来自|整理|摘)|官网(?:上)?(?:写|说|问答)"
    r"|原帖|(?:手册|说明书|卡片|单子|海报|网页|文章|帖子|截图|新闻|标题|公告)(?:上面?|里|第.{1,4}[章条页])?(?:就?写着|印着|说的)"
    r"|照着[^。,，]{1,12}(?:整理|抄|写)|看标题|刷到|那[本份张](?:[^。,，]{0,6})?(?:手册|说明书|卡片?|单子|海报)"
    r"|\b(?:reposted|copied from|typed from|taken from|quoted from|via the|(?:read|saw) (?:that|it|somewhere)"
    r"|found online|according to the (?:page|site|booklet|leaflet)"
    r"|as the (?:page|site|booklet|leaflet)[^.;]{0,20} (?:says|tells))\b"
)
#: Weight of a vote by who speaks.
_OFFICE_WEIGHT, _PERSON_WEIGHT, _PASSED_ON_WEIGHT = 1.3, 0.7, 0.6
_LONGEST = 4000
_CACHE = 4096


@lru_cache(maxsize=_CACHE)
def voice_weight(folded: str) -> float:
    """What a vote of this page weighs among pages of unknown origin: 1.3 for an office, 0.4 to 0.7 for hearsay."""
    text = folded[:_LONGEST]
    office = len({m.group() for m in _OFFICE.finditer(text)})
    person = len({m.group() for m in _PERSON.finditer(text)})
    if _NO_OFFICE.search(text):
        office = 0
    weight = _OFFICE_WEIGHT if office > person else _PERSON_WEIGHT if person > office else 1.0
    return weight * (_PASSED_ON_WEIGHT if _PASSED_ON.search(text) else 1.0)
