"""A request contains similar tasks only with the parts "transfer" and "avoid"."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.memory.experience import PastPursuit
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.planning import Setback
from optimus_gym.minds.recall import EXPERIENCE_PARTS
from tests.memory.telling import Telling
from tests.minds.test_recall import LOST, goals, lessons, pool, remember

__all__ = ["pool"]


@pytest.fixture
def exact(tmp_path):
    with ExperiencePool(tmp_path / "exact", Apart()) as made:
        yield made


class Apart(Telling):
    """Texts that are equal apart from underscores are alike; all others are unlike."""

    name, width = "apart", 256

    def _read(self, text):
        seed = sum(k * byte for k, byte in enumerate(text.replace("_", " ").encode(), 1))
        return np.random.default_rng(seed).choice([-1.0, 1.0], self.width).astype(np.float32)


def test_kin_is_searched_if_the_task_itself_has_no_success(exact):
    def found(parts=EXPERIENCE_PARTS):
        return goals(lessons(exact, "craft golden_axe", parts=parts))

    without = [one for one in EXPERIENCE_PARTS if one != "transfer"]
    remember(exact, "craft iron axe")
    remember(exact, "craft golden boots")
    assert (found(), found(without)) == (["craft iron axe"], [])
    remember(exact, "craft golden hoe")
    assert (found(), found(without)) == (["craft golden hoe"], [])
    remember(exact, "craft golden axe", status="died")
    assert (found(), found(without)) == (
        ["craft golden hoe", "craft golden axe"], ["craft golden axe"]
    )  # fmt: skip
    remember(exact, "craft golden axe")
    assert found() == found(without) == ["craft golden axe", "craft golden axe"]


def test_a_similar_task_is_left_out_without_transfer(pool):
    remember(pool, "red")
    assert goals(lessons(pool)) == ["red"]
    assert goals(lessons(pool, parts=[one for one in EXPERIENCE_PARTS if one != "transfer"])) == []


def test_a_success_at_a_lacked_item_appears_once_and_only_with_transfer(exact):
    lack = Setback(SubGoal("mine", "gold_ore", 1), Failure("missing_tool", "iron_pickaxe", 1))

    def found(goal="craft piston", setback=lack, parts=EXPERIENCE_PARTS):
        return goals(lessons(exact, goal, setback=setback, parts=parts))

    remember(exact, "craft boat")
    assert found() == []
    remember(exact, "craft iron pickaxe", status="died")
    remember(exact, "craft iron pickaxe")
    assert found() == ["craft iron pickaxe"]
    assert found(setback=None) == found(setback=LOST) == []
    assert found(parts=[one for one in EXPERIENCE_PARTS if one != "transfer"]) == []
    assert found("craft iron pickaxe") == ["craft iron pickaxe"] * 2
    stuck = Setback(lack.failed, replace(lack.why, reason="not_found"))
    assert found(setback=stuck) == []


def test_setbacks_are_left_out_without_avoid(pool):
    ended = [("mine 1 coal", "failed", "stuck"), ("mine 2 coal", "reached", "")]
    pursuits = tuple(PastPursuit(text, end, why, 0, 20) for text, end, why in ended)
    remember(pool, "red", pursuits=pursuits)
    remember(pool, "red", status="died")

    def told(parts):
        rows = lessons(pool, parts=parts).experiences
        return [(row["outcome"], [one["task"] for one in row["plan"]]) for row in rows]

    reached = ("success", ["mine 2 coal"])
    assert told([one for one in EXPERIENCE_PARTS if one != "avoid"]) == [reached]
    whole = told(EXPERIENCE_PARTS)
    assert whole[0] == ("success", ["mine 1 coal", "mine 2 coal"])
    assert [outcome for outcome, _ in whole] == ["success", "failure"]
