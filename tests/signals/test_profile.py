from dataclasses import asdict

import numpy as np
import pytest

from ragclean.signals.equivalence import DUPLICATE_THRESHOLD, NAME_THRESHOLD, check_equivalence
from ragclean.signals.profile import Profile, measure, measure_profile, shipped_pairs, unrelated
from ragclean.signals.semantic import StaticEncoder

ENCODER = StaticEncoder()


class Shifted:
    """The embedded vectors on another scale: cosines raised to lie in ``low``..1, as with e5."""

    cheap = True

    def __init__(self, low, name="shifted"):
        self.low, self.fingerprint, self.calls = low, f"{name}-{low}", 0

    def encode_queries(self, texts):
        return self.encode_passages(texts)

    def encode_passages(self, texts):
        self.calls += 1
        vectors = ENCODER.encode_passages(texts) * np.sqrt(1 - self.low)
        return np.hstack([vectors, np.full((len(vectors), 1), np.sqrt(self.low), np.float32)])


def test_maps_unrelated_to_zero_and_identical_to_one():
    profile = Profile("x", 0.7, 1.0, 0.8, 1.0)
    np.testing.assert_allclose(profile.passage(np.array([0.7, 0.85, 1.0])), [0, 0.5, 1], atol=1e-6)
    np.testing.assert_allclose(profile.sentence(np.array([0.8, 0.9, 1.0])), [0, 0.5, 1], atol=1e-6)


def test_clips_and_survives_nan():
    profile = Profile("x", 0.7, 1.0, 0.8, 1.0)
    assert profile.passage(np.array([-1.0, 0.1, np.nan, 1.2])).tolist() == [0, 0, 0, 1]


def test_an_encoder_that_tells_nothing_apart_divides_by_no_zero():
    assert np.isfinite(Profile("x", 1.0, 1.0, 1.0, 1.0).passage(np.array([0.5, 1.0]))).all()


def test_the_shipped_constants_are_what_is_measured():
    shipped, measured = asdict(ENCODER.profile), asdict(measure(ENCODER))
    assert measured.pop("fingerprint") == shipped.pop("fingerprint")
    assert measured == pytest.approx(shipped, abs=2e-3)
    assert measure_profile(ENCODER) is ENCODER.profile


def test_half_of_the_unrelated_pairs_are_zero_and_the_questions_own_passages_are_not():
    profile = measure_profile(ENCODER)
    queries, passages = unrelated(lambda p: p.query, lambda p: p.passage)
    others = [float(profile.passage(ENCODER.score(q, [p]))[0]) for q, p in zip(queries, passages, strict=True)]
    own = [float(profile.passage(ENCODER.score(p.query, [p.passage]))[0]) for p in shipped_pairs()]
    assert 0.35 <= np.mean(np.array(others) == 0) <= 0.65
    assert np.median(own) > np.quantile(others, 0.9)


def test_identical_text_is_one_for_passage_and_sentence():
    profile = measure_profile(ENCODER)
    for pair in shipped_pairs():
        assert profile.passage(ENCODER.score(pair.passage, [pair.passage]))[0] == pytest.approx(1, abs=1e-3)
        vector = ENCODER.encode_passages([pair.sentence])[0]
        assert profile.sentence(np.array([vector @ vector]))[0] == pytest.approx(1, abs=1e-3)


def test_paraphrases_stay_below_the_thresholds_of_near_identity():
    profile = measure_profile(ENCODER)
    pairs = shipped_pairs()
    first = ENCODER.encode_passages([p.sentence for p in pairs])
    second = ENCODER.encode_passages([p.paraphrase for p in pairs])
    similarity = profile.sentence(np.einsum("ij,ij->i", first, second))
    assert similarity.max() < DUPLICATE_THRESHOLD < NAME_THRESHOLD
    assert np.median(similarity) > 0.2


def test_the_scale_of_the_cosines_does_not_matter():
    low, high = Shifted(0.0), Shifted(0.7)
    raw_low = np.einsum("ij,ij->i", low.encode_passages(["保修期一年"]), low.encode_passages(["质保十二个月"]))
    raw_high = np.einsum("ij,ij->i", high.encode_passages(["保修期一年"]), high.encode_passages(["质保十二个月"]))
    assert raw_high[0] > raw_low[0] + 0.2
    same = measure_profile(low).sentence(raw_low), measure_profile(high).sentence(raw_high)
    np.testing.assert_allclose(*same, atol=0.01)


def test_measured_once_a_fingerprint():
    encoder = Shifted(0.4, name="once")
    first = measure_profile(encoder)
    calls = encoder.calls
    assert measure_profile(encoder) is first
    assert encoder.calls == calls
    assert measure_profile(Shifted(0.5, name="once")) != first


def test_the_pairs_are_sixty_topics_each_once():
    pairs = shipped_pairs()
    assert [sum(p.language == lang for p in pairs) for lang in ("zh", "en")] == [30, 30]
    for column in ("query", "passage", "sentence", "paraphrase"):
        assert len({getattr(p, column) for p in pairs}) == len(pairs)


def test_equivalence_of_the_embedded_encoder_holds():
    checks = check_equivalence(ENCODER)
    assert [c for c in checks if not c.passed] == []
    assert {(c.language, c.relation) for c in checks} == {
        (lang, rel) for lang in ("zh", "en") for rel in ("identical", "paraphrase", "other_number", "unrelated")
    }


def test_equivalence_reports_an_encoder_blind_to_content():
    class Blind:
        fingerprint, cheap = "blind", True

        def encode_queries(self, texts):
            return np.ones((len(texts), 1), np.float32)

        encode_passages = encode_queries

    failed = [c for c in check_equivalence(Blind()) if not c.passed]
    assert failed
    assert not any(c.advisory for c in failed)


def test_equivalence_reports_an_encoder_that_takes_a_topic_for_identity():
    class Topics:
        """All that speaks of customers is one, all else another."""

        fingerprint, cheap = "topics", True

        def encode_queries(self, texts):
            about = [any(w in t.lower() for w in ("refund", "money", "warranty", "guarantee", "screen")) for t in texts]
            return np.array([[1, 0] if a else [0, 1] for a in about], np.float32)

        encode_passages = encode_queries

    failed = [c for c in check_equivalence(Topics()) if not c.passed and not c.advisory]
    assert failed


def test_equivalence_marks_what_the_corrector_makes_up_for():
    assert all(
        c.advisory == (c.relation in ("identical", "other_number")) for c in check_equivalence(ENCODER)
    )
