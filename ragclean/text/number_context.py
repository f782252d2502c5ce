"""What the words before a number make of it: a version, a sum of money, a pin or port, part of a code."""

from __future__ import annotations

import re

from ragclean.text.number_forms import WINDOW, Number
from ragclean.text.units import HAN_UNIT_AT, PREFIX_CURRENCY
from ragclean.text.value import Value

_VERSION_BEFORE = re.compile(
    r"(?:版本号?|固件(?:版本)?|(?<![a-z])(?:version|ver\.?|firmware(?: version)?|release|v))[ ]?(?:为|是|:|至|到|"
    r"升级到|升级至|不低于|高于|低于|>=|=|\.)?[ ]?$"
)
#: Software that people name with the number of its release: Python 3.11, Node 22, Android 12.
RUNTIMES = (
    r"python|node(?:\.?js)?|java|jdk|jre|php|ruby|golang|android|ios|ipados|macos|windows|ubuntu|debian|centos|chrome"
    r"|firefox|safari|postgres(?:ql)?|mysql|mariadb|redis|mongodb|docker|kubernetes|k8s|cuda|pytorch|tensorflow|react"
    r"|vue|angular|django|spring boot|dotnet|\.net|gcc|openssl|perl|kotlin|swift|scala|elasticsearch|kafka|nginx|cmake"
)
_RUNTIME_BEFORE = re.compile(rf"(?<![a-z])(?:{RUNTIMES})[ ]?$")
_RUNTIME_LAST = frozenset("npjavhdyogisxeuflkrtc8 ")
_VERSION_AFTER = re.compile(r"(?:\.x)?[ ]?(?:版本|版(?![权面块主税式图画型]))|\.x(?![a-z0-9])")
_CODE_BEFORE = re.compile(
    r"(?:(?<![a-z])(?:gb/?t?|iso|iec|rfc|en|din|astm|jis|qb|gb|usb|wi-?fi|win(?:dows)?|android|ios|python|java|php|node|tel|phone|fax|hotline|nos?|"
    r"id|figure|fig|table|section|chapter|step|page|article|clause|appendix|item)|区号|"
    r"电话|热线|手机号?|传真|邮编|编号|单号|订单号?|工单号?|"
    r"案号|票号|账号|卡号|文号|型号|qq群?|微信号?|图|表|附件|附录|注|"
    r"§|#|第|错误码|故障码|代码|状态码)[.:： ]{0,2}$"
)
_LABEL_BEFORE = re.compile(r"(?:端口号?|引脚|针脚|频道|通道|ports?|pins?|channel|slot)(?:为|是|:|=| )?[ ]?$")
_CURRENCY_BEFORE = re.compile(
    r"(?:(?P<sign>(?:(?<![a-z])(?:us|hk|nt|au|ca|sg|rmb|cny)[ ]?(?=[¥￥$]))?[¥￥$£€₹₩])|(?<![a-z])(?P<code>rmb|cny|usd"
    r"|eur|gbp|hkd|jpy|aud|cad|sgd|nzd|inr|chf|nok|sek|dkk|pln|thb|krw|rub|aed|kr\.?|rs\.?)|(?P<han>人民币))[: ]?$"
)
_DOLLARS = {"us": "USD", "hk": "HKD", "nt": "TWD", "au": "AUD", "ca": "CAD", "sg": "SGD", "rmb": "CNY", "cny": "CNY"}
_CODES = {"rmb": "CNY", "rs": "INR", "rs.": "INR", "kr": "KR", "kr.": "KR", "nok": "KR", "sek": "KR", "dkk": "KR"}


_CURRENCY_LAST = frozenset(".¥￥$£€₹₩币bydrpksfnwr")
_CODE_LAST = frozenset("l单tbocn/isdpaexkqegrm号话线机真编型群信图表件录注§#第码")
_LABEL_LAST = frozenset(" :=号脚道口为是nlts")
_VERSION_BEFORE_LAST = frozenset("本号件n.revfws为是:至到于=e ")


def _is_too_plain(text: str, n: Number, tail: re.Match[str] | None) -> bool:
    """A whole number after 版本 that is long, or counts something (版本3个), is no version."""
    return n.end - n.start > 4 or (tail is None and HAN_UNIT_AT.match(text, n.end) is not None)


def read_version(text: str, n: Number, floor: int) -> Value | None:
    """v2.4, 版本2.4, 2.4版, version 9, and 2.4.0 on its own; four numbers alone are an address."""
    start, end = n.start, n.end
    raw = text[start:end]
    head = None
    if start and text[start - 1] in _VERSION_BEFORE_LAST:
        head = _VERSION_BEFORE.search(text, max(floor, start - WINDOW), start)
    if head is None and start and text[start - 1] in _RUNTIME_LAST:
        head = _RUNTIME_BEFORE.search(text, max(floor, start - WINDOW), start)
    tail = _VERSION_AFTER.match(text, end) if n.form != "digits" or head else None
    if n.form == "dotted":
        numbers = raw.split(".")
        if head is None and tail is None and (len(numbers) > 3 or any(len(x) > 4 for x in numbers)):
            return None
    elif "," in raw or (head is None and tail is None) or (n.form == "digits" and _is_too_plain(text, n, tail)):
        return None
    numbers = raw.split(".")
    if any(len(x) > 9 for x in numbers):
        return None
    parts = [int(x) for x in numbers]
    while len(parts) > 1 and parts[-1] == 0:
        parts.pop()
    if start and text[start - 1] == "v":
        start -= 1
    return Value("version", start, tail.end() if tail else end, None, None, "", tuple(parts))


def currency_before(text: str, start: int, floor: int) -> tuple[str, int]:
    """The currency written before a number and where its mark starts; "" where there is none."""
    if start <= floor:
        return "", start
    c = text[start - 1]
    if c in " :.":
        c = text[start - 2] if start - 1 > floor else c
    if c not in _CURRENCY_LAST:
        return "", start
    m = _CURRENCY_BEFORE.search(text, max(floor, start - 8), start)
    if m is None:
        return "", start
    if m["sign"]:
        mark = m["sign"].lstrip()
        return _DOLLARS.get(mark[:-1].rstrip()) or PREFIX_CURRENCY[mark[-1]], m.end("sign") - len(mark)
    if m["han"]:
        return "CNY", m.start()
    return _CODES.get(m["code"]) or m["code"].upper(), m.start()


def labelled_start(text: str, n: Number, floor: int) -> int | None:
    """Where pin 7 or 端口18883 starts; None where the number has no such label, or counts its things (端口8个)."""
    start = n.start
    if start == 0 or text[start - 1] not in _LABEL_LAST:
        return None
    label = _LABEL_BEFORE.search(text, max(floor, start - WINDOW), start)
    if label is None or HAN_UNIT_AT.match(text, n.end) is not None:
        return None
    return label.start() if label[0][0] < "\u2fff" else start


def is_code_number(text: str, start: int) -> bool:
    """iso 9001, 图3, 订单号12345: digits that name something."""
    last = start - 1
    while last >= 0 and last > start - 4 and text[last] in ".:： ":
        last -= 1
    if last < 0 or text[last] not in _CODE_LAST:
        return False
    return _CODE_BEFORE.search(text, max(0, start - WINDOW), start) is not None
