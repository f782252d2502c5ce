# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Words of verdict by class of question: covered or not, allowed or not, supported or not, brought back or not, needed.

Contracts, shop pages and minutes hardly ever repeat the verb of the question (包不包: 不屬於保固之列; is it in the
guarantee: straps are left out). The tables hold the predicates by which terms of service grant and refuse, per class;
a word like 'extra' refuses where inclusion is asked for and says nothing elsewhere. All patterns are alternatives of
fixed words with bounded gaps, so that matching is linear.
"""

from __future__ import annotations

import re

from ragclean.text.question_words import word_set

#: What a question asks for, told by its words; a question may be of several classes.
COVERAGE, PERMISSION, SUPPORT, RECOVERY = "coverage", "permission", "support", "recovery"
OPENING = "opening"

ASKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (COVERAGE, re.compile(
        r"保修|质保|保固|三包|保障|承保|保不保|能?保吗|赔|理赔|包不包|(?<![钱书面红荷背])包(?![裹装子厢间场机扎袋房])|算不算|算在|含不含|含.{0,6}吗|在内|范围|管不管|负责|给不?给?(?:换|修|退|报|赔|免)|还?给(?:换|修|报|赔)|免费(?:换|修|重)|有没有包|报销|报(?!名|警|告|到|送)|医保|社保"
        r"|\b(?:cover(?:s|ed|age)?|includ(?:e|es|ed|ing)|guarantee[ds]?|warrant(?:y|ed)|insured?|policy|claim|part of|come with|thrown in|fix it free|reimburs\w{1,4})\b"
    )),
    (PERMISSION, re.compile(
        r"让不让|准不准|许不许|允许|准许|可不可以|可以|能不能|能否|可否|能|行不行|禁止|让.{0,8}吗|违[法规]|合[法规]|犯[法规]"
        r"|\b(?:legal|illegal|lawful|against the|allow(?:ed|s)?|permit(?:ted)?|ok(?:ay)? to|fine to|may (?:i|we)|can (?:i|we|you|my)|could (?:i|we)|let|lets|bring|welcome)\b"
    )),
    (OPENING, re.compile(
        r"营业|开[门馆园店业放市吗着]|开不开|有没有开|开没开|休息吗|放假吗|关门|\b(?:open|opened|closed|closes|shut)\b"
    )),
    (SUPPORT, re.compile(
        r"支不支持|支持|兼不?兼?容|认不认|认|适配|识别|连|装|接|插|配对|跑|读|用"
        r"|\b(?:works?|compatible|supports?|supported|pairs?|fits?|runs?|reads?|inside|connect|handle|accept|play|(?:can|does|do|will) (?:the|this|it|your|our|an?|old|older))\b"
    )),
    (RECOVERY, re.compile(
        r"恢复|还原|找回|[弄救要拿补追捞搞转]回|回来|转让|转给|过户|转|退|改签?|撤|取消|补|续|换人"
        r"|\b(?:transfer(?:able|red)?|refund(?:able|ed)?|back|restor\w{1,4}|recover\w{0,5}|undo|undelete|change|cancel|reverse|pass (?:it )?on|swap|resell|return)\b"
    )),
)

#: Verdicts that refuse whatever is asked, and such as grant.
DENIES = re.compile(
    r"清走|拖走|不入(?=[校园内场池馆])|均不[进入得可能]|留在家|恕(?:不|难|无)|谢绝|婉拒|概不|一概(?:不|拒|无)|一律(?:不|禁|拒|谢绝)|不准|不许|不得(?![不已])|不让|不予|不再(?!另?收|需|要求|限|受限)|不允许|不可以?(?![避少或缺抗能逆])|不能(?!不)|无法|没法|没办法|无从|不行(?!道)|不支持|不支援|不接受|不受理|不开放|不提供|不享|不适用|不在[^,。;]{0,14}(?:之列|范围|之内|以内|内|里|列|中)|[不未](?:予)?(?:列入|纳入|计入|涵盖|包含|包括|涉及)"
    r"|排除在外|剔除|除名|范围(?:之|以)?外|不属(?:于)?|不算|不含|不包|没戏|别想|甭想|白搭|免谈|没门|禁(?:止|带|用|火|烟|入|养|行|停)|严禁|违禁|取缔|全面禁|拒(?:绝|赔|保|收|载|退)|[请切]勿|仅限工作日"
    r"|\b(?:cannot|can't|can not|won't|will not|may not|must not|mustn't|not (?:be |been |yet |currently |normally )?(?:allowed|permitted|possible|available|supported|covered|included|eligible|accepted|admitted|insured|compatible|offered|entitled|valid)"
    r"|no longer|ineligible|left out|leaves? out|leave out|excludes?|excluded|exclusions?|out of (?:scope|bounds)|off[ -]limits|banned|bans?|barred|forbidden|prohibited|disallowed|refused?|turned away|do(?:es)? not (?:cover|include|extend|apply|count|allow|permit|support|qualify)|doesn't (?:cover|include|extend|apply|count|allow|permit|support|qualify)|don't (?:cover|include|allow|permit|support|accept|offer)|do not (?:accept|offer)|unsupported|unavailable|nope|out of the question|withdrawn|not (?:part of|something)|has no|have no|is no|are no|grounded|against (?:the |our |house )?(?:house |club |park )?(?:rules|policy))\b"
)
AFFIRMS = re.compile(
    r"友[善好]|可[入停放领退补换改延]|可以(?!说|看出)|允许|准许|准予|获准|放行|解禁|不设限|不限制|不设限制|不作限制|均可(?!能)|皆可(?!能)|亦可(?!能)|也可(?!能)|都可以|都能|均能|照样|照常|照旧可|没问题|欢迎|随时可|可(?:享|获|申请|办理|予|携带|随身|由|在|从|于|点|凭|用|带|进|免费|置换|更换|转|续|退|改)|予以(?!拒|取消|驳)|支持|纳入|列入|涵盖|包含在|计入|已含|囊括|含在|享有|享受(?!不)|仍可|能用|可用|通用|适用|即可|得(?=于|在|以|向|申请|携)"
    r"|\b(?:can|may|allowed|permitted|welcome|eligible|entitled|qualif(?:y|ies|ied)|free to|admitted|included|includes?|covered|covers|supported|supports?|available|possible|able to|accepted|good for|works?|happy (?:to|for)|let in|let into|okay|ok|fine|yes|no problem|goes too|join|(?:has|have) our blessing|natively|roll(?:s)? over|counts? as|keeps? [a-z]{2,12}ing)\b"
)
#: Verdicts of one class only.
CLASS_DENIES: dict[str, re.Pattern[str]] = {
    COVERAGE: re.compile(
        r"不(?:予|另|再)?(?:赔|保(?!证|管|留|存|护|持)|修|换|管(?!理|道)|负责|承担|免费|包)|恕不|自(?:费|理|付|负)|另计|另行(?:计|收|付|购)|另(?:收|付|购|算|买)|单独(?:计|收|购)|需(?:要)?(?:付费|自费|加钱)|须(?:付费|自费)|付费(?!用户|会员)|收费|按[^,。;]{1,6}收(?:费|取)|另算|不负[^,。;]{0,8}责任|自费项目|使用维护范畴|仅针对|自然(?:老化|损耗|磨损)|正常(?:损耗|磨损|耗损|老化)|易损件|耗材|人为损坏|视为(?:人为|正常|自然)|免责|失效|作废|不列|除外(?=责任)"
        r"|\b(?:outside|beyond|extra(?! (?:cost|charge))|separate(?:ly)?|optional|wear (?:part|item|and tear)s?|wear parts?|(?:treated|regarded|counted) as wear|stays? with the owner|at (?:your|the owner's|the customer's) (?:own )?(?:cost|expense)|chargeable|charged|billed|invoiced|add-on|add|voids?|voided|lapses?|not pay|pays? nothing|no cover)\b"
    ),
    OPENING: re.compile(
        r"休[馆园市业]|闭[馆园店市]|停业|停[止]?(?:营业|开放)|歇业|打烊|关[门店闭停]|不[再]?(?:开放|营业|开门|开馆)|结束营业|公休|休息|放假|倒闭|搬[走离]"
        r"|\b(?:closed?|closes|closing|shut|shuts|out of business|boarded up)\b"
    ),
    PERMISSION: re.compile(
        r"(?<!不)(?<!没有)违[法]|犯法|非法|\b(?:illegal|unlawful|against the law|an offence|punishable)\b|请关闭|请改|请留在|请(?:将|把)[^,。;]{1,10}(?:留在|寄存|取下)|止步|劝离|请离场|会被(?:请出|没收|劝离|拦下)|没收|带不进|进不[来去了]|收走|收缴|暂扣|代管|违(?:规|者|反)|须(?:寄存|托运)|静音|离场"
        r"|\b(?:stays? (?:outside|at home|off|out)|keep (?:out|off)|leave (?:it|them|\w{2,10}) (?:outside|at home|in the)|confiscated|silent from|quiet from|ends the (?:lease|tenancy|contract)|fined?)\b|\bno [a-z-]{2,20}(?: [a-z-]{2,20})?(?: please| beyond| inside| past)?"
    ),
    SUPPORT: re.compile(
        r"不(?:能)?识别|识别不[了到出]|认不(?:出|了)|不认|不兼容|未适配|尚未|暂未|暂不|暂无|还没|没有(?:这个|该|此)?(?:功能|驱动|接口|计划)|没做|搜不到|连不上|接不上|装不上|插不上|读不[了出]|跑不[了起]|用不了|打不开|仅有|仅支持|只支持|只认|独有|移除|下线|砍掉|放弃|停止支持|报错"
        r"|已?关闭|\b(?:disabled|turned off|switched off|greyed out|locked out|dropped|removed|retired|discontinued|deprecated|phased out|gone|lacks?|lacking|missing|incompatible|fails?|refuses|will not|only|no [a-z0-9-]{2,16} (?:driver|support|client|app|port)|without support|not (?:work|pair|run|fit|read|recogni[sz]ed?))\b"
    ),
    RECOVERY: re.compile(
        r"不(?:予)?(?:退|补|换|改|转|返|还(?![是有会要能])|恢复|找回)|退不|改不|转不|补不|找不回|回不来|救不回|无从|不可逆|不可撤|永久(?:清除|删除|丢失|销毁|失效)|彻底(?:清除|删除)|(?:仅限?|只限|限)(?:本人|购卡人|持卡人|原)|本人专用|实名使用|随即(?:销毁|清除)|作废|归零|清零|没收|一经[^,。;]{1,10}(?:不|无)|转[让借]?无效|概不"
        r"|\b(?:non-?refundable|non-?transferable|irreversible|irrevocable|permanent(?:ly)?|final|for good|personal to|fixed once|locked once|not (?:be )?(?:transferred|refunded|returned|restored|recovered|changed|reissued)|cannot|lost|forfeit(?:ed|s)?|lapses?|void|kept by|keep the|stays? with|no refunds?|no returns?|no undo|gone)\b"
    ),
}
CLASS_AFFIRMS: dict[str, re.Pattern[str]] = {
    OPENING: re.compile(
        r"照常|开放|营业(?!执照|部|厅|员|额|收入|时间)|开[门馆园店]|全年无休|无休|不打烊|不休|天天开|\b(?:open|opens|business as usual|seven days|every day|all year)\b"
    ),
    COVERAGE: re.compile(
        r"免费(?!版|用户|咨询|客服|电话)|包[换修退赔含了](?!起来)|包括(?![^,。;]{0,24}(?:等|情形|情况))|保[换修](?!单)|(?:可|予以?|给予|照|全额|均|都|也|能)赔(?:付|偿)?(?![率比金款时标案])|赔付(?![率比金款时标案])|(?:纳入|享有?|提供|获得)保障|承保|责任(?:之|以)?内|范围(?:之|以)?内|质保(?:予以|给)|(?:之|在)列|(?<![不包])含(?![义量糊混有税])|附(?:送|赠)|赠送|全包|照换|照赔|照修|给换|给修|予以更换|可(?:置换|更换|重做|换新)|换新"
        r"|\b(?:at no (?:extra )?(?:charge|cost)|free of charge|for free|free|no charge|without charge|come[s]? with|comes? under|under the (?:guarantee|warranty|plan|policy)|insured|taken care of|guaranteed|thrown in|part of (?:the|your|every)|on us|we (?:repair|replace|fix)|are repaired|are replaced|is replaced|is repaired|bundled|counts?|pays? for|pay out|for nothing|is mended|are mended|as part of)\b"
    ),
    PERMISSION: re.compile(
        r"不违[法规]|合法|不犯法|\b(?:perfectly |entirely |completely )?legal\b|同住|入住|入内(?!请)|携带|带入|随身|方便|不(?:拦|管|禁止|限)|自便|随意|放行|开放|任意|可"
        r"|\b(?:seven days|every day|day and night|round the clock|any time|too|opens? the door|can stand|let into|let in|join|yours to)\b"
    ),
    SUPPORT: re.compile(
        r"(?:可|能|均可|皆可|都可)?(?:识别|连接|配对|直接用|通用|适配|兼容|接入)|已适配|已支持|已(?:经)?(?:开放|接入|上线|打通|解锁)|适配|照样(?:走|用|跑)|即插即用|双频|无缝|新增|认得|都认"
        r"|\b(?:out of the box|pairs?|paired|unlocked|added|now|runs?|reads?|fits?|works?|enabled|plug and play|handles?|accepts?|plays?|native(?:ly)?|ships with)\b"
    ),
    RECOVERY: re.compile(
        r"可(?:恢复|找回|还原|撤|退|转|补|改|复原|办理|过户|继承)|找回|还原|复原|撤销注销|回收站|(?:全额|如数|照常|原路)(?:退|返)|退还|过户|转赠|补发|重新(?:激活|启用)|就回来"
        r"|\b(?:refunded|returned|restored|recovered|reinstated|transferred|handed? (?:on|over)|hand the|pass(?:es|ed)? (?:on|to)|swapped|from the bin|wind back|rewind|undone|brought back|given back|paid back|money back|in full|refundable|transferable|resold)\b"
    ),
}
#: Words that only name the class asked for: a page of it need not repeat them, and holding them alone is no topic.
CLASS_WORDS = word_set(
    "保修 质保 保固 三包 保障 包 保 赔 算 含 包含 包括 在内 管 给 认 支持 兼容 允许 换 修 报 让 能 用 可以 负责 免费 有没有 有没 没有 还给 弄 拿 带 装上 装 不 接 连 包修 包换 包管 赔付 理赔 给换 给修 行 成 三 坏 免 范围"
    " cover covers covered include included includes guarantee guaranteed warranty allowed permitted compatible supported support work works pay insured policy free let lets bring available possible get fix use run inside"
    " ok okay fine park 营业 开门 开馆 开放 开 开店 休息 放假 关门 open closed shut"
)

#: A duty that is lifted, or that never was.
UNNEEDED = re.compile(
    r"免(?![费责疫得不去于除职])[\u4e00-\u9fff]|不[^,。;]{1,8}(?:也|亦|都|照样)(?:可|能|行|没|无)|不作要求|不做要求|不强制|不强求|不硬性|非强制|非必[须要需填]|自愿|可选|可省|无妨|无所谓|豁免|随意|任选|可有可无|由他人代|可代办|不拘|自便|概不要求|不要求|不查|不看|取消了?[^,。;]{0,6}要求|(?:已|全面|全部|正式|一并)取消|停收|不看$|本不看"
    r"|\b(?:voluntary|exempt(?:ed|ion)?|waived|optional|discretionary|up to you|no obligation|not (?:compulsory|mandatory|obligatory|needed|essential)|don't bother|skip|walk[ -]ins?|discretion|will do|is enough|suffices|no [a-z]{2,14} (?:involved|needed|required|necessary)|nice to have|dropped|scrapped|abolished)\b"
)
NEEDED = re.compile(
    r"强制|必(?:须|填|备|需)|方可|方能|才可|才能|否则|缺一不可|只认|只接受|只能(?:使用|用)|硬性|违者|不得省略|缺[^,。;]{1,6}不|一律(?:须|要|应|凭)|凭[^,。;]{1,12}(?:入|进|办|领|取)"
    r"|\b(?:(?:is|are) to be|must|compulsory|mandatory|obligatory|only with|or else|otherwise|only (?:take|accept|admit)|turned away|a condition of|insists?|without exception)\b"
)
#: Two denials make a duty: 不装袋不得进站, without a booking you cannot enter, refused unless.
NO_WITHOUT = re.compile(
    r"(?:不|未|没有?|无)[^,。;不未没无]{1,10}(?:的|者)?,?(?:一律|概|将|则)?(?:不得|不能|不予|不可|不让|不许|不准|无法|禁止|谢绝|拒绝|拒收)"
    r"|\bno [a-z]{2,14} [a-z]{2,12} without\b|\bwithout [a-z' -]{2,40}?(?:,|\b(?:is|are|you|we|they|will|be)\b) ?[a-z ]{0,20}?\b(?:not|refused|turned away|denied|cannot|can't|rejected|no)\b|\b(?:refused|not [a-z]{3,12}|cannot [a-z ]{2,20}|can't [a-z ]{2,20}|nobody [a-z]{2,12}|no one [a-z]{2,12}) (?:unless|without)\b"
)
#: A cause that sets a case apart from the rule: 开胶系穿着不当所致的.
CASE_APART = re.compile(
    r"(?:系|属|因|由于|若|如|凡)[^,。;]{1,16}(?:所致|造成|引起|导致|不当)|(?:人为|擅自|私自|自行)[^,。;]{1,10}(?:的|者)(?:$|,)|\b(?:caused by|due to|resulting from|because of|if|when|where) (?:misuse|abuse|neglect|accident|improper|the customer)"
)

#: Weak affirmations: words of many other uses, which need a clause that speaks of the matter in full.
WEAK = re.compile(r"(?:可|也可|均可|即可|都能|能用|得|方便|可以|随身|新增|含在|runs?|reads?|fits?|works?|now|plays?|handles?|counts?|too|join|can|may|yes|ok|fine|okay|free|for free|add|free to|available)$")
#: A rule for the one is a denial for the other: (asked about, the restriction).
RIVALS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"第三方|杂牌|副厂|别家|其他品牌|兼容(?:墨|电|硒|耗|充)|非原[装厂]|third[ -]party|generic|off-brand|no-name|aftermarket"),
     re.compile(r"(?:只|仅|须|必须|请|限)[^,。;]{0,6}(?:原装|原厂|官方|自家|正品|专用)|只认[^,。;]{0,6}(?:原装|原厂|自家)|\b(?:only|must be|use) (?:\w{2,12} )?(?:genuine|original|own-brand|official|oem)\b|\b(?:genuine|original|own-brand|oem) [a-z]{3,14} only\b")),
    (re.compile(r"周[六日末]|双休|礼拜[六天日]|星期[六天日]|saturdays?|sundays?|weekends?"),
     re.compile(r"(?:仅|只)[限能在于]?[^,。;]{0,4}(?:工作日|平日|周一[至到]周五)|(?:周末|双休日?|周[六日])[^,。;]{0,6}(?:休|不|停|闭|除外)|\bweekdays? only\b|\b(?:only )?(?:on )?monday (?:to|through|till|-) friday only\b|\bclosed (?:at|on) (?:the )?(?:weekends?|saturdays?|sundays?)")),
    (re.compile(r"晚上|夜里|夜间|夜场|夜滑|\bnight|\bevening"),
     re.compile(r"(?:仅|只)[限能]?[^,。;]{0,4}(?:白天|日间|日场)|\bdaylight only\b|\b(?:day ?time|daytime|daylight) (?:hours )?only\b|\bfor daylight only\b")),
    (re.compile(r"安卓|android"), re.compile(r"(?:仅|只)[^,。;]{0,6}(?:ios|苹果|iphone)|\b(?:ios|iphone|apple) only\b|\bonly (?:on|for) (?:ios|iphones?)\b")),
    (re.compile(r"苹果|ios|iphone"), re.compile(r"(?:仅|只)[^,。;]{0,6}安卓|\bandroid only\b|\bonly (?:on|for) android\b")),
    (re.compile(r"网上|线上|手机上|app|online"), re.compile(r"(?:仅|只)[限能可]?[^,。;]{0,8}(?:柜台|窗口|现场|线下|门店)|\bin[ -](?:store|person|branch) only\b|\bonly (?:in|at) (?:the |a )?(?:store|branch|counter|desk)\b")),
)

#: A clause that ends so names a case, and is no verdict of its own: 机身无法寄回的,...
CASE_NAMED = re.compile(r"[\u4e00-\u9fff](?:的|者|时|后|前|情形|情况|期间|情况下|情形下)$")

#: What is granted alone.
ONLY = re.compile(r"只(?:许|准|能|可以?|限|接受|做|提供)(?!有)|仅(?:限|可|能|接受|提供)|\bonly (?:be|for|to|on|in|by|as)\b")

#: Deeds and what terms call them: (asked about, said). They count where the sentence is on the question's topic.
DEEDS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (re.compile(r"让给|转[让给赠借手]|过户|给(?:别人|朋友|同事|家人|老婆|老公|孩子|亲戚|他人)|\btransfer|pass(?:ed)? (?:it )?on|\bresell|\bsell on|give (?:it|my \w{2,12}) to"),
     re.compile(r"转[让赠借给手]|过户|让与|他人使用|本人使用|不记名|易主|\btransfer|personal to|\bhand(?:ed)? (?:it|the|on|over)|\bpass(?:es|ed)? (?:it )?(?:on|to)|chang\w{1,3} hands|named holder")),
    (re.compile(r"退(?!休|役|伍|出|烧)|[拿要]回来|refund|money back|get .{1,24} back"),
     re.compile(r"退[款票货还费钱换订课回掉改]|[不可能全]退(?!出|休)|返还|refund|money back|paid back|returned|forfeit")),
    (re.compile(r"恢复|[找弄救捞追拿补]得?回|还原|撤[回销]|\bundo|restor|recover|brought? .{0,16}back|undelete"),
     re.compile(r"恢复|找回|还原|复原|捞回|追回|拦截|撤[回销]|不可逆|[找救追]不回|永久[清删丢]|restor|recover|undone|pull(?:ed)? back|roll(?:ed)? back|for good|irrevers|\bis final\b|gone for")),
    (re.compile(r"改(?!善|进|革|装)|更正|\bchange|\bcorrect|\bamend|\bswap|\bmove (?:my|the|to)"), re.compile(r"更正|修改|改[签名期]|变更|不[予得能]改|\bswap|\bchang|\bamend|\bcorrect|\bmove to|fixed once")),
    (re.compile(r"延期|延长|顺延|续期|结转|\bextend|\brenew|carr(?:y|ied)"),
     re.compile(r"延期|顺延|延长|续期|展期|结转|\bextend|\brenew|roll(?:s|ed)? over|carr(?:y|ied) (?:over|forward)|\blapse")),
    (re.compile(r"换(?!个|成|句|言)|\breplace|\bexchange"), re.compile(r"[置更调退]换|换[新机发]|\breplac|\bexchang")),
    (re.compile(r"暂停|中途停|停卡|停用|办停|\bpause|\bfreeze my|\bsuspend"), re.compile(r"暂停|停用|停卡|中止|办停|\bpaus|\bfrozen|\bfreeze|\bsuspend")),
    (re.compile(r"吃东西|吃零食|饮食|喝东西|带吃的|\beat\b|food|snacks?"), re.compile(r"饮食|食品|进食|零食|吃|食物|\beat|food|snack")),
    (re.compile(r"狗|猫|宠物|\bdogs?\b|\bcats?\b|\bpets?\b"), re.compile(r"宠物|犬|狗|猫|毛小?孩|\bpets?\b|\bdogs?\b|\bcats?\b|\banimals?\b")),
    (re.compile(r"拍照|照相|摄影|录像|photo|\bfilm"), re.compile(r"拍照|拍摄|摄影|录像|闪光|三脚架|photo|\bfilm|tripod")),
    (re.compile(r"抽烟|吸烟|电子烟|\bsmok|\bvap"), re.compile(r"吸烟|抽烟|禁烟|烟草|控烟|\bsmok|\bvap")),
    (re.compile(r"代[取办领签]|替.{1,6}[取办领]|on behalf|someone else"), re.compile(r"代[取办领理签]|委托|他人|当事人领|本人(?:领|办|到)|on behalf|proxy|in person")),
)

#: What is refused or granted here is what follows: 真正找不回来的是彻底删除.
CLEFT = re.compile(r"[^,。;]{2,20}的(?:才|只|就)?是(?!否|不是|吗)")

#: Everyday names and what terms call the same, or the kind of thing it belongs to: a rule for pets is one for cats.
_THINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("猫 猫咪 狗 狗狗 犬 小狗 仓鼠 兔子 泰迪 金毛 柯基 柴犬", ("宠物", "犬", "猫", "小动物", "动物")),
    ("吹风机 电饭锅 热得快 电热毯 电水壶 电炉 卷发棒 电磁炉 电锅", ("大功率", "电器", "电热")),
    ("海里 海 河里 水里 湖里", ("坠海", "落水", "入水", "进水", "坠水")),
    ("丢 丢了 没了 捞 找不到 捡不回", ("丢失", "飞失", "遗失", "灭失", "无法寄回", "找不回")),
    ("车 电动车 电瓶车 电单车", ("车辆", "非机动车", "电动自行车")),
    ("啤酒 白酒 红酒 酒", ("酒水", "酒类", "饮料", "含酒精")),
    ("螃蟹 活鱼 活虾 海鲜 大闸蟹", ("水产", "活体", "生鲜")),
    ("老婆 老公 爱人 太太 媳妇 丈夫", ("配偶", "家属", "他人", "直系", "亲属")),
    ("朋友 别人 同事 同学 亲戚 室友", ("他人", "第三人", "亲友", "别人", "转借", "转赠")),
    ("小孩 孩子 娃 宝宝 儿子 女儿", ("儿童", "未成年", "婴幼儿", "小朋友")),
    ("火 升火 生火 烤火 明火", ("火源", "禁火", "明火", "营火", "篝火", "焚火")),
    ("照片 拍照 照相 自拍", ("摄影", "拍摄", "影像")),
    ("杂牌 第三方 副厂 兼容 别家 其他品牌", ("第三方", "非原装", "兼容", "别家", "其他品牌", "杂牌")),
    ("宿舍 寝室", ("寝室", "宿舍", "公寓", "屋里", "房间内")),
    ("无人机 航拍机", ("飞行器", "无人机", "航拍机", "机身")),
    ("恢复 还原 找回 回来 复原 救回 弄回来 拿回来 补回来 撤回 撤销 救回来", ("恢复", "还原", "找回", "复原", "撤销", "退还", "返还", "补发", "回收站", "不可逆", "拿回", "救回", "永久", "不退", "彻底")),
    ("转让 转给 过户 转 转赠 转借 转手", ("转让", "过户", "转给", "转借", "转赠", "转手", "他人使用", "本人使用", "本人专用", "易主")),
    ("退 退款 退票 退货 退掉 退钱", ("退款", "退票", "退货", "退换", "退还", "不退", "可退", "退回", "退费")),
    ("补 补办 补发", ("补办", "补发", "补领", "补录")),
    ("back", ("refund", "return", "restor", "back", "forfeit", "kept", "keep")),
    ("transferable transferred transfer", ("transfer", "hand", "pass on", "passes", "personal to", "resold", "change hands", "sold on")),
    ("refundable refund refunded", ("refund", "money back", "paid back", "returned")),
    ("deleted delete removed archived", ("delet", "remov", "archiv", "bin", "trash")),
    ("周六 周日 周末 双休日 礼拜六 礼拜天 星期六 星期天", ("周末", "双休", "周六", "周日", "节假日", "每天", "全周", "七天")),
    ("空腹", ("空腹", "禁食", "进食", "早餐", "吃早饭")),
    ("海里 掉海 落水", ("坠海", "落水", "入水")),
    ("dog dogs puppy cat cats kitten", ("pets", "pet", "animals", "dog", "cat")),
    ("kid kids child children toddler baby", ("child", "kid", "minors", "under 1")),
    ("genny generator", ("generator", "engine")),
    ("wine beer booze", ("alcohol", "drinks", "bottle")),
    ("saturday saturdays sunday sundays weekend weekends", ("saturday", "sunday", "weekend", "seven days")),
    ("bike bicycle ebike", ("bicycle", "bike", "cycle")),
    ("telly tv", ("television", "tv")),
    ("fridge", ("refrigerator",)),
    ("phone mobile", ("handset", "device", "phone")),
    ("band strap straps", ("strap", "band")),
    ("photo photos pics pictures", ("photograph", "picture", "photo")),
)
THINGS: dict[str, tuple[str, ...]] = {word: names for words, names in _THINGS for word in words.split()}
#: Before the thing in a Chinese predicate of one word: 带猫, 用水. The thing tells more.
LIGHT_VERBS = "带用进开装连接刷吃喝养打拿放坐拆骑穿停抽"
