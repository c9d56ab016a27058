"""Explorations and lessons are drawn by seed, fit their group, and can be played."""

from collections import Counter

import pytest

from optimus_gym.core.registry import load
from optimus_gym.game.items import item
from optimus_gym.game.sources import GATHERING
from optimus_gym.game.tasks import own_tasks, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.run.learn.school_tasks import BAG_KINDS, BAG_PIECES, SchoolTasks

ABLE = abilities_of("voxel").graph
BIOMES = load("world", "voxel").biomes


@pytest.fixture(scope="module")
def lessons():
    return SchoolTasks(ABLE, BIOMES, 7)


def test_each_group_has_five_lessons_that_no_benchmark_has(lessons):
    counted = Counter(row["group"] for row in lessons.pool)
    groups = dict.fromkeys(task.group for task in tasks().values())
    assert counted == dict.fromkeys(groups, 5)
    asked = {(task.verb, task.item, task.count) for task in tasks().values()}
    for task in own_tasks({"tasks": list(lessons.pool)}, "the lessons").values():
        assert (task.verb, task.item, task.count) not in asked, task.id


def test_lessons_go_through_the_whole_pool_before_any_comes_again(lessons):
    taught = [row["instruction"] for epoch in range(4) for row in lessons.lessons(epoch, 10)]
    assert len(set(taught[:35])) == 35
    assert set(taught[35:]) <= set(taught[:35])
    again = SchoolTasks(ABLE, BIOMES, 7)
    assert [row["instruction"] for row in again.lessons(0, 10)] == taught[:10]
    other = SchoolTasks(ABLE, BIOMES, 8)
    assert [row["instruction"] for row in other.lessons(0, 10)] != taught[:10]


def test_explorations_are_valid_tasks_with_random_bags(lessons):
    rows = lessons.explorations(0, 150)
    found = own_tasks({"tasks": rows}, "the explorations")
    assert len(found) == 150
    assert len({task.group for task in found.values()}) == 7
    assert len({task.biomes for task in found.values()}) > 5
    for task in found.values():
        assert task.success == "reached"
        assert 1 <= len(task.inventory) <= BAG_KINDS
        for name, count in task.inventory.items():
            assert 1 <= count <= min(BAG_PIECES, item(name).stack_size)
    gathering = sum(task.verb in GATHERING for task in found.values())
    assert 0.35 * 150 < gathering < 0.75 * 150


def test_what_an_exploration_makes_is_offered_for_its_bag_and_can_be_had(lessons):
    for row in lessons.explorations(1, 150):
        if row["verb"] not in GATHERING:
            ways = ABLE.sources_of(row["item"])
            takes = {name for way in ways for need in way.needs for name in need.choices}
            assert not takes.isdisjoint(row["inventory"]), row
            assert ABLE.requirements(row["item"]).steps


def test_explorations_do_not_depend_on_how_many_there_are(lessons):
    few, many = lessons.explorations(0, 3), lessons.explorations(0, 8)
    assert few == many[:3]
    assert lessons.explorations(1, 3) != few


def test_a_world_that_can_do_little_has_fewer_lessons():
    some = ABLE.within(["mine", "craft"], ["crafting_table"])
    pool = SchoolTasks(some, BIOMES, 7).pool
    assert {row["group"] for row in pool} < {task.group for task in tasks().values()}
