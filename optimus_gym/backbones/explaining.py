"""The rules' explanation of a failed sub-goal: what its way takes, and what of it the player lacks."""

from collections.abc import Mapping
from typing import Any, Final

from optimus_gym.backbones.call_plans import IS_GOT_BY, LACKS
from optimus_gym.backbones.chaining import ChainStep, Known
from optimus_gym.game.sources import GETTING_VERBS

EXPLANATION: Final = "Explanation: "
"""The beginning of an answer that explains a failure."""


def explanation_for(facts: Mapping[str, Any]) -> str:
    """Return the answer to a request that asks why a sub-goal failed.

    The rules compare the way to the step's item with the held items and the stations in reach; the request
    does not name the lacking item. If nothing lacks, the explanation repeats the request's reason. If the
    step's verb is not the verb of the known way, the explanation names the right verb.
    """
    known = Known({"verbs": GETTING_VERBS, **facts, "failure": ""})
    verb, item, count = facts["failed_step"]
    way = known.way(item)
    if way is not None and verb not in ("equip", "place", "find", way.verb):
        return f"{EXPLANATION}{verb} {count} {item} cannot work; {item}{IS_GOT_BY}{way.verb}."
    if verb in ("equip", "place"):
        takes, lacking = f"needs 1 {item}", {} if known.has(item) else {item: 1}
    else:
        step = known.step(item, count) if way is not None else ChainStep(verb, item, count)
        takes, lacking = _takes(step), _lacking(step, known)
    told = f"{EXPLANATION}{verb} {count} {item} {takes}; "
    if not lacking:
        why = facts.get("failure", "an unknown reason")
        return f"{told}the agent has all of it and failed for {why}, so another try may work."
    return told + LACKS + ", ".join(f"{n} {name}" for name, n in lacking.items()) + "."


def _takes(step: ChainStep) -> str:
    parts = [f"uses {count} {name}" for name, count in step.uses.items()]
    parts += [f"needs {name}" for name in step.lasting]
    return " and ".join(parts) or "takes nothing"


def _lacking(step: ChainStep, known: Known) -> dict[str, int]:
    """Return the pieces of a step's ingredients, tool and station that the player lacks, by word."""
    short = {name: count - known.count(name) for name, count in step.uses.items()}
    missing = {name: 1 for name in step.lasting if not known.has(name)}
    return {name: count for name, count in short.items() if count > 0} | missing
