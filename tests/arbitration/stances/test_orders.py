# ruff: noqa: E501  (sentences as they are written)
"""More advice: first aid, machines, houses and servers, asked in haste and answered in orders."""

from __future__ import annotations

import pytest
from conftest import page

from ragclean.arbitration.focus import focus_of
from ragclean.arbitration.stances.reading import read_stances
from ragclean.prepare import prepare_text
from ragclean.text.question import parse_question

OFFICIAL, FORUM = 0.95, 0.3

#: (question, a page with its side, another with its side)
TOLD = [
    ("羽绒服能干洗吗",
     "羽绒服送干洗最省心，蓬松度不变。", "yes",
     "羽绒服请勿干洗，溶剂会洗掉羽绒油脂，应手洗。", "no"),
    ("烫伤起泡了 要挑破不",
     "水泡用针挑破放出液体，好得快。", "yes",
     "烫伤水泡切勿挑破，以免感染，盖上无菌纱布。", "no"),
    ("NAS硬盘报警 先换盘还是先备份",
     "硬盘报警立即换盘，系统会自动重建。", "option 0",
     "硬盘报警先备份数据再换盘，重建期间另一块盘可能掉线。", "option 1"),
    ("高原反应能不能吸氧",
     "有高原反应就赶紧吸氧，别硬扛。", "yes",
     "轻度高原反应不建议吸氧，容易产生依赖，休息适应即可。", "no"),
    ("老人摔倒了要马上扶起来吗",
     "看到老人摔倒立即扶起来坐好。", "yes",
     "老人摔倒不要急着扶，先询问伤情，疑似骨折保持原位。", "no"),
    ("刚贴的瓷砖当天可以上去踩吗",
     "瓷砖铺贴后当天即可上人行走。", "yes",
     "瓷砖铺贴后四十八小时内禁止踩踏。", "no"),
    ("跳绳扭了脚，能揉吗",
     "脚扭了用红花油揉一揉，活血消肿。", "yes",
     "扭伤后二十四小时内不可揉搓，应冰敷抬高。", "no"),
    ("合同签错日期，涂改还是重签",
     "日期签错在旁边涂改并按手印即可。", "option 0",
     "合同日期不得涂改，须重新签署一份。", "option 1"),
    ("Do I rinse pasta after draining",
     "Rinse the pasta under cold water after draining.", "yes",
     "Do not rinse pasta: the starch helps the sauce cling.", "no"),
    ("wasp nest in the shed - seal the hole or leave it?",
     "Seal the hole of the wasp nest with foam at night.", "option 0",
     "Never seal a wasp nest; the wasps chew their way indoors. Call pest control.", "option 1"),
    ("can I use fabric softener on my Trailhead base layers",
     "A little fabric softener keeps Trailhead base layers soft.", "yes",
     "Fabric softener clogs the fibres of Trailhead base layers, so leave it out.", "no"),
    ("Jenkins agent stuck, kill the job or wait?",
     "Kill the job and restart the agent.", "option 0",
     "Wait for the timeout; killing the job corrupts the workspace.", "option 1"),
    ("should I take the batteries out of the smoke alarm when I paint the ceiling",
     "Take the batteries out of the smoke alarm while you paint.", "yes",
     "Leave the batteries in and cover the smoke alarm with the dust cap while painting.", "no"),
    ("OK to tow the Aven EV with the wheels on the ground?",
     "The Aven EV may be towed with all four wheels on the ground.", "yes",
     "The Aven EV must only be carried on a flatbed. Towing with the wheels on the ground destroys the motor.", "no"),
    ("frozen pipe, use a blowtorch?",
     "A blowtorch thaws a frozen pipe in no time.", "yes",
     "Keep naked flames away from a frozen pipe; use warm towels.", "no"),
    ("deploy on friday or hold it till monday?",
     "Deploy on Friday afternoon, traffic is low then.", "option 0",
     "Hold the deploy till Monday; nobody is on call at the weekend.", "option 1"),
    ("can guests prop the fire door open while moving luggage",
     "Guests may prop the fire door open while they move luggage.", "yes",
     "Fire doors are to be kept shut at all times and must not be propped open.", "no"),
    ("do I prime the Larkin pump with oil or water?",
     "Prime the Larkin pump with oil.", "option 0",
     "Prime the Larkin pump with clean water. Oil swells the impeller.", "option 1"),
    ("puppy ate a sock, make him sick?",
     "If your puppy swallows a sock, make him sick with salt water.", "yes",
     "Do not make a puppy sick after it swallows a sock. Ring the vet.", "no"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "one", "its", "other", "whose"), TOLD, ids=[t[0] for t in TOLD])
def test_two_pages_tell_otherwise(query, one, its, other, whose):
    focus = focus_of(parse_question(query), {})
    facet = next(f for f in focus.facets if f.proposition is not None)
    found = [next(read_stances(prepare_text(text), "", facet)).side for text in (one, other)]
    assert found == [its, whose]


#: (question, two pages of which neither says the opposite of the other)
CALM = [
    ("羽绒服能干洗吗", "羽绒服不要干洗，手洗为宜。", "羽绒服手洗后请平铺晾干，不要拧干。"),
    ("烫伤起泡了 要挑破不", "水泡不要挑破。", "烫伤后立即用流动清水冲洗二十分钟，不要涂牙膏。"),
    ("鱼缸水浑了怎么办", "鱼缸水浑每日换三分之一的水。", "换水时不要直接加自来水，先晾一天。"),
    ("老人摔倒了要马上扶起来吗", "老人摔倒不要急着扶。", "老人起身后请扶好扶手，慢慢走动。"),
    ("热水器长期不用要不要把水放空", "热水器长期不用应排空存水。", "排空前先断电，不要在加热状态下放水。"),
    ("should I take the batteries out of the smoke alarm when I paint the ceiling", "Leave the batteries in and cover the smoke alarm.", "Take the cover off the smoke alarm once the paint is dry. Never paint over the alarm."),
    ("frozen pipe, use a blowtorch?", "Never use a blowtorch on a frozen pipe.", "Open the tap before you warm the pipe and do not leave it unattended."),
    ("do I prime the Larkin pump with oil or water?", "Prime the Larkin pump with clean water.", "Check the oil of the Larkin pump's motor every month; do not run the pump dry."),
    ("OK to tow the Aven EV with the wheels on the ground?", "The Aven EV must be carried on a flatbed.", "The Aven EV can tow a trailer of up to 750 kg."),
]  # fmt: skip


@pytest.mark.parametrize("trusts", [(OFFICIAL, FORUM), (FORUM, OFFICIAL)], ids=["first", "second"])
@pytest.mark.parametrize(("query", "one", "other"), CALM, ids=[t[0] for t in CALM])
def test_steps_and_other_warnings_are_no_conflict(judge, query, one, other, trusts):
    assert not judge(query, [page(one, trusts[0]), page(other, trusts[1])]).conflicts
