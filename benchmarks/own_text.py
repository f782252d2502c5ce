"""Chunks of a wished length from sentences of our own: never the same sentence twice, so that no cache helps."""

from __future__ import annotations

import random
from itertools import count

THINGS = ("空调", "净水器", "扫地机", "投影仪", "咖啡机", "路由器", "打印机", "跑步机", "电热毯", "洗碗机", "门锁")
PLACES = ("杭州", "成都", "哈尔滨", "厦门", "西安", "昆明", "南京", "长沙", "青岛", "武汉", "合肥", "兰州")
PARTS = ("压缩机", "滤芯", "主板", "电机", "显示屏", "电池", "传感器", "水泵", "外壳", "接口")
PEOPLE = ("客服人员", "维修工程师", "仓库管理员", "采购部门", "门店店长", "质检小组", "产品经理")
VERBS = ("检查", "更换", "清洗", "登记", "拍照留存", "重新校准", "退回工厂", "送去检测")

TEMPLATES = (
    "{place}的用户在{year}年{month}月反映，{thing}使用{n}天之后{part}出现异响，{people}上门{verb}后恢复正常。",
    "{thing}的{part}质保期为{n}个月，自签收之日起计算，超过期限的维修需要支付{price}元的工时费。",
    "为了让大家更好地了解{thing}，我们走访了{place}的几家门店，听听{people}怎么说。",
    "不少人以为{part}坏了就只能整机报废，其实多数情况下{verb}一下就能继续使用。",
    "根据{year}年的统计，{place}地区{thing}的返修率是{percent}%，比上一年下降了一些。",
    "如果收到的{thing}外包装破损，请不要签收，先联系{people}{verb}，再决定是否退货。",
    "申请退款需要提供订单号和付款凭证，审核通过后{n}个工作日内原路返回。",
    "这款{thing}的固件已经升级到v{a}.{b}.{c}，修复了{part}偶尔掉线的问题。",
    "天气转凉以后，{thing}最好放在通风干燥的地方，避免{part}受潮。",
    "{people}表示，{place}的新仓库面积超过{big}平方米，每天可以处理{big}件包裹。",
    "说明书第{n}页写得很清楚：未经授权拆开{part}，不能再享受免费维修。",
    "感谢您一直以来对我们的支持与信任，今后我们会继续努力，带来更好的服务体验。第{serial}次活动见。",
    "会员在{month}月{day}日之前下单可以减免{price}元，优惠不能与其他活动同时使用。",
    "从{place}发往外地的货物一般{n}天送达，遇到节假日会顺延。",
    "我买{thing}已经有{n}个月了，除了声音稍微大一点，{part}没有出过任何毛病。",
    "{thing}通电之后指示灯会闪烁{n}秒，如果一直不亮，请{verb}电源线和{part}。",
)
QUERIES = (
    "空调压缩机的质保期是多少个月？", "净水器漏水应该联系谁？", "申请退款需要几个工作日到账？",
    "投影仪的固件现在是哪个版本？", "外包装破损还能签收吗？", "会员下单可以减免多少元？",
    "路由器指示灯一直不亮怎么办？", "洗碗机在成都的返修率是多少？", "从昆明发货几天能到？",
)  # fmt: skip


class OwnText:
    """An endless supply of new chunks; the same seed gives the same chunks."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._serial = count(seed * 1_000_000)
        self._said: set[str] = set()

    def chunks(self, number: int, length: int) -> list[str]:
        """``number`` chunks of exactly ``length`` characters."""
        return [self._chunk(length) for _ in range(number)]

    def _chunk(self, length: int) -> str:
        text = ""
        while len(text) < length:
            text += self._new_sentence()
        return text[:length]

    def _new_sentence(self) -> str:
        sentence = self._sentence()
        if sentence in self._said:  # a template with few readings: a number tells the sentences apart
            sentence = f"第{next(self._serial)}条：{sentence}"
        self._said.add(sentence)
        return sentence

    def _sentence(self) -> str:
        pick, number = self._random.choice, self._random.randint
        return pick(TEMPLATES).format(
            thing=pick(THINGS), place=pick(PLACES), part=pick(PARTS), people=pick(PEOPLE), verb=pick(VERBS),
            year=number(2015, 2025), month=number(1, 12), day=number(1, 28), n=number(2, 36),
            price=number(20, 900), percent=number(1, 90) / 10, big=number(1000, 90000),
            a=number(1, 9), b=number(0, 20), c=number(0, 20), serial=next(self._serial),
        )  # fmt: skip
