"""MP5's performer memory: action sequences that reached sub-objectives (MP5, appendix B.2.2).

An episode's sequences are among the further facts of its experience in the memory folder. The paper keeps the
descriptions of sub-objectives in a vector database, and the sequences in a file of their own.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from optimus_gym.core.arrays import Vector
from optimus_gym.core.errors import BadMemory
from optimus_gym.memory.experience import Experience
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.custody import Custody
from optimus_gym.prompts.code_plans import call_in

SEQUENCES: Final = "sequences"
"""Key of the sequences among an experience's further facts (`Experience.told`)."""
TOP_K: Final = 2
"""Default number of sequences in a request (MP5's public code)."""
MOST_SEQUENCES: Final = 5_000
"""Maximum number of sequences that are compared: the newest ones."""
_Row = dict[str, Any]


class PerformerMemory:
    """Finds the sequences whose sub-objectives are most like a present one.

    Args:
        pool: the memory; None: there is no memory.
        custody: decides what happens if the memory cannot be read.
        top_k: maximum number of sequences in a request.

    Raises:
        BadMemory: the memory holds only episodes of other agents.
    """

    def __init__(self, pool: ExperiencePool | None, custody: Custody, top_k: int) -> None:
        self._pool = pool
        self._custody = custody
        self._top_k = top_k
        self._read = 0
        self._rows: list[_Row] = []
        self._vectors: Vector = np.zeros((0, 0), np.float32)
        if pool is not None and self._refreshed(pool) == 0 and self._read:
            raise BadMemory(
                f"memory: expected episodes that MP5 played, got {self._read:,} episodes without "
                f"sequences of actions ('{pool.store.path}'); another agent wrote them"
            )

    def like(self, words: str) -> tuple[_Row, ...]:
        """Return the sequences whose sub-objectives are most like some words (the fact `references`).

        Raises:
            BadMemory: the memory cannot be read, and the option `on_bad_memory` is "stop".
        """
        pool = self._pool
        if pool is None:
            return ()
        return self._custody.use(lambda: self._found(pool, words), ())

    def _found(self, pool: ExperiencePool, words: str) -> tuple[_Row, ...]:
        if not self._refreshed(pool):
            return ()
        likeness = self._vectors @ pool.texts([words])[0]
        newest_first = np.lexsort((-np.arange(len(likeness)), -likeness))
        chosen = [k for k in newest_first if likeness[k] >= pool.aligner.confidence]
        rows: dict[str, _Row] = {}
        for k in chosen:
            rows.setdefault(str(self._rows[k]["plan"]), self._rows[k])
            if len(rows) == self._top_k:
                break
        return tuple(rows.values())

    def _refreshed(self, pool: ExperiencePool) -> int:
        """Read new episodes of the memory; return the number of known sequences."""
        numbers = pool.store.numbers() if len(pool) != self._read else ()
        new = [
            row for number in numbers[self._read :] for row in sequences_of(pool.outline(number))
        ]
        self._read = max(self._read, len(numbers))
        if new:
            made = np.stack(pool.texts([row["goal"] for row in new]))
            former = self._vectors.reshape(-1, made.shape[1])
            self._vectors = np.concatenate([former, made])[-MOST_SEQUENCES:]
            self._rows = (self._rows + new)[-MOST_SEQUENCES:]
        return len(self._rows)


def sequences_of(experience: Experience) -> list[_Row]:
    """Return the sequences of a remembered episode; unreadable ones are left out."""
    stored = experience.told.get(SEQUENCES)
    rows = (_row(one) for one in stored) if isinstance(stored, list | tuple) else ()
    return [row for row in rows if row is not None]


def _row(stored: Any) -> _Row | None:
    if not isinstance(stored, Mapping):
        return None
    goal, actions, held = stored.get("goal"), stored.get("actions"), stored.get("inventory")
    if not isinstance(goal, str) or not goal.strip() or not isinstance(actions, list | tuple):
        return None
    try:
        plan = tuple(call_in(line) for line in actions)
    except (ValueError, AttributeError):
        return None
    return {
        "goal": goal,
        "environment": str(stored.get("environment") or "unknown"),
        "inventory": dict(held) if isinstance(held, Mapping) else {},
        "plan": plan,
    }
