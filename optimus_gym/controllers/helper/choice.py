"""The choice of the helper for a world."""

from collections.abc import Collection

from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import Part
from optimus_gym.core.registry import load, names


def helper_for(can: Collection[str]) -> Part | None:
    """Return the helper that serves a world with the powers `can`, None if the world needs none.

    Raises:
        BadValue: no helper serves the world.

    >>> helper_for({"keys", "functions", "arrays"}).name
    'functional'
    >>> helper_for({"subgoals"}) is None
    True
    """
    if "subgoals" in can:
        return None
    needed = {name: load("helper", name).needs for name in names("helper")}
    for name, needs in needed.items():
        if needs <= frozenset(can):
            return Part("helper", name)
    wanted = "; or ".join(f"{sorted(needs)} (helper {name!r})" for name, needs in needed.items())
    raise BadValue(
        f"world: no helper serves one with the powers {sorted(can)}; expected {wanted}, or a world "
        f"that carries out sub-goals itself"
    )
