"""The tutor notes the teacher's action in every tick, also while the pupil acts."""

import numpy as np
import pytest

from optimus_gym.baselines.imitate.lesson_book import Lesson, lessons
from optimus_gym.baselines.imitate.practice import play, read_shard, write_shard
from optimus_gym.baselines.imitate.tutor import PUPILS_TURN, SLIP, Tutor, random_keys
from optimus_gym.controllers.pixel.pixel import _DATA
from optimus_gym.core.actions import CONTROL_SIZES
from optimus_gym.core.errors import BadValue

LOG = Lesson("SkillMineLog", 100, (2, 2), 0.2, 1.0)
SEEDS = range(1_900_000, 1_900_002)


@pytest.fixture(scope="module")
def network():
    """Return the file of the package's network."""
    from importlib.resources import files

    return str(files(_DATA).joinpath("pixel.onnx"))


class Watched(Tutor):
    """A tutor that keeps the actions that were done."""

    def __init__(self, *given, **more):
        super().__init__(*given, **more)
        self.done = {}

    def act(self, rows, observations, mask):
        actions, failures = super().act(rows, observations, mask)
        for row, action in zip(rows, actions, strict=True):
            self.done.setdefault(row, []).append(action[:13].copy())
        return actions, failures


def notes_of(tutor, lesson=LOG, seeds=SEEDS):
    """Play a lesson; return the notes, and the done actions of each row's first episode."""
    play(tutor, lesson, seeds)
    notes = list(tutor.notes())
    return notes, [np.array(tutor.done[row][: len(notes[row].labels)]) for row in (0, 1)]


def test_a_clean_teacher_does_what_it_says():
    notes, done = notes_of(Watched())
    assert len(notes) == 2
    for one, acts in zip(notes, done, strict=True):
        assert one.labels.tolist() == acts.tolist()
        assert len(one.pictures) == len(one.facts) == len(one.labels)


def test_a_clumsy_teacher_slips_in_whole_stretches_and_still_says_what_is_right():
    notes, done = notes_of(Watched(noise=0.5))
    wrong = np.concatenate(
        [(one.labels != acts).any(1) for one, acts in zip(notes, done, strict=True)]
    )
    assert 0.2 < wrong.mean() < 0.8
    first = (notes[0].labels != done[0]).any(1)
    for start in range(0, len(first) - SLIP, SLIP):
        held = done[0][start : start + SLIP]
        assert not first[start] or (held == held[0]).all()


def test_the_pupil_acts_and_the_teacher_helps_by_stretches(network):
    notes, done = notes_of(Watched(network, help=0.5))
    same = [(one.labels == acts).all(1) for one, acts in zip(notes, done, strict=True)]
    stretches = [
        row[start : start + PUPILS_TURN].all()
        for row in same
        for start in range(0, len(row), PUPILS_TURN)
    ]
    assert True in stretches
    assert False in stretches
    alone, acts = notes_of(Watched(network))
    assert not (alone[0].labels == acts[0]).all()


def test_the_same_seeds_give_the_same_notes(network):
    first, again = (notes_of(Watched(network, help=0.5))[0] for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert all((a == b).all() for a, b in zip(one, other, strict=True))


def test_random_keys_are_keys():
    draws = np.random.default_rng(0)
    for _ in range(300):
        keys = random_keys(draws)[:13]
        assert (keys >= 0).all()
        assert (keys < np.array(CONTROL_SIZES)).all()


def test_a_lesson_of_several_subgoals_goes_on_to_the_episodes_end():
    stone = Lesson("Stone", 900, (1, 1), 0.0, 1.0)
    tutor = Watched()
    won = play(tutor, stone, range(1_900_010, 1_900_011))
    goals = [one.facts[:, :8].argmax(1) for one in tutor.notes()]
    assert won.all()
    assert all((one == one[0]).all() for one in goals)
    assert (goals[0][0], goals[-1][0]) == (0, 1), "first logs, then cobblestone"


def test_notes_come_back_from_their_file(tmp_path):
    notes, _ = notes_of(Watched())
    file = tmp_path / "round_0" / "log.npz"
    write_shard(file, notes, np.array([True, False]))
    shard = read_shard(file)
    assert shard.lengths.tolist() == [len(one.labels) for one in notes]
    assert (shard.labels == np.concatenate([one.labels for one in notes])).all()
    assert (int(shard.reached), int(shard.played)) == (1, 2)


def test_damaged_notes_and_those_of_other_looks_are_refused(tmp_path, monkeypatch):
    file = tmp_path / "log.npz"
    file.write_bytes(b"PK no notes")
    with pytest.raises(BadValue, match="expected the notes of a lesson"):
        read_shard(file)
    notes, _ = notes_of(Watched())
    from optimus_gym.baselines.imitate import practice

    monkeypatch.setattr(practice, "own_stamp", lambda: '{"looks": "x", "keys": "y", "senses": "z"}')
    write_shard(file, notes, np.array([True]))
    with pytest.raises(BadValue, match=r"expected the looks .* got 'x'"):
        read_shard(file)


def test_the_lessons_name_tasks_that_exist():
    assert lessons()[0].task == "SkillMineLogAnywhere"
    for one in lessons():
        name, arguments = one.environment
        assert name.startswith("Optimus-")
        assert arguments["ticks"] == one.ticks
