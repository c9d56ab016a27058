"""DEPS's requests equal their golden files, which say what a model reads."""

from pathlib import Path

import pytest

from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.testing.situations import situation
from tests.agents.deps.test_deps import Row

GOLDEN = Path(__file__).parents[2] / "minds" / "golden"
BEGIN = situation(SubGoal("craft", "stone_pickaxe"), {"birch_log": 2})
LATER = situation(BEGIN.goal, {"birch_log": 1, "stick": 4}, stations=["crafting_table"])


@pytest.mark.parametrize(("place", "page"), [(0, "plan"), (1, "explain"), (2, "replan")])
def test_the_requests_equal_their_golden_files(place, page):
    row = Row(BEGIN)
    row.fails_at("craft 1 wooden_pickaxe", LATER, Failure("missing_item", "oak_planks", 3))
    wanted = GOLDEN / f"deps_{page}.md"
    assert row.asked[place].text == wanted.read_text(encoding="utf-8")
