"""The units and classifiers people write, by kind, base unit and factor. Data only; read by :mod:`.units`."""

from __future__ import annotations

#: Chinese units. ``天!津|空`` is the unit 天 unless 津 or 空 follows: 三天 is a duration, 三天津人 is not.
HAN_UNITS: dict[tuple[str, str, float], str] = {
    ("duration", "s", 0.001): "毫秒",
    ("duration", "s", 1.0): "秒钟 秒!杀|懂|表|针|拍|回",
    ("duration", "s", 60.0): "分钟 个分钟",
    ("duration", "s", 3600.0): "小时!候 个小时 钟头 个钟头 个钟!头",
    ("duration", "s", 86400.0): (
        "天!津|空|然|气|下|生|线|使|才|花|猫|际|文|河|堂|赋|主|地|窗|井|桥|坛|安门|王|府|鹅|敌|山|平 "
        "日!本|元|语|常|报|期|志|益|程|用|均|夜|文|圆|照|系|记|出|落|光|子 自然日 个自然日 日历日 个日历日 个昼夜 "
        "昼夜 晚!饭|餐|会|间|报|清|期|年|霞|安|辈|宴|婚|熟|唐|明|于 夜!里|间|晚|市|班|景|色|总 个晚上 个白天"
    ),
    ("duration", "s", 604800.0): (
        "周!岁|边|围|期|长|日|末|刊|转|一|二|三|四|五|六|密|全|游|年|报 个周 星期!一|二|三|四|五|六|日|天 "
        "个星期!一|二|三|四|五|六|日|天 礼拜 个礼拜"
    ),
    ("duration", "month", 1.0): "个月 个自然月 个日历月 月龄",
    ("duration", "month", 3.0): "个季度 个季",
    ("duration", "month", 12.0): "年!级|代|画|糕|货|味|纪|轮|报|月 周年!庆 个年度 个自然年 个学年 学年",
    ("duration", "workday", 1.0): "个工作日 工作日 个营业日 营业日 个交易日 交易日 个工作天 工作天 个法定工作日",
    ("percent", "%", 1.0): "个百分点 百分点",
    ("percent", "%", 10.0): (
        "成!立|功|为|员|本|年|长|果|人|都|绩|交|分|就|品|熟|效|型|语|套|因|份|色|像|团|活|千|百|万|亿 "
        "折!扣|叠|射|腾|旧|合|返|断|线|磨|算|页"
    ),
    ("money", "CNY", 1.0): (
        "元!素|旦|宵|件|年|月|器|组|帅|老|首|气|代|宇 元整 元人民币 元钱 块钱 "
        "块!屏|电|板|砖|石|地|土|表|状|头|大|玻|牌|小|木|布|肉|硬|显 人民币 元rmb"
    ),
    ("money", "CNY", 0.1): "角!度|色|落|膜|形|逐|斗|钢|质 角钱 毛钱",
    ("money", "CNY", 0.01): "分钱",
    ("money", "USD", 0.01): "美分",
    ("money", "USD", 1.0): "美元 美金 刀!具|片|口|锋|削|法|工|刃",
    ("money", "HKD", 1.0): "港元 港币 港纸",
    ("money", "EUR", 1.0): "欧元",
    ("money", "GBP", 1.0): "英镑",
    ("money", "JPY", 1.0): "日元 日圆",
    ("money", "KRW", 1.0): "韩元 韩币",
    ("money", "TWD", 1.0): "新台币 台币",
    ("money", "AUD", 1.0): "澳元 澳币",
    ("money", "CAD", 1.0): "加元 加币",
    ("money", "SGD", 1.0): "新加坡元 新币",
    ("money", "INR", 1.0): "卢比",
    ("money", "RUB", 1.0): "卢布",
    ("money", "THB", 1.0): "泰铢",
    ("quantity", "B", 1.0): "字节 个字节",
    ("quantity", "B", 1048576.0): "兆!瓦|赫|帕|欧|头|示|伏|丰 兆字节",
    ("quantity", "m", 1e-09): "纳米",
    ("quantity", "m", 1e-06): "微米",
    ("quantity", "m", 0.001): "毫米",
    ("quantity", "m", 0.01): "厘米 公分",
    ("quantity", "m", 1.0): "米!饭|线|粉|兰|色|其|勒|糕|酒|老|面|高|尔|德|德|哈|脂|字|奇 公尺",
    ("quantity", "m", 1000.0): "公里 千米",
    ("quantity", "m", 500.0): "华里",
    ("quantity", "m", 0.0254): "英寸 吋 寸!照|步|草|心|头|土|断",
    ("quantity", "m", 0.3048): "英尺",
    ("quantity", "m", 1609.344): "英里",
    ("quantity", "m", 1852.0): "海里",
    ("quantity", "kg", 1e-06): "毫克",
    ("quantity", "kg", 1e-09): "微克",
    ("quantity", "kg", 0.001): "克!服|拉|隆|里|星|制|扣|罗|林|洛|鲁|莱|斯|勒|东",
    ("quantity", "kg", 1.0): "公斤 千克",
    ("quantity", "kg", 0.5): "斤!斤 市斤",
    ("quantity", "kg", 1000.0): "吨!位|级 公吨",
    ("quantity", "kg", 0.45359237): "磅!礴|秤",
    ("quantity", "°C", 1.0): "摄氏度 度!假|过|量|角|数|日|身|电|蜜|夏|以|的|人|娘|洛 ℃",
    ("quantity", "°F", 1.0): "华氏度 ℉",
    ("quantity", "m2", 1.0): "平方米 平米 平方!公|千|厘|英|呎|尺|里|差|根|和|数|分|毫|式|成|后|项 ㎡ 个平方",
    ("quantity", "m2", 1000000.0): "平方公里 平方千米",
    ("quantity", "m2", 0.0001): "平方厘米",
    ("quantity", "m2", 0.000001): "平方毫米",
    ("quantity", "ppm", 1.0): "毫克/升 毫克每升 毫克/千克 毫克/公斤",
    ("quantity", "ppm", 1000.0): "克/升 克每升",
    ("quantity", "mg/m3", 1.0): "毫克/立方米 毫克每立方米",
    ("quantity", "mg/m3", 0.001): "微克/立方米 微克每立方米",
    ("quantity", "m/s", 1.0): "米/秒 米每秒",
    ("quantity", "m2", 0.09290304): "平方呎 平方英尺",
    ("quantity", "m2", 666.6667): "亩!产",
    ("quantity", "m2", 10000.0): "公顷",
    ("quantity", "m3", 1.0): (
        "立方米 立方!厘|分|根|体|公 方!面|法|案|式|向|便|形|可|能|块|程|针|圆|位|才|言|寸|略|案 ㎥"
    ),
    ("quantity", "l", 1.0): "升!级|值|高|温|降|学|职|空|旗|华|任|腾|至|到|格|迁|入|压|息|幅|舱 公升",
    ("quantity", "l", 0.001): "毫升",
    ("quantity", "w", 1.0): "瓦!片|解|斯|特|楞|房|岗|尔|窑|砾|时 瓦特",
    ("quantity", "w", 1000.0): "千瓦!时",
    ("quantity", "w", 1000000.0): "兆瓦!时",
    ("quantity", "wh", 1000.0): "千瓦时 度电 千瓦小时",
    ("quantity", "mah", 1.0): "毫安时 毫安!时",
    ("quantity", "v", 1.0): "伏!特|击|笔|地|天|法|羲|案|尔 伏特",
    ("quantity", "v", 1000.0): "千伏",
    ("quantity", "a", 1.0): "安培",
    ("quantity", "hz", 1.0): "赫兹 赫!尔|鲁|哲|本|德",
    ("quantity", "pa", 1.0): "帕斯卡 帕!金|尔|特|米|克|瓦|提|斯",
    ("quantity", "pa", 1000000.0): "兆帕",
    ("quantity", "pa", 1000.0): "千帕",
    ("quantity", "db", 1.0): "分贝",
    ("quantity", "lm", 1.0): "流明",
    ("quantity", "px", 1.0): "像素!点",
    ("quantity", "nit", 1.0): "尼特",
    ("quantity", "kcal", 1.0): "千卡 大卡",
    ("quantity", "km/h", 1.0): "公里/小时 公里每小时 千米/小时 千米每小时 公里/时 千米/时",
    ("quantity", "nm torque", 1.0): "牛米 牛·米 牛顿米 牛顿·米",
    ("quantity", "rpm", 1.0): "转/分钟 转/分 转每分钟",
}

#: Classifiers, guarded in the same way: the unit of a count is the word itself.
CLASSIFIERS = (
    "次!日|要|年|月|数|序|品|性|级|元|第|方 个!人|体|别|性|例|案|税|股|位|中|头|子 条!件|例|约|款|形|码|理|纹|目 "
    "台!山|湾|州|胞|北|南|中|风|词|阶|账|儿|商 件!套 张!家|某|姓|力|开|贴|扬|北|店|掖|江|口|弛|裂 项!目|链|羽|城 "
    "名!称|字|单|义|额|誉|牌|校|医|胜|下|录|人|气|家|列 位!置|于|数|列|居|移|面|次|处 "
    "人!民|员|生|类|口|工|才|均|事|士|物|格|气|身|体|文|间|群|家|选|大|力|道|心|性|行|寿|品|脸|们|称|伦|参 人次 "
    "户!型|口|外|籍|主 家!庭|长|乡|属|电|具|居|用|人|园|族|里|常|政|装|务|畜|禽|喻|国|家|教|宅|眷|中 "
    "种!植|子|族|群|地|菜|田|粮|种|下 款!项|式|待|额|机型 部!门|分|署|队|件|长|委|位|落|曲|级|头|族|属 "
    "只!能|要|有|是|需|限|读|可|会|剩|不|支|为|用|在|对|见|好 支!持|付|出|援|行|撑|部|队|架|座|点|配|线 "
    "本!人|身|地|市|省|科|公|院|校|质|来|次|期|年|月|周|日|田|土|部|着|金|钱|领|能|案|文|届|条|法|办|规|店|平|合|"
    "协|产|集 页!面|码|岩 篇!幅|章 章!节|程|鱼|丘 节!日|目|约|省|假|气|点|能|奏|水|操|选 层!面|次|级|出 "
    "楼!梯|盘|市|主|宇|道|房|上|下 间!接|隔|断|距|歇|谍|或 座!位|谈|椅|舱|标|机 辆 艘 架!构|设|势|空 颗!粒 "
    "粒!子|度 片!面|区|段|子|刻|头 组!织|成|合|件|装|长|建|团 套!餐|装|件|路|现|用|利 "
    "批!准|发|评|复|次|量|判|改|示|注 份!额 封!闭|面|装|存|锁|号|建|禁|杀 笔!记|者|试|画|刷|名|迹|芯|尖 "
    "单!位|独|个|一|元|击|品|人|价|次|项|面|纯|身|据|车|页|日|笔|程|曲|薄 "
    "场!所|地|景|面|馆|合|内|外|均|次|域|上|强 届!时|满 期!间|限|望|货|待|刊|末|中|初|盼|权|满|房|内 "
    "轮!胎|流|换|廓|椅|船|回|到|休|班 步!骤|行|入|伐|道|态|枪|履 级!别|联|数|配 类!似|别|型|目|同|比|人 "
    "门!口|店|票|诊|户|锁|窗|禁|槛|牌|把|类|框|外 字!样|母|体|符|段|面|典|幕|数|号|画 "
    "行!业|为|动|程|政|李|人|驶|情|车|使|列|星|长|走|贿|文|经|不 枚!举 根!据|本|部|源|系|治|除|深|目 瓶!颈|装|盖 "
    "箱!子|包|体|内 盒!子|装 包!括|含|装|裹|围|邮|容|干|厢|袋|机|赔|修|月|工 袋!子|鼠 杯!子|赛 桶!装 "
    "把!握|手|关|控|柄 对!于|比|应|方|外|象|待|话|接|称|账|此|付|于|策|不|该|手|着|面 "
    "双!方|击|休|重|向|语|休|倍|数|边 副!本|主|总|作|业|食 倍!增|感|受|率|加|数 岁!月|末|数|以 周岁 批次 人份 "
    "席!位|卷 票!据|价|务|房|面|根|选 股!东|份|票|权|市|价|民|息 "
    "分!钱|之|别|为|布|类|析|配|享|开|店|公|支|行|期|解|段|散|手|离|歧|辨|清|局|明 "
    "回!家|来|复|到|报|应|答|顾|馈|收|合|忆|头|调|归|国|执 遍!布|及|历|地 趟 碗 罐!头 盘!点|面|旋 "
    "道!路|德|理|教|具|歉|士|家 题!目|材|型 口!味|径|罩|服|腔|感|岸|头|碑|语|号|才|令|红|袋|径 匹!配 "
    "头!部|像|条|衔|发|晕|疼|痛|脑|寸|等 株 棵 朵 幅!度 栋 幢 处!理|罚|于|分|方|置|长|所|境|女|以|在 枝 滴 串!联 "
    "排!放|列|除|名|查|水|行|队|序|斥|版 帧 核!心|实|对|算|查|准|电|酸 路!径|线|由|口|段|程|面|灯|费|上|人|易|过 "
    "通!道|过|知|常|用|信|报|告|话|车|行|讯|电 字符 个字符 集!团|中|成|体|合|装|市|权 例!如|外|子|行 克拉 标准间 "
    "房!屋|间|子|产|东|价|租|型|源|贷 室!内|外|温|友|女 厅!堂|长|局|级 卫!生|星|浴|视|士|兵"
)

#: Latin units; ``_`` stands for a space, ``~`` for a space or hyphen.
LATIN_UNITS: dict[tuple[str, str, float], str] = {
    ("duration", "s", 0.001): "ms msec milliseconds? millis",
    ("duration", "s", 1.0): "s secs? seconds?",
    ("duration", "s", 60.0): "mins? minutes?",
    ("duration", "s", 3600.0): "h hrs? hours?",
    ("duration", "s", 86400.0): "d days? calendar~days? nights? consecutive~days?",
    ("duration", "s", 604800.0): "wks? weeks? calendar~weeks?",
    ("duration", "s", 1209600.0): "fortnights?",
    ("duration", "month", 1.0): "mos? months? mths? calendar~months?",
    ("duration", "month", 3.0): "quarters?",
    ("duration", "month", 12.0): "y yrs? years? calendar~years?",
    ("duration", "month", 120.0): "decades?",
    ("duration", "workday", 1.0): "(?:working|business|work|trading)~days? workdays? weekdays?",
    ("percent", "%", 1.0): "% percent per_cent pct percentage_points?",
    ("percent", "%", 0.1): "‰ per_mille",
    ("money", "CNY", 1.0): "cny rmb yuan renminbi",
    ("money", "USD", 1.0): "usd dollars? us_dollars? bucks?",
    ("money", "USD", 0.01): "cents?",
    ("money", "GBP", 1.0): "gbp pounds?(?:_sterling)? £",
    ("money", "GBP", 0.01): "pence",
    ("money", "EUR", 1.0): "eur euros? €",
    ("money", "HKD", 1.0): "hkd",
    ("money", "JPY", 1.0): "jpy yen",
    ("money", "TWD", 1.0): "twd ntd",
    ("money", "INR", 1.0): "inr rupees?",
    ("money", "AUD", 1.0): "aud",
    ("money", "CAD", 1.0): "cad",
    ("money", "SGD", 1.0): "sgd",
    ("money", "CHF", 1.0): "chf francs?",
    # Crowns of the Nordic and other countries: pages that contradict each other speak of one of them.
    ("money", "KR", 1.0): "kr nok sek dkk kroner? kronor krona crowns?",
    ("money", "NZD", 1.0): "nzd",
    ("money", "PLN", 1.0): "pln zlot(?:y|ys)",
    ("money", "THB", 1.0): "thb baht",
    ("money", "RUB", 1.0): "rub roubles? rubles?",
    ("money", "AED", 1.0): "aed dirhams?",
    ("money", "MXN", 1.0): "mxn pesos?",
    ("quantity", "B", 1.0): "bytes?",
    ("quantity", "B", 1024.0): "kb kib kilobytes?",
    ("quantity", "B", 1048576.0): "mb mib megabytes?",
    ("quantity", "B", 1073741824.0): "gb gib gigabytes?",
    ("quantity", "B", 1099511627776.0): "tb tib terabytes?",
    ("quantity", "B", 1125899906842624.0): "pb pib petabytes?",
    ("quantity", "bit/s", 1000.0): "kbps kbit/s kb/s",
    ("quantity", "bit/s", 1000000.0): "mbps mbit/s",
    ("quantity", "bit/s", 1000000000.0): "gbps gbit/s",
    ("quantity", "B/s", 1048576.0): "mb/s",
    ("quantity", "B/s", 1073741824.0): "gb/s",
    ("quantity", "m", 1e-09): "nm nanomet(?:er|re)s?",
    ("quantity", "m", 1e-06): "um µm μm microns?",
    ("quantity", "m", 0.001): "mm millimet(?:er|re)s?",
    ("quantity", "m", 0.01): "cm centimet(?:er|re)s?",
    ("quantity", "m", 1.0): "m met(?:er|re)s?",
    ("quantity", "m", 1000.0): "km kilomet(?:er|re)s?",
    ("quantity", "m", 0.0254): "inch(?:es)?",
    ("quantity", "m", 0.3048): "ft feet foot",
    ("quantity", "m", 0.9144): "yards? yds?",
    ("quantity", "m", 1609.344): "miles?",
    ("quantity", "kg", 1e-06): "mg milligrams?",
    ("quantity", "kg", 1e-09): "µg μg ug mcg",
    ("quantity", "kg", 0.001): "g grams?",
    ("quantity", "kg", 1.0): "kgs? kilograms? kilos?",
    ("quantity", "kg", 1000.0): "tonnes? tons?",
    ("quantity", "kg", 0.45359237): "lbs?",
    ("quantity", "kg", 0.028349523125): "oz ounces?",
    ("quantity", "°C", 1.0): "°c ℃ degrees?(?:_(?:celsius|c))? ° deg_?c",
    ("quantity", "°F", 1.0): "°f ℉ degrees?_(?:fahrenheit|f)",
    ("quantity", "m2", 1.0): "m2 m² ㎡ sqm sq_m square_met(?:er|re)s?",
    ("quantity", "m2", 0.0001): "cm2 cm² square_centimet(?:er|re)s?",
    ("quantity", "m2", 0.000001): "mm2 mm² sq_mm square_millimet(?:er|re)s?",
    ("quantity", "m2", 0.09290304): "sq_ft square_feet",
    ("quantity", "m2", 1000000.0): "km2 km² square_kilomet(?:er|re)s?",
    ("quantity", "m3", 1.0): "m3 m³ cubic_met(?:er|re)s?",
    ("quantity", "l", 1.0): "l lit(?:er|re)s?",
    ("quantity", "l", 0.001): "ml millilit(?:er|re)s?",
    ("quantity", "l", 3.785411784): "gallons?",
    ("quantity", "w", 1.0): "w watts?",
    ("quantity", "w", 1000.0): "kw kilowatts?",
    ("quantity", "w", 1000000.0): "mw megawatts?",
    ("quantity", "wh", 1.0): "wh watt~hours?",
    ("quantity", "wh", 1000.0): "kwh kilowatt~hours?",
    ("quantity", "mah", 1.0): "mah",
    ("quantity", "mah", 1000.0): "ah",
    ("quantity", "v", 1.0): "v volts?",
    ("quantity", "v", 1000.0): "kv",
    ("quantity", "v", 0.001): "mv",
    ("quantity", "a", 1.0): "a amps? amperes?",
    ("quantity", "a", 0.001): "ma",
    ("quantity", "hz", 1.0): "hz hertz",
    ("quantity", "hz", 1000.0): "khz",
    ("quantity", "hz", 1000000.0): "mhz",
    ("quantity", "hz", 1000000000.0): "ghz",
    ("quantity", "pa", 1.0): "pa",
    ("quantity", "pa", 100.0): "hpa",
    ("quantity", "pa", 1000.0): "kpa",
    ("quantity", "pa", 100000.0): "bar",
    ("quantity", "pa", 1000000.0): "mpa",
    ("quantity", "pa", 6894.757): "psi",
    ("quantity", "ohm", 1.0): "ohms? ω Ω",
    ("quantity", "db", 1.0): "dba? decibels?",
    ("quantity", "lm", 1.0): "lm lumens?",
    ("quantity", "nit", 1.0): "nits?",
    ("quantity", "px", 1.0): "px pixels?",
    ("quantity", "dpi", 1.0): "dpi ppi",
    ("quantity", "fps", 1.0): "fps",
    ("quantity", "rpm", 1.0): "rpm",
    ("quantity", "km/h", 1.0): "km/h kph kmh",
    ("quantity", "km/h", 1.609344): "mph",
    ("quantity", "kcal", 1.0): "kcal",
    # In water a milligram a litre is a part per million, near enough for any rule.
    ("quantity", "ppm", 1.0): "ppm mg/l mg/kg",
    ("quantity", "ppm", 1000.0): "g/l g/kg",
    ("quantity", "ppm", 0.001): "ppb ug/l µg/l μg/l",
    ("quantity", "mg/m3", 1.0): "mg/m3 mg/m³",
    ("quantity", "mg/m3", 0.001): "ug/m3 ug/m³ µg/m3 µg/m³ μg/m3 μg/m³",
    ("quantity", "kg/m3", 1.0): "kg/m3 kg/m³",
    ("quantity", "g/km", 1.0): "g/km",
    ("quantity", "m/s", 1.0): "m/s",
    ("quantity", "l/min", 1.0): "l/min lpm",
    ("quantity", "l/min", 0.001): "ml/min",
    ("quantity", "m3/h", 1.0): "m3/h m³/h",
    ("quantity", "l/100km", 1.0): "l/100_?km",
    ("quantity", "n", 1.0): "newtons?",
    ("quantity", "nm torque", 1.0): "n·m n_m",
}
