"""The order of the inventory in a film: the latest gains come first."""

from collections.abc import Mapping


class NewestFirst:
    """Remembers the order in which one player gained the items held.

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

        New items come before further pieces of items that the last call already had. Other ties keep the
        inventory's order.
        """
        former = self._held
        new = [name for name in inventory if name not in former]
        more = [name for name in inventory if inventory[name] > former.get(name, inventory[name])]
        rest = [name for name in former if name in inventory and name not in more]
        self._held = {name: inventory[name] for name in (*new, *more, *rest)}
        return self._held
