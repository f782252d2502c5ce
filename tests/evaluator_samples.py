"""Cases for the evaluator whole: twenty written by hand in two languages, and as many as wanted from a template."""

from __future__ import annotations

import json

from ragclean.evaluation.cases import case_to_dict, with_keypoints
from ragclean.evaluation.records import EvalCase
from ragclean.types import Chunk

#: question, reference, the gold text, a text beside it; a category for each half.
_WRITTEN = (
    ("X200 的保修期是多久？", "保修期为24个月。", "X200 的保修期为24个月，自发票开具之日起计算。", "X200 的屏幕尺寸为6.1英寸，重量为180克。"),
    ("客服多久内回复工单？", "24小时内回复。", "客服在24小时内回复工单。", "客服热线的开放时间由各地门店公布。"),
    ("退款多久到账？", "退款在3个工作日内到账。", "审核通过后，退款在3个工作日内到账。", "退款时请保留发票与外包装。"),
    ("年费会员一年多少钱？", "年费为299元。", "年费会员的年费为299元，可随时取消。", "会员可以在小程序里查看积分。"),
    ("逾期还款的日利率是多少？", "日利率为0.05%。", "逾期还款按日利率0.05%计息。", "还款可以在手机银行里办理。"),
    ("维修后的零件保修多少天？", "保修90天。", "维修更换的零件保修90天。", "维修点遍布全国主要城市。"),
    ("图书最多可以借几本？", "最多可借15本。", "本科生最多可借15本图书。", "图书馆入口处设有自助还书机。"),
    ("会议室最多容纳多少人？", "最多容纳40人。", "三楼会议室最多容纳40人。", "会议室配有投影仪和白板。"),
    ("年假有多少天？", "年假为10天。", "工作满一年的员工年假为10天。", "请假须在系统里提交申请。"),
    ("热水器的额定功率是多少？", "额定功率为2000瓦。", "热水器的额定功率为2000瓦。", "热水器须由专业人员安装。"),
    ("How much is the delivery fee?", "The delivery fee is $12.", "The delivery fee is $12 for every order.", "Orders are packed by hand in our own warehouse."),
    ("How long is the free trial?", "The free trial lasts 30 days.", "The free trial lasts 30 days from sign-up.", "Billing is handled by our partner."),
    ("How long is the battery warranty?", "The battery warranty is 36 months.", "The battery warranty is 36 months from purchase.", "Batteries are charged before they leave the factory."),
    ("How many users may share one licence?", "5 users may share one licence.", "Up to 5 users may share one licence.", "Licences are managed in the console."),
    ("How soon must defects be reported?", "Defects must be reported within 14 days.", "Defects must be reported within 14 days of delivery.", "Photos help our service team."),
    ("What is the maximum file size?", "The maximum file size is 250 MB.", "The maximum file size is 250 MB for each upload.", "Uploads are scanned for viruses."),
    ("What is the late fee?", "The late fee is 2.5%.", "The late fee is 2.5% of the unpaid amount.", "Invoices are sent by mail."),
    ("How often is the filter replaced?", "The filter is replaced every 6 months.", "The filter is replaced every 6 months.", "The filter is sold in all our shops."),
    ("What is the minimum order?", "The minimum order is 80 euros.", "The minimum order is 80 euros for shops.", "Orders are confirmed by mail."),
    ("How long are backups kept?", "Backups are kept for 45 days.", "Backups are kept for 45 days in two regions.", "Backups run at night."),
)  # fmt: skip


def written_cases(n=20):
    """Cases of both languages in turn."""
    half = len(_WRITTEN) // 2
    turns = [_WRITTEN[i // 2 + (half if i % 2 else 0)] for i in range(n)]
    return [_case(f"w{i:02}", *row, category="售后" if row[0][0] > "z" or "？" in row[0] else "terms") for i, row in enumerate(turns)]


def _case(name, question, reference, gold, beside, category):
    contexts = (
        Chunk(gold, id=f"{name}-1", lineage_id=f"{name}-doc", source="official_policy", updated_at="2025-03-01"),
        Chunk(beside, id=f"{name}-2", source="faq", updated_at="2024-11-05"),
    )
    return with_keypoints(EvalCase(name, question, reference, (), contexts, (contexts[0].id,), (), category, "single", "2025-06-01"))


def many_cases(n=120):
    """Short cases of one value each, in two categories of the same size."""
    found = []
    for i in range(n):
        name, value = f"t{i:03}", 3 + i * 7
        if i % 2:
            found.append(_case(name, f"Which fee does plan P{i} cost?", f"The fee of plan P{i} is {value} euros.",
                               f"The fee of plan P{i} is {value} euros.", f"Plan P{i} is open to everybody.", "price"))  # fmt: skip
        else:
            found.append(_case(name, f"型号 M{i} 的保修期是多少天？", f"型号 M{i} 的保修期为{value}天。",
                               f"型号 M{i} 的保修期为{value}天。", f"型号 M{i} 有三种颜色。", "保修"))  # fmt: skip
    return found


def write(cases, path):
    """Cases as JSON Lines; returns the path as a string."""
    path.write_text("".join(json.dumps(case_to_dict(c), ensure_ascii=False) + "\n" for c in cases), encoding="utf-8")
    return str(path)
