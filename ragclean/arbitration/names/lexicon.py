# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Words that tell what sort of name a question asks for, what relates it to its answer, and which words are no names."""

from __future__ import annotations

from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


@dataclass(frozen=True, slots=True)
class Relation:
    """One way in which a name answers: what in the question shows it, and between what in a text the name stands."""

    asked: str
    """Pattern over the folded question."""
    before: str
    """Pattern of words that the name stands before (X directed, X 执导)."""
    after: str
    """Pattern of words that the name stands behind (directed by X, 导演 X)."""
    loose: bool = False
    """Used only where no other relation is asked about."""


RELATIONS: tuple[Relation, ...] = (
    Relation(
        r"导演|执导|direct(?:ed|or|s)?\b",
        r"(?:总|联合)?(?:执导|导演|拍摄|自导)|\bdirect(?:s|ed)\b|\breturn(?:s|ed) as director\b|'s (?:adaptation|film)",
        r"导演|执导|\bdirect(?:ed by|or)\b|\bfilm by\b",
    ),
    Relation(
        r"编剧|作者|谁写|写的|创作|著|撰|author|wrote|writt?en|writer|writes|screenplay|novelist",
        r"编剧|撰写|创作|所写|写的|所著|著|笔下|\bwr(?:ote|ites)\b|\bpenned\b|'s (?:novel|book|play|poem|series)",
        r"编剧|作者|作家|作者是|\b(?:written|screenplay|penned|novel|book|poem|authored|series|books) by\b|\bauthor\b|\bwriter\b|\bnovelist\b",
    ),
    Relation(
        r"冠军|夺冠|获胜|得主|赢|获得者|获奖|获得|夺得|最佳|奖|mvp|w[oi]n|winners?\b|champion|award|receiv|prize|title|victor|beat|\bwas named\b|\bnamed the\b",
        r"夺得|夺冠|获得|荣获|赢得|获封|摘得|捧[起杯得]|卫冕|力克|击败|战胜|问鼎|加冕|折桂|登顶|当选|斩获|拿下|成为|获颁|称雄|荣膺|蝉联"
        r"|\bw[oi]n(?:s|ning)?\b|\bdefeat(?:ed|s|ing)?\b|\bbeat(?:s|ing|en)?\b|\btook (?:home|the)\b|\bclaim(?:s|ed)\b|\breceive[sd]?\b|\bearn(?:s|ed)\b"
        r"|\b(?:is|was|were|been|as) (?:the )?(?:awarded|named|crowned|voted|selected|champions?|winners?|recipient)\b|\bvictory\b|\bcaptur(?:ed|es)\b|\bhas won\b",
        r"冠军(?:得主)?(?:是|为|:)?|得主(?:是|为|:)?|获奖者(?:是|为|:)?|颁给了?|授予了?|花落|归属|不敌|负于"
        r"|\bwinners?\b|\bchampions?\b|\bawarded to\b|\bwent to\b|\bgoes to\b|\bwon by\b|\bpresented to\b|\blost to\b|\bdefeated by\b|\bbeaten by\b|\bvictory for\b",
    ),
    Relation(
        r"举办|主办|承办|举行|东道|召开|在哪里?办|host|held|take place|took place|location|venue|where (?:was|is|were|will)",
        r"举[办行]|主办|承办|申办|当选|获得|\bhost(?:s|ed|ing)?\b|\bto host\b",
        r"(?<!现)在|于|主办国|东道主|主办地|举办地|举办国|主办城市|\bheld (?:in|at)\b|\bin\b|\bat\b|\btook place (?:in|at)\b|\bhosted by\b|\btakes? place (?:in|at)\b|\bhost (?:city|country|nation)\b",
    ),
    Relation(
        r"首都|首府|省会|capital",
        r"首都|首府|省会|\bcapital\b",
        r"首都|首府|省会|定都|迁都|\bcapital\b",
    ),
    Relation(
        r"位于|坐落|在哪|地处|总部|哪里|哪个(?:国家|城市|省|市|地方|州|县)|locat|situated|where|headquarter|based|which (?:city|country|state)|what (?:city|country|state)",
        r"(?:境内|市区|以南|以北|以东|以西)|\bbased\b|\bheadquartered\b|的",
        r"位于|坐落于?|地处|在|总部(?:设在|位于)?|处于|属于?|隶属|\b(?:located|situated|based|headquartered|lies|is|city|town|village|municipality|county|found) (?:in|at|on|near)\b|\bin\b|\bheadquarters in\b",
        loose=True,
    ),
    Relation(
        r"出生|生于|祖籍|籍贯|老家|国籍|哪国人|born|birthplace|nationality|citizenship",
        r"人|籍",
        r"出生[于在]?|生于|籍贯|祖籍|国籍|\bborn\b.{0,30}?\b(?:in|at|near)\b|\bbirthplace\b|\bnative of\b",
    ),
    Relation(
        r"饰演|扮演|主演|主角|出演|配音|演的|演员|女主|男主|谁演|play|star|portray|voice|actor|actress|role|cast",
        r"饰演?|扮演|主演|出演|领衔|配音|\bplay(?:s|ed|ing)?\b|\bstars?\b|\bstarred\b|\bportray(?:s|ed|ing)?\b|\bvoic(?:es|ed)\b|\bas\b|\breprises?\b",
        r"主演|演员|主角|饰演者|扮演者|\b(?:played|portrayed|voiced|performed) by\b|\bstar(?:s|ring|red)?\b|\bactors?\b|\bactress(?:es)?\b|\bwith\b",
    ),
    Relation(
        r"创始人|创办|创立|创建|成立|建立|发起|founder|founded|establish|created|creator|co-founder",
        r"创[办立建]|成立|建立|发起|\b(?:co-?)?found(?:ed|s)\b|\bestablished\b|\bcreated\b|\bstarted\b",
        r"创始人|创办人|创立者|\b(?:founded|established|created|started) by\b|\bfounders?\b|\bcreators?\b",
    ),
    Relation(
        r"总统|总理|首相|主席|总裁|首席|董事长|校长|院长|市长|省长|州长|部长|主帅|教练|队长|负责人|ceo|president|minister|mayor|governor|coach|manager|captain|chair|head of|leader|king|queen|chief|chancellor|secretary|principal",
        r"(?:担任|出任|当选|就任|接任|宣誓)|\b(?:is|was|became|as|elected|serves as|served as|appointed|sworn in)\b|,",
        r"总统|总理|首相|主席国?|总裁|首席执行官|董事长|校长|院长|市长|省长|州长|部长|主帅|主教练|教练|队长|ceo|\bpresident(?:-elect)?\b|\bprime minister\b|\bmayor\b|\bgovernor\b|\bcoach\b|\bmanager\b|\bcaptain\b|\bchief executive(?: officer)?\b|\bchancellor\b|\bsecretary\b",
    ),
    Relation(
        r"妻子|丈夫|老婆|老公|结婚|配偶|女友|男友|嫁|娶|wife|husband|married|spouse|girlfriend|boyfriend",
        r"的(?:妻子|丈夫|老婆|老公)|结婚|完婚|\bmarr(?:ied|ies)\b|'s (?:wife|husband)",
        r"妻子|丈夫|老婆|老公|嫁给|迎娶|与|和|\bwife\b|\bhusband\b|\bmarried(?: to)?\b|\bspouse\b",
    ),
    Relation(
        r"演唱|歌手|谁唱|唱的|原唱|sing|sang|sung|singer|artist|perform|headlin|band\b",
        r"演唱|献唱|唱|\bs[aiu]ng(?:s|ing)?\b|\bperform(?:s|ed|ing)?\b|\bheadlin(?:es|ed|ing)\b|\brelease[sd]\b|'s (?:song|album|single)",
        r"歌手|演唱者|原唱|\b(?:sung|performed|recorded|headlined) by\b|\bsinger\b|\bsong by\b|\bperformances? (?:by|from)\b|\bartist\b",
    ),
    Relation(
        r"研发|开发|制造|生产|发明|设计|出品|发行|发布|发现|提出|develop|made by|manufactur|invent|design|produc|publish|discover|compos|create|label",
        r"研[发制]|开发|制造|生产|发明|设计|出品|发行|发布|发现|提出|\bdevelop(?:s|ed)\b|\binvent(?:s|ed)\b|\bdesign(?:s|ed)\b|\bproduc(?:es|ed)\b|\bmanufactures?d?\b|\bpublish(?:es|ed)\b|\bdiscovered\b|\bcomposed\b|'s",
        r"开发商|制造商|出品方|发行商|设计者|设计师|发明者|开发者|\b(?:developed|invented|designed|produced|manufactured|published|discovered|made|composed|created|released) by\b|\bdevelopers?\b|\bpublishers?\b|\bcomposers?\b|\bproducers?\b",
    ),
    Relation(
        r"改名|更名|新名|原名|全称|叫什么|名字|名称|又称|别名|rename|new name|called|name of|known as",
        r"(?:这一|的)?新?名[字称]",
        r"改名为?|更名为?|名称?改为|改[为成]|名[字称](?:是|为|:)?|命名为|全称|原名|又[称名]|别名|叫做?|\b(?:called|named|renamed(?: as)?|known as|name(?:d)? to|name,?|name is)\b",
    ),
    Relation(
        r"收购|并购|买下|acquir|bought|buy|purchase",
        r"收购|并购|买下|\bacquir(?:es|ed)\b|\bbought\b|\bbuys\b",
        r"被|\b(?:acquired|bought|purchased) by\b|\bsold to\b",
    ),
    Relation(
        r"毕业|就读|哪所(?:大学|学校)|哪个大学|graduat|alma mater|attend|studied|educated",
        r"毕业|就读|校友",
        r"毕业于|就读于?|考入|入读|\bgraduated from\b|\battended\b|\bstudied at\b|\balma mater\b|\bdegree (?:from|at)\b",
    ),
    Relation(
        r"效力|加盟|转会|哪支球队|哪个球队|俱乐部|球队|sign(?:ed)? (?:for|with)|play(?:s|ed)? for|which team|what team|draft",
        r"签下|宣布|\bsign(?:s|ed)\b|\bdraft(?:s|ed)\b|\bselect(?:s|ed)\b",
        r"加盟|效力(?:于)?|转会(?:至|到)?|加入|\bplay(?:s|ed) for\b|\bsigned (?:for|with)\b|\bjoined\b|\bdrafted by\b|\bmoved to\b|\btraded to\b",
    ),
)  # fmt: skip

#: Nouns of identifiers: the answer is a command, an address, a path, a name made of letters and signs.
IDENTIFIER = (
    r"命令|指令|ip ?地址|网址|域名|路径|目录|文件夹|文件名|配置文件|端点|接口地址|寄存器|环境变量|参数名|字段名|变量|型号|账号|用户名|密码"
    r"|\b(?:command|ip address|host ?name|domain|url|path|directory|folder|file ?name|config(?:uration)? file|endpoint|register"
    r"|environment variable|env var|flag|option|parameter|model number|part number|user ?name|password|branch|package)\b"
)

COUNTRIES_ZH = _words(
    "中华人民共和国 美利坚合众国 中国 美国 英国 法国 德国 日本 韩国 朝鲜 俄罗斯 苏联 印度 巴西 阿根廷 意大利 西班牙 葡萄牙 荷兰 比利时 瑞士 瑞典 挪威 丹麦 芬兰 冰岛 波兰 捷克 奥地利 匈牙利 希腊 土耳其 "
    "乌克兰 罗马尼亚 保加利亚 塞尔维亚 克罗地亚 加拿大 墨西哥 澳大利亚 新西兰 南非 埃及 尼日利亚 肯尼亚 摩洛哥 突尼斯 阿尔及利亚 沙特阿拉伯 沙特 卡塔尔 阿联酋 伊朗 伊拉克 以色列 "
    "叙利亚 约旦 科威特 巴基斯坦 孟加拉国 斯里兰卡 尼泊尔 泰国 越南 老挝 柬埔寨 缅甸 马来西亚 新加坡 印度尼西亚 印尼 菲律宾 蒙古 哈萨克斯坦 乌兹别克斯坦 智利 秘鲁 哥伦比亚 委内瑞拉 "
    "乌拉圭 巴拉圭 厄瓜多尔 古巴 爱尔兰 苏格兰 英格兰 威尔士 埃塞俄比亚 加纳 喀麦隆 塞内加尔 坦桑尼亚 赞比亚 津巴布韦 安哥拉 莫桑比克 利比亚 苏丹 白俄罗斯 立陶宛 拉脱维亚 爱沙尼亚 斯洛伐克 斯洛文尼亚"
)
COUNTRIES_EN = _phrases(
    "china|united states|usa|us|u.s.|america|united kingdom|uk|britain|great britain|england|scotland|wales|ireland|france|germany|japan|south korea|north korea|korea|russia|soviet union|india|brazil|argentina|italy|spain|portugal|netherlands|belgium|switzerland|sweden|norway|denmark|finland|iceland|poland|czech republic|austria|hungary|greece|turkey|ukraine|romania|bulgaria|serbia|croatia|canada|mexico|australia|new zealand|south africa|egypt|nigeria|kenya|morocco|tunisia|algeria|saudi arabia|qatar|united arab emirates|iran|iraq|israel|syria|jordan|kuwait|pakistan|bangladesh|sri lanka|nepal|thailand|vietnam|laos|cambodia|myanmar|malaysia|singapore|indonesia|philippines|mongolia|kazakhstan|chile|peru|colombia|venezuela|uruguay|paraguay|ecuador|cuba|ethiopia|ghana|cameroon|senegal|tanzania|zambia|zimbabwe|angola|libya|sudan|belarus|lithuania|latvia|estonia|slovakia|slovenia"
)
#: States and provinces that stand behind a town.
STATES = _phrases(
    "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|d.c.|ontario|quebec|british columbia|alberta|new south wales|queensland|victoria"
)
#: Nationalities and tongues: with a capital, but no names of persons or things.
ADJECTIVES = _words(
    "american british english french german japanese chinese korean russian soviet indian brazilian argentine argentinian italian spanish portuguese dutch belgian swiss swedish norwegian danish finnish polish "
    "czech austrian hungarian greek turkish ukrainian canadian mexican australian african egyptian nigerian european asian western eastern northern southern irish scottish welsh israeli iranian arab muslim christian "
    "catholic jewish colombian olympic olympics internet republican democrat democratic republicans democrats"
)
#: Words that stand in names of events, offices, works and firms: a run with one of them names no person.
NO_PERSON = _words(
    "open cup league championship championships stadium award awards prize prizes festival university college school institute film films movie series season game games tour grand prix academy times news press street "
    "park city county river company inc corp corporation entertainment pictures studios studio network channel trophy bowl finals final final's world national international association federation conference committee "
    "council department ministry government party church museum hospital library center centre theatre theater island islands mountain lake sea bay hotel airport station bridge house hall building tower road avenue "
    "club team united fc afc nfl nba mlb nhl ufc fifa uefa oscar oscars emmy emmys grammy grammys golden globe globes wimbledon best picture actor actress director album song single record records music band group "
    "magazine journal review post guardian bbc cnn espn imdb wikipedia youtube twitter facebook instagram netflix disney hbo amazon google apple microsoft tesla openai nobel act bill war battle day week month year "
    "north south east west summer winter spring autumn president prime minister mr mrs ms dr sir lord lady king queen prince princess chief executive officer chairman ceo the of part episode volume chapter version "
    "photo image getty video watch read more share subscribe click here all rights reserved privacy policy terms contact about home cast crew biography early life career references external links contents see also"
)
#: Words that begin an English sentence and no name.
NO_HEAD = _words(
    "the a an in on at by for from to with of and but or as if when while after before since until because although though despite during he she it they we you i his her its their our my this that these those "
    "there here what who whom whose which where why how is are was were do does did has have had can could will would shall should may might must not no yes both each all some many most more other another such "
    "one two three four five six seven eight nine ten first second third new old former current however also then now today yesterday later earlier january february march april may june july august september october "
    "november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday directed written produced starring based according note see updated published posted by"
)
#: Characters that follow a name and are no part of it: 吴京说, 金晨饰.
NO_GIVEN = frozenset("的了在是和与及或说称曾将已获夺为以从被对也都又就更还再才刚并而但则因由让使把给跟同到去来执导演饰扮任出当担战胜击败赢拿摘捧领率带主编写著创作唱等们者之其此该这那个位名人岁于至向自先后前时年月日第一二三四五六七八九十两共首有无不未没能会可要应须")

SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许邓韩冯曹彭曾萧肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔"
    "温詹施文牛樊葛邢安齐庄申欧翟聂管倪殷岳骆章柳关鲁柏俞辛柴岑骞冼华纪项祝盛霍裴"
)
TRANSLITERATION = frozenset(
    "拜甘妮娅莎琳薇茜芙芭诗蕾朵仁慕黑浦利诺塞赛阿埃艾爱安奥巴班邦保鲍贝本比彼毕宾波伯博布查茨达戴丹德登邓迪蒂丁东杜多恩尔法凡范菲费芬丰冯佛夫弗福盖冈高戈哥格葛古哈海汉豪赫亨华怀惠霍基吉加贾简杰金卡凯坎康考柯科克肯库夸拉莱赖兰朗劳勒雷黎里莉丽利莲林龙隆卢鲁伦罗洛"
    "吕马玛迈麦曼梅门蒙米明缪摩莫默姆穆纳娜南内尼尼涅纽努诺欧帕派潘庞佩彭皮珀蒲普奇齐恰强乔切琼丘日荣瑞若萨塞桑瑟森沙山尚舍申圣施史士什思斯司丝苏索塔泰坦汤唐特腾提廷图托陀瓦万旺威韦维魏文沃乌吴伍武西希锡席夏香肖谢辛休许雪逊雅亚延扬耶叶伊依因英尤约泽扎詹张哲珍芝朱兹卓佐"
)
#: Before a name that is another's: a predecessor, the one who lost.
BESIDE = (
    r"(?:前任|(?<![\u4e00-\u9fff])[前原]|时任|现任者|上届(?:冠军)?|卫冕冠军|提名|祝贺|替代|会见|致电|击败|战胜|力克|力挫|险胜|完胜|横扫|淘汰|逆转|取代|接替|继任|不及|超过|翻拍自|记者|编辑|作者:|通讯员|来源)[^,。;、]{0,8}?$"
    r"|\b(?:former|ex-|outgoing|previous|predecessor|incumbent|defending champions?|runner-up|defeat(?:ed|ing|s)|beat(?:ing|s|en)?|over|against|"
    r"replac(?:ed|ing|es)|succeed(?:ed|ing|s)|succeeding|unlike|besides?|loser|by author|reporter|photo by|ahead of|than)[ ,]{1,2}[^,.;]{0,24}?$"
)
#: Who reports, and what is no answer to where: news offices, continents.
NO_ANSWER = _words(
    "新华社 中新社 中新网 央视 央视网 人民日报 人民网 新浪 搜狐 网易 腾讯 凤凰网 澎湃新闻 百度 知乎 豆瓣 微博 抖音 快手 维基百科 国家队 代表队 足协 国际足联 奥组委 组委会 足球协会 "
    "城市 首都 省会 地区 国家 全国 中央 球场 赛场 会场 现场 城区 市区 亚洲 欧洲 非洲 美洲 南美洲 北美洲 大洋洲 南美 北美 东亚 东南亚 西欧 东欧 北欧 中东 世界 国际 两国 各国 东北 西北 华北 华东 "
    "reuters bbc cnn espn wikipedia getty imdb forbes bloomberg youtube twitter facebook instagram europe asia africa"
)
#: Offices and trades that stand before a name with a capital, and verbs of headlines: a run of capitals ends there.
ROLES = _words(
    "director directors producer producers writer screenwriter author actor actress star stars ceo cfo founder co-founder chairman president minister prime mayor governor coach manager captain quarterback "
    "guard forward striker goalkeeper player singer rapper musician artist novelist poet senator judge professor doctor king queen prince princess wins won beats beat takes took named gets says plays joins "
    "spouse released language genre label length statements starring cast music country duration runtime studio published genres occupation nationality born died children parents website categories "
    "executive officer chief teacher photographer journalist reporter editor composer comedian filmmaker midfielder defender driver cyclist champion champions winner winners crowned defeats retains receives"
)
#: Offices that are one by another name; where one is asked for, the others answer nothing.
OFFICES = tuple(_words(group) for group in (
    "总统 president", "总理 首相 prime_minister premier", "主席 主席国 chairman chair chairwoman", "总裁 首席执行官 ceo chief_executive_officer chief_executive",
    "董事长", "校长 院长 principal chancellor dean", "市长 mayor", "省长 州长 governor", "部长 secretary minister", "主帅 教练 主教练 coach head_coach manager",
    "队长 captain", "国王 king", "女王 queen", "议长 speaker",
))
DENIED = r"没有?|未[能曾获]|并非|不是|无缘|错失|落选|落败|输给|退赛|弃权|\b(?:not|never|failed|fails|without|missed|denied|lost|loses)\b|n't\b"
