"""Switches for the parts of an agent: one frozen value, which describes an ablation completely."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType

from optimus_gym.core.checks import check_flag
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.memory.retrieval import WANTED, WantedOutcomes
from optimus_gym.minds.recall import EXPERIENCE_PARTS
from optimus_gym.minds.switching import chosen_switches


@dataclass(frozen=True, slots=True)
class Switches:
    """Active parts of Optimus-1.

    Attributes:
        planning: whether tasks are planned; if False, the task's text is the only sub-goal.
        reflection: whether sub-goals are judged while they are carried out.
        replanning: whether new plans are made after setbacks; if False, the first plan is the only plan.
        knowledge: whether the planner gets the knowledge graph's requirements.
        experience: whether planner and reflector get remembered episodes; or a list of the used parts
            (`minds.recall.EXPERIENCE_PARTS`), where an empty list means False: "lessons", results of the same
            task; "transfer", results of similar tasks (with "lessons"); "avoid", failures among these
            results; "sight", ranking by environment (such as biome) and picture; "replans", plans after
            similar setbacks; "cases", cases of reflections; "times", durations of sub-goals.
        cases: the remembered episodes that are used, by their outcome: "both", "success", "failure" or
            "none".
        checks: whether a plan is simulated from the player's inventory before it is used (JARVIS-1, section
            3.2).

    Raises:
        BadValue: a switch other than `cases` is neither True nor False; `experience` may also be a list.
        UnknownName: `cases` is no known word, or `experience` names an unknown part.
    """

    planning: bool = True
    reflection: bool = True
    replanning: bool = True
    knowledge: bool = True
    experience: bool | Sequence[str] = True
    cases: WantedOutcomes = "both"
    checks: bool = True

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if name == "experience" and not isinstance(value, bool):
                object.__setattr__(self, name, _parts(value))
            elif name != "cases":
                check_flag(f"switches: {name}", value)
        if self.cases not in WANTED:
            raise UnknownName("value of the switch cases", self.cases, WANTED)

    @property
    def experience_parts(self) -> tuple[str, ...]:
        """Return the parts of the experience that are used."""
        if isinstance(self.experience, bool):
            return EXPERIENCE_PARTS if self.experience else ()
        return tuple(self.experience)


def _parts(value: object) -> tuple[str, ...]:
    """Return the names of parts of the experience, each once, in the order of `EXPERIENCE_PARTS`.

    Raises:
        BadValue: the value is no list of names.
        UnknownName: the experience has no part of one of these names.
    """
    if not isinstance(value, list | tuple):
        raise BadValue(
            f"switches: experience: expected True, False or a list of parts, got {shown(value)}"
        )
    for name in value:
        if name not in EXPERIENCE_PARTS:
            raise UnknownName("part of the experience", name, EXPERIENCE_PARTS)
    return tuple(name for name in EXPERIENCE_PARTS if name in value)


PRESETS: Mapping[str, Switches] = MappingProxyType(
    {
        "full": Switches(),
        "nothing": Switches(False, False, False, knowledge=False, experience=False),
        "planning": Switches(True, False, False, knowledge=False, experience=False),
        "no-memory": Switches(knowledge=False, experience=False),
        "no-knowledge": Switches(knowledge=False),
        "no-experience": Switches(experience=False),
        "no-reflection": Switches(reflection=False),
        "no-cases": Switches(cases="none"),
        "successes": Switches(cases="success"),
        "failures": Switches(cases="failure"),
    }
)
"""Presets of switches, by name: rows of Optimus-1's Table 2 ("nothing" to "no-experience", and "full") and
Table 3 ("no-cases" to "failures", and "full"); "no-reflection" still replans, and so shows the worth of
reflection alone."""


def switches_of(wanted: object) -> Switches:
    """Return the switches that an argument names: a preset, a mapping of switches, or `Switches` itself.

    Raises:
        UnknownName: the argument names an unknown preset or an unknown switch.
        BadValue: the argument is of another type, or a switch has an impossible value.

    >>> switches_of("planning").reflection, switches_of({"cases": "success"}).cases
    (False, 'success')
    """
    return chosen_switches(wanted, Switches, PRESETS)
