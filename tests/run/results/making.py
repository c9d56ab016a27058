"""Rows of invented episodes."""

from optimus_gym.run.results.row import Death, EpisodeRow, Pursued


def a_row(task="Diamond", episode=0, success=True, ticks=4000, group="diamond", **other):
    """Return a row; fields left out are as in an oracle's episode."""
    given = {
        "suite": "optimus-67",
        "seed": 7 + episode,
        "agent": "optimus-1",
        "backbone": "rules",
        "controller": "oracle",
        "world": "voxel",
        "protocol": "vanilla",
        "assists": (),
        "privileged": True,
        "crafting": "functional",
        "helper": "functional",
        "thinking": "paused",
        "budget": 36_000,
        "status": "success" if success else "died",
        "milestones": {"oak_log": 120, "diamond": ticks} if success else {"oak_log": 130},
        "subgoals": (
            Pursued("mine 3 oak_log", "reached", "", "", "", 120, 120),
            Pursued("mine 1 diamond", "failed", "not_found", "diamond_ore", "none near", 300, 420),
        ),
        "deaths": () if success else (Death("zombie", ticks),),
        "calls": 1,
        "models": ("rules",),
        "configuration": "c" * 64,
        "code": "d" * 64,
        "versions": {"python": "3.11.7"},
        "wall_s": 2.5,
    }
    return EpisodeRow(
        task=task,
        episode=episode,
        success=success,
        ticks=ticks,
        group=group,
        **{**given, **other},
    )
