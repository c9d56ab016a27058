"""A portable file comes back as it was, byte by byte; with another aligner anew; damaged never."""

import hashlib
import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.exchange.portable import export, read_portable
from optimus_gym.memory.experience import Image, PastPursuit, Replan
from optimus_gym.memory.pictures import packed, unpacked
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.vision.aligner import Aligner, unit_vectors
from tests.memory.making import ALIGNER, an_experience, image, same, vector


class Tinted:
    """An aligner that looks at colours only, and at three frames of a video at most."""

    longest = 3
    threshold = 0.0
    confidence = 0.5

    def __init__(self, name="tinted", width=8):
        self.name, self.width = name, width
        self.asked = []

    def frames(self, pictures):
        assert pictures.dtype == np.uint8
        assert pictures.ndim == 4
        self.asked.append(pictures.shape)
        light = pictures.reshape(len(pictures), -1, 3).astype(np.float32).mean(axis=1)
        return np.tile(light, 9)[:, : self.width] + np.arange(self.width, dtype=np.float32)

    def videos(self, features):
        assert all(0 < len(one) <= self.longest for one in features)
        return unit_vectors(np.array([one.mean(axis=0) for one in features], np.float32))

    def texts(self, texts):
        assert all(texts)
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) for text in texts]
        return np.array([vector(seed, self.width) for seed in seeds])


MADE_UP = Tinted(*ALIGNER)


def frame(seed, height=24, width=32):
    light = np.random.default_rng(seed).integers(0, 256, 3)
    return np.full((height, width, 3), light, np.uint8)


def shot(seed, **size):
    return Image(seed, packed(frame(seed, **size)), vector(seed))


def pictured(key="a", **other):
    """An experience whose pictures are pictures."""
    made = an_experience(key)
    seen = tuple(shot(k) for k in range(5))
    given = {
        "first": shot(9, height=40),
        "pursuits": (replace(made.pursuits[0], seen=seen), made.pursuits[1]),
        "cases": (replace(made.cases[0], before=shot(6), present=shot(7)),),
    }
    return replace(made, **{**given, **other})


@pytest.fixture
def path(tmp_path):
    target = tmp_path / "experience.zip"
    export([an_experience("a"), an_experience("b", "died", seed=3)], ALIGNER, target)
    return target


def read(path, aligner=MADE_UP):
    return list(read_portable(path, aligner))


def members(path):
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def refused(path, match, aligner=MADE_UP):
    with pytest.raises(BadValue, match=match) as caught:
        next(read_portable(path, aligner))
    assert str(path) in str(caught.value)
    return caught


def test_the_aligner_of_these_tests_is_one():
    assert isinstance(MADE_UP, Aligner)


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(0, 2**63 - 1)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
images = st.builds(image, st.integers(0, 3), st.integers(0, 40))
pursuits = st.builds(
    PastPursuit,
    words,
    st.sampled_from(["reached", "complete", "failed", "replan"]),
    words,
    numbers,
    numbers,
    st.lists(images, max_size=3).map(tuple),
    st.none() | st.floats(-1, 1),
    st.none() | st.builds(vector, st.integers(0, 9)),
)
cases = st.builds(
    lambda place, text, one, other, words: replace(
        an_experience().cases[0],
        place=place, subgoal=text, before=one, present=other, verdict=words[0], label=words[1],
    ),
    numbers, words, images, images,
    st.tuples(*[st.sampled_from(["CONTINUE", "COMPLETE", "REPLAN"])] * 2),
)  # fmt: skip
replans = st.builds(
    Replan, numbers, words, words, st.lists(words, max_size=2).map(tuple), numbers, st.booleans()
)
experiences = st.builds(
    an_experience,
    words,
    st.sampled_from(["success", "died", "budget", "gave_up", "world_failed", "abandoned"]),
    task=words,
    goal=words,
    environment=words,
    start=st.dictionaries(words, plain, max_size=3),
    told=st.dictionaries(words, plain, max_size=3),
    plan=st.lists(words, max_size=3).map(tuple),
    pursuits=st.lists(pursuits, max_size=3).map(tuple),
    cases=st.lists(cases, max_size=2).map(tuple),
    replans=st.lists(replans, max_size=2).map(tuple),
    ticks=numbers,
    first=st.none() | images,
)


@settings(max_examples=60, deadline=None)
@given(given=st.lists(experiences, max_size=4, unique_by=lambda one: one.key))
def test_what_is_exported_comes_back_and_is_the_same_file_again(tmp_path_factory, given):
    path = tmp_path_factory.mktemp("portable") / "a"
    assert export(given, ALIGNER, path) == len(given)
    found = read(path)
    assert len(found) == len(given)
    assert all(map(same, found, given))
    assert export(iter(found), ALIGNER, path.with_name("b")) == len(given)
    assert path.with_name("b").read_bytes() == path.read_bytes()


def test_the_order_of_a_mapping_does_not_matter(tmp_path):
    one, other = ({"a": 1, "b": 2}, {"b": 2, "a": 1})
    for name, start in (("one", one), ("other", other)):
        export([an_experience(start=start)], ALIGNER, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_it_goes_from_one_store_to_another(tmp_path):
    given = [an_experience("a"), an_experience("b", "budget", seed=7)]
    with ExperienceStore(tmp_path / "one", ALIGNER) as store:
        numbers = [store.add(one) for one in given]
        export(map(store.get, numbers), ALIGNER, tmp_path / "carried")
    with ExperienceStore(tmp_path / "other", ALIGNER) as store:
        added = [store.add(one) for one in read_portable(tmp_path / "carried", MADE_UP)]
        assert all(map(same, map(store.get, added), given))


def test_the_members_are_what_others_can_read(path):
    held = members(path)
    manifest = json.loads(held["manifest.json"])
    assert manifest == {
        "format": "optimus-gym experience",
        "version": 2,
        "aligner": ["made-up", 8],
        "experiences": 2,
    }
    vectors = np.load(io.BytesIO(held["vectors.npy"]), allow_pickle=False)
    assert vectors.dtype == np.float32
    assert vectors.shape == (14, 8)
    record = json.loads(held["experiences.jsonl"].splitlines()[0])
    first = record["first"]
    content = held[f"images/{first['picture']}.jpg"]
    assert content == an_experience().first.picture
    assert hashlib.sha256(content).hexdigest() == first["picture"]
    assert np.array_equal(vectors[first["vector"]], an_experience().first.vector)


def test_no_clock_has_a_say_in_the_bytes(path):
    with zipfile.ZipFile(path) as file:
        dates = {info.date_time for info in file.infolist()}
    assert dates == {(1980, 1, 1, 0, 0, 0)}


def test_a_picture_that_is_seen_twice_lies_there_once(tmp_path):
    given = [an_experience("a"), an_experience("b")]
    export(given, ALIGNER, tmp_path / "twice")
    assert sum(name.startswith("images/") for name in members(tmp_path / "twice")) == 6


def test_no_experience_is_a_file_too(tmp_path):
    assert export([], ALIGNER, tmp_path / "empty") == 0
    assert read(tmp_path / "empty") == []
    assert read(tmp_path / "empty", Tinted("other", 5)) == []


def test_another_aligner_makes_all_vectors_anew(tmp_path):
    given = pictured()
    export([given], ALIGNER, tmp_path / "a")
    other = Tinted("other", 5)
    (found,) = read(tmp_path / "a", other)
    assert {shape[1:3] for shape in other.asked} == {(24, 32), (40, 32)}

    def anew(one):
        return unit_vectors(other.frames(unpacked(one.picture)[None]))[0]

    pursuit = found.pursuits[0]
    kept = [found.first, *pursuit.seen, found.cases[0].before, found.cases[0].present]
    assert all(np.allclose(one.vector, anew(one), atol=1e-6) for one in kept)
    assert all(one.vector.dtype == np.float32 and one.vector.shape == (5,) for one in kept)
    features = np.concatenate([other.frames(unpacked(one.picture)[None]) for one in pursuit.seen])
    video = other.videos([features[[0, 2, 4]]])[0]
    assert np.allclose(pursuit.vector, video, atol=1e-6)
    assert pursuit.correlation == pytest.approx(
        float(video @ other.texts([pursuit.text])[0]), abs=1e-6
    )
    assert [one.picture for one in pursuit.seen] == [one.picture for one in given.pursuits[0].seen]
    assert replace(found, first=None, pursuits=(), cases=()) == replace(
        given, first=None, pursuits=(), cases=()
    )


@pytest.mark.parametrize("other", [Tinted("other", 8), Tinted("made-up", 5)])
def test_only_the_same_name_and_width_take_vectors_over(tmp_path, other):
    export([pictured()], ALIGNER, tmp_path / "a")
    (found,) = read(tmp_path / "a", other)
    assert other.asked
    assert not same(found, pictured())
    (taken,) = read(tmp_path / "a", Tinted(*ALIGNER))
    assert same(taken, pictured())


def test_pictures_go_to_the_aligner_in_batches_that_fit(tmp_path, monkeypatch):
    monkeypatch.setattr("optimus_gym.memory.exchange.drawers.MOST_PIXELS", 24 * 32 * 3)
    export([pictured()], ALIGNER, tmp_path / "a")
    other = Tinted("other", 5)
    (found,) = read(tmp_path / "a", other)
    assert max(shape[0] for shape in other.asked) <= 3
    assert sum(s[0] for s in other.asked) == 8
    assert np.allclose(
        found.first.vector, unit_vectors(other.frames(unpacked(found.first.picture)[None]))
    )


def test_what_was_not_seen_has_no_correlation_with_another_aligner(tmp_path):
    blind = PastPursuit("mine 1 dirt", "reached", "", 5, 5, (), 0.1, None)
    wordless = replace(pictured().pursuits[0], text=" ")
    export([pictured(pursuits=(blind, wordless))], ALIGNER, tmp_path / "a")
    (found,) = read(tmp_path / "a", Tinted("other", 5))
    assert found.pursuits[0] == replace(blind, correlation=None)
    assert found.pursuits[1].correlation is None
    assert found.pursuits[1].vector is not None
    assert read(tmp_path / "a")[0].pursuits[0].correlation == 0.1


def test_with_another_aligner_a_broken_picture_is_found_before_anything_is_given(tmp_path):
    export([pictured(), an_experience("broken")], ALIGNER, tmp_path / "a")
    refused(tmp_path / "a", "images/.*expected a whole picture", Tinted("other", 5))
    assert len(read(tmp_path / "a")) == 2


def test_an_aligner_that_makes_nothing_of_a_picture_is_told(tmp_path):
    export([pictured()], ALIGNER, tmp_path / "a")
    blind = Tinted("blind", 5)
    blind.frames = lambda pictures: np.zeros((len(pictures), 5), np.float32)
    refused(tmp_path / "a", "of which 'blind' makes a vector", blind)


WRONG = [
    (an_experience(first=replace(image(0), vector=vector(0, 9))), "vector of 8 finite numbers"),
    (an_experience(first=replace(image(0), vector=vector(0) * np.inf)), "finite"),
    (an_experience(first=replace(image(0), vector=vector(0).astype(float))), "float32"),
    (an_experience(first=replace(image(0), picture="text")), "a picture of at most"),
    (an_experience(status="won"), "status: expected one of running"),
    (an_experience(ticks=-1), "ticks: expected an integer"),
    (an_experience(ticks=2**63), "ticks: expected an integer"),
    (an_experience(goal=3), "goal: expected a text"),
    (an_experience(goal="\ud800"), "goal: expected a text that UTF-8 can hold"),
    (an_experience(start={"a": float("nan")}), "finite"),
    (an_experience(start={"a": {1, 2}}), "JSON can hold"),
    (an_experience(start={"a": 10**5000}), "expected an experience"),
    (an_experience(told={"a": [[[]]] * 3, "b": json.loads("[" * 70 + "]" * 70)}), "nested"),
    (an_experience(pursuits=None), "expected an experience"),
    ("an experience", "expected an experience"),
    (an_experience("b"), "key once"),
]


@pytest.mark.parametrize(("wrong", "match"), WRONG)
def test_what_could_not_be_read_is_not_written(tmp_path, wrong, match):
    (tmp_path / "a").write_text("what was there")
    with pytest.raises(BadValue, match=match) as caught:
        export([an_experience("b"), wrong], ALIGNER, tmp_path / "a")
    assert "experiences[1]" in str(caught.value)
    assert (tmp_path / "a").read_text() == "what was there"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


def test_an_export_that_breaks_off_leaves_what_was_there(path):
    before = path.read_bytes()

    def breaking():
        yield an_experience()
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        export(breaking(), ALIGNER, path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("aligner", [("a",), ("", 8), ("a", 0), (3, 8), None, ("a" * 1001, 8)])
def test_an_aligner_has_a_name_and_a_width(tmp_path, aligner):
    with pytest.raises(BadValue, match="aligner: expected"):
        export([], aligner, tmp_path / "a")


def test_where_nothing_can_be_written_is_told(tmp_path):
    with pytest.raises(BadValue, match="cannot be written"):
        export([], ALIGNER, tmp_path / "missing" / "a")
    with pytest.raises(BadValue, match="cannot be written"):
        export([], ALIGNER, tmp_path)


def test_a_file_can_be_written_over_while_it_is_read(path):
    assert export(read_portable(path, MADE_UP), ALIGNER, path) == 2
    assert len(read(path)) == 2
