"""Experiences of the player's biome come first, and different ways come before repeated ways."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.experience import PastPursuit
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.planning import Ask
from optimus_gym.minds.recall import EXPERIENCE_PARTS, Recall
from optimus_gym.testing.situations import situation
from tests.memory.telling import Telling
from tests.minds.test_recall import goals, lessons, remember, sight


@pytest.fixture
def pool(tmp_path):
    with ExperiencePool(tmp_path / "memory", Telling()) as made:
        yield made


def test_experiences_of_the_same_biome_come_before_experiences_with_similar_screens(pool):
    for name, where, colour in (("here", "taiga", "blue"), ("there", "forest", "green")):
        for status in ("success", "died"):
            remember(pool, f"red {name}", colour, status=status, environment=where)
    assert goals(lessons(pool, colour="green", biome="taiga")) == ["red here", "red there"] * 2
    assert goals(lessons(pool, colour="green", biome="desert")) == ["red there", "red here"] * 2
    blind = [part for part in EXPERIENCE_PARTS if part != "sight"]
    anywhere = [lessons(pool, biome=biome, parts=blind) for biome in ("taiga", "forest")]
    assert anywhere[0] == anywhere[1]


def test_a_certain_environment_on_the_screen_counts_unless_the_biome_is_known(pool):
    remember(pool, "red here", "blue", environment="taiga")
    remember(pool, "red there", "green", environment="forest")
    told = replace(sight("green"), words={"environment": "taiga"})
    unsure = replace(sight("green"), words={"environment": "perhaps taiga"})
    assert found_by(pool, told) == ["red here", "red there"]
    assert found_by(pool, unsure) == ["red there", "red here"]
    assert found_by(pool, told, biome="forest") == ["red there", "red here"]


def found_by(pool, seen, **other):
    here = situation(SubGoal("craft", "red_thing"))
    here = replace(here, task=replace(here.task, instruction="craft red_thing"), **other)
    recall = Recall(pool, KnowledgeGraph(()))
    return goals(recall.lessons([here], [seen], [Ask(here)])[0])


def test_the_more_similar_goal_outranks_the_biome_without_a_picture(tmp_path):
    with ExperiencePool(tmp_path / "exact", Shared()) as pool:
        remember(pool, "craft red_thing", environment="forest")
        remember(pool, "craft red thing too", environment="taiga")
        assert goals(lessons(pool, biome="taiga")) == ["craft red_thing", "craft red thing too"]


class Shared(Telling):
    """Texts are alike by their first words and, less so, by their length."""

    name = "shared"

    def _read(self, text):
        return np.float32([4, len(text) / 30, 0, 0, 0, 0, 0, 0])


def test_different_ways_come_before_repetitions(pool):
    """A way is the reached sub-goals of a success or the failed sub-goal of a failure."""

    def pursued(text, failed):
        end, why = ("failed", "stuck") if failed else ("reached", "")
        return PastPursuit(text, end, why, 240, 240, (), 0.4, None)

    for status in ("success", "died"):
        for k, wood in enumerate(("birch", "spruce", "oak", "oak", "oak", "oak")):
            way = pursued(f"mine 3 {wood}_log", status == "died")
            other = pursued(f"mine {k + 1} coal", status == "success")
            remember(pool, "red", status=status, environment=f"forest {k}", pursuits=(way, other))
    told = lessons(pool).experiences
    assert [row["environment"] for row in told] == ["forest 5", "forest 1", "forest 0"] * 2
