"""A stage plays episodes in the rows of one environment, here without a process."""

from types import SimpleNamespace

import pytest

from optimus_gym.run.evaluate import Evaluation, stage
from optimus_gym.run.evaluate.identity import configuration_hash, identity_of

SOME = Evaluation(world="symbolic", tasks=("CraftStick", "Diamond"), episodes=2)


def test_episodes_played_together_share_the_time(monkeypatch):
    """The clock advances a second at each look; every second belongs to exactly one episode."""
    looks = iter(range(10**6))
    clock = SimpleNamespace(perf_counter=lambda: float(next(looks)))
    monkeypatch.setattr(stage, "time", clock)
    playing = stage.Stage(SOME, identity_of(SOME), 4)
    for job in SOME.jobs:
        playing.begin(job)
    rows, plays = [], 0
    while not playing.is_empty:
        rows += playing.play()
        plays += 1
    playing.close()
    assert sum(row.wall_s for row in rows) == len(SOME.jobs) + plays
    first, last = rows[0], rows[-1]
    assert first.wall_s == 1 + 1 / 4
    assert last.wall_s > first.wall_s


@pytest.mark.parametrize(
    ("agent", "controller", "privileged"),
    [
        ("optimus-1", "random", False),
        ({"name": "optimus-1", "labels": "hindsight"}, "random", False),
        ({"name": "optimus-1", "labels": "truth"}, "random", True),
        ("optimus-1", "oracle", True),
    ],
)
def test_a_crashed_row_says_whether_its_parts_are_privileged(agent, controller, privileged):
    one = Evaluation(agent=agent, controller=controller, tasks=("CraftStick",))
    row = stage.crashed(one, identity_of(one), one.jobs[0], "why")
    assert row.privileged is privileged
    assert ("truth" in row.agent) == (privileged and controller == "random")


@pytest.mark.parametrize(
    ("world", "asked", "way"),
    [
        ("voxel", {}, "functional"),
        ("voxel", {"crafting": "gui"}, "gui"),
        ("tests.envs.test_crafting_way:OnlyMouse", {}, "gui"),
    ],
)
def test_a_crashed_row_says_which_way_to_craft_its_world_has(world, asked, way):
    told = Evaluation(world=world, tasks=("Wood",), episodes=1, settings=asked)
    (job,) = told.jobs
    assert stage.crashed(told, identity_of(told), job, "why").crafting == way


def test_a_played_row_says_that_the_helper_crafted_by_mouse():
    told = Evaluation(
        controller="random", tasks=("Wood",), episodes=1, seed=50_000,
        settings={"crafting": "gui", "resolution": [16, 16]}, start={"inventory": {"oak_log": 4}},
    )  # fmt: skip
    playing = stage.Stage(told, identity_of(told), 1)
    playing.begin(told.jobs[0])
    (row,) = playing.play()
    playing.close()
    assert (row.crafting, row.helper, row.status) == ("gui", "gui", "success")


def test_labels_by_truth_change_the_identity():
    identities = [
        identity_of(
            Evaluation(agent={"name": "optimus-1", "labels": labels}, tasks=("CraftStick",))
        )
        for labels in ("hindsight", "truth")
    ]
    assert configuration_hash(identities[0]) != configuration_hash(identities[1])
