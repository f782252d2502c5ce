"""Who pays, in the words that contracts, shops and chats use."""

from __future__ import annotations

import pytest
from conftest import side_of

from ragclean.arbitration.stances.parties import CUSTOMER, PROVIDER, named_in, other_cost, payers

SAID = [
    ("燃气灶打不着火上门修的钱谁出", "保修期内上门检修所产生的费用，概由我司承担。", "provider"),
    ("燃气灶打不着火上门修的钱谁出", "上门检修一次五十，现场向用户收。", "customer"),
    ("退货的运费谁来付", "因质量原因退货的，往返运费本店包了。", "provider"),
    ("退货的运费谁来付", "退货运费请买家先行垫付，不予返还。", "customer"),
    ("水管爆了楼下被淹 谁赔", "因户内管道爆裂造成楼下损失的，由业主自行赔偿。", "customer"),
    ("水管爆了楼下被淹 谁赔", "户内管道爆裂的赔偿由物业兜底。", "provider"),
    ("借的书弄丢了赔款谁承担", "图书丢失，赔款算读者头上。", "customer"),
    ("电梯大修的费用归谁", "电梯大修费用走维修基金，不再向业主另收。", "provider"),
    ("搬家碰坏家具算谁的", "搬运途中碰坏的家具，弊公司照价赔偿。", "provider"),
    ("搬家碰坏家具算谁的", "家具磕碰属正常损耗，客户自己认。", "customer"),
    ("跨行取款的手续费要自己掏吗", "跨行取款手续费本行全额补贴。", "provider"),
    ("跨行取款的手续费要自己掏吗", "跨行取款每笔手续费从持卡人账户扣。", "customer"),
    ("寄修来回快递费谁掏", "寄修来回快递费都算咱们的，您放心。", "provider"),
    ("寄修来回快递费谁掏", "寄修的快递费得自己贴，厂里只管修。", "customer"),
    ("寄修来回快递费谁掏", "送修快递费双方各担一半。", "shared"),
    ("體檢費公司出還是自己出", "體檢費由公司全數吸收。", "provider"),
    ("隔音窗更换的钱，街道出还是业主出", "隔音窗更换款项列入街道财政，居民一分不掏。", "provider"),
    ("who pays for the replacement key", "A lost key is replaced at the tenant's expense.", "customer"),
    ("who pays for the replacement key", "We stand the cost of a replacement key.", "provider"),
    ("who pays for the replacement key", "The price of a replacement key is knocked off your deposit.", "customer"),
    ("who covers the customs duty on returns", "Duty on returns is for our account.", "provider"),
    ("who covers the customs duty on returns", "Duty on returns is recovered from the buyer.", "customer"),
    ("who covers the customs duty on returns", "Customs duty on returns is shouldered by the shop.", "provider"),
    ("who foots the bill for clearing a blocked drain", "Clearing a blocked drain is billed to the householder.", "customer"),
    ("who foots the bill for clearing a blocked drain", "The council picks up the bill for clearing a blocked drain.", "provider"),
    ("who pays for the towing", "Towing is split fifty-fifty with the driver.", "shared"),
    ("who pays for the towing", "Drivers foot the towing themselves.", "customer"),
    ("who pays for the towing", "Towing is included in membership and costs you nothing.", "provider"),
    ("家里水表坏了换新的钱谁承担", "水表到期轮换由供水公司免费负责，人为损坏的由用户赔付。", "provider"),
    ("家里水表坏了换新的钱谁承担", "换水表两百块，师傅上门现收，住户自己掏。", "customer"),
    ("快递退回的运费归谁", "退回运费我们这边结，您不用管。", "provider"),
    ("体检复查的费用算谁的", "复查费用从公司福利金中列支。", "provider"),
    ("体检复查的费用算谁的", "复查由个人刷医保，单位不报。", "customer"),
    ("培训的差旅谁报", "外训差旅由派出单位报销。", "provider"),
    ("树倒了砸坏车谁赔", "行道树倒伏砸车，由园林养护单位赔偿。", "provider"),
    ("演出延期改签的手续费谁出", "演出延期产生的改签费主办方全包。", "provider"),
    ("演出延期改签的手续费谁出", "改签手续费照收，观众自担。", "customer"),
    ("who pays if the boiler needs a part", "Parts for the boiler are the landlord's lookout.", "provider"),
    ("who pays if the boiler needs a part", "Tenants bear the first fifty pounds of any boiler part.", "customer"),
    ("who pays the corkage at the wedding", "Corkage is waived and the venue swallows it.", "provider"),
    ("who pays the corkage at the wedding", "Corkage will be added to the couple's bill.", "customer"),
    ("who has to cover shipping on a warranty repair", "Shipping both ways is at the maker's expense.", "provider"),
    ("who has to cover shipping on a warranty repair", "You cover shipping to us, whatever the fault.", "customer"),
    ("whose responsibility is clearing snow from the path", "Clearing snow falls to the householder.", "customer"),
]

#: No payer of what is asked about.
UNREAD = [
    ("退货的运费谁来付", "退货请在七天内寄出，附上订单号。"),
    ("退货的运费谁来付", "退货的商品须保持完好，客户签名留底。"),
    ("换表的钱谁出", "停车费由车主自付。"),
    ("水管爆了楼下被淹 谁赔", "水管爆裂请立刻关总阀，通知物业。"),
    ("who pays for the replacement key", "Parking is at the tenant's expense."),
    ("who pays for the replacement key", "A replacement key takes two days to cut."),
    ("who covers the customs duty on returns", "Returns are checked by the shop within a week."),
]


@pytest.mark.parametrize(("query", "text", "side"), SAID, ids=[f"{q}|{t}" for q, t, _ in SAID])
def test_the_payer_of_a_sentence(query, text, side):
    assert side_of(query, text) == side


@pytest.mark.parametrize(("query", "text"), UNREAD, ids=[f"{q}|{t}" for q, t in UNREAD])
def test_no_payer_of_something_else(query, text):
    assert side_of(query, text) == ""


def test_a_contract_says_who_its_parties_are():
    assert named_in("合同(甲方:房东;乙方:租客)", (), ()) == (("甲方", PROVIDER), ("乙方", CUSTOMER))
    text = "维修费由甲方承担。"
    assert payers(text, ())[0].side == CUSTOMER
    assert payers(text, (), (("甲方", PROVIDER),))[0].side == PROVIDER


def test_two_payers_of_the_question_stand_against_each_other():
    query = "电梯检测的钱物业出还是电梯厂出"
    assert side_of(query, "电梯检测的钱由物业承担。") != side_of(query, "电梯检测的钱由电梯厂承担。")


def test_the_maker_of_the_question_pays():
    assert side_of("澄付的调查费算谁的", "调查费由澄付承担。") == PROVIDER


def test_a_charge_that_is_forbidden_is_no_charge():
    assert side_of("过路费谁要付", "过路费已含在车资里，不得以任何名目再向乘客收取。") == PROVIDER


def test_another_cost_is_another_matter():
    assert other_cost("停车费由车主自付", "换表的钱谁出")
    assert not other_cost("换表费由用户承担", "换表的钱谁出")


@pytest.mark.parametrize("piece", ["甲方为", "由我司", "从公司福利金", "不得向", "half by you ", "the landlord's ", "算在"])
def test_hostile_text_costs_its_length(no_blow_up, endless, piece):
    with no_blow_up():
        payers(endless(piece), ("acme",), (("甲方", CUSTOMER),))
        named_in(endless(piece), (), ())
