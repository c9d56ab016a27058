"""Find the parts of an evaluation that read the world itself, from the evaluation's rows."""

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from optimus_gym.core.errors import OptimusError
from optimus_gym.core.parts import part_of
from optimus_gym.core.registry import names
from optimus_gym.run.results.row import EpisodeRow

CONTROLLER: Final = "the controller"


def readers_in(rows: Iterable[EpisodeRow]) -> str:
    """Return in words which parts read the world itself; "" if no row is privileged.

    For a privileged row, the agent is named if one of its options makes it read the world (`privileged_by`).
    The controller is named if its class reads the world, or if the agent is not named.
    """
    told = {(row.agent, row.controller) for row in rows if row.privileged}
    parts = dict.fromkeys(part for pair in sorted(told) for part in _readers(*pair))
    if not parts:
        return ""
    return f"{' and '.join(sorted(parts, reverse=True))} {_verb(tuple(parts))} the world itself"


def _verb(parts: Sequence[str]) -> str:
    return "reads" if len(parts) == 1 else "read"


def _readers(agent: str, controller: str) -> list[str]:
    """Return the parts of a privileged row that read the world."""
    maker, options = _part("agent", agent)
    by = getattr(maker, "privileged_by", {})
    given = [f"{name}={value!r}" for name, value in by.items() if options.get(name) == value]
    if not given:
        return [CONTROLLER]
    reads = bool(getattr(_part("controller", controller)[0], "privileged", False))
    return [CONTROLLER] * reads + [f"the agent ({', '.join(given)})"]


def _part(kind: str, text: str) -> tuple[Any, Mapping[str, Any]]:
    """Return class and options of the registered part that a row names; (None, {}) for any other part.

    A row may come from a stranger's file, so only classes of registered parts are imported.
    """
    try:
        named = ast.literal_eval(text) if text.startswith("{") else {"name": text}
        if not isinstance(named, dict) or named.get("name") not in names(kind):
            return None, {}
        part = part_of(kind, named)
        return (None, {}) if part is None else (part.maker, part.options)
    except (OptimusError, ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None, {}
