# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Names in questions: what the cutter broke or glued is mended, and what looks like a name but is none is told apart.

The cutter's dictionary is some years old and knows few organisations, so that in a question 禾川 falls into two
characters, 里取 becomes a word, and 网购 looks like a name. Everything here works on the tokens of one question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ragclean.text import question_words as qw
from ragclean.text.dictionary import tokenizer
from ragclean.text.tokens import Token, informativeness, is_stopword

#: Everyday words that the cutter's dictionary does not hold. Pieces of them are put together; none is a name.
EVERYDAY = qw.word_set(
    "会话 回寄 返寄 寄回 工本费 网购 网约车 扫码 充电宝 快递柜 共享单车 重疾险 年金险 胎压 保号 停机保号 免赔额 保换期 过保 寄修 终稿 主播 学区房 公租房 保租房 缓考 绩点 保研 电子发票 专票 普票 "
    "顺风车 代驾 充电桩 换电 首保 行车记录仪 空气炸锅 破壁机 蓝屏 闪退 卡顿 提额 降额 起付线 封顶线 定损 车损 人伤 三者险 交强险 商业险 晚到 早到 合约机 "
    "携号转网 副卡 亲情号 燃气费 车贷 网贷 消费贷 组合贷 月供 年化 到账 补卡 满减 返现 包邮 运费险 仅退款 拼团 取号 行李额 年假 陪产假 夜班费 餐补 房补 竞业 失业金 "
    "生育津贴 落地签 港澳通行证 续飞 飞控 单次 胎温 烘豆机 电纸书 冷运 自提 自提点 丢件 医疗险 意外险 四强 八强 十六强 年销量 车顶箱 咖啡机 跑步机 洗烘一体机 家用版 "
    "尾款 高反 降噪 快充 慢充 直充 闪充 刷机 越狱 掉线 断连 丢包 白名单 黑名单 并发 限流 回滚 灰度 热更新 埋点 网盘 云盘 副本数 单点登录 双因素 人脸识别 实名认证 "
    "加班餐 调休 年终奖 绩效 五险 公积金贷 体检卡 早鸟票 通票 联票 学生票 老年卡 残疾证 免签 延签 拒签 返签 退改 延误险 航延险 转机 托运费 超重费 选座 值机 登机口 "
    "手环 平板 电磁炉 扫拖 集尘 水箱 滤网 滤芯 锅糊 跳闸 漏电 漏液 鼓包 掉漆 异响 花屏 漏光 坏点 断触 死机 充不进电 电量 待机 续航 车机 犹豫期 农商行 农信社 慢速 限号 限行"
)
#: Abbreviations everyone uses: they name a technique, a document, an office or a measure, not the thing asked about.
COMMON_ABBREVIATIONS = qw.word_set(
    "mri ct ecg ekg eeg iv gp er icu bmi bp hr hiv dna rna pcr std adhd covid pin vat gst tax iban swift bic apr apy atm pos id ids ssn ein tin "
    "cv pto hr hq faq eta eod asap am pm utc gmt est pst cet ok tv dvd cd pc pcs laptop usb hdmi vga dc ac led lcd oled ssd hdd ram rom cpu gpu "
    "nfc sim esim gps wifi wi-fi lan wan vpn dns ip ipv4 ipv6 tcp udp http https ssh ssl tls ftp smtp imap api apis sdk sdks cli gui ui ux url urls uri "
    "html css sql json xml csv pdf yaml toml jwt oauth oauth2 sso mfa 2fa otp saml ldap acl rbac ca mqtt amqp grpc rest sms mms qr app apps ai ml llm "
    "iot os erp crm kpi roi gdp cpi ppi ceo cfo cto coo vp pr it uk us usa eu uae un nz suv ev phev hev obd abs ecu etc mot hp rpm psi mpg kwh "
    "dslr uv spf hepa bpa fda iso ce rohs ip67 ip68 nda llc ltd inc plc corp gdpr hipaa phd msc bsc mba ba ma gpa gre gmat sat toefl ielts cet "
    "kyc aml etf ipo ira 401k npv dob po rma sku upc isbn dpi fps hz ph rh pvc abs diy rsvp nb ps mini vip svip pro max plus id卡"
)
CALENDAR = qw.word_set(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec "
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays christmas easter xmas"
)
#: Persons at the head of a sentence: capitalised there, rare in a frequency list, never the thing asked about.
PERSONS = qw.word_set(
    "mum mum's mom mom's dad dad's grandma grandad granny hubby my our his her their hi hello hey dear thanks kid kids flatmate flatmates roommate "
    "landlord neighbour neighbours colleague tenant housemate mate"
)

#: Characters that stick to no word unknown to the dictionary, at its front or at its end.
_LEAD = "比我你您他她它咱这那在想要能最多没完因把被和与的了会可再还才就也都很更已用从向给让为以及由对刚跟帮每只是有不到去来哪几该应须着过某做买换寄等按当出"
#: Characters at the front only behind these: 那台加了, 公积金里取 (but 台积电, 里昂).
_NOUN_TAILS = "金卡账户费款期同包箱房间店家校车机库表单票券包层区楼桌"
_BEFORE_MEASURE = {"台": "这那哪每一两几半某该此", "个": "这那哪每一两几半某该此上下接", "里": _NOUN_TAILS, "内": _NOUN_TAILS, "下": "问查看说讲找"}
#: ... of which these say something by themselves.
_VERBS = "做买换寄用"
_TAIL = "在想要能最多没完因把被和与的了会可再还才就也都很更已用从向给让为以及由对个着过里是有吗呢跟我你您他她它"
#: Ordinary one-character words: two of them side by side are two words, not half-known name.
_PLAIN = frozenset(
    "买换用装修开配插带拿放寄退租订借选卖送拆刷充连接跑打做洗查改升降存取交付收发报办补丢坏弄留抢约看听读写说走坐站住睡吃喝穿戴剪切煮炒炖烤泡晒擦贴挂拉推提抬扔捡找问答教学考"
    "赔罚扣贷还欠省赚花批审签盖填印传删搬停转调关锁拧按摸推拔拨敲绑扎漏掉断裂碎脏旧新好快慢早晚长短高低大小多少贵便宜冷热干湿重轻厚薄软硬红黄蓝绿白黑灰紫胖瘦真假全半满空净"
    "车卡门灯机房水电人家天月年日周钱货票单件箱包袋盒瓶锅碗杯壶桶床桌椅柜墙窗地路桥楼层店铺厂校班课书笔纸表字图片歌剧药病伤血牙眼手脚头脸腿腰背皮毛肉鱼蛋奶茶酒烟糖盐油米面菜"
    "娃猫狗鸟马牛羊猪鸡花草树叶根土石沙火风雨雪云山河湖海岛船飞球棋牌枪刀线绳管胎轮桩网线号码费税险证章版级线双单次回遍趟里外上下前后左右内中间边旁东西南北春夏秋冬男女老少爸妈哥姐弟妹儿孙妻夫"
)
#: What ends an organisation's, place's or maker's name, or follows a product's: a stretch before it is a name.
AFTER_NAME = re.compile(
    r"(?:科技|集团|公司|平台|商城|银行|保险|人寿|财险|证券|基金|支付|云|网关|手机|电脑|平板|手表|手环|耳机|音箱|电视|投影仪|相机|无人机|机器人|路由器|净水器|净化器|空调|冰箱|洗衣机|"
    r"电饭煲|打印机|汽车|电动|软件|系统|接口|开放|笔记|网盘|云盘|文档|表格|数据库|消息队列|存储|对象存储|服务器|控制器|记录仪|手写板|电纸书|咖啡机|跑步机|血压计|"
    r"工程|大学|学院|理工|中学|小学|医院|酒店|民宿|航空|机场|车站|地铁|公交|高铁|物流|快递|速运|冷运|快运|外卖|超市|影城|影院|健身|物业|小区|花园|公寓|书院|图书馆|博物馆|体育馆|"
    r"消费贷|信用卡|医疗险|重疾险|精工|重工|制药|医药|生物|电子|电器|智能|新能源|能源|电力|燃气|水务|地产|置业|传媒|教育|培训|农商|市|区|县|镇|省|州|港|湾|机|仪|器|版|卡|险|贷)"
)
#: A name may stand after these: 在禾川, 我们轻垣.
_BEFORE_NAME = frozenset("在从到去给跟找对于由向和与及的家用买是住订坐装您我们你他")
_LONGEST = 4
_TAIL_MEASURE = re.compile(r"[一两二三几半每][一-鿿]$")
#: An unknown word that ends so is a common noun that the dictionary lacks (重疾险, 保换期), not a name.
_COMMON_TAILS = frozenset("险期费率证券单款金税号稿票价额量压温速度性类式型法源豆叶器机仪")


#: Words that say what a product is for, or what the code after them is.
GENERIC_MODIFIERS = qw.word_set(
    "宠物 儿童 医疗 商业 智能 无线 蓝牙 扫地 洗地 游戏 学生 老年 老人 家用 车载 户外 运动 便携 商用 工业 农业 汽车 空气 净水 手持 台式 移动 社保 商务 旅行 旅游 航空 "
    "返回 状态 状态码 报错 错误 故障 型号 代码 编号 接口 端口 版本 错误码 故障码 系列 提示 显示 报警 引脚 串口 房间 登机口 航班 车次 快充 充电 升级 导出 批量 本地 远程 公有 私有"
)
#: An unknown or rare word that ends so names a kind of device.
DEVICE_ENDS = frozenset("机器仪锅箱灯车表屏板盒笔琴炉扇壶桶线头包柜床椅")
#: Words that say what kind of product or organisation the name before them is.
PRODUCTS = qw.word_set(
    "科技 集团 公司 平台 商城 银行 保险 人寿 证券 基金 云 网关 手机 电脑 平板 手表 手环 耳机 音箱 电视 投影仪 相机 无人机 机器人 路由器 净水器 净化器 空调 冰箱 洗衣机 电饭煲 "
    "打印机 汽车 软件 系统 接口 开放 笔记 网盘 文档 表格 数据库 存储 服务器 控制器 记录仪 手写板 工程 大学 学院 理工 医院 酒店 航空 机场 物流 快递 速运 冷运 消费贷 信用卡 医疗险 "
    "重疾险 精工 重工 家庭 少儿 个人 企业 sdk api app 物业 书院 客户端 电动车 电动 燃气 水务"
)


@lru_cache(maxsize=65536)
def in_dictionary(word: str) -> bool:
    """Is the Chinese word one that the language's dictionary, or the list of everyday words, knows?"""
    return word in EVERYDAY or bool(tokenizer().FREQ.get(word))


@lru_cache(maxsize=65536)
def is_unknown_name(word: str) -> bool:
    """A Chinese word that no dictionary knows, without a function character glued to it: most likely a name."""
    return not in_dictionary(word) and word[0] not in _LEAD and word[-1] not in _TAIL


def is_common_noun(word: str) -> bool:
    """An unknown word whose last character says that it is a kind of thing."""
    return word[-1] in _COMMON_TAILS and len(word) <= _LONGEST


def mended(folded: str, tokens: Sequence[Token]) -> tuple[list[Token], frozenset[int]]:
    """Tokens with glued function characters cut off, everyday words and names put together; starts of those names."""
    pieces: list[Token] = []
    for i, t in enumerate(tokens):
        if t.kind == "han" and t.end - t.start > 1:
            beside = (tokens[i - 1] if i else None, tokens[i + 1] if i + 1 < len(tokens) else None)
            pieces += _peeled(folded, t, *beside)
        else:
            pieces.append(t)
    return _joined_singles(folded, _everyday_joined(folded, _another(folded, pieces)))


def _peeled(folded: str, t: Token, before: Token | None, following: Token | None) -> list[Token]:
    """里取 -> 里, 取; 人晚 -> 人, 晚: a word unknown to the dictionary loses what does not belong to it."""
    word = folded[t.start : t.end]
    if len(word) == _STEM and word[0] == "能" and word not in _ABLE:
        return [Token(t.start + 1, t.end, "han")]
    if in_dictionary(word) or word in _NAMES_OF_TWO:
        return [t]
    start, end = t.start, t.end
    code_follows = following is not None and following.start == end and following.kind in ("code", "number", "latin")
    out: list[Token] = []
    tail: list[Token] = []
    if start and folded[start - 1] in _BEFORE_MEASURE.get(folded[start], ""):
        start += 1
    while start < end and folded[start] in _LEAD:
        if folded[start] in _VERBS:
            out.append(Token(start, start + 1, "han"))
        start += 1
    if end - start > 3 and _TAIL_MEASURE.search(folded, start, end):
        tail = [Token(end - 2, end, "han")]
        end -= 2
    while start < end and folded[end - 1] in _TAIL:
        end -= 1
    broken = _is_unknown_beside(folded, before, start) or _is_unknown_beside(folded, following, end)
    if end - start == _STEM and not code_follows and not broken and _are_two_words(folded, start, end, (start, end) != (t.start, t.end)):
        return [*out, Token(start, start + 1, "han"), Token(start + 1, end, "han"), *tail]
    if start < end:
        out.append(Token(start, end, "han"))
    return out + tail


def _is_unknown_beside(folded: str, t: Token | None, at: int) -> bool:
    """赛音|山达: two unknown words side by side are most likely one name in pieces."""
    if t is None or t.kind != "han" or t.end - t.start < _STEM or at not in (t.start, t.end):
        return False
    return is_unknown_name(folded[t.start : t.end])


def _are_two_words(folded: str, start: int, end: int, peeled: bool) -> bool:
    """人晚, 接打: two ordinary characters that the cutter took for a name; a rare one (雫石) makes it a name."""
    first, second = folded[start], folded[end - 1]
    if first not in _PLAIN and not (peeled and second in _PLAIN):
        return False
    if in_dictionary(folded[start:end]) or is_common_noun(folded[start:end]) or AFTER_NAME.match(folded, end):
        return False
    return max(informativeness(first), informativeness(second)) < _UNIQUE and folded[start - 1 : start] not in _NAME_DOTS


#: Words that begin with 能 without meaning 'can'; the dictionary also has 能取 and 能带, which questions never mean.
_ABLE = qw.word_set("能够 能力 能量 能源 能耗 能人 能手 能干 能否 能效 能动 能级 能见 能吏 能源")
_NAME_DOTS = ("·", "・", "-")
#: Two-character names of well-known makers that hold an ordinary character.
_NAMES_OF_TWO = qw.word_set("小米 大疆 中超 中甲 中通 圆通 申通 韵达 顺丰 美团 滴滴 微信 抖音 快手 京东 饿了 知乎 豆瓣 海尔 格力 美的 长虹 小鹏 理想 蔚来 比亚迪 拼多多 新冠")


def _another(folded: str, tokens: list[Token]) -> list[Token]:
    """另|外交|多少 -> 另外|交|多少."""
    for i in range(len(tokens) - 1):
        a, b = tokens[i], tokens[i + 1]
        if folded[a.start : b.start] == "另" and folded[b.start] == "外" and b.end - b.start == 2:
            tokens[i] = Token(a.start, b.start + 1, "han")
            tokens[i + 1] = Token(b.start + 1, b.end, "han")
    return tokens


def _everyday_joined(folded: str, tokens: Sequence[Token]) -> list[Token]:
    out: list[Token] = []
    i = 0
    while i < len(tokens):
        t = tokens[i]
        best = i
        if t.kind == "han" and t.end - t.start == _STEM and _compound_end(folded, tokens, i):
            best = i + 1
        if t.kind == "han":
            for j in range(i + 1, min(i + 4, len(tokens))):
                if tokens[j].start != tokens[j - 1].end or tokens[j].kind != "han":
                    break
                if folded[t.start : tokens[j].end] in EVERYDAY:
                    best = j
        out.append(Token(t.start, tokens[best].end, t.kind) if best > i else t)
        i = best + 1
    return out


#: 加急 + 费, 犹豫 + 期: these ends make one noun with the two-character word before them.
_STEM = 2
_COMPOUND_ENDS = frozenset("期险率费")


def _compound_end(folded: str, tokens: Sequence[Token], i: int) -> bool:
    if i + 1 == len(tokens):
        return False
    t, end = tokens[i], tokens[i + 1]
    return (
        end.start == t.end
        and end.end - end.start == 1
        and folded[end.start] in _COMPOUND_ENDS
        and not is_stopword(folded[t.start : t.end])
        and folded[t.start : t.end] not in qw.LIGHT_WORDS
    )


def _joined_singles(folded: str, tokens: Sequence[Token]) -> tuple[list[Token], frozenset[int]]:
    """Neighbouring single characters that are no words of their own, where a name may stand, are one name."""
    out: list[Token] = []
    names: set[int] = set()
    i = 0
    while i < len(tokens):
        j = i
        loose = 0
        while j < len(tokens) and j - i < _LONGEST and _is_single(folded, tokens[j]) and (
            j == i or tokens[j].start == tokens[j - 1].end
        ):
            loose += folded[tokens[j].start] not in _PLAIN
            j += 1
        if j == i + loose > i and j < len(tokens) and tokens[j].start == tokens[j - 1].end and _is_broken_region(folded, tokens[j]):
            out.append(Token(tokens[i].start, tokens[j].end, "han"))
            names.add(tokens[i].start)
            i = j + 1
            continue
        if j - i >= 2 and loose and _stands_for_name(folded, tokens[i].start, tokens[j - 1].end, j - i - loose):
            out.append(Token(tokens[i].start, tokens[j - 1].end, "han"))
            names.add(tokens[i].start)
            i = j
        else:
            out.append(tokens[i])
            i += 1
    return out, frozenset(names)


def _is_single(folded: str, t: Token) -> bool:
    return t.kind == "han" and t.end - t.start == 1 and not is_stopword(folded[t.start])


def _is_broken_region(folded: str, t: Token) -> bool:
    """岭市 of 霁岭市: unknown, and ending as regions do."""
    word = folded[t.start : t.end]
    return len(word) == _STEM and word[-1] in "市县区镇州" and not in_dictionary(word)


#: Characters as rare as these (one of them, or both at the head of a clause) are not words of their own.
_RARE, _VERY_RARE = 0.75, 0.9
#: A character as rare as this stands in hardly anything but names, species and the like.
_UNIQUE = 0.95


def _stands_for_name(folded: str, start: int, end: int, ordinary: int) -> bool:
    """Where and how rare single characters must be to be one name; with an ordinary one among them two at most."""
    rarest = max(informativeness(c) for c in folded[start:end])
    if ordinary and (rarest < _VERY_RARE or end - start > _STEM):
        return False
    before = folded[start - 1 : start]
    after = folded[end : end + 1]
    if (after.isascii() and after.isalnum()) or AFTER_NAME.match(folded, end):
        return True
    if before in _BEFORE_NAME:
        return rarest >= _RARE
    return not ordinary and (not before or not before.isalnum()) and rarest >= _VERY_RARE
