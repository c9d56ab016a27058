"""The sentences about a screen, and the ways to get items, that requests of JARVIS-1 state."""

import numpy as np
import pytest

from optimus_gym.agents.jarvis1.recipes import Cookbook
from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.minds.describer import (
    MOST_SENTENCES,
    Describer,
    NoDescriber,
    sentence_bank,
)
from optimus_gym.minds.eyes import NoEyes, Seen
from optimus_gym.prompts.code_plans import Call
from optimus_gym.testing.situations import situation
from optimus_gym.vision.aligner import unit_vectors
from optimus_gym.vision.environments import ENVIRONMENTS
from optimus_gym.vision.mini_aligner import MiniAligner
from optimus_gym.vision.screen import Screen
from tests.envs.conftest import make
from tests.memory.telling import Telling, frame

BOOK = Cookbook(abilities_of("voxel").graph)


def seen(aligner, picture):
    vector = unit_vectors(aligner.frames(picture[None]))[0]
    return Seen(screen=Screen(None, "forest", np.zeros(len(ENVIRONMENTS), np.float32), vector))


def test_the_best_sentences_describe_a_screen_if_they_are_like_enough():
    describer = Describer(NoEyes(), Telling(), 0.9)
    told = describer.sentences(seen(Telling(), frame("red")))
    assert len(told) == MOST_SENTENCES
    assert all("red" in sentence for sentence in told)
    assert Describer(NoEyes(), Telling(), 1.0).sentences(seen(Telling(), frame("green"))) == ()


def test_a_screen_that_was_not_read_has_no_sentences():
    assert Describer(NoEyes(), Telling()).sentences(Seen()) == ()
    nothing = NoDescriber(NoEyes())
    assert nothing.sentences(nothing.look([situation(SubGoal("mine", "log"))])[0]) == ()


def test_each_sentence_of_the_bank_says_one_thing():
    assert len(set(sentence_bank())) == len(sentence_bank()) > 100
    assert {"I see sheep", "I see forest", "I see coal ore", "I see night"} < set(sentence_bank())


@pytest.mark.parametrize(
    ("biome", "sentence"), [("plains", "plains"), ("desert", "sand"), ("taiga", "taiga")]
)
def test_the_default_aligner_describes_the_embedded_world(biome, sentence):
    env = make("OptimusFlat-Wood-v0", resolution=(640, 360))
    observation, _ = env.reset(seed=2, options={"biome": biome})
    env.close()
    aligner = MiniAligner(1)
    told = Describer(NoEyes(), aligner).sentences(seen(aligner, observation["pov"]))
    assert any(sentence in one for one in told)


def test_ways_lead_from_nothing_to_the_goal_with_collective_words():
    ways = BOOK.ways(SubGoal("craft", "stone_pickaxe"))
    assert ways[:2] == (Call("mine", "log"), Call("craft", "planks", 4, {"log": 1}))
    assert ways[6] == Call(
        "craft", "stone_pickaxe", 1, {"cobblestone": 3, "stick": 2}, "crafting_table"
    )


def test_quick_other_ways_are_stated_with_the_ways_to_their_materials():
    ways = BOOK.ways(SubGoal("kill", "white_wool"))
    assert [str(way) for way in ways] == [
        'kill(obj={"white_wool": 1}, tool=None)  # from sheep',
        'craft(obj={"white_wool": 1}, materials={"string": 4}, tool=None)',
        'kill(obj={"string": 1}, tool=None)  # from spider',
    ]


def test_a_way_names_the_place_the_kind_of_wood_and_the_chosen_material():
    assert "y 0 to 15" in str(BOOK.ways(SubGoal("mine", "diamond")))
    door = BOOK.ways(SubGoal("craft", "birch_door"))
    assert Call("craft", "birch_planks", 4, {"birch_log": 1}) in door
    dye = BOOK.ways(SubGoal("craft", "red_dye"))
    assert dye[-1].materials.keys() <= {way.item for way in dye}


def test_fuel_is_stated_only_for_goals_that_are_smelted():
    assert BOOK.fuel(BOOK.ways(SubGoal("craft", "stick"))) == {}
    smelted = BOOK.ways(SubGoal("smelt", "iron_ingot"))
    assert BOOK.fuel(smelted) == {"planks": 1, "coal": 8, "charcoal": 8}
    assert {"coal", "charcoal"} <= {way.item for way in smelted}


@pytest.mark.parametrize("item", ["bedrock", "sheep"])
def test_a_goal_without_a_way_has_no_ways(item):
    assert BOOK.ways(SubGoal("find", item)) == ()
