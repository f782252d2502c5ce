"""What the tests of the bad-case loop refine, and the configurations that turn stages off."""

#: Nothing goes by score, so that whatever goes was taken by the one stage that a test turns on.
NO_RANKING = {
    "admission_threshold": 0.0, "relative_admission": 0.0, "judge_floor": 0.0, "silent_admission": 0.0,
}  # fmt: skip
NO_CUTTING = {"sentence_threshold": 0.0, "sentence_share": 0.0, "duplicate_threshold": 1.0}

QUERY = "水泵整机保修多久？"
CANDIDATES = (
    {"id": "terms", "source": "official_policy", "updated_at": "2025-01-01", "title": "售后条款",
     "uri": "https://example.com/terms", "metadata": {"page": 3},
     "text": "感谢您选择我们的产品。水泵整机保修期为36个月，自开票之日起计算。"},
    {"id": "old", "source": "forum", "updated_at": "2019-04-02", "text": "我记得水泵整机保修期只有12个月，反正不长。"},
    {"id": "menu", "source": "marketing", "text": "本周食堂供应红烧排骨和番茄蛋汤，欢迎品尝。"},
)  # fmt: skip
