"""Hindsight: after a sub-goal has ended, the right verdict ("label") at each of its recorded states.

The labels of a failed sub-goal are "CONTINUE" at first, and "REPLAN" from one state on: the state after its
last progress, or, if it came earlier, the first state with the predicament in which the sub-goal ended. The
agent itself could know progress and predicament, because it sees inventory, vitals, height, and the biome,
cave, water or night on its screens.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from optimus_gym.core.deliberation import Judgement, Outcome
from optimus_gym.core.predicaments import A_BLOW, LITTLE_FOOD, LOW_HEALTH
from optimus_gym.core.situation import Vitals
from optimus_gym.core.types import RECOVER, SubGoal

FULL_BREATH: Final = Vitals().air
"""Ticks of air of a player whose head is above the water."""
GRACE: Final = 200
"""Ticks (at most half of the sub-goal) during which "CONTINUE" is right even without progress: our choice."""
STUCK: Final = "stuck"
"""The predicament of a failed sub-goal if no other predicament shows."""
AGENT_SEES: Final = ("in_water", "drop_down", "hurt", "hungry", "danger")
"""Predicaments that an agent can tell from vitals, height and screens, the most pressing first."""
SURFACE_HEIGHTS: Final = (61.0, 63.0)
"""Range of the y of a swimmer's feet at the sea's surface, blocks (Minecraft Wiki, "Sea level": 62)."""
A_FALL: Final = 4.0
"""Least depth, in blocks below the sub-goal's beginning, at which a player is in a pit: our choice, more than
a safe fall."""
_CAVE = "cave"
"""Word for what a screen shows (`SubGoalState.environment`) in the predicament "drop_down"."""
_NIGHT = "night"
"""Word for what a screen shows (`SubGoalState.environment`) in the predicament "night"."""
WORLD_SHOWS: Final = ("in_water", "danger", "drop_down", "night")
"""Predicaments that the world itself can report, the most pressing first."""
MAKING: Final = ("craft", "smelt")
"""Verbs whose ingredients are used up."""
HEALING: Final[Mapping[str, str]] = {"hurt": "health", "hungry": "food", "in_water": "air"}
"""For each predicament, the vital that rises while a sub-goal recovers from it."""


class SubGoalState(NamedTuple):
    """The agent's knowledge of a sub-goal at one tick.

    Attributes:
        tick: the episode's tick.
        gained: pieces held more than at the sub-goal's beginning, by item.
        used: pieces held less than at the sub-goal's beginning, by item.
        vitals: health, food, air and the other vitals.
        told: predicaments that the world reports (`core.predicaments.SEEN_BY_WORLD`); None if the agent may
            not ask the world; height and environment count only if `told` is None.
        height: the player's y, blocks.
        environment: the biome, cave, water or night on the latest screen that was read, "" if not certain.
    """

    tick: int
    gained: Mapping[str, int] = {}
    used: Mapping[str, int] = {}
    vitals: Vitals = Vitals()
    told: frozenset[str] | None = None
    height: float = 64.0
    environment: str = ""


class Label(NamedTuple):
    """The right verdict on a sub-goal at one of its recorded states.

    Attributes:
        judgement: the right judgement.
        predicament: name of the predicament (`core.predicaments.PREDICAMENTS`); "" without "REPLAN".
    """

    judgement: Judgement
    predicament: str = ""


def labels_in(outcome: Outcome, looks: Sequence[SubGoalState]) -> list[Label]:
    """Return the right verdict at each state of an ended sub-goal, from the sub-goal's outcome.

    If the agent called a sub-goal complete, but the inventory shows that it was not, all labels are
    "CONTINUE".
    """
    if outcome.contradicted:
        return [Label("CONTINUE")] * len(looks)
    return case_labels(
        outcome.subgoal,
        looks,
        failed=outcome.failure is not None,
        counts_night=outcome.end == "failed",
    )


def with_environments(
    looks: Sequence[SubGoalState], words: Mapping[int, str]
) -> list[SubGoalState]:
    """Return a sub-goal's states, each with the environment (biome, cave, ...) on the last screen read.

    Args:
        looks: the states of a sub-goal, in order.
        words: for each state with a screen that was read, by the state's index in `looks`: the environment,
            "" if uncertain.
    """
    held, environment = [], ""
    for number, look in enumerate(looks):
        environment = words.get(number, environment)
        held.append(look._replace(environment=environment))
    return held


def case_labels(
    subgoal: SubGoal, looks: Sequence[SubGoalState], failed: bool, counts_night: bool = False
) -> list[Label]:
    """Return the right verdict at each state of a sub-goal that has ended.

    Args:
        subgoal: the sub-goal.
        looks: the sub-goal's states in order, from its beginning to its end, at least one.
        failed: whether the sub-goal failed or was given up for another plan.
        counts_night: whether a night is a predicament. A night that only screens show, and not the world,
            never makes a label "REPLAN", but can be named as the predicament of a label that is "REPLAN".
    """
    if not failed:
        return [Label("CONTINUE")] * (len(looks) - 1) + [Label("COMPLETE")]
    shown = [_shown(subgoal, looks[0], look, counts_night) for look in looks]
    lasting, since = _lasting(shown)
    last = _last_progress(subgoal, looks)
    if last is None:
        since = min(since or len(looks), _after_grace(looks))
    elif since == 0:  # the sub-goal made progress in spite of the predicament at its beginning
        since = last + 1
    else:
        since = min(since, last + 1)
    since = min(since, len(looks) - 1)
    named = [
        _named(subgoal, one, lasting, counts_night and _is_dark(look))
        for one, look in zip(shown, looks, strict=True)
    ]
    return [Label("CONTINUE")] * since + [Label("REPLAN", name) for name in named[since:]]


def _shown(
    subgoal: SubGoal, first: SubGoalState, look: SubGoalState, counts_night: bool
) -> tuple[str, ...]:
    """Return the predicaments that a sub-goal's state shows, the most pressing first.

    A state of a sub-goal "recover" shows no predicament, since each such sub-goal begins in a predicament.
    """
    if subgoal.verb == RECOVER:
        return ()
    told = [name for name in WORLD_SHOWS if name in (look.told or ())]
    if not counts_night:
        told = [name for name in told if name != "night"]
    vitals = look.vitals
    is_wet = vitals.air < FULL_BREATH or _is_at_surface(look)
    shows = {
        "in_water": is_wet,
        "drop_down": not is_wet and _is_down(first, look),
        "hurt": vitals.health <= LOW_HEALTH,
        "hungry": vitals.food <= LITTLE_FOOD,
        "danger": first.vitals.health - vitals.health >= A_BLOW,
    }
    return tuple(dict.fromkeys([*told, *(name for name in AGENT_SEES if shows[name])]))


def _is_at_surface(look: SubGoalState) -> bool:
    """Return whether the player is at sea level and in no cave; False if the agent may ask the world."""
    low, high = SURFACE_HEIGHTS
    return look.told is None and low <= look.height < high and look.environment != _CAVE


def _is_down(first: SubGoalState, look: SubGoalState) -> bool:
    """Return whether the player is in a cave or in a pit (`A_FALL`); False if the agent may ask the world."""
    if look.told is not None:
        return False
    return look.environment == _CAVE or first.height - look.height >= A_FALL


def _is_dark(look: SubGoalState) -> bool:
    """Return whether the screen shows the night; False if the agent may ask the world."""
    return look.told is None and look.environment == _NIGHT


def _lasting(shown: Sequence[tuple[str, ...]]) -> tuple[str, int]:
    """Return the predicament in the last state ("" for none), and the index of the state where it began."""
    if not shown[-1]:
        return "", len(shown)
    lasting = shown[-1][0]
    since = len(shown) - 1
    while since > 0 and lasting in shown[since - 1]:
        since -= 1
    return lasting, since


def _last_progress(subgoal: SubGoal, looks: Sequence[SubGoalState]) -> int | None:
    """Return the index of a sub-goal's last state that showed progress, or None."""
    best: dict[str, float] = _counted(subgoal, looks[0])
    last = None
    for k, look in enumerate(looks[1:], 1):
        counted = _counted(subgoal, look)
        if any(count > best.get(name, 0) for name, count in counted.items()):
            last = k
        best |= {name: max(count, best.get(name, 0)) for name, count in counted.items()}
    return last


def _counted(subgoal: SubGoal, look: SubGoalState) -> dict[str, float]:
    """Return the counts (pieces, vitals) that rise with a sub-goal's progress, by name.

    For the verb "mine", pieces of every item count, because the player digs through other blocks on the way.
    """
    if subgoal.verb == RECOVER:
        vital = HEALING.get(subgoal.item)
        return {} if vital is None else {vital: getattr(look.vitals, vital)}
    mines = subgoal.verb == "mine"
    counted: dict[str, float] = {
        name: count for name, count in look.gained.items() if mines or name in subgoal.kinds
    }
    if subgoal.verb in MAKING:
        counted |= {f"used {name}": count for name, count in look.used.items()}
    return counted


def _after_grace(looks: Sequence[SubGoalState]) -> int:
    """Return the index of the first state at which a sub-goal without any progress should end."""
    begun, ended = looks[0].tick, looks[-1].tick
    end_of_grace = begun + min(GRACE, (ended - begun) / 2)
    return next(k for k, look in enumerate(looks) if look.tick >= end_of_grace)


def _named(subgoal: SubGoal, shown: Sequence[str], lasting: str, is_dark: bool) -> str:
    """Return the predicament of a sub-goal's state at which "REPLAN" is right."""
    if subgoal.verb == RECOVER:
        return subgoal.item
    if lasting in shown:
        return lasting
    if shown:
        return shown[0]
    return _NIGHT if is_dark else STUCK
