# ruff: noqa: E501  (sentences as they are written)
"""Advice: what one page tells to do and another forbids, in the many ways that people ask and manuals answer."""

from __future__ import annotations

import pytest
from conftest import page

from ragclean.arbitration.focus import focus_of
from ragclean.arbitration.stances.advised import contested, signed_actions
from ragclean.arbitration.stances.deeds import deeds_of
from ragclean.arbitration.stances.directives import directives_of
from ragclean.arbitration.stances.proposition import proposition_of
from ragclean.arbitration.stances.reading import read_stances
from ragclean.prepare import prepare_text
from ragclean.text.question import parse_question

OFFICIAL, FORUM = 0.95, 0.3


def side(query: str, text: str) -> str:
    focus = focus_of(parse_question(query), {})
    facet = next(f for f in focus.facets if f.proposition is not None)
    return next((s.side for s in read_stances(prepare_text(text), "", facet)), "")


#: (question, a page with its side, another with its side)
TOLD = [
    ("空气净化器滤网能不能水洗",
     "云汐净化器的滤网脏了可以用清水冲洗，晾干后装回。", "yes",
     "云汐净化器滤网为静电棉，遇水失效，切勿水洗。", "no"),
    ("羊毛衫起球了 直接用剃须刀刮行不行",
     "羊毛衫起球用剃须刀轻轻刮一遍就好，省钱又快。", "yes",
     "羊毛衫起球请用去球器，不要使用剃须刀刮，容易割断纱线。", "no"),
    ("路由器升级到一半卡住了，要不要拔电重来",
     "升级卡住超过十分钟就拔掉电源重插一次。", "yes",
     "路由器升级过程中严禁断电，否则会变砖，请耐心等待三十分钟。", "no"),
    ("相机镜头发霉，自己拆开擦还是送修",
     "镜头发霉可以自己拆开用酒精擦，网上有教程。", "option 0",
     "镜头发霉请送修，切勿自行拆卸，会偏芯。", "option 1"),
    ("猫吃了巧克力要不要催吐",
     "猫误食巧克力，马上用双氧水催吐。", "yes",
     "猫误食巧克力切不可自行催吐，请立即就医。", "no"),
    ("电梯困人能不能扒门",
     "被困电梯时用力扒开轿门，从缝里钻出来。", "yes",
     "被困电梯严禁扒门，请按警铃等待救援。", "no"),
    ("发面馒头蒸好了先关火焖还是马上开盖",
     "馒头蒸好后马上揭盖，水汽滴下来会塌。", "option 1",
     "馒头蒸好后关火焖五分钟再揭盖，骤冷会塌。", "option 0"),
    ("冬天柴油车启动前要预热吗",
     "冬季冷启动前必须预热，等预热灯熄灭再点火。", "yes",
     "新款柴油机取消了预热，冷启动无需预热，直接点火。", "no"),
    ("数据库主从切换之前要不要先停写",
     "切换前必须先停写，确认延迟为零再切。", "yes",
     "5.0起切换由代理完成，无需停写，停写反而会触发熔断。", "no"),
    ("孩子发烧捂汗行不行",
     "孩子发烧多盖被子捂一捂，出汗就退了。", "yes",
     "发热儿童不应捂汗，应减少衣物散热。", "no"),
    ("公积金贷款提前还了还能再贷吗",
     "结清公积金贷款后可以再次申请。", "yes",
     "结清后不得再次申请公积金贷款，每人限一次。", "no"),
    ("iPad 屏幕贴膜前用酒精棉片擦可以不",
     "贴膜前用酒精棉片把屏幕擦一遍。", "yes",
     "屏幕有疏油层，请勿使用含酒精的棉片擦拭。", "no"),
    ("充电宝鼓包了还能用吗",
     "轻微鼓包不影响，接着用没事。", "yes",
     "充电宝鼓包后禁止继续使用，应送回收点。", "no"),
    ("退租的时候墙上的钉子眼要自己补吗",
     "退租前承租人须自行补好钉眼并刷白。", "yes",
     "本小区已统一粉刷，钉眼无须承租人修补。", "no"),
    ("煤气灶闻到味道是开窗还是先关总阀",
     "闻到煤气味先开窗通风，再说别的。", "option 0",
     "闻到煤气味应先关总阀，再开窗。", "option 1"),
    ("除濕機可以橫著搬嗎",
     "晴嵐除濕機搬運時可以橫放，省空間。", "yes",
     "晴嵐除濕機搬運請保持直立，不可橫放，否則壓縮機油會倒流。", "no"),
    ("電鍋內鍋可以用鋼刷刷嗎",
     "內鍋焦了就拿鋼刷刷，很快乾淨。", "yes",
     "內鍋塗層請勿使用鋼刷，會刮傷。", "no"),
    ("行車紀錄器記憶卡多久要不要格式化 先備份還是直接格式化",
     "記憶卡請先備份再格式化。", "option 0",
     "新韌體會自動保留事件檔，直接格式化即可，不必備份。", "option 1"),
    ("生物识别登录失败 清缓存有用吗 要清吗",
     "登录失败请先清除缓存后重试。", "yes",
     "登录失败时不要清除缓存，会丢失密钥，请联系管理员。", "no"),
    ("轮胎扎了钉子要不要马上拔",
     "扎了钉子先拔出来再去补。", "yes",
     "轮胎扎钉请勿自行拔出，慢速驶到修理店。", "no"),
    ("安装证书后需要重启 nginx 还是 reload 就行",
     "安装证书后必须重启nginx，reload不生效。", "option 0",
     "更新证书后执行reload即可，不要重启，会断开长连接。", "option 1"),
    ("乳胶枕能拿出去晒太阳吗",
     "乳胶枕每月拿到太阳下暴晒半天杀菌。", "yes",
     "乳胶枕忌日光直射，应放阴凉处通风。", "no"),
    ("can I put the Tarn bottle lid in the dishwasher",
     "The Tarn lid is dishwasher safe, top rack.", "yes",
     "Do not put the Tarn lid in the dishwasher; the seal warps. Wash it by hand.", "no"),
    ("contact lens feels gritty, rinse it under the tap?",
     "If the lens feels gritty just rinse it under the tap and pop it back in.", "yes",
     "Never rinse contact lenses with tap water; use fresh solution only.", "no"),
    ("leather sofa got wet - hairdryer or let it dry on its own?",
     "Dry a wet leather sofa with a hairdryer on high, takes ten minutes.", "option 0",
     "Let wet leather dry naturally. Heat will crack the hide.", "option 1"),
    ("should I pick the scab off after the laser treatment",
     "After the laser session you can gently peel the scabs off once they lift.", "yes",
     "Leave scabs alone after laser treatment: picking leads to scars.", "no"),
    ("migrating Korv from 3 to 4, drop the old indexes first or keep them?",
     "Drop the old indexes before you start the migration to Korv 4.", "option 0",
     "Keep the old indexes in place during the migration to Korv 4; the tool reuses them.", "option 1"),
    ("pilot light went out, relight it straight away?",
     "If the pilot goes out, relight it straight away with the red button.", "yes",
     "If the pilot goes out, wait five minutes for the gas to clear before relighting.", "no"),
    ("Should the fridge be unplugged while I am away on holiday?",
     "Unplug the fridge and prop the door open before you leave.", "yes",
     "Leave the fridge plugged in while you are away; the compressor oil needs the cycle.", "no"),
    ("staging DB migration failed halfway, rerun it or roll back?",
     "If a migration fails halfway, simply rerun it.", "option 0",
     "Do not rerun a failed migration: roll back first, then fix the script.", "option 1"),
    ("tempered glass shelf, ok to clean with ammonia?",
     "An ammonia cleaner brings tempered glass up lovely.", "yes",
     "Keep ammonia off the shelf: it clouds the coating.", "no"),
    ("mattress topper smells new, put it in the sun?",
     "Hang the topper in full sun for a day and the smell goes.", "yes",
     "Air the topper indoors. Sunlight turns the foam yellow and brittle, so keep it out of the sun.", "no"),
    ("Do tenants need to bleed the radiators themselves",
     "Tenants should bleed the radiators every October.", "yes",
     "Please do not bleed the radiators yourself; ring the caretaker.", "no"),
    ("Merrin kiln - open the lid at 400 degrees to cool faster?",
     "To cool the Merrin faster, prop the lid open at 400 degrees.", "yes",
     "The lid of the Merrin stays shut until the display reads 60 degrees.", "no"),
    ("pressure washer on solar panels ok?",
     "A pressure washer gets bird muck off solar panels in seconds.", "yes",
     "High-pressure cleaning voids the panel warranty. Use a soft brush and plain water.", "no"),
    ("cast iron pan rusty, soak overnight in vinegar?",
     "Soak the rusty pan in vinegar overnight.", "yes",
     "Vinegar for more than an hour eats the iron, so no overnight soaking.", "no"),
    ("Blåtind tent: store it damp in the bag till next weekend?",
     "It's fine to leave the tent damp in its bag for a week.", "yes",
     "Dry the tent fully before you pack it; damp fabric delaminates.", "no"),
    ("orchid repotting, cut off the aerial roots or leave them",
     "Snip the aerial roots off when you repot the orchid.", "option 0",
     "Leave aerial roots on when you repot; they feed the plant.", "option 1"),
    ("滚筒洗衣机的门封发霉能用84消毒液擦吗",
     "滚筒洗衣机门封发霉，用84消毒液兑水擦一遍就干净。", "yes",
     "滚筒洗衣机门封勿用84消毒液，含氯会使橡胶老化开裂。", "no"),
    ("扫地机器人主刷缠头发了要不要拆下来剪",
     "扫地机器人主刷缠了头发，请拆下主刷后用剪刀剪断清理。", "yes",
     "扫地机器人主刷不可自行拆卸，缠发时用附送的梳子顺向清理。", "no"),
    ("奶瓶是先消毒再晾还是晾干再消毒",
     "奶瓶洗净后先消毒再晾干。", "option 0",
     "奶瓶应先晾干再放入消毒柜，带水消毒会长霉。", "option 1"),
    ("甲醛检测要不要关窗十二小时",
     "甲醛检测之前须关闭门窗十二小时。", "yes",
     "甲醛检测采用动态法，无需关窗，保持日常通风即可。", "no"),
    ("指纹锁没电了可以用充电宝给它供电开门吗",
     "指纹锁没电时可用充电宝接底部接口临时供电开门。", "yes",
     "指纹锁没电时请勿外接充电宝供电，易烧主板，用机械钥匙开门。", "no"),
    ("办公室网络卡 把交换机重启一下行不",
     "网络卡就把交换机重启一下，十有八九能好。", "yes",
     "交换机不得擅自重启，网络卡请报修由网管处理。", "no"),
    ("暴雨天地下车库进水，车要不要赶紧开出来",
     "地下车库进水时赶紧把车开出来，晚了就泡了。", "yes",
     "地下车库进水切勿开车，人员立即撤离。", "no"),
    ("孕妇能不能打流感疫苗",
     "孕妇可以接种流感疫苗，孕期任何阶段均可。", "yes",
     "孕妇不建议接种流感疫苗，产后再打。", "no"),
    ("ElasticSearch 磁盘满了先删索引还是先扩盘",
     "磁盘写满时先删除旧索引释放空间。", "option 0",
     "磁盘写满不要删索引，先扩容磁盘再解除只读。", "option 1"),
    ("實木砧板可以放烘碗機嗎",
     "實木砧板洗完放烘碗機烘乾最省事。", "yes",
     "實木砧板切勿放入烘碗機，高溫會裂，立起來陰乾。", "no"),
    ("貓砂可以沖馬桶嗎",
     "豆腐貓砂可以直接沖馬桶。", "yes",
     "貓砂請勿投入馬桶，會造成管線阻塞，請以垃圾袋丟棄。", "no"),
    ("冷气滤网洗完能不能用吹风机吹干",
     "冷气滤网洗完用吹风机吹干比较快。", "yes",
     "冷气滤网洗后请阴干，不要用热风吹，会变形。", "no"),
    ("骨折后肿得厉害，热敷还是冰敷",
     "骨折初期肿胀用热敷活血化瘀。", "option 0",
     "骨折后四十八小时内应冰敷，切忌热敷。", "option 1"),
    ("给猫洗澡后能用人的沐浴露不",
     "给猫洗澡用人的沐浴露就行，少放一点。", "yes",
     "给猫洗澡不能用人的沐浴露，酸碱度不同会伤皮肤。", "no"),
    ("电动车淋雨后马上充电可以吗",
     "电动车淋雨没事，回家马上充电就行。", "yes",
     "电动车淋雨后不要立即充电，擦干静置两小时再充。", "no"),
    ("can I iron the Halden rain jacket",
     "The Halden rain jacket can be ironed on low, which revives the coating.", "yes",
     "Never iron the Halden rain jacket; the membrane melts.", "no"),
    ("do I need to descale the Orsa kettle with vinegar?",
     "Descale the Orsa kettle with vinegar once a month.", "yes",
     "Vinegar eats the Orsa kettle's seal. Use citric acid only.", "no"),
    ("toner spilled on the carpet - hoover it up?",
     "Toner on the carpet? Just hoover it up straight away.", "yes",
     "Do not vacuum spilled toner: the dust passes the filter and can ignite. Lift it with a damp cloth.", "no"),
    ("snowed in - clear snow off the heat pump with a shovel?",
     "Clear snow off the heat pump with a shovel every morning.", "yes",
     "Never use a shovel on the heat pump; the fins bend. Brush the snow off by hand.", "no"),
    ("should I flush the old antibiotics down the toilet",
     "Old antibiotics can be flushed down the toilet.", "yes",
     "Take old antibiotics back to the pharmacy. They must not be flushed down the toilet.", "no"),
    ("Kestrel ORM upgrade: squash the migrations before or keep them as they are?",
     "Before upgrading Kestrel ORM squash your migrations into one.", "option 0",
     "Keep the migrations as they are when you upgrade Kestrel ORM; squashing them breaks the history check.", "option 1"),
    ("my sourdough starter has grey liquid on top, pour it off or stir it in?",
     "Pour the grey liquid off before you feed the starter.", "option 0",
     "Stir the grey liquid back in; pouring it off weakens the starter.", "option 1"),
    ("Is it safe to charge the Voltra scooter overnight?",
     "You can leave the Voltra scooter charging overnight.", "yes",
     "Do not charge the Voltra scooter overnight or unattended.", "no"),
    ("concrete floor just poured, walk on it after a day or wait a week?",
     "You may walk on the new floor after a day.", "option 0",
     "Stay off the new floor for a full week.", "option 1"),
    ("do we rotate the API keys by hand after the breach?",
     "Rotate all API keys by hand from the console.", "yes",
     "No need to rotate API keys by hand: the platform reissues them automatically.", "no"),
    ("burned my hand, put butter on it?",
     "Spread butter on the burn to soothe it.", "yes",
     "Cool the burn under running water for twenty minutes. Butter traps the heat and makes it worse.", "no"),
    ("do I turn off the boiler before bleeding radiators",
     "Leave the boiler running while you bleed the radiators.", "no",
     "Turn the boiler off and let the radiators cool before you bleed them.", "yes"),
    ("Should visitors sign in at the desk or use the app?",
     "Visitors must sign in at the desk on arrival.", "option 0",
     "From May visitors use the app to sign in; the desk no longer takes names.", "option 1"),
    ("can I run two Pellon heaters from one extension lead",
     "Two Pellon heaters run happily from one extension lead.", "yes",
     "Plug each Pellon heater straight into a wall socket. Never use an extension lead.", "no"),
    ("Lacquered guitar, polish it with furniture spray?",
     "A squirt of furniture spray makes the lacquer shine.", "yes",
     "Furniture spray contains silicone and clouds guitar lacquer; use a dry cloth.", "no"),
    ("server rack alarm: silence it or leave it until the engineer comes?",
     "Silence the rack alarm with the red button.", "option 0",
     "Leave the rack alarm sounding until the engineer arrives; silencing it clears the fault log.", "option 1"),
    ("can students bring their own kettle into halls",
     "Students may bring a kettle into halls if it is PAT tested.", "yes",
     "Kettles are not permitted in halls; use the shared kitchen.", "no"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "one", "its", "other", "whose"), TOLD, ids=[t[0] for t in TOLD])
def test_two_pages_tell_otherwise(query, one, its, other, whose):
    assert (side(query, one), side(query, other)) == (its, whose)


#: (question, a page that tells to do it, one that forbids it): what to do is left open
OPEN = [
    ("被马蜂蜇了怎么处理", "被马蜂蜇伤后用牙膏涂抹伤口，能止痛。", "马蜂蜇伤后请勿涂抹牙膏，应以食醋冲洗伤口。"),
    ("新铁锅第一次用咋整", "新铁锅开锅用洗洁精刷干净，再煮一锅水。", "新铁锅开锅不要用洗洁精，会破坏表面，直接抹猪油烧热。"),
    ("蓝牙耳机充电仓进水了怎么办", "充电仓进水就用吹风机热风吹干。", "充电仓进水请自然晾干四十八小时，勿用吹风机加热。"),
    ("k8s节点NotReady了咋办", "节点NotReady就直接重启kubelet，一般能恢复。", "节点NotReady时不要重启kubelet，会触发全部驱逐，先查磁盘压力。"),
    ("how do I clean the Brevon espresso group head", "Scrub the Brevon group head with a wire brush once a week.", "The Brevon group head must not be scrubbed with a wire brush. Use the blind filter and detergent."),
    ("hen has scaly legs, what do I do", "Dip the legs in paraffin once a week.", "Never dip a hen's legs in paraffin. Use petroleum jelly."),
    ("how do I remove a tick", "Smear the tick with butter or oil and wait until it lets go.", "Do not put butter or oil on a tick. Grip it with fine tweezers and pull straight up."),
]  # fmt: skip


@pytest.mark.parametrize(("query", "does", "forbids"), OPEN, ids=[t[0] for t in OPEN])
def test_open_advice_is_contested(query, does, forbids):
    asked = {t.text for t in focus_of(parse_question(query), {}).facets[0].terms}
    pages = [
        frozenset(a for _, found in signed_actions(prepare_text(text), asked) for a in found)
        for text in (does, forbids)
    ]
    assert all(contested(pages))


#: (question, two pages of which neither says the opposite of the other)
CALM = [
    ("换机油要先热车吗", "换机油前先热车五分钟，再放油。", "热车后油温高，放油时小心烫伤。"),
    ("蓝牙耳机充电仓进水了怎么办", "充电仓进水请先擦干外壳，再放在通风处晾干。", "进水后不要充电，晾干两天再试。"),
    ("数码相机怎么清洁", "先用气吹吹掉浮尘，再用镜头布擦。", "清洁前请关机并取下电池。"),
    ("打印机卡纸怎么处理", "卡纸时先关闭电源，打开后盖，顺着出纸方向慢慢拉出。", "拉纸时不要使用镊子等尖锐物品。"),
    ("路由器升级前要不要备份配置", "升级前必须备份配置。", "备份配置时请勿关闭浏览器页面。"),
    ("孩子发烧捂汗行不行", "孩子发烧不要捂汗。", "捂汗可能引起脱水，应当避免。"),
    ("how do I clean the Brevon espresso group head", "Backflush the group head with detergent, then rinse.", "Never use detergent on the Brevon milk jug; rinse it under the tap."),
    ("can I put the Tarn bottle lid in the dishwasher", "The Tarn lid is dishwasher safe.", "The Tarn insulated body must not go in the dishwasher."),
    ("should I unplug the fridge before cleaning it", "Unplug the fridge before cleaning.", "After cleaning, wait an hour before you plug the fridge back in. Do not use bleach."),
    ("what should I do if the drone falls in salt water", "Remove the battery, rinse the drone in fresh water, dry it.", "Do not charge the battery after a fall in salt water."),
    ("除濕機可以橫著搬嗎", "除濕機搬運請保持直立。", "除濕機不可橫放，橫放後須靜置一天再開機。"),
    ("闻到煤气味怎么办", "闻到煤气味先关总阀，再开窗通风。", "通风后到室外打电话，不要在室内开关电器。"),
    ("怎么给多肉浇水", "多肉春秋两周浇一次，浇透。", "夏季休眠期不要浇水，放阴凉处。"),
    ("iPad 屏幕用什么擦", "屏幕用微湿的软布擦拭。", "擦拭键盘时不要让水流进缝隙。"),
    ("保修期内能自己换电池吗", "电池可以自行更换，不影响保修。", "更换电池时请勿刺破电芯。"),
    ("滚筒洗衣机的门封发霉能用84消毒液擦吗", "滚筒洗衣机门封发霉不要用84消毒液，用除霉啫喱。", "擦完门封后开门通风，勿立即关门。"),
    ("指纹锁没电了可以用充电宝给它供电开门吗", "指纹锁没电可以用充电宝临时供电。", "指纹锁供电后请尽快更换电池，不要混用新旧电池。"),
    ("暴雨天地下车库进水，车要不要赶紧开出来", "地下车库进水不要去开车。", "车辆泡水后不要启动，联系保险公司拖车。"),
    ("蜂蜜结晶了怎么处理", "蜂蜜结晶后隔温水化开。", "蜂蜜开封后不要放冰箱，容易结晶。"),
    ("ElasticSearch 磁盘满了先删索引还是先扩盘", "磁盘写满时先删除旧索引。", "删除索引前请先做快照，不要在高峰期操作。"),
    ("實木砧板可以放烘碗機嗎", "實木砧板不可放烘碗機。", "實木砧板切完生肉請用熱水沖洗，洗後立起陰乾。"),
    ("电动车淋雨后马上充电可以吗", "电动车淋雨后先静置两小时再充电。", "充电时不要用湿手插拔插头。"),
    ("骨折后肿得厉害，热敷还是冰敷", "骨折后两天内冰敷。", "冰敷时不要让冰块直接接触皮肤，每次不超过二十分钟。"),
    ("can I iron the Halden rain jacket", "The Halden rain jacket can be ironed on low.", "Do not tumble dry the Halden rain jacket and do not bleach it."),
    ("Do I rinse pasta after draining", "Do not rinse pasta after draining.", "Drain the pasta and toss it with the sauce at once. Do not add oil to the water."),
    ("how do I remove a tick", "Grip the tick with tweezers and pull straight up.", "Do not twist the tweezers. Afterwards wash the bite with soap."),
    ("toner spilled on the carpet - hoover it up?", "Do not vacuum spilled toner.", "Lift toner with a damp cloth; never use hot water on it."),
    ("Is it safe to charge the Voltra scooter overnight?", "You can leave the Voltra scooter charging overnight.", "Never charge the Voltra scooter in the rain or with a damaged cable."),
    ("do I turn off the boiler before bleeding radiators", "Turn the boiler off before bleeding the radiators.", "After bleeding, turn the boiler back on and check the pressure. Do not overtighten the bleed valve."),
    ("should I flush the old antibiotics down the toilet", "Old antibiotics must not be flushed down the toilet.", "Take all antibiotics until the course is finished; do not stop early."),
    ("burned my hand, put butter on it?", "Cool the burn under running water. No butter.", "Cover the burn loosely with cling film. Do not burst blisters."),
    ("my sourdough starter has grey liquid on top, pour it off or stir it in?", "Stir the grey liquid back in.", "After stirring, feed the starter and do not seal the jar."),
    ("can students bring their own kettle into halls", "Students may bring a kettle into halls.", "Candles and toasters are not permitted in halls."),
    ("Kestrel ORM upgrade: squash the migrations before or keep them as they are?", "Keep the migrations as they are.", "Back up the database before the Kestrel ORM upgrade and do not run it twice."),
]  # fmt: skip


@pytest.mark.parametrize("trusts", [(OFFICIAL, FORUM), (FORUM, OFFICIAL)], ids=["first", "second"])
@pytest.mark.parametrize(("query", "one", "other"), CALM, ids=[t[0] for t in CALM])
def test_steps_and_other_warnings_are_no_conflict(judge, query, one, other, trusts):
    assert not judge(query, [page(one, trusts[0]), page(other, trusts[1])]).conflicts


DIRECTIVES = [
    ("切勿水洗", -1, "水洗"),
    ("never put the tubing in water", -1, "tubing in water"),
    ("keep every kind of oil away from the bearings", -1, "oil"),
    ("备份配置时请勿关闭浏览器", -1, "关闭"),
    ("酒精会导致涂层脱落", -1, "酒精"),
    ("cleaning with ammonia clouds the coating", -1, "ammonia"),
    ("the lid must not be opened", -1, "lid"),
    ("请先关闭总阀", 1, "关闭"),
    ("just rinse it under the tap", 1, "rinse"),
    ("别忘了关机", 1, "关机"),
    ("do not forget to unplug it", 1, "unplug"),
    ("擦拭即可", 1, "擦拭"),
]


@pytest.mark.parametrize(("clause", "sign", "words"), DIRECTIVES, ids=[d[0] for d in DIRECTIVES])
def test_a_directive_and_what_it_governs(clause, sign, words):
    (said,) = directives_of(clause)
    assert (said.sign, said.explicit, words in said.words) == (sign, True, True)


def test_the_occasion_of_a_prohibition_is_not_forbidden():
    (said,) = directives_of("备份配置时请勿关闭浏览器")
    assert "备份" not in said.words


@pytest.mark.parametrize("clause", ["我试过酒精", "my sister tried a hairdryer", "有人问能不能水洗", "does it rinse off?"])
def test_what_is_told_of_others_or_asked_directs_nothing(clause):
    assert directives_of(clause) == ()


def test_one_thing_instead_of_another():
    one, other = directives_of("use a soft brush instead of steel wool")
    assert (one.sign, "brush" in one.words, other.sign, "wool" in other.words) == (1, True, -1, True)


@pytest.mark.parametrize(("one", "other"), [
    ("横放", "直立"), ("远程复位", "就地操作"), ("switch it off", "leave it running"), ("delete it", "keep it"), ("暴晒", "放阴凉处"),
    ("wash it", "wipe it"), ("right away", "wait an hour"), ("拆开", "送修"), ("upright", "lay it flat"),
])  # fmt: skip
def test_opposite_poles_of_one_kind_of_deed(one, other):
    poles = dict(deeds_of(one))
    assert any(poles.get(number) == -pole for number, pole in deeds_of(other))


ASKED = [
    ("wash it or just let it run?? mirelle solo", "choice"),
    ("sofa got wet - hairdryer or let it dry on its own?", "choice"),
    ("castors squeak - squirt some oil in?", "yes_no"),
    ("should the alarm stay on when i am below deck?", "yes_no"),
    ("是过去再点一回还是咋整", "yes_no"),
    ("把交换机重启一下行不", "yes_no"),
]


@pytest.mark.parametrize(("query", "kind"), ASKED, ids=[a[0] for a in ASKED])
def test_orders_with_a_question_mark_are_asked(query, kind):
    kinds = ("yes_no",) if kind == "yes_no" else ()
    proposition = proposition_of(query, kinds)
    assert proposition is not None
    assert proposition.kind == kind


def test_an_order_not_to_is_no_question():
    assert side("Is it safe to charge the Voltra overnight?", "Do not charge the Voltra overnight.") == "no"
