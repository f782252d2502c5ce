# ruff: noqa: E501  (tables of words; the linter counts a Chinese character as two columns)
"""Other words for what questions about products, rules and software ask, in Chinese and English.

Users ask for 保修 and the terms say 质保 or 免费维修; they ask how to *return* a thing and the policy says *send back*.
A row is one meaning; a word of a row found for another one counts in part. The rows hold everyday language of
after-sales, policies, technical documents and news, not names of anything.
"""

from __future__ import annotations

from functools import lru_cache

_ZH = (
    "保修 质保 联保 包修 免费维修 保多久 售后维修", "保换 换新 包换 免费换 以换代修 换货", "保修期 质保期 保质期", "维修 修理 返修 检修 修复 寄修 送修",
    "退款 退钱 返还 退回 退费 原路返回 款项", "到账 入账 返还 退回 到帐", "退货 退换 退换货 退回", "签收 收货 到货 收到 妥投",
    "发货 寄出 发出 出库 寄送", "寄回 回寄 邮寄 寄送", "寄出 发出 寄回 发货", "运费 邮费 快递费 物流费 寄送费", "检测费 检修费 上门费 诊断费", "费用 收费 收取 金额 价款",
    "价格 售价 单价 定价 报价 价钱", "佣金 扣点 抽成 服务费 提成", "费率 扣点 比例 收取", "利率 年化 利息", "违约金 手续费 罚金 滞纳金 赔偿金", "结清 还款 还清 清偿 还掉", "押金 保证金 定金",
    "超时 timeout 超时时间", "默认 缺省 default 预设 默认值", "上限 最多 最大 不超过 最高 限额 封顶 至多 以内", "下限 最少 最小 最低 至少 不低于", "最低 至少 不低于 最少", "最高 最多 不超过 封顶 上限",
    "大小 体积 容量", "端口 port", "目录 路径 文件夹", "证书 certificate cert", "升级 更新 升到 更新到 刷到 刷写 升至", "升 升级 升到 升至 刷到", "注销 销户", "删除 清除 清空 抹除 销毁 移除", "保留 保存 留存 存留 存储",
    "年假 年休假 带薪休假", "结转 顺延 延至 拖到 留到", "补贴 津贴 补助 贴补", "津贴 补贴 补助", "住宿费 住宿 酒店 房费", "报销 核销 报账", "自付 自负 自理 自费", "赔 赔付 理赔 赔偿 给付", "承担 自理 负责 支付 自付 负担",
    "期限 时限 时长 期间", "截止 最晚 最迟 截至 止", "生效 施行 执行 实施 起效", "申请 提出 提交 办理", "取消 撤销 退订", "调用 请求 访问", "每分钟 分钟", "每天 每日 日均 一天", "每月 月 按月", "每年 年度 按年",
    "故障 错误 异常 报错 告警", "支持 兼容 可用 适配", "免费 不收费 无偿 不另收 免收", "收费 付费 自费 计费", "员工 职工 雇员 人员", "抵 抵扣 折抵 抵用", "以旧换新 旧机 换新 置换", "激活 启用 联网", "精度 误差 准确度",
    "编号 型号 代号", "导演 执导", "主演 领衔 出演 饰演 主角", "冠军 夺冠 夺得 折桂 问鼎 金牌 摘得", "亚军 银牌", "上映 公映 首映", "去世 逝世 病逝 离世 辞世", "出生 生于 诞生", "成立 创立 创办 创建 建立 设立",
    "作者 撰写 所著 著作", "营收 收入 营业收入", "增长 增速 同比 上涨", "举办 举行 召开", "发布 推出 公布 亮相 发售", "收购 并购 买下", "交付 销量 卖出", "别名 俗称 又称 又名 别称", "位于 坐落 地处", "原因 由于 因为 导致", "毕业 就读",
)  # fmt: skip
_EN = (
    "win won wins winner winners winning champion", "pay paid pays payment payable paying", "keep kept keeps retained retention retain stored pruned", "buy bought buys purchase purchased",
    "send sent sends", "make made makes making", "hold held holds holding", "write wrote written writes writer author authored", "sing sang sung sings singer", "give gave given gives",
    "take took taken takes", "begin began begun begins start started starts", "born birth bear birthplace", "die died death dies deceased", "find found finds", "found founded founder founders established",
    "lead led leads leader", "choose chose chosen", "teach taught", "build built builds", "sell sold sells sale", "become became", "lose lost loses loss", "direct directed director directs",
    "star starred stars starring cast", "children child kids", "people persons inhabitants residents population", "cost costs price priced charge fee", "charge charged charges fee fees costs cost",
    "leave left leaves leaving departure", "play played plays player", "act acted actor actress", "invent invented inventor", "marry married wife husband spouse", "locate located location situated",
    "height tall high", "age old aged", "weight weigh weighs", "release released premiered launched", "ceo chief", "refund refunded reimbursed money back|paid back|pay you back|returned",
    "return returned returns send back|sent back|bring back|hand back", "back returned returns", "deposit security bond", "cancel cancelled cancellation called off|given up|give up|withdraw", "departure depart departs scheduled start",
    "ticket booking fare", "limit limits maximum max capped cap up to|at most|no more than|ceiling", "maximum limit up to|at most|no more than", "minimum at least|no less than", "lifetime valid validity expires expiry ttl lifespan",
    "default defaults", "delete deleted remove removed purge purged erase erased", "yearly annual annually per year|a year|per policy year|each year", "monthly per month|a month|each month", "daily per day|a day|each day",
    "employee staff worker employees", "repair repaired fix fixed mend", "warranty guarantee guaranteed warranted cover covered", "covered cover warranty guarantee guaranteed", "ship shipped dispatch dispatched deliver delivered",
    "delivery delivered receipt arrival", "holiday leave vacation", "salary pay wage wages", "move out|moved out|leave|departure", "claim claims", "include included includes covered excluded", "size large big", "allow allowed permit permitted",
    "snapshot snapshots backup backups", "upgrade update upgraded updated", "company firm corporation", "movie film", "film movie", "song single track", "capital seat", "wife married", "husband married", "team club squad",
    "located lies situated", "killed died deaths", "called named known as", "name called named", "occupation profession job worked as", "profession occupation career", "notice advance beforehand",
)  # fmt: skip


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[str, ...]]:
    table: dict[str, dict[str, None]] = {}
    for row in _ZH:
        words = row.split()
        for w in words:
            table.setdefault(w, {}).update(dict.fromkeys(x for x in words if x != w))
    for row in _EN:
        # Phrases are set apart by bars; the words before the first bar are single words but for its last phrase.
        head, *phrases = row.split("|")
        words = head.split()
        if phrases:
            phrases.append(" ".join(words[-2:]))
            words = words[:-2]
        for w in words:
            others = (*(x for x in words if x != w), *phrases)
            table.setdefault(w, {}).update(dict.fromkeys(others))
    return {w: tuple(others) for w, others in table.items()}


def synonyms(word: str) -> tuple[str, ...]:
    """Other words and phrases (folded) that may stand in a text for this word of a question."""
    return _table().get(word, ())
