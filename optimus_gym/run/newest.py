"""The order in which a film names what is held: what was just got comes first."""

from collections.abc import Mapping


class NewestFirst:
    """Remembers in which order one player got what is held.

    >>> newest = NewestFirst()
    >>> newest.ordered({"dirt": 1, "stick": 2})
    {'dirt': 1, 'stick': 2}
    >>> newest.ordered({"dirt": 1, "stick": 3, "diamond": 1})
    {'diamond': 1, 'stick': 3, 'dirt': 1}
    """

    def __init__(self) -> None:
        self._held: dict[str, int] = {}

    def ordered(self, inventory: Mapping[str, int]) -> dict[str, int]:
        """Return the inventory (pieces by item name) in the order of the latest gains.

        Items that the last call did not hold stand before further pieces of others. Other ties keep the
        inventory's order.
        """
        former = self._held
        new = [name for name in inventory if name not in former]
        more = [name for name in inventory if inventory[name] > former.get(name, inventory[name])]
        rest = [name for name in former if name in inventory and name not in more]
        self._held = {name: inventory[name] for name in (*new, *more, *rest)}
        return self._held
