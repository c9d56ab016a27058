from itertools import islice

import numpy as np
import pytest

from optimus_gym.baselines import comparison
from optimus_gym.baselines.comparison import (
    SPARE,
    Played,
    differences,
    play,
    play_rivals,
    rows_of,
    strongest,
    validation_seeds,
)
from optimus_gym.baselines.log_gathering import ACTIONS
from optimus_gym.core.errors import BadValue
from optimus_gym.seeds import TEST, TRAIN, VALIDATION

EPISODES = validation_seeds(VALIDATION.start, 6)


class Corridor:
    """A stand-in for the task: an episode lasts three actions, which must all be the seed's own.

    Even seeds want "turn left", of the odd ones every third "look up", the others "stand"; the picture
    shows which.
    """

    begun: list[int] = []  # noqa: RUF012

    def __init__(self, seeds, rows):
        self._seeds, self.rows = seeds, rows

    def reset(self):
        self._row = [self._next() for _ in range(self.rows)]
        return self._pictures(), {}

    def _next(self):
        seed = next(self._seeds)
        self.begun.append(seed)
        return seed, 0, 0

    @staticmethod
    def wanted(seed):
        odd = "look up" if seed % 3 == 0 else "stand"
        return tuple(ACTIONS).index("turn left" if seed % 2 == 0 else odd)

    def _pictures(self):
        return np.array([[[[self.wanted(seed)]]] for seed, _, _ in self._row], np.uint8)

    def step(self, actions):
        self._row = [
            (seed, age + 1, right + (action == self.wanted(seed)))
            for (seed, age, right), action in zip(self._row, actions, strict=True)
        ]
        seeds, ages, right = np.array(self._row).T
        ended = ages == 3
        last = {"seed": seeds, "is_success": right == 3, "logs": right * 1.0}
        self._row = [
            self._next() if over else row for over, row in zip(ended, self._row, strict=True)
        ]
        infos = {"final_info": last} if ended.any() else {}
        return self._pictures(), np.zeros(self.rows), ended & last["is_success"], ended, infos

    def close(self):
        pass


@pytest.fixture
def corridor(monkeypatch):
    monkeypatch.setattr(comparison, "LogGathering", Corridor)
    monkeypatch.setattr(Corridor, "begun", [])


def seeing(pictures):
    return pictures[:, 0, 0, 0].astype(np.int64)


def test_the_constant_action_that_succeeds_most_often_is_the_rival(corridor):
    rivals = play_rivals(EPISODES, 0)
    assert [played.policy for played in rivals] == ["random", *(f"always {n}" for n in ACTIONS)]
    by_chance, constant = strongest(rivals)
    assert by_chance.policy == "random"
    assert constant.policy == "always turn left"
    assert constant.success.tolist() == [seed % 2 == 0 for seed in EPISODES]


def test_logs_decide_between_rivals_of_equal_success():
    played = [
        Played(str(k), np.zeros(2, np.bool_), np.array([0.0, logs]))
        for k, logs in enumerate((9, 1, 2, 0))
    ]
    assert strongest(played)[1].policy == "2"


@pytest.mark.parametrize("rows", [1, 4, 32])
def test_all_policies_play_the_same_episodes_once(corridor, monkeypatch, rows):
    monkeypatch.setattr(comparison, "ROWS", rows)
    played = play("seeing", seeing, EPISODES)
    assert played.success.all()
    counted = [seed for seed in Corridor.begun if seed != SPARE]
    assert counted == list(EPISODES)
    assert len(played.logs) == len(EPISODES)
    assert (play_rivals(EPISODES, 0)[3].success == [seed % 6 in (1, 5) for seed in EPISODES]).all()


def test_rows_without_an_episode_play_a_spare_seed(corridor, monkeypatch):
    monkeypatch.setattr(comparison, "ROWS", 2)

    def seeing_in_the_first_row(pictures):
        return seeing(pictures) * [1, 0]

    played = play("half", seeing_in_the_first_row, EPISODES[:3])
    assert Corridor.begun[:4] == [*EPISODES[:3], SPARE]
    assert played.success.tolist() == [True, False, True]


def test_random_actions_depend_on_their_seed_only(corridor):
    first, again, other = (play_rivals(EPISODES, seed)[0].logs.tolist() for seed in (0, 0, 1))
    assert first == again != other


def test_a_policy_that_sees_beats_the_constant_action(corridor):
    seeds = validation_seeds(VALIDATION.start, 60)
    rivals = strongest(play_rivals(seeds, 0))
    learned = {seed: play(f"{seed}", seeing, seeds) for seed in (4, 5)}
    found = differences(learned, rivals)
    assert [(entry.training_seed, entry.rival) for entry in found] == [
        (seed, rival.policy) for rival in rivals for seed in (4, 5, None)
    ]
    assert all(entry.beats for entry in found)
    assert found[-1].mean == pytest.approx(0.5)
    assert found[-1].interval == pytest.approx((0.37, 0.63), abs=0.03)


def test_the_constant_action_does_not_beat_itself(corridor):
    rivals = strongest(play_rivals(EPISODES, 0))
    (entry,) = differences({0: rivals[1]}, rivals[1:])
    assert (entry.mean, entry.beats) == (0, False)
    assert entry.interval[0] == -entry.interval[1] < -0.1


def test_intervals_stay_wide_without_any_success():
    lost = np.zeros(200, np.bool_)
    rivals = [Played("random", lost, lost * 1.0)]
    for learned in ({0: rivals[0]}, dict.fromkeys(range(3), rivals[0])):
        assert all(row["interval"][1] > 0.01 for row in rows_of(rivals, learned))
        for entry in differences(learned, rivals):
            assert entry.interval[0] < -0.01 < 0.01 < entry.interval[1]


def test_a_gain_within_chance_does_not_count_as_beating():
    success = np.arange(40) % 2 == 0
    rival = Played("rival", success, success.astype(float))
    learned = Played("learned", success | (np.arange(40) == 1), success.astype(float))
    (entry,) = differences({0: learned}, [rival])
    assert entry.mean == pytest.approx(1 / 40)
    assert entry.interval[0] <= 0
    assert not entry.beats


def test_the_table_has_a_row_for_each_policy_and_one_for_all_seeds():
    won, lost = np.ones(10, np.bool_), np.zeros(10, np.bool_)
    rows = rows_of(
        [Played("random", lost, lost * 1.0)],
        {k: Played(f"{k}", v, v * 3.0) for k, v in enumerate((won, lost))},
    )
    assert [row["policy"] for row in rows] == ["random", "0", "1", "PPO, all training seeds"]
    assert [row["success"] for row in rows] == [0, 1, 0, 0.5]
    assert [row["mean_return"] for row in rows] == [0, 3, 0, 1.5]
    assert rows[0]["interval"] == pytest.approx((0, 0.2775), abs=1e-4)
    assert rows[3]["interval"] == (0, 1)


@pytest.mark.parametrize(
    ("seeds", "told"),
    [
        (TEST[:3], "seed 0 is a test seed"),
        (range(TEST.stop - 1, VALIDATION.start + 2), f"seed {TEST.stop - 1} is a test seed"),
        (TRAIN[:3], f"got 3 episodes from seed {TRAIN.start}"),
        (range(TRAIN.start - 2, TRAIN.start + 1), f"got 3 episodes from seed {TRAIN.start - 2}"),
        (VALIDATION[:0], "at least one"),
    ],
)
def test_policies_are_compared_on_validation_seeds_only(corridor, seeds, told):
    with pytest.raises(BadValue, match=told):
        play("seeing", seeing, seeds)
    with pytest.raises(BadValue, match=told):
        play_rivals(seeds, 0)
    assert not Corridor.begun


def test_validation_seeds_are_consecutive():
    assert list(islice(EPISODES, 2)) == [VALIDATION.start, VALIDATION.start + 1]
