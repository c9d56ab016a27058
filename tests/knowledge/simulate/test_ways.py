"""The ways to an item count the different items that lead to it."""

from optimus_gym.game.tasks import tasks
from optimus_gym.knowledge.simulate.way_table import game_ways


def test_depths_are_the_papers_reasoning_steps():
    for task in tasks("mp5-process-25").values():
        assert game_ways().depth(task.item) == task.figures["mp5"].subgoals, task.id
    assert game_ways().depth("bedrock") == 0
