"""The rules' programs for Code as Policies (`backbones.parse.programs`), from the known ways in a request.

With conditions the program repeats one choice until the goal is held: the first thing that is lacking for the
goal is made, or the first thing that is lacking for this thing, and so on. So the program begins wherever the
agent stands, and goes on after losses. Without conditions the program is the chain from empty hands.

If the last program failed at a step for something missing, the new program makes twice as much of what the
step uses up.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from optimus_gym.backbones.chaining import ChainStep, Known, chain
from optimus_gym.backbones.lessons import HELD_VERBS, LACK
from optimus_gym.core.types import ONCE
from optimus_gym.game.sources import STATIONS

_INDENT = "    "


def plan_as_program(facts: Mapping[str, Any]) -> str:
    """Return the rules' program with conditions."""
    verb, item, count = facts["goal"]
    if verb == "find":
        return f"find({json.dumps(item)})"
    lines = [
        f"while count({json.dumps(item)}) < {count}:",
        *_indented(_choice(Known(facts), item, count, (), _short_of(facts))),
    ]
    if verb not in HELD_VERBS:
        lines.append(f"{verb}({json.dumps(item)})")
    return "\n".join(lines)


def plan_as_calls(facts: Mapping[str, Any]) -> str:
    """Return the rules' program without conditions: calls for the chain from empty hands."""
    verb, item, count = facts["goal"]
    known, wanted = Known(facts), {item: count}
    failed = _short_of(facts)
    if failed and known.way(failed) is not None:
        uses = known.step(failed, 1).uses
        wanted |= {name: wanted.get(name, 0) + pieces for name, pieces in uses.items()}
    steps = chain(known, wanted) if verb != "find" else []
    if verb not in HELD_VERBS:
        steps.append(ChainStep(verb, item, 1))
    return "\n".join(_line(step) for step in steps)


def _choice(known: Known, item: str, pieces: int, path: Sequence[str], failed: str) -> list[str]:
    """Return the lines that make the first lacking thing on the way to an item.

    Args:
        known: the known ways.
        item: the item.
        pieces: how many pieces.
        path: the items whose ways lead here, which are not made again.
        failed: the item of a step that lacked something, or "".
    """
    step = known.step(item, pieces)
    times = 2 if item == failed else 1
    wants = [(name, count * times) for name, count in step.uses.items()]
    wants += [(name, 1) for name in step.lasting]
    lines: list[str] = []
    for name, count in wants:
        if name in path:
            continue
        asked = f"count({json.dumps(name)})"
        if name in STATIONS:
            asked += f" + near({json.dumps(name)})"
        lines.append(f"{'elif' if lines else 'if'} {asked} < {count}:")
        lines += _indented(_choice(known, name, count, (*path, item), failed))
    if not lines:
        return [_line(step)]
    return [*lines, "else:", *_indented([_line(step)])]


def _short_of(facts: Mapping[str, Any]) -> str:
    """Return the item of the step at which the last program failed for something missing, or ""."""
    missing = facts.get("failure", "").startswith(LACK)
    return str(facts["failed_step"][1]) if missing and "failed_step" in facts else ""


def _line(step: ChainStep) -> str:
    if step.verb in ONCE or step.verb == "find":
        return f"{step.verb}({json.dumps(step.item)})"
    given = [step.item, step.count, *(aid for aid in (step.station, step.tool) if aid is not None)]
    return f"{step.verb}({', '.join(map(json.dumps, given))})"


def _indented(lines: Sequence[str]) -> list[str]:
    return [_INDENT + line for line in lines]
