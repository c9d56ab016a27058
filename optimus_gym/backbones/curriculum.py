"""Rules that propose tasks to learn from (JARVIS-1, section 3.4): new tasks that need little that is new."""

from collections.abc import Mapping
from typing import Any

from optimus_gym.prompts.lines import NOTHING
from optimus_gym.prompts.words import kinds_of


def proposed_tasks(facts: Mapping[str, Any]) -> str:
    """Return the proposed tasks as numbered lines, the easiest first; "nothing" from an empty pool.

    Tasks that were never reached come first, among them those that were tried less often in vain, then those
    with fewer needs that the agent has neither reached nor holds, counted backward through the pool.

    Args:
        facts: the request's facts (`prompts.lines`).
    """
    rows = {row["item"]: row for row in facts["pool"]}
    done, lost = facts.get("done", {}), facts.get("lost", {})
    known = {**facts.get("inventory", {}), **done}

    def unmet(item: str, path: tuple[str, ...]) -> int:
        needs = rows[item]["needs"] if item in rows else ()
        new = [one for one in needs if not _has(known, one) and one not in path]
        return sum(1 + unmet(one, (*path, one)) for one in new)

    places = {item: place for place, item in enumerate(rows)}
    ranked = sorted(
        rows,
        key=lambda item: (done.get(item, 0), lost.get(item, 0), unmet(item, (item,)), places[item]),
    )
    chosen = ranked[: facts["batch"]]
    lines = (f"{n}. {rows[item]['verb']} {item}" for n, item in enumerate(chosen, 1))
    return "\n".join(lines) or NOTHING


def _has(known: Mapping[str, int], word: str) -> bool:
    return any(known.get(kind, 0) for kind in (word, *kinds_of(word)))
