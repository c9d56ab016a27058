import pickle

import numpy as np
import pytest
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

from optimus_gym.envs.minerl.enum_space import EnumSpace

SPACE = EnumSpace(("none", "planks", "stick"), default="none", seed=1)


def test_samples_are_all_the_names_and_follow_the_seed():
    space = EnumSpace(SPACE.values, "none", seed=4)
    drawn = [space.sample() for _ in range(60)]
    assert set(drawn) == set(space.values)
    space.seed(4)
    assert [space.sample() for _ in range(60)] == drawn


def test_a_mask_and_probabilities_choose_among_the_names():
    assert {SPACE.sample(mask=np.array([0, 1, 0], np.int8)) for _ in range(20)} == {"planks"}
    assert {SPACE.sample(probability=np.array([0.0, 0.0, 1.0])) for _ in range(20)} == {"stick"}


@pytest.mark.parametrize("stranger", ["plank", "", 1, None, np.array("planks"), ["planks"]])
def test_nothing_else_is_contained(stranger):
    assert not SPACE.contains(stranger)


def test_texts_of_numpy_are_contained():
    assert SPACE.contains(np.str_("planks"))


def test_spaces_are_equal_by_their_names():
    assert EnumSpace(("a", "b"), "a") == EnumSpace(("a", "b"), "a", seed=9)
    assert EnumSpace(("a", "b"), "a") != EnumSpace(("b", "a"), "a")
    assert pickle.loads(pickle.dumps(SPACE)) == SPACE


def test_vector_environments_hold_tuples_of_texts():
    batch = batch_space(SPACE, 2)
    assert batch.contains(("none", "stick"))
    made = concatenate(SPACE, ["none", "stick"], create_empty_array(SPACE, 2))
    assert made == ("none", "stick")
    assert list(iterate(batch, made)) == ["none", "stick"]
