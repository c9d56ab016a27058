"""Switches for the parts of JARVIS-1: one frozen value, which describes an ablation completely."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Final

from optimus_gym.core.checks import check_flag, check_name
from optimus_gym.minds.switching import chosen_switches

RECIPE_KINDS: Final = ("plan", "explain", "query", "instruct")
"""Kinds of requests that may hold the game's ways to get items; new plans count as "plan"."""
RETRIEVALS: Final = ("none", "text", "reasoning", "multimodal")
"""Kinds of retrieval (JARVIS-1, Table 3)."""


@dataclass(frozen=True, slots=True)
class JarvisSwitches:
    """Active parts of JARVIS-1.

    Attributes:
        sight: whether requests hold the sentences that describe the screen (JARVIS-1, section 3.2).
        symbols: whether requests hold inventory, stations in reach and biome (section 3.2).
        recipes: whether requests hold the game's ways to get items, in place of what a large model knows;
            the paper's requests hold none (appendix C.2, listing 1). A list names the requests that hold
            them (`RECIPE_KINDS`).
        checks: whether a plan is simulated step by step on the inventory before it is used (section 3.2).
        explains: whether the backbone explains a failure before it makes a new plan (section 3.2).
        retrieval: how remembered plans are found (Table 3): "none"; "text", by the task's text (T);
            "reasoning", also by the sub-goals of backward reasoning (T+R); "multimodal", ranked by
            surroundings and picture besides (M+R).
        wording: whether the backbone chooses the text that a sub-goal gives to the controller (appendix D.1).
        replanning: whether new plans are made after failures; if False, the first plan is the only plan.

    Raises:
        BadValue: a switch other than `recipes` and `retrieval` is neither True nor False.
        UnknownName: `retrieval` is no known word, or `recipes` names an unknown kind of request.
    """

    sight: bool = True
    symbols: bool = True
    recipes: bool | Sequence[str] = True
    checks: bool = True
    explains: bool = True
    retrieval: str = "multimodal"
    wording: bool = True
    replanning: bool = True

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if name == "recipes" and isinstance(value, list | tuple):
                for kind in value:
                    check_name("kind of request with recipes", kind, RECIPE_KINDS)
            elif name != "retrieval":
                check_flag(f"switches: {name}", value)
        check_name("retrieval", self.retrieval, RETRIEVALS)

    def tells(self, kind: str) -> bool:
        """Return whether requests of a kind (`RECIPE_KINDS`) hold the game's ways to get items."""
        if isinstance(self.recipes, bool):
            return self.recipes
        return kind in self.recipes


JARVIS_PRESETS: Final[Mapping[str, JarvisSwitches]] = MappingProxyType(
    {
        "full": JarvisSwitches(),
        "blind": JarvisSwitches(sight=False, symbols=False),
        "no-check": JarvisSwitches(checks=False),
        "no-explain": JarvisSwitches(explains=False),
        "no-memory": JarvisSwitches(retrieval="none"),
        "text": JarvisSwitches(retrieval="text"),
        "reasoning": JarvisSwitches(retrieval="reasoning"),
        "no-wording": JarvisSwitches(wording=False),
        "paper": JarvisSwitches(recipes=False),
    }
)
"""Presets of JARVIS-1's switches, by name."""


def jarvis_switches(wanted: object) -> JarvisSwitches:
    """Return the switches that an argument names: a preset, a mapping of switches, or `JarvisSwitches`.

    Raises:
        UnknownName: the argument names an unknown preset or an unknown switch.
        BadValue: the argument is of another type, or a switch has an impossible value.

    >>> jarvis_switches("no-check").checks, jarvis_switches({"sight": False}).sight
    (False, False)
    """
    return chosen_switches(wanted, JarvisSwitches, JARVIS_PRESETS)
