"""A merge adds whole memories or nothing; all vectors come from the receiving folder's aligner."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.experience import Image, PastPursuit
from optimus_gym.memory.merging import merge
from optimus_gym.memory.pictures import unpacked
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.vision.aligner import Aligner, unit_vectors
from tests.memory.making import ALIGNER, Tinted, pictured, same, vector

BROKEN = pictured("broken", first=Image(70, b"no picture", vector(0)))


def bare(key):
    """Return an experience without pictures and vectors."""
    return pictured(key, first=None, pursuits=(), cases=())


def remembered(folder, *experiences, aligner=ALIGNER):
    with ExperiencePool(folder, Tinted(*aligner)) as pool:
        pool.add_all(experiences)
    return folder


def merged(folder, other, aligner, **options):
    with ExperienceStore(other, None, writes=False) as store:
        return merge(folder, store, aligner, **options)


def held(folder):
    with ExperienceStore(folder, None, writes=False) as store:
        return [store.get(number) for number in store.numbers()]


def changed(folder, statement):
    with closing(sqlite3.connect(folder / MEMORY_FILE)) as connection, connection:
        connection.execute(statement)
    return folder


@pytest.fixture
def other(tmp_path):
    return remembered(tmp_path / "other", pictured("a"), pictured("b"))


@pytest.fixture
def folder(tmp_path):
    return remembered(tmp_path / "folder", bare("mine"), aligner=("tinted", 5))


def test_the_fake_aligner_satisfies_the_aligner_protocol():
    assert isinstance(Tinted(), Aligner)


def test_another_aligner_makes_all_vectors_from_the_stored_pictures_and_texts(folder, other):
    aligner = Tinted("tinted", 5)
    assert merged(folder, other, aligner) == 2
    assert {shape[1:3] for shape in aligner.asked} == {(24, 32), (40, 32)}
    found, given = held(folder)[1], pictured("a")

    def made(one):
        return unit_vectors(aligner.frames(unpacked(one.picture)[None]))[0]

    pursuit = found.pursuits[0]
    images = [found.first, *pursuit.seen, found.cases[0].before, found.cases[0].present]
    assert all(one.vector.shape == (5,) for one in images)
    assert all(np.allclose(one.vector, made(one), atol=1e-3) for one in images)
    features = np.concatenate([aligner.frames(unpacked(one.picture)[None]) for one in pursuit.seen])
    video = aligner.videos([features[[0, 2, 4]]])[0]
    assert np.allclose(pursuit.vector, video, atol=1e-3)
    fit = float(video @ aligner.texts([pursuit.text])[0])
    assert pursuit.correlation == pytest.approx(fit, abs=1e-6)
    assert [one.picture for one in pursuit.seen] == [one.picture for one in given.pursuits[0].seen]
    rest = {"first": None, "pursuits": (), "cases": ()}
    assert replace(found, **rest) == replace(given, **rest)


def test_merged_experiences_are_found_by_text_and_picture(folder, other):
    aligner = Tinted("tinted", 5)
    merged(folder, other, aligner)
    with ExperiencePool(folder, aligner) as pool:
        look = pool.picture(unpacked(pictured("a").first.picture))
        found = pool.find("Craft a wooden axe", picture=look, count=3)
    assert [one.number for one in found] == [3, 2, 1]
    assert [one.sight for one in found[:2]] == pytest.approx([1, 1], abs=1e-3)


@pytest.mark.parametrize("named", [("other", 8), ("made-up", 5)])
def test_vectors_are_copied_only_if_the_aligners_name_and_width_agree(tmp_path, other, named):
    aligner = Tinted(*named)
    merged(tmp_path / "new", other, aligner)
    assert aligner.asked
    assert not same(held(tmp_path / "new")[0], pictured("a"))
    aligner = Tinted(*ALIGNER)
    merged(tmp_path / "same", other, aligner)
    assert not aligner.asked
    assert all(map(same, held(tmp_path / "same"), (pictured("a"), pictured("b"))))


def test_the_aligner_gets_pictures_in_batches_that_fit(tmp_path, other, monkeypatch):
    monkeypatch.setattr("optimus_gym.memory.merging.MOST_PIXELS", 24 * 32 * 3)
    aligner = Tinted("tinted", 5)
    merged(tmp_path / "new", other, aligner)
    assert max(shape[0] for shape in aligner.asked) == 3
    assert sum(shape[0] for shape in aligner.asked) == 2 * 8


def test_a_sub_goal_without_frames_loses_another_aligners_correlation(tmp_path):
    blind = PastPursuit("mine 1 dirt", "reached", "", 5, 5, (), 0.1, None)
    other = remembered(tmp_path / "other", pictured(pursuits=(blind,)))
    merged(tmp_path / "new", other, Tinted("tinted", 5))
    assert held(tmp_path / "new")[0].pursuits[0] == replace(blind, correlation=None)
    merged(tmp_path / "same", other, Tinted(*ALIGNER))
    assert held(tmp_path / "same")[0].pursuits[0].correlation == 0.1


def test_experiences_that_the_folder_holds_already_are_not_encoded_again(folder, other):
    merged(folder, other, Tinted("tinted", 5))
    aligner = Tinted("tinted", 5)
    assert merged(folder, other, aligner) == 0
    assert not aligner.asked
    assert [one.key for one in held(folder)] == ["mine", "a", "b"]


@pytest.mark.parametrize("aligner", [("tinted", 5), ALIGNER])
def test_a_damaged_picture_is_named_and_nothing_is_written(tmp_path, aligner):
    other = remembered(tmp_path / "other", pictured("a"), BROKEN, pictured("c"))
    folder = remembered(tmp_path / "folder", bare("mine"), aligner=aligner)
    before = (folder / MEMORY_FILE).read_bytes()
    match = f"experience 2: memory: '{other / MEMORY_FILE}' is damaged at the frame of tick 70: expected a"
    for place in (folder, tmp_path / "new"):
        with pytest.raises(BadValue, match=match):
            merged(place, other, Tinted(*aligner))
    assert (folder / MEMORY_FILE).read_bytes() == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("aligner", [("tinted", 5), ALIGNER])
def test_damaged_experiences_can_be_skipped_and_are_listed(tmp_path, aligner):
    other = remembered(tmp_path / "other", pictured("a"), BROKEN, pictured("c"), pictured("d"))
    changed(other, "UPDATE experience SET status = 'odd' WHERE key = 'c'")
    faults = []
    assert merged(tmp_path / "new", other, Tinted(*aligner), skip=faults.append) == 2
    assert [one.key for one in held(tmp_path / "new")] == ["a", "d"]
    assert [fault.split(":")[0] for fault in faults] == ["experience 2", "experience 3"]
    assert "is damaged at status: expected one of" in faults[1]


def test_a_folder_is_not_made_if_every_experience_is_damaged(tmp_path):
    other, faults = remembered(tmp_path / "other", BROKEN), []
    assert merged(tmp_path / "new", other, Tinted("tinted", 5), skip=faults.append) == 0
    assert (len(faults), (tmp_path / "new").exists()) == (1, False)


def test_an_experience_with_an_empty_text_counts_as_damaged(other, tmp_path):
    changed(other, "UPDATE experience SET goal = '' WHERE key = 'b'")
    aligner, faults = Tinted("tinted", 5), []

    def texts(given, make=aligner.texts):
        if not all(given):
            raise BadValue("texts: expected texts with words")
        return make(given)

    aligner.texts = texts
    assert merged(tmp_path / "new", other, aligner, skip=faults.append) == 1
    assert faults == ["experience 2: texts: expected texts with words"]


def test_a_picture_without_a_vector_is_rejected_by_name(tmp_path, other):
    blind = Tinted("blind", 5)
    blind.frames = lambda pictures: np.zeros((len(pictures), 5), np.float32)
    with pytest.raises(BadValue, match=r"experience 1: .*tick 0: .*'blind' makes no vector"):
        merged(tmp_path / "new", other, blind)


@pytest.mark.parametrize("work", ["reading", "writing"])
@pytest.mark.parametrize("aligner", [("tinted", 5), ALIGNER])
def test_an_interrupted_merge_leaves_the_folder_as_it_was(tmp_path, other, work, aligner):
    folder = remembered(tmp_path / "folder", bare("mine"), aligner=aligner)

    def interrupted(numbers, what):
        for number in numbers:
            yield number
            if what == work:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        merged(folder, other, Tinted(*aligner), progress=interrupted)
    assert [one.key for one in held(folder)] == ["mine"]
    assert merged(folder, other, Tinted(*aligner)) == 2


def test_agents_can_write_into_the_folder_while_the_aligner_works(folder, other, monkeypatch):
    monkeypatch.setattr("optimus_gym.memory.database.PATIENCE_S", 0.1)

    def writing(numbers, what):
        for number in numbers:
            if what == "reading":
                remembered(folder, bare(f"new {number}"), aligner=("tinted", 5))
            yield number

    assert merged(folder, other, Tinted("tinted", 5), progress=writing) == 2
    assert [one.key for one in held(folder)] == ["mine", "new 1", "new 2", "a", "b"]


def test_progress_counts_the_experiences_that_are_read_and_written(folder, other):
    counted = []

    def noted(numbers, what):
        numbers = list(numbers)
        counted.append((what, len(numbers)))
        return numbers

    merged(folder, other, Tinted("tinted", 5), progress=noted)
    assert counted == [("reading", 2), ("writing", 2)]


def test_a_folder_of_another_aligner_is_rejected_before_reading(folder, other):
    aligner = Tinted("another", 5)
    with pytest.raises(BadValue, match=r"expected vectors of aligner 'another' .* got .* 'tinted'"):
        merged(folder, other, aligner)
    assert not aligner.asked
