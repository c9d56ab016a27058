"""Every world keeps the contract, and each rule of the contract names the worlds that break it."""

import hashlib
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from optimus_gym.core.registry import load, names
from optimus_gym.testing import contract_of, world_rules
from optimus_gym.testing.contract import RuleBroken
from optimus_gym.testing.power_contract import check_breakdown
from optimus_gym.testing.small_worlds import FailingWorld, MinimalWorld
from optimus_gym.testing.world_case import WorldCase
from optimus_gym.testing.world_play import act, seen
from tests.worlds.broken import BROKEN, BROKEN_DOWN, Near
from tests.worlds.malmo.client.served_worlds import SERVED, served_world

ROOT = Path(__file__).resolve().parents[2]
WORLDS = {**{name: None for name in names("world")}, "minimal": MinimalWorld, "near": Near}
IDLE = {
    "voxel": {
        "returns_a_done",
        "subgoals_tell_events",
        "subgoals_are_done",
        "subgoals_keep_their_limit",
        "undeclared_keys_do_nothing",
    },
    "symbolic": {
        "shows_something",
        "lists_sights_by_size",
        "reads_its_overlay",
        "keys_turn_the_player",
        "keys_move_the_player",
        "functions_count_at_once",
        "functions_tell_events",
        "death_lasts",
        "respawns_the_dead_alone",
        "turns_by_any_angle",
        "opens_and_closes_the_inventory",
        "has_screens_only_if_asked",
        "stands_still_while_a_screen_is_open",
        "pockets_agree_with_counts",
        "crafts_by_mouse",
        "commands_act_at_once",
        "commands_are_assists",
        "refuses_bad_commands",
        "shows_messages",
        "reports_the_box_asked_for",
        "looking_changes_nothing",
        "conditions_make_sense",
        "refuses_bad_boxes",
    },
}
"""Rules that do not apply, by world; the two worlds together try all rules."""


def made(name):
    """Return a function that makes the world of a name."""
    if name in SERVED:
        return partial(served_world, name)
    world = WORLDS[name] or load("world", name)
    return lambda count: world(count, view_distance=32, threads=1)


@pytest.mark.parametrize("rule", world_rules(), ids=str)
@pytest.mark.parametrize("name", sorted(WORLDS))
def test_a_world_keeps_the_contract(name, rule):
    reason = rule(made(name))
    if name in IDLE:
        assert bool(reason) == (rule.name in IDLE[name])


def broken_rules(make):
    """Return the names of the rules that a world breaks."""
    findings = contract_of("world").findings(make)
    return tuple(one.rule.name for one in findings if one.verdict == "failed")


@pytest.mark.parametrize(
    ("world", "rules"), BROKEN.items(), ids=lambda one: getattr(one, "__name__", "")
)
def test_a_broken_world_breaks_exactly_its_listed_rules(world, rules):
    assert broken_rules(world) == rules


def test_every_rule_has_a_broken_world():
    assert {rule.name for rule in world_rules()} == {
        name for names in BROKEN.values() for name in names
    }


def test_other_rows_go_on_when_a_row_breaks_down():
    check_breakdown(lambda count: FailingWorld(count, view_distance=16, row=1, tick=3), 1, 3)


@pytest.mark.parametrize("world", BROKEN_DOWN)
def test_the_contract_rejects_a_wrong_breakdown(world):
    with pytest.raises(RuleBroken, match="expected"):
        check_breakdown(lambda count: world(count, view_distance=16, row=1, tick=3), 1, 3)


def test_a_minimal_world_has_no_optional_members():
    world = MinimalWorld(1, view_distance=16)
    for name in ("worlds", "snapshot", "restore", "sights", "view_distance", "carry_out"):
        assert not hasattr(world, name), name


def history(name):
    """Return a hash of every answer of a played world."""
    case, digest = WorldCase(made(name)), hashlib.sha256()
    with case.begun(1) as world:
        for step in range(case.steps):
            act(world, [0], step)
            digest.update(repr(sorted(seen(world, 0).items())).encode())
    return digest.hexdigest()


@pytest.mark.parametrize("name", sorted(set(names("world")) - set(SERVED[1:])))
def test_another_process_plays_the_same_history(name):
    script = f"from tests.worlds.test_contract import history; print(history({name!r}))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == history(name)
