"""Switches for the parts of MP5: one frozen value, which describes an ablation completely."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.minds.switching import chosen_switches

PERCEPTIONS: Final = ("active", "global", "chance", "none")
"""Kinds of perception (MP5, Table 3): by questions, by one description; a coin instead; or none."""
QUESTIONINGS: Final = ("multi", "single")
"""Ways to ask (MP5, appendix E): one question a round, or all questions in one request."""
_WORDS: Final = {"perception": PERCEPTIONS, "questions": QUESTIONINGS}


@dataclass(frozen=True, slots=True)
class Mp5Switches:
    """Active parts of MP5.

    Attributes:
        parser: whether the task is broken into sub-objectives; if False, the goal is the only one (Table 18).
        knowledge: whether the parser gets the knowledge memory's entries (Tables 18 and 20).
        performer: whether the planner gets remembered action sequences (Tables 7, 18 and 20).
        situation: whether the planner gets what the percipient sees (Table 4, situation-aware planning).
        before: whether the patroller checks an action before it begins (Tables 7, 18 and 21).
        during: whether the patroller checks an action while it runs (Table 4, embodied execution).
        after: whether the patroller checks an action after its end (Tables 7, 18 and 21).
        perception: how the patroller perceives (`PERCEPTIONS`; Tables 3 and 14, "none" in Table 18).
        questions: how active perception asks (`QUESTIONINGS`; Table 17).

    Raises:
        BadValue: a switch other than `perception` and `questions` is neither True nor False.
        UnknownName: `perception` or `questions` is no known word.
    """

    parser: bool = True
    knowledge: bool = True
    performer: bool = True
    situation: bool = True
    before: bool = True
    during: bool = True
    after: bool = True
    perception: str = "active"
    questions: str = "multi"

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if name in _WORDS:
                check_name(name, value, _WORDS[name])
            elif not isinstance(value, bool):
                raise BadValue(f"switches: {name}: expected True or False, got {shown(value)}")


MP5_PRESETS: Final[Mapping[str, Mp5Switches]] = MappingProxyType(
    {
        "full": Mp5Switches(),
        "global": Mp5Switches(perception="global"),
        "chance": Mp5Switches(perception="chance"),
        "single-round": Mp5Switches(questions="single"),
        "no-situation": Mp5Switches(situation=False),
        "no-embodiment": Mp5Switches(during=False),
        "no-percipient": Mp5Switches(perception="none"),
        "no-memory": Mp5Switches(knowledge=False, performer=False),
        "no-knowledge": Mp5Switches(knowledge=False),
        "no-performer": Mp5Switches(performer=False),
        "no-parser": Mp5Switches(parser=False),
        "no-patroller": Mp5Switches(before=False, after=False),
    }
)
"""Presets of MP5's switches, by name."""


def mp5_switches(wanted: object) -> Mp5Switches:
    """Return the switches that an argument names: a preset, a mapping of switches, or `Mp5Switches`.

    Raises:
        UnknownName: the argument names an unknown preset, switch or word.
        BadValue: the argument is of another type, or a switch has an impossible value.

    >>> mp5_switches("no-patroller").after, mp5_switches({"situation": False}).situation
    (False, False)
    """
    return chosen_switches(wanted, Mp5Switches, MP5_PRESETS)
