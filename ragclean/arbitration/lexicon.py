"""Word lists of arbitration: synonyms of attributes, scopes that exclude each other, polarity, change of value.

Everything is folded (lower case, simplified). The lists hold general vocabulary of terms, prices and settings; no
product and no domain's own words.
"""

from __future__ import annotations

#: Words that name one attribute in different texts. A term of the question is also found through its neighbours.
SYNONYM_GROUPS: tuple[tuple[str, ...], ...] = (
    ("保修", "质保", "保换", "免费维修", "保固", "包修", "三包", "warranty", "guarantee", "covered", "cover"),
    ("退款", "退回", "返还", "原路", "退还", "refund", "money back", "pay you back", "paid back", "reimburse"),
    ("退货", "退回", "退换", "无理由", "return", "send it back", "send back", "sent back"),
    ("到账", "入账", "原路", "打款", "返回", "credited"),
    ("回复", "答复", "响应", "回访", "回电", "reply", "respon", "answer"),
    ("发货", "寄出", "出库", "发出", "ship", "dispatch"),
    ("送达", "到货", "送货", "配送", "deliver", "arriv"),
    ("佣金", "扣点", "服务费", "抽成", "费率", "commission"),
    ("利率", "年化", "利息", "interest", "apr"),
    ("费用", "价格", "售价", "收费", "费", "价", "资费", "定价", "price", "cost", "fee", "charge", "rate", "fare"),
    ("运费", "邮费", "快递费", "回寄", "postage", "shipping"),
    ("押金", "保证金", "定金", "deposit"),
    ("补贴", "津贴", "补助", "报销", "allowance", "subsid", "per diem", "stipend"),
    ("抵", "抵扣", "折抵", "抵用", "折价", "减免"),
    ("赔付", "赔偿", "报销", "理赔", "给付", "pay out", "reimburs", "compensat"),
    ("罚款", "违约金", "滞纳金", "penalt", "fine", "late fee"),
    ("上限", "最多", "最大", "最高", "不超过", "限额", "至多", "封顶", "配额", "maximum", "max", "limit",
     "up to", "cap",
     "at most", "quota", "no more than"),
    ("下限", "最低", "最少", "不低于", "至少", "及以上", "以上", "起", "门槛", "minimum", "min", "at least",
     "or later",
     "or newer", "or higher", "requires"),
    ("默认", "缺省", "预设", "未填写", "未配置", "default", "unless overridden", "unless set"),
    ("有效期", "有效", "期限", "时效", "过期", "失效", "作废", "lifetime", "valid", "expire", "lapse", "ttl",
     "lives"),
    ("保留", "留存", "保存", "存储", "retain", "retention", "kept", "keep", "stored", "store"),
    ("删除", "清除", "清空", "销毁", "delete", "erase", "purge", "remove"),
    ("资料", "数据", "内容", "信息", "文件", "data", "content"),
    ("每晚", "间夜", "每夜", "一晚", "per night", "a night"),
    ("住宿", "酒店", "房费", "accommodation", "hotel", "lodging"),
    ("结转", "顺延", "延后", "延期", "递延", "carry over", "carried over", "roll over", "carry forward"),
    ("注销", "销户", "关闭账号", "close", "delete"),
    ("取消", "退订", "退票", "撤销", "cancel", "giving up", "given up"),
    ("频率", "限速", "限流", "调用", "速率", "rate limit", "throttl", "requests"),
    ("超时", "timeout", "time out"),
    ("大小", "容量", "体积", "size", "capacity"),
    ("上传", "传", "upload"),
    ("版本", "固件", "version", "firmware", "release"),
    ("升级", "更新", "upgrade", "update"),
    ("端口", "port"),
    ("重试", "retry", "retries"),
    ("间隔", "周期", "interval", "every"),
    ("申请", "提交", "办理", "apply", "application", "submit"),
    ("审核", "审批", "审查", "复核", "review", "approv"),
    ("通知", "提前", "告知", "notice", "notify", "in advance"),
    ("试用", "体验", "trial"),
    ("年假", "带薪", "annual leave", "vacation", "holiday"),
    ("病假", "sick leave", "sick pay"),
    ("加班", "overtime"),
    ("开业", "营业", "开放", "open", "hours"),
    ("维修", "修复", "修好", "检修", "repair", "fix", "serviced"),
    ("安装", "上门", "install", "fit"),
    ("充电", "充满", "charge", "charging"),
    ("续航", "使用时间", "battery life", "runtime"),
    ("精度", "误差", "accuracy", "error"),
    ("人数", "名额", "参加", "people", "participants", "attend", "seats"),
    ("成立", "创立", "创建", "建立", "设立", "found", "establish"),
    ("发布", "发售", "上市", "推出", "上映", "releas", "launch", "premier"),
    ("出生", "生于", "诞生", "born", "birth"),
    ("截止", "截至", "最后期限", "最晚", "deadline", "due", "no later than", "closes"),
    ("免费", "不收费", "免收", "无需付费", "free", "no charge", "at no cost", "without charge"),
    ("面积", "占地", "area"),
    ("温度", "temperature"),
    ("距离", "米远", "distance"),
    ("重量", "载重", "weight", "weigh", "load"),
    ("额度", "限额", "limit", "allowance"),
    ("工资", "薪资", "月薪", "薪酬", "salary", "wage", "pay"),
    ("年龄", "岁", "age"),
    ("等待期", "观察期", "waiting period"),
    ("免赔额", "起付线", "deductible", "excess"),
    ("增长", "上升", "提高", "grew", "grow", "increase", "rise", "rose", "growth"),
    ("收入", "营收", "revenue", "income", "sales"),
)

#: Members of one group exclude each other: a page about one is no page about another.
#: Each member is a tuple of spellings; the first names it.
SCOPE_GROUPS: tuple[tuple[tuple[str, ...], ...], ...] = (
    (("免费版", "免费套餐", "免费用户", "free plan", "free tier", "free edition"),
     ("个人版", "personal plan", "personal edition"),
     ("基础版", "入门版", "basic plan", "starter plan", "basic tier"),
     ("标准版", "standard plan", "standard edition", "standard tier"),
     ("专业版", "pro plan", "pro tier", "professional edition", "professional plan"),
     ("团队版", "team plan", "teams plan"), ("商业版", "business plan", "business tier"),
     ("企业版", "enterprise plan", "enterprise edition", "enterprise tier"),
     ("付费版", "付费套餐", "paid plan", "paid tier"), ("旗舰版", "ultimate"), ("教育版", "education plan"),
     ("社区版", "community edition"), ("国际版",), ("青春版",), ("家庭版", "family plan")),
    (("实习生", "intern", "interns"), ("正式员工", "正式职工", "permanent employees", "permanent staff"),
     ("外包人员", "外包员工", "劳务派遣", "contractor", "contractors"), ("退休人员", "retirees"),
     ("试用期员工", "试用期内", "probationary")),
    (("全职", "full-time", "full time"), ("兼职", "part-time", "part time")),
    (("普通员工", "一般员工", "regular staff"), ("部门经理", "经理级", "主管级", "managers"),
     ("总监", "高管", "directors", "executives")),
    (("新客户", "新用户", "新客", "new customers", "new customer", "new users"),
     ("老客户", "老用户", "存量客户", "续费用户", "existing customers", "existing customer", "renewing")),
    (("非会员", "普通用户", "non-members", "non-member"), ("银卡", "silver member"), ("金卡", "gold member"),
     ("白金卡", "铂金", "platinum"), ("黑金", "钻石卡", "钻石会员", "diamond")),
    (("个人用户", "个人客户", "个人账户", "individual customers", "individual accounts"),
     ("企业用户", "企业客户", "对公", "单位客户", "business customers", "corporate customers", "business accounts")),
    (("personal debit", "personal card", "personal account", "personal current account"),
     ("business debit", "business card", "business account", "corporate card")),
    (("成人", "大人", "成年人", "年满十八", "年满18", "adult", "adults"),
     ("儿童", "小孩", "未成年", "未满十八", "未满18", "year-old", "child", "children", "kids")),
    (("gives birth", "giving birth", "birth parent", "birthing parent", "maternity", "产假", "孕妇"),
     ("without giving birth", "other parent", "non-birth parent", "my partner", "my wife", "paternity", "陪产",
      "陪护假", "my partner is having", "did not give birth", "does not give birth")),
    (("tourist", "tourists", "旅游签证", "旅游签"),
     ("business visitor", "business visitors", "business visa", "business travellers", "商务签证", "商务签")),
    (("非居民", "非居民用户", "工商业"), ("居民用水", "居民用电", "居民生活", "居民用户")),
    (("燃油版", "燃油车", "汽油版", "petrol version", "petrol model"),
     ("混动版", "插电混动", "插混", "混合动力", "hybrid"),
     ("纯电版", "纯电", "electric version", "all-electric")),
    (("普通本科", "普通专业", "普通类"), ("中外合作",), ("继续教育", "成人教育", "专升本", "自考"), ("研究生", "硕士")),
    (("全新机", "全新车", "brand-new"), ("二手", "used cars", "second-hand", "refurbished", "翻新机")),
    (("前轮", "front wheel", "front axle", "front tyre"), ("后轮", "rear wheel", "rear axle", "rear tyre")),
    (("旺季", "peak season", "high season"), ("淡季", "off-season", "low season")),
    (("城镇",), ("农村",)),
    (("常温件", "常温店", "常温"), ("冷冻件", "冷冻店", "冷冻"), ("冷藏件", "冷藏")),
    (("春季", "spring term", "spring semester"), ("秋季", "autumn term", "fall semester", "autumn semester")),
    (("首次申领", "首次办理", "first application"), ("补领", "补办", "补证", "补一张", "换领", "replacement card")),
    (("国内", "境内", "中国大陆", "domestic"), ("海外", "境外", "国外", "overseas", "international orders"),
     ("港澳台",)),
    (("一类城市", "一线城市", "tier 1 cities", "tier-1 cities"), ("二类城市", "二线城市", "tier 2 cities"),
     ("三类城市", "三线城市", "tier 3 cities"), ("四类城市", "其他城市")),
    (("成人票", "成年人", "成人", "大人", "年满十八周岁", "adults", "adult"), ("儿童", "未成年", "小孩",
      "未满十八周岁", "children", "child"),
     ("学生", "students", "student"), ("老年人", "老人", "seniors", "senior citizens")),
    (("本科生", "undergraduate", "undergraduates"), ("研究生", "硕士", "postgraduate", "postgraduates"), ("博士生",)),
    (("工作日内", "平日", "weekdays"), ("周末", "双休日", "weekends", "weekend"), ("节假日", "法定节日",
      "bank holidays")),
    (("线上", "网上商城", "官方商城", "online store"), ("线下", "门店", "实体店", "in-store", "in store"),
     ("第三方平台", "加盟店", "third-party marketplace")),
    (("安卓", "android"), ("ios", "iphone"), ("windows",), ("macos", "mac os"), ("linux",)),
    (("自动", "automatic", "automatically"), ("手动", "人工", "manual", "manually")),
    (("燃油版", "燃油车", "汽油版", "petrol"), ("混动", "插混", "hybrid"), ("纯电", "电动版", "增程")),
    (("国内航班", "domestic flights"), ("国际航班", "international flights")),
    (("一季度", "第一季度", "q1", "first quarter"), ("二季度", "第二季度", "q2", "second quarter"),
     ("三季度", "第三季度", "q3", "third quarter"), ("四季度", "第四季度", "q4", "fourth quarter")),
    (("上半年", "first half"), ("下半年", "second half"),),
)

#: A product's variant written after its name: 'P8 Pro' is not 'P8'.
VARIANT_WORDS = frozenset(
    ("pro", "max", "plus", "ultra", "mini", "se", "lite", "air", "s", "t", "fe", "gt", "neo", "edge", "classic")
)

#: Between two values of a sentence: the one before is what was, the one after is what is now.
CHANGE_WORDS: tuple[str, ...] = (
    "调整为", "调整到", "调整至", "改为", "改成", "变更为", "变为", "变成", "提高到", "提高至", "提升到",
    "提升至", "延长至",
    "延长到", "缩短至", "缩短为", "缩短到", "降至", "降到", "降低到", "降低至", "下调至", "下调为", "上调至",
    "上调为", "上调到",
    "增加到", "增至", "减至", "扩大到", "更新为", "统一为", "升至", "现为", "现在是",
    " to ", "->", "→", "now ", "instead of",
)
#: Before a value: it was so once.
FORMER_WORDS: tuple[str, ...] = (
    "原来是", "原来的", "原来", "原为", "原先", "原定", "原本", "此前为", "此前是", "以前是", "以前", "过去是",
    "旧版", "老版本",
    "不再是", "曾经是", "曾为", "由原", "previously", "formerly", "used to be", "was originally", "no longer",
    "instead of",
    "up from", "down from", "rather than", "not the old", "原价",
)

#: Yes and no of one predicate. The negative forms are tried first, since they hold the positive ones.
POLARITY: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("free", ("免费", "不收费", "免收", "无需付费", "不另收费", "不额外收费", "不用花钱", "不用付钱", "包邮",
     "free of charge",
              "free", "no charge", "at no cost", "without charge", "no extra cost", "no additional charge", "no fee"),
     ("不免费", "不再免费", "不是免费", "并非免费", "不予免费", "收费", "自费", "自理", "需付费", "需要付费",
      "另行收费", "收取", "not free",
      "no longer free", "chargeable", "charged", "a fee applies", "for a fee", "is billed", "at your own expense")),
    ("need", ("需要", "必须", "须", "应当", "务必", "required", "must", "need to", "needs to", "mandatory"),
     ("不需要", "无需", "无须", "不必", "不用", "毋需", "免于", "not required", "no need", "need not",
      "not necessary",
      "does not need", "do not need", "don't need", "without needing", "optional")),
    ("can", ("支持", "可以", "能够", "允许", "可", "能", "兼容", "适用", "包含", "包括", "提供", "覆盖", "可用",
     "supports",
             "supported", "support", "can", "may", "allowed", "compatible", "includes", "included", "available",
             "is covered", "are covered", "permitted", "able to", "works with", "eligible"),
     ("不支持", "不可以", "不能", "无法", "不允许", "不可", "不得", "禁止", "不兼容", "不适用", "不包含",
      "不包括", "不含", "不提供",
      "暂不", "尚不", "未支持", "不再支持", "不在", "不予", "不覆盖", "没有", "均不", "cannot", "can't",
      "can not", "not supported",
      "does not support", "do not support", "doesn't support", "no longer supports", "no longer supported",
      "not allowed",
      "not permitted", "not compatible", "incompatible", "not included", "does not include", "excluded", "excludes",
      "not available", "unavailable", "unsupported", "not covered", "may not", "must not", "prohibited",
      "not eligible",
      "no longer available", "without support", "is not possible", "no support", "are not", "is not")),
)

#: Facts that do not change once they have happened: a newer page about them is not a better one.
EVENT_WORDS: tuple[str, ...] = (
    "出生", "成立", "创立", "创建", "建成", "竣工", "去世", "逝世", "发生", "夺冠", "冠军", "获得", "获奖",
    "首次", "发现", "发明",
    "诞生", "上映", "发售", "解体", "举办", "召开", "哪一年", "哪年", "创办", "始建", "建于", "毕业", "沸点",
    "熔点", "海拔",
    "born", "founded", "established", "died", "won", "win", "winner", "invented", "discovered", "happened",
    "released",
    "premiere", "take place", "took place", "held", "hosted", "built", "awarded", "boiling point", "melting point",
    "when did", "when was", "when were", "how many did",
)
#: Between two values: the first is a case that falls short of the second, which is the rule.
SHORT_OF: tuple[str, ...] = ("低于", "未达到", "不满足", "不足", "小于", "below", "less than", "short of",
"older than")
TOLERANCE_WORDS: tuple[str, ...] = ("精度", "误差", "公差", "偏差", "accuracy", "tolerance", "precision")
#: The question is about the dates of a rule itself.
VALIDITY_WORDS: tuple[str, ...] = (
    "生效", "施行", "实施", "执行", "启用", "发布", "公布", "更新", "修订", "废止", "到期", "有效期", "截止",
    "effect", "in force",
    "publish", "updated", "revised", "expire", "valid", "deadline", "released", "announced",
)
#: They say that the state of today is meant, whatever years the question names.
NOW_WORDS: tuple[str, ...] = (
    "现在", "目前", "如今", "最新", "当前", "现行", "今天", "今年", "now", "today", "current", "latest",
    "currently", "at present",
)
