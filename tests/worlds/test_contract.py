"""Every world keeps the contract, and the contract notices who does not."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.core.registry import load, names
from tests.worlds.broken import BROKEN, BROKEN_DOWN, Near
from tests.worlds.contract import CHECKS, WorldContract, check_breakdown
from tests.worlds.failing import FailingWorld
from tests.worlds.hidden import HiddenWorld
from tests.worlds.playing import act, seen

ROOT = Path(__file__).resolve().parents[2]
WORLDS = {**{name: None for name in names("world")}, "hidden": HiddenWorld, "near": Near}


def made(name):
    """Return what makes a world of a name."""
    world = WORLDS[name] or load("world", name)
    return lambda count: world(count, view_distance=32, threads=1)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", sorted(WORLDS))
def test_a_world_keeps_the_contract(name, check):
    getattr(WorldContract(made(name)), check)()


@pytest.mark.parametrize(("world", "check"), BROKEN)
def test_a_broken_world_is_noticed(world, check):
    with pytest.raises(AssertionError):
        getattr(WorldContract(lambda count: world(count)), f"check_{check}")()


def test_others_go_on_where_a_row_breaks_down():
    check_breakdown(lambda count: FailingWorld(count, view_distance=16, row=1, tick=3), 1, 3)


@pytest.mark.parametrize("world", BROKEN_DOWN)
def test_a_row_that_breaks_down_otherwise_than_agreed_is_noticed(world):
    with pytest.raises(AssertionError):
        check_breakdown(lambda count: world(count, view_distance=16, row=1, tick=3), 1, 3)


def test_nothing_else_of_a_hidden_world_can_be_reached():
    world = HiddenWorld(1, view_distance=16)
    for name in ("worlds", "snapshot", "restore", "sights", "view_distance", "carry_out"):
        assert not hasattr(world, name), name


def history(name):
    """Return a hash of all that a played world tells."""
    contract, digest = WorldContract(made(name)), hashlib.sha256()
    with contract.begun(1) as world:
        for step in range(contract.steps):
            act(world, [0], step)
            digest.update(repr(sorted(seen(world, 0).items())).encode())
    return digest.hexdigest()


@pytest.mark.parametrize("name", sorted(names("world")))
def test_another_process_gives_the_same(name):
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
