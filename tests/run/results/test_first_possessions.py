"""First possessions tell apart policies that all fail at the end."""

import pytest

from optimus_gym.run.results.first_possessions import possessions_by_group, score, told_possessions
from tests.run.results.making import a_row

ALMOST = {"oak_log": 9, "oak_planks": 20, "stick": 30, "crafting_table": 40, "wooden_pickaxe": 60}


def a_failure(episode, **held):
    return a_row("Stone", episode, False, group="stone", milestones=held)


def test_each_item_on_the_way_has_its_share():
    rows = [a_failure(0, **ALMOST), a_failure(1, birch_log=8), a_failure(2)]
    (stone,) = possessions_by_group(rows)
    assert {one.name: one.successes for one in stone.found} == {
        "log": 2,
        "planks": 1,
        "stick": 1,
        "crafting table": 1,
        "wooden pickaxe": 1,
        "cobblestone": 0,
        "stone pickaxe": 0,
    }
    log = stone.found[0]
    assert (log.episodes, log.rate) == (3, pytest.approx(2 / 3))
    assert log.interval[0] < log.rate < log.interval[1]
    assert stone.score == pytest.approx(score(one.rate for one in stone.found))


def test_the_score_tells_failing_policies_apart():
    better = possessions_by_group([a_failure(k, **ALMOST) for k in range(3)])[0].score
    worse = possessions_by_group([a_failure(k, oak_log=9) for k in range(3)])[0].score
    assert better > worse > 0


def test_items_off_the_way_and_overtime_do_not_count():
    rows = [a_failure(0, dirt=5), a_row("Stone", 1, False, group="stone", status="crashed (time)")]
    (stone,) = possessions_by_group(rows)
    assert {one.episodes for one in stone.found} == {1}
    assert stone.score == 0


def test_groups_of_unknown_tasks_and_of_crashes_are_left_out():
    assert possessions_by_group([a_row("MyOwnTask", group="own")]) == ()
    assert possessions_by_group([a_row(success=False, status="crashed")]) == ()


def test_each_group_has_a_line():
    lines = told_possessions([a_failure(0, **ALMOST), a_row()])
    assert lines[0].startswith("first possessions, stone: log 100%, planks 100%")
    assert lines[0].endswith(f"stone pickaxe 0%; score {score([1] * 5 + [0] * 2):.1%}")
    assert lines[1].startswith("first possessions, diamond: log 100%")
