"""Folders of invented rows, and figures of rows calculated independently of the package."""

import json
from collections import defaultdict

import numpy as np

from tests.run.results.making import a_row

IDENTITY = {"format": 1, "evaluation": {"suite": "optimus-67"}, "code": "d" * 64}


def a_folder(path, rows, **identity):
    path.mkdir()
    (path / "evaluation.json").write_text(json.dumps({**IDENTITY, **identity}))
    (path / "rows.jsonl").write_text("".join(row.to_line() for row in rows))
    return path


def many_rows(count, seed=0):
    """Return `count` rows, as varied as rows of played episodes."""
    random = np.random.default_rng(seed)
    groups = ("wood", "stone", "iron", "gold", "diamond", "redstone", "armor")
    template = a_row(group="wood")
    made = []
    for k in range(count):
        task = k % 67
        ends = np.cumsum(random.integers(1, 900, 15)).tolist()
        pursued = tuple(
            type(template.subgoals[0])(f"mine {place} oak_log", "reached", "", "", "", 9, tick)
            for place, tick in enumerate(ends)
        )
        success = bool(random.random() < 0.7)
        failed = type(pursued[0])("mine 1 diamond", "failed", "timeout", "diamond", "", 9, ends[-1])
        made.append(
            a_row(
                task=f"Task{task}",
                group=groups[task % 7],
                episode=k // 67,
                success=success,
                ticks=ends[-1],
                milestones={
                    name: int(tick)
                    for name, tick in zip(
                        ("oak_log", "oak_planks", "crafting_table", "stick", "wooden_pickaxe",
                         "cobblestone", "furnace", "stone_pickaxe", "iron_ore", "iron_ingot"),
                        ends, strict=False,
                    )
                },
                subgoals=pursued if success else (*pursued[:-1], failed),
                seed=int(random.integers(2**31)),
                wall_s=float(random.random()),
            )
        )  # fmt: skip
    return made


def recounted(path, by):
    """Return (episodes, successes, mean ticks of successes or None) by a field, from the file itself."""
    found = defaultdict(list)
    for line in (path / "rows.jsonl").read_text().splitlines():
        row = json.loads(line)
        found[row[by]].append((row["success"], row["ticks"]))
    told = {}
    for name, episodes in found.items():
        ticks = [t for success, t in episodes if success]
        told[name] = len(episodes), len(ticks), sum(ticks) / len(ticks) if ticks else None
    return told
