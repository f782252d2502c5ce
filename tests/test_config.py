"""The configuration refuses what it does not know and survives JSON."""

import json

import pytest

from ragclean import CorrectorConfig


def test_defaults_are_the_documented_ones():
    config = CorrectorConfig()
    assert (config.weight_semantic, config.weight_judge, config.weight_keyword) == (0.45, 0.40, 0.15)
    assert config.judge_limit == 10
    assert config.duplicate_threshold == 0.95


def test_json_round_trip(tmp_path):
    config = CorrectorConfig(admission_threshold=0.3, protected_patterns=(r"NO\.\d+",), aliases={"a": "b"})
    path = tmp_path / "config.json"
    config.save(path)
    assert CorrectorConfig.load(path) == config


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("admission_threshold", 1.5),
        ("admission_threshold", "high"),
        ("admission_threshold", float("nan")),
        ("judge_limit", 0),
        ("judge_limit", True),
        ("mode", "watch"),
        ("conflict_policy", None),
        ("source_weights", {"forum": 7.0}),
        ("source_weights", {"forum": "low"}),
        ("source_weights", [("forum", 0.3)]),
        ("protected_patterns", ("ok", 3)),
        ("time_budget_ms", -1.0),
        ("schema_version", 99),
    ],
)
def test_a_bad_value_is_refused_by_name(field, value):
    with pytest.raises(ValueError, match=field):
        CorrectorConfig(**{field: value})


def test_unknown_keys_are_refused():
    with pytest.raises(ValueError, match="treshold"):
        CorrectorConfig.from_dict({"treshold": 0.4})
    with pytest.raises(ValueError, match="treshold"):
        CorrectorConfig().with_changes(treshold=0.4)


def test_a_file_that_is_no_json_says_so(tmp_path):
    path = tmp_path / "config.json"
    path.write_text("{'a': 1}")
    with pytest.raises(ValueError, match="not JSON"):
        CorrectorConfig.load(path)
    path.write_text(json.dumps([1]))
    with pytest.raises(ValueError, match="object"):
        CorrectorConfig.load(path)


def test_all_weights_zero_is_refused():
    with pytest.raises(ValueError, match="weight_semantic"):
        CorrectorConfig(weight_semantic=0.0, weight_judge=0.0, weight_keyword=0.0)
