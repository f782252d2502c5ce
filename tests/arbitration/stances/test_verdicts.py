"""Verdicts in the words that terms of service, shops and minutes use, by class of question.

Every sentence stands alone, as the hardest case: on a page its heading would help. What must not be read is here too.
"""

from __future__ import annotations

import pytest
from conftest import side_of

from ragclean.arbitration.stances.verdicts import classes_of, verdict_of

PERMISSION = [
    ("民宿能不能带猫啊", "本民宿谢绝一切宠物入内。", "no"),
    ("民宿能不能带猫啊", "小型犬及猫咪欢迎同住，押金退房即退。", "yes"),
    ("宿舍让不让用电饭锅", "电饭锅、热得快等大功率电器，宿舍内概不准使用。", "no"),
    ("宿舍让不让用电饭锅", "自九月起宿舍对八百瓦以下电饭锅予以放行。", "yes"),
    ("博物馆里可以开闪光灯拍照吗", "展厅内拍照请关闭闪光灯。", "no"),
    ("博物馆里可以开闪光灯拍照吗", "除特展外，展厅拍照不设限制，闪光灯亦可使用。", "yes"),
    ("高铁上能带活螃蟹吗", "活体水产一律不得带进车厢，螃蟹也在禁带之列。", "no"),
    ("考试可以带计算器吗", "计算器属于违禁物品，请勿带入考场。", "no"),
    ("考试可以带计算器吗", "允许携带无存储功能的计算器。", "yes"),
    ("帳篷區可不可以升火", "營區全面禁火，升火者請離場。", "no"),
    ("帳篷區可不可以升火", "使用焚火台者得於帳篷區升火。", "yes"),
    ("租的房子能自己刷墙吗", "未经出租方书面同意，承租人不得自行粉刷墙面。", "no"),
    ("can I bring my own wine to the hall?", "Guests are welcome to bring their own wine; corkage is waived.", "yes"),
    ("can I bring my own wine to the hall?", "Outside drinks, wine included, stay outside the hall.", "no"),
    ("are dogs allowed in the cafe garden?", "Dogs may join you in the garden on a short lead.", "yes"),
    ("are dogs allowed in the cafe garden?", "The garden is out of bounds for dogs.", "no"),
    ("ok to park a caravan overnight at the trailhead?", "Overnight stays in a caravan are banned at the trailhead.", "no"),
    ("ok to park a caravan overnight at the trailhead?", "Caravans can stand overnight at the trailhead for one night.", "yes"),
    ("do you let kids into the sauna?", "Kids are let into the sauna until five with a grown-up.", "yes"),
    ("am I allowed to sublet the room?", "Subletting the room is forbidden and ends the lease.", "no"),
    ("am I allowed to sublet the room?", "Tenants are free to sublet the room after three months.", "yes"),
    ("can i use my gym pass on sundays", "The off-peak pass is good on weekdays only.", "no"),
    ("can i use my gym pass on sundays", "Your gym pass opens the door seven days a week, Sundays too.", "yes"),
    ("图书馆自习室能吃东西吗", "自习室内请勿饮食，饮用水除外。", "no"),
    ("小区地下车库让停电动三轮吗", "电动三轮车一经发现停入地库，立即清走。", "no"),
    ("小区地下车库让停电动三轮吗", "地库B区划有专区，电动三轮车可停放。", "yes"),
    ("学校食堂外卖能进吗", "外卖骑手和外卖餐食均不入校，请到东门自取。", "no"),
    ("公证处可以代取公证书吗", "公证书可委托他人代取，带上委托书即可。", "yes"),
    ("公证处可以代取公证书吗", "公证书须由当事人领取，概不接受代领。", "no"),
    ("can we fly a drone over the reserve", "Drones are grounded across the whole reserve, licence or not.", "no"),
    ("can we fly a drone over the reserve", "Licensed pilots have our blessing to fly a drone over the reserve.", "yes"),
    ("is busking permitted on the pier", "Buskers are asked to keep off the pier.", "no"),
    ("is busking permitted on the pier", "Busking on the pier needs no licence these days.", "yes"),
    ("may I charge my e-scooter in the flat", "Charging e-scooters indoors is against the house rules.", "no"),
    ("may I charge my e-scooter in the flat", "E-scooters may be charged indoors while somebody is awake.", "yes"),
    ("景区里能骑共享单车吗", "共享单车止步于景区大门外。", "no"),
    ("景区里能骑共享单车吗", "景区环湖路对共享单车开放。", "yes"),
    ("学生能不能提前离校", "考试周学生不得提前离校。", "no"),
    ("can visitors take cuttings from the garden", "Visitors may not take cuttings, however small.", "no"),
    ("can I paint my front door red", "Front doors may be painted any colour from the chart, red included.", "yes"),
    ("can I paint my front door red", "Red front doors are not acceptable to the trust.", "no"),
]

COVERAGE = [
    ("冰箱压缩机坏了保修给不给换", "压缩机故障不列入换机范围，仅提供维修。", "no"),
    ("手机屏幕摔碎包不包修", "屏幕摔碎属人为损坏，不在免费维修之列。", "no"),
    ("手机屏幕摔碎包不包修", "首年内屏幕摔碎可享一次免费换屏。", "yes"),
    ("安装费算在套餐里吗", "套餐价已含上门安装。", "yes"),
    ("安装费算在套餐里吗", "安装另计，不含在套餐之中。", "no"),
    ("旅游险保不保滑雪受伤", "滑雪等高风险运动一概不赔。", "no"),
    ("旅游险保不保滑雪受伤", "滑雪事故被排除在外。", "no"),
    ("鞋底开胶三包管不管", "开胶不在三包责任内。", "no"),
    ("電池衰減保固有沒有包", "電池衰減視為正常耗損，恕不提供保固。", "no"),
    ("電池衰減保固有沒有包", "電池容量低於七成者，保固期內免費更換。", "yes"),
    ("刹车片磨损质保赔不赔", "刹车片等易损件不享受质保。", "no"),
    ("刹车片磨损质保赔不赔", "刹车片异常磨损的，质保予以更换。", "yes"),
    ("are wiper blades in the guarantee", "Wiper blades fall outside the guarantee.", "no"),
    ("are wiper blades in the guarantee", "Wiper blades come under the guarantee for six months.", "yes"),
    ("does the plan cover water damage", "Water damage is out of scope.", "no"),
    ("does the plan cover water damage", "Water damage is taken care of under the plan.", "yes"),
    ("is breakfast included in the flexi rate", "The flexi rate comes with breakfast for two.", "yes"),
    ("is breakfast included in the flexi rate", "Breakfast is extra on the flexi rate.", "no"),
    ("is breakfast included in the flexi rate", "Flexi rate guests can add breakfast for nine pounds.", "no"),
    ("seam split on my jacket, will they fix it free", "Split seams are repaired at no charge for the life of the jacket.", "yes"),
    ("seam split on my jacket, will they fix it free", "We no longer repair split seams without charge.", "no"),
    ("will my policy pay for a courtesy car", "A courtesy car is left out of the basic policy.", "no"),
    ("洗衣机门封发霉保修给修吗", "门封圈发霉属使用维护范畴，不享受保修。", "no"),
    ("洗衣机门封发霉保修给修吗", "两年内门封发霉，我们上门免费更换。", "yes"),
    ("行李箱轮子掉了终身质保算不算", "终身质保仅针对箱体开裂，轮子不算。", "no"),
    ("医保能不能报种植牙", "种植牙属自费项目。", "no"),
    ("医保能不能报种植牙", "种植牙的服务费已纳入医保支付。", "yes"),
    ("车险赔不赔爆胎", "附加轮胎险的，爆胎按实际损失赔付。", "yes"),
    ("套票含不含缆车", "套票不含缆车往返，请现场补票。", "no"),
    ("套票含不含缆车", "凭套票可免费乘坐缆车一次。", "yes"),
    ("does the service plan include tyres", "Tyres, batteries and wipers are excluded from the service plan.", "no"),
    ("does the service plan include tyres", "Two sets of tyres come as part of the service plan.", "yes"),
    ("will the insurer pay out for a flooded cellar", "Cellars are not something this policy pays out on when they flood.", "no"),
    ("will the insurer pay out for a flooded cellar", "A flooded cellar counts as an insured event.", "yes"),
    ("家财险保不保宠物咬坏沙发", "宠物造成的毁损不在承保范围。", "no"),
    ("家财险保不保宠物咬坏沙发", "附加宠物责任后，宠物咬坏沙发也能赔。", "yes"),
    ("眼镜镜片刮花给换吗", "镜片划痕属使用痕迹，不予更换。", "no"),
    ("眼镜镜片刮花给换吗", "九十天内镜片刮花，可免费换片一次。", "yes"),
    ("is hail damage covered by the solar warranty", "Hail damage lies beyond what the solar warranty covers.", "no"),
    ("is hail damage covered by the solar warranty", "Panels broken by hail are replaced under the solar warranty.", "yes"),
    ("does membership include the pool", "Pool access comes with every membership.", "yes"),
    ("does membership include the pool", "The pool is charged on top of membership.", "no"),
]

OBLIGATION = [
    ("办健身卡一定要本人到场吗", "办卡可由他人代办，本人不到场亦可。", "no"),
    ("办健身卡一定要本人到场吗", "办卡须本人亲自到场。", "yes"),
    ("体检前必须空腹吗", "体检前请保持空腹八小时。", "yes"),
    ("体检前必须空腹吗", "本次体检不抽血，体检前进食无妨。", "no"),
    ("体检前必须空腹吗", "体检当天空腹与否不作要求。", "no"),
    ("报税要不要交纸质发票", "纸质发票免交，电子影像即可。", "no"),
    ("报税要不要交纸质发票", "报税时应一并提交纸质发票原件。", "yes"),
    ("必须用原厂墨盒吗", "兼容墨盒也能用，不强制原厂。", "no"),
    ("必须用原厂墨盒吗", "本机只认原厂墨盒。", "yes"),
    ("do i have to register the bike", "Registration of the bike is voluntary.", "no"),
    ("do i have to register the bike", "Every bike is to be registered before first use.", "yes"),
    ("do i need a visa for a day trip to Orlen", "Day visitors to Orlen are exempt from the visa.", "no"),
    ("do i need a visa for a day trip to Orlen", "A visa is compulsory even for a day trip to Orlen.", "yes"),
    ("must i keep the box for a return", "You can return it without the box.", "no"),
    ("do we have to book the court", "Courts are first come, first served; booking is optional.", "no"),
    ("do we have to book the court", "The court must be booked a day ahead.", "yes"),
    ("改了配置要重启网关吗", "配置热加载，改动即时生效，免重启网关。", "no"),
    ("改了配置要重启网关吗", "网关改配置后须重启方可生效。", "yes"),
    ("租车要不要交押金", "租车押金已全面取消。", "no"),
    ("租车要不要交押金", "取车时须刷预授权作押金，两千元起。", "yes"),
    ("带猫坐火车必须打疫苗吗", "托运猫须出示疫苗接种证明。", "yes"),
    ("带猫坐火车必须打疫苗吗", "猫只作体表检查，疫苗本不看。", "no"),
    ("开发票要提供税号吗", "个人抬头无需税号。", "no"),
    ("开发票要提供税号吗", "不填税号的，系统不予开具。", "yes"),
    ("插件更新后要清缓存吗", "更新后务必清一遍缓存，不然样式会乱。", "yes"),
    ("插件更新后要清缓存吗", "新版自带版本戳，缓存会自己失效，用不着手动清。", "no"),
    ("do I have to be home for the meter reading", "Somebody over eighteen must be home to let the reader in.", "yes"),
    ("must the dog be muzzled on the ferry", "Muzzles for dogs are at the owner's discretion.", "no"),
    ("must the dog be muzzled on the ferry", "No dog boards without a muzzle.", "yes"),
    ("does the form have to be notarised", "We only take forms that have been notarised.", "yes"),
    ("进实验室要换鞋吗", "实验室门口备有鞋套，不换鞋者谢绝入内。", "yes"),
    ("进实验室要换鞋吗", "实验室已铺防静电地垫，不必换鞋。", "no"),
    ("do volunteers have to be vaccinated", "Vaccination is no longer a requirement for volunteers.", "no"),
    ("do volunteers have to be vaccinated", "Volunteers are expected to be vaccinated before their first shift.", "yes"),
    ("do I need to rinse cans before recycling", "Please rinse cans before recycling them.", "yes"),
]

SUPPORT = [
    ("这款充电头认不认第三方线", "第三方线材均可识别。", "yes"),
    ("这款充电头认不认第三方线", "第三方线插上不识别，只出5伏。", "no"),
    ("老款手表支持无线充电吗", "无线充电为新款独有，老款没有这个功能。", "no"),
    ("插件兼不兼容鸿蒙", "插件尚未适配鸿蒙。", "no"),
    ("插件兼不兼容鸿蒙", "插件自3.2起适配鸿蒙。", "yes"),
    ("打印机能连5G的wifi不", "本机仅有2.4G频段，5G的wifi搜不到。", "no"),
    ("does the Torva hub work with zigbee bulbs", "Zigbee bulbs pair with the Torva hub out of the box.", "yes"),
    ("does the Torva hub work with zigbee bulbs", "The Torva hub speaks Thread only, zigbee bulbs will not pair.", "no"),
    ("is the dock compatible with linux laptops", "The dock has no linux driver.", "no"),
    ("is the dock compatible with linux laptops", "Linux laptops run the dock without extra drivers.", "yes"),
    ("can the scanner read pdf417 codes", "Since firmware 2 the scanner reads pdf417 codes.", "yes"),
    ("does export to csv work on the lite plan", "Export to csv has been removed from the lite plan.", "no"),
    ("does export to csv work on the lite plan", "Lite plan: csv export unlocked.", "yes"),
    ("平板能接外接显示器不", "外接显示器功能已随3.0开放，C口直连即可。", "yes"),
    ("平板能接外接显示器不", "该机C口只走USB 2.0，带不动外接显示器。", "no"),
    ("does the reader open epub files", "Epub is the one format it cannot open.", "no"),
    ("will the old dock charge the new laptop", "The old dock tops out at 45 W and will not charge the new laptop.", "no"),
    ("will the old dock charge the new laptop", "Your old dock keeps charging the new laptop, only slower.", "yes"),
    ("这款耳机能同时连两台设备吗", "耳机支持双设备同时连接，切换无感。", "yes"),
    ("这款耳机能同时连两台设备吗", "耳机同一时间仅可连一台设备。", "no"),
    ("旧手机装得了新版App吗", "旧手机也能装新版App，只是动画会少一些。", "yes"),
    ("充电宝可以边充边放不", "充电宝允许边充边放。", "yes"),
    ("导出的时候支不支持带公式", "导出暂不带公式，只导数值。", "no"),
    ("导出的时候支不支持带公式", "导出已支持保留公式。", "yes"),
    ("小程序里收银台认外币卡吗", "收银台目前不认外币卡。", "no"),
    ("小程序里收银台认外币卡吗", "外币卡可在收银台直接使用。", "yes"),
    ("空调能接米家吗", "空调出厂即可接入米家。", "yes"),
    ("空调能接米家吗", "这一代空调没有接入米家的计划。", "no"),
    ("can the camera record while charging", "The camera keeps recording while charging.", "yes"),
    ("can the camera record while charging", "Recording is disabled while the camera is charging.", "no"),
    ("does the lamp dim with a wall dimmer", "The lamp is not dimmable from the wall.", "no"),
    ("does the lamp dim with a wall dimmer", "Any wall dimmer made after 2015 works with the lamp.", "yes"),
    ("will the app run on an older tablet", "Older tablets are no longer supported by the app.", "no"),
    ("will the app run on an older tablet", "The app still runs on older tablets.", "yes"),
    ("does the API allow bulk delete", "Bulk delete was added to the API in v3.", "yes"),
    ("does the API allow bulk delete", "The API offers no bulk delete.", "no"),
    ("is the lens compatible with the mark ii body", "The lens fits the mark ii body without an adapter.", "yes"),
    ("is the lens compatible with the mark ii body", "On the mark ii body the lens will not mount.", "no"),
]

RECOVERY = [
    ("误删的相册还能恢复吗", "相册删除后即永久清除，无从找回。", "no"),
    ("误删的相册还能恢复吗", "误删的相册三十天内可从回收站找回。", "yes"),
    ("账号注销了还能弄回来不", "注销不可逆，账号数据随即销毁。", "no"),
    ("账号注销了还能弄回来不", "注销后七日内登录即可撤销注销、账号复原。", "yes"),
    ("年卡能转给朋友用吗", "年卡仅限本人使用，转借无效。", "no"),
    ("年卡能转给朋友用吗", "年卡可过户一次，手续费二十元。", "yes"),
    ("演唱会门票买错了能退吗", "门票售出恕不退换。", "no"),
    ("演唱会门票买错了能退吗", "开演前48小时可办理退票。", "yes"),
    ("定金还能拿回来吗", "定金不退，请慎重下单。", "no"),
    ("定金还能拿回来吗", "定金在排产前可全额退还。", "yes"),
    ("积分过期了能补回来吗", "过期积分不予补发。", "no"),
    ("is the season pass transferable", "The season pass is personal to the holder.", "no"),
    ("is the season pass transferable", "You may hand the season pass on to a family member.", "yes"),
    ("can I get my deposit back if I cancel", "The deposit is non-refundable on cancellation.", "no"),
    ("can I get my deposit back if I cancel", "Cancel a week ahead and the deposit is returned in full.", "yes"),
    ("can a deleted board be brought back", "Deletion of a board is final.", "no"),
    ("can a deleted board be brought back", "A deleted board can be restored from the bin for 14 days.", "yes"),
    ("can I change the name on the ticket", "Name changes on tickets are not possible.", "no"),
    ("can I change the name on the ticket", "The name on a ticket can be swapped up to noon.", "yes"),
    ("清空回收站的文件还找得回来吗", "回收站清空后文件不再保留，任何人都找不回。", "no"),
    ("清空回收站的文件还找得回来吗", "回收站清空七日内，管理员可后台捞回。", "yes"),
    ("优惠券过期能延期吗", "逾期的券概不延期、不补发。", "no"),
    ("优惠券过期能延期吗", "过期三天内联系客服，可顺延一周。", "yes"),
    ("课程名额能让给同事吗", "名额可在开课前转让一次。", "yes"),
    ("课程名额能让给同事吗", "名额与学号绑定，不得转让他人。", "no"),
    ("can unused days be carried into next year", "Unused days lapse on 31 December.", "no"),
    ("can unused days be carried into next year", "Up to five unused days roll over into next year.", "yes"),
    ("can I undo a sent invoice", "Once sent, an invoice is locked for good.", "no"),
    ("can I undo a sent invoice", "A sent invoice may be pulled back within the hour.", "yes"),
    ("寄错的快递还能追回来吗", "快递一经签收，无法追回。", "no"),
    ("会员能中途停吗", "会员开通后不支持中途停用。", "no"),
    ("会员能中途停吗", "会员每年可暂停一次。", "yes"),
    ("can I swap my seat after check-in", "Seats are fixed once you have checked in.", "no"),
    ("can I swap my seat after check-in", "You can move to another seat after check-in at the gate.", "yes"),
]

#: On another matter, or without a verdict.
UNREAD = [
    ("鞋底开胶三包管不管", "开胶系穿着不当所致的概不负责。"),
    ("民宿能不能带猫啊", "早餐可以送到房间，请前一晚告诉前台。"),
    ("民宿能不能带猫啊", "停车场不得停放货车。"),
    ("宿舍让不让用电饭锅", "宿舍热水全天供应，不限量。"),
    ("are dogs allowed in the cafe garden?", "The garden opens at ten and closes at dusk."),
    ("are dogs allowed in the cafe garden?", "Smoking is not allowed anywhere indoors."),
    ("旅游险保不保滑雪受伤", "航班延误四小时以上可赔付三百元。"),
    ("旅游险保不保滑雪受伤", "滑雪前请热身，初学者别上高级道。"),
    ("手机屏幕摔碎包不包修", "电池鼓包可以免费更换。"),
    ("does the plan cover water damage", "Cracked screens are covered once a year."),
    ("is breakfast included in the flexi rate", "Dinner is included for members of the club."),
    ("误删的相册还能恢复吗", "联系人备份可以在云端找回。"),
    ("演唱会门票买错了能退吗", "儿童不可入场，请勿携带饮料。"),
    ("老款手表支持无线充电吗", "老款手表不支持游泳佩戴。"),
    ("can the scanner read pdf417 codes", "The scanner cannot be charged while it is in the cradle."),
    ("do i have to register the bike", "You must wear a helmet."),
    ("体检前必须空腹吗", "体检报告须凭身份证领取。"),
    ("年卡能转给朋友用吗", "年卡可在官网续费。"),
    ("can I get my deposit back if I cancel", "You can cancel online at any time."),
    ("合租房能装摄像头吗", "公共区域装摄像头，须经全体租客书面同意。"),
    ("医保能不能报种植牙", "种植牙手术后一周内不要吃硬物。"),
    ("车险赔不赔爆胎", "爆胎时握紧方向盘，不要急刹。"),
    ("月租里包水电吗", "房东可以提前一个月通知退租。"),
    ("is the zip on my tent under warranty", "Open the zip slowly and never force it."),
    ("can we fly a drone over the reserve", "The reserve is open from dawn and no tickets are needed."),
    ("平板能接外接显示器不", "平板可以先充十分钟再开机。"),
    ("课程名额能让给同事吗", "课程可以回看三遍，讲义不能下载。"),
    ("must the dog be muzzled on the ferry", "The ferry must be boarded ten minutes early."),
    ("can I undo a sent invoice", "You can download an invoice as a PDF."),
    ("露營區可以帶狗嗎", "營區晚上十點後請勿喧嘩。"),
    ("图书馆自习室能吃东西吗", "自习室座位可以提前一天预约。"),
    ("do I have to be home for the meter reading", "You must pay the bill within 14 days."),
    ("这款耳机能同时连两台设备吗", "耳机可以放进充电仓收纳。"),
    ("空调能接米家吗", "空调不能装在床头正上方。"),
    ("can the camera record while charging", "The camera cannot be used under water."),
    ("does membership include the pool", "Membership can be cancelled at any time."),
    ("进实验室要换鞋吗", "实验室必须保持通风。"),
    ("家财险保不保宠物咬坏沙发", "火灾、爆炸造成的损失可以赔付。"),
    ("does the lamp dim with a wall dimmer", "The lamp is not suitable for bathrooms."),
]

ALL = [*PERMISSION, *COVERAGE, *OBLIGATION, *SUPPORT, *RECOVERY]


@pytest.mark.parametrize(("query", "text", "side"), ALL, ids=[f"{q}|{t}" for q, t, _ in ALL])
def test_the_verdict_of_a_sentence(query, text, side):
    assert side_of(query, text) == side


@pytest.mark.parametrize(("query", "text"), UNREAD, ids=[f"{q}|{t}" for q, t in UNREAD])
def test_no_verdict_on_another_matter(query, text):
    assert side_of(query, text) == ""


def test_a_word_of_a_class_says_nothing_elsewhere():
    assert verdict_of("breakfast is extra", frozenset(("coverage",)), "can").sign == -1
    assert verdict_of("breakfast is extra", frozenset(("support",)), "can") is None


def test_the_classes_of_a_question():
    assert "coverage" in classes_of("手机屏幕摔碎包不包修")
    assert "recovery" in classes_of("is the season pass transferable")
    assert "coverage" not in classes_of("can i bring my dog")


def test_a_clause_without_a_subject_speaks_of_the_one_before():
    assert side_of("寝室让不让用电饭锅", "电饭锅、热得快一类，寝室内一律不得使用。") == "no"
    assert side_of("寝室让不让用电饭锅", "电饭锅请登记；走廊里一律不得停放单车。") != "no"


def test_a_case_set_apart_is_no_rule():
    assert side_of("鞋底开胶三包管不管", "开胶系穿着不当所致的，概不负责。") == ""


@pytest.mark.parametrize("piece", ["不", "不得", "没有", "without a ", "no no ", "只能", "包", "除", "the the not "])
def test_hostile_text_costs_its_length(no_blow_up, endless, piece):
    classes = frozenset(("coverage", "permission", "support", "recovery"))
    with no_blow_up():
        for modal in ("can", "need"):
            verdict_of(endless(piece), classes, modal)


def test_what_is_refused_is_what_follows():
    query = "归档的开关还能恢复吗"
    assert side_of(query, "真正找不回来的是彻底删除；仅仅归档的，随时可以点还原。") == "yes"


def test_without_it_all_the_same_is_a_grant():
    assert side_of("捞不到残骸还能换吗", "捞不到残骸也能换，上传日志就行。") == "yes"


def test_the_end_of_a_question_asks_whatever_numbers_stand_before():
    query = "季卡都刷过几次了，腿摔骨折了，能转给我老婆不"
    assert side_of(query, "持卡人骨折的，凭证明可将季卡转给配偶。") == "yes"


@pytest.mark.parametrize(("text", "side"), [
    ("绒伴：犬窝咳不再列入除外责任，按医疗责任给付。", "yes"),
    ("绒伴：犬窝咳、犬细小病毒病等可通过疫苗预防的传染病，不予赔付；", "no"),
    ("绒伴：犬窝咳除外。", ""),
])
def test_an_exclusion_that_is_lifted_grants_and_what_is_told_in_passing_does_not(text, side):
    assert side_of("绒伴宠物险犬窝咳赔不赔？", text) == side


def test_what_may_be_done_with_what_stands_behind_is_granted():
    assert side_of("车开走了，票还能改签不", "误车的能改签当天后面的车。") == "yes"
