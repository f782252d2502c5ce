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
        ("protected_patterns", ["ok", 3]),
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


@pytest.mark.parametrize("pattern", ["(", "*a", "[z-a]"])
def test_a_bad_pattern_is_refused_by_name(pattern):
    with pytest.raises(ValueError, match="protected_patterns") as caught:
        CorrectorConfig(protected_patterns=(pattern,))
    assert repr(pattern) in str(caught.value)


@pytest.mark.parametrize("name", ["half_life_days", "time_budget_ms", "margin_min"])
@pytest.mark.parametrize("value", [float("inf"), 10**400])
def test_what_json_or_arithmetic_cannot_take_is_refused(name, value):
    with pytest.raises(ValueError, match=name) as caught:
        CorrectorConfig(**{name: value})
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"[" * 100_000, b"[]", b'{"cache_chunks": ' + b"9" * 5000 + b"}"])
def test_a_file_that_is_no_configuration_is_a_value_error(tmp_path, raw):
    path = tmp_path / "c.json"
    path.write_bytes(raw)
    with pytest.raises(ValueError, match="config"):
        CorrectorConfig.load(path)


def test_a_byte_order_mark_and_lone_surrogates_are_no_obstacle(tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(b'\xef\xbb\xbf{"mode": "observe"}')
    assert CorrectorConfig.load(path).mode == "observe"
    config = CorrectorConfig(aliases={"a\ud800": "b"})
    config.save(path)
    assert CorrectorConfig.load(path) == config


def test_the_shipped_thresholds_are_what_the_calibrator_says_of_the_development_cases(root):
    shipped, calibrated = CorrectorConfig(), CorrectorConfig.load(root / "benchmarks" / "results" / "defaults.json")
    assert calibrated == shipped
    noted = calibrated.provenance
    assert noted["cases"] == 225
    for threshold in ("admission_threshold", "sentence_threshold", "protection"):
        assert noted["fitted"][threshold] == getattr(shipped, threshold)
    assert not noted["better"]  # fitted weights gain no more than chance may
